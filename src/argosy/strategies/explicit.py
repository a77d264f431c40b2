"""Explicit values ([Theta], sections 2.2.1 and 3.1.1), composed with any search order and refinement."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from argosy.basics.records import replace
from argosy.domains.enumeration import Enumeration
from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.literals import LiteralAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis, ProductState
from argosy.engine.protocols import Explorer, Refiner, Strategy
from argosy.logic.bdd import Regions
from argosy.models.cfa import Edge
from argosy.options.programs import ExplicitOptions, ProductOptions
from argosy.options.values import Explaining, Search
from argosy.refiners.checkers import FirstOf
from argosy.refiners.counterexample import explicit_reader
from argosy.refiners.refinement import predicates, tracked_variables
from argosy.refiners.splitting import SPLITS
from argosy.refiners.values import ProductRefiner, RoomyRefiner, ValueChecker, ValueRefiner
from argosy.strategies.refinement import (
    initial_precision,
    interpolation_of,
    pruning,
    targets,
    trace_checker,
    trace_refiner,
    with_return_points,
)
from argosy.strategies.search import cost_order, explicit_order
from argosy.strategies.setting import Setting


def explicit(setting: Setting[ExplicitOptions]) -> Strategy[ExplicitState, Edge, Precision]:
    """The strategy that ``setting.options`` describes."""
    options, cfa, terms = setting.options, setting.cfa, setting.terms
    paths = Paths(terms, setting.reading)
    enumeration = None
    if options.max_enum is not None:
        solver = setting.solver("abstraction")
        enumeration = Enumeration(terms, paths, solver, options.max_enum)
    analysis = ExplicitAnalysis(cfa, setting.reading, enumeration)
    refiner: Refiner[Precision]
    follows_values, several = options.refinement.by is Explaining.VALUES, options.refinement.several
    if follows_values and not several and enumeration is None:
        refiner = ValueRefiner(analysis, paths, setting.solver("trace"))
        refiner = pruning(options.prune, refiner)
    else:
        checker = trace_checker(options.refinement.by, setting, interpolation_of(setting))
        if follows_values:
            # What values alone do not explain may be a matter of enumeration.
            checker = FirstOf((ValueChecker(analysis), checker))
        refiner = trace_refiner(setting, explicit_reader(analysis, paths), checker, tracked_variables)
    return Strategy(
        analysis,
        lambda: explicit_order(options.search, cfa),
        refiner,
        with_return_points(cfa, initial_precision(setting, tracked_variables)),
        targets=targets(options),
        explorer=kernel_of(analysis, options.search),
    )


def kernel_of(analysis: ExplicitAnalysis, search: Search) -> Callable[[], Explorer[Precision]] | None:
    """What explores natively; None where there is no kernel, or it cannot do what the analysis does."""
    if find_spec("argosy.kernel._valuation") is None:
        return None
    native = import_module("argosy.native.explicit")
    if not native.explores(analysis):
        return None
    return lambda: native.KernelExplorer(analysis, cost_order(search, analysis.cfa))


def product(setting: Setting[ProductOptions]) -> Strategy[ProductState, Edge, Precision]:
    """Explicit values, and cartesian predicates where they do not suffice."""
    options, cfa, terms, solvers = setting.options, setting.cfa, setting.terms, setting.solvers
    paths = Paths(terms, setting.reading)
    solver = setting.solver("abstraction")
    abstraction = PredicateAbstraction(terms, paths, Regions(terms), solver, solvers.counters, "cartesian")
    values = ExplicitAnalysis(cfa, setting.reading)
    literals = LiteralAnalysis(cfa, setting.reading, paths, abstraction)
    analysis = ProductAnalysis(values, literals)
    checker = trace_checker(options.refinement.by, setting, interpolation_of(setting))
    rule = predicates(SPLITS[options.split.word])
    refiner = ProductRefiner(
        ValueRefiner(values, paths, setting.solver("trace"), lambda state: state.one.values),
        RoomyRefiner(trace_refiner(setting, explicit_reader(analysis, paths), checker, rule), literals.has_room),
    )
    return Strategy(
        analysis,
        lambda: explicit_order(options.search, cfa),
        pruning(options.prune, refiner),
        with_return_points(cfa, replace(setting, predicates={}).precision(options.granularity)),
    )
