"""Statements: every jump goes where C says, every declaration gives the value that C says."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError
from argosy.models.cfa import Havoc

from .running import final, read, run


def test_loops() -> None:
    assert (
        final("int i; for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; r += i; }", "int r;")["r"]
        == 18
    )
    assert final("int i = 5; while (i) { i--; if (i == 2) continue; r += i; }", "int r;")["r"] == 8
    assert final("int i = 0; do { r++; if (r == 3) continue; } while (++i < 5);", "int r;")["r"] == 5
    assert final("do r++; while (0);", "int r;")["r"] == 1
    assert final("for (;;) { if (++r > 4) break; }", "int r;")["r"] == 5
    assert final("for (int i = 0, j = 10; i < j; i++, j--) r++;", "int r;")["r"] == 5
    assert final("for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 2) break; r = r * 2 + i; }",
                 "int r;")["r"] == 18  # fmt: skip


@pytest.mark.parametrize(
    ("x", "expected"), [(1, 21), (2, 1), (3, 300), (4, 5), (9, 5), (-1, 70), (100, 8), (150, 8), (200, 8), (201, 5)]
)
def test_switch(x: int, expected: int) -> None:
    body = """switch (__VERIFIER_nondet_int()) {
        int skipped;
        case 1: r += 20;
        case 2: r += 1; break;
        default: r = 5; break;
        case 3: { r = 3; while (1) { r *= 10; if (r > 99) break; } } break;
        case -1: r = 7; switch (r) { case 7: r = 70; break; default: r = 71; } break;
        case 100 ... 200: r = 8;
    }"""
    assert final(body, "int r; int __VERIFIER_nondet_int(void);", [x])["r"] == expected


def test_switch_converts_to_the_promoted_type() -> None:
    assert final("unsigned char c = 255; switch (c) { case -1: r = 1; break; case 255: r = 2; }", "int r;")["r"] == 2
    assert final("switch (4294967297ll) { case 1: r = 1; break; default: r = 2; }", "int r;")["r"] == 2
    assert final("switch (-1) { case 4294967295u: r = 3; }", "int r;")["r"] == 3


def test_case_labels_inside_loops() -> None:
    # Duff's device.
    body = """int n = 7;
        switch (n % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; n -= 4; } while (n > 0); }"""
    assert final(body, "int r;")["r"] == 7


def test_goto() -> None:
    assert final("int i = 0; again: i++; if (i < 5) goto again; r = i; goto end; r = 100; end: ;", "int r;")["r"] == 5
    assert final("goto in; { r = 1; in: r += 10; } out: r += 100;", "int r;")["r"] == 110
    assert final("for (int i = 0; i < 9; i++) for (;;) { r++; if (i == 3) goto done; break; } done: r += 100;",
                 "int r;")["r"] == 104  # fmt: skip


def test_a_jump_over_a_declaration_leaves_the_variable_open() -> None:
    program = read("int r; int main(void) { int n = 0; again: n++; if (n > 1) goto in; { int x = 5; in: r = x; } "
                   "if (n < 2) goto again; }")  # fmt: skip
    opened = [e for e in program.cfa.edges if isinstance(e.operation, Havoc)]
    assert [str(e.choice) for e in opened] == ["uninitialised x"]
    assert run("int r; int main(void) { switch (1) { int x = 4; case 1: r = x; } }", [77])["r"] == 77


def test_scopes_shadow() -> None:
    outcome = final("int x = 1; { int x = 2; { int x = 3; r = x; } r = r * 10 + x; } r = r * 10 + x + f();",
                    "int r, x = 9000; int f(void) { return x; }")  # fmt: skip
    assert (outcome["r"], outcome["x"]) == (9321, 9000)
    assert {"main::x", "main::x#2", "main::x#3"} <= outcome.values.keys()


def test_a_declaration_is_executed_each_time() -> None:
    assert final("for (int i = 0; i < 3; i++) { int x = 10; x += i; r += x; }", "int r;")["r"] == 33
    body = "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 5; r = x; }"
    program = read(f"int r; int main(void) {{ {body} }}")
    assert [str(e.choice) for e in program.cfa.edges if e.choice] == ["uninitialised x"]
    assert final(body, "int r;", [0, 42])["r"] == 42


def test_only_variables_that_are_read_first_are_open() -> None:
    program = read("int r; int main(void) { int a, b, i; for (i = 0; i < 3; i++) a = i; r = b + a; }")
    assert [str(e.choice) for e in program.cfa.edges if e.choice] == ["uninitialised a", "uninitialised b"]
    assert [line.partition(": ")[2] for line in program.ledger] == [
        "a is not initialised: arbitrary value",
        "b is not initialised: arbitrary value",
    ]


def test_an_initialiser_sees_its_own_variable() -> None:
    assert final("int x = 3; { int x = x + 1; r = x; }", "int r;", [41])["r"] == 42


def test_code_that_control_does_not_reach_is_no_code() -> None:
    program = read("int r; int f(void) { return f(); } int main(void) { return 0; r = f(); }")
    assert not any("f" in edge.text for edge in program.cfa.edges)
    assert not read("int r; int main(void) { if (0) r = 1; while (0) r = 2; for (; 0;) r = 3; }").cfa.edges


def test_joins_and_loops_cost_no_edges() -> None:
    program = read("int main(int a) { while (a > 0) { if (a == 3) { a--; } else { { ; } a -= 2; } } return 0; }")
    assert sorted(edge.text for edge in program.cfa.edges) == [
        "[!(a == 3)]", "[!(a > 0)]", "[a == 3]", "[a > 0]", "a -= 2", "a--",
    ]  # fmt: skip
    assert len(program.cfa.loop_heads) == 1


def test_edges_know_their_place() -> None:
    program = read("int x;\nint main(void) {\n  x = 1;\n  if (x\n      < 2)\n    x++;\n}\n")
    places = {edge.text: (edge.position.line, edge.position.column) for edge in program.cfa.edges}
    assert places["x = 1"] == (3, 3)
    assert places["[x < 2]"] == (4, 7)
    assert places["x++"] == (6, 5)


@pytest.mark.parametrize(
    "body",
    [
        "goto nowhere;",
        "break;",
        "continue;",
        "case 1: ;",
        "l: ; l: ;",
        "switch (1) { case 1: ; case 1: ; }",
        "int x; switch (1) { case x: ; }",
        "switch (1) { default: ; default: ; }",
        "y = 1;",
        "struct { int a; } s; s.b = 1;",
        "int a[2]; a = 0;",
        "1 = 2;",
        "int x; (x + 1)++;",
        "main() = 3;",
        "enum { A }; A = 1;",
        "*3 = 4;",
    ],
)
def test_ill_formed_statements(body: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"int main(void) {{\n {body} }}")
    assert caught.value.position.line == 2
