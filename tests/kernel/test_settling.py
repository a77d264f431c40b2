"""The run that settles first: networks of a few states, with the time worked out by hand, and random networks against
regions (``python -m tests.kernel 500 0 settling`` compares more)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from argosy.backends.network_liveness import Lived, decide_liveness
from argosy.backends.network_settling import Settled, first_to_settle
from argosy.basics.budget import UNLIMITED, Budget
from argosy.kernel.dbm import strict, weak
from argosy.kernel.staying import NoneStays, StayFound, StaySearch, ZoneMerging
from argosy.models.network import Network
from argosy.models.network_expressions import TRUE, Constraint
from argosy.models.network_queries import ClockTest, Deadlock, Holds, Not, StateFormula, Stay
from tests.kernel import live_compare
from tests.kernel.networks import Draft, at, atom, network, reset, when

ANYWHERE = Holds(TRUE)


def lived(
    made: Network, kept: StateFormula = ANYWHERE, premise: StateFormula | None = None, non_zeno: bool = False
) -> Lived:
    return decide_liveness(
        made,
        Stay(kept, premise, non_zeno),
        budget=UNLIMITED,
        store_bytes=0,
        certify=True,
        tick=lambda stored, visited: None,
        checking=lambda: None,
        fastest=True,
    )


def settles(
    made: Network, kept: StateFormula = ANYWHERE, premise: StateFormula | None = None, non_zeno: bool = False
) -> Settled:
    found = lived(made, kept, premise, non_zeno)
    assert found.settles is not None and found.unpromised is None and found.run is found.settles.run
    return found.settles


def attained(found: Settled) -> int | None:
    if found.attained:
        assert found.time == found.least
    return found.least if found.attained else None


def forked(first: Constraint, second: Constraint, loops: Constraint | None = None) -> Network:
    """From a, which must be left by 10, into b, which goes round, or into c, which waits. Clock 2 is reset on the way
    and in each round; in b it stays below 3. Clock 3 never is."""
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<=", 10)))
    draft.location("b", when(TRUE, atom(2, "<=", 2)))
    draft.location("c")
    draft.edge(0, 1, first, updates=[reset(2)])
    draft.edge(0, 2, second)
    draft.edge(1, 1, loops, updates=[reset(2)])
    return network([draft], clocks=3)


NOT_C, NOT_B = Not(Holds(at(0, 2))), Not(Holds(at(0, 1)))


def test_who_waits_in_its_last_state_has_settled_when_it_came_there() -> None:
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 1)))
    found = settles(made)
    assert attained(found) == 1
    assert found.run.ending == "may wait for ever in its last state"


def test_who_goes_round_has_settled_when_it_came_to_the_cycle() -> None:
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 1)))
    found = settles(made, NOT_C)
    assert attained(found) == 3
    assert found.run.repeats is not None
    assert found.run.moments[found.run.repeats].time == 3  # what is marked begins right there


def test_a_time_that_is_only_approached() -> None:
    made = forked(when(TRUE, atom(1, ">", 3)), when(TRUE, atom(1, ">=", 9)))
    found = settles(made)
    assert (found.least, found.attained) == (3, False)
    assert 3 < found.time < 4


def test_who_comes_back_to_where_it_began_has_settled_at_once() -> None:
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<=", 10)))
    draft.location("b", when(TRUE, atom(1, "<=", 12)))
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 4)))
    draft.edge(1, 0, when(TRUE, atom(1, ">=", 6)), updates=[reset(1)])
    assert attained(settles(network([draft], clocks=1))) == 0


def test_coming_too_early_to_the_cycle_does_not_count() -> None:
    # The cycle needs clock 3 at 7, and waits at most 2 for it: who comes before 5 is stuck, and in a deadlock then.
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 9)), when(TRUE, atom(3, ">=", 7)))
    stuck = settles(made, NOT_C)
    assert (attained(stuck), stuck.run.ending) == (3, "ends in a deadlock")
    assert attained(settles(made, NOT_C, non_zeno=True)) == 5
    assert attained(settles(made, NOT_B)) == 9


def test_a_deadline_is_kept_or_missed() -> None:
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 9)), when(TRUE, atom(3, ">=", 7)))
    stay = Stay(NOT_C, None, True)
    for merging in ZoneMerging:
        for deadline in (weak(0), weak(4), strict(5)):
            assert isinstance(StaySearch(made, stay, merging=merging, deadline=deadline).run(), NoneStays)
    assert isinstance(StaySearch(made, stay, deadline=weak(5)).run(), StayFound)


def test_time_that_stops_is_no_cycle_for_a_run_that_diverges() -> None:
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<=", 10)))
    draft.location("b", when(TRUE, atom(1, "<=", 10)))
    draft.location("c", when(TRUE, atom(2, "<=", 3)))
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 1)))
    draft.edge(1, 1)
    draft.edge(0, 2, when(TRUE, atom(1, ">=", 6)), updates=[reset(2)])
    draft.edge(2, 2, updates=[reset(2)])
    made = network([draft], clocks=2)
    assert attained(settles(made)) == 1
    assert attained(settles(made, non_zeno=True)) == 6


def test_nobody_settles_before_the_premise() -> None:
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 9)))
    assert attained(settles(made, premise=ClockTest(atom(1, ">=", 4)))) == 4
    assert attained(settles(made, premise=ClockTest(atom(3, ">=", 6)), kept=Holds(at(0, 1)))) == 6


def test_deadlocks_in_the_formula() -> None:
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<=", 10)))
    draft.location("b")
    draft.location("c", when(TRUE, atom(2, "<=", 3)))
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 2)))
    draft.edge(0, 2, when(TRUE, atom(1, ">=", 4)), updates=[reset(2)])
    draft.edge(2, 2, updates=[reset(2)])
    made = network([draft], clocks=2)
    assert attained(settles(made)) == 2
    assert attained(settles(made, Not(Deadlock()))) == 4
    assert attained(settles(made, Deadlock(), Deadlock())) == 2


def test_where_time_runs_out_nothing_is_promised() -> None:
    made = forked(when(TRUE, atom(1, ">=", 3)), when(TRUE, atom(1, ">=", 1)))
    over = Budget.of(0)
    first = first_to_settle(
        made, Stay(NOT_C), Fraction(9), lambda _: pytest.fail(), budget=over, store_bytes=0, tick=lambda *_: None
    )
    assert first.settled is None and first.unpromised is not None


@pytest.mark.parametrize("first", [0, 8])
def test_random_networks(first: int) -> None:
    for seed in range(first, first + 8):
        live_compare.check_settling(seed, 2)
