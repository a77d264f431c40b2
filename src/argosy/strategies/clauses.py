"""The strategy ``horn``: the program as Horn clauses, solved at once by Z3's Spacer, in a process of its own.

Functions in a cycle of calls have contracts, for which the solver is asked; an error that it finds is looked for in the
automaton in which they are copied.
"""

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

    procedures = setting.procedures
    cfa = setting.cfa if procedures is None else procedures.cfa
    refiner = ClausesRefiner(cfa, setting.reading, setting.observer, search, procedures, setting.cells)
    return Strategy(Interpreted(cfa), Fifo, refiner, Interpretation())
