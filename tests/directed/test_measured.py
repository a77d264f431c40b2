"""What is promised of the models of [Directed] that are measured with (they are not part of the project)."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from argosy.directed.search import search
from argosy.frontends.uppaal import load
from argosy.kernel.search import GoalReached
from argosy.models.network_queries import Query, goals
from argosy.strategies import network_options

MODELS = Path(__file__).parents[3] / "shared" / "bench" / "models" / "ta" / "mcta-rebuilt"

pytestmark = pytest.mark.skipif(not MODELS.exists(), reason="the models are not here")


def found(model: str, options: dict[str, str], strategy: str = "zones", seed: int = 0) -> GoalReached:
    network, queries = load(str(MODELS / f"{model}.xta"))
    query = queries[0]
    assert isinstance(query, Query)
    outcome = search(network, goals(query.target), network_options(options, strategy), seed=seed).outcome
    assert isinstance(outcome, GoalReached)
    return outcome


SHORTEST = {"FA5": 6, "FB5": 6, "A2": 12, "M1": 47, "N1": 49, "C1": 54}


@pytest.mark.parametrize("model", SHORTEST)
@pytest.mark.parametrize("heuristic", ["zones", "pa-syntax", "pa-refine", "graph", "merge"])
def test_a_star_finds_a_shortest_run(model: str, heuristic: str) -> None:
    assert len(found(model, {"search": "astar", "heuristic": heuristic}).trace) == SHORTEST[model]


@pytest.mark.parametrize(("kind", "size"), [("FA", 5), ("FB", 5), ("FA", 10)])
def test_states_grow_no_faster_than_the_processes(kind: str, size: int) -> None:
    assert found(f"{kind}{size}", {}, "zone-databases").statistics.visited <= 10 * size


PAPER_BEST = {"M1": 5656, "M2": 30743, "N1": 12439, "C1": 871, "C2": 1600, "C3": 2481}


@pytest.mark.parametrize("model", PAPER_BEST)
def test_no_more_states_than_the_best_of_the_paper(model: str) -> None:
    assert found(model, {}, "zone-databases").statistics.visited <= PAPER_BEST[model]


@pytest.mark.parametrize("model", ["C1", "C2", "C3"])
def test_a_tenth_of_the_states_of_a_random_search(model: str) -> None:
    blind = median(found(model, {}, "rdf", seed).statistics.visited for seed in range(5))
    assert 10 * found(model, {}, "syntax-b2").statistics.visited <= blind


def test_merged_automata_need_no_more_states_than_in_the_paper() -> None:
    for model, most in (("C1", 871), ("C2", 1600), ("C3", 2481), ("M1", 19063), ("N1", 27275)):
        assert found(model, {}, "merge-n50").statistics.visited <= most
