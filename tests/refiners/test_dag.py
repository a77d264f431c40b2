"""DAG interpolation: one query explains every counterexample of the graph, coverings included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy import engine
from argosy.domains.blocks import BlockAnalysis
from argosy.domains.precision import Precision
from argosy.logic.interpolation import Horn, Interpolation
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Reading
from argosy.protocols import Silent, Strategy
from argosy.reached import Reached
from argosy.refiners.dag import PointGraph
from argosy.strategies import configure
from argosy.strategies.predicate import predicate
from argosy.strategies.setting import Setting
from argosy.verdict import Outcome, Safe, Unknown, Unsafe
from tests.models.automata import Sketch, automata, reachable
from tests.strategies.test_bounded import feasible
from tests.strategies.test_predicate import counting


class Counting(Silent):
    def __init__(self) -> None:
        self.refinements = 0

    def refined(self, reached: Reached, precision: Precision) -> None:
        reached.validate()
        self.refinements += 1


def strategy(cfa: Cfa, reading: Reading = Reading.WRAP, **options: str) -> Strategy[object, object, Precision]:
    arithmetic = "int" if any(v.term.sort is INT for v in cfa.variables) else "bits"
    _, filled = configure("lbe", {"interpolation": "spacer+newton", "relations": "off", "block": "sbe", **options})
    return predicate(Setting(cfa, Solvers(cfa.terms, Counters()), reading, arithmetic, filled))  # type: ignore[arg-type, return-value]


def run(cfa: Cfa, **options: str) -> tuple[Outcome, int]:
    """The outcome and the number of refinements."""
    observer = Counting()
    return engine.check(strategy(cfa, **options), observer), observer.refinements


def fan(ways: int) -> Cfa:
    """x := i on way i; each way has its own location and its own error x > 9."""
    sketch = Sketch(ways + 2, x=INT)
    terms, x = sketch.terms, sketch.x
    for way in range(1, ways + 1):
        sketch.assign(0, way, x, terms.integer(way))
        sketch.assume(way, ways + 1, terms.lt(terms.integer(9), x))
    return sketch.cfa()


def diamond(error_above: int) -> Cfa:
    """Two ways, x := 0 and x := 1, to one location; after it error if x > error_above."""
    sketch = Sketch(5, x=INT)
    terms, x = sketch.terms, sketch.x
    sketch.assign(0, 1, x, terms.integer(0))
    sketch.assign(0, 2, x, terms.integer(1))
    sketch.skip(1, 3)
    sketch.skip(2, 3)
    sketch.assume(3, 4, terms.lt(terms.integer(error_above), x))
    return sketch.cfa()


def graph_of(cfa: Cfa) -> tuple[PointGraph, BlockAnalysis]:
    """The graph of all targets when no predicate is tracked."""
    built = strategy(cfa, refinement="dag")
    reached = Reached(built.analysis.partition)
    targets = engine.explore(built.analysis, reached, built.frontier(), built.precision, 0, Silent())
    graph = PointGraph()
    for target in targets:
        graph.add_target(target)
    graph.add_coverings(reached)
    assert isinstance(built.analysis, BlockAnalysis)
    return graph, built.analysis


def test_all_counterexamples_are_excluded_at_once() -> None:
    assert run(fan(5), refinement="seq")[1] == 5
    outcome, refinements = run(fan(5), refinement="dag")
    assert isinstance(outcome, Safe)
    assert refinements == 1


def test_a_covered_point_goes_on_as_its_coverer() -> None:
    graph, _ = graph_of(diamond(5))
    ((coverer, covered),) = graph.joins.items()
    assert coverer.location.index == 3
    assert [point.location.index for point in covered] == [3]
    assert len(graph.points) == 6


def test_interpolants_hold_on_every_way_to_a_point() -> None:
    """Why the first way is impossible (x is 0) would not do for the second."""
    outcome, refinements = run(diamond(5), refinement="dag")
    assert isinstance(outcome, Safe)
    assert refinements == 1


def test_a_covering_that_closes_a_circle_is_left_out() -> None:
    assert graph_of(counting(3, 4))[0].joins == {}


def test_two_coverings_that_close_a_circle_together_are_not_both_added() -> None:
    """1 and 2 lead to one another: what each leads to is covered by the other."""
    sketch = Sketch(5, x=INT)
    terms, x = sketch.terms, sketch.x
    sketch.skip(0, 1)
    sketch.skip(0, 2)
    sketch.assign(1, 2, x, terms.integer(0))
    sketch.assign(2, 1, x, terms.integer(1))
    sketch.assume(1, 4, terms.lt(x, terms.integer(0)))
    sketch.assume(2, 4, terms.lt(x, terms.integer(0)))
    graph, analysis = graph_of(sketch.cfa())
    assert sum(map(len, graph.joins.values())) == 1
    graph.vocabulary(analysis.paths)  # which orders the points, and would not end in a circle


def test_the_vocabulary_is_what_both_sides_speak_about() -> None:
    sketch = Sketch(4, x=INT, y=INT, z=INT)
    terms, x, y, z = sketch.terms, sketch.x, sketch.y, sketch.z
    sketch.assign(0, 1, x, y)
    sketch.assign(1, 2, z, x)
    sketch.assume(2, 3, terms.lt(z, terms.integer(0)))
    graph, analysis = graph_of(sketch.cfa())
    vocabulary = graph.vocabulary(analysis.paths)
    assert {point.location.index: own for point, own in vocabulary.items() if own} == {1: {x}, 2: {z}}


def test_a_feasible_target_behind_an_infeasible_one_is_found() -> None:
    sketch = Sketch(4, x=INT)
    terms, x = sketch.terms, sketch.x
    sketch.assign(0, 1, x, terms.integer(1))
    sketch.assign(0, 2, x, terms.integer(2))
    sketch.assume(1, 3, terms.eq(x, terms.integer(2)))
    sketch.assume(2, 3, terms.eq(x, terms.integer(2)))
    outcome, refinements = run(sketch.cfa(), refinement="dag")
    assert isinstance(outcome, Unsafe)
    assert [edge.source.index for edge in outcome.trace] == [0, 2]
    assert refinements == 0


def silent_horn(self: Interpolation, horn: Horn, time_limit: float | None = None) -> list[Term] | None:
    return None


def test_without_an_answer_the_first_counterexample_is_explained_by_a_sequence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Interpolation, "horn", silent_horn)
    outcome, refinements = run(fan(3), refinement="dag")
    assert isinstance(outcome, Safe)
    assert refinements == 3


@pytest.mark.parametrize("prune", ["lazy", "full"])
@pytest.mark.parametrize("block", ["sbe", "lbe", "k=3"])
def test_counting(block: str, prune: str) -> None:
    assert isinstance(run(counting(3, 4), refinement="dag", block=block, prune=prune)[0], Safe)
    assert isinstance(run(counting(3, 3), refinement="dag", block=block, prune=prune)[0], Unsafe)


@pytest.mark.parametrize("block", ["sbe", "lbe"])
@given(
    cfa=automata(),
    reading=st.sampled_from(Reading),
    granularity=st.sampled_from(["local", "global"]),
    split=st.sampled_from(["atoms", "conjuncts", "whole"]),
)
@settings(max_examples=12, deadline=None)
def test_the_loop_agrees_with_brute_force(block: str, cfa: Cfa, reading: Reading, granularity: str, split: str) -> None:
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    options = {"refinement": "dag", "block": block, "granularity": granularity, "split": split}
    built = strategy(cfa, reading, interpolation="newton+newton-wp+bitwuzla", **options)
    match engine.check(built, Counting()):
        case Safe():
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown(reason):
            assert "no interpolants" in reason or "trivial" in reason
