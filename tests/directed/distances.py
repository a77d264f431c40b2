"""True distances in the zone graph of small networks, by exhaustion: what admissible heuristics are compared with."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import TypeVar

from argosy.kernel.bounds import analyse
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.heuristics import KernelHeuristic
from argosy.kernel.ranges import Ranges
from argosy.kernel.tables import compile_network
from argosy.models.network import Network
from argosy.models.network_queries import Goal

S = TypeVar("S", bound=Hashable)


class TooMany(Exception):
    """The network is not small."""


def true_distances(network: Network, goals: Sequence[Goal], most: int = 250) -> dict[SymbolicState, float]:
    """Of every state that the search may meet, how many actions a goal is away. Model errors are raised."""
    bounds = analyse(network, goals, Ranges(network, goals))
    graph = ZoneGraph(network)
    entering: dict[SymbolicState, set[SymbolicState]] = {}
    waiting = deque(graph.abstracted(graph.start(), bounds))
    entering.update({state: set() for state in waiting})
    while waiting:
        state = waiting.popleft()
        for step in graph.exact_successors(state):
            for target in graph.abstracted(step.target, bounds):
                if target not in entering:
                    if len(entering) >= most:
                        raise TooMany
                    entering[target] = set()
                    waiting.append(target)
                entering[target].add(state)
    return steps_to({state for state in entering if any(graph.met(state, goal) for goal in goals)}, entering)


def steps_to(goals: Iterable[S], entering: Mapping[S, Iterable[S]]) -> dict[S, float]:
    """How many steps each state is away from the nearest goal."""
    distances: dict[S, float] = {**dict.fromkeys(entering, inf), **dict.fromkeys(goals, 0.0)}
    queue = deque(state for state, distance in distances.items() if distance == 0)
    while queue:
        state = queue.popleft()
        for source in entering[state]:
            if distances[source] == inf:
                distances[source] = distances[state] + 1
                queue.append(source)
    return distances


class Estimates:
    """A heuristic asked about single states, as the kernel would."""

    def __init__(self, network: Network, goals: Sequence[Goal], heuristic: KernelHeuristic) -> None:
        self._compiled = compile_network(network, goals, heuristic.literals)
        self._native = heuristic.build(self._compiled)
        self._clocks = list(range(len(network.clocks)))

    def of(self, state: SymbolicState) -> float:
        model = self._compiled.model
        return self._native.value(model, state.locations, state.values, self._clocks, state.zone.bounds)
