"""A solver that keeps the beginning of a path answers as a new one does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.refiners.incremental import PathSolver, longest_feasible


def formulas(terms: Terms) -> list[Term]:
    x, y = terms.var("x", INT), terms.var("y", INT)
    return [
        terms.lt(x, y),
        terms.lt(y, x),
        terms.le(x, terms.integer(3)),
        terms.and_(terms.eq(x, terms.integer(3)), terms.eq(y, terms.integer(4))),
        terms.eq(y, terms.integer(2)),
        terms.true,
    ]


@given(st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_it_answers_as_a_new_solver_does(paths: list[list[int]]) -> None:
    terms = Terms()
    known = formulas(terms)
    solvers = Solvers(terms, Counters())
    solver = PathSolver(solvers.create("trace", "int"))
    for path in paths:
        wanted = [known[i] for i in path]
        fresh = solvers.create("trace", "int")
        for formula in wanted:
            fresh.add(formula)
        assert solver.check(wanted) is fresh.check()
        if wanted and solver.check(wanted) is Satisfiability.UNSAT:
            length = longest_feasible(solver, wanted)
            assert solver.check(wanted[:length]) is Satisfiability.SAT
            assert solver.check(wanted[: length + 1]) is Satisfiability.UNSAT


def test_a_shared_beginning_is_kept() -> None:
    terms = Terms()
    known = formulas(terms)
    solver = PathSolver(Solvers(terms, Counters()).create("trace", "int"))
    solver.check([known[0], known[2], known[4]])
    assert solver.kept == 0
    # The first piece is cut where the paths part: asserted again, once.
    solver.check([known[0], known[2], known[3]])
    assert solver.kept == 0
    solver.check([known[0], known[2], known[5], known[5]])
    assert solver.kept == 2
    solver.check([known[0], known[2], known[5], known[5], known[4]])
    assert solver.kept == 2 + 4
