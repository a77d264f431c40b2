"""The boolean abstraction of a block against its definition, state by state."""

from __future__ import annotations

import itertools
from itertools import product

from hypothesis import event, given, settings
from hypothesis import strategies as st

from argosy.basics.budget import Budget
from argosy.domains.paths import PathFormula, Paths
from argosy.domains.predicate import PredicateAbstraction
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assign, Assume, Edge, Havoc, Location, Operation, Reading

WIDTH = 2
TERMS = Terms()
VARIABLES = [TERMS.var(name, bits(WIDTH)) for name in "abcd"]
NUMBERS = [TERMS.const(value, bits(WIDTH)) for value in range(1 << WIDTH)]
STATES = [dict(zip(VARIABLES, values, strict=True)) for values in product(range(1 << WIDTH), repeat=len(VARIABLES))]

variables_ = st.sampled_from(VARIABLES)
atoms = st.one_of(
    st.builds(TERMS.eq, variables_, st.sampled_from(NUMBERS)),
    st.builds(TERMS.eq, variables_, variables_),
    st.builds(lambda x, y: TERMS.bit("bvult", x, y), variables_, st.sampled_from(VARIABLES + NUMBERS)),
).filter(lambda term: not term.is_const)
values_ = st.one_of(
    st.sampled_from(VARIABLES + NUMBERS),
    st.builds(lambda x, y: TERMS.bit("bvadd", x, y), variables_, st.sampled_from(VARIABLES + NUMBERS)),
)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Assume, atoms), st.builds(Assign, variables_, values_), st.builds(Havoc, variables_)
)
straight = st.lists(operations, max_size=3)
# A block is a sequence of operations and of choices between two such sequences.
blocks = st.lists(st.one_of(straight, st.tuples(straight, straight)), min_size=1, max_size=3)
predicates_ = st.lists(atoms, min_size=1, max_size=4, unique=True)

HERE = Location(0)


def extend(paths: Paths, path: PathFormula, steps: list[Operation]) -> PathFormula:
    for step in steps:
        path = paths.extend(path, Edge(HERE, HERE, step))
    return path


def formula(paths: Paths, block: list[object]) -> PathFormula:
    path = paths.empty
    for part in block:
        if isinstance(part, tuple):
            path = paths.merge(extend(paths, path, part[0]), extend(paths, path, part[1]))
        else:
            path = extend(paths, path, part)  # type: ignore[arg-type]
    return path


def execute(states: list[dict[Term, int]], steps: list[Operation]) -> list[dict[Term, int]]:
    for step in steps:
        match step:
            case Assume(condition):
                states = [s for s in states if evaluate(condition, s)]
            case Assign(variable, value):
                states = [{**s, variable: evaluate(value, s)} for s in states]
            case Havoc(variable):
                states = [{**s, variable: value} for s in states for value in range(1 << WIDTH)]
    return [dict(key) for key in {tuple(s.items()) for s in states}]


def image(states: list[dict[Term, int]], block: list[object]) -> list[dict[Term, int]]:
    for part in block:
        if isinstance(part, tuple):
            states = execute(states, part[0]) + execute(states, part[1])
        else:
            states = execute(states, part)  # type: ignore[arg-type]
    return states


def valuation(state: dict[Term, int], predicates: list[Term]) -> tuple[object, ...]:
    return tuple(evaluate(p, state) for p in predicates)


def test_what_a_path_decides_together_is_not_taken_apart() -> None:
    """a = b and b = 0, both open; a := 0 makes them equivalent."""
    a, b, zero = VARIABLES[0], VARIABLES[1], NUMBERS[0]
    predicates = [TERMS.eq(a, b), TERMS.eq(b, zero)]
    everything = sorted({valuation(s, predicates) for s in STATES}, key=str)
    check([[Assign(a, zero)]], predicates, predicates, everything, [len(everything)])


@given(block=blocks, before=predicates_, other=st.none() | predicates_, data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_boolean_abstraction_is_exact(
    block: list[object], before: list[Term], other: list[Term] | None, data: st.DataObject
) -> None:
    valuations = sorted({valuation(s, before) for s in STATES}, key=str)
    chosen = data.draw(st.lists(st.sampled_from(valuations), min_size=1, unique=True))
    steps = data.draw(st.sampled_from([[len(chosen)], [(len(chosen) + 1) // 2, len(chosen)]]))
    check(block, before, before if other is None else other, chosen, steps)


@given(block=blocks, before=predicates_, data=st.data())
@settings(max_examples=60, deadline=None)
def test_an_abstraction_of_too_many_images_gives_way_to_a_weaker_one(
    block: list[object], before: list[Term], data: st.DataObject
) -> None:
    """On a clock on which each image takes a second: a third of four seconds is enough for one."""
    ticks = itertools.count()
    paths, regions, counters = Paths(TERMS, Reading.WRAP), Regions(TERMS), Counters()
    solver = Solvers(TERMS, Counters()).create("abstraction", "bits")
    budget = Budget(end=5.0, clock=lambda: float(next(ticks)))
    abstraction = PredicateAbstraction(TERMS, paths, regions, solver, counters, "boolean", budget)
    path = formula(paths, block)
    valuations = sorted({valuation(s, before) for s in STATES}, key=str)
    chosen = data.draw(st.lists(st.sampled_from(valuations), min_size=1, unique=True))
    region = regions.union(regions.from_cube(dict(zip(before, row, strict=True))) for row in chosen)  # type: ignore[arg-type]
    found = abstraction.abstract(region, path, before)
    expected = {valuation(s, before) for s in image([s for s in STATES if valuation(s, before) in chosen], block)}
    rows = [regions.from_cube(dict(zip(before, row, strict=True))) for row in expected]  # type: ignore[arg-type]
    assert regions.union(rows) <= (regions.false if found is None else found)
    event("gave way" if counters.notes else "exact")


def check(
    block: list[object], before: list[Term], after: list[Term], chosen: list[tuple[object, ...]], steps: list[int]
) -> None:
    """Law: the abstraction consists of exactly those valuations of the predicates that some state has which the block
    reaches from the region. A region that grows, as going round a loop, gives the same as a region asked at once."""
    paths, regions = Paths(TERMS, Reading.WRAP), Regions(TERMS)
    solver = Solvers(TERMS, Counters()).create("abstraction", "bits")
    abstraction = PredicateAbstraction(TERMS, paths, regions, solver, Counters(), "boolean")
    path = formula(paths, block)
    region = regions.false
    for count in steps:
        for row in chosen[:count]:
            region = region | regions.from_cube(dict(zip(before, row, strict=True)))  # type: ignore[arg-type]
        found = abstraction.abstract(region, path, after)
        reached = image([s for s in STATES if valuation(s, before) in chosen[:count]], block)
        expected = {valuation(s, after) for s in reached}
        rows = [regions.from_cube(dict(zip(after, row, strict=True))) for row in expected]  # type: ignore[arg-type]
        assert (regions.false if found is None else found) == regions.union(rows)
