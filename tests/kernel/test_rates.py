"""Stopwatches and clock rates: models with known answers in both directions, linear programs, random networks."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from argosy import verify
from argosy.basics.errors import InputError, UnsupportedError
from argosy.certify.timed_replay import TimedStep, replay
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.load import read as read_model
from argosy.kernel.bounds import Unsupported
from argosy.kernel.concretise import BeyondZones, concretise
from argosy.kernel.linear import Inequality, solve
from argosy.kernel.search import Exhausted, GoalReached, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Query, goals
from tests.kernel import rated_compare

PREEMPTED = """
clock t;
int[0,1] runs = 1;
process Task() {
  clock x;
  state Working { x' == runs && x <= 4 }, Done, Late;
  init Working;
  trans Working -> Done { guard x == 4 && t <= LIMIT; }, Working -> Late { guard t > LIMIT; };
}
process Interrupt() {
  clock y;
  state Away { y <= 10 }, Here { y <= 2 };
  init Away;
  trans Away -> Here { guard y >= 10 && runs == 1; assign y = 0, runs = 0; },
        Here -> Away { guard y >= 1; assign y = 0, runs = 1; };
}
system Task, Interrupt;
"""

SPEEDS = """
clock t;
process P() {
  clock x, y;
  state A { x' == 3 && y' == 2 && x <= 12 }, B { x' == 0 }, C;
  init A;
  trans A -> B { guard x == 12; }, B -> C { guard y == 10; };
}
system P;
"""

SUMS = """
clock t;
process P() {
  clock x, y;
  state A { x' == 1 && y' == 0 && t <= 3 }, B { x' == 0 && y' == 1 }, C { x' == 0 && y' == 0 };
  init A;
  trans A -> B { guard t >= 1; }, B -> C { guard t == 6; };
}
system P;
"""


def read(text: str, query: str) -> tuple[Network, Query]:
    network, queries = read_model("m.xta", text.encode(), PlacedText("m.q", query))
    asked = queries[0]
    assert isinstance(asked, Query)
    return network, asked


def answer(text: str, query: str) -> str:
    """``proved``, ``reached`` (with a run that was replayed) or ``in between``."""
    network, asked = read(text, query)
    wanted = goals(asked.target)
    outcome = ZoneSearch(network, wanted).run()
    if isinstance(outcome, Exhausted):
        return "proved"
    assert isinstance(outcome, GoalReached)
    try:
        timed = concretise(network, outcome.trace, outcome.goal)
    except BeyondZones:
        return "in between"
    replay(network, [TimedStep(step.delay, step.edges) for step in timed], asked.target)
    return "reached"


def test_a_task_that_is_interrupted_takes_as_long_as_the_interrupts() -> None:
    """Four units of work; the first interrupt comes at 10, so none comes before the work is done."""
    assert answer(PREEMPTED.replace("LIMIT", "4"), "E<> Task.Late") == "proved"
    assert answer(PREEMPTED.replace("LIMIT", "3"), "E<> Task.Late") == "reached"
    earlier = PREEMPTED.replace("y <= 10", "y <= 1").replace("y >= 10", "y >= 1")
    assert answer(earlier.replace("LIMIT", "4"), "E<> Task.Late") == "reached"
    # Three interrupts of two units each fit into four units of work, a fourth one at the end.
    assert answer(earlier.replace("LIMIT", "9"), "E<> Task.Late") == "reached"
    assert answer(earlier.replace("LIMIT", "20"), "E<> Task.Done && t < 4") == "proved"


def test_rates() -> None:
    """x is 12 after 4 units; y is 8 by then, and 10 after two more."""
    assert answer(SPEEDS, "E<> P.C && t == 6") == "reached"
    assert answer(SPEEDS, "E<> P.C && t < 6") == "proved"
    assert answer(SPEEDS, "E<> P.B && P.y < 8") == "proved"
    assert answer(SPEEDS, "E<> P.A && P.x == 9 && P.y == 6") == "reached"


def test_what_zones_cannot_say_is_neither_proved_nor_reached() -> None:
    """x + y is the time, 6; no zone knows that."""
    assert answer(SUMS, "E<> P.C && P.x == 2 && P.y == 4") == "reached"
    assert answer(SUMS, "E<> P.C && P.x == 2 && P.y == 5") == "in between"
    assert answer(SUMS, "E<> P.C && P.x == 4") == "proved"


@pytest.mark.parametrize(
    "query, verdict, words",
    [
        ("A[] not (P.C && P.x == 2 && P.y == 4)", "unsafe", None),
        ("A[] not (P.C && P.x == 2 && P.y == 5)", "unknown", "zones contain more than what clocks with rates reach"),
        ("A[] not (P.C && P.x == 4)", "safe", None),
        ("A[] not deadlock", "unknown", "queries with 'deadlock'"),
        ("A<> P.C", "unknown", "queries about whole runs"),
        ("sup: P.x", "unknown", "sup, inf and bounds"),
    ],
)
def test_verdicts(tmp_path: Path, query: str, verdict: str, words: str | None) -> None:
    path = tmp_path / "model.xta"
    path.write_text(SUMS)
    result = verify(str(path), query=query)
    assert result.verdict.lower() == verdict
    assert words is None or words in str(result.reason)


IN_TURN = """
clock x, y;
process P() {
  state run { y <= 5 }, stop { x' == 0 && y <= 10 }, fast { x' == 3 && y <= 12 }, end;
  init run;
  trans run -> stop { guard y >= 5; }, stop -> fast { guard y == 10; }, fast -> end { guard y == 12; };
}
Q = P();
system Q;
"""


@pytest.mark.parametrize(
    "query, verdict",
    [
        ("E<> Q.end && x == 11", "unsafe"),  # 5, and nothing, and three times 2
        ("A[] Q.stop imply x == 5", "safe"),
        ("E<> Q.fast && x > 11", "safe"),
        ("E<> Q.end && x != 11", "unsafe"),  # later; zones contain x < 11 as well, where no run comes
        ("A[] Q.end && y <= 12 imply x == 11", "unknown"),  # it holds
    ],
)
def test_a_clock_that_runs_and_stops_and_runs_faster(tmp_path: Path, query: str, verdict: str) -> None:
    path = tmp_path / "model.xta"
    path.write_text(IN_TURN)
    assert verify(str(path), query=query).verdict.lower() == verdict


def test_a_clock_may_begin_above_0() -> None:
    text = "clock x = 3, y; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard y == 2; }; } system P;"
    assert answer(text, "E<> P.B && x == 5") == "reached"
    assert answer(text, "E<> P.A && y > 2") == "proved"
    assert answer(text, "E<> x < 3") == "proved"


@pytest.mark.parametrize(
    "invariant, words",
    [
        ("x' == 0 && x' == 1", "two rates"),
        ("x' <= 1", "clock rate"),
        ("n > 0 || x' == 0", "clock rate"),
        ("c[n]' == 0", "chosen at run time"),
        ("n' == 0", "a clock expected"),
    ],
)
def test_rates_that_are_refused(invariant: str, words: str) -> None:
    text = f"int[0,1] n; clock x, c[2]; process P() {{ state A {{ {invariant} }}; init A; }} system P;"
    with pytest.raises((InputError, UnsupportedError), match=words):
        read(text, "E<> P.A")


def test_rates_of_two_processes_and_negative_ones_are_refused() -> None:
    two = "clock x; process P() { state A { x' == 0 }; init A; } P1 = P(); P2 = P(); system P1, P2;"
    with pytest.raises(UnsupportedError, match="two processes"):
        read(two, "E<> P1.A")
    negative = (
        "int[-1,1] n; clock x; process P() { state A { x' == n }; init A; trans A -> A { assign n = -1; }; } system P;"
    )
    network, asked = read(negative, "E<> x > 3")
    with pytest.raises(Unsupported, match="clock rate outside"):
        ZoneSearch(network, goals(asked.target))


def test_linear_programs_against_points() -> None:
    """Inequalities over three unknowns: what a grid of halves satisfies has a solution, which is one."""
    random = Random(7)
    solved = 0
    for _ in range(120):
        asked = [
            Inequality({k: random.randint(-2, 2) for k in range(3)}, random.randint(-4, 4), random.random() < 0.4)
            for _ in range(5)
        ]
        found = solve(3, asked)
        if found is not None:
            solved += 1
            assert all(value >= 0 for value in found) and all(each.holds(found) for each in asked)
            continue
        grid = [Fraction(k, 2) for k in range(7)]
        assert not any(all(e.holds([a, b, c]) for e in asked) for a in grid for b in grid for c in grid)
    assert 30 < solved < 110


def test_random_networks() -> None:
    kinds = [kind for seed in range(60) for kind in rated_compare.check(seed)]
    assert {"proved", "reached"} <= set(kinds)
