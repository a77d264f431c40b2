"""Polynomial equations hold in every state that can be reached, and those are found that a program is about."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.invariants.polynomials import equations, phases
from argosy.logic.polynomials import refuted
from argosy.logic.sorts import bits
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assign, Cfa, Havoc, Reading
from tests.invariants.programs import bit_model
from tests.models.automata import Sketch, automata, reachable


@st.composite
def loops(draw: st.DrawFn) -> Cfa:
    """Two loops over words of three bits, one behind or inside of the other, that assign polynomials."""
    sketch = Sketch(8, x=bits(3), y=bits(3), c=bits(2))
    terms = sketch.terms
    numbers = [sketch.x, sketch.y]

    def word(depth: int) -> Term:
        kind = draw(st.integers(-1, 5 if depth else 2))
        if kind < 0:
            return draw(st.sampled_from((terms.sign_extend, terms.zero_extend)))(sketch.c, 1)
        if kind < 2:
            return numbers[kind]
        if kind == 2:
            return terms.bv(draw(st.integers(0, 7)), 3)
        operator = draw(st.sampled_from(("bvadd", "bvsub", "bvmul")))
        return terms.bit(operator, word(depth - 1), word(depth - 1))

    def operation() -> Assign | Havoc:
        variable = draw(st.sampled_from(numbers))
        kind = draw(st.integers(0, 9))
        if kind == 0:
            return Havoc(variable)
        if kind == 1:
            return Assign(sketch.c, terms.extract(word(1), 1, 0))
        if kind == 2:
            return Assign(variable, terms.ite(terms.eq(word(1), word(0)), word(1), word(1)))
        return Assign(variable, word(2))

    def condition() -> Term:
        operator = draw(st.sampled_from(("=", "bvult", "bvslt")))
        return terms.eq(word(1), word(0)) if operator == "=" else terms.bit(operator, word(1), word(0))

    back = draw(st.sampled_from((1, 4)))
    sketch.step(0, 1, Assign(sketch.x, terms.bv(draw(st.integers(0, 7)), 3)))
    sketch.branch(1, condition(), 2, 4)
    sketch.step(2, 3, operation())
    sketch.step(3, 1, operation())
    sketch.branch(4, condition(), 5, 6)
    sketch.step(5, back, operation())
    sketch.assume(6, 7, condition())
    return sketch.cfa()


def check(cfa: Cfa) -> None:
    variables = [v.term for v in cfa.variables]
    truth = reachable(cfa, variables, Reading.WRAP)
    found = [pair for closely in (False, True) for pair in equations(cfa, closely=closely).items()]
    for head, facts in found:
        for state in truth[head]:
            valuation = dict(zip(variables, state, strict=True))
            assert all(evaluate(fact, valuation) for fact in facts), (head, facts, state)


@given(cfa=loops())
@settings(max_examples=150, deadline=None)
def test_equations_hold_wherever_the_loops_lead(cfa: Cfa) -> None:
    check(cfa)


@given(cfa=automata())
@settings(max_examples=60, deadline=None)
def test_equations_hold_in_automata_of_all_kinds(cfa: Cfa) -> None:
    check(cfa)


def test_each_outcome_of_a_choice_counts() -> None:
    sketch = Sketch(4, x=bits(3), y=bits(3))
    terms, x = sketch.terms, sketch.x
    step = terms.ite(terms.eq(sketch.y, terms.bv(0, 3)), sketch.plus(x, 2), sketch.plus(x, 1))
    sketch.assign(0, 1, x, terms.bv(0, 3))
    sketch.step(1, 2, Havoc(sketch.y))
    sketch.assign(2, 1, x, step)
    sketch.assume(1, 3, sketch.is_(x, 1))
    check(sketch.cfa())


def test_what_is_lost_is_anything() -> None:
    """By a choice, by an operation that is no polynomial, and in what is copied from there."""
    for lose in range(3):
        sketch = Sketch(4, x=bits(3), y=bits(3))
        terms, x, y = sketch.terms, sketch.x, sketch.y
        sketch.assign(0, 1, x, terms.bv(0, 3))
        if lose == 0:
            sketch.step(1, 2, Havoc(x))
        else:
            sketch.assign(1, 2, x, terms.bit("bvudiv", sketch.plus(x, 5), y))
        sketch.assign(2, 1, x, sketch.plus(x, 2) if lose < 2 else y)
        sketch.assume(1, 3, sketch.is_(x, 1))
        check(sketch.cfa())
    sketch = Sketch(4, x=bits(3), y=bits(3))
    sketch.assign(0, 1, sketch.x, sketch.terms.bv(0, 3))
    sketch.branch(1, sketch.below(sketch.x, 3), 2, 3)
    sketch.assign(2, 1, sketch.x, sketch.plus(sketch.x, 2))
    check(sketch.cfa())


def follows(cfa: Cfa, facts: list[Term], claim: Term) -> bool:
    return refuted(cfa.terms, [*facts, cfa.terms.not_(claim)])


LOOPS = [
    ("unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 3; y += 5; } check(5 * x == 3 * y);", "5*x == 3*y"),
    ("unsigned x = 1, y = 0; while (y != 77) { x += 7; y++; } check(x == 540);", "x == 7*y + 1"),
    (
        "unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0; while (y != n) { x += y; y++; } check(2*x == n*(n-1));",
        "2*x == y*y - y",
    ),
    ("unsigned x = 0, y = 5; while (y != 9) { if (y & 1) x += 4; else x -= 8; y ^= x; } check(x % 4 == 0);", "4 | x"),
]


@pytest.mark.parametrize(("body", "claim"), LOOPS)
def test_what_a_loop_comes_to(body: str, claim: str) -> None:
    cfa = bit_model(body)
    terms = cfa.terms
    names = {v.term.name.rpartition("::")[2]: v.term for v in cfa.variables}
    x = names["x"]

    def number(value: int) -> Term:
        return terms.bv(value, 32)

    def times(one: Term, other: Term) -> Term:
        return terms.bit("bvmul", one, other)

    y = names.get("y", x)
    meant = {
        "5*x == 3*y": terms.eq(times(number(5), x), times(number(3), y)),
        "x == 7*y + 1": terms.eq(x, terms.bit("bvadd", times(number(7), y), number(1))),
        "2*x == y*y - y": terms.eq(times(number(2), x), terms.bit("bvsub", times(y, y), y)),
        "4 | x": terms.eq(times(number(1 << 30), x), number(0)),
    }
    [facts] = equations(cfa).values()
    assert follows(cfa, list(facts), meant[claim])


def test_what_is_hoped_for_is_said_behind_a_loop() -> None:
    body = "unsigned x = 0, y; while (x < 50) x++; for (y = x; __VERIFIER_nondet_int(); y += 2); check(y % 2 == 0);"
    cfa = bit_model(body)
    sure, hoped = equations(cfa), equations(cfa, hopefully=True)
    last = max(hoped, key=lambda head: cfa.order[head])
    assert len(hoped[last]) > len(sure.get(last, ()))


def test_phases_are_told_apart() -> None:
    cfa = bit_model("int x = 0, y = 50; while (x < 90) { if (x >= 40) y++; x++; } check(y == 100);")
    said = [fact for some in phases(cfa) for facts in some.values() for fact in facts]
    x, y = (next(v.term for v in cfa.variables if v.term.name.endswith(f"::{name}")) for name in "xy")
    holds = [f for f in said if all(evaluate(f, {x: i, y: 50 + max(0, i - 40)}) for i in range(91))]
    assert any(not evaluate(fact, {x: 60, y: 71}) and not evaluate(fact, {x: 20, y: 51}) for fact in holds)


def test_variables_that_others_define_are_said_so_where_it_is_looked_at_closely() -> None:
    """No solver has to find out that it follows from equations between products."""
    cfa = bit_model(
        "unsigned n = 0, x = 0, y = 1; while (__VERIFIER_nondet_int()) { n++; x += y; y += 2; } check(x == n * n);"
    )
    terms = cfa.terms
    names = {v.term.name.rpartition("::")[2]: v.term for v in cfa.variables}
    n, x, y = (names[name] for name in "nxy")
    [facts] = equations(cfa, closely=True).values()
    defined = {side for fact in facts for side in fact.args if side.is_var}
    assert x in defined and ({y} & defined or {n} & defined)
    assert follows(cfa, list(facts), terms.eq(x, terms.bit("bvmul", n, n)))


def test_narrower_variables_are_numbers_of_the_width() -> None:
    cfa = bit_model(
        "short a = __VERIFIER_nondet_int(); unsigned s = 0, i = 0; while (__VERIFIER_nondet_int()) { s += a; i++; }"
        "check(s == i * a);"
    )
    terms = cfa.terms
    names = {v.term.name.rpartition("::")[2]: v.term for v in cfa.variables}
    [facts] = equations(cfa).values()
    assert follows(
        cfa, list(facts), terms.eq(names["s"], terms.bit("bvmul", names["i"], terms.sign_extend(names["a"], 16)))
    )


def test_what_narrower_variables_are_is_lost_with_them() -> None:
    """By a choice, by what is no copy, and not by a copy."""
    for lose in range(3):
        sketch = Sketch(4, x=bits(3), y=bits(3), c=bits(2), d=bits(2))
        terms, x, c = sketch.terms, sketch.x, sketch.c
        sketch.assign(0, 1, x, terms.zero_extend(c, 1))
        if lose == 0:
            sketch.step(1, 2, Havoc(c))
        else:
            sketch.assign(1, 2, c, terms.bit("bvadd", c, terms.bv(1, 2)) if lose == 1 else sketch.d)
        sketch.assign(2, 1, x, terms.bit("bvadd", x, terms.bv(2, 3)))
        sketch.assume(1, 3, terms.eq(x, terms.zero_extend(c, 1)))
        check(sketch.cfa())
