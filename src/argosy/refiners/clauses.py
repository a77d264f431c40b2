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
from argosy.models.cfa import Cfa, Reading
from argosy.models.clause_script import names_of, script
from argosy.models.contracts import Contract, Procedures
from argosy.models.program_clauses import ProgramClauses, clauses_of_procedures, clauses_of_program


class ClausesRefiner:
    """``search`` looks for an error that is known to be there. Where there are ``procedures``, ``cfa`` is theirs, and
    the interpretation has contracts."""

    def __init__(
        self,
        cfa: Cfa,
        reading: Reading,
        observer: Observer,
        search: Callable[[], Outcome],
        procedures: Procedures | None = None,
    ) -> None:
        self._cfa = cfa
        self._procedures = procedures
        self._reading = reading
        self._observer = observer
        self._search = search

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Interpretation
    ) -> Feasible | Refined[Interpretation] | Stuck:
        if precision.formulas:
            return Stuck("the solution of the clauses does not exclude the error")
        if self._procedures is None:
            program = clauses_of_program(self._cfa, self._reading)
        else:
            program = clauses_of_procedures(self._procedures, self._reading)
        names = names_of(program.system.predicates)
        asked = (*program.places.values(), *program.conditions.values())
        relations = [(names[predicate].strip("|"), about) for predicate, about in asked]
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        worker = Worker(self._cfa.terms)
        try:
            found = self._solved(worker, program, relations, budget)
        except Derivable:
            outcome = self._search()
            return Feasible(outcome.trace) if isinstance(outcome, Unsafe) else Stuck("spacer: an error without a path")
        except Unanswered as reason:
            budget.check()
            return Stuck(str(reason))
        finally:
            worker.close()
        # Where no formula was found or nothing leads to the error, nothing is claimed.
        pairs = zip(program.places, found, strict=False)
        formulas = {location: formula for location, formula in pairs if formula is not None}
        conditions = dict(zip(program.conditions, found[len(program.places) :], strict=True))
        contracts = {}
        for name in dict.fromkeys(name for name, _ in conditions):
            requires, ensures = conditions[name, False], conditions[name, True]
            if requires is None or ensures is None:
                return Stuck("spacer: a contract with quantifiers")
            contracts[name] = Contract(requires, ensures)
        return Refined(Interpretation({**formulas, self._cfa.error: self._cfa.terms.false}, contracts))

    def _solved(
        self, worker: Worker, program: ProgramClauses, relations: Sequence[tuple[str, tuple[Term, ...]]], budget: Budget
    ) -> list[Term | None]:
        """A solution that says something of each loop head and of each contract, which the proof is made of."""
        text = script(program.system)
        found = worker.solve(text, relations, budget)
        # Conditions of functions are asked for after the locations.
        needed = (*(at in self._cfa.loop_heads for at in program.places), *(True for _ in program.conditions))
        if all(formula is not None or not need for need, formula in zip(needed, found, strict=True)):
            return found
        return worker.solve(text, relations, budget, inline=False)
