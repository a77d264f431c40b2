"""Which search answers a query: one that was asked for, or several that take turns.

Small state spaces are left to a breadth-first search. Where it takes long, a search that visits large zones first goes
on, and a greedy search with zone graphs of projections (``zone_databases``) takes turns with it, for ``E<>`` from the
first pause on; before these are built, one with merged automata, which cost next to nothing, has a turn. If there is no
run, the search that visits large zones first is the one that proves it; for ``A[]``, where one expects that, the others
come later and get less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from argosy.directed.build import Built, build
from argosy.directed.merging import is_cheap
from argosy.directed.patterns import STATES
from argosy.kernel.rounds import Turns
from argosy.kernel.search import Order, Outcome, Ties, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.options.networks import FirstOfEquals, Guidance, NetworkOptions, NetworkSearch, WantedTrace

ORDERS = {
    NetworkSearch.BFS: Order.BREADTH_FIRST,
    NetworkSearch.DFS: Order.DEPTH_FIRST,
    NetworkSearch.RANDOM_DFS: Order.RANDOM_DEPTH_FIRST,
    NetworkSearch.LARGEST: Order.LARGEST_FIRST,
    NetworkSearch.GREEDY: Order.GREEDY,
    NetworkSearch.ASTAR: Order.A_STAR,
}

TIES = {FirstOfEquals.DEPTH: Ties.DEEPEST, FirstOfEquals.AGE: Ties.OLDEST}

OVERHEAD = 20.0
"""Seconds that building a heuristic may take where it was not asked for."""

SHARE = 0.25
"""What it may take of the time that there is."""

PATIENCE, PORTION = 2, 0.25
"""Where the query is ``A[]``, so that nobody hopes for a run: rounds that pass before a heuristic is built, and the
size of what the searches get that look for one."""

BYTES = 16_000
"""Memory that must be there for each state of a database: several of them are kept beside the store."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The search that gave the outcome, how it went (in words), what its heuristic cost, and which conditions it does
    without (``splitting``)."""

    search: ZoneSearch
    description: str
    outcome: Outcome
    overhead: float = 0.0
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` and ``bytes`` of the store; 0 is no limit."""

    seconds: float = 0
    bytes: int = 0

    @property
    def states(self) -> int:
        """Of one database."""
        return min(STATES, max(self.bytes // BYTES, 100)) if self.bytes else STATES


NO_LIMITS = Limits()


def search(
    network: Network,
    goals: Sequence[Goal],
    options: NetworkOptions,
    *,
    possibly: bool = True,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    tick: Callable[[int, int], None] | None = None,
) -> Searched:
    """``possibly``: the query is ``E<>``, so that someone hopes for a run."""
    begun = time.monotonic()
    if options.search is NetworkSearch.AUTO:
        return _turns(network, goals, options, possibly, seed, limits, tick)
    built = Built(None, "", 0.0)
    directed = options.search.directed
    if directed:
        built = build(network, goals, options, limits.seconds / 2 if limits.seconds else float("inf"), limits.states)
    left = max(limits.seconds - (time.monotonic() - begun), 0.001) if limits.seconds else 0
    made = ZoneSearch(
        network,
        goals,
        Order.FASTEST if options.trace is WantedTrace.FASTEST else ORDERS[options.search],
        shortest=options.trace is WantedTrace.SHORTEST,
        heuristic=built.heuristic,
        ties=TIES[options.ties],
        seed=seed,
        time_limit=left,
        memory_limit=limits.bytes,
    )
    description = f"{options.search.word}, {built.description}" if directed else options.search.word
    return Searched(made, description, made.run(tick), built.seconds, built.dropped)


def _turns(
    network: Network,
    goals: Sequence[Goal],
    options: NetworkOptions,
    possibly: bool,
    seed: int,
    limits: Limits,
    tick: Callable[[int, int], None] | None,
) -> Searched:
    built: dict[ZoneSearch, Built] = {}
    overhead = [0.0]

    def greedy(chosen: NetworkOptions) -> ZoneSearch | None:
        seconds = min(OVERHEAD, SHARE * limits.seconds) if limits.seconds else OVERHEAD
        its = build(network, goals, chosen, seconds, limits.states)
        overhead[0] += its.seconds
        if its.heuristic is None:
            return None
        made = ZoneSearch(network, goals, Order.GREEDY, heuristic=its.heuristic, ties=TIES[chosen.ties])
        built[made] = its
        return made

    turns = Turns(
        network,
        goals,
        seed=seed,
        time_limit=limits.seconds,
        memory_limit=limits.bytes,
        tick=tick,
        scout=lambda: greedy(replace(options, heuristic=Guidance.MERGE)) if is_cheap(network, goals) else None,
        guided=lambda: greedy(options),
        patience=0 if possibly else PATIENCE,
        portion=1 if possibly else PORTION,
    )
    answered = turns.run()
    name = next(name.word for name, order in ORDERS.items() if order is answered.order)
    if answered.search in built:
        name = f"{name}, {built[answered.search].description}"
    return Searched(answered.search, name, answered.outcome, overhead[0])
