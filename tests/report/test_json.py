"""Results against their JSON Schema, which is part of the package."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import argosy

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA = json.loads((files("argosy.report") / "result.schema.json").read_text(encoding="utf-8"))
DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


def check(content: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(content)


def result(name: str, **choices: Any) -> Any:
    return json.loads(argosy.verify(str(EXAMPLES / name), in_process=True, time_limit=60, **choices).to_json())


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("c/overdraft.c", {}),
        ("c/lock.c", {}),
        ("c/lock.c", {"each": True}),
        ("c/two_counters.c", {"strategy": "lbe"}),
        ("c/overdraft.c", {"certify": False, "strategy": "bmc"}),
        ("armc/bakery2.armc", {}),
        ("ta/alarm.xta", {}),
        ("ta/train_gate.xta", {}),
    ],
)
def test_results(name: str, choices: dict[str, Any]) -> None:
    if name.startswith("ta/"):
        pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    check(result(name, **choices))


def test_unknown_results() -> None:
    check(json.loads(argosy.Task("prog.c").unknown("time limit").to_json()))


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "perhaps"},
        {"reason": "because"},
        {"surprise": 1},
        {"answers": [{"kind": "property"}]},
        {"counterexample": [{"line": 1}]},
        {"schema": 1},
    ],
)
def test_the_schema_bites(change: dict[str, Any]) -> None:
    content = result("c/overdraft.c")
    with pytest.raises(jsonschema.ValidationError):
        check({**content, **change})


def test_every_field_is_documented() -> None:
    answer = SCHEMA["$defs"]["answer"]["properties"]
    for name in (*SCHEMA["properties"], *answer):
        assert f"`{name}`" in DOCUMENTATION, name
