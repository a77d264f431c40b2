"""From the names of options to a heuristic: what ``--heuristic`` and its companions mean."""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.directed.abstraction import Predicates
from argosy.directed.distance import graph_distance
from argosy.directed.merging import merging
from argosy.directed.monotone import monotone
from argosy.directed.parts import ConditionReader, NetworkPart, PartGoal, TooLarge
from argosy.directed.patterns import STATES, Patterns, from_syntax
from argosy.directed.refinement import Refinement
from argosy.directed.zone_databases import ZoneDatabases
from argosy.kernel.heuristics import KernelHeuristic
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.options.networks import Combining, Excluded, Guidance, NetworkOptions, Relaxed


@dataclass(frozen=True, slots=True)
class Built:
    """``heuristic`` is None where nothing could be built within the limits; ``seconds`` is what building took of the
    processor; ``dropped`` says which conditions the parts of a split network do without."""

    heuristic: KernelHeuristic | None
    description: str
    seconds: float
    dropped: tuple[str, ...] = ()


def build(
    network: Network,
    goals: Iterable[Goal],
    options: NetworkOptions,
    budget: Budget = UNLIMITED,
    states: int = STATES,
) -> Built:
    """The heuristic that ``options`` ask for; building ends with the ``budget``, and no
    database has more than ``states`` states."""
    begun = budget.clock()
    asked = tuple(goals)
    dropped: tuple[str, ...] = ()
    heuristic: KernelHeuristic | None
    try:
        if options.heuristic in (Guidance.PA_SYNTAX, Guidance.PA_REFINE):
            heuristic, description, dropped = _patterns(network, asked, options, budget, states)
        else:
            heuristic, description = _other(network, asked, options, budget, states)
    except TooLarge as error:
        heuristic, description = graph_distance(network, asked), f"distances in single automata, as {error}"
    return Built(heuristic, description, budget.clock() - begun, dropped)


def _other(
    network: Network, goals: tuple[Goal, ...], options: NetworkOptions, budget: Budget, states: int
) -> tuple[KernelHeuristic | None, str]:
    match options.heuristic:
        case Guidance.GRAPH:
            return graph_distance(network, goals, options.combine is Combining.SUM), "distances in single automata"
        case Guidance.MONOTONE:
            counts_plan = options.relaxation is Relaxed.PLAN and options.combine is not Combining.ADMISSIBLE
            return monotone(network, goals, counts_plan), "the monotone relaxation"
        case Guidance.MERGE:
            bound = options.merge_bound
            return merging(network, goals, bound, budget), f"automata merged up to {bound} locations"
        case _:
            builder = ZoneDatabases(network, goals, states, budget)
            heuristic = builder.heuristic()
            sizes = ", ".join(str(part.states) for part in builder.parts)
            return heuristic, f"zone graphs of projections ({sizes or 'none fits'})"


def _patterns(
    network: Network, goals: tuple[Goal, ...], options: NetworkOptions, budget: Budget, states: int
) -> tuple[KernelHeuristic, str, tuple[str, ...]]:
    refining = budget.share(0.5)

    def refined(part: NetworkPart, reader: ConditionReader, goal: PartGoal) -> Predicates:
        every = options.spurious is Excluded.ALL
        return Refinement(part, reader, goal, states, refining, every).predicates(options.refinements)

    patterns = Patterns(
        network,
        goals,
        options.split_bound,
        from_syntax if options.heuristic is Guidance.PA_SYNTAX else refined,
        shared=options.combine is Combining.ADMISSIBLE,
        states=states,
        budget=budget,
    )
    sizes = ", ".join(
        f"{len(pattern.predicates)} predicates {len(pattern.space.distances)} states"
        + ("" if pattern.space.complete else ", cut off")
        for pattern in patterns.patterns
    )
    description = f"predicate abstraction of parts ({sizes}; {len(patterns.dropped)} conditions dropped)"
    dropped = tuple(dict.fromkeys(its.describe(network) for its in patterns.dropped))
    return patterns.heuristic(options.combine is not Combining.MAX), description, dropped
