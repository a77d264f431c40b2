"""What each edge of the model says, as terms: read from the model as it is, nothing is taken over from an analysis.

A nondeterministic value is a fresh name. Values that the front end could not model are any value, each time they are
read.
"""

from __future__ import annotations

from argosy.basics.records import dataclass
from argosy.logic.solvers import SortKind
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, Relation, Undefined
from argosy.models.effects import effect_of


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an edge does: it is taken under ``condition``, and ``values`` are the new values of what it writes, over
    the old values and over fresh names for what is nondeterministic."""

    condition: Term
    values: tuple[tuple[Term, Term], ...]


class Meanings:
    """The edges of one automaton as terms. Executions that divide by zero or shift too far are excluded. Signed
    overflow wraps; with ``defined`` it is excluded from an edge as long as the edge's literal is true."""

    def __init__(self, cfa: Cfa, *, defined: bool) -> None:
        self.cfa = cfa
        self.terms = cfa.terms
        self.defined = defined
        self.literals: dict[Term, Edge] = {}
        # How many connectives the terms of edges have, up to a number; for all blocks that these are in.
        self.connectives: dict[Term, int] = {}
        self._number = {edge: i for i, edge in enumerate(cfa.edges)}
        self._known: dict[Edge, Meaning] = {}
        self._mark = "@"
        while any(self._mark in variable.term.name for variable in cfa.variables):
            self._mark += "@"

    def name(self, what: str, edge: Edge) -> str:
        """A name that no variable of the model has. An edge occurs once on a path through a block, so its number
        tells what belongs to it from what belongs to others."""
        return f"{what}{self._mark}{self._number[edge]}"

    def literal(self, what: str, edge: Edge) -> Term:
        """A fresh truth value that belongs to an edge; it is no value of a variable, whatever that is called."""
        return self.terms.var(f"{self._mark}{self._number[edge]}{what}", BOOL)

    def __getitem__(self, edge: Edge) -> Meaning:
        meaning = self._known.get(edge)
        if meaning is None:
            meaning = self._known[edge] = self._read(edge)
        return meaning

    def _read(self, edge: Edge) -> Meaning:
        terms = self.terms
        conditions = [check.condition for check in edge.checks if Reading.WRAP.excludes(check)]
        if self.defined:
            overflow = [c.condition for c in edge.checks if c.kind is Undefined.SIGNED_OVERFLOW]
            if overflow:
                literal = self.literal("defined", edge)
                self.literals[literal] = edge
                conditions.append(terms.implies(literal, terms.conjunction(overflow)))
        values: tuple[tuple[Term, Term], ...] = ()
        match edge.operation:
            case Assume(condition):
                conditions.append(condition)
            case Assign(variable, value):
                values = ((variable, value),)
            case Havoc(variable):
                values = ((variable, self._fresh(variable, edge)),)
            case Relation():
                effect = effect_of(terms, edge.operation)
                computed = dict(effect.definitions)
                news = {new: self._fresh(v, edge) for v, new in effect.primed if v not in computed}
                conditions += (*effect.guards, *(substitute(terms, tie, news) for tie in effect.ties))
                values = tuple((v, computed[v] if v in computed else news[new]) for v, new in effect.primed)
        condition = terms.conjunction(conditions)
        read = variables(condition).union(*(variables(value) for _, value in values))
        unmodelled = {opaque: self._fresh(opaque, edge) for opaque in self.cfa.opaque if opaque in read}
        if unmodelled:
            condition = substitute(terms, condition, unmodelled)
            values = tuple((variable, substitute(terms, value, unmodelled)) for variable, value in values)
        return Meaning(condition, values)

    def _fresh(self, variable: Term, edge: Edge) -> Term:
        return self.terms.var(self.name(variable.name, edge), variable.sort)


def determined(terms: Terms, literal: Term) -> tuple[Term, Term] | None:
    """The variable and the constant of a literal that says which value a variable has."""
    if literal.op == "=":
        a, b = literal.args
        if a.op == "var" and b.op == "const":
            return a, b
        if b.op == "var" and a.op == "const":
            return b, a
    elif literal.op == "var":
        return literal, terms.true
    elif literal.op == "not":
        inner = literal.args[0]
        if inner.op == "var":
            return inner, terms.false
        if inner.op == "=" and inner.args[0].sort.is_bits and inner.args[0].sort.width == 1:
            fixed = determined(terms, inner)
            if fixed is not None:
                return fixed[0], terms.bv(1 - fixed[1].value, 1)
    return None


def sort_kind(cfa: Cfa) -> SortKind:
    """Which arithmetic the model is in, in the words of ``logic.solvers``."""
    kinds = {v.term.sort.kind for v in cfa.variables}
    return "real" if "real" in kinds else "int" if "int" in kinds else "bits"
