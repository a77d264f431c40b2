"""Search orders over waiting nodes ([Theta], section 3.1.2). Each is a key, the smallest first, and among equals the
oldest or the newest: what stands on an order (``subsumption``) asks for no more."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any

from argosy.engine.protocols import Frontier
from argosy.engine.reached import Node, Pruned


class _Lazy:
    """Removal is a mark: an entry is valid while it is the node's latest."""

    def __init__(self) -> None:
        self._tickets = count()
        self._waiting: OrderedDict[Node, int] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)

    def remove(self, node: Node) -> None:
        self._waiting.pop(node, None)

    def subsumed(self, node: Node, by: Node) -> None:
        self.remove(node)

    def _admit(self, node: Node) -> int | None:
        """A ticket for a node that does not wait yet."""
        if node in self._waiting:
            return None
        ticket = self._waiting[node] = next(self._tickets)
        return ticket


def _equal(node: Node) -> int:
    return 0


class Fifo(_Lazy):
    """Breadth-first."""

    key: Callable[[Node], Any] = staticmethod(_equal)
    newest = False

    def push(self, node: Node) -> None:
        self._admit(node)

    def pop(self) -> Node:
        return self._waiting.popitem(last=False)[0]


class Lifo(_Lazy):
    """Depth-first."""

    key: Callable[[Node], Any] = staticmethod(_equal)
    newest = True

    def push(self, node: Node) -> None:
        self._admit(node)

    def pop(self) -> Node:
        return self._waiting.popitem()[0]


class BestFirst(_Lazy):
    """The smallest key first; among equals the oldest, or the newest."""

    def __init__(self, key: Callable[[Node], Any], newest: bool = False) -> None:
        super().__init__()
        self.key = key
        self.newest = newest
        self._heap: list[tuple[Any, int, Node]] = []

    def push(self, node: Node) -> None:
        ticket = self._admit(node)
        if ticket is not None:
            self._waiting[node] = order = -ticket if self.newest else ticket
            heapq.heappush(self._heap, (self.key(node), order, node))

    def pop(self) -> Node:
        while True:
            _, order, node = heapq.heappop(self._heap)
            if self._waiting.get(node) == order:
                del self._waiting[node]
                return node


def reopen(frontier: Frontier, pruned: Pruned) -> None:
    """What a pruning removed waits no longer; what it reopened waits again."""
    for node in pruned.removed:
        frontier.remove(node)
    for node in pruned.reopened:
        frontier.push(node)
