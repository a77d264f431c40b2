"""The interpreter does what the operations say, no more."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter, reachable_states, zero
from argosy.logic.sorts import BOOL, INT, REAL, array, bits
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, Relation, Undefined
from tests.certify.automata import Builder, automata, every_value


def constant(value: int, edge: Edge, variable: Term) -> int:
    """A choice of an interpreter."""
    return value


def never(_: Edge, variable: Term) -> int:
    raise AssertionError(f"nothing to choose for {variable}")


@settings(deadline=None)
@given(automata(), st.sampled_from(Reading), st.data())
def test_a_step_is_what_the_operation_says(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    """The operations once more, written down from their definition with ``evaluate``."""
    interpreter = Interpreter(cfa, reading)
    edge = data.draw(st.sampled_from(cfa.edges))
    values = {v.term: data.draw(st.integers(0, (1 << v.term.sort.width) - 1)) for v in cfa.variables}
    chosen = {v.term: data.draw(st.integers(0, (1 << v.term.sort.width) - 1)) for v in cfa.variables}
    state = ConcreteState(edge.source, interpreter.start(values).values)
    after = interpreter.step(edge, state, lambda _, variable: chosen[variable])
    violated = [c for c in edge.checks if reading.excludes(c) and not evaluate(c.condition, values)]
    if violated:
        assert isinstance(after, Blocked) and after.check is violated[0]
        return
    expected = dict(values)
    match edge.operation:
        case Assume(condition):
            if not evaluate(condition, values):
                assert isinstance(after, Blocked) and after.check is None
                return
        case Assign(variable, value):
            expected[variable] = evaluate(value, values)
        case Havoc(variable):
            expected[variable] = chosen[variable]
        case Relation(formula, primed):
            if not evaluate(formula, {**values, **{new: chosen[old] for old, new in primed}}):
                assert isinstance(after, Blocked) and after.check is None
                return
            expected |= {old: chosen[old] for old, _ in primed}
    assert isinstance(after, ConcreteState)
    assert after.location is edge.target
    assert interpreter.valuation(after) == expected


def test_overflow_leaves_the_language_or_wraps() -> None:
    builder = Builder(2, 1)
    x = builder.variable("x", 8)
    value, check = builder.add(x, 1)
    edge = builder.edge(0, 1, Assign(x, value), check)
    cfa = builder.build()
    undefined, wrapping = Interpreter(cfa, Reading.UNDEFINED), Interpreter(cfa, Reading.WRAP)
    blocked = undefined.step(edge, undefined.start({x: 127}), never)
    assert isinstance(blocked, Blocked) and blocked.check is check and check.kind is Undefined.SIGNED_OVERFLOW
    wrapped = wrapping.step(edge, wrapping.start({x: 127}), never)
    assert isinstance(wrapped, ConcreteState) and wrapping.value(wrapped, x) == 128


def test_wrong_use_is_refused() -> None:
    builder = Builder(2, 1)
    x = builder.variable("x", 8)
    edge = builder.edge(0, 1, Havoc(x))
    interpreter = Interpreter(builder.build(), Reading.WRAP)
    start = interpreter.start({})
    for bad in (256, -1):
        with pytest.raises(ValueError, match="not a value"):
            interpreter.step(edge, start, partial(constant, bad))
    after = interpreter.step(edge, start, lambda *_: 255)
    assert isinstance(after, ConcreteState)
    with pytest.raises(ValueError, match="does not leave"):
        interpreter.step(edge, after, never)


def test_all_states_of_a_counter() -> None:
    builder = Builder(3, 2)
    t = builder.terms
    x = builder.variable("x", 4)
    builder.edge(0, 1, Assign(x, t.bv(0, 4)))
    builder.edge(1, 1, Assign(x, t.bit("bvadd", x, t.bv(3, 4))))
    builder.edge(1, 2, Assume(t.eq(x, t.bv(5, 4))))
    cfa = builder.build()
    states = list(reachable_states(cfa, Reading.WRAP, every_value))
    assert len([s for s in states if s.location is cfa.locations[1]]) == 16
    assert [s.values for s in states if s.location is cfa.error] == [(5,)]
    with pytest.raises(ValueError, match="more than 5"):
        list(reachable_states(cfa, Reading.WRAP, every_value, limit=5))


def test_zero_of_every_sort() -> None:
    assert zero(BOOL) is False and zero(INT) == 0 and zero(REAL) == Fraction(0) and zero(bits(3)) == 0
    assert zero(array(bits(8), INT)).select(7) == 0


def test_a_hundred_thousand_steps_take_a_moment() -> None:
    builder = Builder(2, 1)
    t = builder.terms
    variables = [builder.variable(f"x{i}") for i in range(60)]
    first, check = builder.add(variables[0], 1)
    increment = builder.edge(0, 0, Assign(variables[0], first), check)
    test = builder.edge(0, 0, Assume(t.bit("bvsle", t.bv(0, 32), variables[0])))
    interpreter = Interpreter(builder.build(), Reading.UNDEFINED)
    state: ConcreteState | Blocked = interpreter.start({})
    start = process_time()
    for _ in range(50_000):
        for edge in (increment, test):
            assert isinstance(state, ConcreteState)
            state = interpreter.step(edge, state, never)
    assert isinstance(state, ConcreteState) and interpreter.value(state, variables[0]) == 50_000
    assert process_time() - start < 5
