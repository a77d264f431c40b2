"""A solver that holds a path, and keeps of it what the next path begins with ([Theta], section 3.2.2, discussion).

Counterexamples are found one after the other in one graph and mostly share their beginnings. The formulas of a path
are asserted in pieces, one level of the solver each; the next path keeps the pieces that it shares and cuts the one in
which it leaves the last path, so that pieces end where paths have parted.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.logic.semantics import Value
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts


class PathSolver:
    """Law: ``check(path)`` answers as a new solver would. ``kept`` counts formulas that did not have to be asserted."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._held: list[Term] = []
        self._ends: list[int] = []
        self.kept = 0

    def check(self, path: Sequence[Term]) -> Satisfiability:
        """Whether the formulas of ``path`` are satisfiable together."""
        shared = 0
        for one, other in zip(self._held, path, strict=False):
            if one is not other:
                break
            shared += 1
        while self._ends and self._ends[-1] > shared:
            self._ends.pop()
            self._solver.pop()
        kept = self._ends[-1] if self._ends else 0
        self.kept += kept
        del self._held[kept:]
        self._hold(path[kept:shared])
        self._hold(path[shared:])
        return self._solver.check()

    def _hold(self, piece: Sequence[Term]) -> None:
        if piece:
            self._solver.push()
            for formula in piece:
                for part in conjuncts(formula):
                    self._solver.add(part)
            self._held += piece
            self._ends.append(len(self._held))

    def value(self, term: Term) -> Value:
        """In the model of the last check, which answered SAT."""
        return self._solver.value(term)


def longest_feasible(solver: PathSolver, path: Sequence[Term]) -> int:
    """How many formulas of ``path``, which is infeasible as a whole, are feasible together, counted from its first.
    What the solver does not know counts as feasible."""
    feasible, infeasible = 0, len(path)
    while infeasible - feasible > 1:
        middle = (feasible + infeasible) // 2
        if solver.check(path[:middle]) is Satisfiability.UNSAT:
            infeasible = middle
        else:
            feasible = middle
    return feasible
