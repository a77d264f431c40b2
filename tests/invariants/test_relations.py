"""Guesses: true in all sampled states, and those that proofs about loops need are among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.invariants.relations import Guesses, Vocabulary, counters
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Cfa
from tests.invariants.programs import integer_model
from tests.models.automata import Sketch

Rows = Sequence[tuple[int, ...]]
KINDS = (Guesses.simple, Guesses.conditional, Guesses.polynomial, Guesses.wide, Guesses.cases, Guesses.phases)


def loop(multiplies: bool = True) -> Sketch:
    """A loop over x, y, z, p whose conditions are x < 10 and x + y = 4, with quotients and products; p never counts."""
    sketch = Sketch(6, x=INT, y=INT, z=INT, p=INT)
    terms, x, y, z = sketch.terms, sketch.x, sketch.y, sketch.z
    sketch.branch(0, terms.lt(x, terms.integer(10)), 1, 4)
    sketch.assign(1, 2, x, terms.add(x, terms.integer(1)))
    sketch.assign(2, 3, y, terms.add(y, terms.integer(3)))
    sketch.assign(3, 0, z, terms.add(z, terms.mul(x, y) if multiplies else x))
    half = terms.div(sketch.p, terms.integer(2))
    sketch.assume(4, 5, terms.and_(terms.eq(terms.add(x, y), terms.integer(4)), terms.lt(half, z)))
    return sketch


def guessed(sketch: Sketch, kind: Callable[[Guesses], tuple[Term, ...]], rows: Rows) -> tuple[Term, ...]:
    return kind(Guesses(Vocabulary(sketch.cfa()), list(sketch.variables.values()), rows))


def clause(sketch: Sketch, condition: Term, then: Term) -> Term:
    return sketch.terms.implies(condition, then)


@pytest.mark.parametrize("kind", KINDS)
@given(rows=st.lists(st.tuples(*[st.integers(-8, 12)] * 4), min_size=1, max_size=12, unique=True))
@settings(max_examples=30, deadline=None)
def test_every_guess_is_true_in_every_state(kind: Callable[[Guesses], tuple[Term, ...]], rows: Rows) -> None:
    sketch = loop()
    own = list(sketch.variables.values())
    for guess in guessed(sketch, kind, rows):
        for row in rows:
            assert evaluate(guess, dict(zip(own, row, strict=True))), guess


def test_equalities() -> None:
    sketch = loop()
    rows = [(x, 3 * x + 1, p - x, p) for x in range(5) for p in (0, 4, 9)]
    found = guessed(sketch, Guesses.simple, rows)
    terms = sketch.terms
    three = terms.mul(terms.integer(3), sketch.x)
    assert terms.eq(sketch.y, terms.add(three, terms.integer(1))) in found
    assert terms.eq(terms.add(sketch.x, sketch.z), sketch.p) in found


def test_congruences_of_variables_and_of_differences() -> None:
    sketch = loop()
    rows = [(4 * i + 3, j, j + 2 * i, p) for i in range(4) for j in range(3) for p in (0, 5, 7)]
    found = guessed(sketch, Guesses.simple, rows)
    terms = sketch.terms
    assert terms.eq(terms.mod(sketch.x, terms.integer(4)), terms.integer(3)) in found
    assert terms.eq(terms.mod(sketch.x, terms.integer(2)), terms.integer(1)) in found
    difference = terms.sub(sketch.y, sketch.z)
    assert terms.eq(terms.mod(difference, terms.integer(2)), terms.integer(0)) in found


def test_bounds_are_tight_or_those_of_the_program() -> None:
    sketch = loop()
    rows = [(x, y, 0, 0) for x in range(6) for y in range(x, 8)]
    found = guessed(sketch, Guesses.simple, rows)
    terms = sketch.terms
    assert terms.le(sketch.x, sketch.y) in found
    assert terms.le(sketch.x, terms.integer(5)) in found
    # x < 10 is compared: x <= 10 is what a loop that counts to 10 leaves.
    assert terms.le(sketch.x, terms.integer(10)) in found


def test_relations_where_a_condition_holds() -> None:
    sketch = loop()
    rows = [(x, 3 if x < 10 else x, 0, 0) for x in range(20)]
    found = guessed(sketch, Guesses.conditional, rows)
    terms = sketch.terms
    below = terms.lt(sketch.x, terms.integer(10))
    assert clause(sketch, below, terms.eq(sketch.y, terms.integer(3))) in found
    assert clause(sketch, terms.not_(below), terms.eq(sketch.x, sketch.y)) in found
    meets = terms.eq(terms.add(sketch.x, sketch.y), terms.integer(4))
    assert terms.or_(below, terms.not_(meets)) in found


def test_a_small_sample_is_a_guess_itself() -> None:
    sketch = loop()
    found = guessed(sketch, Guesses.conditional, [(1, 2, 0, 0), (2, 4, 0, 0), (3, 8, 0, 0)])
    own = list(sketch.variables.values())
    exact = [
        guess
        for guess in found
        if [x for x in range(8) if evaluate(guess, dict(zip(own, (x, 1 << x, 0, 0), strict=True)))] == [1, 2, 3]
    ]
    assert any(not evaluate(guess, dict(zip(own, (2, 5, 0, 0), strict=True))) for guess in exact)


def test_bounds_of_three_variables() -> None:
    sketch = loop()
    rows = [(x, y, x + y - s, 0) for x in range(5) for y in range(5) for s in range(3)]
    found = guessed(sketch, Guesses.wide, rows)
    assert sketch.terms.le(sketch.z, sketch.terms.add(sketch.x, sketch.y)) in found


def test_relations_for_each_value_of_a_parameter() -> None:
    sketch = loop()
    rows = [(p * i, 0, 0, p) for p in (2, 3, 5) for i in range(6)]
    found = guessed(sketch, Guesses.cases, rows)
    terms = sketch.terms
    for p in (2, 3, 5):
        divides = terms.eq(terms.mod(sketch.x, terms.integer(p)), terms.integer(0))
        assert clause(sketch, terms.eq(sketch.p, terms.integer(p)), divides) in found


def test_polynomials_only_where_variables_are_multiplied() -> None:
    sketch = loop()
    rows = [(x, x * x, p, p) for x in range(6) for p in range(3)]
    square = sketch.terms.eq(sketch.terms.mul(sketch.x, sketch.x), sketch.y)
    assert square in guessed(sketch, Guesses.polynomial, rows)
    assert guessed(loop(multiplies=False), Guesses.polynomial, rows) == ()


def test_later_phases() -> None:
    """All states have x < 10, whatever may hold after that is guessed."""
    sketch = loop()
    found = guessed(sketch, Guesses.phases, [(x, 0, 0, 0) for x in range(5)])
    terms = sketch.terms
    odd = terms.eq(terms.mod(sketch.y, terms.integer(3)), terms.integer(1))
    assert terms.or_(terms.lt(sketch.x, terms.integer(10)), odd) in found


def names(cfa: Cfa) -> set[str]:
    return {variable.name.split("::")[-1] for variable in counters(cfa)}


def test_counters_are_changed_by_arithmetic_on_themselves() -> None:
    cfa = integer_model(
        """int n = __VERIFIER_nondet_int(), i = 0, flag = 0, state = 1, t, late;
        while (i < n) {
            t = i + 2; i = t;
            if (state == 1) { state = 4; flag = 1; } else { state = 1; }
            late = n + 3;
        }
        check(flag == 0 || i > n || late > 2 || state == 4);"""
    )
    assert names(cfa) - {"t"} == {"i"}


def test_a_division_by_a_variable_is_never_evaluated() -> None:
    sketch = loop()
    terms = sketch.terms
    quotient = terms.div(sketch.x, sketch.y)
    sketch.assume(4, 5, terms.lt(quotient, sketch.z))
    for kind in KINDS:
        guessed(sketch, kind, [(1, 0, 0, 0), (2, 0, 1, 0), (3, 0, 1, 1)])
