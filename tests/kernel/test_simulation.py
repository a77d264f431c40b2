"""Covering by simulation: worked out by hand, and certificates that are refused where a margin is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from argosy.certify.zones import Inductive, certify
from argosy.kernel.bounds import Bounds, Facts, analyse
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.dbm import weak
from argosy.kernel.graph import SymbolicState
from argosy.kernel.ranges import Ranges
from argosy.kernel.rounds import simulation_pays
from argosy.kernel.search import Exhausted, GoalReached, Order, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_expressions import TRUE
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, at, atom, fischer, network, reset, token_ring, when

X, Y = 1, 2
AT_C = 4


def two_ways(constant: int) -> tuple[Network, tuple[Goal, ...]]:
    """Into B in two steps with 1 <= y - x <= 2, in three steps with 1 <= y - x <= 3; x >= 4 then. From B into C where
    y is large enough. Is C reached with x <= 4?"""
    draft = Draft()
    start, near, far, b, c = (draft.location(name) for name in ("start", "near", "far", "b", "c"))
    farther = draft.location("farther")
    draft.edge(start, near, when(TRUE, atom(Y, ">=", 1), atom(Y, "<=", 2)), updates=[reset(X)])
    draft.edge(near, b, when(TRUE, atom(X, ">=", 4)))
    draft.edge(start, far, when(TRUE, atom(Y, ">=", 1), atom(Y, "<=", 3)), updates=[reset(X)])
    draft.edge(far, farther, when(TRUE, atom(X, "<=", 4)))
    draft.edge(farther, b, when(TRUE, atom(X, ">=", 4)))
    draft.edge(b, c, when(TRUE, atom(Y, ">=", constant)))
    assert c == AT_C
    return network([draft], clocks=2), (Goal(at(0, c), (atom(X, "<=", 4),)),)


@pytest.mark.parametrize(
    ("constant", "covered"),
    [
        (5, True),  # y - x = 3 has y >= 7 > 5, and so has y - x = 2 with y >= 6
        (6, False),  # y = 6 is not beyond 6
        (7, False),
    ],
)
def test_a_zone_covers_what_it_does_not_include(constant: int, covered: bool) -> None:
    made, _ = two_ways(constant)
    never = (Goal(at(0, AT_C), (atom(X, "<", 4),)),)
    by_inclusion = ZoneSearch(made, never)
    by_simulation = ZoneSearch(made, never, by_simulation=True)
    outcomes = [by_inclusion.run(), by_simulation.run()]
    assert all(isinstance(outcome, Exhausted) for outcome in outcomes)
    visited = [outcome.statistics.visited for outcome in outcomes]
    assert visited[0] - visited[1] == (1 if covered else 0)
    assert isinstance(certify(by_simulation), Inductive)


@pytest.mark.parametrize(("constant", "steps"), [(5, 3), (6, 3), (7, 4), (8, 0)])
def test_what_only_the_covered_zone_would_reach_is_reached(constant: int, steps: int) -> None:
    """With x = 4, y is 7 at most, and 6 on the shorter way."""
    for order in (Order.BREADTH_FIRST, Order.LARGEST_FIRST, Order.DEPTH_FIRST):
        outcome = ZoneSearch(*two_ways(constant), order, by_simulation=True).run()
        assert isinstance(outcome, GoalReached) == (steps > 0)
        if order is Order.BREADTH_FIRST and isinstance(outcome, GoalReached):
            assert len(outcome.trace) == steps


def test_a_token_ring_needs_fewer_states() -> None:
    made, goals = token_ring(3)
    counts = [ZoneSearch(made, goals, by_simulation=by).run().statistics.stored for by in (False, True)]
    assert counts[1] < counts[0]


def test_goals_matter_only_where_they_can_be_met() -> None:
    made, _ = fischer(2)
    goal = Goal(at(0, 1), (atom(1, ">", 100),))
    bounds = analyse(made, (goal,), Ranges(made, (goal,)))
    assert bounds.goals.rows == []
    assert [facts.lower.get(1) for facts in bounds.locations[0]] == [None, 100, 10, None]
    anywhere = Goal(TRUE, (atom(1, ">", 100),))
    assert analyse(made, (anywhere,), Ranges(made, (anywhere,))).goals.rows[0][:2] == (1, 100)


def test_simulation_is_chosen_where_it_pays() -> None:
    assert simulation_pays(*token_ring(3))
    assert not simulation_pays(*fischer(3))
    differing = Goal(at(0, 1), (atom(1, ">", 0, 2),))
    assert not simulation_pays(fischer(2)[0], (differing,))


# Certificates


def refutation(
    search: ZoneSearch, margins: Bounds | None, states: list[SymbolicState] | None = None, goals: tuple[Goal, ...] = ()
) -> str | None:
    certifier = NativeCertifier(search.network, goals or search.compiled.goals, margins)
    for state in states or list(search.states()):
        certifier.add(state)
    return certifier.check()


def finished(made: Network, goals: tuple[Goal, ...]) -> ZoneSearch:
    search = ZoneSearch(made, goals, by_simulation=True)
    assert isinstance(search.run(), Exhausted)
    return search


def lowered(bounds: Bounds, location: int, clock: int, lower: bool) -> Bounds:
    """One margin is smaller by one."""

    def less(margins: dict[int, int], chosen: bool) -> dict[int, int]:
        return {c: m - (chosen and c == clock) for c, m in margins.items()}

    own = [
        Facts(less(facts.lower, lower), less(facts.upper, not lower), facts.diagonals) if index == location else facts
        for index, facts in enumerate(bounds.locations[0])
    ]
    return replace(bounds, locations=(tuple(own), *bounds.locations[1:]))


def test_without_margins_the_covered_zone_is_missed() -> None:
    made, _ = two_ways(5)
    search = finished(made, (Goal(at(0, AT_C), (atom(X, "<", 4),)),))
    assert refutation(search, search.compiled.bounds) is None
    assert "not stored" in str(refutation(search, None))


def test_every_margin_is_needed() -> None:
    made, _ = two_ways(8)
    search = finished(made, (Goal(at(0, AT_C), (atom(X, "<", 4),)),))
    bounds, tried = search.compiled.bounds, 0
    for location, facts in enumerate(bounds.locations[0]):
        for margins, lower in ((facts.lower, True), (facts.upper, False)):
            for clock in margins:
                tried += 1
                assert "margin" in str(refutation(search, lowered(bounds, location, clock, lower)))
    assert tried > 8


def test_every_state_is_needed() -> None:
    search = finished(*token_ring(2))
    stored = list(search.states())
    for index in range(0, len(stored), 5):
        assert refutation(search, search.compiled.bounds, [*stored[:index], *stored[index + 1 :]]) is not None


def test_bounds_that_are_not_the_best_ones_are_refused() -> None:
    """They would cover too much."""
    search = finished(*fischer(2))
    first, *others = search.states()
    looser = list(first.zone.bounds)
    looser[0 * first.zone.dimension + 1] = weak(1)
    damaged = replace(first, zone=replace(first.zone, bounds=tuple(looser)))
    assert "best" in str(refutation(search, search.compiled.bounds, [damaged, *others]))


def test_a_simulation_is_refused_where_it_proves_nothing() -> None:
    search = finished(*fischer(2))
    assert "deadlocks" in str(refutation(search, search.compiled.bounds, goals=(Goal(at(0, 3), (), True),)))
    differing = Goal(at(0, 1), (atom(1, ">", 0, 2), atom(1, "<", 0, 2)))
    assert "margin" in str(refutation(search, search.compiled.bounds, goals=(differing,)))
    for goal in (Goal(at(0, 3), (), True), differing):
        assert not ZoneSearch(search.network, (goal,), by_simulation=True).by_simulation
