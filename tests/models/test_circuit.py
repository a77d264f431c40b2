"""Circuits: simulation, what counts as reaching a bad state, and cones."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from argosy.models.circuit import ARBITRARY, Circuit, Stimulus
from tests.models.circuits import first_bad_steps, random_circuit

# Input x; latch a (reset 0) becomes x, latch b (arbitrary) keeps its value, latch c (reset 1) is nobody's business.
# Bad: a and b.
SMALL = Circuit(
    inputs=1,
    next=array("I", (2, 6, 9)),
    reset=bytes((0, ARBITRARY, 1)),
    gates=array("I", (4, 6)),
    bad=(10,),
    input_names=("x",),
    latch_names=("a", None, "c"),
    bad_names=("both",),
)


def stimulus(latches: tuple[int, ...], *inputs: int) -> Stimulus:
    return Stimulus(bytes(latches), tuple(bytes((value,)) for value in inputs))


def test_a_stimulus_is_simulated() -> None:
    assert SMALL.reaches(stimulus((0, 1, 1), 1, 0), 0)
    assert not SMALL.reaches(stimulus((0, 1, 1), 0, 0), 0)
    assert not SMALL.reaches(stimulus((0, 0, 1), 1, 0), 0)
    assert not SMALL.reaches(stimulus((0, 1, 1), 1), 0)


def test_a_stimulus_starts_as_the_resets_say() -> None:
    assert not SMALL.reaches(stimulus((1, 1, 1), 0), 0)
    assert not SMALL.reaches(stimulus((0, 1, 0), 1, 0), 0)
    assert not SMALL.reaches(stimulus((0, 1), 1, 0), 0)
    assert not SMALL.reaches(Stimulus(bytes((0, 1, 1)), ()), 0)


def test_constraints_hold_up_to_the_last_step() -> None:
    constrained = Circuit(SMALL.inputs, SMALL.next, SMALL.reset, SMALL.gates, SMALL.bad, (2,))
    assert not constrained.reaches(stimulus((0, 1, 1), 1, 0), 0)
    assert constrained.reaches(stimulus((0, 1, 1), 1, 1), 0)


def test_runs_side_by_side() -> None:
    values = SMALL.values((0b1100, 0b1010, 0), (0b0110,), 0b1111)
    assert values[10] == 0b1000 and values[11] == 0b0111
    assert SMALL.successor(values) == [0b0110, 0b1010, 0b1111]


def test_a_cone_has_what_matters() -> None:
    cone = SMALL.cone([0])
    assert cone.circuit.latch_names == ("a", None) and cone.circuit.input_names == ("x",)
    assert cone.circuit.bad_names == ("both",)
    assert cone.lifted(stimulus((0, 1), 1, 0)) == stimulus((0, 1, 1), 1, 0)
    assert cone.lifted_clause((4, 7)) == (4, 7)
    assert SMALL.cone([]).circuit.variables == 1


@pytest.mark.parametrize("seed", range(40))
def test_a_cone_reaches_what_the_whole_reaches(seed: int) -> None:
    circuit = random_circuit(Random(seed))
    steps = first_bad_steps(circuit)
    for index, expected in enumerate(steps):
        cone = circuit.cone([index])
        assert first_bad_steps(cone.circuit) == [expected]
        assert cone.circuit.variables <= circuit.variables
