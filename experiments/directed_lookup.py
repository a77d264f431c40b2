"""What a lookup costs, beside what a successor costs: CPU microseconds inside searches.

    python experiments/directed_lookup.py --models C4,M4

A search is run with a heuristic, and again with the maximum of it and nine copies: the estimates are the same, the
states are the same, the difference is nine lookups for each state that was estimated (a heuristic in Python counts
them, in a third run). A successor is what a blind search of the same model takes for one, storing it included.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from collection import add_bench, guarded
from directed import BEYOND, FISCHER, MUTUAL, SEGMENT, network_files

from argosy.basics.budget import Budget
from argosy.directed.build import build
from argosy.directed.search import TIES
from argosy.directed.zone_databases import STATES as ZONES
from argosy.frontends.uppaal import load
from argosy.kernel import _zones
from argosy.kernel.graph import SymbolicState
from argosy.kernel.heuristics import Combined, FromPython, KernelHeuristic
from argosy.kernel.search import Order, Outcome, ZoneSearch
from argosy.kernel.tables import Compiled
from argosy.models.network import Network
from argosy.models.network_expressions import Constraint
from argosy.models.network_queries import Goal, Query, goals
from argosy.options.networks import Guidance
from argosy.strategies import network_options

COPIES = 9
STATES = 20_000
CHOICES: dict[str, tuple[str, dict[str, str]]] = {
    "graph": ("graph", {}),
    "syntax-b2": ("syntax-b2", {}),
    "syntax-b3": ("syntax-b2", {"split-bound": "3"}),
    "refine-b3-r4": ("refine-b3-r4", {}),
    "merge-n50": ("merge-n50", {}),
    "zones": ("zone-databases", {}),
    "monotone": ("monotone", {}),
}


class Counter:
    """A heuristic that adds nothing."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, state: SymbolicState) -> float:
        self.calls += 1
        return 0.0


@dataclass(frozen=True, slots=True)
class Copies:
    """The maximum of a heuristic and copies of it."""

    heuristic: KernelHeuristic

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return self.heuristic.literals

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        parts = [self.heuristic.build(compiled) for _ in range(COPIES + 1)]
        return _zones.Combination(parts, [tuple(range(COPIES + 1))], False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_bench(parser)
    parser.add_argument("--models", default="C4,M4")
    parser.add_argument("--limit", type=int, default=50_000, help="states of a search")
    parser.add_argument("--repeat", type=int, default=3, help="the least of so many times counts")
    arguments = parser.parse_args()
    for model, path in network_files(arguments, (*FISCHER, *MUTUAL, *SEGMENT, *BEYOND)).items():
        network, queries = load(path)
        query = queries[0]
        assert isinstance(query, Query)
        asked = goals(query.target)

        def timed(
            order: Order,
            heuristic: KernelHeuristic | None,
            options: dict[str, str],
            network: Network = network,
            asked: tuple[Goal, ...] = asked,
        ) -> tuple[float, Outcome]:
            best: tuple[float, Outcome] | None = None
            for _ in range(arguments.repeat):
                search = ZoneSearch(network, asked, order, heuristic=heuristic, ties=TIES[options.ties])
                begun = time.process_time()
                outcome = search.run(pause_at=arguments.limit)
                spent = time.process_time() - begun
                if best is None or spent < best[0]:
                    best = spent, outcome
            assert best is not None
            return best

        blind, outcome = timed(Order.BREADTH_FIRST, None, network_options({}))
        print(f"{model}: a successor {1e6 * blind / outcome.statistics.transitions:.2f}")
        for name, (strategy, chosen) in CHOICES.items():
            options = network_options(chosen, strategy)
            states = ZONES if options.heuristic is Guidance.ZONES else STATES
            heuristic = build(network, asked, options, Budget.of(600), states).heuristic
            assert heuristic is not None
            once, outcome = timed(Order.GREEDY, heuristic, options)
            often, same = timed(Order.GREEDY, Copies(heuristic), options)
            assert outcome.statistics.visited == same.statistics.visited
            counter = Counter()
            counting = Combined((heuristic, FromPython(counter)), sums=True)
            search = ZoneSearch(network, asked, Order.GREEDY, heuristic=counting, ties=TIES[options.ties])
            search.run(pause_at=arguments.limit)
            cost = 1e6 * (often - once) / (COPIES * counter.calls)
            print(f"{model}: a lookup, {name} {cost:.2f} ({counter.calls:,} states estimated)", flush=True)


if __name__ == "__main__":
    guarded(main)
