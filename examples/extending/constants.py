"""A new domain in a page: constant propagation, which joins states where explicit values keep them apart.

The transfer is the explicit domain's. What is new is ``merge``: at each location one state is kept, and a variable
on which two paths disagree becomes unknown. Cheap, and enough where a value does not depend on the path.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.precision import Precision
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Feasible, Refined, Strategy, Stuck
from argosy.engine.reached import Node, Reached
from argosy.models.cfa import Edge
from argosy.strategies.setting import Setting


class ConstantPropagation(ExplicitAnalysis):
    """Law kept: ``merge`` is above both, because an unknown value covers every value."""

    def merges(self, state: ExplicitState) -> bool:
        return True

    def merge(self, new: ExplicitState, old: ExplicitState) -> ExplicitState:
        values = tuple(o if o == n else None for n, o in zip(new.values, old.values, strict=True))
        return old if values == old.values else ExplicitState(old.location, values)

    def partition(self, state: ExplicitState) -> Hashable:
        return state.location

    def shelters(self, state: ExplicitState) -> Iterable[Hashable]:
        return (state.location,)


class NoRefinement:
    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        return Stuck("constant propagation is not refined")


def constant_propagation(setting: Setting[Any]) -> Strategy[ExplicitState, Edge, Precision]:
    analysis = ConstantPropagation(setting.cfa, setting.reading)
    everything = Precision("global").join([(setting.cfa.initial, analysis.variables)])
    return Strategy(analysis, Fifo, NoRefinement(), everything)


if __name__ == "__main__":
    import sys

    import argosy

    result = argosy.verify(sys.argv[1], strategy=constant_propagation, time_limit=60)
    print(result.verdict_line)
