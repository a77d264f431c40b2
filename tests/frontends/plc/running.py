"""Runs small programs of controllers, cycle by cycle, through the interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.position import NOWHERE
from argosy.frontends.plc.code import PlcProgram
from argosy.frontends.plc.format import program_of
from argosy.frontends.plc.interpreter import Simulation, read_value
from argosy.frontends.registry import Request


def program(text: str, path: str = "p.st", **options: str) -> PlcProgram:
    return program_of(Request(path, {key.replace("_", "-"): value for key, value in options.items()}, text))[0]


def run(
    text: str, cycles: Sequence[Mapping[str, Any]] = ({},), path: str = "p.st", **options: str
) -> list[dict[str, Any]]:
    """What all variables are at the end of each cycle. ``passed`` is the time of a cycle in milliseconds."""
    simulation = Simulation(program(text, path, **options))
    found = []
    for inputs in cycles:
        given = {}
        for name, value in inputs.items():
            if name == "passed":
                continue
            cell = simulation.cell(name)
            assert cell is not None, name
            given[cell] = read_value(cell, value, NOWHERE)
        result = simulation.cycle(given, inputs.get("passed"))
        found.append({cell.name: value for cell, value in result.values.items()})
    return found


def body(statements: str, variables: str = "", **options: str) -> dict[str, Any]:
    """The variables after one cycle of a program with this body."""
    text = f"PROGRAM p\nVAR\n{variables}\nEND_VAR\n{statements}\nEND_PROGRAM\n"
    return run(text, ({},), "p.st", **options)[0]
