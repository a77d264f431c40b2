"""Merging automata up to N locations (Draeger, Finkbeiner, Podelski: paper 003's [5]).

Components join one merged automaton, those that have to do with the target first, and then whatever shares most
actions with it. After each product locations are merged until N are left: locations with different distances to a
target are kept apart as long as that is possible, nearest first, and of the same distance those whose actions lead to
different locations.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from math import inf

from argosy.directed.finite import FiniteAction, FiniteNetwork, finite
from argosy.kernel.heuristics import Combined, Component, KernelHeuristic, MergedAutomata
from argosy.models.network import Network
from argosy.models.network_queries import Goal

BOUND = 50
TARGETS = 16

Moves = dict[int, list[tuple[int, int]]]
"""For actions that concern an automaton: pairs of locations. Other actions leave it where it is."""


def merging(network: Network, goals: Iterable[Goal], bound: int = BOUND, seconds: float = inf) -> KernelHeuristic:
    model = finite(network, goals)
    end = time.monotonic() + seconds
    merged = tuple(Merging(model, goal, bound).run(end) for goal in model.goals[:TARGETS])
    return merged[0] if len(merged) == 1 else Combined(merged, tuple((k,) for k in range(len(merged))))


class Merging:
    """For one target; ``target`` has components with the offsets they may have, as masks."""

    def __init__(self, model: FiniteNetwork, target: Sequence[tuple[int, int]], bound: int) -> None:
        self._model = model
        self._target = dict(target)
        self._bound = bound
        self._own = [self._moves(component) for component in range(len(model.components))]

    def run(self, end: float = inf) -> MergedAutomata:
        """Ends early, with fewer components, where the time does."""
        size = 1
        moves: Moves = {}
        goals = {0}
        steps: list[tuple[Component, tuple[int, ...]]] = []
        for component in self._order():
            if time.monotonic() > end and steps:
                break
            count = self._model.components[component].count
            moves = self._product(size, moves, count, self._own[component])
            wanted = self._target.get(component)
            goals = {
                location * count + value
                for location in goals
                for value in range(count)
                if wanted is None or wanted >> value & 1
            }
            size *= count
            classes = self._shrunk(size, moves, goals)
            steps.append((self._model.components[component], tuple(classes)))
            size = max(classes) + 1
            goals = {classes[location] for location in goals}
            moves = {
                action: list(dict.fromkeys((classes[source], classes[target]) for source, target in pairs))
                for action, pairs in moves.items()
            }
        return MergedAutomata(tuple(steps), tuple(_distances(size, moves, goals)))

    def _order(self) -> list[int]:
        order = sorted(self._target)
        rest = set(range(len(self._model.components))) - set(order)
        if not order:
            return sorted(rest)
        known = set().union(*(self._own[component] for component in order))
        while rest:
            best = max(rest, key=lambda component: (len(known & self._own[component].keys()), -component))
            if not known & self._own[best].keys():
                break
            order.append(best)
            rest.discard(best)
            known |= self._own[best].keys()
        return order

    def _moves(self, component: int) -> Moves:
        found: Moves = {}
        count = self._model.components[component].count
        for number, action in enumerate(self._model.actions):
            pairs = _pairs(component, count, action)
            if pairs is not None:
                found[number] = pairs
        return found

    @staticmethod
    def _product(size: int, moves: Moves, count: int, own: Moves) -> Moves:
        still = [(location, location) for location in range(size)]
        stays = [(value, value) for value in range(count)]
        product: Moves = {}
        for action in moves.keys() | own.keys():
            left, right = moves.get(action, still), own.get(action, stays)
            product[action] = [(a * count + c, b * count + d) for a, b in left for c, d in right]
        return product

    def _shrunk(self, size: int, moves: Moves, goals: set[int]) -> list[int]:
        """The class of each location; at most ``bound`` classes."""
        distances = _distances(size, moves, goals)
        levels = sorted(set(distances))
        kept = levels[: self._bound - 1] if len(levels) > self._bound else levels
        classes = [kept.index(d) if d in kept else len(kept) for d in distances]
        count = max(classes) + 1
        leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for action, pairs in moves.items():
            for source, target in pairs:
                leaving[source].append((action, target))
        refined = True
        while refined and count < self._bound:
            refined = False
            for level in range(count):
                members = [location for location in range(size) if classes[location] == level]
                groups: dict[frozenset[tuple[int, int]], list[int]] = {}
                for location in members:
                    signature = frozenset((action, classes[target]) for action, target in leaving[location])
                    groups.setdefault(signature, []).append(location)
                for group in list(groups.values())[1:]:
                    if count >= self._bound:
                        return classes
                    for location in group:
                        classes[location] = count
                    count += 1
                    refined = True
        return classes


def _pairs(component: int, count: int, action: FiniteAction) -> list[tuple[int, int]] | None:
    """What the action does to a component; None if it leaves it alone whatever its value."""
    mask = dict(action.needs).get(component)
    written = [w for w in action.writes if w.component == component]
    sources = [v for v in range(count) if mask is None or mask >> v & 1]
    if not written:
        return None if mask is None else [(v, v) for v in sources]
    if written[-1].unknown:
        return [(v, w) for v in sources for w in range(count)]
    pairs: dict[tuple[int, int], None] = {}
    for given, offset in written[-1].outcomes:
        own = dict(given).get(component)
        pairs.update({(v, offset): None for v in sources if own in (None, v)})
    return list(pairs)


def _distances(size: int, moves: Moves, goals: Iterable[int]) -> list[float]:
    entering: list[set[int]] = [set() for _ in range(size)]
    for pairs in moves.values():
        for source, target in pairs:
            if source != target:
                entering[target].add(source)
    distances = [inf] * size
    queue = deque(sorted(goals))
    for goal in queue:
        distances[goal] = 0
    while queue:
        location = queue.popleft()
        for source in entering[location]:
            if distances[source] == inf:
                distances[source] = distances[location] + 1
                queue.append(source)
    return distances
