"""Terms over bit-vectors as C expressions whose evaluation is defined, and gives the number that the term has.

A bit-vector has two readings, signed and unsigned. Each expression comes with the interval of its values, so that sums
and products are computed in ``long long`` wherever they fit, and wrap around as unsigned numbers do where they do not.

Law: for all values of the variables, the expression is defined in C and has the value of the term in its reading.
"""

from __future__ import annotations

from collections.abc import Callable

from argosy.basics.records import dataclass
from argosy.logic.semantics import signed as signed_value
from argosy.logic.terms import Term

INT, UNSIGNED, LONG, LONGEST = "int", "unsigned int", "long long", "unsigned long long"
_RANGES = {
    INT: (-(1 << 31), (1 << 31) - 1),
    UNSIGNED: (0, (1 << 32) - 1),
    LONG: (-(1 << 63), (1 << 63) - 1),
    LONGEST: (0, (1 << 64) - 1),
}
_CASTS = {
    (8, True): "signed char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): INT,
    (32, False): UNSIGNED,
    (64, True): LONG,
    (64, False): LONGEST,
}
_WIDEST = 64


class NotInC(Exception):
    """The term cannot be said. Control flow only: caught by who asks for a formula."""


@dataclass(frozen=True, slots=True)
class CNumber:
    """An expression, atomic or in parentheses; its type in C after promotion; the least and the largest value."""

    text: str
    type: str
    low: int
    high: int

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def cast(self, type_: str) -> CNumber:
        """The same number in another type, into which it fits."""
        if self.type == type_:
            return self
        if not self.within(*_RANGES[type_]):
            raise NotInC
        if self.low == self.high:
            return constant(self.low, type_)
        return CNumber(f"({type_}) {self.text}", type_, self.low, self.high)


@dataclass(frozen=True, slots=True)
class CVariable:
    """What a variable is called, how its type reads bits, and between which numbers it is known to be."""

    text: str
    width: int
    signed: bool
    low: int | None = None
    high: int | None = None


def range_of(width: int, signed: bool) -> tuple[int, int]:
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)


def constant(value: int, type_: str | None = None) -> CNumber:
    """A number as C writes it."""
    fitting = (INT, LONG, LONGEST) if type_ is None else (type_,)
    type_ = next((each for each in fitting if _RANGES[each][0] <= value <= _RANGES[each][1]), None)
    if type_ is None:
        raise NotInC
    suffix = {INT: "", UNSIGNED: "U", LONG: "LL", LONGEST: "ULL"}[type_]
    text = f"{value}{suffix}" if value >= 0 else f"(-{-value}{suffix})"
    if value == _RANGES[type_][0] and value < 0:
        text = f"(-{-(value + 1)}{suffix} - 1)"
    return CNumber(text, type_, value, value)


def common(a: CNumber, b: CNumber) -> tuple[CNumber, CNumber]:
    """Both in one type, in which they can be compared."""
    for type_ in dict.fromkeys((a.type, b.type, LONG, LONGEST)):
        if a.within(*_RANGES[type_]) and b.within(*_RANGES[type_]):
            return a.cast(type_), b.cast(type_)
    raise NotInC


def wrapped(number: CNumber, width: int, signed: bool) -> CNumber:
    """The reading of the lowest bits of a number."""
    low, high = range_of(width, signed)
    if number.within(low, high):
        return number
    if (width, signed) in _CASTS:
        name = _CASTS[width, signed]
        type_ = name if name in _RANGES else INT
        return CNumber(f"({name}) {number.text}", type_, low, high)
    if width >= _WIDEST:
        raise NotInC
    type_ = LONGEST if number.type == LONGEST else LONG
    text = number.text if number.type == type_ else f"({type_}) {number.text}"
    masked = CNumber(f"({text} & {constant((1 << width) - 1, type_).text})", type_, 0, (1 << width) - 1)
    if not signed:
        return masked
    half = constant(1 << (width - 1), LONG).text
    return CNumber(f"((({masked.cast(LONG).text}) ^ {half}) - {half})", LONG, low, high)


class CNumbers:
    """``variable`` says what a variable is called; it raises NotInC for one that has no name."""

    def __init__(self, variable: Callable[[Term], CVariable]) -> None:
        self._variable = variable
        self._known: dict[tuple[Term, bool], CNumber] = {}

    def of(self, term: Term, signed: bool) -> CNumber:
        """The expression for a reading of a term."""
        known = self._known.get((term, signed))
        if known is None:
            known = self._known[term, signed] = self._made(term, signed)
        return known

    def _made(self, term: Term, signed: bool) -> CNumber:
        width = term.sort.width
        match term.op:
            case "const":
                return constant(signed_value(term.payload, width) if signed else term.payload)
            case "var":
                return self._named(term, signed)
            case "zero_extend":
                return self.of(term.args[0], False)
            case "sign_extend":
                return wrapped(self.of(term.args[0], True), width, signed)
            case "bvadd" | "bvsub" | "bvmul":
                return self._arithmetic(term.op, term.args[0], term.args[1], width, signed)
            case "bvneg":
                return self._negated(term, width, signed)
            case "bvnot":
                inner = self.of(term.args[0], True).cast(LONG)
                made = CNumber(f"(-1LL - {inner.text})", LONG, -1 - inner.high, -1 - inner.low)
                return wrapped(made, width, signed)
            case "bvand" | "bvor" | "bvxor":
                return self._bitwise(term, signed)
            case "bvshl" | "bvlshr" | "bvashr" if term.args[1].op == "const":
                return self._shifted(term, width, signed)
            case "bvudiv" | "bvurem" | "bvsdiv" | "bvsrem":
                return self._divided(term, width, signed)
            case "extract":
                return self._extracted(term, width, signed)
            case "concat":
                return self._joined(term, width, signed)
            case "ite" if width:
                raise NotInC
        raise NotInC

    def _named(self, term: Term, signed: bool) -> CNumber:
        own = self._variable(term)
        low, high = range_of(own.width, own.signed)
        type_ = next(t for t in (INT, UNSIGNED, LONG, LONGEST) if _RANGES[t][0] <= low and high <= _RANGES[t][1])
        low, high = low if own.low is None else max(low, own.low), high if own.high is None else min(high, own.high)
        number = CNumber(own.text, type_, low, high)
        return number if own.signed == signed else wrapped(number, own.width, signed)

    def _arithmetic(self, op: str, left: Term, right: Term, width: int, signed: bool) -> CNumber:
        sign = {"bvadd": "+", "bvsub": "-", "bvmul": "*"}[op]
        low, high = range_of(width, signed)
        candidates = []
        for reading in (True, False):
            a, b = self.of(left, reading), self.of(right, reading)
            ends = [_compute(sign, x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
            made = min(ends), max(ends)
            if all(number.within(*_RANGES[LONG]) for number in (a, b)) and (
                _RANGES[LONG][0] <= made[0] and made[1] <= _RANGES[LONG][1]
            ):
                text = _sum(a.cast(LONG).text, sign, b.cast(LONG))
                candidates.append(CNumber(text, LONG, *made))
        for number in candidates:
            if number.within(low, high):
                return number
        if width > _WIDEST:
            raise NotInC
        if candidates:
            return wrapped(candidates[0], width, signed)
        text = f"({self._modular(left)} {sign} {self._modular(right)})"
        return wrapped(CNumber(text, LONGEST, *_RANGES[LONGEST]), width, signed)

    def _modular(self, term: Term) -> str:
        """In ``unsigned long long``, right in its lowest bits."""
        number = self.of(term, False)
        return number.text if number.type == LONGEST else f"(unsigned long long) {number.text}"

    def _negated(self, term: Term, width: int, signed: bool) -> CNumber:
        for reading in (True, False):
            inner = self.of(term.args[0], reading)
            if inner.within(-(1 << 62), 1 << 62):
                made = CNumber(f"(-{inner.cast(LONG).text})", LONG, -inner.high, -inner.low)
                return wrapped(made, width, signed)
        raise NotInC

    def _bitwise(self, term: Term, signed: bool) -> CNumber:
        """Both readings may be extended to any width before the operation."""
        sign = {"bvand": "&", "bvor": "|", "bvxor": "^"}[term.op]
        a, b = common(self.of(term.args[0], signed), self.of(term.args[1], signed))
        # As many bits as the larger of the two; -1 has none besides its sign.
        used = max((end if end >= 0 else ~end).bit_length() for end in (a.low, a.high, b.low, b.high))
        low, high = (-(1 << used) if min(a.low, b.low) < 0 else 0), (1 << used) - 1
        if term.op == "bvand" and min(a.low, b.low) >= 0:
            high = min(a.high, b.high)
        return CNumber(f"({a.text} {sign} {b.text})", a.type, low, high)

    def _shifted(self, term: Term, width: int, signed: bool) -> CNumber:
        inner, by = term.args[0], term.args[1].payload
        if by >= width:
            raise NotInC
        if term.op == "bvshl":
            a = f"({self._modular(inner)} << {by})"
            return wrapped(CNumber(a, LONGEST, *_RANGES[LONGEST]), width, signed)
        number = self.of(inner, term.op == "bvashr")
        made = CNumber(f"({number.text} >> {by})", number.type, number.low >> by, number.high >> by)
        return wrapped(made, width, signed)

    def _divided(self, term: Term, width: int, signed: bool) -> CNumber:
        reading = term.op in ("bvsdiv", "bvsrem")
        a, b = self.of(term.args[0], reading), self.of(term.args[1], reading)
        if b.low <= 0 <= b.high or (b.low <= -1 <= b.high):
            raise NotInC
        if term.op.endswith("div"):
            ends = [_quotient(x, y) for x in (a.low, a.high) for y in (b.low, b.high)] + ([0] if a.low <= 0 else [])
            low, high, sign = min(ends), max(ends), "/"
        else:
            most = max(abs(b.low), abs(b.high)) - 1
            low, high, sign = (-most if a.low < 0 else 0), (most if a.high > 0 else 0), "%"
        a, b = common(a, b)
        return wrapped(CNumber(f"({a.text} {sign} {b.text})", a.type, low, high), width, signed)

    def _extracted(self, term: Term, width: int, signed: bool) -> CNumber:
        high, low = term.payload
        if not low:
            reading = signed if high + 1 <= _WIDEST else True
            return wrapped(self.of(term.args[0], reading), width, signed)
        number = self.of(term.args[0], False)
        moved = CNumber(f"({number.text} >> {low})", number.type, number.low >> low, number.high >> low)
        return wrapped(moved, width, signed)

    def _joined(self, term: Term, width: int, signed: bool) -> CNumber:
        if width > _WIDEST:
            raise NotInC
        upper, lower = (self.of(part, False).cast(LONGEST) for part in term.args)
        text = f"(({upper.text} << {term.args[1].sort.width}) | {lower.text})"
        return wrapped(CNumber(text, LONGEST, 0, (1 << width) - 1), width, signed)


def _compute(sign: str, a: int, b: int) -> int:
    return a + b if sign == "+" else a - b if sign == "-" else a * b


def _quotient(a: int, b: int) -> int:
    result = abs(a) // abs(b)
    return result if (a < 0) == (b < 0) else -result


def _sum(left: str, sign: str, right: CNumber) -> str:
    """``x - 1`` instead of ``x + (-1)``."""
    if sign == "+" and right.low == right.high and -(1 << 62) < right.low < 0:
        return f"({left} - {constant(-right.low, LONG).text})"
    return f"({left} {sign} {right.text})"
