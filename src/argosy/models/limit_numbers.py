"""Numbers with an infinitely large and an infinitely small part: ``infinite * omega + finite + small * epsilon`` in
lexicographic order.

A run whose delays are such numbers stands for the real runs with all large enough numbers for omega and small enough
ones for epsilon, since whatever a network asks of clocks is a linear inequality with integer constants. So one replay
of it shows that a clock comes as close to a value as one likes, or grows beyond every number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import total_ordering

from argosy.basics.records import dataclass


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class LimitNumber:
    """Law: an ordered vector space over the rationals, which it contains."""

    infinite: Fraction
    finite: Fraction
    small: Fraction

    @staticmethod
    def of(number: LimitNumber | Fraction | int) -> LimitNumber:
        return number if isinstance(number, LimitNumber) else LimitNumber(Fraction(0), Fraction(number), Fraction(0))

    def at(self, omega: Fraction, epsilon: Fraction) -> Fraction:
        return self.infinite * omega + self.finite + self.small * epsilon

    @property
    def _key(self) -> tuple[Fraction, Fraction, Fraction]:
        return self.infinite, self.finite, self.small

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LimitNumber | Fraction | int) and self._key == LimitNumber.of(other)._key

    def __hash__(self) -> int:
        return hash(self._key if self.infinite or self.small else self.finite)

    def __lt__(self, other: LimitNumber | Fraction | int) -> bool:
        return self._key < LimitNumber.of(other)._key

    def __bool__(self) -> bool:
        return any(self._key)

    def __neg__(self) -> LimitNumber:
        return LimitNumber(-self.infinite, -self.finite, -self.small)

    def __add__(self, other: LimitNumber | Fraction | int) -> LimitNumber:
        its = LimitNumber.of(other)
        return LimitNumber(self.infinite + its.infinite, self.finite + its.finite, self.small + its.small)

    __radd__ = __add__

    def __sub__(self, other: LimitNumber | Fraction | int) -> LimitNumber:
        return self + -LimitNumber.of(other)

    def __rsub__(self, other: LimitNumber | Fraction | int) -> LimitNumber:
        return -self + other

    def __truediv__(self, divisor: int) -> LimitNumber:
        return LimitNumber(self.infinite / divisor, self.finite / divisor, self.small / divisor)
