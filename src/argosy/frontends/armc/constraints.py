"""Constraints of clauses, as terms.

``=`` ``=:=`` ``=<`` ``>=`` ``<`` ``>`` ``=\\=`` compare linear expressions with rational coefficients, and products of
variables, which front ends for C write. A conjunction is written ``,`` and, beyond ARMC, a disjunction ``;``. Over
integers a constraint means what it means over rationals, restricted to integer values: ``X = Y/2`` is ``2*X = Y``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm

from argosy.frontends.armc.lexer import MOST_DIGITS, Source
from argosy.frontends.armc.syntax import Compound, LogicVariable, Number, Syntax, postorder
from argosy.logic.sorts import INT, Sort
from argosy.logic.terms import Term, Terms

_COMPARISONS: Mapping[str, Callable[[Terms, Term, Term], Term]] = {
    "=": Terms.eq,
    "=:=": Terms.eq,
    "=<": Terms.le,
    ">=": Terms.ge,
    "<": Terms.lt,
    ">": Terms.gt,
    "=\\=": Terms.ne,
}
_JUNCTIONS = (",", ";")
_LARGEST = 10**MOST_DIGITS
_HIGHEST_DEGREE = 16

Value = int | Fraction
Meaning = Callable[[LogicVariable], Term]


class Constraints:
    """Reads the constraints of one file over numbers of one sort."""

    def __init__(self, source: Source, terms: Terms, sort: Sort) -> None:
        self._source = source
        self._terms = terms
        self._sort = sort

    def formula(self, root: Syntax, meaning: Meaning) -> Term:
        """A constraint over the variables that ``meaning`` knows; it may raise InputError for those it does not."""
        stack: list[tuple[Syntax, bool]] = [(root, False)]
        found: list[Term] = []
        while stack:
            part, done = stack.pop()
            if isinstance(part, Compound) and part.functor in _JUNCTIONS and len(part.args) == 2:
                if done:
                    right, left = found.pop(), found.pop()
                    found.append((self._terms.and_ if part.functor == "," else self._terms.or_)(left, right))
                else:
                    stack += [(part, True), (part.args[1], False), (part.args[0], False)]
            else:
                found.append(self._literal(part, meaning))
        return found[0]

    def _literal(self, part: Syntax, meaning: Meaning) -> Term:
        if isinstance(part, Compound):
            if part.functor in _COMPARISONS and len(part.args) == 2:
                return self._comparison(part, meaning)
            if part.indicator in ("true/0", "false/0"):
                return self._terms.boolean(part.functor == "true")
            shown = f"{part.functor} with {len(part.args)} arguments" if part.args else part.functor
            raise self._source.error(part.offset, f"{shown} is no constraint")
        raise self._source.error(part.offset, "a constraint compares two expressions")

    def _comparison(self, part: Compound, meaning: Meaning) -> Term:
        terms = self._terms
        coefficients: dict[Term, Value] = {}
        constant = self._accumulate(part.args[0], 1, coefficients, meaning)
        constant += self._accumulate(part.args[1], -1, coefficients, meaning)
        total, _ = self._integral(part, coefficients, constant)
        return _COMPARISONS[part.functor](terms, total, terms.const(0, self._sort))

    def _integral(self, part: Syntax, coefficients: Mapping[Term, Value], constant: Value) -> tuple[Term, int]:
        """A sum as a term, multiplied over integers by the number that makes it integral, and that number."""
        terms = self._terms
        scale = lcm(constant.denominator, *(c.denominator for c in coefficients.values())) if self._sort is INT else 1
        for value in (constant, *coefficients.values()):
            self._check_size(value * scale, part.offset)
        total = [terms.mul(terms.const(c * scale, self._sort), variable) for variable, c in coefficients.items()]
        return terms.add(terms.const(constant * scale, self._sort), *total), scale

    def _accumulate(
        self, root: Syntax, sign: int, coefficients: dict[Term, Value], meaning: Meaning, degree: int = 1
    ) -> Value:
        """Add ``sign`` times the expression to ``coefficients``, and give its constant."""
        values = self._values(root)
        constant: Value = 0
        stack: list[tuple[Syntax, Value]] = [(root, sign)]
        while stack:
            term, factor = stack.pop()
            value = values[id(term)]
            if value is not None:
                constant += factor * value
            elif isinstance(term, LogicVariable):
                variable = meaning(term)
                coefficients[variable] = coefficients.get(variable, 0) + factor
            elif isinstance(term, Compound):
                parts = self._parts(term, factor, [values[id(arg)] for arg in term.args])
                if parts is None:
                    product, scale = self._product(term, meaning, degree + 1)
                    coefficients[product] = coefficients.get(product, 0) + factor / Fraction(scale)
                else:
                    stack.extend(parts)
        return constant

    def _parts(self, term: Compound, factor: Value, values: list[Value | None]) -> list[tuple[Syntax, Value]] | None:
        """An operation on expressions that are not all constant, taken apart; None for a product of two."""
        match term.functor, *values:
            case "+", *_:
                return [(arg, factor) for arg in term.args]
            case "-", _:
                return [(term.args[0], -factor)]
            case "-", _, _:
                return [(term.args[0], factor), (term.args[1], -factor)]
            case "*", None, int() | Fraction() as by:
                return [(term.args[0], factor * by)]
            case "*", int() | Fraction() as by, None:
                return [(term.args[1], factor * by)]
            case "/", None, int() | Fraction() as by:
                return [(term.args[0], factor / Fraction(by))]
            case "*", None, None:
                return None
        raise self._source.error(term.offset, "not linear: division by an expression")

    def _product(self, term: Compound, meaning: Meaning, degree: int) -> tuple[Term, int]:
        if degree > _HIGHEST_DEGREE:
            raise self._source.error(term.offset, f"not linear: a product of more than {_HIGHEST_DEGREE} expressions")
        factors = []
        for arg in term.args:
            coefficients: dict[Term, Value] = {}
            constant = self._accumulate(arg, 1, coefficients, meaning, degree)
            factors.append(self._integral(arg, coefficients, constant))
        (left, one), (right, other) = factors
        return self._terms.mul(left, right), one * other

    def _values(self, root: Syntax) -> dict[int, Value | None]:
        """What each part of an expression is, if that is a constant."""
        values: dict[int, Value | None] = {}
        for term in postorder(root):
            if isinstance(term, Number):
                values[id(term)] = term.value
            elif isinstance(term, LogicVariable):
                values[id(term)] = None
            else:
                args = [values[id(arg)] for arg in term.args]
                values[id(term)] = value = self._value(term, args)
                if value is not None:
                    self._check_size(value, term.offset)
        return values

    def _value(self, term: Compound, args: list[Value | None]) -> Value | None:
        if (term.functor, len(args)) not in (("+", 1), ("-", 1), *((op, 2) for op in "+-*/"), ("rat", 2)):
            shown = term.indicator if args else term.functor
            raise self._source.error(term.offset, f"{shown} is no number")
        if term.functor in ("/", "rat") and args[1] == 0:
            raise self._source.error(term.offset, "division by zero")
        match term.functor, *args:
            case "+", int() | Fraction() as value:
                return value
            case "-", int() | Fraction() as value:
                return -value
            case _, int() | Fraction() as left, int() | Fraction() as right:
                return _exact(_OPERATIONS[term.functor](left, right))
        if term.functor == "rat":
            raise self._source.error(term.offset, "rat/2 is a constant")
        return None

    def _check_size(self, value: Value, offset: int) -> None:
        if max(abs(value.numerator), value.denominator) >= _LARGEST:
            raise self._source.error(offset, f"a constant of more than {MOST_DIGITS} digits")


_OPERATIONS: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / Fraction(right),
    "rat": lambda left, right: left / Fraction(right),
}


def _exact(value: Value) -> Value:
    return value.numerator if value.denominator == 1 else value
