"""Predicate abstraction with block encoding ([ABE]) and interpolation ([Theta] and [ABE]), composed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.basics.records import replace
from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.minterms import SplittingAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import Mode, PredicateAbstraction
from argosy.domains.summary import Summary, summarise
from argosy.engine.protocols import Feasible, Refined, Refiner, Strategy
from argosy.engine.reached import Node
from argosy.invariants.discovery import Discovery, discover
from argosy.logic.bdd import Regions
from argosy.logic.interpolation import Interpolation
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge
from argosy.models.integers import integers
from argosy.options.programs import BlockOptions, PredicateOptions
from argosy.options.values import LBE, SBE, Blocks, Domain, Explaining, Interpolating
from argosy.refiners.counterexample import blocks_reader
from argosy.refiners.dag import DagRefiner
from argosy.refiners.deception import Deception
from argosy.refiners.discrete import DiscreteValues
from argosy.refiners.invariants import LoopInvariants, PathInvariants
from argosy.refiners.refinement import predicates
from argosy.refiners.splitting import SPLITS, signed_splits
from argosy.refiners.trace import Explanation
from argosy.strategies.acceleration import Expanding, accelerated
from argosy.strategies.blocks import block_operator, large_block_ends
from argosy.strategies.refinement import (
    initial_precision,
    interpolation_of,
    pruning,
    targets,
    trace_checker,
    trace_refiner,
)
from argosy.strategies.search import block_order
from argosy.strategies.setting import Setting

# Spacer finds an invariant of a path program soon, or hardly ever.
INVARIANT_SECONDS = 4.0

MODES: Mapping[Domain, Mode] = {Domain.PRED_CART: "cartesian", Domain.PRED_CONJ: "conjunctive"}


def predicate(setting: Setting[BlockOptions]) -> Strategy[BlockState, Edge, Precision]:
    """The strategy that ``setting.options`` describes."""
    return composed(setting, setting.options.block)


def preprocessed(setting: Setting[PredicateOptions]) -> Strategy[BlockState, Edge, Precision]:
    """Pre-processed large-block encoding: an automaton of large blocks is built first, each of its edges is a block."""
    return composed(setting, LBE, summarise(setting.cfa, large_block_ends(setting.cfa), setting.reading))


def composed(
    setting: Setting[PredicateOptions], blocks: Blocks, summary: Summary | None = None
) -> Strategy[BlockState, Edge, Precision]:
    """On the automaton of the setting, or on a summary of it whose edges are the blocks."""
    options, terms, solvers, cfa = setting.options, setting.terms, setting.solvers, setting.cfa
    paths, ends = Paths(terms, setting.reading), blocks
    faster = None
    if options.acceleration and summary is None and setting.cells is None:
        faster = accelerated(cfa, setting.reading, solvers, setting.arithmetic)
        cfa = cfa if faster is None else faster.cfa
    if summary is not None:
        cfa, paths, ends = summary.cfa, summary.paths, SBE
    abstraction = PredicateAbstraction(
        terms,
        paths,
        Regions(terms),
        setting.solver("abstraction"),
        solvers.counters,
        MODES.get(options.domain, "boolean"),
        setting.budget,
    )
    domain = SplittingAnalysis if options.domain is Domain.PRED_SPLIT else BlockAnalysis
    analysis = domain(cfa, terms, paths, abstraction, block_operator(cfa, ends, abstraction))
    split = (signed_splits(terms) if options.domain is Domain.PRED_CONJ else SPLITS)[options.split.word]
    interpolation = interpolation_of(setting)
    trace_solver = setting.solver("trace")
    deception = Deception(terms, paths, abstraction.regions, trace_solver)
    executions = (
        [DiscreteValues(setting.cfa if faster is None else cfa, setting.reading, deception)] if options.values else []
    )
    explanations: list[Explanation] = []
    loops = LoopInvariants(discovery(setting, interpolation, blocks)) if options.relations else None
    if loops is not None:
        explanations.append(loops)
    if Interpolating.INVARIANTS in options.interpolation and setting.arithmetic != "bits":
        explanations.append(PathInvariants(analysis, interpolation, split, INVARIANT_SECONDS, loops))
    at_once, rule = options.refinement.by is Explaining.DAG, predicates(split)
    refiner: Refiner[Precision]
    if at_once:
        refiner = DagRefiner(analysis, terms, trace_solver, interpolation, split, explanations, executions)
        refiner = pruning(options.prune, refiner)
    else:
        checker = trace_checker(options.refinement.by, setting, interpolation)
        tried = [explained_by(explanation) for explanation in explanations]
        executed = [explained_by(execution) for execution in executions]
        refiner = trace_refiner(setting, blocks_reader(analysis), checker, rule, tried, executed)
    if faster is not None:
        refiner = Expanding(refiner, faster, solvers, setting.budget.seconds)
    return Strategy(
        analysis,
        lambda: block_order(options.search, cfa),
        refiner,
        initial_precision(replace(setting, cfa=cfa), rule),
        targets=0 if at_once else targets(options),
    )


def explained_by(explanation: Explanation) -> Callable[[Node, Precision], Feasible | Refined[Precision] | None]:
    """An explanation that reads the blocks of a target itself."""
    return lambda target, precision: explanation.refine(target, target.state.abstraction.chain(), precision)


def discovery(
    setting: Setting[PredicateOptions], interpolation: Interpolation, blocks: Blocks
) -> Callable[[], Discovery]:
    """Loop invariants of the model over integers, said in the arithmetic of the setting. An execution of the idealised
    model that reaches the error is no counterexample on bits."""

    cfa = setting.cfa
    cuts = large_block_ends(cfa) if blocks == LBE else frozenset(cfa.locations)

    def on_integers(model: Cfa) -> Discovery:
        known = None if setting.cells is not None else setting.discoveries.get(cuts)
        if known is None:
            known = discover(model, setting.reading, setting.solvers, interpolation, cuts, setting.budget)
            if not known.cut and setting.cells is None:
                setting.discoveries[cuts] = known
        return known

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
