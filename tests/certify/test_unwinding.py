"""Unwinding and k-induction certify exactly what exhaustive execution, loop head after loop head, finds to be so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import Position
from argosy.certify.invariant import Certified, NotCertified, locations_that_matter
from argosy.certify.levels import Levels, Pieces
from argosy.certify.meanings import Meanings
from argosy.certify.unwinding import certify_k_induction, certify_unwinding
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Cfa, Havoc, Location, Reading, Undefined
from tests.certify.automata import Builder
from tests.certify.automata import automata as with_overflow
from tests.models.automata import Sketch, States, Steps, automata, everything, reachable

Certify = Callable[..., Certified | NotCertified]

MOMENTS = (0.5, 0.0)
"""Levels are asked about at once, or one after the other."""


def certify(
    by: Certify,
    cfa: Cfa,
    bound: int,
    reading: Reading = Reading.UNDEFINED,
    *,
    at_most: int | None = None,
    loops: Collection[Location] | None = None,
    budget: Budget = UNLIMITED,
    second: bool = False,
    moment: float | None = None,
    **guesses: Mapping[Location, Term],
) -> Certified | NotCertified:
    return by(
        cfa,
        bound,
        Solvers(cfa.terms, Counters()),
        reading,
        at_most=bound if at_most is None else at_most,
        loops=loops,
        budget=budget,
        second_opinion=second,
        moment=MOMENTS[0] if moment is None else moment,
        **guesses,
    )


class Brute:
    """Executes all states of an automaton at once, from loop head to loop head."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self.cfa = cfa
        self.terms = [v.term for v in cfa.variables]
        self.steps = Steps(cfa, self.terms, reading)
        self.inside = locations_that_matter(cfa)
        self.heads = [head for head in cfa.loop_heads if head in self.inside and head is not cfa.error]

    def next_heads(self, starts: Iterable[tuple[Location, States]]) -> tuple[bool, dict[Location, States]]:
        """Whether the error is reached before the next loop head, and the states at the next loop heads."""
        arrived: dict[Location, States] = {}
        inner: dict[Location, States] = {}
        stack = [(location, state) for location, states in starts for state in states]
        error = False
        while stack:
            location, state = stack.pop()
            for edge in self.cfa.leaving[location]:
                if edge.target not in self.inside:
                    continue
                for after in self.steps.after(edge, state):
                    error = error or edge.target is self.cfa.error
                    there = arrived if edge.target in self.heads else inner
                    seen = there.setdefault(edge.target, set())
                    if after not in seen:
                        seen.add(after)
                        if there is inner and edge.target is not self.cfa.error:
                            stack.append((edge.target, after))
        return error, arrived

    def everything(self) -> States:
        return set(everything(self.terms))

    def error_within(self, bound: int) -> bool:
        return self._unwind(bound)[0]

    def unwound(self, bound: int) -> bool:
        return not any(self._unwind(bound)[1].values())

    def _unwind(self, bound: int) -> tuple[bool, dict[Location, States]]:
        front = {self.cfa.initial: self.everything()}
        errors = False
        for _ in range(bound + 1):
            error, front = self.next_heads(front.items())
            errors = errors or error
        return errors, front

    def step_holds(self, k: int) -> bool:
        front = {head: self.everything() for head in self.heads}
        for _ in range(k):
            _, front = self.next_heads(front.items())
        return not self.next_heads(front.items())[0]


def wraps(answer: Certified) -> bool:
    """Whether no signed overflow had to be excluded."""
    return all(check.kind is not Undefined.SIGNED_OVERFLOW for check in answer.assumes)


readings = st.sampled_from(Reading)
models = st.one_of(automata(), with_overflow())
moments = st.sampled_from(MOMENTS)
kinds: st.SearchStrategy[Certify] = st.sampled_from((certify_unwinding, certify_k_induction))


@settings(max_examples=120, deadline=None)
@given(models, readings, st.integers(0, 4), moments)
def test_an_unwinding_is_certified_iff_it_is_complete_and_without_error(
    cfa: Cfa, reading: Reading, bound: int, moment: float
) -> None:
    brute = Brute(cfa, reading)
    answer = certify(certify_unwinding, cfa, bound, reading, moment=moment)
    assert isinstance(answer, Certified) == (not brute.error_within(bound) and brute.unwound(bound)), answer
    if isinstance(answer, Certified):
        assert answer.kind == "unwinding" and answer.depth == bound
        if wraps(answer):
            wrapping = Brute(cfa, Reading.WRAP)
            assert not wrapping.error_within(bound) and wrapping.unwound(bound)


@settings(max_examples=120, deadline=None)
@given(models, readings, st.integers(0, 4), moments)
def test_k_induction_is_certified_iff_base_and_step_hold(cfa: Cfa, reading: Reading, k: int, moment: float) -> None:
    brute = Brute(cfa, reading)
    answer = certify(certify_k_induction, cfa, k, reading, moment=moment)
    assert isinstance(answer, Certified) == (not brute.error_within(k) and brute.step_holds(k)), answer
    if isinstance(answer, Certified):
        assert answer.kind == "k-induction" and answer.depth == k
        assert not reachable(cfa, brute.terms, reading)[cfa.error]
        if wraps(answer):
            assert not reachable(cfa, brute.terms, Reading.WRAP)[cfa.error]


@settings(max_examples=40, deadline=None)
@given(automata(acyclic=True), readings, kinds)
def test_without_loops_every_safe_automaton_is_certified(cfa: Cfa, reading: Reading, by: Certify) -> None:
    safe = not reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error]
    assert isinstance(certify(by, cfa, 0, reading), Certified) == safe


@settings(max_examples=80, deadline=None)
@given(models, readings, kinds, st.data())
def test_loops_that_are_not_unwound_are_not_overlooked(
    cfa: Cfa, reading: Reading, by: Certify, data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(cfa.locations), unique=True, max_size=3))
    if isinstance(certify(by, cfa, 1, reading, at_most=3, loops=some), Certified):
        assert not reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error]


@settings(max_examples=80, deadline=None)
@given(models, readings, kinds, st.data())
def test_lemmas_are_not_believed(cfa: Cfa, reading: Reading, by: Certify, data: st.DataObject) -> None:
    t = cfa.terms
    words = [v.term for v in cfa.variables if v.term.sort.is_bits]
    lemmas = {}
    for location in cfa.locations:
        variable = data.draw(st.sampled_from(words))
        value = t.const(data.draw(st.integers(0, 3)), variable.sort)
        same = t.eq(variable, value)
        lemmas[location] = data.draw(st.sampled_from([t.true, t.false, same, t.not_(same)]))
    some = data.draw(st.one_of(st.none(), st.lists(st.sampled_from(cfa.locations), unique=True, max_size=3)))
    if by is certify_k_induction and data.draw(st.booleans()):
        answer = certify(by, cfa, 1, reading, at_most=3, loops=some, invariants=lemmas)
    else:
        answer = certify(by, cfa, 1, reading, at_most=3, loops=some, lemmas=lemmas)
    if isinstance(answer, Certified):
        assert not reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error]


# ---- by hand ------------------------------------------------------------------------------------------------


def counted(bound: int, wrong: int = 99) -> Cfa:
    """x := 0; y := 1; while (x < bound) { y := y or any; x := x + 1 }; error if x = wrong or y is even."""
    sketch = Sketch(8, x=bits(16), y=bits(16), z=bits(16))
    t = sketch.terms
    sketch.assign(0, 7, sketch.x, sketch.number(0, sketch.x))
    sketch.assign(7, 1, sketch.y, sketch.number(1, sketch.y))
    sketch.branch(1, sketch.below(sketch.x, bound), 2, 5)
    sketch.step(2, 3, Havoc(sketch.z))
    sketch.assign(3, 4, sketch.y, t.bit("bvor", sketch.y, sketch.z))
    sketch.assign(4, 1, sketch.x, sketch.plus(sketch.x, 1))
    even = t.eq(t.extract(sketch.y, 0, 0), t.bv(0, 1))
    sketch.assume(5, 6, t.or_(sketch.is_(sketch.x, wrong), even))
    return sketch.cfa(error=6)


def test_the_bound_is_searched_upwards() -> None:
    cfa = counted(10)
    refused = certify(certify_unwinding, cfa, 10)
    assert isinstance(refused, NotCertified) and refused.refuted and "more than 10 loop heads" in refused.reason
    exact = certify(certify_unwinding, cfa, 11)
    assert isinstance(exact, Certified) and exact.depth == 11
    found = certify(certify_unwinding, cfa, 2, at_most=20)
    assert isinstance(found, Certified) and 11 <= found.depth <= 20


def test_an_error_within_the_bound_is_named() -> None:
    refused = certify(certify_unwinding, counted(10, wrong=10), 11)
    assert isinstance(refused, NotCertified) and refused.refuted and "within 11 loop heads" in refused.reason
    assert isinstance(certify(certify_unwinding, counted(10, wrong=11), 11), Certified)
    later = certify(certify_unwinding, counted(10, wrong=10), 2, at_most=20)
    assert isinstance(later, NotCertified) and "the error can be reached" in later.reason


def test_choices_differ_from_level_to_level() -> None:
    """n := 0; while (n < 2) { y := x; x := any; n := n + 1 }; error if x differs from y: two choices in a row."""
    sketch = Sketch(6, x=bits(4), y=bits(4), n=bits(4))
    sketch.assign(0, 1, sketch.n, sketch.number(0, sketch.n))
    sketch.branch(1, sketch.below(sketch.n, 2), 2, 4)
    sketch.assign(2, 3, sketch.y, sketch.x)
    sketch.step(3, 5, Havoc(sketch.x))
    sketch.assign(5, 1, sketch.n, sketch.plus(sketch.n, 1))
    unequal = sketch.terms.ne(sketch.x, sketch.y)
    sketch.locations.append(Location(6))
    sketch.assume(4, 6, unequal)
    refused = certify(certify_unwinding, sketch.cfa(), 3)
    assert isinstance(refused, NotCertified) and refused.refuted and "the error can be reached" in refused.reason


def test_a_lemma_may_speak_of_what_nothing_else_reads() -> None:
    """z is carried over to the second loop, which is never reached, because a lemma about it holds there."""
    sketch = Sketch(3, x=bits(2), z=bits(2))
    sketch.skip(0, 0)
    sketch.assume(0, 1, sketch.terms.false)
    sketch.skip(1, 1)
    sketch.skip(1, 0)
    sketch.assume(0, 2, sketch.is_(sketch.x, 1))
    lemmas = {sketch.locations[1]: sketch.is_(sketch.z, 1)}
    for by in (certify_unwinding, certify_k_induction):
        refused = certify(by, sketch.cfa(), 1, at_most=3, lemmas=lemmas)
        assert isinstance(refused, NotCertified) and "the error can be reached" in refused.reason, refused


def test_two_ways_without_a_condition_are_both_taken() -> None:
    """x becomes 1 or 2 on edges that nothing tells apart, in one block and in two."""
    for wrong, safe in ((0, True), (1, False), (2, False), (3, True)):
        sketch = Sketch(4, x=bits(2))
        for value in (1, 2):
            sketch.assign(0, 1, sketch.x, sketch.number(value, sketch.x))
        sketch.skip(1, 1)
        sketch.skip(1, 2)
        sketch.assume(2, 3, sketch.is_(sketch.x, wrong))
        assert isinstance(certify(certify_k_induction, sketch.cfa(), 1, loops=()), Certified) == safe

    for wrong, safe in ((0, True), (1, False), (2, False), (3, True)):
        # Two loop heads, left by unconditional edges to a third one.
        sketch = Sketch(6, x=bits(2))
        for head, value in ((1, 1), (2, 2)):
            sketch.skip(0, head)
            sketch.assign(head, 3, sketch.x, sketch.number(value, sketch.x))
        sketch.assume(3, 4, sketch.terms.true)
        sketch.assume(4, 5, sketch.is_(sketch.x, wrong))
        cfa = sketch.cfa()
        loops = [cfa.locations[i] for i in (1, 2, 3)]
        assert isinstance(certify(certify_unwinding, cfa, 2, loops=loops), Certified) == safe


def test_every_way_has_its_own_values() -> None:
    """x says which way was taken to the third loop head; the error is where it does not."""
    sketch = Sketch(6, x=bits(2), way=bits(2))
    t = sketch.terms
    first = sketch.below(sketch.way, 2)
    sketch.branch(0, first, 1, 2)
    for head in (1, 2):
        sketch.assign(head, 3, sketch.x, sketch.number(head, sketch.x))
    sketch.skip(3, 4)
    sketch.assume(4, 5, t.xor(first, sketch.is_(sketch.x, 1)))
    cfa = sketch.cfa()
    assert isinstance(certify(certify_unwinding, cfa, 2, loops=cfa.locations[1:4]), Certified)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_errors_behind_every_loop_head_are_found(first: bool, second: bool) -> None:
    """Two loop heads on the same level, with an error behind each where ``first`` or ``second`` says so."""
    sketch = Sketch(4, x=bits(4))
    t = sketch.terms
    for head, reached in ((1, first), (2, second)):
        sketch.assume(0, head, sketch.below(sketch.x, 4) if head == 1 else t.not_(sketch.below(sketch.x, 4)))
        low = t.extract(sketch.x, 1, 0)
        found = t.eq(t.bit("bvmul", low, t.bv(2, 2)), t.bv(2 if reached else 1, 2))
        sketch.assume(head, 3, found)
    cfa = sketch.cfa()
    answer = certify(certify_unwinding, cfa, 1, loops=cfa.locations[1:3])
    assert isinstance(answer, Certified) == (not first and not second)


def even_counter(wrong: int) -> Cfa:
    """x := 0; c := 5; forever: x := x + 2 (mod 16); error if x = wrong or c differs from 5."""
    sketch = Sketch(5, x=bits(4), c=bits(4))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.assign(1, 2, sketch.c, sketch.number(5, sketch.c))
    sketch.assign(2, 3, sketch.x, sketch.plus(sketch.x, 2))
    bad = sketch.terms.or_(sketch.is_(sketch.x, wrong), sketch.terms.not_(sketch.is_(sketch.c, 5)))
    sketch.branch(3, bad, 4, 2)
    return sketch.cfa()


def test_k_induction_needs_base_and_step() -> None:
    # Within 8 loop heads x was 14 once; before that the step fails, and so does the base afterwards.
    for k in range(10):
        assert isinstance(certify(certify_k_induction, even_counter(14), k), NotCertified)
    # Of the eight odd numbers one is 9: whoever avoids it for eight rounds is even, and goes on to be.
    odd = [isinstance(certify(certify_k_induction, even_counter(9), k), Certified) for k in range(10)]
    assert odd == [False] * 8 + [True] * 2


def test_a_lemma_makes_a_step_hold() -> None:
    cfa = even_counter(9)
    t = cfa.terms
    x, c = (v.term for v in cfa.variables)
    head = next(iter(cfa.loop_heads))
    even = t.eq(t.extract(x, 0, 0), t.bv(0, 1))
    assert isinstance(certify(certify_k_induction, cfa, 1), NotCertified)
    assert isinstance(certify(certify_k_induction, cfa, 1, lemmas={head: t.and_(even, t.eq(c, t.bv(5, 4)))}), Certified)
    for wrong in (t.ne(x, t.bv(7, 4)), t.eq(x, t.bv(0, 4)), t.false):
        assert isinstance(certify(certify_k_induction, cfa, 1, lemmas={head: wrong}), NotCertified)


def test_an_invariant_holds_whatever_other_loops_do() -> None:
    """x := 0; forever: x := x + 2; while (any) z := any; error if x = 9. Nothing is known inside the second loop."""
    sketch = Sketch(4, x=bits(4), z=bits(4))
    t = sketch.terms
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.assign(1, 2, sketch.x, sketch.plus(sketch.x, 2))
    sketch.step(2, 2, Havoc(sketch.z))
    sketch.branch(2, sketch.is_(sketch.x, 9), 3, 1)
    cfa = sketch.cfa()
    even = {cfa.locations[1]: t.eq(t.extract(sketch.x, 0, 0), t.bv(0, 1))}
    only = cfa.locations[1:2]
    assert isinstance(certify(certify_k_induction, cfa, 1, loops=only), NotCertified)
    assert isinstance(certify(certify_k_induction, cfa, 1, loops=only, lemmas=even), NotCertified)
    assert isinstance(certify(certify_k_induction, cfa, 1, loops=only, invariants=even), Certified)
    for wrong in (sketch.is_(sketch.x, 0), t.not_(sketch.is_(sketch.x, 7))):
        guess = {cfa.locations[1]: wrong}
        assert isinstance(certify(certify_k_induction, cfa, 1, loops=only, invariants=guess), NotCertified)


def overflowing(width: int) -> Cfa:
    """x := 0; forever: x := x + 1 (signed); error if x < 0."""
    b = Builder(4, 3)
    t = b.terms
    x = b.variable("x", width)
    b.edge(0, 1, Assign(x, t.bv(0, width)))
    value, check = b.add(x, 1)
    b.edge(1, 2, Assign(x, value), check)
    b.branch(2, 3, 1, t.bit("bvslt", x, t.bv(0, width)))
    return b.build()


@pytest.mark.parametrize("by, kind", [(certify_unwinding, "unwinding"), (certify_k_induction, "k-induction")])
def test_lines_that_must_not_overflow_are_named(by: Certify, kind: str) -> None:
    cfa = overflowing(3)
    answer = certify(by, cfa, 8)
    assert isinstance(answer, Certified) and answer.kind == kind
    assert [check.position for check in answer.assumes] == [Position("t.c", 2)]
    refused = certify(by, cfa, 8, Reading.WRAP)
    assert isinstance(refused, NotCertified) and refused.refuted


def test_overflow_that_does_no_harm_is_not_named() -> None:
    b = Builder(4, 3)
    t = b.terms
    x, y = b.variable("x", 3), b.variable("y", 3)
    b.edge(0, 1, Assign(y, t.bv(0, 3)))
    value, check = b.add(x, 1)
    b.edge(1, 2, Assign(x, value), check)
    b.branch(2, 3, 1, t.ne(y, t.bv(0, 3)))
    cfa = b.build()
    lemma = {head: t.eq(y, t.bv(0, 3)) for head in cfa.loop_heads}
    answer = certify(certify_k_induction, cfa, 1)
    assert isinstance(answer, Certified) and not answer.assumes
    assert isinstance(certify(certify_k_induction, cfa, 0), NotCertified)
    answer = certify(certify_k_induction, cfa, 0, lemmas=lemma)
    assert isinstance(answer, Certified) and not answer.assumes


@pytest.mark.parametrize("name", ["branch", "defined", "at", "way 0", "start!", "x@1"])
def test_names_of_the_model_are_no_names_of_the_certificate(name: str) -> None:
    """A variable called like what the certificate makes up, and as free as that: an edge sets it to anything, another
    one to true, and the error is where it is false."""
    sketch = Sketch(4, **{name: BOOL, f"{name}@0": BOOL})
    flag = sketch.variables[name]
    sketch.step(0, 1, Havoc(flag))
    sketch.assign(0, 1, flag, sketch.terms.true)
    sketch.assume(1, 2, sketch.terms.true)
    sketch.assume(2, 3, sketch.terms.not_(flag))
    refused = certify(certify_unwinding, sketch.cfa(), 0)
    assert isinstance(refused, NotCertified) and refused.refuted


def test_what_is_not_finished_in_time_is_not_certified() -> None:
    refused = certify(certify_unwinding, counted(300), 301, budget=Budget.of(0.0))
    assert isinstance(refused, NotCertified) and not refused.refuted and refused.reason == "time limit"


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_second_opinion_is_named(moment: float) -> None:
    answer = certify(certify_unwinding, counted(3), 4, second=True, moment=moment)
    assert isinstance(answer, Certified) and answer.by == ("bitwuzla", "cvc5") and answer.solved > 0


def test_a_second_opinion_is_not_asked_about_what_is_large() -> None:
    answer = certify(certify_unwinding, counted(300), 301, second=True)
    assert isinstance(answer, Certified) and answer.by == ("bitwuzla",)


def test_an_initial_error_is_refused() -> None:
    sketch = Sketch(1, x=bits(1))
    for by in (certify_unwinding, certify_k_induction):
        assert isinstance(certify(by, sketch.cfa(0, 0), 3), NotCertified)


def test_formulas_are_linear_in_the_number_of_levels() -> None:
    sizes = []
    for depth in (50, 100, 200):
        cfa = counted(depth)
        levels = Levels(Pieces(Meanings(cfa, defined=True), cfa.loop_heads, set(cfa.locations), {}), "test")
        before = len(cfa.terms)
        while levels.front:
            levels.advance(lambda: None)
        assert levels.level == depth + 2
        sizes.append(len(cfa.terms) - before)
    assert sizes[2] - sizes[1] <= 2.2 * (sizes[1] - sizes[0])


def test_hundreds_of_levels_are_feasible() -> None:
    answer = certify(certify_unwinding, counted(300), 301)
    assert isinstance(answer, Certified) and answer.depth == 301
