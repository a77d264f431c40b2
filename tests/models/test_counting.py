"""Loops are counted where every round passes, and where loops that were left out do not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.counting import counting_locations
from tests.models.automata import Sketch, automata


def cyclic(cfa: Cfa, edges: set[Edge], without: frozenset[Location]) -> bool:
    """Is there a cycle of these edges that avoids some locations? Whoever has no successor left goes."""
    left = {location for location in cfa.order if location not in without}
    while True:
        ends = {at for at in left if not any(e.target in left for e in cfa.leaving[at] if e in edges)}
        if not ends:
            return bool(left)
        left -= ends


@settings(max_examples=150, deadline=None)
@given(automata(), st.data())
def test_every_kept_cycle_is_counted_and_none_in_vain(cfa: Cfa, data: st.DataObject) -> None:
    kept = {edge for edge in cfa.edges if data.draw(st.booleans())}
    found = counting_locations(cfa, kept)
    assert not cyclic(cfa, kept, found)
    assert found <= cfa.order.keys()
    assert bool(found) == cyclic(cfa, kept, frozenset())


def drawn(pairs: list[tuple[int, int]], kept: set[tuple[int, int]]) -> tuple[Cfa, set[Edge]]:
    sketch = Sketch(1 + max(max(pair) for pair in pairs), x=bits(1))
    edges = {pair: sketch.skip(*pair) for pair in pairs}
    return sketch.cfa(), {edges[pair] for pair in kept}


def found(
    pairs: list[tuple[int, int]], kept: set[tuple[int, int]], impossible: frozenset[tuple[int, int]] = frozenset()
) -> list[int]:
    cfa, edges = drawn(pairs, kept)
    never = {edge for edge in cfa.edges if (edge.source.index, edge.target.index) in impossible}
    return sorted(location.index for location in counting_locations(cfa, edges, never))


def test_a_loop_left_out_that_begins_at_the_same_location_is_avoided() -> None:
    # 1 -> 2 -> 1 was left out; 1 -> 2 -> 3 -> 1 is kept.
    assert found([(0, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 4)], {(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)}) == [3]


def test_a_loop_is_counted_at_its_head_where_nothing_else_goes_round_there() -> None:
    assert found([(0, 1), (1, 2), (2, 1), (1, 3)], {(0, 1), (1, 2), (2, 1), (1, 3)}) == [1]
    # 2 -> 3 -> 2, inside, was left out.
    pairs = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5)]
    assert found(pairs, {*pairs} - {(2, 3), (3, 2)}) == [1]
    assert found(pairs, {*pairs}) == [1, 2]


def test_a_location_that_only_some_rounds_pass_is_no_place_to_count() -> None:
    # 1 -> 1 was left out; from 1 the kept loop goes over 2 or over 3: only 4 is on all rounds.
    pairs = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)]
    assert found(pairs, {*pairs} - {(1, 1)}) == [4]
    # Without 4 there is no such place: the head it is.
    pairs = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 4)]
    assert found(pairs, {*pairs} - {(1, 1)}) == [1]


def test_a_way_back_on_which_nobody_goes_is_no_loop_that_was_left_out() -> None:
    # Back to 1 by 3, where no execution goes, or by 4.
    pairs = [(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (4, 1), (1, 5)]
    kept = {*pairs} - {(2, 3), (3, 1)}
    assert found(pairs, kept) == [4]
    assert found(pairs, kept, frozenset({(2, 3)})) == [1]


def test_a_branch_of_which_one_way_was_left_out_belongs_to_the_round() -> None:
    pairs = [(0, 1), (1, 2), (2, 3), (3, 5), (2, 4), (4, 5), (5, 1), (1, 6)]
    assert found(pairs, {*pairs} - {(2, 3), (3, 5)}) == [1]
