"""Variables, types and constants."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.network_semantics import Semantics
from tests.frontends.uppaal.reading import SINGLE, holds, network, step, variable


def names(declarations: str) -> list[tuple[str, int, int, int]]:
    return [(v.name, v.low, v.high, v.initial) for v in network(declarations + SINGLE).variables]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("int x;", [("x", -32768, 32767, 0)]),
        ("int[0,7] x = 3, y := 4;", [("x", 0, 7, 3), ("y", 0, 7, 4)]),
        ("int[2,7] x;", [("x", 2, 7, 2)]),
        ("bool b = 5;", [("b", 0, 1, 1)]),
        ("const int N = 3; int[0,N-1] a[N] = {2,1,0};", [(f"a[{i}]", 0, 2, 2 - i) for i in range(3)]),
        ("const N 2; int[0,N] x;", [("x", 0, 2, 0)]),
        ("const N 2, M 3; int a[N][M];", [(f"a[{i}][{j}]", -32768, 32767, 0) for i in range(2) for j in range(3)]),
        ("typedef int[4,5] t; bool a[t];", [("a[4]", 0, 1, 0), ("a[5]", 0, 1, 0)]),
        ("bool a[int[1,2]];", [("a[1]", 0, 1, 0), ("a[2]", 0, 1, 0)]),
        ("typedef scalar[3] s; s v; int[0,1] a[s];", [("v", 0, 2, 0), *((f"a[{i}]", 0, 1, 0) for i in range(3))]),
        (
            "typedef struct { int[0,9] f; bool g[2]; } r; r v = { 7, { true, false } };",
            [("v.f", 0, 9, 7), ("v.g[0]", 0, 1, 1), ("v.g[1]", 0, 1, 0)],
        ),
        ("struct { int[0,9] f, g; } v = { g: 1, f: 2 };", [("v.f", 0, 9, 2), ("v.g", 0, 9, 1)]),
        ("const int a[2] = {5, 6}; int[0,a[1]] x = a[0];", [("x", 0, 6, 5)]),
        ("const struct { int f; } c = {4}; int[0,c.f] x;", [("x", 0, 4, 0)]),
        (
            "int f(int n) { int r = 1; while (n > 1) { r = r * n; n--; } return r; } const int N = f(4); int[0,N] x;",
            [("x", 0, 24, 0)],
        ),
        ("uint8_t x; int[INT8_MIN, INT8_MAX] y;", [("x", 0, 255, 0), ("y", -128, 127, 0)]),
    ],
)
def test_variables(declaration: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert names(declaration) == expected


def test_clocks_channels_and_meta() -> None:
    model = network(
        "clock x, y[2]; chan a; urgent chan b[2]; broadcast chan c; urgent broadcast chan d; meta int m;" + SINGLE
    )
    assert [clock.name for clock in model.clocks] == ["0", "x", "y[0]", "y[1]"]
    kinds = [(channel.name, channel.urgent, channel.broadcast) for channel in model.channels]
    assert kinds == [("a", 0, 0), ("b[0]", 1, 0), ("b[1]", 1, 0), ("c", 0, 1), ("d", 1, 1)]
    assert variable(model, "m").meta


def test_local_variables_have_the_name_of_their_process() -> None:
    text = "process P(int[0,1] i) { clock x; int v = i; state A; init A; }\nsystem P;"
    model = network(text)
    assert [(v.name, v.initial) for v in model.variables] == [("P(0).v", 0), ("P(1).v", 1)]
    assert [clock.name for clock in model.clocks] == ["0", "P(0).x", "P(1).x"]


def test_records_and_arrays_are_copied_and_compared() -> None:
    declarations = "struct { int a, b[2]; } s = {1, {2, 3}}, t; int x[3] = {4, 5, 6}, y[3];"
    assert step(declarations, "t = s, y = x") == {
        "s.a": 1, "s.b[0]": 2, "s.b[1]": 3, "t.a": 1, "t.b[0]": 2, "t.b[1]": 3,
        "x[0]": 4, "x[1]": 5, "x[2]": 6, "y[0]": 4, "y[1]": 5, "y[2]": 6,
    }  # fmt: skip
    assert not holds(declarations + SINGLE, "s == t")
    assert holds(declarations + SINGLE, "s != t")
    assert holds(declarations.replace("t;", "t = {1, {2, 3}};") + SINGLE, "s == t")


def test_a_copy_evaluates_its_places_once() -> None:
    declarations = "struct { int a, b; } s[2] = {{1, 7}, {2, 8}}, t = {0, 5};"
    got = step(declarations, "s[s[0].a] = t")
    assert (got["s[1].a"], got["s[1].b"], got["s[0].a"]) == (0, 5, 1)
    got = step("struct { int a, b; } s[2] = {{1, 7}, {2, 8}}, t = {0, 5};", "s[2 - s[1].a] = t")
    assert (got["s[0].a"], got["s[0].b"]) == (0, 5)


def test_a_constant_array_read_at_a_computed_index_takes_no_room_in_the_state() -> None:
    model = network(
        "const int c[3] = {7, 8, 9}; int[0,2] i = 2; int v;"
        "process P() { state A, B; init A; trans A -> B { assign v = c[i]; }; } system P;"
    )
    constants = [v for v in model.variables if v.name.startswith("c")]
    assert [(v.low, v.high) for v in constants] == [(7, 7), (8, 8), (9, 9)]
    semantics = Semantics(model)
    state = semantics.fire(semantics.initial(), semantics.enabled(semantics.initial())[0])
    assert 9 in state.values


@pytest.mark.parametrize(
    ("declaration", "column", "message"),
    [
        ("int x = y;", 9, "unknown identifier 'y'"),
        ("foo x;", 1, "unknown type 'foo'"),
        ("int[0,3] x = 4;", 14, "outside the range"),
        ("int[3,0] x;", 1, "empty"),
        ("int x, x;", 8, "declared twice"),
        ("int a[0];", 7, "0 elements"),
        ("int a[2] = {1};", 12, "2 elements expected"),
        ("int a[2] = 3;", 12, "initialiser of type"),
        ("int x = {1};", 9, "not written in braces"),
        ("const int N;", 11, "needs a value"),
        ("int y; const int N = y;", 22, "depends on y"),
        ("int y; int a[y];", 14, "depends on y"),
        ("int[-5,-1] x;", 12, "needs an initialiser"),
        ("urgent int x;", 1, "urgent"),
        ("const clock x;", 1, "const or meta"),
        ("struct { int a, a; } s;", 17, "twice"),
        ("struct { int a; } s = { b: 1 };", 28, "no field"),
        ("const int N = 1 / 0;", 17, "division by zero"),
        (
            "typedef scalar[2] s; typedef scalar[2] t; s a; t b; int x; int f() { return a == b; } const int N = f();",
            79,
            "cannot be compared",
        ),
        ("void v;", 6, "type void"),
        ("int x", 1, "';' expected"),
    ],
)
def test_broken_declarations(declaration: str, column: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        network(declaration + "\n" + SINGLE)
    assert error.value.position.file == "model.xta"
    if message != "';' expected":
        assert (error.value.position.line, error.value.position.column) == (1, column)


@pytest.mark.parametrize(
    "declaration",
    [
        "typedef int t0[1]; " + " ".join(f"typedef t{i} t{i + 1}[1];" for i in range(3000)) + " t3000 x;",
        "struct { " * 3000 + "int x;" + " } s;" * 3000,
        "int x" + "[1]" * 3000 + ";",
    ],
)
def test_types_nested_too_deeply(declaration: str) -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        network(declaration + SINGLE)


@pytest.mark.parametrize(
    ("declaration", "what"),
    [
        ("double d;", "floating"),
        ("hybrid clock h;", "hybrid"),
        ("dynamic D(int x);", "dynamic"),
        ("void after_update() { }", "after_update"),
        ("const int N = 1.5;", "floating"),
    ],
)
def test_refused_declarations(declaration: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what) as error:
        network("int x;\n" + declaration + "\n" + SINGLE)
    assert error.value.position.line == 2
    assert error.value.position.column >= 1


HOOKS = """
int n; int[0, 2000000000] log; chan c; broadcast chan b;
void note(int digit) { log = log * 10 + digit; }
before_update { note(1) }
after_update { note(9), n++ }
process P() { state A, B, C, D; init A;
  trans A -> B { assign note(2); }, B -> C { sync c!; assign note(3); }, C -> D { sync b!; assign note(5); }; }
process Q() { state A, B; init A; trans A -> B { sync c?; assign note(4); }; }
system P, Q;
"""


def test_what_every_update_does_before_and_after() -> None:
    made = network(HOOKS)
    semantics = Semantics(made)
    state = semantics.initial()
    names = [variable.name for variable in made.variables]
    seen = []
    while actions := semantics.enabled(state):
        [action] = actions
        state = semantics.fire(state, action)
        seen.append(tuple(state.values[names.index(name)] for name in ("log", "n")))
    assert seen == [(129, 1), (1291349, 2), (1291349159, 3)]


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("chan c;", "broadcast chan c;", UnsupportedError, "receivers of broadcasts"),
        ("before_update {", "after_update {", InputError, "twice"),
        ("note(1) }", "nothing(1) }", InputError, "unknown"),
        ("process Q() {", "process Q() { before_update { n = 1 }", InputError, "inside a template"),
    ],
)
def test_hooks_that_are_refused(old: str, new: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        network(HOOKS.replace(old, new))
