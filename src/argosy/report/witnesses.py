"""``--witness FILE``: proofs and counterexamples of C programs as software verification witnesses.

``FILE.yml`` is format 2.0 (Ayaziova et al.: *Software Verification Witnesses 2.0*, SPIN 2024): an invariant set or a
violation sequence. ``FILE.graphml`` is format 1.0. Places are physical lines and columns, from 1, of the file as it was
given.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from argosy.backends.contract import SAFE, Answer, Invariant
from argosy.basics.errors import UnsupportedError
from argosy.basics.naming import named
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass
from argosy.basics.version import VERSION
from argosy.frontends.c.checkpoints import MOVED
from argosy.models.landmarks import physical
from argosy.models.program import Program
from argosy.problem.problem import Problem
from argosy.report.cycles import numbered
from argosy.report.exporters import Decided, File
from argosy.report.loop_texts import LoopText, loop_texts
from argosy.report.recording import RecordedCall, Recording, recordings
from argosy.report.reread import confirmed

PROPERTIES = ("unreach-call", "no-overflow")
WRITERS = {
    ".yml": "argosy.report.witness_yaml:document",
    ".yaml": "argosy.report.witness_yaml:document",
    ".graphml": "argosy.report.witness_graphml:document",
}
STYLES = ("function_return", "assumption")


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """What a witness says of the task that it belongs to."""

    input: str
    digest: str
    specification: str
    data_model: str
    created: str
    entry: str = "main"
    producer: str = "Argosy"
    version: str = VERSION

    def identifier(self, content: str) -> str:
        """The same for the same content."""
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.digest} {self.specification} {self.created} {content}"))


@dataclass(frozen=True, slots=True)
class WitnessedValue:
    """A waypoint: after the call the ``constraint`` holds. In the style ``function_return`` it stands at the closing
    parenthesis and speaks of the result, in the style ``assumption`` at the next statement, of the variable."""

    style: str
    position: Position
    function: str
    constraint: str
    call: RecordedCall


@dataclass(frozen=True, slots=True)
class ViolationContent:
    values: Sequence[WitnessedValue]
    target: Position
    function: str
    recording: Recording


Content = Sequence[LoopText] | ViolationContent


def witnesses(decided: Decided, path: str) -> Iterator[File]:
    """A file for each answer that has evidence; without any nothing is written."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in WRITERS:
        raise UnsupportedError(NOWHERE, f"{path}: a witness of a program is FILE.yml or FILE.graphml")
    contents = list(_contents(decided))
    task = task_of(decided.problem) if contents else None
    for number, content in contents:
        text: str = named(WRITERS[ending])(task, content)
        yield numbered(path, number, len(contents)), text


def task_of(problem: Problem) -> WitnessTask:
    property_ = problem.subjects[0].property
    program: Program = problem.model
    if property_ is None or property_.name not in PROPERTIES:
        raise UnsupportedError(NOWHERE, f"--witness for anything but {' and '.join(PROPERTIES)}")
    assert program.landmarks is not None
    if not program.landmarks.in_place:
        raise UnsupportedError(Position(problem.input, 1, 1), MOVED)
    with open(problem.input, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    outside = program.landmarks.outside()
    return WitnessTask(problem.input, digest, property_.text, outside.data_model, created, outside.entry)


def _contents(decided: Decided) -> Iterator[tuple[int, Content]]:
    style = decided.problem.options.get("witness-style") or STYLES[0]
    violations = dict(recordings(decided, "witness"))
    for number, answer in enumerate(decided.answers, 1):
        if number in violations:
            yield number, violation(violations[number], style)
        elif answer.verdict == SAFE:
            yield number, _proof(decided.problem, answer)


def _proof(problem: Problem, answer: Answer) -> Sequence[LoopText]:
    landmarks, evidence = problem.model.landmarks, answer.evidence
    if answer.certificate is None:
        raise UnsupportedError(NOWHERE, "--witness of a proof that nobody checked (--no-certify)")
    if not isinstance(evidence, Invariant):
        return []
    return confirmed(problem, landmarks, evidence.cfa.terms, loop_texts(landmarks, evidence))


def violation(recording: Recording, style: str) -> ViolationContent:
    outline = recording.landmarks.outline()
    values = []
    for call in recording.calls:
        found = _value(recording, call, style)
        if found is not None:
            values.append(found)
    site = outline.statements.get(recording.place)
    target = site.start if site is not None else physical(recording.place)
    function = site.function if site is not None else recording.last.source.function
    return ViolationContent(values, target, function, recording)


def _value(recording: Recording, call: RecordedCall, style: str) -> WitnessedValue | None:
    """What a witness can say of a call; nothing of pointers, nor of what is no number."""
    outline = recording.landmarks.outline()
    at = call.source.position
    if call.is_pointer or call.text is None:
        return None
    edge = recording.execution.replayed.steps[call.step].edge
    site = outline.statements.get(at)
    if style == "assumption" and site is not None and site.next is not None:
        variable = recording.execution.cfa.variable_of.get(edge.operation.variable)  # type: ignore[union-attr]
        if variable is not None and variable.name not in ("temp", "return"):
            said = f"{variable.name} == {call.text}"
            return WitnessedValue("assumption", site.next, site.function, said, call)
    closing = outline.closings.get(at)
    if closing is None:
        return None
    return WitnessedValue("function_return", closing, edge.source.function, f"\\result == {call.text}", call)


def place(position: Position, function: str) -> Mapping[str, Any]:
    """As format 2.0 has it."""
    return {"file_name": position.file, "line": position.line, "column": position.column, "function": function}
