"""Executions that conditions guide: values are taken from the conditions that come next."""

from __future__ import annotations

import pytest

from argosy.basics.budget import UNLIMITED, Budget
from argosy.certify.guided import guided
from argosy.models.cfa import Reading
from tests.frontends.c.running import read

INPUTS = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); void reach_error(void);\n"


def walk(body: str, budget: Budget = UNLIMITED) -> list[int] | None:
    """The values of the choices on the way to the error, if it was found."""
    found = guided(read(f"{INPUTS}int main(void) {{ {body} }}").cfa, Reading.UNDEFINED, budget)
    return None if found is None else [choice.value for choice in found.choices]


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == -5); if (x == -5) reach_error();", [-5]),
        ("int x = __VERIFIER_nondet_int(), y = x; __VERIFIER_assume(y == 9); reach_error();", [9]),
        ("if (__VERIFIER_nondet_int() == 0) reach_error();", [0]),
        ("int s = 0; for (int i = 0; i < 3; i++) s += i; if (s == 3) reach_error();", []),
        ("int x = __VERIFIER_nondet_int(); if (x > 7) reach_error();", None),
        ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == 2147483647); if (x + 1 < 0) reach_error();", None),
    ],
)
def test_the_next_condition_says_which_value_is_meant(body: str, values: list[int] | None) -> None:
    assert walk(body) == values


def test_an_execution_that_does_not_end_is_given_up() -> None:
    assert walk("for (;;) ; reach_error();", Budget.of(0.2)) is None
