"""What the tables of paper 003 share: models, the paper's figures, one measurement, and how a table is printed.

A cell is ``overhead / explored states / total time`` in CPU seconds of one process: overhead is what building the
heuristic took, explored states are those that the search expanded. ``-/`` is no heuristic in time, ``/-`` a search that
came to a limit.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from argosy.directed.build import Built, build
from argosy.directed.search import ORDERS, TIES
from argosy.frontends.uppaal import load
from argosy.kernel.search import Order, Reached, ZoneSearch
from argosy.models.network_queries import Query, goals
from argosy.strategies.networks import configure_network

BENCH = Path(__file__).parents[2] / "shared" / "bench" / "models" / "ta" / "mcta-rebuilt"

FISCHER = ("FA5", "FA10", "FA15", "FB5", "FB10", "FB15")
MUTUAL = ("M1", "M2", "M3", "M4", "N1", "N2", "N3", "N4")
SEGMENT = ("C1", "C2", "C3", "C4", "C5", "C6")
BEYOND = ("C9", "A2", "A3", "A4", "A5", "A6")


@dataclass(frozen=True, slots=True)
class Cell:
    """``states`` is None where the search ended without the error."""

    overhead: float
    states: int | None
    total: float
    length: int = 0

    def __str__(self) -> str:
        if self.states is None:
            return f"{self.overhead:.1f}/-"
        return f"{self.overhead:.1f}/{self.states}/{self.total:.1f}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One search; ``seeds`` draws a blind one several times and takes the median."""

    options: Mapping[str, str]
    strategy: str = "zones"
    seeds: int = 1

    def run(self, model: str, seconds: float, memory: int) -> Cell:
        cells = [self._once(model, seed, seconds, memory) for seed in range(self.seeds)]
        states = [cell.states if cell.states is not None else 10**12 for cell in cells]
        middle = sorted(cells, key=lambda cell: states[cells.index(cell)])[len(cells) // 2]
        if median(states) >= 10**12:
            return Cell(middle.overhead, None, middle.total)
        return middle

    def _once(self, model: str, seed: int, seconds: float, memory: int) -> Cell:
        network, queries = load(model)
        query = queries[0]
        assert isinstance(query, Query)
        asked = goals(query.target)
        options = configure_network(self.options, self.strategy)
        begun = time.process_time()
        built = Built(None, "", 0.0)
        order = ORDERS[options["search"]]
        if order in (Order.GREEDY, Order.A_STAR):
            built = build(network, asked, options, seconds)
        overhead = time.process_time() - begun
        search = ZoneSearch(
            network,
            asked,
            order,
            heuristic=built.heuristic,
            ties=TIES[options["ties"]],
            seed=seed,
            time_limit=max(seconds - overhead, 0.1),
            memory_limit=memory << 20,
        )
        outcome = search.run()
        total = time.process_time() - begun
        if not isinstance(outcome, Reached):
            return Cell(overhead, None, total)
        return Cell(overhead, outcome.statistics.visited, total, len(outcome.trace))


def measured(measurement: Measurement, model: str, seconds: float, memory: int) -> Cell:
    """In a process of its own, so that one search does not pay for another's memory."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measurement.run, (model, seconds, memory))


def table(
    title: str,
    columns: Mapping[str, Measurement],
    models: Sequence[str],
    paper: Mapping[str, Mapping[str, str]],
    note: Callable[[str], str] = lambda model: "",
) -> None:
    """Measures and prints, row by row; the paper's figure is below ours."""
    arguments = _arguments(title, columns, models)
    wanted = [name for name in columns if arguments.columns is None or name in arguments.columns.split(",")]
    known = _read(arguments.csv)
    print("| model | " + " | ".join(wanted) + " |")
    print("|---|" + "---|" * len(wanted))
    for model in models:
        if not any(fnmatch(model, pattern) for pattern in arguments.models.split(",")):
            continue
        cells = []
        for name in wanted:
            key = model, name
            if key not in known:
                path = str(Path(arguments.bench) / f"{model}.xta")
                known[key] = str(measured(columns[name], path, arguments.limit, arguments.memory))
                if arguments.csv:
                    with open(arguments.csv, "a", newline="", encoding="utf-8") as file:
                        csv.writer(file).writerow([model, name, known[key]])
            figure = paper.get(model, {}).get(name)
            cells.append(known[key] + (f" (paper {figure})" if figure else ""))
        print(f"| {model} | " + " | ".join(cells) + f" |{note(model)}", flush=True)


def _read(path: str | None) -> dict[tuple[str, str], str]:
    if path is None or not Path(path).exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {(row[0], row[1]): row[2] for row in csv.reader(file)}


def _arguments(title: str, columns: Mapping[str, Measurement], models: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--bench", default=str(BENCH), help="where the models are; they are not part of the project")
    parser.add_argument("--models", default="*", help=f"patterns of {', '.join(models)}, with commas")
    parser.add_argument("--columns", help=f"some of {', '.join(columns)}, with commas")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each cell")
    parser.add_argument("--memory", type=int, default=8192, help="megabytes of the state store")
    parser.add_argument("--csv", help="results are written at once; what the file has is not measured again")
    return parser.parse_args()
