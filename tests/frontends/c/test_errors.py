"""What the error is, for each property."""

from __future__ import annotations

import pytest

from argosy.basics.errors import UnsupportedError

from .running import read, run


def test_a_call_of_reach_error_is_the_error_even_with_a_body() -> None:
    source = "void reach_error(void) { return; } int r; int main(void) { if (r == 0) reach_error(); r = 1; }"
    outcome = run(source)
    assert outcome.error
    assert outcome.trace[-1].text == "reach_error()"
    assert run("extern void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); }").error


def test_a_label_is_the_error_only_without_such_calls() -> None:
    assert run("int main(void) { goto ERROR; ERROR: return 0; }").error
    assert run("int main(void) { int i = 0; while (1) { if (i++ > 3) { ERROR: ; } } }").error
    unused = "void reach_error(void); void f(void) { reach_error(); } int main(void) { goto ERROR; ERROR: return 0; }"
    assert not run(unused).error


@pytest.mark.parametrize(
    "failing",
    [
        "assert(0);",
        '__assert_fail("x", "f", 1, "g");',
        "__VERIFIER_assert(1 > 2);",
        "int x = 3; assert(x != 3);",
    ],
)
def test_a_failing_assertion_is_the_error_only_without_either(failing: str) -> None:
    declared = "void assert(int); void __VERIFIER_assert(int); void reach_error(void);"
    assert run(f"{declared} int main(void) {{ {failing} }}").error
    other = f"{declared} int r; int main(void) {{ r = 1; {failing} r = 2; if (r == 9) reach_error(); }}"
    outcome = run(other)
    assert not outcome.error
    assert outcome["r"] == 1, "an assertion that fails ends the execution"


def test_an_assertion_that_holds_is_passed() -> None:
    outcome = run("void assert(int); int r; int main(void) { assert(r == 0); r = 1; __VERIFIER_assert(r); r = 2; }")
    assert (outcome.error, outcome["r"]) == (False, 2)


def test_a_defined_assertion_is_an_ordinary_function() -> None:
    before = (
        "extern void __VERIFIER_error(void); void __VERIFIER_assert(int c) { if (!c) { ERROR: __VERIFIER_error(); } }"
    )
    assert run(before + "int main(void) { __VERIFIER_assert(0); }").error
    assert not run(before + "int main(void) { __VERIFIER_assert(1); }").error


# ---- no-overflow --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "overflows"),
    [
        ("x = 2147483647; x = x + 1;", True),
        ("x = 2147483647; x++;", True),
        ("x = -2147483647 - 1; x--;", True),
        ("x = -2147483647 - 1; x = -x;", True),
        ("x = -2147483647 - 1; x = x / -1;", True),
        ("x = -2147483647 - 1; y = -1; x = x % y;", True),
        ("x = 65536; x *= x;", True),
        ("x = 1; x = x << 31;", True),
        ("x = -1; x = x << 1;", True),
        ("x = 2147483646; x = x + 1;", False),
        ("x = 46340; x *= x;", False),
        ("x = 131072; y = 65536; x = x * y;", True),  # a multiple of every power of two up to 2**33
        ("unsigned u = 4294967295u; u++; u = u * u;", False),
        ("signed char c = 127; c++;", False),
        ("x = 2147483648L;", False),
        ("x = 1 / y;", False),  # undefined, but no overflow
        ("x = 2147483647 + (1 / y);", False),
        ("x = (-2147483647 - 1) + 1 / y;", False),  # the division comes first
        ("x = 2147483647; x = (x + 1) / y;", True),  # the overflow comes first
        ("x = 2147483647; y = 1; x = y && x + 1;", True),
        ("x = 2147483647; y = 0; x = y && x + 1;", False),
        ("x = 2147483647; f(x + 1);", True),
        ("x = 2147483647; if (x + 1 > 0) y = 1;", True),
        ("x = 2147483647; switch (x + 1) { case 1: ; }", True),
        ("x = 2147483647; x + 1;", True),
    ],
)
def test_no_overflow(body: str, overflows: bool) -> None:
    source = f"int x, y; void f(int a) {{}} int main(void) {{ {body} reach_error(); }} void reach_error(void);"
    assert run(source, property="no-overflow").error == overflows


def test_another_property_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="termination"):
        read("int main(void) { }", property="termination")
