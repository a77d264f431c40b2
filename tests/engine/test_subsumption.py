"""Subsumer-first: paper 000's example step by step, and the loop against brute force under every order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy import engine
from argosy.frontier import BestFirst, Fifo, Lifo
from argosy.protocols import Frontier, Silent, Strategy, Subsumption
from argosy.subsumption import SubsumerFirst, Vigilant, derived, reachable
from argosy.verdict import Safe, Unsafe
from tests.engine.counters import Counter, Tracker
from tests.engine.test_engine import closed, counters, execute
from tests.engine.test_engine import reachable as error_is_reachable

ORDERS: dict[str, Callable[[], Fifo | Lifo | BestFirst]] = {
    "bfs": Fifo,
    "dfs": Lifo,
    "best": lambda: BestFirst(lambda node: node.state[0]),
    "newest": lambda: BestFirst(lambda node: len(node.state[1]), newest=True),
}
FRONTIERS: dict[str, tuple[Callable[[], Frontier], Subsumption]] = {
    "keep": (Fifo, Subsumption.KEEP),
    "replace": (Fifo, Subsumption.REPLACE),
    **{f"prune-{name}": (order, Subsumption.PRUNE) for name, order in ORDERS.items()},
    **{
        f"first-{name}-{below.__name__}": (partial(SubsumerFirst, order(), below), Subsumption.REPLACE)
        for name, order in ORDERS.items()
        for below in (reachable, derived)
    },
}


def strategy_of(counter: Counter, order: str, precision: frozenset[str], targets: int = 1) -> Strategy[Any, Any, Any]:
    frontier, subsumption = FRONTIERS[order]
    return Strategy(counter, frontier, Tracker(counter), precision, targets, subsumption)


@pytest.mark.parametrize("order", FRONTIERS)
@given(counter=counters(), stop_after=st.sampled_from([0, 1, 2]))
@settings(max_examples=150, deadline=None)
def test_the_loop_agrees_with_brute_force(order: str, counter: Counter, stop_after: int) -> None:
    """The tree survives refinement here: Tracker prunes from the first node that is new."""
    strategy = strategy_of(counter, order, frozenset(), stop_after)
    observer = Silent() if strategy.subsumption is Subsumption.KEEP else Vigilant(counter, Silent())
    match engine.check(strategy, observer):
        case Safe(reached, _):
            assert not error_is_reachable(counter)
            assert closed(counter, reached)
        case Unsafe(trace, _):
            assert error_is_reachable(counter)
            assert execute(counter, trace)
        case outcome:
            pytest.fail(f"{outcome}")
