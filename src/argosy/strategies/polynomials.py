"""The strategy ``polynomials``: equations between what loops count and add up, modulo 2^w."""

from __future__ import annotations

from typing import Any

from argosy.domains.interpreted import Interpretation, Interpreted, InterpretedState
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Strategy
from argosy.models.cfa import Edge
from argosy.refiners.polynomials import PolynomialsRefiner
from argosy.strategies.setting import Setting


def polynomials(setting: Setting[Any]) -> Strategy[InterpretedState, Edge, Interpretation]:
    refiner = PolynomialsRefiner(setting.cfa, setting.solvers, setting.reading, setting.observer)
    return Strategy(Interpreted(setting.cfa), Fifo, refiner, Interpretation())
