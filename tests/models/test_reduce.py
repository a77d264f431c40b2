"""A reduction keeps the error reachable, and what it claims holds in the automaton as read."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argosy.logic.sorts import BOOL
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Cfa, Reading, read, written
from argosy.models.reduce import Reduced, reduce
from tests.models.automata import States, Steps, automata, closure, everything, reachable

LAW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
READINGS = st.sampled_from(list(Reading))


def terms_of(cfa: Cfa) -> list:
    return [v.term for v in cfa.variables]


def has_error(cfa: Cfa, over: Cfa, reading: Reading) -> bool:
    return bool(reachable(cfa, terms_of(over), reading)[cfa.error])


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
@given(automata(), READINGS, st.booleans(), st.booleans(), st.integers(0, 1 << 16))
def test_lifted_claims_are_inductive(cfa: Cfa, reading: Reading, slice: bool, contract: bool, seed: int) -> None:
    """For any inductive state sets of the reduced automaton, not only for the smallest ones."""
    over = terms_of(cfa)
    reduced = reduce(cfa, slice=slice, contract=contract, reading=reading)
    small = reduced.cfa
    left = [v for v in over if v in reduced.relevant]
    all_states = list(everything(left))
    random = Random(seed)
    seeds = {location: set(random.choices(all_states, k=random.randint(0, 2))) for location in small.locations}
    seeds[small.initial] = set(all_states)
    inductive = closure(Steps(small, left, reading), small, seeds)

    # The claims are boolean variables, evaluated by looking into the sets.
    terms = cfa.terms
    claim = {location: terms.var(f"claim {location.index}", BOOL) for location in small.locations}
    lifted = reduced.lift({location: (claim[location],) for location in small.locations})
    places = [over.index(v) for v in left]

    def holding(location) -> States:
        holds = set()
        for state in everything(over):
            valuation = dict(zip(over, state, strict=True))
            projected = tuple(state[i] for i in places)
            valuation |= {claim[at]: projected in states for at, states in inductive.items()}
            if any(evaluate(states, valuation) for states in lifted[location]):
                holds.add(state)
        return holds

    claims = {location: holding(location) for location in cfa.locations}
    assert claims[cfa.initial] == set(everything(over))
    steps = Steps(cfa, over, reading)
    for edge in cfa.edges:
        for state in claims[edge.source] if edge.source is not cfa.error else ():
            for after in steps.after(edge, state):
                assert after in claims[edge.target], (edge, state, after)
