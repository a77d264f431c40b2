"""Bounded model checking and k-induction on small automata, against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import OutOfBudget
from argosy.engine import engine
from argosy.engine.outcome import Outcome, Safe, Unknown, Unsafe
from argosy.engine.protocols import Silent
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Havoc, Location, Reading
from argosy.models.rounds import Part, Rounds
from argosy.options.programs import BoundedOptions, InductionOptions
from argosy.refiners.bound import LATER, Induction
from argosy.session.run import decide
from argosy.session.task import Task
from argosy.strategies.bounded import bounded
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch, Steps, automata, everything, reachable


class Impatient(Silent):
    """No loop of these automata needs more expansions: what is still open then is open for good."""

    def __init__(self) -> None:
        self.left = 400

    def expanded(self, node: Node, reached: Reached) -> None:
        reached.validate()
        self.left -= 1
        if not self.left:
            raise OutOfBudget("expansions")


def outcome(
    cfa: Cfa, reading: Reading, induction: str, counters: Counters | None = None, acceleration: str = "off"
) -> Outcome:
    observer = Impatient()
    solvers = Solvers(cfa.terms, counters or Counters())
    options = BoundedOptions(induction=induction == "on", acceleration=acceleration == "on")
    setting = Setting(cfa, solvers, reading, "bits", options, {}, observer)
    return engine.check(bounded(setting), observer)


def taken(part: Part) -> Iterator[Edge]:
    """The edges of the model as read, round by round."""
    for step in part.as_read:
        yield from step.edges * step.times if isinstance(step, Rounds) else (step,)


def feasible(cfa: Cfa, trace: tuple[Part, ...], reading: Reading) -> bool:
    variables = [v.term for v in cfa.variables]
    steps = Steps(cfa, variables, reading)
    location, states = cfa.initial, set(everything(variables))
    for edge in (edge for part in trace for edge in taken(part)):
        assert edge.source is location
        location, states = edge.target, {after for state in states for after in steps.after(edge, state)}
    return location is cfa.error and bool(states)


@pytest.mark.parametrize(("induction", "acceleration"), [("off", "off"), ("on", "off"), ("off", "on")])
@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=60, deadline=None)
def test_verdicts_are_those_of_brute_force(induction: str, acceleration: str, cfa: Cfa, reading: Reading) -> None:
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match outcome(cfa, reading, induction, acceleration=acceleration):
        case Safe():
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown():
            assert not truth  # a counterexample is found; a proof may need a loop that is never left


@given(cfa=automata(acyclic=True), reading=st.sampled_from(Reading))
@settings(max_examples=40, deadline=None)
def test_without_loops_the_unwinding_is_complete(cfa: Cfa, reading: Reading) -> None:
    assert not isinstance(outcome(cfa, reading, "off"), Unknown)


def counter(step: int, error_at: int) -> Cfa:
    """x := 0; forever: x := x + step (mod 8); error if x = error_at."""
    sketch = Sketch(4, x=bits(3))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.assign(1, 2, sketch.x, sketch.plus(sketch.x, step))
    sketch.branch(2, sketch.is_(sketch.x, error_at), 3, 1)
    return sketch.cfa()


def test_the_bound_grows_to_the_counterexample() -> None:
    found = outcome(counter(1, 6), Reading.WRAP, "off")
    assert isinstance(found, Unsafe) and len([e for step in found.trace for e in step.as_read]) == 13


def test_k_induction_proves_what_unwinding_cannot() -> None:
    cfa = counter(2, 5)
    assert isinstance(outcome(cfa, Reading.WRAP, "off"), Unknown)
    assert isinstance(outcome(cfa, Reading.WRAP, "on"), Safe)


def test_an_invariant_shortens_the_induction() -> None:
    cfa = counter(2, 5)
    t = cfa.terms
    (x,) = (v.term for v in cfa.variables)
    (head,) = cfa.loop_heads
    even, loose = t.eq(t.extract(x, 0, 0), t.bv(0, 1)), t.not_(t.eq(x, t.bv(0, 3)))

    def depths(*most: int, found: Mapping[Location, Term] | None) -> list[int | None]:
        discover = None if found is None else iter([found]).__next__  # it is asked only once
        induction = Induction(cfa, Solvers(t, Counters()), Reading.WRAP, "bits", Silent(), discover)
        induction.hurry()
        return [induction.depth(k) for k in most]

    # Going back from 5 there are 3, 1 and 7, and then 5 again.
    assert depths(0, 1, 2, 3, 4, 5, found=None) == [None, None, None, None, 4, 5]
    assert depths(0, 1, found={head: even}) == [0, 1]
    assert depths(1, found={head: even}) == [0]
    assert depths(1, 2, 3, 4, found={head: loose}) == [None, None, None, 4]


def test_invariants_are_looked_for_when_something_is_known_of_executions() -> None:
    cfa = counter(2, 5)
    (head,) = cfa.loop_heads
    (x,) = (v.term for v in cfa.variables)
    asked: list[int] = []

    def discover() -> Mapping[Location, Term]:
        asked.append(len(asked))
        return {head: cfa.terms.eq(cfa.terms.extract(x, 0, 0), cfa.terms.bv(0, 1))}

    def new() -> Induction:
        return Induction(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "bits", Silent(), discover)

    few = new()
    assert [few.depth(k) for k in (0, 1, 2, 3)] == [None] * 4 and few.waits and not asked
    found = new()
    found.discover()
    assert asked == [0] and not found.waits and found.depth(1) == 1
    # From here on no step fails: 4 loop heads before 5 there is nothing.
    assert few.depth(4) == 4 and few.waits
    sketch = Sketch(4, x=bits(3))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.step(1, 2, Havoc(sketch.x))
    sketch.branch(2, sketch.is_(sketch.x, 0), 3, 1)
    late = Induction(sketch.cfa(), Solvers(sketch.terms, Counters()), Reading.WRAP, "bits", Silent(), dict)
    assert [(late.depth(k), late.waits) for k in (1, 4, LATER)] == [(None, True), (None, True), (None, False)]


def test_what_is_found_early_needs_no_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Mapping[Location, Term]:
        raise AssertionError("invariants were looked for")

    monkeypatch.setattr("argosy.strategies.bounded.invariants", refused)
    cfa, observer = counter(1, 6), Impatient()
    solvers, options = Solvers(cfa.terms, Counters()), InductionOptions(induction=True)
    setting = Setting(cfa, solvers, Reading.WRAP, "bits", options, {}, observer)
    assert isinstance(engine.check(bounded(setting), observer), Unsafe)


def unwound(rounds: int, chosen: bool) -> Cfa:
    """x := 0; while (x < rounds) x := x + 1, or, where it is chosen, x := x + y with any y; error if x = 0."""
    sketch = Sketch(6, x=bits(8), y=bits(8))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.branch(1, sketch.below(sketch.x, rounds), 2, 4)
    sketch.step(2, 3, Havoc(sketch.y))
    step = sketch.terms.bit("bvor", sketch.y, sketch.number(1, sketch.y)) if chosen else sketch.number(1, sketch.x)
    sketch.assign(3, 1, sketch.x, sketch.terms.bit("bvadd", sketch.x, step))
    sketch.assume(4, 5, sketch.is_(sketch.x, 0))
    return sketch.cfa()


def test_a_deterministic_loop_needs_no_solver() -> None:
    counters = Counters()
    found = outcome(unwound(70, chosen=False), Reading.WRAP, "off", counters)
    assert isinstance(found, Safe) and not found.precision.proven
    assert not counters.checks


def test_a_solver_is_asked_a_logarithmic_number_of_times() -> None:
    counters = Counters()
    assert isinstance(outcome(unwound(40, chosen=True), Reading.WRAP, "off", counters), Unknown)
    assert 0 < counters.checks <= 30


PROGRAMS = {
    # What the program says, and how bmc and kinduction certify that it is safe (None: not at all, in this time).
    "a loop that ends": (
        "int i = 0, s = 0; while (i < 30) { i++; s += 2; } if (s != 60) reach_error();",
        "unwinding",
        "k-induction",
    ),
    "loops that do not matter": (
        """int i, j, s = 0, junk = 0;
        for (i = 0; i < 30; i++) { for (j = 0; j < __VERIFIER_nondet_int(); j++) junk += j; s += 2; }
        while (__VERIFIER_nondet_int()) junk++;
        if (s != 60) reach_error();""",
        "unwinding",
        "k-induction",
    ),
    "a loop that does not matter at the beginning of another": (
        """int s = 0, on = 0, i = 0;
        while (1) { while (__VERIFIER_nondet_int()) { if (on) s = 5; } if (i >= 4) break; i++; if (on) s = 1; }
        if (s) reach_error(); if (i != 4) reach_error();""",
        "unwinding",
        "k-induction",
    ),
    "as long as the input says": (
        """unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
        while (x < n) { x++; y++; if (x != y) reach_error(); }""",
        None,
        "k-induction",
    ),
    "a relation has to be found": (
        """int n = __VERIFIER_nondet_int(), x = n, y = 0; if (n < 0) return 0;
        while (x > 0) { x--; y++; } if (y != n) reach_error();""",
        None,
        "k-induction",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("strategy", ["bmc", "kinduction"])
def test_proofs_are_certified_by_their_own_kind(name: str, strategy: str, tmp_path: Path) -> None:
    text, *kinds = PROGRAMS[name]
    kind = kinds[strategy == "kinduction"]
    path = tmp_path / "program.c"
    path.write_text(
        "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n"
        f"extern void reach_error(void);\nint main(void) {{ {text} return 0; }}\n"
    )
    result = decide(Task(str(path), strategy=strategy, time_limit=1 if kind is None else 60)).result
    if kind is None:
        assert result.verdict == "unknown"
    else:
        assert (result.verdict, result.certified, result.certificate) == ("safe", True, kind)
        assert not result.assumes and not result.invariant
