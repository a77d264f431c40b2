"""Queries for extreme values: ``sup{p}: e`` and ``inf{p}: e``, for a clock, a difference of clocks or an integer.

Reachability decides them. A run into p has a height, the largest that runs with its actions come to in p; then a state
beyond it is looked for, and so on, in steps that grow, until none is reachable; between the highest run and the lowest
height beyond which nothing was found the rest is halved. Each search knows the constant it asks for, so that
extrapolation forgets nothing below it. A clock that grows for ever has a run that waits for ever, or one that goes
through the same discrete state twice and can be pumped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from argosy.backends.contract import TimedRun
from argosy.backends.network_liveness import claim_of
from argosy.basics.records import dataclass, replace
from argosy.certify.extremes import check_extreme, height_of
from argosy.certify.staying import check_pumped, moment_of
from argosy.certify.timed_replay import ReplayError, TimedStep, replay
from argosy.certify.zones import TWIN_LIMIT, NotInductive, certify
from argosy.kernel.concretise import InfeasibleTrace, concretise, follow, highest
from argosy.kernel.dbm import INFINITY, strict, value
from argosy.kernel.graph import ZoneGraph
from argosy.kernel.lasso import pumped
from argosy.kernel.search import Exhausted, Failed, GoalReached, Statistics, Stopped, Trace, ZoneSearch
from argosy.kernel.staying import Micro, MicroStep
from argosy.models.limit_numbers import LimitNumber
from argosy.models.network import Network
from argosy.models.network_expressions import Constant, NetworkPlace
from argosy.models.network_queries import ExtremeQuery, Extremum, Goal, Height, StateFormula

PUMPS_AFTER = 3
"""So many runs, each higher than the one before, until it is asked whether there is an end to them."""
MOST_CYCLES = 20
"""Cycles of one run that are tried."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a query: ``empty``: no state of its formula is reachable; else the ``height`` that ``run`` comes
    to (None: beyond every number), and whether nothing goes ``beyond`` it. ``grows`` tells how a run that is repeated
    does."""

    statistics: Statistics
    search: str
    certify_s: float = 0.0
    empty: bool = False
    height: Height | None = None
    run: TimedRun | None = None
    certified: bool = False
    grows: str = ""
    reason: str | None = None
    failed: Failed | None = None

    def entry(self, query: ExtremeQuery) -> dict[str, Any]:
        """As results show it: ``value`` is a number, or null for infinity, or where ``formula`` never holds."""
        shown: dict[str, Any] = {"extremum": query.extremum.value, "expression": query.expression}
        shown |= {"value": None, "attained": False, "infinite": False, "empty": self.empty}
        if self.empty:
            return {**shown, "words": f"no state is reachable in which {query.expression} is asked for"}
        if self.height is None:
            sign = "" if query.extremum is Extremum.SUP else "-"
            words = f"{query.expression} is unbounded{': ' + self.grows if self.grows else ''}"
            return {**shown, "infinite": True, "words": f"{query.extremum.value} = {sign}infinity ({words})"}
        constant, attained = self.height
        value = constant if query.extremum is Extremum.SUP else -constant
        relation = ("<=" if attained else "<") if query.extremum is Extremum.SUP else (">=" if attained else ">")
        words = f"{query.extremum.value} = {value} ({query.expression} {relation} {value}"
        return {
            **shown,
            "value": value,
            "attained": attained,
            "words": words + ("" if attained else ", approached") + ")",
        }


Ask = Callable[[StateFormula], Any]
"""One search, as ``directed.search.Searched``."""


class Extremes:
    def __init__(
        self,
        network: Network,
        query: ExtremeQuery,
        ask: Ask,
        checking: Callable[[], None],
        certifies: bool,
        again: bool = False,
    ) -> None:
        """``ask`` is a search; ``checking`` is called now and then while something is checked, and may raise.
        ``again``: once the value is known, a run that attains it is searched for by itself, so that it keeps what the
        search promises of its runs."""
        self._again = again
        self._network = network
        self._query = query
        self._ask = ask
        self._checking = checking
        self._certifies = certifies
        self._totals = Statistics(0, 0, 0, 0, 0, 0.0)
        self._words = ""

    def decide(self) -> Measured:
        low: Height | None = None
        best: Measured | None = None
        top: Height | None = None
        proof: Any = None
        asked: Height | None = None
        runs, gap, exactly = 0, 1, True
        while best is None or low != top:
            searched = self._ask(self._query.formula if asked is None else self._query.beyond(asked))
            self._count(searched)
            match searched.outcome:
                case GoalReached(goal, trace):
                    best = self._climbed(trace, goal)
                    if best.reason is not None or best.height is None:
                        return best
                    if asked is not None and best.height <= asked:
                        return self._open("not certified: a run is not as high as it was asked to be")
                    low = best.height
                    runs += 1
                    if runs > PUMPS_AFTER and (found := self._pumped(trace, goal)) is not None:
                        return found
                case Exhausted():
                    if asked is None:
                        return self._proved(replace(self._said(), empty=True), searched.search)
                    top, proof = asked, searched.search
                case Failed():
                    return replace(self._said(), failed=searched.outcome)
                case Stopped(reason):
                    return self._open(reason)
            assert low is not None
            # Mostly the height of a run is the right one: every other time it is asked for itself.
            if top is None:
                asked = low if exactly else (low[0] + gap, True)
                gap = gap if exactly else 2 * gap
            else:
                asked = low if exactly or top[0] - low[0] < 2 else ((low[0] + top[0]) // 2, True)
            exactly = not exactly or low == top
        if self._again and low is not None and low[1]:
            best = self._attained(best, low)
        return best if best.reason is not None else self._proved(best, proof)

    # ---- one run -----------------------------------------------------------------------------------------------

    def _attained(self, best: Measured, height: Height) -> Measured:
        """The run that a search for this height finds."""
        searched = self._ask(self._query.beyond((height[0], False)))
        self._count(searched)
        match searched.outcome:
            case GoalReached(goal, trace):
                found = self._climbed(trace, goal, climbs=False)
                return found if found.reason is not None or found.height == height else best
            case Stopped(reason):
                return self._open(reason)
            case _:
                return self._open("not certified: a value that is attained is not found again")

    def _climbed(self, trace: Trace, goal: Goal, climbs: bool = True) -> Measured:
        """A run with these actions that is as high as can be (not ``climbs``: that takes the least time), replayed."""
        begun = time.monotonic()
        climbing = self._query.climbing if climbs else None
        try:
            if climbing is not None:
                found = highest(self._network, trace, goal, climbing)
                height, actions, delays = found.height, found.actions, found.delays
            else:
                actions = concretise(self._network, trace, goal)
                delays = tuple(LimitNumber.of(action.delay) for action in actions)
                end = replay(self._network, [TimedStep(a.delay, a.edges) for a in actions])[-1].state
                height = (int(height_of(self._network, end, self._query).finite), True)
            edges = [action.edges for action in actions]
            check_extreme(self._network, list(zip(delays, edges, strict=True)), self._query, height)
            moments = replay(self._network, [TimedStep(a.delay, a.edges) for a in actions], self._query.formula)
        except (InfeasibleTrace, ReplayError) as error:
            return self._open(f"not certified: the run is refuted: {error}")
        run = TimedRun(self._network, moments, [action.zone for action in actions])
        spent = time.monotonic() - begun
        return replace(self._said(), height=height, run=run, certify_s=spent, certified=True)

    def _pumped(self, trace: Trace, goal: Goal) -> Measured | None:
        """A run with a cycle in which the clock grows, made of one that comes through a discrete state twice."""
        climbing = self._query.climbing
        if climbing is None or climbing.left == NetworkPlace(0) or goal.deadlock is not None:
            return None
        states = follow(ZoneGraph(self._network), trace)
        begun = time.monotonic()
        tried = 0
        for length in range(1, len(states)):
            for first in range(len(states) - length):
                if states[first].discrete != states[first + length].discrete:
                    continue
                tried += 1
                if tried > MOST_CYCLES:
                    return None
                prefix, cycle, suffix = trace[:first], trace[first : first + length], trace[first + length :]
                try:
                    found = pumped(self._network, prefix, cycle, suffix, goal, self._checking)
                    claim = claim_of(found)
                    steps = [MicroStep(Micro.ACTION, 0, edges) for edges in suffix]
                    rest = (*steps, MicroStep(Micro.TICK, 0))
                    moments = check_pumped(self._network, claim, rest, goal, climbing)
                except (InfeasibleTrace, ReplayError):
                    continue
                assert claim.repeats is not None
                repeats = moment_of(claim, claim.repeats)
                run = TimedRun(self._network, moments, found.zones, None, repeats, found.recurring)
                grows = "it changes with every round"
                if suffix:
                    grows += f", after which {len(suffix)} more actions lead to where it is asked for"
                spent = time.monotonic() - begun
                return replace(self._said(), run=run, certified=True, certify_s=spent, grows=grows)
        return None

    # ---- the end ------------------------------------------------------------------------------------------------

    def _proved(self, best: Measured, search: Any) -> Measured:
        """Nothing goes beyond."""
        complete = replace(best, statistics=self._totals, search=self._words)
        if not self._certifies:
            return replace(complete, certified=False)
        begun = time.monotonic()
        answer = certify(search, self._checking)
        spent = best.certify_s + time.monotonic() - begun
        if isinstance(answer, NotInductive):
            return replace(self._open(f"not certified: {answer.reason}"), certify_s=spent)
        return replace(complete, certified=True, certify_s=spent)

    def _count(self, searched: Any) -> None:
        its, all_ = searched.outcome.statistics, self._totals
        self._words = searched.description
        self._totals = replace(
            its,
            visited=all_.visited + its.visited,
            transitions=all_.transitions + its.transitions,
            seconds=all_.seconds + its.seconds,
            peak_bytes=max(all_.peak_bytes, its.peak_bytes),
        )

    def _said(self) -> Measured:
        return Measured(self._totals, self._words)

    def _open(self, reason: str) -> Measured:
        return replace(self._said(), reason=reason)


def proved_bounds(search: ZoneSearch) -> list[str]:
    """Of an exhausted search whose goals each ask for a clock beyond a constant: the bounds that the stored zones
    keep where the rest of the goal is met. They hold as the certificate does, which is about the same zones. Where
    these stand for all that they simulate: a clock that has not passed the constant of its goal is never beyond the one
    that simulates it; one that is above it may be below the other, and is still above the constant."""
    goals = search.compiled.goals
    if not goals or len(search) > TWIN_LIMIT:
        return []
    graph, states = ZoneGraph(search.network), list(search.states())
    found: list[str] = []
    for goal in goals:
        atom = goal.atoms[0] if len(goal.atoms) == 1 and goal.deadlock is None else None
        if atom is None or atom.right != NetworkPlace(0) or atom.left.subscripts or atom.relation == "==":
            return []
        above = atom.relation in (">", ">=")
        rest = Goal(goal.condition)
        left, right = (atom.left.base, 0) if above else (0, atom.left.base)
        bounds = [zone[left, right] for state in states for zone in graph.met(state, rest)]
        if not above and search.by_simulation:
            if not isinstance(atom.bound, Constant):
                return []
            bounds.append(strict(-atom.bound.value))
        if not bounds or max(bounds) == INFINITY:
            return []
        most, name = max(bounds), search.network.clocks[atom.left.base].name
        if above:
            found.append(f"{name} {'<=' if most & 1 else '<'} {value(most)}")
        elif value(most) < 0:
            found.append(f"{name} {'>=' if most & 1 else '>'} {-value(most)}")
    return list(dict.fromkeys(found))
