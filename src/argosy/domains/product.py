"""The product of two analyses: a state is a pair, and the second component is told what the first one knows.

A combinator over the contract (the composite analysis of Beyer, Henzinger, Théoduloz: *Configurable software
verification*, CAV 2007): whatever one analysis explores, the other follows, edge by edge, strengthened by what the
first says about the variables that matter to it. Neither knows which analysis the other one is.

[Theta] has explicit values and predicates side by side, and a program that needs both (a scheduler that is driven by
modes, and passes on a number that nobody knows) is out of reach of either. Their product takes values as far as they
go, without a solver, and relations (``literals``) where they do not.

Law: Conc of a pair is what both components stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from itertools import product
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from argosy.domains.precision import Precision
from argosy.engine.protocols import Abstracting, Analysis, Claiming, Diverging, Sheltering
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location

S = TypeVar("S", bound=Hashable)
T = TypeVar("T", bound=Hashable)

Told = Callable[[frozenset[Term]], Term]
"""What is known besides of these variables: a formula over them that holds before a step."""


class Leading(Analysis[S, Edge, Precision], Claiming[S], Protocol):
    """A first component: it can be asked about some variables only."""

    cfa: Cfa

    def about(self, state: S, mentioned: frozenset[Term]) -> Term:
        """Law: holds in all of Conc(state), and speaks about no other variables."""
        ...


class Following(Analysis[T, Edge, Precision], Claiming[T], Protocol):
    """A second component: it takes one step at a time, knowing more than its own state says."""

    def follow(self, state: T, edge: Edge, precision: Precision, told: Told) -> Iterable[T]:
        """Law: a concrete step along ``edge`` from a state in Conc(state) of which ``told`` is true ends in Conc(t) of
        some t."""
        ...


class ProductState(NamedTuple):
    one: Any
    other: Any

    @property
    def location(self) -> Location:
        return self.one.location  # type: ignore[no-any-return]


class ProductAnalysis(Generic[S, T]):
    """``other`` follows ``one``. Abilities are those that the components have."""

    def __init__(self, one: Leading[S], other: Following[T]) -> None:
        self.one = one
        self.other = other
        self.cfa = one.cfa
        self._sheltered_by_one = _sheltered(one)
        self._sheltered_by_other = _sheltered(other)

    def initial(self, precision: Precision) -> Iterable[ProductState]:
        return (ProductState(*pair) for pair in product(self.one.initial(precision), self.other.initial(precision)))

    def successors(self, state: ProductState, precision: Precision) -> Iterable[tuple[Edge, ProductState]]:
        one, other = state
        told = partial(self.one.about, one)
        for edge, first in self.one.successors(one, precision):
            for second in self.other.follow(other, edge, precision, told):
                yield edge, ProductState(first, second)

    def adjust(self, state: ProductState, precision: Precision) -> ProductState | None:
        one, other = self.one.adjust(state.one, precision), self.other.adjust(state.other, precision)
        if one is None or other is None:
            return None
        return state if one is state.one and other is state.other else ProductState(one, other)

    def merges(self, state: ProductState) -> bool:
        return self.one.merges(state.one) or self.other.merges(state.other)

    def merge(self, new: ProductState, old: ProductState) -> ProductState:
        """Both components, or neither: a pair of which one is merged is not above both, but where the other one of the
        old pair is above that of the new one already."""
        one = self.one.merge(new.one, old.one) if self.one.merges(old.one) else old.one
        other = self.other.merge(new.other, old.other) if self.other.merges(old.other) else old.other
        merged = ProductState(one, other)
        return merged if (one is not old.one or other is not old.other) and self.covers(merged, new) else old

    def covers(self, old: ProductState, new: ProductState) -> bool:
        return self.one.covers(old.one, new.one) and self.other.covers(old.other, new.other)

    def partition(self, state: ProductState) -> Hashable:
        return self.one.partition(state.one), self.other.partition(state.other)

    def shelters(self, state: ProductState) -> Iterable[Hashable]:
        return product(self.one.shelters(state.one), self.other.shelters(state.other))

    def remember_states(self) -> None:
        for component in (self.one, self.other):
            if isinstance(component, Sheltering):
                component.remember_states()

    def sheltered(self, state: ProductState) -> Iterable[Hashable]:
        return product(self._sheltered_by_one(state.one), self._sheltered_by_other(state.other))

    def is_target(self, state: ProductState) -> bool:
        return self.one.is_target(state.one) and self.other.is_target(state.other)

    def claim(self, state: ProductState) -> tuple[Location, Term]:
        location, one = self.one.claim(state.one)
        _, other = self.other.claim(state.other)
        return location, self.cfa.terms.and_(one, other)

    def diverges(self, states: Iterable[ProductState]) -> bool:
        pairs = list(states)
        return (isinstance(self.one, Diverging) and self.one.diverges(pair.one for pair in pairs)) or (
            isinstance(self.other, Diverging) and self.other.diverges(pair.other for pair in pairs)
        )

    @property
    def abstractions(self) -> int:
        return sum(part.abstractions for part in (self.one, self.other) if isinstance(part, Abstracting))


def _sheltered(analysis: Analysis[Any, Any, Any]) -> Callable[[Any], Iterable[Hashable]]:
    """Where the states are filed that a component may cover. A pair that is covered may be equal in one of them."""
    if not isinstance(analysis, Sheltering):
        return analysis.shelters
    sheltered = analysis.sheltered
    return lambda state: (analysis.partition(state), *sheltered(state))
