"""``--vcd FILE``: a run of a transition system for waveform viewers (value change dump, IEEE 1364, section 18).

Inputs, state variables and the bad state, which is 1 in the last cycle, each as a wire; a cycle is a unit of time.
Integers and rationals are written as real numbers, arrays element by element as far as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from argosy.basics.records import dataclass
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.models.transition import TransitionModel
from argosy.report.cycles import CycledRun, numbered, runs_of
from argosy.report.exporters import Decided, File
from argosy.report.value_changes import Signal, waveform, word


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
    signals = [_signal(wire, run) for wire in wires_of(model, run)]
    last = len(run.cycles) - 1
    signals.append(Signal(model.bad_names[run.bad], "wire 1", "", [str(int(t == last)) for t in range(last + 1)]))
    return waveform(signals, len(run.cycles))


def _signal(wire: Wire, run: CycledRun) -> Signal:
    name = wire.name if wire.element is None else f"{word(wire.name)}({wire.element})"
    values = [wire.value(cycle) for cycle in run.cycles]
    if wire.sort.is_numeric:
        return Signal(name, "real 64", wire.scope, [f"r{float(value):.16g}" for value in values])
    width = 1 if wire.sort.kind == "bool" else wire.sort.width
    written = [str(int(value)) if width == 1 else f"b{int(value):0{width}b}" for value in values]
    return Signal(name, f"wire {width}", wire.scope, written)
