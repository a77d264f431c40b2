"""Facts of C hold for compilers and for the front end; mistakes of the front end make them false."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.fuzz.compiled import CLANG, GCC, SANITIZERS, available, executions
from tests.fuzz.execution import compare

from .front_end import Change, changes, judged, verdict
from .rules import Rule, rules

DRAWN = 16
KILLED_AT_LEAST = 5


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.name)
def test_the_model_keeps_the_rule(rule: Rule) -> None:
    found = compare(rule.text, rule.expected, rule.data_model)
    assert not found.kind, f"{found}\n{rule.text}"


@pytest.mark.parametrize("compiler", [GCC, CLANG], ids=["gcc", "clang"])
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_the_facts_are_true(data_model: str, compiler: tuple[str, ...]) -> None:
    if not available(data_model, compiler):
        pytest.skip(f"no {compiler[0]} for {data_model}")
    own = [rule for rule in rules().values() if rule.data_model == data_model and not rule.ending]
    complaints: list[str] = []
    shown = executions([rule.program for rule in own], data_model, compiler, complaints)
    wrong = [rule.name for rule, each in zip(own, shown, strict=True) if each != rule.expected]
    assert not wrong, complaints


@pytest.mark.skipif(not available("LP64", SANITIZERS), reason="needs the sanitizers of gcc")
def test_what_is_undefined_stops_a_sanitizer() -> None:
    own = [rule for rule in rules().values() if rule.ending]
    ended = executions([rule.program for rule in own], "LP64", SANITIZERS)
    assert not [rule.name for rule, each in zip(own, ended, strict=True) if each is not None]


def test_mistakes_about_types_and_bits_make_facts_false() -> None:
    """``python -m tests.mutants.front_end --count 0 --least 100`` for all mistakes."""
    sharp = [change for change in changes() if change.sharp]
    drawn = Random("mutants").sample(sharp, DRAWN)
    kinds = Counter(judged(change).partition(":")[0] for change in drawn)
    assert kinds["killed"] >= KILLED_AT_LEAST, kinds


def test_nothing_is_killed_without_a_mistake() -> None:
    assert verdict(rules()) == "survives"


def test_a_mistake_that_cannot_be_made_is_no_mistake() -> None:
    change = changes()[0]
    assert "outdated" in judged(Change(change.module, change.path, change.nth, "no.such(text)", change.new))
