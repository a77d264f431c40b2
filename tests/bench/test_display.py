"""What people see while a study runs."""

from __future__ import annotations

import io

import pytest

from argosy.bench.display import Lines, Tally, Terminal, duration
from argosy.bench.records import Run
from argosy.report.console import Paint
from tests.bench.fakes import configuration, record, task

FAST, SLOW = configuration("fast"), configuration("slow")
TASKS = [task(f"t{number}.c") for number in range(3)]
RUNS = [Run(t, c, f"{t.name}-{c.label}") for t in TASKS for c in (FAST, SLOW)]


def test_time_left_is_what_the_same_configurations_took() -> None:
    tally = Tally(2)
    tally.begin([], RUNS)
    assert tally.left_s() is None
    tally.finished(record(TASKS[0], FAST, "safe", 1.0), 0.0)
    assert tally.left_s() == pytest.approx(5 * 1.0 / 2), "nothing else is known of the slow one"
    tally.finished(record(TASKS[0], SLOW, "", 21.0), 0.0)
    assert tally.left_s() == pytest.approx((2 * 1.0 + 2 * 21.0) / 2)
    assert (tally.solved, tally.wrong, tally.done, tally.remaining) == (1, 0, 2, 4)
    tally.finished(record(TASKS[1], FAST, "unsafe", 1.0), 0.0)
    assert tally.describe(Paint()) == "1 solved, 1 wrong, 1 unsolved, 3 remaining, about 22 s left"


def test_earlier_runs_count_and_are_not_awaited() -> None:
    tally = Tally(1)
    tally.begin([record(TASKS[0], FAST, "safe", 4.0)], RUNS[2:4])
    assert tally.total == 3 and tally.left_s() == pytest.approx(8.0)


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (260, "4 min 20 s"), (7499, "2 h 04 min")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_of_a_log() -> None:
    stream = io.StringIO()
    display = Lines(stream, Tally(1))
    display.begin([record(TASKS[0], FAST)], RUNS[1:4])
    display.finished(record(TASKS[0], SLOW, "", 3.0), 0.1)
    display.finished(record(TASKS[1], FAST, "unsafe", 0.5), 0.1)
    display.lost(RUNS[3], "its machine is gone")
    display.close()
    assert stream.getvalue().splitlines() == [
        "1 of 4 runs are finished already",
        "[2/4] unsolved: time in 3.00 s, slow, t0.c",
        "[3/4] wrong: unsafe in 0.50 s, fast, t1.c",
        "WRONG: t1.c is safe, and fast says unsafe",
        "not measured: slow, t1.c: its machine is gone",
        "1 solved, 1 wrong, 1 unsolved, 1 remaining, about 3 s left",
    ]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_terminal_is_written_again_and_left_clean() -> None:
    stream, clock = io.StringIO(), Clock()
    display = Terminal(stream, Tally(1), Paint(True), clock)
    display.begin([], RUNS)
    display.started(RUNS[0])
    clock.now = 1.0
    display.tick()
    first = stream.getvalue()
    assert "0 of 6" in first and "6 remaining" in first and "1.0 s  fast  t0.c" in first
    display.tick()
    assert stream.getvalue() == first, "not more often than one can read"
    clock.now = 2.0
    display.finished(record(TASKS[0], FAST, "unsafe"), 0.0)
    added = stream.getvalue()[len(first) :]
    assert added.startswith("\x1b[3A\x1b[J\x1b[1;31mWRONG: t0.c is safe, and fast says unsafe\x1b[0m\n")
    assert "1 of 6" in added and "\x1b[1;31m1 wrong\x1b[0m" in added
    display.close()
    assert stream.getvalue().endswith("\x1b[2A\x1b[J")
