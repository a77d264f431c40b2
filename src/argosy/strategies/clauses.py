"""The strategy ``horn``: the program as Horn clauses, solved at once by Z3's Spacer, in a process of its own."""

from __future__ import annotations

from typing import Any

from argosy.basics.records import replace
from argosy.domains.interpreted import Interpretation, Interpreted, InterpretedState
from argosy.engine.engine import check
from argosy.engine.frontier import Fifo
from argosy.engine.outcome import Outcome
from argosy.engine.protocols import Strategy
from argosy.models.cfa import Edge
from argosy.options.programs import BoundedOptions
from argosy.refiners.clauses import ClausesRefiner
from argosy.strategies.bounded import bounded
from argosy.strategies.setting import Setting


def clauses(setting: Setting[Any]) -> Strategy[InterpretedState, Edge, Interpretation]:
    def search() -> Outcome:
        return check(bounded(replace(setting, options=BoundedOptions())), setting.observer)

    refiner = ClausesRefiner(setting.cfa, setting.reading, setting.observer, search, setting.cells)
    return Strategy(Interpreted(setting.cfa), Fifo, refiner, Interpretation())
