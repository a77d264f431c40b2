"""Bounded model checking with a growing bound, and k-induction on the same path formulas."""

from __future__ import annotations

from argosy.domains.paths import Paths
from argosy.domains.unrolling import Bound, UnrolledState, Unrolling
from argosy.models.cfa import Edge
from argosy.protocols import Strategy
from argosy.refiners.bound import BoundRefiner, Induction, unrolling_order
from argosy.strategies.setting import Setting


def bounded(setting: Setting) -> Strategy[UnrolledState, Edge, Bound]:
    """``bmc``; with the option ``induction=on`` also ``kinduction``."""
    paths = Paths(setting.terms, setting.reading)
    solver = setting.solvers.create("abstraction", setting.arithmetic)
    analysis = Unrolling(setting.cfa, setting.terms, paths, solver)
    induction = None
    if setting.options.get("induction") == "on":
        induction = Induction(setting.cfa, setting.solvers, setting.reading, setting.arithmetic, setting.observer)
    refiner = BoundRefiner(paths, solver, induction)
    return Strategy(analysis, lambda: unrolling_order(setting.cfa), refiner, Bound(1), targets=0)
