"""The oracle itself: programs whose executions are known by hand, and what the generator promises."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from .corpus import cases, data_models
from .expressions import CType, choice, literal
from .generator import generate
from .shrink import shrink
from .statements import LARGE, SMALL
from .syntax import Block, Phrase, Program, Statement, line
from .truth import RUNS, Truth, available, observe

pytestmark = pytest.mark.skipif(not available("LP64"), reason="needs gcc for Linux on x86-64")

INT = CType("int", 32, True, "int")


def program_of(*body: Statement, before: tuple[Statement, ...] = ()) -> Program:
    main = Statement((Phrase("int main(void) {{"), Block((*body, line("return 0;"))), Phrase("}}")))
    return Program(0, "LP64", "reach_error", (*before, main), ("g",))


def truth_of(*body: Statement, before: tuple[Statement, ...] = ()) -> Truth:
    [truth] = observe([program_of(*body, before=before)], "undefined")
    return truth


DECLARATIONS = (
    "int a = 2147483647;",
    "int m = -a - K(1);",
    "int one = 1, minus = -1;",
    "unsigned u = 4294967295U;",
    "short s = 32767;",
)
CONDITIONS = {
    "a + K(1) < 0": ("undefined", "true"),
    "a * a == 1": ("undefined", "true"),
    "-V(m) == V(m)": ("undefined", "true"),
    "(unsigned char)W(a * a) == 1": ("undefined", "true"),
    "m - K(1) == a": ("undefined", "true"),
    "a++ == 2147483647 && a == m": ("undefined", "true"),
    "(minus << 1) == -2": ("undefined", "true"),
    "(one << 31) == m": ("undefined", "true"),
    "(a << 1) == -2": ("undefined", "true"),
    "m / minus == 0": ("undefined", "undefined"),
    "m % minus == 0": ("undefined", "undefined"),
    "one / (one - 1)": ("undefined", "undefined"),
    "one % (one - 1)": ("undefined", "undefined"),
    "one << 32": ("undefined", "undefined"),
    "one >> 32": ("undefined", "undefined"),
    "one << minus": ("undefined", "undefined"),
    "(one, one) << 30 == 1073741824": ("true", "true"),
    "u + 1 == 0": ("true", "true"),
    "u << 1 == 4294967294U": ("true", "true"),
    "(s++, s) == -32768": ("true", "true"),
    "(unsigned char)a == 255": ("true", "true"),
    "minus >> 1 == -1": ("true", "true"),
    "-7 / (one + 1) == -3 && -7 % (one + 1) == -1": ("true", "true"),
    "one == 2": ("false", "false"),
}


@functools.cache
def endings(reading: str) -> dict[str, str]:
    """How each condition ends: true, false, or undefined."""
    declarations = [line(text) for text in DECLARATIONS]
    programs = [program_of(*declarations, line("if (!({0})) reach_error();", Phrase(text))) for text in CONDITIONS]
    return {
        text: "undefined" if truth.undefined else "false" if truth.errors else "true"
        for text, truth in zip(CONDITIONS, observe(programs, reading), strict=True)
    }


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_overflow_is_told_from_the_rest(data_model: str) -> None:
    if not available(data_model):
        pytest.skip(f"gcc cannot build for {data_model}")
    overflow = {
        "a + 1",
        "-m",
        "m / minus",
        "one << 31",
        "minus << 1",
        "q * q",
        "(m + 0LL) * q",
        "p / minus",
        "1LL << 63",
    }
    other = {"one / (one - 1)", "q % (one - 1)", "one << 32", "one >> minus", "one << q", "q << minus", "1LL << 64"}
    values = "long long q = K(1LL << 62), p = -q - q;"
    declarations = [line(text) for text in (*DECLARATIONS, values)]
    programs = [
        replace(program_of(*declarations, line(f"W({e.replace('1LL', 'K(1LL)')});")), data_model=data_model)
        for e in (*overflow, *other)
    ]
    for expression, truth in zip((*overflow, *other), observe(programs, "undefined"), strict=True):
        assert (truth.undefined, truth.overflows) == (1, int(expression in overflow)), expression


@pytest.mark.parametrize("condition", CONDITIONS)
def test_readings_of_what_c_leaves_open(condition: str) -> None:
    assert (endings("undefined")[condition], endings("wrap")[condition]) == CONDITIONS[condition]


def test_every_combination_of_choices_is_run() -> None:
    pair = (
        line("int x = {0};", choice(INT, (0, 1, 2))),
        line("int y = x ? {0} : 0;", choice(INT, (5, 6))),
        line("if (x == 2 && y == 6) reach_error();"),
    )
    truth = truth_of(*pair)
    assert (truth.runs, truth.errors, truth.returned) == (5, 1, 4)


def test_globals_and_statics_start_afresh_in_every_run() -> None:
    truth = truth_of(
        line("static int s = 3;", oracle="KEPT static int s = 3;"),
        line("if (g != 4 || s != 3) reach_error();"),
        line("g = {0}; s = g;", choice(INT, (0, 1, 2))),
        before=(line("int g = 4;", oracle="KEPT int g = 4;"),),
    )
    assert (truth.runs, truth.errors) == (3, 0)


def test_an_execution_ends_where_it_leaves_the_language_or_the_program() -> None:
    x = line("int x = {0};", choice(INT, (0, 1, 2, 3)))
    ways = line("if (x == 0) abort(); if (x == 1) __VERIFIER_assume(0); if (x == 2) x = x / (x - 2);")
    truth = truth_of(x, ways, line("reach_error();"))
    assert (truth.left, truth.undefined, truth.errors, truth.returned) == (2, 1, 1, 0)


def test_programs_with_too_many_or_too_long_executions_are_marked() -> None:
    forever = Statement((Phrase("while ({0}) {{", (literal("1"),)), Block((line("", oracle="TICK;"),)), Phrase("}}")))
    assert not truth_of(forever).complete
    inputs = [line(f"int x{i} = {{0}};", choice(INT, range(2))) for i in range(RUNS.bit_length())]
    assert not truth_of(*inputs).complete


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_the_width_of_long_is_the_data_model_s(data_model: str) -> None:
    if not available(data_model):
        pytest.skip(f"gcc cannot build for {data_model}")
    size = "sizeof(long) == 8" if data_model == "LP64" else "sizeof(long) == 4"
    body = Block((line(f"if (!({size})) reach_error();"), line("return 0;")))
    main = Statement((Phrase("int main(void) {{"), body, Phrase("}}")))
    [truth] = observe([Program(0, data_model, "reach_error", (main,), ())], "wrap")
    assert truth.verdict == "safe" and truth.returned == 1


def test_a_seed_gives_one_program() -> None:
    for seed in range(20):
        first, second = (generate(seed, LARGE, data_models()) for _ in range(2))
        assert first.source() == second.source() and first.oracle() == second.oracle()
    assert generate(1, SMALL).source() != generate(2, SMALL).source()


def test_programs_are_varied() -> None:
    """Both verdicts are common under both readings, and the readings differ now and then."""
    drawn = list(cases(range(1000, 1160)))
    assert len(drawn) >= 150
    unsafe = sum(case.truths["undefined"].verdict == "unsafe" for case in drawn)
    assert 0.2 < unsafe / len(drawn) < 0.6
    assert any(case.truths["undefined"].verdict != case.truths["wrap"].verdict for case in drawn)
    assert sum(case.truths["undefined"].returned + case.truths["undefined"].errors == 0 for case in drawn) < 50


def test_shrinking_keeps_what_fails_and_drops_the_rest() -> None:
    program = next(p for p in map(generate, range(100)) if "switch" in p.source().text)
    small = shrink(program, lambda p: "switch" in p.source().text, attempts=5000)
    assert "switch" in small.source().text
    assert len(small.source().text) < 100 < len(program.source().text)
