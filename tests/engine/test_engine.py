"""The loop on a toy analysis, against brute force, under every order and with the graph's invariants checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import OutOfBudget
from argosy.engine import engine
from argosy.engine.frontier import BestFirst, Fifo, Lifo
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.engine.protocols import Frontier, Silent, Strategy
from argosy.engine.reached import Node, Reached
from tests.engine.counters import Counter, Tracker

ORDERS: dict[str, Callable[[], Frontier]] = {
    "fifo": Fifo,
    "lifo": Lifo,
    "best": lambda: BestFirst(lambda node: node.state[0]),
    "newest": lambda: BestFirst(lambda node: len(node.state[1]), newest=True),
}


class Validating(Silent):
    def expanded(self, node: Node, reached: Reached) -> None:
        reached.validate()

    def refined(self, reached: Reached, precision: Any) -> None:
        reached.validate()


@st.composite
def counters(draw: st.DrawFn) -> Counter:
    size = draw(st.integers(2, 4))
    values = range(size)
    names = ["start", "p", "q", "r", "error"]
    partial_maps = st.dictionaries(st.sampled_from(values), st.sampled_from(values), max_size=size)
    edges = {}
    for source in names[:-1]:
        targets = draw(st.lists(st.tuples(st.sampled_from(names), partial_maps), max_size=3))
        edges[source] = tuple((f"{source}{i}", target, step) for i, (target, step) in enumerate(targets))
    start = draw(st.frozensets(st.sampled_from(values), min_size=1))
    return Counter(edges, frozenset(values), start)


def reachable(counter: Counter) -> bool:
    seen = {("start", v) for v in counter.start}
    stack = list(seen)
    while stack:
        location, value = stack.pop()
        for _, target, step in counter.edges.get(location, ()):
            if value in step and (target, step[value]) not in seen:
                seen.add((target, step[value]))
                stack.append((target, step[value]))
    return any(location == "error" for location, _ in seen)


@pytest.mark.parametrize("order", ORDERS)
@given(counter=counters(), stop_after=st.sampled_from([0, 1, 2]))
@settings(max_examples=150, deadline=None)
def test_the_loop_agrees_with_brute_force(order: str, counter: Counter, stop_after: int) -> None:
    strategy = Strategy(counter, ORDERS[order], Tracker(counter), frozenset(), stop_after)
    outcome = engine.check(strategy, Validating())
    match outcome:
        case Safe(reached, _):
            assert not reachable(counter)
            assert closed(counter, reached)
        case Unsafe(trace, _):
            assert reachable(counter)
            assert execute(counter, trace)
        case _:
            pytest.fail(f"{outcome}")


def closed(counter: Counter, reached: Reached) -> bool:
    """Every concrete successor of an expanded node is in one of its children or was excluded exactly."""
    concrete: dict[str, set[int]] = {}
    for node in reached:
        if node.coverer is None:
            concrete.setdefault(node.state[0], set()).update(node.state[1])
    return counter.start <= concrete.get("start", set()) and all(
        step[v] in concrete.get(target, set())
        for location, values in concrete.items()
        for _, target, step in counter.edges.get(location, ())
        for v in values
        if v in step
    )


def execute(counter: Counter, trace: tuple[str, ...]) -> bool:
    location, values = "start", set(counter.start)
    for action in trace:
        _, location, step = next(e for e in counter.edges[location] if e[0] == action)
        values = {step[v] for v in values if v in step}
    return location == "error" and bool(values)


def test_an_expansion_is_finished_before_a_target_is_returned() -> None:
    """Both successors of the start are errors' neighbours: the second must not be lost by the first."""
    stay = {0: 0}
    counter = Counter(
        {"start": (("bad", "error", {1: 1}), ("good", "p", stay)), "p": (("on", "error", stay),)},
        frozenset({0, 1}),
        frozenset({0}),
    )
    outcome = engine.check(Strategy(counter, Fifo, Tracker(counter), frozenset()), Validating())
    assert isinstance(outcome, Unsafe) and outcome.trace == ("good", "on")


def test_what_a_pruning_uncovers_is_explored_again() -> None:
    """p reached with {0} is covered by p reached with everything; refining p takes the coverer away, and the error
    is reachable only through the node that was covered."""
    counter = Counter(
        {
            "start": (("left", "p", {0: 0}), ("right", "q", {0: 1, 1: 1})),
            "q": (("join", "p", {1: 1}),),
            "p": (("bad", "error", {1: 1}),),
        },
        frozenset({0, 1}),
        frozenset({0}),
    )
    outcome = engine.check(Strategy(counter, Fifo, Tracker(counter), frozenset()), Validating())
    assert isinstance(outcome, Unsafe) and outcome.trace == ("right", "join", "bad")


def test_a_used_up_budget_is_unknown_with_what_was_reached() -> None:
    class Impatient(Silent):
        def expanded(self, node: Node, reached: Reached) -> None:
            raise OutOfBudget("time limit")

    counter = Counter({"start": (("on", "p", {0: 0}),)}, frozenset({0}), frozenset({0}))
    outcome = engine.check(Strategy(counter, Fifo, Tracker(counter), frozenset()), Impatient())
    assert isinstance(outcome, Unknown) and outcome.reason == "time limit" and len(outcome.reached) == 2
