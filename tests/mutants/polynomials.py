"""Detectors for mistakes where terms are collected: modules of residues, contradictions between polynomials, what loops
add up to. Laws are asked of examples that are the same each time."""

from __future__ import annotations

from random import Random
from typing import Any

from argosy.logic.residues import Row
from tests.invariants import test_polynomials as equations
from tests.logic import test_polynomials as terms
from tests.logic import test_residues as residues
from tests.logic.test_polynomials import TERMS, WIDE, WIDTH, WORDS

EXAMPLES = 150


def _rows(random: Random) -> list[Row]:
    return [random.choice(residues.VECTORS) for _ in range(random.randint(0, 4))]


def _law(test: Any, **examples: Any) -> None:
    test.hypothesis.inner_test(**examples)


def modules() -> None:
    random = Random(0)
    for _ in range(EXAMPLES):
        _law(residues.test_what_is_in_a_module_are_the_sums_of_multiples, rows=_rows(random))


def orthogonal() -> None:
    random = Random(0)
    for _ in range(EXAMPLES):
        _law(residues.test_what_is_orthogonal_is_all_that_is, rows=_rows(random))


def points() -> None:
    random = Random(0)
    for _ in range(EXAMPLES):
        functional = random.choice(residues.VECTORS)
        _law(residues.test_points_where_a_functional_is_zero, rows=_rows(random), functional=functional)


def values() -> None:
    x, y, _ = WORDS
    shifted = TERMS.bit("bvshl", x, TERMS.bv(2, WIDTH))
    low = TERMS.extract(TERMS.bit("bvmul", TERMS.zero_extend(y, 1), WIDE), WIDTH - 1, 0)
    for term in (TERMS.bit("bvnot", x), shifted, low, TERMS.bit("bvsub", shifted, x), TERMS.bit("bvadd", x, shifted)):
        _law(terms.test_a_polynomial_has_the_values_of_its_term, term=term)


def sums() -> None:
    terms.test_rounds_of_sums()


def cases() -> None:
    terms.test_each_way_of_a_choice_is_a_case()
    for operator in ("bvult", "bvslt"):
        terms.test_a_comparison_is_not_denied_in_other_words(operator)


def narrower() -> None:
    equations.test_what_narrower_variables_are_is_lost_with_them()


def loops() -> None:
    equations.test_each_outcome_of_a_choice_counts()
    for body, claim in equations.LOOPS:
        equations.test_what_a_loop_comes_to(body, claim)
    equations.test_what_is_hoped_for_is_said_behind_a_loop()
    equations.test_what_is_lost_is_anything()
