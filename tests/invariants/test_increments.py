"""How much a round changes is what the rounds that there are change, and what is guessed from it is well meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from argosy.basics.budget import UNLIMITED
from argosy.domains.paths import Paths
from argosy.invariants import increments, textual
from argosy.invariants.houdini import Houdini
from argosy.invariants.increments import Change, changes, guesses, starts
from argosy.invariants.trajectories import trajectories
from argosy.logic.semantics import Value, signed
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Location, Reading
from tests.invariants.programs import bit_model
from tests.models.automata import Sketch, Steps, automata, everything

State = tuple[Value, ...]


def found_in(cfa: Cfa, reading: Reading = Reading.UNDEFINED) -> dict[Location, dict[Term, Change]]:
    solver = Solvers(cfa.terms, Counters()).create("trace", "bits")
    return {head: dict(own) for head, own in changes(cfa, reading, solver, {}).items()}


@given(cfa=automata())
@settings(max_examples=40, deadline=None)
def test_every_round_of_an_inner_loop_is_within_its_limits(cfa: Cfa) -> None:
    found = found_in(cfa, Reading.WRAP)
    variables = [v.term for v in cfa.variables]
    steps = Steps(cfa, variables, Reading.WRAP)
    for head, own in found.items():
        body = range(cfa.order[head], cfa.loop_ends[head] + 1)
        if not own or any(cfa.order[other] in body for other in cfa.loop_heads if other is not head):
            continue
        for state in everything(variables):
            for after in _rounds(cfa, steps, head, state):
                for variable, change in own.items():
                    before, now = (int(some[variables.index(variable)]) for some in (state, after))
                    width = variable.sort.width
                    by = signed((now - before) % (1 << width), width)
                    assert change.low <= by <= change.high, (head, variable, state, after)


def _rounds(cfa: Cfa, steps: Steps, head: Location, state: State) -> set[State]:
    """The states in which the head is come to again, without passing another one."""
    found: set[State] = set()
    seen: set[tuple[Location, State]] = set()
    waiting = [(head, state)]
    while waiting:
        location, own = waiting.pop()
        for edge in cfa.leaving[location]:
            for after in steps.after(edge, own):
                if edge.target is head:
                    found.add(after)
                elif edge.target not in cfa.loop_heads and (edge.target, after) not in seen:
                    seen.add((edge.target, after))
                    waiting.append((edge.target, after))
    return found


LOOPS = [
    ("int x = 0; while (x < 1000) { int d = __VERIFIER_nondet_int(); if (d > 0 && d < 10) x += d; }", {"x": (0, 9)}),
    ("unsigned x = 0, i = 0; while (i < 99) { i += 2; if (__VERIFIER_nondet_int()) x += 3; else x--; }",
     {"x": (-1, 3), "i": (2, 2)}),
    ("int x = 0; while (x != 5) { if (x == 1) x = 70; else x = x + 1; }", {"x": (1, 69)}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), LOOPS)
def test_limits_are_exact(body: str, expected: dict[str, tuple[int, int]]) -> None:
    cfa = bit_model(f"{body} check(x == 77);")
    (own,) = found_in(cfa).values()
    assert {v.name.rpartition("::")[2]: (each.low, each.high) for v, each in own.items()} == expected


def test_an_inner_loop_is_one_edge_of_the_outer_one() -> None:
    cfa = bit_model(
        "unsigned i, j, x = 0; for (i = 0; i < 50; i++) for (j = 0; j < 40; j++) if (__VERIFIER_nondet_int()) x += 2;"
        "check(x == 77);"
    )
    terms = cfa.terms
    outer, inner = sorted(cfa.loop_heads, key=lambda head: cfa.order[head])
    names = {v.term.name.rpartition("::")[2]: v.term for v in cfa.variables}
    bound = terms.bit("bvule", names["j"], terms.bv(40, 32))
    solver = Solvers(terms, Counters()).create("trace", "bits")
    found = changes(cfa, Reading.UNDEFINED, solver, {inner: (bound,)})
    assert found[inner][names["x"]] == Change(0, 2) and found[outer][names["x"]] == Change(0, 80)


BOUNDS = [
    ("unsigned i = 0, x = 0; while (i < 200) { i++; if (__VERIFIER_nondet_int()) x += 3; }", "x", 600),
    ("int x = 0; while (x < 100) { x += 7; }", "x", 106),
    ("int i = 90, x = 0; while (i > 0) { i -= 3; if (__VERIFIER_nondet_int()) x++; }", "x", 30),
    ("int i, j, x = 0; for (i = 0; i < 5; i++) for (j = 0; j < 4; j++) if (__VERIFIER_nondet_int()) x++;", "x", 20),
]  # fmt: skip


@pytest.mark.parametrize(("body", "name", "most"), BOUNDS)
def test_what_is_inductive_of_the_guesses_bounds_a_variable(body: str, name: str, most: int) -> None:
    cfa = bit_model(f"{body} check(x <= {most});")
    terms, reading = cfa.terms, Reading.UNDEFINED
    entries = {head: own.entry for head, own in trajectories(cfa, reading).items()}
    solver = Solvers(terms, Counters()).create("trace", "bits")
    houdini = Houdini(cfa, terms, Paths(terms, reading), solver, UNLIMITED)
    known = houdini.inductive(textual.guesses(cfa)[1])
    some, _ = guesses(cfa, changes(cfa, reading, solver, known), starts(cfa, entries))
    kept = houdini.inductive(some, known=known)
    assert houdini.needed({head: (*known[head], *kept[head]) for head in known}) is not None


def test_half_of_all_numbers_is_no_limit() -> None:
    """It is its own negation."""
    sketch = Sketch(4, x=bits(3))
    sketch.branch(0, sketch.below(sketch.x, 3), 1, 2)
    sketch.assign(1, 0, sketch.x, sketch.plus(sketch.x, 4))
    sketch.assume(2, 3, sketch.is_(sketch.x, 7))
    cfa = sketch.cfa()
    assert [dict(own) for own in found_in(cfa).values()] == [{}]
    # Beside a change by one it is no less than that.
    sketch = Sketch(6, x=bits(3))
    sketch.branch(0, sketch.below(sketch.x, 3), 1, 2)
    sketch.branch(1, sketch.is_(sketch.x, 0), 3, 4)
    sketch.assign(3, 0, sketch.x, sketch.plus(sketch.x, 4))
    sketch.assign(4, 0, sketch.x, sketch.plus(sketch.x, 1))
    sketch.assume(2, 5, sketch.is_(sketch.x, 7))
    assert [dict(own) for own in found_in(sketch.cfa()).values()] == [{}]


@pytest.mark.parametrize("factor", [-129, -100, -7, -1, 0, 1, 6, 255, 10_000])
def test_factors(factor: int) -> None:
    powers = list(increments._powers(factor))
    assert sum(powers) == factor and all(abs(each).bit_count() == 1 for each in powers)
    assert increments._power_of_two(factor, True) <= factor <= increments._power_of_two(factor, False)
