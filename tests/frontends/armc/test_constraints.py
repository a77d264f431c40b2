"""Constraints mean what they say, over integers and over rationals."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.terms import Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assume, Cfa
from tests.frontends.armc.reading import HEAD, complaint, model, one_step

COMPARISONS = {
    "=": lambda a, b: a == b,
    "=:=": lambda a, b: a == b,
    "=<": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=\\=": lambda a, b: a != b,
}


def kept(guard: str, facts: str = "") -> Cfa:
    return one_step(guard, "Xp = X, Yp = Y", facts=facts)


def holds(cfa: Cfa, x: object, y: object) -> bool:
    operation = cfa.edges[0].operation
    assert isinstance(operation, Assume)
    return bool(evaluate(operation.condition, {v.term: value for v, value in zip(cfa.variables, (x, y), strict=True)}))


expressions = st.recursive(
    st.one_of(st.sampled_from(["X", "Y", "0.5", "rat(2, 3)"]), st.integers(0, 9).map(str)),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.integers(1, 5)).map(lambda t: f"({t[0]} / {t[1]})"),
        inner.map(lambda e: f"-{e}" if e[0] == "(" else f"-({e})"),
    ),
    max_leaves=6,
)
numbers = st.integers(-4, 4)


def value(expression: str, x: int | Fraction, y: int | Fraction) -> Fraction:
    """What Python makes of an expression, every number of which is a fraction: ``2 / 1 / 3`` is no float."""
    python = re.sub(r"[0-9.]+", lambda number: f"F('{number[0]}')", expression.replace("rat(2, 3)", "(2 / 3)"))
    result = eval(python, {"X": Fraction(x), "Y": Fraction(y), "F": Fraction})
    return Fraction(result)


@settings(deadline=None)
@given(expressions, st.sampled_from(sorted(COMPARISONS)), expressions, numbers, numbers)
def test_comparisons_over_integers(left: str, comparison: str, right: str, x: int, y: int) -> None:
    wanted = COMPARISONS[comparison](value(left, x, y), value(right, x, y))
    assert holds(kept(f"{left} {comparison} {right}"), x, y) == wanted


@settings(deadline=None)
@given(expressions, st.sampled_from(sorted(COMPARISONS)), expressions, st.fractions(-3, 3), st.fractions(-3, 3))
def test_comparisons_over_rationals(left: str, comparison: str, right: str, x: Fraction, y: Fraction) -> None:
    wanted = COMPARISONS[comparison](value(left, x, y), value(right, x, y))
    assert holds(kept(f"{left} {comparison} {right}", "numbers(rational). "), x, y) == wanted


def test_numbers_are_fractions_on_both_sides() -> None:
    assert value("-((2 / 1) / 3)", 0, 0) == value("-(rat(2, 3))", 0, 0) == Fraction(-2, 3)
    assert not holds(kept("-(rat(2, 3)) < -((2 / 1) / 3)"), 0, 0)


def test_fractions_over_integers_do_not_round() -> None:
    cfa = kept("X = Y/2")
    assert holds(cfa, 1, 2) and not holds(cfa, 1, 3)
    cfa = kept("X < 1/2")
    assert holds(cfa, 0, 0) and not holds(cfa, 1, 0)


def test_conjunctions_and_disjunctions() -> None:
    cfa = kept("(X = 1, Y = 1 ; X = 2), Y < 5")
    assert [holds(cfa, x, y) for x, y in ((1, 1), (1, 2), (2, 4), (2, 5))] == [True, False, True, False]
    assert holds(kept("true"), 0, 0) and not holds(kept("(X = 1 ; false)"), 0, 0)


def test_deep_and_long_expressions() -> None:
    assert holds(kept("X = " + " + ".join(["Y"] * 10_000)), 20_000, 2)
    assert holds(kept("X = " + "(1 + " * 10_000 + "Y" + ")" * 10_000), 10_002, 2)
    assert holds(kept("X = " + "2*(" * 100 + "Y" + ")" * 100), 2**100, 1)
    deep = "(X = 1 ; (Y >= 0, " * 1000 + "X = 2" + "))" * 1000
    assert holds(kept(deep), 2, 3) and not holds(kept(deep), 2, -1)


def test_huge_numbers_are_exact() -> None:
    huge = 10**999 + 7
    cfa = kept(f"X > {huge}")
    assert holds(cfa, huge + 1, 0) and not holds(cfa, huge, 0)
    assert holds(kept(f"X = {huge} - Y"), 0, huge)


@pytest.mark.parametrize(
    ("guard", "column", "what"),
    [
        ("X / Y > 1", 3, "not linear: division by an expression"),
        ("X > 1 / (2 - 2)", 7, "division by zero"),
        ("X > rat(1, Y)", 5, "rat/2 is a constant"),
        ("X > foo", 5, "foo is no number"),
        ("X > max(Y, 1)", 5, "max/2 is no number"),
        ("X + 1", 3, "+ with 2 arguments is no constraint"),
        ("X", 1, "a constraint compares two expressions"),
        ("X \\= 1", 3, "\\= with 2 arguments is no constraint"),
        ("odd(X)", 1, "odd with 1 arguments is no constraint"),
        ("X > [1]", 5, "[]/1 is no number"),
        (f"X > {'9' * 600} * {'9' * 600}", 606, "a constant of more than 1000 digits"),
        (f"X * {'9' * 600} > Y / {'7' * 600}", 606, "a constant of more than 1000 digits"),
        ("X" + " * X" * 16 + " > 0", 3, "not linear: a product of more than 16 expressions"),
    ],
)
def test_what_is_no_constraint(guard: str, column: int, what: str) -> None:
    text = f"{HEAD}r(p(pc(a), data(X, Y)), p(pc(b), data(Xp, Yp)),\n[{guard}], [], 1)."
    assert complaint(text) == f"m.armc:3:{column + 1}: {what}"


def test_products_of_variables_are_read() -> None:
    cfa = kept("X*Y - X*X/2 >= 1")
    assert holds(cfa, 2, 2) and not holds(cfa, 2, 1)
    cfa = kept("(X/2)*(Y + 1/3) = 7/6")
    assert holds(cfa, 1, 2) and not holds(cfa, 2, 2)


def test_what_numbers_are_is_said_by_the_option_then_by_the_file() -> None:
    text = HEAD + "r(p(pc(a), data(X)), p(pc(b), data(Xp)), [2*X = 1], [], 1)."
    sorts = [
        model(f"{facts}{text}", Terms(), numbers).cfa.variables[0].term.sort.kind
        for facts in ("", "numbers(rational). ")
        for numbers in (None, "int", "rational")
    ]
    assert sorts == ["int", "int", "real", "real", "int", "real"]
