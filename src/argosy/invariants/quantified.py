"""Houdini for claims about all elements: which guesses ``forall k: P(k)`` are inductive together.

At the source of a block a guess holds of every index, so also of those at which the block reads or writes: these are
the instances that are assumed beside the guess itself. At the target it is denied of one value of ``k``, which nothing
changes. Law: what is left holds, for all ``k``, in every execution of the automaton (fewer assumptions than there might
be make fewer guesses inductive, never more).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from argosy.basics.budget import Budget
from argosy.domains.paths import Paths
from argosy.invariants.houdini import Block, Houdini
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, substitute, variables
from argosy.models.cfa import Cfa

# At so many indices of a block a guess is assumed.
MOST_INDICES = 24


class QuantifiedHoudini(Houdini):
    """``bound`` are the variables that claims are about all values of; the automaton does not have them. A ``second``
    solver is asked what the first one does not know."""

    def __init__(
        self,
        cfa: Cfa,
        paths: Paths,
        solver: Solver,
        budget: Budget,
        bound: Sequence[Term],
        second: Callable[[], Solver] | None = None,
    ) -> None:
        super().__init__(cfa, cfa.terms, paths, solver, budget)
        self._bound = bound
        self._second = second
        self._unanswered = False
        self._indices = {block: tuple(islice(_indices(block), MOST_INDICES)) for block in self._blocks}

    def _check(self, assumptions: Sequence[Term]) -> Satisfiability:
        answer = super()._check(assumptions)
        self._unanswered = self._unanswered or answer is Satisfiability.UNKNOWN
        return answer

    def _reasons(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        """What one solver does not know, as of arrays that are constant, another one may."""
        self._unanswered = False
        found = super()._reasons(block, goal, facts)
        if found is None and self._unanswered and self._second is not None:
            first, self._solver = self._solver, self._second()
            found = super()._reasons(block, goal, facts)
            self._solver = first
        return found

    def _meaning(self, block: Block, fact: Term) -> Term:
        own = [v for v in self._bound if v in variables(fact)]
        if len(own) != 1:
            return fact
        at = (index for index in self._indices[block] if index.sort is own[0].sort)
        return self._terms.and_(fact, *(substitute(self._terms, fact, {own[0]: index}) for index in at))


def _indices(block: Block) -> list[Term]:
    """Where a block reads or writes elements."""
    found = (sub.args[1] for sub in postorder(block.path.formula) if sub.op in ("select", "store"))
    return list(dict.fromkeys(found))
