"""The interpreter against the traces that come with benchmarks, where those are on the machine.

Some traces contradict the text of their program. ``CONTRADICTIONS`` says which, and why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import NOWHERE
from argosy.frontends.plc.format import program_of
from argosy.frontends.plc.interpreter import Simulation, read_value
from argosy.frontends.registry import Request

MODELS = Path(__file__).resolve().parents[4] / "shared" / "bench" / "models" / "plc"
BLOCKS = sorted((MODELS / "agents4plc").glob("*.st"))
EVERY = sorted(MODELS.rglob("*.st"))

pytestmark = pytest.mark.skipif(not BLOCKS, reason="the benchmarks are not on this machine")

# The variable that a number as "initial_state" means; inputs that have another name in the text.
STATES = {"221_BottleProcessing": "State", "222_MaterialMixing": "autoStep"}
RENAMED = {"enter": "enter_flag", "exit": "exit_flag"}

# By program and number of the trace.
CONTRADICTIONS = {
    ("220_FloatingAverage", 3): "windowSizeReached is FALSE again after the wrap-around, and the average one of fewer",
    ("220_FloatingAverage", 4): "a rising edge is needed for each value: trigger stays TRUE for three cycles",
    (
        "222_MaterialMixing",
        1,
    ): "a falling edge does not toggle the valve (the note of the trace says that it is guessed)",
    ("222_MaterialMixing", 4): "a cycle passes between the start and the first valve, and between the last two steps",
    ("222_MaterialMixing", 5): "a cycle passes between the start and the first valve, and between the last two steps",
    ("224_TruckGarage", 2): "truck keeps its value while nothing leaves the garage",
    ("224_TruckGarage", 3): "EXIT leaves the inner loop only: one vehicle is put into a place of every row",
    ("238_TrafficLightControl", 2): "the lights start FALSE: the trace wants one that a state before would have set",
}


def flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case dict():
            for key, inner in value.items():
                yield from flat(f"{name}.{key}", inner)
        case list():
            for number, inner in enumerate(value, 1):
                yield from flat(f"{name}[{number}]", inner)
        case _:
            yield name, value


def traces() -> Iterator[tuple[Path, int]]:
    for path in BLOCKS:
        count = len(json.loads(path.with_suffix(".json").read_text())["test_cases"])
        yield from ((path, number) for number in range(count))


def differences(path: Path, number: int) -> list[str]:
    trace = json.loads(path.with_suffix(".json").read_text())["test_cases"][number]
    program, _ = program_of(Request(str(path)))
    simulation = Simulation(program)

    def values(name: str, given: Any) -> Iterator[tuple[Any, Any]]:
        for each, value in flat(RENAMED.get(name, name), given):
            cell = simulation.cell(each)
            assert cell is not None, each
            yield cell, read_value(cell, value, NOWHERE)

    for key in ("initial_state", "initial_outputs"):
        given = trace.get(key) or {}
        given = given if isinstance(given, dict) else {STATES[path.stem]: given}
        for name, value in given.items():
            simulation.values.update(values(name, value))
    found = []
    for cycle in range(trace["simulation_rounds"]):
        inputs = dict(pair for name, row in trace["input_trace"].items() for pair in values(name, row[cycle]))
        result = simulation.cycle(inputs)
        for name, row in trace["expected_output_trace"].items():
            for cell, wanted in values(name, row[cycle]):
                got = result.values[cell]
                if got != (pytest.approx(wanted, abs=1e-3) if isinstance(wanted, float) else wanted):
                    found.append(f"cycle {cycle + 1}: {cell.name} is {got}, not {wanted}")
    return found


@pytest.mark.parametrize(("path", "number"), list(traces()), ids=lambda each: getattr(each, "stem", str(each)))
def test_traces(path: Path, number: int) -> None:
    found = differences(path, number)
    if (path.stem, number) in CONTRADICTIONS:
        assert found, "the trace does not contradict the program any more"
    else:
        assert not found


# Programs that are wrong, or use what is not modelled: what is said of each.
REFUSED = {
    "invalidCode.st": "expected ':=' or a call",
    "runtimeTest.structTest.st": "-70000 is not a value of INT",
    "Code_5.st": "no type is called Crane5_states_t",
    "PPU_13.st": "TIME cannot be given to INT: write TIME_TO_INT",
    "lr.st": "TIME cannot be given to INT: write TIME_TO_INT",
    "lr.new2.st": "TIME cannot be given to INT: write TIME_TO_INT",
    "simple_hierarchy.st": "a class",
    "effective_subtypes.st": "references",
    "reference_in_guard.st": "references",
}


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_every_program_is_read_or_refused_with_a_reason(path: Path) -> None:
    try:
        program_of(Request(str(path)))
    except (InputError, UnsupportedError) as error:
        assert REFUSED[path.name] in str(error)
        assert error.position.line > 0
    else:
        assert path.name not in REFUSED
