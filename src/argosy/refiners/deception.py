"""Which path through the blocks of an infeasible counterexample does the abstraction allow?

A block stands for many paths, and an interpolation problem in which every block is a large case distinction is hard.
One path is a conjunction, and its interpolants are easy; but a path that the tracked predicates exclude already
teaches nothing. So the path is chosen backwards, from the error: a model of the last block that starts in the abstract
state before it, then a model of the block before that which ends in the same valuation of the predicates, and so on.
Under a boolean abstraction there always is one: the abstract state before a block holds exactly the valuations that
some state of the one before leads to ([ABE], section II.C). Each step of the path is then possible for the
predicates, and the path is not possible, so what explains it is new.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.domains.blocks import AbstractionPoint
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.logic.bdd import Regions
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Edge


class Deception:
    """Finds such a path: for each block its edges."""

    def __init__(self, terms: Terms, paths: Paths, regions: Regions, solver: Solver) -> None:
        self._terms = terms
        self._paths = paths
        self._regions = regions
        self._solver = solver

    def path(
        self, points: Sequence[AbstractionPoint], precision: Precision, strict: bool = False
    ) -> list[list[Edge]] | None:
        """None where the solver gives up, or where ``strict`` and the states are older than the predicates, which may
        exclude the path that was begun."""
        pieces: list[list[Edge]] = []
        goal: Mapping[Term, bool] = {}
        for before, point in zip(reversed(points[:-1]), reversed(points[1:]), strict=True):
            found = self._step(before, point, goal, precision.at(before.location), strict)
            if found is None:
                return None
            edges, goal = found
            pieces.append(edges)
        pieces.reverse()
        return pieces

    def _step(
        self,
        before: AbstractionPoint,
        point: AbstractionPoint,
        goal: Mapping[Term, bool],
        predicates: Sequence[Term],
        strict: bool,
    ) -> tuple[list[Edge], Mapping[Term, bool]] | None:
        block, solver = point.block, self._solver
        assert block is not None
        solver.push()
        try:
            solver.add(self._regions.to_term(before.region))
            for part in conjuncts(block.formula):
                solver.add(part)
            # Predicates that are newer than the state may ask too much; those that it consists of never do.
            support = set(self._regions.support(point.region))
            for wanted in (goal,) if strict else (goal, {p: v for p, v in goal.items() if p in support}):
                literals = []
                for predicate, value in wanted.items():
                    instance = self._paths.instantiate(predicate, block.indices)
                    literals.append(instance if value else self._terms.not_(instance))
                if solver.check(literals) is Satisfiability.SAT:
                    break
            else:
                return None
            model = self._paths.valuation(solver.value)
            return self._paths.path(block, {}, model), {p: bool(model(p)) for p in predicates}
        finally:
            solver.pop()
