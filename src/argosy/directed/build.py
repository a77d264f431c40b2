"""From the names of options to a heuristic: what ``--heuristic`` and its companions mean."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from argosy.directed.distance import graph_distance
from argosy.directed.zone_databases import ZoneDatabases
from argosy.kernel.heuristics import KernelHeuristic
from argosy.models.network import Network
from argosy.models.network_queries import Goal


@dataclass(frozen=True, slots=True)
class Built:
    """``heuristic`` is None where nothing could be built within the limits; ``seconds`` is what building took."""

    heuristic: KernelHeuristic | None
    description: str
    seconds: float


def build(network: Network, goals: Iterable[Goal], options: Mapping[str, str], seconds: float) -> Built:
    """The heuristic that ``options`` (of ``strategies.networks``) ask for; building ends after about ``seconds``."""
    begun = time.monotonic()
    asked = tuple(goals)
    heuristic, description = _build(network, asked, options, seconds)
    return Built(heuristic, description, time.monotonic() - begun)


def _build(
    network: Network, goals: tuple[Goal, ...], options: Mapping[str, str], seconds: float
) -> tuple[KernelHeuristic | None, str]:
    sums = options["combine"] == "sum"
    match options["heuristic"]:
        case "graph":
            return graph_distance(network, goals, sums), "distances in single automata"
        case _:
            builder = ZoneDatabases(network, goals, seconds=seconds)
            heuristic = builder.heuristic()
            sizes = ", ".join(str(part.states) for part in builder.parts)
            return heuristic, f"zone graphs of projections ({sizes or 'none fits'})"
