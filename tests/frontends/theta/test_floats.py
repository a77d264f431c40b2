"""Floating-point operations against exact arithmetic with fractions and one rounding: all pairs of small formats."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from argosy.frontends.theta.types import ThetaType, floating
from argosy.logic.float_circuits import FloatCircuits, Rounding
from argosy.logic.terms import Term, Terms

TERMS = Terms()
FLOATS = FloatCircuits(TERMS)
HALF, SINGLE = floating(5, 11), floating(8, 24)
OPERATORS = ("fpadd", "fpsub", "fpmul", "fpdiv")


def exact(type_: ThetaType, bits: int) -> Fraction | str:
    """The number, or "nan", "inf", "-inf"; the sign of a zero is lost."""
    fraction_bits = type_.significand - 1
    fraction = bits & ((1 << fraction_bits) - 1)
    biased = bits >> fraction_bits & ((1 << type_.exponent) - 1)
    sign = -1 if bits >> (type_.sort.width - 1) else 1
    bias = (1 << (type_.exponent - 1)) - 1
    if biased == (1 << type_.exponent) - 1:
        return "nan" if fraction else ("inf" if sign > 0 else "-inf")
    lead, exponent = (0, 1 - bias) if biased == 0 else (1, biased - bias)
    return sign * (lead + Fraction(fraction, 1 << fraction_bits)) * Fraction(2) ** exponent


def numbers(type_: ThetaType) -> list[tuple[Fraction, int]]:
    """All finite numbers with their bits, ascending, one zero."""
    found: dict[Fraction, int] = {}
    for bits in range(1 << type_.sort.width):
        value = exact(type_, bits)
        if isinstance(value, Fraction):
            found.setdefault(value, bits)
    return sorted(found.items())


def rounded(value: Fraction, rounding: Rounding, table: list[tuple[Fraction, int]]) -> Fraction | str:
    """By looking: the neighbours of the value, beyond the largest number the one that would come next."""
    finite = [number for number, _ in table]
    beyond = 2 * finite[-1] - finite[-2]
    if abs(value) >= beyond:
        # Anything there is rounded as what lies just before it.
        value = (finite[-1] + 99 * beyond) / 100 * (1 if value > 0 else -1)
    values = [-beyond, *finite, beyond]
    below, above = max(each for each in values if each <= value), min(each for each in values if each >= value)
    match rounding:
        case _ if below == above:
            chosen = below
        case Rounding.RTP:
            chosen = above
        case Rounding.RTN:
            chosen = below
        case Rounding.RTZ:
            chosen = below if value > 0 else above
        case _ if value - below != above - value:
            chosen = below if value - below < above - value else above
        case Rounding.RNA:
            chosen = max(below, above, key=abs)
        case _:
            place = dict(table)
            chosen = next(each for each in (below, above) if place.get(each, 0) % 2 == 0)
    if abs(chosen) == beyond:
        return "inf" if chosen > 0 else "-inf"
    return chosen


def computed(op: str, a: Fraction | str, b: Fraction | str) -> Fraction | str | None:
    """The exact result of finite numbers; None where something else is tested."""
    if isinstance(a, str) or isinstance(b, str):
        return None
    match op:
        case "fpadd":
            return a + b
        case "fpsub":
            return a - b
        case "fpmul":
            return a * b
    return None if b == 0 else a / b


def constant(type_: ThetaType, bits: int) -> Term:
    return TERMS.bv(bits, type_.sort.width)


@pytest.mark.parametrize(("type_", "step"), [(floating(2, 3), 3), (floating(3, 4), 97)], ids=["fp[2:3]", "fp[3:4]"])
@pytest.mark.parametrize("op", OPERATORS)
def test_pairs_of_a_small_format(type_: ThetaType, step: int, op: str) -> None:
    table, width = numbers(type_), type_.sort.width
    for rounding in Rounding:
        known: dict[Fraction, Fraction | str] = {}
        for a, b in (divmod(pair, 1 << width) for pair in range(0, 1 << 2 * width, step)):
            value = computed(op, exact(type_, a), exact(type_, b))
            if not isinstance(value, Fraction):
                continue
            if value not in known:
                known[value] = rounded(value, rounding, table)
            term = FLOATS.binary(op, type_, constant(type_, a), constant(type_, b), rounding)
            assert exact(type_, term.value) == known[value], (rounding, a, b)


@pytest.mark.parametrize("bits", [0x0001, 0x3C00, 0x7BFF, 0x8400, 0x3555, 0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E00])
@pytest.mark.parametrize("other", [0x0001, 0x3C01, 0xBC00, 0x7BFF, 0x3555, 0x8000, 0x0000, 0x7C00, 0x7E00])
def test_special_values_and_the_signs_of_zeros_are_those_of_the_machine(bits: int, other: int) -> None:
    """Of half precision; sums and products of two such numbers are exact in double precision, and rounded by struct."""
    a, b = (struct.unpack("<e", struct.pack("<H", each))[0] for each in (bits, other))
    for op, value in (("fpadd", a + b), ("fpsub", a - b), ("fpmul", a * b)):
        term = FLOATS.binary(op, HALF, constant(HALF, bits), constant(HALF, other), Rounding.RNE)
        if value != value:
            assert FLOATS.is_nan(HALF, term) is TERMS.true
            continue
        try:
            wanted = struct.unpack("<H", struct.pack("<e", value))[0]
        except OverflowError:
            wanted = 0x7C00 if value > 0 else 0xFC00
        assert term.value == wanted, (op, a, b)


@pytest.mark.parametrize("number", [0.0, 1.5, -2.25, 65504.0, 65519.9, 65520.0, 1e-8, -6e-8, 3.14159, float("inf")])
def test_conversions_are_those_of_the_machine(number: float) -> None:
    single = struct.unpack("<I", struct.pack("<f", number))[0]
    value = struct.unpack("<f", struct.pack("<f", number))[0]
    try:
        wanted = struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        wanted = 0x7C00
    term = FLOATS.converted(SINGLE, constant(SINGLE, single), HALF, Rounding.RNE)
    assert term.value == wanted
    back = FLOATS.converted(HALF, term, SINGLE, Rounding.RTZ)
    assert exact(SINGLE, back.value) == exact(HALF, wanted)


@pytest.mark.parametrize("signed", [True, False])
def test_numbers_from_bit_vectors(signed: bool) -> None:
    for bits in range(0, 256, 5):
        value = bits - 256 if signed and bits >= 128 else bits
        term = FLOATS.from_bits(TERMS.bv(bits, 8), HALF, signed, Rounding.RNE)
        assert term.value == struct.unpack("<H", struct.pack("<e", value))[0]


def test_comparisons_are_those_of_the_machine() -> None:
    patterns = [0x0000, 0x8000, 0x0001, 0x8001, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00]
    for a in patterns:
        for b in patterns:
            x, y = (struct.unpack("<e", struct.pack("<H", each))[0] for each in (a, b))
            terms = constant(HALF, a), constant(HALF, b)
            found = [FLOATS.compare(op, HALF, *terms) is TERMS.true for op in ("<", "<=", ">", ">=")]
            assert found == [x < y, x <= y, x > y, x >= y], (x, y)
            assert (FLOATS.equal(HALF, *terms) is TERMS.true) == (x == y)
