"""What a refinement throws away ([Theta], section 3.2.4): lazily what it concerns, everything, or by the case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.engine.protocols import Feasible, Refined, Refiner, Stuck
from argosy.engine.reached import Node, Reached


@dataclass(frozen=True, slots=True)
class FullPruning:
    """A refiner after which the exploration starts again from nothing."""

    refiner: Refiner[Any]

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        answer = self.refiner.refine(reached, targets, precision)
        return Refined(answer.precision) if isinstance(answer, Refined) else answer


@dataclass(frozen=True, slots=True)
class AdaptivePruning:
    """A refiner after which the exploration starts again if the precision has not grown. Then the counterexample runs
    through nodes that are older than what is tracked, and many more do; lazily they come one by one."""

    refiner: Refiner[Any]

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        answer = self.refiner.refine(reached, targets, precision)
        return Refined(precision) if isinstance(answer, Refined) and answer.precision is precision else answer
