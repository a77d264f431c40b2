"""The distinguishing examples of [Theta], Figures 4 to 8."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argosy
from argosy.engine import engine
from argosy.engine.outcome import Outcome, Safe, Unknown
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.sorts import INT, bits
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa, Havoc, Location, Reading
from argosy.refiners.checkers import ByPruneIndex, Refutation
from argosy.refiners.counterexample import Counterexample
from argosy.refiners.refinement import lazily, minimal_set
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch

PROGRAMS = Path(__file__).parent / "programs"


@dataclass
class Count:
    """Counts what the loop does."""

    created: int = 0
    refinements: int = 0

    def expanded(self, node: Node, reached: Reached) -> None:
        self.created = reached.created

    def refined(self, reached: Reached, precision: Any) -> None:
        self.refinements += 1


def run(cfa: Cfa, name: str, arithmetic: SortKind = "bits", **options: str) -> tuple[Outcome, Count]:
    chosen = configure(name, {key.replace("_", "-"): value for key, value in options.items()})
    strategy = chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, arithmetic))
    count = Count()
    return engine.check(strategy, count), count


# ---- Figure 4: explicit values and enumeration ------------------------------------------------------------------


def figure_4(left: bool) -> Cfa:
    """x := nondet; [0 < x and x < 5] (left) or [x != 0] (right); error if x = 0."""
    sketch = Sketch(4, x=bits(32))
    terms, x = sketch.terms, sketch.x
    sketch.step(0, 1, Havoc(x))
    zero = sketch.number(0, x)
    small = terms.and_(terms.bit("bvslt", zero, x), terms.bit("bvslt", x, sketch.number(5, x)))
    sketch.assume(1, 2, small if left else terms.ne(x, zero))
    sketch.assume(2, 3, sketch.is_(x, 0))
    return sketch.cfa()


@pytest.mark.parametrize(("limit", "proved"), [("1*", False), ("1", False), ("3", False), ("4", True), ("0", True)])
def test_figure_4_left_is_proved_with_four_values(limit: str, proved: bool) -> None:
    outcome, _ = run(figure_4(left=True), "theta-expl-seq", max_enum=limit)
    if proved:
        assert isinstance(outcome, Safe)
        # One node for each of the values after the assumption; the solver sees that none of them is 0.
        assert len([n for n in outcome.reached if n.state.location.index == 2]) == 4
    else:
        assert isinstance(outcome, Unknown) and "cannot express" in outcome.reason


@pytest.mark.parametrize("limit", ["1*", "1", "4", "50", "0"])
def test_figure_4_right_is_not_enumerated(limit: str) -> None:
    outcome, count = run(figure_4(left=False), "theta-expl-seq", max_enum=limit)
    assert count.created < 20
    # Where x is not 0 is remembered, without a value (which the paper's domain cannot do).
    assert isinstance(outcome, Safe)


@pytest.mark.parametrize(("limit", "verdict"), [("1*", "unknown"), ("4", "safe")])
def test_figure_4_left_from_the_outside(limit: str, verdict: str) -> None:
    path = PROGRAMS / "few_values_safe.c"
    result = argosy.verify(path, domain="expl", max_enum=limit, in_process=True)
    assert (result.verdict, result.certified) == (verdict, verdict == "safe")


def test_the_limit_counts_combinations() -> None:
    """{(1, 5), (1, 6), (2, 6)} are three assignments, though x and y have two values each (section 3.1.1)."""
    sketch = Sketch(4, x=bits(4), y=bits(4))
    terms, x, y = sketch.terms, sketch.x, sketch.y
    pairs = [terms.and_(sketch.is_(x, a), sketch.is_(y, b)) for a, b in ((1, 5), (1, 6), (2, 6))]
    sketch.assume(0, 1, terms.disjunction(pairs))
    sketch.assume(1, 2, terms.and_(sketch.is_(x, 2), sketch.is_(y, 5)))
    cfa = sketch.cfa(error=2)
    verdicts = {k: type(run(cfa, "theta-expl-seq", max_enum=k)[0]) for k in ("1*", "2", "3", "0")}
    assert verdicts == {"1*": Unknown, "2": Unknown, "3": Safe, "0": Safe}


def test_a_nondeterministic_value_is_top_and_not_unknown() -> None:
    """Without a limit, an unknown value of 32 bits would be enumerated for ever."""
    sketch = Sketch(4, x=bits(32), y=bits(32))
    sketch.step(0, 1, Havoc(sketch.x))
    sketch.assign(1, 2, sketch.y, sketch.number(1, sketch.y))
    sketch.assume(2, 3, sketch.terms.and_(sketch.is_(sketch.y, 0), sketch.is_(sketch.x, 3)))
    outcome, count = run(sketch.cfa(), "theta-expl-seq", max_enum="0", initial_precision="all-variables")
    assert isinstance(outcome, Safe) and count.created < 6


# ---- Figure 5: search orders -------------------------------------------------------------------------------------


def figure_5a(diamonds: int) -> Cfa:
    """Diamonds in a row; each branch is remembered in the bits of x, so that no two paths meet."""
    sketch = Sketch(3 * diamonds + 2, x=bits(16))
    terms, x = sketch.terms, sketch.x
    for i in range(diamonds):
        top, left, right, join = (3 * i + k for k in range(4))
        sketch.skip(top, left)
        sketch.skip(top, right)
        for branch, value in ((left, 0), (right, 1)):
            doubled = terms.bit("bvadd", x, x)
            sketch.assign(branch, join, x, terms.bit("bvadd", doubled, sketch.number(value, x)))
    sketch.skip(3 * diamonds, 3 * diamonds + 1)
    return with_start(sketch)


def with_start(sketch: Sketch) -> Cfa:
    """x is 0 at the initial location of the sketch."""
    start = Location(len(sketch.locations))
    sketch.locations.insert(0, start)
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    return sketch.cfa()


def test_figure_5a_separates_breadth_first_from_the_rest() -> None:
    created = {
        search: run(figure_5a(8), "theta-expl-seq", search=search, initial_precision="all-variables")[1].created
        for search in ("bfs", "1,0", "dfs", "-1,0", "err", "dfs-err", "err-dfs")
    }
    assert max(created[search] for search in ("dfs", "-1,0", "err", "dfs-err")) < 5 * 8 + 4
    # With more weight on the depth than on the distance it is breadth-first again.
    assert min(created[search] for search in ("bfs", "1,0", "err-dfs")) > 2**8


def figure_5b(rounds: int) -> Cfa:
    """0 -> 1 -> (2 -> 1 | 6 -> 8), where 1 -> 6 is impossible, or 0 -> 3 -> 4 -> 5 -> 7 -> 8: the loop is near the
    error, the way there is long."""
    sketch = Sketch(9, x=bits(16))
    x = sketch.x
    for start, end in ((0, 3), (3, 4), (4, 5), (5, 7), (7, 8), (0, 1)):
        sketch.skip(start, end)
    sketch.assume(1, 6, sketch.is_(x, rounds + 1))
    sketch.skip(6, 8)
    sketch.assume(1, 2, sketch.below(x, rounds))
    sketch.assign(2, 1, x, sketch.plus(x, 1))
    return with_start(sketch)


def test_figure_5b_separates_what_looks_at_the_depth_from_the_rest() -> None:
    created = {
        search: run(figure_5b(200), "theta-expl-seq", search=search, initial_precision="all-variables")[1].created
        for search in ("bfs", "dfs", "err", "dfs-err", "err-dfs", "-1,0", "0,1", "1,1")
    }
    assert min(created[search] for search in ("dfs", "-1,0", "err", "0,1")) > 2 * 200
    assert max(created[search] for search in ("bfs", "dfs-err", "err-dfs", "1,1")) < 40


# ---- Figure 6: forward and backward interpolation ----------------------------------------------------------------


def figure_6(between: int = 2) -> Cfa:
    """x := 0, two operations that have nothing to do with it, [x > 5]: five states."""
    sketch = Sketch(between + 3, x=INT, y=INT)
    terms = sketch.terms
    sketch.assign(0, 1, sketch.x, terms.integer(0))
    for i in range(1, between + 1):
        sketch.assign(i, i + 1, sketch.y, terms.integer(i))
    sketch.assume(between + 1, between + 2, terms.lt(terms.integer(5), sketch.x))
    return sketch.cfa()


@pytest.mark.parametrize("domain", ["pred-split", "pred-bool", "pred-cart"])
@pytest.mark.parametrize(("refinement", "refinements"), [("fw-bin", 3), ("bw-bin", 1), ("seq", 1), ("min-prune", 1)])
def test_figure_6(domain: str, refinement: str, refinements: int) -> None:
    outcome, count = run(figure_6(), "theta-pred-seq", "int", domain=domain, refinement=refinement, split="whole")
    assert isinstance(outcome, Safe)
    assert count.refinements == refinements


@pytest.mark.parametrize("domain", ["pred-split", "pred-bool"])
def test_figure_6_goes_back_one_state_at_a_time(domain: str) -> None:
    options = {"domain": domain, "refinement": "fw-bin", "split": "whole"}
    outcome, count = run(figure_6(between=6), "theta-pred-seq", "int", **options)
    assert isinstance(outcome, Safe)
    assert count.refinements == 7


def test_figure_6_explicit_values_walk_back_as_well() -> None:
    for refinement, refinements in (("fw-bin", 3), ("bw-bin", 1)):
        assert run(figure_6(), "theta-expl-seq", "int", refinement=refinement)[1].refinements == refinements


# ---- Figure 7: the minimal set ------------------------------------------------------------------------------------


class Tree:
    """A reachability tree by hand, and refutations that end in its leaves."""

    def __init__(self) -> None:
        self.reached = Reached(lambda state: state)
        self.root = self.reached.add("root")
        self.fact = Terms().true

    def below(self, parent: Node, name: str) -> Node:
        return self.reached.add(name, (parent, name))

    def refutation(self, target: Node, pivot: Node) -> Refutation:
        nodes = tuple(target.ancestry())
        facts = tuple((self.fact,) if node is pivot else () for node in nodes)
        return Refutation(Counterexample(nodes, (), (), None, None, None), facts)  # type: ignore[arg-type]


def test_figure_7() -> None:
    """s_r2 is a proper ancestor of s_r1 and s_r3 one of s_r4: the minimal set is the second and the third."""
    tree = Tree()
    two = tree.below(tree.root, "s_r2")
    one = tree.below(two, "s_r1")
    three = tree.below(tree.root, "s_r3")
    four = tree.below(three, "s_r4")
    targets = [tree.below(one, "e1"), tree.below(two, "e2"), tree.below(three, "e3"), tree.below(four, "e4")]
    pivots = [one, two, three, four]
    refutations = [tree.refutation(target, pivot) for target, pivot in zip(targets, pivots, strict=True)]
    kept = minimal_set(refutations)
    assert kept == [refutations[1], refutations[2]]
    assert lazily(kept) == (two, three)


def test_counterexamples_with_the_same_first_refined_node_are_both_kept() -> None:
    tree = Tree()
    shared = tree.below(tree.root, "shared")
    targets = [tree.below(shared, "e1"), tree.below(shared, "e2")]
    refutations = [tree.refutation(target, shared) for target in targets]
    assert minimal_set(refutations) == refutations
    assert lazily(refutations) == (shared,)


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_minimal_sets_agree_with_brute_force(data: st.DataObject) -> None:
    """The smallest set of pivots below which all others lie, out of all subsets, and the counterexamples with them."""
    tree = Tree()
    nodes = [tree.root]
    for i in range(data.draw(st.integers(1, 12))):
        nodes.append(tree.below(nodes[data.draw(st.integers(0, len(nodes) - 1))], f"n{i}"))
    refutations = []
    for i in range(data.draw(st.integers(1, 6))):
        last = nodes[data.draw(st.integers(0, len(nodes) - 1))]
        way = last.ancestry()
        pivot = way[data.draw(st.integers(0, len(way) - 1))]
        refutations.append(tree.refutation(tree.below(last, f"e{i}"), pivot))
    pivots = list(dict.fromkeys(r.counterexample.nodes[r.pivot] for r in refutations))
    smallest = next(
        set(chosen)
        for size in range(1, len(pivots) + 1)
        for chosen in combinations(pivots, size)
        if all(any(above is other for above in pivot.ancestry() for other in chosen) for pivot in pivots)
    )
    expected = [r for r in refutations if r.counterexample.nodes[r.pivot] in smallest]
    assert minimal_set(refutations) == expected


# ---- Figure 8: the prune index ------------------------------------------------------------------------------------


class Always:
    """A checker that puts its fact at one index."""

    def __init__(self, index: int) -> None:
        self.index = index

    def refute(self, counterexample: Counterexample) -> Refutation:
        fact = Terms().true
        return Refutation(counterexample, tuple((fact,) if i == self.index else () for i in range(6)))


@pytest.mark.parametrize("forward_and_backward", [(4, 2), (2, 4)])
def test_figure_8(forward_and_backward: tuple[int, int]) -> None:
    checkers = tuple(map(Always, forward_and_backward))
    counterexample = Counterexample((), (), (), None, None, None)  # type: ignore[arg-type]
    for choose, index in ((min, 2), (max, 4)):
        answer = ByPruneIndex(checkers, choose).refute(counterexample)
        assert isinstance(answer, Refutation) and answer.pivot == index
