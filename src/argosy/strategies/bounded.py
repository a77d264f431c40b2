"""Bounded model checking with a growing bound, and k-induction on the same unrolling."""

from __future__ import annotations

from argosy.domains.unrolling import Bound, UnrolledState, Unrolling
from argosy.models.cfa import Edge
from argosy.protocols import Strategy
from argosy.refiners.bound import BoundRefiner, Induction, unrolling_order
from argosy.strategies.setting import Setting


def bounded(setting: Setting) -> Strategy[UnrolledState, Edge, Bound]:
    """``bmc``; with the option ``induction=on`` also ``kinduction``."""
    cfa, solvers, reading, arithmetic = setting.cfa, setting.solvers, setting.reading, setting.arithmetic
    analysis = Unrolling(cfa, setting.terms, solvers.create("abstraction", arithmetic), reading)
    induction = None
    if setting.options.get("induction") == "on":
        induction = Induction(cfa, solvers, reading, arithmetic, setting.observer)
    refiner = BoundRefiner(analysis, induction)
    return Strategy(analysis, lambda: unrolling_order(cfa), refiner, Bound(1), targets=0)
