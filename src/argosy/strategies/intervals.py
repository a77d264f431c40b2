"""Intervals alone: bounds of integers and floats by abstract interpretation, one pass without any refinement."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.domains.intervals import IntervalAnalysis, IntervalState
from argosy.domains.precision import Precision
from argosy.engine.protocols import Strategy, Stuck
from argosy.engine.reached import Node, Reached
from argosy.models.cfa import Edge
from argosy.options.declared import Options
from argosy.options.values import SearchOrder, Tracking
from argosy.strategies.search import explicit_order
from argosy.strategies.setting import Setting


class Unrefined:
    """The refiner of a domain that has no precision."""

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Precision) -> Stuck:
        return Stuck("intervals do not exclude the error, and nothing refines them")


def intervals(setting: Setting[Options]) -> Strategy[IntervalState, Edge, Precision]:
    return Strategy(
        IntervalAnalysis(setting.cfa, setting.reading),
        lambda: explicit_order(SearchOrder.SCC, setting.cfa),
        Unrefined(),
        setting.precision(Tracking.GLOBAL),
    )
