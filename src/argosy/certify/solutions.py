"""Is an interpretation of predicates a solution of Horn clauses? One question to a solver for each clause.

Law: ``is_solution`` is true only if every clause is valid under the interpretation.
"""

from __future__ import annotations

from argosy.basics.budget import Budget
from argosy.logic.formulas import Application
from argosy.logic.solver import Satisfiability, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.clause_script import Solution
from argosy.models.clauses import ClauseSystem


def is_solution(system: ClauseSystem, solution: Solution, solvers: Solvers, budget: Budget) -> bool:
    terms = system.terms

    def instance(application: Application) -> Term:
        parameters, formula = solution[application.predicate]
        return substitute(terms, formula, dict(zip(parameters, application.arguments, strict=True)))

    for parameters, formula in solution.values():
        if not variables(formula) <= set(parameters):
            return False
    kind = _numbers(system)
    for clause in system.clauses:
        body = map(instance, clause.body)
        head = terms.false if clause.head is None else instance(clause.head)
        refuting = terms.conjunction((clause.constraint, *body, terms.not_(head)))
        if refuting is terms.false:
            continue
        solver = solvers.create("certify", kind, time_limit=max(0.1, budget.at_most(60).left))
        try:
            if solver.check([refuting]) is not Satisfiability.UNSAT:
                return False
        except SolverError:
            return False
    return True


def _numbers(system: ClauseSystem) -> SortKind:
    """In the words of ``logic.solvers``: what is not bit-vectors only is not for solvers of these."""
    sorts = {sort.kind for predicate in system.predicates for sort in predicate.sorts}
    sorts |= {v.sort.kind for clause in system.clauses for v in variables(clause.constraint)}
    return "real" if "real" in sorts else "int" if "int" in sorts else "bits"
