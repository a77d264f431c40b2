"""Intervals: what a state claims is what its bounds say, steps of executions stay inside, merging ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import argosy
from argosy.domains.intervals import IntervalAnalysis, IntervalState
from argosy.domains.precision import Precision
from argosy.logic.floating import SINGLE, magnitude
from argosy.logic.ranges import key
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Reading
from tests.frontends.c.running import read
from tests.logic.floats import patterns

PROGRAM = read("""extern int __VERIFIER_nondet_int(void); float f = 1; int n; unsigned u; int main(void) {
    while (n < 20) { n++; f = f * 0.5f + 1; u = u + 2; if (u > 50) u = 0; if (f > 3 && n > u) return 1; }
    return 0; }""")
ANALYSIS = IntervalAnalysis(PROGRAM.cfa, Reading.UNDEFINED)
FLOAT = next(v.term for v in PROGRAM.cfa.variables if v.name == "f")
NUMBERS = patterns(SINGLE).filter(lambda n: magnitude(SINGLE, n) <= SINGLE.infinity)
PRECISION = Precision("global")


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(NUMBERS, NUMBERS, patterns(SINGLE), st.booleans())
def test_a_claim_is_what_the_bounds_say(a: int, b: int, value: int, nan: bool) -> None:
    low, high = sorted(key(SINGLE, n) for n in (a, b))
    _, claim = ANALYSIS.claim(IntervalState(PROGRAM.cfa.initial, ((FLOAT, (low, high, nan)),)))
    number = magnitude(SINGLE, value) <= SINGLE.infinity
    expected = low <= key(SINGLE, value) <= high if number else nan
    said = evaluate(claim, {FLOAT: value})
    # Where both zeros are meant, they are one number.
    assert said == expected or (number and key(SINGLE, value) in (-1, 0) and said)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(NUMBERS, NUMBERS, st.booleans()), st.tuples(NUMBERS, NUMBERS, st.booleans()), st.integers(0, 200))
def test_merging_is_an_upper_bound_wherever_it_widens(
    first: tuple[int, int, bool], second: tuple[int, int, bool], pick: int
) -> None:
    """At heads of loops and elsewhere; a second time there is nothing left to widen."""
    location = PROGRAM.cfa.locations[pick % len(PROGRAM.cfa.locations)]
    old, new = (
        IntervalState(location, ((FLOAT, (*sorted(key(SINGLE, n) for n in (a, b)), nan)),))
        for a, b, nan in (first, second)
    )
    above = ANALYSIS.merge(new, old)
    assert ANALYSIS.covers(above, old) and ANALYSIS.covers(above, new)
    assert ANALYSIS.merge(new, above) is above and ANALYSIS.merge(old, above) is above


def test_merging_ends_and_is_above_both() -> None:
    waiting: list[IntervalState] = list(ANALYSIS.initial(PRECISION))
    reached: dict[Any, IntervalState] = {}
    steps = 0
    while waiting:
        state = waiting.pop()
        steps += 1
        assert steps < 2_000
        for _, after in ANALYSIS.successors(state, PRECISION):
            old = reached.get(after.location)
            new = after if old is None else ANALYSIS.merge(after, old)
            assert ANALYSIS.covers(new, after)
            if old is None or new is not old:
                assert old is None or ANALYSIS.covers(new, old)
                reached[after.location] = new
                waiting.append(new)
    assert any(dict(state.bounds).get(FLOAT, (0, 0, True))[2] is False for state in reached.values())


HEAD = """extern void reach_error(void); extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
"""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("while (__VERIFIER_nondet_int()) { x = x / 2 + e; } if (x > 3 || x != x) reach_error();", "safe"),
        ("while (__VERIFIER_nondet_int()) { x = x / 2 + e; } if (x > 1.5f) reach_error();", "unknown"),
        ("int i; for (i = 0; i < 1000000; i++) if (i < 0 || i > 1000000) reach_error();", "safe"),
        (
            "unsigned char c = 0; while (__VERIFIER_nondet_int()) { c = (c + 1) % 10; if (c > 9) reach_error(); }",
            "safe",
        ),
    ],
)
def test_loops_that_bounds_decide(body: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    start = "float x = 0, e = __VERIFIER_nondet_float(); if (!(e >= 0 && e <= 1)) e = 0;"
    path.write_text(f"{HEAD}int main(void) {{ {start} {body} return 0; }}\n")
    result = argosy.verify(path, strategy="intervals", in_process=True)
    assert result.verdict == verdict
    assert result.certified or verdict == "unknown"
