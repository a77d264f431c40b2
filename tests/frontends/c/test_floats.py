"""Floats in C: constants, conversions, operators, memory and ``math.h``, executed; and small programs, verified."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.logic.floating import DOUBLE, SINGLE, decimal, read_decimal
from argosy.models.cfa import Havoc, Undefined
from tests.frontends.c.running import execute, final, read, run

BEFORE = """int r; float f, g; double d, e; float a[3]; struct { int n; float f; double d; } s, *t = &s;
    union { float f; unsigned u; unsigned char b[4]; } u; union { double d; struct { unsigned low, high; } p; } w;
    float half(float x) { return x / 2; } double twice(x) double x; { return x * 2; }
    double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double), sqrt(double);
    double fmod(double, double), fmin(double, double), copysign(double, double), modf(double, double *);
    float sqrtf(float), fmaxf(float, float), roundf(float); long lrint(double); long long llround(double);
    int isnan(double), isinf(double); float nanf(const char *); void *memcpy(void *, const void *, unsigned);"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("r = 1.5;", 1),
        ("r = -1.5;", -1),
        ("r = (int) 2147483647.9;", 2147483647),
        ("f = 0.1f; d = f; r = d == 0.1;", 0),
        ("f = 16777217; r = f;", 16777216),
        ("d = 16777217; r = d;", 16777217),
        ("r = 0.1 + 0.2 == 0.3;", 0),
        ("r = 0.1f + 0.2f == 0.3f;", 1),
        ("f = 3; f /= 2; r = f * 10;", 15),
        ("f = 7; f++; --f; f += 0.5; r = f * 2;", 15),
        ("f = 1e30f; f = f * f; r = f > 3e38f && f == f + 1;", 1),
        ("d = 0.0; e = -0.0; r = (d == e) + 2 * (1 / d == 1 / e);", 1),
        ("d = 0.0 / 0.0; r = (d == d) + 2 * (d != d) + 4 * (d < 1) + 8 * !(d >= 1);", 10),
        ("f = 1e-45f; r = (f > 0) + 2 * (f / 2 > 0);", 1),
        ("r = !0.5 + 2 * !0.0f + 4 * (0.25 && 1) + 8 * (0.0 || -0.0);", 6),
        ("r = (_Bool) 0.3 + ((_Bool) -0.0f) * 2;", 1),
        ("unsigned char c = 200; c += 0.9; r = c;", 200),
        ("unsigned long long q = 18446744073709551615u; f = q; r = f == 18446744073709551616.0;", 1),
        ("long long q = 9007199254740993; d = q; r = (long long) d - 9007199254740990;", 2),
        ("r = 0x1.8p+1 * 2 + 0x.8p1f;", 7),
        ("r = half(5) * 2 + twice(3);", 11),
        ("a[0] = 1.5f; a[2] = a[0] * 2; int i = 2; r = a[i];", 3),
        ("s.f = 2.5f; t->d = s.f; r = t->d * 2;", 5),
        ("float *p = &f; *p = 4; p = &a[1]; *p = 5; r = f + a[1];", 9),
        ("u.f = 1.0f; r = u.u == 0x3f800000 && u.b[3] == 0x3f;", 1),
        ("u.u = 0xc0000000; r = u.f;", -2),
        ("w.d = 1.0; r = w.p.high == 0x3ff00000 && w.p.low == 0;", 1),
        ("w.p.high = 0x40080000; w.p.low = 0; r = w.d;", 3),
        ("f = 1.0f; r = *(int *) &f == 0x3f800000;", 1),
        ("unsigned v = 0x40400000; f = *(float *) &v; r = f;", 3),
        ("static float z[2] = { 1, 2.5 }; r = z[1] * 2;", 5),
        ("r = sizeof(f + 1) + sizeof(f + 1.0) + sizeof(1.0f);", 16),
        ("r = (1 ? 1 : 2.5) / 2 == 0.5;", 1),
        ("r = fabs(-3.5) * 2 + floor(-0.5) + ceil(0.5) + trunc(-1.5);", 6),
        ("r = round(2.5) * 10 + rint(2.5) + lrint(3.5) + llround(-0.5);", 35),
        ("r = sqrt(2.0) * sqrt(2.0) == 2.0; r += sqrtf(9) + 0.5f;", 3),
        ("r = fmod(-7.5, 2) * 2 + fmin(1, 0.0 / 0.0) + fmaxf(3, 2);", 1),
        ("r = (1 / copysign(0.0, -2.0) < 0) + modf(-2.75, &d) * 4 + d;", -4),
        ("r = isnan(nanf(\"\")) + 2 * isinf(-1 / 0.0) + 4 * isnan(1.0);", 3),
        ("r = __builtin_isnormal(1e-40f) + 2 * __builtin_isnormal(1e-40);", 2),
        ("r = __builtin_fpclassify(0, 1, 4, 3, 2, 1e-40f) * 10 + __builtin_fpclassify(0, 1, 4, 3, 2, 0.0);", 32),
        ("r = __builtin_isless(1.0, 0.0 / 0.0) + 2 * __builtin_isunordered(1.0, 0.0 / 0.0);", 2),
        ("r = 1e400 == __builtin_inf() && -1e400 < -1.7976931348623157e308;", 1),
        ("d = 1.5; memcpy(&e, &d, sizeof d); r = e * 2;", 3),
    ],
)  # fmt: skip
def test_values(body: str, expected: int) -> None:
    assert final(body, BEFORE)["r"] == expected


@pytest.mark.parametrize(
    ("body", "defined"),
    [
        ("r = 2147483648.0;", False),
        ("r = -2147483648.9;", True),
        ("r = -2147483649.0;", False),
        ("f = 2147483520.0f; r = f;", True),
        ("f = 2147483648.0f; r = f;", False),
        ("unsigned v = -0.9; r = v;", True),
        ("unsigned v = -1.0; r = v;", False),
        ("unsigned char c = 255.9; r = c;", True),
        ("unsigned char c = 256.0f; r = c;", False),
        ("r = 0.0 / 0.0;", False),
        ("r = (long long) 1e300;", False),
        ("_Bool b = 1e300; r = b;", True),
    ],
)
def test_a_number_that_its_integer_type_does_not_hold_is_undefined(body: str, defined: bool) -> None:
    outcome = run(f"{BEFORE} int main(void) {{ {body} }}")
    assert (None if outcome.undefined is None else outcome.undefined.kind) == (
        None if defined else Undefined.CONVERSION
    )


def test_the_ledger_says_how_numbers_are_rounded() -> None:
    noted = read("double d = 1; int main(void) { return d * 3 > 2; }").ledger
    assert any("FLT_EVAL_METHOD 0" in line for line in noted)
    assert not any("FLT_EVAL_METHOD" in line for line in read("int main(void) { return 3 > 2; }").ledger)


@pytest.mark.parametrize("text", ["0.1", "1e22", "5e-324", "1.7976931348623157e308", "16777216.0", "0.0", "3.1415927"])
def test_constants_read_back(text: str) -> None:
    for format_ in (SINGLE, DOUBLE):
        value = read_decimal(format_, text)
        assert value is not None
        shown = decimal(format_, value)
        assert shown == "INFINITY" or read_decimal(format_, shown.rstrip("f")) == value
        assert decimal(format_, value | format_.sign) == f"-{shown}"


HEAD = """extern void reach_error(void); extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void); extern int __VERIFIER_nondet_int(void); double sin(double), exp(double);
"""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("float x = __VERIFIER_nondet_float(); if (x > 1 && x < 2 && !(x * x <= 4)) reach_error();", "SAFE"),
        ("float x = __VERIFIER_nondet_float(); if (x > 1 && x < 2 && x + 1 - 1 != x) reach_error();", "UNSAFE"),
        ("double x = __VERIFIER_nondet_double(); if (!(x == x)) reach_error();", "UNSAFE"),
        ("double x = __VERIFIER_nondet_double(); if (x >= 0 && !(x == x)) reach_error();", "SAFE"),
        ("int i; float s = 0; for (i = 0; i < 8; i++) s += 0.125f; if (s != 1) reach_error();", "SAFE"),
        ("int i; float s = 0; for (i = 0; i < 10; i++) s += 0.1f; if (s == 1) reach_error();", "SAFE"),
        ("int i; float s = 0; for (i = 0; i < 10; i++) s += 0.1f; if (s != 1) reach_error();", "UNSAFE"),
        ("int n = __VERIFIER_nondet_int(); if ((int) (double) n != n) reach_error();", "SAFE"),
        ("int n = __VERIFIER_nondet_int(); if (n < 2147483000 && (int) (float) n != n) reach_error();", "UNSAFE"),
        ("double y = sin(__VERIFIER_nondet_double()); if (y > 1 || y < -1) reach_error();", "SAFE"),
        ("double y = sin(__VERIFIER_nondet_double()); if (y > 0.5) reach_error();", "UNKNOWN"),
        ("double x = __VERIFIER_nondet_double(); if (x == x && exp(x) < 0) reach_error();", "SAFE"),
    ],
)
def test_verdicts(body: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    result = argosy.verify(path, in_process=True)
    assert result.verdict == verdict.lower()
    assert result.certified or verdict == "UNKNOWN"


BITS = """void *memcpy(void *, const void *, unsigned); double copysign(double, double), fabs(double), sqrt(double);
int r; union w { double d; unsigned long long u; unsigned char b[8]; } w, v; double z, n; float f;
unsigned u; struct { union w w; } s;
"""


@pytest.mark.parametrize(
    "body",
    [
        "w.d = z / z; r = w.u >> 63;",
        "w.d = z / z; r = w.b[7] >> 7;",
        "n = z / z; memcpy(&w.u, &n, sizeof n); r = w.u >> 63;",
        "f = z / z; memcpy(&u, &f, sizeof f); r = u >> 31;",
        "n = z / z; r = *(unsigned long long *) &n >> 63;",
        "n = sqrt(z - 1); void *p = &n; unsigned long long *q = p; r = *q >> 63;",
        "r = __builtin_signbit(z / z) != 0;",
        "r = copysign(1, z / z) < 0;",
        "union w i = { z / z }; r = i.u >> 63;",
        "static union w i = { 0.0 / 0.0 }; r = i.u >> 63;",
        "union w i = { z / z }; s.w = i; r = s.w.u >> 63;",
        "static double a[300]; a[7] = z / z; unsigned long long *q = (void *) a; r = q[7] >> 63;",
    ],
)
def test_the_sign_of_what_is_no_number_is_any_where_it_can_be_seen(body: str) -> None:
    """x86 gives the negative one, most others the positive one."""
    cfa = read(f"{BITS}int main(void) {{ {body} }}").cfa
    signs = {execute(cfa, [sign << 63 | sign << 31] * 4)["r"] for sign in (0, 1)}
    assert signs == {0, 1}


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("w.d = z / z; if (w.d != w.d && w.u >> 63) reach_error();", "unsafe"),
        ("w.d = z / z; if (w.d == w.d || ~w.u & 0x7ff8000000000000) reach_error();", "safe"),
        ("n = z / z; w.d = n; v.d = -n; if ((w.u ^ v.u) != 1ull << 63) reach_error();", "safe"),
        ("n = z / z; w.d = n; v.d = n; if (w.u != v.u) reach_error();", "safe"),
        ("w.d = fabs(z / z); v.d = copysign(z / z, -1); if (w.u >> 63 || !(v.u >> 63)) reach_error();", "safe"),
        ("w.d = __builtin_nan(\"5\"); if (w.u != 0x7ff8000000000005) reach_error();", "safe"),
        ("w.d = z / 1; if (w.u) reach_error();", "safe"),
    ],
)  # fmt: skip
def test_the_bits_of_what_is_no_number(body: str, verdict: str, tmp_path: Path) -> None:
    """Where nothing shows the bits, nothing is chosen; copies keep them, and so do operators on the sign."""
    path = tmp_path / "program.c"
    path.write_text(f"extern void reach_error(void); {BITS}int main(void) {{ {body} return 0; }}\n")
    result = argosy.verify(path, in_process=True)
    assert (result.verdict, result.certified) == (verdict, True)


def test_the_bits_of_what_is_no_number_are_not_chosen_where_nobody_looks() -> None:
    unseen = read("double z; int r; int main(void) { z = z / z; r = z == z; }").cfa
    assert not any(isinstance(edge.operation, Havoc) for edge in unseen.edges)
