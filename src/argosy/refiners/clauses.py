"""Refinement by Horn clauses: the whole program is given to Z3's Spacer, once (Komuravelli, Gurfinkel, Chaki, 2014).

A solution of the clauses is an interpretation of all locations. Where there is none the error is reachable, and
bounded model checking, which must find it then, says how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import replace
from argosy.domains.interpreted import Interpretation
from argosy.engine.outcome import Outcome, Unsafe
from argosy.engine.protocols import Feasible, Observer, Refined, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.logic.formulas import Predicate
from argosy.logic.spacer import Derivable, Unanswered, Worker
from argosy.logic.terms import Term
from argosy.models.cells import Cells
from argosy.models.cfa import Cfa, Reading
from argosy.models.clause_script import names_of, script
from argosy.models.contracts import Contract, Procedures
from argosy.models.program_clauses import ProgramClauses, clauses_of_procedures, clauses_of_program
from argosy.models.resolution import resolved

# More arguments of predicates make a text that takes longer to write than Spacer has.
LARGEST = 400_000


class ClausesRefiner:
    """``search`` looks for an error that is known to be there. Where there are ``procedures``, ``cfa`` is theirs, and
    the interpretation has contracts. ``cells`` are those that stand for arrays in the automaton, if any."""

    def __init__(
        self,
        cfa: Cfa,
        reading: Reading,
        observer: Observer,
        search: Callable[[], Outcome],
        procedures: Procedures | None = None,
        cells: Cells | None = None,
    ) -> None:
        self._cells = cells
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
        program = self._program()
        if sum(len(each.arguments) for clause in program.system.clauses for each in clause.body) > LARGEST:
            return Stuck("spacer: more clauses than are worth asking")
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        worker = Worker(self._cfa.terms)
        try:
            found = self._solved(worker, program, budget)
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
        formulas = {at: found[predicate] for at, (predicate, _) in program.places.items() if predicate in found}
        conditions = {which: found.get(predicate) for which, (predicate, _) in program.conditions.items()}
        contracts = {}
        for name in dict.fromkeys(name for name, _ in conditions):
            requires, ensures = conditions[name, False], conditions[name, True]
            if requires is None or ensures is None:
                return Stuck("spacer: a contract with quantifiers")
            contracts[name] = Contract(requires, ensures)
        return Refined(Interpretation({**formulas, self._cfa.error: self._cfa.terms.false}, contracts))

    def _program(self) -> ProgramClauses:
        if self._procedures is None:
            return clauses_of_program(self._cfa, self._reading, self._cells)
        program = clauses_of_procedures(self._procedures, self._reading)
        return replace(program, system=resolved(program.system, self._needed(program)))

    def _needed(self, program: ProgramClauses) -> list[Predicate]:
        """What the proof is made of: loop heads and contracts."""
        heads = (predicate for at, (predicate, _) in program.places.items() if at in self._cfa.loop_heads)
        return [*heads, *(predicate for predicate, _ in program.conditions.values())]

    def _solved(self, worker: Worker, program: ProgramClauses, budget: Budget) -> dict[Predicate, Term]:
        """A solution that says something of all that is needed, if there is one."""
        text, names = script(program.system), names_of(program.system.predicates)
        left = frozenset(program.system.predicates)
        asked = [each for each in (*program.places.values(), *program.conditions.values()) if each[0] in left]
        relations = [(names[predicate].strip("|"), about) for predicate, about in asked]
        solution: dict[Predicate, Term] = {}
        for inline in (True, False):
            # Lemmas about cells are about how far a loop has got, which single states do not tell.
            found = worker.solve(text, relations, budget, inline=inline, guided=self._cells is not None)
            pairs = zip(asked, found, strict=True)
            solution = {predicate: formula for (predicate, _), formula in pairs if formula is not None}
            if all(predicate in solution for predicate in self._needed(program)):
                break
        return solution
