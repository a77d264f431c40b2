"""Bounded model checking as an analysis: paths only, no abstraction ([ABE], section IV.C).

A state is a location, the number of loop heads passed so far, and *all* paths that get there with that many
(``domains.guarded``). The precision is the bound on that number. A state beyond the bound is a target like the error
location: the refiner raises the bound and the exploration goes on from there, so that bounded model checking with a
growing bound is the one loop with nothing pruned but the cut states. Whether a target is feasible is the refiner's
question, about all of them at once: what is not feasible is excluded, and a state that is excluded is bottom. When
every cut state is, the unwinding is complete and the program is safe.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping

from argosy.basics.records import dataclass, field
from argosy.domains.guarded import GuardedPath, GuardedPaths
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, variables
from argosy.models.cfa import Cfa, Edge, Location, Reading
from argosy.models.liveness import live_variables

SHALLOW = 6
"""After so many loop heads, shortcuts are not worth the formulas."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How many loop heads a path may pass. Where it is ``proven`` that no error lies beyond, nothing there is of
    interest; nor are errors after at most ``quiet`` loop heads. ``invariants`` at loop heads are what the
    proof used or, where there is none yet, may use."""

    heads: int
    proven: bool = False
    quiet: int = -1
    invariants: Mapping[Location, Term] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.heads


@dataclass(frozen=True, slots=True, eq=False)
class UnrolledState:
    """``passed`` counts the loop heads on the way, this location included; ``cut`` marks a state beyond the bound."""

    location: Location
    passed: int
    paths: tuple[GuardedPath, ...]
    cut: bool = False

    def __str__(self) -> str:
        return f"{self.location} after {self.passed}"


class Unrolling:
    """From the program's entry or, given a ``start``, from any state there. ``invariants`` are assumed at loop heads:
    formulas that hold whenever the program is there. ``shortcuts`` lead nowhere that other edges do not: they are taken
    as long as few loop heads were passed."""

    def __init__(
        self,
        cfa: Cfa,
        terms: Terms,
        solver: Solver,
        reading: Reading,
        start: Location | None = None,
        invariants: Mapping[Location, Term] | None = None,
        shortcuts: Collection[Edge] = (),
    ) -> None:
        self.cfa = cfa
        self._shortcuts = frozenset(shortcuts)
        self._terms = terms
        self._solver = solver
        self._ways = GuardedPaths(terms, reading, solver.add)
        self._start = start or cfa.initial
        self._live = live_variables(cfa)
        facts = invariants or {}
        self._invariants = {head: self._about_live(head, facts[head]) for head in cfa.loop_heads if head in facts}
        self._joined: dict[UnrolledState, GuardedPath | None] = {}
        self._excluded: set[tuple[GuardedPath, Edge] | None] = set()

    def _about_live(self, head: Location, fact: Term) -> Term:
        """The part of a fact that values are kept for."""
        return self._terms.conjunction(part for part in conjuncts(fact) if variables(part) <= self._live[head])

    def initial(self, bound: Bound) -> Iterable[UnrolledState]:
        yield UnrolledState(self._start, 0, (self._ways.start,))

    def successors(self, state: UnrolledState, bound: Bound) -> Iterable[tuple[Edge, UnrolledState]]:
        path = self._join(state)
        if path is None:
            return
        for edge in self.cfa.leaving[state.location]:
            if edge in self._shortcuts and state.passed > SHALLOW:
                continue
            after = self._ways.extend(path, edge)
            if after is not None:
                passed = state.passed + (edge.target in self.cfa.loop_heads)
                yield edge, UnrolledState(edge.target, passed, (after,))

    def _join(self, state: UnrolledState) -> GuardedPath | None:
        """All paths of the state as one; None where an invariant excludes them."""
        if state in self._joined:
            return self._joined[state]
        all_paths = self._ways.join(state.paths, self._live[state.location])
        joined: GuardedPath | None = all_paths
        if state.location in self.cfa.loop_heads:
            joined = self._ways.assume(all_paths, self._invariants.get(state.location, self._terms.true))
            joined = None if joined is None else self._ways.named(joined)
        self._joined[state] = joined
        return joined

    def adjust(self, state: UnrolledState, bound: Bound) -> UnrolledState | None:
        if state.location is self.cfa.error:
            return None if state.passed <= bound.quiet or self._is_excluded(state) else state
        if state.passed > bound.heads:
            beyond = UnrolledState(state.location, state.passed, state.paths, cut=True)
            return None if bound.proven or self._is_excluded(state) else beyond
        return state

    def _is_excluded(self, state: UnrolledState) -> bool:
        # A path is computed anew after a pruning; what it is made of stays the same.
        return all(path.step in self._excluded for path in state.paths)

    def exclude(self, states: Iterable[UnrolledState]) -> None:
        """These targets are not feasible."""
        self._excluded.update(path.step for state in states for path in state.paths)

    def feasible(self, states: Iterable[UnrolledState]) -> Satisfiability:
        """Is one of these targets feasible?"""
        return self._solver.check([self._terms.disjunction(path.guard for s in states for path in s.paths)])

    def certain(self, state: UnrolledState) -> bool:
        """Do all executions get there?"""
        return any(path.guard is self._terms.true for path in state.paths)

    def taken(self, state: UnrolledState) -> GuardedPath | None:
        """After ``feasible`` said yes: a path on which the solver's model gets to ``state``, if it does."""
        return next((path for path in state.paths if path.guard.is_const or self._solver.value(path.guard)), None)

    def trace(self, path: GuardedPath) -> tuple[Edge, ...]:
        """The edges that the solver's model goes along."""
        return tuple(self._ways.trace(path, self._solver.value))

    def merges(self, state: UnrolledState) -> bool:
        return not self.is_target(state)

    def merge(self, new: UnrolledState, old: UnrolledState) -> UnrolledState:
        if self.is_target(old) or self.covers(old, new):
            return old
        return UnrolledState(old.location, old.passed, (*old.paths, *new.paths))

    def covers(self, old: UnrolledState, new: UnrolledState) -> bool:
        return all(path in old.paths for path in new.paths)

    def partition(self, state: UnrolledState) -> Hashable:
        return state.location, state.passed

    def shelters(self, state: UnrolledState) -> Iterable[Hashable]:
        return (self.partition(state),)

    def is_target(self, state: UnrolledState) -> bool:
        return state.cut or state.location is self.cfa.error
