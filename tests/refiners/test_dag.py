"""DAG interpolation: one query explains every counterexample of the graph, coverings included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.blocks import BlockAnalysis
from argosy.domains.precision import Precision
from argosy.engine import engine
from argosy.engine.outcome import Outcome, Safe, Unknown, Unsafe
from argosy.engine.protocols import Silent, Strategy
from argosy.engine.reached import Reached
from argosy.logic.interpolation import Horn, Interpolation
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Reading
from argosy.refiners.dag import PointGraph
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch, automata, reachable
from tests.strategies.test_bounded import feasible
from tests.strategies.test_predicate import counting


class Counting(Silent):
    def __init__(self) -> None:
        self.refinements = 0

    def refined(self, reached: Reached, precision: Precision) -> None:
        reached.validate()
        self.refinements += 1


def strategy(cfa: Cfa, reading: Reading = Reading.WRAP, **options: Any) -> Strategy[object, object, Precision]:
    arithmetic = "int" if any(v.term.sort is INT for v in cfa.variables) else "bits"
    chosen = configure(
        "lbe", {"interpolation": "spacer+newton", "relations": "off", "values": "off", "block": "sbe", **options}
    )
    return chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), reading, arithmetic))  # type: ignore[arg-type]


def run(cfa: Cfa, **options: Any) -> tuple[Outcome, int]:
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


def graph_of(cfa: Cfa, **options: Any) -> tuple[PointGraph, BlockAnalysis]:
    """The graph of all targets when no predicate is tracked."""
    built = strategy(cfa, refinement="dag", **options)
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
    """1 and 2 lead to one another: what the one leads to is covered by the other."""
    sketch = Sketch(6, x=INT)
    terms, x = sketch.terms, sketch.x
    for one, between, other in ((1, 3, 2), (2, 4, 1)):
        sketch.skip(0, one)
        sketch.assign(one, between, x, terms.integer(one))
        sketch.skip(between, other)
        sketch.assume(one, 5, terms.lt(x, terms.integer(0)))
    graph, analysis = graph_of(sketch.cfa(), search="bfs")
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


def test_a_feasible_target_between_infeasible_ones_is_found() -> None:
    sketch = Sketch(5, x=INT)
    terms, x = sketch.terms, sketch.x
    for way in (1, 2, 3):
        sketch.assign(0, way, x, terms.integer(way))
        sketch.assume(way, 4, terms.eq(x, terms.integer(2)))
    outcome, refinements = run(sketch.cfa(), refinement="dag")
    assert isinstance(outcome, Unsafe)
    assert [edge.source.index for edge in outcome.trace] == [0, 2]
    assert refinements == 0


Answer = Callable[[Cfa], Term | None]


@pytest.mark.parametrize(
    ("answer", "more"),
    [
        (lambda cfa: None, 0),
        (lambda cfa: cfa.terms.true, 0),
        (lambda cfa: cfa.terms.lt(cfa.variables[0].term, cfa.terms.integer(1000)), 4),
    ],
    ids=["no answer", "nothing", "no reason"],
)
def test_what_excludes_nothing_leaves_it_to_a_sequence(
    answer: Answer, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A useless predicate is tracked, and states are computed again with it once for each graph of targets."""
    cfa = fan(3)
    formula = answer(cfa)

    def horn(self: Interpolation, query: Horn, time_limit: float | None = None) -> list[Term] | None:
        return None if formula is None else [formula] * len(query.relations)

    monkeypatch.setattr(Interpolation, "horn", horn)
    outcome, refinements = run(cfa, refinement="dag")
    assert isinstance(outcome, Safe)
    assert refinements == 3 + more


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
