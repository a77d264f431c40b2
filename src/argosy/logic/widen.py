"""Integer formulas read on bits: every comparison is widened just enough that nothing in it can overflow.

An analysis on mathematical integers speaks about ``x: Int`` where the model as read has ``x: bits(n)``. Its formula
becomes one about the bit-vectors that is true in exactly the same states (DESIGN.md, "Arithmetic": widen the terms
of the invariant so that they do not overflow themselves). A variable is read as signed or unsigned as its declaration
says; one without a reading (a pointer) is unsigned.

Sums and products are computed modulo ``2**w``, which is harmless as long as the *result* fits into ``w`` bits. So the
width of a comparison follows from interval bounds on its two sides alone, ``x <= 5`` stays on the bits of ``x``, and
``a = b`` needs only ``|a - b| < 2**w``. Division and remainder by a constant look at the exact value of their
argument.

Law: a formula is true under a valuation iff its widened form is true under the encoded valuation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from argosy.logic.intervals import Interval, Intervals, bits_range, scaled
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, variables


class Declared(Protocol):
    """A variable of the model: its term, and how its bits are read as a number (None: as unsigned)."""

    @property
    def term(self) -> Term: ...
    @property
    def signed(self) -> bool | None: ...


def to_bits(terms: Terms, formula: Term, declared: Mapping[str, Declared], max_width: int = 128) -> Term | None:
    """``formula``, in which ``x: Int`` means the number that the bit-vector ``declared["x"]`` stands for, as a formula
    without integers. Parts that do not mention integers stay as they are. None where there is no such formula of
    at most ``max_width`` bits: rationals, division by a variable, variables that are not declared as bit-vectors.
    A formula over the variables of the model themselves, numbers or not, is one already.
    """
    own = variables(formula)
    if own and all(v.name in declared and declared[v.name].term is v for v in own):
        return formula
    widening = _Widening(terms, declared, max_width)
    try:
        for sub in postorder(formula):
            widening.visit(sub)
    except _Inexpressible:
        return None
    return widening.formula[formula]


class _Inexpressible(Exception):
    """Control flow only: caught by ``to_bits``."""


def _width(low: int, high: int) -> tuple[int, bool]:
    """The least number of bits that represents all of ``[low, high]``, and whether they are read as signed."""
    if low >= 0:
        return max(1, high.bit_length()), False
    return 1 + max((-low - 1).bit_length(), high.bit_length() if high >= 0 else 0), True


class _Widening:
    """``formula`` maps boolean (and other non-integer) subterms to their images."""

    def __init__(self, terms: Terms, declared: Mapping[str, Declared], max_width: int) -> None:
        self.terms = terms
        self.declared = declared
        self.max_width = max_width
        self.formula: dict[Term, Term] = {}
        self._intervals = Intervals(self._of_variable)
        self._residues: dict[tuple[Term, int], Term] = {}

    def visit(self, term: Term) -> None:
        """The image of ``term``, whose subterms were visited before."""
        if term.sort is INT:
            return
        if any(a.sort is INT for a in term.args):
            if term.op == "=":
                self.formula[term] = self._equality(*term.args)
            elif term.op in ("<=", "<"):
                self.formula[term] = self._inequality(term.op, *term.args)
            else:
                raise _Inexpressible
        elif term.sort.kind == "real":
            raise _Inexpressible
        else:
            args = tuple(self.formula[a] for a in term.args)
            same = all(x is y for x, y in zip(args, term.args, strict=True))
            self.formula[term] = term if same else self.terms.app(term.op, args, term.payload, term.sort)

    # ---- bounds -------------------------------------------------------------------------------------------

    def _of_variable(self, variable: Term) -> Interval | None:
        declared = self.declared.get(variable.name)
        if declared is None or not declared.term.sort.is_bits:
            return None
        return bits_range(declared.term.sort.width, declared.signed is True)

    def _bounds(self, term: Term) -> Interval:
        interval = self._intervals(term)
        if interval is None:
            raise _Inexpressible
        return interval

    def _bounds_of_sum(self, sum_: Mapping[Term, int], constant: int) -> Interval:
        low = high = constant
        for term, factor in sum_.items():
            part = scaled(self._bounds(term), (factor, factor))
            low, high = low + part[0], high + part[1]
        return low, high

    # ---- values -------------------------------------------------------------------------------------------

    def _residue(self, root: Term, width: int) -> Term:
        """The value of an integer term modulo ``2**width``, as a bit-vector of that width."""
        if width > self.max_width:
            raise _Inexpressible
        stack = [(root, width)]
        while stack:
            key = stack[-1]
            if key not in self._residues:
                missing = [need for need in self._needs(*key) if need not in self._residues]
                if missing:
                    stack.extend(missing)
                    continue
                self._residues[key] = self._image(*key)
            stack.pop()
        return self._residues[(root, width)]

    def _needs(self, term: Term, width: int) -> list[tuple[Term, int]]:
        if term.op in ("div", "mod"):
            return [(term.args[0], self._exact_width(term))]
        return [(a, width) for a in term.args if a.sort is INT]

    @staticmethod
    def _divisor(term: Term) -> int:
        divisor = term.args[1]
        if divisor.op != "const" or divisor.payload == 0:
            raise _Inexpressible
        return int(divisor.payload)

    def _exact_width(self, term: Term) -> int:
        """Enough bits for the dividend, the divisor and, where a remainder is made positive, their sum; one width
        for unsigned and signed dividends."""
        (low, high), divisor = self._bounds(term.args[0]), abs(self._divisor(term))
        width, signed = _width(low, high)
        if divisor & (divisor - 1) == 0:
            width = max(width, divisor.bit_length())
        elif signed:
            width = max(width, 1 + divisor.bit_length()) + 1
        else:
            width = max(width, divisor.bit_length())
        if width > self.max_width:
            raise _Inexpressible
        return width

    def _image(self, term: Term, width: int) -> Term:
        terms = self.terms
        match term.op:
            case "const":
                return terms.bv(term.payload, width)
            case "var":
                variable = self.declared[term.name]
                return self._resize(variable.term, width, variable.signed is True)
            case "+" | "*":
                parts = [self._residues[(a, width)] for a in term.args]
                if term.op == "*" and term.args[0].op == "const" and term.args[0].payload == -1:
                    return terms.bit("bvneg", parts[1])
                result = parts[0]
                for part in parts[1:]:
                    result = terms.bit("bvadd" if term.op == "+" else "bvmul", result, part)
                return result
            case "ite":
                a, b = (self._residues[(x, width)] for x in term.args[1:])
                return terms.ite(self.formula[term.args[0]], a, b)
        quotient, signed = self._quotient(term) if term.op == "div" else self._remainder(term)
        return self._resize(quotient, width, signed)

    def _resize(self, value: Term, width: int, signed: bool) -> Term:
        by = width - value.sort.width
        if by < 0:
            return self.terms.extract(value, width - 1, 0)
        return self.terms.sign_extend(value, by) if signed else self.terms.zero_extend(value, by)

    def _remainder(self, term: Term) -> tuple[Term, bool]:
        """Euclidean remainder, and whether its bits are read as signed."""
        terms = self.terms
        divisor = abs(self._divisor(term))
        width = self._exact_width(term)
        dividend = self._residues[(term.args[0], width)]
        if divisor & (divisor - 1) == 0:
            shift = divisor.bit_length() - 1
            return (terms.extract(dividend, shift - 1, 0) if shift else terms.bv(0, 1)), False
        if self._bounds(term.args[0])[0] >= 0:
            return terms.bit("bvurem", dividend, terms.bv(divisor, width)), False
        rest = terms.bit("bvsrem", dividend, terms.bv(divisor, width))
        negative = terms.bit("bvslt", rest, terms.bv(0, width))
        return terms.ite(negative, terms.bit("bvadd", rest, terms.bv(divisor, width)), rest), False

    def _quotient(self, term: Term) -> tuple[Term, bool]:
        terms = self.terms
        divisor = self._divisor(term)
        size = abs(divisor)
        width = self._exact_width(term)
        dividend = self._residues[(term.args[0], width)]
        signed = self._bounds(term.args[0])[0] < 0
        if size & (size - 1) == 0:
            shift = terms.bv(size.bit_length() - 1, width)
            quotient = terms.bit("bvashr" if signed else "bvlshr", dividend, shift)
        elif not signed:
            quotient = terms.bit("bvudiv", dividend, terms.bv(size, width))
        else:
            rest, _ = self._remainder(term)
            quotient = terms.bit("bvsdiv", terms.bit("bvsub", dividend, rest), terms.bv(size, width))
        if divisor < 0:
            # One more bit: the negation of the least value, or of an unsigned one, does not fit.
            quotient = terms.bit("bvneg", self._resize(quotient, width + 1, signed))
            signed = True
        return quotient, signed

    # ---- comparisons --------------------------------------------------------------------------------------

    def _sum(self, sum_: Mapping[Term, int], constant: int, width: int) -> Term:
        terms = self.terms
        if width > self.max_width:
            raise _Inexpressible
        result: Term | None = None
        # Positive parts first, so that a difference is one subtraction.
        for term, factor in sorted(sum_.items(), key=lambda item: (item[1] < 0, item[0].id)):
            part = self._residue(term, width)
            if abs(factor) != 1:
                part = terms.bit("bvmul", terms.bv(abs(factor), width), part)
            if result is None:
                result = part if factor > 0 else terms.bit("bvneg", part)
            else:
                result = terms.bit("bvadd" if factor > 0 else "bvsub", result, part)
        if result is None:
            return terms.bv(constant, width)
        return terms.bit("bvadd", result, terms.bv(constant, width))

    def _difference(self, a: Term, b: Term) -> tuple[dict[Term, int], dict[Term, int], int]:
        """``a - b`` as positive parts, negative parts (with positive factors), constant."""
        coefficients, constant = self.terms.linear(self.terms.sub(a, b))
        positive = {t: c for t, c in coefficients.items() if c > 0}
        negative = {t: -c for t, c in coefficients.items() if c < 0}
        return positive, negative, int(constant)

    def _equality(self, a: Term, b: Term) -> Term:
        positive, negative, constant = self._difference(a, b)
        low, high = self._bounds_of_sum({**positive, **{t: -c for t, c in negative.items()}}, constant)
        if low > 0 or high < 0:
            return self.terms.false
        width = max(1, (-low).bit_length(), high.bit_length())
        return self.terms.eq(self._sum(positive, 0, width), self._sum(negative, -constant, width))

    def _inequality(self, op: str, a: Term, b: Term) -> Term:
        """``positive - negative + constant <= 0``, as the narrowest of three comparisons that say the same."""
        positive, negative, constant = self._difference(a, b)
        if op == "<":
            constant += 1
        whole = {**positive, **{t: -c for t, c in negative.items()}}
        low, high = self._bounds_of_sum(whole, constant)
        if low > 0:
            return self.terms.false
        if high <= 0:
            return self.terms.true
        candidates = [
            (positive, negative, -constant, False),
            (positive, negative, 1 - constant, True),
            (whole, {}, -constant, False),
        ]
        choices = []
        for left, right, bound, strict in candidates:
            left_bounds, right_bounds = self._bounds_of_sum(left, 0), self._bounds_of_sum(right, bound)
            ends = (*left_bounds, *right_bounds)
            choices.append((*_width(min(ends), max(ends)), left, right, bound, strict))
        width, signed, left, right, bound, strict = min(choices, key=lambda choice: choice[0])
        operator = ("bvs" if signed else "bvu") + ("lt" if strict else "le")
        return self.terms.bit(operator, self._sum(left, 0, width), self._sum(right, bound, width))
