"""What comes out of shortening was replayed like what went in, is no longer, and has no larger values where one may
choose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.backends.contract import Answer, Deaf, Execution, Plan
from argosy.backends.shortening import with_short_counterexamples
from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import Position
from argosy.certify import shortening
from argosy.certify.replay import Replayed, certify_unsafe, replay_choices
from argosy.certify.shortening import Shortened, into_zero, shortened
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.models.cfa import Assume, Cfa, Edge, Havoc, Reading, Refusal
from argosy.session.run import decide
from argosy.session.task import Task
from tests.certify.automata import Builder
from tests.certify.test_replay import paths, solvers

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  int k = 0, go = __VERIFIER_nondet_int();
  while (go) { k = k + 1; go = __VERIFIER_nondet_int(); }
  if (a > 0 && b == a * 3 && c < 134479872 && k != 1) { reach_error(); }
  return 0;
}
"""


def walk(cfa: Cfa, *texts: str) -> list[Edge]:
    """The path that takes the edges of these texts where there is a choice, each text once."""
    left, path, at = list(texts), [], cfa.initial
    while at is not cfa.error:
        leaving = cfa.leaving[at]
        edge = leaving[0] if len(leaving) == 1 else next(e for e in leaving if e.text == left[0])
        if len(leaving) > 1:
            left.pop(0)
        path.append(edge)
        at = edge.target
    return path


def program(rounds: int, needed: str = "k != 1") -> tuple[Cfa, list[Edge]]:
    cfa = load("p.c", terms=Terms(), text=PROGRAM.replace("k != 1", needed)).cfa
    end = next(e.text for e in cfa.edges if e.text.startswith("[a > 0"))
    return cfa, walk(cfa, *["[go]"] * rounds, "[!(go)]", end)


def replays(cfa: Cfa, found: Replayed, reading: Reading) -> bool:
    start, chosen = shortening._given(cfa, found)
    path = [step.edge for step in found.steps]
    again = replay_choices(cfa, path, reading, start, chosen)
    return isinstance(again, Replayed) and again.steps == found.steps


def values(found: Replayed) -> dict[str, object]:
    return {choice.variable.rpartition("::")[2]: choice.value for choice in found.choices}


def certified(cfa: Cfa, path: Sequence[Edge]) -> Replayed:
    found = certify_unsafe(cfa, path, solvers(cfa), Reading.UNDEFINED)
    assert isinstance(found, Replayed)
    return found


def test_rounds_are_left_out_and_values_become_small() -> None:
    cfa, path = program(9)
    found = shortened(cfa, certified(cfa, path), Reading.UNDEFINED, UNLIMITED)
    assert replays(cfa, found.replayed, Reading.UNDEFINED)
    visits = sum(step.edge.source in cfa.loop_heads for step in found.replayed.steps)
    assert visits == 1 and len(found.replayed.steps) < found.steps == len(path)
    assert {name: values(found.replayed)[name] for name in "abc"} == {"a": 1, "b": 3, "c": 0}
    assert 0 < found.checks <= shortening.CHECKS + shortening.PATHS


def test_a_round_that_is_needed_stays() -> None:
    cfa, path = program(7, "k >= 2")
    found = shortened(cfa, certified(cfa, path), Reading.UNDEFINED, UNLIMITED).replayed
    assert sum(step.edge.source in cfa.loop_heads for step in found.steps) == 3


def test_it_is_the_same_each_time() -> None:
    def run() -> Shortened:
        cfa, path = program(4)
        return shortened(cfa, certified(cfa, path), Reading.UNDEFINED, UNLIMITED)

    first, second = run(), run()
    assert values(first.replayed) == values(second.replayed) and first.checks == second.checks


def test_without_time_the_counterexample_is_what_it_was() -> None:
    cfa, path = program(4)
    replayed = certified(cfa, path)
    assert shortened(cfa, replayed, Reading.UNDEFINED, Budget.of(0.0)).replayed.steps == replayed.steps


def test_a_large_path_is_shortened_by_replaying(monkeypatch: pytest.MonkeyPatch) -> None:
    cfa, path = program(2)
    monkeypatch.setattr(shortening, "LARGEST", 0)
    found = shortened(cfa, certified(cfa, path), Reading.UNDEFINED, UNLIMITED)
    assert found.checks == 0 and replays(cfa, found.replayed, Reading.UNDEFINED)
    assert values(found.replayed)["c"] == 0


def test_no_shorter_one_depends_on_what_is_not_modelled() -> None:
    """Zero would do as well, if only the unmodelled value were what it happens to be in the replay."""
    builder = Builder(3, 2)
    t = builder.terms
    x, o = builder.variable("x"), builder.variable("o")
    builder.opaque[o] = Refusal(Position("t.c", 7), "a dereference")
    condition = t.or_(t.eq(x, t.bv(5, 32)), t.and_(t.eq(x, t.bv(0, 32)), t.eq(o, t.bv(0, 32))))
    path = [builder.edge(0, 1, Havoc(x)), builder.edge(1, 2, Assume(condition))]
    cfa = builder.build()
    replayed = replay_choices(cfa, path, Reading.UNDEFINED, {}, {(0, x): 5})
    assert isinstance(replayed, Replayed)
    found = shortened(cfa, replayed, Reading.UNDEFINED, UNLIMITED).replayed
    assert values(found) == {"x": 5} and not found.unmodelled


@settings(max_examples=60, deadline=None)
@given(paths(), st.sampled_from(Reading))
def test_what_comes_out_was_replayed(drawn: tuple[Cfa, list[Edge]], reading: Reading) -> None:
    cfa, path = drawn
    replayed = certify_unsafe(cfa, path, solvers(cfa), reading)
    if isinstance(replayed, Replayed) and not replayed.unmodelled:
        found = shortened(cfa, replayed, reading, UNLIMITED).replayed
        assert replays(cfa, found, reading) and not found.unmodelled
        assert len(found.steps) <= len(path) and [s.edge for s in found.steps][-1:] == path[-1:]


@given(st.lists(st.integers(1, 9), max_size=12), st.sets(st.integers(0, 11)))
def test_zeros_wherever_they_are_allowed(numbers: list[int], needed: set[int]) -> None:
    values = dict(enumerate(numbers))

    def holds(changed: object) -> bool:
        return isinstance(changed, dict) and needed.isdisjoint(changed)

    into_zero(list(values), values, lambda key: 0, holds)
    assert [key for key, value in values.items() if value] == [key for key in values if key in needed]


TWO = """extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assert(a != 134479872 || b < 5);
  __VERIFIER_assert(b < 1000);
  return 0;
}
"""


class Keeping(Deaf):
    def __init__(self) -> None:
        self.kept: list[Sequence[Answer]] = []

    def keep(self, answers: Sequence[Answer]) -> None:
        self.kept.append(answers)


def test_answers_are_handed_over_before_they_are_shortened(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO.replace("__VERIFIER_assert", "assert"))
    found = decide(Task.of(str(path), each=True, shorten=False, time_limit=60)).answers
    assert [answer.verdict for answer in found] == ["unsafe", "unsafe"]
    listener = Keeping()
    short = with_short_counterexamples(found, Plan(listener=listener))
    assert listener.kept == [found] and [a.subject for a in short] == [a.subject for a in found]
    assert [(a.verdict, a.certificate) for a in short] == [("unsafe", "replay")] * 2
    given = [values(answer.evidence.replayed) for answer in short if isinstance(answer.evidence, Execution)]
    assert [(each["a"], each["b"]) for each in given] == [(134479872, 5), (0, 1000)]
    assert all(answer.details["shortened"]["steps"] >= 2 for answer in short)


def test_whoever_forbids_it_sees_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO.replace("__VERIFIER_assert", "assert"))
    assert "shortened" not in decide(Task.of(str(path), shorten=False, time_limit=60)).result.answers[0]
    assert "shortened" in decide(Task.of(str(path), time_limit=60)).result.answers[0]


COUNTER = """1 sort bitvec 4
2 sort bitvec 1
3 input 2 go
4 input 1 noise
5 zero 1
6 state 1 level
7 init 1 6 5
8 uext 1 3 3
9 add 1 6 8
10 ones 1
11 eq 2 4 10
12 ite 1 11 5 9
13 next 1 6 12
14 constd 1 3
15 eq 2 6 14
16 bad 15 full
"""


def test_inputs_of_a_system_that_change_nothing_are_zero(tmp_path: Path) -> None:
    path = tmp_path / "counter.btor2"
    path.write_text(COUNTER)
    [answer] = decide(Task.of(str(path), shorten=False, time_limit=60)).answers
    assert isinstance(answer.evidence, Execution)
    cfa, replayed = answer.evidence.cfa, answer.evidence.replayed
    start, chosen = shortening._given(cfa, replayed)
    loud = {at: 9 if at[1].name == "noise" else value for at, value in chosen.items()}
    noisy = replay_choices(cfa, [step.edge for step in replayed.steps], Reading.UNDEFINED, start, loud)
    assert isinstance(noisy, Replayed) and 9 in {c.value for c in noisy.choices}
    short = shortened(cfa, noisy, Reading.UNDEFINED, UNLIMITED).replayed
    assert {c.value for c in short.choices if c.variable == "noise"} == {0}
    assert sum(c.value == 1 for c in short.choices if c.variable == "go") == 3


def test_a_large_number_that_nothing_explains_is_rounded() -> None:
    text = PROGRAM.replace("a > 0 && b == a * 3 && c < 134479872 && k != 1", "a * 7 > 500000 && b < -300")
    cfa = load("p.c", terms=Terms(), text=text).cfa
    path = walk(cfa, "[!(go)]", next(e.text for e in cfa.edges if e.text.startswith("[a * 7")))
    found = shortened(cfa, certified(cfa, path), Reading.UNDEFINED, UNLIMITED).replayed
    assert replays(cfa, found, Reading.UNDEFINED)
    # The least are 71429, which is no better to read than a number with one digit, and -301, which the text explains.
    assert values(found)["a"] in {80_000, 90_000, 100_000} and values(found)["b"] == -301
