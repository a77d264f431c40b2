"""A refiner composed of a trace checker, a precision rule and a pruning rule, for one counterexample or for many.

[Theta], Algorithm 2 for one; Algorithm 5 for many: every counterexample is refuted, and refined are those of a
*minimal set*, which has none whose first refined node lies below that of another. What is pruned there may take the
rest with it; if not, the rest comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from argosy.basics.records import dataclass, field
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Satisfiability
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.refiners.checkers import Facts, Refutation, TraceChecker
from argosy.refiners.counterexample import Counterexample, Reader
from argosy.refiners.incremental import PathSolver
from argosy.refiners.splitting import Split

PrecisionRule = Callable[[Facts], Iterable[Term]]
"""What is tracked so that facts can be known."""

PruningRule = Callable[[Sequence[Refutation]], tuple[Node, ...]]
"""The nodes from which the graph is computed again; none: everything is."""

Explanation = Callable[[Node, Precision], Feasible | Refined[Precision] | None]
"""Another way to see why the counterexample of a target is infeasible; None where it has no idea."""


def predicates(split: Split) -> PrecisionRule:
    """The facts themselves, split."""
    return lambda facts: [predicate for fact in facts for predicate in split(fact)]


def tracked_variables(facts: Facts) -> list[Term]:
    """The variables that the facts speak of."""
    return sorted({v for fact in facts for v in variables(fact)}, key=lambda v: v.id)


def lazily(refutations: Sequence[Refutation]) -> tuple[Node, ...]:
    """From the first refined node of each counterexample."""
    return tuple(dict.fromkeys(r.counterexample.nodes[r.pivot] for r in refutations))


def fully(refutations: Sequence[Refutation]) -> tuple[Node, ...]:
    return ()


def minimal_set(refutations: Sequence[Refutation]) -> list[Refutation]:
    """Those whose first refined node has no first refined node among its proper ancestors. Two with the same first
    refined node are both kept."""
    pivots = {r.counterexample.nodes[r.pivot] for r in refutations}
    return [r for r in refutations if pivots.isdisjoint(r.counterexample.nodes[: r.pivot])]


@dataclass(slots=True)
class TraceRefiner:
    """Refines by the first of its targets, or by all of them if ``multiple``. ``executions`` explain a target without
    knowing whether it is feasible, and are asked first; ``explanations`` are for one that is not."""

    read: Reader
    solver: PathSolver
    checker: TraceChecker
    rule: PrecisionRule
    prune: PruningRule = lazily
    multiple: bool = False
    explanations: Sequence[Explanation] = ()
    executions: Sequence[Explanation] = ()
    _precision: Precision | None = None
    _repeated: dict[tuple[tuple[Term, ...], int], int] = field(default_factory=dict)

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        explained = self._explained(self.executions, targets[0], precision)
        if explained is not None:
            return explained
        found = [self.read(target) for target in (targets if self.multiple else targets[:1])]
        # In this order neighbours share the longest prefixes, which the solver keeps.
        found.sort(key=lambda counterexample: [node.id for node in counterexample.nodes])
        infeasible: list[Counterexample] = []
        stuck: list[Stuck] = []
        for counterexample in found:
            match self.solver.check(counterexample.steps):
                case Satisfiability.SAT:
                    return Feasible(tuple(counterexample.taken(self.solver.value)))
                case Satisfiability.UNSAT:
                    infeasible.append(counterexample)
                case Satisfiability.UNKNOWN:
                    stuck.append(Stuck("the solver does not know whether a counterexample is feasible"))
        if infeasible:
            explained = self._explained(self.explanations, infeasible[0].nodes[-1], precision)
            if explained is not None:
                return explained
        refutations: list[Refutation] = []
        for counterexample in infeasible:
            refuted = self.checker.refute(counterexample)
            (refutations if isinstance(refuted, Refutation) else stuck).append(refuted)  # type: ignore[arg-type]
        return self._refined(minimal_set(refutations), precision) if refutations else stuck[0]

    def _explained(
        self, explanations: Sequence[Explanation], target: Node, precision: Precision
    ) -> Feasible | Refined[Precision] | None:
        for explanation in explanations:
            answer = explanation(target, precision)
            if isinstance(answer, Refined) and self.prune is fully:
                return Refined(answer.precision)
            if answer is not None:
                return answer
        return None

    def _refined(self, refutations: Sequence[Refutation], precision: Precision) -> Refined[Precision] | Stuck:
        larger = precision.join(
            (node.state.location, self.rule(facts))
            for refutation in refutations
            for node, facts in zip(refutation.counterexample.nodes, refutation.facts, strict=True)
            if facts
        )
        if larger is not self._precision:
            self._precision = larger
            self._repeated.clear()
        if larger is precision:
            times = min([self._count(refutation) for refutation in refutations])
            if times > 2:
                return Stuck("the abstraction cannot express what it needs to exclude a counterexample")
            if times == 2:
                # Nodes above the pivot may be older than what is tracked now.
                return Refined(precision)
        return Refined(larger, self.prune(refutations))

    def _count(self, refutation: Refutation) -> int:
        key = (refutation.counterexample.steps, refutation.pivot)
        self._repeated[key] = times = self._repeated.get(key, 0) + 1
        return times
