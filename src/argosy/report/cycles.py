"""A run of a transition system, cycle by cycle, from the execution that was replayed on its automaton.

Law: the last cycle is the one in which the bad state holds; every cycle has a value for every state variable and input
of the cone, as the interpreter computed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.backends.contract import Answer, Execution
from argosy.basics.records import dataclass
from argosy.certify.interpreter import zero
from argosy.logic.semantics import Value
from argosy.report.exporters import Decided


@dataclass(frozen=True, slots=True)
class CycledRun:
    """The run of answer ``number``, which is about the bad state ``bad`` of the model."""

    number: int
    bad: int
    answer: Answer
    cycles: Sequence[Mapping[str, Value]]


def cycles_of(execution: Execution) -> list[dict[str, Value]]:
    """The values of all variables by name, in each cycle: where the inputs have been chosen."""
    cfa = execution.cfa
    values: dict[str, Value] = {v.term.name: zero(v.term.sort) for v in cfa.variables}
    values.update(execution.replayed.initial)
    [chosen] = {edge.source for edge in cfa.entering[cfa.error]}
    found = []
    for step in execution.replayed.steps:
        if step.edge.source is chosen:
            found.append(dict(values))
        values.update(step.values)
    return found


def runs_of(decided: Decided) -> Iterator[CycledRun]:
    """Of every answer that has one."""
    for number, answer in enumerate(decided.answers, 1):
        evidence: Any = answer.evidence
        if isinstance(evidence, Execution):
            yield CycledRun(number, answer.subject.asked, answer, cycles_of(evidence))


def numbered(path: str, number: int, of: int) -> str:
    """One file is ``path`` itself; of several, that of answer 2 is ``run-2.wit`` for ``run.wit``."""
    if of == 1:
        return path
    stem, dot, ending = path.rpartition(".")
    return f"{stem}-{number}.{ending}" if dot else f"{path}-{number}"
