"""Refinement by Horn clauses: the whole program is given to Z3's Spacer, once (Komuravelli, Gurfinkel, Chaki, 2014).

A solution of the clauses is an interpretation of all locations. Where there is none the error is reachable, and
bounded model checking, which must find it then, says how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.domains.interpreted import Interpretation
from argosy.engine.outcome import Outcome, Unsafe
from argosy.engine.protocols import Feasible, Observer, Refined, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.logic.spacer import Derivable, Unanswered, Worker
from argosy.logic.terms import Term
from argosy.models.cells import Cells
from argosy.models.cfa import Cfa, Reading
from argosy.models.clause_script import names_of, script
from argosy.models.program_clauses import ProgramClauses, clauses_of_program


class ClausesRefiner:
    """``search`` looks for an error that is known to be there. ``cells`` are those that stand for arrays in the
    automaton, if any."""

    def __init__(
        self,
        cfa: Cfa,
        reading: Reading,
        observer: Observer,
        search: Callable[[], Outcome],
        cells: Cells | None = None,
    ) -> None:
        self._cells = cells
        self._cfa = cfa
        self._reading = reading
        self._observer = observer
        self._search = search

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Interpretation
    ) -> Feasible | Refined[Interpretation] | Stuck:
        if precision.formulas:
            return Stuck("the solution of the clauses does not exclude the error")
        program = clauses_of_program(self._cfa, self._reading, self._cells)
        names = names_of(program.system.predicates)
        relations = [(names[predicate].strip("|"), about) for predicate, about in program.places.values()]
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        worker = Worker(self._cfa.terms)
        try:
            found = self._solved(worker, program, relations, budget)
        except Derivable:
            if self._cells is not None:
                return Stuck("the cells are not enough: spacer derives the error")
            outcome = self._search()
            return Feasible(outcome.trace) if isinstance(outcome, Unsafe) else Stuck("spacer: an error without a path")
        except Unanswered as reason:
            budget.check()
            return Stuck(str(reason))
        finally:
            worker.close()
        # Where no formula was found or nothing leads to the error, nothing is claimed.
        pairs = zip(program.places, found, strict=True)
        formulas = {location: formula for location, formula in pairs if formula is not None}
        return Refined(Interpretation({**formulas, self._cfa.error: self._cfa.terms.false}))

    def _solved(
        self, worker: Worker, program: ProgramClauses, relations: Sequence[tuple[str, tuple[Term, ...]]], budget: Budget
    ) -> list[Term | None]:
        """A solution that says something of each loop head, which the proof is made of."""
        text = script(program.system)
        # Lemmas about cells are about how far a loop has got, which single states do not tell.
        guided = self._cells is not None
        found = worker.solve(text, relations, budget, guided=guided)
        pairs = zip(program.places, found, strict=True)
        if all(formula is not None or at not in self._cfa.loop_heads for at, formula in pairs):
            return found
        return worker.solve(text, relations, budget, inline=False, guided=guided)
