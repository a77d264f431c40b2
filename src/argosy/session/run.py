"""One way for every kind of model: an input is read, decided by the backend of its kind, and becomes a result.

Task ── frontends.registry ──► Problem ── backends.registry ──► Answers ── report.answers ──► Result ──► exporters
(counterexamples are shortened on the way: ``backends.shortening``)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from argosy.backends.contract import SAFE, Answer, Execution, Lane, Plan
from argosy.backends.course import Course
from argosy.backends.registry import KINDS
from argosy.basics import processors
from argosy.basics.budget import Budget
from argosy.basics.choices import did_you_mean
from argosy.basics.errors import UsageError
from argosy.basics.garbage import while_reading
from argosy.basics.processes import peak_memory_mb, processor_limit, processor_seconds
from argosy.basics.records import dataclass, replace
from argosy.frontends.files import STANDARD_INPUT
from argosy.frontends.registry import Request
from argosy.problem.problem import Problem
from argosy.report.answers import result_of
from argosy.report.exporters import SHOW_THE_COURSE, Decided, exported
from argosy.report.result import Result
from argosy.session.advice import advised
from argosy.session.progress import Progress
from argosy.session.task import AUTO, Task

if TYPE_CHECKING:
    from argosy.session.watching import Watching

NOTHING = "nothing to check"


def run(task: Task, progress: Progress) -> Result:
    """Decide a task. InputError, UnsupportedError and UsageError are for the caller to report."""
    begun = time.monotonic()
    decided = decide(task, progress)
    if task.execute:
        from argosy.session.execution import executed

        progress.update("executing")
        decided = executed(decided)
    if task.exports:
        # Who started this process measures it to the end; files are written before that.
        seconds, memory = round(time.monotonic() - begun, 3), round(peak_memory_mb(), 1)
        taken = {"wall_s": seconds, "cpu_s": round(processor_seconds(), 3), "peak_memory_mb": memory}
        decided = replace(decided, result=decided.result.with_statistics(**taken))
        progress.keep(decided.result)
        progress.update("writing")
        for path, text in exported(decided, task.exports):
            progress.export(path, text)
    return decided.result


def decide(task: Task, progress: Progress | None = None) -> Decided:
    """The problem of a task, what the backend says of it, and the result: evidence as objects."""
    progress = progress or Progress(lambda phase, counts: None)
    budget = Budget.of(task.time_limit, task.memory_limit)
    look = processors.Idling.now()
    progress.update("reading")
    problem = read(task)
    kind = KINDS[problem.kind]
    jobs = jobs_of(task, look)
    processor = processor_limit()
    if processor is not None:
        budget = budget.at_most(processor / jobs)

    def shown(answers: Sequence[Answer]) -> Result:
        return said(task, problem, result_of(problem, answers))

    watching = _watching(progress) if task.watched else None
    plan = Plan(
        task.strategy,
        task.options,
        task.reading.get("arithmetic", "auto"),
        task.reading.get("signed-overflow", "undefined"),
        budget,
        task.seed,
        task.certify,
        task.certify_with,
        task.each,
        not SHOW_THE_COURSE.isdisjoint(task.exports),
        _Telling(progress, shown, watching),
        jobs,
        None if task.lane is None else Lane(*task.lane),
    )
    backend = kind.backend()
    if jobs > 1:
        from argosy.backends.beside import decide as side_by_side

        answers = tuple(side_by_side(backend, problem, plan))
    else:
        answers = tuple(backend(problem, plan))
    if watching is not None and answers:
        watching.end(answers[-1].course)
    if task.shorten and any(isinstance(answer.evidence, Execution) for answer in answers):
        from argosy.backends.shortening import with_short_counterexamples

        answers = with_short_counterexamples(answers, plan)
    return Decided(problem, answers, shown(answers))


def _watching(progress: Progress) -> Watching:
    from argosy.session.watching import Watching

    return Watching(progress)


def jobs_of(task: Task, look: processors.Idling) -> int:
    """How many processes work side by side. Where nobody says, as many as there are processors that were free since
    ``look``; a strategy that was named is run as it is."""
    if task.jobs is not None:
        return task.jobs
    if task.strategy != AUTO:
        return 1
    return processors.asked() or look.free_since()


def read(task: Task, deep: bool = False) -> Problem:
    """The problem that a task is about."""
    format = task.check()
    text = sys.stdin.read() if task.input == STANDARD_INPUT else None
    with while_reading():
        problem = format.load(Request(task.input, task.reading, text, deep))
    return problem if task.only is None else _only(problem, task.only)


def _only(problem: Problem, wanted: str) -> Problem:
    """The same model with one of the things that are asked of it."""
    texts = [subject.text for subject in problem.subjects]
    names = [text.partition(":")[0] for text in texts]
    places = [place for place, text in enumerate(texts) if wanted in (text, names[place])]
    if not places:
        raise UsageError(f"--only: nothing asked is called {wanted[:80]}{did_you_mean(wanted, [*names, *texts])}")
    deeper = problem.deeper
    again = None if deeper is None else (lambda: _only(deeper(), wanted))
    return replace(problem, subjects=tuple(problem.subjects[place] for place in places[:1]), deeper=again)


def said(task: Task, problem: Problem, result: Result) -> Result:
    """What the user's wishes make of a result."""
    if problem.nothing is not None and task.strict and result.verdict == SAFE:
        return replace(result, verdict="unknown", reason=NOTHING, certified=False, certificate=None)
    return advised(task, problem.kind, result)


@dataclass(frozen=True, slots=True)
class _Telling:
    """Tells the progress of a run, and keeps what is answered so far as a result."""

    progress: Progress
    shown: Callable[[Sequence[Answer]], Result]
    watching: Watching | None = None

    def is_due(self, phase: str) -> bool:
        return self.progress.is_due(phase)

    def update(self, phase: str, **counts: float) -> None:
        self.progress.update(phase, **counts)

    def keep(self, answers: Sequence[Answer]) -> None:
        self.progress.keep(self.shown(answers))

    def look(self, glance: Callable[[], Course]) -> None:
        if self.watching is not None:
            self.watching.look(glance)
