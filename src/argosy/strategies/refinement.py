"""Refiners by name: a trace checker, a precision rule and a pruning rule, put together once ([Theta], 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from argosy.domains.precision import Precision
from argosy.engine.protocols import Refiner
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assume, Cfa
from argosy.models.liveness import live_variables
from argosy.models.return_points import live_return_points
from argosy.options.programs import CollectingOptions, DomainOptions
from argosy.options.values import Explaining, Initial, Interpolating, Pruning
from argosy.refiners.checkers import (
    BackwardBinary,
    ByPruneIndex,
    ForwardBinary,
    SequenceInterpolants,
    TraceChecker,
    UnsatisfiableCore,
)
from argosy.refiners.counterexample import Reader
from argosy.refiners.incremental import PathSolver
from argosy.refiners.pruning import AdaptivePruning, FullPruning
from argosy.refiners.refinement import Explanation, PrecisionRule, TraceRefiner, fully, lazily
from argosy.strategies.setting import Setting

if TYPE_CHECKING:
    from argosy.logic.interpolation import Interpolation


def trace_checker(by: Explaining, setting: Setting[Any], interpolation: Interpolation) -> TraceChecker:
    """``interpolation`` is used by those that leave the method open."""
    terms = setting.terms

    def forward() -> TraceChecker:
        return ForwardBinary(terms, path_solver(setting), interpolation)

    def backward() -> TraceChecker:
        return BackwardBinary(terms, path_solver(setting), interpolation)

    match by:
        case Explaining.FW_BIN:
            return forward()
        case Explaining.BW_BIN:
            return backward()
        case Explaining.MIN_PRUNE:
            return ByPruneIndex((forward(), backward()), min)
        case Explaining.MAX_PRUNE:
            return ByPruneIndex((forward(), backward()), max)
        case Explaining.UNSAT_CORE:
            return UnsatisfiableCore(interpolation)
        case Explaining.NEWTON_SP:
            return SequenceInterpolants(_one_method(setting, "newton"))
        case Explaining.NEWTON_WP:
            return SequenceInterpolants(_one_method(setting, "newton-wp"))
    return SequenceInterpolants(interpolation)


def _one_method(setting: Setting[Any], method: str) -> Interpolation:
    from argosy.logic.interpolation import Interpolation

    return Interpolation(setting.terms, setting.solvers, [method])


def interpolation_of(setting: Setting[DomainOptions]) -> Interpolation:
    """The methods that were chosen; all of them where only invariants were, which are no method for a single path."""
    from argosy.logic.interpolation import Interpolation

    methods = [method.word for method in setting.options.interpolation if method is not Interpolating.INVARIANTS]
    return Interpolation(setting.terms, setting.solvers, methods or None, within=lambda: setting.budget)


def path_solver(setting: Setting[Any]) -> PathSolver:
    return PathSolver(setting.solver("trace"))


def trace_refiner(
    setting: Setting[DomainOptions],
    read: Reader,
    checker: TraceChecker,
    rule: PrecisionRule,
    explanations: Sequence[Explanation] = (),
    executions: Sequence[Explanation] = (),
) -> Refiner[Precision]:
    """The refiner that the options describe."""
    options = setting.options
    several = options.refinement.several
    prune = fully if options.prune is Pruning.FULL else lazily
    refiner = TraceRefiner(read, path_solver(setting), checker, rule, prune, several, explanations, executions)
    return AdaptivePruning(refiner) if options.prune is Pruning.ADAPTIVE else refiner


def pruning(prune: Pruning, refiner: Refiner[Any]) -> Refiner[Any]:
    """A refiner that knows of no other pruning than a lazy one, with the one that is asked for."""
    match prune:
        case Pruning.FULL:
            return FullPruning(refiner)
        case Pruning.ADAPTIVE:
            return AdaptivePruning(refiner)
    return refiner


def targets(options: CollectingOptions) -> int:
    """After how many targets exploration stops to refine; 0 means all of them."""
    return options.counterexamples or 0 if options.refinement.several else 1


def initial_precision(setting: Setting[CollectingOptions], rule: PrecisionRule) -> Precision:
    """What is tracked from the beginning: what earlier runs found, and what the option says, at all locations where
    it can matter."""
    cfa = setting.cfa
    precision = setting.precision(setting.options.granularity)
    facts: tuple[Term, ...] = ()
    match setting.options.initial_precision:
        case Initial.ALL_ASSUMES:
            facts = tuple(e.operation.condition for e in cfa.edges if isinstance(e.operation, Assume))
        case Initial.ALL_VARIABLES:
            facts = tuple(v.term for v in cfa.variables)
    tracked = list(dict.fromkeys(t for fact in facts if not fact.is_const for t in rule((fact,))))
    live = live_variables(cfa) if tracked else {}
    return precision.join((at, [t for t in tracked if variables(t) <= own]) for at, own in live.items())


def with_return_points(cfa: Cfa, precision: Precision) -> Precision:
    """Explicit values tell the calls of a shared body apart from the beginning: each of its return points would take a
    counterexample of its own, which goes in by one call and out behind another."""
    return precision.join(live_return_points(cfa).items())
