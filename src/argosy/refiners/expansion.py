"""Counterexamples of a summarised automaton, told as paths of the automaton that was summarised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from argosy.domains.summary import Summary
from argosy.logic.solver import Solver
from argosy.protocols import Feasible, Refined, Refiner, Stuck
from argosy.reached import Node, Reached


@dataclass(frozen=True, slots=True)
class Expansion:
    """``refiner``, with a feasible trace of blocks expanded; a trace that has no blocks of ``summary`` stays."""

    refiner: Refiner[Any]
    summary: Summary
    solver: Solver

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        answer = self.refiner.refine(reached, targets, precision)
        if not isinstance(answer, Feasible) or not all(edge in self.summary.blocks for edge in answer.trace):
            return answer
        path = self.summary.expand(answer.trace, self.solver)
        if path is None:
            return Stuck("the solver does not know which path through its blocks a counterexample takes")
        return Feasible(path, answer.model)
