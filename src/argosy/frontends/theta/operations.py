"""What the operators of Theta's languages mean, as terms.

``/`` and ``mod`` of integers are Euclidean, ``rem`` has the sign of the divisor (``-5 rem 3`` is 1, ``5 rem -3`` is
-2); an integer meets a rational as a rational. Nobody says what a division by zero gives: its value is opaque, so that
what is proved holds for every value, and a counterexample that depends on it is none. Bit-vectors have operators of
their own, which are SMT-LIB's, division by zero included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.basics.errors import InputError
from argosy.basics.records import replace
from argosy.frontends.theta.lexer import ThetaText
from argosy.frontends.theta.types import INTEGER, RATIONAL, TRUTH, ThetaType, Typed, array_of, vector
from argosy.logic.float_circuits import FloatCircuits, Rounding
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Refusal, Variable

_CONNECTIVES: Mapping[str, Callable[[Terms, Term, Term], Term]] = {
    "iff": Terms.eq,
    "imply": Terms.implies,
    "or": Terms.or_,
    "xor": Terms.xor,
    "and": Terms.and_,
}
_COMPARISONS: Mapping[str, Callable[[Terms, Term, Term], Term]] = {
    "<": Terms.lt,
    "<=": Terms.le,
    ">": Terms.gt,
    ">=": Terms.ge,
}
_SUMS: Mapping[str, Callable[[Terms, Term, Term], Term]] = {"+": Terms.add, "-": Terms.sub, "*": Terms.mul}

# Comparisons of bit-vectors by those that terms have: the operator, and whether its operands are exchanged.
_BIT_COMPARISONS: Mapping[str, tuple[str, bool]] = {
    "bvult": ("bvult", False),
    "bvule": ("bvule", False),
    "bvugt": ("bvult", True),
    "bvuge": ("bvule", True),
    "bvslt": ("bvslt", False),
    "bvsle": ("bvsle", False),
    "bvsgt": ("bvslt", True),
    "bvsge": ("bvsle", True),
}
# Operators of numbers that are operators of floating-point numbers too, rounded to nearest.
_FLOATING = {"+": "fpadd", "-": "fpsub", "*": "fpmul", "/": "fpdiv"}


class Operations:
    """Typed terms from typed terms. ``opaque`` collects the values of divisions by zero."""

    def __init__(self, text: ThetaText, terms: Terms) -> None:
        self.text = text
        self.terms = terms
        self.floats = FloatCircuits(terms)
        self.opaque: dict[Term, Refusal] = {}

    def unmodelled(self) -> tuple[Variable, ...]:
        return tuple(Variable(term, term.name, position=refusal.position) for term, refusal in self.opaque.items())

    def _mismatch(self, op: str, offset: int, *operands: Typed) -> InputError:
        return self.text.error(offset, f"{op} is not defined on {' and '.join(each.type.name for each in operands)}")

    # ---- types --------------------------------------------------------------------------------------------

    def settled(self, value: Typed, wanted: ThetaType | None = None) -> Typed:
        """A literal of several enumerations becomes one of ``wanted``, if that is one of them."""
        if not value.candidates:
            return value
        if wanted not in value.candidates:
            types = " and ".join(each.name for each in value.candidates)
            what = f"{value.literal} is a literal of {types}: write TYPE.{value.literal}"
            if wanted is not None:
                what = f"{value.literal} is no literal of {wanted.name}"
            raise self.text.error(value.offset, what)
        index = wanted.literals.index(value.literal)
        return Typed(self.terms.integer(index), wanted, value.offset)

    def as_type(self, value: Typed, wanted: ThetaType) -> Term:
        """A value where one of the type ``wanted`` is expected: an integer may become a rational."""
        value = self.settled(value, wanted)
        if value.type == wanted:
            return value.term
        if wanted == RATIONAL and value.type == INTEGER:
            return self.terms.to_real(value.term)
        raise self.text.error(value.offset, f"expected a value of type {wanted.name}, not {value.type.name}")

    def truth(self, value: Typed) -> Term:
        return self.as_type(value, TRUTH)

    def _unified(self, left: Typed, right: Typed) -> tuple[Typed, Typed]:
        if left.candidates and right.candidates:
            both = [each for each in left.candidates if each in right.candidates]
            wanted = both[0] if len(both) == 1 else None
            return self.settled(left, wanted), self.settled(right, wanted)
        left, right = self.settled(left, right.type), self.settled(right, left.type)
        for one, other in ((left, right), (right, left)):
            if one.type == INTEGER and other.type == RATIONAL:
                rational = replace(one, term=self.terms.to_real(one.term), type=RATIONAL)
                return (rational, other) if one is left else (other, rational)
        return left, right

    # ---- operators ----------------------------------------------------------------------------------------

    def junction(self, op: str, operands: list[Typed], offset: int) -> Typed:
        parts = [self.truth(operand) for operand in operands]
        combine = self.terms.conjunction if op == "and" else self.terms.disjunction
        return Typed(combine(parts), TRUTH, offset)

    def negation(self, operand: Typed, offset: int) -> Typed:
        return Typed(self.terms.not_(self.truth(operand)), TRUTH, offset)

    def conditional(self, condition: Typed, then: Typed, otherwise: Typed, offset: int) -> Typed:
        then, otherwise = self._unified(then, otherwise)
        if then.type != otherwise.type:
            names = f"{then.type.name} and {otherwise.type.name}"
            raise self.text.error(offset, f"the branches have different types: {names}")
        return Typed(self.terms.ite(self.truth(condition), then.term, otherwise.term), then.type, offset)

    def binary(self, op: str, left: Typed, right: Typed, offset: int, rounding: Rounding = Rounding.RNE) -> Typed:
        if op in _CONNECTIVES:
            return Typed(_CONNECTIVES[op](self.terms, self.truth(left), self.truth(right)), TRUTH, offset)
        left, right = self._unified(left, right)
        if op in ("=", "/="):
            return self._equality(op, left, right, offset)
        if op.startswith("bv") or op == "++":
            return self._bits(op, left, right, offset)
        if op.startswith("fp") or left.type.is_floating:
            return self._floating(op, left, right, offset, rounding)
        if left.type != right.type or not left.type.is_number:
            raise self._mismatch(op, offset, left, right)
        if op in _COMPARISONS:
            return Typed(_COMPARISONS[op](self.terms, left.term, right.term), TRUTH, offset)
        if op in _SUMS:
            return Typed(_SUMS[op](self.terms, left.term, right.term), left.type, offset)
        if op != "/" and left.type == RATIONAL:
            raise self._mismatch(op, offset, left, right)
        return self._division(op, left, right, offset)

    def _equality(self, op: str, left: Typed, right: Typed, offset: int) -> Typed:
        terms = self.terms
        if left.type != right.type:
            raise self._mismatch(op, offset, left, right)
        if left.type.is_floating:
            equal = self.floats.equal(left.type, left.term, right.term)
        elif left.type.index is not None and not left.type.is_plain:
            raise self.text.unsupported(offset, f"comparison of arrays of type {left.type.name}")
        else:
            equal = terms.eq(left.term, right.term)
        return Typed(equal if op == "=" else terms.not_(equal), TRUTH, offset)

    def _division(self, op: str, left: Typed, right: Typed, offset: int) -> Typed:
        terms, a, b = self.terms, left.term, right.term
        zero = terms.const(0, b.sort)
        if op == "/":
            value = terms.divide(a, b) if left.type == RATIONAL else terms.div(a, b)
        else:
            value = terms.mod(a, b)
            if op == "rem":
                value = terms.ite(terms.ge(b, zero), value, terms.neg(value))
        if not b.is_const or b is zero:
            unknown = terms.var(f"division.{len(self.opaque) + 1}", b.sort)
            self.opaque[unknown] = Refusal(self.text.position(offset), "a division by zero", arbitrary=True)
            value = terms.ite(terms.eq(b, zero), unknown, value)
        return Typed(value, left.type, offset)

    def unary(self, op: str, operand: Typed, offset: int) -> Typed:
        operand = self.settled(operand)
        terms, type_ = self.terms, operand.type
        if op in ("+", "-") and type_.is_number:
            return replace(operand, term=terms.neg(operand.term) if op == "-" else operand.term, offset=offset)
        if op in ("bvneg", "bvnot", "bvpos") and type_.is_bits:
            term = operand.term if op == "bvpos" else terms.bit(op, operand.term)
            return Typed(term, type_, offset)
        if type_.is_floating and op in ("+", "-", "fppos", "fpneg", "fpabs"):
            change = {"-": self.floats.negated, "fpneg": self.floats.negated, "fpabs": self.floats.absolute}.get(op)
            return Typed(change(type_, operand.term) if change else operand.term, type_, offset)
        if type_.is_floating and op == "fpisnan":
            return Typed(self.floats.is_nan(type_, operand.term), TRUTH, offset)
        raise self._mismatch(op, offset, operand)

    # ---- bit-vectors --------------------------------------------------------------------------------------

    def _bits(self, op: str, left: Typed, right: Typed, offset: int) -> Typed:
        terms, a, b = self.terms, left.term, right.term
        if not (left.type.is_bits and right.type.is_bits) or (left.type != right.type and op != "++"):
            raise self._mismatch(op, offset, left, right)
        if op == "++":
            return Typed(terms.concat(a, b), vector(a.sort.width + b.sort.width), offset)
        if op in _BIT_COMPARISONS:
            name, exchanged = _BIT_COMPARISONS[op]
            return Typed(terms.bit(name, *((b, a) if exchanged else (a, b))), TRUTH, offset)
        if op in ("bvrol", "bvror"):
            return replace(left, term=self._rotated(op, a, b), offset=offset)
        if op == "bvsmod":
            return replace(left, term=self._signed_modulo(a, b), offset=offset)
        return replace(left, term=terms.bit(op, a, b), offset=offset)

    def _rotated(self, op: str, a: Term, by: Term) -> Term:
        """The amount counts modulo the width; a shift by the whole width gives zero."""
        terms, width = self.terms, a.sort.width
        whole = terms.bv(width, width)
        amount = terms.bit("bvurem", by, whole)
        rest = terms.bit("bvsub", whole, amount)
        forth, back = ("bvshl", "bvlshr") if op == "bvrol" else ("bvlshr", "bvshl")
        return terms.bit("bvor", terms.bit(forth, a, amount), terms.bit(back, a, rest))

    def _signed_modulo(self, a: Term, b: Term) -> Term:
        """The remainder that has the sign of the divisor."""
        terms, width = self.terms, a.sort.width
        zero = terms.bv(0, width)
        rest = terms.bit("bvsrem", a, b)
        agrees = terms.eq(terms.bit("bvslt", rest, zero), terms.bit("bvslt", b, zero))
        return terms.ite(terms.or_(terms.eq(rest, zero), agrees), rest, terms.bit("bvadd", rest, b))

    def extended(self, op: str, operand: Typed, wanted: ThetaType, offset: int) -> Typed:
        by = wanted.sort.width - operand.type.sort.width
        if not operand.type.is_bits or by < 0:
            raise self.text.error(offset, f"{operand.type.name} cannot be extended to {wanted.name}")
        extend = self.terms.zero_extend if op == "bv_zero_extend" else self.terms.sign_extend
        return Typed(extend(operand.term, by), wanted, offset)

    def extracted(self, operand: Typed, until: int, start: int, offset: int) -> Typed:
        """The bits from ``start`` up to, and without, ``until``."""
        if not operand.type.is_bits:
            raise self.text.error(offset, f"bits of a value of type {operand.type.name}")
        if not 0 <= start < until <= operand.type.sort.width:
            raise self.text.error(offset, f"no bits [{until}:{start}] in {operand.type.name}")
        return Typed(self.terms.extract(operand.term, until - 1, start), vector(until - start), offset)

    # ---- floating point -----------------------------------------------------------------------------------

    def _floating(self, op: str, left: Typed, right: Typed, offset: int, rounding: Rounding) -> Typed:
        type_ = left.type
        if type_ != right.type or not type_.is_floating:
            raise self._mismatch(op, offset, left, right)
        floats, a, b = self.floats, left.term, right.term
        if op in _COMPARISONS:
            return Typed(floats.compare(op, type_, a, b), TRUTH, offset)
        op = _FLOATING.get(op, op)
        if op not in floats.BINARY:
            raise self.text.unsupported(offset, f"the operator {op} on floating-point numbers")
        return Typed(floats.binary(op, type_, a, b, rounding), type_, offset)

    # ---- arrays -------------------------------------------------------------------------------------------

    def element(self, operand: Typed, index: Typed, offset: int) -> Typed:
        of = operand.type
        if of.index is None or of.element is None:
            raise self.text.error(offset, f"a value of type {of.name} has no elements")
        value = self.terms.select(operand.term, self.as_type(index, of.index))
        return Typed(self._within(value, of.element), of.element, offset)

    def _within(self, value: Term, type_: ThetaType) -> Term:
        """A cell of an array that holds no literal of its enumeration stands for the first one."""
        terms = self.terms
        if not type_.literals:
            return value
        return terms.ite(self.bounds(value, type_), value, terms.integer(0))

    def bounds(self, value: Term, type_: ThetaType) -> Term:
        """That a term is a value of its type."""
        terms = self.terms
        if not type_.literals:
            return terms.true
        return terms.and_(terms.ge(value, terms.integer(0)), terms.lt(value, terms.integer(len(type_.literals))))

    def stored(self, operand: Typed, index: Typed, value: Typed, offset: int) -> Typed:
        of = operand.type
        if of.index is None or of.element is None:
            raise self.text.error(offset, f"a value of type {of.name} has no elements")
        term = self.terms.store(operand.term, self.as_type(index, of.index), self.as_type(value, of.element))
        return Typed(term, of, offset)

    def array_literal(
        self, pairs: list[tuple[Typed, Typed]], index: ThetaType | None, default: Typed, offset: int
    ) -> Typed:
        """All elements but those listed are ``default``; of two for one index the later one counts."""
        default = self.settled(default)
        if index is None:
            index = self.settled(pairs[0][0]).type
        literal = Typed(self.terms.true, array_of(index, default.type), offset)
        array = replace(literal, term=self.terms.const_array(literal.type.sort, default.term))
        for key, value in pairs:
            array = self.stored(array, key, value, key.offset)
        return array

    def integer(self, value: int, offset: int) -> Typed:
        return Typed(self.terms.const(value, INT), INTEGER, offset)
