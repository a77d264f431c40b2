"""A counterexample in one line: what happened, where, in which function, after how many inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from argosy.models.sources import SourceKind

Entry = Mapping[str, Any]


def headline(answer: Entry) -> str | None:
    """``assert(y != 7) fails: door.c:55 in check_door, after 3 inputs``; None where nothing was violated."""
    violation = answer.get("violation")
    if violation is None:
        return None
    where = f"{violation['file']}:{violation['line']}" if violation["line"] else violation["file"]
    function = f" in {violation['function']}" if violation["function"] else ""
    count = len(inputs(answer["counterexample"]))
    return f"{violation['what']}: {where}{function}, after {count or 'no'} input{'' if count == 1 else 's'}"


def inputs(steps: Sequence[Entry]) -> list[Entry]:
    """The steps at which an execution took a value from outside; an uninitialised variable is no input."""
    return [step for step in steps if step.get("choice") and step.get("source") != SourceKind.UNINITIALISED.value]


def short(name: str) -> str:
    """A variable without the function that it belongs to."""
    return name.rpartition("::")[2]


def shown_values(step: Entry) -> dict[str, str]:
    """What a step changed, as people write it: a character, an enumerator, what a pointer leads to."""
    shown = step.get("shown", {})
    return {name: shown.get(name) or written(value) for name, value in step["values"].items()}


def written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def given(step: Entry) -> str:
    """``n = 5``: what a step changed, in short names."""
    return ", ".join(f"{short(name)} = {value}" for name, value in shown_values(step).items())


def told(step: Entry) -> str:
    """``n = read()  (n = 5)``: a step in one line."""
    values = given(step)
    return f"{step['operation']}  ({values})" if values else str(step["operation"])


def depths(steps: Sequence[Entry]) -> list[int]:
    """How many calls deep each step is."""
    return [step.get("depth", 0) for step in steps]
