"""Predicate abstraction with block encoding (paper 004) and interpolation (papers 002 and 004), composed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.summary import Summary, summarise
from argosy.frontier import BestFirst
from argosy.heuristics.discovery import Discovery, discover
from argosy.logic.bdd import Regions
from argosy.logic.interpolation import Interpolation
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge
from argosy.models.integers import integers
from argosy.protocols import Strategy
from argosy.reached import Node
from argosy.refiners.dag import DagRefiner
from argosy.refiners.discrete import DiscreteValues
from argosy.refiners.invariants import LoopInvariants, PathInvariants
from argosy.refiners.pruning import pruning
from argosy.refiners.splitting import SPLITS
from argosy.refiners.trace import Explanation, SequenceRefiner
from argosy.strategies.blocks import block_operator, large_block_ends
from argosy.strategies.setting import Setting

# Spacer finds an invariant of a path program soon, or hardly ever.
INVARIANT_SECONDS = 4.0


def predicate(setting: Setting, summary: Summary | None = None) -> Strategy[BlockState, Edge, Precision]:
    """The strategy that ``setting.options`` describes, on the automaton of the setting or on a summary of it."""
    options, terms, solvers, cfa = setting.options, setting.terms, setting.solvers, setting.cfa
    paths, block = Paths(terms, setting.reading), options["block"]
    if summary is not None:
        cfa, paths, block = summary.cfa, summary.paths, "sbe"
    abstraction = PredicateAbstraction(
        terms,
        paths,
        Regions(terms),
        solvers.create("abstraction", setting.arithmetic),
        solvers.counters,
        "cartesian" if options["domain"] == "pred-cart" else "boolean",
    )
    analysis = BlockAnalysis(cfa, terms, paths, abstraction, block_operator(cfa, block, abstraction))
    split = SPLITS[options["split"]]
    methods = options["interpolation"].split("+")
    interpolation = Interpolation(terms, solvers, [m for m in methods if m != "invariants"] or None)
    explanations: list[Explanation] = []
    if options["values"] == "on":
        explanations.append(DiscreteValues(setting.cfa, setting.reading))
    loops = LoopInvariants(discovery(setting, interpolation)) if options["relations"] == "on" else None
    if loops is not None:
        explanations.append(loops)
    if "invariants" in methods and setting.arithmetic == "int":
        explanations.append(PathInvariants(analysis, interpolation, split, INVARIANT_SECONDS, loops))
    trace_solver = solvers.create("trace", setting.arithmetic)
    at_once = options["refinement"] == "dag"
    kind = DagRefiner if at_once else SequenceRefiner
    refiner = kind(analysis, terms, trace_solver, interpolation, split, explanations)
    key = search_key(options["search"], cfa.order)
    return Strategy(
        analysis,
        lambda: BestFirst(key),
        pruning(options["prune"], refiner),
        setting.precision(options["granularity"]),
        targets=0 if at_once else 1,
    )


def preprocessed(setting: Setting) -> Strategy[BlockState, Edge, Precision]:
    """Pre-processed large-block encoding: an automaton of large blocks is built first, each of its edges is a block."""
    summary = summarise(setting.cfa, large_block_ends(setting.cfa), setting.reading)
    return predicate(replace(setting, options={**setting.options, "block": "lbe"}), summary)


def discovery(setting: Setting, interpolation: Interpolation) -> Callable[[], Discovery]:
    """Loop invariants of the model over integers, said in the arithmetic of the setting. An execution of the idealised
    model that reaches the error is no counterexample on bits."""

    cfa = setting.cfa
    cuts = large_block_ends(cfa) if setting.options["block"] == "lbe" else frozenset(cfa.locations)

    def on_integers(model: Cfa) -> Discovery:
        return discover(model, setting.reading, setting.solvers, interpolation, cuts)

    def on_bits() -> Discovery:
        found = on_integers(integers(cfa).cfa)
        declared = {v.term.name: v for v in setting.cfa.variables}
        widened = {
            location: tuple(b for i in own if (b := to_bits(setting.terms, i, declared)) is not None and not b.is_const)
            for location, own in found.invariants.items()
        }
        return Discovery(widened)

    if setting.arithmetic == "bits":
        return on_bits
    return lambda: on_integers(cfa)


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
