"""How soon the native search and the certifier stop: CPU milliseconds from the request to the result.

    python experiments/zones_stopping.py MODEL... [--certified MODEL...] [--after S] [--repeat N]

A request is Ctrl-C, the end of the time, or the end of the memory; it comes S seconds after the start. What counts is
the CPU time that the process still spends, so that other work on the machine does not. (For memory it cannot be seen
when it came to its end; shown is by how much the limit was exceeded.) Models are explored without a goal, so that only
the request ends the search; those after ``--certified`` are explored to the end first, and certified.
"""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from collection import guarded

from argosy.basics.budget import UNLIMITED, Budget
from argosy.certify.zones import certify
from argosy.frontends.uppaal import load
from argosy.kernel.heuristics import LocationDistances
from argosy.kernel.search import Order, Stopped, ZoneSearch
from argosy.models.network import Network

ORDERS = {"breadth-first": Order.BREADTH_FIRST, "depth-first": Order.DEPTH_FIRST, "greedy, table": Order.GREEDY}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*")
    parser.add_argument("--certified", nargs="*", default=[])
    parser.add_argument("--after", type=float, default=0.5)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(
        "| model | what | stored | Ctrl-C ms | time limit ms | beyond the memory limit |\n|---|---|---:|---:|---:|---:|"
    )
    for model in arguments.models:
        network, _ = load(model)
        for name, order in ORDERS.items():
            rows = [searching(network, order, arguments.after) for _ in range(arguments.repeat)]
            stored, interrupted, timed, beyond = (max(column) for column in zip(*rows, strict=True))
            print(f"| {Path(model).stem} | {name} | {stored:,.0f} | {interrupted:.1f} | {timed:.1f} | {beyond:.2%} |")
    for model in arguments.certified:
        network, _ = load(model)
        certified = [certifying(network, arguments.after) for _ in range(arguments.repeat)]
        stored, interrupted, timed = (max(column) for column in zip(*certified, strict=True))
        print(f"| {Path(model).stem} | certification | {stored:,.0f} | {interrupted:.1f} | {timed:.1f} | |", flush=True)


def searching(network: Network, order: Order, after: float) -> tuple[float, float, float, float]:
    interrupted = made(network, order)
    first = until(after, lambda: stopped(interrupted, "interrupted"), lambda: signal.raise_signal(signal.SIGINT))
    timed = made(network, order)
    timed.limit(Budget.of(after), 0)
    second = until(after, lambda: stopped(timed, "time"))
    peak, stored = interrupted.run(pause_at=1).statistics.peak_bytes, interrupted.run(pause_at=1).statistics.stored
    limited = made(network, order)
    limited.limit(UNLIMITED, peak // 2)
    beyond = stopped(limited, "memory") / (peak // 2) - 1
    return stored, first, second, beyond


def made(network: Network, order: Order) -> ZoneSearch:
    zeros = LocationDistances(tuple(tuple(0.0 for _ in process.locations) for process in network.processes))
    return ZoneSearch(network, (), order, heuristic=zeros if order is Order.GREEDY else None)


def stopped(search: ZoneSearch, reason: str) -> int:
    outcome = search.run()
    if not isinstance(outcome, Stopped) or outcome.reason != reason or not outcome.statistics.visited:
        raise SystemExit(f"expected to be stopped ({reason}), found {outcome}")
    return outcome.statistics.peak_bytes


def certifying(network: Network, after: float) -> tuple[float, float, float]:
    search = made(network, Order.LARGEST_FIRST)
    stored = search.run().statistics.stored

    def interrupted() -> None:
        try:
            certify(search)
        except KeyboardInterrupt:
            return

    def timed() -> None:
        end = time.monotonic() + after

        def tick() -> None:
            if time.monotonic() > end:
                raise TimeoutError

        try:
            certify(search, tick)
        except TimeoutError:
            return

    first = until(after, interrupted, lambda: signal.raise_signal(signal.SIGINT))
    return stored, first, until(after, timed)


def until(after: float, work: Callable[[], object], request: Callable[[], None] = lambda: None) -> float:
    """CPU milliseconds of the work after the request."""
    spent: list[float] = []

    def ask() -> None:
        spent.append(time.process_time())
        request()

    timer = threading.Timer(after, ask)
    timer.start()
    started = time.monotonic()
    work()
    end, lasted = time.process_time(), time.monotonic() - started
    timer.cancel()
    timer.join()
    if not spent and lasted < after:
        raise SystemExit("it ended before the request; choose another model or a smaller --after")
    return 1000 * max(0.0, end - spent[0]) if spent else 0.0


if __name__ == "__main__":
    guarded(main)
