"""A path to the error is accepted exactly when it has an execution, and then the execution is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.certify.interpreter import ConcreteState, Interpreter, successors
from argosy.certify.replay import Refuted, Replayed, certify_unsafe
from argosy.frontends.armc import read
from argosy.logic.semantics import Value, unsigned
from argosy.logic.solver import Counters, Satisfiability, Solver
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, Refusal, Relation
from tests.certify.automata import Builder, automata, every_value


def solvers(cfa: Cfa) -> Solvers:
    return Solvers(cfa.terms, Counters())


def executable(cfa: Cfa, path: Sequence[Edge], reading: Reading) -> bool:
    """By trying every initial state and every choice."""
    interpreter = Interpreter(cfa, reading)
    states = {
        interpreter.start(dict(zip([v.term for v in cfa.variables], values, strict=True)))
        for values in _all_values([v.term for v in cfa.variables])
    }
    for edge in path:
        outcomes = (after for state in states for after in successors(interpreter, edge, state, every_value))
        states = {after for after in outcomes if isinstance(after, ConcreteState)}
    return bool(states)


def _all_values(variables: list[Term]) -> Iterator[tuple[Value, ...]]:
    if not variables:
        yield ()
        return
    for rest in _all_values(variables[1:]):
        for value in range(1 << variables[0].sort.width):
            yield (value, *rest)


@st.composite
def paths(draw: st.DrawFn) -> tuple[Cfa, list[Edge]]:
    cfa = draw(automata().filter(lambda cfa: cfa.initial in cfa.error_distance))
    path: list[Edge] = []
    at = cfa.initial
    for _ in range(draw(st.integers(0, 6))):
        edges = [e for e in cfa.leaving[at] if e.target in cfa.error_distance]
        if not edges:
            break
        path.append(draw(st.sampled_from(edges)))
        at = path[-1].target
    while at is not cfa.error:
        path.append(min(cfa.leaving[at], key=lambda e: cfa.error_distance.get(e.target, 1000)))
        at = path[-1].target
    return cfa, path


@settings(max_examples=100, deadline=None)
@given(paths(), st.sampled_from(Reading))
def test_a_path_is_certified_iff_it_can_be_executed(drawn: tuple[Cfa, list[Edge]], reading: Reading) -> None:
    cfa, path = drawn
    result = certify_unsafe(cfa, path, solvers(cfa), reading)
    if executable(cfa, path, reading):
        assert isinstance(result, Replayed)
        assert [step.edge for step in result.steps] == path
    else:
        assert result == Refuted("infeasible in bits", infeasible=True)


def test_the_steps_tell_values_as_numbers() -> None:
    builder = Builder(5, 4)
    t = builder.terms
    x, u = builder.variable("x"), builder.variable("u", signed=False)
    edges = [
        builder.edge(0, 1, Havoc(x)),
        builder.edge(1, 2, Assume(t.eq(x, t.bv(-7, 32)))),
        builder.edge(2, 3, Assign(u, t.bit("bvadd", x, t.bv(1, 32)))),
        builder.edge(3, 4, Assume(t.eq(u, t.bv(-6, 32)))),
    ]
    cfa = builder.build()
    result = certify_unsafe(cfa, edges, solvers(cfa), Reading.UNDEFINED)
    assert isinstance(result, Replayed)
    assert [dict(step.values) for step in result.steps] == [{"x": -7}, {}, {"u": 2**32 - 6}, {}]
    assert [(c.step, c.variable, c.value) for c in result.choices] == [(0, "x", -7)]
    assert [step.position for step in result.steps] == [e.position for e in edges]


def test_initial_values_are_found() -> None:
    builder = Builder(2, 1)
    t = builder.terms
    x = builder.variable("x")
    edge = builder.edge(0, 1, Assume(t.eq(t.bit("bvmul", x, x), t.bv(49, 32))))
    cfa = builder.build()
    result = certify_unsafe(cfa, [edge], solvers(cfa), Reading.WRAP)
    assert isinstance(result, Replayed)
    assert unsigned(result.initial["x"] ** 2, 32) == 49


def test_what_is_learned_about_an_initial_value_does_not_touch_later_ones() -> None:
    builder = Builder(5, 4)
    t = builder.terms
    x, y = builder.variable("x"), builder.variable("y")
    path = [
        builder.edge(0, 1, Assign(y, x)),
        builder.edge(1, 2, Assign(x, t.bv(7, 32))),
        builder.edge(2, 3, Assume(t.eq(y, t.bv(3, 32)))),
        builder.edge(3, 4, Assume(t.eq(x, t.bv(7, 32)))),
    ]
    cfa = builder.build()
    result = certify_unsafe(cfa, path, solvers(cfa), Reading.WRAP)
    assert isinstance(result, Replayed) and result.initial == {"x": 3}


def test_overflow_is_no_counterexample_unless_it_wraps() -> None:
    builder = Builder(3, 2)
    t = builder.terms
    x = builder.variable("x")
    path = [builder.edge(0, 1, Assume(t.bit("bvslt", t.bv(0, 32), x)))]
    value, check = builder.add(x, 1)
    new = t.var("x'", x.sort)
    negative = t.and_(t.eq(new, value), t.bit("bvslt", new, t.bv(0, 32)))
    path.append(builder.edge(1, 2, Relation(negative, ((x, new),)), check))
    cfa = builder.build()
    assert certify_unsafe(cfa, path, solvers(cfa), Reading.UNDEFINED) == Refuted("infeasible in bits", infeasible=True)
    result = certify_unsafe(cfa, path, solvers(cfa), Reading.WRAP)
    assert isinstance(result, Replayed) and result.steps[1].values == {"x": -(2**31)}


def test_what_is_not_a_path_is_refused() -> None:
    builder = Builder(3, 2)
    t = builder.terms
    x = builder.variable("x")
    first, second = builder.edge(0, 1, Havoc(x)), builder.edge(1, 2, Assume(t.true))
    cfa = builder.build()
    twin = Edge(first.source, first.target, first.operation)
    for path in ([], [first], [second], [second, first], [first, first, second], [twin, second]):
        result = certify_unsafe(cfa, path, solvers(cfa), Reading.WRAP)
        assert isinstance(result, Refuted) and not result.infeasible
    assert isinstance(certify_unsafe(cfa, [first, second], solvers(cfa), Reading.WRAP), Replayed)


def test_values_that_are_not_modelled_are_reported_when_they_decide() -> None:
    builder = Builder(4, 3)
    t = builder.terms
    x, o, p = builder.variable("x"), builder.variable("o"), builder.variable("p")
    builder.opaque[o] = Refusal(Position("t.c", 7), "a dereference")
    builder.opaque[p] = Refusal(Position("t.c", 8), "a float")
    path = [builder.edge(0, 1, Assign(x, o)), builder.edge(1, 2, Assume(t.eq(x, t.bv(5, 32))))]
    path.append(builder.edge(2, 3, Assign(x, p)))
    cfa = builder.build()
    result = certify_unsafe(cfa, path, solvers(cfa), Reading.UNDEFINED)
    assert isinstance(result, Replayed) and [r.what for r in result.unmodelled] == ["a dereference"]


@dataclass
class Lying:
    """A solver that finds everything satisfiable, with ones everywhere; or nothing at all."""

    answer: Satisfiability
    name: str = "lying"

    def add(self, term: Term) -> None: ...

    def check(self, assumptions: Sequence[Term] = ()) -> Satisfiability:
        return self.answer

    def value(self, term: Term) -> Value:
        return 1


class LyingSolvers(Solvers):
    answer = Satisfiability.SAT

    def create(self, *_: object, **__: object) -> Solver:
        return Lying(self.answer)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "said"), [(Satisfiability.SAT, "replay stops"), (Satisfiability.UNKNOWN, "no answer")]
)
def test_the_replay_does_not_believe_the_solver(answer: Satisfiability, said: str) -> None:
    builder = Builder(3, 2)
    t = builder.terms
    x = builder.variable("x")
    path = [builder.edge(0, 1, Havoc(x)), builder.edge(1, 2, Assume(t.bit("bvult", x, t.bv(1, 32))))]
    cfa = builder.build()
    lying = LyingSolvers(cfa.terms, Counters())
    lying.answer = answer
    result = certify_unsafe(cfa, path, lying, Reading.WRAP)
    assert isinstance(result, Refuted) and said in result.reason and not result.infeasible


def test_a_long_path_is_replayed_quickly() -> None:
    """Ten thousand edges of a state machine that reads inputs and counts."""
    builder = Builder(5, 4)
    t = builder.terms
    state, count, inp = builder.variable("state"), builder.variable("count"), builder.variable("input")
    others = [builder.variable(f"v{i}") for i in range(30)]
    start = builder.edge(0, 1, Assign(state, t.bv(0, 32)))
    read = builder.edge(1, 2, Havoc(inp))
    odd = builder.edge(2, 3, Assume(t.and_(t.eq(inp, t.bv(3, 32)), t.eq(state, t.bv(0, 32)))))
    even = builder.edge(2, 3, Assume(t.and_(t.bit("bvslt", inp, t.bv(3, 32)), t.eq(state, t.bv(1, 32)))))
    go = builder.edge(3, 1, Assign(state, t.bit("bvsub", t.bv(1, 32), state)))
    add = builder.edge(3, 3, Assign(others[0], t.bit("bvadd", others[0], inp)))
    stop = builder.edge(1, 4, Assume(t.eq(t.bit("bvand", others[0], t.bv(1, 32)), t.bit("bvand", count, t.bv(1, 32)))))
    cfa = builder.build()
    path = [start]
    for i in range(2500):
        path += [read, odd if i % 2 == 0 else even, add, go]
    path.append(stop)
    begin = process_time()
    result = certify_unsafe(cfa, path, solvers(cfa), Reading.UNDEFINED)
    assert isinstance(result, Replayed) and len(result.choices) == 2500
    assert process_time() - begin < 8


def test_where_there_are_no_bits_none_are_blamed() -> None:
    text = "start(pc(a)). error(pc(b)). r(p(pc(a), data(X)), p(pc(b), data(Y)), [X > 1, X < 2], [Y = X], 1)."
    cfa = read("model.armc", text, terms=Terms()).cfa
    assert certify_unsafe(cfa, cfa.edges, solvers(cfa), Reading.WRAP) == Refuted("infeasible", infeasible=True)
