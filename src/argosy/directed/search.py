"""Which search answers a query: one that was asked for, or several that take turns.

Small state spaces are left to a breadth-first search. Where it takes long, a search that visits large zones first goes
on, and a greedy search with zone graphs of projections (``zone_databases``) takes turns with it, for ``E<>`` from the
first pause on; before these are built, one with merged automata, which cost next to nothing, has a turn. If there is no
run, the search that visits large zones first is the one that proves it; for ``A[]``, where one expects that, the others
come later and get less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from tempfile import gettempdir
from time import process_time

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass, replace
from argosy.directed.build import Built, build
from argosy.directed.merging import is_cheap
from argosy.directed.patterns import STATES
from argosy.kernel.rounds import Turns, simulation_pays
from argosy.kernel.search import Order, Outcome, Ties, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import Symmetry
from argosy.options.networks import (
    Covering,
    FirstOfEquals,
    Guidance,
    NetworkOptions,
    NetworkSearch,
    StateStore,
    WantedTrace,
)

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
"""Processor seconds that building a heuristic may take where it was not asked for."""

SHARE = 0.25
"""What it may take of the time that there is."""

PATIENCE, PORTION, FIRST, BUILT = 3, 0.05, 4_000, 0.1
"""Where the query is ``A[]``, so that nobody hopes for a run: rounds that pass before a heuristic is built, the size of
what the searches get that look for one, what the breadth-first search gets, and which share of the time so far building
a heuristic may take."""

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


def states_within(store_bytes: int) -> int:
    """Of one database."""
    return min(STATES, max(store_bytes // BYTES, 100)) if store_bytes else STATES


def folder_of(options: NetworkOptions) -> str:
    """Where the states of a search lie; "" is in memory."""
    return gettempdir() if options.store is StateStore.DISK else ""


def search(
    network: Network,
    goals: Sequence[Goal],
    options: NetworkOptions,
    *,
    possibly: bool = True,
    seed: int = 0,
    threads: int = 1,
    budget: Budget = UNLIMITED,
    store_bytes: int = 0,
    tick: Callable[[int, int], None] | None = None,
    symmetry: Symmetry | None = None,
) -> Searched:
    """``possibly``: the query is ``E<>``, so that someone hopes for a run. ``store_bytes``: what all stored states may
    take together (0: any). ``threads``: of a breadth-first search. ``symmetry``: see ``ZoneSearch``."""
    by_simulation = options.covering is Covering.SIMULATION
    if options.covering is Covering.AUTO:
        by_simulation = simulation_pays(network, goals, budget, symmetry)
    if options.search is NetworkSearch.AUTO:
        return _turns(network, goals, options, possibly, seed, budget, store_bytes, tick, by_simulation, symmetry)
    built = Built(None, "", 0.0)
    directed = options.search.directed
    if directed:
        built = build(network, goals, options, budget.share(0.5), states_within(store_bytes))
    made = ZoneSearch(
        network,
        goals,
        Order.FASTEST if options.trace is WantedTrace.FASTEST else ORDERS[options.search],
        shortest=options.trace is WantedTrace.SHORTEST,
        heuristic=built.heuristic,
        ties=TIES[options.ties],
        seed=seed,
        budget=budget,
        store_bytes=store_bytes,
        by_simulation=by_simulation,
        threads=threads,
        folder=folder_of(options),
        symmetry=symmetry,
    )
    description = f"{options.search.word}, {built.description}" if directed else options.search.word
    return Searched(made, description, made.run(tick), built.seconds, built.dropped)


def _turns(
    network: Network,
    goals: Sequence[Goal],
    options: NetworkOptions,
    possibly: bool,
    seed: int,
    budget: Budget,
    store_bytes: int,
    tick: Callable[[int, int], None] | None,
    by_simulation: bool,
    symmetry: Symmetry | None,
) -> Searched:
    built: dict[ZoneSearch, Built] = {}
    overhead = [0.0]
    begun = process_time()

    def greedy(chosen: NetworkOptions) -> ZoneSearch | None:
        most = OVERHEAD if possibly else min(OVERHEAD, BUILT * (process_time() - begun))
        its = build(network, goals, chosen, budget.share(SHARE).at_most(most), states_within(store_bytes))
        overhead[0] += its.seconds
        if its.heuristic is None:
            return None
        made = ZoneSearch(
            network,
            goals,
            Order.GREEDY,
            heuristic=its.heuristic,
            ties=TIES[chosen.ties],
            by_simulation=by_simulation,
            folder=folder_of(options),
            symmetry=symmetry,
        )
        built[made] = its
        return made

    cheap = not network.rated and is_cheap(network, goals)
    turns = Turns(
        network,
        goals,
        seed=seed,
        budget=budget,
        store_bytes=store_bytes,
        tick=tick,
        scout=lambda: greedy(replace(options, heuristic=Guidance.MERGE)) if cheap else None,
        guided=None if network.rated else lambda: greedy(options),
        patience=0 if possibly else PATIENCE,
        portion=1 if possibly else PORTION,
        first=None if possibly else FIRST,
        by_simulation=by_simulation,
        folder=folder_of(options),
        symmetry=symmetry,
    )
    answered = turns.run()
    name = next(name.word for name, order in ORDERS.items() if order is answered.order)
    if answered.search in built:
        name = f"{name}, {built[answered.search].description}"
    return Searched(answered.search, name, answered.outcome, overhead[0])
