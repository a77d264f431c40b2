"""A controller's program, cycle by cycle, for the workbench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.plc.code import PlcProgram
from argosy.frontends.plc.interpreter import Halted, Simulation, any_value, read_value
from argosy.frontends.plc.types import Cell
from argosy.logic.semantics import Value
from argosy.models.cyclic import Column
from argosy.report.controller_cycles import SECTIONS, cycles_waveform, table_text
from argosy.report.controller_page import cycles_page
from argosy.report.exporters import File
from argosy.report.result import Result
from argosy.session.simulated import SIMULATED
from argosy.ui.simulator import Row

HERE = Position("input", 0)


class ControllerSimulator:
    """``choices`` are ``{"inputs": {name: text}, "passed": text}``; an input that is not given keeps its value."""

    def __init__(self, program: PlcProgram, path: str) -> None:
        self._program = program
        self._path = path
        self._simulation = Simulation(program)
        self._shown = [cell for section in SECTIONS for cell in program.cells if cell.section == section]
        self._before: list[tuple[dict[Cell, Value], int]] = []
        self._elapsed = 0
        self.choices: list[Row] = []
        self.rows: list[Row] = []

    def about(self) -> Row:
        low, high = self._program.times
        clock = self._program.cycle_time
        return {
            "kind": "cycles",
            "inputs": [self._input(cell) for cell in self._program.inputs],
            "passed": [clock.type.shown(low), clock.type.shown(high)],
            "sections": {title: self._names(section) for section, title in SECTIONS.items()},
            "requirements": [{"name": each.name, "text": each.text} for each in self._program.requirements],
        }

    def _names(self, section: str) -> list[str]:
        return [cell.name for cell in self._shown if cell.section == section]

    def _input(self, cell: Cell) -> Row:
        values = ["FALSE", "TRUE"] if cell.type.kind == "bool" else [name for name, _ in cell.type.names]
        return {"name": cell.name, "type": cell.type.name, "values": values, "first": cell.type.shown(cell.initial)}

    def now(self) -> Row:
        values = self._simulation.values
        return {"inputs": {cell.name: cell.type.shown(values[cell]) for cell in self._program.inputs}}

    def do(self, choice: Any) -> None:
        """Raises ValueError, in words."""
        sampled = {cell.name.upper(): cell for cell in self._program.inputs}
        try:
            given = {
                sampled[name.upper()]: read_value(sampled[name.upper()], t, HERE)
                for name, t in choice["inputs"].items()
            }
            text = choice.get("passed")
            passed = None if text is None else int(read_value(self._program.cycle_time, text, HERE))
        except InputError as error:
            raise ValueError(error.what) from None
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no such input: {error}") from None
        if passed is not None and passed < 0:
            raise ValueError("time does not go back")
        self._cycle(given, passed)

    def _cycle(self, given: Mapping[Cell, Value], passed: int | None) -> None:
        before = dict(self._simulation.values), self._elapsed
        try:
            result = self._simulation.cycle(given, passed)
        except Halted as halted:
            self._simulation.values = before[0]
            raise ValueError(f"the controller stops: {halted}") from None
        values = result.values
        clock = self._program.cycle_time
        self._elapsed += values[clock] if self.rows else 0
        shown = {cell.name: cell.type.shown(given.get(cell, values[cell])) for cell in self._shown}
        known = {**self.rows[-1]["inputs"], **self.rows[-1]["outputs"], **self.rows[-1]["memory"]} if self.rows else {}
        row: Row = {"cycle": len(self.rows) + 1, "time": clock.type.shown(self._elapsed)}
        for section, title in SECTIONS.items():
            row[title] = {name: shown[name] for name in self._names(section)}
        row["changed"] = [name for name, value in shown.items() if known.get(name) != value]
        row["passed"] = clock.type.shown(values[clock])
        row["violated"] = [
            f"{each.name}: {each.text}"
            for each in self._program.requirements
            if each.number in result.violated and not each.reach
        ]
        self._before.append(before)
        self.rows.append(row)
        inputs = {cell.name: shown[cell.name] for cell in self._program.inputs if cell.name in shown}
        self.choices.append({"inputs": inputs, "passed": row["passed"]})

    def back(self) -> None:
        if self.rows:
            self._simulation.values, self._elapsed = self._before.pop()
            self.rows.pop()
            self.choices.pop()

    def draw(self, chance: Random) -> bool:
        given = {cell: any_value(cell, chance) for cell in self._program.inputs}
        self._cycle(given, chance.randint(*self._program.times))
        return True

    def load(self, answer: Mapping[str, Any]) -> None:
        for cycle in answer.get("cycles") or ():
            self.do({"inputs": cycle["inputs"], "passed": cycle["passed"]})

    def export(self) -> Iterator[File]:
        if not self.rows:
            return
        violated = [text for row in self.rows for text in row["violated"]]
        said = f"violated: {violated[0]}" if violated else None
        answer = {
            "text": "simulation",
            "line": 0,
            "satisfied": None,
            "verdict": "unknown",
            "words": said,
            "reason": SIMULATED,
            "certificate": None,
            "cycles": self.rows,
        }
        result = Result.unknown(SIMULATED, input=self._path, format="plc", answers=[answer])
        yield "report.html", cycles_page(result)
        yield "cycles.csv", table_text(self.rows)
        columns = [Column(cell.name, cell.section, cell.name, cell.type.shown) for cell in self._shown]
        yield "cycles.vcd", cycles_waveform(columns, self.rows)
