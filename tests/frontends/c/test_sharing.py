"""A body that is shared by several calls does what copies do: random programs and programs written for it, with sharing
forced, compute what the compiled program computes, and get the verdicts that they get with copies."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.basics.position import NOWHERE
from argosy.frontends.c.lower.graph import Call, Template, TemplateStep
from argosy.frontends.c.lower.inline import START, inline
from argosy.frontends.c.lower.sharing import sharing
from argosy.logic.terms import Terms
from argosy.models.cfa import Assume, Cfa
from argosy.models.features import features_of
from argosy.models.kinds import Errors, Undefined
from argosy.models.return_points import calls_and_returns, live_return_points, return_points
from argosy.report.functions import graphs_by_function
from tests.fuzz.compiled import available
from tests.fuzz.stepwise import GENERATORS, campaign
from tests.test_examples import EXAMPLES, promised

from .running import read, run

needs_gcc = pytest.mark.skipif(not available("LP64"), reason="needs gcc for Linux on x86-64")


@pytest.fixture(autouse=True)
def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argosy.frontends.c.load.inline", partial(inline, small=0))


def copied(source: str, monkeypatch: pytest.MonkeyPatch) -> Cfa:
    with monkeypatch.context() as patch:
        patch.setattr("argosy.frontends.c.load.inline", inline)
        return read(source).cfa


PROGRAMS = {
    "nested": "int f(int a) { return 2 * a + 1; } int main(void) { r = f(f(f(1))) + f(2) * f(3); return 0; }",
    "layers": """int f(int a) { return a + 1; } int g(int a) { return f(a) * f(a + 1); }
        int h(int a) { return g(a) - g(a - 1) + f(a); } int main(void) { r = h(2) + h(3) + g(1); return 0; }""",
    "loops": """int f(int a) { int s = 0; while (a > 0) { s += a; a--; } return s; }
        int main(void) { for (int i = 0; i < 4; i++) r += f(i) + f(r % 5); return 0; }""",
    "static": "int f(void) { static int n = 3; return n++; } int main(void) { r = f(); r = r * 10 + f(); return 0; }",
    "pointers": """int f(int a) { return a + 1; } int g(int a) { return a - 1; } typedef int (*op)(int);
        int twice(op o, int a) { return o(o(a)); }
        int main(void) { r = twice(f, 5) * 10 + twice(g, 5); op o = r > 3 ? g : f; r += o(r); return 0; }""",
    "local": """void set(int *p, int v) { *p = v; } int f(int a) { int x; set(&x, a + 1); return x; }
        int main(void) { int y; set(&y, 4); r = f(2) * 10 + f(y); return 0; }""",
    "goto": """int f(int a) { again: if (a > 3) { a -= 3; goto again; } return a; }
        int main(void) { r = f(10); back: r = r * 10 + f(r); if (r < 100) goto back; return 0; }""",
    "exit": """void exit(int); void f(int a) { r += a; if (r > 6) exit(1); }
        int main(void) { f(1); f(2); f(4); f(8); f(16); return 0; }""",
    "small": "void f(void) { r++; } int main(void) { f(); r = 1; f(); r += 2; f(); return 0; }",
    "endless": """int f(int a) { if (a) for (;;) { r = 3; if (r) return 5; } return 1; }
        int main(void) { r = f(0); r += f(1); }""",
    "memory": """void *malloc(unsigned long); int *make(int v) { int *p = malloc(sizeof(int)); *p = v; return p; }
        int *pair(int v) { static int n; n++; return make(v + n); }
        int main(void) { int *a = pair(1), *b = pair(2), *c = make(7); r = *a * 100 + *b * 10 + *c; return 0; }""",
    "variadic": """int sum(int n, ...) { __builtin_va_list l; int s = 0; __builtin_va_start(l, n);
        while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
        int main(void) { r = sum(2, 1, 2) + sum(2, 3, 4) * 10; return 0; }""",
    "arguments": "int f(int a, int b) { return 3 * a + b; } int main(void) { r = f(f(1, 2), f(3, f(4, 5))); }",
    "structures": """struct s { int a, b; }; struct s swap(struct s x) { struct s y = { x.b, x.a }; return y; }
        int main(void) { struct s x = { 1, 2 }; x = swap(swap(swap(x))); r = x.a * 10 + x.b; return 0; }""",
    "beside recursion": """int add(int a, int b) { return a + b; }
        int f(int n) { return n > 99 ? f(n - 1) : add(n, 9); } int g(int n);
        int h(int n) { return n > 5 ? g(0) : add(n, 1); } int g(int n) { return n > 9 ? h(2) : add(n, 2); }
        int main(void) { r = add(f(3), f(0)); r = r * 10 + h(7); r = r * 10 + g(11); r = r * 10 + h(1); return 0; }""",
    "conditions": """int t(int a) { r = r * 10 + a; return a; }
        int main(void) { if (t(0) || t(1) && t(2)) t(3); r += t(4) ? t(5) : t(6); return 0; }""",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_shared_bodies_compute_what_copies_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"int r; {PROGRAMS[name]}"
    shared = run(source)
    assert return_points(read(source).cfa)
    with monkeypatch.context() as patch:
        patch.setattr("argosy.frontends.c.load.inline", inline)
        expected = run(source)
    assert shared["r"] == expected["r"] and shared.undefined == expected.undefined and not shared.error


def test_all_orders_of_evaluation_are_there() -> None:
    text = "int r, s; int f(int a) { s = s * 10 + a; return a; } int main(void) { r = f(1) + f(2); return s; }"
    found = {run(text, (choice,), evaluation_order="all")["s"] for choice in range(2)}
    assert found == {12, 21}


@needs_gcc
@pytest.mark.parametrize(("generator", "count"), [("arithmetic", 20), ("memory", 20), ("blocks", 12), ("floats", 6)])
def test_random_programs_with_shared_bodies_do_what_compiled_ones_do(generator: str, count: int) -> None:
    done = campaign(generator, range(70_000, 70_000 + count), ["LP64"])
    assert done.compared > count // 3 and not done.disagreements, done.disagreements[:1]
    texts = [GENERATORS[generator](70_000 + number).text for number in range(4)]
    assert any(return_points(read(text, data_model="LP64", volatile="plain").cfa) for text in texts)


def verify(text: str, folder: Path, **options: Any) -> argosy.Result:
    path = folder / "program.c"
    path.write_text(text)
    return argosy.verify(path, time_limit=30, in_process=True, **options)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_keep_their_verdicts(path: Path) -> None:
    result = argosy.verify(path, time_limit=30, in_process=True)
    if path.stem == "ackermann_bug":  # Deeper than one call; large programs are not read deeper with copies either.
        assert result.verdict == "unknown" and "more than 1 deep" in str(result.reason)
    else:
        assert (result.verdict, result.certified) == (promised(path), True), result.reason


def test_lifetimes_end_at_each_return(tmp_path: Path) -> None:
    text = """int *leak(int **q) { int x = 1; *q = &x; return 0; }
        int main(void) { int *p, *q; leak(&p); leak(&q); return %s; }"""
    for used, verdict in (("0", "safe"), ("*p", "unsafe"), ("*q", "unsafe")):
        result = verify(text % used, tmp_path, property="valid-deref")
        assert (result.verdict, result.certified) == (verdict, True), result.reason


def test_who_holds_memory_is_asked_of_copies() -> None:
    text = "int f(int a) { return a; } void *malloc(unsigned long); int main(void) { malloc(4); return f(1) + f(2); }"
    watched = Errors(operations=frozenset((Undefined.LEAK,)))
    assert not return_points(read(text, errors=watched).cfa)


# ---- what is shared -------------------------------------------------------------------------------------------------


def templates(calls: dict[str, list[str]], size: int) -> dict[str, Template]:
    nothing = Assume(Terms().true)
    made = {}
    for name, callees in calls.items():
        steps = [TemplateStep(n, n + 1, nothing) for n in range(3, size)]
        steps += [TemplateStep(0, 1, Call(callee)) for callee in callees]
        made[name] = Template(name, size + 1, 1, tuple(steps), {}, (), NOWHERE)
    return made


def test_what_saves_most_is_shared_and_no_more() -> None:
    calls = {START: ["a", "a", "once"], "a": ["b"] * 5, "b": ["c"], "c": [], "once": ["b"]}
    made = templates(calls, 50)
    assert not sharing(made, START, 10_000).bodies
    # c is called from one place of the text only.
    assert sharing(made, START, 500).bodies == {"b"}
    assert sharing(made, START, 0).bodies == {"a", "b"}


def test_cycles_are_shared_as_a_whole() -> None:
    calls = {START: ["f", "h", "h"], "f": ["g"], "g": ["f", "h"], "h": ["h"], "alone": []}
    found = sharing(templates(calls, 9), START, 10_000)
    assert found.bodies == {"f", "g", "h"} and found.cycles["f"] == found.cycles["g"] != found.cycles["h"]


def test_many_layers_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies would be 3**20 functions."""
    functions = "".join(
        f"int f{k}(int x) {{ return f{k - 1}(x) + f{k - 1}(x + 1) - f{k - 1}(2); }}" for k in range(1, 20)
    )
    text = f"int f0(int x) {{ return x; }} {functions} int main(void) {{ return f19(3); }}"
    assert len(copied(text, monkeypatch).edges) < 200_000


# ---- who reads the automaton ----------------------------------------------------------------------------------------

TWICE = "int r; void f(int a) { r += a; } int main(void) { f(1); r = r * 2; f(2); %s }"


def test_a_body_that_is_called_twice_is_no_loop() -> None:
    plain, looping = read(TWICE % "").cfa, read(TWICE % "while (r) f(3);").cfa
    assert plain.loop_heads and not features_of(plain).loops
    assert features_of(looping).loops


def test_return_points_are_live_in_their_bodies_only() -> None:
    cfa = read(TWICE % "").cfa
    assert {location.function for location in live_return_points(cfa)} == {"f"}
    calls, returns = calls_and_returns(cfa)
    assert len(calls) == len(returns) == 2 and all(len(behind) == 1 for behind in calls.values())


def test_each_function_has_one_graph() -> None:
    graphs = graphs_by_function(read(TWICE % "while (r) f(3);").cfa)
    names = [line.text for vertex in graphs["main"].graph.vertices for line in vertex.lines]
    assert set(graphs) == {"", "main", "f"} and names.count("f()") == 3


def test_return_points_are_said_to_nobody(tmp_path: Path) -> None:
    text = "void reach_error(void); " + TWICE % "if (r != 4) reach_error();"
    result = verify(text, tmp_path)
    assert result.verdict == "safe" and result.certified
    wrong = verify(text.replace("4", "5"), tmp_path)
    assert wrong.verdict == "unsafe" and wrong.certified
    assert not any("return point" in str(step) for step in wrong.counterexample or ())
