"""Functions, statements and updates, executed by the interpreter."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.network_evaluation import ModelError
from tests.frontends.uppaal.reading import SINGLE, network, step


@pytest.mark.parametrize(
    ("declarations", "update", "expected"),
    [
        ("int x;", "x = 3, x += 4, x *= 2", {"x": 14}),
        ("int x = 5, y;", "y = x++ + ++x", {"x": 7, "y": 12}),
        ("int x = 5, y;", "y = x-- - --x", {"x": 3, "y": 2}),
        ("int x, y;", "x = y = 4", {"x": 4, "y": 4}),
        ("int x, y; clock c, d;", "c = d = 0", {"x": 0, "y": 0}),
        ("int x = -7;", "x = x / 2 * 100 + x % 2", {"x": -301}),
        ("int x;", "x = 5 <? 3 >? 1", {"x": 3}),
        ("int x;", "x = (1 << 4) | 3 ^ 1 & 7", {"x": 18}),
        ("int x = -8;", "x = x >> 1", {"x": -4}),
        ("int x = 3; bool b;", "b = x, x = b + b", {"x": 2, "b": 1}),
        ("int x = 3;", "x = x > 2 ? x < 3 ? 1 : 2 : 3", {"x": 2}),
        ("int x;", "x = sum (i : int[1,4]) i * i", {"x": 30}),
        ("int a[3] = {3, 1, 2}; int x;", "x = (forall (i : int[0,2]) a[i] > 0) + (exists (i : int[0,2]) a[i] > 3)",
         {"a[0]": 3, "a[1]": 1, "a[2]": 2, "x": 1}),
        ("int x;", "x = abs(-4) - abs(3)", {"x": 1}),
        ("bool a = 1, b = 1; int x;", "x = (a xor b)", {"a": 1, "b": 1, "x": 0}),
        ("int l[3]; int[0,3] n;", "l[n++] = 7, l[n++] = 8", {"l[0]": 7, "l[1]": 8, "l[2]": 0, "n": 2}),
        ("int x; void f(int n) { int i; for (i = 0; i < n; i++) x += i; }", "f(5)", {"x": 10}),
        ("int x; void f() { int i = 0; do { i++; } while (i < 4); x = i; }", "f()", {"x": 4}),
        ("int x; void f() { for (i : int[2,4]) x = x * 10 + i; }", "f()", {"x": 234}),
        ("int x; int f(int n) { if (n > 2) return 1; else if (n == 2) return 2; return 3; }",
         "x = f(3) * 100 + f(2) * 10 + f(1)", {"x": 123}),
        ("int x = 1, y = 2; void swap(int &a, int &b) { int c = a; a = b; b = c; }", "swap(x, y)", {"x": 2, "y": 1}),
        ("int a[3] = {1, 2, 3}; int[0,2] i = 2; void inc(int &v) { i = 0; v++; }", "inc(a[i])",
         {"a[0]": 1, "a[1]": 2, "a[2]": 4, "i": 0}),
        ("int a[2] = {4, 5}, x; int f(int b[2]) { b[0] = 9; return b[0] + b[1]; }", "x = f(a)",
         {"a[0]": 4, "a[1]": 5, "x": 14}),
        ("int a[2] = {4, 5}; void f(int &b[2]) { b[0] = 9; }", "f(a)", {"a[0]": 9, "a[1]": 5}),
        ("struct { int p, q; } s; int x; void f(int &v) { v = 6; }", "f(s.q), x = s.q", {"s.p": 0, "s.q": 6, "x": 6}),
        ("typedef struct { int p, q; } r; r s; r f(int a) { r t = {a, a + 1}; return t; }", "s = f(3)",
         {"s.p": 3, "s.q": 4}),
        ("int x; int f(int a) { return a + 1; }", "x = f(f(f(1)))", {"x": 4}),
        ("int x; int f(int a) { return a + 1; } int g(int b) { return f(b) * f(b + 1); }", "x = g(f(1))", {"x": 12}),
        ("int x; void f() { int a[2] = {1, 2}; x += a[0]; a[0] = 100; }", "f(), f()", {"x": 2}),
        ("int x; void f() { int k; for (i : int[0,1]) { int j; j += 5; x += j; } }", "f()", {"x": 10}),
        ("const int c[2] = {3, 4}; int x; int f(const int &v[2], int i) { return v[i]; }", "x = f(c, 1)",
         {"x": 4, "c[0]": 3, "c[1]": 4}),
        ("int x; void f() { const int k = 3; typedef int[0,k] t; t a[2]; a[1] = k; x = a[1]; }", "f()", {"x": 3}),
    ],
)  # fmt: skip
def test_updates(declarations: str, update: str, expected: dict[str, int]) -> None:
    assert step(declarations, update) == expected


@pytest.mark.parametrize(
    ("declarations", "update", "column", "message"),
    [
        ("int[0,3] x;", "x = 4", 3, "the value 4 is outside the range 0 .. 3 of x"),
        ("int[0,3] x;", "x--", 2, "the value -1 is outside"),
        ("int a[2]; int i = 2;", "a[i] = 1", 2, r"index 2 outside 0 \.\. 1"),
        ("int a[2];", "a[2] = 1", 2, r"index 2 outside 0 \.\. 1"),
        ("int x, y;", "x = 1 / y", 7, "division by zero"),
        ("int x, y = -1;", "x = 1 << y", 7, "negative count"),
        ("int x = 30000;", "x = x * x * x / (x * x * x)", 11, "32 bits"),
        ("clock c; int y = -1;", "c = y", 3, "negative value"),
        ("int x; int[0,3] f(int n) { return n; }", "x = f(4)", 5, "f returns 4, outside its range"),
        ("int x; int f(int[0,3] n) { return n; }", "x = f(4)", 5, "outside the range 0 .. 3 of f::n"),
        ("void f() { while (true) { } }", "f()", -1, "rounds"),
        ("int x; void f(int &v) { v = 1; } int a[2];", "f(a[x + 5])", -1, "outside the range"),
        ("int x; struct { int[0,3] p; } s; struct { int p; } t = {9};", "s = t", 3, "outside the range"),
    ],
)
def test_model_errors_have_a_position(declarations: str, update: str, column: int, message: str) -> None:
    prefix = f"{declarations}\nprocess P() {{ state A, B; init A; trans A -> B {{ assign "
    with pytest.raises(ModelError, match=message) as error:
        step(declarations, update)
    if column >= 0:
        assert error.value.position.line == 2
        assert error.value.position.column == len(prefix.splitlines()[1]) + column


@pytest.mark.parametrize(
    ("declarations", "update", "message"),
    [
        ("const int N = 1;", "N = 2", "a variable expected"),
        ("const int a[2] = {1, 2}; int i;", "a[i] = 2", "a variable expected|constant"),
        ("int x;", "x = y", "unknown identifier"),
        ("int x;", "f(x)", "unknown function"),
        ("int x; int f(int a) { return a; }", "x = f()", "takes 1 arguments, found 0"),
        ("int x; int f(int a) { return f(a); }", "x = f(1)", "calls itself"),
        ("int x; void f(int &a) { }", "f(3)", "a variable expected"),
        ("int x; void f() { return 3; }", "f()", "return"),
        ("int x; void f() { }", "x = f()", "returns nothing"),
        ("int x; int f() { return; }", "x = f()", "return"),
        ("int x; clock c;", "x = c", "an integer expected"),
        ("clock c, d;", "c = d", "an integer expected"),
        ("clock c;", "c += 1", "by '='"),
        ("clock c;", "c++", "by '='"),
        ("chan c; int x;", "x = c", "an integer expected"),
        ("int a[2]; int x;", "x = a", "an integer expected"),
        ("int a[2], b[3];", "a = b", "expected"),
        ("int x;", "x[0] = 1", "an array expected"),
        ("int x;", "x.f = 1", "no member"),
        ("struct { int p; } s;", "s.q = 1", "no field 'q'"),
        ("typedef scalar[2] t; t a, b; int x;", "x = a", "does not fit"),
        ("typedef scalar[2] t; t a; int x;", "x = a + 1", "scalars"),
        ("typedef scalar[2] t; t a; int x[2];", "x[a] = 1", "indexed by"),
        ("int x;", "deadlock", "queries only"),
        ("void f() { clock c; }", "f()", "clocks or channels"),
        ("void f() { int x; int x; }", "f()", "declared twice"),
        ("int x; void f() { x = 1; int y; }", "f()", "before the statements"),
        ("int x; int f() { x = 1; return 2; } int y;", "y = forall (i : int[0,1]) f() > 0", "changes the state"),
    ],
)
def test_type_errors(declarations: str, update: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        step(declarations, update)
    assert error.value.position.line in (1, 2)
    assert error.value.position.column > 0


def test_refused_statements() -> None:
    with pytest.raises(UnsupportedError, match="statement"):
        step("void f() { while (true) { assert 1; } }", "f()")


JUMPS = [
    ("for (i = 0; i < 9; i++) { if (i == 4) break; r += 10; } r += i;", [44]),
    ("for (i = 0; i < 5; i++) { if (i % 2 == 1) continue; r += 10; r++; } r += i;", [38]),
    ("while (true) { if (r >= 7) { break; } r += 3; } r *= 2;", [18]),
    ("while (r < 5) { r++; continue; r = 100; }", [5]),
    ("do { r++; if (r < 3) continue; r += 10; } while (r < 5); r += 100;", [113]),
    ("do { r++; break; r = 50; } while (true); r += 1;", [2]),
    ("for (k : int[2, 9]) { if (k == 3) continue; if (k > 5) break; r = r * 10 + k; }", [245]),
    ("for (i = 0; i < 3; i++) { for (j = 0; j < 9; j++) { if (j == 2) break; r++; } r += 10; }", [36]),
    ("for (i = 0; i < 3; i++) { for (j = 0; j < 3; j++) { if (j == i) continue; r++; } if (i == 1) break; } r += i;",
     [5]),
    ("while (true) { if (r > 20) return; { { if (r > 10) { r += 50; break; } } r += 5; } r++; } r++;", [63]),
    ("r = n == 1; switch (n) { case 0: r = 10; break; case 1: r += 20; case 2: r += 30; break; default: r = 40; }",
     [10, 51, 30, 40]),
    ("switch (n) { default: r += 1; case 1: r += 2; break; case 2: r += 4; }", [3, 2, 4, 3]),
    ("switch (n) { case 1: r = 5; }", [0, 5, 0, 0]),
    ("switch (n + 1) { } r = 3;", [3, 3]),
    ("for (k : int[0, 3]) { switch (k) { case 1: continue; case 2: break; case 3: r += 100; default: r++; } r += 10; }",
     [132]),
    ("switch (n) { case 0: for (i = 0; i < 9; i++) { if (i == 3) break; r++; } r += 10; case 1: r += 100; }",
     [113, 100, 0]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "results"), JUMPS)
def test_break_continue_and_switch(body: str, results: list[int]) -> None:
    declarations = f"int n, r; void f() {{ int i, j; {body} }}"
    for n, result in enumerate(results):
        assert step(declarations, f"n = {n}, f()")["r"] == result


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("break;", "outside a loop or switch"),
        ("switch (1) { case 1: continue; }", "outside a loop"),
        ("switch (1) { case 1: ; case 1: ; }", "twice"),
        ("switch (1) { default: ; default: ; }", "twice"),
        ("switch (1) { r = 1; }", "case"),
        ("while (true) { break }", ";"),
    ],
)
def test_jumps_that_lead_nowhere(body: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        step(f"int r; void f() {{ {body} }}", "f()")


def test_the_native_search_jumps_as_the_interpreter_does() -> None:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    from argosy.certify.zones import Inductive, check
    from argosy.kernel.search import ZoneSearch

    calls = "".join(f"void f{k}() {{ int i, j; {body} }} " for k, (body, _) in enumerate(JUMPS))
    edges = ", ".join(
        f"A -> A {{ assign n = {n}, r = 0, f{k}(); }}"
        for k, (_, results) in enumerate(JUMPS)
        for n in range(len(results))
    )
    made = network(f"int n, r; {calls} process P() {{ state A; init A; trans {edges}; }} system P;")
    search = ZoneSearch(made, ())
    search.run()
    names = [variable.name for variable in made.variables]
    found = {state.values[names.index("r")] for state in search.states()}
    assert found == {0, *(result for _, results in JUMPS for result in results)}
    assert isinstance(check(made, (), search.states()), Inductive)


def test_effects_in_a_subscript_of_a_compound_assignment_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="effects"):
        step("int a[2], i;", "a[i++] += 1")


def test_what_is_not_used_is_not_translated() -> None:
    network("void f() { assert 1; } process Q() { clock x; state A { x' == 0 }; init A; } " + SINGLE)


def test_functions_of_templates_belong_to_their_process() -> None:
    text = """
    process P(int[0,1] i) { int v; void f() { v = i + 5; } state A, B; init A; trans A -> B { assign f(); }; }
    system P;"""
    model = network(text)
    assert [function.name for function in model.functions] == ["P(0).f", "P(1).f"]
