"""Tightening changes neither which executions reach the error nor what the edges stand for."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.sorts import bits
from argosy.models.cfa import Assume, Cfa, Havoc, Reading, Relation, Undefined
from argosy.models.tightening import tightened
from tests.models.automata import Sketch, automata, check, reachable


@settings(max_examples=100, deadline=None)
@given(automata(), st.sampled_from(Reading))
def test_the_error_is_reached_iff_it_was(cfa: Cfa, reading: Reading) -> None:
    variables = [v.term for v in cfa.variables]
    tight, representative = tightened(cfa)
    before, after = reachable(cfa, variables, reading), reachable(tight, variables, reading)
    assert bool(after[tight.error]) == bool(before[cfa.error])
    for location, by in representative.items():
        assert by in tight.locations
        # Only values that nobody reads may be missing: where states were, states are.
        if location in cfa.error_distance and before[location]:
            assert after[by]


@settings(max_examples=60, deadline=None)
@given(automata())
def test_edges_stand_for_paths(cfa: Cfa) -> None:
    tight, representative = tightened(cfa)
    for edge in tight.edges:
        path = edge.as_read
        assert path[0].source is edge.source or representative[path[0].source] is edge.source
        assert path[-1].target is edge.target or representative[path[-1].target] is edge.target
        assert all(step in cfa.edges for step in path)
        assert all(one.target is two.source for one, two in pairwise(path))


def test_a_loop_that_only_writes_what_nobody_reads_vanishes() -> None:
    sketch = Sketch(5, x=bits(4), y=bits(4), z=bits(4))
    t = sketch.terms
    new = t.var("y'", bits(4)), t.var("z'", bits(4))
    sketch.assign(0, 1, sketch.x, sketch.number(1, sketch.x))
    sketch.step(1, 2, Havoc(sketch.y))
    sketch.assign(2, 1, sketch.y, sketch.z)
    sketch.step(1, 3, Relation(t.true, ((sketch.y, new[0]), (sketch.z, new[1]))))
    sketch.assume(3, 4, t.eq(sketch.x, sketch.z))
    cfa = sketch.cfa()
    tight, _ = tightened(cfa)
    assert cfa.loop_heads and not tight.loop_heads
    (forgetting,) = (edge.operation for edge in tight.edges if isinstance(edge.operation, Relation))
    assert forgetting.primed == ((sketch.z, new[1]),)


def test_what_is_read_and_what_is_checked_stays() -> None:
    sketch = Sketch(4, x=bits(4), y=bits(4))
    sketch.step(0, 1, Havoc(sketch.x))
    sketch.assign(1, 2, sketch.y, sketch.x)
    sketch.assume(2, 3, sketch.is_(sketch.x, 3))
    tight, _ = tightened(sketch.cfa())
    assert [type(edge.operation) for edge in tight.edges] == [Havoc, Assume]
    sketch.edges.pop(1)
    defined = check(sketch.below(sketch.x, 8), Undefined.DIVISION)
    sketch.assign(1, 2, sketch.y, sketch.x, defined)
    tight, _ = tightened(sketch.cfa())
    assert [edge.checks for edge in tight.edges if edge.checks] == [(defined,)]
