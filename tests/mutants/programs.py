"""Small programs whose verdict is plain."""

from __future__ import annotations

import tempfile
from pathlib import Path

import argosy
from argosy.logic.solver import SolverError

HEAD = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
"""

SAFE = {
    "constants": "int main(void) { int x = 1, y = 2; x = y; y = x + 1; if (y != 3) reach_error(); return 0; }",
    "branches": """int main(void) { int c = __VERIFIER_nondet_int(), x;
        if (c) x = 1; else x = 2; if (x != 1 && x != 2) reach_error(); return 0; }""",
    "counting": """int main(void) { int i = 0, n = __VERIFIER_nondet_int();
        while (i < n) i++; if (n >= 0 && i != n) reach_error(); return 0; }""",
    "lock": """int main(void) { int held = 0;
        while (__VERIFIER_nondet_int()) { if (held) reach_error(); held = 1; held = 0; } return 0; }""",
    "swap": """int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = a, y = b, t;
        t = x; x = y; y = t; if (x != b || y != a) reach_error(); return 0; }""",
    "few steps": "int main(void) { int i; for (i = 0; i < 4; i++) ; if (i != 4) reach_error(); return 0; }",
    "undefined": "int main(void) { int x = __VERIFIER_nondet_int(), y = x + 1; if (y < x) reach_error(); return 0; }",
    "unsigned": """int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); unsigned char d = c + 1;
        if (c != 255 && d <= c) reach_error(); return 0; }""",
}

UNSAFE = {
    "any value": "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); return 0; }",
    "two values": """int main(void) { int x = __VERIFIER_nondet_int(), y = x; x = __VERIFIER_nondet_int();
        if (x != y) reach_error(); return 0; }""",
    "second branch": """int main(void) { int x = 0; if (__VERIFIER_nondet_int()) x = 1; else x = 2;
        if (x == 2) reach_error(); return 0; }""",
    "first branch": """int main(void) { int x = 0; if (__VERIFIER_nondet_int()) x = 1; else x = 2;
        if (x == 1) reach_error(); return 0; }""",
    "third round": """int main(void) { int x = 0; while (__VERIFIER_nondet_int()) { if (x == 3) reach_error(); x++; }
        return 0; }""",
    "late havoc": """int main(void) { int x = 1; while (__VERIFIER_nondet_int()) { if (x != 1) reach_error();
        x = __VERIFIER_nondet_int(); } return 0; }""",
    "known, then any value": """int main(void) { int x = 1; if (x != 1) reach_error(); x = __VERIFIER_nondet_int();
        if (x != 1) reach_error(); return 0; }""",
    "join": """int main(void) { int a = 0, b = 0; if (__VERIFIER_nondet_int()) a = 1;
        if (__VERIFIER_nondet_int()) b = 1; if (a == 1 && b == 0) reach_error(); return 0; }""",
    "wraps": """int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); unsigned char d = c + 1;
        if (d < c) reach_error(); return 0; }""",
    "old value": "int main(void) { int x = 1; x = x + x; x = x + 1; if (x == 3) reach_error(); return 0; }",
    "covered": """int main(void) { int s = 0, c = __VERIFIER_nondet_int(); if (c == 1) s = 1; else if (c == 2) s = 2;
        int i = 0; while (i < 2) i++; if (s == 2 && i == 2) reach_error(); return 0; }""",
}

EXPECTED = {**dict.fromkeys(SAFE, "safe"), **dict.fromkeys(UNSAFE, "unsafe")}
TEXTS = {**SAFE, **UNSAFE}


def verdict(name: str, strategy: str) -> str:
    """The certified verdict; a mutant may crash as well."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "program.c"
        path.write_text(HEAD + TEXTS[name] + "\n")
        try:
            return argosy.verify(path, strategy, in_process=True, arithmetic="bits", time_limit=2).verdict
        except (AssertionError, LookupError, SolverError):
            return "crash"
