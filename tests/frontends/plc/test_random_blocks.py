"""Random blocks do in the interpreter, and on the automaton, what gcc makes of their translation to C.

``ARGOSY_PLC_BLOCKS=1000`` runs a thousand of them.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from argosy.basics.position import NOWHERE
from argosy.certify.interpreter import Blocked, Interpreter
from argosy.frontends.plc.automaton import automaton
from argosy.frontends.plc.code import PlcProgram
from argosy.frontends.plc.interpreter import Simulation, read_value
from argosy.frontends.plc.types import PlcScalar, of_pattern, pattern
from argosy.logic.semantics import unsigned
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Edge, Reading
from tests.frontends.plc.random_blocks import PRELUDE, Block, Generator
from tests.frontends.plc.running import program

BLOCKS = int(os.environ.get("ARGOSY_PLC_BLOCKS", "100"))
ON_AUTOMATA = 0.5
TOGETHER = 50


def compiled(blocks: list[Block], seeds: list[int], tmp_path: Path) -> list[list[list[int]]]:
    """What each block puts out in each cycle."""
    source, binary = tmp_path / "blocks.c", tmp_path / "blocks"
    calls = "".join(f'go{seed}(); printf("end\\n"); ' for seed in seeds)
    source.write_text(PRELUDE + "".join(block.c for block in blocks) + f"int main(void) {{ {calls}return 0; }}\n")
    command = ["gcc", "-O0", "-w", "-fwrapv", "-ffp-contract=off", "-o", str(binary), str(source), "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    printed = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    runs = printed.split("end\n")[:-1]
    return [[[int(cell) for cell in line.split()] for line in run.splitlines()] for run in runs]


def interpreted(block: Block, made: PlcProgram) -> list[list[int]]:
    simulation = Simulation(made)
    found = []
    for inputs, passed in zip(block.inputs, block.passed, strict=True):
        given = {}
        for name, value in inputs.items():
            cell = simulation.cell(name)
            assert cell is not None
            given[cell] = read_value(cell, value, NOWHERE)
        result = simulation.cycle(given, passed)
        values = {cell.name: _number(cell.type, value) for cell, value in result.values.items()}
        found.append([values[name] for name in block.outputs])
    return found


def _number(type: PlcScalar, value: Any) -> int:
    """As the compiled program prints it."""
    if type.kind != "real":
        return int(value)
    if math.isnan(value):
        return -1
    return int(unsigned_to_signed(pattern(type, value)) if type.width == 64 else pattern(type, value))


def unsigned_to_signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def on_automaton(block: Block, made: PlcProgram) -> list[list[int]]:
    """The automaton is deterministic but for its inputs: from each location one edge can be taken."""
    cyclic = automaton(made, made.requirements[0], Terms())
    cfa = cyclic.cfa
    interpreter = Interpreter(cfa, Reading.UNDEFINED)
    types = {cell.name: cell.type for cell in made.cells}
    state = interpreter.start({})
    cycle = -1
    found: list[list[int]] = []

    def choose(edge: Edge, variable: Term) -> Any:
        if variable in cfa.opaque:
            return 0  # The value of what does not fit: nothing here depends on it.
        given = block.passed[cycle] if str(edge.choice) == "cycle time" else block.inputs[cycle][variable.name]
        if variable.name in types and types[variable.name].kind == "real":
            return pattern(types[variable.name], given)
        return bool(given) if variable.sort.kind == "bool" else unsigned(int(given), variable.sort.width)

    variables = {variable.name: variable.term for variable in cfa.variables}
    while len(found) < len(block.inputs):
        if state.location is cyclic.head:
            if cycle >= 0:
                row = []
                for name in block.outputs:
                    value = interpreter.value(state, variables[name]) if name in variables else 0
                    if types[name].kind == "real":
                        row.append(_number(types[name], of_pattern(types[name], value)))
                    else:
                        row.append(int(types[name].wrapped(value)) if types[name].is_word else int(value))
                found.append(row)
            cycle += 1
            if cycle == len(block.inputs):
                break
        steps = [interpreter.step(edge, state, choose) for edge in cfa.leaving[state.location]]
        [state] = [step for step in steps if not isinstance(step, Blocked)]
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_random_blocks_do_what_gcc_does(tmp_path: Path) -> None:
    for start in range(0, BLOCKS, TOGETHER):
        seeds = list(range(start, min(start + TOGETHER, BLOCKS)))
        blocks = [Generator(seed).block() for seed in seeds]
        expected = compiled(blocks, seeds, tmp_path)
        for seed, block, wanted in zip(seeds, blocks, expected, strict=True):
            # True, and about every output: what is not asked for may be left out of the automaton.
            everything = " AND ".join(f"({name} = {name} OR {name} <> {name})" for name in block.outputs)
            made = program(block.text, require=everything, cycle_time="1ms..100ms")
            assert interpreted(block, made) == wanted, f"seed {seed}"
            if seed % round(1 / ON_AUTOMATA) == 0:
                assert on_automaton(block, made) == wanted, f"seed {seed}, automaton"
