"""Discrete variables, and counterexamples that their values explain."""

from __future__ import annotations

from argosy.engine import engine
from argosy.engine.outcome import Safe
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Havoc, Reading
from argosy.refiners.discrete import discrete_constants
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch


def protocol() -> Cfa:
    """A mode that goes round 3, 5, 7 by way of a copy; the error is mode 4. A counter counts the rounds."""
    sketch = Sketch(9, mode=bits(8), following=bits(8), rounds=bits(8))
    sketch.assign(0, 1, sketch.mode, sketch.number(3, sketch.mode))
    for at, (value, after) in enumerate(((3, 5), (5, 7), (7, 3))):
        sketch.assume(1, 2 + at, sketch.is_(sketch.mode, value))
        sketch.assign(2 + at, 5, sketch.following, sketch.number(after, sketch.mode))
    sketch.assign(5, 6, sketch.rounds, sketch.plus(sketch.rounds, 1))
    sketch.assign(6, 7, sketch.mode, sketch.following)
    sketch.skip(7, 1)
    sketch.assume(1, 8, sketch.is_(sketch.mode, 4))
    return sketch.cfa()


def test_constants_travel_with_copies_and_numbers_are_no_modes() -> None:
    cfa = protocol()
    found = {v.name: sorted(c.value for c in constants) for v, constants in discrete_constants(cfa).items()}
    assert found == {"mode": [3, 4, 5, 7], "following": [3, 4, 5, 7]}


def test_a_variable_in_an_order_with_another_one_is_not_discrete() -> None:
    sketch = Sketch(3, x=bits(4), y=bits(4))
    sketch.step(0, 1, Havoc(sketch.x))
    sketch.assume(1, 2, sketch.terms.bit("bvult", sketch.x, sketch.y))
    assert discrete_constants(sketch.cfa()) == {}


def run(values: str) -> tuple[Safe, int]:
    cfa = protocol()
    solvers = Solvers(cfa.terms, Counters())
    chosen = configure("lbe", {"values": values, "relations": "off"})
    refinements = 0

    class Counting:
        def expanded(self, node: object, reached: object) -> None:
            pass

        def refined(self, reached: object, precision: object) -> None:
            nonlocal refinements
            refinements += 1

    outcome = engine.check(chosen.build(Setting(cfa, solvers, Reading.WRAP, "bits")), Counting())
    assert isinstance(outcome, Safe)
    return outcome, refinements


def test_values_of_the_mode_are_tracked_as_they_are_needed() -> None:
    outcome, refinements = run("on")
    assert refinements <= 3
    (tracked,) = {
        outcome.precision.at(node.state.location) for node in outcome.reached if node.state.is_abstraction
    } - {()}
    assert all(p.op == "=" for p in tracked)
    assert {v.name for p in tracked for v in variables(p)} == {"mode"}
