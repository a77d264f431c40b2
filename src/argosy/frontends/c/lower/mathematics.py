"""Calls of ``math.h``: what can be computed is, of the rest only what the standard promises is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from argosy.basics.position import Position
from argosy.frontends.c.lower.operators import Operators, Value
from argosy.frontends.c.mathematics import (
    BITS,
    ONE_AT_ZERO,
    ORDERS,
    OTHERS,
    UNPROMISED,
    ZERO_AT_ONE,
    ZERO_AT_ZERO,
    MathFunction,
    Promise,
)
from argosy.frontends.c.types import BinaryFloat, Integer, Scalar, Type
from argosy.frontends.c.unsupported import Construct
from argosy.logic.floating import ROUNDINGS, rounded
from argosy.logic.terms import Term

_ROUNDED = {
    "floor": "RTN",
    "ceil": "RTP",
    "trunc": "RTZ",
    "round": "RNA",
    "rint": "RNE",
    "nearbyint": "RNE",
    "roundeven": "RNE",
}
_TO_INTEGER = {"lrint": "RNE", "llrint": "RNE", "lround": "RNA", "llround": "RNA"}
# They look at the sign, of whatever it is.
SIGNS = ("signbit", "copysign")
_RESULTS = {"i": "int", "l": "long", "q": "long long", "u": "unsigned int", "Q": "unsigned long long"}
# As the GNU C library has them.
_NAN, _INFINITE, _ZERO, _SUBNORMAL, _NORMAL = range(5)


class MathCalls:
    def __init__(self, operators: Operators) -> None:
        self._operators = operators
        self._terms = operators.terms
        self._circuits = operators.floats.circuits
        self._exact: dict[str, Callable[..., Term]] = {
            "fabs": lambda t, x: self._circuits.absolute(t.format, x),
            "sqrt": lambda t, x: self._terms.floating("fp.sqrt", t.format.payload, x),
            "fmod": lambda t, x, y: self._terms.floating("fp.fmod", t.format.payload, x, y),
            "fmin": lambda t, x, y: self._extreme("<", t, x, y),
            "fmax": lambda t, x, y: self._extreme(">", t, x, y),
            "copysign": self._copysign,
            "fdim": self._positive_difference,
        }

    def value(
        self, function: MathFunction, name: str, values: Sequence[Value], text: str | None, position: Position
    ) -> Value | None:
        """What a call gives; ``text`` is that of a string among the arguments. None where the arguments are of types
        that the function does not have here."""
        model = self._operators.model
        type_ = model.floats["float" if function.single else "double"]
        if function.generic and values:
            types = [v.type for v in values if isinstance(v.type, BinaryFloat)]
            type_ = max(types, key=lambda t: t.size, default=type_)
        assert isinstance(type_, BinaryFloat)
        if function.stem in BITS:
            return self._same_bits(function, type_, values)
        if function.form in ("d", "dc"):
            return self._special(function.stem, type_, text)
        # Where one of two numbers that are compared is a float, the other may be an integer.
        taken = BinaryFloat | Integer if function.stem in ORDERS and function.generic else BinaryFloat
        floats = [
            self._operators.convert(value, type_, position)
            for value, letter in zip(values, function.form[1:], strict=False)
            if letter == "d" and isinstance(value.type, taken)
        ]
        if len(floats) != function.form[1:].count("d"):
            return None
        known = [value.term for value in floats if value.term is not None]
        result = self._result(function, type_)
        if len(known) < len(floats):
            return Value(None, result, next(v.refusal for v in floats if v.refusal is not None))
        self._operators.unit.note("functions of math.h leave errno and floating-point exceptions alone")
        if function.stem in SIGNS:
            self._operators.unit.shows_bits = True
        if function.stem in OTHERS:
            made = self._promised(function, name, type_, result, known, position)
        else:
            made = self._computed(function, type_, result, known, position)
        if made.term is None or not isinstance(made.type, BinaryFloat) or function.stem in (*SIGNS, "fabs"):
            return made
        return Value(self._operators.computed(made.type, made.term, position), made.type)

    def _result(self, function: MathFunction, type_: BinaryFloat) -> Type:
        model = self._operators.model
        letter = function.form[0]
        return type_ if letter == "d" else model[_RESULTS[letter]]

    def _same_bits(self, function: MathFunction, type_: BinaryFloat, values: Sequence[Value]) -> Value:
        """A number as its bits, or bits as the number that they are."""
        result = self._result(function, type_)
        return Value(values[0].term, result, values[0].refusal)

    def _special(self, stem: str, type_: BinaryFloat, text: str | None) -> Value | None:
        """Infinity, or the NaN that a string asks for (7.22.1.3)."""
        format_ = type_.format
        if stem in ("inf", "huge_val"):
            return self._operators.number(format_.infinity, type_)
        try:
            digits = "" if text is None else text[1:-1]
            number = int(digits, 0) if digits else 0
        except ValueError:
            return None
        if text is None:
            return None
        payload = number & ((1 << (format_.significand - 2)) - 1)
        if stem == "nans":
            return self._operators.number(format_.infinity | (payload or 1 << (format_.significand - 3)), type_)
        return self._operators.number(format_.nan | payload, type_)

    def _computed(
        self, function: MathFunction, type_: BinaryFloat, result: Type, values: list[Term], position: Position
    ) -> Value:
        stem = function.stem
        if stem in _ROUNDED:
            return Value(self._integral(_ROUNDED[stem], type_, values[0]), type_)
        if stem in _TO_INTEGER:
            whole = self._integral(_TO_INTEGER[stem], type_, values[0])
            return Value(self._whole_number(stem, type_, result, whole, position), result)
        if stem in self._exact:
            return Value(self._exact[stem](type_, *values), type_)
        if len(values) == 2:
            return self._operators.truth_value(self._ordered(stem, type_, *values))
        if stem in ("fpclassify", "isinf_sign"):
            classify = self._class if stem == "fpclassify" else self._sign
            return Value(classify(type_, values[0]), result)
        if stem == "signbit":
            return Value(self._sign_told(type_, values[0], position), result)
        return self._operators.truth_value(self._is(stem, type_, values[0]))

    # ---- exact ones ---------------------------------------------------------------------------------------

    def _integral(self, rounding: str, type_: BinaryFloat, x: Term) -> Term:
        return self._terms.floating("fp.round", (*type_.format.payload, ROUNDINGS.index(rounding)), x)

    def _whole_number(self, stem: str, type_: BinaryFloat, result: Type, whole: Term, position: Position) -> Term:
        """What is beyond the type of the result gives some number of it (7.12.9.5, 7.12.9.7)."""
        assert isinstance(result, Integer)
        floats, beyond = self._operators.floats, f"{stem} of a number that '{result}' does not hold"
        some = self._operators.arbitrary(result, position, beyond, Construct.RESULT)
        return self._terms.ite(floats.fits(type_, result, whole), floats.to_integer(type_, result, whole), some)

    def modf(self, type_: BinaryFloat, x: Term) -> tuple[Term, Term]:
        """The part behind the point and the one before it, both with the sign of the number (7.12.6.12)."""
        whole = self._integral("RTZ", type_, x)
        zero = self._terms.const(0, type_.sort)
        rest = self._operators.floats.binary("-", type_, x, whole)
        rest = self._terms.ite(self._circuits.is_infinite(type_.format, x), zero, rest)
        nan = self._circuits.is_nan(type_.format, x)
        return self._terms.ite(nan, whole, self._copysign(type_, rest, x)), whole

    def _extreme(self, op: str, type_: BinaryFloat, x: Term, y: Term) -> Term:
        """Of a number and what is none the number; of two zeros C leaves either open (F.10.9.2): the first, as glibc
        has it."""
        self._operators.unit.note("fmin and fmax of zeros with different signs give the first")
        terms, format_ = self._terms, type_.format
        other = self._operators.floats.compare(op, type_, y, x)
        chosen = terms.ite(terms.or_(other, self._circuits.is_nan(format_, x)), y, x)
        both = terms.and_(self._circuits.is_nan(format_, x), self._circuits.is_nan(format_, y))
        return terms.ite(both, self._circuits.nan(format_), chosen)

    def _copysign(self, type_: BinaryFloat, x: Term, y: Term) -> Term:
        width = type_.format.width
        return self._terms.concat(self._terms.extract(y, width - 1, width - 1), self._circuits.magnitude(x))

    def _positive_difference(self, type_: BinaryFloat, x: Term, y: Term) -> Term:
        floats = self._operators.floats
        return self._terms.ite(
            floats.compare("<=", type_, x, y), self._terms.const(0, type_.sort), floats.binary("-", type_, x, y)
        )

    def _ordered(self, stem: str, type_: BinaryFloat, x: Term, y: Term) -> Term:
        compare, terms = self._operators.floats.compare, self._terms
        match stem:
            case "isunordered":
                return terms.or_(self._circuits.is_nan(type_.format, x), self._circuits.is_nan(type_.format, y))
            case "islessgreater":
                return terms.or_(compare("<", type_, x, y), compare(">", type_, x, y))
        op = {"isless": "<", "islessequal": "<=", "isgreater": ">", "isgreaterequal": ">="}[stem]
        return compare(op, type_, x, y)

    def _is(self, stem: str, type_: BinaryFloat, x: Term) -> Term:
        terms, format_ = self._terms, type_.format
        size = self._circuits.magnitude(x)
        infinity = terms.const(format_.infinity, size.sort)
        finite = terms.bit("bvult", size, infinity)
        match stem:
            case "isnan":
                return self._circuits.is_nan(format_, x)
            case "isinf":
                return self._circuits.is_infinite(format_, x)
            case "isfinite" | "finite":
                return finite
        least = terms.const(1 << (format_.significand - 1), size.sort)
        return terms.and_(finite, terms.not_(terms.bit("bvult", size, least)))

    def _sign_told(self, type_: BinaryFloat, x: Term, position: Position) -> Term:
        """Some number but 0 where the sign is set (7.12.3.6): always the same of one type, which compilers and
        libraries choose (1, 8, 128, ``INT_MIN``)."""
        terms, unit = self._terms, self._operators.unit
        some = unit.unknown_constant(f"signbit of a negative {type_}", unit.model.int_, position)
        zero = terms.const(0, some.sort)
        other = terms.ite(terms.eq(some, zero), terms.const(1, some.sort), some)
        return terms.ite(self._circuits.sign(x), other, zero)

    def _class(self, type_: BinaryFloat, x: Term) -> Term:
        terms = self._terms
        result = terms.bv(_SUBNORMAL, 32)
        cases = (
            (self._is("isnormal", type_, x), _NORMAL),
            (self._circuits.is_zero(x), _ZERO),
            (self._is("isinf", type_, x), _INFINITE),
            (self._is("isnan", type_, x), _NAN),
        )
        for condition, number in cases:
            result = terms.ite(condition, terms.bv(number, 32), result)
        return result

    def chosen(self, x: Value, numbers: Sequence[Term]) -> Term | None:
        """``__builtin_fpclassify``: one of five numbers, by the class of the sixth argument."""
        if not isinstance(x.type, BinaryFloat) or x.term is None or len(numbers) != 5:
            return None
        own = self._class(x.type, x.term)
        nan, infinite, normal, subnormal, zero = numbers
        result = nan
        for number, term in ((_INFINITE, infinite), (_NORMAL, normal), (_SUBNORMAL, subnormal), (_ZERO, zero)):
            result = self._terms.ite(self._terms.eq(own, self._terms.bv(number, 32)), term, result)
        return result

    def _sign(self, type_: BinaryFloat, x: Term) -> Term:
        """Of an infinite number, and otherwise 0."""
        terms = self._terms
        sign = terms.ite(self._circuits.sign(x), terms.bv(-1, 32), terms.bv(1, 32))
        return terms.ite(self._circuits.is_infinite(type_.format, x), sign, terms.bv(0, 32))

    # ---- the others ---------------------------------------------------------------------------------------

    def _promised(
        self,
        function: MathFunction,
        name: str,
        type_: BinaryFloat,
        result: Type,
        values: list[Term],
        position: Position,
    ) -> Value:
        assert isinstance(result, Scalar)
        unknown = self._operators.arbitrary(result, position, f"library function {name}", Construct.PROMISED)
        if function.stem in UNPROMISED or result is not type_:
            return Value(self._special_case(function.stem, type_, values, unknown), result)
        promise = OTHERS[function.stem][1]
        terms, format_ = self._terms, type_.format
        within = terms.and_(terms.not_(self._circuits.is_nan(format_, unknown)), self._between(promise, type_, unknown))
        # Some number of the range stands for all that are none.
        inside = terms.ite(within, unknown, self._bound(type_, promise.low or promise.high or Fraction(0)))
        outside = [self._circuits.is_nan(format_, values[0])]
        low, high = promise.domain
        if low is not None:
            outside.append(self._operators.floats.compare("<", type_, values[0], self._bound(type_, low)))
        if high is not None:
            outside.append(self._operators.floats.compare(">", type_, values[0], self._bound(type_, high)))
        if promise.finite:
            outside.append(self._circuits.is_infinite(format_, values[0]))
        found = terms.ite(terms.or_(*outside), self._circuits.nan(format_), inside)
        return Value(self._special_case(function.stem, type_, values, found), type_)

    def _special_case(self, stem: str, type_: BinaryFloat, values: Sequence[Term], otherwise: Term) -> Term:
        """What a function gives for the arguments of which Annex F says it (F.10)."""
        terms, compare = self._terms, self._operators.floats.compare
        zero, one = self._bound(type_, Fraction(0)), self._bound(type_, Fraction(1))

        def is_(x: Term, number: Term) -> Term:
            return compare("==", type_, x, number)

        x, y = values[0], values[-1]
        if stem in ZERO_AT_ZERO:
            return terms.ite(is_(x, zero), x, otherwise)
        if stem in ONE_AT_ZERO:
            return terms.ite(is_(x, zero), one, otherwise)
        if stem in ZERO_AT_ONE:
            return terms.ite(is_(x, one), zero, otherwise)
        if stem == "pow":
            return terms.ite(terms.or_(is_(x, one), is_(y, zero)), one, otherwise)
        if stem == "atan2":
            return terms.ite(terms.and_(is_(x, zero), compare("<", type_, zero, y)), x, otherwise)
        if stem == "hypot":
            first, second = (self._circuits.absolute(type_.format, each) for each in (x, y))
            return terms.ite(is_(y, zero), first, terms.ite(is_(x, zero), second, otherwise))
        return otherwise

    def _between(self, promise: Promise, type_: BinaryFloat, x: Term) -> Term:
        compare, parts = self._operators.floats.compare, []
        if promise.low is not None:
            parts.append(compare("<=", type_, self._bound(type_, promise.low), x))
        if promise.high is not None:
            parts.append(compare("<=", type_, x, self._bound(type_, promise.high)))
        return self._terms.conjunction(parts)

    def _bound(self, type_: BinaryFloat, number: Fraction) -> Term:
        return self._terms.const(rounded(type_.format, number), type_.sort)
