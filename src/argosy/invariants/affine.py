"""Affine relations that hold on a set of integer points: exact linear algebra on rows of integers.

A relation is a vector (c0, c1 ... cn) with c0 + c1*x1 + ... + cn*xn = 0 on all points (Karr, *Affine relationships
among variables of a program*, 1976). Of all relations the sparse ones are wanted: the *circuits*, those on a set of
variables of which no smaller part has a relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import gcd, lcm

Vector = tuple[int, ...]

_ALL_SETS = 3  # sets of at most so many variables are all tried
_LARGEST = 64  # coefficient of a relation that a program is about


def echelon(rows: Iterable[Sequence[int]]) -> list[Vector]:
    """The reduced echelon basis of the space that the rows span: primitive, each pivot positive and alone in its
    column."""
    basis: list[tuple[int, Vector]] = []
    for row in rows:
        for pivot, other in basis:
            row = _eliminate(row, other, pivot)
        first = next((i for i, c in enumerate(row) if c), None)
        if first is not None:
            new = _primitive(row, first)
            basis = [(pivot, _primitive(_eliminate(other, new, first), pivot)) for pivot, other in basis]
            basis.append((first, new))
            if len(basis) == len(new):
                break
    return [row for _, row in sorted(basis)]


def hull(points: Iterable[Sequence[int]]) -> list[Vector]:
    """The basis of the affine hull: the space of (1, x1 ... xn) of all points."""
    return echelon((1, *point) for point in points)


def orthogonal(basis: Sequence[Vector], width: int) -> list[Vector]:
    """A basis of the vectors whose product with every row of an arbitrary ``basis`` is zero."""
    rows = [(next(i for i, c in enumerate(row) if c), row) for row in echelon(basis)]
    found = []
    for free in sorted(set(range(width)) - {pivot for pivot, _ in rows}):
        scale = lcm(*(row[pivot] for pivot, row in rows))
        vector = [0] * width
        vector[free] = scale
        for pivot, row in rows:
            vector[pivot] = -row[free] * scale // row[pivot]
        found.append(_primitive(vector, free))
    return found


def relations(basis: Sequence[Vector], width: int, most: int) -> list[Vector]:
    """At most ``most`` relations on the points with the hull ``basis``, in ``width`` variables: circuits, those with
    few variables first, and where these do not imply all relations, others that do."""
    if len(basis) > width:
        return []
    found: list[Vector] = []
    for size in range(1, _ALL_SETS + 1):
        for chosen in combinations(range(1, width + 1), size):
            columns = (0, *chosen)
            own = orthogonal([tuple(row[c] for c in columns) for row in basis], len(columns))
            if len(own) == 1 and all(own[0][1:]):
                coefficients = dict(zip(columns, own[0], strict=True))
                found.append(tuple(coefficients.get(column, 0) for column in range(width + 1)))
    found = list(filter(_small, found))
    for vector in filter(_small, orthogonal(basis, width + 1)):
        if len(echelon([*found, vector])) > len(echelon(found)):
            found.append(vector)
    return found[:most]


def _small(relation: Vector) -> bool:
    return max(map(abs, relation[1:])) <= _LARGEST


def holds(relation: Vector, basis: Iterable[Vector]) -> bool:
    """Whether a relation holds on all points with the hull ``basis``."""
    return all(sum(c * x for c, x in zip(relation, row, strict=True)) == 0 for row in basis)


def _eliminate(row: Sequence[int], by: Vector, pivot: int) -> Sequence[int]:
    """``row`` with zero in the column of the pivot of ``by``."""
    if not row[pivot]:
        return row
    common = gcd(row[pivot], by[pivot])
    a, b = by[pivot] // common, row[pivot] // common
    return [a * x - b * y for x, y in zip(row, by, strict=True)]


def _primitive(row: Sequence[int], pivot: int) -> Vector:
    common = gcd(*row) if row[pivot] > 0 else -gcd(*row)
    return tuple(c // common for c in row)
