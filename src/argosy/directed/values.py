"""Which values of one variable satisfy something: found by halving its range, not by trying every value.

An expression over a single variable is evaluated on intervals (``span``); where that leaves open whether all values or
none of them are wanted, the interval is halved, down to single values, which the interpreter of the network evaluates.
``x < 7`` over all 65,536 values of a plain ``int`` takes some thirty evaluations. What takes more than
``MOST_EVALUATIONS`` (``x * x % 1000 == 1``) is given up, and the caller has to do without the condition.

Law: a value is in the answer exactly where the interpreter says so; an expression without value is wanted nowhere.
"""

from __future__ import annotations

from collections.abc import Callable

from argosy.basics.records import dataclass
from argosy.kernel import ranges
from argosy.models.network_expressions import (
    INTEGER_HIGH,
    INTEGER_LOW,
    Binary,
    Conditional,
    Constant,
    Expression,
    Read,
    Unary,
)

MOST_EVALUATIONS = 16_384
"""Of one expression; enough for every value of a variable that has 8,192."""


@dataclass(frozen=True, slots=True)
class Span:
    """Every value of an expression lies between ``low`` and ``high``; ``total``: it has one everywhere."""

    low: int
    high: int
    total: bool = True

    @property
    def truth(self) -> bool | None:
        """Whether the expression is not zero everywhere, or (False) nowhere; None where neither is known."""
        if self.low == self.high == 0:
            return False
        return True if self.total and (self.low > 0 or self.high < 0) else None


ANYTHING = Span(INTEGER_LOW, INTEGER_HIGH, total=False)
OPEN, YES, NO = Span(0, 1), Span(1, 1), Span(0, 0)


def satisfying(
    first: Span, wanted: Callable[[Span], bool | None], is_wanted: Callable[[int], bool], most: int = MOST_EVALUATIONS
) -> int | None:
    """The values of ``first`` that are wanted, as a bit mask of offsets; None where that takes too many evaluations.
    ``wanted`` says it of all values of an interval at once (None: it cannot), ``is_wanted`` of a single value."""
    found = count = 0
    intervals = [first]
    while intervals:
        interval = intervals.pop()
        count += 1
        if count > most:
            return None
        answer = is_wanted(interval.low) if interval.low == interval.high else wanted(interval)
        if answer:
            found |= ((1 << (interval.high - interval.low + 1)) - 1) << (interval.low - first.low)
        elif answer is None:
            middle = (interval.low + interval.high) // 2
            intervals += [Span(interval.low, middle), Span(middle + 1, interval.high)]
    return found


def span(expression: Expression, variable: Span) -> Span:
    """Of an expression that reads nothing but one variable."""
    match expression:
        case Constant(value):
            return Span(value, value)
        case Read(place) if not place.subscripts:
            return variable
        case Unary("-", operand):
            its = span(operand, variable)
            return _clipped(-its.high, -its.low, its.total)
        case Unary("!", operand):
            its = span(operand, variable)
            return _said(None if (truth := _truth(its)) is None else not truth, its.total)
        case Binary("&&" | "||" as operator, left, right):
            return _connected(operator == "||", span(left, variable), span(right, variable))
        case Binary(operator, left, right):
            return _operated(operator, span(left, variable), span(right, variable))
        case Conditional(condition, then, otherwise):
            asked = span(condition, variable)
            chosen = _truth(asked)
            taken = [its for its, when in ((then, True), (otherwise, False)) if chosen in (None, when)]
            branches = [span(its, variable) for its in taken]
            return Span(
                min(its.low for its in branches),
                max(its.high for its in branches),
                asked.total and all(its.total for its in branches),
            )
        case _:
            return ANYTHING


def _truth(its: Span) -> bool | None:
    """Of the values that there are."""
    return False if its.low == its.high == 0 else True if its.low > 0 or its.high < 0 else None


def _said(truth: bool | None, total: bool) -> Span:
    known = OPEN if truth is None else YES if truth else NO
    return Span(known.low, known.high, total)


def _connected(settles: bool, left: Span, right: Span) -> Span:
    """``&&`` and ``||``: a left operand that ``settles`` the result leaves the right one unevaluated."""
    first, second = _truth(left), _truth(right)
    if first is settles:
        return _said(settles, left.total)
    total = left.total and right.total
    if second is settles:
        return _said(settles, total)
    return _said(None if first is None or second is None else not settles, total)


def _operated(operator: str, left: Span, right: Span) -> Span:
    total = left.total and right.total
    match operator:
        case "+":
            return _clipped(left.low + right.low, left.high + right.high, total)
        case "-":
            return _clipped(left.low - right.high, left.high - right.low, total)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return _clipped(min(corners), max(corners), total)
        case "<" | ">=":
            below = True if left.high < right.low else False if left.low >= right.high else None
            return _said(below if below is None or operator == "<" else not below, total)
        case "<=" | ">":
            above = True if left.low > right.high else False if left.high <= right.low else None
            return _said(above if above is None or operator == ">" else not above, total)
        case "==" | "!=":
            apart = left.high < right.low or right.high < left.low
            same = left.low == left.high == right.low == right.high
            return _said((operator == "==") if same else (operator == "!=") if apart else None, total)
        case "/" | "%":
            total = total and not right.low <= 0 <= right.high and left.low > INTEGER_LOW
        case ">>":
            total = total and right.low >= 0
        case "<<":
            total = False
    low, high = ranges.operate(operator, (left.low, left.high), (right.low, right.high))
    return Span(low, high, total)


def _clipped(low: int, high: int, total: bool) -> Span:
    """What does not fit into 32 bits is no value."""
    fits = low >= INTEGER_LOW and high <= INTEGER_HIGH
    return Span(max(low, INTEGER_LOW), min(high, INTEGER_HIGH), total and fits)
