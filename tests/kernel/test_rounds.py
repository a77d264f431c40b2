"""Searches in turns: who answers, what is counted, when it stops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from argosy.basics.budget import Budget
from argosy.certify.zones import Inductive, certify
from argosy.kernel import rounds
from argosy.kernel.rounds import Turns
from argosy.kernel.search import Exhausted, GoalReached, Order, Stopped, ZoneSearch
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_expressions import Binary, Constant
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, both, equals, fischer, network, put, read, when


def counters(processes: int, largest: int) -> tuple[Network, tuple[Goal, ...]]:
    """Each process counts up on its own; the goal is that all have arrived, the deepest state of all."""
    drafts = []
    for slot in range(processes):
        draft = Draft()
        here = draft.location("here")
        below = when(Binary("<", read(slot), Constant(largest)))
        draft.edge(here, here, below, updates=[put(slot, Binary("+", read(slot), Constant(1)))])
        drafts.append(draft)
    variables = [NetworkVariable(f"n{slot}", 0, largest, 0) for slot in range(processes)]
    return network(drafts, variables), (Goal(both(*(equals(slot, largest) for slot in range(processes)))),)


def test_what_is_small_is_left_to_the_breadth_first_search() -> None:
    made, goals = fischer(5)
    answered = Turns(made, goals).run()
    alone = ZoneSearch(made, goals).run()
    assert isinstance(answered.outcome, Exhausted) and answered.order is Order.BREADTH_FIRST
    assert answered.outcome.statistics.visited == alone.statistics.visited
    assert isinstance(certify(answered.search), Inductive)


def test_a_deep_goal_is_found_by_a_depth_first_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 1000)
    made, goals = counters(6, 9)
    answered = Turns(made, goals).run()
    assert isinstance(answered.outcome, GoalReached) and answered.order is Order.DEPTH_FIRST
    assert len(answered.outcome.trace) == 54
    assert 2000 < answered.outcome.statistics.visited < 2250


def test_the_broad_search_goes_on_after_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 100)
    made, goals = fischer(6)
    answered = Turns(made, goals, seed=5).run()
    alone = ZoneSearch(made, goals, Order.LARGEST_FIRST).run().statistics
    assert isinstance(answered.outcome, Exhausted) and answered.order is Order.LARGEST_FIRST
    its = answered.outcome.statistics
    # After 100 states breadth-first, pauses at 100, 400 and 1600, each with three turns of a quarter.
    assert (its.stored, its.visited) == (alone.stored, alone.visited + 100 + 3 * (25 + 100 + 400))
    again = Turns(made, goals, seed=5).run().outcome.statistics
    assert (again.visited, again.transitions) == (its.visited, its.transitions)
    assert isinstance(certify(answered.search), Inductive)


def test_a_scout_has_one_turn_and_the_guided_search_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 100)
    made, goals = fischer(6)
    made_by: list[str] = []

    def maker(name: str) -> Callable[[], ZoneSearch]:
        def make() -> ZoneSearch:
            made_by.append(name)
            return ZoneSearch(made, goals, Order.RANDOM_DEPTH_FIRST, seed=1)

        return make

    its = Turns(made, goals, scout=maker("scout"), guided=maker("guided")).run().outcome.statistics
    assert made_by == ["scout", "guided"]
    alone = ZoneSearch(made, goals, Order.LARGEST_FIRST).run().statistics
    # The scout is there in the first pause only, the guided search goes on in each of the three.
    assert its.visited == alone.visited + 100 + 3 * (25 + 100 + 400) + 100 + 1600


def waiting_at(made: Network, goals: tuple[Goal, ...], visits: int) -> int:
    return ZoneSearch(made, goals, Order.LARGEST_FIRST).run(None, visits).statistics.waiting


def test_near_the_end_the_others_get_no_more_than_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 570)
    made, goals = fischer(6)
    first, second = waiting_at(made, goals, 570), waiting_at(made, goals, 4 * 570)
    assert 0 < second < 100 < first
    alone = ZoneSearch(made, goals, Order.LARGEST_FIRST).run().statistics.visited
    # A pause at 570 states with three full turns, and one at 2,280, where the frontier has shrunk.
    others = 570 + 3 * (570 // 4) + 3 * second
    assert Turns(made, goals).run().outcome.statistics.visited == alone + others

    def guided() -> ZoneSearch:
        return ZoneSearch(made, goals, Order.RANDOM_DEPTH_FIRST, seed=1)

    followed = Turns(made, goals, guided=guided).run().outcome.statistics.visited
    assert followed == alone + others + 570 + 4 * second


def test_where_nobody_hopes_for_a_run_the_others_come_later_and_get_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 100)
    made, goals = fischer(6)

    def scout() -> ZoneSearch:
        return ZoneSearch(made, goals, Order.RANDOM_DEPTH_FIRST, seed=1)

    its = Turns(made, goals, scout=scout, patience=2, portion=0.25).run().outcome.statistics
    alone = ZoneSearch(made, goals, Order.LARGEST_FIRST).run().statistics
    # Pauses at 100, 400 and 1,600 states, the scout in the third of them.
    assert its.visited == alone.visited + 100 + 3 * (100 + 400 + 1600) // 16 + 1600 // 4


@pytest.mark.parametrize(
    "order", [Order.BREADTH_FIRST, Order.DEPTH_FIRST, Order.RANDOM_DEPTH_FIRST, Order.LARGEST_FIRST]
)
def test_what_is_stored_was_visited_or_waits(order: Order) -> None:
    made, goals = counters(4, 9)
    search = ZoneSearch(made, (Goal(both(goals[0].condition, equals(0, 0))),), order)
    for visits in (1, 10, 1000):
        its = search.run(None, visits).statistics
        assert its.waiting > 0 and its.stored == its.visited + its.waiting
    assert search.run().statistics.waiting == 0


@pytest.mark.parametrize(("seconds", "store_bytes", "reason"), [(0.5, 0, "time"), (None, 3_000_000, "memory")])
def test_limits_are_those_of_all_together(seconds: float | None, store_bytes: int, reason: str) -> None:
    made, goals = counters(8, 9)
    never = Goal(both(goals[0].condition, equals(0, 0)))
    outcome = Turns(made, (never,), budget=Budget.of(seconds), store_bytes=store_bytes).run().outcome
    assert isinstance(outcome, Stopped) and outcome.reason == reason
    assert outcome.statistics.seconds < 5
