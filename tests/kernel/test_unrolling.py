"""Bounded model checking and k-induction of circuits against the search of every state."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from argosy.basics.budget import Budget
from argosy.kernel.pdr import CircuitPause, CircuitRefutation
from argosy.kernel.unrolling import DEPTH, BoundedModelChecking, CircuitInduction, KInduction
from argosy.models.circuit import Circuit
from tests.kernel.circuit_checks import is_invariant
from tests.kernel.test_pdr import counter
from tests.models.circuits import first_bad_steps, random_circuit


@pytest.mark.parametrize("seed", range(0, 100, 10))
def test_random_circuits(seed: int) -> None:
    for each in range(seed, seed + 10):
        circuit = random_circuit(Random(f"unrolled {each}"), latches=6)
        for bad, steps in enumerate(first_bad_steps(circuit)):
            search = BoundedModelChecking(circuit, bad)
            induction = KInduction(circuit, bad, simple_path=True).run()
            if steps is None:
                answer = search.run(most=10)
                assert isinstance(answer, CircuitPause) and answer.reason == DEPTH and search.depth == 10
                # Different states are not more than there are: it ends.
                assert isinstance(induction, CircuitInduction)
                assert all(is_invariant_alone(circuit, clause, induction.facts) for clause in induction.facts)
            else:
                for found in (search.run(), induction):
                    assert isinstance(found, CircuitRefutation)
                    assert len(found.stimulus) == steps and circuit.reaches(found.stimulus, bad)
            plain = KInduction(circuit, bad).run(most=8)
            if isinstance(plain, CircuitInduction):
                assert steps is None
            if isinstance(plain, CircuitRefutation):
                assert steps is not None


def is_invariant_alone(circuit: Circuit, clause: tuple[int, ...], facts: tuple[tuple[int, ...], ...]) -> bool:
    """That this clause is kept by those, as if it were what is bad that it does not hold."""
    nothing = Circuit(circuit.inputs, circuit.next, circuit.reset, circuit.gates, (0,), circuit.constraints)
    return clause in facts and is_invariant(nothing, 0, facts)


def test_steps_are_counted() -> None:
    circuit = counter(8, 1, 100)
    search = BoundedModelChecking(circuit, 0)
    answer = search.run(most=100)
    assert isinstance(answer, CircuitPause) and answer.reason == DEPTH and search.depth == 100
    answer = search.run()
    assert isinstance(answer, CircuitRefutation) and len(answer.stimulus) == 101


def test_a_longer_past_is_needed() -> None:
    """Two latches that change in every step, from different values: before they are both true, they were both false,
    and before that both true."""
    circuit = Circuit(0, array("I", (3, 5)), bytes((0, 1)), array("I", (2, 4)), (6,))
    for simple_path in (False, True):
        answer = KInduction(circuit, 0, simple_path=simple_path).run()
        assert isinstance(answer, CircuitInduction) and answer.k == 2 and not answer.facts
    assert isinstance(KInduction(circuit, 0).run(most=1), CircuitPause)


def test_a_latch_that_never_changes_is_a_fact() -> None:
    answer = KInduction(counter(3, 2, 7), 0).run()
    assert isinstance(answer, CircuitInduction) and answer.k == 0 and answer.facts == ((3,),)


def test_time_is_limited() -> None:
    search = BoundedModelChecking(counter(30, 1, 1_000_000_000), 0)
    answer = search.run(Budget.of(0.05))
    assert isinstance(answer, CircuitPause) and answer.reason == "time"
    before = search.depth
    assert isinstance(search.run(Budget.of(0.05)), CircuitPause)
    assert search.depth > before
    memory = BoundedModelChecking(counter(30, 1, 1_000_000_000), 0).run(Budget.of(60.0), store_bytes=100_000)
    assert isinstance(memory, CircuitPause) and memory.reason == "memory"
