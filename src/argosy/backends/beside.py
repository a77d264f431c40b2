"""Several runs of one backend side by side, in processes of their own; the first answer to a subject is its answer.

The runs are *lanes*. They differ in the strategies that they try (those of ``auto``, dealt out) or, where more is asked
than there are lanes, in the subject that they begin with. Every answer was certified by the lane that gives it, so
which one is first makes no difference to a verdict. When all subjects are answered, the lanes that are left are killed.

What a lane learns it tells the others, as candidates (``backends.exchange``).

A lane that is killed from outside is started once more. Where all together come near the limit of memory, the largest
is ended, and gets another chance when the others have failed. The limits themselves are kept by whoever watches the
process that all this happens in (``session.watch``), and so is it that no process outlives the run.
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.backends.contract import UNKNOWN, Answer, Backend, Lane, Plan
from argosy.backends.exchange import Learned
from argosy.backends.lane import Found, LaneFailure, LanePhase, LaneProcess, end
from argosy.basics.budget import TIME_LIMIT
from argosy.basics.errors import UnsupportedError
from argosy.basics.processes import trees
from argosy.basics.records import replace
from argosy.logic.transport import Shared
from argosy.problem.problem import Problem, Subject
from argosy.strategies import configure

# The part of the memory limit at which the largest of several lanes is ended.
NEARLY_ALL = 0.85

KILLED = "a part of the run was killed from outside"

_LOOK = 0.1


class LaneFault(Exception):
    """A lane ended as no lane should, and no other one had an answer."""


def decide(backend: Backend, problem: Problem, plan: Plan) -> Sequence[Answer]:
    """What the backend says, by up to ``plan.jobs`` processes."""
    lanes = lanes_of(problem, plan)
    return _Race(backend, problem, plan, lanes).answers() if len(lanes) > 1 else backend(problem, plan)


def lanes_of(problem: Problem, plan: Plan) -> list[tuple[Problem, Plan]]:
    """What each lane is to decide, and how. Where there are enough subjects, each lane has all strategies and begins
    with another subject; otherwise each has some of the strategies."""
    several = len(problem.subjects) if not plan.each else 1
    if several >= plan.jobs:
        starts = [several * number // plan.jobs for number in range(plan.jobs)]
        turned = [(*problem.subjects[start:], *problem.subjects[:start]) for start in starts]
        return [(replace(problem, subjects=subjects), plan) for subjects in turned]
    count = min(plan.jobs, ways(problem.kind, plan.strategy, plan.options))
    return [(problem, replace(plan, lane=Lane(number, count))) for number in range(count)]


def ways(kind: str, strategy: Any, options: Mapping[str, str]) -> int:
    """How many strategies can be tried side by side."""
    if not isinstance(strategy, str):
        return 1
    chosen = configure(strategy, options, kind).strategy
    return len(chosen.ways) if not options else max(1, len(chosen.stages))


class _Race:
    """The lanes of one problem, and what they have said."""

    def __init__(self, backend: Backend, problem: Problem, plan: Plan, lanes: Sequence[tuple[Problem, Plan]]) -> None:
        self._backend = backend
        self._problem = problem
        self._plan = plan
        self._count = len(lanes)
        self._shared = Shared.below(problem)
        self._running: list[LaneProcess] = []
        self._waiting = list(enumerate(lanes))
        # Lanes that were ended for their memory, and those that were started a second time.
        self._postponed: list[tuple[int, tuple[Problem, Plan]]] = []
        self._repeated: set[int] = set()
        self._order: Sequence[Subject] = problem.subjects if not plan.each else ()
        self._asked = {id(subject) for subject in problem.subjects}
        self._found: dict[Any, Answer] = {}
        self._unknown: dict[Any, list[Answer]] = {}
        self._failures: list[LaneFailure] = []
        self._phases: dict[int, LanePhase] = {}
        self._look = 0.0

    def answers(self) -> list[Answer]:
        try:
            while self._started() and not self._is_over():
                for lane in self._ready():
                    self._hear(lane)
                    if self._all_found():
                        return self._final()
                self._keep_memory()
        finally:
            end(self._running)
        return self._final()

    # ---- lanes --------------------------------------------------------------------------------------------

    def _started(self) -> bool:
        """Start what waits; whether anything runs."""
        if not self._running and not self._waiting and self._postponed:
            self._waiting.append(self._postponed.pop())
        while self._waiting:
            number, (problem, plan) = self._waiting.pop(0)
            others = [lane.reader for lane in self._running]
            self._running.append(LaneProcess(number, self._backend, problem, plan, self._shared, others))
        return bool(self._running)

    def _is_over(self) -> bool:
        """On the clock of the wall: the lanes do the work, and stop by themselves where they can."""
        return self._plan.budget.is_over

    def _ready(self) -> Iterator[LaneProcess]:
        wait = min(_LOOK, self._plan.budget.left)
        with selectors.DefaultSelector() as selector:
            for lane in self._running:
                selector.register(lane.reader, selectors.EVENT_READ, lane)
            yield from [key.data for key, _ in selector.select(wait)]

    def _hear(self, lane: LaneProcess) -> None:
        for message in lane.said():
            match message:
                case LanePhase():
                    self._phases[lane.number] = message
                    self._tell()
                case Found():
                    self._take(message)
                case Learned():
                    for other in self._running:
                        if other is not lane:
                            other.tell(message)
                case LaneFailure():
                    self._failures.append(message)
        if lane.is_closed:
            self._running.remove(lane)
            self._phases.pop(lane.number, None)
            self._ended(lane, lane.wait())

    def _ended(self, lane: LaneProcess, status: int) -> None:
        if lane.has_finished:
            return
        if status == -signal.SIGKILL:
            if lane.number not in self._repeated:
                self._repeated.add(lane.number)
                self._waiting.append((lane.number, lane.asked))
            self._failures.append(LaneFailure(KILLED))
        else:
            self._failures.append(LaneFailure(f"a part of the run ended with exit code {status}", fault=True))

    def _keep_memory(self) -> None:
        limit, now = self._plan.budget.memory_mb, time.monotonic()
        if limit is None or len(self._running) < 2 or now < self._look:
            return
        self._look = now + _LOOK
        most = NEARLY_ALL * limit
        used = {root: use.memory_mb for root, (_, use) in trees([os.getpid()], most).items()}
        if sum(used.values()) > most:
            sizes = {root: use.memory_mb for root, (_, use) in trees([lane.pid for lane in self._running], 0.0).items()}
            largest = max(self._running, key=lambda lane: sizes[lane.pid])
            self._running.remove(largest)
            self._phases.pop(largest.number, None)
            end([largest])
            self._postponed.append((largest.number, largest.asked))

    # ---- answers ------------------------------------------------------------------------------------------

    def _take(self, said: Found) -> None:
        if self._plan.each and len(said.asked) >= len(self._order):
            # A lane may have read the model again, with more places in it.
            self._order = said.asked
        before = len(self._found)
        for answer in said.answers:
            if answer.verdict != UNKNOWN:
                self._found.setdefault(self._key(answer.subject), self._named(answer))
            elif said.final:
                self._unknown.setdefault(self._key(answer.subject), []).append(answer)
        if len(self._order) > 1 and len(self._found) > before:
            self._plan.listener.keep(self._merged())

    def _key(self, subject: Subject) -> Any:
        """What was asked is known by its identity, for two may be equal; an assertion by its place."""
        return id(subject) if id(subject) in self._asked else subject.asked

    def _named(self, answer: Answer) -> Answer:
        return replace(answer, strategy={**answer.strategy, "jobs": str(self._count)})

    def _all_found(self) -> bool:
        return bool(self._order) and all(self._key(subject) in self._found for subject in self._order)

    def _final(self) -> list[Answer]:
        """A crash is a fault of the program, unless others have answered everything: then it is a note."""
        self._order = self._order or self._problem.subjects
        crashes = tuple(dict.fromkeys(failure.what for failure in self._failures if failure.fault))
        if not self._all_found():
            for failure in self._failures:
                if failure.fault:
                    raise LaneFault(failure.what)
                if failure.refused_at is not None and not self._unknown:
                    raise UnsupportedError(failure.refused_at, failure.what)
        return [replace(answer, notes=(*answer.notes, *crashes)) for answer in self._merged()]

    def _merged(self) -> list[Answer]:
        """What was found, and for the rest why nothing was."""
        return [self._found.get(self._key(subject)) or self._open(subject) for subject in self._order]

    def _open(self, subject: Subject) -> Answer:
        reasons = [each.what for each in self._failures if not each.fault]
        answers = self._unknown.get(self._key(subject), [])
        reasons = [reason for answer in answers for reason in (answer.reason or "").split("; ")] + reasons
        if not answers:
            named = {"name": self._plan.strategy_name, "jobs": str(self._count)}
            return Answer(subject, UNKNOWN, "; ".join(dict.fromkeys(reasons)) or TIME_LIMIT, strategy=named)
        deepest = max(answers, key=lambda answer: answer.details.get("depth", -1))
        return self._named(replace(deepest, reason="; ".join(dict.fromkeys(reasons))))

    def _tell(self) -> None:
        listener = self._plan.listener
        phase = " | ".join(dict.fromkeys(each.phase for each in self._phases.values()))
        if listener.is_due(phase):
            counts: dict[str, float] = {}
            for each in self._phases.values():
                for name, count in each.counts.items():
                    counts[name] = counts.get(name, 0) + count
            listener.update(phase, **counts)
