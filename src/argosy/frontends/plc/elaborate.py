"""From a tree to typed code: which unit runs, what its variables are, what a cycle does.

The unit that runs is a program, or a function block or function as if a program with one instance called it in every
cycle. Its inputs are whatever the process gives: they are sampled at the beginning of a cycle, and arbitrary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.plc.addresses import located
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcGoTo,
    PlcInstruction,
    PlcLoad,
    PlcProgram,
    PlcRequirement,
    PlcSkip,
    PlcStore,
)
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.frames import PlcFrame
from argosy.frontends.plc.requirements import Monitors, RequirementPattern, longest
from argosy.frontends.plc.scopes import PlcScopes
from argosy.frontends.plc.statements import StatementCode
from argosy.frontends.plc.syntax import PlcArrayType, PlcDeclaration, PlcNamedType, PlcSource, PlcType, PlcUnit
from argosy.frontends.plc.types import Cell, PlcStorage, RecordStorage, cells_of
from argosy.frontends.plc.written import written_names

CYCLE_TIME = "(cycle time)"


def elaborate(
    source: PlcSource,
    text: str,
    dialect: PlcDialect,
    entry: str = "",
    times: tuple[int, int] = (0, 0),
    patterns: Sequence[RequirementPattern] = (),
) -> PlcProgram:
    """The program that runs, with what is required of it. ``times`` is the range of a cycle in nanoseconds."""
    return PlcElaboration(source, text.split("\n"), dialect).program(entry, times, patterns)


def entry_of(source: PlcSource, entry: str) -> PlcUnit:
    """The unit that runs: the one that was named, the program, or the block that no other unit uses."""
    if entry:
        for unit in source.units:
            if unit.key == entry.upper():
                return unit
        names = ", ".join(unit.name for unit in source.units)
        raise InputError(Position(source.path, 0), f"no unit is called {entry}; there are {names}")
    if len(source.programs) > 1:
        raise UnsupportedError(source.programs[1][2], "several programs that run side by side")
    if source.programs:
        return entry_of(source, source.programs[0][1])
    for kind in ("PROGRAM", "FUNCTION_BLOCK", "FUNCTION"):
        found = [unit for unit in source.units if unit.kind == kind]
        if len(found) > 1:
            used = {name for unit in source.units for each in unit.declarations for name in _type_names(each.type)}
            found = [unit for unit in found if unit.key not in used] or found
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(unit.name for unit in found)
            raise InputError(Position(source.path, 0), f"which of {names} runs? Say it with --entry")
    for what, position in source.refused.values():
        raise UnsupportedError(position, what)
    raise InputError(Position(source.path, 0), "there is no program, function block or function in this file")


def _type_names(type: PlcType) -> list[str]:
    match type:
        case PlcNamedType():
            return [type.name.upper()]
        case PlcArrayType():
            return _type_names(type.element)
    return []


class PlcElaboration(StatementCode):
    """One program on its way."""

    def __init__(self, source: PlcSource, lines: Sequence[str], dialect: PlcDialect) -> None:
        super().__init__(lines)
        self.source = source
        self.scopes = PlcScopes(source, dialect, self.constant)
        self.instances: dict[str, RecordStorage] = {}

    def program(self, entry: str, times: tuple[int, int], patterns: Sequence[RequirementPattern]) -> PlcProgram:
        unit = entry_of(self.source, entry)
        for other in self.source.units:
            if other.kind == "PROGRAM" and other is not unit:
                self.scopes.note(f"{unit.name} is the only task: the program {other.name} does not run")
        self._globals()
        frame = self._entry_frame(unit)
        self._freeze()
        self._active.append(unit.key)
        start = unit.position
        self._begin(unit, frame)
        self.run(unit, frame)
        body = self._resolved()
        self._note_loops(body)
        clock = self.scopes.elementary["TIME"]
        low, high = (self.duration(each, "TIME", start).value for each in times)
        if high > longest(clock):
            raise InputError(Position("--cycle-time", 0), "a cycle that takes so long")
        passed = self.scopes.cell(CYCLE_TIME, clock, "hidden", start, low)
        timers = self._timers(passed)
        requirements = self._requirements(patterns, frame, passed)
        inputs = tuple(cell for cell in self.scopes.cells if cell.section == "input")
        return PlcProgram(
            unit.name,
            self.source.path,
            start,
            tuple(self.scopes.cells),
            inputs,
            passed,
            (low, high),
            timers,
            body,
            requirements,
            tuple(self._notes(timers, times)),
        )

    def _note_loops(self, body: Sequence[PlcInstruction]) -> None:
        lines = {
            each.position.line
            for index, each in enumerate(body)
            if isinstance(each, PlcSkip | PlcGoTo) and each.target <= index
        }
        if lines:
            places = ", ".join(map(str, sorted(lines)))
            self.scopes.note(
                f"{places}: where a loop does not end, neither does its cycle, and nothing is required of it"
            )

    def _notes(self, timers: tuple[PlcInstruction, ...], times: tuple[int, int]) -> list[str]:
        from argosy.frontends.plc.types import duration_text

        low, high = (duration_text(each)[2:] for each in times)
        range = low if low == high else f"{low} to {high}"
        found = ["inputs are sampled at the beginning of a cycle and are arbitrary; outputs are seen at its end"]
        if timers:
            found.append(f"each cycle takes {range} (--cycle-time); timers follow it exactly")
        return [*found, *self.scopes.notes]

    # ---- variables ----------------------------------------------------------------------------------------

    def _globals(self) -> None:
        everywhere = self.scopes.everywhere
        for each in self.source.globals:
            key = each.name.upper()
            if key in everywhere.names:
                raise InputError(each.position, f"{each.name} is declared twice")
            if "CONSTANT" in each.qualifiers and isinstance(each.type, PlcNamedType):
                scalar = self.scopes.scalar(each.type)
                value = self.constant(each.initial, everywhere, scalar).value if each.initial else scalar.default
                everywhere.names[key] = PlcConstant(value, scalar)
            else:
                everywhere.names[key] = self._variable(each, _section(each, "memory"), everywhere)

    def _variable(self, declared: PlcDeclaration, section: str, frame: PlcFrame) -> PlcStorage:
        if declared.qualifiers & {"RETAIN", "PERSISTENT"}:
            self.scopes.note("retained variables start with their initial values: a cold start")
        made = self.scopes.allocate(declared.type, declared.name, section, declared.position, declared.initial, frame)
        if declared.address and "*" not in declared.address:
            self.put(located(declared.address, declared.position), made, declared.position)
        return made

    def _entry_frame(self, unit: PlcUnit) -> PlcFrame:
        frame = PlcFrame(unit)
        self.scopes.constants(unit, frame)
        kept = self.scopes.kept(unit)
        for each in unit.declarations:
            key = each.name.upper()
            if key in frame.names and not isinstance(frame.names[key], PlcConstant):
                raise InputError(each.position, f"{each.name} is declared twice")
            if each in kept:
                default = {"VAR_INPUT": "input", "VAR_OUTPUT": "output"}.get(each.section, "memory")
                frame.names[key] = self._variable(each, _section(each, default), frame)
            elif each.section == "VAR_IN_OUT":
                self.scopes.note(f"{each.name} (VAR_IN_OUT) belongs to a caller: arbitrary at the beginning of a cycle")
                frame.names[key] = self._variable(each, "input", frame)
            elif each.section == "VAR_TEMP":
                frame.names[key] = self._variable(each, "memory", frame)
        if unit.result is not None:
            frame.names["(RESULT)"] = self.scopes.allocate(unit.result, unit.name, "output", unit.position, None, frame)
        return frame

    def _freeze(self) -> None:
        """Variables that no statement can write have their initial values wherever a constant is needed."""
        written = {name for unit in self.scopes.units.values() for name in written_names(unit.body)}
        written |= {
            each.name.upper()
            for unit in self.scopes.units.values()
            for each in unit.declarations
            if each.section in ("VAR_INPUT", "VAR_OUTPUT", "VAR_IN_OUT")
        }
        placed = {cell for storage in self.addresses.values() for cell in cells_of(storage)}
        for cell in self.scopes.cells:
            if cell in placed:
                continue
            name = re.sub(r"\[[^]]*\]", "", cell.name).upper()
            if cell.section == "memory" and written.isdisjoint(name.split(".")):
                self.frozen[cell] = cell.initial

    # ---- code ---------------------------------------------------------------------------------------------

    def _begin(self, unit: PlcUnit, frame: PlcFrame) -> None:
        """What does not last from cycle to cycle starts anew."""
        for each in unit.declarations:
            fresh = each.section == "VAR_TEMP" or (
                unit.kind == "FUNCTION" and each.section in ("VAR", "VAR_OUTPUT") and each in self.scopes.kept(unit)
            )
            found = frame.names.get(each.name.upper())
            if fresh and isinstance(found, Cell | RecordStorage):
                for cell in cells_of(found):
                    self.emit(PlcStore(cell, PlcConstant(cell.initial, cell.type), each.position))
        result = frame.names.get("(RESULT)")
        if isinstance(result, Cell):
            self.emit(PlcStore(result, PlcConstant(result.initial, result.type), unit.position))

    def _resolved(self) -> tuple[PlcInstruction, ...]:
        """The instructions so far, with indices for labels; the next piece of code starts empty."""
        found = []
        for each in self.code:
            if isinstance(each, PlcSkip | PlcGoTo):
                each = replace(each, target=self.marks[each.target])
            found.append(each)
        self.code.clear()
        return tuple(found)

    def _timers(self, passed: Cell) -> tuple[PlcInstruction, ...]:
        """Time passes for the timers that run; it does not go beyond the largest that there is."""
        for timer in self.scopes.timers:
            running, elapsed = timer.fields["RUNNING"], timer.fields["ELAPSED"]
            assert isinstance(running, Cell) and isinstance(elapsed, Cell)
            at = elapsed.position
            after = self.label()
            self.skip(PlcLoad(running), after, at, "")
            step = PlcLoad(passed)
            added = self.convert_time(step, elapsed)
            most = PlcConstant(elapsed.type.range[1], elapsed.type)
            room = self.operate("sub", most, added, type=elapsed.type, at=at)
            full = self.truth("lt", room, PlcLoad(elapsed), at=at)
            total = self.operate("add", PlcLoad(elapsed), added, type=elapsed.type, at=at)
            value = self.operate("if", full, most, total, type=elapsed.type, at=at)
            self.emit(PlcStore(elapsed, value, at))
            self.mark(after)
        return self._resolved()

    def convert_time(self, value: PlcLoad, target: Cell) -> PlcLoad:
        if target.type.width != value.type.width:
            wide = self.operate("convert", value, type=target.type, at=target.position)
            factor = PlcConstant(1_000_000, target.type)
            return self.operate("mul", wide, factor, type=target.type, at=target.position)  # type: ignore[return-value]
        return value

    def _requirements(
        self, patterns: Sequence[RequirementPattern], frame: PlcFrame, passed: Cell
    ) -> tuple[PlcRequirement, ...]:
        found = [
            PlcRequirement(number, each.name or f"assertion {number + 1}", each.text, each.position)
            for number, each in enumerate(self.assertions)
        ]
        maker = Monitors(self, frame, passed, self._resolved)
        for pattern in patterns:
            found.append(maker.requirement(len(found), pattern))
        return tuple(found)


def _section(declared: PlcDeclaration, default: str) -> str:
    """What an address says about a variable, where it has one."""
    if "HIDDEN" in declared.qualifiers:
        return "hidden"
    area = declared.address.upper().lstrip("%")[:1]
    return {"I": "input", "Q": "output", "M": "memory"}.get(area, default)
