"""An analysis that believes what it is told: at each location one formula, which the precision has.

At first nothing is known, and the error is reached along any path of the graph. The refiner then asks for an
interpretation of all locations at once (``refiners.clauses``); where its formula is false, nothing is. Whether the
formulas are inductive is not the question here: they are what the proof claims, and the certificate is made of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from argosy.basics.records import dataclass, field
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.contracts import Contract


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A formula for each location; where there is none, anything may hold. ``contracts`` are those of the functions,
    where these are not copied."""

    formulas: Mapping[Location, Term] = field(default_factory=dict)
    contracts: Mapping[str, Contract] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.formulas)


@dataclass(frozen=True, slots=True)
class InterpretedState:
    location: Location
    formula: Term

    def __str__(self) -> str:
        return f"{self.location}: {self.formula}"


class Interpreted:
    """One state for each location that the interpretation leaves possible."""

    def __init__(self, cfa: Cfa) -> None:
        self.cfa = cfa
        self._terms: Terms = cfa.terms

    def initial(self, precision: Interpretation) -> Iterable[InterpretedState]:
        yield self._state(self.cfa.initial, precision)

    def _state(self, location: Location, precision: Interpretation) -> InterpretedState:
        return InterpretedState(location, precision.formulas.get(location, self._terms.true))

    def successors(self, state: InterpretedState, precision: Interpretation) -> Iterable[tuple[Edge, InterpretedState]]:
        for edge in self.cfa.leaving[state.location]:
            yield edge, self._state(edge.target, precision)

    def adjust(self, state: InterpretedState, precision: Interpretation) -> InterpretedState | None:
        return None if state.formula is self._terms.false else state

    def claim(self, state: InterpretedState) -> tuple[Location, Term | None]:
        """Where anything may hold nothing is claimed: what a loop leaves alone is the same behind it, unless a claim
        that says nothing stands in between."""
        return state.location, None if state.formula is self._terms.true else state.formula

    def merges(self, state: InterpretedState) -> bool:
        return False

    def merge(self, new: InterpretedState, old: InterpretedState) -> InterpretedState:
        return old

    def covers(self, old: InterpretedState, new: InterpretedState) -> bool:
        return old == new

    def partition(self, state: InterpretedState) -> Hashable:
        return state.location

    def shelters(self, state: InterpretedState) -> Iterable[Hashable]:
        return (state.location,)

    def is_target(self, state: InterpretedState) -> bool:
        return state.location is self.cfa.error
