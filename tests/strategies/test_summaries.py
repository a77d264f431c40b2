"""What loops of any number of rounds come to where they add up, go in circles, have phases or only grow: it is proved
and certified, and what is one off is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.report.result import Result
from argosy.session.run import decide
from argosy.session.task import Task

BEFORE = """extern void reach_error(void);
extern int nondet(void); extern unsigned any(void); extern unsigned char byte(void);
#define CLAIM(c) if (!(c)) reach_error();
"""
# Each with a claim that holds and one that is one off. Of the first ones the rounds are determined.
CLOSED = {
    "translations": (
        "unsigned i = 0, x = 5; while (i < 150000000) { i++; x += 4; }",
        "x == 600000005 && i == 150000000",
        "x == 600000001",
    ),
    "in a circle": (
        "unsigned place = 0; for (unsigned i = 0; i < 200000000; i++) place = place == 4 ? 0 : place + 1;",
        "place == 0",
        "place == 1",
    ),
    "remainders": ("int x = 1; for (int i = 0; i < 300000000; i++) x = (x + 2) % 5;", "x == 1", "x == 3"),
    "turns": (
        "int turn = 0, a = 0, b = 0; for (unsigned i = 0; i < 100000000; i++) { if (turn == 0) { a++; turn = 1; }"
        "else { b++; turn = 0; } }",
        "a == b",
        "a == b + 1",
    ),
    "turns of any number": (
        "int a = 0, b = 0; unsigned n = any(); for (unsigned i = 0; i < n; i++) if (i % 2) a++; else b++;",
        "b - a == 0 || b - a == 1",
        "b == a",
    ),
    "signs": ("int x = 9; for (unsigned i = 0; i < 100000000; i++) x = -x;", "x == 9", "x == -9"),
    "counters that begin again": (
        "unsigned digit = 0, carry = 0;"
        "for (unsigned i = 0; i < 120000000; i++) if (++digit == 12) { digit = 0; carry++; }",
        "digit == 0 && carry == 10000000",
        "digit == 0 && carry == 9999999",
    ),
    "three phases": (
        "unsigned x = 0; for (unsigned i = 0; i < 300000000; i++)"
        "if (i < 100000000) x += 5; else if (i < 150000000) x -= 2; else x++;",
        "x == 550000000",
        "x == 550000001",
    ),
    "there and back again": (
        "int x = 10, up = 1; while (nondet()) { if (up) { if (++x == 70000) up = 0; } else if (--x == 10) up = 1; }",
        "10 <= x && x <= 70000",
        "10 <= x && x < 70000",
    ),
    "saturation": (
        "unsigned char x = 0; for (unsigned i = 0; i < 100000000; i++) if (x < 130) x++;",
        "x == 130",
        "x == 131",
    ),
    "one loop behind another": (
        "unsigned i, x = 0; for (i = 0; i < 90000000; i++) x++; for (i = 0; i < 90000000; i++) x -= 3;"
        "for (i = 0; i < 180000000; i++) x++;",
        "x == 0",
        "x == 1",
    ),
}  # fmt: skip
SUMMED = {
    "up to so much in a round": (
        "int x = 0; for (int i = 0; i < 100000000; i++) { int d = nondet(); if (d >= 0 && d <= 3) x += d; }",
        "0 <= x && x <= 300000000",
        "0 <= x && x <= 299999999",
    ),
    "bytes": (
        "unsigned long long x = 0; for (unsigned i = 0; i < 100000000; i++) x += byte();",
        "x <= 25500000000",
        "x <= 25499999999",
    ),
    "steps of any size": (
        "int x = 0; while (x < 1000000000) { int d = nondet(); x += d < 2 || d > 9 ? 2 : d; }",
        "x <= 1000000008",
        "x <= 1000000007",
    ),
    "down by three": (
        "int i = 300000000, x = 0; while (i > 0) { i -= 3; if (nondet()) x++; }",
        "i == 0 && x <= 100000000",
        "i == 0 && x <= 99999999",
    ),
    "loops in loops": (
        "int x = 0; for (int i = 0; i < 20000; i++) for (int j = 0; j < 5000; j++) if (nondet()) x++;",
        "x <= 100000000",
        "x <= 99999999",
    ),
    "sums that fit": (
        "unsigned long long s = 0; for (unsigned long long i = 0; i < 100000000; i++) s += i;",
        "s == 4999999950000000",
        "s == 4999999950000001",
    ),
}  # fmt: skip
PAIRS = {**CLOSED, **SUMMED}


def decided(body: str, tmp_path: Path, strategy: str, seconds: float = 60) -> Result:
    path = tmp_path / "program.c"
    path.write_text(f"{BEFORE}int main(void) {{ {body} return 0; }}")
    return decide(Task.of(str(path), strategy=strategy, time_limit=seconds, data_model="LP64")).result


@pytest.mark.parametrize("name", PAIRS)
def test_what_rounds_come_to(name: str, tmp_path: Path) -> None:
    before, claim, _ = PAIRS[name]
    result = decided(f"{before} CLAIM({claim})", tmp_path, "closed-forms" if name in CLOSED else "summaries")
    assert (result.verdict, result.certified, result.certificate) == ("safe", True, "invariant"), result.reason


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_one_off_is_not_proved(name: str, tmp_path: Path) -> None:
    before, _, wrong = PAIRS[name]
    result = decided(f"{before} CLAIM({wrong})", tmp_path, "summaries", 20)
    assert result.verdict == "unknown"


@pytest.mark.parametrize("name", ["in a circle", "signs", "three phases", "saturation"])
def test_the_default_finds_it_soon(name: str, tmp_path: Path) -> None:
    before, claim, _ = PAIRS[name]
    result = decided(f"{before} CLAIM({claim})", tmp_path, "auto")
    assert (result.verdict, result.strategy["stage"]) == ("safe", "closed-forms"), result.reason


def test_what_nothing_determines_is_not_said(tmp_path: Path) -> None:
    result = decided("int x = 0; while (nondet()) x = nondet(); CLAIM(x < 5)", tmp_path, "closed-forms")
    assert result.verdict == "unknown" and "does not exclude the error" in str(result.reason)
