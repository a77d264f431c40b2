"""Subsumer-first ([Subsumer]): fixpoint checks steer the search.

A new node that covers reached ones will lead to everything that they lead to, and to more. ``SubsumerFirst`` expands
it before whatever waits below them: over any base order, it is queued in front of the first waiting node that lies
below one of them, unless the base order has it earlier anyway. What was computed below them is not thrown away: where
a successor turns out to be there already, the search goes on behind it.

``settle``, which the loop calls for every new node, lets it take the place of what it covers and moves the edges; the
frontier only orders. Law, for ``Vigilant`` to check: no node covers another.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from math import inf
from typing import Any, NamedTuple, Protocol, TypeGuard

from argosy.basics.records import dataclass
from argosy.engine.frontier import reopen
from argosy.engine.protocols import Analysis, Frontier, Observer, Sheltering, Subsumption
from argosy.engine.reached import Node, Reached

Position = tuple[Any, ...]
Neighbours = Callable[[Node], Iterable[Node]]
_SHELTERING: dict[type, bool] = {}


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
        frontier.remove(node)
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
    sheltered = analysis.sheltered if _is_sheltering(analysis) else analysis.shelters
    return [
        old
        for partition in sheltered(node.state)
        for old in reached.at(partition)
        if old is not node and not old.target and analysis.covers(node.state, old.state)
    ]


def _is_sheltering(analysis: object) -> TypeGuard[Sheltering[Any]]:
    """Found out once for each kind of analysis: a structural question takes longer than what it is asked for."""
    kind = type(analysis)
    known = _SHELTERING.get(kind)
    if known is None:
        known = _SHELTERING[kind] = issubclass(kind, Sheltering)
    return known


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


@dataclass(frozen=True, slots=True)
class Descent:
    """Which nodes lie below another. Law: ``above`` is the converse."""

    below: Neighbours
    above: Neighbours


reachable = Descent(
    lambda node: (child for _, child in node.children),
    lambda node: (parent for parent, _ in node.parents),
)
"""Along the edges, as they have moved (``computeSubtree`` of Figure 2)."""

derived = Descent(
    lambda node: node.offspring,
    lambda node: () if node.derivation is None else (node.derivation[0],),
)
"""Only what was computed from the node itself (the last paragraph of section 6): a node to which an edge has moved may
lead to more than the new one does."""


class First(NamedTuple):
    """What is first below a node: ``waits``, at ``position``. From the node down to ``fork`` only one way leads to
    anything that waits."""

    position: Position
    waits: Node
    fork: Node


class SubsumerFirst:
    """Over the order ``base``, which is asked for its key only.

    A position is the key and the time of the queuing, closed by infinity. In front of a position with that beginning
    there is room for any number of others: each gets the next number in the place of infinity. So a place in the queue
    is taken without looking at the rest of it.

    It is found by a walk, and what the walk learns is kept (``First``). A later one ends at a node as long as what was
    first below it still waits; otherwise it goes on where the ways fork. So a walk passes what waits below the subsumed
    node and what was queued since the last walk, but not all that lies between.

    What is kept above a subsumer is dropped when it is queued. A successor of the node that was popped last needs no
    such care: what is kept above that one tells of nothing that still waits, and the fork is not below it.
    """

    def __init__(self, base: Order, relation: Descent = reachable) -> None:
        self._key, self._newest = base.key, base.newest
        self._relation = relation
        self._tickets = count()
        self._waiting: dict[Node, Position] = {}
        self._heap: list[tuple[Position, int, Node]] = []
        self._first: dict[Node, First | None] = {}
        self._subsumer: Node | None = None
        self._before: Position | None = None
        self.passed = 0
        """How many nodes were looked at so far to find places."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, node: Node) -> None:
        position = self._waiting.get(node)
        if position is None:
            position = self._waiting[node] = self._position(node)
            heapq.heappush(self._heap, (position, node.id, node))
        if node is self._subsumer or node in self._first or any(True for _ in self._relation.below(node)):
            self._forget(node)
        else:
            self._first[node] = First(position, node, node)
        self._subsumer = None

    def pop(self) -> Node:
        while True:
            position, _, node = heapq.heappop(self._heap)
            if self._waiting.get(node) is position:
                del self._waiting[node]
                return node

    def remove(self, node: Node) -> None:
        self._waiting.pop(node, None)
        if node in self._first:
            # What lies above may have led to others by way of it alone.
            self._first = {}

    def subsumed(self, node: Node, by: Node) -> None:
        """Remember the first position below ``node``, and below all others that ``by`` takes the place of."""
        if self._subsumer is not by:
            self._subsumer, self._before = by, None
        first = self._find(node)
        if first is not None and (self._before is None or first < self._before):
            self._before = first
        self._waiting.pop(node, None)

    def queue(self) -> list[Node]:
        """What waits, in the order in which it would be popped."""
        return sorted(self._waiting, key=lambda node: self._waiting[node])

    def _position(self, node: Node) -> Position:
        ticket = next(self._tickets)
        position: Position = (self._key(node), -ticket if self._newest else ticket, inf)
        if node is self._subsumer and self._before is not None:
            position = min(position, (*self._before[:-1], ticket, inf))
        return position

    def _find(self, node: Node) -> Position | None:
        """The first position below a node, itself included. Edges may go in circles."""
        waiting, kept = self._waiting, self._first
        ways: dict[Node, list[Node]] = {}
        back: dict[Node, list[Node]] = {node: []}
        found: list[tuple[First, Node]] = []
        order = [node]
        for at in order:
            first = kept.get(at)
            if first is None and at in kept:
                continue
            if first is not None and waiting.get(first.waits) is first.position:
                found.append((first, at))
                continue
            if at in waiting:
                found.append((First(waiting[at], at, at), at))
            ways[at] = list(self._relation.below(at) if first is None or first.fork is at else [first.fork])
            for child in ways[at]:
                if child not in back:
                    back[child] = []
                    order.append(child)
                back[child].append(at)
        self.passed += len(order)
        # The first that waits is handed up to all that lead to it, then the second to those that are left.
        left = dict.fromkeys(order)
        kept.update(left)
        for first, at in sorted(found, key=lambda one: one[0].position):
            up = [at]
            while up:
                at = up.pop()
                if at in left:
                    del left[at]
                    kept[at] = first
                    up += back[at]
        self._find_forks(ways)
        first = kept[node]
        return None if first is None else first.position

    def _find_forks(self, ways: Mapping[Node, Iterable[Node]]) -> None:
        """For each node from which ``ways`` lead on, and below which something waits."""
        kept = self._first
        only: dict[Node, Node] = {}
        for at, children in ways.items():
            leading = list(dict.fromkeys(child for child in children if kept[child] is not None))
            if len(leading) == 1 and at not in self._waiting:
                only[at] = leading[0]
        forks: dict[Node, Node] = {}
        for at in ways:
            passed = []
            while at in only and at not in forks:
                passed.append(at)
                at = only[at]
            first = kept[at]
            fork = forks.get(at, at if at in ways or first is None else first.fork)
            forks.update(dict.fromkeys(passed, fork))
        for at in ways:
            first = kept[at]
            if first is not None:
                kept[at] = First(first.position, first.waits, forks.get(at, at))

    def _forget(self, node: Node) -> None:
        """What is kept for a node, and for all above it."""
        self._first.pop(node, None)
        left = list(self._relation.above(node))
        while left:
            at = left.pop()
            if at in self._first:
                self.passed += 1
                del self._first[at]
                left.extend(self._relation.above(at))


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
