"""Interval bounds of integer terms, from bounds of their variables.

Law: in every valuation that keeps the variables inside their bounds, the value of a term is inside its interval.
"""

from __future__ import annotations

from collections.abc import Callable

from argosy.logic.semantics import euclidean_div
from argosy.logic.sorts import INT
from argosy.logic.terms import Term

Interval = tuple[int, int]

_MOST_BITS = 4096


def bits_range(width: int, signed: bool) -> Interval:
    """The numbers that ``width`` bits stand for."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)


class Intervals:
    """Bounds of terms, kept; None where there are none: an unbounded variable, division by
    a variable, bounds of thousands of digits."""

    def __init__(self, of_variable: Callable[[Term], Interval | None]) -> None:
        self._of_variable = of_variable
        self._known: dict[Term, Interval | None] = {}

    def __call__(self, term: Term) -> Interval | None:
        if term in self._known:
            return self._known[term]
        stack = [term]
        while stack:
            top = stack[-1]
            if top not in self._known:
                missing = [a for a in top.args if a.sort is INT and a not in self._known]
                if missing:
                    stack.extend(missing)
                    continue
                self._known[top] = _useful(self._bounds(top))
            stack.pop()
        return self._known[term]

    def _bounds(self, term: Term) -> Interval | None:
        if term.op == "const":
            return term.payload, term.payload
        if term.op == "var":
            return self._of_variable(term)
        intervals = []
        for arg in term.args:
            if arg.sort is INT:
                interval = self._known[arg]
                if interval is None:
                    return None
                intervals.append(interval)
        match term.op:
            case "+":
                return sum(low for low, _ in intervals), sum(high for _, high in intervals)
            case "*":
                product = intervals[0]
                for factor in intervals[1:]:
                    product = scaled(product, factor)
                return product
            case "ite":
                (a, b), (c, d) = intervals
                return min(a, c), max(b, d)
            case "div" | "mod" if term.args[1].op == "const" and term.args[1].payload != 0:
                (low, high), divisor = intervals[0], term.args[1].payload
                if term.op == "div":
                    ends = euclidean_div(low, divisor), euclidean_div(high, divisor)
                    return min(ends), max(ends)
                return (low, high) if low >= 0 and high < abs(divisor) else (0, abs(divisor) - 1)
        return None


def _useful(interval: Interval | None) -> Interval | None:
    """Powers of powers get so long that the bounds cost more than they tell."""
    if interval is not None and max(end.bit_length() for end in interval) > _MOST_BITS:
        return None
    return interval


def scaled(a: Interval, b: Interval) -> Interval:
    """Bounds of the product of two bounded numbers."""
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)
