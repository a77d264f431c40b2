"""A model of a block is turned back into a path that it takes, whatever tells the paths apart."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.paths import PathFormula, Paths
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Assume, Edge, Location, Operation, Reading
from tests.domains.test_predicate import TERMS, VARIABLES, atoms, execute, extend, straight

HERE = Location(0)

# A decision: conditions asked one after the other, each with what is done where it is the first that holds, and last
# what is done where none does; and in which order these cases meet again.
decisions = st.tuples(st.lists(st.tuples(atoms, straight), min_size=1, max_size=3), straight, st.randoms())
blocks = st.lists(st.one_of(straight, decisions), min_size=1, max_size=3)


def formula(paths: Paths, block: list[object]) -> PathFormula:
    path = paths.empty
    for part in block:
        if isinstance(part, list):
            path = extend(paths, path, part)
        else:
            assert isinstance(part, tuple)
            cases, otherwise, random = part
            ends = []
            for condition, steps in cases:
                ends.append(extend(paths, path, [Assume(condition), *steps]))
                path = extend(paths, path, [Assume(TERMS.not_(condition))])
            ends.append(extend(paths, path, otherwise))
            while len(ends) > 1:
                one, other = (ends.pop(random.randrange(len(ends))) for _ in range(2))
                ends.append(paths.merge(one, other))
            (path,) = ends
    return path


@settings(deadline=None, max_examples=200)
@given(blocks)
def test_the_path_of_a_model_leads_from_its_first_state_to_its_last(block: list[object]) -> None:
    paths = Paths(TERMS, Reading.WRAP)
    path = formula(paths, block)
    solver = Solvers(TERMS, Counters()).create("abstraction", "bits")
    for part in conjuncts(path.formula):
        solver.add(part)
    for _ in range(6):  # the last ones meet conditions that are compiled
        if solver.check() is not Satisfiability.SAT:
            break
        value = paths.valuation(solver.value)
        first = {v: value(v) for v in VARIABLES}
        last = {v: value(paths.indexed(v, path.indices.get(v, 0))) for v in VARIABLES}
        edges = paths.path(path, {}, value)
        assert last in execute([first], [edge.operation for edge in edges])
        solver.add(TERMS.not_(TERMS.conjunction(TERMS.eq(v, TERMS.const(first[v], v.sort)) for v in VARIABLES)))


def straight_line(paths: Paths, operations: Sequence[Operation]) -> PathFormula:
    path = paths.empty
    for operation in operations:
        path = paths.extend(path, Edge(HERE, HERE, operation))
    return path


def test_the_conditions_of_a_chain_of_branches_tell_its_cases_apart() -> None:
    """No more is asked of a model than the conditions, as many as the case needs."""
    paths = Paths(TERMS, Reading.WRAP)
    a, b, c, _ = VARIABLES
    first, second = TERMS.eq(a, b), TERMS.eq(b, c)
    neither = [Assume(TERMS.not_(first)), Assume(TERMS.not_(second))]
    one = straight_line(paths, [Assume(first)])
    two = straight_line(paths, [neither[0], Assume(second)])
    path = paths.merge(paths.merge(one, two), straight_line(paths, neither))
    asked: list[Term] = []

    def value(term: Term) -> bool:
        asked.append(term)
        return term is TERMS.conjunction(step.condition for step in neither)

    assert [edge.operation for edge in paths.path(path, {}, value)] == neither
    assert len(asked) == 1
