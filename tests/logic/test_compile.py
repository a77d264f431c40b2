"""Compiled terms have the values that evaluation gives them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.compile import compile_term, compile_terms, compile_update
from argosy.logic.partial import compile_partial
from argosy.logic.semantics import BIT_OPERATORS, BIT_PREDICATES, ArrayValue
from argosy.logic.sorts import BOOL, INT, REAL, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.logic.valuation import Functions, Valuation

TERMS = Terms()
WORDS = [TERMS.var(name, bits(5)) for name in "abc"]
NUMBERS = [TERMS.var(name, INT) for name in "ij"]
TRUTHS = [TERMS.var("p", BOOL)]
SLOTS = {v: i for i, v in enumerate([*WORDS, *NUMBERS, *TRUTHS])}
UNARY = ("bvneg", "bvnot")
BINARY = tuple(op for op in BIT_OPERATORS if op not in BIT_PREDICATES and op not in UNARY)


@st.composite
def words(draw: st.DrawFn, depth: int = 3) -> Term:
    t = TERMS
    kinds = ["leaf"] if depth == 0 else ["leaf", "unary", "binary", "binary", "ite", "extend", "concat"]
    match draw(st.sampled_from(kinds)):
        case "leaf":
            return draw(st.sampled_from(WORDS) | st.integers(0, 31).map(lambda k: t.bv(k, 5)))
        case "unary":
            return t.bit(draw(st.sampled_from(UNARY)), draw(words(depth - 1)))
        case "binary":
            return t.bit(draw(st.sampled_from(BINARY)), draw(words(depth - 1)), draw(words(depth - 1)))
        case "ite":
            return t.ite(draw(truths(depth - 1)), draw(words(depth - 1)), draw(words(depth - 1)))
        case "concat":
            return t.extract(t.concat(draw(words(depth - 1)), draw(words(depth - 1))), 7, 3)
    by = draw(st.integers(1, 4))
    extended = t.app(draw(st.sampled_from(["zero_extend", "sign_extend"])), (draw(words(depth - 1)),), by)
    doubled = t.bit("bvmul", extended, t.bv(3, 5 + by))
    return t.extract(doubled, 4 + by, by)


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2) -> Term:
    t = TERMS
    kinds = ["leaf"] if depth == 0 else ["leaf", "+", "*", "div", "mod"]
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        return draw(st.sampled_from(NUMBERS) | st.integers(-9, 9).map(t.integer))
    if kind in ("div", "mod"):
        return t.app(kind, (draw(numbers(depth - 1)), t.integer(draw(st.integers(-5, 5).filter(bool)))))
    return t.app(kind, (draw(numbers(depth - 1)), draw(numbers(depth - 1))))


@st.composite
def truths(draw: st.DrawFn, depth: int = 3) -> Term:
    t = TERMS
    kinds = ["leaf", "bits", "int"] if depth == 0 else ["bits", "bits", "int", "and", "or", "not", "="]
    match draw(st.sampled_from(kinds)):
        case "leaf":
            return TRUTHS[0]
        case "bits":
            a, b = draw(words(max(0, depth - 1))), draw(words(max(0, depth - 1)))
            return t.app(draw(st.sampled_from([*sorted(BIT_PREDICATES), "="])), (a, b))
        case "int":
            return t.app(draw(st.sampled_from(["<=", "<", "="])), (draw(numbers()), draw(numbers())))
        case "not":
            return t.not_(draw(truths(depth - 1)))
        case op:
            return t.app(op, (draw(truths(depth - 1)), draw(truths(depth - 1))))


STATES = st.tuples(*[st.integers(0, 31)] * 3, *[st.integers(-20, 20)] * 2, st.booleans())


@settings(deadline=None)
@given(st.lists(truths() | words() | numbers(), min_size=1, max_size=3), st.lists(STATES, min_size=1, max_size=6))
def test_compiled_terms_agree_with_evaluation(terms: list[Term], states: list[tuple[int, ...]]) -> None:
    together, single = compile_terms(terms, SLOTS), [compile_term(t, SLOTS) for t in terms]
    functions = Functions()  # the later states meet compiled terms
    for state in states:
        valuation = dict(zip(SLOTS, state, strict=True))
        expected = tuple(evaluate(t, valuation) for t in terms)
        assert together(state) == expected
        assert tuple(f(state) for f in single) == expected
        lazily = Valuation(valuation.__getitem__, functions)
        assert tuple(lazily(t) for t in terms) == expected
        assert Valuation(valuation.__getitem__, functions).together(tuple(terms)) == expected


@settings(deadline=None)
@given(truths(), words(), words(), STATES)
def test_an_update_assigns_at_once_or_names_the_false_guard(
    guard: Term, x: Term, y: Term, state: tuple[int, ...]
) -> None:
    update = compile_update([TERMS.true, guard], [(2, x), (0, y)], SLOTS, len(SLOTS))
    valuation = dict(zip(SLOTS, state, strict=True))
    if evaluate(guard, valuation):
        assert update(state) == (evaluate(y, valuation), state[1], evaluate(x, valuation), *state[3:])
    else:
        assert update(state) == 1


def test_an_update_without_assignments_is_the_identity() -> None:
    state = (1, 2, 3, 4, 5, True)
    assert compile_update([], [], SLOTS, 6)(state) == state


def test_deep_and_wide_terms_compile() -> None:
    t = Terms()
    xs = [t.var(f"x{i}", bits(8)) for i in range(3000)]
    ns = [t.var(f"n{i}", INT) for i in range(3000)]
    slots = {x: i for i, x in enumerate([*xs, *ns])}
    deep = xs[0]
    for i in range(5000):
        deep = t.bit("bvxor" if i % 2 else "bvadd", deep, xs[i % 3000])
    wide = t.and_(*(t.eq(x, t.bv(1, 8)) for x in xs))
    state = [1] * 3000 + [-2] * 3000
    assert compile_terms([deep, wide, t.add(*ns)], slots)(state) == (
        evaluate(deep, dict(zip(slots, state, strict=True))),
        True,
        -6000,
    )


def test_rationals_and_missing_variables() -> None:
    t = Terms()
    r = t.var("r", REAL)
    assert compile_term(t.le(r, t.rational(Fraction(1, 3))), {r: 0})([Fraction(1, 4)]) is True
    with pytest.raises(KeyError):
        compile_term(r, {})


@given(st.data())
def test_arrays_are_compared_as_functions(data: st.DataObject) -> None:
    """However they are stored: a stored value may be the default, and a default that no index has means nothing."""
    sort = array(bits(1), bits(2))
    one, other = TERMS.var("one", sort), TERMS.var("other", sort)
    values = st.integers(0, 3)
    arrays = st.builds(ArrayValue, values, st.dictionaries(st.integers(0, 1), values))
    first, second = data.draw(arrays), data.draw(arrays)
    equal = all(first.select(i) == second.select(i) for i in range(2))
    for term, expected in ((TERMS.eq(one, other), equal), (TERMS.ne(one, other), not equal)):
        assert evaluate(term, {one: first, other: second}) is expected
        assert compile_term(term, {one: 0, other: 1})((first, second)) is expected
        assert compile_partial(term, {one: 0, other: 1})((first, second)) is expected
