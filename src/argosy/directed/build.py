"""From the names of options to a heuristic: what ``--heuristic`` and its companions mean."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from argosy.directed.abstraction import Predicates
from argosy.directed.backwards import Limits
from argosy.directed.distance import graph_distance
from argosy.directed.merging import merging
from argosy.directed.monotone import monotone
from argosy.directed.parts import Part, PartGoal, Reader, TooLarge
from argosy.directed.patterns import STATES, Patterns, from_syntax
from argosy.directed.refinement import Refinement
from argosy.directed.zone_databases import ZoneDatabases
from argosy.kernel.heuristics import KernelHeuristic
from argosy.models.network import Network
from argosy.models.network_queries import Goal


@dataclass(frozen=True, slots=True)
class Built:
    """``heuristic`` is None where nothing could be built within the limits; ``seconds`` is what building took;
    ``dropped`` says which conditions the parts of a split network do without."""

    heuristic: KernelHeuristic | None
    description: str
    seconds: float
    dropped: tuple[str, ...] = ()


def build(
    network: Network, goals: Iterable[Goal], options: Mapping[str, str], seconds: float, states: int = STATES
) -> Built:
    """The heuristic that ``options`` (of ``strategies.networks``) ask for; building ends after about ``seconds``, and
    no database has more than ``states`` states."""
    begun = time.monotonic()
    asked = tuple(goals)
    dropped: tuple[str, ...] = ()
    heuristic: KernelHeuristic | None
    try:
        if options["heuristic"] in ("pa-syntax", "pa-refine"):
            heuristic, description, dropped = _patterns(network, asked, options, seconds, states)
        else:
            heuristic, description = _other(network, asked, options, seconds, states)
    except TooLarge as error:
        heuristic, description = graph_distance(network, asked), f"distances in single automata, as {error}"
    return Built(heuristic, description, time.monotonic() - begun, dropped)


def _other(
    network: Network, goals: tuple[Goal, ...], options: Mapping[str, str], seconds: float, states: int
) -> tuple[KernelHeuristic | None, str]:
    match options["heuristic"]:
        case "graph":
            return graph_distance(network, goals, options["combine"] == "sum"), "distances in single automata"
        case "monotone":
            counts_plan = options["relaxation"] == "plan" and options["combine"] != "admissible"
            return monotone(network, goals, counts_plan), "the monotone relaxation"
        case "merge":
            bound = int(options["merge-bound"])
            return merging(network, goals, bound, seconds), f"automata merged up to {bound} locations"
        case _:
            builder = ZoneDatabases(network, goals, states, seconds)
            heuristic = builder.heuristic()
            sizes = ", ".join(str(part.states) for part in builder.parts)
            return heuristic, f"zone graphs of projections ({sizes or 'none fits'})"


def _patterns(
    network: Network, goals: tuple[Goal, ...], options: Mapping[str, str], seconds: float, states: int
) -> tuple[KernelHeuristic, str, tuple[str, ...]]:
    rounds = None if options["refinements"] == "auto" else int(options["refinements"])

    end = time.monotonic() + seconds / 2

    def refined(part: Part, reader: Reader, goal: PartGoal) -> Predicates:
        # Each exploration may take half of what is left, so that later rounds and parts have some.
        limits = Limits(states, max(end - time.monotonic(), 0.0) / 2)
        return Refinement(part, reader, goal, limits, options["spurious"] == "all").predicates(rounds)

    patterns = Patterns(
        network,
        goals,
        None if options["split-bound"] == "all" else int(options["split-bound"]),
        from_syntax if options["heuristic"] == "pa-syntax" else refined,
        shared=options["combine"] == "admissible",
        states=states,
        seconds=seconds,
    )
    sizes = ", ".join(
        f"{len(pattern.predicates)} predicates {len(pattern.space.distances)} states"
        + ("" if pattern.space.complete else ", cut off")
        for pattern in patterns.patterns
    )
    description = f"predicate abstraction of parts ({sizes}; {len(patterns.dropped)} conditions dropped)"
    dropped = tuple(dict.fromkeys(its.describe(network) for its in patterns.dropped))
    return patterns.heuristic(options["combine"] != "max"), description, dropped
