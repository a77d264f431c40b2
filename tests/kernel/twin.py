"""The search of ``cpp/search.hpp`` once more, in Python and without its machinery: the oracle of the tests.

Breadth-first, one list of zones per discrete state, inclusion in both directions. It explains the kernel: the native
search does the same with packed states, other orders and limits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from argosy.kernel.bounds import Bounds, analyse
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.ranges import Ranges
from argosy.models.network import Network, TimedEdge
from argosy.models.network_queries import Goal


@dataclass(slots=True, eq=False)
class _Node:
    state: SymbolicState
    parent: _Node | None
    edges: tuple[TimedEdge, ...]
    alive: bool = True


@dataclass(slots=True)
class Exploration:
    """What a search found: the stored states by discrete state, and the trace to the first goal, if any is met."""

    stored: dict[object, list[SymbolicState]] = field(default_factory=dict)
    goal: Goal | None = None
    trace: tuple[tuple[TimedEdge, ...], ...] | None = None
    visited: int = 0
    transitions: int = 0

    @property
    def states(self) -> int:
        return sum(map(len, self.stored.values()))


def explore(network: Network, goals: Iterable[Goal], bounds: Bounds | None = None) -> Exploration:
    """Breadth-first until a goal is met or nothing waits. Model errors are raised."""
    asked = tuple(goals)
    bounds = bounds or analyse(network, asked, Ranges(network, asked))
    graph = ZoneGraph(network)
    nodes: dict[object, list[_Node]] = {}
    waiting: deque[_Node] = deque()
    result = Exploration()

    def store(state: SymbolicState, parent: _Node | None, edges: tuple[TimedEdge, ...]) -> bool:
        """Keep the state unless a larger one is there; True if it meets a goal."""
        chain = nodes.setdefault(state.discrete, [])
        if any(old.state.zone.includes(state.zone) for old in chain):
            return False
        for old in chain:
            old.alive = not state.zone.includes(old.state.zone)
        node = _Node(state, parent, edges)
        nodes[state.discrete] = [node, *(old for old in chain if old.alive)]
        waiting.append(node)
        result.goal = next((goal for goal in asked if graph.met(state, goal)), None)
        if result.goal is not None:
            result.trace = _trace(node)
        return result.goal is not None

    found = any(store(state, None, ()) for state in graph.abstracted(graph.start(), bounds))
    while waiting and not found:
        node = waiting.popleft()
        if not node.alive:
            continue
        result.visited += 1
        for step in graph.exact_successors(node.state):
            for state in graph.abstracted(step.target, bounds):
                result.transitions += 1
                found = found or store(state, node, step.action.edges)
    result.stored = {discrete: [node.state for node in chain] for discrete, chain in nodes.items()}
    return result


def _trace(node: _Node) -> tuple[tuple[TimedEdge, ...], ...]:
    edges = []
    while node.parent is not None:
        edges.append(node.edges)
        node = node.parent
    return tuple(reversed(edges))
