"""Weaker, simpler interpolants, so that the ones at successive visits of a loop head agree.

Any formula between the strongest and the weakest interpolant is one. Solvers tend to count: ``x - y <= -1`` at the
first visit, ``x - y <= -2`` at the second, where ``x <= y`` would do at both and is the invariant. From the last cut
to the first, each linear inequality (and each equation, read as two of them) is given the bound that a later cut
uses for the same variables, else zero, if the interpolant then still implies the next one.

Law: the result is a sequence of interpolants when the argument is one; each is implied by the given one. Variables
of different cuts are the same when their names are equal up to the index after ``@``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from argosy.basics.budget import Budget
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts

_CANDIDATES = 3  # so many bounds are tried for each inequality


def weaken(terms: Terms, solver: Solver, parts: Sequence[Term], found: Sequence[Term], budget: Budget) -> list[Term]:
    """``found`` are interpolants of ``parts``. ``solver`` has no assertions, and has none afterwards. What the budget
    does not suffice for stays as it is."""
    used: dict[Hashable, dict[Any, None]] = {}
    result: list[Term] = []
    goal = terms.false
    for formula, part in zip(reversed(found), reversed(parts), strict=False):
        literals = list(conjuncts(formula))
        if goal is not terms.true and not budget.is_over:
            solver.push()
            solver.add(part)
            solver.add(terms.not_(goal))
            for index, literal in enumerate(literals):
                others = literals[:index] + literals[index + 1 :]
                for candidate in _weaker(terms, literal, used):
                    if solver.check([*others, candidate]) is Satisfiability.UNSAT:
                        literals[index] = candidate
                        break
            solver.pop()
        for literal in literals:
            bound = _bound(terms, literal)
            if bound is not None:
                used.setdefault(bound[0], {})[bound[1]] = None
        goal = terms.conjunction(literals)
        result.append(goal)
    result.reverse()
    return result


def _weaker(terms: Terms, literal: Term, used: dict[Hashable, dict[Any, None]]) -> Iterator[Term]:
    """Inequalities that ``literal`` implies, the preferred ones first."""
    if literal.op == "=" and literal.args[0].sort.is_numeric:
        total, value = literal.args
        sides = [terms.le(total, value), terms.ge(total, value)]
        for side in sides:
            bound = _bound(terms, side)
            assert bound is not None
            if bound[0] in used:
                yield from _weaker(terms, side, used)
        return
    bound = _bound(terms, literal)
    if bound is None:
        return
    shape, limit, total = bound
    wanted = [b for b in used.get(shape, ()) if b > limit]
    if limit < 0 and 0 not in wanted:
        wanted.append(0)
    for value in wanted[:_CANDIDATES]:
        if literal.op == "not":
            yield terms.ge(total, terms.const(-value, total.sort))
        else:
            yield terms.le(total, terms.const(value, total.sort))


def _bound(terms: Terms, literal: Term) -> tuple[Hashable, Any, Term] | None:
    """A non-strict inequality as (its direction and left side without indices, its bound, its left side): larger
    bounds are weaker. ``total >= k`` has the bound -k."""
    negated = literal.op == "not"
    atom = literal.args[0] if negated else literal
    total = atom.args[0] if atom.args else atom
    if not total.sort.is_numeric:
        return None
    if atom.op == "<=" and not negated:
        limit = atom.args[1].value
    elif atom.op == "<=" and total.sort.kind == "int":
        limit = -(atom.args[1].value + 1)
    elif atom.op == "<" and negated:
        limit = -atom.args[1].value
    else:
        return None
    coefficients, _ = terms.linear(total)
    if not all(t.is_var for t in coefficients):
        return (negated, total), limit, total
    names = frozenset((t.name.rpartition("@")[0] or t.name, c) for t, c in coefficients.items())
    return (negated, names), limit, total
