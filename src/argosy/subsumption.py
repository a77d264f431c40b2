"""Subsumer-first (paper 000): fixpoint checks steer the search.

A new node that covers reached ones will lead to everything that they lead to, and to more. ``SubsumerFirst`` expands
it before whatever waits below them: over any base order, it is queued in front of the first waiting node that lies
below one of them, unless the base order has it earlier anyway. What was computed below them is not thrown away: where
a successor turns out to be there already, the search goes on behind it.

``settle``, which the loop calls for every new node, lets it take the place of what it covers and moves the edges; the
frontier only orders. Law, for ``Vigilant`` to check: no node covers another.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from itertools import count
from math import inf
from typing import Any, Protocol

from argosy.frontier import reopen
from argosy.protocols import Analysis, Frontier, Observer, Subsumption
from argosy.reached import Node, Reached

Position = tuple[Any, ...]
Below = Callable[[Node], Iterable[Node]]


def settle(
    analysis: Analysis[Any, Any, Any], reached: Reached, frontier: Frontier, subsumption: Subsumption, node: Node
) -> None:
    """Let a node wait; under KEEP that is all. Otherwise a node that covers it takes its place at once, or it may take
    the place of all that it covers. The frontier hears of them while the edges are still where they were."""
    if subsumption is Subsumption.KEEP:
        frontier.push(node)
        return
    coverer = find_coverer(analysis, reached, node)
    if coverer is not None:
        reached.replace(node, coverer)
        return
    subsumed = find_subsumed(analysis, reached, node) if subsumption.replaces else []
    for old in subsumed:
        frontier.subsumed(old, node)
    for old in subsumed:
        if old in reached:
            reached.replace(old, node)
            if subsumption is Subsumption.PRUNE:
                reopen(frontier, reached.discard(old, node))
    frontier.push(node)


def find_subsumed(analysis: Analysis[Any, Any, Any], reached: Reached, node: Node) -> list[Node]:
    """The nodes that ``node`` covers, oldest first."""
    sheltered = getattr(analysis, "sheltered", analysis.shelters)
    return [
        old
        for partition in sheltered(node.state)
        for old in reached.at(partition)
        if old is not node and not old.target and analysis.covers(node.state, old.state)
    ]


def find_coverer(analysis: Analysis[Any, Any, Any], reached: Reached, node: Node) -> Node | None:
    """The oldest node that covers ``node``. A covered node covers nothing, or covering could go in a circle."""
    for partition in analysis.shelters(node.state):
        for old in reached.at(partition):
            if old is not node and old.coverer is None and analysis.covers(old.state, node.state):
                return old
    return None


class Order(Protocol):
    """The smallest key first, among equals the oldest, or the newest."""

    @property
    def key(self) -> Callable[[Node], Any]: ...
    @property
    def newest(self) -> bool: ...


def reachable(node: Node) -> Iterable[Node]:
    """Along the edges, as they have moved (``computeSubtree`` of Figure 2)."""
    return (child for _, child in node.children)


def derived(node: Node) -> Iterable[Node]:
    """Only what was computed from the node itself (the last paragraph of section 6): a node to which an edge has moved
    may lead to more than the new one does."""
    return node.offspring


class SubsumerFirst:
    """Over the order ``base``, which is asked for its key only.

    A position is the key and the time of the queuing, closed by infinity. In front of a position with that beginning
    there is room for any number of others: each gets the next number in the place of infinity. So a place in the queue
    is found, and taken, without looking at the rest of it; the cost is that of the walk below the subsumed nodes.
    """

    def __init__(self, base: Order, below: Below = reachable) -> None:
        self._key, self._newest = base.key, base.newest
        self._below = below
        self._tickets = count()
        self._waiting: dict[Node, Position] = {}
        self._heap: list[tuple[Position, int, Node]] = []
        self._subsumer: Node | None = None
        self._walked: set[Node] = set()
        self._first: Position | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, node: Node) -> None:
        if node in self._waiting:
            return
        ticket = next(self._tickets)
        position: Position = (self._key(node), -ticket if self._newest else ticket, inf)
        if node is self._subsumer and self._first is not None:
            position = min(position, (*self._first[:-1], ticket, inf))
            self._subsumer = None
        self._waiting[node] = position
        heapq.heappush(self._heap, (position, node.id, node))

    def pop(self) -> Node:
        while True:
            position, _, node = heapq.heappop(self._heap)
            if self._waiting.get(node) is position:
                del self._waiting[node]
                return node

    def remove(self, node: Node) -> None:
        self._waiting.pop(node, None)

    def subsumed(self, node: Node, by: Node) -> None:
        """Remember the first position below ``node``, and below all others that ``by`` takes the place of. The edges
        may go in circles; what was walked for one of them is not walked again for the next. Nothing comes before the
        head of the queue: where that is found, the walk ends."""
        if self._subsumer is not by:
            self._subsumer, self._walked, self._first = by, set(), None
        walked, waiting, head = self._walked, self._waiting, self._head()
        below = [] if node in walked else [node]
        walked.update(below)
        for at in below:
            if self._first is not None and self._first is head:
                break
            position = waiting.get(at)
            if position is not None and (self._first is None or position < self._first):
                self._first = position
            for child in self._below(at):
                if child not in walked:
                    walked.add(child)
                    below.append(child)
        self.remove(node)

    def _head(self) -> Position | None:
        """The position of what would be popped next."""
        while self._heap and self._waiting.get(self._heap[0][2]) is not self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def queue(self) -> list[Node]:
        """What waits, in the order in which it would be popped."""
        return sorted(self._waiting, key=lambda node: self._waiting[node])


class Vigilant:
    """An observer that checks the law after every step, and the graph with it. For tests: quadratic."""

    def __init__(self, analysis: Analysis[Any, Any, Any], observer: Observer) -> None:
        self._analysis = analysis
        self._observer = observer

    def expanded(self, node: Node, reached: Reached) -> None:
        self.check(reached)
        self._observer.expanded(node, reached)

    def refined(self, reached: Reached, precision: Any) -> None:
        self.check(reached)
        self._observer.refined(reached, precision)

    def check(self, reached: Reached) -> None:
        reached.validate()
        states = [node for node in reached if not node.target]
        for one in states:
            for partition in self._analysis.shelters(one.state):
                for other in reached.at(partition):
                    covers = other is not one and not other.target and self._analysis.covers(other.state, one.state)
                    assert not covers, f"{other} covers {one}"
