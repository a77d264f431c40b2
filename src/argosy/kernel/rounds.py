"""Searches that take turns until one has an answer, for a query of which nothing is known beforehand.

A breadth-first search finds short runs, so it comes first, and gets 20,000 visited states. What needs more is given to
a search that visits states with large zones first: it stores the same states in the end and visits fewer on the way,
about half as many in most models and a twentieth in some. Deep goals of wide graphs are out of the reach of both; a
depth-first search sometimes walks right into them, and most often when its order is drawn anew. So the broad search is
paused at 20,000 visited states, four times as many in the next round, and so on; in each pause depth-first searches get
a quarter of that each; before them a search that follows a heuristic, if there is one, gets all of it, and goes on
where it stopped. Since its heuristic may cost much, a scout that follows a cheap one goes before it, once. Whoever has
an answer first gives it. What the others cost is about what the broad search costs, and the turns are counted in
states, so that a run can be repeated exactly.

While the frontier of the broad search grows, nobody knows how large the graph is. Once fewer states wait than at the
pause before, the end may be near, and proving that there is no goal must not wait for those who look for one: in such a
pause they get no more than four states for each that waits. Where hardly anyone expects a goal, they get a smaller
``portion`` from the start, and the breadth-first search is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass, replace
from argosy.kernel.search import Order, Outcome, Statistics, Stopped, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import Symmetry

FIRST_ROUND = 20_000
GROWTH = 4
SHARE = 4
DRAWN = 2
"""Depth-first searches in an order of their own in each round, besides one in the order of the model."""

NOTHING = Statistics(0, 0, 0, 0, 0, 0.0)


TRIED = 2_000
"""States on which both coverings are tried."""


def simulation_pays(
    network: Network, goals: Iterable[Goal], budget: Budget = UNLIMITED, symmetry: Symmetry | None = None
) -> bool:
    """Whether covering by simulation spares anything on the first states that a breadth-first search visits. Where it
    does not there, it hardly does later, and every comparison costs more."""
    asked = tuple(goals)
    simulating = ZoneSearch(network, asked, budget=budget, by_simulation=True, symmetry=symmetry)
    if not simulating.by_simulation:
        return False
    plain = ZoneSearch(network, asked, budget=budget, symmetry=symmetry)
    return _counts(simulating.run(None, TRIED).statistics) != _counts(plain.run(None, TRIED).statistics)


def _counts(its: Statistics) -> tuple[int, int, int]:
    return its.stored, its.visited, its.transitions


@dataclass(frozen=True, slots=True)
class Answered:
    """Which search gave the outcome, and the order in which it went. The statistics count all searches."""

    search: ZoneSearch
    order: Order
    outcome: Outcome


class Turns:
    """``budget`` and ``store_bytes`` (0: any) are those of all searches together."""

    def __init__(
        self,
        network: Network,
        goals: Iterable[Goal],
        *,
        seed: int = 0,
        budget: Budget = UNLIMITED,
        store_bytes: int = 0,
        tick: Callable[[int, int], None] | None = None,
        guided: Callable[[], ZoneSearch | None] | None = None,
        scout: Callable[[], ZoneSearch | None] | None = None,
        patience: int = 0,
        portion: float = 1.0,
        first: int | None = None,
        by_simulation: bool = False,
        folder: str = "",
        symmetry: Symmetry | None = None,
    ) -> None:
        """``guided`` makes the search that follows a heuristic, ``scout`` one that has a single turn before it; they
        are called after ``patience`` further rounds. ``portion``: what all others get of what the broad search does.
        ``first``: states that the breadth-first search gets, instead of those of a first round."""
        self._first = first
        self._by_simulation = by_simulation
        self._folder = folder
        self._symmetry = symmetry
        self._guided = guided
        self._portion = portion
        self._waited = 0
        self._scout = scout
        self._patience = patience
        self._network = network
        self._goals = tuple(goals)
        self._seed = seed
        self._budget = budget
        self._store_bytes = store_bytes
        self._tick = tick
        self._others = NOTHING

    def run(self) -> Answered:
        pause, seed = FIRST_ROUND, self._seed
        broad, name = self._blind(Order.BREADTH_FIRST), Order.BREADTH_FIRST
        outcome = self._turn(broad, pause if self._first is None else self._first, 0)
        if not isinstance(outcome, Stopped) or outcome.reason != "visits":
            return Answered(broad, name, outcome)
        self._others = outcome.statistics
        broad, name = self._blind(Order.LARGEST_FIRST), Order.LARGEST_FIRST
        guided: ZoneSearch | None = None
        followed = NOTHING
        while True:
            outcome = self._turn(broad, pause, followed.peak_bytes)
            if not isinstance(outcome, Stopped) or outcome.reason != "visits":
                return Answered(broad, name, self._complete(outcome, followed))
            paused = Answered(broad, name, outcome)
            most = self._most(pause, outcome.statistics.waiting)
            if self._patience == 0:
                scout = None if self._scout is None else self._scout()
                ended = None if scout is None else self._once(scout, Order.GREEDY, most, paused, followed)
                if ended is not None:
                    return ended
                guided = None if self._guided is None else self._guided()
            self._patience -= 1
            if guided is not None:
                goes_to = min(int(pause * self._portion), followed.visited + most)
                found = self._turn(guided, goes_to, outcome.statistics.peak_bytes)
                if not isinstance(found, Stopped):
                    return Answered(guided, Order.GREEDY, self._complete(found, outcome.statistics))
                followed = found.statistics
                if found.reason in ("time", "interrupted"):
                    return self._broken(paused, found.reason, followed)
                if found.reason == "memory":
                    guided = None
            for order in (Order.DEPTH_FIRST, *[Order.RANDOM_DEPTH_FIRST] * DRAWN):
                deep = self._blind(order, seed)
                seed += order is Order.RANDOM_DEPTH_FIRST
                ended = self._once(deep, order, max(most // SHARE, 1), paused, followed)
                if ended is not None:
                    return ended
            pause *= GROWTH

    def _blind(self, order: Order, seed: int = 0) -> ZoneSearch:
        return ZoneSearch(
            self._network,
            self._goals,
            order,
            seed=seed,
            by_simulation=self._by_simulation,
            folder=self._folder,
            symmetry=self._symmetry,
        )

    def _most(self, pause: int, waiting: int) -> int:
        """What another search may visit in this pause."""
        shrinks, self._waited = waiting < self._waited, waiting
        most = int(pause * self._portion)
        return max(1, min(most, SHARE * waiting) if shrinks else most)

    def _once(
        self, search: ZoneSearch, order: Order, visits: int, paused: Answered, followed: Statistics
    ) -> Answered | None:
        """A turn of a search that is dropped after it; the answer, or the end of the time, if it comes to that."""
        its = paused.outcome.statistics
        found = self._turn(search, visits, its.peak_bytes + followed.peak_bytes)
        if not isinstance(found, Stopped):
            return Answered(search, order, self._complete(found, _sum(its, followed)))
        self._others = _sum(self._others, found.statistics)
        return self._broken(paused, found.reason, followed) if found.reason in ("time", "interrupted") else None

    def _broken(self, paused: Answered, reason: str, followed: Statistics) -> Answered:
        assert isinstance(paused.outcome, Stopped)
        return replace(paused, outcome=self._complete(replace(paused.outcome, reason=reason), followed))

    def _turn(self, search: ZoneSearch, pause: int, held: int) -> Outcome:
        search.limit(self._budget, max(self._store_bytes - held, 1) if self._store_bytes else 0)
        return search.run(self._tick, pause)

    def _complete(self, outcome: Outcome, lasting: Statistics | None = None) -> Outcome:
        """With what the other searches did; ``lasting`` are those that still hold their states."""
        others = self._others if lasting is None else _sum(self._others, lasting)
        its = outcome.statistics
        return replace(
            outcome,
            statistics=replace(
                its,
                visited=its.visited + others.visited,
                transitions=its.transitions + others.transitions,
                peak_bytes=max(its.peak_bytes + (lasting.peak_bytes if lasting else 0), others.peak_bytes),
                seconds=its.seconds + others.seconds,
            ),
        )


def _sum(first: Statistics, second: Statistics) -> Statistics:
    return replace(
        first,
        visited=first.visited + second.visited,
        transitions=first.transitions + second.transitions,
        peak_bytes=max(first.peak_bytes, second.peak_bytes),
        seconds=first.seconds + second.seconds,
    )
