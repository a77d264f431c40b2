"""What the operators on floats are short for: terms of bit-vectors, with roots, remainders and integral numbers.

Whoever knows bit-vectors only (a solver, a text in SMT-LIB, gates) is given this long form, by ``meaning`` or
``without_floats``.

Law: an operator and its meaning have the same value under every valuation (``tests/logic`` compares them on random
patterns, and with z3's theory of floating point).
"""

from __future__ import annotations

from collections.abc import MutableMapping

from argosy.logic.float_circuits import FloatCircuits, FloatingNumber, FloatLayout, Rounding
from argosy.logic.floating import FLOAT_OPERATORS, ROUNDINGS, FloatFormat
from argosy.logic.graph import postorder
from argosy.logic.terms import Term, Terms


class FloatMeanings(FloatCircuits):
    def integral(self, type_: FloatLayout, value: Term, rounding: Rounding) -> Term:
        """The integral number that is next. The bits behind the point are cut off; to add one in the place before it
        is right even where it is carried into the exponent."""
        terms, width, kept = self._terms, type_.sort.width, type_.significand
        number = self._unpacked(type_, value)
        order = self._order(type_, number)
        ewidth = self._width(number)
        behind = terms.bit("bvsub", terms.bv(kept - 1, ewidth), order)
        shift = self._sized(behind, width) if width <= ewidth else terms.sign_extend(behind, width - ewidth)
        one = terms.bit("bvshl", terms.bv(1, width), shift)
        mask = terms.bit("bvsub", one, terms.bv(1, width))
        rest = terms.bit("bvand", value, mask)
        cut = terms.bit("bvand", value, terms.bit("bvnot", mask))
        half = terms.bit("bvlshr", one, terms.bv(1, width))
        zero = terms.bv(0, width)
        inexact = terms.ne(rest, zero)
        odd = terms.ne(terms.bit("bvand", value, one), zero)
        more, same = terms.bit("bvult", half, rest), terms.eq(half, rest)
        up = {
            Rounding.RNE: terms.or_(more, terms.and_(same, odd)),
            Rounding.RNA: terms.or_(more, same),
            Rounding.RTP: terms.and_(inexact, terms.not_(number.sign)),
            Rounding.RTN: terms.and_(inexact, number.sign),
            Rounding.RTZ: terms.false,
        }[rounding]
        large = terms.ite(up, terms.bit("bvadd", cut, one), cut)
        # Below one: zero or one, by whether it is at least a half.
        bias = self._bias(type_)
        point = kept - 1
        own_half, own_one = terms.bv((bias - 1) << point, width - 1), terms.bv(bias << point, width - 1)
        size = self.magnitude(value)
        nonzero = terms.not_(number.zero)
        away = {
            Rounding.RNE: terms.bit("bvult", own_half, size),
            Rounding.RNA: terms.not_(terms.bit("bvult", size, own_half)),
            Rounding.RTP: terms.and_(nonzero, terms.not_(number.sign)),
            Rounding.RTN: terms.and_(nonzero, number.sign),
            Rounding.RTZ: terms.false,
        }[rounding]
        tiny = terms.concat(
            terms.extract(value, width - 1, width - 1), terms.ite(away, own_one, terms.bv(0, width - 1))
        )
        small = terms.bit("bvult", size, own_one)
        whole = terms.not_(terms.bit("bvslt", order, terms.bv(kept - 1, ewidth)))
        result = terms.ite(small, tiny, terms.ite(whole, value, large))
        return terms.ite(number.nan, self.nan(type_), result)

    def root(self, type_: FloatLayout, value: Term) -> Term:
        """Digit by digit, of a significand with an even exponent; that there is a rest is one more digit."""
        terms, kept = self._terms, type_.significand
        number = self._normalised(self._unpacked(type_, value))
        ewidth = self._width(number)
        digits = kept + 2
        shift = kept + 3
        lower = terms.bit("bvsub", number.exponent, terms.bv(shift, ewidth))
        odd = terms.eq(terms.extract(lower, 0, 0), terms.bv(1, 1))
        radicand = terms.concat(terms.zero_extend(number.significand, 1), terms.bv(0, shift))
        radicand = terms.ite(odd, terms.bit("bvshl", radicand, terms.bv(1, radicand.sort.width)), radicand)
        even = terms.ite(odd, terms.bit("bvsub", lower, terms.bv(1, ewidth)), lower)
        width = digits + 2
        root, rest = terms.bv(0, width), terms.bv(0, width)
        for place in reversed(range(digits)):
            pair = terms.extract(radicand, 2 * place + 1, 2 * place)
            rest = terms.concat(terms.extract(rest, width - 3, 0), pair)
            trial = terms.bit("bvor", terms.bit("bvshl", root, terms.bv(2, width)), terms.bv(1, width))
            fits = terms.not_(terms.bit("bvult", rest, trial))
            rest = terms.ite(fits, terms.bit("bvsub", rest, trial), rest)
            digit = terms.ite(fits, terms.bv(1, width), terms.bv(0, width))
            root = terms.bit("bvor", terms.bit("bvshl", root, terms.bv(1, width)), digit)
        sticky = terms.ite(terms.eq(rest, terms.bv(0, width)), terms.bv(0, 1), terms.bv(1, 1))
        exponent = terms.bit("bvsub", terms.bit("bvashr", even, terms.bv(1, ewidth)), terms.bv(1, ewidth))
        result = self._packed(type_, self._with(number, exponent, terms.concat(root, sticky)), Rounding.RNE)
        negative = terms.and_(number.sign, terms.not_(number.zero))
        return terms.ite(terms.or_(number.nan, negative), self.nan(type_), result)

    def remainder(self, type_: FloatLayout, a: Term, b: Term) -> Term:
        """C's ``fmod``. A power of two modulo the divisor is found by squaring: exponents may be far apart."""
        terms, kept = self._terms, type_.significand
        x, y = self._unpacked(type_, a), self._unpacked(type_, b)
        width = 2 * kept + 1
        divisor = terms.zero_extend(y.significand, width - kept)
        distance = terms.bit("bvsub", x.exponent, y.exponent)
        power = terms.bit("bvurem", terms.bv(1, width), divisor)
        for place in reversed(range(type_.exponent)):
            power = terms.bit("bvurem", terms.bit("bvmul", power, power), divisor)
            twice = terms.bit("bvurem", terms.bit("bvshl", power, terms.bv(1, width)), divisor)
            bit = terms.eq(terms.extract(distance, place, place), terms.bv(1, 1))
            power = terms.ite(bit, twice, power)
        product = terms.bit("bvmul", terms.zero_extend(x.significand, width - kept), power)
        rest = terms.bit("bvurem", product, divisor)
        zero = terms.eq(rest, terms.bv(0, width))
        number = FloatingNumber(x.sign, y.exponent, rest, terms.false, terms.false, zero)
        result = self._packed(type_, number, Rounding.RNE)
        less = terms.bit("bvslt", distance, terms.bv(0, distance.sort.width))
        result = terms.ite(terms.or_(less, y.infinite), a, result)
        return terms.ite(terms.or_(x.nan, y.nan, x.infinite, y.zero), self.nan(type_), result)

    def meaning(self, term: Term) -> Term:
        """The bit-vectors that an operator on floats is short for, over its own arguments."""
        type_, rest = FloatFormat(*term.payload[:2]), term.payload[2:]
        a, b = term.args[0], term.args[-1]
        nearest = Rounding.RNE
        match term.op:
            case "fp.add" | "fp.sub" | "fp.mul" | "fp.div":
                return self.binary(term.op.replace(".", ""), type_, a, b, nearest)
            case "fp.fmod":
                return self.remainder(type_, a, b)
            case "fp.sqrt":
                return self.root(type_, a)
            case "fp.round":
                return self.integral(type_, a, Rounding[ROUNDINGS[rest[0]]])
            case "fp.eq":
                return self.equal(type_, a, b)
            case "fp.lt":
                return self.compare("<", type_, a, b)
            case "fp.leq":
                return self.compare("<=", type_, a, b)
            case "fp.to_fp":
                return self.converted(type_, a, FloatFormat(*rest), nearest)
            case "fp.from_sbv" | "fp.from_ubv":
                return self.from_bits(a, type_, term.op == "fp.from_sbv", nearest)
            case "fp.to_sbv" | "fp.to_ubv":
                return self.to_bits(type_, a, rest[0], term.op == "fp.to_sbv")
        raise ValueError(f"no operator on floats: {term.op}")


def without_floats(terms: Terms, term: Term, memo: MutableMapping[Term, Term] | None = None) -> Term:
    """The same in bit-vectors alone. A ``memo`` may be shared between calls."""
    if not terms.floats:
        return term
    known = {} if memo is None else memo
    circuits = FloatMeanings(terms)
    for sub in postorder(term):
        if sub in known:
            continue
        args = tuple(known[a] for a in sub.args)
        if sub.op in FLOAT_OPERATORS:
            made = terms.floating(sub.op, sub.payload, *args)
            known[sub] = circuits.meaning(made) if made.op in FLOAT_OPERATORS else made
        elif all(x is y for x, y in zip(args, sub.args, strict=True)):
            known[sub] = sub
        else:
            known[sub] = terms.app(sub.op, args, sub.payload, sub.sort)
    return known[term]
