"""Reachability by regions, on the concrete semantics alone: the truth against which zones are tested.

Two valuations are equivalent if they agree on every constraint ``x - y < c`` and ``<= c`` (0 included as a clock)
with constants up to a limit (Alur and Dill, with clock differences). One representative of each class is explored;
its time successors are found by going to the next integer value of a clock, and half-way there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from argosy.models.network import Network
from argosy.models.network_queries import StateFormula
from argosy.models.network_semantics import NetworkState, Semantics


@dataclass
class Truth:
    discrete: set[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=set)
    meets: list[bool] = field(default_factory=list)
    regions: int = 0


class TooMany(Exception):
    pass


def explore(network: Network, formulas: list[StateFormula], largest: int, limit: int = 4000) -> Truth:
    """Everything reachable; model errors are raised."""
    semantics = Semantics(network)
    truth = Truth(meets=[False] * len(formulas))
    for state in states(network, largest, limit):
        truth.regions += 1
        truth.discrete.add((state.locations, state.values))
        for index, formula in enumerate(formulas):
            if not truth.meets[index]:
                truth.meets[index] = semantics.satisfies(state, formula)
    return truth


def states(network: Network, largest: int, limit: int = 4000) -> Iterator[NetworkState]:
    """A state of every reachable region."""
    semantics = Semantics(network)
    start = semantics.initial()
    seen = {key(start, largest)}
    queue = deque([start])
    count = 0
    while queue:
        state = queue.popleft()
        count += 1
        if count > limit:
            raise TooMany
        yield state
        for successor in successors(semantics, state, largest):
            name = key(successor, largest)
            if name not in seen:
                seen.add(name)
                queue.append(successor)


def key(state: NetworkState, largest: int) -> object:
    cells = []
    for first in state.clocks:
        for second in state.clocks:
            difference = first - second
            cell = 2 * floor(difference) + (difference.denominator != 1)
            cells.append(max(-2 * largest - 1, min(2 * largest + 1, cell)))
    return state.locations, state.values, tuple(cells)


def successors(semantics: Semantics, state: NetworkState, largest: int) -> Iterator[NetworkState]:
    permitted = semantics.delays(state)
    steps = [1 - (clock - floor(clock)) for clock in state.clocks[1:] if clock <= largest]
    if steps:
        for delay in (min(steps) / 2, min(steps)):
            if delay in permitted:
                yield semantics.delay(state, Fraction(delay))
    for action in semantics.enabled(state):
        yield semantics.fire(state, action)
