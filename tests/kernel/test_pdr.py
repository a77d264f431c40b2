"""Property-directed reachability against the search of every state, its invariants against plain queries, its
counterexamples against simulation."""

from __future__ import annotations

import signal
from array import array
from random import Random

import pytest

from argosy.basics.budget import Budget
from argosy.kernel import _pdr
from argosy.kernel.pdr import (
    CircuitPause,
    CircuitProof,
    CircuitRefutation,
    PropertyDirectedReachability,
    decide,
)
from argosy.models.circuit import ARBITRARY, Circuit
from tests.kernel.circuit_checks import Twin, is_invariant
from tests.models.circuits import first_bad_steps, random_circuit


def check(circuit: Circuit) -> None:
    for bad, steps in enumerate(first_bad_steps(circuit)):
        answer = decide(circuit, bad)
        if steps is None:
            assert isinstance(answer, CircuitProof)
            assert is_invariant(circuit, bad, answer.invariant)
        else:
            assert isinstance(answer, CircuitRefutation)
            assert len(answer.stimulus) >= steps
            assert circuit.reaches(answer.stimulus, bad)


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_random_circuits_have_the_verdict_of_their_states(seed: int) -> None:
    for each in range(seed, seed + 10):
        check(random_circuit(Random(each)))
        check(random_circuit(Random(f"large {each}"), latches=8, inputs=2, gates=25))


@pytest.mark.parametrize("seed", range(30))
def test_the_twin_agrees(seed: int) -> None:
    circuit = random_circuit(Random(f"twin {seed}"), latches=14, inputs=6, gates=60)
    for bad in range(len(circuit.bad)):
        answer = decide(circuit, bad)
        assert isinstance(answer, CircuitProof) == Twin(circuit, bad).is_safe()
        if isinstance(answer, CircuitProof):
            assert is_invariant(circuit, bad, answer.invariant)
        else:
            assert isinstance(answer, CircuitRefutation) and circuit.reaches(answer.stimulus, bad)


def counter(width: int, step: int, bad_value: int) -> Circuit:
    """Counts up by ``step``, a power of two, modulo two to the power of ``width``."""
    latches = [2 * (1 + k) for k in range(width)]
    gates = array("I")

    def gate(left: int, right: int) -> int:
        gates.extend((left, right))
        return 2 * (width + len(gates) // 2)

    following, carry = [], 1
    for place, latch in enumerate(latches):
        if 1 << place < step:
            following.append(latch)
            continue
        both = gate(latch, carry)
        following.append(gate(gate(latch ^ 1, carry ^ 1) ^ 1, both ^ 1))
        carry = both
    bad = 1
    for place, latch in enumerate(latches):
        bad = gate(bad, latch if bad_value >> place & 1 else latch ^ 1)
    return Circuit(0, array("I", following), bytes(width), gates, (bad,))


def test_a_counter_by_two_stays_even() -> None:
    circuit = counter(24, 2, 1001)
    answer = decide(circuit, 0)
    assert isinstance(answer, CircuitProof) and is_invariant(circuit, 0, answer.invariant)


def test_a_counter_gets_where_it_counts_to() -> None:
    circuit = counter(6, 1, 45)
    answer = decide(circuit, 0)
    assert isinstance(answer, CircuitRefutation)
    assert len(answer.stimulus) == 46 and circuit.reaches(answer.stimulus, 0)


def test_latches_that_agree_are_in_the_invariant() -> None:
    """Two latches follow one input, a third its negation; a fourth never changes. Bad: they disagree, or it did."""
    circuit = Circuit(
        inputs=1,
        next=array("I", (2, 2, 3, 10)),
        reset=bytes((0, 0, 1, 0)),
        gates=array("I", (4, 7, 4, 8, 13, 15, 16, 11)),
        bad=(19,),
    )
    answer = decide(circuit, 0)
    assert isinstance(answer, CircuitProof) and is_invariant(circuit, 0, answer.invariant)
    assert not is_invariant(circuit, 0, answer.invariant[1:])


def test_an_arbitrary_reset_is_both() -> None:
    kept = Circuit(0, array("I", (2,)), bytes((ARBITRARY,)), array("I"), (2, 3))
    for bad in (0, 1):
        answer = decide(kept, bad)
        assert isinstance(answer, CircuitRefutation) and kept.reaches(answer.stimulus, bad)
    zero = Circuit(0, array("I", (2,)), bytes((0,)), array("I"), (2,))
    assert isinstance(decide(zero, 0), CircuitProof)


def test_a_constraint_holds_in_the_step_of_the_bad_state() -> None:
    """Bad is the input; the constraint is its negation, from the second step on."""
    circuit = Circuit(1, array("I", (1,)), bytes((0,)), array("I", (2, 4)), (2, 6), (7,))
    first = decide(circuit, 0)
    assert isinstance(first, CircuitRefutation) and len(first.stimulus) == 1
    assert isinstance(decide(circuit, 1), CircuitProof)


def long_way() -> Circuit:
    return counter(26, 1, 50_000_000)


def test_a_pause_goes_on() -> None:
    circuit = counter(11, 1, 2_000)
    search = PropertyDirectedReachability(circuit, 0)
    pauses = 0
    while isinstance(answer := search.run(Budget.of(0.002)), CircuitPause):
        assert answer.reason == "time"
        pauses += 1
    assert isinstance(answer, CircuitRefutation) and circuit.reaches(answer.stimulus, 0)
    assert pauses > 0


def test_memory_is_limited() -> None:
    answer = decide(long_way(), 0, Budget.of(60.0), store_bytes=100_000)
    assert isinstance(answer, CircuitPause) and answer.reason == "memory"


def test_ctrl_c_pauses_and_ticks_are_told() -> None:
    told: list[tuple[int, int]] = []

    def tick(frames: int, lemmas: int) -> None:
        told.append((frames, lemmas))
        if len(told) == 3:
            signal.raise_signal(signal.SIGINT)

    answer = decide(long_way(), 0, Budget.of(60.0), tick=tick)
    assert isinstance(answer, CircuitPause) and answer.reason == "interrupted"
    assert len(told) == 3


def test_what_is_no_circuit_is_refused() -> None:
    with pytest.raises(ValueError, match="not a circuit"):
        _pdr.Circuit(0, b"", b"", array("I", (2, 4)).tobytes(), 2, [])
    with pytest.raises(ValueError, match="not a circuit"):
        _pdr.Circuit(0, array("I", (2,)).tobytes(), b"\x03", b"", 2, [])
