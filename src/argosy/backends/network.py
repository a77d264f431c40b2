"""From a network of timed automata and its queries to certified answers: read, search, certify, one query at a time.

A reached goal becomes a run with exact time stamps (``concretise``), and is UNSAFE after the interpreter has replayed
it; an exhausted search is SAFE after its zones were found inductive (``certify.zones``). ``A[] p`` is decided by
``E<> not p``, so that SAFE means for both that the states asked about are never entered. A query that cannot be
decided, for whatever reason, is UNKNOWN and touches no other.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.certify.timed_replay import ReplayError, TimedStep, replay, replay_error
from argosy.frontends import uppaal
from argosy.kernel.dbm import Zone
from argosy.models.network import Edge
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Quantifier, Query, UnsupportedQuery, goals
from argosy.report.runs import described, failing
from argosy.session.processes import MEGABYTE, peak_memory_mb
from argosy.session.progress import Progress
from argosy.session.result import PENDING, SAFE, UNKNOWN, UNSAFE, Result
from argosy.session.task import Task
from argosy.strategies.networks import ZONES, configure_network

if TYPE_CHECKING:
    from argosy.directed.search import Searched

NOT_BUILT = "networks need the native kernel, which was not built: install again where a C++20 compiler is"

STOPPED = {"time": "time limit", "memory": "memory limit", "interrupted": "interrupted"}

COUNTED = ("nodes", "explored_states", "transitions", "certify_s")

WORDS = {True: "Formula is satisfied.", False: "Formula is NOT satisfied."}

# What the store may have of the memory limit; the rest is for what is not counted there.
SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one query. Law as for ``Result``: a reason exactly where the verdict is unknown."""

    query: Query | UnsupportedQuery
    verdict: str
    reason: str | None = None
    certificate: str | None = None
    trace: Sequence[dict[str, Any]] = ()
    statistics: dict[str, float] = field(default_factory=dict)
    search: str | None = None
    dropped: Sequence[str] = ()

    @property
    def formula(self) -> str | None:
        """UPPAAL's words."""
        if self.verdict == UNKNOWN or isinstance(self.query, UnsupportedQuery):
            return None
        return WORDS[(self.verdict == UNSAFE) == (self.query.quantifier is Quantifier.POSSIBLY)]

    def to_json(self) -> dict[str, Any]:
        return {
            "query": self.query.text,
            "line": self.query.position.line,
            "formula": self.formula,
            "verdict": self.verdict,
            "reason": self.reason,
            "certified": self.certificate is not None,
            "certificate": self.certificate,
            "search": self.search,
            "dropped": list(self.dropped),
            "statistics": self.statistics,
            "counterexample": list(self.trace),
        }


class OutOfTime(Exception):
    """The time of a query ended while its certificate was checked."""


def run(task: Task, progress: Progress | None = None) -> Result:
    """Decide every query of a network. InputError is for the caller to report."""
    try:
        return Verification(task, progress).result()
    except UnsupportedError as error:
        place = error.position if error.position.line else error.position.file
        return Result.unknown(task, f"unsupported: {place}: {error.what}")


class Verification:
    """One network on its way to a result."""

    def __init__(self, task: Task, progress: Progress | None) -> None:
        try:
            import_module("argosy.kernel._zones")
            import_module("argosy.kernel._certifier")
        except ModuleNotFoundError as error:
            raise UnsupportedError(Position(task.input, 0), NOT_BUILT) from error
        self.task = task
        self.progress = progress
        self.deadline = None if task.time_limit is None else time.monotonic() + task.time_limit
        self._name = ZONES.name if task.strategy_name == "auto" else task.strategy_name
        self.options = configure_network(task.options, task.strategy_name)
        self._done: dict[str, float] = {}
        self._keep_again = 0.0
        self._say("reading")
        self.network, self.queries = uppaal.load(task.input, task.query)
        if not self.queries:
            raise InputError(Position(task.input, 0), "no query: give --query, or a .q file beside the model")
        broken = [q for q in self.queries if isinstance(q, UnsupportedQuery) and q.malformed]
        if len(broken) == len(self.queries):
            raise InputError(broken[0].position, broken[0].what)

    def result(self) -> Result:
        """Queries share the time that is left equally; one that needs more is tried again after the others."""
        answers: dict[int, Answer] = {}
        waiting = list(enumerate(self.queries))
        while waiting:
            late = []
            for place, (number, query) in enumerate(waiting):
                answers[number] = self._answer(query, len(waiting) - place)
                self._done = {name: sum(a.statistics.get(name, 0) for a in answers.values()) for name in COUNTED}
                self._keep(answers)
                if answers[number].reason == STOPPED["time"]:
                    late.append((number, query))
            left = self._time_left()
            waiting = late if len(waiting) > 1 and left is not None and left > 0 else []
        return self._combined(answers)

    def _keep(self, answers: Mapping[int, Answer]) -> None:
        """Should the run have to be killed, what was answered is not lost. Keeping gets an eleventh of the time."""
        begun = time.monotonic()
        if self.progress is None or len(self.queries) == 1 or begun < self._keep_again:
            return
        pending = {n: Answer(q, UNKNOWN, PENDING) for n, q in enumerate(self.queries) if n not in answers}
        self.progress.keep(self._combined({**answers, **pending}))
        now = time.monotonic()
        self._keep_again = now + 10 * (now - begun)

    def _answer(self, query: Query | UnsupportedQuery, sharing: int) -> Answer:
        from argosy.kernel.bounds import Unsupported

        if isinstance(query, UnsupportedQuery):
            kind = "cannot be read" if query.malformed else "unsupported"
            return Answer(query, UNKNOWN, f"{kind}: {query.position}: {query.what}")
        left = self._time_left()
        if left == 0:
            return Answer(query, UNKNOWN, STOPPED["time"])
        try:
            return self._decide(query, None if left is None else left / sharing)
        except Unsupported as error:
            return Answer(query, UNKNOWN, f"unsupported: {error}")
        except MemoryError:
            return Answer(query, UNKNOWN, STOPPED["memory"])

    def _decide(self, query: Query, seconds: float | None) -> Answer:
        from argosy.kernel.search import Exhausted, Failed, Reached

        end = None if seconds is None else time.monotonic() + seconds
        searched = self._search(query, end)
        search, outcome = searched.search, searched.outcome
        counts: dict[str, float] = {
            "nodes": outcome.statistics.stored,
            "explored_states": outcome.statistics.visited,
            "transitions": outcome.statistics.transitions,
        }
        self._say("certifying", nodes=counts["nodes"], explored_states=counts["explored_states"])
        begun = time.monotonic()
        match outcome:
            case Reached(goal, trace):
                answer = self._reached(query, trace, goal)
            case Exhausted():
                answer = self._exhausted(query, search, end)
            case Failed():
                answer = self._failed(query, outcome)
            case _:
                answer = Answer(query, UNKNOWN, STOPPED[outcome.reason])
        counts["certify_s"] = round(time.monotonic() - begun, 3)
        counts["overhead_s"] = round(searched.overhead, 3)
        return replace(answer, statistics=counts, search=searched.description, dropped=searched.dropped)

    def _search(self, query: Query, end: float | None) -> Searched:
        from argosy.directed.search import Limits, search

        def tick(stored: int, visited: int) -> None:
            self._say("searching", nodes=stored, explored_states=visited)

        return search(
            self.network,
            goals(query.target),
            self.options,
            possibly=query.quantifier is Quantifier.POSSIBLY,
            seed=self.task.seed,
            limits=Limits(0 if end is None else max(end - time.monotonic(), 0.001), self._store_limit()),
            tick=tick,
        )

    def _reached(self, query: Query, trace: Sequence[tuple[Edge, ...]], goal: Any) -> Answer:
        from argosy.kernel.concretise import InfeasibleTrace, concretise

        try:
            actions = concretise(self.network, trace, goal)
            steps = [TimedStep(action.delay, action.edges) for action in actions]
            moments = replay(self.network, steps, query.target)
        except (InfeasibleTrace, ReplayError) as error:
            return Answer(query, UNKNOWN, f"not certified: the trace is refuted: {error}")
        except ModelError as error:
            return Answer(query, UNKNOWN, f"model error: {error}")
        zones = [action.zone for action in actions]
        return Answer(query, UNSAFE, None, "replay", described(self.network, moments, zones))

    def _exhausted(self, query: Query, search: Any, end: float | None) -> Answer:
        from argosy.certify.zones import Inductive, certify

        if not self.task.certify:
            return Answer(query, SAFE)

        def tick() -> None:
            self._say("certifying")
            if end is not None and time.monotonic() > end:
                raise OutOfTime

        try:
            answer = certify(search, tick)
        except OutOfTime:
            return Answer(query, UNKNOWN, STOPPED["time"])
        if isinstance(answer, Inductive):
            return Answer(query, SAFE, None, "graph")
        return Answer(query, UNKNOWN, f"not certified: {answer.reason}")

    def _failed(self, query: Query, outcome: Any) -> Answer:
        """The interpreter says what is wrong; where it sees nothing wrong, only the search's word is given."""
        from argosy.kernel.concretise import InfeasibleTrace, concretise

        try:
            actions = concretise(self.network, outcome.trace, None)
            steps = [TimedStep(action.delay, action.edges) for action in actions]
            fault = replay_error(self.network, steps, query.target)
        except ModelError as error:
            # Already where the first state is computed: there is no run but that state, if it exists.
            return Answer(query, UNKNOWN, f"model error: {error}", None, self._until((), ()))
        except (InfeasibleTrace, ReplayError) as error:
            place = f"{outcome.position}: " if outcome.position.line else ""
            return Answer(query, UNKNOWN, f"model error: {place}{outcome.fault} (not replayed: {error})")
        run = self._until(steps, [action.zone for action in actions])
        return Answer(query, UNKNOWN, f"model error: {fault}", None, run)

    def _until(self, steps: Sequence[TimedStep], zones: Sequence[Zone]) -> list[dict[str, Any]]:
        """The run up to a model error; where the error is in the last action, it has no values after that."""
        try:
            return described(self.network, replay(self.network, steps), zones)
        except ModelError:
            if not steps:
                return []
        last = steps[-1]
        try:
            moments = replay(self.network, steps[:-1])
        except ModelError:
            return []
        end = failing(self.network, last.edges, last.delay, moments[-1].time + last.delay)
        return [*described(self.network, moments, zones), end]

    # ---- limits and the result ----------------------------------------------------------------------------

    def _time_left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def _store_limit(self) -> int:
        """In bytes; 0 is no limit."""
        limit = self.task.memory_limit
        return 0 if limit is None else max(MEGABYTE, int(SHARE * MEGABYTE * (limit - peak_memory_mb())))

    def _say(self, phase: str, **counts: float) -> None:
        """``counts`` are those of one query; those of the queries before it are added."""
        if self.progress is not None:
            self.progress.update(phase, **{name: count + self._done.get(name, 0) for name, count in counts.items()})

    def _combined(self, numbered: Mapping[int, Answer]) -> Result:
        """UNSAFE if any is, else UNKNOWN if any is, else SAFE."""
        answers = [numbered[number] for number in sorted(numbered)]
        verdicts = [answer.verdict for answer in answers]
        verdict = next((v for v in (UNSAFE, UNKNOWN) if v in verdicts), SAFE)
        deciding = [answer for answer in answers if answer.verdict == verdict]
        reasons = dict.fromkeys(answer.reason for answer in deciding if answer.reason is not None)
        certified = all(answer.certificate is not None for answer in deciding)
        return Result(
            verdict,
            reason="; ".join(reasons) if verdict == UNKNOWN else None,
            certified=certified,
            certificate=deciding[0].certificate if certified else None,
            input=self.task.input,
            property=answers[0].query.text if len(answers) == 1 else f"{len(answers)} queries",
            strategy={"name": self._name, **self.options},
            statistics={name: sum(answer.statistics.get(name, 0) for answer in answers) for name in COUNTED},
            counterexample=deciding[0].trace if verdict != SAFE else (),
            ledger=self._ledger(verdicts),
            queries=[answer.to_json() for answer in answers],
        )

    def _ledger(self, verdicts: Sequence[str]) -> tuple[str, ...]:
        uncertified = SAFE in verdicts and not self.task.certify
        return (*self.network.notes, *(["not certified: --no-certify was given"] if uncertified else []))
