"""Total time of the default against random depth-first search, overhead included, model by model (CPU seconds).

    python experiments/directed_times.py --limit 60 --csv times.csv

The default is what ``argosy verify`` does for ``E<>`` without options; times are those of the search for an answer,
without reading the model and without certification, which both have to pay. The blind search is drawn with several
seeds (no more where half of them take longer than the limit), and the median counts.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from statistics import median

from collection import add_bench, alone, guarded
from directed import BEYOND, FISCHER, MUTUAL, SEGMENT, network_files

from argosy.basics.budget import CLOCK, Budget
from argosy.directed.search import search
from argosy.frontends.uppaal import load
from argosy.kernel.search import Stopped
from argosy.models.network_queries import Query, goals
from argosy.strategies import network_options

SAFE = ("F3safe", "F4safe", "F5safe", "M1safe", "M4safe", "C1safe", "C4safe")


@dataclass(frozen=True, slots=True)
class Run:
    """``states`` counts those of all searches that took turns; ``answered`` is False at a limit."""

    seconds: float
    overhead: float
    states: int
    answered: bool
    description: str


def once(model: str, strategy: str, seed: int, seconds: float, memory: int) -> Run:
    network, queries = load(model)
    query = queries[0]
    assert isinstance(query, Query)
    options = network_options({}, strategy)
    begun, budget = time.process_time(), Budget(CLOCK() + seconds)
    answer = search(network, goals(query.target), options, seed=seed, budget=budget, store_bytes=memory << 20)
    outcome = answer.outcome
    spent = time.process_time() - begun
    return Run(spent, answer.overhead, outcome.statistics.visited, not isinstance(outcome, Stopped), answer.description)


def apart(*arguments: object) -> Run:
    """In a process of its own, so that one search does not pay for another's memory."""
    with alone() as pool:
        return pool.apply(once, arguments)


def described(runs: list[Run]) -> str:
    answered = [run for run in runs if run.answered]
    if 2 * len(answered) <= len(runs) and len(answered) < len(runs):
        return f"over {min(run.seconds for run in runs if not run.answered):.0f} s"
    times = sorted(run.seconds if run.answered else float("inf") for run in runs)
    spread = f" ({times[0]:.2f} to {times[-1]:.2f})" if len(times) > 1 else ""
    return f"{median(times):.2f} s{spread}, {sorted(run.states for run in runs)[len(runs) // 2]:,} states"


def main() -> None:
    models = (*FISCHER, *MUTUAL, *SEGMENT, *BEYOND, *SAFE)
    parser = argparse.ArgumentParser(description=__doc__)
    add_bench(parser)
    parser.add_argument("--models", default="*", help=f"patterns of {', '.join(models)}, with commas")
    parser.add_argument("--strategies", default="rdf,auto")
    parser.add_argument("--seeds", type=int, default=5, help="of the blind search")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each search")
    parser.add_argument("--memory", type=int, default=8192, help="megabytes of the state store")
    parser.add_argument("--csv", help="every run is written here at once")
    arguments = parser.parse_args()
    strategies = arguments.strategies.split(",")
    paths = network_files(arguments, models)
    print("| model | " + " | ".join(strategies) + " |")
    print("|---|" + "---|" * len(strategies))
    for model, path in paths.items():
        cells = []
        for strategy in strategies:
            runs: list[Run] = []
            for seed in range(arguments.seeds if strategy == "rdf" else 1):
                run = apart(path, strategy, seed, arguments.limit, arguments.memory)
                runs.append(run)
                if arguments.csv:
                    with open(arguments.csv, "a", newline="", encoding="utf-8") as file:
                        row = [
                            model,
                            strategy,
                            seed,
                            run.seconds,
                            run.overhead,
                            run.states,
                            run.answered,
                            run.description,
                        ]
                        csv.writer(file).writerow(row)
                if 2 * sum(not run.answered for run in runs) > arguments.seeds:
                    break
            cells.append(described(runs) + (f": {runs[0].description}" if strategy == "auto" else ""))
        print(f"| {model} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    guarded(main)
