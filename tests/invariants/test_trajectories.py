"""What is said of a loop whose rounds are determined holds of every state that its rounds lead to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.invariants.trajectories import Stretch, said, trajectories
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assign, Cfa, Havoc, Reading
from tests.invariants.programs import bit_model
from tests.models.automata import Sketch, Steps, closure

WIDTH = 6


@st.composite
def loops(draw: st.DrawFn) -> Cfa:
    """A loop that counts to a limit, in which other variables are added to, begin again, or take turns, in ways that
    may depend on the counter, on what begins again and on whose turn it is; and some that choose."""
    sketch = Sketch(12, i=bits(WIDTH), x=bits(WIDTH), c=bits(WIDTH), f=BOOL, h=BOOL, n=bits(WIDTH))
    terms = sketch.terms
    small = st.integers(0, 5)
    # One that is passed over is met after wrapping around, perhaps, which nobody looks for.
    last = sketch.number(draw(st.integers(1, 6)), sketch.c)

    def condition() -> Term:
        kind = draw(st.integers(0, 4))
        if kind == 0:
            return sketch.below(sketch.i, draw(st.integers(0, 40)))
        if kind in (1, 2):
            return (sketch.f, sketch.h)[kind - 1]
        if kind == 3:
            return sketch.is_(sketch.c, draw(small))
        return sketch.is_(terms.bit("bvand", sketch.i, sketch.number(1, sketch.i)), 1)

    def change() -> Assign | Havoc:
        kind = draw(st.integers(0, 5))
        if kind < 3:
            return Assign(sketch.x, sketch.plus(sketch.x, draw(st.sampled_from((1, 2, 3, 7, 63, 62)))))
        if kind == 3:
            return Assign(sketch.f, terms.not_(sketch.f))
        if kind == 4:
            return Assign(
                sketch.c, terms.ite(terms.eq(sketch.c, last), sketch.number(0, sketch.c), sketch.plus(sketch.c, 1))
            )
        return Havoc(sketch.h)

    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.assign(1, 2, sketch.x, sketch.number(draw(small), sketch.x))
    sketch.assign(2, 3, sketch.c, sketch.number(0, sketch.c))
    sketch.assign(3, 4, sketch.f, terms.false)
    # By 2 a limit that is not known may be passed over, and then there are rounds without an end.
    is_open = draw(st.booleans())
    limit = sketch.n if is_open else sketch.number(draw(st.integers(0, 40)), sketch.i)
    sketch.branch(4, terms.bit("bvult", sketch.i, limit), 5, 10)
    sketch.branch(5, condition(), 6, 7)
    sketch.step(6, 8, change())
    sketch.step(7, 8, change())
    sketch.step(8, 9, change())
    sketch.assign(9, 4, sketch.i, sketch.plus(sketch.i, 1 if is_open else draw(st.integers(1, 2))))
    sketch.assume(10, 11, sketch.is_(sketch.x, 33))
    return sketch.cfa()


def check(cfa: Cfa) -> int:
    """How many claims there are, each of which holds of all states; all but the last variable are assigned first."""
    variables = [v.term for v in cfa.variables]
    *others, _ = [False if v.sort is BOOL else 0 for v in variables]
    starts = {(*others, n) for n in (0, 1, 30, 63)}
    truth = closure(Steps(cfa, variables, Reading.WRAP), cfa, {cfa.initial: starts})
    number = 0
    for head, found in trajectories(cfa, Reading.WRAP).items():
        for stretches in found.closed:
            number += 1
            claim = said(cfa.terms, stretches)
            for state in truth[head]:
                valuation = dict(zip(variables, state, strict=True))
                assert evaluate(claim, valuation), (head, len(stretches), state)
    return number


@given(cfa=loops())
@settings(max_examples=150, deadline=None)
def test_every_state_that_rounds_lead_to_is_in_a_stretch(cfa: Cfa) -> None:
    check(cfa)


@given(
    first=st.integers(0, 31),
    steps=st.tuples(st.integers(-6, 6), st.integers(-3, 3)),
    times=st.integers(0, 40),
)
@settings(max_examples=100, deadline=None)
def test_a_stretch_says_its_states_and_no_others(first: int, steps: tuple[int, int], times: int) -> None:
    """As far as the variable that tells rounds apart does: what moves in circles comes round again."""
    terms = Terms()
    x, y = terms.var("x", bits(7)), terms.var("y", bits(4))
    claim = said(terms, [Stretch({x: first, y: 3}, dict(zip((x, y), steps, strict=True)), times)])
    told = [(abs(by) & -abs(by) or 1 << v.sort.width, v) for v, by in zip((x, y), steps, strict=True)]
    most = max((1 << v.sort.width) // power for power, v in told)
    states = {((first + m * steps[0]) % 128, (3 + m * steps[1]) % 16) for m in range(min(times, most - 1) + 1)}
    assert {(a, b) for a in range(128) for b in range(16) if evaluate(claim, {x: a, y: b})} == states


# Each with how many stretches there are, of at least how many rounds one of them.
LOOPS = [
    ("unsigned x = 5, i = 0; while (i < 100000000) { i++; x += 3; }", 1, 99_999_999),
    ("unsigned i = 0, x = 0; while (i < 100000000) { x = (x + 1) % 7; i++; }", 8, 14_000_000),
    ("unsigned n = __VERIFIER_nondet_uint(), i = 0; int x = 0; while (i < n) { x = 1 - x; i++; }", 2, 2_000_000_000),
    ("unsigned i = 0, x = 0; while (i < 200000000) { if (i < 100000000) x++; else x += 2; i++; }", 2, 99_999_999),
    ("unsigned i = 0, x = 0; while (i < 90000000) { x++; if (x == 10) x = 0; i++; }", 10, 8_999_999),
    ("unsigned i = 0; unsigned char x = 0; while (i < 90000000) { if (x < 200) x++; i++; }", 2, 89_000_000),
    ("unsigned i = 0; int x = 0, up = 1; while (__VERIFIER_nondet_int()) { i++; if (up) { x++; if (x == 5000) up = 0; }"
     "else { x--; if (x == 0) up = 1; } }", 4, 4_990),
]  # fmt: skip


@pytest.mark.parametrize(("body", "most", "rounds"), LOOPS)
def test_few_stretches_say_what_many_rounds_do(body: str, most: int, rounds: int) -> None:
    cfa = bit_model(f"{body} check(x < 77);")
    found: Sequence[Sequence[Stretch]] = [
        own for each in trajectories(cfa, Reading.WRAP).values() for own in each.closed
    ]
    assert found and len(found[0]) <= most + 1
    assert max(stretch.times for stretch in found[0]) >= rounds


def test_there_is_something_to_check() -> None:
    sketch = Sketch(4, i=bits(WIDTH), x=bits(WIDTH))
    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.branch(1, sketch.below(sketch.i, 50), 2, 3)
    sketch.assign(2, 1, sketch.i, sketch.plus(sketch.i, 3))
    assert check(sketch.cfa()) == 1


def counting() -> Sketch:
    """Two variables from 0, one of which counts to 50."""
    sketch = Sketch(8, i=bits(WIDTH), x=bits(WIDTH), h=BOOL, n=bits(1))
    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.assign(1, 2, sketch.x, sketch.number(0, sketch.x))
    sketch.branch(2, sketch.below(sketch.i, 50), 3, 6)
    sketch.assign(5, 2, sketch.i, sketch.plus(sketch.i, 1))
    return sketch


def test_what_meets_on_the_way_ends_a_stretch() -> None:
    """Whether a condition says so or a choice of values."""
    by_condition = counting()
    by_condition.branch(3, by_condition.is_(by_condition.x, 37), 4, 7)
    by_condition.assign(4, 5, by_condition.x, by_condition.number(0, by_condition.x))
    by_condition.assign(7, 5, by_condition.x, by_condition.plus(by_condition.x, 1))
    assert check(by_condition.cfa(error=6)) == 1
    by_choice = counting()
    again = by_choice.terms.ite(
        by_choice.is_(by_choice.x, 37), by_choice.number(0, by_choice.x), by_choice.plus(by_choice.x, 1)
    )
    by_choice.assign(3, 5, by_choice.x, again)
    assert check(by_choice.cfa(error=6)) == 1


def test_what_is_chosen_is_left_out() -> None:
    sketch = counting()
    sketch.step(3, 4, Havoc(sketch.h))
    sketch.branch(4, sketch.h, 7, 5)
    sketch.assign(7, 5, sketch.x, sketch.plus(sketch.x, 1))
    cfa = sketch.cfa(error=6)
    assert check(cfa) == 1
    (found,) = trajectories(cfa, Reading.WRAP).values()
    assert {v.name for v in found.closed[0][0].first} == {"i"}


def test_what_another_loop_changes_is_known_where_it_ends() -> None:
    sketch = Sketch(8, i=bits(WIDTH), x=bits(WIDTH), y=bits(WIDTH), n=bits(1))
    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.assign(1, 2, sketch.x, sketch.number(1, sketch.x))
    sketch.branch(2, sketch.below(sketch.i, 30), 3, 4)
    sketch.assign(3, 2, sketch.i, sketch.plus(sketch.i, 1))
    sketch.branch(4, sketch.below(sketch.x, 60), 5, 7)
    sketch.assign(5, 6, sketch.y, sketch.i)
    sketch.assign(6, 4, sketch.x, sketch.plus(sketch.x, 2))
    cfa = sketch.cfa()
    assert check(cfa) == 2
    known = [own.entry for own in trajectories(cfa, Reading.WRAP).values()]
    assert sketch.i in known[1] and known[1][sketch.i] == 30
