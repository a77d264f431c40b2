"""The strategies ``closed-forms`` and ``summaries``: what any number of rounds of a loop comes to."""

from __future__ import annotations

from typing import Any

from argosy.domains.interpreted import Interpretation, Interpreted, InterpretedState
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Strategy
from argosy.models.cfa import Edge
from argosy.refiners.summaries import SummariesRefiner
from argosy.strategies.setting import Setting


def closed_forms(setting: Setting[Any]) -> Strategy[InterpretedState, Edge, Interpretation]:
    return _strategy(setting, closed_only=True)


def summaries(setting: Setting[Any]) -> Strategy[InterpretedState, Edge, Interpretation]:
    return _strategy(setting, closed_only=False)


def _strategy(setting: Setting[Any], closed_only: bool) -> Strategy[InterpretedState, Edge, Interpretation]:
    refiner = SummariesRefiner(setting.cfa, setting.solvers, setting.reading, setting.observer, closed_only)
    return Strategy(Interpreted(setting.cfa), Fifo, refiner, Interpretation())
