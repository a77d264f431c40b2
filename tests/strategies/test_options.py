"""Options are declared once: what is parsed, shown, advertised and refused follows from the fields of their classes."""

from __future__ import annotations

import argparse
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import UsageError
from argosy.cli import main as cli
from argosy.cli.verify import add_arguments
from argosy.options.declared import Option, Options, as_text, number, option
from argosy.options.networks import NetworkOptions, NetworkSearch
from argosy.options.programs import BlockOptions, ExplicitOptions, ProductOptions
from argosy.options.values import BlockEnd, Blocks, Domain, Explaining, Refining, Weights
from argosy.strategies import (
    MODEL_KINDS,
    STRATEGIES,
    StrategyError,
    configure,
    flags,
    network_options,
    option_names,
    options_for,
    strategies_for,
)

EXAMPLES = Path(__file__).parents[2] / "examples"

EVERY = [(kind, option) for kind in MODEL_KINDS for option in options_for(kind).values()]

# What stands for many values.
PLACEHOLDERS = {
    "N": ["1", "7"],
    "K": ["1", "10"],
    "FILE": ["some.file"],
    "W_D,W_E": ["-3,2", "0,1"],
    "multi-...": ["multi-seq", "multi-values"],
    "k=N": ["k=3"],
    "lbe+k=N": ["lbe+k=12"],
    "structure+k=N": ["structure+k=1"],
    "or several joined by +": ["invariants+bitwuzla", "newton+spacer+newton-wp"],
}


def examples(option: Option) -> list[str]:
    return [text for value in option.values.split(", ") for text in PLACEHOLDERS.get(value, [value])]


# ---- values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "option"), EVERY, ids=[f"{k} {o.name}" for k, o in EVERY])
def test_every_value_is_parsed_and_shown_again(kind: str, option: Option) -> None:
    texts = examples(option)
    for text in (*texts, option.default):
        assert option.accepts(text)
        assert option.form.show(option.parse(text)) == text
    values = [option.parse(text) for text in texts]
    assert len(values) == len(set(values))
    assert set(option.each) <= set(option.values.split(", "))


@pytest.mark.parametrize(("kind", "option"), EVERY, ids=[f"{k} {o.name}" for k, o in EVERY])
def test_what_is_no_value_is_refused_with_those_that_are(kind: str, option: Option) -> None:
    if "FILE" in option.values:
        assert not option.accepts("") and option.accepts("anything")
        return
    name = next(name for name in strategies_for(kind) if option.name in strategies_for(kind)[name].options.declared())
    for text in ("", "nonsense", "-1", "1,", "1 ", "²"):
        assert not option.accepts(text)
        with pytest.raises(StrategyError) as refused:
            configure(name, {option.name: text}, kind)
        assert str(refused.value).startswith(f"--{option.name} cannot be {text}")
        assert str(refused.value).endswith(f"; it is one of {option.values}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("block", "k=0"),
        ("block", "sbe+k=3"),
        ("refinement", "multi-dag"),
        ("refinement", "multi-multi-seq"),
        ("interpolation", "spacer+invariants"),
        ("interpolation", "spacer++newton"),
        ("search", "1,2,3"),
        ("counterexamples", "0"),
    ],
)
def test_values_with_a_structure_have_their_rules(name: str, text: str) -> None:
    assert not options_for("program")[name].accepts(text)


def test_values_are_typed() -> None:
    options = configure("lbe", {"block": "lbe+k=50", "search": "-1,3", "relations": "off", "refinement": "multi-seq"})
    assert options.options == BlockOptions(
        block=Blocks(BlockEnd.LBE_OR_LENGTH, 50),
        search=Weights(-1, 3),
        relations=False,
        refinement=Refining(Explaining.SEQ, several=True),
    )
    explicit = configure("explicit", {"max-enum": "10"}).options
    assert isinstance(explicit, ExplicitOptions) and explicit.max_enum == 10
    assert network_options({"split-bound": "all", "merge-bound": "7"}).split_bound is None
    with pytest.raises(FrozenInstanceError):
        explicit.max_enum = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="operations"):
        Blocks(BlockEnd.LENGTH)


# ---- strategies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_a_strategy_shows_is_what_it_is_made_of(name: str) -> None:
    """Its options as text give the same options again."""
    named = STRATEGIES[name]
    if named.stages:
        assert named.options.to_strings() == {}
        return
    again = configure(name, named.options.to_strings(), named.kind)
    assert (again.strategy, again.options, again.note) == (named, named.options, None)
    assert named.options.to_strings().keys() == named.options.declared().keys()


def test_every_builder_exists() -> None:
    from importlib import import_module

    for named in STRATEGIES.values():
        if named.kind == "program" and not named.stages:
            module, _, function = named.builder.partition(":")
            assert callable(getattr(import_module(module), function))


def test_options_that_do_not_go_together_cannot_be_made() -> None:
    with pytest.raises(StrategyError, match="names variables"):
        BlockOptions(refinement=Refining(Explaining.UNSAT_CORE))
    with pytest.raises(StrategyError, match="follows values first"):
        replace(ProductOptions(), refinement=Refining(Explaining.DAG))
    with pytest.raises(StrategyError, match="multi-"):
        ExplicitOptions(counterexamples=3)
    with pytest.raises(StrategyError, match="needs --search bfs, not greedy"):
        network_options({"trace": "shortest", "heuristic": "graph"})


@pytest.mark.parametrize(
    ("name", "choices", "kind", "message"),
    [
        ("auto", {"block": "lbe"}, "network", "--block is not for networks (their options are search, trace, "),
        (
            "auto",
            {"heuristic": "graph"},
            "program",
            "--heuristic is not for programs (their options are arrays, domain, ",
        ),
        ("auto", {"hue": "red"}, "program", "no such option: hue"),
        ("lbe", {"serch": "bfs"}, "program", "no such option: serch (did you mean search?)"),
        ("rdf", {}, "program", "--strategy rdf is for networks, not for programs (theirs are auto, lbe, "),
        ("lbe", {}, "network", "--strategy lbe is for programs, not for networks (theirs are auto, zones, "),
        ("zone", {}, "network", "--strategy cannot be zone (did you mean zones?); it is one of auto, zones, "),
        ("bmc", {"refinement": "seq"}, "program", "bmc has no option refinement: it has induction"),
        (
            "explicit",
            {"split": "whole"},
            "program",
            "explicit has no option split: predicates are split, and explicit tracks variables (use a --domain "
            "pred-...)",
        ),
    ],
)
def test_what_is_not_for_such_models_is_refused_in_words(
    name: str, choices: dict[str, str], kind: str, message: str
) -> None:
    with pytest.raises(StrategyError) as refused:
        configure(name, choices, kind)
    assert str(refused.value).startswith(message)


# ---- what a choice changes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "choices", "kind", "strategy", "note"),
    [
        ("auto", {"prune": "full"}, "program", "lbe", "--prune belongs to single strategies: lbe instead of auto"),
        (
            "auto",
            {"domain": "expl", "max-enum": "5"},
            "program",
            "explicit",
            "--domain, --max-enum belong to single strategies: explicit instead of auto",
        ),
        (
            "sbe",
            {"domain": "prod"},
            "program",
            "product",
            "--domain prod belongs to other strategies: product instead of sbe",
        ),
        (
            "auto",
            {"heuristic": "graph"},
            "network",
            "zones",
            "--heuristic is for directed searches: --search greedy instead of auto",
        ),
        (
            "zones",
            {"trace": "fastest"},
            "network",
            "zones",
            "--trace fastest is for breadth-first searches: --search bfs instead of auto",
        ),
        ("auto", {}, "program", "auto", None),
        ("auto", {}, "network", "zones", None),
        ("sbe", {"domain": "pred-cart"}, "program", "sbe", None),
        ("auto", {"trace": "shortest", "search": "bfs"}, "network", "zones", None),
    ],
)
def test_a_choice_that_changes_the_strategy_says_so(
    name: str, choices: dict[str, str], kind: str, strategy: str, note: str | None
) -> None:
    chosen = configure(name, choices, kind)
    assert (chosen.strategy.name, chosen.note) == (strategy, note)


def test_the_change_stands_in_the_ledger() -> None:
    note = "--prune belongs to single strategies: lbe instead of auto"
    changed = argosy.verify(EXAMPLES / "c" / "lock.c", prune="full", in_process=True)
    assert changed.verdict == "safe" and note in changed.ledger
    assert changed.strategy["stage"] == "lbe" and changed.strategy["prune"] == "full"
    asked = argosy.verify(EXAMPLES / "c" / "lock.c", "lbe", prune="full", in_process=True)
    assert note not in asked.ledger
    greedy = argosy.verify(EXAMPLES / "ta" / "fischer.xml", heuristic="graph", in_process=True)
    assert "--heuristic is for directed searches: --search greedy instead of auto" in greedy.ledger
    assert greedy.strategy["search"] == "greedy"


# ---- the command line, Python and the table agree ----------------------------------------------------------------


def test_flags_keywords_and_fields_are_the_same() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    every = {flag.name: flag for flag in flags()}
    declared = {f.name for named in STRATEGIES.values() for f in fields(named.options)}
    assert {name.replace("-", "_") for name in option_names()} == declared
    assert list(every) == ["strategy", *option_names()]
    groups = {
        action.option_strings[0].removeprefix("--"): group.title
        for group in parser._action_groups
        for action in group._group_actions
        if action.option_strings
    }
    for _, one in EVERY:
        flag = every[one.name]
        assert one.advice.replace("%", "%%") in flag.help and one.values in flag.help
        assert one.keyword.isidentifier() and one.keyword.replace("_", "-") == one.name
        assert (groups[one.name] or "").startswith(flag.group)
    assert {every["domain"].group, every["heuristic"].group} == {"strategy", "networks"}
    assert "for networks auto, bfs" in every["search"].help
    assert all(name in every["strategy"].help for name in STRATEGIES)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_is_listed_with_what_it_chooses(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["strategies", name]) == 0
    out = capsys.readouterr().out
    for key, value in STRATEGIES[name].options.to_strings().items():
        assert f"--{key}" in out and value in out


def test_keywords_may_be_numbers_words_and_truth_values() -> None:
    assert [as_text(value) for value in (10, True, False, "1*", Domain.EXPL)] == ["10", "on", "off", "1*", "expl"]
    result = argosy.verify(EXAMPLES / "c" / "lock.c", "explicit", max_enum=10, domain=Domain.EXPL, in_process=True)
    assert result.strategy["max-enum"] == "10"
    result = argosy.verify(EXAMPLES / "c" / "lock.c", "lbe", relations=False, in_process=True)
    assert result.strategy["relations"] == "off"
    with pytest.raises(UsageError, match="no such option: max-enumeration"):
        argosy.verify(EXAMPLES / "c" / "lock.c", "explicit", max_enumeration=10)


def test_a_new_option_is_one_field() -> None:
    """As docs/extending.md has it."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class PatientOptions(ExplicitOptions):
        patience: int = option(3, number(), "how many rounds without a change are waited for")

    declared = PatientOptions.declared()["patience"]
    assert (declared.name, declared.default, declared.values) == ("patience", "3", "N")
    chosen = PatientOptions().choosing({"patience": declared.parse("7")})
    assert chosen.patience == 7 and chosen.to_strings()["patience"] == "7"


def test_no_options_are_none() -> None:
    assert Options().to_strings() == {} and Options.declared() == {}
    assert NetworkOptions().search is NetworkSearch.AUTO
