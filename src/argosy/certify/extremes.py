"""The certificate that an expression comes to an extreme value: a run, replayed in the interpreter with time stamps in
the limit (``models/limit_numbers``). It ends in a state of the formula, with a height that is the one claimed, or
infinitely little below it, or infinite. That nothing goes beyond is the certificate of ``certify/zones``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from argosy.certify.timed_replay import ReplayError, TimedStep, replay
from argosy.models.limit_numbers import LimitNumber
from argosy.models.network import Network, TimedEdge
from argosy.models.network_queries import ClockMeasure, ExtremeQuery, Extremum, Height
from argosy.models.network_semantics import NetworkState, Semantics

LimitStep = tuple[LimitNumber, tuple[TimedEdge, ...]]


def check_extreme(network: Network, steps: Sequence[LimitStep], query: ExtremeQuery, height: Height | None) -> None:
    """Raises ``ReplayError`` where the run does not come to the height (None: beyond every number)."""
    # The interpreter adds and compares times and no more, so that it takes any ordered numbers for them.
    timed = [TimedStep(cast(Fraction, delay), edges) for delay, edges in steps]
    found = height_of(network, replay(network, timed, query.formula)[-1].state, query)
    if height is None:
        right = found.infinite > 0
    else:
        constant, attained = height
        right = found == constant if attained else not found.infinite and found.finite == constant and found < constant
    if not right:
        raise ReplayError(len(steps), f"the run ends with {found}, not with {height}")


def height_of(network: Network, state: NetworkState, query: ExtremeQuery) -> LimitNumber:
    """What is to be as large as possible, in one state."""
    semantics = Semantics(network)
    if isinstance(query.measured, ClockMeasure):
        left, right = (semantics.address(state, place) for place in (query.measured.left, query.measured.right))
        value = LimitNumber.of(state.clocks[left]) - state.clocks[right]
    else:
        value = LimitNumber.of(semantics.value(state, query.measured))
    return value if query.extremum is Extremum.SUP else -value
