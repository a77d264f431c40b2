"""Exact linear algebra: what is found holds, and nothing that holds is missed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argosy.invariants.affine import Vector, echelon, holds, hull, orthogonal, relations

numbers = st.integers(-20, 20)


def points(width: int) -> st.SearchStrategy[list[Vector]]:
    return st.lists(st.tuples(*[numbers] * width), min_size=1, max_size=8)


def product(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


@given(points(3))
def test_every_relation_holds_on_all_points(some: list[Vector]) -> None:
    for relation in relations(hull(some), 3, 20):
        assert all(product(relation, (1, *point)) == 0 for point in some)
        assert holds(relation, hull(some))


@given(points(3), st.tuples(numbers, numbers, numbers, numbers))
def test_a_relation_holds_exactly_where_it_holds_on_the_hull(some: list[Vector], relation: Vector) -> None:
    assert holds(relation, hull(some)) == all(product(relation, (1, *point)) == 0 for point in some)


@given(points(4))
def test_hull_and_relations_fill_the_space(some: list[Vector]) -> None:
    basis = hull(some)
    rest = orthogonal(basis, 5)
    assert len(basis) + len(rest) == 5
    assert all(product(row, vector) == 0 for row in basis for vector in rest)
    assert len(echelon([*basis, *rest])) == 5


@given(points(2), st.integers(-4, 4), st.integers(-4, 4), numbers)
def test_what_is_computed_from_the_others_is_found(some: list[Vector], a: int, b: int, c: int) -> None:
    computed = [(x, y, a * x + b * y + c) for x, y in [*some, (0, 0), (1, 0), (0, 1)]]
    found = relations(hull(computed), 3, 20)
    assert len(echelon([*found, (c, a, b, -1)])) == len(echelon(found))


def test_sparse_relations_come_first_and_are_circuits() -> None:
    """z = x + y and w = x: the circuits are w = x, and z with y and either of the two; not w + y + z + x ..."""
    some = [(x, y, x + y, x) for x in range(3) for y in range(3)]
    found = relations(hull(some), 4, 20)
    assert found[0] in ((0, 1, 0, 0, -1), (0, -1, 0, 0, 1))
    assert sorted(sum(c != 0 for c in relation) for relation in found) == [2, 3, 3]


def test_relations_of_more_than_three_variables_are_found() -> None:
    some = [(a, b, c, a + b - c) for a in range(3) for b in range(3) for c in range(3)]
    assert [[abs(c) for c in relation] for relation in relations(hull(some), 4, 20)] == [[0, 1, 1, 1, 1]]


def test_points_in_general_position_have_none() -> None:
    assert relations(hull([(0, 0), (1, 0), (0, 1)]), 2, 20) == []


def test_at_most_so_many() -> None:
    assert len(relations(hull([(1, 2, 3, 4)]), 4, 3)) == 3


def test_coefficients_that_no_program_is_about_are_left_out() -> None:
    assert relations(hull([(0, 0), (1009, 1013)]), 2, 20) == []
