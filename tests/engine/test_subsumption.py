"""Subsumer-first: paper 000's example step by step, and the loop against brute force under every order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy import engine
from argosy.frontier import BestFirst, Fifo, Lifo
from argosy.protocols import Frontier, Silent, Strategy, Subsumption
from argosy.reached import Node
from argosy.subsumption import SubsumerFirst, Vigilant, derived, reachable
from argosy.verdict import Safe, Unsafe
from tests.engine.counters import Counter, Tracker
from tests.engine.test_engine import closed, counters, execute
from tests.engine.test_engine import reachable as error_is_reachable


def key_of_nothing(node: Node) -> int:
    return 0


def location(node: Node) -> str:
    return str(node.state[0])


def size(node: Node) -> int:
    return len(node.state[1])


ORDERS: dict[str, tuple[Callable[[Node], Any], bool]] = {
    "bfs": (key_of_nothing, False),
    "dfs": (key_of_nothing, True),
    "best": (location, False),
    "newest": (size, True),
}
FRONTIERS: dict[str, tuple[Callable[[], Frontier], Subsumption]] = {
    "keep-bfs": (Fifo, Subsumption.KEEP),
    "prune-bfs": (Fifo, Subsumption.PRUNE),
    "prune-dfs": (Lifo, Subsumption.PRUNE),
    "prune-best": (lambda: BestFirst(location), Subsumption.PRUNE),
    "replace-bfs": (Fifo, Subsumption.REPLACE),
    **{
        f"first-{name}-{below.__name__}": (
            lambda key=key, newest=newest, below=below: SubsumerFirst(key, newest, below),  # type: ignore[misc]
            Subsumption.REPLACE,
        )
        for name, (key, newest) in ORDERS.items()
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
