"""Side effects happen in C's order, left to right where C leaves it open."""

from __future__ import annotations

import pytest

from .running import final, read, run


def test_a_value_read_before_a_later_effect_is_the_old_one() -> None:
    outcome = final("int x = 5; r = x + x++; s = x; x = 5; t = x++ + x; u = x; x = 1; v = x + (x = 10) + x;",
                    "int r, s, t, u, v;")  # fmt: skip
    assert [outcome[n] for n in "rstuv"] == [10, 6, 11, 6, 21]


def test_calls_change_globals_between_operands() -> None:
    before = "int g = 1, r, s; int f(void) { g = g * 2; return g; } int h(void) { g = g + 10; return g; }"
    outcome = final("r = g + f() + h() + g; s = f() - h();", before)
    assert outcome["r"] == 1 + 2 + 12 + 12
    assert outcome["s"] == 24 - 34


def test_two_calls_of_one_function_in_one_expression() -> None:
    before = "int r, s; int f(int x) { return x * 10; } int two(int a, int b) { return a * 100 + b; }"
    outcome = final("r = f(1) + f(2) * f(3); s = two(f(4), f(f(5)));", before)
    assert outcome["r"] == 10 + 20 * 30
    assert outcome["s"] == 40 * 100 + 500


def test_arguments_are_evaluated_left_to_right() -> None:
    outcome = final("int i = 1; r = f(i, i++, i, ++i); q = i;", "int r, q; int f(int a, int b, int c, int d)"
                    "{ return a * 1000 + b * 100 + c * 10 + d; }")  # fmt: skip
    assert (outcome["r"], outcome["q"]) == (1123, 3)


def test_short_circuit() -> None:
    before = "int n, r; int hit(int x) { n++; return x; }"
    for expression, value, calls in [
        ("hit(0) && hit(1)", 0, 1),
        ("hit(2) && hit(3)", 1, 2),
        ("hit(2) || hit(0)", 1, 1),
        ("hit(0) || hit(0)", 0, 2),
        ("hit(0) ? hit(1) : (hit(5), hit(6))", 6, 3),
        ("1 ? hit(7) : hit(8)", 7, 1),
        ("!(hit(1) && hit(0))", 1, 2),
        ("(hit(3), 0) ?: hit(4)", 4, 2),
        ("hit(3) ?: hit(4)", 3, 1),
        ("0 && hit(1) || hit(2)", 1, 1),
    ]:
        outcome = final(f"r = {expression};", before)
        assert (outcome["r"], outcome["n"]) == (value, calls), expression
        branch = final(f"if ({expression}) r = 1; else r = 0;", before)
        assert (branch["r"], branch["n"]) == (value != 0, calls), expression
        ignored = final(f"{expression};", before)
        assert ignored["n"] == calls, expression


def test_compound_assignment_reads_its_left_side_first() -> None:
    before = "int g = 3, r; int f(void) { g = 100; return 1; }"
    assert final("g += f();", before)["g"] == 4
    assert final("g = g + f();", before)["g"] == 4
    assert final("g = f() + g;", before)["g"] == 101


def test_values_of_assignments_and_increments() -> None:
    outcome = final("int x = 3; a = x++; b = x--; c = ++x; d = --x; e = (x = 300); f = (y = 300); g = (x += 5) * 2;",
                    "int a, b, c, d, e, f, g; unsigned char y;")  # fmt: skip
    assert [outcome[n] for n in "abcdefg"] == [3, 4, 4, 3, 300, 44, 610]


def test_old_values_of_every_type() -> None:
    before = "signed char c = 127; unsigned char u = 0; _Bool b = 0; unsigned w = 0; int rc, ru, rb; long long rw;"
    outcome = final("rc = c++; ru = u--; rb = b++; rw = w--;", before)
    assert [outcome[n] for n in ("rc", "c", "ru", "u", "rb", "b", "rw", "w")] == [127, -128, 0, 255, 0, 1, 0, 2**32 - 1]


def test_chained_assignment_converts_at_every_step() -> None:
    outcome = final("i = c = 300;", "int i; unsigned char c;")
    assert (outcome["i"], outcome["c"]) == (44, 44)


def test_subscripts_are_evaluated_once() -> None:
    assert final("int a[4]; int i = 0; a[i++] = i; a[i++] += 3; ++a[i++]; r = i;", "int r;")["r"] == 3


def test_sizeof_evaluates_nothing() -> None:
    assert (
        final("int x = 1; r = sizeof(x++) + sizeof(f()); q = x;", "int r, q; char f(void) { q = 9; return 1; }")["q"]
        == 1
    )


def test_statement_expressions() -> None:
    outcome = final("int x = 1; r = ({ int x = 5; x++; x * 2; }) + x; q = ({ if (x) x = 7; x; }) + ({ x = 8; });",
                    "int r, q;")  # fmt: skip
    assert (outcome["r"], outcome["q"]) == (13, 15)


def test_checks_are_guarded_by_what_short_circuits_them() -> None:
    source = "extern int __VERIFIER_nondet_int(void); int r; int main(void) {{ int a = __VERIFIER_nondet_int(); {} }}"
    for body in (
        "r = a != 0 && 10 / a > 1;",
        "r = a == 0 || 10 / a > 1;",
        "r = a ? 10 / a : 0;",
        "r = a ?: 10 / (a + 1);",
        "r = a && (10 / a, 1);",
        "r = a && ((void)(10 / a), 1);",
        "r = a && (int){10 / a};",
        "r = a ? (10 / a, 2) : 3;",
    ):
        assert run(source.format(body), [0]).undefined is None, body
    assert run(source.format("r = a == 0 && 10 / a > 1;"), [0]).undefined is not None
    assert run(source.format("r = a == 5 || 10 / a > 1;"), [0]).undefined is not None


def test_a_check_waits_for_the_state_of_its_operand() -> None:
    # 10 / d is evaluated before the call sets d to zero.
    assert final("r = 10 / d + f();", "int r, d = 5; int f(void) { d = 0; return 0; }").undefined is None
    assert final("r = 10 / d + f();", "int r, d = 0; int f(void) { d = 5; return 0; }").undefined is not None


def test_a_check_before_a_call_without_arguments_is_kept() -> None:
    assert final("int d = 0; r = 10 / d + f();", "int r; int f(void) { return 0; }").undefined is not None
    assert final("int d = 2; r = 10 / d + f();", "int r; int f(void) { return 0; }")["r"] == 5


def test_a_value_that_nobody_needs_is_still_checked() -> None:
    assert final("1 / d;", "int d;").undefined is not None
    assert final("(void)(1 / d);", "int d;").undefined is not None


@pytest.mark.parametrize("condition", ["a && b > 3", "a > 1 || !b", "!(a == b) && (a < b || b < 0)"])
def test_a_condition_without_effects_is_one_pair_of_edges(condition: str) -> None:
    program = read(f"int a, b, r; int main(void) {{ if ({condition}) r = 1; }}")
    assert sum(edge.text.startswith("[") for edge in program.cfa.edges) == 2
