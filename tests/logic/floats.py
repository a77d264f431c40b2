"""Bit patterns of floats that find mistakes: all kinds of numbers, and such that meet at borders."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from argosy.logic.floating import DOUBLE, FLOAT_OPERATORS, FLOAT_PREDICATES, SINGLE, FloatFormat, Payload
from argosy.logic.sorts import Sort, bits

SMALL = FloatFormat(3, 4)
FORMATS = (SINGLE, DOUBLE, SMALL)


def patterns(format_: FloatFormat) -> st.SearchStrategy[int]:
    """Any pattern; those near zero, one, the least normal number, infinity; small integers and halves."""
    top = format_.significand - 1
    borders = (0, format_.bias << top, 1 << top, format_.infinity, format_.nan, (format_.bias + top) << top)
    near = st.builds(lambda border, by: (border + by) % format_.sign, st.sampled_from(borders), st.integers(-3, 3))
    few = st.builds(lambda e, f: e << top | f << max(0, top - 3), _exponents(format_), st.integers(0, 7))
    sign = st.sampled_from((0, format_.sign))
    size = st.one_of(near, few, st.integers(0, format_.sign - 1))
    return st.builds(lambda s, v: s | v % format_.sign, sign, size)


def _exponents(format_: FloatFormat) -> st.SearchStrategy[int]:
    reach = min(format_.bias, 40)
    return st.integers(format_.bias - reach, format_.bias + reach)


@st.composite
def operations(draw: st.DrawFn, formats: tuple[FloatFormat, ...] = FORMATS) -> tuple[str, Payload, tuple[Any, ...]]:
    """An operator, its payload, and values for its arguments."""
    op = draw(st.sampled_from(sorted(FLOAT_OPERATORS)))
    format_ = draw(st.sampled_from(formats))
    value = patterns(format_)
    match op:
        case "fp.to_fp":
            return op, (*format_.payload, *draw(st.sampled_from(formats)).payload), (draw(value),)
        case "fp.to_sbv" | "fp.to_ubv":
            return op, (*format_.payload, draw(st.sampled_from((8, 16, 32, 64)))), (draw(value),)
        case "fp.from_sbv" | "fp.from_ubv":
            return op, format_.payload, (draw(st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 99))),)
        case "fp.round":
            return op, (*format_.payload, draw(st.integers(0, 4))), (draw(value),)
        case "fp.sqrt":
            return op, format_.payload, (draw(value),)
    return op, format_.payload, (draw(value), draw(value))


def argument_sorts(op: str, payload: Payload) -> tuple[Sort, ...]:
    if op.startswith("fp.from_"):
        return (bits(64),)
    own = FloatFormat(*payload[:2]).sort
    two = op in FLOAT_PREDICATES or op in ("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fmod")
    return (own, own) if two else (own,)
