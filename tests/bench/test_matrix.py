"""Strategies × lists of values: which configurations there are, what they are called, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import UsageError
from argosy.bench.matrix import PARAMETERS, matrix, split_strategies, split_values
from argosy.session.task import Task
from argosy.strategies import MODEL_KINDS, STRATEGIES, option_names


def labels(*arguments: object) -> list[str]:
    return [configuration.label for configuration in matrix(*arguments).configurations]  # type: ignore[arg-type]


def test_names() -> None:
    assert labels(list(STRATEGIES)) == list(STRATEGIES)
    [auto] = matrix(["auto"]).configurations
    assert (auto.arguments, set(auto.kinds)) == (("--strategy", "auto"), set(MODEL_KINDS))
    [zones] = matrix(["zones"]).configurations
    assert zones.kinds == {"network"}


def test_every_combination_is_run() -> None:
    found = matrix(["sbe"], {"search": ["bfs", "dfs"], "prune": ["lazy", "full"], "split": ["whole"]})
    assert [c.label for c in found.configurations] == ["bfs lazy", "bfs full", "dfs lazy", "dfs full"]
    first = found.configurations[0]
    assert first.arguments == ("--strategy", "sbe", "--search=bfs", "--prune=lazy", "--split=whole")
    assert first.parameters["split"] == "whole" and first.parameters["domain"] == "pred-bool"
    assert list(first.parameters) == [name for name in PARAMETERS if name in first.parameters]


def test_several_strategies_keep_their_names() -> None:
    assert labels(["lbe", "sbe"], {"prune": ["lazy", "full"]}) == ["lbe lazy", "lbe full", "sbe lazy", "sbe full"]


def test_what_does_not_apply_is_left_away() -> None:
    found = matrix(["sbe"], {"domain": ["expl", "pred-cart"], "split": ["atoms", "whole"]})
    assert [c.label for c in found.configurations] == ["expl", "pred-cart atoms", "pred-cart whole"]
    assert "split" not in found.configurations[0].parameters


def test_networks_have_options_of_their_own() -> None:
    found = matrix(["auto"], {"trace": ["some", "shortest"]}).configurations
    assert [(c.label, set(c.kinds)) for c in found] == [
        ("some", {"network"}),
        ("shortest", {"network"}),
    ]


def test_what_applies_to_none_is_an_error() -> None:
    with pytest.raises(UsageError, match="--split"):
        matrix(["explicit"], {"split": ["atoms"]})


def test_the_same_under_two_names_is_run_once() -> None:
    assert labels(["lbe:prune=lazy", "lbe"]) == ["lbe:prune=lazy"]


def test_options_of_its_own() -> None:
    [configuration] = matrix(["explicit:search=1,2:prune=full"]).configurations
    assert configuration.arguments == ("--strategy", "explicit", "--search=1,2", "--prune=full")
    assert labels(["explicit:search=dfs", "lbe"], {"search": ["bfs", "topological"]}) == [
        "explicit:search=dfs",
        "lbe bfs",
        "lbe topological",
    ]


def test_impossible_combinations_are_left_out_with_the_reason() -> None:
    found = matrix(["sbe"], {"domain": ["expl", "pred-bool"], "refinement": ["dag"]})
    assert [c.parameters["domain"] for c in found.configurations] == ["pred-bool"]
    assert len(found.impossible) == 1 and "dag" in found.impossible[0]
    with pytest.raises(UsageError, match="dag"):
        matrix(["explicit"], {"refinement": ["dag"]})
    with pytest.raises(UsageError, match="dag"):
        matrix(["explicit:refinement=dag"])


@pytest.mark.parametrize(
    ("strategies", "lists", "message"),
    [
        (["explicite"], {}, "did you mean explicit"),
        (["lbe:serch=bfs"], {}, "no such option: --serch"),
        (["lbe:search"], {}, "NAME=VALUE"),
        (["lbe:search=bsf"], {}, "did you mean bfs"),
        (["lbe"], {"search": ["bfs", "bsf"]}, "did you mean bfs"),
        (["lbe"], {"color": ["blue"]}, "no such option: --color"),
    ],
)
def test_what_does_not_exist(strategies: list[str], lists: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        matrix(strategies, lists)


def test_lists_with_commas_in_values() -> None:
    assert split_values("search", "bfs,1,2,dfs,-1,3") == ["bfs", "1,2", "dfs", "-1,3"]
    assert split_values("search", "bfs,bsf") == ["bfs", "bsf"]
    assert split_values("max-enum", "1*,1,5,0") == ["1*", "1", "5", "0"]
    assert split_strategies("lbe,explicit:search=1,2,sbe") == ["lbe", "explicit:search=1,2", "sbe"]
    assert split_strategies("lbe,nonsense") == ["lbe", "nonsense"]


def test_labels_differ() -> None:
    found = labels(["lbe", "sbe", "auto"], {"search": ["bfs", "dfs"], "domain": ["expl", "pred-bool"]})
    assert len(found) == len(set(found))


def test_argosy_verify_accepts_every_configuration(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text("int main(void) { return 0; }\n")
    found = matrix(["lbe", "explicit", "theta-pred-seq"], {"domain": ["expl", "pred-cart"], "search": ["bfs", "1,2"]})
    for c in found.configurations:
        Task(str(program), strategy=c.strategy, options=c.options).check()


def test_every_parameter_is_a_column() -> None:
    assert set(PARAMETERS) >= {"strategy", *option_names()}
    assert len(set(PARAMETERS)) == len(PARAMETERS)
