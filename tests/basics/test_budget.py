"""Budgets: time is processor time, shares nest, and nothing ends after the whole."""

from __future__ import annotations

import os
import time
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argosy.basics.budget import CLOCK, SLOWEST, UNLIMITED, Budget, OutOfBudget, ProcessorClock


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


SECONDS = st.floats(0.01, 1000)


@given(SECONDS, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 10)), max_size=6))
def test_shares_never_end_after_the_whole(seconds: float, steps: list[tuple[float, float]]) -> None:
    clock = Hands()
    whole = budget = Budget(end=seconds, clock=clock)
    left = whole.left
    for part, passed in steps:
        budget = budget.share(part)
        assert budget.end <= whole.end and budget.left <= whole.left
        clock.now += passed
        assert whole.left <= left
        left = whole.left


def test_a_busy_machine_does_not_change_shares() -> None:
    """What passes on the wall while this process waits for a processor is not taken from the parts."""
    clock = Hands()
    whole = Budget(end=60.0, clock=clock, wall_end=inf)
    assert whole.share(0.25).end == 15.0
    clock.now = 20.0
    assert whole.share(0.5).end == 40.0


def test_a_share_that_waits_for_a_processor_leaves_time_on_the_wall() -> None:
    whole = Budget(end=60.0, clock=Hands(), wall_end=time.monotonic() + 60.0)
    assert whole.share(0.25).wall_end == pytest.approx(time.monotonic() + 30.0, abs=1.0)
    assert whole.share(0.75).wall_end == whole.wall_end


def test_a_small_share_may_wait_longer_for_a_processor() -> None:
    """On a machine that is five times too busy a look of 3 percent is still one of as many processor seconds."""
    whole = Budget(end=60.0, clock=Hands(), wall_end=time.monotonic() + 60.0)
    small = whole.share(0.03)
    assert small.end == pytest.approx(1.8) and small.wall_end > time.monotonic() + 5 * 1.8
    assert whole.share(0.0).wall_end == pytest.approx(time.monotonic(), abs=0.1)


def test_solvers_have_as_long_on_the_wall_as_their_processor_time_takes() -> None:
    own, wall = Hands(), Hands()
    clock = ProcessorClock(own, wall)
    whole = Budget(end=60.0, clock=clock, wall_end=time.monotonic() + 1000.0)
    assert whole.seconds == pytest.approx(60.0)
    own.now, wall.now = 10.0, 40.0
    assert clock.on_the_wall(2.0) == 8.0
    assert whole.left == pytest.approx(50.0) and whole.seconds == pytest.approx(200.0)
    clock.charge(10.0)
    assert clock.on_the_wall(2.0) == 4.0
    wall.now = 1e6
    assert clock.on_the_wall(2.0) == 2.0 * SLOWEST
    clock.begin()
    assert clock.on_the_wall(2.0) == 2.0
    near = Budget(end=60.0, clock=clock, wall_end=time.monotonic() + 3.0)
    assert near.seconds == pytest.approx(3.0, abs=0.5)


def test_a_fork_has_a_pace_of_its_own() -> None:
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, b"1" if CLOCK.on_the_wall(1.0) == 1.0 else b"0")
        os._exit(0)
    os.wait()
    assert os.read(reader, 1) == b"1"
    os.close(reader)
    os.close(writer)


def test_the_wall_ends_it_all_the_same() -> None:
    budget = Budget(end=60.0, clock=Hands(), wall_end=0.0)
    assert budget.is_over and budget.left == 0.0 and budget.share(0.5).is_over


def test_without_a_limit() -> None:
    assert UNLIMITED.left == inf and not UNLIMITED.is_over
    assert UNLIMITED.share(0.5).left == inf
    assert Budget(clock=Hands()).share(0.5, of_unlimited=10.0).left == 5.0
    assert Budget.of(None) == UNLIMITED


def test_the_end_is_an_exception() -> None:
    clock = Hands()
    budget = Budget.of(1.0, clock=clock)
    budget.check()
    clock.now = 1.0
    with pytest.raises(OutOfBudget, match="time limit"):
        budget.check()


def test_workers_are_charged() -> None:
    clock = ProcessorClock(own=lambda: 1.0)
    budget = Budget.of(10.0, clock=clock)
    clock.charge(4.0)
    clock.charge(-1.0)
    assert clock() == 5.0 and budget.left == pytest.approx(6.0, abs=0.1)
