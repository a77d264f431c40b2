"""Programs whose calls are not copied: functions that meet in contracts.

The automaton of ``Procedures`` begins with a choice: the program starts, or some function of a cycle of calls does,
from any state in which its precondition holds. Where it calls such a function, that one's precondition has to hold, or
else the error is entered; what the callee may write is then anything that its postcondition allows, and the variables
of the caller's own call are what they were. Where a function ends, its postcondition has to hold of what was there
when it began (kept in variables of its own) and of what is there now, or else the error is entered. The conditions
themselves are *holes*: truth values that stand for a condition of some arguments. A solver of Horn clauses takes them
for applications of predicates (``models.program_clauses``); ``relative_to`` fills them with formulas.

Law: if the automaton relative to some contracts, whatever they are, does not reach its error, the program does not.
(Take the first moment at which an execution reaches the error, calls a function outside its precondition or leaves one
outside its postcondition. Until then the contracts held, so the call that is active then began inside its precondition
and all its callees ended inside their postconditions: the automaton has this call, and its end is the error. This is
Hoare's rule for recursive procedures, "Procedures and parameters", 1971.)
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, replace
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute
from argosy.models.cfa import Assume, Cfa, Edge, Location, Operation, Relation, read
from argosy.models.integers import integers


@dataclass(frozen=True, slots=True)
class Signature:
    """What the contract of a function is about: ``given`` has what a call may read, each with the variable that keeps
    its value from the beginning of the call; ``left`` has what it may change, the ``result`` included."""

    function: str
    given: tuple[tuple[Term, Term], ...]
    left: tuple[Term, ...]
    result: tuple[Term, ...] = ()
    position: Position = NOWHERE

    @property
    def required(self) -> tuple[Term, ...]:
        """What a precondition may mention."""
        return tuple(variable for variable, _ in self.given)

    @property
    def ensured(self) -> tuple[Term, ...]:
        """What a postcondition may mention."""
        return (*(kept for _, kept in self.given), *self.left)


@dataclass(frozen=True, slots=True)
class Contract:
    """``requires`` is about the values when a call begins, ``ensures`` about those and the values when it ends."""

    requires: Term
    ensures: Term


@dataclass(frozen=True, slots=True)
class Hole:
    """The pre- or (``ends``) postcondition of a function, of these variables."""

    function: str
    ends: bool
    arguments: tuple[Term, ...]


@dataclass(frozen=True)
class Procedures:
    """``cfa`` has the holes among the truth values of its conditions; every edge from its initial location begins the
    program or a function."""

    cfa: Cfa
    holes: Mapping[Term, Hole]
    signatures: Mapping[str, Signature]

    def formals(self, function: str, ends: bool) -> tuple[Term, ...]:
        signature = self.signatures[function]
        return signature.ensured if ends else signature.required

    def relative_to(self, contracts: Mapping[str, Contract]) -> Cfa:
        """The automaton with the contracts in place of the holes; a function without one may be called anywhere, and
        nothing is known of what it leaves."""
        terms = self.cfa.terms
        filled: dict[Term, Term] = {}
        for hole, what in self.holes.items():
            contract = contracts.get(what.function)
            if contract is None:
                filled[hole] = terms.true
            else:
                formula = contract.ensures if what.ends else contract.requires
                formals = self.formals(what.function, what.ends)
                filled[hole] = substitute(terms, formula, dict(zip(formals, what.arguments, strict=True)))
        return replace(self.cfa, edges=tuple(_filled(terms, edge, filled) for edge in self.cfa.edges))

    def beginnings(self) -> Mapping[Location, str]:
        """Where the program ("") or a function begins, its precondition being checked."""
        found = {}
        for edge in self.cfa.leaving[self.cfa.initial]:
            functions = [self.holes[v].function for v in read(edge.operation) if v in self.holes]
            found[edge.target] = functions[0] if functions else ""
        return found

    def on_integers(self) -> Procedures:
        """The same on mathematical integers (``models.integers``)."""
        terms = self.cfa.terms

        def number(variable: Term) -> Term:
            return terms.var(variable.name, INT) if variable.sort.is_bits else variable

        def numbers(some: tuple[Term, ...]) -> tuple[Term, ...]:
            return tuple(map(number, some))

        return Procedures(
            integers(self.cfa).cfa,
            {hole: replace(what, arguments=numbers(what.arguments)) for hole, what in self.holes.items()},
            {
                name: replace(
                    signature,
                    given=tuple((number(variable), number(kept)) for variable, kept in signature.given),
                    left=numbers(signature.left),
                    result=numbers(signature.result),
                )
                for name, signature in self.signatures.items()
            },
        )


def _filled(terms: Terms, edge: Edge, filled: Mapping[Term, Term]) -> Edge:
    """Holes are in conditions and relations only."""
    if filled.keys().isdisjoint(read(edge.operation)):
        return edge
    operation: Operation
    match edge.operation:
        case Assume(condition):
            operation = Assume(substitute(terms, condition, filled))
        case Relation(formula, primed):
            operation = Relation(substitute(terms, formula, filled), primed)
        case _:
            raise ValueError("a hole outside a condition")
    return replace(edge, operation=operation)
