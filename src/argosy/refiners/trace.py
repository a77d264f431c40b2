"""Is an abstract counterexample feasible, and if not, why not? ([Theta], section 2.2.2; [ABE], section III.E.)

The trace of a target is the chain of its abstraction points; one formula per block, chained by shifting indices.
A model of all blocks is turned into a path of edges. Otherwise one interpolant per block end explains the
contradiction; its predicates refine the precision where that block ends, and the graph is pruned lazily: from the
first abstraction whose interpolant is neither true nor false.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from argosy.basics.records import dataclass
from argosy.domains.blocks import AbstractionPoint, BlockAnalysis, BlockState
from argosy.domains.paths import Indices, chain
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.interpolation import Interpolation
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.refiners.invariants import node_of
from argosy.refiners.splitting import Split


@dataclass(frozen=True, slots=True)
class Trace:
    """The blocks of a counterexample: ``formulas[i]`` leads from ``points[i]`` to ``points[i + 1]``, starting at
    the indices ``bases[i]``."""

    points: tuple[AbstractionPoint, ...]
    formulas: tuple[Term, ...]
    bases: tuple[Indices, ...]


class Explanation(Protocol):
    """Another way to see why a counterexample is infeasible, tried before interpolation; None where it has no idea."""

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Feasible | Refined[Precision] | None: ...


class SequenceRefiner:
    """Sequence interpolation with lazy pruning. ``executions`` explain without knowing whether the counterexample is
    feasible, and are asked first; ``explanations`` are for one that is not."""

    def __init__(
        self,
        analysis: BlockAnalysis,
        terms: Terms,
        solver: Solver,
        interpolation: Interpolation,
        split: Split,
        explanations: Sequence[Explanation] = (),
        executions: Sequence[Explanation] = (),
    ) -> None:
        self._analysis = analysis
        self._terms = terms
        self._solver = solver
        self._interpolation = interpolation
        self._split = split
        self._explanations = explanations
        self._executions = executions
        self._repeated: set[tuple[Term, ...]] = set()

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        target = targets[0]
        trace = self.trace(target.state)
        for execution in self._executions:
            answer = execution.refine(target, trace.points, precision)
            if answer is not None:
                return answer
        feasible = self.feasible(trace)
        if isinstance(feasible, Feasible | Stuck):
            return feasible
        for explanation in self._explanations:
            answer = explanation.refine(target, trace.points, precision)
            if answer is not None:
                return answer
        return self.explain(reached, targets, trace, precision)

    def explain(
        self, reached: Reached, targets: Sequence[Node], trace: Trace, precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        """Exclude ``trace``, which leads to the first target and is infeasible."""
        interpolants = self._interpolation.sequence(trace.formulas)
        if interpolants is None:
            return Stuck("no interpolants were found for an infeasible counterexample")
        return self.refined(targets[0], trace, interpolants, precision)

    def trace(self, state: BlockState) -> Trace:
        """The trace to the block end ``state``."""
        points = state.abstraction.chain()
        paths = self._analysis.paths
        bases: list[Indices] = []
        formulas: list[Term] = []
        base: Indices = {}
        for point in points[1:]:
            assert point.block is not None
            bases.append(base)
            formulas.append(paths.shifted(point.block.formula, base))
            base = chain(base, point.block.indices)
        return Trace(tuple(points), tuple(formulas), tuple(bases))

    def feasible(self, trace: Trace) -> Feasible | Stuck | None:
        """Feasible with the path of a model, None when there is none."""
        self._solver.push()
        try:
            for formula in trace.formulas:
                for part in conjuncts(formula):
                    self._solver.add(part)
            match self._solver.check():
                case Satisfiability.SAT:
                    edges = []
                    model = self._analysis.paths.valuation(self._solver.value)
                    for point, base in zip(trace.points[1:], trace.bases, strict=True):
                        assert point.block is not None
                        edges += self._analysis.paths.path(point.block, base, model)
                    return Feasible(tuple(edges))
                case Satisfiability.UNKNOWN:
                    return Stuck("the solver does not know whether a counterexample is feasible")
            return None
        finally:
            self._solver.pop()

    def refined(
        self, target: Node, trace: Trace, interpolants: Sequence[Term], precision: Precision
    ) -> Refined[Precision] | Stuck:
        """Precision and pivot from one interpolant per inner point of the trace."""
        paths = self._analysis.paths
        additions: list[tuple[AbstractionPoint, list[Term]]] = []
        for point, interpolant in zip(trace.points[1:-1], interpolants, strict=True):
            if not interpolant.is_const:
                additions.append((point, self._split(paths.abstract_indices(interpolant))))
        if not additions:
            return Stuck("the interpolants are trivial")
        larger = precision.join((point.location, predicates) for point, predicates in additions)
        if larger is precision:
            # The predicates are tracked, but the states may stem from before that: compute them again, once.
            if trace.formulas in self._repeated:
                return Stuck("the abstraction cannot express the predicates it needs")
            self._repeated.add(trace.formulas)
        return Refined(larger, (node_of(target, additions[0][0]),))
