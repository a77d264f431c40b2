"""Backends that misbehave in lanes, each in one way; ``test_jobs`` has them run side by side in place of a real one.

The input of the task is the file that they write their process ids to; what is asked is as many subjects as its seed
says."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from argosy.backends.beside import decide
from argosy.backends.contract import SAFE, UNKNOWN, Answer, Backend, Plan
from argosy.backends.exchange import Learned
from argosy.basics.budget import Budget
from argosy.problem.problem import Problem, Subject
from argosy.report.answers import result_of
from argosy.report.result import Result
from argosy.session.progress import Progress
from argosy.session.task import Task


def _race(task: Task, body: Backend, seconds: float | None = None) -> Result:
    subjects = tuple(Subject("query", f"number {number}") for number in range(max(1, task.seed)))
    problem = Problem("program", "c", task.input, None, subjects)
    plan = Plan(jobs=task.jobs or 1, each=task.each, budget=Budget.of(seconds, task.memory_limit))
    return result_of(problem, decide(body, problem, plan))


def _answers(problem: Problem, plan: Plan, verdict: str = SAFE) -> list[Answer]:
    reason = "nothing found" if verdict == UNKNOWN else None
    return [
        Answer(subject, verdict, reason, None if reason else "invariant", strategy={"name": "auto"})
        for subject in problem.subjects
    ]


def _first(plan: Plan) -> bool:
    assert plan.lane is not None
    return plan.lane.number == 0


def _note(problem: Problem, *pids: int) -> None:
    with open(problem.input, "a") as file:
        file.write("".join(f"{pid}\n" for pid in pids))


def second_answers(task: Task, progress: Progress) -> Result:
    """The first has a worker and would take a minute."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        if _first(plan):
            _note(problem, os.getpid(), subprocess.Popen(["sleep", "60"]).pid)
            time.sleep(60)
        while not os.path.exists(problem.input) or len(Path(problem.input).read_text().split()) < 2:
            time.sleep(0.01)
        return _answers(problem, plan)

    return _race(task, body)


def both_wait(task: Task, progress: Progress) -> Result:
    """With a seed only for half a second."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        _note(problem, os.getpid(), subprocess.Popen(["sleep", "60"]).pid)
        time.sleep(60)
        return _answers(problem, plan)

    return _race(task, body, 0.5 if task.seed else None)


def first_is_killed(task: Task, progress: Progress) -> Result:
    """It has the only answer, and gives it when it is started again. With a seed it is killed again."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        if _first(plan):
            again = os.path.exists(problem.input)
            _note(problem, os.getpid())
            if task.seed or not again:
                os.kill(os.getpid(), signal.SIGKILL)
            return _answers(problem, plan)
        return _answers(problem, plan, UNKNOWN)

    return _race(task, body)


def first_crashes(task: Task, progress: Progress) -> Result:
    """The other one has an answer; with a seed it has none."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        if _first(plan):
            raise RuntimeError("the moon is in the wrong quarter")
        time.sleep(0.3)
        return _answers(problem, plan, UNKNOWN if task.seed else SAFE)

    return _race(task, body)


def both_are_large(task: Task, progress: Progress) -> Result:
    """Each stays below the limit, and both together do not. Only the first, the larger one, has an answer."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        _note(problem, os.getpid())
        # They grow slowly near the limit, so that it is seen in time on a busy machine as well.
        blocks = [b"x" * (60_000_000 if _first(plan) else 20_000_000)]
        for _ in range(20):
            blocks.append(b"x" * 4_000_000)
            time.sleep(0.15)
        assert blocks
        return _answers(problem, plan, SAFE if _first(plan) else UNKNOWN)

    return _race(task, body)


def one_tells_the_other(task: Task, progress: Progress) -> Result:
    """The first says something and waits; the second has an answer when it has heard it."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        if _first(plan):
            plan.exchange.tell(Learned(subject=problem.subjects[0], depth=7))
            plan.exchange.tell(Learned(subject=problem.subjects[0], depth=9))
            time.sleep(60)
        heard: list[Learned] = []
        while len(heard) < 2:
            heard += plan.exchange.heard()
            time.sleep(0.01)
        right = [(each.depth, each.subject is problem.subjects[0]) for each in heard] == [(7, True), (9, True)]
        return _answers(problem, plan, SAFE if right else UNKNOWN)

    return _race(task, body)


def each_knows_one(task: Task, progress: Progress) -> Result:
    """Of two subjects each lane answers the one that it begins with; then it would take a minute."""

    def body(problem: Problem, plan: Plan) -> Sequence[Answer]:
        [first, *rest] = _answers(problem, plan)
        plan.listener.keep([first, *(Answer(each.subject, UNKNOWN, "not yet") for each in rest)])
        time.sleep(60)
        return [first, *rest]

    return _race(task, body)
