"""Functions, globals and statics; what the text does not define."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.cfa import Havoc
from argosy.models.kinds import Errors, Undefined

from .running import final, read, run


def test_parameters_and_results_convert() -> None:
    before = "int r, s; unsigned char narrow(int x) { return x; } int wide(signed char c) { return c; }"
    outcome = final("r = narrow(300); s = wide(200);", before)
    assert (outcome["r"], outcome["s"]) == (44, -56)


def test_any_depth_of_calls() -> None:
    chain = "int f0(int x) { return x + 1; }\n" + "".join(
        f"int f{i}(int x) {{ return f{i - 1}(x) + 1; }}\n" for i in range(1, 60)
    )
    assert final("r = f59(0);", chain + "int r;")["r"] == 60


def test_copies_of_a_function_share_variables_and_origins() -> None:
    cfa = read("int r; int f(int x) { if (x) r++; return x; } int main(void) { f(1); f(2); }").cfa
    inside = [location for location in cfa.locations if location.function == "f"]
    assert len(inside) > len({location.origin for location in inside})
    assert sum(v.name == "x" for v in cfa.variables) == 1


def test_parameters_of_different_calls_do_not_mix() -> None:
    before = """int r; int inner(int a) { a = a + 1; return a; }
        int outer(int a) { int b = inner(a * 2); return a * 100 + b; }"""
    assert final("r = outer(3) * 1000 + outer(inner(4));", before)["r"] == 307_000 + 511


def test_recursion_that_main_does_not_reach_is_no_obstacle() -> None:
    assert read("int f(int x) { return f(x); } int main(void) { return 0; }").cfa.edges == ()


def test_too_many_copies_are_shared_or_refused() -> None:
    layers = "void f0(void) { x++; }\n" + "".join(
        f"void f{i}(void) {{ f{i - 1}(); f{i - 1}(); f{i - 1}(); f{i - 1}(); }}\n" for i in range(1, 12)
    )
    source = f"int x; {layers} int main(void) {{ f11(); }}"
    assert len(read(source).cfa.edges) < 40_000
    # Lost memory is asked of copies only.
    with pytest.raises(UnsupportedError, match="400000 edges"):
        read(source, errors=Errors(operations=frozenset((Undefined.LEAK,))))


def test_globals_are_zero_or_initialised() -> None:
    before = "int a, b = 5, c = -1; unsigned char d = 300; int e = sizeof(int) * 2; int *p, *q = &b; int r, n;"
    outcome = final("r = a + b + c + d + e; n = (p == 0) + (q != 0) * 2;", before)
    assert (outcome["r"], outcome["n"]) == (5 - 1 + 44 + 8, 3)


def test_tentative_and_extern_declarations() -> None:
    outcome = final("r = x;", "extern int x; int x; int x = 4; extern int x; int r;")
    assert outcome["r"] == 4
    program = read("extern int e; int r; int main(void) { r = e; }")
    assert [str(edge.choice) for edge in program.cfa.edges if edge.choice] == ["extern e"]
    assert any("extern e" in line for line in program.ledger)


def test_statics_are_initialised_once() -> None:
    before = """int r; int f(void) { static int n = 10; static int z; n++; z++; return n + z; }
        int g(void) { static int n; return ++n; }"""
    assert final("r = f() * 10000 + f() * 100 + g() + g();", before)["r"] == 12 * 10000 + 14 * 100 + 3


def test_unused_globals_cost_nothing() -> None:
    assert read("int a = 1, b = 2, c; int main(void) { return 0; }").cfa.edges == ()


def test_local_extern_means_the_global() -> None:
    assert final("int x = 1; { extern int x; r = x; }", "int x = 7; int r;")["r"] == 7


def test_old_style_and_implicit_functions() -> None:
    before = "int r, s; int f(a, b) int a; char b; { return a * 10 + b; } g(x) { return x + 1; }"
    assert final("r = f(3, 4); s = g(6);", before)["r"] == 34
    program = read("int r; int main() { r = unknown(1, 2); }")
    assert "implicit declaration: int unknown()" in program.ledger


def test_arguments_that_are_missing() -> None:
    assert final("r = f();", "int r; int f(a) { return a; }", [9])["r"] == 9
    with pytest.raises(InputError, match="takes 1 arguments, not 2"):
        read("int f(int a) { return a; } int main(void) { return f(1, 2); }")
    with pytest.raises(InputError, match="takes 1 arguments, not 0"):
        read("int f(int a) { return a; } int main(void) { return f(); }")
    assert final("r = f(1, 2, 3);", "int r; int f(int a, ...) { return a; }")["r"] == 1


def test_a_function_without_return_gives_any_value() -> None:
    before = "int r; int f(int x) { if (x) return 5; }"
    assert final("r = f(1);", before)["r"] == 5
    assert final("r = f(0);", before, [31])["r"] == 31


# ---- what the text does not define --------------------------------------------------------------------------------


def test_undefined_functions_give_any_value_and_stand_in_the_ledger() -> None:
    program = read("int foo(int); void bar(void); int r; int main(void) { r = foo(1) + foo(2); bar(); }")
    choices = [edge for edge in program.cfa.edges if isinstance(edge.operation, Havoc)]
    assert [str(edge.choice) for edge in choices] == ["foo(1)", "foo(2)"]
    assert "undefined function foo: result arbitrary, no side effects" in program.ledger
    assert "undefined function bar: no side effects" in program.ledger


def test_arguments_of_undefined_functions_are_evaluated() -> None:
    assert (
        final('int x = 1; printf("%d", x++); foo(x += 10); r = x;', "int r; int printf(const char *, ...);")["r"] == 12
    )


def test_an_undefined_function_may_write_through_an_address() -> None:
    before = "int r; int scanf(const char *, ...); const char *form;"
    assert final("int x = 1; scanf(form, &x); r = x;", before, [5])["r"] == 5
    program = read(before + "int main(void) { int x = 1; scanf(form, &x); r = x; }")
    assert "library function scanf: may write any value where its arguments point" in program.ledger
    assert [final('int x = 1; scanf("%d", &x); r = x;', before, [n, 5])["r"] for n in (-1, 0, 1)] == [1, 1, 5]


@pytest.mark.parametrize(
    ("name", "width", "signed"),
    [
        ("int", 32, True), ("uint", 32, False), ("bool", 1, False), ("char", 8, True), ("uchar", 8, False),
        ("short", 16, True), ("ushort", 16, False), ("long", 32, True), ("ulong", 32, False), ("longlong", 64, True),
        ("ulonglong", 64, False), ("size_t", 32, False), ("u32", 32, False), ("unsigned", 32, False),
    ],
)  # fmt: skip
def test_choices_have_their_type(name: str, width: int, signed: bool) -> None:
    cfa = read(f"long long r; int main(void) {{ r = __VERIFIER_nondet_{name}(); }}").cfa
    (edge,) = [edge for edge in cfa.edges if edge.choice]
    assert isinstance(edge.operation, Havoc)
    chosen = edge.operation.variable
    assert chosen.sort.width == width
    if width < 64:
        assert final(f"r = __VERIFIER_nondet_{name}();", "long long r;", [-1])["r"] == (-1 if signed else 2**width - 1)


def test_a_choice_goes_directly_where_it_is_stored() -> None:
    program = read("""unsigned x; int f(void) { return __VERIFIER_nondet_int(); }
        int main(void) {
          x = (unsigned)__VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int(); y = f() + y;
        }""")
    assert [edge.operation.variable.name for edge in program.cfa.edges if isinstance(edge.operation, Havoc)] == [
        "x",
        "main::y",
        "f::return",
    ]


def test_assumptions_and_ends() -> None:
    before = """int r; void abort(void); void exit(int); void __VERIFIER_assume(int);
        void stop(void) __attribute__((noreturn));"""
    for end in (
        "abort();",
        "exit(1);",
        "__VERIFIER_assume(r > 5);",
        "stop();",
        "__builtin_unreachable();",
        "__builtin_trap();",
        "assume_abort_if_not(r);",
    ):
        assert final(f"r = 0; {end} r = 1;", before)["r"] == 0, end
    assert final("r = 6; __VERIFIER_assume(r > 5); r = 7;", before)["r"] == 7


def test_an_assumption_converts_its_argument() -> None:
    # Four billion is zero as an int parameter of width 32.
    assert final("r = 0; __VERIFIER_assume(4294967296ll); r = 1;", "int r; void __VERIFIER_assume(int);")["r"] == 0


def test_a_defined_function_is_itself_whatever_its_name() -> None:
    before = "int r; void abort(void) { r = 3; } void assume_abort_if_not(int c) { if (!c) { r = 8; } }"
    assert final("abort(); r++; assume_abort_if_not(r == 4);", before)["r"] == 4
    assert final("assume_abort_if_not(0);", before)["r"] == 8


def test_main_may_have_parameters() -> None:
    program = read("int r; int main(int argc, char **argv) { r = argc; }")
    assert [edge.text for edge in program.cfa.edges] == ["r = 0", "[0 <= argc]", "[argv leads somewhere]", "r = argc"]
    assert "parameter argc of main is arbitrary" in program.ledger


def test_blast_nondet_is_one_unknown_value() -> None:
    for declaration in ("int __BLAST_NONDET;", ""):
        program = read(declaration + "int a, b; int main(void) { a = __BLAST_NONDET; b = __BLAST_NONDET; }")
        assert not any(edge.choice for edge in program.cfa.edges)
        assert [edge.text for edge in program.cfa.edges][-2:] == ["a = __BLAST_NONDET", "b = __BLAST_NONDET"]
        assert "__BLAST_NONDET is one fixed unknown value" in program.ledger


def test_another_entry() -> None:
    assert run("int r; int main(void) { r = 1; } int other(void) { r = 2; }", entry="other")["r"] == 2


@pytest.mark.parametrize("body", ["", "return;", "if (0) return 1;", "{ }"])
def test_a_function_without_a_result_gives_any_value_each_time(body: str) -> None:
    outcome = run(f"int a, b; int f(void) {{ {body} }} int main(void) {{ a = f(); b = f(); }}", [3, 4])
    assert (outcome["a"], outcome["b"]) == (3, 4)


def test_lengths_in_parameters_know_the_parameters_before_them() -> None:
    before = "int r; int f(int n, int a[n]); int f(int k, int a[k]) { return a[k - 1]; }"
    assert final("int a[2] = {1, 2}; r = f(2, a);", before)["r"] == 2
