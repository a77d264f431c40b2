"""The backend of programs: the property as a whole, each place that may violate it, or each requirement.

How one of them gets its answer is in ``verification``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from argosy.backends.contract import (
    SAFE,
    UNKNOWN,
    UNSAFE,
    Answer,
    Plan,
)
from argosy.backends.stages import (
    PATIENCE,
)
from argosy.basics.budget import PENDING
from argosy.basics.errors import UnsupportedError
from argosy.basics.records import replace
from argosy.models.cfa import Refusal
from argosy.models.errors import Site, sites
from argosy.models.program import Program
from argosy.problem.problem import REQUIREMENT, Problem, Subject

if TYPE_CHECKING:
    pass
from argosy.backends.verification import Means, Verification

# What all assertions together get of the time, where each is to have its own answer.
TOGETHER = 0.5


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    """The answer to the property or, with ``plan.each``, to each of the places where it may be violated; to each of the
    requirements, where these have models of their own."""
    if any(subject.kind == REQUIREMENT for subject in problem.subjects):
        return by_requirement(problem, plan)
    means = Means(problem, plan)
    if plan.each and sites(problem.model.cfa):
        return each(means)
    [subject] = problem.subjects
    return [Verification(means, subject, plan.budget).answer()]


def by_requirement(problem: Problem, plan: Plan) -> list[Answer]:
    """Each subject with the model that it asks about (a ``Program``, or a ``Refusal`` that says why there is none).
    What one requirement leaves of the time is there for the others."""
    answers: list[Answer] = []
    for number, subject in enumerate(problem.subjects):
        left = (Answer(each, UNKNOWN, PENDING) for each in problem.subjects[number:])
        plan.listener.keep((*answers, *left))
        if isinstance(subject.asked, Refusal):
            refusal = UnsupportedError(subject.asked.position, subject.asked.what)
            answers.append(Answer(subject, UNKNOWN, f"unsupported: {refusal}", notes=problem.ledger))
        else:
            program: Program = subject.asked
            alone = replace(problem, model=program, subjects=(subject,), ledger=program.ledger)
            budget = plan.budget.share(1 / (len(problem.subjects) - number))
            answers.append(Verification(Means(alone, plan), subject, budget).answer())
    return answers


def each(means: Means) -> list[Answer]:
    """All places together first: what proves them proves each. A place that is reached is answered, and the others go
    on without it. What is left without an answer is looked at place by place. Predicates are shared throughout.

    The places are those of the model as it is read at the moment: where it is read again with a larger bound, there may
    be more of them."""
    [whole] = means.problem.subjects
    answers: dict[Site, Answer] = {}

    def subjects() -> dict[Site, Subject]:
        return {site: _of_site(site, whole) for site in sites(means.problem.model.cfa)}

    def waiting() -> list[Site]:
        return [site for site in subjects() if site not in answers]

    while len(left := waiting()) > 1:
        verification = Verification(means, whole, means.plan.budget.share(TOGETHER, PATIENCE), left)
        answer = verification.answer()
        if answer.verdict == UNSAFE and verification.reached:
            answers.update((site, replace(answer, subject=_of_site(site, whole))) for site in verification.reached)
        elif answer.verdict == SAFE:
            answers.update((site, replace(answer, subject=_of_site(site, whole))) for site in left)
        else:
            break
        means.keep(answers, subjects())
    while late := waiting():
        budget = means.plan.budget.share(1 / len(late))
        answers[late[0]] = Verification(means, _of_site(late[0], whole), budget, late[:1]).answer()
        means.keep(answers, subjects())
    return [answers[site] for site in subjects()]


def _of_site(site: Site, whole: Subject) -> Subject:
    return Subject("assertion", site.text, whole.property, site.position, asked=site)
