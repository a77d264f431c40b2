"""Detectors for mistakes in the product of values and predicates, in the choice of an explanation, in recursion."""

from __future__ import annotations

from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.literals import LiteralAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis
from argosy.engine.protocols import Refined
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.models.cfa import Reading
from argosy.refiners.pruning import AdaptivePruning
from tests.frontends.c.running import final, read
from tests.laws.laws import Laws
from tests.models.automata import Sketch
from tests.refiners.test_values import counting, tracked
from tests.strategies.test_product import test_what_is_known_of_a_variable_is_handed_on_by_relations as handed_on

from .domains import _predicates, sketches

__all__ = ["adaptive", "choice", "handed_on", "laws", "recursion", "too_deep"]


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
