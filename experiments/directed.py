"""What the tables of [Directed] share: models, the paper's figures, one measurement, and how a table is printed.

A cell is ``overhead / explored states / total time`` in CPU seconds of one process: overhead is what building the
heuristic took, explored states are those that the search expanded. ``/-`` is a search that came to a limit, ``*`` after
the overhead a database that did: it is used as far as it goes.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from collection import NETWORKS, add_bench, alone, checked, whereabouts

from argosy.basics.budget import CLOCK, Budget
from argosy.directed.build import Built, build
from argosy.directed.patterns import STATES
from argosy.directed.search import ORDERS, TIES
from argosy.frontends.uppaal import load
from argosy.kernel.search import GoalReached, Order, ZoneSearch
from argosy.models.network_queries import Query, goals
from argosy.strategies import network_options

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
    cut: bool = False

    def __str__(self) -> str:
        overhead = f"{self.overhead:.1f}" + "*" * self.cut
        if self.states is None:
            return f"{overhead}/-"
        return f"{overhead}/{self.states}/{self.total:.1f}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """CPU ``seconds`` of a cell, ``megabytes`` of the state store, ``states`` of one database."""

    seconds: float
    megabytes: int
    states: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """One search; ``seeds`` draws a blind one several times and takes the median."""

    options: Mapping[str, str]
    strategy: str = "zones"
    seeds: int = 1

    def run(self, model: str, allowed: Allowed) -> Cell:
        cells: list[Cell] = []
        for seed in range(self.seeds):
            cells.append(self._once(model, seed, allowed))
            if cells[-1].states is None:
                return cells[-1]
        return sorted(cells, key=lambda cell: cell.states or 0)[len(cells) // 2]

    def _once(self, model: str, seed: int, allowed: Allowed) -> Cell:
        network, queries = load(model)
        query = queries[0]
        assert isinstance(query, Query)
        asked = goals(query.target)
        options = network_options(self.options, self.strategy)
        # Of the processor alone: what else the machine does should not count.
        begun, budget = time.process_time(), Budget(CLOCK() + allowed.seconds)
        built = Built(None, "", 0.0)
        order = ORDERS[options.search]
        if order in (Order.GREEDY, Order.A_STAR):
            # The size of databases is what should end it.
            built = build(network, asked, options, Budget(CLOCK() + 20 * allowed.seconds), allowed.states)
        overhead = time.process_time() - begun
        search = ZoneSearch(network, asked, order, heuristic=built.heuristic, ties=TIES[options.ties], seed=seed)
        search.limit(budget, allowed.megabytes << 20)
        outcome = search.run()
        total = time.process_time() - begun
        states = outcome.statistics.visited if isinstance(outcome, GoalReached) else None
        return Cell(overhead, states, total, "cut off" in built.description)


def measured(measurement: Measurement, model: str, allowed: Allowed) -> Cell:
    """In a process of its own, so that one search does not pay for another's memory."""
    with alone() as pool:
        return pool.apply(measurement.run, (model, allowed))


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
    allowed = Allowed(arguments.limit, arguments.memory, arguments.states)
    known = _read(arguments.csv)
    paths = network_files(arguments, models)
    print("| model | " + " | ".join(wanted) + " |")
    print("|---|" + "---|" * len(wanted))
    for model, path in paths.items():
        cells = []
        for name in wanted:
            key = model, name
            if key not in known:
                known[key] = str(measured(columns[name], path, allowed))
                if arguments.csv:
                    with open(arguments.csv, "a", newline="", encoding="utf-8") as file:
                        csv.writer(file).writerow([model, name, known[key]])
            figure = paper.get(model, {}).get(name)
            cells.append(known[key] + (f" (paper {figure})" if figure else ""))
        print(f"| {model} | " + " | ".join(cells) + f" |{note(model)}", flush=True)


def network_files(arguments: argparse.Namespace, models: Sequence[str]) -> dict[str, str]:
    """The models that were asked for, each with its file in the collection."""
    patterns = arguments.models.split(",")
    chosen = [model for model in models if any(fnmatch(model, pattern) for pattern in patterns)]
    if not chosen:
        raise SystemExit(f"no model is called {arguments.models}; there are {', '.join(models)}")
    folder = whereabouts(arguments.bench, NETWORKS)
    found = checked(folder, NETWORKS, [f"{model}.xta" for model in chosen], arguments.any_version)
    return dict(zip(chosen, map(str, found), strict=True))


def _read(path: str | None) -> dict[tuple[str, str], str]:
    if path is None or not Path(path).exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if any(len(row) != 3 for row in rows):
        raise SystemExit(f"{path}: no file of results of this experiment")
    return {(row[0], row[1]): row[2] for row in rows}


def _arguments(title: str, columns: Mapping[str, Measurement], models: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=title)
    add_bench(parser)
    parser.add_argument("--models", default="*", help=f"patterns of {', '.join(models)}, with commas")
    parser.add_argument("--columns", help=f"some of {', '.join(columns)}, with commas")
    parser.add_argument("--limit", type=float, default=300, help="CPU seconds for each cell")
    parser.add_argument("--memory", type=int, default=8192, help="megabytes of the state store")
    parser.add_argument("--states", type=int, default=STATES, help="abstract states of one database")
    parser.add_argument("--csv", help="results are written at once; what the file has is not measured again")
    return parser.parse_args()
