"""Bounded model checking and k-induction as refinement of a bound (paper 004, section IV.C; Sheeran, Singh and
Stålmarck, FMCAD 2000, for the induction).

Targets of ``domains.unrolling`` are feasible by construction: an error state is a counterexample, a state beyond the
bound asks for a larger one. With induction, a bound k at which no error is k loop heads away from *any* state at a
loop head proves the program: an error path with more than k loop heads would end in such a piece, and the shorter
ones have been excluded. The precision then says so, and the states beyond the bound are no targets any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from argosy import engine
from argosy.domains.paths import Paths
from argosy.domains.unrolling import Bound, Unrolling
from argosy.frontier import BestFirst
from argosy.logic.solver import Answer, Solver
from argosy.logic.solvers import Solvers
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Cfa, Reading
from argosy.protocols import Feasible, Frontier, Observer, Refined, Stuck
from argosy.reached import Node, Reached


def unrolling_order(cfa: Cfa) -> Frontier:
    """Few loop heads first, and among equals in weak topological order: branches meet before a join is expanded."""
    return BestFirst(lambda node: (node.state.passed, cfa.order.get(node.state.location, 0)))


@dataclass(frozen=True, slots=True)
class Induction:
    """The inductive step for one model."""

    cfa: Cfa
    solvers: Solvers
    reading: Reading
    arithmetic: str
    observer: Observer

    def holds(self, k: int) -> bool:
        """Is no error exactly ``k`` loop heads away from any state at any loop head?"""
        return all(self._quiet(head, k) for head in sorted(self.cfa.loop_heads, key=lambda l: l.index))

    def _quiet(self, head: object, k: int) -> bool:
        paths = Paths(self.cfa.terms, self.reading)
        solver = self.solvers.create("abstraction", self.arithmetic)  # type: ignore[arg-type]
        step = Unrolling(self.cfa, self.cfa.terms, paths, solver, start=head, quiet=k - 1)  # type: ignore[arg-type]
        reached = Reached(step.partition)
        frontier = unrolling_order(self.cfa)
        return not engine.explore(step, reached, frontier, Bound(k, proven=True), 1, self.observer)


class BoundRefiner:
    """Raises the bound; asks ``induction``, where there is one, whether that is needed."""

    def __init__(self, paths: Paths, solver: Solver, induction: Induction | None = None) -> None:
        self._paths = paths
        self._solver = solver
        self._induction = induction

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Bound) -> Feasible | Refined[Bound] | Stuck:
        errors = [node for node in targets if not node.state.cut]
        if errors:
            path = errors[0].state.path
            if self._solver.check(conjuncts(path.formula)) is not Answer.SAT:
                return Stuck("the solver does not know whether a counterexample is feasible")
            return Feasible(tuple(self._paths.path(path, {}, self._solver.value)))
        if self._induction is not None and self._induction.holds(precision.heads):
            return Refined(Bound(precision.heads, proven=True), tuple(targets))
        return Refined(Bound(precision.heads + 1), tuple(targets))
