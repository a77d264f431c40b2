"""Requirement files: what PLCverif's users write as JSON, and what goes with ladder diagrams as YAML.

    {"properties_to_be_validated": [{"property": {"job_req": "pattern", "pattern_id": "pattern-implication",
        "pattern_params": {"0": "instance.a", "1": "instance.b"}, "entry_point": "Block"}}]}

    properties:
      - {id: P1, kind: invariant, expression: "!a || b"}
      - {id: P2, kind: leads-to, if: a, then: b, within: 5}

A file beside the program is found by its name: ``prog.json``, ``prog.yaml``, ``prog.yml``, or ``props.yaml``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.files import read_text
from argosy.frontends.plc.requirements import KINDS, PlacedCondition, RequirementPattern

PLCVERIF: Mapping[str, str] = {
    "pattern-invariant": "invariant",
    "pattern-forbidden": "forbidden",
    "pattern-implication": "implication",
    "pattern-statechange-duringcycle": "change-within-cycle",
    "pattern-statechange-betweencycles": "change-between-cycles",
    "pattern-leadsto": "preceded-by",
    "pattern-reachability": "reachable",
    "pattern-repeatability": "repeatable",
}
_WORDS: Mapping[str, str] = {"absence": "forbidden", "mutual_exclusion": "mutual-exclusion", "never": "forbidden"}
_KEYS = (("expression",), ("if", "then"), ("if", "and", "then"))


@dataclass(frozen=True, slots=True)
class RequirementFile:
    """``entry`` is the unit that all of them are about, where they say so."""

    path: str
    patterns: tuple[RequirementPattern, ...]
    entry: str = ""


def beside(path: str) -> tuple[str, ...]:
    """The requirement file that belongs to a program, if there is one."""
    stem = os.path.splitext(path)[0]
    candidates = [f"{stem}.json", f"{stem}.yaml", f"{stem}.yml", os.path.join(os.path.dirname(path), "props.yaml")]
    return tuple(each for each in candidates if os.path.isfile(each))[:1]


def read_requirements(path: str) -> RequirementFile:
    return _File(path, read_text(path)).read()


class _File:
    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._from = 0

    def read(self) -> RequirementFile:
        content = self._json() if self._path.lower().endswith(".json") else self._yaml()
        start = Position(self._path, 1, 1)
        if not isinstance(content, dict):
            raise InputError(start, "a requirement file is a mapping with properties")
        listed = content.get("properties_to_be_validated", content.get("properties", content.get("requirements")))
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise InputError(start, "there is no list of properties")
        patterns: list[RequirementPattern] = []
        entries: dict[str, None] = {}
        for number, each in enumerate(listed, 1):
            inner = each.get("property", each)
            if not isinstance(inner, dict):
                raise InputError(start, f"property {number} is not a mapping")
            if "pattern_id" in inner:
                patterns.append(self._plcverif(number, inner))
                entries.setdefault(str(inner.get("entry_point", "")))
            else:
                patterns.append(self._own(number, inner))
        named = [entry for entry in entries if entry]
        if len(named) > 1:
            raise InputError(start, f"properties of several units: {', '.join(named)}; one file is about one of them")
        return RequirementFile(self._path, tuple(patterns), named[0] if named else "")

    def _json(self) -> Any:
        try:
            return json.loads(self._text)
        except json.JSONDecodeError as error:
            raise InputError(Position(self._path, error.lineno, error.colno), error.msg.lower()) from None
        except ValueError:
            raise InputError(Position(self._path, 1, 1), "a number has too many digits") from None
        except RecursionError:
            raise InputError(Position(self._path, 1, 1), "nested too deeply") from None

    def _yaml(self) -> Any:
        import yaml

        try:
            return yaml.safe_load(self._text)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            position = Position(self._path, mark.line + 1, mark.column + 1) if mark else Position(self._path, 1, 1)
            raise InputError(position, error.problem or "not YAML") from None
        except (yaml.YAMLError, RecursionError, ValueError):
            # A number of thousands of digits, or a date that there is not, is no value that YAML can give.
            raise InputError(Position(self._path, 1, 1), "not YAML") from None

    def _place(self, text: str) -> Position:
        """Where a text stands, looked for behind the one before."""
        spelled = json.dumps(text)[1:-1] if self._path.lower().endswith(".json") else text
        at = self._text.find(spelled, self._from)
        if at < 0:
            return Position(self._path, self._text.count("\n", 0, self._from) + 1, 1)
        self._from = at
        return Position(self._path, self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at))

    def _plcverif(self, number: int, inner: Mapping[str, Any]) -> RequirementPattern:
        id = str(inner["pattern_id"])
        where = self._place(id)
        kind = PLCVERIF.get(id)
        if kind is None:
            raise InputError(where, f"no pattern is called {id}{did_you_mean(id, list(PLCVERIF))}")
        given = inner.get("pattern_params")
        if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
            raise InputError(where, f"{id} without pattern_params")
        texts = [given[key] for key in sorted(given)]
        return RequirementPattern(kind, self._conditions(texts), where, str(inner.get("name") or f"property {number}"))

    def _own(self, number: int, inner: Mapping[str, Any]) -> RequirementPattern:
        start = Position(self._path, 1, 1)
        kind = str(inner.get("kind", inner.get("pattern", "invariant"))).lower().replace("_", "-")
        kind = _WORDS.get(kind, _WORDS.get(kind.replace("-", "_"), kind))
        name = str(inner.get("id", inner.get("name", "")) or f"property {number}")
        where = self._place(name) if "id" in inner or "name" in inner else start
        if kind == "mutual-exclusion":
            return self._exclusion(inner, where, name)
        if kind not in KINDS:
            raise InputError(where, f"no pattern is called {kind}{did_you_mean(kind, list(KINDS))}")
        keys = _KEYS[KINDS[kind][0] - 1]
        missing = [key for key in keys if not isinstance(inner.get(key), str)]
        if missing:
            raise InputError(where, f"{kind} needs {', '.join(missing)}")
        within = inner.get("within")
        if within is not None and not isinstance(within, int | str):
            raise InputError(where, "within is a number of cycles, or a time such as T#2s")
        return RequirementPattern(kind, self._conditions([inner[key] for key in keys]), where, name, within)

    def _exclusion(self, inner: Mapping[str, Any], where: Position, name: str) -> RequirementPattern:
        variables = inner.get("variables")
        if not isinstance(variables, list) or len(variables) < 2:
            raise InputError(where, "mutual exclusion needs at least two variables")
        names = [str(each) for each in variables]
        pairs = [f"({a} AND {b})" for i, a in enumerate(names) for b in names[i + 1 :]]
        return RequirementPattern(
            "forbidden", (PlacedCondition(" OR ".join(pairs), self._place(names[0])),), where, name
        )

    def _conditions(self, texts: Sequence[str]) -> tuple[PlacedCondition, ...]:
        return tuple(PlacedCondition(text, self._place(text)) for text in texts)
