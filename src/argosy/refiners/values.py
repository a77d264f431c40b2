"""Refinement for explicit values: which variables must be tracked where to exclude a trace.

The trace is executed with every variable tracked. Where an operation turns out to be impossible, the variables
that decided it are followed backwards through the assignments that gave them their values: what is needed before
an edge is what its operation reads to give what is needed after it (explicit-value interpolation in the spirit of
Beyer and Löwe, FASE 2013, with a slice instead of repeated trials; no solver is asked). Where the values exclude
nothing, a solver decides whether the trace is feasible; if it is not, explicit values cannot tell.

Often several operations of a trace are impossible, each for itself (*infeasible sliced prefixes*: Beyer, Löwe, Wendler,
*Refinement Selection*, SPIN 2015), and one may choose what to track. Taken is the last one, whose reason is mostly
the closest to the error, among those that need the fewest variables that count: tracking these unrolls loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.filing import Values
from argosy.domains.paths import PathFormula, Paths
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined, Refiner, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.partial import reason
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term
from argosy.models.cfa import Edge
from argosy.refiners.checkers import Refutation
from argosy.refiners.counterexample import Counterexample

# Among so many impossible edges one is chosen, the last ones of a trace.
CHOICES = 20

CANNOT_EXCLUDE = "explicit values cannot exclude an infeasible counterexample"


class ValueRefiner:
    """Tracks the variables that decide an infeasible trace, lazily pruned at the first node that lacks one; ``values``
    reads what a state knows of variables."""

    def __init__(
        self,
        analysis: ExplicitAnalysis,
        paths: Paths,
        solver: Solver,
        values: Callable[[Any], Values] = lambda state: state.values,
    ) -> None:
        self._analysis = analysis
        self._values = values
        self._paths = paths
        self._solver = solver

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        target = targets[0]
        nodes = target.ancestry()
        edges: tuple[Edge, ...] = target.trace()
        history, impossible = self._analysis.execute(edges)
        if not impossible:
            return self._ask(edges)
        needed = self._choose(edges, history, impossible, precision)
        larger = precision.join(
            (node.state.location, sorted(variables, key=lambda v: v.id))
            for node, variables in zip(nodes, needed, strict=False)
        )
        slots = [[self._analysis.slots[v] for v in variables] for variables in needed]
        for node, known, own in zip(nodes, history, slots, strict=False):
            if any(self._values(node.state)[slot] != known[slot] for slot in own):
                return Refined(larger, (node,))
        return Stuck("the values along an impossible trace are tracked already")

    def _choose(
        self, edges: Sequence[Edge], history: Sequence[Values], impossible: Sequence[int], precision: Precision
    ) -> list[set[Term]]:
        """What must be known to see one of the impossible edges."""
        counting = self._analysis.counters - frozenset(precision.terms())
        chosen: list[set[Term]] = []
        fewest = len(counting) + 1
        for position in reversed(impossible[-CHOICES:]):
            needed = _needed(self._analysis, edges, history[: position + 1])
            count = len(counting.intersection(set().union(*needed)))
            if count < fewest:
                chosen, fewest = needed, count
            if not count:
                break
        return chosen

    def _ask(self, edges: Sequence[Edge]) -> Feasible | Stuck:
        self._solver.push()
        try:
            indices = self._paths.empty.indices
            for edge in edges:
                step = self._paths.extend(PathFormula(self._paths.empty.formula, indices, 0), edge)
                self._solver.add(step.formula)
                indices = step.indices
            match self._solver.check():
                case Satisfiability.SAT:
                    return Feasible(tuple(edges))
                case Satisfiability.UNSAT:
                    return Stuck(CANNOT_EXCLUDE)
            return Stuck("the solver does not know whether a counterexample is feasible")
        finally:
            self._solver.pop()


@dataclass(frozen=True, slots=True)
class RoomyRefiner:
    """What ``predicates`` finds, as long as there is room for it (``domains.literals``)."""

    predicates: Refiner[Precision]
    has_room: Callable[[Precision], bool]

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        answer = self.predicates.refine(reached, targets, precision)
        if isinstance(answer, Refined) and not self.has_room(answer.precision):
            return Stuck("there are too many predicates for a product")
        return answer


@dataclass(frozen=True, slots=True)
class ProductRefiner:
    """Tracks variables where these exclude a trace, and what ``predicates`` finds where they do not."""

    values: ValueRefiner
    predicates: Refiner[Precision]

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        answer = self.values.refine(reached, targets, precision)
        if answer != Stuck(CANNOT_EXCLUDE):
            return answer
        return self.predicates.refine(reached, targets, precision)


class ValueChecker:
    """The same as a trace checker: the facts are variables."""

    def __init__(self, analysis: ExplicitAnalysis) -> None:
        self._analysis = analysis

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        nodes = counterexample.nodes
        _, needed = explain(self._analysis, nodes[-1].trace())
        if needed is None:
            return Stuck(CANNOT_EXCLUDE)
        facts = [tuple(sorted(own, key=lambda v: v.id)) for own in needed]
        if not any(facts):
            return Stuck(CANNOT_EXCLUDE)
        return Refutation(counterexample, (*facts, *[()] * (len(nodes) - len(facts))))


def explain(analysis: ExplicitAnalysis, edges: Sequence[Edge]) -> tuple[list[Values], list[set[Term]] | None]:
    """What is known before each edge when everything is tracked, up to the first edge that is impossible, and there
    the variables that must be known to see it, and before; None where no edge is impossible."""
    history, impossible = analysis.execute(edges)
    if not impossible:
        return history, None
    history = history[: impossible[0] + 1]
    return history, _needed(analysis, edges, history)


def _needed(analysis: ExplicitAnalysis, edges: Sequence[Edge], history: Sequence[Values]) -> list[set[Term]]:
    """For each position of ``history`` the variables that must be known there."""
    needed = [reason(analysis.condition(edges[len(history) - 1]), history[-1], analysis.slots)]
    for edge, before in zip(reversed(edges[: len(history) - 1]), reversed(history[:-1]), strict=True):
        needed.append(_before(analysis, edge, before, needed[-1]))
    needed.reverse()
    return needed


def _before(analysis: ExplicitAnalysis, edge: Edge, before: Values, needed: set[Term]) -> set[Term]:
    values = dict(analysis.effect(edge).definitions)
    # What an assumption decided was unknown before it.
    needed_before = {v for v in needed if v not in values and before[analysis.slots[v]] is not None}
    return needed_before.union(*(reason(values[v], before, analysis.slots) for v in needed if v in values))
