"""Adjustable-block encoding: predicate abstraction of blocks of any size ([ABE], section III).

A state is (l, psi, l_psi, phi): the location, the abstraction formula computed at the start of the block and its
location, and the path formula since then. ``successors`` only extends phi; ``adjust`` asks the block operator
whether the block ends here, and if so replaces psi by the abstraction of SP(psi and phi) and phi by true. States
inside a block with the same location and the same abstraction are merged by disjunction of their path formulas;
abstraction states are never merged, so that they form a tree (``AbstractionPoint.before`` is the parent).

Single-block encoding is the operator that ends every block after one edge.

A block may pass over loop heads. Merging a state with one that it stems from outdates all between them. For a loop
without joins that the block enters at one place, the paper's merge unwinds it (Figure 4). Elsewhere they would outdate
each other again and again: there those are merged that went round equally often (``rounds``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import count

from argosy.basics.records import dataclass
from argosy.domains.paths import PathFormula, Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.logic.bdd import Region, RegionsFull
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Edge, Location


@dataclass(frozen=True, slots=True, eq=False)
class AbstractionPoint:
    """Where a block ended: the abstraction there, the block that led to it and the point at which that started."""

    location: Location
    region: Region
    block: PathFormula | None
    before: AbstractionPoint | None
    serial: int

    def chain(self) -> list[AbstractionPoint]:
        """The points from the initial one to this one."""
        points = [self]
        while points[-1].before is not None:
            points.append(points[-1].before)
        points.reverse()
        return points


@dataclass(frozen=True, slots=True, eq=False)
class BlockState:
    """``path`` is empty exactly at abstraction states, whose ``abstraction.location`` is ``location``. ``rounds`` says
    how often it went round loops whose unwindings are kept apart."""

    location: Location
    abstraction: AbstractionPoint
    path: PathFormula
    rounds: int = 0

    @property
    def is_abstraction(self) -> bool:
        return self.path.length == 0

    def __str__(self) -> str:
        return f"{self.location}: {self.abstraction.region}"


BlockOperator = Callable[[Location, PathFormula], bool]
"""blk: does a block end at this location with this path formula?"""


class BlockAnalysis:
    """The analysis of one automaton under one block operator."""

    def __init__(self, cfa: Cfa, terms: Terms, paths: Paths, abstraction: PredicateAbstraction, block: BlockOperator):
        self.cfa = cfa
        self._terms = terms
        self.paths = paths
        self.abstraction = abstraction
        self._block = block
        self._regions = abstraction.regions
        self._serials = count()

    def initial(self, precision: Precision) -> Iterable[BlockState]:
        start = AbstractionPoint(self.cfa.initial, self._regions.true, None, None, next(self._serials))
        yield BlockState(self.cfa.initial, start, self.paths.empty)

    def successors(self, state: BlockState, precision: Precision) -> Iterable[tuple[Edge, BlockState]]:
        for edge in self.cfa.leaving[state.location]:
            path = self.paths.extend(state.path, edge)
            if path.formula is not self._terms.false:
                rounds = state.rounds + self._kept_apart(edge, state.abstraction.location)
                yield edge, BlockState(edge.target, state.abstraction, path, rounds)

    def _kept_apart(self, edge: Edge, start: Location) -> bool:
        """Does the edge go round a loop whose unwindings are not merged in a block that starts at ``start``?"""
        order, head = self.cfa.order, edge.target
        if order[head] > order[edge.source]:
            return False
        if head not in self.cfa.plain_loops:
            return True
        loop = range(order[head], self.cfa.loop_ends[head] + 1)
        if start is head:
            return len({e.target for e in self.cfa.leaving[head] if order[e.target] in loop}) > 1
        return order[start] in loop

    def adjust(self, state: BlockState, precision: Precision) -> BlockState | None:
        location, start, path = state.location, state.abstraction, state.path
        if location is self.cfa.error:
            # The error location asks for no predicate, only whether it is reached: no abstraction is computed.
            region = self._regions.true if self.abstraction.feasible(start.region, path) else None
        elif self._block(location, path):
            region = self.abstraction.abstract(start.region, path, precision.at(location))
        else:
            return state
        if region is None:
            return None
        point = AbstractionPoint(location, region, path, start, next(self._serials))
        return BlockState(location, point, self.paths.empty)

    def merges(self, state: BlockState) -> bool:
        return not state.is_abstraction

    def merge(self, new: BlockState, old: BlockState) -> BlockState:
        if old.is_abstraction or self.partition(new) != self.partition(old) or self.covers(old, new):
            return old
        return BlockState(old.location, old.abstraction, self.paths.merge(old.path, new.path), old.rounds)

    def covers(self, old: BlockState, new: BlockState) -> bool:
        """A syntactic check inside a block, an implication between abstraction states."""
        if old.is_abstraction and new.is_abstraction:
            return new.abstraction.region <= old.abstraction.region
        return old.abstraction is new.abstraction and old.path.includes(new.path)

    def partition(self, state: BlockState) -> Hashable:
        return state.location if state.is_abstraction else (state.location, state.abstraction, state.rounds)

    def shelters(self, state: BlockState) -> Iterable[Hashable]:
        return (self.partition(state),)

    def is_target(self, state: BlockState) -> bool:
        return state.location is self.cfa.error

    def claim(self, state: BlockState) -> tuple[Location, Term | None]:
        """What an abstraction state says of the concrete states it stands for; inside a block nothing."""
        return state.location, self._regions.to_term(state.abstraction.region) if state.is_abstraction else None

    @property
    def abstractions(self) -> int:
        return self.abstraction.counters.computed

    def unite(self, states: Iterable[BlockState]) -> Iterable[BlockState]:
        """As few states that stand for the same concrete ones: one for each location, whose region is the union; all
        of them where the union is too large."""
        ends: dict[Location, list[BlockState]] = {}
        for state in states:
            if state.is_abstraction:
                ends.setdefault(state.location, []).append(state)
            else:
                yield state
        for location, found in ends.items():
            try:
                region = self._regions.union(state.abstraction.region for state in found)
            except RegionsFull:
                yield from found
            else:
                point = AbstractionPoint(location, region, None, None, next(self._serials))
                yield BlockState(location, point, self.paths.empty)
