"""Newton-style interpolants: strongest postconditions with projection, then only what the proof needs.

After Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in software model checking" (ESEC/FSE 2017): along
an infeasible path whose irrelevant conjuncts were replaced by true, the strongest postcondition, projected to the
variables that are still live, is an interpolant. A backward pass then keeps, at each cut, the conjuncts that some
unsatisfiable core uses to prove the next interpolant; it also is the proof that the sequence is inductive.

Weakest preconditions are the same on the reversed path: with J for the reversed parts, not J is one for the parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import Budget
from argosy.logic.projection import Fallback, project
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables


class Lost(Exception):
    """No interpolants this way; the message says why."""


def postconditions(
    terms: Terms, solver: Solver, parts: Sequence[Term], budget: Budget, fallback: Fallback | None = None
) -> list[Term]:
    """Interpolants of ``parts``, at least two formulas that contradict one another. Raises Lost. ``solver`` has no
    assertions, and has none afterwards."""
    live: list[frozenset[Term]] = [frozenset()]
    for part in reversed(parts[1:]):
        live.append(live[-1] | variables(part))
    live.reverse()
    states: list[list[Term]] = []
    state: list[Term] = []
    for part, after in zip(parts[:-1], live, strict=False):
        _hurry(budget)
        known = [*state, part]
        mentioned: frozenset[Term] = frozenset().union(*(variables(t) for t in known))
        state = project(terms, known, mentioned - after, fallback)
        states.append(state)
    return _keep_needed(terms, solver, parts, states, budget)


def preconditions(
    terms: Terms, solver: Solver, parts: Sequence[Term], budget: Budget, fallback: Fallback | None = None
) -> list[Term]:
    """The same, computed backwards from the last part."""
    mirrored = postconditions(terms, solver, parts[::-1], budget, fallback)
    return [terms.not_(term) for term in reversed(mirrored)]


def _keep_needed(
    terms: Terms, solver: Solver, parts: Sequence[Term], states: Sequence[Sequence[Term]], budget: Budget
) -> list[Term]:
    """Of each state the conjuncts that prove the next interpolant."""
    result: list[Term] = []
    goal = terms.false
    for state, part in zip(reversed(states), reversed(parts), strict=False):
        _hurry(budget)
        goal = terms.conjunction(_needed(terms, solver, state, part, goal))
        result.append(goal)
    result.reverse()
    _needed(terms, solver, (), parts[0], goal)
    return result


def _needed(terms: Terms, solver: Solver, state: Sequence[Term], part: Term, goal: Term) -> list[Term]:
    """The conjuncts of ``state`` that imply ``goal`` after ``part``."""
    if goal is terms.true:
        return []
    solver.push()
    solver.add(part)
    solver.add(terms.not_(goal))
    answer = solver.check(state)
    core = solver.core() if answer is Satisfiability.UNSAT else []
    solver.pop()
    if answer is not Satisfiability.UNSAT:
        raise Lost("the projection lost too much" if answer is Satisfiability.SAT else "the solver gave up")
    return core


def _hurry(budget: Budget) -> None:
    if budget.is_over:
        raise Lost("out of time")
