"""Byte code against the reference evaluator, on random expressions, statements and functions.

The code runs inside a search: a network whose only edge tests or updates, so that what is compared is what counts."""

from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.graph import SymbolicState
from argosy.kernel.ranges import Ranges
from argosy.kernel.search import Exhausted, Failed, ZoneSearch
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import (
    ArrayRun,
    Assignment,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkFunction,
    NetworkPlace,
    Parameter,
    Read,
    Return,
    Statement,
    Subscript,
    Unary,
    While,
)
from tests.kernel.networks import Draft, network, put, read, when

OPERATORS = get_args(BinaryOperator)
# Slots 0 .. 3 are an array of two rows of two, 4 a boolean, 5 and 6 small; 7 .. are scratch.
VARIABLES = [NetworkVariable(f"a{k}", -20, 20, k - 1) for k in range(4)] + [
    NetworkVariable("b", 0, 1, 0),
    NetworkVariable("i", 0, 3, 1),
    NetworkVariable("n", -32768, 32767, 7),
]
SCRATCH = [
    NetworkVariable("p", -50, 50, 0),
    NetworkVariable("q0", -20, 20, 0),
    NetworkVariable("q1", -20, 20, 0),
    NetworkVariable("s", 0, 9, 0),
]
FUNCTIONS = (
    # int[-30,30] pick(int p, int q[2]) { s = 0; while (s < p) s++; if (p > 3) return q[0]; return s + q[1]; }
    NetworkFunction(
        "pick",
        (Parameter(7, 1), Parameter(8, 2)),
        (
            put(10, 0),
            While(Binary("<", read(10), read(7)), (put(10, Binary("+", read(10), Constant(1))),)),
            If(Binary(">", read(7), Constant(3)), (Return(read(8)),)),
            Return(Binary("+", read(10), read(9))),
        ),
        -30,
        30,
        False,
    ),
    NetworkFunction("note", (Parameter(7, 1),), (put(6, Binary("*", read(7), read(7))),), 0, 0, True),
)

constants = st.one_of(st.integers(-4, 9), st.sampled_from([-(2**31), 2**31 - 1, 65536, 31, 40])).map(Constant)
places = st.one_of(
    st.integers(0, 6).map(NetworkPlace),
    st.builds(
        lambda a, b: NetworkPlace(0, (Subscript(a, 0, 2, 2), Subscript(b, 0, 2, 1))),
        st.sampled_from([read(4), read(5), Constant(1)]),
        st.sampled_from([read(4), Binary("-", read(5), Constant(1)), Constant(0)]),
    ),
)


def deeper(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Unary, st.sampled_from(["-", "!"]), inner),
        st.builds(Binary, st.sampled_from(OPERATORS), inner, inner),
        st.builds(Conditional, inner, inner, inner),
        st.builds(lambda e, k: FunctionCall(0, (e, ArrayRun(NetworkPlace(k), 2))), inner, st.sampled_from([0, 2])),
    )


expressions: st.SearchStrategy[Expression] = st.recursive(st.one_of(constants, places.map(Read)), deeper, max_leaves=8)


def blocks(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[Statement]:
    some = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(If, expressions, some, some),
        st.builds(
            lambda body: While(Binary("<", read(5), Constant(3)), (*body, put(5, Binary("+", read(5), Constant(1))))),
            some,
        ),
    )


statements: st.SearchStrategy[Statement] = st.recursive(
    st.one_of(
        st.builds(lambda place, e: Evaluate(Assignment(place, e)), places, expressions),
        st.builds(lambda e: Evaluate(FunctionCall(1, (e,))), expressions),
        st.just(Copy(NetworkPlace(0), NetworkPlace(2), 2)),
    ),
    blocks,
    max_leaves=6,
)


def single(updates: tuple[Statement, ...], condition: Expression | None = None) -> Network:
    draft = Draft()
    draft.location("start")
    draft.location("end")
    draft.edge(0, 1, None if condition is None else when(condition), updates=updates)
    return network([draft], VARIABLES, functions=FUNCTIONS, scratch=SCRATCH)


def reference(made: Network) -> tuple[Evaluator, list[int]]:
    memory = [slot.initial for slot in (*made.variables, *made.scratch)]
    return Evaluator(made.functions, made.slot, memory), memory


@settings(max_examples=150, deadline=None)
@given(expressions)
def test_conditions(expression: Expression) -> None:
    made = single((), expression)
    search = ZoneSearch(made, ())
    outcome = search.run()
    try:
        holds = reference(made)[0].value(expression) != 0
    except ModelError:
        assert isinstance(outcome, Failed)
        return
    assert isinstance(outcome, Exhausted)
    assert {state.locations[0] for state in search.states()} == ({0, 1} if holds else {0})
    certifier = NativeCertifier(made, ())
    certifier.add_all(search)
    assert certifier.check() is None


@settings(max_examples=150, deadline=None)
@given(st.lists(statements, min_size=1, max_size=4).map(tuple))
def test_updates(updates: tuple[Statement, ...]) -> None:
    made = single(updates)
    search = ZoneSearch(made, ())
    outcome = search.run()
    evaluator, memory = reference(made)
    try:
        evaluator.execute(updates)
    except ModelError:
        assert isinstance(outcome, Failed)
        return
    assert isinstance(outcome, Exhausted)
    after = {state.values for state in search.states() if state.locations == (1,)}
    assert after == {tuple(memory[: len(VARIABLES)])}
    ranges = Ranges(made).variables
    assert all(low <= value <= high for value, (low, high) in zip(memory, ranges, strict=False))
    certifier = NativeCertifier(made, ())
    certifier.add_all(search)
    assert certifier.check() is None


@settings(max_examples=100, deadline=None)
@given(expressions)
def test_intervals_hold_every_value(expression: Expression) -> None:
    made = single((put(6, 3),), expression)
    evaluator, _ = reference(made)
    try:
        value = evaluator.value(expression)
    except ModelError:
        return
    low, high = Ranges(made).of(expression)
    assert low <= value <= high


def test_a_state_outside_the_set_is_noticed() -> None:
    made = single((put(6, 3),))
    search = ZoneSearch(made, ())
    search.run()
    certifier = NativeCertifier(made, ())
    for state in search.states():
        wrong = (*state.values[:6], state.values[6] + state.locations[0])
        certifier.add(SymbolicState(state.locations, wrong, state.zone))
    assert certifier.check() == "a successor of a stored state is not stored"
