"""The backend of transition systems: one bad state at a time, each on its own cone of influence.

A system is read as an automaton with one loop (``models.system``), and everything that decides programs decides it:
``backends.program`` does the work and certifies it.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.backends.contract import UNKNOWN, Answer, Plan
from argosy.backends.program import Means, Verification
from argosy.basics.budget import PENDING
from argosy.basics.records import replace
from argosy.models.system import BadState, System
from argosy.problem.problem import Problem, Subject


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    """An answer for each bad state that is asked about. They share the time that is left equally."""
    # Words of hardware wrap on purpose: integers that do not are no idealisation of them.
    plan = replace(plan, arithmetic="bits") if plan.arithmetic == "auto" else plan
    answers: list[Answer] = []
    for place, subject in enumerate(problem.subjects):
        waiting = problem.subjects[place:]
        answers.append(_answer(problem, plan, subject, 1 / len(waiting)))
        if len(waiting) > 1:
            pending = (Answer(each, UNKNOWN, PENDING) for each in waiting[1:])
            plan.listener.keep((*answers, *pending))
    return answers


def _answer(problem: Problem, plan: Plan, subject: Subject, share: float) -> Answer:
    system: System = problem.model
    bad: BadState = subject.asked
    budget = plan.budget if share == 1 else plan.budget.share(share)
    part = replace(problem, model=system.cone(bad).as_program(), subjects=(subject,))
    return Verification(Means(part, plan), subject, budget).answer()
