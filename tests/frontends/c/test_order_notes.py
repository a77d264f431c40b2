"""Where C leaves the order of evaluation open and it matters, the ledger says so; where it does not matter, nothing."""

from __future__ import annotations

import pytest

from .running import read

BEFORE = """
int x, y, a[4], *p; struct s { int v, w[2]; } s;
void exit(int); void reach_error(void); int __VERIFIER_nondet_int(void); int scanf(const char *, ...);
int setx(void) { return x = 1; } int incx(void) { return x++; } int getx(void) { return x; }
int sety(void) { return y = 1; } int gety(void) { return y; } int two(int v, int w) { return v + w; }
int deep(void) { return setx() + 1; } int store(int *q) { *q = 3; return 1; } int load(int *q) { return *q; }
int pure(int v) { int x = v; x++; return x; } int quit(void) { exit(1); return 0; }
int check(void) { if (y) reach_error(); return 0; } int (*f)(void) = setx;
int first(void) { return s.v = 1; }
"""


def notes(statement: str, before: str = "") -> list[str]:
    program = read(f"{BEFORE}{before}\nint main(void) {{ int i = 0, j = 0;\n\n{statement}\n}}")
    return [line for line in program.ledger if line.startswith("operands")]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("i = setx() + incx();", "change the same object (x)"),
        ("i = setx() + getx();", "read and change the same object (x)"),
        ("i = x + setx();", "read and change the same object (x)"),
        ("i = deep() - x;", "read and change the same object (x)"),
        ("i = two(setx(), getx());", "read and change the same object (x)"),
        ("i = two(i++, i);", "read and change the same object (i)"),
        ("a[x] = setx();", "read and change the same object (x)"),
        ("a[i] = i++;", "read and change the same object (i)"),
        ("x += setx();", "read and change the same object (x)"),
        ("i = i++;", "change the same object (i)"),
        ("i = i++ + i++;", "change the same object (i)"),
        ("int b[2] = { incx(), incx() }; i = b[0];", "change the same object (x)"),
        ("struct s t = { getx(), { setx() } }; i = t.v;", "read and change the same object (x)"),
        ("i = a[0] + (a[j] = 2);", "read and change the same object (a)"),
        ("i = s.v + first();", "read and change the same object (s)"),
        ("i = f() + x;", "read and change the same object (x)"),
        ("i = store(&j) + j;", "read and change the same object (j)"),
        ("p = &i; j = store(p) + load(p);", "may change the same object through pointers"),
        ('i = scanf("%d", &j) + j;', "read and change the same object (j)"),
        ("i = quit() + check();", "may end the execution or fail"),
        ("i = a[setx()] + a[getx()];", "read and change the same object (x)"),
        ("if (setx() == getx()) i = 1;", "read and change the same object (x)"),
        ("while (x < setx()) i = 1;", "read and change the same object (x)"),
        ("i = ({ setx() + x; });", "read and change the same object (x)"),
    ],
)
def test_it_is_noted_with_its_line(statement: str, what: str) -> None:
    line = BEFORE.count("\n") + 4
    assert notes(statement) == [f"operands at line {line} {what}: evaluated left to right"]


@pytest.mark.parametrize(
    "statement",
    [
        "i = getx() + x;",
        "i = setx() + sety();",
        "i = setx() + y;",
        "i = x && setx();",
        "i = x ? setx() : incx();",
        "i = (setx(), x);",
        "x = setx();",
        "x = x + 1;",
        "a[i] = x;",
        "a[i] = a[j] + 1;",
        "i += getx();",
        "i = pure(1) + x;",
        "i = __VERIFIER_nondet_int() + __VERIFIER_nondet_int();",
        "for (i = 0; i < 3; i++) x += a[i];",
        "i = two(getx(), gety());",
        "setx(); incx();",
        "i = sizeof(setx()) + setx();",
        "*p = load(p) + 1;",
        "i = check() + check();",
    ],
)
def test_nothing_is_noted_where_it_does_not_matter(statement: str) -> None:
    assert notes(statement) == []


def test_code_that_is_not_called_is_not_noted() -> None:
    assert notes("i = 1;", "int unused(void) { return setx() + incx(); }") == []
