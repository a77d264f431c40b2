"""The rules about turns are data that is read as it stands: in its order, in its places, with its reasons."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from argosy.basics.records import fields, replace
from argosy.models.features import Features
from argosy.session.run import decide
from argosy.session.task import Task
from argosy.strategies import STRATEGIES
from argosy.strategies.turns import RULES, Rule, chosen_turns, words_of

SEQUENCE = (("lbe", 0.5, 0), ("bmc", 1.0, 7))
KINDS = ("program", "clauses", "system")


def rule(where: str, place: int, strategy: str, why: str = "so") -> Rule:
    return Rule(where, place, strategy, 0.1, why)


def names(rules: list[Rule], features: Features | None = None, **asked: str) -> list[str]:
    turns = chosen_turns(SEQUENCE, features or Features(), rules=rules, **asked)  # type: ignore[arg-type]
    return [strategy for (strategy, _, _), _ in turns]


def test_rules_apply_in_their_order_and_in_their_places() -> None:
    some = [rule("loops", 1, "c"), rule("loops", 0, "a"), rule("loops", 0, "b")]
    assert names(some) == ["a", "b", "lbe", "c", "bmc"]
    assert names(some[::-1]) == ["b", "a", "lbe", "c", "bmc"]
    assert names([]) == ["lbe", "bmc"]


def test_a_rule_asks_for_all_its_words() -> None:
    asked = [rule("program, loops, no arrays, bits", 0, "a")]
    assert names(asked)[0] == "a"
    assert names(asked, Features(arrays=True))[0] == "lbe"
    assert names(asked, Features(loops=False))[0] == "lbe"
    assert names(asked, kind="clauses")[0] == "lbe" and names(asked, own="int")[0] == "lbe"


def test_a_turn_is_what_its_rule_says_with_its_reason() -> None:
    turns = chosen_turns(SEQUENCE, Features(), rules=[Rule("loops", 1, "horn", 0.3, "a reason", 40)])
    assert turns == [(SEQUENCE[0], ""), (("horn", 0.3, 40), "a reason"), (SEQUENCE[1], "")]


def test_every_rule_is_about_words_that_exist_and_strategies_that_are_there() -> None:
    words = {each.name for each in fields(Features)} | set(KINDS) | {"bits"}
    for each in RULES:
        asked = {word.strip().removeprefix("no ") for word in each.where.split(",")}
        assert asked <= words, each
        assert each.strategy in STRATEGIES and 0 < each.share < 1 and each.why and each.place < 4


def test_every_rule_applies_to_some_model_and_none_comes_twice() -> None:
    """A rule that never applies is a mistake; so are two that say the same of one model."""
    combinations = [Features(*values) for values in product((False, True), repeat=len(fields(Features)))]
    all_words = [words_of(features, kind, "bits") for features in combinations for kind in KINDS]
    for each in RULES:
        assert any(each.applies(words) for words in all_words), each
    for words in all_words:
        turns = [(each.place, each.strategy, each.share) for each in RULES if each.applies(words)]
        assert len(turns) == len(set(turns))


LOOP = """
void reach_error(void); int nondet(void);
int main(void) { int n = nondet(), i = 0; while (i < n) i++; if (n >= 0 && i != n) reach_error(); }
"""


def test_the_result_says_why_and_follows_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "loop.c"
    program.write_text(LOOP)

    def decided_by(rules: tuple[Rule, ...]) -> tuple[str, str]:
        monkeypatch.setattr("argosy.strategies.turns.RULES", rules)
        found = decide(Task(str(program))).result.strategy
        return found["stage"], found["why"]

    assert decided_by((rule("program, loops", 0, "kinduction", "because of loops"),)) == (
        "kinduction",
        "because of loops",
    )
    assert decided_by((rule("program, no loops", 0, "kinduction"), rule("loops", 0, "horn", "clauses"))) == (
        "horn",
        "clauses",
    )
    stage, why = decided_by(RULES)
    assert any((each.strategy, each.why) == (stage, why) for each in RULES)


def test_mutants_of_the_table_are_seen() -> None:
    """Whatever is changed of a rule, the models that it is about have other turns."""
    sequence = STRATEGIES["auto"].stages
    for at, each in enumerate(RULES):
        asked = [word.strip() for word in each.where.split(",")]
        model = Features(**{name.name: name.name in asked for name in fields(Features)})
        as_it_is = chosen_turns(sequence, model)
        no_longer = replace(each, where=f"{each.where}, no bits")
        for mutant in (replace(each, share=each.share / 2), replace(each, place=each.place + 1), no_longer):
            mutants = (*RULES[:at], mutant, *RULES[at + 1 :])
            assert chosen_turns(sequence, model, rules=mutants) != as_it_is, each
