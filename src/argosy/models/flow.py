"""Graphs of edges for analyses that walk them: sets of variables as bits, chains, a worklist, a backward solver.

A *chain* is a maximal run of edges through locations where nothing branches, joins or blocks; chains between their
*heads* are the basic blocks of the automaton. Everything here is iterative and visits in a given order, so that
results do not depend on hashing and automata of a hundred thousand edges take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from argosy.basics.records import dataclass
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Check, Edge, Location, Operation


class Numbering:
    """Sets of variables as integers, one bit for each variable."""

    def __init__(self, numbered: Iterable[Term]) -> None:
        self._variables = list(numbered)
        self._bits = {variable: 1 << i for i, variable in enumerate(self._variables)}
        self._read: dict[Term, int] = {}

    def bit(self, variable: Term) -> int:
        known = self._bits.get(variable)
        if known is None:
            known = self._bits[variable] = 1 << len(self._variables)
            self._variables.append(variable)
        return known

    def bits(self, many: Iterable[Term]) -> int:
        mask = 0
        for variable in many:
            mask |= self.bit(variable)
        return mask

    def read(self, term: Term) -> int:
        """The free variables of ``term``."""
        known = self._read.get(term)
        if known is None:
            # Numbers are given by age, since the order of a set of terms is not the same in every run.
            known = self._read[term] = self.bits(sorted(variables(term), key=lambda v: v.id))
        return known

    def members(self, mask: int) -> list[Term]:
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self._variables[lowest.bit_length() - 1])
            mask ^= lowest
        return found


class Worklist:
    """Locations that wait, each once, in the order of their ranks (all different) or in the opposite order."""

    def __init__(
        self, rank: Mapping[Location, int], waiting: Iterable[Location] = (), *, descending: bool = False
    ) -> None:
        self._sign = -1 if descending else 1
        self._rank = rank
        self._at = {self._sign * position: location for location, position in rank.items()}
        self._heap = [self._sign * rank[location] for location in waiting]
        heapify(self._heap)
        self._queued = set(self._heap)

    def push(self, location: Location) -> None:
        position = self._sign * self._rank[location]
        if position not in self._queued:
            self._queued.add(position)
            heappush(self._heap, position)

    def pop(self) -> Location:
        position = heappop(self._heap)
        self._queued.discard(position)
        return self._at[position]

    def __bool__(self) -> bool:
        return bool(self._heap)


def standing_for(edge: Edge, operation: Operation, checks: tuple[Check, ...]) -> Edge:
    """An edge that does ``operation`` in place of ``edge``."""
    return Edge(edge.source, edge.target, operation, edge.position, edge.text, checks, edge.choice, edge.as_read)


def grouped(edges: Iterable[Edge], by: Callable[[Edge], Location]) -> dict[Location, list[Edge]]:
    groups: dict[Location, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(by(edge), []).append(edge)
    return groups


def source(edge: Edge) -> Location:
    return edge.source


def target(edge: Edge) -> Location:
    return edge.target


def between(initial: Location, error: Location, edges: Sequence[Edge]) -> list[Edge]:
    """The edges that lie on a path from ``initial`` to ``error``; a path ends where it first meets the error."""
    forward = _closure(initial, grouped((e for e in edges if e.source is not error), source), target)
    backward = _closure(error, grouped((e for e in edges if e.source in forward), target), source)
    return [
        edge
        for edge in edges
        if edge.source in forward and edge.source is not error and edge.source in backward and edge.target in backward
    ]


def _closure(
    start: Location, edges: Mapping[Location, Sequence[Edge]], onward: Callable[[Edge], Location]
) -> set[Location]:
    seen = {start}
    stack = [start]
    while stack:
        for edge in edges.get(stack.pop(), ()):
            location = onward(edge)
            if location not in seen:
                seen.add(location)
                stack.append(location)
    return seen


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    edges: tuple[Edge, ...]

    @property
    def source(self) -> Location:
        return self.edges[0].source

    @property
    def target(self) -> Location:
        return self.edges[-1].target


def chains(
    initial: Location, error: Location, edges: Sequence[Edge], blocks: Callable[[Edge], bool]
) -> dict[Location, list[Chain]]:
    """The chains that leave each head. A location is a head unless exactly one edge enters it and exactly one, which
    does not block, leaves it. Every edge must lie on a path from ``initial``."""
    leaving = grouped(edges, source)
    entering: dict[Location, int] = {}
    for edge in edges:
        entering[edge.target] = entering.get(edge.target, 0) + 1

    def inner(location: Location) -> bool:
        if location is initial or location is error or entering.get(location, 0) != 1:
            return False
        out = leaving.get(location, ())
        return len(out) == 1 and not blocks(out[0])

    found: dict[Location, list[Chain]] = {initial: []}
    for location, out in leaving.items():
        if inner(location):
            continue
        for first in out:
            run = [first]
            while inner(run[-1].target):
                run.append(leaving[run[-1].target][0])
            found.setdefault(location, []).append(Chain(tuple(run)))
    return found


def backward(
    edges: Sequence[Edge], rank: Mapping[Location, int], transfer: Callable[[Edge, int], int]
) -> dict[Location, int]:
    """The least solution of ``at[source] ⊇ transfer(edge, at[target])``; ``rank`` is small at the start."""
    entering = grouped(edges, target)
    at: dict[Location, int] = {}
    waiting = Worklist(rank, entering, descending=True)
    while waiting:
        location = waiting.pop()
        after = at.get(location, 0)
        for edge in entering[location]:
            before = at.get(edge.source, 0)
            now = before | transfer(edge, after)
            if now != before:
                at[edge.source] = now
                if edge.source in entering:
                    waiting.push(edge.source)
    return at
