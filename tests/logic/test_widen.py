"""Widening keeps the truth of a formula, and keeps simple formulas simple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.semantics import unsigned
from argosy.logic.sorts import BOOL, INT, REAL, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, variables
from argosy.logic.widen import to_bits


@dataclass(frozen=True)
class Declared:
    term: Term
    signed: bool | None


TERMS = Terms()
SHAPES = {"a": (4, True), "b": (4, False), "c": (5, True), "d": (1, False), "e": (3, None), "f": (8, True)}
DECLARED = {name: Declared(TERMS.var(name, bits(width)), signed) for name, (width, signed) in SHAPES.items()}
INTS = {name: TERMS.var(name, INT) for name in SHAPES}


def number(name: str, value: int) -> int:
    """The number that the bits ``value`` of a variable stand for."""
    width, signed = SHAPES[name]
    return value - (1 << width) if signed and value >> (width - 1) else value


@st.composite
def integers(draw: st.DrawFn, depth: int = 3) -> Term:
    kind = draw(
        st.sampled_from(["var", "const"] if depth == 0 else ["var", "const", "+", "-", "*", "div", "mod", "ite"])
    )
    t = TERMS
    match kind:
        case "var":
            return draw(st.sampled_from(list(INTS.values())))
        case "const":
            return t.integer(draw(st.integers(-40, 40)))
        case "div" | "mod":
            divisor = draw(st.integers(-9, 9).filter(bool) | st.sampled_from([16, 32, -8, 100]))
            return t.app(kind, (draw(integers(depth - 1)), t.integer(divisor)))
        case "ite":
            return t.ite(draw(formulas(depth - 1)), draw(integers(depth - 1)), draw(integers(depth - 1)))
    a, b = draw(integers(depth - 1)), draw(integers(depth - 1))
    return t.sub(a, b) if kind == "-" else t.app(kind, (a, b))


@st.composite
def formulas(draw: st.DrawFn, depth: int = 3) -> Term:
    t = TERMS
    kind = draw(st.sampled_from(["<=", "<", "=", "p"] if depth == 0 else ["<=", "<", "=", "and", "or", "not"]))
    match kind:
        case "p":
            return t.var("p", BOOL)
        case "and" | "or":
            return t.app(kind, (draw(formulas(depth - 1)), draw(formulas(depth - 1))))
        case "not":
            return t.not_(draw(formulas(depth - 1)))
    return t.app(kind, (draw(integers(max(0, depth - 1))), draw(integers(max(0, depth - 1)))))


@settings(deadline=None)
@given(
    formulas(), st.lists(st.tuples(*(st.integers(0, 2**w - 1) for w, _ in SHAPES.values()), st.booleans()), max_size=8)
)
def test_a_widened_formula_has_the_same_truth(formula: Term, valuations: list[tuple[int, ...]]) -> None:
    widened = to_bits(TERMS, formula, DECLARED, max_width=10_000)
    assert widened is not None
    for *values, p in valuations:
        as_bits = {DECLARED[n].term: v for n, v in zip(SHAPES, values, strict=True)}
        as_numbers = {INTS[n]: number(n, v) for n, v in zip(SHAPES, values, strict=True)}
        truth = {TERMS.var("p", BOOL): p}
        assert evaluate(widened, as_bits | truth) == evaluate(formula, as_numbers | truth)


@settings(deadline=None)
@given(st.data())
def test_linear_comparisons_at_the_edges_of_the_ranges(data: st.DataObject) -> None:
    """Extreme values are where a width that is one bit short shows."""
    t = TERMS
    names = data.draw(st.lists(st.sampled_from(list(SHAPES)), min_size=1, max_size=3, unique=True))
    sum_ = t.add(*(t.mul(t.integer(data.draw(st.integers(-3, 3))), INTS[n]) for n in names))
    formula = t.app(data.draw(st.sampled_from(["<=", "<", "="])), (sum_, t.integer(data.draw(st.integers(-300, 300)))))
    widened = to_bits(t, formula, DECLARED)
    assert widened is not None
    extremes = {
        n: (0, 1, (1 << (SHAPES[n][0] - 1)) - 1, 1 << (SHAPES[n][0] - 1), (1 << SHAPES[n][0]) - 1) for n in names
    }
    for _ in range(10):
        values = {n: unsigned(data.draw(st.sampled_from(extremes[n])), SHAPES[n][0]) for n in names}
        as_bits = {DECLARED[n].term: v for n, v in values.items()}
        as_numbers = {INTS[n]: number(n, v) for n, v in values.items()}
        assert evaluate(widened, as_bits) == evaluate(formula, as_numbers)


class TestCompactForms:
    terms = Terms()
    x, y = Declared(terms.var("x", bits(32)), True), Declared(terms.var("y", bits(32)), True)
    u, v = Declared(terms.var("u", bits(32)), False), Declared(terms.var("v", bits(64)), False)
    declared: ClassVar = {"x": x, "y": y, "u": u, "v": v}

    def number(self, name: str) -> Term:
        return self.terms.var(name, INT)

    def widened(self, formula: Term) -> Term:
        result = to_bits(self.terms, formula, self.declared)
        assert result is not None
        return result

    def test_a_bound_stays_on_the_bits_of_the_variable(self) -> None:
        t = self.terms
        signed = self.widened(t.le(self.number("x"), t.integer(5)))
        assert signed is t.bit("bvsle", self.x.term, t.bv(5, 32))
        unsigned_ = self.widened(t.le(self.number("u"), t.integer(5)))
        assert unsigned_ is t.bit("bvule", self.u.term, t.bv(5, 32))

    def test_equal_shapes_compare_directly(self) -> None:
        t = self.terms
        assert self.widened(t.eq(self.number("x"), self.number("y"))) is t.eq(self.x.term, self.y.term)
        assert self.widened(t.le(self.number("x"), self.number("y"))) is t.bit("bvsle", self.x.term, self.y.term)
        assert self.widened(t.lt(self.number("x"), self.number("y"))) is t.bit("bvslt", self.x.term, self.y.term)
        assert self.widened(t.eq(self.number("x"), t.integer(-1))) is t.eq(self.x.term, t.bv(-1, 32))

    @pytest.mark.parametrize("bound", [7, -7])
    def test_a_difference_is_widened_by_two_bits_at_most(self, bound: int) -> None:
        t = self.terms
        formula = t.le(t.sub(self.number("x"), self.number("y")), t.integer(bound))
        comparison = self.widened(formula)
        comparison = comparison.args[0] if comparison.op == "not" else comparison
        assert comparison.args[0].sort.width <= 34

    def test_bounds_beyond_the_range_fold(self) -> None:
        t = self.terms
        assert self.widened(t.le(self.number("x"), t.integer(2**31 - 1))) is t.true
        assert self.widened(t.lt(self.number("x"), t.integer(-(2**31)))) is t.false
        assert self.widened(t.ge(self.number("u"), t.integer(0))) is t.true
        assert self.widened(t.eq(self.number("u"), t.integer(-1))) is t.false

    def test_formulas_without_integers_are_left_alone(self) -> None:
        formula = self.terms.bit("bvult", self.u.term, self.terms.bv(3, 32))
        assert self.widened(formula) is formula

    def test_what_cannot_be_said_on_bits(self) -> None:
        t = self.terms
        x, y = self.number("x"), self.number("y")
        for formula in (
            t.le(t.div(x, y), t.integer(3)),
            t.eq(t.mod(x, t.integer(0)), t.integer(3)),
            t.le(self.number("nobody"), t.integer(0)),
            t.le(t.to_real(x), t.rational(1)),
            t.le(t.var("r", REAL), t.rational(1)),
        ):
            assert to_bits(t, formula, self.declared) is None
        cube = t.mul(self.number("v"), t.mul(self.number("v"), self.number("v")))
        assert to_bits(t, t.le(cube, t.integer(1000)), self.declared) is None

    def test_no_integer_is_left(self) -> None:
        t = self.terms
        formula = t.le(t.add(self.number("x"), t.mod(self.number("u"), t.integer(10))), self.number("v"))
        assert {v.sort.kind for v in variables(self.widened(formula))} == {"bits"}


@pytest.mark.parametrize("name", list(SHAPES))
def test_division_and_remainder_by_every_small_constant(name: str) -> None:
    t = TERMS
    for divisor in (*range(-20, 0), *range(1, 21)):
        for op in ("div", "mod"):
            term = t.app(op, (INTS[name], t.integer(divisor)))
            result = Declared(t.var("result", bits(12)), True)
            widened = to_bits(t, t.eq(t.var("result", INT), term), {**DECLARED, "result": result})
            assert widened is not None
            for value in range(1 << SHAPES[name][0]):
                expected = evaluate(term, {INTS[name]: number(name, value)})
                assert evaluate(widened, {DECLARED[name].term: value, result.term: unsigned(expected, 12)})
                assert not evaluate(widened, {DECLARED[name].term: value, result.term: unsigned(expected + 1, 12)})
