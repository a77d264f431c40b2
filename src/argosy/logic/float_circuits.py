"""Floating-point numbers as bit-vectors: sign, biased exponent, fraction, as IEEE 754 lays them out.

An operation is computed exactly on significands and rounded once (``_rounded``). A number on its way is a sign, an
exponent and a significand of any width, ``(-1)^sign * significand * 2^exponent``.

Law: on constants each operation gives what exact arithmetic and one rounding give (the tests compare all pairs of small
formats, and the operators' values on random patterns of the formats that C has).
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Protocol

from argosy.basics.records import dataclass
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms


class FloatLayout(Protocol):
    """What has floating-point numbers: bits of the exponent, and of the significand with the hidden one."""

    @property
    def exponent(self) -> int: ...

    @property
    def significand(self) -> int: ...

    @property
    def sort(self) -> Sort: ...


class Rounding(Enum):
    RNE = "to the nearest, of two the even one"
    RNA = "to the nearest, of two the one away from zero"
    RTP = "up"
    RTN = "down"
    RTZ = "towards zero"


@dataclass(frozen=True, slots=True)
class FloatingNumber:
    """A finite number, unless ``nan`` or ``infinite`` holds; ``zero`` where the significand is 0."""

    sign: Term
    exponent: Term
    significand: Term
    nan: Term
    infinite: Term
    zero: Term


class FloatCircuits:
    BINARY: ClassVar[frozenset[str]] = frozenset({"fpadd", "fpsub", "fpmul", "fpdiv"})

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    # ---- the parts of a number ----------------------------------------------------------------------------

    def sign(self, value: Term) -> Term:
        width = value.sort.width
        return self._terms.eq(self._terms.extract(value, width - 1, width - 1), self._terms.bv(1, 1))

    def magnitude(self, value: Term) -> Term:
        return self._terms.extract(value, value.sort.width - 2, 0)

    def _infinity(self, type_: FloatLayout) -> int:
        """The bits of positive infinity."""
        return ((1 << type_.exponent) - 1) << (type_.significand - 1)

    def nan(self, type_: FloatLayout) -> Term:
        return self._terms.bv(self._infinity(type_) | 1 << (type_.significand - 2), type_.sort.width)

    def is_nan(self, type_: FloatLayout, value: Term) -> Term:
        infinity = self._terms.bv(self._infinity(type_), type_.sort.width - 1)
        return self._terms.bit("bvult", infinity, self.magnitude(value))

    def is_infinite(self, type_: FloatLayout, value: Term) -> Term:
        return self._terms.eq(self.magnitude(value), self._terms.bv(self._infinity(type_), type_.sort.width - 1))

    def is_zero(self, value: Term) -> Term:
        return self._terms.eq(self.magnitude(value), self._terms.bv(0, value.sort.width - 1))

    def negated(self, type_: FloatLayout, value: Term) -> Term:
        width = type_.sort.width
        return self._terms.bit("bvxor", value, self._terms.bv(1 << (width - 1), width))

    def absolute(self, type_: FloatLayout, value: Term) -> Term:
        return self._terms.zero_extend(self.magnitude(value), 1)

    # ---- comparisons --------------------------------------------------------------------------------------

    def equal(self, type_: FloatLayout, a: Term, b: Term) -> Term:
        terms = self._terms
        zeros = terms.and_(self.is_zero(a), self.is_zero(b))
        return terms.and_(*self._ordered(type_, a, b), terms.or_(terms.eq(a, b), zeros))

    def _ordered(self, type_: FloatLayout, a: Term, b: Term) -> tuple[Term, Term]:
        return self._terms.not_(self.is_nan(type_, a)), self._terms.not_(self.is_nan(type_, b))

    def compare(self, op: str, type_: FloatLayout, a: Term, b: Term) -> Term:
        if op in (">", ">="):
            a, b = b, a
        less = self._less(type_, a, b)
        return less if op in ("<", ">") else self._terms.or_(less, self.equal(type_, a, b))

    def _less(self, type_: FloatLayout, a: Term, b: Term) -> Term:
        terms = self._terms
        magnitudes = self.magnitude(a), self.magnitude(b)
        positive = terms.and_(terms.not_(self.sign(b)), terms.bit("bvult", *magnitudes))
        zeros = terms.and_(self.is_zero(a), self.is_zero(b))
        negative = terms.or_(terms.not_(self.sign(b)), terms.bit("bvult", *reversed(magnitudes)))
        ordered = terms.ite(self.sign(a), terms.and_(negative, terms.not_(zeros)), positive)
        return terms.and_(*self._ordered(type_, a, b), ordered)

    # ---- arithmetic ---------------------------------------------------------------------------------------

    def literal(self, type_: FloatLayout, negative: bool, exponent: int, fraction: int) -> Term:
        packed = (negative << type_.exponent | exponent) << (type_.significand - 1) | fraction
        return self._terms.bv(packed, type_.sort.width)

    def binary(self, op: str, type_: FloatLayout, a: Term, b: Term, rounding: Rounding) -> Term:
        if op == "fpsub":
            op, b = "fpadd", self.negated(type_, b)
        x, y = self._unpacked(type_, a), self._unpacked(type_, b)
        compute = {"fpadd": self._sum, "fpmul": self._product, "fpdiv": self._quotient}[op]
        return self._packed(type_, compute(type_, x, y, rounding), rounding)

    def converted(self, source: FloatLayout, value: Term, target: FloatLayout, rounding: Rounding) -> Term:
        width = max(self._exponent_width(source), self._exponent_width(target)) + 1
        number = self._unpacked(source, value)
        exponent = self._terms.sign_extend(number.exponent, width - number.exponent.sort.width)
        return self._packed(target, self._with(number, exponent, number.significand), rounding)

    def from_bits(self, value: Term, target: FloatLayout, signed: bool, rounding: Rounding) -> Term:
        """The number that a bit-vector stands for."""
        terms, width = self._terms, value.sort.width
        sign = self.sign(value) if signed else terms.false
        magnitude = terms.ite(sign, terms.bit("bvneg", value), value)
        exponent = terms.bv(0, self._exponent_width(target) + width.bit_length() + 1)
        zero = terms.eq(value, terms.bv(0, width))
        # Zero is positive.
        number = FloatingNumber(sign, exponent, magnitude, terms.false, terms.false, zero)
        return self._packed(target, number, rounding)

    def to_bits(self, source: FloatLayout, value: Term, width: int, signed: bool) -> Term:
        """Towards zero; out of range, the least signed number."""
        terms, kept = self._terms, source.significand
        number = self._unpacked(source, value)
        order = self._order(source, number)
        ewidth = self._width(number)
        room = width + kept
        shift = self._sized(order, room)
        whole = terms.bit("bvshl", terms.zero_extend(number.significand, width), shift)
        size = terms.extract(whole, room - 1, kept - 1)
        small = terms.bit("bvslt", order, terms.bv(0, ewidth))
        size = terms.ite(small, terms.bv(0, width + 1), size)
        far = terms.not_(terms.bit("bvslt", order, terms.bv(width, ewidth)))
        low = terms.extract(size, width - 1, 0)
        residue = terms.ite(number.sign, terms.bit("bvneg", low), low)
        if signed:
            limit = terms.ite(
                number.sign, terms.bv(1 << (width - 1), width + 1), terms.bv((1 << (width - 1)) - 1, width + 1)
            )
        else:
            limit = terms.ite(number.sign, terms.bv(0, width + 1), terms.bv((1 << width) - 1, width + 1))
        outside = terms.or_(number.nan, number.infinite, far, terms.bit("bvult", limit, size))
        return terms.ite(outside, terms.bv(1 << (width - 1), width), residue)

    def _order(self, type_: FloatLayout, number: FloatingNumber) -> Term:
        """The exponent of the bit that is the hidden one."""
        return self._terms.bit("bvadd", number.exponent, self._terms.bv(type_.significand - 1, self._width(number)))

    def _sized(self, value: Term, width: int) -> Term:
        """A number that is not negative and fits, in another width."""
        own = value.sort.width
        return self._terms.extract(value, width - 1, 0) if width <= own else self._terms.zero_extend(value, width - own)

    def _exponent_width(self, type_: FloatLayout) -> int:
        """Enough for sums of a few exponents and of a few widths of the significand."""
        return type_.exponent + type_.significand.bit_length() + 4

    def _unpacked(self, type_: FloatLayout, value: Term) -> FloatingNumber:
        """The significand of a normal number begins with its hidden bit."""
        terms, hidden = self._terms, type_.significand - 1
        width = self._exponent_width(type_)
        fraction = terms.extract(value, hidden - 1, 0)
        biased = terms.extract(value, hidden + type_.exponent - 1, hidden)
        subnormal = terms.eq(biased, terms.bv(0, type_.exponent))
        lead = terms.ite(subnormal, terms.bv(0, 1), terms.bv(1, 1))
        shown = terms.ite(subnormal, terms.bv(1, type_.exponent), biased)
        shift = terms.bv(-(self._bias(type_) + hidden), width)
        exponent = terms.bit("bvadd", terms.zero_extend(shown, width - type_.exponent), shift)
        return FloatingNumber(
            self.sign(value),
            exponent,
            terms.concat(lead, fraction),
            self.is_nan(type_, value),
            self.is_infinite(type_, value),
            self.is_zero(value),
        )

    @staticmethod
    def _bias(type_: FloatLayout) -> int:
        return (1 << (type_.exponent - 1)) - 1

    def _with(self, number: FloatingNumber, exponent: Term, significand: Term) -> FloatingNumber:
        return FloatingNumber(number.sign, exponent, significand, number.nan, number.infinite, number.zero)

    def _sum(self, type_: FloatLayout, x: FloatingNumber, y: FloatingNumber, rounding: Rounding) -> FloatingNumber:
        """The smaller one is shifted to the exponent of the larger one; what is shifted out is kept as one bit."""
        terms, room = self._terms, type_.significand + 2
        swap = terms.bit("bvslt", x.exponent, y.exponent)
        high, low = self._chosen(swap, y, x), self._chosen(swap, x, y)
        wide = [terms.concat(terms.zero_extend(n.significand, 1), terms.bv(0, room)) for n in (high, low)]
        width = wide[0].sort.width
        distance = terms.bit("bvsub", high.exponent, low.exponent)
        aligned = self._shifted_right(wide[1], distance)
        same = terms.eq(high.sign, low.sign)
        total = terms.ite(same, terms.bit("bvadd", wide[0], aligned), terms.bit("bvsub", wide[0], aligned))
        below = terms.and_(terms.not_(same), terms.bit("bvult", wide[0], aligned))
        total = terms.ite(below, terms.bit("bvneg", total), total)
        zero = terms.eq(total, terms.bv(0, width))
        # A sum that vanishes is positive, unless both were negative, or numbers are rounded down.
        vanished = terms.ite(same, high.sign, terms.boolean(rounding is Rounding.RTN))
        sign = terms.ite(zero, vanished, terms.xor(high.sign, below))
        infinite = terms.or_(x.infinite, y.infinite)
        opposed = terms.and_(x.infinite, y.infinite, terms.not_(terms.eq(x.sign, y.sign)))
        sign = terms.ite(x.infinite, x.sign, terms.ite(y.infinite, y.sign, sign))
        exponent = terms.bit("bvsub", high.exponent, terms.bv(room, high.exponent.sort.width))
        return FloatingNumber(
            sign, exponent, total, terms.or_(x.nan, y.nan, opposed), infinite, terms.and_(zero, terms.not_(infinite))
        )

    def _chosen(self, condition: Term, a: FloatingNumber, b: FloatingNumber) -> FloatingNumber:
        ite = self._terms.ite
        return FloatingNumber(
            ite(condition, a.sign, b.sign),
            ite(condition, a.exponent, b.exponent),
            ite(condition, a.significand, b.significand),
            ite(condition, a.nan, b.nan),
            ite(condition, a.infinite, b.infinite),
            ite(condition, a.zero, b.zero),
        )

    def _product(self, type_: FloatLayout, x: FloatingNumber, y: FloatingNumber, rounding: Rounding) -> FloatingNumber:
        terms, width = self._terms, type_.significand
        significand = terms.bit("bvmul", *(terms.zero_extend(n.significand, width) for n in (x, y)))
        infinite = terms.or_(x.infinite, y.infinite)
        zero = terms.or_(x.zero, y.zero)
        return FloatingNumber(
            terms.xor(x.sign, y.sign),
            terms.bit("bvadd", x.exponent, y.exponent),
            significand,
            terms.or_(x.nan, y.nan, terms.and_(zero, infinite)),
            infinite,
            terms.and_(zero, terms.not_(infinite)),
        )

    def _quotient(self, type_: FloatLayout, x: FloatingNumber, y: FloatingNumber, rounding: Rounding) -> FloatingNumber:
        """Of normalised significands, with enough bits to round; whether there is a rest is one more."""
        terms, more = self._terms, type_.significand + 2
        x, y = self._normalised(x), self._normalised(y)
        dividend = terms.concat(x.significand, terms.bv(0, more))
        divisor = terms.zero_extend(y.significand, more)
        rest = terms.eq(terms.bit("bvurem", dividend, divisor), terms.bv(0, dividend.sort.width))
        sticky = terms.ite(rest, terms.bv(0, 1), terms.bv(1, 1))
        exponent = terms.bit("bvsub", terms.bit("bvsub", x.exponent, y.exponent), terms.bv(more + 1, self._width(x)))
        return FloatingNumber(
            terms.xor(x.sign, y.sign),
            exponent,
            terms.concat(terms.bit("bvudiv", dividend, divisor), sticky),
            terms.or_(x.nan, y.nan, terms.and_(x.zero, y.zero), terms.and_(x.infinite, y.infinite)),
            terms.or_(x.infinite, y.zero),
            terms.or_(x.zero, y.infinite),
        )

    @staticmethod
    def _width(number: FloatingNumber) -> int:
        return number.exponent.sort.width

    # ---- rounding -----------------------------------------------------------------------------------------

    def _shifted_right(self, value: Term, by: Term) -> Term:
        """The last bit is set if anything but zeros was shifted out. ``by`` is not negative."""
        terms = self._terms
        width = max(value.sort.width, by.sort.width)
        wide, by = terms.zero_extend(value, width - value.sort.width), terms.zero_extend(by, width - by.sort.width)
        shifted = terms.bit("bvlshr", wide, by)
        lost = terms.not_(terms.eq(terms.bit("bvshl", shifted, by), wide))
        far = terms.not_(terms.bit("bvult", by, terms.bv(value.sort.width, width)))
        lost = terms.ite(far, terms.not_(terms.eq(value, terms.bv(0, value.sort.width))), lost)
        narrow = terms.extract(shifted, value.sort.width - 1, 0)
        return terms.bit("bvor", narrow, terms.ite(lost, terms.bv(1, value.sort.width), terms.bv(0, value.sort.width)))

    def _normalised(self, number: FloatingNumber) -> FloatingNumber:
        """With the highest bit of the significand set, unless it is 0: zeros are shifted out by powers of two."""
        terms = self._terms
        significand, exponent = number.significand, number.exponent
        width = significand.sort.width
        step = 1 << (width.bit_length() - 1)
        while step:
            if step < width:
                leading = terms.extract(significand, width - 1, width - step)
                empty = terms.eq(leading, terms.bv(0, step))
                moved = terms.bit("bvshl", significand, terms.bv(step, width))
                significand = terms.ite(empty, moved, significand)
                lower = terms.bit("bvsub", exponent, terms.bv(step, exponent.sort.width))
                exponent = terms.ite(empty, lower, exponent)
            step >>= 1
        return self._with(number, exponent, significand)

    def _packed(self, type_: FloatLayout, number: FloatingNumber, rounding: Rounding) -> Term:
        """The number of the type that the number on its way is rounded to."""
        terms, kept = self._terms, type_.significand
        if number.significand.sort.width < kept + 2:
            more = kept + 2 - number.significand.sort.width
            lower = terms.bit("bvsub", number.exponent, terms.bv(more, self._width(number)))
            number = self._with(number, lower, terms.concat(number.significand, terms.bv(0, more)))
        number = self._normalised(number)
        significand, width = number.significand, number.significand.sort.width
        ewidth = self._width(number)
        # The exponent that the number has when its point follows the highest bit.
        exponent = terms.bit("bvadd", number.exponent, terms.bv(width - 1, ewidth))
        least = terms.bv(1 - self._bias(type_), ewidth)
        subnormal = terms.bit("bvslt", exponent, least)
        missing = terms.ite(subnormal, terms.bit("bvsub", least, exponent), terms.bv(0, ewidth))
        significand = self._shifted_right(significand, missing)
        exponent = terms.ite(subnormal, least, exponent)
        rounded = self._rounded(number.sign, significand, kept, rounding)
        carry = terms.eq(terms.extract(rounded, kept, kept), terms.bv(1, 1))
        exponent = terms.ite(carry, terms.bit("bvadd", exponent, terms.bv(1, ewidth)), exponent)
        # After a carry all other bits are 0.
        normal = terms.or_(carry, terms.eq(terms.extract(rounded, kept - 1, kept - 1), terms.bv(1, 1)))
        biased = terms.bit("bvadd", exponent, terms.bv(self._bias(type_), ewidth))
        biased = terms.ite(normal, biased, terms.bv(0, ewidth))
        overflow = terms.not_(terms.bit("bvslt", biased, terms.bv((1 << type_.exponent) - 1, ewidth)))
        packed = terms.concat(terms.extract(biased, type_.exponent - 1, 0), terms.extract(rounded, kept - 2, 0))
        return self._special(type_, number, packed, overflow, rounding)

    def _special(
        self, type_: FloatLayout, number: FloatingNumber, packed: Term, overflow: Term, rounding: Rounding
    ) -> Term:
        terms, width = self._terms, type_.sort.width - 1
        infinity = terms.bv(self._infinity(type_), width)
        largest = terms.bv(self._infinity(type_) - 1, width)
        beyond = {
            Rounding.RTZ: largest,
            Rounding.RTP: terms.ite(number.sign, largest, infinity),
            Rounding.RTN: terms.ite(number.sign, infinity, largest),
        }.get(rounding, infinity)
        packed = terms.ite(overflow, beyond, packed)
        packed = terms.ite(number.zero, terms.bv(0, width), packed)
        packed = terms.ite(number.infinite, infinity, packed)
        signed = terms.concat(terms.ite(number.sign, terms.bv(1, 1), terms.bv(0, 1)), packed)
        return terms.ite(number.nan, self.nan(type_), signed)

    def _rounded(self, sign: Term, significand: Term, kept: int, rounding: Rounding) -> Term:
        """The ``kept`` highest bits, rounded by the others, in one bit more for the carry."""
        terms, width = self._terms, significand.sort.width
        cut = width - kept
        high = terms.zero_extend(terms.extract(significand, width - 1, cut), 1)
        half = terms.eq(terms.extract(significand, cut - 1, cut - 1), terms.bv(1, 1))
        rest = terms.not_(terms.eq(terms.extract(significand, cut - 2, 0), terms.bv(0, cut - 1)))
        odd = terms.eq(terms.extract(significand, cut, cut), terms.bv(1, 1))
        inexact = terms.or_(half, rest)
        up = {
            Rounding.RNE: terms.and_(half, terms.or_(rest, odd)),
            Rounding.RNA: half,
            Rounding.RTP: terms.and_(inexact, terms.not_(sign)),
            Rounding.RTN: terms.and_(inexact, sign),
            Rounding.RTZ: terms.false,
        }[rounding]
        return terms.bit("bvadd", high, terms.ite(up, terms.bv(1, kept + 1), terms.bv(0, kept + 1)))
