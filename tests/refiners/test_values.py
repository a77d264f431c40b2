"""Refinement of explicit values: which impossible edge of a trace is explained, and what is computed again."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.domains.explicit import FEW, ExplicitAnalysis
from argosy.engine import engine
from argosy.engine.outcome import Safe
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Havoc, Reading
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch


def tracked(cfa: Cfa, **options: str) -> tuple[Safe, set[str]]:
    """The proof, and the variables that it tracks."""
    chosen = configure("explicit", options)
    outcome = engine.check(chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "bits")))
    assert isinstance(outcome, Safe)
    return outcome, {term.name for term in outcome.precision.terms()}


def counting(*conditions: str) -> Cfa:
    """A mode is set, a counter counts to 200, and then the conditions of the error are asked for, one after the other.
    All of them are false."""
    sketch = Sketch(5 + len(conditions), mode=bits(8), rounds=bits(8))
    sketch.assign(0, 1, sketch.mode, sketch.number(3, sketch.mode))
    sketch.assign(1, 2, sketch.rounds, sketch.number(0, sketch.rounds))
    sketch.branch(2, sketch.below(sketch.rounds, 200), 3, 4)
    sketch.assign(3, 2, sketch.rounds, sketch.plus(sketch.rounds, 1))
    for at, name in enumerate(conditions):
        sketch.assume(4 + at, 5 + at, sketch.is_(sketch.variables[name], 7))
    return sketch.cfa()


@pytest.mark.parametrize("conditions", [("mode",), ("rounds", "mode"), ("mode", "rounds")])
def test_loops_are_not_unrolled_where_something_else_is_impossible_too(conditions: tuple[str, ...]) -> None:
    """Leaving the loop is impossible in the first round, which is the first explanation and 200 rounds long."""
    proof, variables = tracked(counting(*conditions))
    assert variables == {"mode"}
    assert proof.reached.created < 20


def test_loops_are_unrolled_where_nothing_else_helps() -> None:
    proof, variables = tracked(counting("rounds"))
    assert variables == {"rounds"}
    assert proof.reached.created > 200


def test_counters_are_what_depends_on_itself() -> None:
    cfa = counting("mode")
    assert {v.name for v in ExplicitAnalysis(cfa, Reading.WRAP).counters} == {"rounds"}


def test_what_follows_an_impossible_edge_does_not_believe_it() -> None:
    """The trace takes ``a = 1`` for granted, which is false; then ``b = a`` is 2, so that ``b = 1`` is false as well,
    for the same reason."""
    sketch = Sketch(5, a=bits(4), b=bits(4))
    sketch.assign(0, 1, sketch.a, sketch.number(2, sketch.a))
    sketch.assume(1, 2, sketch.is_(sketch.a, 1))
    sketch.assign(2, 3, sketch.b, sketch.a)
    sketch.assume(3, 4, sketch.is_(sketch.b, 1))
    _, variables = tracked(sketch.cfa())
    assert variables == {"a", "b"}


@pytest.mark.parametrize(("limit", "expected"), [(FEW - 2, False), (FEW + 2, True)])
def test_many_values_are_a_sign_of_divergence(limit: int, expected: bool) -> None:
    """A counter counts to the limit, next to a number that nobody knows."""
    sketch = Sketch(6, i=bits(8), free=bits(8))
    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.step(1, 2, Havoc(sketch.free))
    sketch.branch(2, sketch.below(sketch.i, limit), 3, 4)
    sketch.assign(3, 1, sketch.i, sketch.plus(sketch.i, 1))
    sketch.assume(4, 5, sketch.is_(sketch.i, limit + 1))
    proof, _ = tracked(sketch.cfa())
    assert ExplicitAnalysis(sketch.cfa(), Reading.WRAP).diverges(node.state for node in proof.reached) is expected


def locks(number: int) -> str:
    """Each lock is taken and released under the same unknown condition, again and again."""
    each = range(number)
    return "\n".join(
        [
            "extern int __VERIFIER_nondet_int(void);",
            "extern void reach_error(void);",
            "int main(void) {",
            *(f"  int p{i}, l{i};" for i in each),
            "  while (__VERIFIER_nondet_int()) {",
            *(f"    p{i} = __VERIFIER_nondet_int(); l{i} = 0;" for i in each),
            *(f"    if (p{i} != 0) l{i} = 1;" for i in each),
            *(f"    if (p{i} != 0) {{ if (l{i} != 1) {{ reach_error(); }} l{i} = 0; }}" for i in each),
            "  }",
            "  return 0;",
            "}",
        ]
    )


def test_old_nodes_are_not_repaired_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "locks.c"
    path.write_text(locks(5))
    refinements = {}
    for prune in ("lazy", "full", "adaptive"):
        result = argosy.verify(path, "explicit", in_process=True, prune=prune)
        assert (result.verdict, result.certified) == ("safe", True)
        refinements[prune] = result.statistics["refinements"]
    assert refinements["full"] <= refinements["adaptive"] <= 2 * refinements["full"] < refinements["lazy"]
