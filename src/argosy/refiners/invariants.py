"""Path invariants: refine by what holds in all unwindings of the loops of a counterexample.

Interpolants of one path explain why that path is impossible, and may need another explanation for each unwinding.
When a counterexample goes round a loop, its *path program* (Beyer, Henzinger, Majumdar, Rybalchenko: Path invariants,
PLDI 2007) consists of its locations and blocks, with the loops they form. Its Horn clauses, one relation per location,
are given to Spacer; an interpretation of the relations is an inductive invariant of the path program, and its atoms
exclude the counterexample with all its unwindings. Without an answer in time the sequence interpolants are next.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.domains.blocks import AbstractionPoint, BlockAnalysis
from argosy.domains.precision import Precision
from argosy.logic.interpolation import Clause, Horn, Interpolation
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Location
from argosy.models.liveness import live_variables
from argosy.protocols import Refined
from argosy.reached import Node
from argosy.refiners.splitting import Split


class PathInvariants:
    """Asks once for each path program; ``time_limit`` is in seconds for each."""

    def __init__(self, analysis: BlockAnalysis, interpolation: Interpolation, split: Split, time_limit: float) -> None:
        self._analysis = analysis
        self._interpolation = interpolation
        self._split = split
        self._time_limit = time_limit
        self._live = live_variables(analysis.cfa)
        self._asked: set[frozenset[tuple[Location, Term, Location]]] = set()

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Refined[Precision] | None:
        """None where the counterexample goes round no loop, no invariant is found or it is tracked already."""
        inner = points[:-1]
        if len({point.location for point in inner}) == len(inner):
            return None
        blocks = {
            (a.location, b.block.formula, b.location): b for a, b in zip(points, points[1:], strict=False) if b.block
        }
        if frozenset(blocks) in self._asked:
            return None
        self._asked.add(frozenset(blocks))
        invariants = self._solve(points, blocks)
        if invariants is None:
            return None
        larger = precision.join(
            (location, self._split(invariant)) for location, invariant in invariants.items() if not invariant.is_const
        )
        if larger is precision:
            return None
        first = next(p for p in inner if larger.at(p.location) != precision.at(p.location))
        return Refined(larger, (node_of(target, first),))

    def _solve(
        self, points: Sequence[AbstractionPoint], blocks: dict[tuple[Location, Term, Location], AbstractionPoint]
    ) -> dict[Location, Term] | None:
        paths = self._analysis.paths
        occurring = {paths.plain(v)[0] for _, formula, _ in blocks for v in variables(formula)}
        locations = list(dict.fromkeys(point.location for point in points[1:-1]))
        number = {location: i for i, location in enumerate(locations)}
        relations = tuple(
            tuple(sorted((v for v in self._live[location] if v in occurring), key=lambda v: v.id))
            for location in locations
        )
        clauses = []
        for (source, formula, goal), point in blocks.items():
            head = number.get(goal) if goal is not self._analysis.cfa.error else None
            arguments = None
            if head is not None:
                assert point.block is not None
                indices = point.block.indices
                arguments = tuple(paths.indexed(v, indices.get(v, 0)) for v in relations[head])
            clauses.append(Clause(number.get(source), formula, head, arguments))
        found = self._interpolation.horn(Horn(relations, tuple(clauses)), self._time_limit)
        return None if found is None else dict(zip(locations, found, strict=True))


def node_of(target: Node, point: AbstractionPoint) -> Node:
    """The node on the way to ``target`` at which a block ended in ``point``."""
    return next(n for n in target.ancestry() if n.state.is_abstraction and n.state.abstraction is point)
