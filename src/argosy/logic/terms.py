"""Interned, typed terms, simplified as they are built.

``Terms`` owns a table in which every term exists once: equality is identity, sharing is free, and a solver
translates each term once. A ``Terms`` is passed to whoever builds terms; there is no global one.

Normal forms, which the constructors guarantee:

* ``and``/``or`` are flat, without duplicates, constants or complementary arguments, ordered by age;
* a comparison of numbers is ``sum <= constant`` (or ``sum = constant``, over the rationals also ``<``) with a
  positive first coefficient and coprime coefficients; the other direction is its negation, so that an atom and
  its complement are ``p`` and ``(not p)``, never two atoms;
* bit-vectors are compared by ``bvult`` and ``bvslt`` only, the non-strict forms are negations;
* an operator applied to constants is a constant (``semantics.apply``).

Law: simplification preserves the value under every valuation (``tests/logic`` checks it with Hypothesis).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from operator import attrgetter
from typing import Any

from argosy.logic import semantics
from argosy.logic.floating import COMMUTATIVE, FLOAT_OPERATORS, FloatFormat, Payload, apply_float, is_nan, result_sort
from argosy.logic.semantics import BIT_PREDICATES, ArrayValue, Value, signed, unsigned
from argosy.logic.smtlib_printer import to_smtlib
from argosy.logic.sorts import BOOL, INT, REAL, Sort, bits


class Term:
    """A node of the table. ``payload`` is the name of a ``var``, the value of a ``const``, the indices of
    ``extract``/``zero_extend``/``sign_extend`` and otherwise None. Created by ``Terms`` only."""

    __slots__ = ("op", "args", "payload", "sort", "id", "_variables")

    def __init__(self, op: str, args: tuple[Term, ...], payload: Value, sort: Sort, id: int) -> None:
        self.op = op
        self.args = args
        self.payload = payload
        self.sort = sort
        self.id = id
        self._variables: frozenset[Term] | None = None

    @property
    def is_const(self) -> bool:
        return self.op == "const"

    @property
    def is_var(self) -> bool:
        return self.op == "var"

    @property
    def name(self) -> str:
        assert self.op == "var"
        return str(self.payload)

    @property
    def value(self) -> Value:
        assert self.op == "const"
        return self.payload

    def __repr__(self) -> str:
        return to_smtlib(self)


Linear = tuple[dict[Term, Any], Any]  # coefficients of non-constant parts, and the constant


class Terms:
    """The table of terms and their constructors."""

    def __init__(self) -> None:
        self._table: dict[tuple[Any, ...], Term] = {}
        self._linear: dict[Term, Linear] = {}
        self.floats = False  # whether an operator on floats was ever made
        self.products = False  # whether a product of two that are not constant was
        self.true = self._make("const", (), True, BOOL)
        self.false = self._make("const", (), False, BOOL)

    def __len__(self) -> int:
        return len(self._table)

    def _make(self, op: str, args: tuple[Term, ...], payload: Value, sort: Sort) -> Term:
        key = (op, payload, sort, args)
        term = self._table.get(key)
        if term is None:
            term = self._table[key] = Term(op, args, payload, sort, len(self._table))
        return term

    def has(self, term: Term) -> bool:
        """Whether the term is one of this table."""
        return self._table.get((term.op, term.payload, term.sort, term.args)) is term

    def again(self, op: str, args: tuple[Term, ...], payload: Value, sort: Sort) -> Term:
        """A term as another table has it (``transport``): it is in normal form already."""
        self.floats = self.floats or op in FLOAT_OPERATORS
        self.products = self.products or op == "bvmul"
        return self._make(op, args, payload, sort)

    # ---- leaves -------------------------------------------------------------------------------------------

    def var(self, name: str, sort: Sort) -> Term:
        return self._make("var", (), name, sort)

    def const(self, value: Value, sort: Sort) -> Term:
        match sort.kind:
            case "bool":
                return self.true if value else self.false
            case "bits":
                return self._make("const", (), unsigned(value, sort.width), sort)
            case "int":
                return self._make("const", (), int(value), sort)
            case "real":
                return self._make("const", (), Fraction(value), sort)
        return self._array(value, sort)

    def _array(self, value: ArrayValue, sort: Sort) -> Term:
        """Stores over a constant array: the only form of an array value, so that equal text is equal terms."""
        assert sort.index is not None and sort.element is not None
        result = self.const_array(sort, self.const(value.default, sort.element))
        for index, element in sorted(value.stored.items(), key=lambda item: str(item[0])):
            result = self.store(result, self.const(index, sort.index), self.const(element, sort.element))
        return result

    def boolean(self, value: bool) -> Term:
        return self.true if value else self.false

    def integer(self, value: int) -> Term:
        return self.const(value, INT)

    def rational(self, value: Fraction | int) -> Term:
        return self.const(value, REAL)

    def bv(self, value: int, width: int) -> Term:
        """The bit-vector constant ``value mod 2**width``; negative values are welcome."""
        return self.const(value, bits(width))

    # ---- booleans -----------------------------------------------------------------------------------------

    def not_(self, a: Term) -> Term:
        if a.op == "const":
            return self.false if a.payload else self.true
        if a.op == "not":
            return a.args[0]
        return self._make("not", (a,), None, BOOL)

    def and_(self, *args: Term) -> Term:
        return self._junction("and", args, self.true, self.false)

    def or_(self, *args: Term) -> Term:
        return self._junction("or", args, self.false, self.true)

    def conjunction(self, args: Iterable[Term]) -> Term:
        return self._junction("and", args, self.true, self.false)

    def disjunction(self, args: Iterable[Term]) -> Term:
        return self._junction("or", args, self.false, self.true)

    def _junction(self, op: str, args: Iterable[Term], unit: Term, zero: Term) -> Term:
        parts: dict[Term, None] = {}
        for arg in args:
            if arg is zero:
                return zero
            for part in arg.args if arg.op == op else (arg,):
                parts[part] = None
        parts.pop(unit, None)
        for part in parts:
            if part.op == "not" and part.args[0] in parts:
                return zero
        if not parts:
            return unit
        if len(parts) == 1:
            return next(iter(parts))
        return self._make(op, tuple(sorted(parts, key=_age)), None, BOOL)

    def implies(self, a: Term, b: Term) -> Term:
        return self.or_(self.not_(a), b)

    def xor(self, a: Term, b: Term) -> Term:
        return self.not_(self.eq(a, b))

    def ite(self, condition: Term, a: Term, b: Term) -> Term:
        if condition.op == "const":
            return a if condition.payload else b
        if a is b:
            return a
        if condition.op == "not":
            condition, a, b = condition.args[0], b, a
        if a.sort is BOOL:
            return self.and_(self.or_(self.not_(condition), a), self.or_(condition, b))
        return self._make("ite", (condition, a, b), None, a.sort)

    def eq(self, a: Term, b: Term) -> Term:
        if a is b:
            return self.true
        if a.op == "const" and b.op == "const":
            return self.boolean(a.payload == b.payload)
        if a.sort is BOOL:
            if a.op == "const":
                return b if a.payload else self.not_(b)
            if b.op == "const":
                return a if b.payload else self.not_(a)
            if a.op == "not" and b.op == "not":
                return self.eq(a.args[0], b.args[0])
            if a.op == "not":
                return self.not_(self.eq(a.args[0], b))
            if b.op == "not":
                return self.not_(self.eq(a, b.args[0]))
        lifted = self._lift_ite(a, b, self.eq)
        if lifted is not None:
            return lifted
        if a.sort.is_numeric:
            return self._compare("=", a, b)
        if a.sort.is_bits:
            if a.op == "const":
                a, b = b, a
            if b.op == "const" and a.op in ("zero_extend", "sign_extend"):
                inner = a.args[0]
                low = self.const(b.payload, inner.sort)
                if self.app(a.op, (low,), a.payload) is b:
                    return self.eq(inner, low)
                return self.false
            if b.op == "const" and a.op in ("bvadd", "bvsub"):
                x, offset = self._offset(a)
                if offset:
                    return self.eq(x, self.bv(b.payload - offset, a.sort.width))
        return self._make("=", (a, b) if a.id < b.id else (b, a), None, BOOL)

    def ne(self, a: Term, b: Term) -> Term:
        return self.not_(self.eq(a, b))

    def _lift_ite(self, a: Term, b: Term, compare: Callable[[Term, Term], Term]) -> Term | None:
        """A comparison of ``(ite c k1 k2)``, constants k, with a constant is c, its negation or a constant."""
        if a.op == "ite" and b.op == "const" and a.args[1].op == "const" and a.args[2].op == "const":
            return self.ite(a.args[0], compare(a.args[1], b), compare(a.args[2], b))
        if b.op == "ite" and a.op == "const" and b.args[1].op == "const" and b.args[2].op == "const":
            return self.ite(b.args[0], compare(a, b.args[1]), compare(a, b.args[2]))
        return None

    # ---- numbers ------------------------------------------------------------------------------------------

    def linear(self, a: Term) -> Linear:
        """``a`` as (coefficients, constant); the non-linear parts count as variables. Do not change it."""
        if a.op == "const":
            return {}, a.payload
        form = self._linear.get(a)
        if form is None:
            monomial = a.op == "*" and a.args[0].op == "const"
            form = self._linear[a] = ({a.args[1]: a.args[0].payload} if monomial else {a: 1}, 0)
        return form

    def _sum(self, coefficients: Mapping[Term, Any], constant: Any, sort: Sort) -> Term:
        parts = {t: c for t, c in coefficients.items() if c != 0}
        if not parts:
            return self.const(constant, sort)
        monomials = [
            t if parts[t] == 1 else self._make("*", (self.const(parts[t], sort), t), None, sort)
            for t in sorted(parts, key=_age)
        ]
        if constant != 0:
            monomials.append(self.const(constant, sort))
        result = monomials[0] if len(monomials) == 1 else self._make("+", tuple(monomials), None, sort)
        self._linear.setdefault(result, (parts, constant))
        return result

    def _combine(self, pairs: Iterable[tuple[Any, Term]]) -> Linear:
        coefficients: dict[Term, Any] = {}
        constant: Any = 0
        for factor, term in pairs:
            own, own_constant = self.linear(term)
            constant += factor * own_constant
            for t, c in own.items():
                coefficients[t] = coefficients.get(t, 0) + factor * c
        return coefficients, constant

    def add(self, *args: Term) -> Term:
        return self._sum(*self._combine((1, a) for a in args), args[0].sort)

    def sub(self, a: Term, b: Term) -> Term:
        return self._sum(*self._combine(((1, a), (-1, b))), a.sort)

    def neg(self, a: Term) -> Term:
        return self._sum(*self._combine(((-1, a),)), a.sort)

    def mul(self, a: Term, b: Term) -> Term:
        if a.op == "const":
            return self._sum(*self._combine(((a.payload, b),)), a.sort)
        if b.op == "const":
            return self._sum(*self._combine(((b.payload, a),)), a.sort)
        factors = [f for x in (a, b) for f in (x.args if x.op == "*" and x.args[0].op != "const" else (x,))]
        return self._make("*", tuple(sorted(factors, key=_age)), None, a.sort)

    def div(self, a: Term, b: Term) -> Term:
        return self._euclidean("div", a, b)

    def mod(self, a: Term, b: Term) -> Term:
        return self._euclidean("mod", a, b)

    def _euclidean(self, op: str, a: Term, b: Term) -> Term:
        if b.op == "const" and b.payload != 0:
            if a.op == "const":
                return self.integer(semantics.apply(op, None, (), (a.payload, b.payload)))
            if b.payload == 1:
                return a if op == "div" else self.integer(0)
        return self._make(op, (a, b), None, INT)

    def divide(self, a: Term, b: Term) -> Term:
        """Division of rationals."""
        if b.op == "const" and b.payload != 0:
            return self.mul(self.rational(1 / Fraction(b.payload)), a)
        return self._make("/", (a, b), None, REAL)

    def to_real(self, a: Term) -> Term:
        return self.rational(a.payload) if a.op == "const" else self._make("to_real", (a,), None, REAL)

    def to_int(self, a: Term) -> Term:
        return self.integer(a.payload.__floor__()) if a.op == "const" else self._make("to_int", (a,), None, INT)

    def le(self, a: Term, b: Term) -> Term:
        return self._compare("<=", a, b)

    def lt(self, a: Term, b: Term) -> Term:
        if a.sort is INT:
            return self._compare("<=", self.add(a, self.integer(1)), b)
        return self._compare("<", a, b)

    def ge(self, a: Term, b: Term) -> Term:
        return self.le(b, a)

    def gt(self, a: Term, b: Term) -> Term:
        return self.lt(b, a)

    def _compare(self, op: str, a: Term, b: Term) -> Term:
        sort = a.sort
        coefficients, constant = self._combine(((1, a), (-1, b)))
        parts = {t: c for t, c in coefficients.items() if c != 0}
        if not parts:
            return self.boolean(semantics.apply(op, None, (sort, sort), (constant, 0)))
        scale: Any = gcd(*(c.numerator for c in parts.values()))
        if sort is REAL:
            scale = Fraction(scale, lcm(*(c.denominator for c in parts.values())))
        leading = parts[min(parts, key=_age)]
        flipped = leading < 0
        if flipped:
            scale = -scale
        if sort is INT:
            parts = {t: c // scale for t, c in parts.items()}
            bound, rest = divmod(-constant, abs(scale))  # |scale| * sum <= -constant
            if op == "=":
                if rest:
                    return self.false
                bound = -bound if flipped else bound
            elif flipped:
                # -s <= bound  iff  s >= -bound  iff  not (s <= -bound - 1)
                return self.not_(self._atom("<=", parts, -bound - 1, sort))
            return self._atom(op, parts, bound, sort)
        parts = {t: c / scale for t, c in parts.items()}
        bound = -Fraction(constant) / scale
        if flipped and op != "=":
            # s >= bound is not (s < bound); s > bound is not (s <= bound)
            return self.not_(self._atom("<" if op == "<=" else "<=", parts, bound, sort))
        return self._atom(op, parts, bound, sort)

    def _atom(self, op: str, parts: Mapping[Term, Any], bound: Any, sort: Sort) -> Term:
        left, right = self._sum(parts, 0, sort), self.const(bound, sort)
        return self._lift_ite(left, right, partial(self._compare, op)) or self._make(op, (left, right), None, BOOL)

    # ---- bit-vectors --------------------------------------------------------------------------------------

    def bit(self, op: str, *args: Term) -> Term:
        """Any operator of ``semantics.BIT_OPERATORS`` by name: ``bvadd`` ... ``bvsle``."""
        a = args[0]
        width = a.sort.width
        if op == "bvule":
            return self.not_(self.bit("bvult", args[1], a))
        if op == "bvsle":
            return self.not_(self.bit("bvslt", args[1], a))
        sort = BOOL if op in BIT_PREDICATES else a.sort
        if all(x.op == "const" for x in args):
            return self.const(semantics.BIT_OPERATORS[op](*(x.payload for x in args), width), sort)
        if len(args) == 1:
            if a.op == op:
                return a.args[0]
            return self._make(op, args, None, sort)
        b = args[1]
        simple = self._simplify_bits(op, a, b, width)
        if simple is not None:
            return simple
        if op in ("bvadd", "bvmul", "bvand", "bvor", "bvxor") and b.id < a.id:
            a, b = b, a
        self.products = self.products or (op == "bvmul" and not (a.is_const or b.is_const))
        return self._make(op, (a, b), None, sort)

    def _simplify_bits(self, op: str, a: Term, b: Term, width: int) -> Term | None:
        if op in BIT_PREDICATES:
            return self._simplify_bit_predicate(op, a, b, width)
        zero, full = 0, (1 << width) - 1
        if op in ("bvadd", "bvmul", "bvand", "bvor", "bvxor") and a.op == "const":
            a, b = b, a
        k = b.payload if b.op == "const" else None
        match op:
            case "bvadd":
                if k == zero:
                    return a
                if k is not None:
                    x, offset = self._offset(a)
                    if offset:
                        return self._shifted(x, offset + k, width)
            case "bvsub":
                if k == zero:
                    return a
                if a is b:
                    return self.bv(0, width)
                if k is not None:
                    x, offset = self._offset(a)
                    if offset:
                        return self._shifted(x, offset - k, width)
            case "bvmul":
                if k == zero:
                    return b
                if k == 1:
                    return a
            case "bvand":
                if k == zero:
                    return b
                if k == full or a is b:
                    return a
            case "bvor":
                if k == full:
                    return b
                if k == zero or a is b:
                    return a
            case "bvxor":
                if k == zero:
                    return a
                if a is b:
                    return self.bv(0, width)
            case "bvshl" | "bvlshr" | "bvashr":
                if k == zero:
                    return a
            case "bvudiv" | "bvsdiv":
                if k == 1 and width > 1:
                    return a
            case "bvurem" | "bvsrem":
                return self._narrow_remainder(op, a, b, width)
        return None

    def _narrow_remainder(self, op: str, a: Term, b: Term, width: int) -> Term | None:
        """A remainder is not larger than what is divided, and that itself where the divisor is zero: that of narrow
        numbers is one among these. Division of wide ones is the hardest operation for a solver."""
        unsigned_both = all(x.op == "zero_extend" or (x.op == "const" and not x.payload >> (width - 1)) for x in (a, b))
        if op == "bvurem" and not unsigned_both:
            return None
        needed = max(_bits_needed(x, not unsigned_both) for x in (a, b))
        if 2 * needed > width:
            return None  # a few bits make no difference
        narrow = [self.extract(x, needed - 1, 0) for x in (a, b)]
        if unsigned_both:
            return self.zero_extend(self.bit("bvurem", *narrow), width - needed)
        return self.sign_extend(self.bit("bvsrem", *narrow), width - needed)

    def _offset(self, a: Term) -> tuple[Term, int]:
        """``a`` as a term plus a constant, which is negative where it is subtracted."""
        if a.op == "bvadd" and a.args[0].op == "const":
            return a.args[1], a.args[0].payload
        if a.op in ("bvadd", "bvsub") and a.args[1].op == "const":
            return a.args[0], a.args[1].payload if a.op == "bvadd" else -a.args[1].payload
        return a, 0

    def _shifted(self, a: Term, offset: int, width: int) -> Term:
        """A sum or a difference: which of the two it is, is kept, for the sake of those who read it as integers."""
        op = "bvadd" if offset >= 0 else "bvsub"
        return self.bit(op, a, self.bv(abs(offset), width))

    def _simplify_bit_predicate(self, op: str, a: Term, b: Term, width: int) -> Term | None:
        if a is b:
            return self.boolean(op in ("bvule", "bvsle"))
        lifted = self._lift_ite(a, b, lambda x, y: self.bit(op, x, y))
        if lifted is not None:
            return lifted
        low, high = (0, (1 << width) - 1) if op == "bvult" else (1 << (width - 1), (1 << (width - 1)) - 1)
        if (b.op == "const" and b.payload == low) or (a.op == "const" and a.payload == high):
            return self.false
        if op == "bvslt":
            # Zero-extended values are not negative: the unsigned comparison of the inner terms is smaller.
            if a.op == "zero_extend" and b.op == "const":
                if signed(b.payload, width) <= 0:
                    return self.false
                return self.bit("bvult", a, b)
            if b.op == "zero_extend" and a.op == "const":
                if signed(a.payload, width) < 0:
                    return self.true
                return self.bit("bvult", a, b)
            if a.op == "zero_extend" and b.op == "zero_extend":
                return self.bit("bvult", a, b)
        else:
            if a.op == "zero_extend" and b.op == "const":
                inner = a.args[0].sort.width
                if b.payload >> inner:
                    return self.true
                return self.bit("bvult", a.args[0], self.bv(b.payload, inner))
            if b.op == "zero_extend" and a.op == "const":
                inner = b.args[0].sort.width
                if a.payload >> inner:
                    return self.false
                return self.bit("bvult", self.bv(a.payload, inner), b.args[0])
            if a.op == "zero_extend" and b.op == "zero_extend" and a.args[0].sort is b.args[0].sort:
                return self.bit("bvult", a.args[0], b.args[0])
        return None

    def concat(self, high: Term, low: Term) -> Term:
        sort = bits(high.sort.width + low.sort.width)
        if high.op == "const" and low.op == "const":
            return self.const(high.payload << low.sort.width | low.payload, sort)
        if high.op == "const" and high.payload == 0:
            return self.zero_extend(low, high.sort.width)
        return self._make("concat", (high, low), None, sort)

    def extract(self, a: Term, high: int, low: int) -> Term:
        """Bits ``high`` down to ``low``, both included."""
        width = high - low + 1
        if width == a.sort.width:
            return a
        if a.op == "const":
            return self.bv(a.payload >> low, width)
        if a.op == "extract":
            return self.extract(a.args[0], high + a.payload[1], low + a.payload[1])
        if a.op in ("zero_extend", "sign_extend"):
            inner = a.args[0]
            if high < inner.sort.width:
                return self.extract(inner, high, low)
            if low == 0:
                return self.app(a.op, (inner,), width - inner.sort.width)
        if a.op == "ite" and (a.args[1].op == "const" or a.args[2].op == "const"):
            return self.ite(a.args[0], self.extract(a.args[1], high, low), self.extract(a.args[2], high, low))
        if low > 0 and high < a.sort.width - 1:
            quotient = self._quotient(a, low, width)
            if quotient is not None:
                return quotient
        return self._make("extract", (a,), (high, low), bits(width))

    def _quotient(self, a: Term, low: int, width: int) -> Term | None:
        """The bits of a multiple of ``2^low`` from there on, as arithmetic on so few bits; None for anything else. So
        the number of an element is what it was before it was made an offset in bytes."""
        if a.op == "const" and a.payload % (1 << low) == 0:
            return self.bv(a.payload >> low, width)
        if a.op == "bvmul":
            factor, other = sorted(a.args, key=lambda part: part.op != "const")
            if factor.op == "const" and factor.payload % (1 << low) == 0:
                return self.bit("bvmul", self._lowest(other, width), self.bv(factor.payload >> low, width))
        if a.op in ("bvadd", "bvsub"):
            parts = [self._quotient(part, low, width) for part in a.args]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                return self.bit(a.op, *known)
        return None

    def _lowest(self, a: Term, width: int) -> Term:
        """The lowest bits of a word; those of sums and products depend on no others."""
        if a.op in ("bvadd", "bvsub", "bvmul"):
            return self.bit(a.op, *(self._lowest(part, width) for part in a.args))
        return self.extract(a, width - 1, 0)

    def zero_extend(self, a: Term, by: int) -> Term:
        return self._extend("zero_extend", a, by)

    def sign_extend(self, a: Term, by: int) -> Term:
        return self._extend("sign_extend", a, by)

    def _extend(self, op: str, a: Term, by: int) -> Term:
        if by == 0:
            return a
        if a.op == "const":
            value = a.payload if op == "zero_extend" else signed(a.payload, a.sort.width)
            return self.bv(value, a.sort.width + by)
        if a.op == "zero_extend" or a.op == op:
            return self._make(a.op, a.args, a.payload + by, bits(a.sort.width + by))
        if a.op == "ite" and a.args[1].op == "const" and a.args[2].op == "const":
            return self.ite(a.args[0], self._extend(op, a.args[1], by), self._extend(op, a.args[2], by))
        return self._make(op, (a,), by, bits(a.sort.width + by))

    # ---- arrays -------------------------------------------------------------------------------------------

    def const_array(self, sort: Sort, value: Term) -> Term:
        return self._make("const-array", (value,), None, sort)

    def select(self, a: Term, index: Term) -> Term:
        element = a.sort.element
        assert element is not None
        while a.op == "store":
            same = self.eq(a.args[1], index)
            if same is self.true:
                return a.args[2]
            if same is not self.false:
                break
            a = a.args[0]
        if a.op == "const-array":
            return a.args[0]
        return self._make("select", (a, index), None, element)

    def store(self, a: Term, index: Term, value: Term) -> Term:
        if a.op == "store" and a.args[1] is index:
            a = a.args[0]
        return self._make("store", (a, index, value), None, a.sort)

    # ---- floating point -----------------------------------------------------------------------------------

    def floating(self, op: str, payload: Payload, *args: Term) -> Term:
        """Any operator of ``floating.FLOAT_OPERATORS``, on bit patterns. No law of the reals holds of them: constants
        are folded, sums and products are commutative, and that is all."""
        sort = result_sort(op, payload)
        if all(x.op == "const" for x in args):
            values = tuple(x.payload for x in args)
            return self.const(apply_float(op, payload, tuple(x.sort for x in args), values), sort)
        if op in COMMUTATIVE and args[1].id < args[0].id:
            args = args[1], args[0]
        if op == "fp.eq":
            constants = [x for x in args if x.op == "const"]
            if constants:
                return self._equals_number(
                    FloatFormat(*payload), constants[0].payload, *(x for x in args if x.op != "const")
                )
        self.floats = True
        return self._make(op, args, payload, sort)

    def _equals_number(self, format_: FloatFormat, number: int, a: Term) -> Term:
        """All numbers but zero have one pattern, and what is no number equals nothing."""
        if is_nan(format_, number):
            return self.false
        if number & (format_.sign - 1):
            return self.eq(a, self.const(number, a.sort))
        return self.eq(self.extract(a, format_.width - 2, 0), self.bv(0, format_.width - 1))

    # ---- by name ------------------------------------------------------------------------------------------

    def app(self, op: str, args: tuple[Term, ...], payload: Value = None, sort: Sort | None = None) -> Term:
        """Any operator by its name: what substitution and the SMT-LIB parser call. ``sort`` is needed for
        ``const-array`` only. Raises ValueError for a name that does not exist."""
        if op in semantics.BIT_OPERATORS:
            return self.bit(op, *args)
        if op in FLOAT_OPERATORS:
            return self.floating(op, payload, *args)
        if op == "extract":
            return self.extract(args[0], *payload)
        if op in ("zero_extend", "sign_extend"):
            return self._extend(op, args[0], payload)
        if op == "const-array":
            assert sort is not None
            return self.const_array(sort, args[0])
        if op == "*" and len(args) != 2:
            product = args[0]
            for factor in args[1:]:
                product = self.mul(product, factor)
            return product
        if op not in _CONSTRUCTORS:
            raise ValueError(f"no such operator: {op}")
        result: Term = _CONSTRUCTORS[op](self, *args)
        return result


_age = attrgetter("id")


_CONSTRUCTORS: Mapping[str, Callable[..., Term]] = {
    "not": Terms.not_,
    "and": Terms.and_,
    "or": Terms.or_,
    "=": Terms.eq,
    "ite": Terms.ite,
    "+": Terms.add,
    "*": Terms.mul,
    "<=": Terms.le,
    "<": Terms.lt,
    "div": Terms.div,
    "mod": Terms.mod,
    "/": Terms.divide,
    "to_real": Terms.to_real,
    "to_int": Terms.to_int,
    "concat": Terms.concat,
    "select": Terms.select,
    "store": Terms.store,
}


def _bits_needed(a: Term, as_signed: bool) -> int:
    """In how many bits the number of a bit-vector can be said."""
    match a.op:
        case "const":
            value = signed(a.payload, a.sort.width) if as_signed else a.payload
            return max(1, (value if value >= 0 else ~value).bit_length() + as_signed)
        case "zero_extend":
            return int(a.args[0].sort.width) + as_signed
        case "sign_extend" if as_signed:
            return int(a.args[0].sort.width)
    return int(a.sort.width)
