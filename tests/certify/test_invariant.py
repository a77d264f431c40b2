"""Only true claims certify, and true inductive claims do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import Budget
from argosy.basics.position import Position
from argosy.certify.interpreter import Interpreter
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Havoc, Location, Reading, Refusal
from tests.certify.automata import Builder, all_states, automata


def certify(
    cfa: Cfa, claims: Mapping[Location, Sequence[Term]], reading: Reading = Reading.UNDEFINED, second: bool = False
) -> Certified | NotCertified:
    return certify_safe(cfa, claims, Solvers(cfa.terms, Counters()), reading, second_opinion=second)


def exact_claims(cfa: Cfa, reading: Reading, locations: Sequence[Location]) -> dict[Location, list[Term]]:
    """One claim for each reachable state."""
    t = cfa.terms
    claims: dict[Location, list[Term]] = {location: [] for location in locations}
    interpreter = Interpreter(cfa, reading)
    for state in all_states(cfa, reading):
        if state.location in claims:
            values = interpreter.valuation(state)
            claims[state.location].append(t.and_(*(t.eq(v, t.const(k, v.sort)) for v, k in values.items())))
    return claims


def is_safe(cfa: Cfa, reading: Reading) -> bool:
    return all(state.location is not cfa.error for state in all_states(cfa, reading))


@st.composite
def formulas(draw: st.DrawFn, terms: Terms, variables: Sequence[Term]) -> Term:
    """Claims as analyses make them: constants, comparisons on bits, comparisons of numbers."""
    parts = []
    for _ in range(draw(st.integers(0, 3))):
        a, b = draw(st.sampled_from(variables)), draw(st.sampled_from(variables))
        k = draw(st.integers(-4, 8))
        match draw(st.sampled_from(["constant", "bits", "number", "difference"])):
            case "constant":
                part = terms.eq(a, terms.bv(k, a.sort.width))
            case "bits":
                part = terms.bit(draw(st.sampled_from(["bvult", "bvsle"])), a, terms.bv(k, a.sort.width))
            case "number":
                part = terms.le(terms.var(a.name, INT), terms.integer(k))
            case _:
                part = terms.le(terms.sub(terms.var(a.name, INT), terms.var(b.name, INT)), terms.integer(k))
        parts.append(terms.not_(part) if draw(st.booleans()) else part)
    return terms.conjunction(parts)


@settings(max_examples=120, deadline=None)
@given(automata(), st.sampled_from(Reading), st.data())
def test_nothing_wrong_is_ever_certified(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    variables = [v.term for v in cfa.variables]
    locations = data.draw(st.lists(st.sampled_from(cfa.locations), unique=True))
    claims = {loc: data.draw(st.lists(formulas(cfa.terms, variables), max_size=3)) for loc in locations}
    result = certify(cfa, claims, reading)
    if isinstance(result, Certified):
        assert is_safe(cfa, reading)
        assert bool(result.assumes) <= (reading is Reading.UNDEFINED)
        if not result.assumes:
            assert is_safe(cfa, Reading.WRAP)


@settings(max_examples=70, deadline=None)
@given(automata(), st.sampled_from(Reading), st.booleans())
def test_the_reachable_states_certify_every_safe_automaton(cfa: Cfa, reading: Reading, everywhere: bool) -> None:
    locations = cfa.locations if everywhere else sorted(cfa.loop_heads, key=lambda location: location.index)
    result = certify(cfa, exact_claims(cfa, reading, locations), reading)
    assert isinstance(result, Certified) == is_safe(cfa, reading), result


@settings(max_examples=50, deadline=None)
@given(automata(), st.sampled_from(Reading), st.data())
def test_a_missing_state_is_noticed(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    claims = exact_claims(cfa, reading, cfa.locations)
    on_the_way = [loc for loc, some in claims.items() if some and loc in cfa.error_distance and loc is not cfa.initial]
    if not on_the_way or not is_safe(cfa, reading):
        return
    location = data.draw(st.sampled_from(on_the_way))
    missing = data.draw(st.integers(0, len(claims[location]) - 1))
    del claims[location][missing]
    result = certify(cfa, claims, reading)
    assert isinstance(result, NotCertified) and result.refuted and result.target is location


@settings(max_examples=100, deadline=None)
@given(automata(), st.sampled_from(Reading), st.data())
def test_loops_without_claims_are_not_overlooked(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    heads = sorted(cfa.loop_heads, key=lambda location: location.index)
    some = data.draw(st.lists(st.sampled_from(heads), unique=True)) if heads else []
    if isinstance(certify(cfa, exact_claims(cfa, reading, some), reading), Certified):
        assert is_safe(cfa, reading)


# ---- by hand ------------------------------------------------------------------------------------------------


def test_an_integer_invariant_is_checked_on_bits() -> None:
    b = Builder(5, 4)
    t = b.terms
    x, y = b.variable("x"), b.variable("y", signed=False)
    b.edge(0, 1, Assign(x, t.bv(0, 32)))
    b.edge(1, 2, Assign(y, t.bv(0, 32)))
    b.edge(2, 3, Assign(x, t.bit("bvadd", x, t.bv(1, 32))))
    b.edge(3, 2, Assign(y, t.bit("bvadd", y, t.bv(1, 32))))
    b.edge(2, 4, Assume(t.ne(x, y)))
    cfa = b.build()
    head = cfa.locations[2]
    number_x, number_y = t.var("x", INT), t.var("y", INT)
    # x wraps to a negative number before y does: as numbers they are not equal for ever.
    refuted = certify(cfa, {head: [t.eq(number_x, number_y)]})
    assert isinstance(refuted, NotCertified) and refuted.refuted and refuted.target is head
    assert isinstance(certify(cfa, {head: [t.eq(x, y)]}), Certified)


def bounded_loop(bound: int) -> tuple[Cfa, Location, Term]:
    """``x = 0; while (nondet) x++; if (x < 0) error;``: true unless the sum wraps."""
    b = Builder(5, 4)
    t = b.terms
    x, n = b.variable("x"), b.variable("n")
    b.edge(0, 1, Assign(x, t.bv(0, 32)))
    b.edge(1, 2, Havoc(n))
    value, check = b.add(x, 1)
    b.edge(2, 1, Assign(x, value), check)
    b.edge(2, 3, Assume(t.bit("bvslt", n, t.bv(bound, 32))))
    b.edge(3, 4, Assume(t.bit("bvslt", x, t.bv(0, 32))))
    cfa = b.build()
    return cfa, cfa.locations[1], t.ge(t.var("x", INT), t.integer(0))


def test_lines_that_must_not_overflow_are_named() -> None:
    cfa, head, claim = bounded_loop(5)
    result = certify(cfa, {head: [claim]})
    assert isinstance(result, Certified)
    assert result.assumes == (Position("t.c", 3),)
    assert result.kind == "invariant"
    wrapping = certify(cfa, {head: [claim]}, Reading.WRAP)
    assert isinstance(wrapping, NotCertified) and wrapping.refuted


def test_a_second_opinion_is_named() -> None:
    cfa, head, claim = bounded_loop(5)
    result = certify(cfa, {head: [claim]}, second=True)
    assert isinstance(result, Certified) and result.by == ("bitwuzla", "cvc5") and result.solved > 0


def test_claims_everywhere_are_the_graph() -> None:
    cfa, _, claim = bounded_loop(5)
    result = certify(cfa, {location: [claim] for location in cfa.locations[1:4]})
    assert isinstance(result, Certified) and result.kind == "graph"


def test_a_loop_without_claim_changes_only_what_it_writes() -> None:
    b = Builder(4, 3)
    t = b.terms
    x = b.variable("x")
    b.edge(0, 1, Assign(x, t.bv(0, 32)))
    b.edge(1, 2, Assume(t.eq(x, t.bv(1, 32))))
    b.edge(2, 2, Assume(t.true))
    b.edge(2, 3, Assume(t.true))
    assert isinstance(certify(b.build(), {}), Certified)
    b.edge(1, 2, Assume(t.eq(x, t.bv(0, 32))))
    cfa = b.build()
    result = certify(cfa, {})
    assert isinstance(result, NotCertified) and result.refuted
    assert "the error can be reached" in result.reason


def test_loops_that_cannot_reach_the_error_need_no_claim() -> None:
    b = Builder(4, 3)
    t = b.terms
    x = b.variable("x")
    b.edge(0, 1, Assign(x, t.bv(0, 32)))
    b.edge(1, 2, Assume(t.true))
    b.edge(2, 2, Assume(t.true))
    b.edge(1, 3, Assume(t.eq(x, t.bv(5, 32))))
    assert isinstance(certify(b.build(), {}), Certified)


def test_the_initial_location_may_have_any_state() -> None:
    b = Builder(2, 1)
    t = b.terms
    x = b.variable("x")
    b.edge(0, 1, Assume(t.eq(x, t.bv(5, 32))))
    cfa = b.build()
    claims = {cfa.initial: [t.eq(x, t.bv(0, 32))], cfa.error: [t.true]}
    result = certify(cfa, claims)
    assert isinstance(result, NotCertified) and result.refuted and result.target is cfa.error


def test_an_error_that_is_the_start_is_not_safe() -> None:
    b = Builder(1, 0)
    assert isinstance(certify(b.build(), {}), NotCertified)


def test_both_of_two_open_branches_are_taken() -> None:
    """Two edges without conditions leave one location: neither may hide the other where they meet again."""
    for first, second in ((1, 2), (2, 1)):
        b = Builder(4, 3)
        t = b.terms
        x = b.variable("x")
        b.edge(0, 1, Assign(x, t.bv(first, 32)))
        b.edge(0, 1, Assign(x, t.bv(second, 32)))
        b.edge(1, 2, Assume(t.true))
        b.edge(2, 3, Assume(t.eq(x, t.bv(2, 32))))
        result = certify(b.build(), {})
        assert isinstance(result, NotCertified) and result.refuted


@pytest.mark.parametrize("arms", [2, 5, 40])
def test_many_paths_are_one_formula(arms: int) -> None:
    """2**arms paths; the sum of the arms' bits is not more than their number."""
    b = Builder(2 * arms + 2, 2 * arms + 1)
    t = b.terms
    x = b.variable("x")
    b.edge(0, 1, Assign(x, t.bv(0, 32)))
    for i in range(arms):
        b.edge(2 * i + 1, 2 * i + 2, Assign(x, t.bit("bvadd", x, t.bv(i % 2, 32))))
        b.edge(2 * i + 1, 2 * i + 2, Assume(t.true))
        if i < arms - 1:
            b.edge(2 * i + 2, 2 * i + 3, Assume(t.true))
    b.edge(2 * arms, 2 * arms + 1, Assume(t.bit("bvult", t.bv(arms, 32), x)))
    cfa = b.build()
    assert isinstance(certify(cfa, {}), Certified)


class TestRefusals:
    def automaton(self) -> tuple[Builder, Term]:
        b = Builder(3, 2)
        x = b.variable("x")
        b.edge(0, 1, Assign(x, b.terms.bv(1, 32)))
        b.edge(1, 2, Assume(b.terms.eq(x, b.terms.bv(0, 32))))
        return b, x

    def test_unknown_variables(self) -> None:
        b, _ = self.automaton()
        t = b.terms
        cfa = b.build()
        for claim in (t.le(t.var("ghost", INT), t.integer(0)), t.var("p", BOOL)):
            result = certify(cfa, {cfa.locations[1]: [t.true, claim]})
            assert isinstance(result, NotCertified) and "does not know" in result.reason and result.claim == 1

    def test_what_bits_cannot_say(self) -> None:
        b, _ = self.automaton()
        t = b.terms
        cfa = b.build()
        x = t.var("x", INT)
        result = certify(cfa, {cfa.locations[1]: [t.le(t.div(t.integer(7), x), t.integer(9))]})
        assert isinstance(result, NotCertified) and "cannot be said" in result.reason

    def test_what_is_not_a_formula(self) -> None:
        b, x = self.automaton()
        cfa = b.build()
        assert isinstance(certify(cfa, {cfa.locations[1]: [x]}), NotCertified)

    def test_terms_of_another_table(self) -> None:
        b, _ = self.automaton()
        cfa = b.build()
        other = Terms()
        foreign = other.eq(other.var("x", b.variables[0].term.sort), other.bv(1, 32))
        assert isinstance(certify(cfa, {cfa.locations[1]: [foreign]}), NotCertified)

    def test_values_that_are_not_modelled_are_any_value_each_time(self) -> None:
        b = Builder(4, 3)
        t = b.terms
        x, o = b.variable("x"), b.variable("o")
        b.edge(0, 1, Assign(x, o))
        b.edge(1, 2, Assume(t.eq(x, t.bv(0, 32))))
        b.edge(2, 3, Assume(t.eq(o, t.bv(1, 32))))
        assert isinstance(certify(b.build(), {}), Certified)
        b.opaque[o] = Refusal(Position("t.c", 1), "a dereference")
        cfa = b.build()
        assert isinstance(certify(cfa, {}), NotCertified)
        claimed = certify(cfa, {cfa.locations[1]: [t.eq(o, t.bv(0, 32))]})
        assert isinstance(claimed, NotCertified) and "does not know" in claimed.reason

    def test_no_time(self) -> None:
        b, x = self.automaton()
        cfa = b.build()
        claims = {cfa.locations[1]: [b.terms.eq(x, b.terms.bv(1, 32))]}
        result = certify_safe(cfa, claims, Solvers(cfa.terms, Counters()), Reading.WRAP, budget=Budget.of(0.0))
        assert isinstance(result, NotCertified) and not result.refuted and "time" in result.reason


def state_machine(states: int, branches: int) -> tuple[Cfa, Location, Term]:
    """A loop that reads an input and steps from state to state by a chain of tests, as ECA programs do."""
    b = Builder(4 + 2 * branches, 3 + 2 * branches)
    t = b.terms
    state, inp, _ = b.variable("state"), b.variable("input"), b.variable("seen")
    b.edge(0, 1, Assign(state, t.bv(0, 32)))
    b.edge(1, 2, Havoc(inp))
    b.edge(2, 3, Assume(t.and_(t.bit("bvsle", t.bv(1, 32), inp), t.bit("bvsle", inp, t.bv(6, 32)))))
    error = 3 + 2 * branches
    for i in range(branches):
        here, taken = 3 + 2 * i, 4 + 2 * i
        following = here + 2 if i < branches - 1 else 1
        low = t.bit("bvurem", state, t.bv(branches, 32))
        test = t.and_(t.eq(low, t.bv(i, 32)), t.eq(inp, t.bv(1 + i % 6, 32)))
        b.branch(here, taken, following, test)
        after = t.bit("bvurem", t.bit("bvadd", state, t.bv(1, 32)), t.bv(states, 32))
        b.edge(taken, 1, Assign(state, after))
    b.edge(1, error, Assume(t.bit("bvule", t.bv(states, 32), state)))
    cfa = b.build()
    return cfa, cfa.locations[1], state


def test_thousands_of_explicit_claims_take_seconds() -> None:
    states, branches = 1000, 40
    cfa, head, state = state_machine(states, branches)
    t = cfa.terms
    claims = [t.and_(t.eq(state, t.bv(k, 32)), t.eq(t.var("seen", INT), t.integer(0))) for k in range(states)]
    refuted = certify(cfa, {head: claims})
    assert isinstance(refuted, NotCertified) and refuted.refuted
    claims = [t.eq(state, t.bv(k, 32)) for k in range(states)]
    start = process_time()
    result = certify(cfa, {head: claims})
    assert isinstance(result, Certified) and result.obligations >= 2 * states
    assert result.solved < 100
    assert process_time() - start < 20
    del claims[states // 2]
    assert isinstance(certify(cfa, {head: claims}), NotCertified)
