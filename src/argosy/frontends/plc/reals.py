"""REAL and LREAL: binary32 and binary64 of IEEE 754, as the standard has them (IEC 61131-3, table 10; IEC 60559).

Every operation is rounded to its type, to the nearest; a division by zero is infinite, or no number. A conversion to a
whole number rounds to the nearest, of two the even one (table 23). What the standard leaves to the implementation is
*any* value as a term (``Unknown``) and some value when a program is run: a whole number that its type does not hold,
the bits of what is no number, and the last digits of functions that no implementation rounds exactly (SIN, LN, ...), of
which only a range is known.

Laws (tests/frontends/plc): both meanings agree with each other and with gcc's float and double.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from argosy.frontends.plc.types import PlcScalar, Value, of_pattern, pattern, rounded
from argosy.logic import floating
from argosy.logic.floating import DOUBLE, ROUNDINGS, SINGLE, FloatFormat
from argosy.logic.terms import Term, Terms

Unknown = Callable[[PlcScalar, str], Term]
"""Makes a value of a type of which nothing is known; the text says what it is the value of. May raise."""

_ROUNDED = {"trunc": "RTZ", "floor": "RTN", "ceil": "RTP", "round": "RNE"}
_ARITHMETIC = {"add": "fp.add", "sub": "fp.sub", "mul": "fp.mul", "div": "fp.div"}
_COMPARISONS = {"eq": "fp.eq", "lt": "fp.lt", "le": "fp.leq"}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "ln": math.log,
    "log": math.log10,
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "expt": math.pow,
}
# What is known of a result, where the argument is a number of the domain: the result is one, between two bounds.
_RANGES: Mapping[str, tuple[int | None, int | None]] = {
    "sin": (-1, 1),
    "cos": (-1, 1),
    "atan": (-2, 2),
    "asin": (-2, 2),
    "acos": (0, 4),
    "exp": (0, None),
}
_DOMAINS: Mapping[str, tuple[int, int]] = {"asin": (-1, 1), "acos": (-1, 1)}
OPERATORS = frozenset((*_ARITHMETIC, *_ROUNDED, *_FUNCTIONS, "neg", "abs", "sqrt"))
"""Operators that give a real number, but for conversions."""


def format_of(type: PlcScalar) -> FloatFormat:
    return DOUBLE if type.width == 64 else SINGLE


# ---- on values ------------------------------------------------------------------------------------------------------


def real_value(operator: str, type: PlcScalar, values: Sequence[Value]) -> float:
    """The value of an operator of ``OPERATORS``, which has its operands' type."""
    if operator == "neg":
        return -float(values[0])
    if operator == "abs":
        return math.fabs(values[0])
    if operator in _FUNCTIONS:
        return rounded(type, _function(operator, values))
    format_ = format_of(type)
    given = tuple(pattern(type, value) for value in values)
    if operator in _ROUNDED:
        payload: tuple[int, ...] = (*format_.payload, ROUNDINGS.index(_ROUNDED[operator]))
        return of_pattern(type, floating.apply_float("fp.round", payload, (), given))
    op = "fp.sqrt" if operator == "sqrt" else _ARITHMETIC[operator]
    return of_pattern(type, floating.apply_float(op, format_.payload, (), given))


def _function(operator: str, values: Sequence[float]) -> float:
    """As the host's library has it; where that raises an error, what C's would give."""
    try:
        return float(_FUNCTIONS[operator](*values))
    except OverflowError:
        odd = operator == "expt" and values[0] < 0 and values[1] % 2 == 1
        return -math.inf if odd else math.inf
    except ValueError:
        if operator in ("ln", "log") and values[0] == 0:
            return -math.inf
        if operator == "expt" and values[0] == 0:
            odd = values[1] % 2 == 1
            return math.copysign(math.inf, values[0]) if odd else math.inf
        return math.nan


def real_from_whole(type: PlcScalar, value: int) -> float:
    """Rounded once, from all of its digits."""
    return of_pattern(type, floating.rounded(format_of(type), Fraction(value)))


def whole_from_real(type: PlcScalar, value: float) -> int:
    """The nearest whole number; what the type does not hold keeps its low bits, what is none is 0."""
    return 0 if math.isnan(value) or math.isinf(value) else type.wrapped(round(value))


# ---- as terms -------------------------------------------------------------------------------------------------------


def real_term(terms: Terms, operator: str, type: PlcScalar, arguments: Sequence[Term], unknown: Unknown) -> Term:
    """An operator whose operands are real numbers of one type."""
    format_ = format_of(type)
    first = arguments[0]
    if operator in _COMPARISONS:
        if operator == "eq" and first is arguments[1]:
            return terms.not_(_is_nan(terms, format_, first))
        return terms.floating(_COMPARISONS[operator], format_.payload, *arguments)
    if operator in _ARITHMETIC:
        return terms.floating(_ARITHMETIC[operator], format_.payload, *arguments)
    if operator in _ROUNDED:
        return _integral(terms, format_, first, _ROUNDED[operator])
    match operator:
        case "neg":
            return terms.bit("bvxor", first, terms.bv(format_.sign, format_.width))
        case "abs":
            return terms.bit("bvand", first, terms.bv(format_.sign - 1, format_.width))
        case "sqrt":
            return terms.floating("fp.sqrt", format_.payload, first)
    return _promised(terms, operator, type, arguments, unknown)


def _is_nan(terms: Terms, format_: FloatFormat, a: Term) -> Term:
    size = terms.bit("bvand", a, terms.bv(format_.sign - 1, format_.width))
    return terms.bit("bvult", terms.bv(format_.infinity, format_.width), size)


def _integral(terms: Terms, format_: FloatFormat, a: Term, rounding: str) -> Term:
    if a.op == "fp.round":
        return a
    return terms.floating("fp.round", (*format_.payload, ROUNDINGS.index(rounding)), a)


def _promised(terms: Terms, operator: str, type: PlcScalar, arguments: Sequence[Term], unknown: Unknown) -> Term:
    low, high = _RANGES.get(operator, (None, None))
    bounds = "" if low is None else f" ({low} or more)" if high is None else f" ({low} to {high})"
    found = unknown(type, f"{operator.upper()} of {type.name}{bounds}")
    if low is None:
        return found
    format_ = format_of(type)

    def between(a: Term, least: int | None, most: int | None) -> Term:
        parts = [terms.not_(_is_nan(terms, format_, a))]
        if least is not None:
            parts.append(terms.floating("fp.leq", format_.payload, _number(terms, format_, least), a))
        if most is not None:
            parts.append(terms.floating("fp.leq", format_.payload, a, _number(terms, format_, most)))
        return terms.conjunction(parts)

    domain = between(arguments[0], *_DOMAINS.get(operator, (None, None)))
    if operator in ("sin", "cos"):
        size = terms.bit("bvand", arguments[0], terms.bv(format_.sign - 1, format_.width))
        domain = terms.bit("bvult", size, terms.bv(format_.infinity, format_.width))
    inside = terms.ite(between(found, low, high), found, _number(terms, format_, low))
    return terms.ite(domain, inside, found)


def _number(terms: Terms, format_: FloatFormat, number: int) -> Term:
    return terms.bv(floating.rounded(format_, Fraction(number)), format_.width)


def converted_term(terms: Terms, source: PlcScalar, target: PlcScalar, argument: Term, unknown: Unknown) -> Term:
    """A conversion of a value from or to a real number, where the types differ."""
    if target.kind == "real":
        wide = format_of(target)
        if source.kind == "real":
            return terms.floating("fp.to_fp", (*format_of(source).payload, *wide.payload), argument)
        if source.kind == "bool":
            return terms.ite(argument, _number(terms, wide, 1), _number(terms, wide, 0))
        return terms.floating("fp.from_sbv" if source.signed else "fp.from_ubv", wide.payload, argument)
    format_ = format_of(source)
    if target.kind == "bool":
        size = terms.bit("bvand", argument, terms.bv(format_.sign - 1, format_.width))
        return terms.ne(size, terms.bv(0, format_.width))
    whole = _integral(terms, format_, argument, "RNE")
    low, high = target.range
    # Zero and powers of two are numbers of both formats; nothing that is no number is between them.
    above = terms.floating("fp.leq", format_.payload, _number(terms, format_, low), whole)
    below = terms.floating("fp.lt", format_.payload, whole, _number(terms, format_, high + 1))
    found = terms.floating("fp.to_sbv" if target.signed else "fp.to_ubv", (*format_.payload, target.width), whole)
    outside = unknown(target, f"the {target.name} of a {source.name} that {target.name} does not hold")
    return terms.ite(terms.and_(above, below), found, outside)


def bits_of(terms: Terms, source: PlcScalar, target: PlcScalar, argument: Term, unknown: Unknown) -> Term:
    """The bits of a real number; those of what is no number are anybody's."""
    any_ = unknown(target, f"the bits of a {source.name} that is no number")
    return terms.ite(_is_nan(terms, format_of(source), argument), any_, argument)
