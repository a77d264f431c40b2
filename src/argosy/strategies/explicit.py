"""Explicit values, refined by the variables that decide impossible counterexamples."""

from __future__ import annotations

from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.frontier import BestFirst, Fifo, Lifo
from argosy.models.cfa import Edge
from argosy.protocols import Frontier, Strategy
from argosy.refiners.pruning import pruning
from argosy.refiners.values import ValueRefiner
from argosy.strategies.setting import Setting


def explicit(setting: Setting) -> Strategy[ExplicitState, Edge, Precision]:
    options, cfa = setting.options, setting.cfa
    analysis = ExplicitAnalysis(cfa, setting.reading)
    paths = Paths(setting.terms, setting.reading)
    refiner = ValueRefiner(analysis, paths, setting.solvers.create("trace", setting.arithmetic))

    def frontier() -> Frontier:
        match options["search"]:
            case "bfs":
                return Fifo()
            case "dfs":
                return Lifo()
        return BestFirst(lambda node: cfa.order[node.state.location])

    precision = Precision(options["granularity"])  # type: ignore[arg-type]
    return Strategy(analysis, frontier, pruning(options["prune"], refiner), precision)
