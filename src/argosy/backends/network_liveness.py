"""Queries about whole runs: ``E[]``, ``A<>`` and ``-->``. A search for a maximal run that stays among the states that
violate the query (for ``E[]``: that satisfy it); what it finds becomes a lasso, or a run that ends, and is checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from argosy.backends.contract import TimedRun
from argosy.backends.network_settling import Settled, first_to_settle
from argosy.basics.budget import Budget
from argosy.basics.records import dataclass, replace
from argosy.certify.staying import RunClaim, certify_none, check_run, moment_of
from argosy.certify.timed_replay import Moment, ReplayError, TimedStep
from argosy.certify.zones import NotInductive
from argosy.kernel.concretise import InfeasibleTrace
from argosy.kernel.lasso import ROUNDS, Lasso, LassoStep, lasso
from argosy.kernel.search import Failed, Statistics, Stopped
from argosy.kernel.staying import Micro, NoneStays, StayFound, StaySearch, ZoneMerging
from argosy.models.network import Network
from argosy.models.network_queries import Stay
from argosy.models.network_semantics import Semantics

PATIENCE = 100
"""Rounds of a cycle backwards, where it may well be that nobody can take it for ever."""


def claim_of(found: Lasso) -> RunClaim:
    """What has to be checked of a lasso. Waiting and actions are steps of the run; where the run begins to stay and
    where its cycle begins, a step ends."""
    steps: list[TimedStep] = []
    begins = 0

    def add(step: LassoStep) -> None:
        steps.append(TimedStep(step.delay, step.micro.edges))

    for step in found.prefix:
        add(step)
        if step.micro.kind is Micro.ARM:
            begins = len(steps)
    begins = 0 if begins == 1 and not steps[0].delay else begins
    if not found.cycle:
        steps.append(TimedStep(found.wait))
        return RunClaim(tuple(steps), begins)
    repeats = len(steps)
    for step in found.cycle:
        add(step)
    return RunClaim(tuple(steps), begins, repeats, tuple(step.micro for step in found.cycle), found.recurring)


@dataclass(frozen=True, slots=True)
class Lived:
    """What became of the search: a run that was checked, or a certificate that there is none, or why there is neither.
    ``failed`` is a model error that the search came upon. ``settles``: when the run does, where the first to settle
    was asked for; ``unpromised``: why it may not be the first."""

    statistics: Statistics
    search: str
    certify_s: float
    run: TimedRun | None = None
    certified: bool = False
    none: bool = False
    reason: str | None = None
    failed: Failed | None = None
    settles: Settled | None = None
    unpromised: str | None = None


def decide_liveness(
    network: Network,
    stay: Stay,
    *,
    budget: Budget,
    store_bytes: int,
    certify: bool,
    tick: Callable[[int, int], None],
    checking: Callable[[], None],
    fastest: bool = False,
) -> Lived:
    """The quick search first; where what it shows has no run, the next. ``checking`` is called now and then while
    something is checked, and may raise. ``fastest``: of the runs one that settles first (``network_settling``)."""

    def checked(found: Lasso) -> TimedRun:
        claim = claim_of(found)
        return run_of(network, found, claim, check_run(network, stay, claim))

    spent = 0.0
    why: str | None = None
    for merging in ZoneMerging:
        search = StaySearch(network, stay, merging=merging, budget=budget, store_bytes=store_bytes)
        outcome = search.run(tick)
        words = merging.words
        begun = time.monotonic()
        match outcome:
            case Failed():
                return Lived(outcome.statistics, words, spent, failed=outcome)
            case Stopped(reason):
                return Lived(outcome.statistics, words, spent, reason=reason)
            case NoneStays():
                if not certify:
                    return Lived(outcome.statistics, words, spent, none=True)
                answer = certify_none(network, stay, search.exported(), checking)
                spent += time.monotonic() - begun
                if isinstance(answer, NotInductive):
                    return Lived(outcome.statistics, words, spent, reason=f"not certified: {answer.reason}")
                return Lived(outcome.statistics, words, spent, none=True, certified=True)
            case StayFound(prefix, cycle):
                try:
                    found = lasso(
                        network, stay, prefix, cycle, checking, ROUNDS if merging is ZoneMerging.EXACT else PATIENCE
                    )
                    run = checked(found)
                    lived = Lived(outcome.statistics, words, spent + time.monotonic() - begun, run=run, certified=True)
                except (InfeasibleTrace, ReplayError) as error:
                    why = f"not certified: the run is refuted: {error}"
                    spent += time.monotonic() - begun
                    continue
                if not fastest:
                    return lived
                first = first_to_settle(
                    network,
                    stay,
                    run.moments[-1].time,
                    checked,
                    budget=budget,
                    store_bytes=store_bytes,
                    tick=tick,
                )
                if first.settled is not None:
                    run = first.settled.run
                spent = time.monotonic() - begun
                return replace(lived, certify_s=spent, run=run, settles=first.settled, unpromised=first.unpromised)
    return Lived(outcome.statistics, words, spent, reason=why)


def run_of(network: Network, found: Lasso, claim: RunClaim, moments: Sequence[Moment]) -> TimedRun:
    if claim.repeats is not None:
        return TimedRun(network, moments, found.zones, None, moment_of(claim, claim.repeats), found.recurring)
    permitted = Semantics(network).delays(moments[-1].state)
    ending = "may wait for ever in its last state" if permitted.high is None else "ends in a deadlock"
    return TimedRun(network, moments, found.zones, ending=ending)
