"""Certificates of zone sets: what is right is accepted, what is broken in any way is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from argosy.certify import zones
from argosy.certify.zones import Inductive, NotInductive, certify, check
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.dbm import Zone, weak
from argosy.kernel.graph import SymbolicState
from argosy.kernel.search import Exhausted, ZoneSearch
from argosy.models.network import NetworkVariable
from argosy.models.network_expressions import TRUE
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, at, atom, equals, fischer, network, put, reset, when


def states(count: int = 3) -> list[SymbolicState]:
    search = ZoneSearch(*fischer(count))
    search.run()
    return list(search.states())


def both(set_of_states: list[SymbolicState], goals: tuple[Goal, ...]) -> list[bool]:
    made, _ = fischer(3)
    native = NativeCertifier(made, goals)
    for state in set_of_states:
        native.add(state)
    return [isinstance(check(made, goals, set_of_states), Inductive), native.check() is None]


def test_small_sets_are_checked_by_the_twin_and_large_ones_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    search = ZoneSearch(*fischer(4))
    search.run()
    small = certify(search)
    assert isinstance(small, Inductive) and (small.states, small.checker) == (220, "twin")
    monkeypatch.setattr(zones, "TWIN_LIMIT", 10)
    assert certify(search) == replace(small, checker="native")


def test_every_state_is_needed() -> None:
    _, goals = fischer(3)
    stored = states()
    assert both(stored, goals) == [True, True]
    for index in range(len(stored)):
        assert both([*stored[:index], *stored[index + 1 :]], goals) == [False, False]


def test_every_bound_is_needed() -> None:
    """No zone can be cut anywhere."""
    _, goals = fischer(3)
    stored = states()
    for index in range(0, len(stored), 7):
        zone = stored[index].zone
        for clock in range(1, zone.dimension):
            for cut in (zone.constrained(clock, 0, weak(4)), zone.constrained(0, clock, weak(-1))):
                if cut is not None and cut != zone:
                    broken = [*stored[:index], replace(stored[index], zone=cut), *stored[index + 1 :]]
                    assert both(broken, goals) == [False, False]


def test_larger_zones_may_meet_the_goal() -> None:
    _, goals = fischer(3)
    everything = [replace(state, zone=Zone.universe(4)) for state in states()]
    assert both(everything, goals) == [False, False]
    assert both(states(), (Goal(at(0, 3)),)) == [False, False]


def test_nothing_is_no_certificate() -> None:
    _, goals = fischer(3)
    assert both([], goals) == [False, False]


def test_a_model_that_changed_is_noticed() -> None:
    """The states of the right protocol do not certify the flawed one."""
    flawed, goals = fischer(3, mutual=False)
    stored = states()
    assert isinstance(check(flawed, goals, stored), NotInductive)
    native = NativeCertifier(flawed, goals)
    for state in stored:
        native.add(state)
    assert native.check() == "a successor of a stored state is not stored"


def test_the_check_can_be_stopped() -> None:
    class Enough(Exception):
        pass

    def tick() -> None:
        raise Enough

    search = ZoneSearch(*fischer(3))
    search.run()
    with pytest.raises(Enough):
        certify(search, tick)
    made, goals = fischer(3)
    native = NativeCertifier(made, goals)
    native.add_all(search)
    with pytest.raises(Enough):
        native.check(tick)


def test_deadlocks_ask_about_reachable_moments_only() -> None:
    """At x == 2 the edge would leave the range of n, but no time passes: neither checker may see a model error."""
    draft = Draft()
    here = draft.location("here", urgent=True)
    draft.edge(here, here, when(TRUE, atom(1, "==", 2)), updates=[put(0, 7)])
    draft.edge(here, here, when(TRUE, atom(1, "==", 0)), updates=[reset(1)])
    made = network([draft], [NetworkVariable("n", 0, 1, 0)], clocks=1)
    for deadlock in (True, False):
        goal = Goal(equals(0, int(not deadlock)), deadlock=deadlock)
        search = ZoneSearch(made, (goal,))
        assert isinstance(search.run(), Exhausted)
        native = NativeCertifier(made, (goal,))
        for state in search.states():
            native.add(state)
        assert native.check() is None
        assert isinstance(check(made, (goal,), search.states()), Inductive)
