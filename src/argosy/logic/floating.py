"""Floating-point numbers of IEEE 754 as bit patterns, and what each operator gives: the machine's results, bit for bit.

A value of a format is the unsigned number that its bits are: sign, biased exponent, fraction. A term of such a value
has the sort of bit-vectors, so that memory, copies and equality know nothing of floats; operators say by their payload
which format they read. Numbers are rounded to the nearest, of two the even one, unless an operator says otherwise.

An operation that gives no number gives *one* pattern, the positive quiet NaN: IEEE 754 leaves open which one it is, and
so does C, where others are chosen if a program can look at it (``Operators.computed``).
What is not computed but copied, negated or freed of its sign keeps its bits.

Laws: an operator gives the exact result, rounded once (``rounded``); where the host's own numbers are used to be fast
they agree with that (the tests compare both, and both with gcc's programs).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, Sort, bits

Payload = tuple[Any, ...]

ROUNDINGS = ("RNE", "RNA", "RTP", "RTN", "RTZ")


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """``exponent`` bits of exponent, ``significand`` bits with the hidden one."""

    exponent: int
    significand: int

    @property
    def width(self) -> int:
        return self.exponent + self.significand

    @property
    def sort(self) -> Sort:
        return bits(self.width)

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def sign(self) -> int:
        """The bit that is the sign."""
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << (self.significand - 1)

    @property
    def nan(self) -> int:
        """What operations give that give no number."""
        return self.infinity | 1 << (self.significand - 2)

    @property
    def payload(self) -> tuple[int, int]:
        return self.exponent, self.significand


SINGLE = FloatFormat(8, 24)
DOUBLE = FloatFormat(11, 53)
# As many digits and as large exponents as ``long double`` has on x86; its patterns there have the hidden bit as well.
EXTENDED = FloatFormat(15, 64)


# ---- reading and rounding -------------------------------------------------------------------------------------


def magnitude(format_: FloatFormat, value: int) -> int:
    return value & (format_.sign - 1)


def is_nan(format_: FloatFormat, value: int) -> bool:
    return magnitude(format_, value) > format_.infinity


def is_infinite(format_: FloatFormat, value: int) -> bool:
    return magnitude(format_, value) == format_.infinity


def is_negative(format_: FloatFormat, value: int) -> bool:
    return bool(value & format_.sign)


def exact(format_: FloatFormat, value: int) -> Fraction:
    """The number that a finite pattern stands for; both zeros are 0."""
    hidden = format_.significand - 1
    own = magnitude(format_, value)
    exponent, fraction = own >> hidden, own & ((1 << hidden) - 1)
    if exponent:
        fraction |= 1 << hidden
    shift = max(exponent, 1) - format_.bias - hidden
    number = Fraction(fraction << shift) if shift >= 0 else Fraction(fraction, 1 << -shift)
    return -number if is_negative(format_, value) else number


def rounded(format_: FloatFormat, number: Fraction, negative_zero: bool = False, rounding: str = "RNE") -> int:
    """The pattern that a number is rounded to. A zero has the sign that is asked for; a number that is rounded to zero
    keeps its own."""
    if not number:
        return format_.sign if negative_zero else 0
    negative, number = number < 0, abs(number)
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    if number < _power(exponent):
        exponent -= 1
    exponent = max(exponent, 1 - format_.bias)
    quotient = number / _power(exponent - format_.significand + 1)
    digits = _integral(quotient, negative, rounding)
    # The hidden bit is added to the exponent, and so is a carry.
    packed = ((exponent + format_.bias - 1) << (format_.significand - 1)) + digits
    if packed >= format_.infinity:
        away = rounding in ("RNE", "RNA") or rounding == ("RTN" if negative else "RTP")
        packed = format_.infinity if away else format_.infinity - 1
    return packed | format_.sign if negative else packed


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _integral(number: Fraction, negative: bool, rounding: str) -> int:
    """A number that is not negative, rounded to an integer as its ``negative`` or positive self would be."""
    below, rest = divmod(number, 1)
    twice = 2 * rest
    match rounding:
        case "RNE":
            up = twice > 1 or (twice == 1 and bool(below & 1))
        case "RNA":
            up = twice >= 1
        case "RTP":
            up = bool(rest) and not negative
        case "RTN":
            up = bool(rest) and negative
        case _:
            up = False
    return int(below) + up


# ---- exact operations -----------------------------------------------------------------------------------------


def _sum(format_: FloatFormat, a: int, b: int) -> int:
    if is_nan(format_, a) or is_nan(format_, b):
        return format_.nan
    if is_infinite(format_, a):
        return format_.nan if is_infinite(format_, b) and a != b else a
    if is_infinite(format_, b):
        return b
    both = is_negative(format_, a) and is_negative(format_, b)
    return rounded(format_, exact(format_, a) + exact(format_, b), both)


def _difference(format_: FloatFormat, a: int, b: int) -> int:
    return _sum(format_, a, b ^ format_.sign)


def _product(format_: FloatFormat, a: int, b: int) -> int:
    if is_nan(format_, a) or is_nan(format_, b):
        return format_.nan
    sign = (a ^ b) & format_.sign
    if is_infinite(format_, a) or is_infinite(format_, b):
        zero = not magnitude(format_, a) or not magnitude(format_, b)
        return format_.nan if zero else format_.infinity | sign
    return rounded(format_, exact(format_, a) * exact(format_, b), bool(sign))


def _quotient(format_: FloatFormat, a: int, b: int) -> int:
    if is_nan(format_, a) or is_nan(format_, b):
        return format_.nan
    sign = (a ^ b) & format_.sign
    if is_infinite(format_, a):
        return format_.nan if is_infinite(format_, b) else format_.infinity | sign
    if is_infinite(format_, b):
        return sign
    if not magnitude(format_, b):
        return format_.infinity | sign if magnitude(format_, a) else format_.nan
    return rounded(format_, exact(format_, a) / exact(format_, b), bool(sign))


def _fmod(format_: FloatFormat, a: int, b: int) -> int:
    """C's ``fmod``: what is left when ``b`` was taken away as often as it fits, with the sign of ``a``. It is exact."""
    if is_nan(format_, a) or is_nan(format_, b) or is_infinite(format_, a) or not magnitude(format_, b):
        return format_.nan
    if is_infinite(format_, b):
        return a
    x, y = exact(format_, a), abs(exact(format_, b))
    rest = abs(x) % y
    return rounded(format_, -rest if x < 0 else rest, is_negative(format_, a))


def _root(format_: FloatFormat, a: int) -> int:
    if is_nan(format_, a) or (is_negative(format_, a) and magnitude(format_, a)):
        return format_.nan
    if is_infinite(format_, a) or not magnitude(format_, a):
        return a
    number = exact(format_, a)
    # More bits than are kept; that there is a rest is one more.
    shift = 2 * (format_.significand + 2 + max(0, -_order(number)))
    scaled = number * (1 << shift)
    root = math.isqrt(scaled.numerator // scaled.denominator)
    half = Fraction(2 * root + (root * root != scaled), 2)
    return rounded(format_, half / (1 << (shift // 2)))


def _order(number: Fraction) -> int:
    return number.numerator.bit_length() - number.denominator.bit_length()


def _round(format_: FloatFormat, rounding: str, a: int) -> int:
    if is_nan(format_, a):
        return format_.nan
    if is_infinite(format_, a):
        return a
    number = exact(format_, a)
    whole = _integral(abs(number), number < 0, rounding)
    return rounded(format_, Fraction(-whole if number < 0 else whole), is_negative(format_, a))


def _compare(format_: FloatFormat, a: int, b: int) -> int | None:
    """Less than, equal to or more than 0, as ``a`` is to ``b``; None where one is no number."""
    if is_nan(format_, a) or is_nan(format_, b):
        return None
    x, y = (-magnitude(format_, v) if is_negative(format_, v) else v for v in (a, b))
    return x - y


def _less(format_: FloatFormat, a: int, b: int) -> bool:
    order = _compare(format_, a, b)
    return order is not None and order < 0


def _at_most(format_: FloatFormat, a: int, b: int) -> bool:
    order = _compare(format_, a, b)
    return order is not None and order <= 0


def convert(source: FloatFormat, target: FloatFormat, value: int) -> int:
    if is_nan(source, value):
        return target.nan
    negative = is_negative(source, value)
    if is_infinite(source, value):
        return target.infinity | target.sign if negative else target.infinity
    return rounded(target, exact(source, value), negative)


def to_integer(format_: FloatFormat, value: int) -> int | None:
    """Towards zero; None where there is no number or an infinite one."""
    return None if magnitude(format_, value) >= format_.infinity else math.trunc(exact(format_, value))


def _to_bits(format_: FloatFormat, width: int, signed: bool, value: int) -> int:
    """The residue of the number towards zero; where it is out of range, the least signed number, as x86 has it."""
    number = to_integer(format_, value)
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    if number is None or not low <= number < high:
        return 1 << (width - 1)
    return number & ((1 << width) - 1)


# ---- as the host computes them -------------------------------------------------------------------------------

_PATTERN = {SINGLE: struct.Struct("<I"), DOUBLE: struct.Struct("<Q")}
_NUMBER = {SINGLE: struct.Struct("<f"), DOUBLE: struct.Struct("<d")}


def to_host(format_: FloatFormat, value: int) -> float:
    """A single or double number as Python has it."""
    number: float = _NUMBER[format_].unpack(_PATTERN[format_].pack(value))[0]
    return number


def from_host(format_: FloatFormat, number: float) -> int:
    if number != number:
        return format_.nan
    try:
        value: int = _PATTERN[format_].unpack(_NUMBER[format_].pack(number))[0]
    except OverflowError:
        return format_.infinity if number > 0 else format_.infinity | format_.sign
    return value


def _on_host(
    compute: Callable[[float, float], float], slow: Callable[..., int]
) -> Callable[[FloatFormat, int, int], int]:
    """Two roundings are as good as one for sums, products and quotients of singles (Figueroa, When is double rounding
    innocuous?, 1995): double has more than twice the bits."""

    def operator(format_: FloatFormat, a: int, b: int) -> int:
        if format_ in _NUMBER:
            try:
                return from_host(format_, compute(to_host(format_, a), to_host(format_, b)))
            except (ZeroDivisionError, ValueError):
                pass
        return slow(format_, a, b)

    return operator


_BINARY: Mapping[str, Callable[[FloatFormat, int, int], int]] = {
    "fp.add": _on_host(lambda x, y: x + y, _sum),
    "fp.sub": _on_host(lambda x, y: x - y, _difference),
    "fp.mul": _on_host(lambda x, y: x * y, _product),
    "fp.div": _on_host(lambda x, y: x / y, _quotient),
    "fp.fmod": _on_host(math.fmod, _fmod),
}
EXACT: Mapping[str, Callable[[FloatFormat, int, int], int]] = {
    "fp.add": _sum,
    "fp.sub": _difference,
    "fp.mul": _product,
    "fp.div": _quotient,
    "fp.fmod": _fmod,
}
COMMUTATIVE = frozenset(("fp.add", "fp.mul", "fp.eq"))
FLOAT_PREDICATES = frozenset(("fp.eq", "fp.lt", "fp.leq"))
_OTHERS = ("fp.sqrt", "fp.round", "fp.to_fp", "fp.from_sbv", "fp.from_ubv", "fp.to_sbv", "fp.to_ubv")
FLOAT_OPERATORS = frozenset((*_BINARY, *FLOAT_PREDICATES, *_OTHERS))
"""All of them begin with the format of their operands, or of the result where these are integers. ``fp.round`` (to an
integral number) adds the rounding (by its place in ``ROUNDINGS``), ``fp.to_fp`` the other format, ``fp.to_sbv`` and
``fp.to_ubv`` (towards zero) the width of the result."""


def result_sort(op: str, payload: Payload) -> Sort:
    if op in FLOAT_PREDICATES:
        return BOOL
    if op == "fp.to_fp":
        return bits(payload[2] + payload[3])
    if op in ("fp.to_sbv", "fp.to_ubv"):
        return bits(payload[2])
    return bits(payload[0] + payload[1])


def apply_float(op: str, payload: Payload, sorts: tuple[Sort, ...], values: tuple[Any, ...]) -> Any:
    """The value of an operator of ``FLOAT_OPERATORS``."""
    format_ = FloatFormat(payload[0], payload[1])
    binary = _BINARY.get(op)
    if binary is not None:
        return binary(format_, *values)
    match op:
        case "fp.lt":
            return _less(format_, *values)
        case "fp.leq":
            return _at_most(format_, *values)
        case "fp.eq":
            return _compare(format_, *values) == 0
        case "fp.sqrt":
            return _root(format_, *values)
        case "fp.round":
            return _round(format_, ROUNDINGS[payload[2]], *values)
        case "fp.to_fp":
            return convert(format_, FloatFormat(payload[2], payload[3]), *values)
        case "fp.to_sbv" | "fp.to_ubv":
            return _to_bits(format_, payload[2], op == "fp.to_sbv", *values)
        case "fp.from_ubv":
            return rounded(format_, Fraction(values[0]))
        case "fp.from_sbv":
            width = sorts[0].width
            own = values[0] - (1 << width) if values[0] >> (width - 1) else values[0]
            return rounded(format_, Fraction(own))
    raise ValueError(f"no such operator: {op}")


# ---- as text --------------------------------------------------------------------------------------------------


def decimal(format_: FloatFormat, value: int) -> str:
    """A constant of C: the shortest decimal number that is rounded to the pattern; what is no finite number is a word,
    with the bits of a NaN that no operation gives."""
    sign = "-" if is_negative(format_, value) else ""
    if is_infinite(format_, value):
        return f"{sign}INFINITY"
    if is_nan(format_, value):
        return "NAN" if value == format_.nan else f"{sign}NAN({magnitude(format_, value):#x})"
    number = to_host(format_, value)
    if format_ == DOUBLE:
        return repr(number)
    texts = (f"{abs(number):.{digits}g}" for digits in range(1, 10))
    size = magnitude(format_, value)
    shortest = next(text for text in texts if read_decimal(format_, text) == size)
    return f"{sign}{float(shortest)!r}f"


def read_decimal(format_: FloatFormat, text: str) -> int | None:
    """The pattern that a decimal or hexadecimal constant of C without suffix is rounded to; None for other text."""
    match = _HEXADECIMAL.fullmatch(text) or _DECIMAL.fullmatch(text)
    if match is None:
        return None
    whole, fraction, exponent = match.group(1), match.group(2) or "", int(match.group(3) or 0)
    base, scale = (16, 2) if match.re is _HEXADECIMAL else (10, 10)
    digits = int((whole + fraction) or "0", base)
    places = exponent - len(fraction) * (4 if base == 16 else 1)
    # What is out of every range need not be computed; the digits themselves are no more than a line has.
    reach = 20_000 + 4 * len(text)
    places = max(-reach, min(reach, places))
    number = Fraction(digits * scale**places) if places >= 0 else Fraction(digits, scale**-places)
    return rounded(format_, number)


_DECIMAL = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)")
