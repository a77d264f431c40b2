"""What an execution of a program was given from outside, in the order of the calls: harness, test suite and witness are
made of it.

Law: the values are those of the replay on the model as read, in which every call of a function without a body has a
step of its own, whether or not its result is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from argosy.backends.contract import Answer, Execution, Path
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass
from argosy.logic.floating import DOUBLE, SINGLE, decimal, magnitude
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Edge, Havoc, read, written
from argosy.models.landmarks import Landmarks
from argosy.models.program import Program
from argosy.models.sources import SourceKind, ValueSource
from argosy.report.exporters import Decided
from argosy.report.relevance import LONGEST, dependencies, moments, reads


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """``step`` is its place in the replay."""

    step: int
    source: ValueSource
    variable: str
    value: Value

    @property
    def number(self) -> int:
        assert isinstance(self.value, int)
        return int(self.value)

    @property
    def text(self) -> str | None:
        """The value as a constant of C; None where C has none, as for NaN and infinity."""
        format_ = {"float": SINGLE, "double": DOUBLE}.get(self.source.type)
        if format_ is None:
            return str(self.number)
        return None if magnitude(format_, self.number) >= format_.infinity else decimal(format_, self.number)

    @property
    def is_pointer(self) -> bool:
        return self.source.type.endswith("*")


@dataclass(frozen=True, slots=True)
class Recording:
    """``objects`` are first values of what other files define, ``parameters`` those of the entry function, both by the
    names of the model. ``unforced`` says what nobody outside the program can decide and the error depends on."""

    program: Program
    landmarks: Landmarks
    answer: Answer
    execution: Execution
    calls: tuple[RecordedCall, ...]
    objects: Mapping[str, Value]
    parameters: Mapping[str, Value]
    unforced: tuple[str, ...]

    @property
    def last(self) -> Edge:
        return self.execution.replayed.steps[-1].edge

    @property
    def place(self) -> Position:
        """Where the error is."""
        return self.last.marks[0].position if self.last.marks else self.last.position


def recordings(decided: Decided, option: str) -> Iterator[tuple[int, Recording]]:
    """Of every answer that has an execution, with its number. Raises UnsupportedError where the format has none."""
    program = decided.problem.model
    if not isinstance(program, Program) or program.landmarks is None:
        raise UnsupportedError(NOWHERE, f"--{option} for what is read as {decided.problem.format}")
    for number, answer in enumerate(decided.answers, 1):
        if isinstance(answer.evidence, Path):
            raise UnsupportedError(NOWHERE, f"--{option} of a counterexample that nobody replayed (--no-certify)")
        if isinstance(answer.evidence, Execution):
            # The model may have been read again, deeper: what stands in the text is the same.
            yield number, recorded(program, program.landmarks, answer, answer.evidence)


def recorded(program: Program, landmarks: Landmarks, answer: Answer, execution: Execution) -> Recording:
    calls: list[RecordedCall] = []
    objects: dict[str, Value] = {}
    for step, taken in enumerate(execution.replayed.steps):
        for choice in taken.skipped:
            made = choice.edge.choice
            if made is not None and made.kind is SourceKind.CALL and isinstance(choice.edge.operation, Havoc):
                calls.append(RecordedCall(step, made, choice.variable, choice.value))
        source, operation = taken.edge.choice, taken.edge.operation
        if source is None or not isinstance(operation, Havoc):
            continue
        name = operation.variable.name
        if source.kind is SourceKind.CALL:
            calls.append(RecordedCall(step, source, name, taken.values[name]))
        elif source.kind is SourceKind.EXTERN:
            objects[name] = taken.values[name]
    parameters = {
        cell.variable: execution.replayed.initial.get(cell.variable, 0)
        for parameter in landmarks.outside().parameters
        for cell in parameter.cells
    }
    unforced = tuple(dict.fromkeys(_unforced(landmarks, execution)))
    return Recording(program, landmarks, answer, execution, tuple(calls), objects, parameters, unforced)


def _unforced(landmarks: Landmarks, execution: Execution) -> Iterator[str]:
    """What conditions on the path depend on and nobody outside can decide."""
    loose: dict[Term, tuple[str, ...]] = {}
    given = {cell.variable for parameter in landmarks.outside().parameters for cell in parameter.cells}
    cells = [cell for object_ in landmarks.outside().objects for cell in object_.cells]
    cells += (cell for parameter in landmarks.outside().parameters for cell in parameter.cells)
    pointers = {cell.variable for cell in cells if cell.pointer}
    outside = {cell.variable for cell in cells}
    functions = {function.name for function in landmarks.outside().functions if function.result}
    for variable in execution.cfa.variables:
        name = variable.term.name
        if name in execution.replayed.initial and (name not in given or name in pointers):
            loose[variable.term] = (f"the first value of {variable.name}",)
    short = len(execution.replayed.steps) <= LONGEST
    for step, known in moments(execution):
        edge = step.edge
        checks = [check.condition for check in edge.checks]
        if short:
            # Of what a pointer may lead to only what it does lead to, here and now.
            seen = reads(edge, known).union(*(dependencies(condition, known) for condition in checks))
        else:
            seen = set(read(edge.operation)).union(*map(variables, checks))
        of = tuple(reason for term in seen if term in loose for reason in loose[term])
        if not written(edge.operation):
            yield from of
            continue
        for term in written(edge.operation):
            name = term.name
            reason = _loose(edge, step.values.get(name, 0), functions, name in outside, name in pointers)
            if isinstance(edge.operation, Havoc):
                of = () if reason is None else (reason,)
            if of:
                loose[term] = of
            else:
                loose.pop(term, None)


def _loose(edge: Edge, value: Value, functions: set[str], given: bool, pointer: bool) -> str | None:
    """Why a chosen value cannot be forced from outside; None where it can."""
    source = edge.choice
    if source is None:
        return None
    match source.kind:
        case SourceKind.CALL if source.function in functions:
            return f"an address that {source.text} gives" if source.type.endswith("*") and value else None
        case SourceKind.CALL:
            return f"the result of {source.text}"
        case SourceKind.EXTERN if not given:
            return f"the value of {source.text}"
        case SourceKind.EXTERN:
            return f"an address in {source.text}" if pointer and value else None
        case SourceKind.FOREIGN:
            return f"what {source.text} leaves in an object"
    return f"the value of {source.text}"
