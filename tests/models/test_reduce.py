"""A reduction keeps the error reachable, and what it claims holds in the automaton as read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Reading, Refusal, Undefined, read, written
from argosy.models.reduce import Reduced, reduce
from tests.models.automata import (
    Sketch,
    States,
    Steps,
    automata,
    check,
    closure,
    everything,
    has_error,
    reachable,
    shape,
)

LAW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
READINGS = st.sampled_from(list(Reading))


def terms_of(cfa: Cfa) -> list[Term]:
    return [v.term for v in cfa.variables]


def well_formed(cfa: Cfa, reduced: Reduced) -> None:
    small = reduced.cfa
    assert small.initial is cfa.initial and small.error is cfa.error
    assert {small.initial, small.error} <= set(small.locations) <= set(cfa.locations)
    left = {v.term for v in small.variables}
    assert left == reduced.relevant
    given = set(cfa.edges)
    for edge in small.edges:
        assert edge.source in small.locations and edge.target in small.locations
        assert edge.trail[0].source is edge.source and edge.trail[-1].target is edge.target
        assert all(a.target is b.source for a, b in zip(edge.trail, edge.trail[1:], strict=False))
        assert set(edge.trail) <= given
        assert read(edge.operation) | set(written(edge.operation)) <= left
        assert all(variables(check.condition) <= left for check in edge.checks)
    assert set(reduced.representative.values()) == set(small.locations)
    assert set(reduced.facts) == set(cfa.locations)


@LAW
@given(automata(), READINGS, st.booleans(), st.booleans())
def test_what_is_reachable_stays_reachable(cfa: Cfa, reading: Reading, fold: bool, contract: bool) -> None:
    reduced = reduce(cfa, fold=fold, contract=contract, reading=reading)
    well_formed(cfa, reduced)
    if has_error(cfa, cfa, reading):
        assert has_error(reduced.cfa, cfa, reading)


@LAW
@given(automata(), st.booleans(), st.booleans())
def test_without_slicing_nothing_becomes_reachable(cfa: Cfa, fold: bool, contract: bool) -> None:
    reduced = reduce(cfa, slice=False, fold=fold, contract=contract)
    well_formed(cfa, reduced)
    for reading in Reading:
        assert has_error(reduced.cfa, cfa, reading) == has_error(cfa, cfa, reading)
    undefined = reduce(cfa, slice=False, fold=fold, contract=contract, reading=Reading.UNDEFINED)
    assert has_error(undefined.cfa, cfa, Reading.UNDEFINED) == has_error(cfa, cfa, Reading.UNDEFINED)


@LAW
@given(automata(acyclic=True, checks=False), st.booleans(), st.booleans())
def test_a_slice_is_exact_where_everything_ends_and_is_defined(cfa: Cfa, fold: bool, contract: bool) -> None:
    reduced = reduce(cfa, fold=fold, contract=contract)
    assert has_error(reduced.cfa, cfa, Reading.WRAP) == has_error(cfa, cfa, Reading.WRAP)


@LAW
@given(automata(), READINGS, st.booleans())
def test_facts_hold_in_every_reachable_state(cfa: Cfa, reading: Reading, slice: bool) -> None:
    over = terms_of(cfa)
    facts = reduce(cfa, slice=slice, reading=reading).facts
    for location, states in reachable(cfa, over, reading).items():
        for state in states:
            assert evaluate(facts[location], dict(zip(over, state, strict=True)))


@LAW
@given(automata(), READINGS, st.booleans())
def test_facts_are_inductive_by_themselves(cfa: Cfa, reading: Reading, slice: bool) -> None:
    over = terms_of(cfa)
    facts = reduce(cfa, slice=slice, reading=reading).facts
    states = list(everything(over))
    holds = {
        fact: {state for state in states if evaluate(fact, dict(zip(over, state, strict=True)))}
        for fact in set(facts.values())
    }
    steps = Steps(cfa, over, reading)
    for edge in cfa.edges:
        for state in holds[facts[edge.source]]:
            assert holds[facts[edge.target]].issuperset(steps.after(edge, state))


@LAW
@given(automata(), READINGS, READINGS, st.booleans(), st.booleans(), st.integers(0, 1 << 16))
def test_lifted_claims_are_inductive(
    cfa: Cfa, made_for: Reading, reading: Reading, slice: bool, contract: bool, seed: int
) -> None:
    """For any inductive state sets of the reduced automaton, not only for the smallest ones."""
    assume(made_for is reading or made_for is Reading.WRAP)
    over = terms_of(cfa)
    reduced = reduce(cfa, slice=slice, contract=contract, reading=made_for)
    small = reduced.cfa
    left = [v for v in over if v in reduced.relevant]
    all_states = list(everything(left))
    random = Random(seed)
    seeds = {location: set(random.choices(all_states, k=random.randint(0, 2))) for location in small.locations}
    seeds[small.initial] = set(all_states)
    seeds[small.error] = set()
    inductive = closure(Steps(small, left, reading), small, seeds)

    # The claims are boolean variables, evaluated by looking into the sets.
    terms = cfa.terms
    claim = {location: terms.var(f"claim {location.index}", BOOL) for location in small.locations}
    lifted = reduced.lift({location: (claim[location],) for location in small.locations})
    places = [over.index(v) for v in left]

    def holding(location: Location) -> States:
        holds = set()
        for state in everything(over):
            valuation = dict(zip(over, state, strict=True))
            projected = tuple(state[i] for i in places)
            valuation |= {claim[at]: projected in states for at, states in inductive.items()}
            if any(evaluate(states, valuation) for states in lifted[location]):
                holds.add(state)
        return holds

    assert set(lifted) == {cfa.initial, cfa.error, *cfa.loop_heads}
    claims = {location: holding(location) for location in lifted}
    assert claims[cfa.initial] == set(everything(over))
    steps = Steps(cfa, over, reading)
    for cut, states in claims.items():
        for state in states if cut is not cfa.error else ():
            for location, after in until(steps, cfa, cut, state, claims):
                # At the error it only matters whether it is reached.
                assert claims[location] if location is cfa.error else after in claims[location]


def until(
    steps: Steps, cfa: Cfa, start: Location, state: tuple[Value, ...], cuts: Collection[Location]
) -> Iterator[tuple[Location, tuple[Value, ...]]]:
    """Where an execution from ``state`` first meets a cut again, and with what values."""
    seen = set()
    stack = [(start, state)]
    while stack:
        location, values = stack.pop()
        for edge in cfa.leaving[location]:
            for after in steps.after(edge, values):
                arrived = (edge.target, after)
                if arrived in seen:
                    continue
                seen.add(arrived)
                if edge.target in cuts:
                    yield arrived
                else:
                    stack.append(arrived)


def test_an_error_that_no_path_leads_to_leaves_two_locations() -> None:
    s = Sketch(4, x=bits(8))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.branch(1, s.is_(s.x, 2), 0, 2)
    reduced = reduce(s.cfa())
    assert reduced.cfa.locations == (s.locations[0], s.locations[3])
    assert not reduced.cfa.edges and not reduced.cfa.variables
    assert reduced.facts[s.locations[3]] is s.terms.false
    assert reduced.lift({s.locations[0]: (s.terms.true,)})[s.locations[3]] == ()


def test_the_initial_location_may_be_the_error() -> None:
    s = Sketch(2, x=bits(8))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.skip(1, 0)
    reduced = reduce(s.cfa(error=0))
    assert reduced.cfa.locations == (s.locations[0],) and not reduced.cfa.edges
    assert reduced.facts[s.locations[0]] is s.terms.true


def test_what_follows_the_error_does_not_matter() -> None:
    s = Sketch(3, x=bits(8))
    s.assume(0, 2, s.is_(s.x, 3))
    s.assign(2, 0, s.x, s.number(4, s.x))
    s.skip(2, 1)
    s.skip(1, 0)
    reduced = reduce(s.cfa())
    assert shape(reduced.cfa) == {(0, 2)}


def test_locations_that_cannot_reach_the_error_go_and_leave_their_condition() -> None:
    s = Sketch(5, x=bits(8), y=bits(8))
    s.branch(0, s.is_(s.x, 1), 1, 2)
    s.assign(2, 3, s.y, s.number(1, s.y))  # a dead end: leaving here avoids the error
    s.skip(1, 4)
    reduced = reduce(s.cfa())
    (edge,) = reduced.cfa.edges
    assert edge.operation == Assume(s.is_(s.x, 1))
    assert [e.target.index for e in edge.trail] == [1, 4]
    assert reduced.relevant == {s.x}


def test_the_first_opaque_variable_in_the_source_is_refused_and_only_in_the_slice() -> None:
    s = Sketch(7, late=bits(8), early=bits(8), unread=bits(8), x=bits(8), y=bits(8))
    s.opaque[s.late] = Refusal(Position("model.c", 30), "late")
    s.opaque[s.early] = Refusal(Position("model.c", 4), "early")
    s.opaque[s.unread] = Refusal(Position("model.c", 1), "unread")
    s.assign(0, 1, s.y, s.unread)
    s.assign(1, 2, s.x, s.early)
    s.assume(2, 3, s.is_(s.x, 1))
    s.assign(3, 4, s.x, s.late)
    s.assume(4, 6, s.is_(s.x, 2))
    s.assume(5, 6, s.is_(s.unread, 1))  # unreachable
    reduced = reduce(s.cfa())
    assert reduced.refusal == Refusal(Position("model.c", 4), "early")
    assert set(reduced.cfa.opaque) == {s.late, s.early}


def test_a_refusal_looks_at_checks_of_operations_that_stay() -> None:
    s = Sketch(3, cell=bits(8), x=bits(8), y=bits(8))
    s.opaque[s.cell] = Refusal(Position("model.c", 2), "array")
    defined = check(s.terms.not_(s.is_(s.cell, 0)), Undefined.DIVISION)
    s.assign(0, 1, s.x, s.y, defined)
    s.assume(1, 2, s.is_(s.x, 1))
    assert reduce(s.cfa()).refusal is not None
    s.edges[0] = Edge(s.locations[0], s.locations[1], Assign(s.y, s.x), checks=(defined,))
    assert reduce(s.cfa()).refusal is None
    assert reduce(s.cfa(), slice=False).refusal is not None


def test_the_result_is_the_same_every_time() -> None:
    def described() -> list[str]:
        s = Sketch(8, a=bits(8), b=bits(8), c=bits(8))
        for i, (x, y) in enumerate([(s.a, s.b), (s.b, s.c), (s.c, s.a)] * 2):
            s.branch(i, s.terms.eq(x, y), i + 1, min(i + 2, 6))
        s.assume(6, 7, s.is_(s.a, 1))
        reduced = reduce(s.cfa())
        return [f"{edge} {edge.operation} {edge.trail}" for edge in reduced.cfa.edges]

    assert described() == described()
