"""What the operators of typed code mean: once on values, once as terms over bit-vectors.

Integers wrap at their widths. Real numbers are their IEEE 754 bits (``reals``). What has a value when a program is run
and no term (the content of a string) is any value there (``Unknown``).

Laws (tests/frontends/plc): the two meanings agree on every operator that has both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from argosy.frontends.plc import reals
from argosy.frontends.plc.reals import Unknown
from argosy.frontends.plc.types import PlcScalar, Value, of_pattern, pattern, rounded
from argosy.logic.semantics import truncated_div
from argosy.logic.terms import Term, Terms

# ---- on values ------------------------------------------------------------------------------------------------------


def evaluate(operator: str, types: Sequence[PlcScalar], result: PlcScalar, values: Sequence[Value]) -> Value:
    """The value of an operator; ZeroDivisionError where it has none."""
    if operator == "convert":
        return converted(types[0], result, values[0])
    if operator in reals.OPERATORS and result.kind == "real":
        return reals.real_value(operator, result, values)
    found = _VALUES[operator](types[0], *values)
    if result.kind == "bool":
        return bool(found)
    if result.is_word:
        return result.wrapped(found)
    return rounded(result, found) if result.kind == "real" else found


def _remainder(a: int, b: int) -> int:
    return a - b * truncated_div(a, b)


def _rotate(type: PlcScalar, value: int, by: int) -> int:
    by %= type.width
    value &= (1 << type.width) - 1
    return value << by | value >> (type.width - by)


def _bits(type: PlcScalar, value: int) -> int:
    return value & ((1 << type.width) - 1)


_VALUES: Mapping[str, Callable[..., Any]] = {
    "add": lambda t, a, b: a + b,
    "sub": lambda t, a, b: a - b,
    "mul": lambda t, a, b: a * b,
    "div": lambda t, a, b: truncated_div(a, b) if b else _stop(),
    "mod": lambda t, a, b: _remainder(a, b) if b else _stop(),
    "neg": lambda t, a: -a,
    "abs": lambda t, a: abs(a),
    "and": lambda t, a, b: a & b,
    "or": lambda t, a, b: a | b,
    "xor": lambda t, a, b: a ^ b,
    "not": lambda t, a: not a if t.kind == "bool" else ~a,
    "eq": lambda t, a, b: a == b,
    "lt": lambda t, a, b: a < b,
    "le": lambda t, a, b: a <= b,
    "if": lambda t, c, a, b: a if c else b,
    "shl": lambda t, a, n: _bits(t, a) << n if 0 <= n < t.width else 0,
    "shr": lambda t, a, n: _bits(t, a) >> n if 0 <= n < t.width else 0,
    "rol": _rotate,
    "ror": lambda t, a, n: _rotate(t, a, t.width - n % t.width),
    "bit": lambda t, a, n: bool(_bits(t, a) >> n & 1),
    "bits of": pattern,
    "real of": lambda t, a: of_pattern(t, a),
    "concat": lambda t, *parts: "".join(parts),
    "len": lambda t, a: len(a),
    "left": lambda t, a, n: a[: max(n, 0)],
    "right": lambda t, a, n: a[max(len(a) - max(n, 0), 0) :],
    "mid": lambda t, a, n, at: a[max(at - 1, 0) : max(at - 1, 0) + max(n, 0)],
    "find": lambda t, a, b: a.find(b) + 1,
    "insert": lambda t, a, b, at: a[: max(at, 0)] + b + a[max(at, 0) :],
    "delete": lambda t, a, n, at: a[: max(at - 1, 0)] + a[max(at - 1, 0) + max(n, 0) :],
    "replace": lambda t, a, b, n, at: a[: max(at - 1, 0)] + b + a[max(at - 1, 0) + max(n, 0) :],
}


def _stop() -> int:
    raise ZeroDivisionError


def converted(source: PlcScalar, target: PlcScalar, value: Value) -> Value:
    """A conversion: to fewer bits it keeps the low ones, from a real it rounds to the nearest (ties to even)."""
    if target.kind == "bool":
        return bool(value)
    if target.kind == "real":
        return rounded(target, value) if source.kind == "real" else reals.real_from_whole(target, int(value))
    if target.kind == "string":
        return value[: target.length] if isinstance(value, str) else source.shown(value)
    if source.kind == "real":
        return reals.whole_from_real(target, value)
    if source.kind == "string":
        text = value.strip()
        return target.wrapped(int(text)) if re.fullmatch(r"[+-]?[0-9]{1,40}", text) else 0
    return target.wrapped(int(value))


# ---- as terms -------------------------------------------------------------------------------------------------------


def term(
    terms: Terms,
    operator: str,
    types: Sequence[PlcScalar],
    result: PlcScalar,
    arguments: Sequence[Term],
    unknown: Unknown,
) -> Term:
    """The term of an operator."""
    if operator == "convert":
        return _converted(terms, types[0], result, arguments[0], unknown)
    if operator == "bits of":
        return reals.bits_of(terms, types[0], result, arguments[0], unknown)
    if operator == "real of":
        return arguments[0]
    kind = types[1].kind if operator == "if" else types[0].kind
    if operator == "if":
        return terms.ite(*arguments)
    if kind == "string" and operator != "eq":
        return unknown(result, "the content of a string")
    if kind == "real":
        return reals.real_term(terms, operator, types[0], arguments, unknown)
    if kind == "bool":
        return _boolean(terms, operator, arguments)
    if operator in ("shl", "shr", "rol", "ror", "bit"):
        return _shifted(terms, operator, types[0], arguments)
    return _word(terms, operator, types[0], arguments)


def constant(terms: Terms, type: PlcScalar, value: Value, strings: Mapping[str, int]) -> Term:
    if type.kind == "real":
        return terms.bv(pattern(type, value), type.width)
    if type.kind == "string":
        return terms.bv(strings[value], type.width)
    return terms.const(value, type.sort)


def _boolean(terms: Terms, operator: str, arguments: Sequence[Term]) -> Term:
    match operator:
        case "and":
            return terms.and_(*arguments)
        case "or":
            return terms.or_(*arguments)
        case "xor":
            return terms.xor(*arguments)
        case "not":
            return terms.not_(arguments[0])
        case "eq":
            return terms.eq(*arguments)
        case "lt":
            return terms.and_(terms.not_(arguments[0]), arguments[1])
        case "le":
            return terms.or_(terms.not_(arguments[0]), arguments[1])
    raise ValueError(f"{operator} of BOOL")


_WORDS = {"add": "bvadd", "sub": "bvsub", "mul": "bvmul", "and": "bvand", "or": "bvor", "xor": "bvxor", "neg": "bvneg"}


def _word(terms: Terms, operator: str, type: PlcScalar, arguments: Sequence[Term]) -> Term:
    first = arguments[0]
    if operator in _WORDS:
        return terms.bit(_WORDS[operator], *arguments)
    sign = "s" if type.signed else "u"
    match operator:
        case "not":
            return terms.bit("bvnot", first)
        case "eq":
            return terms.eq(*arguments)
        case "lt":
            return terms.bit(f"bv{sign}lt", *arguments)
        case "le":
            return terms.bit(f"bv{sign}le", *arguments)
        case "div":
            return terms.bit(f"bv{sign}div", *arguments)
        case "mod":
            return terms.bit(f"bv{sign}rem", *arguments)
        case "abs":
            negative = terms.bit("bvslt", first, terms.bv(0, type.width))
            return terms.ite(negative, terms.bit("bvneg", first), first) if type.signed else first
    raise ValueError(f"{operator} of {type.name}")


def _shifted(terms: Terms, operator: str, type: PlcScalar, arguments: Sequence[Term]) -> Term:
    """Shifts by what is a non-negative number; from the width on nothing is left."""
    value, by = arguments
    width = type.width
    if by.sort.width < width:
        amount = terms.zero_extend(by, width - by.sort.width)
        beyond = terms.false
    else:
        amount = terms.extract(by, width - 1, 0)
        beyond = terms.not_(terms.bit("bvult", by, terms.bv(width, by.sort.width)))
    zero = terms.bv(0, width)
    match operator:
        case "shl":
            return terms.ite(beyond, zero, terms.bit("bvshl", value, amount))
        case "shr":
            return terms.ite(beyond, zero, terms.bit("bvlshr", value, amount))
        case "bit":
            found = terms.extract(terms.bit("bvlshr", value, amount), 0, 0)
            return terms.eq(found, terms.bv(1, 1))
    # The widths are powers of two: what counts of the amount are its lowest bits.
    amount = terms.bit("bvand", amount, terms.bv(width - 1, width))
    back = terms.bit("bvand", terms.bit("bvsub", terms.bv(width, width), amount), terms.bv(width - 1, width))
    left, right = (amount, back) if operator == "rol" else (back, amount)
    return terms.bit("bvor", terms.bit("bvshl", value, left), terms.bit("bvlshr", value, right))


def _converted(terms: Terms, source: PlcScalar, target: PlcScalar, argument: Term, unknown: Unknown) -> Term:
    if source.kind == target.kind == "string" and target.length < source.length:
        return unknown(target, "the content of a string")
    if source.kind == target.kind and source.width == target.width:
        return argument
    if "string" in (source.kind, target.kind):
        return unknown(target, "the content of a string")
    if "real" in (source.kind, target.kind):
        return reals.converted_term(terms, source, target, argument, unknown)
    if target.kind == "bool":
        return terms.ne(argument, terms.bv(0, source.width))
    if source.kind == "bool":
        return terms.ite(argument, terms.bv(1, target.width), terms.bv(0, target.width))
    if target.width <= source.width:
        return terms.extract(argument, target.width - 1, 0)
    by = target.width - source.width
    return terms.sign_extend(argument, by) if source.signed else terms.zero_extend(argument, by)
