"""``--witness FILE``: a run to a bad state as ``aigsim`` and ``btorsim`` read it.

AIGER (*AIGER 1.9 And Beyond*, section 3): the first values of all latches, then the inputs of each step. BTOR2
(Niemetz et al., CAV 2018, section 3): values of states that the file leaves open, and of inputs, step by step, the
most significant bit first. What is not in the cone of the bad state is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import NOWHERE
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.models.bits import CircuitModel
from argosy.models.system import System
from argosy.report.cycles import CycledRun, numbered, runs_of
from argosy.report.exporters import Decided, File

# An array with another value than zero almost everywhere is written element by element, up to so many.
ELEMENTS = 1 << 16


def witnesses(decided: Decided, path: str) -> Iterator[File]:
    """A file for each run; without one nothing is written."""
    runs = list(runs_of(decided))
    model = decided.problem.model
    if runs and decided.problem.format not in ("aiger", "btor2"):
        raise UnsupportedError(NOWHERE, f"--witness for {decided.problem.format}: only AIGER and BTOR2 have a form")
    for run in runs:
        text = aiger_witness(model, run) if isinstance(model, CircuitModel) else btor2_witness(model, run)
        yield numbered(path, run.number, len(runs)), text


def aiger_witness(model: CircuitModel, run: CycledRun) -> str:
    first = run.cycles[0]
    resets = model.circuit.reset
    latches = [first.get(name, reset & 1) for name, reset in zip(model.latch_names, resets, strict=True)]
    lines = ["1", f"b{run.bad}", _digits(latches)]
    lines += (_digits([cycle.get(name, 0) for name in model.input_names]) for cycle in run.cycles)
    return "".join(f"{line}\n" for line in (*lines, "."))


def _digits(values: Sequence[Value]) -> str:
    return "".join("1" if value else "0" for value in values)


def btor2_witness(system: System, run: CycledRun) -> str:
    lines = ["sat", f"b{run.bad}"]
    for step, cycle in enumerate(run.cycles):
        states = [
            (place, state.term.sort, state.name)
            for place, state in enumerate(system.states)
            if (state.initial if step == 0 else state.next) is None
        ]
        if states or step == 0:
            lines.append(f"#{step}")
            for place, sort, name in states:
                lines += _assigned(place, sort, f"{name}#{step}", cycle.get(name))
        lines.append(f"@{step}")
        for place, each in enumerate(system.inputs):
            lines += _assigned(place, each.term.sort, f"{each.name}@{step}", cycle.get(each.name))
    return "".join(f"{line}\n" for line in (*lines, "."))


def _assigned(place: int, sort: Sort, name: str, value: Value | None) -> Iterator[str]:
    if sort.element is None or sort.index is None:
        yield f"{place} {_binary(value or 0, sort)} {name}"
        return
    for index, element in _elements(value, sort).items():
        yield f"{place} [{_binary(index, sort.index)}] {_binary(element, sort.element)} {name}"


def _elements(value: Value | None, sort: Sort) -> Mapping[Value, Value]:
    assert sort.index is not None
    if not isinstance(value, ArrayValue):
        return {}
    if not value.default:
        return dict(sorted(value.stored.items()))
    if sort.index.width > ELEMENTS.bit_length() - 1:
        raise UnsupportedError(NOWHERE, f"a witness with an array of 2^{sort.index.width} elements")
    return {index: value.select(index) for index in range(1 << sort.index.width)}


def _binary(value: Value, sort: Sort) -> str:
    return f"{int(value):0{1 if sort.kind == 'bool' else sort.width}b}"
