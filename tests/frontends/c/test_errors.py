"""What the error is, for each property; and what else it may be, in the same program."""

from __future__ import annotations

import pytest

from argosy.models.cfa import Cfa
from argosy.models.errors import Errors, Site, only, sites
from argosy.models.kinds import Marked, Undefined

from .running import execute, read, run

OVERFLOW = Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW}))
ASSERTIONS = Errors(assertions=True)


def call(*names: str) -> Errors:
    return Errors(calls=frozenset(names))


def label(*names: str) -> Errors:
    return Errors(labels=frozenset(names))


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
    assert run(source, errors=OVERFLOW).error == overflows


# ---- any function, any label --------------------------------------------------------------------------------------


def test_what_was_chosen_is_said() -> None:
    assert read("void reach_error(void); int main(void) { reach_error(); }").errors == call(
        "reach_error", "__VERIFIER_error"
    )
    assert read("int main(void) { ERROR: return 0; }").errors == label("ERROR")
    assert read("int main(void) { return 0; }").errors == ASSERTIONS
    assert read("int main(void) { return 0; }", errors=OVERFLOW).errors == OVERFLOW


def test_a_selection_is_obeyed_to_the_letter() -> None:
    only_label = "void reach_error(void); int x = 1; int main(void) { if (!x) reach_error(); if (x) { ERROR: x = 2; } }"
    assert run(only_label, errors=label("ERROR")).error
    assert not run(only_label).error
    only_call = "void reach_error(void); int main(void) { reach_error(); ERROR: return 0; }"
    assert not run(only_call, errors=call("__VERIFIER_error")).error
    assert not run("int main(void) { ERROR: return 0; }", errors=call("reach_error")).error


@pytest.mark.parametrize("enter", ["f(1)", "x = f(1)", "x = (f)(1) + 1", "(*f)(1)", "(**&f)(1)", "p(1)", "(*t[1])(1)"])
@pytest.mark.parametrize("body", ["{ return 3; }", ";"])
def test_a_function_is_entered_however_it_is_entered(enter: str, body: str) -> None:
    source = f"""int f(int a) {body} int g(int a) {{ return 1; }} int x; int (*p)(int) = f;
        int (*t[])(int) = {{ g, f }}; int main(void) {{ x = 5; {enter}; x = 7; }}"""
    entered = run(source, errors=call("f"))
    assert entered.error and entered["x"] == 5
    other = run(source, errors=call("g"))
    assert not other.error and other["x"] == 7


@pytest.mark.parametrize("name", ["reach_error", "__VERIFIER_error"])
@pytest.mark.parametrize("enter", ["(*{})()", "(&{})()", "p()", "(*p)()"])
@pytest.mark.parametrize("body", ["{ }", ";"])
def test_the_error_call_is_not_missed(name: str, enter: str, body: str) -> None:
    before = f"extern void {name}(void) {body} void (*p)(void) = {name};"
    assert run(f"{before} int main(void) {{ {enter.format(name)}; }}").error
    assert not run(f"{before} int main(void) {{ if (p == 0) {enter.format(name)}; }}").error


def test_library_functions_are_what_they_are_through_pointers() -> None:
    before = """void abort(void); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); int r;
        void (*stop)(void) = abort; void (*suppose)(int) = __VERIFIER_assume;
        int (*any)(void) = __VERIFIER_nondet_int;"""
    assert run(before + "int main(void) { r = 1; stop(); r = 2; }")["r"] == 1
    assert run(before + "int main(void) { r = 1; suppose(r == 2); r = 2; }")["r"] == 1
    assert run(before + "int main(void) { r = 1; suppose(r == 1); r = 2; }")["r"] == 2
    assert run(before + "int main(void) { r = any(); }", [9])["r"] == 9


def test_main_may_be_what_must_not_be_called() -> None:
    assert run("int main(void) { return 0; }", errors=call("main")).error


def test_an_error_call_that_is_none_runs_its_body_or_returns() -> None:
    source = "int r; void reach_error(void) { r = 1; } int main(void) { reach_error(); r = r + 1; ERROR: return 0; }"
    assert run(source, errors=label("nowhere"))["r"] == 2
    assert run(source.replace("{ r = 1; }", ";"), errors=label("nowhere"))["r"] == 1
    ends = "void __VERIFIER_error(void); int r; int main(void) { r = 1; __VERIFIER_error(); r = 2; }"
    assert run(ends, errors=OVERFLOW)["r"] == 1


def test_a_failing_assertion_that_is_no_error_ends_the_execution() -> None:
    outcome = run("void assert(int); int r; int main(void) { r = 1; assert(r == 2); r = 3; }", errors=label("x"))
    assert (outcome.error, outcome["r"]) == (False, 1)


def test_labels_at_one_point_are_all_kept() -> None:
    source = "int x; int main(void) { if (x) goto three; one: two: three: ; four: return 0; }"
    for name in ("one", "two", "three", "four"):
        assert run(source, errors=label(name)).error, name
    assert not run(source, errors=label("five")).error


def test_a_label_is_passed_only_by_who_passes_it() -> None:
    source = "int x; int main(void) { if (x) { inside: ; } x = 1; }"
    outcome = run(source, errors=label("inside"))
    assert not outcome.error and outcome["x"] == 1


def test_one_reading_serves_every_selection() -> None:
    program = read("""void assert(int); void f(void) { } int x = 1; int main(void) {
        f(); here: assert(x != 1); x = 2147483647; x = x + 1; }""")
    assert execute(program.cfa).error
    for errors in (call("f"), label("here"), ASSERTIONS):
        chosen = program.select(errors)
        assert chosen.errors == errors and execute(chosen.cfa).error, errors
    assert not execute(program.select(OVERFLOW).cfa).error, "the assertion fails before the overflow"
    assert not execute(program.select(Errors()).cfa).error


def test_marks_cost_nothing_where_nobody_asks() -> None:
    def size(source: str) -> tuple[int, int]:
        cfa = read(source, errors=label("nowhere")).cfa
        return len(cfa.locations), len(cfa.edges)

    plain = "int x; int main(void) { x = 1; while (x < 9) x = x + 2; return 0; }"
    marked = """int x; void f(void) { } int main(void) {
        a: x = 1; b: f(); while (x < 9) { c: x = x + 2; f(); } return 0; }"""
    assert size(marked) == size(plain)


# ---- sites --------------------------------------------------------------------------------------------------------


def _sites(cfa: Cfa) -> list[tuple[Marked | Undefined, int, str]]:
    return [(site.kind, site.position.line, site.text) for site in sites(cfa)]


def test_each_assertion_is_a_site_once() -> None:
    program = read("""void assert(int); int x;
        void f(int a) {
            assert(a > 0);
        }
        int main(void) {
            f(1); f(2);
            assert(x == 1);
        }""")
    assert _sites(program.cfa) == [
        (Marked.ASSERTION, 3, "assert(a > 0)"),
        (Marked.ASSERTION, 7, "assert(x == 1)"),
    ]
    first, second = sites(program.cfa)
    assert not execute(only(program.cfa, [first])).error
    assert execute(only(program.cfa, [second])).error
    assert execute(only(program.cfa, [first, second])).error
    assert not execute(only(program.cfa, [])).error


def test_an_overflow_is_a_site_with_its_place() -> None:
    program = read("int x = 2147483647;\nint main(void) {\n  x = x - 1;\n  x = x + 2;\n}", errors=OVERFLOW)
    assert _sites(program.cfa) == [
        (Undefined.SIGNED_OVERFLOW, 3, "x = x - 1"),
        (Undefined.SIGNED_OVERFLOW, 4, "x = x + 2"),
    ]
    first, second = sites(program.cfa)
    assert not execute(only(program.cfa, [first])).error
    assert execute(only(program.cfa, [second])).error


def test_what_is_not_modelled_is_no_site_and_stays() -> None:
    source = "void assert(int); void reg(void *); void f(void) { assert(0); } int main(void) { reg(f); }"
    cfa = read(source, errors=ASSERTIONS).cfa
    assert sites(cfa) == ()
    assert cfa.entering[cfa.error]
    assert only(cfa, ()).entering[cfa.error]


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        (Undefined.DIVISION, "x = 1 / x"),
        (Undefined.DIVISION, "x = 1 % x"),
        (Undefined.SHIFT, "x = 1 << (x + 32)"),
        (Undefined.BOUNDS, "a[x + 3] = 1"),
        (Undefined.BOUNDS, "x = a[x - 1]"),
        (Undefined.POINTER, "p = a + (x + 4)"),
        (Undefined.NULL, "x = *q"),
        (Undefined.NULL, "*q = 1"),
        (Undefined.QUOTIENT, "x = (-2147483647 - 1) / (x - 1)"),
    ],
)
def test_every_kind_of_undefined_operation_can_be_selected(kind: Undefined, statement: str) -> None:
    source = f"int x, a[3], *p = a, *q; int main(void) {{ int *r = q ? &x : q; {statement}; }}"
    found = run(source, errors=Errors(operations=frozenset({kind})))
    assert found.error, kind
    others = frozenset(Undefined) - {kind} - ({Undefined.SIGNED_OVERFLOW} if kind is Undefined.QUOTIENT else set())
    assert not run(source, errors=Errors(operations=others)).error
    ended = run(source, errors=Errors())
    assert not ended.error and ended.undefined is not None and ended.undefined.kind is kind


# ---- functions without a body -------------------------------------------------------------------------------------


def test_absent_functions_are_named_where_they_may_be_entered() -> None:
    source = """void reach_error(void); int get(void); void never(void); int printf(const char *, ...); int x;
        void unused(void) { never(); } int main(void) { x = get(); printf("x"); if (x) reach_error(); after(); }"""
    program = read(source)
    assert program.absent == ("after", "get")
    assert any("undefined function get" in line for line in program.ledger)
    assert not any("reach_error" in line for line in program.ledger)
    other = program.select(label("nowhere"))
    assert other.absent == ("after", "get", "reach_error")
    assert any("undefined function reach_error" in line for line in other.ledger)
    assert program.select(call("get")).absent == ()


def test_a_text_is_read_in_place_of_a_file() -> None:
    from argosy.frontends.c.load import load
    from argosy.logic.terms import Terms

    program = load("-", terms=Terms(), text="void reach_error(void); int main(void) { reach_error(); }")
    assert execute(program.cfa).error
    assert program.path == "-"
    assert isinstance(sites(program.cfa)[0], Site) and sites(program.cfa)[0].position.file == "-"
