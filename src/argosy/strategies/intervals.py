"""Intervals alone: bounds of integers and floats by abstract interpretation, one pass without any refinement; and
intervals with predicates, which are found where bounds do not suffice."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.records import replace
from argosy.domains.intervals import IntervalAnalysis, IntervalState
from argosy.domains.literals import LiteralAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis, ProductState
from argosy.engine.protocols import Strategy, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.bdd import Regions
from argosy.models.cfa import Edge
from argosy.options.declared import Options
from argosy.options.programs import ProductOptions
from argosy.options.values import SearchOrder, Tracking
from argosy.refiners.counterexample import explicit_reader
from argosy.refiners.refinement import predicates
from argosy.refiners.splitting import SPLITS
from argosy.refiners.values import RoomyRefiner
from argosy.strategies.refinement import interpolation_of, pruning, trace_checker, trace_refiner
from argosy.strategies.search import explicit_order
from argosy.strategies.setting import Setting


class Unrefined:
    """The refiner of a domain that has no precision."""

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Precision) -> Stuck:
        return Stuck("intervals do not exclude the error, and nothing refines them")


def intervals(setting: Setting[Options]) -> Strategy[IntervalState, Edge, Precision]:
    return Strategy(
        IntervalAnalysis(setting.cfa, setting.reading),
        lambda: explicit_order(SearchOrder.SCC, setting.cfa),
        Unrefined(),
        setting.precision(Tracking.GLOBAL),
    )


def with_predicates(setting: Setting[ProductOptions]) -> Strategy[ProductState, Edge, Precision]:
    """Bounds without a solver, and cartesian predicates that are told of them: relations between numbers, the sign of a
    product, what a widened bound has lost."""
    options, cfa, terms, solvers = setting.options, setting.cfa, setting.terms, setting.solvers
    paths = Paths(terms, setting.reading)
    regions, solver = Regions(terms), setting.solver("abstraction")
    abstraction = PredicateAbstraction(terms, paths, regions, solver, solvers.counters, "cartesian")
    literals = LiteralAnalysis(cfa, setting.reading, paths, abstraction)
    analysis = ProductAnalysis(IntervalAnalysis(cfa, setting.reading), literals)
    checker = trace_checker(options.refinement.by, setting, interpolation_of(setting))
    rule = predicates(SPLITS[options.split.word])
    refiner = RoomyRefiner(trace_refiner(setting, explicit_reader(analysis, paths), checker, rule), literals.has_room)
    return Strategy(
        analysis,
        lambda: explicit_order(options.search, cfa),
        pruning(options.prune, refiner),
        replace(setting, predicates={}).precision(options.granularity),
    )
