"""``--evaluation-order all``: what is safe is so in each order of operands, and an order that is not is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy

BEFORE = """
extern void reach_error(void);
static int x, a[3];
static int set(void) { x = 1; return 0; }
static int get(void) { return x; }
static int increment(void) { return ++x; }
static int add(int p, int q) { return 10 * p + q; }
static int three(int p, int q, int r) { return 100 * p + 10 * q + r; }
static int five(int p, int q, int r, int s, int t) { return p + q + r + s + t; }
static int (*which(void))(int, int) { x = 4; return add; }
"""


def verified(folder: Path, statements: str, order: str) -> argosy.Result:
    path = folder / "order.c"
    path.write_text(f"{BEFORE}int main(void) {{ {statements} return 0; }}\n")
    return argosy.verify(str(path), evaluation_order=order, data_model="LP64")


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ("if (get() + set()) reach_error();", "unsafe"),
        ("if (add(increment(), increment()) != 12) reach_error();", "unsafe"),
        ("int r = add(increment(), increment()); if (r != 12 && r != 21) reach_error();", "safe"),
        ("if (three(increment(), increment(), increment()) == 312) reach_error();", "unsafe"),
        ("a[x] = increment(); if (a[0] != 1) reach_error();", "unsafe"),
        ("a[x] = increment(); if (a[0] != 1 && a[1] != 1) reach_error();", "safe"),
        ("x = 5; x += increment(); if (x == 12) reach_error();", "unsafe"),
        ("x = 5; int r = (x += increment()); if (r != 11 && r != 12) reach_error();", "safe"),
        ("if (which()(get(), 1) == 1) reach_error();", "unsafe"),
        ("if (get() + get()) reach_error();", "safe"),
    ],
)
def test_each_order_is_explored(tmp_path: Path, statements: str, verdict: str) -> None:
    result = verified(tmp_path, statements, "all")
    assert (result.verdict, result.certified) == (verdict, True)
    assert not any("left to right" in line for line in result.ledger)


def test_otherwise_it_is_left_to_right(tmp_path: Path) -> None:
    result = verified(tmp_path, "if (get() + set()) reach_error();", "left")
    assert result.verdict == "safe" and any("left to right" in line for line in result.ledger)


@pytest.mark.parametrize(
    "statements",
    [
        "int b[2] = { increment(), increment() }; if (b[0] != 1) reach_error();",
        "if (five(increment(), increment(), x, 1, 2) == 7) reach_error();",
    ],
)
def test_what_is_not_explored_is_refused_with_its_place(tmp_path: Path, statements: str) -> None:
    result = verified(tmp_path, statements, "all")
    assert result.verdict == "unknown" and "order.c:11" in str(result.reason)
