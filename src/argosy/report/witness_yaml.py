"""Witnesses in format 2.0: YAML, one entry, an ``invariant_set`` or a ``violation_sequence``.

Every string is written in double quotes, as JSON has them, which YAML reads the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.report.loop_texts import LoopText
from argosy.report.witnesses import Content, ViolationContent, WitnessTask, place

_LANGUAGES = {"function_return": "acsl_expression", "assumption": "c_expression"}


def document(task: WitnessTask, content: Content) -> str:
    return "".join(f"{line}\n" for line in _lines([entry(task, content)], 0))


def entry(task: WitnessTask, content: Content) -> Mapping[str, Any]:
    violation = isinstance(content, ViolationContent)
    listed = _segments(content) if isinstance(content, ViolationContent) else _invariants(content)
    said = list(listed)
    return {
        "entry_type": "violation_sequence" if violation else "invariant_set",
        "metadata": {
            "format_version": "2.0",
            "uuid": task.identifier(json.dumps(said)),
            "creation_time": task.created,
            "producer": {"name": task.producer, "version": task.version},
            "task": {
                "input_files": [task.input],
                "input_file_hashes": {task.input: task.digest},
                "specification": task.specification,
                "data_model": task.data_model,
                "language": "C",
            },
        },
        "content": said,
    }


def _invariants(content: Sequence[LoopText]) -> Iterator[Mapping[str, Any]]:
    for each in content:
        yield {
            "invariant": {
                "type": "loop_invariant",
                "location": place(each.loop.position, each.loop.function),
                "value": each.text,
                "format": "c_expression",
            }
        }


def _segments(content: ViolationContent) -> Iterator[Mapping[str, Any]]:
    for value in content.values:
        yield _follow(
            {
                "type": value.style,
                "action": "follow",
                "location": place(value.position, value.function),
                "constraint": {"value": value.constraint, "format": _LANGUAGES[value.style]},
            }
        )
    yield _follow({"type": "target", "action": "follow", "location": place(content.target, content.function)})


def _follow(waypoint: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"segment": [{"waypoint": waypoint}]}


def _lines(value: Any, indent: int) -> Iterator[str]:
    """Blocks of YAML."""
    blank = " " * indent
    if isinstance(value, Mapping):
        for name, inside in value.items():
            key = name if name.isidentifier() else json.dumps(name)
            if isinstance(inside, Mapping | list) and inside:
                yield f"{blank}{key}:"
                yield from _lines(inside, indent + 2)
            else:
                yield f"{blank}{key}: {_scalar(inside)}"
    else:
        for inside in value:
            first, *rest = _lines(inside, indent + 2) if isinstance(inside, Mapping) else [f"  {_scalar(inside)}"]
            yield f"{blank}- {first.lstrip()}"
            yield from rest


def _scalar(value: Any) -> str:
    return json.dumps(value)
