"""``argosy simulate``: a given trace of inputs through a controller's program, and what comes out in each cycle.

The trace is a table of comma-separated values: a column for each input, a row for each cycle. An empty cell, or an
input without a column, keeps its value. ``passed`` is the time since the cycle before. Other columns are expected
values: where one differs, that is said. ``--random`` chooses what no column gives. What ``verify --csv`` writes can be
replayed as it is. Networks of timed automata are run by ``simulate_network``.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.errors import InputError, UsageError
from argosy.basics.files import write_text
from argosy.basics.position import Position
from argosy.cli.ending import complain, paint, reporting
from argosy.frontends.files import read_text
from argosy.frontends.plc.code import PlcProgram
from argosy.frontends.plc.format import program_of
from argosy.frontends.plc.interpreter import Halted, Simulation, any_value, read_value
from argosy.frontends.plc.types import Cell, Value
from argosy.frontends.registry import OPTIONS, Request, check_options, recognise
from argosy.report.console import table

CHOICES = ("entry", "cycle-time", "dialect", "require", "requirements")
DIFFERS = 10
STOPPED = 5
_OWN = ("cycle", "passed", "time")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", help="a program of a controller, or a network of timed automata")
    parser.add_argument("--inputs", metavar="TRACE.csv", help="inputs: a column for each, a row for each cycle")
    parser.add_argument(
        "--random", action="store_true", help="inputs that the trace does not give, or the run of a network"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the seed of what is random (0)")
    parser.add_argument("--cycles", metavar="N", type=int, help="how many cycles (as many as the trace has, else 1)")
    parser.add_argument("--steps", metavar="N", type=int, help="of a network: how many actions at random (20)")
    parser.add_argument("--choices", metavar="LIST", help="of a network: what would be typed, as in '1, 2 3/2, w 4'")
    parser.add_argument("--report", metavar="FILE.html", help="of a network: a page with the run")
    parser.add_argument("--witness", metavar="FILE.xml", help="of a network: the run as XML")
    parser.add_argument("--json", metavar="FILE", help="of a network: the run as JSON")
    parser.add_argument("--all", action="store_true", help="show memory too, and of a network the clocks")
    parser.add_argument("--csv", metavar="FILE", help="write what is shown as comma-separated values")
    for option in map(OPTIONS.__getitem__, CHOICES):
        often: dict[str, Any] = {"action": "append"} if option.repeats else {}
        parser.add_argument(f"--{option.name}", metavar=option.metavar, help=option.advice, **often)


def run(options: argparse.Namespace, started: float) -> int:
    return reporting(lambda: _simulate(options))


def _simulate(options: argparse.Namespace) -> int:
    chosen: dict[str, str] = {}
    for name in CHOICES:
        value = getattr(options, name.replace("-", "_"))
        if value is not None:
            chosen[name] = "\n".join(value) if isinstance(value, list) else value
    format = recognise(options.input)
    if format.kind == "network":
        from argosy.cli.simulate_network import simulate_network

        if chosen:
            raise UsageError(f"--{next(iter(chosen))} is for programs of controllers")
        return simulate_network(options)
    if format.name != "plc":
        what = f"simulate runs programs of controllers and networks; {options.input} is read as {format.title}"
        raise UsageError(what)
    for name in ("steps", "choices", "report", "witness", "json"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} of simulate is for networks")
    check_options(options.input, format, chosen)
    program, _ = program_of(Request(options.input, chosen))
    rows = read_trace(program, options.inputs) if options.inputs is not None else []
    count = options.cycles if options.cycles is not None else len(rows) or 1
    if not 0 < count <= 1_000_000:
        raise UsageError("--cycles is a number from 1 to 1000000")
    return _show(program, rows, count, options)


def _show(
    program: PlcProgram, rows: Sequence[Mapping[str, tuple[str, Position]]], count: int, options: argparse.Namespace
) -> int:
    sections = ("input", "output", "memory") if options.all else ("input", "output")
    shown = [cell for section in sections for cell in program.cells if cell.section == section]
    lines: list[list[str]] = []
    remarks: list[str] = []
    differs = False
    simulation = Simulation(program)
    chance = random.Random(options.seed) if options.random else None
    code = 0
    for number in range(count):
        row = rows[number] if number < len(rows) else {}
        inputs, expected, passed = _split(program, simulation, row)
        if chance is not None:
            inputs = {cell: inputs[cell] if cell in inputs else any_value(cell, chance) for cell in program.inputs}
            passed = chance.randint(*program.times) if passed is None else passed
        try:
            result = simulation.cycle(inputs, passed)
        except Halted as halted:
            remarks.append(f"cycle {number + 1}: the controller stops: {halted}")
            code = STOPPED
            break
        lines.append([str(number + 1), *(cell.type.shown(inputs.get(cell, result.values[cell])) for cell in shown)])
        for cell, value in expected.items():
            if not _same(result.values[cell], value):
                is_, wanted = cell.type.shown(result.values[cell]), cell.type.shown(value)
                remarks.append(f"cycle {number + 1}: {cell.name} is {is_}, expected {wanted}")
                differs = True
        for each in program.requirements:
            if each.number in result.violated and not each.reach:
                remarks.append(f"cycle {number + 1}: {each.name} is violated: {each.text}")
    titles = ["cycle", *(cell.name for cell in shown)]
    for line in table(titles, lines, paint(), 1):
        print(line)
    for remark in remarks:
        print(remark)
    if options.csv is not None:
        write_text(options.csv, "".join(",".join(map(_quoted, each)) + "\n" for each in (titles, *lines)), "--csv")
    if code:
        complain(remarks[-1])
    return code or (DIFFERS if differs else 0)


def _quoted(text: str) -> str:
    return f'"{text}"' if "," in text else text


def _same(value: Value, expected: Value) -> bool:
    if isinstance(value, float):
        return bool(value == expected or abs(value - expected) <= 1e-6 * max(abs(value), abs(expected)))
    return bool(value == expected)


def _split(
    program: PlcProgram, simulation: Simulation, row: Mapping[str, tuple[str, Position]]
) -> tuple[dict[Cell, Value], dict[Cell, Value], int | None]:
    inputs: dict[Cell, Value] = {}
    expected: dict[Cell, Value] = {}
    passed = None
    sampled = set(program.inputs)
    for name, (text, position) in row.items():
        if name.lower() == "passed":
            passed = int(read_value(program.cycle_time, text, position))
            if passed < 0:
                raise InputError(position, f"a cycle that takes {text}")
        if name.lower() in _OWN:
            continue
        cell = simulation.cell(name)
        if cell is None or cell.section == "hidden":
            raise InputError(position, f"the program has no variable {name}")
        (inputs if cell in sampled else expected)[cell] = read_value(cell, text, position)
    return inputs, expected, passed


def read_trace(program: PlcProgram, path: str) -> list[dict[str, tuple[str, Position]]]:
    """The cells of each row by the names of their columns; empty ones are left out."""
    try:
        lines = list(csv.reader(read_text(path).splitlines()))
    except csv.Error as error:
        raise InputError(Position(path, 1, 1), f"no comma-separated values: {error}") from None
    if not lines or not lines[0]:
        raise InputError(Position(path, 1, 1), "the first line has no names of columns")
    titles = [title.strip() for title in lines[0]]
    if len({title.upper() for title in titles}) < len(titles):
        raise InputError(Position(path, 1, 1), "two columns have the same name")
    rows = []
    for number, cells in enumerate(lines[1:], 2):
        if not cells:
            continue
        if len(cells) > len(titles):
            raise InputError(Position(path, number, 1), f"{len(cells)} cells for {len(titles)} columns")
        named = zip(titles, cells, strict=False)
        rows.append({t: (c.strip(), Position(path, number, i)) for i, (t, c) in enumerate(named, 1) if c.strip()})
    return rows
