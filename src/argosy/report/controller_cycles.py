"""A counterexample of a controller as its engineers read it: a table of cycles, as rows of JSON, text, CSV and VCD.

A cycle begins where inputs are sampled and ends where outputs are seen. Law: the values are those of the replayed
execution, nothing is computed again but the time that has passed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.backends.contract import Execution
from argosy.models.cyclic import Column, CyclicProgram
from argosy.models.sources import SourceKind
from argosy.report.cycles import numbered
from argosy.report.exporters import Decided, File
from argosy.report.value_changes import Signal, waveform, word

CycleEntry = dict[str, Any]

SECTIONS = {"input": "inputs", "output": "outputs", "memory": "memory"}


def controller_cycles(program: CyclicProgram, evidence: Execution) -> list[CycleEntry]:
    """The cycles of an execution: what was sampled, and what all variables are at the end."""
    found: list[CycleEntry] = []
    values: dict[str, Any] = dict(evidence.replayed.initial)
    sampled: dict[str, Any] = {}
    known: dict[str, str] = {}
    columns = {column.variable: column for column in program.columns}
    clock = program.cycle_time
    elapsed = 0
    for step in evidence.replayed.steps:
        edge = step.edge
        if edge.source is program.head:
            sampled = {}
        values.update(step.values)
        if edge.choice is not None and edge.choice.kind is SourceKind.INPUT:
            sampled.update(step.values)
        if edge.target is not program.head and edge.target is not evidence.cfa.error:
            continue
        if edge.target is program.head and not edge.text:
            # The end of the initialisation.
            known = {c.name: c.shown(values.get(name, 0)) for name, c in columns.items() if c.section != "input"}
            continue
        passed = values.get(clock.variable, clock.initial) if clock is not None else 0
        elapsed += passed if found else 0
        shown = {column.name: column.shown(sampled.get(name, values.get(name, 0))) for name, column in columns.items()}
        entry: CycleEntry = {"cycle": len(found) + 1, "time": clock.shown(elapsed) if clock is not None else ""}
        for section, title in SECTIONS.items():
            entry[title] = {c.name: shown[c.name] for c in program.columns if c.section == section}
        entry["changed"] = [name for name, value in shown.items() if known.get(name) != value]
        entry["passed"] = clock.shown(passed) if clock is not None else ""
        known = shown
        found.append(entry)
    return found


# ---- on the terminal ------------------------------------------------------------------------------------------------

_MOST = 12
_WIDEST = 14


def cycle_table(cycles: Sequence[Mapping[str, Any]], verbose: int = 0) -> Iterator[tuple[str, Sequence[str]]]:
    """Rows of a name and a cell for each cycle: variables below each other, cycles side by side. What did not change is
    a dot; unless verbose, memory that keeps its initial value is left out, and of many cycles those in the middle."""
    shown = list(cycles)
    if not verbose and len(shown) > _MOST:
        shown = [*shown[:3], *shown[3 - _MOST :]]
    yield "cycle", [str(each["cycle"]) for each in shown]
    yield "time", [each["time"] for each in shown]
    for title in SECTIONS.values():
        names = list(cycles[0][title])
        if not verbose and (title == "memory" or len(names) > 24):
            names = [name for name in names if any(name in each["changed"] for each in cycles)]
        if names:
            yield title, []
        for name in names:
            yield f"  {name}", [_cell(each, previous, title, name) for each, previous in _pairs(shown)]


def _pairs(cycles: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    yield from zip(cycles, [None, *cycles[:-1]], strict=True)


def _cell(each: Mapping[str, Any], previous: Mapping[str, Any] | None, title: str, name: str) -> str:
    value = str(each[title][name])
    if previous is not None and previous[title][name] == each[title][name]:
        return "."
    return value if len(value) <= _WIDEST else f"{value[: _WIDEST - 3]}..."


# ---- files ----------------------------------------------------------------------------------------------------------


def _executions(decided: Decided) -> Iterator[tuple[int, CyclicProgram, list[CycleEntry]]]:
    for number, answer in enumerate(decided.answers, 1):
        program, evidence = answer.subject.asked, answer.evidence
        if isinstance(program, CyclicProgram) and isinstance(evidence, Execution):
            yield number, program, controller_cycles(program, evidence)


def _paths(decided: Decided, path: str) -> Iterator[tuple[str, CyclicProgram, list[CycleEntry]]]:
    found = list(_executions(decided))
    for number, program, cycles in found:
        yield numbered(path, number, len(found)), program, cycles


def tables(decided: Decided, path: str) -> Iterator[File]:
    """Each violation as comma-separated values, which ``argosy simulate --inputs`` reads."""
    for file, _, cycles in _paths(decided, path):
        yield file, table_text(cycles)


def table_text(cycles: Sequence[Mapping[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    names = {title: list(cycles[0][title]) for title in SECTIONS.values()} if cycles else {}
    writer.writerow(["cycle", "passed", *(name for title in names for name in names[title])])
    for each in cycles:
        cells = [each[title][name] for title in names for name in names[title]]
        writer.writerow([each["cycle"], each["passed"], *cells])
    return written.getvalue()


def waveforms(decided: Decided, path: str) -> Iterator[File]:
    """Each violation as a value change dump."""
    for file, program, cycles in _paths(decided, path):
        yield file, cycles_waveform(program.columns, cycles)


def cycles_waveform(columns: Sequence[Column], cycles: Sequence[Mapping[str, Any]]) -> str:
    """A cycle for each unit of time; a signal of its own has the real times."""
    moments = Signal("time", "string 1", "cycle", [f"s{word(each['time'])}" for each in cycles])
    return waveform([*(_signal(column, cycles) for column in columns), moments], len(cycles), "1 ms")


_BITS = {"TRUE": "1", "FALSE": "0"}
_FRACTION = re.compile(r"-?[0-9]+(\.[0-9]+(e[+-]?[0-9]+)?|e[+-]?[0-9]+)")


def _signal(column: Column, cycles: Sequence[Mapping[str, Any]]) -> Signal:
    """A truth value is a wire, a decimal fraction a real number; everything else is shown as people write it."""
    title = SECTIONS[column.section]
    values = [str(each[title][column.name]) for each in cycles]
    if all(value in _BITS for value in values):
        return Signal(column.name, "wire 1", title, [_BITS[value] for value in values])
    if all(map(_FRACTION.fullmatch, values)):
        return Signal(column.name, "real 64", title, [f"r{value}" for value in values])
    return Signal(column.name, "string 1", title, [f"s{word(value)}" for value in values])
