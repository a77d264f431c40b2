"""Uses of values that were never written: ``--property initialised``."""

from __future__ import annotations

import pytest

from tests.frontends.c.violating import violation

BEFORE = """
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); void out(int);
struct s { int a; char c; int b; }; union u { int w; char b[4]; }; struct f { unsigned x : 3, y : 5; }; int g, ga[4];
"""

USED = [
    "int x; if (x) g = 1;",
    "int x; g = x + 1;",
    "int x, y = x; if (y == 3) g = 1;",
    "int a[3]; a[0] = 1; a[2] = 3; g = a[0] + a[1];",
    "int a[3], i = __VERIFIER_nondet_int(); a[1] = 1; if (i == 1 && a[i + 1]) g = 1;",
    "int i; ga[i] = 1;",
    "int *p; if (p == &g) g = 1;",
    "struct s s; s.a = 1; if (s.b) g = 1;",
    "struct s s, t; s.a = 1; t = s; g = t.a + 1; if (t.b) g = 1;",
    "int *p = malloc(4); g = *p + 1; free(p);",
    "int *p = malloc(8); p[0] = 1; if (p[1]) g = 1; free(p);",
    "int n = __VERIFIER_nondet_int() + 1; int *p = malloc(4 * n); if (p[0]) g = 1; free(p);",
    "for (int i = 0; i < 2; i++) { int x; if (i == 1 && x) g = 1; x = i; }",
    "union u u; u.b[0] = 1; if (u.w) g = 1;",
    "union u u; u.b[0] = u.b[1] = u.b[2] = 1; g = u.w + 1;",
    "struct f f; f.x = 1; if (f.y) g = 1;",
    "int x; ((char *) &x)[1] = 0; if (x) g = 1;",
    "int x, y = 0; memcpy(&y, &x, 2); if (y) g = 1;",
    "int x, y = 0; memcpy(&y, &x, 2); if (((char *) &y)[1]) g = 1;",
    "int x; int *p = &x; g = *p * 2;",
    "int x; switch (x) { case 1: g = 1; }",
    "int a[2]; memset(a, 0, 7); if (a[1]) g = 1;",
    "g = nothing() + 1;",
    "int x; if (__VERIFIER_nondet_int() == 2) x = 1; if (x) g = 1;",
    "float f; if (f > 1) g = 1;",
]

WRITTEN = [
    "int x; x = 1; if (x) g = 1;",
    "int x, y = x; y = 2; if (y) g = 1;",
    "struct s s, t; s.a = 1; t = s; if (t.a) g = 1;",
    "int a[3]; for (int i = 0; i < 3; i++) a[i] = i; g = a[0] + a[1] + a[2];",
    "int *p = calloc(2, 4); g = p[1] + 1; free(p);",
    "int *p = malloc(8); p[1] = 1; if (p[1]) g = 1; free(p);",
    "int n = __VERIFIER_nondet_int() + 1; int *p = malloc(4 * n); p[0] = 1; if (p[0]) g = 1; free(p);",
    "for (int i = 0; i < 2; i++) { int x; x = i; if (x) g = 1; }",
    "union u u; u.b[0] = u.b[1] = u.b[2] = u.b[3] = 1; if (u.w) g = 1;",
    "union u u; u.b[1] = 1; if (u.b[1]) g = 1;",
    "struct f f; f.x = 1; if (f.x) g = 1;",
    "struct f f; f.y = 2; f.x = 1; if (f.x + f.y) g = 1;",
    "int x; for (int i = 0; i < 4; i++) ((char *) &x)[i] = 0; if (x) g = 1;",
    "int x = 7, y; memcpy(&y, &x, 4); if (y) g = 1;",
    "int x, y = 0; memcpy(&y, &x, 2); if (((char *) &y)[3]) g = 1;",
    "int x, set = 0; if (__VERIFIER_nondet_int() == 1) { x = 1; set = 1; } if (set && x) g = 1;",
    "int x; int *p = &x; *p = 2; g = *p * 2;",
    "int a[2]; memset(a, 0, 8); if (a[1]) g = 1;",
    "if (g || ga[2]) g = 1;",
    "static int x; if (x) g = 1;",
    "g = something(3) + 1;",
    "int x; out(x = 3); if (x) g = 1;",
    "float f; f = 2; if (f > 1) g = 1;",
    "for (int i = 0; i < 2; i++) { int x = i, **p = malloc(sizeof *p); *p = &x; if (**p) g = 1; free(p); }",
]

FUNCTIONS = "int nothing(void) { } int something(int n) { int r; if (n > 2) r = n; else r = 0; return r; }"


@pytest.mark.parametrize("body", USED)
def test_what_was_never_written_is_used(body: str) -> None:
    assert _first(body) == "UNINITIALISED"


@pytest.mark.parametrize("body", WRITTEN)
def test_what_was_written_may_be_used_and_copies_are_no_use(body: str) -> None:
    assert _first(body) is None


def _first(body: str) -> str | None:
    return violation(f"{BEFORE}{FUNCTIONS}\nint main(void) {{ {body} }}", (1,) * 6, "initialised")
