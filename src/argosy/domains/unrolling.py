"""Bounded model checking as an analysis: path formulas only, no abstraction (paper 004, section IV.C).

A state is a location, the number of loop heads passed so far, and the path formula of *all* paths that get there with
that many. The precision is the bound on that number. A state beyond the bound is a target like the error location:
the refiner raises the bound and the exploration goes on from there, so that bounded model checking with a growing
bound is the one loop with nothing pruned but the cut states. When no cut state is feasible any more, the unwinding is
complete and the program is safe.

Formulas stay small: where paths were merged, the disjunction gets a name (a boolean variable that implies it), and the
solver is told once. Law: the name is true in a model only if the model takes a path that the formula describes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import count

from argosy.domains.paths import PathFormula, Paths
from argosy.logic.solver import Answer, Solver
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Cfa, Edge, Location


@dataclass(frozen=True, slots=True)
class Bound:
    """How many loop heads a path may pass. Where it is ``proven`` that no error lies beyond, nothing there is of
    interest."""

    heads: int
    proven: bool = False

    def __len__(self) -> int:
        return self.heads


@dataclass(frozen=True, slots=True, eq=False)
class UnrolledState:
    """``passed`` counts the loop heads on the way, this location included; ``cut`` marks a state beyond the bound."""

    location: Location
    passed: int
    path: PathFormula
    cut: bool = False

    def __str__(self) -> str:
        return f"{self.location} after {self.passed}"


class Unrolling:
    """``start`` and ``assumed`` make it start elsewhere than at the program's entry: at any state that satisfies
    ``assumed``. Error states are looked at only after more than ``quiet`` loop heads."""

    def __init__(
        self,
        cfa: Cfa,
        terms: Terms,
        paths: Paths,
        solver: Solver,
        start: Location | None = None,
        assumed: Term | None = None,
        quiet: int = -1,
    ) -> None:
        self.cfa = cfa
        self._terms = terms
        self.paths = paths
        self._solver = solver
        self._start = start or cfa.initial
        self._assumed = assumed
        self._quiet = quiet
        self._names = count()
        self._sealed: dict[PathFormula, PathFormula] = {}
        self._feasible: dict[Term, bool] = {}

    def initial(self, bound: Bound) -> Iterable[UnrolledState]:
        if self._assumed is not None:
            self._solver.add(self._assumed)
        yield UnrolledState(self._start, 0, self.paths.empty)

    def successors(self, state: UnrolledState, bound: Bound) -> Iterable[tuple[Edge, UnrolledState]]:
        path = self._seal(state.path)
        for edge in self.cfa.leaving[state.location]:
            after = self.paths.extend(path, edge)
            if after.formula is not self._terms.false:
                passed = state.passed + (edge.target in self.cfa.loop_heads)
                yield edge, UnrolledState(edge.target, passed, after)

    def _seal(self, path: PathFormula) -> PathFormula:
        """The same paths under a short formula."""
        if len(conjuncts(path.formula)) < 4 and path.formula.op != "or":
            return path
        sealed = self._sealed.get(path)
        if sealed is None:
            name = self._terms.var(f"path!{next(self._names)}", BOOL)
            for part in conjuncts(path.formula):
                self._solver.add(self._terms.implies(name, part))
            # One edge can be needed for a name to stand for: the record of how the formula was made is kept.
            sealed = self._sealed[path] = PathFormula(name, path.indices, path.length, path.made_of)
        return sealed

    def adjust(self, state: UnrolledState, bound: Bound) -> UnrolledState | None:
        if state.location is self.cfa.error:
            return state if state.passed > self._quiet and self.feasible(state.path) else None
        if state.passed > bound.heads:
            if bound.proven:
                return None
            cut = UnrolledState(state.location, state.passed, state.path, cut=True)
            return cut if self.feasible(state.path) else None
        return state

    def feasible(self, path: PathFormula) -> bool:
        known = self._feasible.get(path.formula)
        if known is None:
            known = self._solver.check(conjuncts(path.formula)) is not Answer.UNSAT
            self._feasible[path.formula] = known
        return known

    def merges(self, state: UnrolledState) -> bool:
        return not self.is_target(state)

    def merge(self, new: UnrolledState, old: UnrolledState) -> UnrolledState:
        if old.cut or self.covers(old, new):
            return old
        return UnrolledState(old.location, old.passed, self.paths.merge(old.path, new.path))

    def covers(self, old: UnrolledState, new: UnrolledState) -> bool:
        return old.path.includes(new.path)

    def partition(self, state: UnrolledState) -> Hashable:
        return state.location, state.passed

    def shelters(self, state: UnrolledState) -> Iterable[Hashable]:
        return (self.partition(state),)

    def is_target(self, state: UnrolledState) -> bool:
        return state.cut or state.location is self.cfa.error
