"""Loops of any number of rounds: what they come to is proved and certified, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.report.result import Result
from argosy.session.run import decide
from argosy.session.task import Task

BEFORE = """extern void reach_error(void); extern int nondet(void); extern unsigned any(void);
#define CLAIM(c) if (!(c)) reach_error();
"""
# Each with a claim that holds and one that does not.
PAIRS = {
    "wrapping": ("unsigned x = 0, y = 0; while (nondet()) { x += 3; y += 5; }", "5 * x == 3 * y", "5 * x == 3 * y + 8"),
    "constants": ("unsigned x = 1; for (unsigned i = 0; i < 1000000000; i++) x += 7;", "x == 2705032705u", "x == 9"),
    "sums": ("unsigned n = any(), s = 0; for (unsigned i = 0; i < n; i++) s += i;", "2 * s == n * (n - 1)", "s <= n"),
    "sums with a bound": (
        "int n = nondet(), s = 0; if (n < 1 || n > 1000) return 0; for (int i = 1; i <= n; i++) s += i;",
        "2 * s == n * (n + 1)",
        "2 * s == n * n",
    ),
    "products": (
        "unsigned a = any(), x = a, i; for (i = 0; i < 100000000; i++) x += a;",
        "x == a * 100000001u",
        "x == a * 100000000u",
    ),
    "narrow": ("unsigned char c = 0; for (unsigned i = 0; i < 100000001; i++) c += 16;", "c == 16", "c == 0"),
    "nested": (
        "unsigned i, j, c = 0; for (i = 0; i < 30000; i++) for (j = 0; j < 20000; j++) c++;",
        "c == 600000000",
        "c == 600000001",
    ),
    "there and back": (
        "unsigned n = any(), i = 0, k = 0; while (i < n) { i++; k += 2; } for (i = n; i > 0; i--) k--;",
        "k == n",
        "k == n + 1",
    ),
    "phases": (
        "int x = 0, y = 50; while (x < 100000000) { if (x < 50000000) x++; else { x++; y++; } }",
        "y == 50000050",
        "y == 50000051",
    ),
    "wider": (
        "int a = nondet(); long long s = 0, t = 0; while (nondet()) { s += a; t += 2; }",
        "2 * s == t * a",
        "2 * s == t * a + 2",
    ),
    "powers": (
        "unsigned n = any(), c = 0, x = 0; while (c != n) { c++; x += c * c * c; }",
        "4 * x == n * n * (n + 1) * (n + 1)",
        "4 * x == n * n * (n + 1)",
    ),
    "choices": (
        "unsigned a = any(), b = any(), q = 0, r = a;"
        "while (nondet()) { if (r >= b) { r -= b; q++; } else { r += b; q--; } }",
        "q * b + r == a",
        "q * b == a",
    ),
    "remainders that choose": (
        "unsigned n = any(), i = 0, j = 0, k = 0, m = 0, l = 0; while (l < n) { if (!(l % 7)) i++;"
        "else if (!(l % 5)) j++; else if (!(l % 3)) m++; else k++; l++; }",
        "i + j + k + m == l",
        "i + j + m == l",
    ),
    "comparisons": (
        "unsigned b = any(), c = b, k = 1, r = any(); while (nondet()) { c = 2 * c; k = 2 * k; } if (r < c) return 0;",
        "r >= k * b",
        "r > k * b",
    ),
    "never entered": (
        "int a = nondet(), n = 0, x = 0; if (a > 1000) return 0; while (n < a) { n++; x += n; }",
        "2 * x == n * (a + 1)",
        "2 * x == n * a",
    ),
    "remainders": ("unsigned x = 0; while (x < 0x0fffffff) x += 2;", "x % 2 == 0", "x % 2 == 1"),
}


def decided(body: str, tmp_path: Path, strategy: str) -> Result:
    path = tmp_path / "program.c"
    path.write_text(f"{BEFORE}int main(void) {{ {body} return 0; }}")
    return decide(Task.of(str(path), strategy=strategy, time_limit=60, data_model="ILP32")).result


@pytest.mark.parametrize("name", PAIRS)
def test_what_loops_come_to(name: str, tmp_path: Path) -> None:
    before, claim, _ = PAIRS[name]
    result = decided(f"{before} CLAIM({claim})", tmp_path, "polynomials")
    assert (result.verdict, result.certified, result.certificate) == ("safe", True, "invariant"), result.reason


@pytest.mark.parametrize("name", PAIRS)
def test_a_wrong_claim_is_not_proved(name: str, tmp_path: Path) -> None:
    before, _, wrong = PAIRS[name]
    result = decided(f"{before} CLAIM({wrong})", tmp_path, "polynomials")
    assert result.verdict == "unknown" and "does not exclude the error" in str(result.reason)


@pytest.mark.parametrize("name", ["wrapping", "sums", "products", "nested", "phases"])
def test_the_default_finds_it(name: str, tmp_path: Path) -> None:
    before, claim, _ = PAIRS[name]
    result = decided(f"{before} CLAIM({claim})", tmp_path, "auto")
    assert result.verdict == "safe" and result.strategy["stage"] in ("closed-forms", "polynomials"), result.reason
