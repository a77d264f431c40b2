"""Exploration of UPPAAL models by the native zone search, as a table.

    python experiments/zones_exploration.py MODEL... [--order bfs|largest] [--time-limit S] [--query QUERY]
    python experiments/zones_exploration.py MODEL --growth VISITS --states N

Breadth-first with the promise of shortest traces, or large zones first. Queries are those beside or inside the models;
a model without any is explored completely. CPU seconds are of the search alone, a single thread. ``store MB`` is the
memory of passed and waiting states at its highest; ``overhead`` is what of it, in bytes per state, is neither packed
vector nor bounds of zones, at that moment or at the end, whichever is more.

With ``--growth`` a model is explored breadth-first without a goal until N states are stored, and memory is shown every
so many visited states: that of the store, and what the process's resident memory grew by. With ``--resident MB`` the
states lie in a file, and that is the limit of what is resident.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from tempfile import gettempdir

from collection import guarded

from argosy.basics.budget import Budget
from argosy.frontends.uppaal import load
from argosy.kernel.search import GoalReached, Order, Stopped, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal, Query, goals

ORDERS = {"bfs": Order.BREADTH_FIRST, "largest": Order.LARGEST_FIRST}
COLUMNS = ("model", "result", "stored", "visited", "transitions", "CPU s", "transitions/s")
MEMORY = ("store MB", "overhead")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--order", choices=ORDERS, default="bfs")
    parser.add_argument("--time-limit", type=float, default=120)
    parser.add_argument("--query")
    parser.add_argument("--growth", type=int, help="show memory every so many visited states")
    parser.add_argument("--states", type=int, default=5_000_000, help="with --growth: how many to store")
    parser.add_argument("--resident", type=int, help="with --growth: states on disk, so many MB of them resident")
    arguments = parser.parse_args()
    if arguments.growth:
        growth(load(arguments.models[0])[0], arguments.growth, arguments.states, arguments.resident)
        return
    print(f"| {' | '.join((*COLUMNS, *MEMORY))} |")
    print("|---|---|" + "---:|" * (len(COLUMNS) + len(MEMORY) - 2))
    for model in arguments.models:
        network, queries = load(model, arguments.query)
        supported = [query for query in queries if isinstance(query, Query)]
        for wanted in [goals(query.target) for query in supported] or [()]:
            print(row(Path(model).stem, network, wanted, ORDERS[arguments.order], arguments.time_limit), flush=True)


def row(name: str, network: Network, wanted: tuple[Goal, ...], order: Order, limit: float) -> str:
    search = ZoneSearch(network, wanted, order, shortest=order is Order.BREADTH_FIRST, budget=Budget.of(limit))
    started = time.process_time()
    outcome = search.run()
    seconds = time.process_time() - started
    match outcome:
        case GoalReached(trace=trace):
            result = f"reached, depth {len(trace)}"
        case Stopped(reason=reason):
            result = f"stopped ({reason})"
        case _:
            result = type(outcome).__name__.lower()
    its = outcome.statistics
    rate = f"{its.transitions / seconds:,.0f}" if seconds > 0.001 else "-"
    return (
        f"| {name} | {result} | {its.stored:,} | {its.visited:,} | {its.transitions:,} | {seconds:.3f} | {rate} "
        f"| {its.peak_bytes / 1e6:.2f} | {its.overhead:.0f} |"
    )


def growth(network: Network, visits: int, states: int, most: int | None) -> None:
    folder, limit = ("", 0) if most is None else (gettempdir(), most * 1_000_000)
    search = ZoneSearch(network, (), Order.BREADTH_FIRST, folder=folder, store_bytes=limit)
    before, pause = resident(), visits
    print("| stored | visited | store MB | bytes/state | overhead | resident MB |\n|" + "---:|" * 6)
    while True:
        outcome = search.run(pause_at=pause)
        its = outcome.statistics
        print(
            f"| {its.stored:,} | {its.visited:,} | {its.peak_bytes / 1e6:.1f} | {its.peak_bytes / its.stored:.1f} "
            f"| {its.overhead:.0f} | {resident() - before:.1f} |",
            flush=True,
        )
        if its.stored >= states or not isinstance(outcome, Stopped) or outcome.reason != "visits":
            return
        pause += visits


def resident() -> float:
    """Megabytes, at the highest so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    guarded(main)
