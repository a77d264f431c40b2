"""Extreme values of clocks and integers: networks worked out by hand, random networks against regions, and claims that
are refuted when they say a little too much. ``python -m tests.kernel 2000 0 extremes`` compares more networks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from argosy.backends.network_liveness import claim_of
from argosy.certify.extremes import check_extreme
from argosy.certify.staying import check_pumped
from argosy.certify.timed_replay import ReplayError
from argosy.kernel.concretise import highest
from argosy.kernel.lasso import pumped
from argosy.kernel.staying import Micro, MicroStep
from argosy.models.limit_numbers import LimitNumber
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_expressions import TRUE, Binary, Constant, NetworkPlace
from argosy.models.network_queries import ClockMeasure, ExtremeQuery, Extremum, Goal, Holds, StateFormula
from tests.kernel import extreme_compare
from tests.kernel.networks import Draft, at, atom, equals, network, put, read, reset, when

NETWORKS = 200
BATCH = 50

ANYWHERE = Holds(TRUE)
X = ClockMeasure(NetworkPlace(1), NetworkPlace(0))


def asked(extremum: Extremum, measured: object, formula: StateFormula = ANYWHERE) -> ExtremeQuery:
    return ExtremeQuery(extremum, formula, measured, "e", "")  # type: ignore[arg-type]


def value(made: Network, query: ExtremeQuery) -> object:
    found = extreme_compare.decide(made, query, 60)
    assert found.certified and found.reason is None
    entry = found.entry(query)
    return "none" if entry["empty"] else "infinite" if entry["infinite"] else (entry["value"], entry["attained"])


def test_bounds_are_attained_or_approached() -> None:
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<=", 5)))
    draft.location("b", when(TRUE, atom(1, "<", 9)))
    draft.edge(0, 1, when(TRUE, atom(1, ">", 3)))
    made = network([draft], clocks=2)
    first, second = Holds(at(0, 0)), Holds(at(0, 1))
    assert value(made, asked(Extremum.SUP, X, first)) == (5, True)
    assert value(made, asked(Extremum.SUP, X, second)) == (9, False)
    assert value(made, asked(Extremum.SUP, X)) == (9, False)
    assert value(made, asked(Extremum.INF, X, first)) == (0, True)
    assert value(made, asked(Extremum.INF, X, second)) == (3, False)
    assert value(made, asked(Extremum.SUP, X, Holds(Binary("&&", at(0, 0), at(0, 1))))) == "none"
    difference = ClockMeasure(NetworkPlace(1), NetworkPlace(2))
    assert value(made, asked(Extremum.SUP, difference)) == (0, True)


def test_a_clock_is_followed_beyond_every_constant_of_the_model() -> None:
    """Ten rounds of 7 units each, and nothing in the model compares the clock: extrapolation would forget it."""
    draft = Draft()
    draft.location("a", when(TRUE, atom(2, "<=", 7)))
    draft.edge(0, 0, when(Binary("<", read(0), Constant(10))), updates=[reset(2), put(0, Binary("+", read(0), TRUE))])
    made = network([draft], [NetworkVariable("n", 0, 10, 0)], clocks=2)
    assert value(made, asked(Extremum.SUP, X)) == (77, True)
    assert value(made, asked(Extremum.SUP, X, Holds(equals(0, 4)))) == (35, True)
    assert value(made, asked(Extremum.SUP, read(0))) == (10, True)
    assert value(made, asked(Extremum.INF, read(0))) == (0, True)


def looping(updates: int) -> Network:
    """Rounds of at most 3 units; then an urgent location, where it is asked."""
    draft = Draft()
    draft.location("a", when(TRUE, atom(2, "<=", 3)))
    draft.location("b", urgent=True)
    draft.edge(0, 0, when(TRUE, atom(2, ">=", 2)), updates=[reset(updates)])
    draft.edge(0, 1, when(TRUE, atom(2, ">=", 1)))
    return network([draft], clocks=2)


def test_infinity_is_waiting_or_a_cycle() -> None:
    resting = Draft()
    resting.location("a")
    resting.location("b", urgent=True)
    resting.edge(0, 1)
    made = network([resting], clocks=1)
    assert value(made, asked(Extremum.SUP, X)) == "infinite"
    assert value(made, asked(Extremum.SUP, X, Holds(at(0, 1)))) == "infinite"
    made = looping(2)
    assert value(made, asked(Extremum.SUP, X)) == "infinite"
    assert value(made, asked(Extremum.SUP, X, Holds(at(0, 1)))) == "infinite"
    assert value(made, asked(Extremum.SUP, ClockMeasure(NetworkPlace(2), NetworkPlace(0)))) == (3, True)
    backwards = ClockMeasure(NetworkPlace(2), NetworkPlace(1))
    assert value(made, asked(Extremum.INF, backwards)) == "infinite"
    assert value(made, asked(Extremum.SUP, backwards)) == (0, True)


@pytest.mark.parametrize("first", range(0, NETWORKS, BATCH))
def test_zones_and_regions_agree(first: int) -> None:
    kinds: dict[str, int] = {}
    for seed in range(first, first + BATCH):
        for kind, count in extreme_compare.check(seed).items():
            kinds[kind] = kinds.get(kind, 0) + count
    assert sum(kinds.values()) > 2 * BATCH and not kinds.get("open")


# ---- what is claimed too much is refuted -----------------------------------------------------------------------------


def test_a_run_that_is_not_as_high_as_is_said_is_refuted() -> None:
    draft = Draft()
    draft.location("a", when(TRUE, atom(1, "<", 5)))
    made = network([draft], clocks=1)
    query = asked(Extremum.SUP, X)
    run = highest(made, (), Goal(TRUE), X)
    assert run.height == (5, False)
    steps = [(delay, action.edges) for delay, action in zip(run.delays, run.actions, strict=True)]
    check_extreme(made, steps, query, (5, False))
    for wrong in ((5, True), (4, True), (6, False), None):
        with pytest.raises(ReplayError):
            check_extreme(made, steps, query, wrong)
    for delay in (LimitNumber.of(5), LimitNumber(Fraction(1), Fraction(0), Fraction(0))):
        with pytest.raises(ReplayError, match="invariant"):
            check_extreme(made, [(delay, ())], query, (5, False))


def test_a_cycle_that_resets_the_clock_shows_nothing() -> None:
    made = looping(2)
    around, leave = made.processes[0].edges
    goal = Goal(at(0, 1))
    found = pumped(made, [], [(around,)], [(leave,)], goal)
    rest = (MicroStep(Micro.ACTION, 0, (leave,)), MicroStep(Micro.TICK, 0))
    check_pumped(made, claim_of(found), rest, goal, X)
    with pytest.raises(ReplayError, match="reset"):
        check_pumped(made, claim_of(found), rest, goal, ClockMeasure(NetworkPlace(2), NetworkPlace(0)))
    with pytest.raises(ReplayError, match="taken away"):
        check_pumped(made, claim_of(found), rest, goal, ClockMeasure(NetworkPlace(1), NetworkPlace(1)))
    with pytest.raises(ReplayError, match="from wherever"):
        check_pumped(made, claim_of(found), rest, Goal(at(0, 1), (atom(2, ">", 3),)), X)


def test_limit_numbers_are_ordered_and_contain_the_rationals() -> None:
    tiny, huge = LimitNumber(Fraction(0), Fraction(0), Fraction(1)), LimitNumber(Fraction(1), Fraction(0), Fraction(0))
    five = Fraction(5)
    assert five - tiny < five < five + tiny < Fraction(501, 100) < huge - 1000 < huge
    assert five + tiny - tiny == five and hash(five + tiny - tiny) == hash(five)
    assert (huge + five - tiny).at(Fraction(10), Fraction(1, 2)) == Fraction(29, 2)
    assert not tiny - tiny and tiny / -1 == -tiny and max(five, huge) is huge
