"""Simulations: what is chosen is a run of the model, goes back, repeats itself, begins where a counterexample is."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from argosy.session.run import decide
from argosy.session.task import Task
from argosy.ui.simulating import Conversation

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
BUGS: dict[str, Callable[[list[dict[str, Any]]], bool]] = {
    "ta/fischer_bug.xml": lambda rows: sum(v == "critical" for v in known(rows).values()) == 2,
    "systems/fifo_overflow.btor2": lambda rows: rows[-1]["bad"] == ["more_than_eight"],
    "theta/counter_bug.sts": lambda rows: bool(rows[-1]["bad"]),
}
MODELS = [*BUGS, "plc/door.st", "plc/washer.xml", "ta/train_gate.xta", "systems/token_ring.aag", "horn/tank.vmt"]


def known(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: value for row in rows for name, value in row["values"].items()}


def begun(name: str, **more: Any) -> tuple[Conversation, dict[str, Any]]:
    conversation = Conversation(str(EXAMPLES / name))
    return conversation, conversation.answer({"command": "begin", "choices": [], **more})


@pytest.mark.parametrize("name", MODELS)
def test_a_random_run_goes_back_and_repeats_itself(name: str) -> None:
    conversation, first = begun(name)
    played = conversation.answer({"command": "random", "count": 12, "seed": 3})
    rows, choices = [*first["rows"], *played["rows"]], played["choices"]
    assert choices and "error" not in played and rows == conversation.simulator.rows
    json.dumps([first, played])
    shown = conversation.answer({"command": "show"})
    assert (shown["rows"], shown["choices"], shown["about"]) == (rows, choices, first["about"])
    for k in (len(choices) - 1, 2, 0):
        back = conversation.answer({"command": "back", "to": k})
        assert conversation.simulator.rows == rows[: len(first["rows"]) + k]
    assert back["now"] == first["now"]
    again, told = begun(name, choices=choices)
    assert "error" not in told and again.simulator.rows == rows and again.simulator.choices == choices


@pytest.mark.parametrize("name", BUGS)
def test_a_counterexample_is_loaded_and_left(name: str) -> None:
    answers = decide(Task.of(str(EXAMPLES / name), time_limit=60)).result.answers
    answer = next(each for each in answers if each["counterexample"])
    conversation, told = begun(name, answer=json.loads(json.dumps(answer)))
    assert "error" not in told and BUGS[name](told["rows"])
    half = len(told["choices"]) // 2
    left = conversation.answer({"command": "back", "to": half})
    assert len(conversation.simulator.choices) == half and left["now"]
    assert not BUGS[name](conversation.simulator.rows)
    assert len(conversation.answer({"command": "random", "count": 1, "seed": 0})["choices"]) == 1


def test_clocks_lie_within_the_bounds_of_their_zone() -> None:
    conversation, first = begun("ta/fischer_bug.xml")
    rows = [*first["rows"], *conversation.answer({"command": "random", "count": 30, "seed": 5})["rows"]]
    assert all(row["bounds"].keys() == row["clocks"].keys() for row in rows)
    for row in rows:
        for name, (low, high) in row["bounds"].items():
            assert low <= Fraction(row["clocks"][name]) <= (high if high is not None else 10**9), row
    assert any(low > 0 for row in rows for low, _ in row["bounds"].values())
    assert any(high is not None for row in rows for _, high in row["bounds"].values())


def test_a_violation_of_a_controller_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "p.st").write_text(
        "PROGRAM p\nVAR_INPUT go : BOOL; level : INT; END_VAR\nVAR n : INT; END_VAR\n"
        "IF go AND level > 3 THEN n := n + 1; END_IF;\n//#ASSERT n < 2 : few;\nEND_PROGRAM\n"
    )
    path = str(tmp_path / "p.st")
    [answer] = decide(Task.of(path, time_limit=60)).result.answers
    conversation = Conversation(path)
    told = conversation.answer({"command": "begin", "choices": [], "answer": answer})
    assert [row["violated"] for row in told["rows"]] == [[], ["few: n < 2"]]
    assert [row["inputs"] for row in told["rows"]] == [cycle["inputs"] for cycle in answer["cycles"]]
    wrong = conversation.answer({"command": "do", "choice": {"inputs": {"level": "many"}}})
    assert "not a value of INT" in wrong["error"] and len(conversation.simulator.rows) == 2


WRONG: dict[str, list[Any]] = {
    "ta/fischer_bug.xml": ["999", "1 999/0", "w -1", "b", 7, None, "w 1e999"],
    "plc/door.st": [
        {"inputs": {"nothing": "1"}},
        {"inputs": {"call_up": "perhaps"}},
        {},
        3,
        {"inputs": {}, "passed": "-5"},
    ],
    "systems/fifo.btor2": [{"nothing": "1"}, {"push": "2"}, [], "push"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_possible_is_said_and_changes_nothing(name: str) -> None:
    conversation, first = begun(name)
    for choice in WRONG[name]:
        said = conversation.answer({"command": "do", "choice": choice})
        assert said["error"] and said["choices"] == [] and said["rows"] == [], choice
    assert conversation.simulator.rows == first["rows"]


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("ta/train_gate.xta", {"report.html", "trace.xml", "result.json", "choices.txt"}),
        ("plc/door.st", {"report.html", "cycles.csv", "cycles.vcd"}),
        ("systems/fifo.btor2", {"run.vcd", "cycles.csv"}),
    ],
)
def test_a_run_is_exported(name: str, files: set[str]) -> None:
    conversation, _ = begun(name)
    conversation.answer({"command": "random", "count": 6, "seed": 1})
    said = dict(conversation.answer({"command": "export"})["files"])
    assert said.keys() == files and all(said.values())
    if "cycles.csv" in files:
        assert len(said["cycles.csv"].splitlines()) == 7


def test_constraints_are_kept(tmp_path: Path) -> None:
    """x grows by the input, which a constraint ties to a value that nobody finds by chance."""
    (tmp_path / "c.btor2").write_text(
        "1 sort bitvec 32\n2 sort bitvec 1\n3 zero 1\n4 state 1 x\n5 init 1 4 3\n6 input 1 i\n7 constd 1 123456789\n"
        "8 eq 2 6 7\n9 constraint 8\n10 add 1 4 6\n11 next 1 4 10\n12 eq 2 4 7\n13 bad 12 there\n"
    )
    conversation = Conversation(str(tmp_path / "c.btor2"))
    said = conversation.answer({"command": "do", "choice": {"i": "5"}})
    assert "constraint 1" in said["error"]
    said = conversation.answer({"command": "random", "count": 2, "seed": 0})
    assert [row["bad"] for row in said["rows"]] == [[], ["there"]]
