"""Distances in the graphs of single automata (Edelkamp, Lluch-Lafuente, Leue: [Directed]'s [6]).

Guards, synchronisation and variables are disregarded: how many edges does a process need, at least, from a location to
one that the query asks for? Summed up over the processes or maximised; the least over the ways to meet the query.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import inf

from argosy.directed.conditions import Target, targets
from argosy.kernel.heuristics import Combined, KernelHeuristic, LocationDistances
from argosy.models.network import Network, TimedProcess
from argosy.models.network_expressions import AtLocation, Expression, Unary
from argosy.models.network_queries import Goal


def graph_distance(network: Network, goals: Iterable[Goal], sums: bool = True) -> KernelHeuristic:
    alternatives = tuple(
        LocationDistances(tuple(to_target(process, target) for process in network.processes), sums)
        for target in targets(goals)
    )
    if len(alternatives) == 1:
        return alternatives[0]
    return Combined(alternatives, tuple((k,) for k in range(len(alternatives))))


def to_target(process: TimedProcess, target: Target) -> tuple[float, ...]:
    """From every location of the process to one in which nothing that the target says about it is violated."""
    wanted = [
        location.index
        for location in process.locations
        if all(_may_hold(condition, process.index, location.index) for condition in target.conditions)
    ]
    return distances(process, wanted)


def distances(process: TimedProcess, wanted: Iterable[int]) -> tuple[float, ...]:
    entering: list[list[int]] = [[] for _ in process.locations]
    for edge in process.edges:
        entering[edge.target].append(edge.source)
    found = dict.fromkeys(wanted, 0)
    queue = deque(found)
    while queue:
        location = queue.popleft()
        for source in entering[location]:
            if source not in found:
                found[source] = found[location] + 1
                queue.append(source)
    return tuple(found.get(location, inf) for location in range(len(process.locations)))


def _may_hold(condition: Expression, process: int, location: int) -> bool:
    match condition:
        case AtLocation(its_process, its_location) if its_process == process:
            return its_location == location
        case Unary("!", AtLocation(its_process, its_location)) if its_process == process:
            return its_location != location
    return True
