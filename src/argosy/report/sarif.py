"""Results in SARIF 2.1.0 (OASIS), as code scanning, editors and viewers read it.

A violation is a result at its place with the counterexample as a code flow; what has no verdict is a notification of
the invocation; what is proved says nothing. Viewers show a thousand steps of a flow and reject files with ten thousand:
the steps that matter most are kept. The fingerprint is made of the line's text, not of its number, so that an alert
stays the same when lines move.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from argosy.basics.budget import INTERNAL_ERROR
from argosy.basics.version import VERSION
from argosy.problem.property import NAMED
from argosy.report.headline import depths, headline, shown_values, told
from argosy.report.result import UNKNOWN, UNSAFE, Result

Entry = Mapping[str, Any]
Node = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

MOST_STEPS = 900

_IMPORTANCE = ("essential", "important", "unimportant")

# What an alert means and what to do about it, for the properties that have a name.
_HELP = {
    "unreach-call": (
        "An error that must not be reached is reached",
        "An execution of the program enters the error function, reaches the error label or fails an assertion.",
    ),
    "no-overflow": (
        "Signed overflow",
        "An execution computes a signed integer that its type cannot hold, which C leaves undefined.",
    ),
    "defined-arithmetic": (
        "Undefined arithmetic",
        "An execution divides by zero, shifts too far, overflows a signed integer or converts a float to an integer "
        "type that does not hold it, which C leaves undefined.",
    ),
    "valid-memsafety": (
        "Memory is used wrongly",
        "An execution follows a pointer that leads to no object, frees what it must not, or loses memory.",
    ),
    "valid-deref": (
        "Invalid access to memory",
        "An execution follows a pointer that is null, outside of its object, or to what was freed or has ended.",
    ),
    "valid-free": (
        "Wrong free",
        "An execution frees what is not the start of a block that is allocated, or frees it twice.",
    ),
    "valid-memtrack": ("Memory is lost", "An execution loses the last pointer to memory that it has not freed."),
    "valid-memcleanup": ("Memory is not freed", "An execution ends and has not freed all of its memory."),
    "initialised": (
        "Uninitialised value",
        "An execution computes with a value that was never written, or decides on it.",
    ),
    "undefined-behaviour": (
        "Undefined behaviour",
        "An execution does something that C leaves undefined: in arithmetic or with memory.",
    ),
}
_REQUIREMENT = ("A requirement is violated", "A run of the model violates what was asked.")


def document(results: Sequence[Result]) -> str:
    rules = list(dict.fromkeys(_rule(answer) for result in results for answer in result.answers)) or ["unreach-call"]
    found = [_violation(result, answer, rules) for result in results for answer in _violated(result)]
    silent = [_notification(result) for result in results if result.verdict == UNKNOWN]
    run = {
        "tool": {
            "driver": {
                "name": "Argosy",
                "semanticVersion": VERSION,
                "rules": [_rule_entry(rule) for rule in rules],
            }
        },
        "invocations": [{"executionSuccessful": not any(map(_crashed, results)), "toolExecutionNotifications": silent}],
        "columnKind": "unicodeCodePoints",
        "results": found,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _crashed(result: Result) -> bool:
    return (result.reason or "").startswith(INTERNAL_ERROR)


def _violated(result: Result) -> list[Entry]:
    return [answer for answer in result.answers if answer["verdict"] == UNSAFE]


def _rule(answer: Entry) -> str:
    status = str(answer.get("status") or "")
    # Of a property with parts the part that is violated.
    name = status[len("false(") : -1] if status.startswith("false(") else answer.get("property")
    return str(name) if name in NAMED else "requirement"


def _rule_entry(rule: str) -> Node:
    title, text = _HELP.get(rule, _REQUIREMENT)
    advice = (
        f"{text} The counterexample was replayed step by step on the model as it was read. "
        "Follow the steps of the code flow with the values in their messages."
    )
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in (*rule.split("-"), "violated")),
        "shortDescription": {"text": f"{title}."},
        "fullDescription": {"text": text},
        "help": {"text": advice, "markdown": advice},
        "defaultConfiguration": {"level": "error"},
        "properties": {
            "tags": ["correctness", "model-checking"],
            "precision": "very-high",
            "problem.severity": "error",
        },
    }


def _violation(result: Result, answer: Entry, rules: Sequence[str]) -> Node:
    steps = answer["counterexample"]
    last = next((step for step in reversed(steps) if step.get("line")), None)
    place = answer.get("violation") or last or answer
    rule = _rule(answer)
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": "note" if answer["satisfied"] else "error",  # an E<> that is satisfied is no error
        "message": {"text": headline(answer) or f"{answer['text']}: {answer['words'] or 'violated.'}"},
        "locations": [_location(place, result)],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(place, result, rule)},
        **({"codeFlows": [{"threadFlows": [{"locations": _flow(steps, result)}]}]} if steps else {}),
    }


def _flow(steps: Sequence[Entry], result: Result) -> list[Node]:
    importance = [_IMPORTANCE[_rank(index, step, len(steps))] for index, step in enumerate(steps)]
    order = sorted(range(len(steps)), key=lambda index: (_IMPORTANCE.index(importance[index]), index))
    kept = sorted(order[:MOST_STEPS])
    nesting = depths(steps)
    return [
        {
            "location": {**_location(steps[index], result), "message": {"text": told(steps[index])}},
            "executionOrder": index + 1,
            "nestingLevel": nesting[index],
            "importance": importance[index],
            **_state(steps[index]),
        }
        for index in kept
    ]


def _rank(index: int, step: Entry, count: int) -> int:
    if step.get("choice") or index in (0, count - 1):
        return 0
    return 1 if step.get("kind") == "assume" and step.get("matters", True) else 2


def _state(step: Entry) -> Node:
    values = {name: {"text": value} for name, value in shown_values(step).items()}
    return {"state": values} if values else {}


def _location(place: Entry, result: Result) -> Node:
    region: Node = {"startLine": max(place.get("line") or 0, 1)}
    if place.get("column"):
        region["startColumn"] = place["column"]
    artifact = {"uri": _address(place.get("file") or result.input), "uriBaseId": "%SRCROOT%"}
    location: Node = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    if place.get("function"):
        location["logicalLocations"] = [{"name": place["function"], "kind": "function"}]
    return location


def _address(path: str) -> str:
    """Relative to where the command was started, which is where a checkout has its root."""
    return quote(os.path.relpath(path).replace(os.sep, "/"))


def _fingerprint(place: Entry, result: Result, rule: str) -> str:
    path = place.get("file") or result.input
    lines = _lines(path)
    line = place.get("line") or 0
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    nth = sum(1 for each in lines[: max(line - 1, 0)] if each.strip() == text)
    digest = sha256("\n".join((rule, os.path.basename(path), text)).encode()).hexdigest()
    return f"{digest[:16]}:{nth + 1}"


@lru_cache(maxsize=16)
def _lines(path: str) -> Sequence[str]:
    if not os.path.isfile(path):
        return ()
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def _notification(result: Result) -> Node:
    return {
        "level": "error" if _crashed(result) else "warning",
        "message": {"text": f"{result.input}: no verdict on {result.property}: {result.reason}"},
        "locations": [_location({}, result)],
        "descriptor": {"id": "no-verdict"},
    }
