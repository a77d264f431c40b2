"""Contraction drops edges that do nothing and keeps those that do something."""

from __future__ import annotations

from argosy.logic.sorts import bits
from argosy.models.cfa import Havoc, Reading, Relation, Undefined, written
from argosy.models.reduce import Reduced, reduce
from tests.models.automata import Sketch, check, has_error, shape


def test_a_loop_of_real_operations_keeps_a_location() -> None:
    s = Sketch(5, x=bits(4))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.assign(1, 2, s.x, s.plus(s.x, 2))
    s.skip(2, 3)
    s.skip(3, 1)
    s.assume(1, 4, s.is_(s.x, 9))
    reduced = reduce(s.cfa())
    assert shape(reduced.cfa) == {(0, 1), (1, 1), (1, 4)}
    assert has_error(reduced.cfa, s.cfa(), Reading.WRAP)


def test_edges_that_come_to_coincide_are_one() -> None:
    s = Sketch(5, x=bits(8), y=bits(8))
    for side in (1, 2):
        s.skip(0, side)
        s.assign(side, 3, s.y, s.number(side, s.y))
    s.skip(3, 0)
    s.assume(3, 4, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    (edge,) = reduced.cfa.edges
    assert [e.target.index for e in edge.trail] == [1, 3, 4]


def test_edges_that_differ_in_their_checks_do_not_coincide() -> None:
    s = Sketch(3, x=bits(8), y=bits(8))
    s.assign(0, 1, s.x, s.y, check(s.is_(s.y, 1), Undefined.DIVISION))
    s.assign(0, 1, s.x, s.y)
    s.assume(1, 2, s.is_(s.x, 3))
    assert reduce(s.cfa()).summary["edges_after"] == 3


def test_values_that_are_forgotten_one_after_the_other_are_forgotten_at_once() -> None:
    s = Sketch(6, x=bits(3), y=bits(3))
    s.skip(0, 1)
    s.branch(1, s.terms.eq(s.x, s.y), 2, 5)
    s.step(2, 3, Havoc(s.x))
    s.step(3, 4, Havoc(s.y))
    s.skip(4, 1)
    reduced = reduce(s.cfa())
    (both,) = (e for e in reduced.cfa.edges if s.edges[3] in e.trail)
    assert both.trail == tuple(s.edges[3:6])
    assert set(written(both.operation)) == {s.x, s.y} and both.source is not both.target


def with_a_vanishing_loop_between_havocs(*, around: bool) -> Reduced:
    s = Sketch(8, x=bits(8), y=bits(8), n=bits(8))
    s.assume(0, 1, s.terms.eq(s.x, s.y))
    s.step(1, 2, Havoc(s.x))
    s.branch(2, s.is_(s.n, 9), 4, 3)
    s.assign(3, 2, s.n, s.plus(s.n, 1))
    if around:  # so that the loop head goes and not the location behind it
        s.step(1, 4, Havoc(s.x))
    s.step(4, 5, Havoc(s.y))
    s.assume(5, 7, s.terms.eq(s.x, s.y))
    cfa = s.cfa()
    assert cfa.loop_heads == {s.locations[2]}
    reduced = reduce(cfa)
    assert reduced.representative[s.locations[2]] is s.locations[4 if around else 2]
    return reduced


def test_nothing_is_joined_across_a_location_that_speaks_for_a_loop() -> None:
    for around in (False, True):
        operations = [e.operation for e in with_a_vanishing_loop_between_havocs(around=around).cfa.edges]
        assert len(operations) == 4 and not any(isinstance(o, Relation) for o in operations)


def test_an_arbitrary_value_that_may_be_undefined_is_not_joined_with_others() -> None:
    s = Sketch(6, x=bits(8), y=bits(8))
    s.skip(0, 1)
    s.branch(1, s.terms.eq(s.x, s.y), 2, 5)
    s.step(2, 3, Havoc(s.x), check(s.below(s.y, 3), Undefined.SHIFT))
    s.step(3, 1, Havoc(s.y))
    reduced = reduce(s.cfa())
    assert [len(e.checks) for e in reduced.cfa.edges if isinstance(e.operation, Havoc)] == [1, 0]


def test_a_skip_that_many_edges_would_have_to_cross_stays() -> None:
    s = Sketch(204, x=bits(8), y=bits(8))
    for k in range(100):
        s.assume(0, 1 + k, s.is_(s.x, k))
        s.assign(1 + k, 101, s.x, s.number(k + 1, s.x))
    for k in range(101, 202):
        s.assign(k, k + 1, s.y, s.plus(s.y, 1))
    s.assume(202, 203, s.is_(s.x, 50))
    s.assume(202, 203, s.is_(s.x, 60))
    reduced = reduce(s.cfa(), fold=False)
    assert sum(len(edge.trail) for edge in reduced.cfa.edges) == len(s.edges)


def test_a_long_chain_of_nothing_is_one_edge() -> None:
    size = 5_000
    s = Sketch(size, x=bits(8), y=bits(8))
    for i in range(size - 2):
        s.assign(i, i + 1, s.y, s.plus(s.y, 1))
    s.assume(size - 2, size - 1, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    (edge,) = reduced.cfa.edges
    assert edge.trail == tuple(s.edges)
