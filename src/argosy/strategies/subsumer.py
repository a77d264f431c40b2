"""What works with every domain, block operator and refiner: what a new node does to those it covers ([Subsumer]), and a
precision that is given, or kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from argosy.basics.records import dataclass, replace
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Frontier, Refined, Refiner, Sheltering, Strategy, Stuck, Subsumption
from argosy.engine.reached import Node, Reached
from argosy.engine.subsumption import Descent, SubsumerFirst, derived, reachable
from argosy.options.programs import DomainOptions
from argosy.options.values import Covered
from argosy.strategies.precision_file import read_precision, write_precision
from argosy.strategies.setting import Setting

# The new node takes the place of what it covers, and comes before what waits below that.
RELATIONS: Mapping[Covered, Descent] = {Covered.FIRST: reachable, Covered.FIRST_DERIVED: derived}


def modified(strategy: Strategy[Any, Any, Precision], setting: Setting[DomainOptions]) -> Strategy[Any, Any, Precision]:
    """``strategy`` with the options ``subsumption``, ``precision`` and ``save-precision`` of the setting."""
    options = setting.options
    if options.precision is not None:
        given = read_precision(options.precision, setting)
        # Nothing else is tracked: not what another stage has found either.
        precision = Precision(strategy.precision.granularity).join(given)
        strategy = replace(strategy, precision=precision, refiner=Fixed(strategy.refiner))
    path = options.save_precision
    if path is not None:
        write_precision(path, strategy.precision, setting)
        recorder = Recorder(strategy.refiner, lambda precision: write_precision(path, precision, setting))
        strategy = replace(strategy, refiner=recorder)
    return subsuming(strategy, options.subsumption)


def subsuming(strategy: Strategy[Any, Any, Any], covered: Covered) -> Strategy[Any, Any, Any]:
    """The strategy with another answer to the question what becomes of nodes that a new one covers."""
    if covered is Covered.KEEP:
        return strategy
    if isinstance(strategy.analysis, Sheltering):
        strategy.analysis.remember_states()
    # The kernel covers, and takes nothing away.
    strategy = replace(strategy, explorer=None)
    match covered:
        case Covered.APPEND:
            return replace(strategy, subsumption=Subsumption.APPEND)
        case Covered.PRUNE:
            return replace(strategy, subsumption=Subsumption.PRUNE)
    base, relation = strategy.frontier, RELATIONS[covered]

    def frontier() -> Frontier:
        return SubsumerFirst(base(), relation)  # type: ignore[arg-type]

    return replace(strategy, frontier=frontier, subsumption=Subsumption.REPLACE)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Tells what is feasible, and refines nothing."""

    refiner: Refiner[Any]

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        answer = self.refiner.refine(reached, targets, precision)
        if isinstance(answer, Refined):
            return Stuck("the given precision does not exclude an infeasible counterexample")
        return answer


@dataclass(frozen=True, slots=True)
class Recorder:
    """Keeps each new precision, so that the last one is there however the run ends."""

    refiner: Refiner[Any]
    keep: Callable[[Any], None]

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        answer = self.refiner.refine(reached, targets, precision)
        if isinstance(answer, Refined):
            self.keep(answer.precision)
        return answer
