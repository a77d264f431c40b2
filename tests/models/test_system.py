"""Systems as they are, as cones and as automata: the same bad states are reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from argosy.backends.contract import Answer, Plan
from argosy.backends.system import decide
from argosy.basics.budget import Budget
from argosy.certify.interpreter import reachable_states
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, INT, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Edge, Reading
from argosy.models.system import BadState, StateVariable, System, SystemInput
from argosy.problem.problem import Problem, Subject
from tests.models.systems import random_system, reached_after, values_of

SEEDS = range(12)


def asked(system: System) -> Problem:
    subjects = tuple(Subject("property", bad.name, asked=number) for number, bad in enumerate(system.bad))
    return Problem("system", "test", "test", system, subjects)


def decided(system: System, strategy: str = "auto") -> list[Answer]:
    return list(decide(asked(system), Plan(strategy, budget=Budget.of(2))))


def verdicts(system: System, strategy: str = "auto") -> list[str]:
    return [answer.verdict for answer in decided(system, strategy)]


def expected(system: System) -> list[str]:
    return ["safe" if reached_after(system, bad) is None else "unsafe" for bad in system.bad]


def test_the_automaton_reaches_its_error_iff_the_system_does() -> None:
    for seed in range(60):
        system = random_system(seed)
        for bad in system.bad:
            cfa = system.cone(bad).as_program().cfa

            def values(edge: Edge, variable: Term) -> list[Value]:
                return list(values_of(variable.sort))

            initial: list[dict[Term, Value]] = [{}]
            for variable in cfa.variables:
                domain = values_of(variable.term.sort)
                initial = [{**some, variable.term: value} for some in initial for value in domain]
            states = reachable_states(cfa, Reading.WRAP, values, initial)
            found = any(state.location is cfa.error for state in states)
            assert found == (reached_after(system, bad) is not None), (seed, bad.name)


def test_a_cone_reaches_the_same_after_as_many_steps() -> None:
    smaller = 0
    for seed in range(60):
        system = random_system(seed)
        for bad in system.bad:
            cone = system.cone(bad)
            smaller += len(cone.states) < len(system.states)
            assert reached_after(cone, bad) == reached_after(system, bad), (seed, bad.name)
    assert smaller > 5


@pytest.mark.parametrize("strategy", ["auto", "kinduction", "explicit", "lbe", "theta-pred-seq"])
def test_no_strategy_disagrees_with_exhaustive_search(strategy: str) -> None:
    decisive = 0
    for seed in SEEDS if strategy == "auto" else SEEDS[:4]:
        system = random_system(seed)
        for verdict, wanted in zip(verdicts(system, strategy), expected(system), strict=True):
            assert verdict in (wanted, "unknown"), seed
            decisive += verdict == wanted
    assert decisive >= (20 if strategy == "auto" else 2)


def toggling(terms: Terms, bad: Term, constraints: tuple[Term, ...] = ()) -> System:
    """A bit that starts false and toggles, and an input."""
    x, i = terms.var("x", BOOL), terms.var("i", BOOL)
    state = StateVariable(x, "x", terms.false, terms.not_(x))
    return System(terms, (state,), (SystemInput(i, "i"),), (BadState("bad", bad),), constraints)


def test_depth_zero_counts_and_a_bad_state_may_depend_on_the_inputs_of_its_step() -> None:
    terms = Terms()
    x, i = terms.var("x", BOOL), terms.var("i", BOOL)
    assert reached_after(toggling(terms, terms.and_(terms.not_(x), i)), toggling(terms, x).bad[0]) == 2
    system = toggling(terms, terms.and_(terms.not_(x), i))
    assert reached_after(system, system.bad[0]) == 1
    [answer] = decided(system)
    assert (answer.verdict, answer.certificate) == ("unsafe", "replay")


def test_constraints_hold_up_to_and_including_the_step_of_the_bad_state() -> None:
    terms = Terms()
    x, i = terms.var("x", BOOL), terms.var("i", BOOL)
    bad = terms.and_(x, i)
    # In the step of the bad state itself the constraint fails.
    assert verdicts(toggling(terms, bad, constraints=(terms.not_(bad),))) == ["safe"]
    # In a step before it.
    assert verdicts(toggling(terms, bad, constraints=(x,))) == ["safe"]
    # After the bad state nothing has to hold.
    y = terms.var("y", bits(2))
    counter = StateVariable(y, "y", terms.bv(0, 2), terms.bit("bvadd", y, terms.bv(1, 2)))
    late = terms.bit("bvult", y, terms.bv(2, 2))
    system = System(terms, (counter,), (), (BadState("bad", terms.eq(y, terms.bv(1, 2))),), (late,))
    assert verdicts(system) == ["unsafe"]


def test_constraints_on_other_variables_belong_to_every_cone() -> None:
    terms = Terms()
    x, other = terms.var("x", BOOL), terms.var("other", BOOL)
    stuck = StateVariable(other, "other", terms.true, terms.false)
    system = toggling(terms, x)
    system = replace(system, states=(*system.states, stuck), constraints=(other,))
    # The bad state comes in step 2, where ``other`` is false.
    assert verdicts(system) == ["safe"]
    assert verdicts(replace(system, constraints=())) == ["unsafe"]


def test_a_system_of_two_formulas_has_functions_where_they_say_so() -> None:
    terms = Terms()
    x, new_x, y, new_y = (terms.var(name, INT) for name in ("x", "x'", "y", "y'"))
    states = [StateVariable(x, "x", primed=new_x), StateVariable(y, "y", primed=new_y)]
    step = terms.and_(
        terms.eq(new_x, terms.add(x, terms.integer(1))), terms.le(new_y, y), terms.le(x, terms.integer(5))
    )
    start = terms.and_(terms.eq(x, terms.integer(0)), terms.le(y, terms.integer(3)))
    bad = BadState("bad", terms.gt(x, terms.integer(6)))
    system = System.of_relation(terms, states, (), (bad,), initial=start, relation=step)
    first, second = system.states
    assert first.initial is terms.integer(0) and first.next is terms.add(x, terms.integer(1))
    assert second.initial is None and second.next is None
    assert system.initial is terms.le(y, terms.integer(3))
    assert evaluate(system.relation or terms.true, {x: 5, y: 1, new_y: 1})
    assert verdicts(system) == ["safe"]
    assert verdicts(replace(system, bad=(BadState("bad", terms.gt(x, terms.integer(5))),))) == ["unsafe"]


def test_what_a_relation_leaves_alone_keeps_its_value() -> None:
    terms = Terms()
    x, new_x = terms.var("x", BOOL), terms.var("x'", BOOL)
    states = [StateVariable(x, "x", primed=new_x)]
    bad = BadState("bad", x)
    same = terms.eq(new_x, x)
    kept = System.of_relation(terms, states, (), (bad,), initial=terms.not_(x), relation=same)
    assert kept.states[0].next is x and verdicts(kept) == ["safe"]
    free = System.of_relation(terms, states, (), (bad,), initial=terms.not_(x), relation=terms.true)
    assert free.states[0].next is None and verdicts(free) == ["unsafe"]
