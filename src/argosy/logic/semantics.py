"""What each operator means on concrete values: the one table behind constant folding and evaluation.

Values are Python objects: ``bool``; ``int`` for integers; ``Fraction`` for rationals; the unsigned
reading, an ``int`` in ``[0, 2**n)``, for bit-vectors; ``ArrayValue`` for arrays. Floats are bit-vectors
(``floating``). The definitions are those of
SMT-LIB 2.6 (theories Ints, Reals and FixedSizeBitVectors): ``div`` and ``mod`` are Euclidean, division of a
bit-vector by zero gives all ones, its remainder the dividend. C's undefined cases never reach this table:
the front end guards them with checks on the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from argosy.basics.records import dataclass, field
from argosy.logic.floating import FLOAT_OPERATORS, apply_float
from argosy.logic.sorts import Sort

Value = Any  # bool | int | Fraction | ArrayValue; a union would need a cast at every use


@dataclass(frozen=True)
class ArrayValue:
    """A total map: ``default`` everywhere except at the stored indices."""

    default: Value
    stored: Mapping[Value, Value] = field(default_factory=dict)

    def select(self, index: Value) -> Value:
        return self.stored.get(index, self.default)

    def store(self, index: Value, value: Value) -> ArrayValue:
        return ArrayValue(self.default, {**self.stored, index: value})

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.stored.items())))


def same(sort: Sort, a: Value, b: Value) -> bool:
    """Equality of values; arrays are equal as functions, however their values are stored."""
    if sort.index is None or sort.element is None:
        return bool(a == b)
    touched = a.stored.keys() | b.stored.keys()
    if not all(same(sort.element, a.select(i), b.select(i)) for i in touched):
        return False
    size = {"bool": 2, "bits": 1 << sort.index.width}.get(sort.index.kind)
    return len(touched) == size or same(sort.element, a.default, b.default)


def signed(value: int, width: int) -> int:
    """The two's-complement reading of an unsigned value."""
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    """The residue of any integer modulo ``2**width``."""
    return value & ((1 << width) - 1)


def euclidean_div(a: int, b: int) -> int:
    """SMT-LIB ``div``: the remainder is never negative. ``b`` is not zero."""
    quotient = a // b if b > 0 else -(a // -b)
    return quotient


def truncated_div(a: int, b: int) -> int:
    """C's ``/``: towards zero. ``b`` is not zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _udiv(a: int, b: int, width: int) -> int:
    return (1 << width) - 1 if b == 0 else a // b


def _sdiv(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return 1 if x < 0 else (1 << width) - 1
    return unsigned(truncated_div(x, y), width)


def _srem(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    return a if y == 0 else unsigned(x - y * truncated_div(x, y), width)


def _ashr(a: int, b: int, width: int) -> int:
    return unsigned(signed(a, width) >> min(b, width), width)


# Binary and unary bit-vector operators: (values..., width of the first argument) -> value.
BIT_OPERATORS: Mapping[str, Callable[..., Value]] = {
    "bvadd": lambda a, b, w: unsigned(a + b, w),
    "bvsub": lambda a, b, w: unsigned(a - b, w),
    "bvmul": lambda a, b, w: unsigned(a * b, w),
    "bvneg": lambda a, w: unsigned(-a, w),
    "bvnot": lambda a, w: unsigned(~a, w),
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvshl": lambda a, b, w: unsigned(a << b, w) if b < w else 0,
    "bvlshr": lambda a, b, w: a >> b if b < w else 0,
    "bvashr": _ashr,
    "bvudiv": _udiv,
    "bvurem": lambda a, b, w: a if b == 0 else a % b,
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvult": lambda a, b, w: a < b,
    "bvule": lambda a, b, w: a <= b,
    "bvslt": lambda a, b, w: signed(a, w) < signed(b, w),
    "bvsle": lambda a, b, w: signed(a, w) <= signed(b, w),
}
BIT_PREDICATES = frozenset(("bvult", "bvule", "bvslt", "bvsle"))


def apply(op: str, payload: Value, sorts: tuple[Sort, ...], values: tuple[Value, ...]) -> Value:
    """The value of ``op`` on ``values``, whose sorts are ``sorts``. Raises ZeroDivisionError for div, mod, / by 0."""
    if op in BIT_OPERATORS:
        return BIT_OPERATORS[op](*values, sorts[0].width)
    if op in FLOAT_OPERATORS:
        return apply_float(op, payload, sorts, values)
    match op:
        case "not":
            return not values[0]
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "=":
            return same(sorts[0], *values)
        case "ite":
            return values[1] if values[0] else values[2]
        case "+":
            return sum(values[1:], values[0])
        case "*":
            product = values[0]
            for value in values[1:]:
                product = product * value
            return product
        case "<=":
            return values[0] <= values[1]
        case "<":
            return values[0] < values[1]
        case "div":
            return euclidean_div(values[0], values[1])
        case "mod":
            return values[0] - values[1] * euclidean_div(values[0], values[1])
        case "/":
            return Fraction(values[0]) / values[1]
        case "to_real":
            return Fraction(values[0])
        case "to_int":
            return values[0].__floor__()
        case "concat":
            return values[0] << sorts[1].width | values[1]
        case "extract":
            high, low = payload
            return unsigned(values[0] >> low, high - low + 1)
        case "zero_extend":
            return values[0]
        case "sign_extend":
            return unsigned(signed(values[0], sorts[0].width), sorts[0].width + payload)
        case "select":
            return values[0].select(values[1])
        case "store":
            return values[0].store(values[1], values[2])
        case "const-array":
            return ArrayValue(values[0])
    raise ValueError(f"no such operator: {op}")
