"""Invariants: refine by what holds in all unwindings of the loops of a counterexample.

Interpolants of one path explain why that path is impossible, and may need another explanation for each unwinding.
When a counterexample goes round a loop, its *path program* (Beyer, Henzinger, Majumdar, Rybalchenko: Path invariants,
PLDI 2007) consists of its locations and blocks, with the loops they form. Its Horn clauses, one relation per location,
are given to Spacer; an interpretation of the relations is an inductive invariant of the path program, and its atoms
exclude the counterexample with all its unwindings. Without an answer in time the sequence interpolants are next.

Before that, and once, the loops of the whole program are executed and invariants guessed (``heuristics.discovery``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from argosy.domains.blocks import AbstractionPoint, BlockAnalysis
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined
from argosy.engine.reached import Node
from argosy.invariants.discovery import Discovery
from argosy.logic.interpolation import Clause, Horn, Interpolation
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Location
from argosy.models.liveness import live_variables
from argosy.refiners.splitting import Split, positive


class LoopInvariants:
    """Asks for the invariants of all loops when a counterexample first goes round one of them. ``known`` are those
    found; each is one predicate, so that an abstraction has them all or says which it has lost."""

    def __init__(self, discover: Callable[[], Discovery]) -> None:
        self._discover = discover
        self._asked = False
        self.known: Mapping[Location, tuple[Term, ...]] = {}

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Feasible | Refined[Precision] | None:
        """None where nothing new is found; Feasible where the error was met on the way."""
        if self._asked or not goes_round(points):
            return None
        self._asked = True
        found = self._discover()
        if found.path:
            return Feasible(found.path)
        self.known = found.invariants
        larger = precision.join((location, map(positive, own)) for location, own in found.invariants.items())
        return None if larger is precision else Refined(larger)


SHORTEST = 0.5


class PathInvariants:
    """Asks once for each path program. ``seconds`` are for the first; after each failure they are halved."""

    def __init__(
        self,
        analysis: BlockAnalysis,
        interpolation: Interpolation,
        split: Split,
        seconds: float,
        loops: LoopInvariants | None = None,
    ) -> None:
        self._analysis = analysis
        self._interpolation = interpolation
        self._split = split
        self._seconds = seconds
        self._live = live_variables(analysis.cfa)
        self._loops = loops
        self._asked: set[frozenset[tuple[Location, Term, Location]]] = set()

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Refined[Precision] | None:
        """None where the counterexample goes round no loop, no invariant is found or it is tracked already."""
        if not goes_round(points):
            return None
        inner = points[:-1]
        blocks = {(a.location, b.block.formula, b.location): b for a, b in pairwise(points) if b.block}
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
        known = self._loops.known if self._loops is not None else {}
        facts = {location: self._analysis.cfa.terms.conjunction(own) for location, own in known.items()}
        occurring = {paths.plain(v)[0] for _, formula, _ in blocks for v in variables(formula)}
        occurring.update(v for fact in facts.values() for v in variables(fact))
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
            if source in facts:
                formula = self._analysis.cfa.terms.and_(facts[source], formula)
            clauses.append(Clause(number.get(source), formula, head, arguments))
        found = self._interpolation.horn(Horn(relations, tuple(clauses)), self._seconds)
        if found is None:
            # Patience is spent on programs whose path programs have invariants that are found.
            self._seconds = max(SHORTEST, self._seconds / 2)
            return None
        return dict(zip(locations, found, strict=True))


def goes_round(points: Sequence[AbstractionPoint]) -> bool:
    """Whether a counterexample comes to one of its locations again."""
    inner = points[:-1]
    return len({point.location for point in inner}) < len(inner)


def node_of(target: Node, point: AbstractionPoint) -> Node:
    """The node on the way to ``target`` at which a block ended in ``point``."""
    return next(n for n in target.ancestry() if n.state.is_abstraction and n.state.abstraction is point)
