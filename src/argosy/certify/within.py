"""Whether any execution can violate a check within so many loop heads: the question of ``assumptions`` about a model
that was unwound, asked level by level.

There every check is asked about in one question about all statements (``passage``), in which values that come by
different ways are open. Level by level (``certify.levels``) constants of the front decide most checks where they stand:
the error of the automaton that is looked at here is a violated check, and mostly nothing of it is left.

Law: ``nothing_is_violated`` says yes only where no execution, up to the end of the unwinding, violates a check that
``Guards`` has. It may say no where the other question says more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from argosy.basics.budget import Budget, OutOfBudget
from argosy.basics.records import replace
from argosy.certify.levels import Levels, Pieces
from argosy.certify.meanings import Meanings, sort_kind
from argosy.certify.passage import Guards, Reach
from argosy.certify.proof import holds_always
from argosy.certify.refuter import Refuter
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.models.cfa import Assume, Cfa, Edge, Location

_PATIENCE = 2.0  # seconds for what constants do not decide


def nothing_is_violated(reach: Reach, inside: Collection[Location], depth: int, budget: Budget, seed: int = 0) -> bool:
    """Of executions from the start, until they have passed ``depth`` loop heads and come to the next one."""
    cfa = reach.cfa
    watched = replace(cfa, edges=tuple(_with_violations(cfa)))
    heads = [cut for cut in reach.cuts if cut in inside and cut is not cfa.error]
    levels = Levels(Pieces(Meanings(watched, defined=False), heads, {*inside, cfa.error}, {}), "checked")
    try:
        while levels.level <= depth:
            levels.advance(budget.check)
        violated = cfa.terms.disjunction(levels.errors)
        if violated is cfa.terms.false:
            return True
        # These questions are counted apart, as those of the other way are.
        patience = budget.at_most(_PATIENCE)
        refuter = Refuter(cfa.terms, Solvers(cfa.terms, Counters(), seed), sort_kind(cfa), patience, False)
        return refuter.refute((violated, *levels.told)) is Satisfiability.UNSAT
    except (OutOfBudget, SolverError):
        return False


def _with_violations(cfa: Cfa) -> Iterator[Edge]:
    """The edges but those to the error, and one to the error for each check that may be violated first."""
    guards = Guards()
    for edge in cfa.edges:
        if edge.target is not cfa.error:
            yield edge
        checks = guards(edge)
        for number, check in enumerate(checks):
            if not holds_always(check):
                violated = Assume(cfa.terms.not_(check.condition))
                yield Edge(edge.source, cfa.error, violated, edge.position, checks=tuple(checks[:number]))
