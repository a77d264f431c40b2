"""A new refiner: at the first counterexample that is not feasible, track every variable, and start again.

It asks the refiner of the strategy ``explicit`` whether the counterexample is feasible, and answers differently.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined, Refiner, Strategy, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.terms import Term
from argosy.models.cfa import Location
from argosy.strategies import configure
from argosy.strategies.setting import Setting


@dataclass(frozen=True)
class EagerRefiner:
    """Law kept (progress): after the first refinement everything is tracked, so a second one changes nothing and
    is reported as stuck."""

    careful: Refiner[Precision]
    everything: Sequence[tuple[Location, Sequence[Term]]]

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        answer = self.careful.refine(reached, targets, precision)
        if not isinstance(answer, Refined):
            return answer
        larger = precision.join(self.everything)
        return Stuck("everything is tracked") if larger is precision else Refined(larger)


def eager_explicit(setting: Setting[Any]) -> Strategy[Any, Any, Any]:
    strategy = configure("explicit", {"granularity": "global"}).build(setting)
    everything = [(setting.cfa.initial, [variable.term for variable in setting.cfa.variables])]
    return replace(strategy, refiner=EagerRefiner(strategy.refiner, everything))


if __name__ == "__main__":
    import sys

    import argosy

    result = argosy.verify(sys.argv[1], strategy=eager_explicit, time_limit=60)
    print(result.verdict_line)
