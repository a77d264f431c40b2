"""Loops without claims: whatever is certified is true, however little was claimed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.certify.invariant import Certified, certify_safe
from argosy.certify.loops import without_unclaimed_loops
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Havoc, Reading
from argosy.models.reduce import reduce
from tests.models.automata import Sketch, automata, reachable


@given(cfa=automata(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_result_has_all_behaviour_and_no_uncut_cycle(cfa: Cfa, data: st.DataObject) -> None:
    cuts = {cfa.initial, cfa.error, *data.draw(st.sets(st.sampled_from(cfa.locations)))}
    wider = without_unclaimed_loops(cfa, cuts, set(cfa.locations), {})
    names = [v.term for v in cfa.variables]
    before, after = reachable(cfa, names, Reading.WRAP), reachable(wider, names, Reading.WRAP)
    assert all(before[cut] <= after[cut] for cut in cuts)
    acyclic = without_unclaimed_loops(wider, cuts, set(wider.locations), {})
    assert acyclic is wider


@given(cfa=automata(checks=False), reading=st.sampled_from(Reading), slice=st.booleans())
@settings(max_examples=150, deadline=None)
def test_what_is_certified_with_lemmas_alone_is_safe(cfa: Cfa, reading: Reading, slice: bool) -> None:
    lemmas = reduce(cfa, reading=reading, slice=slice).facts
    answer = certify_safe(cfa, {}, Solvers(cfa.terms, Counters()), reading, lemmas=lemmas)
    if isinstance(answer, Certified):
        assert not reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error]


def loop(start: int) -> Cfa:
    """x := start; y := 0; while (x = 1) { y := y + 1; x := any }; error if y = 3."""
    sketch = Sketch(7, x=bits(3), y=bits(3))
    sketch.assign(0, 1, sketch.x, sketch.number(start, sketch.x))
    sketch.assign(1, 2, sketch.y, sketch.number(0, sketch.y))
    sketch.assume(2, 3, sketch.is_(sketch.x, 1))
    sketch.assign(3, 6, sketch.y, sketch.plus(sketch.y, 1))
    sketch.step(6, 2, Havoc(sketch.x))
    sketch.assume(2, 4, sketch.terms.not_(sketch.is_(sketch.x, 1)))
    sketch.assume(4, 5, sketch.is_(sketch.y, 3))
    return sketch.cfa(error=5)


def certified(cfa: Cfa, **more: object) -> bool:
    return isinstance(certify_safe(cfa, {}, Solvers(cfa.terms, Counters()), Reading.WRAP, **more), Certified)  # type: ignore[arg-type]


def test_a_loop_that_a_lemma_excludes_does_nothing() -> None:
    cfa = loop(0)
    assert certified(cfa, lemmas=reduce(cfa).facts)


def test_without_the_lemma_the_loop_may_do_anything_with_what_it_writes() -> None:
    assert not certified(loop(0))


def test_a_lemma_that_does_not_hold_is_left_aside() -> None:
    cfa = loop(1)
    wrong = {cfa.locations[2]: cfa.terms.eq(cfa.variables[0].term, cfa.terms.bv(0, 3))}
    assert not certified(cfa, lemmas=wrong)
