"""Polynomials have the values of their terms, and what collecting terms refutes has no model."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.polynomials import Polynomial, Products, added, polynomial, refuted, said
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate

WIDTH = 3
TERMS = Terms()
WORDS = [TERMS.var(name, bits(WIDTH)) for name in "xyz"]
WIDE = TERMS.var("w", bits(WIDTH + 1))
VALUATIONS = [
    dict(zip((*WORDS, WIDE), (*values, wide), strict=True))
    for values in product(range(1 << WIDTH), repeat=3)
    for wide in (0, 3, 9, 15)
]


@st.composite
def words(draw: st.DrawFn, depth: int = 3) -> Term:
    """A term of ``WIDTH`` bits."""
    kind = draw(st.integers(0, 9 if depth else 2))
    if kind < 2:
        return draw(st.sampled_from(WORDS))
    if kind == 2:
        return TERMS.bv(draw(st.integers(0, 7)), WIDTH)
    one = draw(words(depth - 1))
    if kind == 3:
        return TERMS.bit(draw(st.sampled_from(("bvneg", "bvnot"))), one)
    if kind == 4:
        return TERMS.extract(TERMS.bit("bvmul", TERMS.zero_extend(one, 1), WIDE), WIDTH - 1, 0)
    if kind == 5:
        return TERMS.bit("bvshl", one, TERMS.bv(draw(st.integers(0, 4)), WIDTH))
    if kind == 6:
        return TERMS.ite(TERMS.eq(draw(st.sampled_from(WORDS)), one), draw(words(depth - 1)), draw(words(depth - 1)))
    operator = draw(st.sampled_from(("bvadd", "bvsub", "bvmul", "bvmul", "bvand", "bvudiv")))
    return TERMS.bit(operator, one, draw(words(depth - 1)))


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> Term:
    kind = draw(st.integers(0, 6 if depth else 3))
    if kind < 4:
        one, other = draw(words(2)), draw(words(1))
        operator = draw(st.sampled_from(("=", "=", "=", "bvult", "bvslt")))
        atom = TERMS.eq(one, other) if operator == "=" else TERMS.bit(operator, one, other)
        return atom if kind % 2 else TERMS.not_(atom)
    parts = draw(st.lists(formulas(depth - 1), min_size=2, max_size=3))
    return TERMS.conjunction(parts) if kind == 4 else TERMS.disjunction(parts)


def value(found: Polynomial, valuation: dict[Term, int]) -> int:
    total = 0
    for monomial, coefficient in found.items():
        for atom in monomial:
            coefficient *= int(evaluate(atom, valuation))
        total += coefficient
    return total % (1 << WIDTH)


@given(term=words())
@settings(max_examples=200, deadline=None)
def test_a_polynomial_has_the_values_of_its_term(term: Term) -> None:
    found = polynomial(TERMS, term, WIDTH)
    zero = said(TERMS, found, WIDTH)
    for valuation in VALUATIONS[::7]:
        assert value(found, dict(valuation)) == evaluate(term, valuation)
        assert evaluate(zero, valuation) is (evaluate(term, valuation) == 0)


@given(parts=st.lists(formulas(), min_size=1, max_size=5))
@settings(max_examples=600, deadline=None)
def test_what_is_refuted_has_no_model(parts: list[Term]) -> None:
    if refuted(TERMS, parts):
        assert not any(all(evaluate(part, valuation) for part in parts) for valuation in VALUATIONS)


@given(equations=st.lists(words(), min_size=1, max_size=3), factors=st.lists(words(1), min_size=3, max_size=3))
@settings(max_examples=200, deadline=None)
def test_what_follows_by_collecting_is_refuted(equations: list[Term], factors: list[Term]) -> None:
    """A sum of what is 0, with constant factors, is 0."""
    zero = TERMS.bv(0, WIDTH)
    parts = [TERMS.eq(each, zero) for each in equations]
    total: Polynomial = {}
    for number, each in enumerate(equations):
        total = added([(1, total), (number + 2, polynomial(TERMS, each, WIDTH))], WIDTH)
    assert refuted(TERMS, [*parts, TERMS.not_(said(TERMS, total, WIDTH))])


def test_rounds_of_sums() -> None:
    terms = Terms()
    s, i, n = (terms.var(name, bits(64)) for name in "sin")
    one, two = terms.bv(1, 64), terms.bv(2, 64)

    def claim(s: Term, i: Term) -> Term:
        return terms.eq(terms.bit("bvmul", two, s), terms.bit("bvmul", i, terms.bit("bvsub", i, one)))

    later = claim(terms.bit("bvadd", s, i), terms.bit("bvadd", i, one))
    assert refuted(terms, [claim(s, i), terms.not_(later)])
    assert not refuted(terms, [claim(s, i), later])
    wrong = claim(terms.bit("bvadd", s, n), terms.bit("bvadd", i, one))
    assert not refuted(terms, [claim(s, i), terms.not_(wrong)])
    # What is neither below nor above is equal, and what lies between a number and the next one is the next one.
    below, above = terms.bit("bvult", i, n), terms.bit("bvult", n, i)
    assert refuted(terms, [claim(s, i), terms.not_(below), terms.not_(above), terms.not_(claim(s, n))])
    assert not refuted(terms, [claim(s, i), terms.not_(below), terms.not_(claim(s, n))])
    after = terms.bit("bvult", terms.bit("bvadd", i, one), n)
    assert refuted(terms, [below, terms.not_(after), terms.ne(terms.bit("bvadd", i, one), n)])
    assert not refuted(terms, [terms.not_(after), terms.ne(terms.bit("bvadd", i, one), n)])
    # Below among signed numbers is not below among the others; and 0 is below, while what is before it is not.
    assert not refuted(terms, [terms.bit("bvslt", i, n), terms.not_(after), terms.ne(terms.bit("bvadd", i, one), n)])
    before = terms.bit("bvsub", i, one)
    assert not refuted(terms, [below, terms.not_(terms.bit("bvult", before, n)), terms.ne(before, n)])
    # Each of the alternatives has to be refuted.
    either = terms.or_(terms.not_(later), terms.eq(n, s))
    assert not refuted(terms, [claim(s, i), either]) and refuted(terms, [claim(s, i), either, terms.ne(n, s)])


@pytest.mark.parametrize("width", [1, 8, 64])
def test_products_are_found_in_terms(width: int) -> None:
    terms = Terms()
    x, y = terms.var("x", bits(width)), terms.var("y", bits(width))
    product = terms.bit("bvmul", x, y)
    found = Products()
    assert terms.eq(terms.bit("bvadd", product, x), y) in found
    assert terms.eq(terms.bit("bvadd", x, x), y) not in found and product in found


def test_what_polynomials_leave_is_asked() -> None:
    terms = Terms()
    x, y = terms.var("x", bits(8)), terms.var("y", bits(8))
    cases = terms.or_(terms.eq(x, y), terms.bit("bvult", x, y))
    asked: list[list[Term]] = []

    def otherwise(case: object) -> bool:
        asked.append(list(case))  # type: ignore[call-overload]
        return True

    assert refuted(terms, [cases, terms.ne(x, y)], otherwise)
    assert len(asked) == 1 and terms.bit("bvult", x, y) in asked[0]


def test_each_way_of_a_choice_is_a_case() -> None:
    x, y, z = WORDS
    equal = TERMS.eq(x, y)
    chosen = TERMS.ite(equal, TERMS.bit("bvmul", x, z), TERMS.bit("bvmul", z, y))
    assert refuted(TERMS, [TERMS.not_(TERMS.eq(chosen, TERMS.bit("bvmul", y, z)))])
    # Only one of the two is impossible.
    other = TERMS.ite(equal, TERMS.bit("bvmul", x, z), TERMS.bit("bvmul", x, y))
    assert not refuted(TERMS, [TERMS.not_(TERMS.eq(other, TERMS.bit("bvmul", y, z)))])
    other = TERMS.ite(TERMS.not_(equal), TERMS.bit("bvmul", x, z), TERMS.bit("bvmul", x, y))
    assert not refuted(TERMS, [TERMS.not_(TERMS.eq(other, TERMS.bit("bvmul", y, x)))])


@pytest.mark.parametrize("operator", ["bvult", "bvslt"])
def test_a_comparison_is_not_denied_in_other_words(operator: str) -> None:
    x, y, z = WORDS
    double = TERMS.bv(2, WIDTH)
    one = TERMS.bit("bvmul", double, TERMS.bit("bvmul", x, y))
    same = TERMS.bit("bvmul", TERMS.bit("bvmul", y, double), x)
    said_so, denied = TERMS.bit(operator, z, one), TERMS.not_(TERMS.bit(operator, z, same))
    assert refuted(TERMS, [said_so, denied])
    assert not refuted(TERMS, [said_so, TERMS.bit(operator, z, same)])
    assert not refuted(TERMS, [said_so, TERMS.not_(TERMS.bit(operator, same, z))])
    other = "bvult" if operator == "bvslt" else "bvslt"
    assert not refuted(TERMS, [said_so, TERMS.not_(TERMS.bit(other, z, same))])
