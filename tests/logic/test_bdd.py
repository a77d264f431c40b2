"""Regions are canonical, mean the same function as the terms they come from, and refuse what is too large."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.bdd import Region, Regions, RegionsFull
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate

TERMS = Terms()
NAMES = [TERMS.var(name, BOOL) for name in "pqrs"]


def formulas() -> st.SearchStrategy[Term]:
    return st.recursive(
        st.sampled_from([*NAMES, TERMS.true, TERMS.false]),
        lambda inner: st.one_of(
            inner.map(TERMS.not_),
            st.lists(inner, min_size=1, max_size=3).map(TERMS.conjunction),
            st.lists(inner, min_size=1, max_size=3).map(TERMS.disjunction),
            st.tuples(inner, inner).map(lambda pair: TERMS.eq(*pair)),
        ),
        max_leaves=8,
    )


def table(term: Term) -> tuple[bool, ...]:
    return tuple(
        evaluate(term, dict(zip(NAMES, values, strict=True))) for values in product((False, True), repeat=len(NAMES))
    )


@settings(max_examples=200, deadline=None)
@given(formulas(), formulas())
def test_regions_are_functions(a: Term, b: Term) -> None:
    regions = Regions(TERMS, nodes=1 << 12)
    x, y = regions.from_term(a), regions.from_term(b)
    assert table(regions.to_term(x)) == table(a)
    assert (x == y) == (table(a) == table(b))
    assert x != y or hash(x) == hash(y)
    assert (x <= y) == all(not p or q for p, q in zip(table(a), table(b), strict=True))
    assert x & y == regions.from_term(TERMS.and_(a, b))
    assert x | y == regions.from_term(TERMS.or_(a, b))
    assert ~x == regions.from_term(TERMS.not_(a))
    assert x.is_true == all(table(a))
    assert x.is_false == (not any(table(a)))


@settings(max_examples=100, deadline=None)
@given(formulas(), st.sets(st.sampled_from(NAMES)))
def test_cubes_support_and_quantification(a: Term, hidden: set[Term]) -> None:
    regions = Regions(TERMS, nodes=1 << 12)
    region = regions.from_term(a)
    cubes = list(regions.cubes(region))
    assert regions.union(regions.from_cube(cube) for cube in cubes) == region
    for i, first in enumerate(cubes):
        for second in cubes[:i]:
            assert any(second[p] != first[p] for p in first.keys() & second.keys())
    support = regions.support(region)
    bases = [dict(zip(NAMES, row, strict=True)) for row in product((False, True), repeat=len(NAMES))]
    for name in NAMES:
        depends = any(evaluate(a, base | {name: True}) != evaluate(a, base | {name: False}) for base in bases)
        assert (name in support) == depends
    quantified = regions.exists(region, hidden)
    assert not set(regions.support(quantified)) & hidden
    visible = [name for name in NAMES if name not in hidden]
    for values in product((False, True), repeat=len(visible)):
        given_values = dict(zip(visible, values, strict=True))
        truth = any(
            evaluate(a, given_values | dict(zip(hidden, others, strict=True)))
            for others in product((False, True), repeat=len(hidden))
        )
        assert holds(regions, quantified, given_values | dict.fromkeys(hidden, True)) == truth


def holds(regions: Regions, region: Region, valuation: Mapping[Term, bool]) -> bool:
    return regions.from_cube(valuation) <= region


def test_predicates_come_at_any_time() -> None:
    regions = Regions(TERMS)
    x = TERMS.var("x", INT)
    less = [TERMS.lt(x, TERMS.integer(i)) for i in range(4)]
    first = regions.from_cube({less[0]: True, less[1]: False})
    second = regions.from_cube({less[0]: True, less[1]: False, less[2]: True})
    assert second <= first and not first <= second and second != first
    assert regions.from_cube({TERMS.not_(less[3]): True}) == ~regions.predicate(less[3])
    assert regions.support(second) == tuple(less[:3])
    assert {first: 1}[regions.from_cube({less[1]: False, less[0]: True})] == 1


def test_rows_of_a_solver() -> None:
    regions = Regions(TERMS)
    p, q, r, _ = NAMES
    region = regions.from_rows([p, TERMS.not_(q), r], [(True, True, None), (False, None, True)])
    expected = TERMS.or_(TERMS.and_(p, TERMS.not_(q)), TERMS.and_(TERMS.not_(p), r))
    assert region == regions.from_term(expected)
    assert regions.from_rows([p, q], []) == regions.false
    assert regions.from_rows([], [()]) == regions.true


def test_terms_of_regions_are_small() -> None:
    regions = Regions(TERMS)
    p, q, r, _ = NAMES
    assert regions.to_term(regions.from_term(TERMS.and_(p, TERMS.not_(q)))) is TERMS.and_(p, TERMS.not_(q))
    assert regions.to_term(regions.from_term(TERMS.or_(p, TERMS.not_(q)))) is TERMS.or_(p, TERMS.not_(q))
    assert regions.to_term(regions.true) is TERMS.true
    assert regions.to_term(regions.false) is TERMS.false
    parity = regions.from_term(TERMS.xor(TERMS.xor(p, q), r))
    assert len(list(regions.cubes(parity))) == 4
    assert repr(regions.predicate(p)) == "Region(p)"


def test_too_large_is_refused_and_the_rest_goes_on() -> None:
    terms = Terms()
    regions = Regions(terms, nodes=400)
    names = [terms.var(f"p{i}", BOOL) for i in range(24)]
    for name in names:
        regions.predicate(name)
    halves = list(zip(names[:12], names[12:], strict=True))
    with pytest.raises(RegionsFull, match="nodes"):
        regions.from_term(terms.conjunction(terms.eq(a, b) for a, b in halves))
    small = regions.from_cube({names[0]: True, names[1]: False})
    assert small <= regions.predicate(names[0])
