"""Conditional constant propagation (Wegman and Zadeck, *Constant propagation with conditional branches*, 1991).

An environment says which variables have one known value whenever a location is reached. It is pushed along the
edges that can be taken under it, and meets others where paths join; an edge whose condition is false under the
environment, and all that lies only behind it, is never walked. Besides assignments, an assumed ``x = constant``
fixes a value. Environments are kept at the heads of chains only and know live variables only.

A check that the reading excludes blocks like an assume; under wrap-around an overflow goes on. An opaque variable
stands for something that was not modelled, so it is never a constant, whatever is assigned to it.

Law: every execution of the automaton satisfies the environments on its way, and takes no edge found infeasible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from argosy.basics.records import dataclass, replace
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.models.cfa import (
    Assign,
    Assume,
    Check,
    Edge,
    Havoc,
    Location,
    Operation,
    Reading,
    Relation,
    read,
    written,
)
from argosy.models.effects import effect_of
from argosy.models.flow import Chain, Numbering, Worklist, backward, chains

# Of more connectives in each other the inner ones are not taken apart.
_DEEPEST = 40


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """Variables with one known value, and the same variables as bits. Never changed once it is made."""

    values: Mapping[Term, Term]
    bits: int


@dataclass(frozen=True, slots=True)
class Folded:
    """What an edge does under an environment, known values put in."""

    operation: Operation
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Infeasible:
    """``condition``, as it stands on the edge, is false under the environment."""

    condition: Term


class Constants:
    """The solution for the automaton that consists of ``edges``, all on paths from ``initial``."""

    def __init__(
        self,
        terms: Terms,
        initial: Location,
        error: Location,
        edges: Sequence[Edge],
        *,
        reading: Reading,
        rank: Mapping[Location, int],
        numbering: Numbering,
        opaque: Collection[Term],
    ) -> None:
        self._terms = terms
        self._reading = reading
        self._numbering = numbering
        self._opaque = opaque
        self._chains: Mapping[Location, Sequence[Chain]] = chains(initial, error, edges, lambda edge: False)
        self._equalities: dict[tuple[Term, Term], Term] = {}
        self._evaluated: dict[tuple[Term, frozenset[tuple[Term, Term]]], Term] = {}
        self._live = backward(edges, rank, self._live_before)
        self._at: dict[Location, Environment] = {initial: Environment({}, 0)}
        self._propagate(initial, rank)

    def walk(self) -> Iterator[tuple[Edge, Environment, Folded | Infeasible]]:
        """Every edge whose source is reached, with what is known there, chain by chain."""
        for head, environment in self._at.items():
            for chain in self._chains.get(head, ()):
                yield from self._along(chain, environment)

    def facts(self, wanted: Mapping[Location, int]) -> dict[Location, Term]:
        """For each reached location, what is known of the ``wanted`` variables there, as a formula."""
        found = {head: self._formula(environment, wanted.get(head, 0)) for head, environment in self._at.items()}
        for head, environment in self._at.items():
            for chain in self._chains.get(head, ()):
                for edge, before, _ in self._along(chain, environment):
                    if edge.source is not head:
                        found[edge.source] = self._formula(before, wanted.get(edge.source, 0))
        return found

    def _formula(self, environment: Environment, wanted: int) -> Term:
        known = environment.bits & wanted
        if not known:
            return self._terms.true
        return self._terms.conjunction(
            self._equality(variable, environment.values[variable]) for variable in self._numbering.members(known)
        )

    def _equality(self, variable: Term, value: Term) -> Term:
        known = self._equalities.get((variable, value))
        if known is None:
            known = self._equalities[variable, value] = self._terms.eq(variable, value)
        return known

    def _live_before(self, edge: Edge, after: int) -> int:
        numbering = self._numbering
        live = after & ~numbering.bits(written(edge.operation)) | operands(numbering, edge.operation)
        for check in edge.checks:
            live |= numbering.read(check.condition)
        return live

    def _propagate(self, initial: Location, rank: Mapping[Location, int]) -> None:
        waiting = Worklist(rank, (initial,))
        while waiting:
            head = waiting.pop()
            environment = self._at[head]
            for chain in self._chains.get(head, ()):
                after = environment
                for edge in chain.edges:
                    outcome = self._fold(edge, after)
                    if isinstance(outcome, Infeasible):
                        break
                    after = self._after(outcome.operation, after, edge)
                else:
                    if self._join(chain.target, after):
                        waiting.push(chain.target)

    def _along(self, chain: Chain, environment: Environment) -> Iterator[tuple[Edge, Environment, Folded | Infeasible]]:
        for edge in chain.edges:
            outcome = self._fold(edge, environment)
            yield edge, environment, outcome
            if isinstance(outcome, Infeasible):
                return
            environment = self._after(outcome.operation, environment, edge)

    def _join(self, location: Location, new: Environment) -> bool:
        """Let ``new`` arrive; whether this is news at ``location``."""
        old = self._at.get(location)
        if old is None:
            self._at[location] = self._without(new, new.bits & ~self._live.get(location, 0))
            return True
        lost = old.bits & ~new.bits
        for variable in self._numbering.members(old.bits & new.bits):
            if old.values[variable] is not new.values[variable]:
                lost |= self._numbering.bit(variable)
        if lost:
            self._at[location] = self._without(old, lost)
        return bool(lost)

    def _without(self, environment: Environment, lost: int) -> Environment:
        if not lost:
            return environment
        rest = environment.bits & ~lost
        return Environment({v: environment.values[v] for v in self._numbering.members(rest)}, rest)

    def _fold(self, edge: Edge, environment: Environment) -> Folded | Infeasible:
        checks = []
        for check in edge.checks:
            condition = self._evaluate(check.condition, environment)
            if condition is self._terms.false and self._reading.excludes(check):
                return Infeasible(check.condition)
            if condition is not self._terms.true:
                same = condition is check.condition
                checks.append(check if same else replace(check, condition=condition))
        operation = edge.operation
        match operation:
            case Assume(condition):
                value = self._evaluate(condition, environment)
                if value is self._terms.false:
                    return Infeasible(condition)
                if value is not condition:
                    operation = Assume(value)
            case Assign(variable, old):
                value = self._evaluate(old, environment)
                if value is not old:
                    operation = Assign(variable, value)
            case Relation(formula, primed):
                new = frozenset(name for _, name in primed)
                value = self._evaluate(formula, environment, new)
                if value is self._terms.false:
                    return Infeasible(formula)
                if value is not formula:
                    operation = Relation(value, primed)
        return Folded(operation, tuple(checks))

    def _evaluate(
        self, term: Term, environment: Environment, bound: Collection[Term] = (), deep: int = _DEEPEST
    ) -> Term:
        """Kept by the values of its variables: an edge is looked at in every round, and by all who ask afterwards; most
        edges ask for what others ask, too, in parts, or for the opposite."""
        if term.op == "not":
            return self._terms.not_(self._evaluate(term.args[0], environment, bound, deep))
        known = environment.values
        mapping = {v: known[v] for v in variables(term) if v in known and v not in bound}
        if not mapping:
            return term
        if deep and (term.op == "and" or term.op == "or"):
            decides = self._terms.boolean(term.op == "or")
            parts = []
            for part in term.args:
                own = self._evaluate(part, environment, bound, deep - 1)
                if own is decides:
                    return own
                parts.append(own)
            return self._terms.disjunction(parts) if term.op == "or" else self._terms.conjunction(parts)
        key = (term, frozenset(mapping.items()))
        value = self._evaluated.get(key)
        if value is None:
            value = self._evaluated[key] = substitute(self._terms, term, mapping)
        return value

    def _changes(self, operation: Operation) -> list[tuple[Term, Term | None]]:
        """Variables with their new known values, or None where the operation makes them unknown."""
        match operation:
            case Assign(variable, value):
                return [(variable, value if value.is_const else None)]
            case Havoc(variable):
                return [(variable, None)]
            case Assume(condition):
                return [equation for part in conjuncts(condition) if (equation := self._equation(part))]
        effect = effect_of(self._terms, operation)
        changes: list[tuple[Term, Term | None]] = []
        for guard in effect.guards:
            equation = self._equation(guard)
            if equation is not None:
                changes.append(equation)
        # New values come last: a guard speaks about the value that they overwrite.
        changes += [(variable, None) for variable in (*effect.havocs, *effect.tied)]
        changes += [(variable, value if value.is_const else None) for variable, value in effect.definitions]
        return changes

    def _after(self, operation: Operation, environment: Environment, edge: Edge) -> Environment:
        values: dict[Term, Term] | None = None
        bits = environment.bits
        for variable, new in self._changes(operation):
            if variable in self._opaque:
                continue
            if (environment.values if values is None else values).get(variable) is not new:
                if values is None:
                    values = dict(environment.values)
                if new is None:
                    del values[variable]
                    bits &= ~self._numbering.bit(variable)
                else:
                    values[variable] = new
                    bits |= self._numbering.bit(variable)
        if values is None:
            return environment
        return self._without(Environment(values, bits), bits & ~self._live.get(edge.target, 0))

    def _equation(self, guard: Term) -> tuple[Term, Term] | None:
        """``guard`` as (variable, its only possible value), if it is that."""
        if guard.op == "=":
            left, right = guard.args
            if right.is_var:
                left, right = right, left
            return (left, right) if left.is_var and right.is_const else None
        if guard.is_var:
            return guard, self._terms.true
        if guard.op == "not" and guard.args[0].is_var and guard.args[0].sort is BOOL:
            return guard.args[0], self._terms.false
        return None


def operands(numbering: Numbering, operation: Operation) -> int:
    """The variables whose old values an operation looks at, as bits."""
    match operation:
        case Assume(condition):
            return numbering.read(condition)
        case Assign(_, value):
            return numbering.read(value)
        case Relation():
            return numbering.bits(sorted(read(operation), key=lambda v: v.id))
    return 0
