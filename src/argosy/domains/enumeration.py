"""Successors by enumeration: what an operation leaves open, asked of a solver ([Theta], section 3.1.1, Algorithm 4).

The transfer of explicit values distinguishes *unknown* (an expression could not be evaluated) from *top* (nothing is
asserted about a variable, on purpose). Only where something is unknown, a solver is asked for assignments of the
variables of the target precision, at most ``limit`` of them, counted as combinations. If there are more, the caller
falls back to the plain transfer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argosy.domains.paths import Paths
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Edge

Assignment = tuple[Value, ...]


class Enumeration:
    """``limit`` 0 means that there is none. What was asked before is not asked again."""

    def __init__(self, terms: Terms, paths: Paths, solver: Solver, limit: int) -> None:
        self._terms = terms
        self._paths = paths
        self._solver = solver
        self.limit = limit
        self._known: dict[tuple[Edge, Term, tuple[Term, ...]], list[Assignment] | None] = {}

    def after(self, edge: Edge, before: Term, tracked: Sequence[Term]) -> list[Assignment] | None:
        """The values that ``tracked`` can have after ``edge`` from a state in ``before``; None if there are more than
        ``limit``, or the solver does not know. They are in their own order, not in that of the solver, which depends on
        what it was asked before."""
        key = (edge, before, tuple(tracked))
        if key not in self._known:
            self._known[key] = self._ask(edge, before, tracked)
        return self._known[key]

    def _ask(self, edge: Edge, before: Term, tracked: Sequence[Term]) -> list[Assignment] | None:
        terms, solver = self._terms, self._solver
        step = self._paths.extend(self._paths.empty, edge)
        new = [self._paths.indexed(v, step.indices.get(v, 0)) for v in tracked]
        found: list[Assignment] = []
        solver.push()
        try:
            for part in (*conjuncts(before), *conjuncts(step.formula)):
                solver.add(part)
            while (answer := solver.check()) is Satisfiability.SAT:
                values = tuple(solver.value(v) for v in new)
                found.append(values)
                if 0 < self.limit < len(found):
                    return None
                solver.add(terms.disjunction(self._differs(v, value) for v, value in zip(new, values, strict=True)))
            return (
                sorted(found, key=lambda values: [_rank(v) for v in values]) if answer is Satisfiability.UNSAT else None
            )
        finally:
            solver.pop()

    def _differs(self, variable: Term, value: Value) -> Term:
        return self._terms.ne(variable, self._terms.const(value, variable.sort))


def _rank(value: Value) -> Any:
    """An order of values; the arrays of one type have one too."""
    if isinstance(value, ArrayValue):
        return _rank(value.default), sorted((i, _rank(v)) for i, v in value.stored.items())
    return value


def more_values(sort: Sort, limit: int) -> bool:
    """Whether a sort has more than ``limit`` values."""
    if sort is BOOL:
        return limit < 2
    return not sort.is_bits or limit < 1 << sort.width
