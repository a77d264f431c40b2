"""Executions of a model: what they see is reachable, and it is enough to guess from."""

from __future__ import annotations

import pytest

from argosy.domains.paths import Paths
from argosy.invariants.sampling import Limits, Samples, sample
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, INT, array, bits
from argosy.models.cfa import Assume, Cfa, Havoc, Reading, Relation, Undefined
from tests.invariants.programs import integer_model
from tests.models.automata import Sketch, check


def states(cfa: Cfa, samples: Samples) -> set[tuple[int, ...]]:
    """The states at the only loop head, values by name."""
    (head,) = cfa.loop_heads
    order = sorted(range(len(samples.live[head])), key=lambda i: samples.live[head][i].name)
    return {tuple(state[i] for i in order) for state in samples.states.get(head, ())}


def counting(bound: int) -> Sketch:
    """x := 0; while (x < bound) x := x + 1."""
    sketch = Sketch(5, x=INT)
    terms = sketch.terms
    sketch.assign(0, 1, sketch.x, terms.integer(0))
    sketch.branch(1, terms.lt(sketch.x, terms.integer(bound)), 2, 3)
    sketch.assign(2, 1, sketch.x, terms.add(sketch.x, terms.integer(1)))
    return sketch


def test_an_execution_without_choices_is_seen_as_a_whole() -> None:
    cfa = counting(300).cfa()
    assert states(cfa, sample(cfa, Reading.UNDEFINED)) == {(x,) for x in range(301)}


def test_a_loop_that_goes_on_for_too_long_is_cut() -> None:
    cfa = counting(10**9).cfa()
    seen = states(cfa, sample(cfa, Reading.UNDEFINED, limits=Limits(states=100)))
    assert seen == {(x,) for x in range(100)}


def test_every_state_is_reachable_and_inputs_vary() -> None:
    cfa = integer_model(
        """int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;
        int i = 0, s = 5; while (i < n) { i++; s += 3; } check(s == 3 * n + 5);"""
    )
    seen = states(cfa, sample(cfa, Reading.UNDEFINED))
    assert all(0 <= i <= n <= 1000 and s == 3 * i + 5 for i, n, s in seen)
    assert len({n for _, n, _ in seen}) > 8
    assert any(i == n > 3 for i, n, _ in seen)


def test_the_sample_depends_on_the_seed_only() -> None:
    program = """int n = __VERIFIER_nondet_int(), i = 0; while (i < n) { if (__VERIFIER_nondet_int()) i++; i++; }
        check(i >= n);"""
    models = [integer_model(program) for _ in range(3)]
    first, second, other = (
        states(cfa, sample(cfa, Reading.UNDEFINED, seed)) for cfa, seed in zip(models, (1, 1, 2), strict=True)
    )
    assert first == second != other


def test_the_number_of_steps_is_bounded() -> None:
    cfa = counting(10**9).cfa()
    seen = states(cfa, sample(cfa, Reading.UNDEFINED, limits=Limits(steps=31)))
    assert max(x for (x,) in seen) < 31


def test_constants_of_the_program_are_tried_until_a_condition_holds() -> None:
    cfa = integer_model(
        """int n = __VERIFIER_nondet_int(); if (n != 424242) return 0;
        int i = n; while (i < n + 5) i++; check(i == n + 5);"""
    )
    assert {i for i, *_ in states(cfa, sample(cfa, Reading.UNDEFINED))} == set(range(424242, 424248))


def test_a_choice_that_leads_nowhere_is_made_again() -> None:
    """One value in four would do; one execution comes to the loop nearly always."""
    cfa = integer_model(
        """int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0;
        int i = 0; while (i < n) i++; check(i == n);"""
    )
    came = [bool(states(cfa, sample(cfa, Reading.UNDEFINED, seed, Limits(runs=1)))) for seed in range(30)]
    assert sum(came) >= 28


def test_an_error_that_is_met_is_met_by_a_feasible_path() -> None:
    cfa = integer_model("int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i += 2; check(i != 10);")
    samples = sample(cfa, Reading.UNDEFINED)
    assert samples.path[0].source is cfa.initial and samples.path[-1].target is cfa.error
    assert all(a.target is b.source for a, b in zip(samples.path, samples.path[1:], strict=False))
    paths = Paths(cfa.terms, Reading.UNDEFINED)
    formula = paths.empty
    for edge in samples.path:
        formula = paths.extend(formula, edge)
    solver = Solvers(cfa.terms, Counters()).create("trace", "int")
    assert solver.check([formula.formula]) is Satisfiability.SAT


def test_new_values_satisfy_their_relation() -> None:
    """y' = x + 7 is computed, 10 <= z' <= 20 is looked for."""
    sketch = Sketch(5, x=INT, y=INT, z=INT, b=BOOL)
    terms, x, y, z = sketch.terms, sketch.x, sketch.y, sketch.z
    new_y, new_z, new_b = terms.var("y'", INT), terms.var("z'", INT), terms.var("b'", BOOL)
    within = terms.and_(terms.ge(new_z, terms.integer(10)), terms.le(new_z, terms.integer(20)))
    equal = terms.eq(terms.sub(new_y, x), terms.integer(7))
    sketch.step(0, 1, Relation(terms.and_(equal, within, new_b), ((y, new_y), (z, new_z), (sketch.b, new_b))))
    sketch.step(1, 1, Havoc(sketch.b))
    sketch.assume(1, 4, terms.and_(terms.eq(y, z), terms.lt(x, y), terms.not_(sketch.b), terms.lt(y, x)))
    cfa = sketch.cfa()
    seen = states(cfa, sample(cfa, Reading.UNDEFINED))
    assert len({z for _, _, _, z in seen}) > 3
    assert all(y == x + 7 and 10 <= z <= 20 for _, x, y, z in seen)


def test_checks_end_an_execution_as_the_reading_says() -> None:
    sketch = counting(1000)
    small = check(sketch.terms.lt(sketch.x, sketch.terms.integer(10)), Undefined.SIGNED_OVERFLOW)
    sketch.assign(2, 1, sketch.x, sketch.terms.add(sketch.x, sketch.terms.integer(1)), small)
    sketch.edges.pop(3)
    cfa = sketch.cfa()
    assert max(states(cfa, sample(cfa, Reading.UNDEFINED))) == (10,)
    assert max(states(cfa, sample(cfa, Reading.WRAP))) > (200,)


def test_a_division_by_zero_ends_an_execution() -> None:
    sketch = counting(10)
    terms, x = sketch.terms, sketch.x
    quotient = terms.div(terms.integer(100), terms.sub(x, terms.integer(3)))
    sketch.step(2, 1, Assume(terms.eq(quotient, terms.integer(7))))
    assert sample(sketch.cfa(), Reading.UNDEFINED).states


def test_arrays_are_not_executed() -> None:
    sketch = Sketch(2, x=array(bits(8), bits(8)))
    with pytest.raises(ValueError, match="integers"):
        sample(sketch.cfa(), Reading.UNDEFINED)
