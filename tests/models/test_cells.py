"""Symbolic cells: the automaton without arrays has every execution of the given one, and loses no error."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.semantics import ArrayValue
from argosy.logic.sorts import BOOL, Sort, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cell_terms import is_array
from argosy.models.cells import Cells, cells
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Operation, Reading, Relation, Variable
from argosy.models.program_clauses import clauses_of_program
from argosy.models.reduce import reduce

INDEX, ELEMENT = bits(2), bits(1)
State = dict[Term, Any]


class Drawn:
    """A random automaton over two arrays (of two indices each, where ``paired``), two indices and an element."""

    def __init__(self, random: Random, paired: bool) -> None:
        self.random, self.terms, self.paired = random, Terms(), paired
        sort = array(bits(4) if paired else INDEX, ELEMENT)
        self.a, self.b = (self.terms.var(name, sort) for name in "ab")
        self.i, self.j = (self.terms.var(name, INDEX) for name in "ij")
        self.e = self.terms.var("e", ELEMENT)
        variables = tuple(Variable(v, v.name) for v in (self.a, self.b, self.i, self.j, self.e))
        locations = tuple(Location(n) for n in range(5))
        edges = [Edge(locations[n], locations[n + 1], self.operation()) for n in range(4)]
        for _ in range(5):
            source, target = random.choice(locations[:4]), random.choice(locations)
            edges.append(Edge(source, target, self.operation()))
        self.cfa = Cfa(self.terms, locations[0], locations[4], locations, tuple(edges), variables)

    def index(self) -> Term:
        own = [self.random.choice((self.i, self.j, self.terms.bv(1, 2))) for _ in range(2)]
        return self.terms.concat(*own) if self.paired else own[0]

    def array(self) -> Term:
        kept = self.random.choice((self.a, self.b))
        match self.random.randrange(4):
            case 0:
                return kept
            case 1:
                return self.terms.const_array(kept.sort, self.element())
        return self.terms.store(kept, self.index(), self.element())

    def element(self) -> Term:
        read = self.terms.select(self.random.choice((self.a, self.b)), self.index())
        return self.random.choice((self.e, read, read, self.terms.bv(1, 1)))

    def condition(self) -> Term:
        terms = self.terms
        some = (terms.eq(self.element(), self.element()), terms.eq(self.i, self.j), terms.eq(self.a, self.b))
        chosen = self.random.choice((some[0], *some))
        return self.random.choice((chosen, terms.not_(chosen)))

    def operation(self) -> Operation:
        match self.random.randrange(6):
            case 0 | 1:
                return Assume(self.condition())
            case 2:
                return Assign(self.e, self.element())
            case 3:
                return Havoc(self.random.choice((self.i, self.a)))
            case 4:
                return Assign(self.i, self.terms.bit("bvadd", self.j, self.terms.bv(1, 2)))
        return Assign(self.random.choice((self.a, self.b)), self.array())


def some_value(random: Random, sort: Sort) -> Any:
    if sort.element is None:
        return random.randrange(1 << sort.width)
    assert sort.index is not None
    stored = {k: random.randrange(2) for k in range(1 << sort.index.width)}
    return ArrayValue(0, {k: v for k, v in stored.items() if v})


def next_state(random: Random, operation: Operation, state: State) -> State | None:
    match operation:
        case Assume(condition):
            return state if evaluate(condition, state) else None
        case Assign(variable, value):
            return {**state, variable: evaluate(value, state)}
        case Havoc(variable):
            return {**state, variable: some_value(random, variable.sort)}
    raise AssertionError


def walk(drawn: Drawn) -> list[tuple[State, int, State]]:
    """A random execution, as states and the numbers of edges."""
    random, cfa = drawn.random, drawn.cfa
    state: State = {v.term: some_value(random, v.term.sort) for v in cfa.variables}
    at, steps = cfa.initial, []
    for _ in range(12):
        taken = []
        for number, edge in enumerate(cfa.edges):
            after = next_state(random, edge.operation, state) if edge.source is at else None
            if after is not None:
                taken.append((number, after))
        if at is cfa.error or not taken:
            break
        number, after = random.choice(taken)
        steps.append((state, number, after))
        at, state = cfa.edges[number].target, after
    return steps


def image(made: Cells, choice: State, state: State) -> State:
    """The state with cells in the place of arrays."""
    plain = {v: value for v, value in state.items() if not is_array(v)}
    elements = {element: evaluate(meaning, {**state, **choice}) for element, meaning in made.elements.items()}
    return {**plain, **choice, **elements}


def possible(operation: Operation, old: State, new: State, scratch: list[Term]) -> list[State]:
    """The values of scratch after a step between these states, in ``old`` and ``new`` without it."""
    match operation:
        case Assume(condition):
            return [{v: old[v] for v in scratch}] if old.items() >= new.items() and evaluate(condition, old) else []
        case Assign(variable, value):
            after = {**old, variable: evaluate(value, old)}
            return [{v: after[v] for v in scratch}] if after.items() >= new.items() else []
        case Havoc(variable):
            return [{v: old[v] for v in scratch}] if all(old[v] == new[v] for v in new if v is not variable) else []
        case Relation(formula, primed):
            names = dict(primed)
            if any(old[v] != new[v] for v in new if v not in names):
                return []
            free = [v for v in scratch if v in names]
            found = []
            for values in product(*([False, True] if v.sort is BOOL else range(1 << v.sort.width) for v in free)):
                chosen = dict(zip(free, values, strict=True))
                after = {names[v]: {**new, **chosen}[v] for v in names}
                if evaluate(formula, {**old, **after}):
                    found.append({v: chosen.get(v, old[v]) for v in scratch})
            return found
    raise AssertionError


def survives(drawn: Drawn, made: Cells, choice: State, steps: list[tuple[State, int, State]]) -> bool:
    """Whether the automaton with cells has the execution, for that choice of the cells."""
    flags = sorted((v for v in made.scratch if v.sort is BOOL and v.name.startswith("hit")), key=lambda v: v.id)
    scratch = sorted(made.scratch, key=lambda v: v.id)
    values = product((False, True), repeat=len(flags))
    states: list[State] = [{**dict.fromkeys(scratch, 0), **dict(zip(flags, some, strict=True))} for some in values]
    for before, number, after in steps:
        old, new = image(made, choice, before), image(made, choice, after)
        operation = made.cfa.edges[number].operation
        reached = [s for kept in states for s in possible(operation, {**old, **kept}, new, scratch)]
        # Only flags mean anything between edges.
        states = list({tuple(s[f] for f in flags): s for s in reached}.values())
        if not states:
            return False
    return True


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([1, 2]), st.booleans(), st.booleans())
def test_the_automaton_with_cells_has_every_execution_and_loses_no_error(
    seed: int, count: int, paired: bool, instances: bool
) -> None:
    drawn = Drawn(Random(seed), paired)
    made = cells(drawn.cfa, count, Reading.UNDEFINED, instances=instances)
    assert not any(is_array(v.term) for v in made.cfa.variables)
    steps = walk(drawn)
    ends = bool(steps) and drawn.cfa.edges[steps[-1][1]].target is drawn.cfa.error
    inner = steps[:-1] if ends and not instances else steps
    ranges = [range(1 << v.sort.width) for v in made.bound]
    choices = [dict(zip(made.bound, some, strict=True)) for some in product(*ranges)]
    if len(choices) > 16:
        choices = Random(seed).sample(choices, 16) if not ends or instances else choices
    if ends and not instances:
        assert any(survives(drawn, made, choice, steps) for choice in choices)
    assert all(survives(drawn, made, choice, inner) for choice in choices[:4])


def filling(terms: Terms) -> Cfa:
    """``for (i = 0; i < n; i++) a[i] = 0;`` and then ``assert(a[x] == 0)``, x inside."""
    from argosy.logic.sorts import INT

    a = terms.var("a", array(INT, INT))
    i, n, x = (terms.var(name, INT) for name in "inx")
    zero, one = terms.integer(0), terms.integer(1)
    at = [Location(k) for k in range(5)]
    inside = terms.and_(terms.le(zero, x), terms.lt(x, n))
    edges = (
        Edge(at[0], at[1], Assign(i, zero)),
        Edge(at[1], at[2], Assume(terms.lt(i, n))),
        Edge(at[2], at[3], Assign(a, terms.store(a, i, zero))),
        Edge(at[3], at[1], Assign(i, terms.add(i, one))),
        Edge(at[1], at[4], Assume(terms.and_(terms.ge(i, n), inside, terms.ne(terms.select(a, x), zero)))),
    )
    variables = tuple(Variable(v, v.name) for v in (a, i, n, x))
    return Cfa(terms, at[0], at[4], tuple(at), edges, variables)


def test_a_write_at_another_index_is_ignored_and_the_error_is_about_the_cell() -> None:
    terms = Terms()
    made = cells(filling(terms), 0, Reading.UNDEFINED)
    [k] = made.bound
    [element] = made.elements
    i, x = (v.term for v in made.cfa.variables if v.name in ("i", "x"))
    write = made.cfa.edges[2].operation
    assert write == Assign(element, terms.ite(terms.eq(i, k), terms.integer(0), element))
    error = made.cfa.edges[4].operation
    assert isinstance(error, Assume) and terms.eq(x, k) in error.condition.args
    assert made.claim(terms.eq(element, terms.integer(0))).op == "="


def test_a_read_is_a_premise_of_its_clause() -> None:
    cfa = filling(Terms())
    made = cells(reduce(cfa).cfa, 1, Reading.UNDEFINED, instances=True)
    bodies = [len(clause.body) for clause in clauses_of_program(made.cfa, Reading.UNDEFINED, made).system.clauses]
    assert sorted(bodies) == [0, 1, 1, 1, 1, 2]


@pytest.mark.parametrize("count", [1, 2])
def test_an_automaton_without_arrays_is_left_alone(count: int) -> None:
    terms = Terms()
    i = terms.var("i", bits(4))
    at = [Location(k) for k in range(2)]
    edge = Edge(at[0], at[1], Assume(terms.eq(i, terms.bv(3, 4))))
    cfa = Cfa(terms, at[0], at[1], tuple(at), (edge,), (Variable(i, "i"),))
    made = cells(cfa, count, Reading.UNDEFINED)
    assert made.bound == () and [e.operation for e in made.cfa.edges] == [edge.operation]
