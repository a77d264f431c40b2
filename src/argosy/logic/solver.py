"""The contract of a solver: assert, check under assumptions, value, unsat core, all-sat. Nothing else is seen of it.

One module per solver implements it (``z3_solver``, ``bitwuzla_solver``, ``cvc5_solver``, ``yices_solver``);
``solvers.py`` holds the one table that says which solver answers which kind of query, and imports a solver's
package only when it is first asked for. Callers never see a solver's own term type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Protocol

from argosy.basics.records import dataclass, field
from argosy.logic.semantics import Value
from argosy.logic.terms import Term


class Satisfiability(Enum):
    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Counters:
    """What does not depend on the clock. One object is shared by all solvers of a run. ``entailments`` are counted as
    in [Subsumer], one for each predicate that a solver was asked about; ``cached`` are those answered before. ``notes``
    say where something weaker was done than was asked for, and how often."""

    checks: int = 0
    models: int = 0
    entailments: int = 0
    cached: int = 0
    notes: dict[str, int] = field(default_factory=dict)

    def note(self, what: str) -> None:
        self.notes[what] = self.notes.get(what, 0) + 1

    def noted(self) -> list[str]:
        """The notes in words, for the ledger."""
        return [what if times == 1 else f"{what} ({times} times)" for what, times in self.notes.items()]


class SolverError(Exception):
    """A solver cannot express a term (wrong theory) or failed internally; the message says which solver."""


def numeral(value: object) -> str:
    """The text of a number. Python refuses those of more than some thousand digits, which no proof is about."""
    try:
        return str(value)
    except ValueError:
        raise SolverError("a number of thousands of digits") from None


class Solver(Protocol):
    """An incremental solver. Law: after ``check`` answered SAT, ``value(t)`` evaluates to one model in which all
    asserted terms and assumptions are true; after UNSAT, ``core()`` is a subset of the assumptions that is
    inconsistent with the asserted terms. ``push``/``pop`` bracket assertions."""

    name: str

    def push(self) -> None: ...
    def pop(self) -> None: ...
    def add(self, term: Term) -> None: ...
    def check(self, assumptions: Sequence[Term] = ()) -> Satisfiability: ...
    def value(self, term: Term) -> Value: ...
    def core(self) -> list[Term]: ...

    def all_sat(self, literals: Sequence[Term]) -> Iterator[tuple[bool | None, ...]]:
        """Cubes over ``literals`` (boolean terms) whose union is exactly the projection of the models onto them;
        None leaves a literal open. The solver's assertions are unchanged afterwards. Raises SolverError when
        the solver says unknown."""
        ...
