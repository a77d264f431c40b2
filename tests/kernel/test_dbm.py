"""Difference-bound matrices: the twin against brute force over a grid, and the kernel against the twin."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from argosy.kernel.dbm import INFINITY, NO_BOUND, Zone, complement, strict, weak

zones = pytest.importorskip("argosy.kernel._zones")

CLOCKS = 3
DIMENSION = CLOCKS + 1
LARGEST = 2
# Points are in quarters of a unit, fine enough to hit every region of two clocks with integer constants; delays and
# witnesses are in eighths.
UNIT = 8
GRID = range(0, UNIT * (LARGEST + 2), 2)
WIDE = range(UNIT * (2 * LARGEST + 2))

Point = tuple[int, ...]

bounds = st.one_of(st.integers(2 * -LARGEST, 2 * LARGEST + 1), st.just(INFINITY))


@st.composite
def some_zone(draw: st.DrawFn, dimension: int = DIMENSION) -> Zone:
    zone = Zone.universe(dimension)
    for _ in range(draw(st.integers(0, 6))):
        i, j = draw(st.permutations(range(dimension)))[:2]
        tighter = zone.constrained(i, j, draw(bounds))
        if tighter is not None:
            zone = tighter
    return zone


small = some_zone(3)


def members(zone: Zone | None, grid: range = GRID) -> set[Point]:
    if zone is None:
        return set()
    return {p for clocks in product(grid, repeat=zone.dimension - 1) if holds(zone, p := (0, *clocks))}


def holds(zone: Zone, point: Point) -> bool:
    n = zone.dimension
    return all(keeps(point[i] - point[j], zone[i, j]) for i in range(n) for j in range(n))


def keeps(difference: int, bound: int) -> bool:
    limit = UNIT * (bound >> 1)
    return bound == INFINITY or difference < limit or (difference == limit and bound & 1 == 1)


def shifted(point: Point, by: int) -> Point:
    return (0, *(c + by for c in point[1:]))


# The twin against points


@settings(max_examples=60, deadline=None)
@given(small, st.integers(0, 2), st.integers(0, 2), bounds)
def test_constraint_keeps_exactly_the_points_that_satisfy_it(zone: Zone, i: int, j: int, bound: int) -> None:
    assume(i != j)
    kept = zone.constrained(i, j, bound)
    assert members(kept) == {p for p in members(zone) if keeps(p[i] - p[j], bound)}


@settings(max_examples=60, deadline=None)
@given(small, small)
def test_intersection_inclusion_and_subtraction_are_those_of_sets(a: Zone, b: Zone) -> None:
    inside, other = members(a, WIDE), members(b, WIDE)
    assert members(a.intersected(b), WIDE) == inside & other
    assert a.includes(b) == (inside >= other)
    pieces = [members(piece, WIDE) for piece in a.subtracted(b)]
    assert set().union(*pieces) == inside - other
    assert sum(map(len, pieces)) == len(inside - other)


@settings(max_examples=40, deadline=None)
@given(small)
def test_delay_and_past_are_reachability_by_delay(zone: Zone) -> None:
    later, earlier = zone.delayed(), zone.past()
    for p in members(Zone.universe(3)):
        assert holds(later, p) == any(holds(zone, shifted(p, -d)) for d in range(min(p[1:]) + 1))
        assert holds(earlier, p) == any(holds(zone, shifted(p, d)) for d in WIDE)


@settings(max_examples=60, deadline=None)
@given(small, st.integers(1, 2), st.integers(0, LARGEST))
def test_reset_and_free(zone: Zone, clock: int, constant: int) -> None:
    other = 3 - clock
    seen = {p[other] for p in members(zone, WIDE)}
    after = {p[other] for p in members(zone.reset(clock, constant), WIDE)}
    assert after & set(GRID) == seen & set(GRID)
    assert {p[clock] for p in members(zone.reset(clock, constant))} <= {UNIT * constant}
    free = members(zone.freed(clock))
    assert {p[other] for p in free} == seen & set(GRID)
    assert len(free) == len(seen & set(GRID)) * len(GRID)


@settings(max_examples=100, deadline=None)
@given(small, st.data())
def test_extrapolation_stays_inside_the_abstraction_by_simulation(zone: Zone, data: st.DataObject) -> None:
    """Law: every point added is simulated by a point of the zone (the relation of Behrmann et al., section 5)."""
    limit = st.one_of(st.just(NO_BOUND), st.integers(0, LARGEST))
    lower, upper = ([0, *data.draw(st.tuples(limit, limit))] for _ in range(2))
    larger = zone.extrapolated(lower, upper)
    assert larger.includes(zone)
    inside = members(zone, WIDE)
    for p in members(larger) - inside:
        if all(c <= UNIT * LARGEST for c in p):
            assert any(simulates(q, p, lower, upper) for q in inside), (p, larger)


def simulates(by: Point, point: Point, lower: list[int], upper: list[int]) -> bool:
    return all(
        by[x] == point[x] or UNIT * lower[x] < by[x] < point[x] or UNIT * upper[x] < point[x] < by[x]
        for x in range(len(point))
    )


def test_extrapolation_forgets_what_no_guard_reads() -> None:
    x, y = 1, 2
    zone = Zone.zero(3).delayed().constrained(0, x, weak(-5))
    assert zone is not None
    assert zone.extrapolated([0, NO_BOUND, NO_BOUND], [0, NO_BOUND, NO_BOUND]) == Zone.universe(3)
    kept = zone.extrapolated([0, 7, NO_BOUND], [0, 7, NO_BOUND])
    assert kept[0, x] == weak(-5) and kept[y, x] == INFINITY


def test_points_are_exact() -> None:
    zone = Zone.universe(3).constrained(1, 2, strict(1))
    assert zone is not None
    assert zone.contains((0, Fraction(4, 3), Fraction(1, 2))) and not zone.contains((0, Fraction(3, 2), Fraction(1, 2)))


def test_constraints_are_readable() -> None:
    zone = Zone.universe(3).constrained(1, 0, strict(5))
    assert zone is not None
    assert zone.constraints(["x", "y"]) == ["x < 5"]
    assert Zone.zero(2).constraints(["x"]) == ["x == 0"]
    assert Zone.zero(4).delayed().constraints(["x", "y", "z"]) == ["y - x == 0", "z - x == 0"]


CONSTRAINT = re.compile(r"(x\d)(?: - (x\d))? (<=|<|==|>=|>) (-?\d+)")


def said(texts: list[str], dimension: int) -> Zone | None:
    """The zone that the texts describe."""
    zone: Zone | None = Zone.universe(dimension)
    for text in texts:
        match = CONSTRAINT.fullmatch(text)
        assert match, text
        left, right, constant = int(match[1][1:]), int((match[2] or "x0")[1:]), int(match[4])
        if match[3] in ("<", "<=", "=="):
            bound = strict(constant) if match[3] == "<" else weak(constant)
            zone = None if zone is None else zone.constrained(left, right, bound)
        if match[3] in (">", ">=", "=="):
            bound = strict(-constant) if match[3] == ">" else weak(-constant)
            zone = None if zone is None else zone.constrained(right, left, bound)
    return zone


@given(some_zone())
def test_constraints_say_everything_and_nothing_twice(zone: Zone) -> None:
    texts = zone.constraints([f"x{i}" for i in range(1, DIMENSION)])
    assert said(texts, DIMENSION) == zone
    for k in range(len(texts)):
        assert said(texts[:k] + texts[k + 1 :], DIMENSION) != zone


# The kernel against the twin


def rows(zone: Zone | None) -> list[int] | None:
    return None if zone is None else list(zone.bounds)


@settings(max_examples=300, deadline=None)
@given(some_zone(), some_zone(), st.data())
def test_kernel_and_twin_agree(zone: Zone, other: Zone, data: st.DataObject) -> None:
    n, matrix = DIMENSION, list(zone.bounds)
    i, j = data.draw(st.permutations(range(n)))[:2]
    bound, clock = data.draw(bounds), data.draw(st.integers(1, CLOCKS))
    constant = data.draw(st.integers(0, LARGEST))
    limit = st.one_of(st.just(NO_BOUND), st.integers(0, LARGEST))
    lower, upper = ([0, *data.draw(st.tuples(*[limit] * CLOCKS))] for _ in range(2))
    assert zones.constrain(matrix, n, i, j, bound) == rows(zone.constrained(i, j, bound))
    assert zones.intersect(matrix, n, list(other.bounds)) == rows(zone.intersected(other))
    assert zones.includes(matrix, n, list(other.bounds)) == zone.includes(other)
    assert zones.delay(matrix, n) == rows(zone.delayed())
    assert zones.past(matrix, n) == rows(zone.past())
    assert zones.reset(matrix, n, clock, constant) == rows(zone.reset(clock, constant))
    assert zones.free(matrix, n, clock) == rows(zone.freed(clock))
    assert zones.extrapolate(matrix, n, lower, upper) == rows(zone.extrapolated(lower, upper))
    assert zones.subtract(matrix, n, list(other.bounds)) == [rows(p) for p in zone.subtracted(other)]


@settings(max_examples=200, deadline=None)
@given(st.lists(bounds, min_size=DIMENSION**2, max_size=DIMENSION**2))
def test_kernel_and_twin_close_alike(matrix: list[int]) -> None:
    for k in range(DIMENSION):
        matrix[k * DIMENSION + k] = weak(0)
        matrix[k] = min(matrix[k], weak(0))
    assert zones.close(matrix, DIMENSION) == rows(Zone.closed(DIMENSION, matrix))


@given(bounds.filter(lambda b: b != INFINITY))
def test_complement_is_the_other_side(bound: int) -> None:
    assert complement(complement(bound)) == bound
    zone = Zone.universe(3)
    inside, outside = zone.constrained(1, 2, bound), zone.constrained(2, 1, complement(bound))
    assert inside is not None and outside is not None
    assert inside.intersected(outside) is None
