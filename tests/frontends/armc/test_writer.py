"""What is written reads back as the same automaton, and what cannot be written is refused with the reason."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import NOWHERE
from argosy.frontends.armc import CannotBeWritten, load, read, write
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, INT, REAL, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, substitute
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Check,
    Edge,
    Havoc,
    Location,
    Operation,
    Refusal,
    Relation,
    Undefined,
    Variable,
)
from argosy.models.effects import effect_of, rebuild

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "armc").glob("*.armc"))
LABELS = ["", "a", "main-0-5", "it's", "f(1)", "a - b", "A", "l1", "12", "[]", "'x'", "main-err-0"]
NAMES = ["x", "X", "Xp", "main::y", "it", "p", "_z", "v1", "ä"]


@st.composite
def automata(draw: st.DrawFn) -> Cfa:
    terms = Terms()
    sort = draw(st.sampled_from([INT, REAL]))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    variables = [terms.var(name, sort) for name in names]
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=2, max_size=4))
    locations = [Location(i, label=label) for i, label in enumerate(labels)]
    edges = [Edge(locations[0], locations[-1], Assume(terms.true))]
    for _ in range(draw(st.integers(0, 5))):
        ends = draw(st.sampled_from(locations)), draw(st.sampled_from(locations))
        text = draw(st.sampled_from(["", "x = 1;", "it's \\ done\n"]))
        edges.append(Edge(*ends, draw(operations(terms, variables, sort)), text=text))
    declared = tuple(Variable(v, v.name) for v in variables)
    return Cfa(terms, locations[0], locations[-1], tuple(locations), tuple(edges), declared)


@st.composite
def operations(draw: st.DrawFn, terms: Terms, variables: list[Term], sort: Sort) -> Operation:
    match draw(st.sampled_from(["assume", "assign", "havoc", "relation"])):
        case "assume":
            return Assume(draw(formulas(terms, variables, sort)))
        case "assign":
            return Assign(draw(st.sampled_from(variables)), draw(sums(terms, variables, sort)))
        case "havoc":
            return Havoc(draw(st.sampled_from(variables)))
    changed = draw(st.lists(st.sampled_from(variables), min_size=1, unique=True))
    primed = [(v, terms.var(v.name + draw(st.sampled_from(["'", "_new"])), sort)) for v in changed]
    return Relation(draw(formulas(terms, [*variables, *(new for _, new in primed)], sort)), tuple(primed))


def sums(terms: Terms, variables: list[Term], sort: Sort) -> st.SearchStrategy[Term]:
    numbers: Any = st.integers(-3, 3) if sort is INT else st.fractions(-3, 3, max_denominator=4)
    constants = numbers.map(lambda n: terms.const(n, sort))
    parts = st.tuples(constants, st.sampled_from(variables)).map(lambda pair: terms.mul(*pair))
    return st.tuples(constants, st.lists(parts, max_size=3)).map(lambda pair: terms.add(pair[0], *pair[1]))


def formulas(terms: Terms, variables: list[Term], sort: Sort) -> st.SearchStrategy[Term]:
    numbers = sums(terms, variables, sort)
    atoms = st.tuples(st.sampled_from([terms.le, terms.lt, terms.eq, terms.ne]), numbers, numbers).map(
        lambda three: three[0](three[1], three[2])
    )
    return st.recursive(
        atoms,
        lambda inner: st.tuples(st.sampled_from([terms.and_, terms.or_]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda pair: pair[0](*pair[1])
        ),
        max_leaves=5,
    )


def named_alike(cfa: Cfa, operation: Operation) -> Operation:
    """The operation with its new values named as the reader names them, in its simplest form."""
    if isinstance(operation, Relation):
        names = {new: cfa.terms.var(f"{old.name}'", old.sort) for old, new in operation.primed}
        formula = substitute(cfa.terms, operation.formula, names)
        if formula is cfa.terms.false:
            return Assume(formula)
        operation = Relation(formula, tuple((old, names[new]) for old, new in operation.primed))
    return rebuild(cfa.terms, effect_of(cfa.terms, operation))


def same(one: Operation, other: Operation) -> bool:
    if isinstance(one, Relation) and isinstance(other, Relation):
        return one.formula is other.formula and set(one.primed) == set(other.primed)
    return one == other


def relates(operation: Operation, old: dict[Term, Value], new: dict[Term, Value]) -> bool:
    """Whether the operation may change the old values to the new ones, by definition."""
    match operation:
        case Assume(condition):
            return bool(evaluate(condition, old)) and old == new
        case Assign(variable, value):
            return {**old, variable: evaluate(value, old)} == new
        case Havoc(variable):
            return {**old, variable: new[variable]} == new
        case Relation(formula, primed):
            kept = all(new[v] == old[v] for v in old if v not in dict(primed))
            return kept and bool(evaluate(formula, {**old, **{name: new[v] for v, name in primed}}))


@given(automata(), st.data())
@settings(max_examples=60, deadline=None)
def test_round_trip(cfa: Cfa, data: st.DataObject) -> None:
    text = write(cfa)
    again = read("m.armc", text, terms=cfa.terms).cfa
    assert [v.term for v in again.variables] == [v.term for v in cfa.variables]
    assert len(again.edges) == len(cfa.edges)
    counterpart: dict[Location, Location] = {cfa.initial: again.initial, cfa.error: again.error}
    for one, other in zip(cfa.edges, again.edges, strict=True):
        assert counterpart.setdefault(one.source, other.source) is other.source
        assert counterpart.setdefault(one.target, other.target) is other.target
        assert same(named_alike(cfa, one.operation), other.operation)
        assert one.text == other.text or not one.text
    for mine, its in counterpart.items():
        assert mine.label == its.label or not mine.label or sum(x.label == mine.label for x in cfa.locations) > 1
    assert len(set(counterpart.values())) == len(counterpart)
    assert write(read("m.armc", write(again), terms=cfa.terms).cfa) == write(again)
    values: Any = st.integers(-3, 3) if cfa.variables[0].term.sort is INT else st.fractions(-3, 3, max_denominator=2)
    valuations = st.fixed_dictionaries({v.term: values for v in cfa.variables})
    old, new = data.draw(valuations), data.draw(valuations)
    for (one, other), after in product(zip(cfa.edges, again.edges, strict=True), (old, new)):
        assert relates(one.operation, old, after) == relates(other.operation, old, after)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_round_trip(path: Path) -> None:
    terms = Terms()
    program = load(str(path), terms=terms)
    text = write(program.cfa, program.predicates)
    again = read(str(path), text, terms=terms)
    for one, other in zip(program.cfa.edges, again.cfa.edges, strict=True):
        assert (one.source.label, one.target.label, one.text) == (other.source.label, other.target.label, other.text)
        assert same(one.operation, other.operation)
    assert write(again.cfa, again.predicates) == text


def test_predicates_are_written() -> None:
    terms = Terms()
    text = "start(pc(a)). error(pc(b)). preds(p(pc(a), data(X)), [X < 5, X = 7]).\n"
    text += "r(p(pc(a), data(X)), p(pc(b), data(Xp)), [X > 3], [Xp = X], 1)."
    program = read("m.armc", text, terms=terms)
    again = read("m.armc", write(program.cfa, program.predicates), terms=terms)
    assert again.predicates[again.cfa.initial] == program.predicates[program.cfa.initial]
    assert len(again.predicates) == 1


def automaton(terms: Terms, *variables: Term, operation: Operation | None = None, **more: Any) -> Cfa:
    a, b = Location(0, label="a"), Location(1, label="b")
    edge = Edge(a, b, operation or Assume(terms.true), checks=more.pop("checks", ()))
    return Cfa(terms, a, b, (a, b), (edge,), tuple(Variable(v, v.name) for v in variables), **more)


def test_a_label_that_looks_like_a_made_up_name_is_kept() -> None:
    terms = Terms()
    start, middle, end = Location(0), Location(1), Location(2, label="l1")
    edges = tuple(Edge(one, other, Assume(terms.true)) for one, other in ((start, middle), (middle, end)))
    cfa = Cfa(terms, start, end, (start, middle, end), edges, (Variable(terms.var("x", INT), "x"),))
    assert "error(pc(l1))." in write(cfa)
    again = read("m.armc", write(cfa), terms=terms).cfa
    assert (len(again.locations), len(again.edges), again.error.label) == (3, 2, "l1")


def test_conditions_of_definedness_are_conditions() -> None:
    terms = Terms()
    x = terms.var("x", INT)
    check = Check(terms.le(x, terms.integer(9)), Undefined.DIVISION, NOWHERE)
    cfa = automaton(terms, x, operation=Assign(x, terms.integer(1)), checks=(check,))
    [edge] = read("m.armc", write(cfa), terms=terms).cfa.edges
    assert isinstance(edge.operation, Relation) and check.condition in edge.operation.formula.args


def test_what_cannot_be_written_is_refused() -> None:
    terms = Terms()
    x, y = terms.var("x", INT), terms.var("y", INT)
    refused = [
        (automaton(terms, terms.var("b", bits(32))), "b is of sort"),
        (automaton(terms, terms.var("b", BOOL)), "b is of sort Bool"),
        (automaton(terms, x, terms.var("r", REAL)), "do not go together"),
        (automaton(terms, terms.var("x@1", INT)), "no name that can be read back"),
        (automaton(terms, x, y, operation=Assign(x, terms.mul(x, y))), "a\\] -> L1\\[b\\].*: \\* is not linear"),
        (automaton(terms, x, y, operation=Assume(terms.le(terms.mod(x, y), y))), "mod is not linear"),
        (automaton(terms, x, opaque={x: Refusal(NOWHERE, "a pointer")}), "a pointer is not modelled"),
    ]
    for cfa, reason in refused:
        with pytest.raises(CannotBeWritten, match=reason):
            write(cfa)
    a, b = Location(0), Location(1)
    with pytest.raises(CannotBeWritten, match="no edge leaves the initial location"):
        write(Cfa(terms, a, b, (a, b), (), ()))


def test_a_fraction_is_exact() -> None:
    terms = Terms()
    x = terms.var("x", REAL)
    third = terms.rational(Fraction(1, 3))
    cfa = automaton(terms, x, operation=Assign(x, terms.mul(third, x)))
    [edge] = read("m.armc", write(cfa), terms=terms).cfa.edges
    assert edge.operation == Assign(x, terms.mul(third, x))
