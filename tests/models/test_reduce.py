"""A reduction keeps the error reachable, and what it claims holds in the automaton as read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from argosy.logic.sorts import BOOL, INT, bits
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Edge,
    Havoc,
    Location,
    Operation,
    Position,
    Reading,
    Refusal,
    Relation,
    Undefined,
    read,
    written,
)
from argosy.models.reduce import Reduced, reduce
from tests.models.automata import Sketch, States, Steps, automata, check, closure, everything, reachable

LAW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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

    def holding(location) -> States:
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


def until(steps: Steps, cfa: Cfa, start: Location, state: tuple, cuts: Collection[Location]) -> Iterator[tuple]:
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


# ---- each pass and its trap -------------------------------------------------------------------------------


def shape(cfa: Cfa) -> set[tuple[int, int]]:
    return {(edge.source.index, edge.target.index) for edge in cfa.edges}


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


def test_a_constant_survives_a_loop_only_if_the_loop_keeps_it() -> None:
    s = Sketch(6, kept=bits(3), lost=bits(3))
    s.assign(0, 1, s.kept, s.number(5, s.kept))
    s.assign(1, 2, s.lost, s.number(0, s.lost))
    s.branch(2, s.is_(s.lost, 4), 4, 3)
    s.assign(3, 2, s.lost, s.plus(s.lost, 1))
    s.assume(4, 5, s.terms.not_(s.below(s.lost, 3)))
    s.assume(4, 5, s.is_(s.kept, 6))
    reduced = reduce(s.cfa())
    assert s.kept not in reduced.relevant and s.lost in reduced.relevant
    assert reduced.facts[s.locations[2]] is s.is_(s.kept, 5)
    assert reduced.summary["edges_infeasible"] == 1
    assert has_error(reduced.cfa, s.cfa(), Reading.WRAP)


def test_a_branch_on_a_constant_is_dead_with_all_that_lies_behind_it() -> None:
    s = Sketch(7, debug=bits(8), x=bits(8))
    s.assign(0, 1, s.debug, s.number(0, s.debug))
    s.assign(1, 2, s.x, s.number(1, s.x))
    s.branch(2, s.is_(s.debug, 1), 3, 5)
    s.assign(3, 4, s.x, s.plus(s.x, 1))  # a loop that is never entered
    s.branch(4, s.is_(s.x, 9), 5, 3)
    s.assume(5, 6, s.is_(s.x, 9))
    cfa = s.cfa()
    reduced = reduce(cfa)
    # The constant 1 reaches the last condition, since the dead loop does not join it.
    assert not reduced.cfa.edges
    assert reduced.facts[s.locations[3]] is reduced.facts[s.locations[4]] is s.terms.false
    assert reduced.facts[s.locations[5]] is s.is_(s.x, 1)
    (head,) = cfa.loop_heads
    assert reduced.lift({cfa.initial: (s.terms.true,)}) == {cfa.initial: (s.terms.true,), head: (), cfa.error: ()}


def test_facts_name_only_constants_that_were_used() -> None:
    s = Sketch(5, used=bits(8), unused=bits(8), x=bits(8))
    s.assign(0, 1, s.used, s.number(2, s.used))
    s.assign(1, 2, s.unused, s.number(3, s.unused))
    s.assign(2, 3, s.x, s.unused)
    s.assume(3, 4, s.is_(s.used, 2))
    reduced = reduce(s.cfa())
    assert reduced.facts[s.locations[3]] is s.terms.true  # the condition is true whether it is sliced or folded
    s = Sketch(5, used=bits(8), unused=bits(8), x=bits(8))
    s.assign(0, 1, s.used, s.number(2, s.used))
    s.assign(1, 2, s.unused, s.number(3, s.unused))
    s.step(2, 3, Havoc(s.x))
    s.assume(3, 4, s.terms.eq(s.used, s.x))
    reduced = reduce(s.cfa())
    assert [reduced.facts[s.locations[i]] for i in range(4)] == [s.terms.true, *[s.is_(s.used, 2)] * 3]
    assert [e.operation for e in reduced.cfa.edges] == [Assume(s.is_(s.x, 2))]


def test_what_a_used_constant_was_computed_from_is_a_fact_too() -> None:
    s = Sketch(8, x=bits(8), y=bits(8), z=bits(8))
    s.assign(0, 1, s.y, s.number(2, s.y))
    s.branch(1, s.is_(s.z, 0), 2, 3)
    s.step(2, 1, Havoc(s.z))
    s.assign(3, 4, s.x, s.plus(s.y, 1))
    s.branch(4, s.is_(s.z, 0), 5, 6)
    s.step(5, 4, Havoc(s.z))
    s.assume(6, 7, s.terms.eq(s.x, s.z))
    facts = reduce(s.cfa()).facts
    assert facts[s.locations[1]] is s.is_(s.y, 2) and facts[s.locations[4]] is s.is_(s.x, 3)


def test_an_assumed_equality_is_known_until_the_variable_changes() -> None:
    s = Sketch(5, x=bits(8), y=bits(8))
    s.assume(0, 1, s.is_(s.x, 7))
    s.assign(1, 2, s.y, s.plus(s.x, 1))
    s.step(2, 3, Havoc(s.x))
    s.assume(3, 4, s.terms.and_(s.is_(s.y, 8), s.is_(s.x, 7)))
    reduced = reduce(s.cfa())
    assert reduced.facts[s.locations[3]] is s.is_(s.y, 8)
    assert [e.operation for e in reduced.cfa.edges if not isinstance(e.operation, Assume)] == [Havoc(s.x)]


def test_a_havoc_forgets_even_a_value_that_its_own_check_reads() -> None:
    s = Sketch(4, x=bits(8))
    s.assume(0, 1, s.is_(s.x, 7))
    s.step(1, 2, Havoc(s.x), check(s.below(s.x, 9), Undefined.SHIFT))
    s.assume(2, 3, s.is_(s.x, 8))
    assert len(reduce(s.cfa()).cfa.edges) == 3


def test_a_tied_value_is_unknown_even_if_the_old_one_is_read() -> None:
    s = Sketch(4, x=bits(8))
    new = s.terms.var("x'", s.x.sort)
    s.assign(0, 1, s.x, s.number(7, s.x))
    s.step(1, 2, Relation(s.terms.bit("bvult", new, s.x), ((s.x, new),)))
    s.assume(2, 3, s.is_(s.x, 3))
    assert [e.operation for e in reduce(s.cfa()).cfa.edges] == [
        Relation(s.terms.bit("bvult", new, s.number(7, new)), ((s.x, new),)),
        Assume(s.is_(s.x, 3)),
    ]


def test_a_new_value_may_have_the_name_of_another_variable() -> None:
    s = Sketch(4, x=bits(8), y=bits(8))
    s.assign(0, 1, s.y, s.number(1, s.y))
    s.step(1, 2, Relation(s.is_(s.y, 2), ((s.x, s.y),)))
    s.assume(2, 3, s.terms.and_(s.is_(s.x, 2), s.is_(s.y, 1)))
    assert reduce(s.cfa()).cfa.edges


def overflowing(reading: Reading, kind: Undefined) -> Reduced:
    s = Sketch(4, x=bits(8))
    s.assign(0, 1, s.x, s.number(127, s.x))
    s.assign(1, 2, s.x, s.plus(s.x, 1), check(s.below(s.x, 127), kind))
    s.assume(2, 3, s.is_(s.x, 128))
    return reduce(s.cfa(), reading=reading, contract=False)


def test_only_a_check_that_the_reading_excludes_makes_an_edge_infeasible() -> None:
    assert overflowing(Reading.WRAP, Undefined.SIGNED_OVERFLOW).cfa.edges
    assert not overflowing(Reading.UNDEFINED, Undefined.SIGNED_OVERFLOW).cfa.edges
    for kind in (Undefined.DIVISION, Undefined.SHIFT):
        assert not overflowing(Reading.WRAP, kind).cfa.edges


def test_an_opaque_variable_is_never_a_constant() -> None:
    s = Sketch(4, cell=bits(8), x=bits(8))
    s.opaque[s.cell] = Refusal(Position("model.c", 9), "array")
    s.assign(0, 1, s.cell, s.number(1, s.cell))
    s.assign(1, 2, s.x, s.cell)
    s.assume(2, 3, s.is_(s.x, 2))
    reduced = reduce(s.cfa())
    assert reduced.refusal == Refusal(Position("model.c", 9), "array")


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


def test_an_irrelevant_branch_vanishes() -> None:
    s = Sketch(6, x=bits(8), y=bits(8), z=bits(8))
    s.branch(0, s.is_(s.y, 0), 1, 2)
    s.assign(1, 3, s.z, s.number(1, s.z))
    s.assign(2, 3, s.z, s.plus(s.y, 2))
    s.assume(3, 5, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    assert shape(reduced.cfa) == {(0, 5)} and reduced.relevant == {s.x}
    assert reduced.representative[s.locations[3]] is s.locations[0]


def test_a_branch_around_a_relevant_assignment_is_relevant() -> None:
    s = Sketch(5, x=bits(8), y=bits(8), z=bits(8))
    s.branch(0, s.is_(s.y, 0), 1, 2)
    s.assign(1, 3, s.x, s.number(1, s.x))
    s.assign(2, 3, s.z, s.number(1, s.z))
    s.assume(3, 4, s.is_(s.x, 1))
    assert reduce(s.cfa()).relevant == {s.x, s.y}


def test_an_irrelevant_loop_vanishes_with_its_counter() -> None:
    s = Sketch(5, x=bits(8), i=bits(8), n=bits(8))
    s.assign(0, 1, s.i, s.number(0, s.i))
    s.branch(1, s.terms.bit("bvult", s.i, s.n), 2, 3)
    s.assign(2, 1, s.i, s.plus(s.i, 1))
    s.assume(3, 4, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    assert shape(reduced.cfa) == {(0, 4)} and reduced.relevant == {s.x}
    claims = {s.locations[0]: (s.terms.true,), s.locations[4]: ()}
    assert reduced.lift(claims)[s.locations[1]] == (s.terms.true,)


def test_a_loop_that_never_ends_is_noticed_only_without_slicing() -> None:
    s = Sketch(3, x=bits(2), y=bits(2))
    s.branch(0, s.terms.eq(s.plus(s.y, 1), s.y), 1, 0)
    s.assume(1, 2, s.is_(s.x, 1))
    cfa = s.cfa()
    sliced = reduce(cfa)
    assert sliced.relevant == {s.x} and has_error(sliced.cfa, cfa, Reading.WRAP)
    assert not has_error(reduce(cfa, slice=False).cfa, cfa, Reading.WRAP)


def test_where_the_error_is_the_only_way_out_of_a_loop_the_loop_decides() -> None:
    s = Sketch(6, x=bits(4), y=bits(1), z=bits(1))
    s.assign(0, 1, s.x, s.number(0, s.x))
    s.branch(1, s.is_(s.z, 1), 2, 3)
    s.assign(2, 4, s.y, s.plus(s.y, 1))
    s.assign(3, 4, s.x, s.plus(s.x, 2))
    s.branch(4, s.is_(s.x, 9), 5, 1)
    reduced = reduce(s.cfa())
    assert reduced.relevant == {s.x, s.z}
    assert not has_error(reduced.cfa, s.cfa(), Reading.WRAP)
    assert not has_error(s.cfa(), s.cfa(), Reading.WRAP)


def test_a_blocking_assumption_stays() -> None:
    s = Sketch(4, x=bits(8), y=bits(8))
    s.assume(0, 1, s.is_(s.x, 1))
    s.assume(1, 2, s.is_(s.y, 2))
    s.assume(2, 3, s.terms.not_(s.is_(s.x, 1)))
    reduced = reduce(s.cfa(), fold=False)
    assert [edge.operation for edge in reduced.cfa.edges] == [edge.operation for edge in s.edges]


def test_the_cases_of_a_switch_exhaust_with_their_default() -> None:
    s = Sketch(6, x=bits(8), y=bits(8))
    cases = [s.is_(s.y, k) for k in range(3)]
    for k, case in enumerate(cases):
        s.assume(0, k + 1, case)
        s.skip(k + 1, 4)
    s.assume(0, 4, s.terms.conjunction(s.terms.not_(case) for case in cases))
    s.assume(4, 5, s.is_(s.x, 1))
    assert reduce(s.cfa()).relevant == {s.x}
    s.edges.pop(-2)  # without the default the switch may block
    assert reduce(s.cfa()).relevant == {s.x, s.y}


def test_a_condition_of_several_parts_and_its_negation_exhaust() -> None:
    s = Sketch(4, x=bits(8), y=bits(8), z=bits(8))
    s.branch(0, s.terms.and_(s.is_(s.y, 1), s.is_(s.z, 2)), 1, 2)
    s.skip(1, 2)
    s.assume(2, 3, s.is_(s.x, 1))
    assert reduce(s.cfa()).relevant == {s.x}


def with_a_dead_value(*, between: str, loop: str) -> list[Operation]:
    """Assume x = 1, compute a new x that is dead, do something, enter a loop: the operations on x that are left."""
    s = Sketch(8, x=bits(8), y=bits(8), z=bits(8))
    s.assume(0, 1, s.is_(s.x, 1))
    s.assign(1, 3 if between == "nothing" else 2, s.x, s.plus(s.y, 1))
    match between:
        case "a condition":
            s.assume(2, 3, s.is_(s.z, 7))
        case "a value":
            s.assign(2, 3, s.x, s.z)
    if loop == "loop":
        s.branch(3, s.is_(s.z, 0), 4, 5)
        s.step(4, 3, Havoc(s.z))
    else:
        s.skip(3, 5)
    if between == "a value":
        s.assume(5, 6, s.is_(s.x, 3))
    else:
        s.assign(5, 6, s.x, s.z)
    s.assume(6, 7, s.is_(s.x, 5))
    reduced = reduce(s.cfa(), fold=False)
    assert s.y not in reduced.relevant
    return [e.operation for e in reduced.cfa.edges if s.x in written(e.operation)]


def test_a_dead_value_is_forgotten_only_where_a_claim_could_still_tell_the_old_one() -> None:
    for between in ("nothing", "a condition"):
        forgotten, later = with_a_dead_value(between=between, loop="loop")
        assert isinstance(forgotten, Havoc) and isinstance(later, Assign)
        assert [type(o) for o in with_a_dead_value(between=between, loop="no loop")] == [Assign]
    assert [type(o) for o in with_a_dead_value(between="a value", loop="loop")] == [Assign]


def test_a_dead_value_is_forgotten_before_a_loop_that_sets_it_first() -> None:
    s = Sketch(6, x=bits(8), y=bits(8), z=bits(8))
    s.assume(0, 1, s.is_(s.x, 1))
    dead = s.assign(1, 2, s.x, s.plus(s.y, 1))
    s.assign(2, 3, s.x, s.z)
    s.step(3, 4, Havoc(s.z))
    s.branch(4, s.is_(s.x, 5), 5, 2)
    reduced = reduce(s.cfa(), fold=False)
    (forgotten,) = (e for e in reduced.cfa.edges if dead in e.trail)
    assert forgotten.operation == Havoc(s.x)


def test_an_irrelevant_relation_forgets_what_it_ties() -> None:
    s = Sketch(6, x=bits(8), z=bits(8))
    new = s.terms.var("x'", s.x.sort)
    s.assume(0, 1, s.is_(s.x, 1))
    s.step(1, 2, Relation(s.below(new, 5), ((s.x, new),)))
    s.skip(1, 2)
    s.branch(2, s.is_(s.z, 0), 3, 4)
    s.step(3, 2, Havoc(s.z))
    s.assume(4, 5, s.is_(s.z, 5))
    operations = [e.operation for e in reduce(s.cfa(), fold=False).cfa.edges]
    assert Havoc(s.x) in operations and not any(isinstance(o, Relation) for o in operations)


def test_a_relation_that_may_block_keeps_what_it_ties() -> None:
    s = Sketch(3, x=bits(8), y=bits(8))
    new = s.terms.var("x'", s.x.sort)
    s.step(0, 1, Relation(s.terms.bit("bvult", new, s.y), ((s.x, new),)))
    s.assume(1, 2, s.is_(s.y, 5))
    assert reduce(s.cfa()).relevant == {s.x, s.y}


def test_what_is_arbitrary_from_the_start_need_not_become_so() -> None:
    s = Sketch(6, x=bits(8), y=bits(8))
    s.step(0, 1, Havoc(s.x))
    s.step(1, 2, Havoc(s.y))
    s.assume(2, 3, s.is_(s.x, 1))
    s.step(3, 4, Havoc(s.x))
    s.assume(4, 5, s.terms.eq(s.x, s.y))
    reduced = reduce(s.cfa())
    assert [e.operation for e in reduced.cfa.edges] == [e.operation for e in s.edges[2:]]


def test_in_a_loop_nothing_is_arbitrary_from_the_start() -> None:
    s = Sketch(4, x=bits(8))
    s.skip(0, 1)
    s.step(1, 2, Havoc(s.x))
    s.assume(2, 1, s.is_(s.x, 2))
    s.assume(2, 3, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    assert Havoc(s.x) in [e.operation for e in reduced.cfa.edges]


def test_a_variable_that_only_feeds_itself_is_dead() -> None:
    s = Sketch(4, x=bits(8), count=bits(8))
    s.assign(0, 1, s.count, s.plus(s.count, 1))
    s.branch(1, s.is_(s.x, 0), 0, 2)
    s.assume(2, 3, s.is_(s.x, 4))
    assert reduce(s.cfa()).relevant == {s.x}


def test_a_value_that_only_a_check_reads_lives_as_long_as_the_operation() -> None:
    s = Sketch(4, x=bits(8), y=bits(8), z=bits(8))
    s.assign(0, 1, s.y, s.z)
    s.assign(1, 2, s.x, s.number(1, s.x), check(s.terms.not_(s.is_(s.y, 0)), Undefined.DIVISION))
    s.assume(2, 3, s.terms.eq(s.x, s.z))
    reduced = reduce(s.cfa(), fold=False)
    assert s.y in reduced.relevant
    assert len(reduced.cfa.edges) == 3 and reduced.cfa.edges[1].checks == s.edges[1].checks
    s.edges[2] = Edge(s.locations[2], s.locations[3], Assume(s.is_(s.z, 1)))
    assert reduce(s.cfa(), fold=False).relevant == {s.z}
    exact = reduce(s.cfa(), fold=False, slice=False)
    assert s.y in exact.relevant and s.x not in exact.relevant
    assert any(edge.checks for edge in exact.cfa.edges)


def test_a_relation_is_folded_sliced_and_taken_apart() -> None:
    s = Sketch(4, x=INT, y=INT, z=INT, n=INT)
    t = s.terms
    new = {v: t.var(f"{v.name}'", INT) for v in (s.x, s.y, s.z)}
    s.step(
        0, 1, Relation(t.and_(t.eq(new[s.y], t.integer(2)), t.eq(new[s.z], s.z)), ((s.y, new[s.y]), (s.z, new[s.z])))
    )
    both = t.and_(
        t.le(s.n, t.integer(10)), t.eq(new[s.x], t.add(s.x, s.y)), t.eq(new[s.z], t.sub(s.x, t.add(s.z, new[s.x])))
    )
    s.step(1, 2, Relation(both, ((s.x, new[s.x]), (s.z, new[s.z]))))
    s.assume(2, 3, t.eq(s.x, t.integer(7)))
    reduced = reduce(s.cfa())
    assert reduced.relevant == {s.x, s.n, s.z}  # z is tied to the new x
    assert reduced.facts[s.locations[1]] is t.eq(s.y, t.integer(2))
    s = Sketch(3, x=INT, y=INT, z=INT)
    s.terms = t
    s.variables = {"x": t.var("x", INT), "y": t.var("y", INT), "z": t.var("z", INT)}
    apart = t.and_(t.le(s.y, t.integer(10)), t.eq(new[s.x], t.add(s.x, s.y)), t.eq(new[s.z], t.add(s.z, s.x)))
    s.step(0, 1, Relation(apart, ((s.x, new[s.x]), (s.z, new[s.z]))))
    s.assume(1, 2, t.eq(s.x, t.integer(7)))
    reduced = reduce(s.cfa())
    assert reduced.relevant == {s.x, s.y}
    assert reduced.cfa.edges[0].operation == Relation(
        t.and_(t.le(s.y, t.integer(10)), t.eq(new[s.x], t.add(s.x, s.y))), ((s.x, new[s.x]),)
    )


def test_a_relation_that_contradicts_the_constants_is_infeasible() -> None:
    s = Sketch(3, x=INT, y=INT)
    t = s.terms
    new = t.var("y'", INT)
    s.assign(0, 1, s.x, t.integer(1))
    s.step(1, 2, Relation(t.and_(t.eq(s.x, t.integer(2)), t.eq(new, s.x)), ((s.y, new),)))
    reduced = reduce(s.cfa())
    assert not reduced.cfa.edges and reduced.facts[s.locations[1]] is t.eq(s.x, t.integer(1))


def test_a_loop_of_real_operations_keeps_a_location() -> None:
    s = Sketch(5, x=bits(4))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.assign(1, 2, s.x, s.plus(s.x, 2))
    s.skip(2, 3)
    s.skip(3, 1)
    s.assume(1, 4, s.is_(s.x, 9))
    reduced = reduce(s.cfa())
    assert shape(reduced.cfa) == {(0, 1), (1, 1), (1, 4)}
    assert has_error(reduced.cfa, s.cfa(), Reading.WRAP)


def test_edges_that_come_to_coincide_are_one() -> None:
    s = Sketch(5, x=bits(8), y=bits(8))
    for side in (1, 2):
        s.skip(0, side)
        s.assign(side, 3, s.y, s.number(side, s.y))
    s.skip(3, 0)
    s.assume(3, 4, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    (edge,) = reduced.cfa.edges
    assert [e.target.index for e in edge.trail] == [1, 3, 4]


def test_edges_that_differ_in_their_checks_do_not_coincide() -> None:
    s = Sketch(3, x=bits(8), y=bits(8))
    s.assign(0, 1, s.x, s.y, check(s.is_(s.y, 1), Undefined.DIVISION))
    s.assign(0, 1, s.x, s.y)
    s.assume(1, 2, s.is_(s.x, 3))
    assert reduce(s.cfa()).summary["edges_after"] == 3


def test_values_that_are_forgotten_one_after_the_other_are_forgotten_at_once() -> None:
    s = Sketch(6, x=bits(3), y=bits(3))
    s.skip(0, 1)
    s.branch(1, s.terms.eq(s.x, s.y), 2, 5)
    s.step(2, 3, Havoc(s.x))
    s.step(3, 4, Havoc(s.y))
    s.skip(4, 1)
    cfa = s.cfa()
    reduced = reduce(cfa)
    (both,) = (e for e in reduced.cfa.edges if s.edges[3] in e.trail)
    assert both.trail == tuple(s.edges[3:6])
    assert set(written(both.operation)) == {s.x, s.y} and both.source is not both.target
    well_formed(cfa, reduced)


def with_a_vanishing_loop_between_havocs(*, around: bool) -> Reduced:
    s = Sketch(8, x=bits(8), y=bits(8), n=bits(8))
    s.assume(0, 1, s.terms.eq(s.x, s.y))
    s.step(1, 2, Havoc(s.x))
    s.branch(2, s.is_(s.n, 9), 4, 3)
    s.assign(3, 2, s.n, s.plus(s.n, 1))
    if around:  # so that the loop head goes and not the location behind it
        s.step(1, 4, Havoc(s.x))
    s.step(4, 5, Havoc(s.y))
    s.assume(5, 7, s.terms.eq(s.x, s.y))
    cfa = s.cfa()
    assert cfa.loop_heads == {s.locations[2]}
    reduced = reduce(cfa)
    assert reduced.representative[s.locations[2]] is s.locations[4 if around else 2]
    return reduced


def test_nothing_is_joined_across_a_location_that_speaks_for_a_loop() -> None:
    for around in (False, True):
        operations = [e.operation for e in with_a_vanishing_loop_between_havocs(around=around).cfa.edges]
        assert len(operations) == 4 and not any(isinstance(o, Relation) for o in operations)


def test_an_arbitrary_value_that_may_be_undefined_is_not_joined_with_others() -> None:
    s = Sketch(6, x=bits(8), y=bits(8))
    s.skip(0, 1)
    s.branch(1, s.terms.eq(s.x, s.y), 2, 5)
    s.step(2, 3, Havoc(s.x), check(s.below(s.y, 3), Undefined.SHIFT))
    s.step(3, 1, Havoc(s.y))
    reduced = reduce(s.cfa())
    assert [len(e.checks) for e in reduced.cfa.edges if isinstance(e.operation, Havoc)] == [1, 0]


def test_a_skip_that_many_edges_would_have_to_cross_stays() -> None:
    s = Sketch(204, x=bits(8), y=bits(8))
    for k in range(100):
        s.assume(0, 1 + k, s.is_(s.x, k))
        s.assign(1 + k, 101, s.x, s.number(k + 1, s.x))
    for k in range(101, 202):
        s.assign(k, k + 1, s.y, s.plus(s.y, 1))
    s.assume(202, 203, s.is_(s.x, 50))
    s.assume(202, 203, s.is_(s.x, 60))
    reduced = reduce(s.cfa(), fold=False)
    assert sum(len(edge.trail) for edge in reduced.cfa.edges) == len(s.edges)


def test_a_long_chain_of_nothing_is_one_edge() -> None:
    size = 5_000
    s = Sketch(size, x=bits(8), y=bits(8))
    for i in range(size - 2):
        s.assign(i, i + 1, s.y, s.plus(s.y, 1))
    s.assume(size - 2, size - 1, s.is_(s.x, 1))
    reduced = reduce(s.cfa())
    (edge,) = reduced.cfa.edges
    assert edge.trail == tuple(s.edges)


def test_the_result_is_the_same_every_time() -> None:
    def described() -> list[str]:
        s = Sketch(8, a=bits(8), b=bits(8), c=bits(8))
        for i, (x, y) in enumerate([(s.a, s.b), (s.b, s.c), (s.c, s.a)] * 2):
            s.branch(i, s.terms.eq(x, y), i + 1, min(i + 2, 6))
        s.assume(6, 7, s.is_(s.a, 1))
        reduced = reduce(s.cfa())
        return [f"{edge} {edge.operation} {edge.trail}" for edge in reduced.cfa.edges]

    assert described() == described()
