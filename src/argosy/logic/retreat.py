"""A fast solver with a small language, and one with a larger language behind it.

The first solver is asked as long as it can express everything; at its first SolverError all assertions move to the
second, which stays. The answers are those of the contract either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from argosy.logic.semantics import Value
from argosy.logic.solver import Satisfiability, Solver, SolverError
from argosy.logic.terms import Term

R = TypeVar("R")


class Retreat:
    """``second`` creates the second solver, when it is needed."""

    def __init__(self, first: Solver, second: Callable[[], Solver]) -> None:
        self.name = first.name
        self._solver = first
        self._second: Callable[[], Solver] | None = second
        self._frames: list[list[Term]] = [[]]

    def push(self) -> None:
        self._solver.push()
        self._frames.append([])

    def pop(self) -> None:
        self._solver.pop()
        self._frames.pop()

    def add(self, term: Term) -> None:
        self._frames[-1].append(term)
        try:
            self._solver.add(term)
        except SolverError as error:
            self._retreat(error)

    def check(self, assumptions: Sequence[Term] = ()) -> Satisfiability:
        try:
            return self._solver.check(assumptions)
        except SolverError as error:
            self._retreat(error)
            return self._solver.check(assumptions)

    def value(self, term: Term) -> Value:
        return self._solver.value(term)

    def core(self) -> list[Term]:
        return self._solver.core()

    def all_sat(self, literals: Sequence[Term]) -> Iterator[tuple[bool | None, ...]]:
        try:
            yield from self._solver.all_sat(literals)
        except SolverError as error:
            # What the first solver found before is enumerated again: the union is the same.
            self._retreat(error)
            yield from self._solver.all_sat(literals)

    def _retreat(self, error: SolverError) -> None:
        """Move to the second solver, assertions included; nowhere to go to is the error itself."""
        if self._second is None:
            raise error
        self._solver = self._second()
        self._second = None
        self.name = self._solver.name
        for level, frame in enumerate(self._frames):
            if level:
                self._solver.push()
            for term in frame:
                self._solver.add(term)
