"""Witnesses in format 2.0 (https://sosy-lab.gitlab.io/benchmarking/sv-witnesses): entries of invariant sets, or one
violation sequence. What the format knows and this reader does not is refused by name.

Of YAML only what such files need is read: plain data without anchors and tags.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.witnesses.records import AVOID, FOLLOW, TARGET, Waypoint, Witness, WitnessInvariant

VERSIONS = ("2.0", "2.1")
INVARIANTS = {"loop_invariant": True, "location_invariant": False}
WAYPOINTS = ("assumption", "branching", "function_enter", "function_return", TARGET)
_DEEPEST = 30
_LOGICAL = re.compile(r"\\(?!result\b)\w+")


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A value and where it stands."""

    value: Any
    position: Position

    def get(self, name: str) -> YamlNode:
        """A field that has to be there."""
        if not isinstance(self.value, Mapping) or name not in self.value:
            raise InputError(self.position, f"{name} is missing")
        found: YamlNode = self.value[name]
        return found

    def find(self, name: str) -> YamlNode | None:
        return self.value.get(name) if isinstance(self.value, Mapping) else None

    def text(self, name: str) -> str:
        found = self.get(name)
        if not isinstance(found.value, str):
            raise InputError(found.position, f"{name} is a text")
        return found.value

    def items(self) -> Sequence[YamlNode]:
        if not isinstance(self.value, list):
            raise InputError(self.position, "a list is expected")
        return self.value


def read_yaml(path: str, text: str) -> Witness:
    entries = parsed(path, text).items()
    if not entries:
        raise InputError(Position(path, 1, 1), "a witness without an entry")
    invariants: list[WitnessInvariant] = []
    segments: list[tuple[Waypoint, ...]] = []
    kinds: dict[str, YamlNode] = {}
    for entry in entries:
        kind = entry.text("entry_type")
        kinds[kind] = entry
        _check_version(entry.get("metadata"))
        if kind == "invariant_set":
            invariants += (_invariant(each.get("invariant")) for each in entry.get("content").items())
        elif kind == "violation_sequence" and not segments:
            segments += (_segment(each.get("segment")) for each in entry.get("content").items())
            _check_segments(entry, segments)
        else:
            raise UnsupportedError(entry.position, f"a witness with a {kind}")
    if len(kinds) > 1:
        raise UnsupportedError(entries[0].position, f"a witness with {' and '.join(kinds)}")
    task = entries[0].get("metadata").get("task")
    hashes = task.find("input_file_hashes")
    digests = [each.value for each in hashes.value.values()] if hashes and isinstance(hashes.value, dict) else []
    return Witness(
        path,
        "violation_sequence" in kinds,
        tuple(invariants),
        tuple(segments),
        _said(task, "specification"),
        _said(task, "data_model"),
        tuple(str(digest).lower() for digest in digests),
    )


def _said(task: YamlNode, name: str) -> str:
    return task.text(name) if task.find(name) is not None else ""


def _check_version(metadata: YamlNode) -> None:
    version = metadata.get("format_version")
    if str(version.value) not in VERSIONS:
        raise UnsupportedError(
            version.position, f"witnesses of format {version.value} ({', '.join(VERSIONS)} are read)"
        )


def _place(node: YamlNode) -> tuple[int, int]:
    location = node.get("location")
    line, column = location.get("line"), location.find("column")
    for number in (line, *([] if column is None else [column])):
        if type(number.value) is not int or number.value < 1:
            raise InputError(number.position, "lines and columns are numbers from 1")
    return line.value, 0 if column is None else column.value


def _invariant(node: YamlNode) -> WitnessInvariant:
    kind = node.text("type")
    if kind not in INVARIANTS:
        raise UnsupportedError(node.position, f"a witness with a {kind}")
    line, column = _place(node)
    return WitnessInvariant(node.position, INVARIANTS[kind], line, column, _expression(node, "value"))


def _expression(node: YamlNode, name: str) -> str:
    format_ = node.find("format")
    if format_ is not None and format_.value not in ("c_expression", "acsl_expression"):
        raise UnsupportedError(format_.position, f"a witness with expressions in {format_.value}")
    found = node.text(name)
    if _LOGICAL.search(found):
        raise UnsupportedError(node.position, f"the logic of ACSL: {found}")
    return found


def _segment(node: YamlNode) -> tuple[Waypoint, ...]:
    return tuple(_waypoint(each.get("waypoint")) for each in node.items())


def _waypoint(node: YamlNode) -> Waypoint:
    type_, action = node.text("type"), node.text("action")
    if type_ not in WAYPOINTS or action not in (FOLLOW, AVOID):
        raise UnsupportedError(node.position, f"a waypoint to {action} of type {type_}")
    line, column = _place(node)
    constraint = node.find("constraint")
    value = ""
    if constraint is not None and type_ != TARGET:
        said = constraint.get("value")
        # Without quotes the words are values of YAML.
        value = str(said.value).lower() if isinstance(said.value, bool) else _expression(constraint, "value")
    if type_ == "branching" and value not in ("true", "false"):
        raise UnsupportedError(node.position, f"a branch that is taken with {value or 'nothing'}")
    if type_ == "assumption" and not value:
        raise InputError(node.position, "an assumption without a constraint")
    return Waypoint(node.position, type_, action, line, column, value)


def _check_segments(entry: YamlNode, segments: Sequence[Sequence[Waypoint]]) -> None:
    for number, segment in enumerate(segments, 1):
        if not segment or [each.action for each in segment] != [AVOID] * (len(segment) - 1) + [FOLLOW]:
            raise InputError(entry.position, f"segment {number} is not some waypoints to avoid and then one to follow")
        if (segment[-1].type == TARGET) != (number == len(segments)):
            raise InputError(segment[-1].position, "the target is the end of the last segment, and of no other")
    if not segments:
        raise InputError(entry.position, "a violation sequence without a target")


# ---- YAML -----------------------------------------------------------------------------------------------------------


def parsed(path: str, text: str) -> YamlNode:
    import yaml

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise UnsupportedError(Position(path, 1, 1), "YAML with aliases")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = Position(path, mark.line + 1, mark.column + 1) if mark is not None else Position(path, 1, 1)
        raise InputError(at, f"not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputError(Position(path, 1, 1), f"not YAML: {error}") from None
    except RecursionError:
        raise InputError(Position(path, 1, 1), "YAML that is nested too deeply") from None
    if root is None:
        raise InputError(Position(path, 1, 1), "an empty file")
    return _converted(path, root, 0)


def _converted(path: str, node: Any, depth: int) -> YamlNode:
    import yaml

    at = Position(path, node.start_mark.line + 1, node.start_mark.column + 1)
    if depth > _DEEPEST:
        raise InputError(at, "YAML that is nested too deeply")
    if isinstance(node, yaml.MappingNode):
        made: dict[str, YamlNode] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in made:
                raise InputError(at, "a key that is no text, or stands twice")
            made[key.value] = _converted(path, value, depth + 1)
        return YamlNode(made, at)
    if isinstance(node, yaml.SequenceNode):
        return YamlNode([_converted(path, each, depth + 1) for each in node.value], at)
    return YamlNode(_scalar(node, at), at)


def _scalar(node: Any, at: Position) -> Any:
    kind = node.tag.rpartition(":")[2]
    if kind == "int":
        if not re.fullmatch(r"[0-9]{1,9}", node.value):
            raise InputError(at, f"not a number: {node.value}")
        return int(node.value)
    if kind == "bool":
        return node.value.lower() in ("true", "yes", "on")
    if kind in ("str", "float", "timestamp", "null"):
        return node.value
    raise UnsupportedError(at, f"YAML with {node.tag}")
