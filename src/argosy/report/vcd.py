"""``--vcd FILE``: a run of a transition system for waveform viewers (value change dump, IEEE 1364, section 18).

Inputs, state variables and the bad state, which is 1 in the last cycle, each as a wire; a cycle is a unit of time.
Integers and rationals are written as real numbers, arrays element by element as far as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from argosy.basics.records import dataclass
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.models.transition import TransitionModel
from argosy.report.cycles import CycledRun, numbered, runs_of
from argosy.report.exporters import Decided, File

_CODES = "".join(map(chr, range(33, 127)))


@dataclass(frozen=True, slots=True)
class Wire:
    """``element`` is the place in an array, None where it is none."""

    name: str
    scope: str
    sort: Sort
    element: Value | None = None

    def value(self, cycle: Mapping[str, Value]) -> Value:
        value = cycle[self.name]
        return value if self.element is None else value.select(self.element)


def dumps(decided: Decided, path: str) -> Iterator[File]:
    """A file for each run; without one nothing is written."""
    runs = list(runs_of(decided))
    for run in runs:
        yield numbered(path, run.number, len(runs)), dump(decided.problem.model, run)


def wires_of(model: TransitionModel, run: CycledRun) -> list[Wire]:
    """The signals of the cone, inputs first."""
    system = model.system(run.bad)
    variables = [(each.name, "inputs", each.term.sort) for each in system.inputs]
    variables += [(each.name, "states", each.term.sort) for each in system.states]
    found = []
    for name, scope, sort in variables:
        if sort.element is None:
            found.append(Wire(name, scope, sort))
            continue
        arrays = (cycle[name] for cycle in run.cycles)
        stored = {index for value in arrays if isinstance(value, ArrayValue) for index in value.stored}
        found += (Wire(name, scope, sort.element, index) for index in sorted(stored))
    return found


def dump(model: TransitionModel, run: CycledRun) -> str:
    lines = ["$version Argosy $end", "$timescale 1 ns $end"]
    codes = (_code(number) for number in count())
    wires = [(next(codes), wire) for wire in wires_of(model, run)]
    for scope in dict.fromkeys(wire.scope for _, wire in wires):
        lines.append(f"$scope module {scope} $end")
        lines += (_declared(code, wire) for code, wire in wires if wire.scope == scope)
        lines.append("$upscope $end")
    bad = next(codes)
    lines.append(f"$var wire 1 {bad} {_word(model.bad_names[run.bad])} $end")
    lines.append("$enddefinitions $end")
    known: dict[str, str] = {}
    for time, cycle in enumerate(run.cycles):
        lines.append(f"#{time}")
        changes = {code: _change(code, wire.sort, wire.value(cycle)) for code, wire in wires}
        changes[bad] = f"{int(time == len(run.cycles) - 1)}{bad}"
        lines += (change for code, change in changes.items() if known.get(code) != change)
        known = changes
    lines.append(f"#{len(run.cycles)}")
    return "".join(f"{line}\n" for line in lines)


def _declared(code: str, wire: Wire) -> str:
    name = _word(wire.name) if wire.element is None else f"{_word(wire.name)}({wire.element})"
    if wire.sort.is_numeric:
        return f"$var real 64 {code} {name} $end"
    width = 1 if wire.sort.kind == "bool" else wire.sort.width
    return f"$var wire {width} {code} {name}{f' [{width - 1}:0]' if width > 1 else ''} $end"


def _change(code: str, sort: Sort, value: Value) -> str:
    if sort.is_numeric:
        return f"r{float(value):.16g} {code}"
    width = 1 if sort.kind == "bool" else sort.width
    return f"{int(value)}{code}" if width == 1 else f"b{int(value):0{width}b} {code}"


def _code(number: int) -> str:
    code = ""
    while True:
        number, digit = divmod(number, len(_CODES))
        code += _CODES[digit]
        if not number:
            return code
        number -= 1


def _word(name: str) -> str:
    return "_".join(name.split()) or "_"
