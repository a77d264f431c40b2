"""Functions that call themselves: each call has variables of its own, and what is too deep is not overlooked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argosy
from argosy.frontends.c.lower import inline
from argosy.models.cfa import read as operands
from argosy.models.cfa import within_bounds

from .running import execute, final, read, run, subject


@pytest.mark.parametrize(
    ("functions", "call", "expected"),
    [
        ("int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }", "f(10)", 3_628_800),
        ("int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }", "f(7)", 13),
        ("int f(int n) { int a; if (n < 2) return n; a = f(n - 2); return f(n - 1) + a; }", "f(7)", 13),
        ("int f(int a, int b) { if (b == 0) return a; return f(b, a % b); }", "f(84, 36)", 12),
        ("int f(int a, int b, int c) { if (!a) return b * 10 + c; return f(a - 1, c, b); }", "f(3, 1, 2)", 21),
        ("int f(int x) { if (x == 0) return 0; return f(f(x - 1)); }", "f(4)", 0),
        ("int f(int n) { int k = n; if (n) f(n - 1); return k * 10 + n; }", "f(5)", 55),
        ("int f(int n) { int s = 0, i; for (i = 0; i < n; i++) s += f(i) + 1; return s; }", "f(4)", 15),
        ("int f(int n) { static int calls; calls++; if (n) f(n - 1); return calls; }", "f(6)", 7),
        ("int n0; void g(int n) { n0 += n; if (n) g(n - 1); } int f(int n) { g(n); g(1); return n0; }", "f(4)", 11),
        ("int odd(int n); int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n - 1) : 0; }"
         " int f(int n) { return even(n) * 10 + odd(n); }", "f(9)", 1),
        ("int b(int); int a(int n) { int m = n * n; if (n) b(n - 1); return m; }"
         " int b(int n) { int m = n + 7; if (n) a(n - 1); return m; } int f(int n) { return a(n) * 100 + b(n); }",
         "f(6)", 3_613),
        ("int f(unsigned char n) { if (n > 250) return n; return f(n + 1); }", "f(300)", 251),
        ("int f(int n) { return n > 0 && f(n - 1) == n - 1 ? n : 0; }", "f(6)", 6),
    ],
)  # fmt: skip
def test_each_call_has_variables_of_its_own(functions: str, call: str, expected: int) -> None:
    assert final(f"r = {call};", functions + " int r;")["r"] == expected


def test_calls_end_at_a_bound_that_keeps_the_automaton_small() -> None:
    once = read("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }").cfa
    twice = read("int f(int n) { return n ? f(n - 1) + f(n - 2) : 0; } int main(void) { return f(3); }").cfa
    few = read("int f(int n) { return n ? f(n - 1) + f(n - 2) : 0; } int main(void) { return f(3); }", deepest=25).cfa
    # From 25 on, what is called twice has a body for each level; up to there the copies double.
    for cfa, depth in ((once, 1_100), (few, 10), (twice, 200)):
        assert len(cfa.edges) <= inline.COPIED
        (refusal,) = cfa.opaque.values()
        assert (refusal.position.line, subject(refusal)) == (1, f"recursive call of f, more than {depth} deep")
        assert refusal.bound
        assert len(within_bounds(cfa).edges) < len(cfa.edges)


def test_execution_ends_beyond_the_bound() -> None:
    """Nothing is claimed about what happens there: an opaque value decides about the error."""
    source = "int f(int n) { return n ? f(n + 1) : 0; } int main(void) { return f(1); }"
    assert any(edge.target is cfa.error for cfa in [read(source).cfa] for edge in cfa.edges)
    assert not run(source).error


def test_an_address_of_what_belongs_to_a_call_allows_for_one_call() -> None:
    source = "int f(int n) {\n int x = n; int *p = &x;\n return n ? f(n - 1) + *p : 0; }\nint main(void) { f(2); }"
    cfa = read(source).cfa
    (refusal,) = (r for r in cfa.opaque.values() if r.bound)
    assert subject(refusal) == "recursive call of f, which takes the address of x" and refusal.position.line == 3
    assert len(cfa.edges) < 30


def test_more_calls_may_be_asked_for() -> None:
    source = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(argc); }".replace("void", "int argc")
    shallow = read(source, deepest=25)
    assert shallow.deeper and not read(source).deeper
    assert len(shallow.cfa.edges) < len(read(source).cfa.edges)
    assert not read("int main(void) { return 0; }", deepest=25).deeper


COUNT = """extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned int count(unsigned int n) {
  if (n == 0) return 0;
  return count(n - 1) + 1;
}
int main(void) {
  unsigned int n = START;
  if (count(n) CONDITION) reach_error();
  return 0;
}
"""
ANY = "__VERIFIER_nondet_uint()"


@pytest.mark.parametrize("strategy", ["auto", "lbe", "explicit", "bmc"])
@pytest.mark.parametrize(("start", "verdict"), [("12", "safe"), ("13", "unsafe")])
def test_constants_bound_the_depth(tmp_path: Path, strategy: str, start: str, verdict: str) -> None:
    path = tmp_path / "count.c"
    path.write_text(COUNT.replace("START", start).replace("CONDITION", "!= 12"))
    result = argosy.verify(path, strategy, in_process=True, time_limit=120)
    assert (result.verdict, result.certified) == (verdict, True)


def test_an_error_before_the_bound_is_one(tmp_path: Path) -> None:
    path = tmp_path / "count.c"
    path.write_text(COUNT.replace("START", ANY).replace("CONDITION", "== 9"))
    result = argosy.verify(path, in_process=True, time_limit=120)
    assert (result.verdict, result.certified) == ("unsafe", True)


def test_integers_do_not_say_that_there_is_no_error_before_the_bound(tmp_path: Path) -> None:
    """The sum wraps around, which integers do not. The calls of ``deep`` are what lies beyond the bound."""
    path = tmp_path / "wraps.c"
    path.write_text("""extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int deep(int n) { return n ? deep(n - 1) + deep(n - 2) + deep(n - 3) : 0; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 2147483000 && x + 1000 < 0) reach_error();
  if (deep(x)) reach_error();
  return 0;
}
""")
    result = argosy.verify(path, "lbe", in_process=True, time_limit=240, signed_overflow="wrap")
    assert (result.verdict, result.certified) == ("unsafe", True)


@pytest.mark.parametrize(("value", "verdict"), [(89, "unsafe"), (90, "safe")])
def test_two_calls_go_deeper_than_their_copies(tmp_path: Path, value: int, verdict: str) -> None:
    path = tmp_path / "twins.c"
    body = "{ return n < 2 ? n : %s(n - 1) + %s(n - 2); }"
    path.write_text(f"""extern void reach_error(void); int g(int n); int f(int n) {body % ("g", "g")}
int g(int n) {body % ("f", "f")}
int main(void) {{ if (f(11) == {value}) reach_error(); return 0; }}
""")
    result = argosy.verify(path, "explicit-all", in_process=True, time_limit=120)
    assert (result.verdict, result.certified) == (verdict, True)


def test_no_error_before_the_bound_is_no_proof(tmp_path: Path) -> None:
    """There is an error beyond it."""
    path = tmp_path / "count.c"
    path.write_text(COUNT.replace("START", ANY).replace("CONDITION", "== 5000"))
    result = argosy.verify(path, "bmc", in_process=True, time_limit=120)
    assert result.verdict == "unknown"
    assert "count.c:5:10: recursive call of count, more than 1100 deep" in (result.reason or "")


ATOMS = st.sampled_from(["n", "a", "b", "k", "g", "1", "7"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.tuples(inner, st.sampled_from("+-*^&|"), inner).map(lambda p: f"({' '.join(p)})"),
    max_leaves=4,
)
MASK = 0xFFFF_FFFF


@given(
    st.lists(EXPRESSIONS, min_size=9, max_size=9),
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from((1_500, 100)),
)
@settings(max_examples=60, deadline=None)
def test_random_functions_compute_what_python_does(
    parts: list[str], n: int, second: bool, mutual: bool, copied: int
) -> None:
    """Two calls whose results and arguments depend on everything that is around, one of them perhaps of a twin. Where
    there are few copies there is a body for each level."""
    base, local, a1, b1, write, a2, b2, a3, result = parts
    twin = "h" if mutual else "f"
    body = f"""unsigned k = {local.replace("k", "3")}, x, y = 0;
      if (n == 0) return {base};
      x = {twin}(n - 1, {a1}, {b1});
      g = {write};
      {f"y = f(n - 1, {a2}, {b2}) + f(0, {a3}, k);" if second else ""}
      return ({result}) + x * 3 + y * 5 + k;"""
    heads = [f"unsigned {name}(unsigned n, unsigned a, unsigned b)" for name in ("f", "h")]
    functions = "unsigned g = 2, r; " + "; ".join(heads) + ";" + "".join(f"{head} {{ {body} }}\n" for head in heads)
    state = {"g": 2}

    def value(expression: str, **names: int) -> int:
        return int(eval(expression, {**names, **state})) & MASK

    def f(n: int, a: int, b: int) -> int:
        k = value(local.replace("k", "3"), n=n, a=a, b=b)
        own = {"n": n, "a": a, "b": b, "k": k}
        if n == 0:
            return value(base, **own)
        x, y = f(n - 1, value(a1, **own), value(b1, **own)), 0
        state["g"] = value(write, **own)
        if second:
            first = f(n - 1, value(a2, **own), value(b2, **own))
            y = first + f(0, value(a3, **own), k) & MASK
        return (value(result, **own) + x * 3 + y * 5 + k) & MASK

    expected = f(n, 5, 11)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inline, "COPIED", copied)
        cfa = read(f"{functions} int main(void) {{ r = f({n}, 5, 11); }}").cfa
    outcome = execute(cfa)
    ways = cfa.leaving[outcome.trace[-1].target]
    assert all(cfa.opaque.keys().isdisjoint(operands(edge.operation)) for edge in ways), "not deep enough"
    assert (outcome["r"], outcome["g"]) == (expected, state["g"])
    assert copied > 100 or n < 2 or not second or any(v.is_return_point for v in cfa.variables)
