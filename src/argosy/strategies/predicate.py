"""Predicate abstraction with block encoding (paper 004) and interpolation (papers 002 and 004), composed."""

from __future__ import annotations

from typing import Any

from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.frontier import BestFirst
from argosy.logic.bdd import Regions
from argosy.logic.interpolation import Interpolation
from argosy.models.cfa import Edge
from argosy.protocols import Strategy
from argosy.reached import Node
from argosy.refiners.invariants import PathInvariants
from argosy.refiners.pruning import pruning
from argosy.refiners.splitting import SPLITS
from argosy.refiners.trace import SequenceRefiner
from argosy.strategies.blocks import block_operator
from argosy.strategies.setting import Setting


# Spacer finds an invariant of a path program soon, or hardly ever.
INVARIANT_SECONDS = 4.0


def predicate(setting: Setting) -> Strategy[BlockState, Edge, Precision]:
    """The strategy that ``setting.options`` describes."""
    options, terms, solvers, cfa = setting.options, setting.terms, setting.solvers, setting.cfa
    paths = Paths(terms, setting.reading)
    abstraction = PredicateAbstraction(
        terms,
        paths,
        Regions(terms),
        solvers.create("abstraction", setting.arithmetic),
        solvers.counters,
        "cartesian" if options["domain"] == "pred-cart" else "boolean",
    )
    analysis = BlockAnalysis(cfa, terms, paths, abstraction, block_operator(cfa, options["block"]))
    split = SPLITS[options["split"]]
    methods = options["interpolation"].split("+")
    interpolation = Interpolation(terms, solvers, [m for m in methods if m != "invariants"] or None)
    invariants = None
    if "invariants" in methods and setting.arithmetic == "int":
        invariants = PathInvariants(analysis, interpolation, split, INVARIANT_SECONDS)
    trace_solver = solvers.create("trace", setting.arithmetic)
    refiner = SequenceRefiner(analysis, terms, trace_solver, interpolation, split, invariants)
    key = search_key(options["search"], cfa.order)
    return Strategy(
        analysis,
        lambda: BestFirst(key),
        pruning(options["prune"], refiner),
        setting.precision(options["granularity"]),
    )


def search_key(search: str, order: Any) -> Any:
    """Inside a block always in weak topological order, so that branches meet before a join is expanded; among
    blocks the oldest first (bfs), the newest first (dfs), or in weak topological order as well."""

    def topological(node: Node) -> Any:
        return (order[node.state.location],)

    def breadth_first(node: Node) -> Any:
        return (node.state.abstraction.serial, order[node.state.location])

    def depth_first(node: Node) -> Any:
        return (-node.state.abstraction.serial, order[node.state.location])

    return {"topological": topological, "bfs": breadth_first, "dfs": depth_first}[search]
