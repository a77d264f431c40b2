"""Difference-bound matrices in pure Python: the readable twin of ``cpp/dbm.hpp`` and its oracle in the tests.

A zone is a convex set of clock valuations given by bounds on differences: ``x_i - x_j < c`` or ``<= c``, where
``x_0`` is the constant 0 (Bengtsson and Yi, "Timed Automata: Semantics, Algorithms and Tools", 2004). A bound is one
integer, ``2 * c + 1`` for ``<= c`` and ``2 * c`` for ``< c``, so that a smaller integer is a tighter bound.

Law: a ``Zone`` is never empty and always closed (every bound is the tightest one that its set satisfies), so two
zones are the same set exactly if they are equal. An operation that can give the empty set returns ``None`` for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from argosy.basics.records import dataclass

INFINITY = (1 << 30) - 2
"""No bound. Even, as ``< infinity`` is strict; two of them still fit a 32-bit integer of the kernel."""

ZERO = 1
"""The bound ``<= 0``."""

NO_BOUND = -(1 << 29)
"""In the vectors of ``extrapolated``: the clock is compared with no constant from this side."""

Span = tuple[int, int]
"""A length of time: a bound, and a rate to divide it by."""

EXACT = 1 << 29
"""In the vectors of ``extrapolated``: nothing about the clock may be forgotten from this side."""


def weak(constant: int) -> int:
    """The bound ``<= constant``."""
    return 2 * constant + 1


def strict(constant: int) -> int:
    """The bound ``< constant``."""
    return 2 * constant


def add(first: int, second: int) -> int:
    """The bound that ``a - b`` and ``b - c`` put on ``a - c``: strict if either is."""
    if first == INFINITY or second == INFINITY:
        return INFINITY
    return first + second - ((first | second) & 1)


def complement(bound: int) -> int:
    """The bound on ``x_j - x_i`` that says that ``x_i - x_j`` violates ``bound``."""
    return 1 - bound


def value(bound: int) -> int:
    """The constant of a finite bound."""
    return bound >> 1


def satisfies(difference: Fraction | int, bound: int) -> bool:
    """Does a concrete difference keep a bound?"""
    if bound == INFINITY:
        return True
    return difference <= (bound >> 1) if bound & 1 else difference < (bound >> 1)


def close(matrix: list[int], dimension: int) -> bool:
    """All shortest paths (Floyd and Warshall), in place; False if the set is empty."""
    for k in range(dimension):
        for i in range(dimension):
            through = matrix[i * dimension + k]
            if through == INFINITY:
                continue
            for j in range(dimension):
                candidate = add(through, matrix[k * dimension + j])
                if candidate < matrix[i * dimension + j]:
                    matrix[i * dimension + j] = candidate
        if matrix[k * dimension + k] < ZERO:
            return False
    return all(matrix[i * dimension + i] >= ZERO for i in range(dimension))


@dataclass(frozen=True, slots=True)
class Zone:
    """A non-empty, closed difference-bound matrix over ``dimension - 1`` clocks; row by row in ``bounds``."""

    dimension: int
    bounds: tuple[int, ...]

    @staticmethod
    def zero(dimension: int) -> Zone:
        """Every clock is 0."""
        return Zone(dimension, (ZERO,) * (dimension * dimension))

    @staticmethod
    def universe(dimension: int) -> Zone:
        """Every valuation: clocks are not negative and nothing else is known."""
        return Zone(
            dimension,
            tuple(ZERO if i in (0, j) else INFINITY for i in range(dimension) for j in range(dimension)),
        )

    @staticmethod
    def closed(dimension: int, matrix: Iterable[int]) -> Zone | None:
        """The zone of any matrix of bounds."""
        rows = list(matrix)
        return Zone(dimension, tuple(rows)) if close(rows, dimension) else None

    def __getitem__(self, pair: tuple[int, int]) -> int:
        return self.bounds[pair[0] * self.dimension + pair[1]]

    def constrained(self, i: int, j: int, bound: int) -> Zone | None:
        """The part where ``x_i - x_j`` keeps ``bound``. Closes again only through the new bound, in O(n^2)."""
        n = self.dimension
        if bound >= self[i, j]:
            return self
        if add(bound, self[j, i]) < ZERO:
            return None
        rows = list(self.bounds)
        rows[i * n + j] = bound
        for p in range(n):
            through = add(self[p, i], bound)
            if through == INFINITY:
                continue
            for q in range(n):
                candidate = add(through, self[j, q])
                if candidate < rows[p * n + q]:
                    rows[p * n + q] = candidate
        return Zone(n, tuple(rows))

    def intersected(self, other: Zone) -> Zone | None:
        """The common part of two zones."""
        return Zone.closed(self.dimension, map(min, self.bounds, other.bounds))

    def includes(self, other: Zone) -> bool:
        """Is every valuation of ``other`` in this zone? Closedness makes this a comparison of bounds."""
        return all(mine >= its for mine, its in zip(self.bounds, other.bounds, strict=True))

    def delayed(self) -> Zone:
        """What is reached by letting any time pass: upper bounds of single clocks go, differences stay."""
        n = self.dimension
        return Zone(n, tuple(INFINITY if k and k % n == 0 else b for k, b in enumerate(self.bounds)))

    def elapsed(self, rates: Sequence[int], longest: Span | None) -> Zone:
        """The least zone around what is reached by letting time pass, for at most ``longest`` (a bound and the rate to
        divide it by), where clocks run at ``rates``: ``x_i - x_j`` grows with the difference of the rates."""
        n = self.dimension
        rows = list(self.bounds)
        for i in range(n):
            for j in range(n):
                faster = rates[i] - rates[j]
                if faster > 0:
                    rows[i * n + j] = INFINITY if longest is None else add(self[i, j], _grown(longest, faster))
        if not close(rows, n):
            raise AssertionError("a delay only enlarges a zone")
        return Zone(n, tuple(rows))

    def past(self) -> Zone:
        """From where this zone is reached by letting time pass, clocks staying at or above 0."""
        n = self.dimension
        rows = list(self.bounds)
        for j in range(1, n):
            rows[j] = min([ZERO, *(self[i, j] for i in range(1, n))])
        return Zone(n, tuple(rows))

    def reset(self, clock: int, constant: int = 0) -> Zone:
        """After ``x_clock := constant``."""
        n = self.dimension
        rows = list(self.bounds)
        for j in range(n):
            if j != clock:
                rows[clock * n + j] = add(weak(constant), self[0, j])
                rows[j * n + clock] = add(self[j, 0], weak(-constant))
        return Zone(n, tuple(rows))

    def freed(self, clock: int) -> Zone:
        """After ``x_clock`` took any value: what activity analysis does with a clock that nobody will read."""
        n = self.dimension
        rows = list(self.bounds)
        for j in range(n):
            if j != clock:
                rows[clock * n + j] = INFINITY
                rows[j * n + clock] = self[j, 0]
        return Zone(n, tuple(rows))

    def extrapolated(self, lower: Sequence[int], upper: Sequence[int]) -> Zone:
        """Extra+LU (Behrmann, Bouyer, Larsen, Pelanek, "Lower and Upper Bounds in Zone-Based Abstractions", 2006).

        ``lower[x]`` is the largest constant c of a constraint ``x > c`` or ``x >= c`` that may still be met,
        ``upper[x]`` likewise for ``x < c`` and ``x <= c``; entry 0 is 0 in both.
        """
        n = self.dimension
        rows = list(self.bounds)
        for i in range(n):
            forgets_i = -value(self[0, i]) > lower[i]
            for j in range(n):
                if i == j:
                    continue
                bound = self[i, j]
                passes_j = -value(self[0, j]) > upper[j]
                if i and (forgets_i or passes_j or (bound != INFINITY and value(bound) > lower[i])):
                    rows[i * n + j] = INFINITY
                elif i == 0 and passes_j:
                    rows[j] = ZERO if upper[j] == NO_BOUND else strict(-upper[j])
        if not close(rows, n):
            raise AssertionError("extrapolation only enlarges a zone")
        return Zone(n, tuple(rows))

    def subtracted(self, other: Zone) -> list[Zone]:
        """What is left without ``other``: disjoint zones."""
        pieces: list[Zone] = []
        rest: Zone = self
        n = self.dimension
        for i in range(n):
            for j in range(n):
                if i == j or other[i, j] >= rest[i, j]:
                    continue
                outside = rest.constrained(j, i, complement(other[i, j]))
                if outside is not None:
                    pieces.append(outside)
                inside = rest.constrained(i, j, other[i, j])
                if inside is None:
                    return pieces
                rest = inside
        return pieces

    def projected(self, clocks: Sequence[int]) -> Zone:
        """What is known about the clocks listed; they are numbered anew in this order, from 1."""
        keep = (0, *clocks)
        return Zone(len(keep), tuple(self[i, j] for i in keep for j in keep))

    def contains(self, valuation: Sequence[Fraction | int]) -> bool:
        """Is the point in the zone? ``valuation[0]`` is 0."""
        n = self.dimension
        return all(satisfies(valuation[i] - valuation[j], self[i, j]) for i in range(n) for j in range(n))

    def constraints(self, names: Sequence[str]) -> list[str]:
        """As few bounds as say everything (Larsen, Larsson, Pettersson, Yi 1997), as UPPAAL writes them; ``names[i]``
        belongs to ``x_i+1``. That clocks are not negative is left out."""
        n, known = self.dimension, ["0", *names]
        leader = list(range(n))
        found: list[str] = []
        for j in range(n):
            fixed = next((i for i in range(j) if add(self[i, j], self[j, i]) == ZERO), j)
            if fixed != j:
                leader[j] = leader[fixed]
                found += _range_of(known, fixed, j, self[fixed, j], self[j, fixed])
        leaders = [i for i in range(n) if leader[i] == i]
        for i in leaders:
            for j in leaders:
                if i < j:
                    low, high = (
                        INFINITY if self._follows(first, second, leaders) else self[first, second]
                        for first, second in ((i, j), (j, i))
                    )
                    found += _range_of(known, i, j, low, high)
        return found

    def _follows(self, i: int, j: int, leaders: Sequence[int]) -> bool:
        """Does the bound follow from others? (Among leaders no two bounds follow from each other.)"""
        bound = self[i, j]
        return bound == INFINITY or any(add(self[i, k], self[k, j]) <= bound for k in leaders if k not in (i, j))


def _grown(longest: Span, faster: int) -> int:
    """What a difference grows by in a span of time, rounded up to a bound."""
    bound, rate = longest
    product = value(bound) * faster
    return strict(product // rate + 1) if product % rate else 2 * (product // rate) + (bound & 1)


def _range_of(names: Sequence[str], i: int, j: int, low: int, high: int) -> list[str]:
    """``low`` bounds ``x_i - x_j`` and ``high`` the opposite; ``i`` may be the reference clock."""
    name = names[j] if i == 0 else f"{names[j]} - {names[i]}"
    if low != INFINITY and high != INFINITY and add(low, high) == ZERO:
        return [f"{name} == {value(high)}"]
    parts = []
    if low != INFINITY and not (i == 0 and low == ZERO):
        parts.append(f"{name} {'>=' if low & 1 else '>'} {-value(low)}")
    if high != INFINITY:
        parts.append(f"{name} {'<=' if high & 1 else '<'} {value(high)}")
    return parts
