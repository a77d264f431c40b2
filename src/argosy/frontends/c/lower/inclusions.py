"""Systems of inclusions between sets, solved by passing on what is new.

Andersen's constraints as a graph: an edge says that the set of its target includes the set of its source. Pearce, Kelly
and Hankin, *Efficient field-sensitive pointer analysis of C*, 2007: a node passes on the elements that it has not
passed on yet (difference propagation), and what depends on the elements of a node (``follow``) is told of each, and
adds edges. So each element goes along each edge once.

A node may be *open*: it may also hold what is not an element. Of these some are *unknown*: not even which elements they
may hold is known. Law: what ``solve`` ends with is the least solution, whatever the order in which constraints came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Set
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)
E = TypeVar("E", bound=Hashable)


class Inclusions(Generic[N, E]):
    """Of a node that is open (``exact_when_open``: that is unknown) nobody asks for the elements."""

    def __init__(self, exact_when_open: bool) -> None:
        self.sets: dict[N, set[E]] = {}
        self.open: set[N] = set()
        self.unknown: set[N] = set()
        self._settled = self.unknown if exact_when_open else self.open
        self._into: dict[N, set[N]] = {}
        self._opens: dict[N, list[N]] = {}
        self._followed: dict[N, list[tuple[Callable[[E], None], Callable[[], None]]]] = {}
        self._new: dict[N, set[E]] = {}
        self._work: deque[N] = deque()

    def add(self, node: N, elements: Set[E]) -> None:
        if node in self._settled:
            return
        own = self.sets.get(node)
        if own is None:
            own = self.sets[node] = set()
        new = elements - own
        if new:
            own |= new
            self._changed(node).update(new)

    def lose(self, node: N, unknown: bool = False) -> None:
        """The node is open, and maybe unknown."""
        if node not in self.open or (unknown and node not in self.unknown):
            self.open.add(node)
            if unknown:
                self.unknown.add(node)
            self._changed(node)

    def is_settled(self, node: N) -> bool:
        """Whether nothing more can be said of a node."""
        return node in self._settled

    def _changed(self, node: N) -> set[E]:
        new = self._new.get(node)
        if new is None:
            new = self._new[node] = set()
            self._work.append(node)
        return new

    def include(self, source: N, target: N) -> None:
        """The set of ``target`` includes that of ``source``, and is open where that is."""
        if target in self._settled:
            return
        edges = self._into.setdefault(source, set())
        if target not in edges:
            edges.add(target)
            if source in self.open:
                self.lose(target, source in self.unknown)
            self.add(target, self.sets.get(source, frozenset()))

    def lose_with(self, source: N, target: N) -> None:
        """The target is open where the source is."""
        self._opens.setdefault(source, []).append(target)
        if source in self.open:
            self.lose(target, source in self.unknown)

    def follow(self, node: N, each: Callable[[E], None], opened: Callable[[], None]) -> None:
        """Call ``each`` for the elements of a node, and ``opened`` if it is open: more than once, maybe."""
        self._followed.setdefault(node, []).append((each, opened))
        if node in self.open:
            opened()
        for element in tuple(self.sets.get(node, ())):
            each(element)

    def solve(self) -> None:
        while self._work:
            node = self._work.popleft()
            new = self._new.pop(node)
            followed = self._followed.get(node, ())
            targets = tuple(self._into.get(node, ()))
            if node in self.open:
                unknown = node in self.unknown
                for target in (*targets, *self._opens.get(node, ())):
                    self.lose(target, unknown)
                for _, opened in followed:
                    opened()
            if new and node not in self._settled:
                for target in targets:
                    self.add(target, new)
                for each, _ in followed:
                    for element in new:
                        each(element)
