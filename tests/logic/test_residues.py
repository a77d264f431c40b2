"""Modules of residues against brute force: every vector of a few bits is tried."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.residues import Module, Row

WIDTH, COLUMNS = 2, 3
VECTORS = list(product(range(1 << WIDTH), repeat=COLUMNS))
ROWS = st.lists(st.sampled_from(VECTORS), max_size=4)


def span(rows: list[Row]) -> set[Row]:
    """All sums of multiples."""
    found = {(0,) * COLUMNS}
    for row in rows:
        found = {
            tuple((a + k * b) % (1 << WIDTH) for a, b in zip(one, row, strict=True))
            for one in found
            for k in range(1 << WIDTH)
        }
    return found


def times(one: Row, other: Row) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True)) % (1 << WIDTH)


@given(rows=ROWS)
@settings(max_examples=200, deadline=None)
def test_what_is_in_a_module_are_the_sums_of_multiples(rows: list[Row]) -> None:
    module, truth = Module(WIDTH, COLUMNS, rows), span(rows)
    assert {each for each in VECTORS if each in module} == truth
    assert span(list(module)) == truth
    assert span([module.centred(row) for row in module]) <= truth


@given(rows=ROWS, row=st.sampled_from(VECTORS))
@settings(max_examples=200, deadline=None)
def test_an_insertion_says_whether_it_made_the_module_larger(rows: list[Row], row: Row) -> None:
    module = Module(WIDTH, COLUMNS, rows)
    assert module.insert(row) is (row not in span(rows))
    assert not module.insert(row)


@given(rows=ROWS)
@settings(max_examples=200, deadline=None)
def test_what_is_orthogonal_is_all_that_is(rows: list[Row]) -> None:
    found = span(Module(WIDTH, COLUMNS, rows).orthogonal())
    assert found == {each for each in VECTORS if all(times(each, row) == 0 for row in rows)}


@given(rows=ROWS, functional=st.sampled_from(VECTORS))
@settings(max_examples=300, deadline=None)
def test_points_where_a_functional_is_zero(rows: list[Row], functional: Row) -> None:
    module = Module(WIDTH, COLUMNS, rows)
    points = {each for each in span(rows) if each[0] == 1}
    zeros = {each for each in points if times(each, functional) == 0}
    found = module.where(functional)
    assert (found is None) <= (not zeros)
    if found is not None:
        assert {each for each in VECTORS if each in found and each[0] == 1} == zeros
    value = module.constant(functional)
    if value is not None and points:
        assert {times(each, functional) for each in points} == {value}
    elif points:
        assert len({times(each, functional) for each in points}) > 1
