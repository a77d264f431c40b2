"""Ranges of words: bounds of bit-vectors, read as signed, unsigned or floating-point numbers, from those of variables.

A range is a pair of bounds (``Range``), both included. Floats are ordered by *keys*: the size of a positive one, the
complement of the size of a negative one; so -0.0 comes before 0.0. Whether there may be no number at all is a third
component (``FloatRange``). Operations on floats are monotonic in each argument, rounding included, wherever none of
them is NaN: bounds are computed by the operations themselves (Cousot and Cousot, Abstract Interpretation, 1977; Miné,
Relational Abstract Domains for the Detection of Floating-Point Run-Time Errors, 2004, section 3).

Law: in every valuation that keeps the variables inside their ranges, the value of a term is inside its range, a
condition that is decided has that value, and where a condition holds its refinement keeps the valuation.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from argosy.logic.floating import FloatFormat, apply_float, magnitude
from argosy.logic.intervals import bits_range
from argosy.logic.semantics import signed as as_signed
from argosy.logic.semantics import truncated_div
from argosy.logic.sorts import bits
from argosy.logic.terms import Term

Range = tuple[int, int]
FloatRange = tuple[int, int, bool]
Reading = bool | FloatFormat
"""Signed or not, or a format of floats."""

Environment = dict[Term, Any]
_DEEPEST = 60


def key(format_: FloatFormat, pattern: int) -> int:
    """The place of a pattern that is a number in the order of all of them."""
    size = magnitude(format_, pattern)
    return -size - 1 if pattern & format_.sign else size


def pattern(format_: FloatFormat, place: int) -> int:
    return -place - 1 | format_.sign if place < 0 else place


def every(format_: FloatFormat) -> FloatRange:
    return -format_.infinity - 1, format_.infinity, True


class WordRanges:
    """``readings`` says how variables are read; one that is not in the ``environment`` may have any value."""

    def __init__(self, readings: Mapping[Term, Reading], environment: Environment) -> None:
        self._readings = readings
        self._of = environment

    def _branches(self, term: Term) -> list[tuple[Term, WordRanges]]:
        """What a choice may choose, each with what is known where it is chosen."""
        ways = ((branch, self.refined(term.args[0], i == 0)) for i, branch in enumerate(term.args[1:]))
        return [(branch, WordRanges(self._readings, known)) for branch, known in ways if known is not None]

    # ---- integers -----------------------------------------------------------------------------------------

    def number(self, term: Term, signed: bool, depth: int = _DEEPEST) -> Range:
        """The range of a bit-vector, read as signed or unsigned."""
        width = term.sort.width
        whole = bits_range(width, signed)
        if term.op == "const":
            value = as_signed(term.payload, width) if signed else term.payload
            return value, value
        if term.op == "var":
            return self._variable(term, signed)
        if not depth:
            return whole
        found = self._compute(term, signed, depth - 1)
        if found is None or found[0] < whole[0] or found[1] > whole[1]:
            return whole
        return found

    def _variable(self, term: Term, signed: bool) -> Range:
        own, width = self._readings.get(term), term.sort.width
        known = self._of.get(term)
        if known is None or own is None:
            return bits_range(width, signed)
        if isinstance(own, FloatFormat):
            if known[0] == known[1] and not known[2]:
                value = pattern(own, known[0])
                value = as_signed(value, width) if signed else value
                return value, value
            return bits_range(width, signed)
        return _read_as(known, width, own, signed)

    def _compute(self, term: Term, signed: bool, depth: int) -> Range | None:
        args, width = term.args, term.sort.width
        match term.op:
            case "ite":
                found = [within.number(branch, signed, depth) for branch, within in self._branches(term)]
                return (min(low for low, _ in found), max(high for _, high in found)) if found else None
            case "zero_extend":
                return self.number(args[0], False, depth)
            case "sign_extend":
                inner = self.number(args[0], True, depth)
                return inner if signed or inner[0] >= 0 else None
            case "bvadd" | "bvsub" | "bvmul":
                return self._arithmetic(term, signed, depth)
            case "bvneg":
                low, high = self.number(args[0], signed, depth)
                return (-high, -low) if signed else None
            case "extract" if self._is_size(term):
                return _fitting(self._size(args[0]), bits_range(width, signed))
            case "extract" if term.payload[1] == 0:
                return _fitting(self.number(args[0], signed, depth), bits_range(width, signed))
            case "bvand":
                highs = [high for low, high in (self.number(a, False, depth) for a in args)]
                return _fitting((0, min(highs)), bits_range(width, signed))
            case "bvudiv" | "bvurem" | "bvsdiv" | "bvsrem" | "bvlshr" if args[1].op == "const":
                return self._divided(term, signed, depth)
            case "fp.to_sbv" | "fp.to_ubv":
                return self._from_float(term, signed, depth)
        return None

    def _is_size(self, term: Term) -> bool:
        """Whether a term is all but the sign of a variable that is a float."""
        own = self._readings.get(term.args[0])
        return term.op == "extract" and isinstance(own, FloatFormat) and term.payload == (own.width - 2, 0)

    def _size(self, variable: Term) -> Range:
        format_ = self._readings[variable]
        assert isinstance(format_, FloatFormat)
        low, high, nan = self._of.get(variable, every(format_))
        least = low if low >= 0 else -high - 1 if high < 0 else 0
        return (0, format_.sign - 1) if nan else (least, max(high, -low - 1))

    def _arithmetic(self, term: Term, signed: bool, depth: int) -> Range | None:
        """The exact result, if it fits in one reading of the operands."""
        width = term.sort.width
        for own in (signed, not signed):
            a, b = (self.number(arg, own, depth) for arg in term.args)
            match term.op:
                case "bvadd":
                    exact = a[0] + b[0], a[1] + b[1]
                case "bvsub":
                    exact = a[0] - b[1], a[1] - b[0]
                case _:
                    products = [x * y for x, y in product(a, b)]
                    exact = min(products), max(products)
            if _fitting(exact, bits_range(width, own)) is not None:
                return _read_as(exact, width, own, signed)
        return None

    def _divided(self, term: Term, signed: bool, depth: int) -> Range | None:
        width, own = term.sort.width, term.op in ("bvsdiv", "bvsrem")
        low, high = self.number(term.args[0], own, depth)
        divisor = term.args[1].payload
        if term.op == "bvlshr":
            return _read_as((low >> divisor, high >> divisor), width, False, signed) if divisor < width else (0, 0)
        divisor = as_signed(divisor, width) if own else divisor
        if divisor <= 0:
            return None
        if term.op in ("bvsdiv", "bvudiv"):
            return _read_as((truncated_div(low, divisor), truncated_div(high, divisor)), width, own, signed)
        rest = (max(low, 1 - divisor) if low < 0 else 0, min(high, divisor - 1) if high > 0 else 0)
        return _read_as(rest, width, own, signed)

    def _from_float(self, term: Term, signed: bool, depth: int) -> Range | None:
        """Towards zero, where all of the range fits."""
        format_, width, own = FloatFormat(*term.payload[:2]), term.sort.width, term.op == "fp.to_sbv"
        low, high, nan = self.floating(term.args[0], format_, depth)
        if nan or low <= -format_.infinity - 1 or high >= format_.infinity:
            return None
        ends = []
        for place in (low, high):
            whole = _truncated(format_, pattern(format_, place))
            if not bits_range(width, own)[0] <= whole <= bits_range(width, own)[1]:
                return None
            ends.append(whole)
        return _read_as((ends[0], ends[1]), width, own, signed)

    # ---- floats -------------------------------------------------------------------------------------------

    def floating(self, term: Term, format_: FloatFormat, depth: int = _DEEPEST) -> FloatRange:
        if term.op == "const":
            place = key(format_, term.payload)
            nan = magnitude(format_, term.payload) > format_.infinity
            return every(format_) if nan else (place, place, False)
        if term.op == "var":
            known = self._of.get(term) if self._readings.get(term) == format_ else None
            return every(format_) if known is None else known
        if not depth:
            return every(format_)
        found = self._compute_float(term, format_, depth - 1)
        return every(format_) if found is None else found

    def _compute_float(self, term: Term, format_: FloatFormat, depth: int) -> FloatRange | None:
        args = term.args
        match term.op:
            case "ite":
                found = [within.floating(branch, format_, depth) for branch, within in self._branches(term)]
                return (min(r[0] for r in found), max(r[1] for r in found), any(r[2] for r in found)) if found else None
            case "bvxor" if _is_sign(args[0], format_) or _is_sign(args[1], format_):
                inner = args[1] if _is_sign(args[0], format_) else args[0]
                low, high, nan = self.floating(inner, format_, depth)
                return -high - 1, -low - 1, nan
            case "zero_extend" if args[0].op == "extract" and args[0].payload == (format_.width - 2, 0):
                low, high, nan = self.floating(args[0].args[0], format_, depth)
                least = low if low >= 0 else -high - 1 if high < 0 else 0
                return least, max(high, -low - 1), nan
            case "fp.from_sbv" | "fp.from_ubv":
                low, high = self.number(args[0], term.op == "fp.from_sbv", depth)
                width = max(abs(low), abs(high)).bit_length() + 2
                ends = [_from_integer(format_, n, width) for n in (low, high)]
                return ends[0], ends[1], False
            case "fp.to_fp":
                source = FloatFormat(*term.payload[:2])
                low, high, nan = self.floating(args[0], source, depth)
                ends = [
                    key(format_, apply_float(term.op, term.payload, (), (pattern(source, e),))) for e in (low, high)
                ]
                return ends[0], ends[1], nan
            case "fp.round":
                return self._monotonic(term, format_, depth)
            case "fp.sqrt":
                low, high, nan = self.floating(args[0], format_, depth)
                if high < -1:
                    return None
                roots = [apply_float(term.op, term.payload, (), (pattern(format_, max(e, -1)),)) for e in (low, high)]
                return key(format_, roots[0]), key(format_, roots[1]), nan or low < -1
            case "fp.add" | "fp.sub" | "fp.mul" | "fp.div":
                return self._arithmetic_float(term, format_, depth)
        return None

    def _monotonic(self, term: Term, format_: FloatFormat, depth: int) -> FloatRange:
        low, high, nan = self.floating(term.args[0], format_, depth)
        ends = [key(format_, apply_float(term.op, term.payload, (), (pattern(format_, e),))) for e in (low, high)]
        return ends[0], ends[1], nan

    def _arithmetic_float(self, term: Term, format_: FloatFormat, depth: int) -> FloatRange | None:
        """By the four corners, unless some number between them may give none: infinities that meet, zeros that are
        divided by or meet infinities."""
        a, b = (self.floating(arg, format_, depth) for arg in term.args)
        infinite = [low < -format_.infinity or high >= format_.infinity for low, high, _ in (a, b)]
        zero = [low <= 0 and high >= -1 for low, high, _ in (a, b)]
        match term.op:
            case "fp.add" | "fp.sub":
                open_ = all(infinite)
            case "fp.mul":
                open_ = (infinite[0] and zero[1]) or (infinite[1] and zero[0])
            case _:
                open_ = zero[1] or all(infinite)
        if open_:
            return None
        corners = []
        for x, y in product(a[:2], b[:2]):
            values = pattern(format_, x), pattern(format_, y)
            corners.append(key(format_, apply_float(term.op, term.payload, (), values)))
        return min(corners), max(corners), a[2] or b[2]

    # ---- conditions ---------------------------------------------------------------------------------------

    def truth(self, term: Term, depth: int = _DEEPEST) -> bool | None:
        """Whether a condition holds; None where that depends."""
        if term.op == "const":
            return bool(term.payload)
        if not depth:
            return None
        match term.op:
            case "not":
                inner = self.truth(term.args[0], depth - 1)
                return None if inner is None else not inner
            case "and" | "or":
                decisive = term.op == "or"
                found = {self.truth(arg, depth - 1) for arg in term.args}
                return decisive if decisive in found else None if None in found else not decisive
            case "bvult" | "bvslt":
                a, b = (self.number(arg, term.op == "bvslt", depth - 1) for arg in term.args)
                return True if a[1] < b[0] else False if a[0] >= b[1] else None
            case "=" if term.args[0].sort.is_bits:
                a, b = (self.number(arg, False, depth - 1) for arg in term.args)
                return (a == b and a[0] == a[1]) or None if a[0] <= b[1] and b[0] <= a[1] else False
            case "fp.lt" | "fp.leq" | "fp.eq":
                return self._compared(term, depth - 1)
        return None

    def _compared(self, term: Term, depth: int) -> bool | None:
        format_ = FloatFormat(*term.payload)
        ranges = [self.floating(arg, format_, depth) for arg in term.args]
        # Zeros are equal.
        (al, ah), (bl, bh) = ((_whole(low), _whole(high)) for low, high, _ in ranges)
        nan = any(r[2] for r in ranges)
        match term.op:
            case "fp.lt":
                surely, never = ah < bl, al >= bh
            case "fp.leq":
                surely, never = ah <= bl, al > bh
            case _:
                surely, never = al == ah == bl == bh, ah < bl or bh < al
        return False if never else True if surely and not nan else None

    def refined(self, term: Term, holds: bool = True) -> Environment | None:
        """The environment where the condition holds (or does not); None where that cannot be."""
        decided = self.truth(term)
        if decided is not None:
            return self._of if decided is holds else None
        match term.op:
            case "not":
                return self.refined(term.args[0], not holds)
            case "and" | "or" if (term.op == "and") is holds:
                found: Environment | None = self._of
                for arg in term.args:
                    found = None if found is None else WordRanges(self._readings, found).refined(arg, holds)
                return found
            case "and" | "or":
                branches = [self.refined(arg, holds) for arg in term.args]
                return joined([branch for branch in branches if branch is not None])
            case "bvult" | "bvslt":
                return self._ordered(term, holds)
            case "=" if term.args[0].sort.is_bits and holds:
                return self._equated(*term.args)
            case "fp.lt" | "fp.leq" | "fp.eq":
                return self._ordered_floats(term, holds)
        return self._of

    def _limited(self, environment: Environment, term: Term, low: int, high: int, signed: bool) -> Environment | None:
        """The term is between two bounds in a reading: what that says of a variable, behind extensions too."""
        while term.op == ("sign_extend" if signed else "zero_extend"):
            term = term.args[0]
        if term.op == "zero_extend":
            term, signed, low = term.args[0], False, max(low, 0)
        if term.op == "extract" and self._is_size(term) and not signed:
            format_ = self._readings[term.args[0]]
            assert isinstance(format_, FloatFormat)
            if high > format_.infinity:
                return environment
            return self._limited_float(environment, term.args[0], format_, -high - 1, high, False)
        own = self._readings.get(term)
        if term.op != "var" or own is None or isinstance(own, FloatFormat):
            return environment
        before = environment.get(term, bits_range(term.sort.width, own))
        if own is not signed:
            # The same number in both readings, or else nothing is known.
            half = 1 << (term.sort.width - 1)
            if not (before[0] >= 0 and before[1] < half):
                return environment
        after = max(before[0], low), min(before[1], high)
        return None if after[0] > after[1] else {**environment, term: after}

    def _ordered(self, term: Term, holds: bool) -> Environment | None:
        signed = term.op == "bvslt"
        a, b = term.args
        (al, ah), (bl, bh) = self.number(a, signed), self.number(b, signed)
        if holds:
            found = self._limited(self._of, a, al, min(ah, bh - 1), signed)
            return None if found is None else self._limited(found, b, max(bl, al + 1), bh, signed)
        found = self._limited(self._of, a, max(al, bl), ah, signed)
        return None if found is None else self._limited(found, b, bl, min(bh, ah), signed)

    def _equated(self, a: Term, b: Term) -> Environment | None:
        found: Environment | None = self._of
        for one, other in ((a, b), (b, a)):
            if found is not None and one.op == "extract":
                found = self._limited(found, one, *self.number(other, False), False)
            if one.op != "var" or found is None:
                continue
            own = self._readings.get(one)
            if isinstance(own, FloatFormat):
                low, high, nan = self.floating(other, own)
                found = self._limited_float(found, one, own, low, high, nan)
            elif own is not None:
                found = self._limited(found, one, *self.number(other, own), own)
        return found

    def _limited_float(
        self, environment: Environment, term: Term, format_: FloatFormat, low: int, high: int, nan: bool
    ) -> Environment | None:
        if term.op != "var" or self._readings.get(term) != format_:
            return environment
        before = environment.get(term, every(format_))
        after = max(before[0], low), min(before[1], high), before[2] and nan
        if after[0] > after[1] and not after[2]:
            return None
        if after[0] > after[1]:
            return environment
        return {**environment, term: after}

    def _ordered_floats(self, term: Term, holds: bool) -> Environment | None:
        format_ = FloatFormat(*term.payload)
        a, b = term.args
        (al, ah, an), (bl, bh, bn) = self.floating(a, format_), self.floating(b, format_)
        op = term.op
        if not holds:
            if (an and bn) or op == "fp.eq":
                return self._of
            a, b, al, ah, an, bl, bh, bn = b, a, bl, bh, bn, al, ah, an
            op = "fp.leq" if op == "fp.lt" else "fp.lt"
        # Where they are compared, neither is NaN; a zero is as large as the other.
        if op == "fp.lt":
            ah, bl = min(ah, _below(bh)), max(bl, _above(al))
        elif op == "fp.leq":
            ah, bl = min(ah, _highest(bh)), max(bl, _lowest(al))
        else:
            low, high = max(_lowest(al), _lowest(bl)), min(_highest(ah), _highest(bh))
            al, bl, ah, bh = max(al, low), max(bl, low), min(ah, high), min(bh, high)
        # What does not hold says nothing of a number beside NaN; of what may be NaN, where the number is otherwise.
        found: Environment | None = self._of
        if holds or not bn:
            found = self._limited_float(self._of, a, format_, al, ah, not holds and an)
        if found is not None and (holds or not an):
            found = self._limited_float(found, b, format_, bl, bh, not holds and bn)
        return found


def joined(environments: list[Environment]) -> Environment | None:
    """The least environment around all of them; None of none."""
    if not environments:
        return None
    first, *others = environments
    for other in others:
        first = {v: hull(r, other[v]) for v, r in first.items() if v in other}
    return first


def hull(a: Any, b: Any) -> Any:
    """Around two ranges of one kind."""
    return (min(a[0], b[0]), max(a[1], b[1]), *((a[2] or b[2],) if len(a) == 3 else ()))


def _read_as(range_: Range, width: int, own: bool, wanted: bool) -> Range:
    """A range of one reading in the other."""
    low, high = range_
    half = 1 << (width - 1)
    if own is wanted or (low >= 0 and high < half):
        return range_
    if wanted and low >= half:
        return low - 2 * half, high - 2 * half
    if not wanted and high < 0:
        return low + 2 * half, high + 2 * half
    return bits_range(width, wanted)


def _fitting(range_: Range, whole: Range) -> Range | None:
    return range_ if whole[0] <= range_[0] and range_[1] <= whole[1] else None


def _is_sign(term: Term, format_: FloatFormat) -> bool:
    return term.op == "const" and term.payload == format_.sign


def _truncated(format_: FloatFormat, value: int) -> int:
    whole: int = apply_float("fp.to_sbv", (*format_.payload, 1 << 12), (), (value,))
    return as_signed(whole, 1 << 12)


def _from_integer(format_: FloatFormat, number: int, width: int) -> int:
    value = apply_float("fp.from_sbv", format_.payload, (bits(width),), (number % (1 << width),))
    return key(format_, value)


def _whole(place: int) -> int:
    """Places in an order in which both zeros are one."""
    return place if place >= 0 else place + 1


def _below(place: int) -> int:
    """The highest place less than a number, zeros being equal."""
    return -2 if place in (-1, 0) else place - 1


def _above(place: int) -> int:
    return 1 if place in (-1, 0) else place + 1


def _highest(place: int) -> int:
    return 0 if place == -1 else place


def _lowest(place: int) -> int:
    return -1 if place == 0 else place
