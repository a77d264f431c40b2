"""The backend of networks of timed automata: search, certify, one query at a time.

A reached goal becomes a run with exact time stamps (``concretise``), and is UNSAFE after the interpreter has replayed
it; an exhausted search is SAFE after its zones were found inductive (``certify.zones``). ``A[] p`` is decided by
``E<> not p``, so that SAFE means for both that the states asked about are never entered. A query that cannot be
decided, for whatever reason, is UNKNOWN and touches no other. Queries about whole runs go to ``network_liveness``,
those for extreme values to ``network_extremes``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from argosy.backends.contract import SAFE, UNKNOWN, UNSAFE, Answer, Plan, TimedRun
from argosy.backends.network_symmetry import NOT_ASKED, FoundSymmetry, entry, found_symmetry
from argosy.basics.budget import INTERRUPTED, MEMORY_LIMIT, PENDING, TIME_LIMIT, Budget
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.basics.processes import MEGABYTE, peak_memory_mb
from argosy.basics.records import replace
from argosy.certify.timed_replay import ReplayError, TimedStep, replay, replay_error
from argosy.kernel.dbm import Zone
from argosy.models.network import Network, TimedEdge
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import ExtremeQuery, Quantifier, Query, StateFormula, UnsupportedQuery, goals
from argosy.options.networks import NetworkOptions, Reduction, StateStore, WantedTrace
from argosy.problem.problem import Problem, Subject
from argosy.strategies import configure

if TYPE_CHECKING:
    from argosy.directed.search import Searched

NOT_BUILT = "networks need the native kernel, which was not built: install again where a C++20 compiler is"

STOPPED = {"time": TIME_LIMIT, "memory": MEMORY_LIMIT, "interrupted": INTERRUPTED}

COUNTED = ("nodes", "explored_states", "transitions", "certify_s")

# What the store may have of the memory limit; the rest is for what is not counted there.
SHARE = 0.9

# Of what is resident, where states are on disk: it is looked at now and then only, and may grow in between.
RESIDENT_SHARE = 0.7


class OutOfTime(Exception):
    """The time of a query ended while its certificate was checked."""


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    """An answer to every query."""
    try:
        import_module("argosy.kernel._zones")
        import_module("argosy.kernel._certifier")
    except ModuleNotFoundError as error:
        raise UnsupportedError(Position(problem.input, 0), NOT_BUILT) from error
    return _Queries(problem, plan).answers()


class _Queries:
    """The queries of one network on their way to answers."""

    def __init__(self, problem: Problem, plan: Plan) -> None:
        self.problem = problem
        self.plan = plan
        self.network: Network = problem.model
        chosen = configure(plan.strategy_name, plan.options, "network")
        if plan.lane is not None:
            # Searches that differ only in where they look first: each proves, and finds, as much as the others.
            chosen = configure(plan.lane.own(chosen.strategy.ways)[0], plan.options, "network")
        assert isinstance(chosen.options, NetworkOptions)
        self.options, self.notes = chosen.options, chosen.notes
        self.strategy = {"name": chosen.strategy.name, **chosen.options.to_strings()}
        self._done: dict[str, float] = {}
        self._keep_again = 0.0

    def answers(self) -> list[Answer]:
        """Queries share the time that is left equally; one that needs more is tried again after the others."""
        answers: dict[int, Answer] = {}
        waiting = list(enumerate(self.problem.subjects))
        while waiting:
            late = []
            for place, (number, subject) in enumerate(waiting):
                answers[number] = self._answer(subject, self._share(len(waiting) - place))
                self._done = {name: sum(a.statistics.get(name, 0) for a in answers.values()) for name in COUNTED}
                self._keep(answers)
                if answers[number].reason == TIME_LIMIT:
                    late.append((number, subject))
            again = len(waiting) > 1 and self.plan.budget.is_limited and not self.plan.budget.is_over
            waiting = late if again else []
        return [answers[number] for number in sorted(answers)]

    def _keep(self, answers: Mapping[int, Answer]) -> None:
        """Should the run have to be killed, what was answered is not lost. Keeping gets an eleventh of the time."""
        begun = time.monotonic()
        if len(self.problem.subjects) == 1 or begun < self._keep_again:
            return
        subjects = enumerate(self.problem.subjects)
        self.plan.listener.keep([answers.get(n) or self._said(s, UNKNOWN, PENDING) for n, s in subjects])
        now = time.monotonic()
        self._keep_again = now + 10 * (now - begun)

    def _answer(self, subject: Subject, budget: Budget) -> Answer:
        from argosy.kernel.bounds import Unsupported

        query = subject.asked
        if isinstance(query, UnsupportedQuery):
            return self._said(subject, UNKNOWN, query.reason)
        if budget.is_over:
            return self._said(subject, UNKNOWN, TIME_LIMIT)
        try:
            if isinstance(query, ExtremeQuery):
                return self._decide_extreme(subject, query, budget)
            return self._decide(subject, query, budget)
        except Unsupported as error:
            return self._said(subject, UNKNOWN, f"unsupported: {error}")
        except MemoryError:
            return self._said(subject, UNKNOWN, MEMORY_LIMIT)

    def _said(
        self,
        subject: Subject,
        verdict: str,
        reason: str | None = None,
        certificate: str | None = None,
        run: TimedRun | None = None,
    ) -> Answer:
        uncertified = verdict == SAFE and certificate is None
        notes = (*self.network.notes, *self.notes, *(["not certified: --no-certify was given"] if uncertified else []))
        return Answer(subject, verdict, reason, certificate, run, strategy=self.strategy, notes=notes)

    def _decide(self, subject: Subject, query: Query, budget: Budget) -> Answer:
        from argosy.kernel.search import Exhausted, Failed, GoalReached

        if query.quantifier.is_liveness:
            return self._decide_liveness(subject, query, budget)
        found = self._symmetry(query.target)
        searched = self._search(query.target, budget, query.quantifier is Quantifier.POSSIBLY, found)
        search, outcome = searched.search, searched.outcome
        counts: dict[str, float] = {
            "nodes": outcome.statistics.stored,
            "explored_states": outcome.statistics.visited,
            "transitions": outcome.statistics.transitions,
        }
        self._say("certifying", nodes=counts["nodes"], explored_states=counts["explored_states"])
        begun = time.monotonic()
        match outcome:
            case GoalReached(goal, trace):
                answer = self._reached(subject, trace, goal, budget)
            case Exhausted():
                answer = self._exhausted(subject, search, budget)
            case Failed():
                answer = self._failed(subject, outcome)
            case _:
                answer = self._said(subject, UNKNOWN, STOPPED[outcome.reason])
        counts["certify_s"] = round(time.monotonic() - begun, 3)
        counts["overhead_s"] = round(searched.overhead, 3)
        details: dict[str, Any] = {"search": searched.description, "dropped": list(searched.dropped)}
        if self.options.symmetry is Reduction.AUTO:
            details["symmetry"] = entry(self.network, found, search.symmetry)
        # Representatives say nothing about the clocks of one process.
        if answer.verdict == SAFE and query.quantifier is Quantifier.INVARIANTLY and search.symmetry is None:
            details |= self._holds(search)
        return replace(answer, statistics=counts, details=details)

    @staticmethod
    def _holds(search: Any) -> dict[str, Any]:
        """The bounds that were proved where others were asked for."""
        from argosy.backends.network_extremes import proved_bounds

        found = proved_bounds(search)
        return {"holds": found} if found else {}

    def _decide_extreme(self, subject: Subject, query: ExtremeQuery, budget: Budget) -> Answer:
        from argosy.backends.network_extremes import Extremes

        if self.network.rated:
            place = self.network.rated[0].position
            return self._said(
                subject, UNKNOWN, f"unsupported: {place}: stopwatches or clock rates: sup, inf and bounds"
            )

        def checking() -> None:
            self._say("certifying")
            if budget.is_over:
                raise OutOfTime

        def ask(target: StateFormula) -> Searched:
            return self._search(target, budget, possibly=False)

        try:
            promised = self.options.trace is not WantedTrace.SOME
            measured = Extremes(self.network, query, ask, checking, self.plan.certify, promised).decide()
        except OutOfTime:
            return self._said(subject, UNKNOWN, TIME_LIMIT)
        except ModelError as error:
            return self._said(subject, UNKNOWN, f"model error: {error}")
        if measured.failed is not None:
            answer = self._failed(subject, measured.failed)
        elif measured.reason is not None:
            answer = self._said(subject, UNKNOWN, STOPPED.get(measured.reason, measured.reason))
        else:
            infinite = measured.height is None and not measured.empty
            certificate = ("replay" if infinite else "graph") if measured.certified else None
            answer = self._said(subject, SAFE, None, certificate, measured.run)
            answer = replace(answer, details={"extreme": measured.entry(query)})
        counts: dict[str, float] = {
            "nodes": measured.statistics.stored,
            "explored_states": measured.statistics.visited,
            "transitions": measured.statistics.transitions,
            "certify_s": round(measured.certify_s, 3),
        }
        details = {"search": measured.search, "dropped": [], **answer.details}
        return replace(answer, statistics=counts, details=details)

    def _decide_liveness(self, subject: Subject, query: Query, budget: Budget) -> Answer:
        from argosy.backends.network_liveness import decide_liveness

        def checking() -> None:
            self._say("certifying")
            if budget.is_over:
                raise OutOfTime

        try:
            lived = decide_liveness(
                self.network,
                query.stay(self.options.non_zeno),
                budget=budget,
                store_bytes=self._store_limit(),
                certify=self.plan.certify,
                tick=lambda stored, visited: self._say("searching", nodes=stored, explored_states=visited),
                checking=checking,
                fastest=self.options.trace is WantedTrace.FASTEST,
            )
        except OutOfTime:
            return self._said(subject, UNKNOWN, TIME_LIMIT)
        except ModelError as error:
            return self._said(subject, UNKNOWN, f"model error: {error}")
        if lived.failed is not None:
            answer = self._failed(subject, lived.failed)
        elif lived.run is not None:
            answer = self._said(subject, UNSAFE, None, "replay", lived.run)
            note = None
            if self.options.trace is WantedTrace.SHORTEST:
                note = "--trace shortest is not for E[], A<> and -->: the run is some run"
            elif lived.unpromised is not None:
                note = f"--trace fastest: that no run settles earlier was not shown: {lived.unpromised}"
            if note is not None:
                answer = replace(answer, notes=(*answer.notes, note))
        elif lived.none:
            answer = self._said(subject, SAFE, None, "graph" if lived.certified else None)
        else:
            assert lived.reason is not None
            answer = self._said(subject, UNKNOWN, STOPPED.get(lived.reason, lived.reason))
        counts: dict[str, float] = {
            "nodes": lived.statistics.stored,
            "explored_states": lived.statistics.visited,
            "transitions": lived.statistics.transitions,
            "certify_s": round(lived.certify_s, 3),
        }
        details: dict[str, Any] = {"search": lived.search, "dropped": []}
        if lived.settles is not None and lived.unpromised is None:
            details["settles"] = lived.settles.entry()
        return replace(answer, statistics=counts, details=details)

    def _symmetry(self, target: StateFormula) -> FoundSymmetry:
        return found_symmetry(self.network, goals(target)) if self.options.symmetry is Reduction.AUTO else NOT_ASKED

    def _search(
        self, target: StateFormula, budget: Budget, possibly: bool, found: FoundSymmetry = NOT_ASKED
    ) -> Searched:
        from argosy.directed.search import search

        def tick(stored: int, visited: int) -> None:
            self._say("searching", nodes=stored, explored_states=visited)

        return search(
            self.network,
            goals(target),
            self.options,
            possibly=possibly,
            seed=self.plan.seed,
            threads=self.plan.jobs,
            budget=budget,
            store_bytes=self._store_limit(),
            tick=tick,
            symmetry=found.symmetry,
        )

    def _reached(self, subject: Subject, trace: Sequence[tuple[TimedEdge, ...]], goal: Any, budget: Budget) -> Answer:
        from argosy.kernel.concretise import BeyondZones, InfeasibleTrace, concretise
        from argosy.kernel.elsewhere import another_run

        try:
            try:
                actions = concretise(self.network, trace, goal)
            except BeyondZones:
                actions = another_run(self.network, goals(subject.asked.target), budget)
            steps = [TimedStep(action.delay, action.edges) for action in actions]
            moments = replay(self.network, steps, subject.asked.target)
        except BeyondZones as error:
            return self._said(subject, UNKNOWN, str(error))
        except (InfeasibleTrace, ReplayError) as error:
            return self._said(subject, UNKNOWN, f"not certified: the trace is refuted: {error}")
        except ModelError as error:
            return self._said(subject, UNKNOWN, f"model error: {error}")
        zones = [action.zone for action in actions]
        return self._said(subject, UNSAFE, None, "replay", TimedRun(self.network, moments, zones))

    def _exhausted(self, subject: Subject, search: Any, budget: Budget) -> Answer:
        from argosy.certify.zones import Inductive, certify

        if not self.plan.certify:
            return self._said(subject, SAFE)

        def tick() -> None:
            self._say("certifying")
            if budget.is_over:
                raise OutOfTime

        try:
            limit = self.plan.budget.memory_mb
            resident = 0 if limit is None else int(RESIDENT_SHARE * MEGABYTE * limit)
            answer = certify(search, tick, self.plan.jobs, resident)
        except OutOfTime:
            return self._said(subject, UNKNOWN, TIME_LIMIT)
        if isinstance(answer, Inductive):
            return self._said(subject, SAFE, None, "graph")
        return self._said(subject, UNKNOWN, f"not certified: {answer.reason}")

    def _failed(self, subject: Subject, outcome: Any) -> Answer:
        """The interpreter says what is wrong; where it sees nothing wrong, only the search's word is given."""
        from argosy.kernel.concretise import InfeasibleTrace, concretise

        try:
            actions = concretise(self.network, outcome.trace, None)
            steps = [TimedStep(action.delay, action.edges) for action in actions]
            fault = replay_error(self.network, steps, subject.asked.evaluated)
        except ModelError as error:
            # Already where the first state is computed: there is no run but that state, if it exists.
            return self._said(subject, UNKNOWN, f"model error: {error}", None, self._until((), ()))
        except (InfeasibleTrace, ReplayError) as error:
            place = f"{outcome.position}: " if outcome.position.line else ""
            return self._said(subject, UNKNOWN, f"model error: {place}{outcome.fault} (not replayed: {error})")
        run = self._until(steps, [action.zone for action in actions])
        return self._said(subject, UNKNOWN, f"model error: {fault}", None, run)

    def _until(self, steps: Sequence[TimedStep], zones: Sequence[Zone]) -> TimedRun | None:
        """The run up to a model error; where the error is in the last action, it has no values after that."""
        try:
            return TimedRun(self.network, replay(self.network, steps), zones)
        except ModelError:
            if not steps:
                return None
        last = steps[-1]
        try:
            moments = replay(self.network, steps[:-1])
        except ModelError:
            return None
        return TimedRun(self.network, moments, zones, (last.edges, last.delay, moments[-1].time + last.delay))

    # ---- limits -------------------------------------------------------------------------------------------

    def _share(self, queries: int) -> Budget:
        """Of both clocks: where the machine is busy, the wall ends a query that others wait for."""
        whole, now = self.plan.budget, time.monotonic()
        return replace(whole.share(1 / queries), wall_end=now + (whole.wall_end - now) / queries)

    def _store_limit(self) -> int:
        """In bytes; 0 is no limit."""
        limit = self.plan.budget.memory_mb
        share = RESIDENT_SHARE if self.options.store is StateStore.DISK else SHARE
        return 0 if limit is None else max(MEGABYTE, int(share * MEGABYTE * (limit - peak_memory_mb())))

    def _say(self, phase: str, **counts: float) -> None:
        """``counts`` are those of one query; those of the queries before it are added."""
        self.plan.listener.update(phase, **{name: count + self._done.get(name, 0) for name, count in counts.items()})
