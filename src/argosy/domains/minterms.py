"""The splitting domain: one state for each disjunct of a boolean abstraction ([Theta], section 3.1.3).

A boolean abstraction is a disjunction of minterms, conjunctions in which every tracked predicate occurs, positive or
negated. Here each minterm is a state of its own, so that one of them can be covered while another is explored further.

Law: the states after a block are disjoint, and their union is the boolean abstraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from argosy.basics.records import replace
from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.precision import Precision
from argosy.logic.bdd import Region, Regions
from argosy.logic.terms import Term
from argosy.models.cfa import Edge


class SplittingAnalysis(BlockAnalysis):
    """Block encoding whose abstraction states are minterms. A block can have several successors, so its abstraction is
    computed with them; ``adjust`` has nothing left to do."""

    def successors(self, state: BlockState, precision: Precision) -> Iterable[tuple[Edge, BlockState]]:
        for edge, inside in super().successors(state, precision):
            ended = super().adjust(inside, precision)
            if ended is None or not ended.is_abstraction or ended.location is self.cfa.error:
                if ended is not None:
                    yield edge, ended
                continue
            for minterm in minterms(self._regions, ended.abstraction.region, precision.at(ended.location)):
                point = replace(ended.abstraction, region=minterm, serial=next(self._serials))
                yield edge, replace(ended, abstraction=point)

    def adjust(self, state: BlockState, precision: Precision) -> BlockState | None:
        return state


def minterms(regions: Regions, region: Region, predicates: Sequence[Term]) -> Iterator[Region]:
    """The conjunctions over all ``predicates``, which are those of ``region``, that it is the disjunction of."""
    for cube in regions.cubes(region):
        open_ = [predicate for predicate in predicates if predicate not in cube]
        for values in product((True, False), repeat=len(open_)):
            yield regions.from_cube({**cube, **dict(zip(open_, values, strict=True))})
