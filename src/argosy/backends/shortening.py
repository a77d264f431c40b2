"""Between the answers and what is shown of them: counterexamples become shorter, whichever backend found them.

Law: the answers stay what they are (verdict, certificate, subject). They are handed over before, so that a limit which
is reached here takes none of them away, and most of the time that is left stays for what comes after.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from argosy.backends.contract import Answer, Execution, Plan
from argosy.backends.course import PhaseRun
from argosy.basics.budget import Budget
from argosy.basics.records import replace
from argosy.certify.shortening import Shortened, shortened
from argosy.models.cfa import Reading

PHASE = "shortening"

# What may be used of the time that is left.
SHARE = 0.25


def with_short_counterexamples(answers: Sequence[Answer], plan: Plan) -> tuple[Answer, ...]:
    """Several answers may have a counterexample in common."""
    found: dict[int, tuple[Execution, Shortened, float]] = {}
    plan.listener.keep(answers)
    plan.listener.update(PHASE)
    for answer in answers:
        evidence = answer.evidence
        if isinstance(evidence, Execution) and id(evidence) not in found and not evidence.replayed.is_folded:
            begun = time.monotonic()
            reading, budget = Reading(plan.signed_overflow), _part(plan.budget)
            short = shortened(evidence.cfa, evidence.replayed, reading, budget, plan.seed)
            found[id(evidence)] = Execution(evidence.cfa, short.replayed), short, time.monotonic() - begun
    return tuple(
        _told(answer, *found[id(answer.evidence)]) if id(answer.evidence) in found else answer for answer in answers
    )


def _part(budget: Budget) -> Budget:
    """On the clock of the wall as well: who waits outside waits for the files, too."""
    now = time.monotonic()
    return replace(budget.share(SHARE), wall_end=now + SHARE * max(0.0, budget.wall_end - now))


def _told(answer: Answer, evidence: Execution, short: Shortened, seconds: float) -> Answer:
    details = {**answer.details, "shortened": {"steps": short.steps, "checks": short.checks}}
    course = replace(answer.course, phases=(*answer.course.phases, PhaseRun(PHASE, seconds)))
    return replace(answer, evidence=evidence, details=details, course=course)
