"""The zone domain in the one engine finds what the native search finds, with any frontier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from argosy.certify.timed_replay import TimedStep, replay
from argosy.engine.engine import check
from argosy.engine.frontier import Fifo, Lifo
from argosy.engine.outcome import Safe, Unsafe
from argosy.engine.protocols import Frontier, Strategy
from argosy.kernel.search import Exhausted, GoalReached, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Goal, goals
from tests.kernel.networks import fischer
from tests.kernel.random_networks import Generator
from tests.kernel.zone_analysis import ZoneAnalysis, ZoneRefiner


def explored(made: Network, wanted: tuple[Goal, ...], frontier: Callable[[], Frontier]) -> Safe | Unsafe:
    analysis = ZoneAnalysis(made, wanted)
    outcome = check(Strategy(analysis, frontier, ZoneRefiner(analysis), analysis.precision()))
    assert isinstance(outcome, Safe | Unsafe)
    return outcome


@pytest.mark.parametrize("frontier", [Fifo, Lifo])
def test_fischer(frontier: Callable[[], Frontier]) -> None:
    safe = explored(*fischer(3), frontier)
    assert isinstance(safe, Safe)
    search = ZoneSearch(*fischer(3))
    search.run()
    assert {node.state.discrete for node in safe.reached} == {state.discrete for state in search.states()}
    unsafe = explored(*fischer(3, mutual=False), frontier)
    assert isinstance(unsafe, Unsafe)
    replay(fischer(3, mutual=False)[0], [TimedStep(step.delay, step.edges) for step in unsafe.model])
    if frontier is Fifo:
        assert len(unsafe.trace) == 6


@pytest.mark.parametrize("seed", range(500, 530))
def test_random_networks(seed: int) -> None:
    case = Generator(seed).case()
    for formula in case.formulas[:2]:
        wanted = goals(formula)
        native = ZoneSearch(case.network, wanted).run()
        if not isinstance(native, GoalReached | Exhausted):
            with pytest.raises(ModelError):
                explored(case.network, (), Fifo)
            return
        assert isinstance(explored(case.network, wanted, Fifo), Unsafe) == isinstance(native, GoalReached)
