"""Detectors for mistakes in the C front end: facts about C, walked through the model by the concrete interpreter.

The facts are known from the standard (and gcc on x86-64, where the standard leaves a choice), so that no compiler is
needed here.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from argosy.certify.interpreter import reachable_states
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.models.cfa import Reading

_FUNCTIONS = """extern void reach_error(void);
enum sign { MINUS = -1, ZERO, PLUS };
int calls, g;
static unsigned char narrow(int x) { return x; }
static int widen(signed char x) { return x; }
static int count(int result) { calls++; return result; }
static int last(void) { static int s = 5; return ++s; }
static int bump(void) { g += 10; return 0; }
static int pair(int x, int y) { return x + y; }
static int late(int x) { if (x > 2) return 1; x += 2; return x; }
"""

CONVERSIONS = (
    "(unsigned char)300 == 44",
    "(signed char)200 == -56",
    "(char)-1 < 0",
    "(unsigned short)-1 == 65535",
    "(_Bool)256 == 1 && (_Bool)0 == 0",
    "-1 > 1U",
    "-1L < 1U",
    "(unsigned char)200 + (unsigned char)100 == 300",
    "(short)32767 + 1 == 32768",
    "sizeof(1 + 'a') == 4 && sizeof(1L) == 8 && sizeof((char)1) == 1 && sizeof(g++) == 4 && g == 0",
    "2147483648 > 0 && 0x80000000 > 0 && sizeof(2147483648) == 8 && sizeof(0x80000000) == 4",
    "narrow(258) == 2 && narrow(-1) == 255",
    "widen(200) == -56 && widen(456) == -56",
    "(1 ? -1 : 0U) > 0",
    "'\\xff' == -1",
    "MINUS < 0 && PLUS == 1",
    "(unsigned)-1 / 2 == 2147483647",
    "(long long)(unsigned)-1 == 4294967295",
    "(unsigned long long)-1 == 18446744073709551615ULL",
    "((struct { unsigned char c; }){ 300 }).c == 44",
)

OPERATORS = (
    "-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1",
    "(-8 >> 1) == -4 && (4294967288U >> 1) == 2147483644",
    "(1U << 31) == 2147483648U && (5 << 2) == 20",
    "(~0 == -1) && !5 == 0 && !0 == 1",
    "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
    "4294967295U + 1 == 0 && 0U - 1 == 4294967295U",
    "3 - 2 - 1 == 0 && 2 + 3 * 4 == 14",
    "-(-3) == 3 && +(char)1 == 1",
    "(3 > 2 > 1) == 0 && (1 < 2) == 1 && (2 <= 2) == 1 && (2 >= 3) == 0",
)

EFFECTS = (
    "(a = 5, b = a++, b == 5 && a == 6)",
    "(a = 5, b = ++a, b == 6 && a == 6)",
    "(a = 5, b = a--, b == 5 && a == 4)",
    "(a = 0, b = (a || (a = 7)), a == 7 && b == 1)",
    "(a = 1, b = (a || (a = 7)), a == 1 && b == 1)",
    "(a = 0, b = (a && ++a), a == 0 && b == 0)",
    "(a = 1, b = a ? (a = 2) : (a = 3), a == 2 && b == 2)",
    "(calls = 0, count(0) && count(1), calls == 1)",
    "(calls = 0, count(1) || count(1), calls == 1)",
    "(c = 250, c += 10, c == 4)",
    "(c = 255, c++, c == 0)",
    "(b = (c = 300), b == 44)",
    "(t = 1, t--, t == 0 && (t--, t == 1))",
    "(t = 2, t == 1 && (t += 5, t == 1))",
    "(a = last(), b = last(), b == a + 1)",
    "(a = 8, a /= 3, a <<= 2, a ^= 1, a == 9)",
    "late(1) == 3 && late(3) == 1",
)

LEFT_TO_RIGHT = (
    "(g = 1, a = g + bump(), a == 1 && g == 11)",
    "(a = 1, b = a + (a = 5), b == 6)",
    "(g = 2, a = pair(g, bump()), a == 2)",
)

STATEMENTS = """
    int s = 0;
    for (int i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; s += i; }
    CHECK(s == 5);
    s = 0; do s++; while (s < 3); CHECK(s == 3);
    s = 0; do { s++; continue; } while (0); CHECK(s == 1);
    for (int k = 0; k < 7; k++) {
      s = 0;
      switch (k) { case 1: s += 1; default: s += 10; break; case 2: s += 100; case 3: s += 1000; }
      CHECK(s == (k == 1 ? 11 : k == 2 ? 1100 : k == 3 ? 1000 : 10));
    }
    s = 0; switch (5) { case 1: s = 1; } CHECK(s == 0);
    { int s = 9; s++; } CHECK(s == 0);
    goto over; s = 1; over: CHECK(s == 0);
    s = 0; again: s++; if (s < 3) goto again; CHECK(s == 3);
    s = 2; switch (s) { case 0: while (s > 0) { s -= 5; case 2: s--; } } CHECK(s == -5);
"""

# Operations that leave the language: what follows them is not reached, under both readings or only under one.
LEAVES_ALWAYS = (
    "1 / zero",
    "1 % zero",
    "least / minus",
    "least % minus",
    "1 << wide",
    "1 >> wide",
    "1 << minus",
    "1U << wide",
)
LEAVES_BY_OVERFLOW = (
    "most + 1",
    "least - 1",
    "most * 2",
    "-least",
    "most++",
    "minus << 1",
    "1 << 31",
    "most << 1",
    "--least",
)
STAYS = ("most - 1", "least + 1", "(unsigned)most + 1", "(unsigned)least + 1", "c++", "1U << 31", "least / 2",
         "(short)most", "zero && 1 / zero", "1 || 1 / zero", "zero ? 1 / zero : 1", "sizeof(1 / zero)")  # fmt: skip


def reaches_error(text: str, reading: Reading) -> bool:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "facts.c"
        path.write_text(text)
        cfa = load(str(path), terms=Terms(), data_model="LP64").cfa
    return any(state.location is cfa.error for state in reachable_states(cfa, reading, lambda *_: (0,), limit=20_000))


def _program(body: str) -> str:
    variables = "int a = 0, b = 0, zero = 0, minus = -1, most = 2147483647, least = -2147483647 - 1, wide = 32;"
    return f"{_FUNCTIONS}int main(void) {{ {variables} unsigned char c = 0; _Bool t = 0;\n{body}\nreturn 0; }}\n"


def _hold(checks: str) -> None:
    """No check fails, and the end is reached."""
    for reading in Reading:
        assert not reaches_error(_program(checks), reading)
        assert reaches_error(_program(f"{checks}\nreach_error();"), reading)


def _each(conditions: tuple[str, ...]) -> str:
    return "\n".join(f"if (!({condition})) reach_error();" for condition in conditions)


def conversions_and_promotions() -> None:
    _hold(_each(CONVERSIONS))


def operators() -> None:
    _hold(_each(OPERATORS))


def effects_and_their_order() -> None:
    _hold(_each(EFFECTS))


def values_are_read_in_time() -> None:
    """Unspecified order is left to right: an operand has the value from before the effects to its right."""
    _hold(_each(LEFT_TO_RIGHT))


def statements() -> None:
    _hold(STATEMENTS.replace("CHECK(", "if (!(").replace(");\n", ")) reach_error();\n"))


def what_leaves_the_language() -> None:
    for expression in LEAVES_ALWAYS + LEAVES_BY_OVERFLOW + STAYS:
        for reading in Reading:
            stays = expression in STAYS or (expression in LEAVES_BY_OVERFLOW and reading is Reading.WRAP)
            assert reaches_error(_program(f"a = {expression}; reach_error();"), reading) == stays, expression
