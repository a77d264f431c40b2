"""Constants are put in where they hold, and nowhere else."""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.logic.sorts import INT, bits
from argosy.models.cfa import Assume, Havoc, Reading, Refusal, Relation, Undefined
from argosy.models.reduce import Reduced, reduce
from tests.models.automata import Sketch, check, has_error


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


def test_a_relation_that_contradicts_the_constants_is_infeasible() -> None:
    s = Sketch(3, x=INT, y=INT)
    t = s.terms
    new = t.var("y'", INT)
    s.assign(0, 1, s.x, t.integer(1))
    s.step(1, 2, Relation(t.and_(t.eq(s.x, t.integer(2)), t.eq(new, s.x)), ((s.y, new),)))
    reduced = reduce(s.cfa())
    assert not reduced.cfa.edges and reduced.facts[s.locations[1]] is t.eq(s.x, t.integer(1))
