"""Executions of the program itself: errors that are many rounds away, and those that are easy to hit."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import UNLIMITED
from argosy.domains.precision import Precision
from argosy.engine.frontier import Lifo
from argosy.engine.protocols import Feasible, Strategy, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.rounds import Chosen, Part
from argosy.options.programs import ExecutionOptions
from argosy.options.values import Tracking
from argosy.strategies.executions import ExecutionAnalysis, ExecutionState, Leg
from argosy.strategies.setting import Setting


class Executed:
    """The refiner of executions: one that reaches the error is what was looked for, with what it chose as its model."""

    def __init__(self, runs: int) -> None:
        self._runs = runs

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Precision) -> Feasible | Stuck:
        target = targets[0]
        if target.state.location is None:
            return Stuck(f"no error in {target.state.run} execution{'s' if target.state.run != 1 else ''}")
        path: list[Part] = []
        chosen: dict[tuple[int, Term], Value] = {}
        for node, leg in zip(target.ancestry(), target.trace(), strict=False):
            if node.state.run == target.state.run:
                chosen.update(((len(path) + number, variable), value) for number, variable, value in leg.chosen)
                path.extend(leg.path)
        start = next(node.state.start for node in target.ancestry() if node.state.run == target.state.run)
        return Feasible(tuple(path), Chosen(dict(start), chosen))


def execution(setting: Setting[ExecutionOptions]) -> Strategy[ExecutionState, Leg, Precision]:
    observer = setting.observer

    def is_over() -> bool:
        return (observer.budget if isinstance(observer, Timed) else UNLIMITED).is_over

    runs = setting.options.executions
    return Strategy(
        ExecutionAnalysis(setting.cfa, setting.reading, runs, setting.solvers.seed, is_over),
        Lifo,
        Executed(runs),
        setting.precision(Tracking.GLOBAL),
    )
