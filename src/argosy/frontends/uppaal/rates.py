"""Rates of clocks: the conjuncts ``x' == e`` of an invariant, which say how fast a clock runs in a location."""

from __future__ import annotations

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal.meanings import IntegerMeaning, NameScope, Storage, describe
from argosy.frontends.uppaal.translate import ExpressionTranslator
from argosy.frontends.uppaal.types import ClockType
from argosy.models.network import ClockRate
from argosy.models.network_expressions import Constant


def without_rates(
    invariant: s.Expression, translator: ExpressionTranslator
) -> tuple[s.Expression | None, tuple[ClockRate, ...]]:
    """What an invariant says besides rates, and the rates. ``forall`` around rates is expanded."""
    rest: s.Expression | None = None
    rates: list[ClockRate] = []
    for conjunct in _conjuncts(invariant):
        found = _rates(conjunct, translator)
        if found is None:
            rest = conjunct if rest is None else s.Infix("&&", rest, conjunct, position=conjunct.position)
        for rate in found or ():
            if any(rate.clock == other.clock for other in rates):
                raise InputError(rate.position, "a clock has two rates")
            rates.append(rate)
    return rest, tuple(rates)


def _conjuncts(expression: s.Expression) -> list[s.Expression]:
    """From left to right; long chains nest to the left."""
    found: list[s.Expression] = []
    while isinstance(expression, s.Infix) and expression.operator == "&&":
        found.append(expression.right)
        expression = expression.left
    found.append(expression)
    return [
        part
        for each in reversed(found)
        for part in ([each] if each is expression or not _is_conjunction(each) else _conjuncts(each))
    ]


def _is_conjunction(expression: s.Expression) -> bool:
    return isinstance(expression, s.Infix) and expression.operator == "&&"


def _rates(conjunct: s.Expression, translator: ExpressionTranslator) -> list[ClockRate] | None:
    """None: the conjunct is not about rates."""
    match conjunct:
        case s.Infix("==", s.Rate(clock), value) | s.Infix("==", value, s.Rate(clock)):
            return [_rate(clock, value, conjunct, translator)]
        case s.Rate(clock):
            raise UnsupportedError(conjunct.position, "clock rate without ==")
        case s.Quantified("forall", name, type_, body):
            if not any(isinstance(part, s.Infix) and _has_rate(part) for part in _conjuncts(body)):
                return None
            found: list[ClockRate] = []
            domain = translator.domain(type_)
            for number in range(domain.low, domain.high + 1):
                scope = NameScope(translator.scope)
                scope.bind(name, IntegerMeaning(Constant(number), domain))
                rest, rates = without_rates(body, translator.inner(scope, pure=True))
                if rest is not None:
                    raise UnsupportedError(body.position, "clock rates and other conditions under one forall")
                found += rates
            return found
    return None


def _has_rate(part: s.Infix) -> bool:
    return isinstance(part.left, s.Rate) or isinstance(part.right, s.Rate)


def _rate(
    clock: s.Expression, value: s.Expression, conjunct: s.Expression, translator: ExpressionTranslator
) -> ClockRate:
    meaning = translator.meaning(clock)
    if not (isinstance(meaning, Storage) and isinstance(meaning.type, ClockType)):
        raise InputError(clock.position, f"a clock expected, found {describe(meaning)}")
    place = meaning.clocks
    offset = 0
    for subscript in place.subscripts:
        if not isinstance(subscript.index, Constant):
            raise UnsupportedError(clock.position, "the rate of a clock that is chosen at run time")
        if not 0 <= subscript.index.value - subscript.low < subscript.size:
            raise InputError(clock.position, "an index outside the array")
        offset += (subscript.index.value - subscript.low) * subscript.stride
    return ClockRate(place.base + offset, translator.integer(value).expression, conjunct.position)
