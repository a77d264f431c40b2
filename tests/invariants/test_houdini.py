"""The inductive part of guesses: it holds in every execution, and it is as large as it can be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import Budget, OutOfBudget
from argosy.domains.paths import Paths
from argosy.invariants.houdini import Houdini, blocks_between
from argosy.invariants.sampling import sample
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Cfa, Havoc, Reading
from tests.models.automata import Sketch


def houdini(cfa: Cfa, seconds: float = 60.0) -> Houdini:
    solver = Solvers(cfa.terms, Counters()).create("trace", "int")
    return Houdini(cfa, cfa.terms, Paths(cfa.terms, Reading.UNDEFINED), solver, Budget.of(seconds))


class TwoLoops:
    """n := any; x := 0; y := 0; while (x < n) { x += 2; y += 1; } z := y; while (z > 0) { z -= 1; x -= 2; } and the
    error where x is negative. Heads are 3 and 6."""

    def __init__(self) -> None:
        self.sketch = sketch = Sketch(11, n=INT, x=INT, y=INT, z=INT)
        terms, n, x, y, z = sketch.terms, sketch.n, sketch.x, sketch.y, sketch.z
        sketch.step(0, 1, Havoc(n))
        sketch.assign(1, 2, x, terms.integer(0))
        sketch.assign(2, 3, y, terms.integer(0))
        sketch.branch(3, terms.lt(x, n), 4, 5)
        sketch.assign(4, 8, x, terms.add(x, terms.integer(2)))
        sketch.assign(8, 3, y, terms.add(y, terms.integer(1)))
        sketch.assign(5, 6, z, y)
        sketch.assume(6, 7, terms.gt(z, terms.integer(0)))
        sketch.assign(7, 9, z, terms.add(z, terms.integer(-1)))
        sketch.assign(9, 6, x, terms.add(x, terms.integer(-2)))
        sketch.assume(6, 10, terms.lt(x, terms.integer(0)))
        self.cfa = sketch.cfa()
        self.first, self.second = sketch.locations[3], sketch.locations[6]
        self.twice_y = terms.eq(x, terms.mul(terms.integer(2), y))
        self.twice_z = terms.eq(x, terms.mul(terms.integer(2), z))
        self.positive_y = terms.ge(y, terms.integer(0))
        self.positive_z = terms.ge(z, terms.integer(0))
        self.small_y = terms.le(y, terms.integer(7))


def test_what_is_inductive_together_is_kept_and_the_rest_dropped() -> None:
    p = TwoLoops()
    guesses = {p.first: (p.twice_y, p.positive_y, p.small_y), p.second: (p.twice_z, p.positive_z)}
    assert houdini(p.cfa).inductive(guesses) == {
        p.first: (p.twice_y, p.positive_y),
        p.second: (p.twice_z, p.positive_z),
    }


def test_what_depended_on_a_dropped_guess_is_dropped() -> None:
    p = TwoLoops()
    terms, z = p.sketch.terms, p.sketch.z
    small_z = terms.le(z, terms.integer(7))
    found = houdini(p.cfa).inductive({p.first: (p.small_y,), p.second: (small_z, p.twice_z)})
    assert found == {p.first: (), p.second: ()}


def test_known_facts_help() -> None:
    p = TwoLoops()
    guesses = {p.first: (), p.second: (p.twice_z,)}
    assert houdini(p.cfa).inductive(guesses)[p.second] == ()
    assert houdini(p.cfa).inductive(guesses, known={p.first: (p.twice_y,)})[p.second] == (p.twice_z,)


def test_what_is_needed_is_a_proof_without_ballast() -> None:
    p = TwoLoops()
    zero = p.sketch.terms.ge(p.sketch.x, p.sketch.terms.integer(-100))
    both = {p.first: (p.twice_y, p.positive_y), p.second: (p.twice_z, p.positive_z, zero)}
    checker = houdini(p.cfa)
    needed = checker.needed(both)
    assert needed == {p.first: (p.twice_y, p.positive_y), p.second: (p.twice_z, p.positive_z)}
    assert checker.inductive(needed) == needed


def test_what_is_wanted_comes_with_its_reasons() -> None:
    p = TwoLoops()
    terms = p.sketch.terms
    even = terms.eq(terms.mod(p.sketch.x, terms.integer(2)), terms.integer(0))
    facts = {p.first: (even, p.twice_y, p.positive_y), p.second: (even, p.twice_z, p.positive_z)}
    assert even not in (houdini(p.cfa).needed(facts) or {})[p.second]
    needed = houdini(p.cfa).needed(facts, wanted={p.second: (even,)})
    assert needed is not None and even in needed[p.second]
    assert houdini(p.cfa).inductive(needed) == needed


def test_nothing_suffices_where_facts_are_missing() -> None:
    p = TwoLoops()
    assert houdini(p.cfa).needed({p.first: (p.twice_y,), p.second: (p.twice_z,)}) is None
    assert houdini(p.cfa).needed({p.first: (), p.second: ()}) is None


def test_independent_facts() -> None:
    p = TwoLoops()
    terms, x = p.sketch.terms, p.sketch.x
    facts = [terms.ge(x, terms.integer(bound)) for bound in (0, -1, 5, 7)]
    assert houdini(p.cfa).independent(facts, 8) == (facts[0], facts[2], facts[3])
    assert houdini(p.cfa).independent(facts, 2) == (facts[0], facts[2])


def test_time_runs_out() -> None:
    p = TwoLoops()
    with pytest.raises(OutOfBudget):
        houdini(p.cfa, seconds=-1.0).inductive({p.first: (p.twice_y,)})


def test_a_program_that_begins_with_a_loop() -> None:
    """Anything may hold at the beginning: only what is always true is kept."""
    sketch = Sketch(3, x=INT)
    terms, x = sketch.terms, sketch.x
    sketch.assign(0, 0, x, terms.add(x, terms.integer(1)))
    sketch.assume(0, 2, terms.lt(x, terms.integer(0)))
    cfa = sketch.cfa()
    facts = (terms.ge(x, terms.integer(0)), terms.eq(terms.mod(terms.add(x, x), terms.integer(2)), terms.integer(0)))
    assert houdini(cfa).inductive({cfa.initial: facts}) == {cfa.initial: facts[1:]}
    assert houdini(cfa).needed({cfa.initial: facts[1:]}) is None


def test_blocks_reach_from_cut_to_cut() -> None:
    p = TwoLoops()
    paths = Paths(p.cfa.terms, Reading.UNDEFINED)
    ends = {(b.source, b.target) for b in blocks_between(p.cfa, paths, p.cfa.loop_heads)}
    assert ends == {
        (None, p.first),
        (p.first, p.first),
        (p.first, p.second),
        (p.second, p.second),
        (p.second, p.cfa.error),
    }
    everything = frozenset(p.cfa.locations) - {p.cfa.error}
    assert len(blocks_between(p.cfa, paths, everything)) == len(p.cfa.edges) + 1


def atoms_over(sketch: Sketch) -> st.SearchStrategy[Term]:
    terms = sketch.terms
    variable = st.sampled_from(list(sketch.variables.values()))
    small = st.integers(-3, 3)
    sums = st.builds(lambda a, b, k: terms.add(a, terms.mul(terms.integer(k), b)), variable, variable, small)
    compare = st.sampled_from([terms.le, terms.ge, terms.eq])
    return st.builds(lambda c, s, k: c(s, terms.integer(k)), compare, sums, small)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_is_left_holds_in_every_execution(data: st.DataObject) -> None:
    p = TwoLoops()
    some = st.lists(atoms_over(p.sketch), max_size=12, unique=True)
    guesses = {p.first: tuple(data.draw(some)), p.second: tuple(data.draw(some))}
    left = houdini(p.cfa).inductive(guesses)
    samples = sample(p.cfa, Reading.UNDEFINED, seed=3)
    for head, facts in left.items():
        for state in samples.states[head]:
            valuation = dict(zip(samples.live[head], state, strict=True))
            assert all(evaluate(fact, valuation) for fact in facts if variables(fact) <= valuation.keys())
