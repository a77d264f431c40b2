"""Guesses about bit-vectors: enough for loops of remainders, and what is demanded is what excludes the error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import Budget
from argosy.domains.paths import Paths
from argosy.invariants.houdini import Houdini, Invariants
from argosy.invariants.sampling import Limits, sample
from argosy.invariants.words import are_computed, demands, guesses
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Cfa, Location, Reading
from tests.invariants.programs import bit_model
from tests.models.automata import Steps, automata, everything, reachable


def gcd(type_: str, claim: str) -> str:
    return f"""{type_} x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), a = x, b = y;
        if (a < 0) a = -a; if (b < 0) b = -b;
        while (b != 0) {{ {type_} t = b; b = a % b; a = t; }} {claim}"""


PROGRAMS = [
    (gcd("signed char", "if (y > 0) check(y >= a);"), True),
    (gcd("signed char", "if (y > 0) check(y > a);"), False),
    (gcd("signed char", "check(y >= a);"), False),
    # Here y > 0 says nothing of x: one or the other of a and b is not more.
    (gcd("signed char", "if (x > 0) check(x >= a);"), True),
    (gcd("signed char", "if (x > 0 && y > 0) check(a > 0);"), True),
    (gcd("signed char", "if (x >= 0 && y >= 0) check(a > 0);"), False),
    (gcd("unsigned char", "if (y > 0 && x % y <= 1) check(a == y);"), False),
    # Values that wrap are what they are.
    ("unsigned char x = __VERIFIER_nondet_int(), y = x; while (__VERIFIER_nondet_int()) x += 3; check(x == y);", False),
]


def proof(cfa: Cfa) -> Invariants | None:
    """Inductive guesses that exclude the error."""
    solver = Solvers(cfa.terms, Counters()).create("trace", "bits")
    houdini = Houdini(cfa, cfa.terms, Paths(cfa.terms, Reading.UNDEFINED), solver, Budget.of(300))
    found: Invariants = {}
    for guessed in guesses(cfa, Reading.UNDEFINED):
        kept = houdini.inductive(guessed, known=found)
        found = {head: (*found.get(head, ()), *own) for head, own in kept.items()}
        needed = houdini.needed(found)
        if needed is not None:
            return needed
    return None


@pytest.mark.parametrize(("body", "safe"), PROGRAMS)
def test_a_safe_program_is_proved_and_an_unsafe_one_is_not(body: str, safe: bool) -> None:
    cfa = bit_model(body)
    found = proof(cfa)
    assert (found is not None) is safe
    samples = sample(cfa, Reading.UNDEFINED, seed=17)
    for head, invariants in (found or {}).items():
        for state in samples.states[head]:
            valuation = dict(zip(samples.live[head], state, strict=True))
            assert all(evaluate(invariant, valuation) for invariant in invariants)


def to_the_error(cfa: Cfa, steps: Steps, head: Location, state: tuple[object, ...]) -> bool:
    """Whether the error is reached from a state at a loop head before another one."""
    waiting, seen = [(head, state)], set()
    while waiting:
        location, now = waiting.pop()
        for edge in cfa.leaving[location]:
            for after in steps.after(edge, now):
                if edge.target is cfa.error:
                    return True
                if edge.target not in cfa.loop_heads and (edge.target, after) not in seen:
                    seen.add((edge.target, after))
                    waiting.append((edge.target, after))
    return False


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=60, deadline=None)
def test_where_a_demand_does_not_hold_the_error_is_reached(cfa: Cfa, reading: Reading) -> None:
    variables = [v.term for v in cfa.variables]
    steps = Steps(cfa, variables, reading)
    for head, demand in demands(cfa, reading).items():
        for state in everything(variables):
            if not evaluate(demand, dict(zip(variables, state, strict=True))):
                assert to_the_error(cfa, steps, head, state)


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=15, deadline=None)
def test_sampled_states_of_bits_are_reachable(cfa: Cfa, reading: Reading) -> None:
    variables = [v.term for v in cfa.variables]
    truth = reachable(cfa, variables, reading)
    samples = sample(cfa, reading, limits=Limits(runs=40))
    for head, states in samples.states.items():
        slots = [variables.index(v) for v in samples.live[head]]
        there = {tuple(state[slot] for slot in slots) for state in truth[head]}
        assert set(states) <= there
    assert not samples.path or truth[cfa.error]


def test_loops_that_count_compute_no_words() -> None:
    assert are_computed(bit_model(gcd("short", "check(a >= 0);")))
    assert not are_computed(bit_model("int x = 1; while (x < 99) x = 2 * x + x % 3; check(x | 1);"))
