"""Bounded model checking and k-induction on small automata, against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy import engine
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Edge, Reading
from argosy.protocols import OutOfBudget, Silent
from argosy.reached import Node, Reached
from argosy.strategies.bounded import bounded
from argosy.strategies.setting import Setting
from argosy.verdict import Outcome, Safe, Unknown, Unsafe
from tests.models.automata import Sketch, Steps, automata, everything, reachable


class Impatient(Silent):
    """No loop of these automata needs more expansions: what is still open then is open for good."""

    def __init__(self) -> None:
        self.left = 400

    def expanded(self, node: Node, reached: Reached) -> None:
        reached.validate()
        self.left -= 1
        if not self.left:
            raise OutOfBudget("expansions")


def outcome(cfa: Cfa, reading: Reading, induction: str) -> Outcome:
    observer = Impatient()
    setting = Setting(cfa, Solvers(cfa.terms, Counters()), reading, "bits", {"induction": induction}, {}, observer)
    return engine.check(bounded(setting), observer)


def feasible(cfa: Cfa, trace: tuple[Edge, ...], reading: Reading) -> bool:
    variables = [v.term for v in cfa.variables]
    steps = Steps(cfa, variables, reading)
    location, states = cfa.initial, set(everything(variables))
    for edge in trace:
        assert edge.source is location
        location, states = edge.target, {after for state in states for after in steps.after(edge, state)}
    return location is cfa.error and bool(states)


@pytest.mark.parametrize("induction", ["off", "on"])
@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=60, deadline=None)
def test_verdicts_are_those_of_brute_force(induction: str, cfa: Cfa, reading: Reading) -> None:
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match outcome(cfa, reading, induction):
        case Safe():
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown():
            assert not truth  # a counterexample is found; a proof may need a loop that is never left


@given(cfa=automata(acyclic=True), reading=st.sampled_from(Reading))
@settings(max_examples=40, deadline=None)
def test_without_loops_the_unwinding_is_complete(cfa: Cfa, reading: Reading) -> None:
    assert not isinstance(outcome(cfa, reading, "off"), Unknown)


def counter(step: int, error_at: int) -> Cfa:
    """x := 0; forever: x := x + step (mod 8); error if x = error_at."""
    sketch = Sketch(4, x=bits(3))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.assign(1, 2, sketch.x, sketch.plus(sketch.x, step))
    sketch.branch(2, sketch.is_(sketch.x, error_at), 3, 1)
    return sketch.cfa()


def test_the_bound_grows_to_the_counterexample() -> None:
    found = outcome(counter(1, 6), Reading.WRAP, "off")
    assert isinstance(found, Unsafe) and len(found.trace) == 13


def test_k_induction_proves_what_unwinding_cannot() -> None:
    cfa = counter(2, 5)
    assert isinstance(outcome(cfa, Reading.WRAP, "off"), Unknown)
    assert isinstance(outcome(cfa, Reading.WRAP, "on"), Safe)
