"""A slice keeps what decides whether the error is reached."""

from __future__ import annotations

from argosy.logic.sorts import INT, bits
from argosy.models.cfa import Assign, Assume, Edge, Havoc, Operation, Reading, Relation, Undefined, written
from argosy.models.reduce import reduce
from tests.models.automata import Sketch, check, has_error, shape


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
