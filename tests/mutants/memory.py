"""Detectors for mistakes in memory: cells, indices, pointers, what lies outside the model."""

from __future__ import annotations

import tempfile
from pathlib import Path

from argosy.basics.errors import UnsupportedError
from argosy.session.run import decide
from argosy.session.task import Task
from tests.frontends.c.running import run

BEFORE = "extern void reach_error(void); extern int *any(void); struct p { int x, y; };"


def _value(body: str, before: str = "") -> int:
    outcome = run(f"int r; struct p {{ int x, y; }}; {before} int main(void) {{ {body} }}")
    assert outcome.undefined is None
    return outcome["r"]


def _verdict(body: str, strategy: str = "explicit", certify: bool = True) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(f"{BEFORE} int main(void) {{ {body} }}")
        try:
            return decide(Task(str(path), strategy=strategy, certify=certify, time_limit=20.0)).result.verdict
        except UnsupportedError:
            return "unknown"


def values() -> None:
    """Reads and writes behind indices and pointers hit one cell and no other."""
    assert _value("int a[3] = { 1, 2, 3 }, i = 1; a[i] = 5; r = a[0] * 100 + a[1] * 10 + a[2];") == 153
    assert _value("int a[3] = { 1, 2, 3 }, i = 2; r = a[i] * 10 + a[i - 1];") == 32
    assert _value("int a[2] = { 0, 7 }; a[a[0]] = 1; r = a[0] * 10 + a[1];") == 17
    assert _value("int x = 1, y = 2, *p = &x; *p = 4; p = &y; *p += 3; r = x * 10 + y;") == 45
    assert _value("struct p s = { 1, 2 }, t = { 3, 4 }, *p = &t; p->y = 7; *p = s; r = t.x * 10 + t.y;") == 12
    assert _value("int a[2] = { 1, 0 }, *p = a, *q = a; p[*q] = 5; r = a[0] * 10 + a[1];") == 15
    assert _value("int x = 1, *p = &x, y, z = 8, *q = &z; y = *p + (*p = 5); r = y * 10 + *q;") == 68
    many = "int a[20], i, *p; for (i = 0; i < 20; i++) a[i] = i;"
    assert _value(f"{many} for (i = 0; i < 20; i++) r += i * a[i];") == 2470
    assert _value(f"{many} for (p = a; p < a + 20; p++) r += (p - a) * *p;") == 2470
    assert _value("int x = 1; f(&p, &x); *p = 4; r = x;", "int *p; void f(int **q, int *v) { *q = v; }") == 4
    assert _value("struct p s = { 3, 4 }; r = f(s) * 10 + s.x;", "int f(struct p s) { s.x++; return s.x; }") == 43


def ends() -> None:
    """What leaves an object ends the execution."""
    for body in ("int a[3], i = 3; a[i] = 1;", "int a[3], i = -1; r = a[i];", "int *p = 0; r = *p;"):
        assert run(f"int r; int main(void) {{ {body} }}").undefined is not None
    for body in ("int a[3], *p = a, **q = &p, i = 20000; *q += i;", "int a[3], *p = a; p -= 2000;"):
        assert run(f"int r; int main(void) {{ {body} }}").undefined is not None
    assert _value("int a[3], *p = a + 3; r = p - a;") == 3


def outside() -> None:
    """Nothing follows from what lies outside the model: neither that it is harmless nor that it does harm."""
    assert _verdict("int x = 0, *q = &x, *p = any(); *p = 1; if (x) reach_error();") == "unsafe"
    assert _verdict("int x = 0, *q = &x, *p = any(); if (p != q) { *p = 1; if (x) reach_error(); }") == "unknown"
    assert _verdict("int x = 0, y = 0, *q = &x, *p = any(); *p = 1; if (y) reach_error();") == "safe"
    assert _verdict("int x = 0, *q = &x, *p = any(); if (*p) reach_error();") == "unknown"
    assert _verdict("int x = 0, *q = &x, *p = any(); if (p != q && !*p) reach_error();") == "unknown"
    assert _verdict("int x = 0, *q = &x, *p = any(); int a = *p; if (a != *p && *p == 0) reach_error();") == "unknown"
    assert _verdict("int x = 3, *q = &x, *p = any(); if (p == q && *p == 3) reach_error();") == "unsafe"
    assert _verdict("int x = 3, *q = &x, *p = any(); if (*p == 3) reach_error();") == "unsafe"
    loop = "int x = 0, *q = &x, *p = any(), i, n = 0; for (i = 0; i < 2; i++) if (*p == i) n++; if (n == 2)"
    assert _verdict(f"{loop} reach_error();", "lbe", certify=False) == "unknown"
