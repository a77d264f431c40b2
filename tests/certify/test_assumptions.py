"""What a proof does not exclude is listed, whatever the kind of the check; what cannot happen is not."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argosy
from argosy.basics.budget import Budget
from argosy.basics.position import Position
from argosy.certify import unwinding
from argosy.certify.assumptions import WORDS, by_kind, name_of, possible_violations, wording
from argosy.certify.interpreter import Blocked, Interpreter, successors
from argosy.certify.invariant import Certified, certify_safe, locations_that_matter
from argosy.certify.unwinding import certify_k_induction, certify_unwinding
from argosy.certify.within import nothing_is_violated
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Cfa, Check, Havoc, Reading, Undefined
from tests.certify.automata import Builder, all_states, automata, every_value
from tests.certify.test_invariant import exact_claims

Places = set[tuple[Undefined, Position]]


def places(checks: Collection[Check]) -> Places:
    return {(check.kind, check.position) for check in checks if check.kind is not Undefined.SIGNED_OVERFLOW}


def violated(cfa: Cfa, reading: Reading) -> Places:
    """The checks that end an execution which could have gone on towards the error, by trying all of them out."""
    inside = locations_that_matter(cfa)
    interpreter = Interpreter(cfa, reading)
    found: list[Check] = []
    for state in all_states(cfa, reading):
        for edge in cfa.leaving[state.location]:
            if edge.source in inside and edge.target in inside and state.location is not cfa.error:
                for after in successors(interpreter, edge, state, every_value):
                    if isinstance(after, Blocked) and after.check is not None:
                        found.append(after.check)
    return places(found)


@settings(max_examples=80, deadline=None)
@given(automata(), st.sampled_from(Reading), st.data())
def test_every_check_that_is_violated_is_listed(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    solvers = Solvers(cfa.terms, Counters())
    bound = data.draw(st.integers(0, 3))
    heads = sorted(cfa.loop_heads, key=lambda location: location.index)
    some = data.draw(st.lists(st.sampled_from(heads), unique=True)) if heads else []
    match data.draw(st.sampled_from(("invariant", "unwinding", "k-induction"))):
        case "invariant":
            answer = certify_safe(cfa, exact_claims(cfa, reading, some), solvers, reading)
        case "unwinding":
            answer = certify_unwinding(cfa, bound, solvers, reading, loops=some, at_most=bound)
        case _:
            answer = certify_k_induction(cfa, bound, solvers, reading, loops=some, at_most=bound)
    if isinstance(answer, Certified):
        assert violated(cfa, reading) <= places(answer.assumes)


@settings(max_examples=60, deadline=None)
@given(automata())
def test_where_the_states_are_known_exactly_nothing_else_is_listed(cfa: Cfa) -> None:
    claims = exact_claims(cfa, Reading.WRAP, cfa.locations)
    answer = certify_safe(cfa, claims, Solvers(cfa.terms, Counters()), Reading.WRAP)
    if isinstance(answer, Certified):
        assert places(answer.assumes) == violated(cfa, Reading.WRAP)


def divisions(back: bool) -> tuple[Cfa, Term]:
    """x := 0; while (any) { n := 1 / y, in the loop or on the way back; n := n and 3 }; error if x = 1."""
    b = Builder(7, 6)
    t = b.terms
    x, y, n = b.variable("x", 3), b.variable("y", 3), b.variable("n", 3)
    check = Check(t.ne(y, t.bv(0, 3)), Undefined.DIVISION, Position("t.c", 50))
    divide = Assign(n, t.bit("bvudiv", t.bv(1, 3), y))
    other = Assign(n, t.bit("bvand", n, t.bv(3, 3)))
    b.edge(0, 1, Assign(x, t.bv(0, 3)))
    b.edge(1, 2, Havoc(y))
    b.edge(2, 3, Havoc(n))
    b.edge(3, 4, other if back else divide, *(() if back else (check,)))
    b.edge(4, 2, divide if back else other, *((check,) if back else ()))
    b.edge(2, 5, Assume(t.eq(n, t.bv(0, 3))))
    b.edge(5, 6, Assume(t.eq(x, t.bv(1, 3))))
    return b.build(), x


@pytest.mark.parametrize("back", [False, True])
def test_checks_in_loops_without_a_claim_are_listed(back: bool) -> None:
    cfa, x = divisions(back)
    t = cfa.terms
    head = cfa.locations[2]
    for claims in ({}, {head: [t.eq(x, t.bv(0, 3))]}):
        answer = certify_safe(cfa, claims, Solvers(t, Counters()), Reading.WRAP)
        assert isinstance(answer, Certified)
        assert places(answer.assumes) == {(Undefined.DIVISION, Position("t.c", 50))}


@pytest.mark.parametrize("k", [0, 1, 2])
def test_checks_that_are_violated_after_more_than_k_rounds_are_listed(k: int) -> None:
    """x := 0; i := 0; while (any) { n := 1 / (i - 5); i := i + 1 }; error if x = 5."""
    b = Builder(6, 5)
    t = b.terms
    x, i, n = b.variable("x", 3), b.variable("i", 3), b.variable("n", 3)
    rest = t.bit("bvsub", i, t.bv(5, 3))
    check = Check(t.ne(rest, t.bv(0, 3)), Undefined.DIVISION, Position("t.c", 50))
    b.edge(0, 1, Assign(x, t.bv(0, 3)))
    b.edge(1, 2, Assign(i, t.bv(0, 3)))
    b.edge(2, 3, Assign(n, t.bit("bvudiv", t.bv(1, 3), rest)), check)
    b.edge(3, 2, Assign(i, t.bit("bvadd", i, t.bv(1, 3))))
    b.edge(2, 5, Assume(t.eq(x, t.bv(5, 3))))
    cfa = b.build()
    lemmas = {cfa.locations[2]: t.bit("bvult", x, t.bv(4, 3))}
    answer = certify_k_induction(cfa, k, Solvers(t, Counters()), Reading.WRAP, lemmas=lemmas, at_most=k)
    assert isinstance(answer, Certified)
    assert places(answer.assumes) == {(Undefined.DIVISION, Position("t.c", 50))}


def test_only_the_first_check_that_can_be_violated_is_listed() -> None:
    b = Builder(3, 2)
    t = b.terms
    x, y = b.variable("x", 3), b.variable("y", 3)
    zero = [Check(t.ne(x, t.bv(0, 3)), Undefined.DIVISION, Position("t.c", line)) for line in (50, 51)]
    b.edge(0, 1, Assign(y, t.bit("bvudiv", t.bv(1, 3), x)), *zero)
    b.edge(1, 2, Assume(t.bit("bvult", t.bv(1, 3), y)))
    cfa = b.build()
    answer = certify_safe(cfa, {}, Solvers(t, Counters()), Reading.WRAP)
    assert isinstance(answer, Certified)
    assert places(answer.assumes) == {(Undefined.DIVISION, Position("t.c", 50))}


@pytest.mark.parametrize("patience", [None, 0.0])
def test_all_of_many_checks_are_listed(monkeypatch: pytest.MonkeyPatch, patience: float | None) -> None:
    """Six times n := 1 / y for any y, and then n := 1 / (y or 1), which is no violation. Each is found by a model of
    its own, or, where the solver has no time, one by one."""
    if patience is not None:
        monkeypatch.setattr("argosy.certify.assumptions._ONE", patience)
    b = Builder(17, 16)
    t = b.terms
    x, y, n = b.variable("x", 3), b.variable("y", 3), b.variable("n", 3)
    odd = t.bit("bvor", y, t.bv(1, 3))
    b.edge(0, 1, Assign(x, t.bv(0, 3)))
    for number, divisor in enumerate([y] * 6 + [odd]):
        at = 1 + 2 * number
        check = Check(t.ne(divisor, t.bv(0, 3)), Undefined.DIVISION, Position("t.c", 50 + number))
        b.edge(at, at + 1, Havoc(y))
        b.edge(at + 1, at + 2, Assign(n, t.bit("bvudiv", t.bv(1, 3), divisor)), check)
    b.edge(15, 16, Assume(t.eq(x, t.bv(1, 3))))
    answer = certify_safe(b.build(), {}, Solvers(t, Counters()), Reading.WRAP)
    assert isinstance(answer, Certified)
    listed = {(Undefined.DIVISION, Position("t.c", 50 + number)) for number in range(6)}
    if patience is None:
        assert places(answer.assumes) == listed
    else:
        assert listed <= places(answer.assumes)


def test_out_of_time_everything_is_possible() -> None:
    cfa, x = divisions(False)
    t = cfa.terms
    answer = certify_safe(cfa, {cfa.locations[2]: [t.eq(x, t.bv(0, 3))]}, Solvers(t, Counters()), Reading.WRAP)
    assert isinstance(answer, Certified) and answer.proof is not None
    assert places(possible_violations(answer.proof, budget=Budget.of(0.0))) == places(answer.assumes)


def test_the_questions_are_counted_apart() -> None:
    cfa, x = divisions(False)
    t = cfa.terms
    counters = Counters()
    answer = certify_safe(cfa, {cfa.locations[2]: [t.eq(x, t.bv(0, 3))]}, Solvers(t, counters), Reading.WRAP)
    assert isinstance(answer, Certified) and answer.assumes and counters.checks == answer.solved


def test_every_kind_has_words() -> None:
    for kind in Undefined:
        assert wording(kind).words.startswith("no ") and name_of(kind).startswith("no-") and name_of(kind).islower()
    assert name_of(Undefined.SIGNED_OVERFLOW) == "no-signed-overflow"
    assert wording(Undefined.SIGNED_OVERFLOW).property == "no-overflow" and "SIGNED_OVERFLOW" in WORDS
    one, other = Position("a.c", 3, 1), Position("a.c", 2, 9)
    t = Builder(1, 0).terms
    checks = [Check(t.true, Undefined.DIVISION, at) for at in (one, other, one)]
    assert by_kind(checks) == {Undefined.DIVISION: (other, one)}


DECLARED = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
Case = tuple[str, tuple[str, ...]]
CASES: dict[str, Case] = {
    "a division": ("int x = __VERIFIER_nondet_int(); int y = 100 / x; if (y > 100) reach_error();", ("no-division",)),
    "a shift": ("int x = __VERIFIER_nondet_int(); int y = 1 << x; if (y == 3) reach_error();", ("no-shift",)),
    "no zero": ("int x = __VERIFIER_nondet_int(); int y = 100 / (x | 1); if (y > 100) reach_error();", ()),
    "excluded": ("int x = __VERIFIER_nondet_int(); if (x < 1) return 0; if (100 / x > 100) reach_error();", ()),
    "in a loop": ("int x = 5; while (__VERIFIER_nondet_int()) if (100 / x > 20) reach_error();", ()),
    "behind the error": ("int x = __VERIFIER_nondet_int(); if (x > 2 && x < 2) reach_error(); return 1 / x;", ()),
}


@pytest.mark.parametrize("strategy", ["lbe", "kinduction"])
@pytest.mark.parametrize("name", CASES)
def test_programs_name_what_they_assume(name: str, strategy: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    program = tmp_path / "p.c"
    program.write_text(f"{DECLARED}int main(void) {{\n{body}\nreturn 0; }}\n")
    result = argosy.verify(program, strategy, in_process=True)
    assert result.verdict == "safe"
    assert tuple(kind for kind in result.assumes if kind != "no-signed-overflow") == expected


UNWOUND: dict[str, Case] = {
    "behind the last round": (
        "int i = 0, x = __VERIFIER_nondet_int(); while (i < 3) i++; int y = 100 / x; if (i != 3 && y) reach_error();",
        ("no-division",),
    ),
    "in the last round": (
        "int i = 0, n = 0, x = __VERIFIER_nondet_int(); while (i < 3) { if (i == 2) n += 1 << x; i++; }"
        "if (i != 3 && n) reach_error();",
        ("no-shift",),
    ),
    "in every round but none": (
        "int a[3], i = 0, x = __VERIFIER_nondet_int(); while (i < 3) { a[i] = 7 / ((x & 3) + 1); i++; }"
        "if (a[0] > 7) reach_error();",
        (),
    ),
    "behind another check": (
        "int i = 0, x = __VERIFIER_nondet_int(); while (i < 3) { int y = 1 / x; if (x) y = 7 / x; i++; }"
        "if (i != 3) reach_error();",
        ("no-division",),
    ),
    "in a product of rounds": (
        "int a[2][2], i, j; for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) a[i][j] = __VERIFIER_nondet_int() & 1;"
        "for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) if (a[i][j] > 1) reach_error();",
        (),
    ),
}


@pytest.mark.parametrize("name", UNWOUND)
def test_programs_that_are_unwound_name_what_they_assume(name: str, tmp_path: Path) -> None:
    body, expected = UNWOUND[name]
    program = tmp_path / "p.c"
    program.write_text(f"{DECLARED}int main(void) {{\n{body}\nreturn 0; }}\n")
    result = argosy.verify(program, "bmc", in_process=True)
    assert result.certificate == "unwinding"
    assert tuple(kind for kind in result.assumes if kind != "no-signed-overflow") == expected


def test_what_level_by_level_is_no_violation_is_none_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is one the other way is gone, which says which."""
    seen: list[bool] = []

    def watched(*arguments: Any) -> bool:
        seen.append(nothing_is_violated(*arguments))
        return seen[-1]

    monkeypatch.setattr(unwinding, "nothing_is_violated", watched)
    for body, expected in UNWOUND.values():
        program = tmp_path / "p.c"
        program.write_text(f"{DECLARED}int main(void) {{\n{body}\nreturn 0; }}\n")
        argosy.verify(program, "bmc", in_process=True)
        assert seen.pop() is (not expected)
