"""Taking an operation apart and putting it together again changes nothing."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from argosy.logic.sorts import BOOL, INT, REAL
from argosy.logic.terms import Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, Relation
from argosy.models.effects import effect_of, rebuild
from tests.models.automata import Steps, automata, everything

TERMS = Terms()
X, Y = TERMS.var("x", INT), TERMS.var("y", INT)
NEW_X, NEW_Y = TERMS.var("x'", INT), TERMS.var("y'", INT)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(automata(checks=False))
def test_an_operation_and_its_effect_take_the_same_steps(cfa: Cfa) -> None:
    over = [v.term for v in cfa.variables]
    steps = Steps(cfa, over, Reading.WRAP)
    for edge in cfa.edges:
        effect = effect_of(cfa.terms, edge.operation)
        for _, value in effect.definitions:
            assert variables(value) <= set(over)
        again = Edge(edge.source, edge.target, rebuild(cfa.terms, effect))
        for state in everything(over):
            assert set(steps.after(edge, state)) == set(steps.after(again, state))


def test_an_equation_over_numbers_is_solved_for_the_new_value() -> None:
    t = TERMS
    equation = t.eq(t.sub(Y, NEW_X), t.add(X, t.integer(3)))
    effect = effect_of(t, Relation(equation, ((X, NEW_X),)))
    assert effect.definitions == ((X, t.sub(Y, t.add(X, t.integer(3)))),)
    assert rebuild(t, effect) == Assign(X, effect.definitions[0][1])


def test_an_equation_that_not_every_old_value_can_meet_is_no_definition() -> None:
    t = TERMS
    effect = effect_of(t, Relation(t.eq(t.mul(t.integer(2), NEW_X), Y), ((X, NEW_X),)))
    assert not effect.definitions and effect.tied == (X,)
    r, new = t.var("r", REAL), t.var("r'", REAL)
    effect = effect_of(t, Relation(t.eq(t.mul(t.rational(2), new), r), ((r, new),)))
    assert effect.definitions == ((r, t.divide(r, t.rational(2))),)


def test_a_new_value_in_two_conjuncts_is_tied() -> None:
    t = TERMS
    effect = effect_of(t, Relation(t.and_(t.eq(NEW_X, Y), t.le(NEW_X, X)), ((X, NEW_X),)))
    assert not effect.definitions and effect.tied == (X,)


def test_what_a_relation_leaves_open_is_arbitrary_and_what_it_keeps_is_not_written() -> None:
    t = TERMS
    effect = effect_of(t, Relation(t.eq(NEW_Y, Y), ((X, NEW_X), (Y, NEW_Y))))
    assert effect.havocs == (X,) and not effect.definitions
    assert rebuild(t, effect) == Havoc(X)


def test_truth_values_are_defined_by_themselves_and_by_their_negations() -> None:
    t = TERMS
    p, q = t.var("p", BOOL), t.var("q", BOOL)
    new = t.var("p'", BOOL)
    for formula, value in ((new, t.true), (t.not_(new), t.false), (t.eq(new, t.not_(q)), t.not_(q))):
        assert effect_of(t, Relation(formula, ((p, new),))).definitions == ((p, value),)


def test_an_assignment_of_a_variable_to_itself_does_nothing() -> None:
    assert rebuild(TERMS, effect_of(TERMS, Assign(X, X))) == Assume(TERMS.true)
