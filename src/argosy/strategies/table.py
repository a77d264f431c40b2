"""Every named strategy, for programs, networks of timed automata and transition systems: one explicit table.

Those for networks are the columns of [Directed]'s Table 1 (``rdf``, ``graph``, ``monotone``, ``merge-n50``,
``syntax-b2``, ``refine-b3-r4``), and ``zone-databases``, which goes beyond them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from argosy.basics.records import replace
from argosy.options.clauses import ClauseOptions
from argosy.options.declared import Options
from argosy.options.networks import FirstOfEquals, Guidance, NetworkOptions, NetworkSearch
from argosy.options.programs import (
    BlockOptions,
    BoundedOptions,
    ExecutionOptions,
    ExplicitOptions,
    InductionOptions,
    ObjectOptions,
    PredicateOptions,
    ProductOptions,
    SolvingOptions,
)
from argosy.options.systems import SystemOptions
from argosy.options.values import (
    LBE,
    LOOPS,
    SBE,
    Arrays,
    Covered,
    Domain,
    Explaining,
    Initial,
    Interpolating,
    Pruning,
    Refining,
    SearchOrder,
    Splitting,
    Tracking,
)
from argosy.strategies.named import Named

_PREDICATE = "argosy.strategies.predicate:predicate"
_EXPLICIT = "argosy.strategies.explicit:explicit"
_BOUNDED = "argosy.strategies.bounded:bounded"

_FROM_CORES = (Interpolating.NEWTON, Interpolating.NEWTON_WP, Interpolating.BITWUZLA, Interpolating.SPACER)

_VALUES = ExplicitOptions(
    search=SearchOrder.BFS,
    granularity=Tracking.GLOBAL,
    refinement=Refining(Explaining.VALUES),
    interpolation=_FROM_CORES,
    prune=Pruning.ADAPTIVE,
)

# What the paper's tool does, without what helps us to find predicates ([Theta], Table 4).
_THETA_PREDICATE = BlockOptions(
    domain=Domain.PRED_CART,
    granularity=Tracking.GLOBAL,
    interpolation=tuple(method for method in Interpolating if method is not Interpolating.INVARIANTS),
    relations=False,
    values=False,
    block=SBE,
)

# What the paper's tool does: predicates from the counterexample alone, restarts ([Subsumer], section 4).
_ARMC = replace(
    _THETA_PREDICATE,
    domain=Domain.PRED_CONJ,
    granularity=Tracking.LOCAL,
    search=SearchOrder.BFS,
    prune=Pruning.FULL,
)


def _network(name: str, advice: str, options: NetworkOptions) -> Named:
    return Named(name, advice, options=options, arithmetics=())


def _greedy(name: str, advice: str, options: NetworkOptions) -> Named:
    return _network(name, advice, replace(options, search=NetworkSearch.GREEDY))


STRATEGIES: Mapping[str, Named] = MappingProxyType(
    {
        strategy.name: strategy
        for strategy in (
            Named(
                "auto",
                "explicit values, predicates in large blocks, unwinding, values and predicates, k-induction, Z3's "
                "Spacer: each shortly, then for longer; what a program looks like may change the order",
                stages=(
                    ("explicit", 0.25, 20_000),
                    ("lbe", 0.15, 0),
                    ("bmc", 0.08, 0),
                    ("product", 0.25, 200_000),
                    ("kinduction", 0.1, 0),
                    ("horn", 0.1, 0),
                    ("lbe", 0.4, 0),
                    ("product", 0.6, 0),
                    ("kinduction", 1.0, 0),
                ),
            ),
            Named(
                "lbe",
                "large-block encoding: boolean predicate abstraction at loop heads and at calls only",
                _PREDICATE,
                BlockOptions(block=LBE),
            ),
            Named(
                "lbe-preprocessed",
                "large-block encoding on an automaton whose edges were made large blocks beforehand: the same proofs, "
                "for comparison",
                "argosy.strategies.predicate:preprocessed",
                PredicateOptions(),
            ),
            Named(
                "sbe",
                "single-block encoding: boolean predicate abstraction after every edge",
                _PREDICATE,
                BlockOptions(block=SBE),
            ),
            Named(
                "bmc",
                "bounded model checking with a growing bound: finds bugs, and proves programs whose loops all end soon",
                _BOUNDED,
                BoundedOptions(),
                arithmetics=("bits",),
            ),
            Named(
                "accelerated",
                "bounded model checking in which loops that count take many rounds at once: finds errors that are "
                "hundreds of millions of rounds away, for inputs that a solver finds",
                _BOUNDED,
                BoundedOptions(acceleration=True),
                arithmetics=("bits",),
            ),
            Named(
                "execution",
                "concrete executions, loops natively: finds errors that are hundreds of millions of rounds away, and "
                "those that are easy to hit; proves nothing",
                "argosy.strategies.execution:execution",
                ExecutionOptions(),
                arithmetics=("bits",),
            ),
            Named(
                "kinduction",
                "bounded model checking with the inductive step tried at each bound, helped by guessed invariants",
                _BOUNDED,
                InductionOptions(induction=True),
                arithmetics=("bits",),
            ),
            Named(
                "cartesian",
                "cartesian predicate abstraction: cheaper per edge, and weaker",
                _PREDICATE,
                BlockOptions(block=SBE, domain=Domain.PRED_CART, split=Splitting.CONJUNCTS),
            ),
            Named(
                "armc",
                "conjunctions of predicates after every edge, breadth-first with subsumers first, starting again after "
                "each refinement ([Subsumer])",
                _PREDICATE,
                replace(_ARMC, subsumption=Covered.FIRST),
            ),
            Named(
                "armc-bfs",
                "as armc without subsumers first: what [Subsumer] compares with",
                _PREDICATE,
                _ARMC,
            ),
            Named(
                "explicit",
                "values of the variables that matter, found by following them back from impossible counterexamples",
                _EXPLICIT,
                _VALUES,
                arithmetics=("bits",),
            ),
            Named(
                "explicit-all",
                "the values of all variables from the beginning, with nothing to refine: programs that react to inputs "
                "and have modes, flags and no numbers",
                _EXPLICIT,
                replace(_VALUES, initial_precision=Initial.ALL_VARIABLES),
                arithmetics=("bits",),
            ),
            Named(
                "intervals",
                "bounds of integers and floating-point numbers, widened at loops: cheap, and without any refinement",
                "argosy.strategies.intervals:intervals",
                Options(),
                arithmetics=("bits",),
            ),
            Named(
                "intervals-pred",
                "the same with predicates where bounds do not suffice, which are told of the bounds: relations between "
                "numbers that stay within limits",
                "argosy.strategies.intervals:with_predicates",
                ProductOptions(search=SearchOrder.SCC, granularity=Tracking.GLOBAL, interpolation=_FROM_CORES),
                arithmetics=("bits",),
            ),
            Named(
                "product",
                "explicit values, and predicates for relations between unknown numbers",
                "argosy.strategies.explicit:product",
                ProductOptions(
                    search=SearchOrder.DFS,
                    granularity=Tracking.GLOBAL,
                    interpolation=_FROM_CORES,
                    prune=Pruning.ADAPTIVE,
                ),
                arithmetics=("bits",),
            ),
            Named(
                "horn",
                "the whole program as Horn clauses, with contracts of recursive functions, solved by Z3's Spacer; its "
                "solution is certified like any other",
                "argosy.strategies.clauses:clauses",
                SolvingOptions(),
                contracts=True,
            ),
            Named(
                "cells",
                "large blocks for claims about all elements: an arbitrary index and its element stand for each array",
                _PREDICATE,
                BlockOptions(block=LOOPS, arrays=Arrays.CELLS, relations=False),
                # What is guessed is mostly enough: no interpolants are needed, for which numbers are better.
                arithmetics=("bits", "int"),
            ),
            Named(
                "cells-horn",
                "the same as Horn clauses for Z3's Spacer, where what holds of all elements is known of those that are "
                "read: sums, searches",
                "argosy.strategies.clauses:clauses",
                SolvingOptions(arrays=Arrays.CELL),
            ),
            Named(
                "objects",
                "claims about all objects of the heap, guessed from the text: lists, trees and pools without a bound",
                "argosy.strategies.objects:objects",
                ObjectOptions(arrays=Arrays.CELL),
                arithmetics=("bits",),
            ),
            Named(
                "polynomials",
                "equations between what loops count and add up, modulo 2^w, with bounds from the text: sums, products, "
                "loops of any number of rounds",
                "argosy.strategies.polynomials:polynomials",
                Options(),
                arithmetics=("bits",),
            ),
            Named(
                "closed-forms",
                "where loops go whose rounds are determined, in a formula for any number of them: translations, "
                "periods, phases",
                "argosy.strategies.summaries:closed_forms",
                Options(),
                arithmetics=("bits",),
            ),
            Named(
                "summaries",
                "what any number of rounds of a loop comes to: closed forms, inequalities from how much a round "
                "changes, with equations and bounds from the text",
                "argosy.strategies.summaries:summaries",
                Options(),
                arithmetics=("bits",),
            ),
            Named(
                "auto-clauses",
                "as for programs, and Z3's Spacer in between: each shortly, then for longer",
                options=ClauseOptions(),
                stages=(
                    ("explicit", 0.05, 500),
                    ("horn", 0.1, 0),
                    ("lbe", 0.1, 0),
                    ("explicit", 0.1, 20_000),
                    ("horn", 0.2, 0),
                    ("kinduction", 0.1, 0),
                    ("lbe", 0.2, 0),
                    ("product", 0.25, 200_000),
                    ("kinduction", 0.2, 0),
                    ("horn", 0.4, 0),
                    ("lbe", 0.4, 0),
                    ("product", 0.6, 0),
                    ("kinduction", 1.0, 0),
                ),
            ),
            Named(
                "theta-pred-seq",
                "cartesian predicates, split into atoms, from sequence interpolants, breadth-first ([Theta], Table 4)",
                _PREDICATE,
                replace(_THETA_PREDICATE, search=SearchOrder.BFS),
            ),
            Named(
                "theta-pred-bw",
                "cartesian predicates, kept whole, from backward binary interpolants, heading for the error (Table 4)",
                _PREDICATE,
                replace(
                    _THETA_PREDICATE,
                    split=Splitting.WHOLE,
                    refinement=Refining(Explaining.BW_BIN),
                    search=SearchOrder.ERR,
                ),
            ),
            Named(
                "theta-expl-seq",
                "explicit values without a solver, variables from sequence interpolants, breadth-first (Table 4)",
                _EXPLICIT,
                replace(_VALUES, refinement=Refining(Explaining.SEQ), prune=Pruning.LAZY),
                arithmetics=("bits",),
            ),
            Named(
                "theta-expl-multiseq",
                "explicit values that ask a solver, several counterexamples at once, heading for the error (Table 4)",
                _EXPLICIT,
                replace(
                    _VALUES,
                    max_enum=1,
                    refinement=Refining(Explaining.SEQ, several=True),
                    search=SearchOrder.ERR,
                    prune=Pruning.LAZY,
                ),
                arithmetics=("bits",),
            ),
            Named(
                "auto-systems",
                "property-directed reachability on bits, bounded model checking, k-induction, explicit values, "
                "predicates in large blocks: each shortly, then for longer",
                options=SystemOptions(),
                stages=(
                    ("pdr", 0.05, 0),
                    ("bmc", 0.1, 0),
                    ("kinduction", 0.1, 0),
                    ("pdr", 0.4, 0),
                    ("explicit", 0.15, 20_000),
                    ("lbe", 0.15, 0),
                    ("bmc", 0.5, 0),
                    ("pdr", 1.0, 0),
                ),
            ),
            Named(
                "pdr",
                "property-directed reachability on the bits of a system: clauses that hold one step further each, "
                "until they are inductive",
                options=SystemOptions(),
                arithmetics=("bits",),
            ),
            replace(
                _network(
                    "zones",
                    "the zone graph of timed automata (.xml, .xta, .ta, .tck), explored by the native kernel",
                    NetworkOptions(),
                ),
                beside=("rdf", "zone-databases", "monotone"),
            ),
            _network(
                "rdf",
                "random depth-first search: blind, often quick, with long traces",
                NetworkOptions(search=NetworkSearch.RANDOM_DFS),
            ),
            _greedy(
                "graph",
                "greedy by distances in single automata",
                NetworkOptions(heuristic=Guidance.GRAPH, ties=FirstOfEquals.AGE),
            ),
            _greedy(
                "monotone",
                "greedy by the monotone relaxation, solved in every state",
                NetworkOptions(heuristic=Guidance.MONOTONE),
            ),
            _greedy("merge-n50", "greedy by merged automata of 50 locations", NetworkOptions(heuristic=Guidance.MERGE)),
            _greedy(
                "syntax-b2",
                "greedy by predicates of the text, pairs of automata",
                NetworkOptions(heuristic=Guidance.PA_SYNTAX),
            ),
            _greedy(
                "refine-b3-r4",
                "greedy by predicates of four refinements, three automata together",
                NetworkOptions(heuristic=Guidance.PA_REFINE, split_bound=3, refinements=4),
            ),
            _greedy("zone-databases", "greedy by zone graphs of projections", NetworkOptions(heuristic=Guidance.ZONES)),
        )
    }
)

# What ``auto``, or nothing said, means for a kind of model.
AUTO = "auto"
DEFAULT: Mapping[str, str] = MappingProxyType(
    {"program": "auto", "network": "zones", "system": "auto-systems", "clause": "auto-clauses"}
)

MODEL_KINDS = tuple(DEFAULT)

# A system is read as a program with one loop, clauses as one: what is for programs is for these.
READ_AS: Mapping[str, str] = MappingProxyType({"system": "program", "clause": "program"})


def kinds_of_strategies(kind: str) -> tuple[str, ...]:
    """Whose strategies a kind of model has: its own, and those of what it can be read as."""
    return (kind, READ_AS[kind]) if kind in READ_AS else (kind,)


def strategies_for(kind: str) -> dict[str, Named]:
    """What can be asked for by name; ``auto`` is for every kind."""
    kinds = kinds_of_strategies(kind)
    own = {n: s for k in kinds for n, s in STRATEGIES.items() if s.kind == k and n != AUTO}
    return {AUTO: STRATEGIES[DEFAULT[kind]], **own}
