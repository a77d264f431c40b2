"""The solver against truth tables, and on formulas whose answer is known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest

from argosy.kernel import _pdr


class Table:
    """A set of assignments, one bit each, of a few variables."""

    def __init__(self, variables: int) -> None:
        self.all = (1 << (1 << variables)) - 1
        self.columns: list[int] = []
        for variable in range(variables):
            block = ((1 << (1 << variable)) - 1) << (1 << variable)
            period = 2 << variable
            column = sum(block << (period * k) for k in range((1 << variables) // period))
            self.columns += (column, self.all ^ column)
        self.models = self.all

    def clause(self, literals: Iterable[int]) -> int:
        found = 0
        for literal in literals:
            found |= self.columns[literal]
        return found

    def cube(self, literals: Iterable[int]) -> int:
        found = self.models
        for literal in literals:
            found &= self.columns[literal]
        return found


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_answers_are_those_of_truth_tables(seed: int) -> None:
    for each in range(seed, seed + 20):
        random = Random(each)
        variables = random.randint(2, 9)
        solver, table = _pdr.Solver(variables), Table(variables)

        def clause(most: int, random: Random = random, variables: int = variables) -> list[int]:
            return [2 * random.randrange(variables) + random.randint(0, 1) for _ in range(random.randint(1, most))]

        permanent = table.models
        for _ in range(random.randint(4, 30)):
            match random.random():
                case part if part < 0.4:
                    made = clause(4)
                    solver.add(made)
                    permanent &= table.clause(made)
                    table.models &= permanent
                case part if part < 0.5 and permanent:
                    made = clause(4)
                    if table.models & table.clause(made):
                        solver.add(made, True)
                        table.models &= table.clause(made)
                case _:
                    assumptions = list(dict.fromkeys(clause(3))) if random.random() < 0.8 else []
                    extra = clause(3) if random.random() < 0.6 else []
                    among = table.clause(extra) if extra else table.all
                    found = table.cube(assumptions) & among
                    assert solver.solve(assumptions, extra) == bool(found)
                    if found:
                        model = [2 * v if solver.holds(2 * v) else 2 * v + 1 for v in range(variables)]
                        assert table.cube(model) & among
                        assert all(solver.holds(literal) for literal in assumptions)
                    else:
                        core = [literal for literal in assumptions if solver.in_core(literal)]
                        assert not table.cube(core) & among


def test_lemmas_are_forgotten() -> None:
    solver = _pdr.Solver(3)
    solver.add([0, 2])
    solver.add([1, 3, 4], True)
    assert not solver.solve([0, 2, 5])
    solver.forget_lemmas()
    assert solver.solve([0, 2, 5])


def test_an_extra_clause_holds_for_one_query() -> None:
    solver = _pdr.Solver(2)
    solver.add([0, 2])
    for _ in range(3):
        assert not solver.solve([1], [3])
        assert not solver.solve([1, 3])
        assert solver.solve([1])
    solver.add([0])
    assert not solver.solve([], [1])
    assert solver.solve([])


def test_pigeons_do_not_fit() -> None:
    holes = 7
    solver = _pdr.Solver((holes + 1) * holes)
    for pigeon in range(holes + 1):
        solver.add([2 * (pigeon * holes + hole) for hole in range(holes)])
    for hole in range(holes):
        for one, other in combinations(range(holes + 1), 2):
            solver.add([2 * (one * holes + hole) + 1, 2 * (other * holes + hole) + 1])
    assert not solver.solve()


@pytest.mark.parametrize("seed", range(6))
def test_a_hidden_model_is_found(seed: int) -> None:
    """Random clauses near the threshold, of which each holds in one assignment: many conflicts and restarts."""
    random = Random(seed)
    variables = 180
    hidden = [random.randint(0, 1) for _ in range(variables)]
    clauses: list[list[int]] = []
    while len(clauses) < 4.25 * variables:
        clause = [2 * v + random.randint(0, 1) for v in random.sample(range(variables), 3)]
        if any(hidden[literal >> 1] == literal & 1 for literal in clause):
            clauses.append(clause)
    solver = _pdr.Solver(variables)
    for clause in clauses:
        solver.add(clause)
    assert solver.solve()
    assert all(any(solver.holds(literal) for literal in clause) for clause in clauses)
    model = [2 * v if solver.holds(2 * v) else 2 * v + 1 for v in range(variables)]
    assert not solver.solve([], [literal ^ 1 for literal in model]) or any(not solver.holds(k) for k in model)


@pytest.mark.parametrize("seed", range(10))
def test_another_solver_agrees(seed: int) -> None:
    """On formulas that are too large for tables, where python-sat is installed."""
    other = pytest.importorskip("pysat.solvers")
    random = Random(f"other {seed}")
    variables = random.randint(60, 120)
    solver, reference = _pdr.Solver(variables), other.Solver("cadical153")

    def number(literal: int) -> int:
        return -(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1

    for _ in range(int(4.1 * variables)):
        clause = [2 * v + random.randint(0, 1) for v in random.sample(range(variables), 3)]
        solver.add(clause)
        reference.add_clause([number(literal) for literal in clause])
    for _ in range(20):
        assumptions = [2 * v + random.randint(0, 1) for v in random.sample(range(variables), random.randint(0, 12))]
        assert solver.solve(assumptions) == reference.solve(assumptions=[number(literal) for literal in assumptions])
