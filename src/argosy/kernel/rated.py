"""From a sequence of actions to a run where clocks have rates: linear programming over the delays.

The delay before each action is an unknown, and every clock at every moment a sum of delays times rates, plus the
constant of its last reset. Invariants are asked where a state is entered and where it is left (they are convex, and
clocks move on a line), guards and the goal where they are met. A solution is a run, exactly; without one no run takes
these actions, and the zones on whose word they were tried contain more than what is reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from argosy.kernel.dbm import value
from argosy.kernel.graph import Difference, SymbolicState, ZoneGraph
from argosy.kernel.linear import Inequality, solve
from argosy.models.network import TimedEdge
from argosy.models.network_queries import Goal

Linear = tuple[dict[int, int], int]
"""Multiples of delays, and a constant."""


def delays(
    graph: ZoneGraph,
    states: Sequence[SymbolicState],
    resets: Sequence[Sequence[tuple[int, int]]],
    trace: Sequence[tuple[TimedEdge, ...]],
    goal: Goal | None,
) -> list[Fraction] | None:
    """The delay in each of the states, in which a run takes the actions of the trace and ends in the goal (None: where
    the last action is enabled); None: there is no such run."""
    return solve(len(states), _inequalities(graph, states, resets, trace, goal))


def _inequalities(
    graph: ZoneGraph,
    states: Sequence[SymbolicState],
    resets: Sequence[Sequence[tuple[int, int]]],
    trace: Sequence[tuple[TimedEdge, ...]],
    goal: Goal | None,
) -> Iterator[Inequality]:
    clocks: list[Linear] = [({}, clock.initial) for clock in graph.network.clocks]
    for k, state in enumerate(states):
        invariants = graph.invariants_of(state)
        yield from _kept(invariants, clocks)
        if graph.lets_time_pass(state):
            rates = graph.rates_of(state)
            clocks = [clocks[0], *(_later(each, k, rate) for each, rate in zip(clocks[1:], rates[1:], strict=True))]
            yield from _kept(invariants, clocks)
        else:
            yield Inequality({k: 1}, 0)
        if k < len(trace):
            yield from _kept(graph.asked_by(state, trace[k]), clocks)
        elif goal is not None:
            yield from _kept(graph.asked(state, goal), clocks)
        if k < len(resets):
            for clock, constant in resets[k]:
                clocks[clock] = ({}, constant)


def _later(clock: Linear, delay: int, rate: int) -> Linear:
    return ({**clock[0], delay: rate}, clock[1]) if rate else clock


def _kept(differences: Sequence[Difference], clocks: Sequence[Linear]) -> Iterator[Inequality]:
    for left, right, bound in differences:
        factors = dict(clocks[left][0])
        for delay, factor in clocks[right][0].items():
            factors[delay] = factors.get(delay, 0) - factor
        yield Inequality(factors, value(bound) - clocks[left][1] + clocks[right][1], not bound & 1)
