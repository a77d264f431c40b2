"""Detectors for mistakes in the product of values and predicates, in the choice of an explanation, in recursion."""

from __future__ import annotations

import itertools
from functools import partial

import pytest

from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.literals import LiteralAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis, ProductState
from argosy.engine.protocols import Refined
from argosy.frontends.c.lower.inline import inline
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Reading
from argosy.refiners.pruning import AdaptivePruning
from tests.frontends.c.running import execute, final, read
from tests.laws.laws import Laws
from tests.models.automata import Sketch
from tests.refiners.test_values import counting, tracked
from tests.strategies.test_product import literals_of
from tests.strategies.test_product import test_what_is_known_of_a_variable_is_handed_on_by_relations as handed_on

from .domains import _predicates, sketches

__all__ = [
    "adaptive", "choice", "guarding", "handed_on", "laws", "leveling", "pairs", "recursion", "sharing", "told",
    "too_deep",
]  # fmt: skip


def laws() -> None:
    """Under predicates alone, and together with all variables."""
    for cfa in sketches():
        for more in ((), tuple(v.term for v in cfa.variables)):
            paths = Paths(cfa.terms, Reading.WRAP)
            solver = Solvers(cfa.terms, Counters()).create("abstraction", "bits")
            abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), "cartesian")
            analysis = ProductAnalysis(
                ExplicitAnalysis(cfa, Reading.WRAP), LiteralAnalysis(cfa, Reading.WRAP, paths, abstraction)
            )
            precision = Precision("global").join([(cfa.initial, [*_predicates(cfa), *more])])
            Laws(cfa, analysis, precision, Reading.WRAP).check()


def told() -> None:
    """What values know decides predicates: after y = x + 1, whether y is below 3 hangs on x, which values alone track,
    and which is 1 or 2."""
    sketch = Sketch(5, x=bits(4), y=bits(4))
    for value in (1, 2):
        sketch.assign(0, 1, sketch.x, sketch.number(value, sketch.x))
    sketch.assign(1, 2, sketch.y, sketch.plus(sketch.x, 1))
    small = sketch.below(sketch.y, 3)
    sketch.assume(2, 4, small)
    cfa = sketch.cfa()
    analysis = ProductAnalysis(ExplicitAnalysis(cfa, Reading.WRAP), literals_of(cfa))
    precision = Precision("local").join([(sketch.locations[1], [sketch.x]), (sketch.locations[2], [small])])
    (start,) = analysis.initial(precision)
    claims = [
        analysis.other.claim(after.other)[1]
        for _, state in analysis.successors(start, precision)
        for _, after in analysis.successors(state, precision)
    ]
    assert claims == [small, cfa.terms.not_(small)]


def pairs() -> None:
    """A pair covers what both of its components cover."""
    cfa = sketches()[1]
    analysis = ProductAnalysis(ExplicitAnalysis(cfa, Reading.WRAP), literals_of(cfa))
    (state,) = analysis.initial(Precision("global"))
    know_more = state.one._replace(values=(1, *state.one.values[1:])), state.other._replace(truths=(True, None))
    unknown = state.one, state.other._replace(truths=(None, None))
    states = [ProductState(one, other) for one in (know_more[0], unknown[0]) for other in (know_more[1], unknown[1])]
    for old, new in itertools.product(states, repeat=2):
        both = analysis.one.covers(old.one, new.one) and analysis.other.covers(old.other, new.other)
        assert analysis.covers(old, new) == both


def choice() -> None:
    """Loops are not unrolled where something else is impossible too."""
    for conditions in (("mode",), ("rounds", "mode"), ("mode", "rounds")):
        proof, variables = tracked(counting(*conditions))
        assert variables == {"mode"} and proof.reached.created < 20


def adaptive() -> None:
    """Everything is computed again exactly if nothing new is tracked."""
    old = Precision("global")
    sketch = Sketch(1)
    new = old.join([(sketch.locations[0], [sketch.terms.true])])

    class Fixed:
        def __init__(self, precision: Precision) -> None:
            self._precision = precision

        def refine(self, *_: object) -> Refined[Precision]:
            return Refined(self._precision, ("pivot",))  # type: ignore[arg-type]

    for precision, pivots in ((new, ("pivot",)), (old, ())):
        answer = AdaptivePruning(Fixed(precision)).refine(None, (), old)  # type: ignore[arg-type]
        assert answer == Refined(precision, pivots)  # type: ignore[arg-type]


def recursion() -> None:
    swap = "int r; int f(int a, int b, int c) { if (!a) return b * 10 + c; return f(a - 1, c, b); }"
    assert final("r = f(3, 1, 2);", swap)["r"] == 21
    keeps = "int r; int f(int n) { int k = n; if (n) f(n - 1); return k * 10 + n; }"
    assert final("r = f(3);", keeps)["r"] == 33
    static = "int r; int f(int n) { static int calls; calls++; if (n) f(n - 1); return calls; }"
    assert final("r = f(4);", static)["r"] == 5


def too_deep() -> None:
    cfa = read("int f(int n) { return n ? f(n - 1) + f(n - 2) : 0; } int main(void) { return f(3); }").cfa
    assert [refusal.bound for refusal in cfa.opaque.values()] == [True]
    assert cfa.entering[cfa.error]


def _read(source: str) -> Cfa:
    """With bodies that are shared wherever they can be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("argosy.frontends.c.load.inline", partial(inline, small=0))
        patch.setattr("argosy.frontends.c.lower.inline.LEVELED", 0)
        return read(source).cfa


def leveling() -> None:
    """A body for each number of active calls: two calls of one level come back to where they were made, with what was
    saved there."""
    text = """unsigned r; unsigned h(unsigned, unsigned);
        unsigned f(unsigned n, unsigned a) { unsigned k = a * 3 + n, x; if (n == 0) return a + 1;
          x = h(n - 1, a + 1); return x * 5 + f(n - 1, k) * 2 + k; }
        unsigned h(unsigned n, unsigned a) { if (n == 0) return a; return f(n - 1, a) + h(n - 1, a * 2) + n; }
        int main(void) { r = f(4, 2); return 0; }"""

    def f(n: int, a: int) -> int:
        k = a * 3 + n
        return a + 1 if n == 0 else h(n - 1, a + 1) * 5 + f(n - 1, k) * 2 + k

    def h(n: int, a: int) -> int:
        return a if n == 0 else f(n - 1, a) + h(n - 1, a * 2) + n

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("argosy.frontends.c.lower.inline.COPIED", 100)
        cfa = read(text).cfa
    assert any(variable.is_return_point for variable in cfa.variables)
    assert execute(cfa).values["r"] == f(4, 2)


def _shared(source: str) -> dict[str, int]:
    return execute(_read(source)).values


def sharing() -> None:
    """Where control comes back to is another place for each call."""
    text = "int r; int f(int a) { return a + 1; } int main(void) { int x = f(1); r = x * 10; r += f(f(x)); return 0; }"
    assert _shared(text)["r"] == 24


def guarding() -> None:
    """A function that calls another one back when it is no longer active, one that calls itself, and both again."""
    text = """int r; int g(int);
        int f(int a) { return a > 5 ? g(a - 5) : a; } int g(int a) { return a > 9 ? f(a) : a + 1; }
        int main(void) { r = f(3); r = r * 10 + f(7); r = r * 10 + g(2); r = r * 10 + f(6); return 0; }"""
    assert _shared(text)["r"] == 3332
    # A deeper call does not come back, whatever is known of it; that it may reach the error is said.
    recursive = "int r; int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { r = 7 + f(0); r = f(3); }"
    cfa = _read(recursive)
    assert execute(cfa)["r"] == 7
    assert [refusal.bound for refusal in cfa.opaque.values()] == [True] and cfa.entering[cfa.error]
