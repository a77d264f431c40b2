"""Breadth-first exploration of UPPAAL models by the native zone search, as a table.

    python experiments/zones_breadth_first.py MODEL... [--time-limit S]

Queries are those beside or inside the models; a model without any is explored completely. CPU seconds are of the
search alone, a single thread; bytes are those of the state store divided by the stored states.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from argosy.frontends.uppaal import load
from argosy.kernel.search import Reached, Stopped, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal, Query, goals


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--time-limit", type=float, default=120)
    arguments = parser.parse_args()
    print("| model | result | stored | visited | transitions | CPU s | transitions/s | store MB | bytes/state |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for model in arguments.models:
        network, queries = load(model)
        supported = [query for query in queries if isinstance(query, Query)]
        for wanted in [goals(query.target) for query in supported] or [()]:
            print(row(Path(model).stem, network, wanted, arguments.time_limit), flush=True)


def row(name: str, network: Network, wanted: tuple[Goal, ...], limit: float) -> str:
    search = ZoneSearch(network, wanted, shortest=True, time_limit=limit)
    started = time.process_time()
    outcome = search.run()
    seconds = time.process_time() - started
    match outcome:
        case Reached(trace=trace):
            result = f"reached, depth {len(trace)}"
        case Stopped(reason=reason):
            result = f"stopped ({reason})"
        case _:
            result = type(outcome).__name__.lower()
    its = outcome.statistics
    rate = f"{its.transitions / seconds:,.0f}" if seconds > 0.001 else "-"
    megabytes, each = its.peak_bytes / 1e6, its.peak_bytes / its.stored
    return (
        f"| {name} | {result} | {its.stored:,} | {its.visited:,} | {its.transitions:,} | {seconds:.3f} | {rate} "
        f"| {megabytes:.1f} | {each:.0f} |"
    )


if __name__ == "__main__":
    main()
