"""Compares what Argosy says about a case with what running it says.

Two candidates are compared with the truth: the model as the C front end reads it, walked over all choices by the
concrete interpreter (exact: it must agree always), and whole runs of the pipeline under a strategy (UNKNOWN is
allowed, and counted).
"""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argosy.certify.interpreter import reachable_states
from argosy.frontends.c.load import load
from argosy.logic.semantics import unsigned
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Edge, Reading
from argosy.models.errors import Errors
from argosy.models.kinds import Undefined

from .corpus import Case, judge
from .shrink import shrink
from .syntax import Program, Source
from .truth import READINGS, OracleError
from .worker import CRASHES, Outcome, Run, Worker

# What is compared: a finished case under one reading of signed overflow.
Candidate = Callable[[Case, str], Outcome]


@dataclass(frozen=True, slots=True)
class Disagreement:
    case: Case
    reading: str
    label: str
    outcome: Outcome

    def __str__(self) -> str:
        truth = self.case.truths[self.reading]
        return (
            f"seed {self.case.name}, {self.label}, signed overflow {self.reading}: {self.outcome.verdict}"
            f" {self.outcome.reason}\nbut running it says {truth.verdict} ({truth})\n{self.case.source.text}"
        )


def guarded(candidate: Candidate) -> Candidate:
    """The candidate with an exception as a crash, which is a finding, not the end of the run."""

    def run(case: Case, reading: str) -> Outcome:
        try:
            return candidate(case, reading)
        except CRASHES as error:
            return Outcome("crash", "".join(traceback.format_exception(error, limit=-6)))

    return run


ERRORS = {"unreach-call": None, "no-overflow": Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW}))}


def model(case: Case, reading: str, property: str = "unreach-call") -> Outcome:
    """Walk the model as read over all choices: no analysis takes part."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "program.c"
        path.write_text(case.source.text)
        program = load(str(path), terms=Terms(), errors=ERRORS[property], data_model=case.program.data_model)
    # Whatever the values that are not modelled: they must not matter.
    patterns = (0, -1) if program.cfa.opaque else (0,)
    found = {_reaches_error(program.cfa, case.source, Reading(reading), bits) for bits in patterns}
    if len(found) == 2 or not all(refusal.arbitrary for refusal in program.cfa.opaque.values()):
        return Outcome("unknown", str(next(iter(program.cfa.opaque.values()))))
    return Outcome("unsafe" if found == {True} else "safe")


def _reaches_error(cfa: Cfa, source: Source, reading: Reading, unmodelled: int) -> bool:
    def values(edge: Edge, variable: Term) -> Iterable[int]:
        if variable in cfa.opaque:
            return (unsigned(unmodelled, variable.sort.width),)
        domains = source.choices.get(edge.position.line)
        return [unsigned(v, variable.sort.width) for v in domains[0]] if domains else (0,)

    return any(state.location is cfa.error for state in reachable_states(cfa, reading, values))


_WORKER = Worker()


def pipeline(strategy: str, time_limit: float, **options: Any) -> Candidate:
    """Whole runs under a strategy, each killed when it does not keep its limit."""

    def run(case: Case, reading: str) -> Outcome:
        choices = {
            "data_model": case.program.data_model,
            "signed_overflow": reading,
            "time_limit": time_limit,
            **options,
        }
        return _WORKER(Run(case.source.text, strategy, choices), time_limit)

    return run


def disagreements(case: Case, label: str, candidate: Candidate) -> tuple[list[Disagreement], dict[str, Outcome]]:
    run = guarded(candidate)
    outcomes = {reading: run(case, reading) for reading in READINGS}
    wrong = [
        Disagreement(case, reading, label, outcome)
        for reading, outcome in outcomes.items()
        if outcome.contradicts(case.truths[reading].verdict)
    ]
    return wrong, outcomes


def minimise(found: Disagreement, candidate: Candidate, attempts: int = 600) -> Disagreement:
    """The same kind of disagreement on a smaller program."""
    run = guarded(candidate)
    smallest = found

    def fails(program: Program) -> bool:
        nonlocal smallest
        try:
            [case] = judge([program])
        except OracleError:
            return False
        if not all(truth.complete for truth in case.truths.values()):
            return False
        outcome = run(case, found.reading)
        if outcome.verdict != found.outcome.verdict or not outcome.contradicts(case.truths[found.reading].verdict):
            return False
        if _last_line(outcome) != _last_line(found.outcome):
            return False
        smallest = Disagreement(case, found.reading, found.label, outcome)
        return True

    shrink(found.case.program, fails, attempts)
    return smallest


def _last_line(outcome: Outcome) -> str:
    """The kind of a crash, without the numbers and names in it: a crash must not turn into another one."""
    return outcome.reason.strip().rpartition("\n")[2].partition(":")[0] if outcome.verdict == "crash" else ""
