"""The arrivals of a block are the states that its paths lead to."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.certify.encoding import Arrival, CutBlock, merged
from argosy.certify.few_variables import FewVariables
from argosy.certify.interpreter import ConcreteState, Interpreter, successors
from argosy.certify.meanings import Meanings, determined
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Assume, Cfa, Location, Reading
from tests.certify.automata import Builder, automata, every_value

Reached = set[tuple[Location, tuple[Value, ...]]]


def by_execution(
    cfa: Cfa, reading: Reading, block: CutBlock, start: ConcreteState, cuts: frozenset[Location]
) -> Reached:
    interpreter = Interpreter(cfa, reading)
    found: Reached = set()
    seen = {start}
    waiting = [start]
    for state in waiting:
        for edge in cfa.leaving[state.location]:
            if edge.target not in cfa.error_distance:
                continue
            for after in successors(interpreter, edge, state, every_value):
                if not isinstance(after, ConcreteState):
                    continue
                if after.location in cuts:
                    values = tuple(interpreter.value(after, v) for v in block.live[after.location])
                    found.add((after.location, values))
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return found


def values_of(variable: Term) -> range | tuple[bool, bool]:
    return (False, True) if variable.sort is BOOL else range(1 << variable.sort.width)


def by_arrivals(arrivals: dict[Location, list[Arrival]], valuation: dict[Term, Value]) -> Reached | None:
    """None when there are too many choices to try."""
    found: Reached = set()
    for target, some in arrivals.items():
        for arrival in some:
            mentioned = frozenset().union(*(variables(t) for t in (*arrival.conditions, *arrival.store)))
            open_ = sorted(mentioned - valuation.keys(), key=lambda v: v.id)
            size = 1
            for variable in open_:
                size *= len(values_of(variable))
            if size > 600:
                return None
            for chosen in product(*(values_of(v) for v in open_)):
                full = valuation | dict(zip(open_, chosen, strict=True))
                if all(evaluate(condition, full) for condition in arrival.conditions):
                    found.add((target, tuple(evaluate(value, full) for value in arrival.store)))
    return found


@settings(max_examples=150, deadline=None)
@given(automata(), st.sampled_from([1, 2, 16]), st.booleans(), st.data())
def test_arrivals_are_what_execution_finds(cfa: Cfa, limit: int, defined: bool, data: st.DataObject) -> None:
    cuts = frozenset((*cfa.loop_heads, cfa.initial, cfa.error))
    sources = [location for location in cuts if location is not cfa.error and location in cfa.error_distance]
    if not sources:
        return
    source = data.draw(st.sampled_from(sorted(sources, key=lambda location: location.index)))
    names = [v.term for v in cfa.variables]
    wanted = {
        cut: frozenset(data.draw(st.lists(st.sampled_from(names)))) for cut in sorted(cuts, key=lambda c: c.index)
    }
    meanings = Meanings(cfa, defined=defined)
    block = CutBlock(meanings, source, cuts, set(cfa.error_distance), wanted)
    reading = Reading.UNDEFINED if defined else Reading.WRAP
    interpreter = Interpreter(cfa, reading)
    fixed = data.draw(st.lists(st.sampled_from(names), unique=True))
    for _ in range(3):
        valuation = {v: data.draw(st.integers(0, (1 << v.sort.width) - 1)) for v in names}
        start = ConcreteState(source, interpreter.start(valuation).values)
        bindings = {v: cfa.terms.const(valuation[v], v.sort) for v in fixed}
        arrivals = dict(block.execute(bindings, (), limit, lambda: None))
        assert all(len(some) <= limit for some in arrivals.values())
        found = by_arrivals(arrivals, valuation | dict.fromkeys(meanings.literals, True))
        if found is not None:
            assert found == by_execution(cfa, reading, block, start, cuts)


def test_two_stores_become_one_by_case_distinction() -> None:
    t = Terms()
    x, p, q, r = t.var("x", bits(8)), *(t.var(name, BOOL) for name in "pqr")
    one = Arrival(frozenset((p, q)), (t.bv(1, 8), x))
    two = Arrival(frozenset((p, t.not_(q), r)), (t.bv(2, 8), x))
    for first, second in ((one, two), (two, one)):
        (both,) = merged(t, [first, second], 1)
        for values in product((False, True), repeat=3):
            valuation = {**dict(zip((p, q, r), values, strict=True)), x: 9}
            inside = [a for a in (one, two) if all(evaluate(c, valuation) for c in a.conditions)]
            assert all(evaluate(c, valuation) for c in both.conditions) == bool(inside)
            for arrival in inside:
                assert evaluate(both.store[0], valuation) == evaluate(arrival.store[0], valuation)
        assert both.store[1] is x
    assert len(merged(t, [one, two], 2)) == 2


def test_a_chain_of_tests_that_meet_again_leaves_no_condition() -> None:
    t = Terms()
    tests = [t.var(f"p{i}", BOOL) for i in range(6)]
    start = t.var("start", BOOL)
    arrivals = []
    for i, test in enumerate(tests):
        arrivals.append(Arrival(frozenset((start, test, *(t.not_(p) for p in tests[:i]))), ()))
    arrivals.append(Arrival(frozenset((start, *(t.not_(p) for p in tests))), ()))
    (all_,) = merged(t, arrivals[::-1], 1)
    assert all_.conditions == {start}


def test_a_cycle_without_cut_is_refused() -> None:
    b = Builder(3, 2)
    b.edge(0, 1, Assume(b.terms.true))
    b.edge(1, 1, Assume(b.terms.true))
    b.edge(1, 2, Assume(b.terms.true))
    cfa = b.build()
    cuts = {cfa.initial, cfa.error}
    with pytest.raises(ValueError, match="cycle"):
        CutBlock(Meanings(cfa, defined=False), cfa.initial, cuts, set(cfa.locations), dict.fromkeys(cuts, frozenset()))


def test_literals_that_determine_a_value() -> None:
    t = Terms()
    x, e, p = t.var("x", bits(8)), t.var("e", bits(1)), t.var("p", BOOL)
    assert determined(t, t.eq(x, t.bv(3, 8))) == (x, t.bv(3, 8))
    assert determined(t, t.ne(x, t.bv(3, 8))) is None
    assert determined(t, t.ne(e, t.bv(0, 1))) == (e, t.bv(1, 1))
    assert determined(t, p) == (p, t.true) and determined(t, t.not_(p)) == (p, t.false)
    assert determined(t, t.eq(x, t.var("y", bits(8)))) is None


def test_terms_of_many_variables_are_left_as_they_are() -> None:
    terms = Terms()
    some = [terms.var(f"x{i}", bits(8)) for i in range(100)]
    few, sums = FewVariables(), [some[0]]
    for variable in some[1:]:
        sums.append(terms.bit("bvadd", sums[-1], variable))
    assert not few.isdisjoint(sums[3], [some[2]])
    assert few.isdisjoint(sums[3], [some[50]])
    assert few.isdisjoint(terms.bv(1, 8), [some[0]])
    assert few.isdisjoint(sums[-1], [some[2]])  # which it has, among a hundred
    assert all(term._variables is None for term in sums[1:])  # whose sets take the square of its size
