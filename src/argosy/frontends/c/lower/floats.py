"""Operators on floats (C11 6.3.1.4, 6.3.1.5, 6.5, Annex F): each operation is rounded to its type, to the nearest.

Values are the bits that IEEE 754 gives them (``logic.floating``). That every operation is done in its own type is what
``FLT_EVAL_METHOD`` 0 says, as with SSE; with x87 and with contracted operations results may differ.
"""

from __future__ import annotations

from fractions import Fraction

from argosy.frontends.c.types import BinaryFloat, Integer
from argosy.logic.float_circuits import FloatCircuits
from argosy.logic.floating import FloatFormat, exact, rounded
from argosy.logic.terms import Term, Terms

ROUNDED = "each floating-point operation is rounded to its type, to the nearest (FLT_EVAL_METHOD 0)"
NOT_A_NUMBER = "an operation that gives no number gives a quiet NaN of any sign and payload, whatever its operands are"

_OPERATORS = {"+": "fp.add", "-": "fp.sub", "*": "fp.mul", "/": "fp.div"}


class FloatArithmetic:
    """Terms over terms of one type of floats."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.circuits = FloatCircuits(terms)

    def constant(self, type_: BinaryFloat, number: Fraction | int) -> Term:
        return self._terms.const(rounded(type_.format, Fraction(number)), type_.sort)

    def binary(self, op: str, type_: BinaryFloat, a: Term, b: Term) -> Term:
        return self._terms.floating(_OPERATORS[op], type_.format.payload, a, b)

    def compare(self, op: str, type_: BinaryFloat, a: Term, b: Term) -> Term:
        """Nothing is less than, equal to or more than what is no number; such operands are unequal."""
        terms, payload = self._terms, type_.format.payload
        if op in ("==", "!="):
            if a is b:
                equal = terms.not_(self.circuits.is_nan(type_.format, a))
            else:
                equal = terms.floating("fp.eq", payload, a, b)
            return equal if op == "==" else terms.not_(equal)
        if op in (">", ">="):
            a, b = b, a
        return terms.floating("fp.lt" if op in ("<", ">") else "fp.leq", payload, a, b)

    def negated(self, type_: BinaryFloat, a: Term) -> Term:
        return self.circuits.negated(type_.format, a)

    def nonzero(self, type_: BinaryFloat, a: Term) -> Term:
        return self._terms.not_(self.circuits.is_zero(a))

    def any_nan(self, type_: BinaryFloat, a: Term, bits: Term) -> Term:
        """The value; where that is no number, the quiet NaN that has the ``bits`` besides those that make it one."""
        nan = self._terms.bit("bvor", bits, self.circuits.nan(type_.format))
        return self._terms.ite(self.circuits.is_nan(type_.format, a), nan, a)

    # ---- conversions --------------------------------------------------------------------------------------

    def resized(self, source: BinaryFloat, target: BinaryFloat, a: Term) -> Term:
        return self._terms.floating("fp.to_fp", (*source.format.payload, *target.format.payload), a)

    def from_integer(self, source: Integer, target: BinaryFloat, a: Term) -> Term:
        return self._terms.floating("fp.from_sbv" if source.signed else "fp.from_ubv", target.format.payload, a)

    def to_integer(self, source: BinaryFloat, target: Integer, a: Term) -> Term:
        """Towards zero, where ``fits`` holds."""
        payload = (*source.format.payload, target.width)
        return self._terms.floating("fp.to_sbv" if target.signed else "fp.to_ubv", payload, a)

    def fits(self, source: BinaryFloat, target: Integer, a: Term) -> Term:
        """What is left towards zero is a value of the type (6.3.1.4, 1): two comparisons, without any rounding."""
        terms, format_ = self._terms, source.format
        below = target.minimum - 1
        least = rounded(format_, Fraction(below))
        # Where the number below the least one is none of the format, nothing of it lies between.
        strict = exact(format_, least) == below
        low = terms.const(least if strict else rounded(format_, Fraction(target.minimum)), source.sort)
        payload = format_.payload
        above = terms.floating("fp.lt" if strict else "fp.leq", payload, low, a)
        high = terms.const(_from_above(format_, target.maximum + 1), source.sort)
        return terms.and_(above, terms.floating("fp.lt", payload, a, high))


def _from_above(format_: FloatFormat, power: int) -> int:
    """A power of two is a number of the format, or beyond all of them: infinity."""
    return rounded(format_, Fraction(power))
