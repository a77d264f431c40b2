"""Ranges of words contain the values of terms; conditions are decided rightly; refinement loses no valuation."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argosy.logic.floating import FloatFormat, magnitude
from argosy.logic.ranges import Reading, WordRanges, every, hull, joined, key, pattern
from argosy.logic.semantics import signed
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from tests.logic.floats import patterns

FORMAT = FloatFormat(4, 5)
WIDTH = 6
TERMS = Terms()
FLOATS = [TERMS.var(name, FORMAT.sort) for name in ("f", "g")]
WORDS = [TERMS.var(name, bits(WIDTH)) for name in ("m", "n")]
READINGS: dict[Term, Reading] = {FLOATS[0]: FORMAT, FLOATS[1]: FORMAT, WORDS[0]: True, WORDS[1]: False}
_BITS = ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvlshr", "bvxor")


def numbers(depth: int) -> st.SearchStrategy[Term]:
    leaf = st.one_of(st.sampled_from(WORDS), st.integers(0, 2**WIDTH - 1).map(lambda n: TERMS.bv(n, WIDTH)))
    if not depth:
        return leaf
    inner = numbers(depth - 1)
    small = st.builds(lambda a, low: TERMS.extract(a, low + 2, low), inner, st.integers(0, WIDTH - 3))
    return st.one_of(
        leaf,
        st.builds(lambda op, a, b: TERMS.bit(op, a, b), st.sampled_from(_BITS), inner, inner),
        st.builds(lambda a: TERMS.bit("bvneg", a), inner),
        st.builds(TERMS.ite, conditions(depth - 1), inner, inner),
        small.map(lambda a: TERMS.zero_extend(a, WIDTH - 3)),
        small.map(lambda a: TERMS.sign_extend(a, WIDTH - 3)),
        st.builds(
            lambda op, a: TERMS.floating(op, (*FORMAT.payload, WIDTH), a),
            st.sampled_from(("fp.to_sbv", "fp.to_ubv")),
            floats(depth - 1),
        ),
    )


def floats(depth: int) -> st.SearchStrategy[Term]:
    leaf = st.one_of(st.sampled_from(FLOATS), patterns(FORMAT).map(lambda n: TERMS.bv(n, FORMAT.width)))
    if not depth:
        return leaf
    inner = floats(depth - 1)
    arithmetic = st.sampled_from(("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fmod"))
    return st.one_of(
        leaf,
        st.builds(lambda op, a, b: TERMS.floating(op, FORMAT.payload, a, b), arithmetic, inner, inner),
        inner.map(lambda a: TERMS.floating("fp.sqrt", FORMAT.payload, a)),
        st.builds(lambda a, r: TERMS.floating("fp.round", (*FORMAT.payload, r), a), inner, st.integers(0, 4)),
        inner.map(lambda a: TERMS.bit("bvxor", a, TERMS.bv(FORMAT.sign, FORMAT.width))),
        inner.map(lambda a: TERMS.zero_extend(TERMS.extract(a, FORMAT.width - 2, 0), 1)),
        st.builds(TERMS.ite, conditions(depth - 1), inner, inner),
        st.builds(
            lambda op, a: TERMS.floating(op, FORMAT.payload, a),
            st.sampled_from(("fp.from_sbv", "fp.from_ubv")),
            numbers(depth - 1),
        ),
    )


def size(x: Term, bound: int) -> Term:
    """As NaN, infinities and zeros are asked for."""
    width = FORMAT.width - 1
    return TERMS.bit("bvult", TERMS.bv(bound, width), TERMS.extract(x, width - 1, 0))


def conditions(depth: int) -> st.SearchStrategy[Term]:
    a, f = numbers(max(0, depth - 1)), floats(max(0, depth - 1))
    atom = st.one_of(
        st.builds(lambda op, x, y: TERMS.bit(op, x, y), st.sampled_from(("bvult", "bvslt")), a, a),
        st.builds(TERMS.eq, a, a),
        st.builds(TERMS.eq, f, f),
        st.builds(
            lambda x, bound, flip: TERMS.not_(size(x, bound)) if flip else size(x, bound),
            st.sampled_from(FLOATS),
            st.sampled_from((0, 1, FORMAT.infinity - 1, FORMAT.infinity)),
            st.booleans(),
        ),
        st.builds(
            lambda op, x, y: TERMS.floating(op, FORMAT.payload, x, y),
            st.sampled_from(("fp.lt", "fp.leq", "fp.eq")),
            f,
            f,
        ),
    )
    if depth <= 0:
        return atom
    inner = conditions(depth - 1)
    return st.one_of(
        atom, st.builds(TERMS.and_, inner, inner), st.builds(TERMS.or_, inner, inner), inner.map(TERMS.not_)
    )


@st.composite
def worlds(draw: st.DrawFn) -> tuple[dict[Term, Any], list[dict[Term, int]]]:
    """An environment, and valuations inside of it."""
    environment: dict[Term, Any] = {}
    valuations: list[dict[Term, int]] = [{}, {}, {}]
    for variable, reading in READINGS.items():
        chosen = [draw(patterns(FORMAT) if reading is FORMAT else st.integers(0, 2**WIDTH - 1)) for _ in valuations]
        for valuation, value in zip(valuations, chosen, strict=True):
            valuation[variable] = value
        if draw(st.integers(0, 4)):
            around = [_range(reading, value) for value in chosen]
            environment[variable] = hull(hull(around[0], around[1]), around[2])
    return environment, valuations


def _range(reading: Reading, value: int) -> Any:
    if isinstance(reading, FloatFormat):
        if magnitude(reading, value) > reading.infinity:
            return 0, 0, True
        return key(reading, value), key(reading, value), False
    number = signed(value, WIDTH) if reading else value
    return number, number


def _inside(reading: Reading, value: int, range_: Any) -> bool:
    if isinstance(reading, FloatFormat) and magnitude(reading, value) > reading.infinity:
        return bool(range_[2])
    low = _range(reading, value)[0]
    return bool(range_[0] <= low <= range_[1])


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), numbers(3))
def test_numbers_are_in_their_ranges(world: tuple[dict[Term, Any], list[dict[Term, int]]], term: Term) -> None:
    ranges = WordRanges(READINGS, world[0])
    for reading in (True, False):
        found = ranges.number(term, reading)
        assert all(_inside(reading, evaluate(term, valuation), found) for valuation in world[1])


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), floats(3))
def test_floats_are_in_their_ranges(world: tuple[dict[Term, Any], list[dict[Term, int]]], term: Term) -> None:
    found = WordRanges(READINGS, world[0]).floating(term, FORMAT)
    assert all(_inside(FORMAT, evaluate(term, valuation), found) for valuation in world[1])


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), conditions(3), st.booleans())
def test_refinement_keeps_what_satisfies_a_condition(
    world: tuple[dict[Term, Any], list[dict[Term, int]]], condition: Term, holds: bool
) -> None:
    ranges = WordRanges(READINGS, world[0])
    decided, refined = ranges.truth(condition), ranges.refined(condition, holds)
    for valuation in world[1]:
        value = evaluate(condition, valuation)
        assert decided in (None, value)
        if value is holds:
            assert refined is not None
            assert all(_inside(READINGS[v], valuation[v], range_) for v, range_ in refined.items())


def test_keys_order_all_numbers() -> None:
    numbers = [n for n in range(1 << FORMAT.width) if magnitude(FORMAT, n) <= FORMAT.infinity]
    assert sorted(numbers, key=lambda n: key(FORMAT, n)) == [pattern(FORMAT, p) for p in range(*_ends())]
    assert joined([]) is None


def _ends() -> tuple[int, int]:
    low, high, _ = every(FORMAT)
    return low, high + 1


def test_what_does_not_hold_bounds_what_may_be_no_number() -> None:
    f, one = FLOATS[0], TERMS.bv(FORMAT.bias << (FORMAT.significand - 1), FORMAT.width)
    low, high, _ = every(FORMAT)
    place = key(FORMAT, one.payload)
    expected = {
        ("fp.lt", f, one): (place, high, True),
        ("fp.leq", f, one): (place + 1, high, True),
        ("fp.lt", one, f): (low, place, True),
        ("fp.leq", one, f): (low, place - 1, True),
    }
    for (op, a, b), bounds in expected.items():
        condition = TERMS.floating(op, FORMAT.payload, a, b)
        refined = WordRanges(READINGS, {}).refined(condition, False)
        assert refined == {f: bounds}
        for value in range(1 << FORMAT.width):
            assert evaluate(condition, {f: value}) or _inside(FORMAT, value, bounds)
    # Nothing is known of a number beside what may be none.
    condition = TERMS.floating("fp.lt", FORMAT.payload, f, FLOATS[1])
    known = {FLOATS[1]: (place, place, False)}
    assert WordRanges(READINGS, known).refined(condition, False) == {**known, f: (place, high, True)}
    known = {FLOATS[1]: (place - 5, place, False), f: (place, place + 3, True)}
    refined = WordRanges(READINGS, known).refined(condition, False)
    assert refined is not None and refined[FLOATS[1]] == (place - 5, place, False)
