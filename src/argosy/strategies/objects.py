"""The strategy ``objects``: claims about all objects of the heap, guessed from the text, as lists need them."""

from __future__ import annotations

from typing import Any

from argosy.domains.interpreted import Interpretation, Interpreted, InterpretedState
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Strategy
from argosy.models.cfa import Edge
from argosy.refiners.objects import ObjectsRefiner
from argosy.strategies.setting import Setting


def objects(setting: Setting[Any]) -> Strategy[InterpretedState, Edge, Interpretation]:
    refiner = ObjectsRefiner(setting.cells, setting.solvers, setting.reading, setting.observer)
    return Strategy(Interpreted(setting.cfa), Fifo, refiner, Interpretation())
