"""``argosy check``: a witness of others against the input. What it says is put into the model, and the verdict is
decided and certified like any other.

*Invariants* are claims: the model with the property's errors and with a violation of a claim as a further error is
decided, first by the claims themselves (if they are an inductive proof, nothing has to be analysed), then as usual. A
*violation sequence* selects executions: the error has to be reached by one that follows it.

A witness that is not right is rejected: the verdict is UNKNOWN, and its reason names what is wrong and where.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from argosy.backends.contract import (
    SAFE,
    UNKNOWN,
    UNSAFE,
    Answer,
    Assumption,
    Evidence,
    Execution,
    Invariant,
    Plan,
)
from argosy.backends.course import Course
from argosy.backends.evidence import assumptions
from argosy.backends.program import decide
from argosy.basics.budget import Budget
from argosy.basics.errors import UnsupportedError, UsageError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.certify.certificate import certificate_text, confirmed
from argosy.certify.guided import guided
from argosy.certify.invariant import Certified, certify_safe
from argosy.frontends.registry import Request
from argosy.frontends.witnesses.reader import checkpoints, read_witness, waypoint_name
from argosy.frontends.witnesses.records import AVOID, Waypoint, Witness
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import atoms
from argosy.models.cfa import Assume, Cfa, Location, Mark, Reading
from argosy.models.following import FollowedSegment, TooLong, following
from argosy.models.kinds import Marked
from argosy.models.landmarks import physical
from argosy.models.program import Program
from argosy.problem.problem import Problem
from argosy.problem.property import read as read_specification
from argosy.report.answers import result_of
from argosy.report.exporters import Decided, exported
from argosy.report.result import Result
from argosy.session.progress import Progress
from argosy.session.task import Task

REJECTED = "witness rejected"
FOLLOWED = "an execution that follows it reaches the error"

# Of the time that is left, for trying the claims as they are.
_SHARE, _PATIENCE = 0.5, 300.0
# For walking a violation by its inputs.
_WALK = 0.3


def run(task: Task, progress: Progress) -> Result:
    """Like ``session.run.run``, with the witness that the task names."""
    progress.update("reading")
    if task.witness is None:
        raise UsageError("no witness")
    witness = read_witness(task.witness)
    check = _Check(task, witness, progress)
    answer = check.answer()
    result = result_of(check.problem, [answer])
    for path, content in exported(Decided(check.problem, [answer], result), task.exports):
        progress.export(path, content)
    return result


def _reading(task: Task, witness: Witness) -> dict[str, str]:
    """What was asked for, and else what the witness says of its task."""
    reading = dict(task.reading)
    if witness.data_model:
        reading.setdefault("data-model", witness.data_model)
    if witness.specification and "property" not in reading:
        stated = read_specification(witness.path, witness.specification)
        # The formula, to the letter, is what a file would state: names are shorter.
        reading["property"] = stated.name
    return reading


class _Check:
    def __init__(self, task: Task, witness: Witness, progress: Progress) -> None:
        self._witness = witness
        self._progress = progress
        self._certify_s = 0.0
        self._reading = _reading(task, witness)
        self._budget = Budget.of(task.time_limit, task.memory_limit)
        format = task.check()
        said = tuple(checkpoints(witness))
        self.problem = self._told(format.load(Request(task.input, self._reading, checkpoints=said)))
        self._check_input()
        self._plan = Plan(
            task.strategy,
            task.options,
            task.reading.get("arithmetic", "auto"),
            task.reading.get("signed-overflow", "undefined"),
            self._budget,
            task.seed,
            task.certify,
            task.certify_with,
            listener=_Told(progress),
        )

    def _check_input(self) -> None:
        with open(self.problem.input, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        if self._witness.digests and digest not in self._witness.digests:
            raise UnsupportedError(Position(self._witness.path, 0), "a witness of another file (the hashes differ)")

    def _told(self, problem: Problem) -> Problem:
        """The problem in which the witness is part of the model."""
        program: Program = problem.model
        if self._witness.violation:
            told = self._followed(program)
        else:
            told = program.select(replace(program.errors, claims=True))
            suggested = {at: tuple(atoms(claim)) for at, (claim,) in claims_of(told.cfa).items()}
            told = replace(told, predicates=suggested)
        deeper = problem.deeper
        again: Callable[[], Problem] | None = None if deeper is None else (lambda: self._told(deeper()))
        return replace(problem, model=told, deeper=again, nothing=None)

    # ---- violations ---------------------------------------------------------------------------------------

    def _followed(self, program: Program) -> Program:
        segments = [
            FollowedSegment(
                frozenset(waypoint_name(k, i) for i, each in enumerate(segment) if each.action == AVOID),
                waypoint_name(k, len(segment) - 1),
            )
            for k, segment in enumerate(self._witness.segments)
        ]
        target = self._witness.segments[-1][-1]
        assert program.landmarks is not None
        outline = program.landmarks.outline()

        def is_target(mark: Mark) -> bool:
            site = outline.statements.get(mark.position)
            start = physical(mark.position) if site is None else site.start
            return _stands_at(start, target) or _stands_at(physical(mark.position), target)

        try:
            marked = following(program.marked, segments, program.errors, is_target)
        except TooLong:
            raise UnsupportedError(target.position, "a violation sequence of this length") from None
        return replace(program, marked=marked).select(program.errors)

    # ---- the answer ---------------------------------------------------------------------------------------

    def answer(self) -> Answer:
        direct = self._by_its_inputs() if self._witness.violation else self._by_the_claims()
        if direct is not None:
            return direct
        [answer] = decide(self.problem, self._plan)
        return self._judged(answer)

    def _by_its_inputs(self) -> Answer | None:
        """UNSAFE where the sequence says enough to be walked."""
        program: Program = self.problem.model
        if not self._plan.certify:
            return None
        self._progress.update("replaying")
        reading = Reading(self._plan.signed_overflow)
        replayed = guided(program.cfa, reading, self._budget.share(_WALK, _PATIENCE))
        if replayed is None:
            return None
        return self._answered(UNSAFE, "replay", Execution(program.cfa, replayed), FOLLOWED)

    def _answered(
        self, verdict: str, certificate: str, evidence: Evidence, why: str, assumed: tuple[Assumption, ...] = ()
    ) -> Answer:
        """What is decided without an analysis."""
        [subject] = self.problem.subjects
        return Answer(
            subject,
            verdict,
            certificate=certificate,
            evidence=evidence,
            strategy={"name": "witness"},
            statistics={"certify_s": self._certify_s},
            assumptions=assumed,
            notes=self.problem.ledger,
            details=self._said("confirmed", why),
        )

    def _by_the_claims(self) -> Answer | None:
        """SAFE where the claims of the witness are a proof as they are."""
        program: Program = self.problem.model
        if any(not refusal.arbitrary for refusal in program.cfa.opaque.values()) or not self._plan.certify:
            return None
        self._progress.update("certifying")
        cfa, reading = program.cfa, Reading(self._plan.signed_overflow)
        claims = claims_of(cfa)
        solvers = Solvers(cfa.terms, Counters(), seed=self._plan.seed)
        budget = self._budget.share(_SHARE, _PATIENCE)
        begun = time.monotonic()
        certified = certify_safe(cfa, claims, solvers, reading, budget=budget, second_opinion=True)
        if isinstance(certified, Certified) and self._plan.certify_with is not None:
            certified = confirmed(certified, self._plan.certify_with, self._budget)
        self._certify_s = round(time.monotonic() - begun, 3)
        if not isinstance(certified, Certified):
            return None
        script = None if certified.proof is None else partial(certificate_text, certified.proof)
        evidence = Invariant(cfa, claims, script)
        return self._answered(
            SAFE, certified.kind, evidence, "its invariants are a proof as they are", assumptions(certified)
        )

    def _judged(self, answer: Answer) -> Answer:
        if answer.verdict == UNKNOWN:
            return replace(answer, details={**answer.details, **self._said("unknown", str(answer.reason))})
        if self._witness.violation:
            if answer.verdict == UNSAFE:
                return replace(answer, details=self._said("confirmed", FOLLOWED))
            target = self._witness.segments[-1][-1]
            return self._rejected(answer, f"{target.position}: no execution that follows it reaches the error")
        if answer.verdict == SAFE:
            return replace(answer, details=self._said("confirmed", "its invariants hold, and so does the property"))
        wrong = self._wrong(answer)
        if wrong is None:
            said = self._said("rejected", "the property does not hold")
            return replace(answer, details=said, notes=(*answer.notes, f"{REJECTED}: the property does not hold"))
        return self._rejected(answer, wrong)

    def _wrong(self, answer: Answer) -> str | None:
        """Which invariant a counterexample violates."""
        if not isinstance(answer.evidence, Execution):
            return None
        for mark in answer.evidence.replayed.steps[-1].edge.marks:
            if mark.kind is Marked.CLAIM:
                said = self._witness.invariants[int(mark.name)]
                where = f"line {said.line}" + (f", column {said.column}" if said.column else "")
                return f"{said.position}: the invariant at {where} does not hold: {said.value}"
        return None

    def _rejected(self, answer: Answer, why: str) -> Answer:
        return replace(
            answer,
            verdict=UNKNOWN,
            reason=f"{REJECTED}: {why}",
            certificate=None,
            assumptions=(),
            details=self._said("rejected", why),
        )

    def _said(self, status: str, why: str) -> Mapping[str, Any]:
        return {"witness": {"file": self._witness.path, "status": status, "why": why}}


def _stands_at(position: Position, waypoint: Waypoint) -> bool:
    """A target without a line is anywhere."""
    same_column = not waypoint.column or position.column == waypoint.column
    return not waypoint.line or (position.line == waypoint.line and same_column)


def claims_of(cfa: Cfa) -> Mapping[Location, Sequence[Term]]:
    """What the witness claims, by location: the errors that violate it say the opposite."""
    found: dict[Location, list[Term]] = {}
    for edge in cfa.edges:
        if any(mark.kind is Marked.CLAIM for mark in edge.marks) and isinstance(edge.operation, Assume):
            found.setdefault(edge.source, []).append(cfa.terms.not_(edge.operation.condition))
    return {location: (cfa.terms.conjunction(said),) for location, said in found.items()}


@dataclass(frozen=True, slots=True)
class _Told:
    """Tells the progress of the analysis; a witness is confirmed as a whole or not at all."""

    progress: Progress

    def is_due(self, phase: str) -> bool:
        return self.progress.is_due(phase)

    def update(self, phase: str, **counts: float) -> None:
        self.progress.update(phase, **counts)

    def keep(self, answers: Sequence[Answer]) -> None:
        pass

    def look(self, glance: Callable[[], Course]) -> None:
        pass
