"""Refiners by name: a trace checker, a precision rule and a pruning rule, put together once (paper 002, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.domains.precision import Precision
from argosy.engine.protocols import Refiner
from argosy.logic.interpolation import Interpolation
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assume
from argosy.models.liveness import live_variables
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
from argosy.refiners.pruning import AdaptivePruning
from argosy.refiners.refinement import PRUNINGS, Explanation, PrecisionRule, TraceRefiner
from argosy.strategies.options import MULTI
from argosy.strategies.setting import Setting


def trace_checker(name: str, setting: Setting, interpolation: Interpolation) -> TraceChecker:
    """The checker of that name; ``interpolation`` is used by those that leave the method open."""
    terms, solvers = setting.terms, setting.solvers

    def forward() -> TraceChecker:
        return ForwardBinary(terms, path_solver(setting), interpolation)

    def backward() -> TraceChecker:
        return BackwardBinary(terms, path_solver(setting), interpolation)

    match name:
        case "fw-bin":
            return forward()
        case "bw-bin":
            return backward()
        case "min-prune":
            return ByPruneIndex((forward(), backward()), min)
        case "max-prune":
            return ByPruneIndex((forward(), backward()), max)
        case "unsat-core":
            return UnsatisfiableCore(interpolation)
        case "newton-sp":
            return SequenceInterpolants(Interpolation(terms, solvers, ["newton"]))
        case "newton-wp":
            return SequenceInterpolants(Interpolation(terms, solvers, ["newton-wp"]))
    return SequenceInterpolants(interpolation)


def path_solver(setting: Setting) -> PathSolver:
    return PathSolver(setting.solvers.create("trace", setting.arithmetic))


def trace_refiner(
    setting: Setting,
    read: Reader,
    checker: TraceChecker,
    rule: PrecisionRule,
    explanations: Sequence[Explanation] = (),
    executions: Sequence[Explanation] = (),
) -> Refiner[Precision]:
    """The refiner that the options describe."""
    options = setting.options
    multiple = options["refinement"].startswith(MULTI)
    prune = PRUNINGS[options["prune"]]
    refiner = TraceRefiner(read, path_solver(setting), checker, rule, prune, multiple, explanations, executions)
    return AdaptivePruning(refiner) if options["prune"] == "adaptive" else refiner


def targets(setting: Setting) -> int:
    """After how many targets exploration stops to refine; 0 means all of them."""
    if not setting.options["refinement"].startswith(MULTI):
        return 1
    wanted = setting.options["counterexamples"]
    return 0 if wanted == "all" else int(wanted)


def initial_precision(setting: Setting, rule: PrecisionRule) -> Precision:
    """What is tracked from the beginning: what earlier runs found, and what the option says, at all locations where
    it can matter."""
    cfa = setting.cfa
    precision = setting.precision(setting.options["granularity"])
    facts: tuple[Term, ...] = ()
    match setting.options["initial-precision"]:
        case "all-assumes":
            facts = tuple(e.operation.condition for e in cfa.edges if isinstance(e.operation, Assume))
        case "all-variables":
            facts = tuple(v.term for v in cfa.variables)
    tracked = list(dict.fromkeys(t for fact in facts if not fact.is_const for t in rule((fact,))))
    live = live_variables(cfa) if tracked else {}
    return precision.join((at, [t for t in tracked if variables(t) <= own]) for at, own in live.items())
