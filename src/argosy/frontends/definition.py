"""Task definitions and properties of the software verification competition (SV-COMP), formats 1.0 and 2.0.

A definition (``.yml``) names a program, properties and a data model. A property file that is absent is recognised by
its base name, because the files are distributed apart from the programs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.c.format import problem
from argosy.frontends.files import read_small
from argosy.frontends.properties import property_of_file, read_property
from argosy.frontends.registry import Request, check_options, files_of, recognise
from argosy.problem.problem import Problem
from argosy.problem.property import Property

_DEEPEST = 100

# What the competition means where a task definition does not say how wide types are.
UNSAID_MODEL = "ILP32"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a task definition says; paths are relative to where the definition was found. ``expected`` has for each of
    the properties whether it holds, where that is said."""

    input: str
    properties: tuple[str, ...]
    data_model: str | None
    expected: tuple[bool | None, ...] = ()


def read_definition(path: str, text: str | None = None) -> Definition:
    """What the file says, or ``text`` in its place."""
    content = _load(path, read_small(path) if text is None else text)
    start = Position(path, 1, 1)
    if not isinstance(content, dict):
        raise InputError(start, "a task definition is a mapping")
    version = str(content.get("format_version"))
    if version not in ("1.0", "2.0", "2.1"):
        raise InputError(start, f"format_version is {version}; known are 1.0 and 2.0")
    inputs = _strings(start, content, "input_files")
    if len(inputs) != 1:
        raise UnsupportedError(start, f"{len(inputs)} input files in one task")
    options = content.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(start, "options is not a mapping")
    language = options.get("language", "C")
    if language != "C":
        raise UnsupportedError(start, f"language {language}")
    data_model = options.get("data_model")
    if data_model not in (None, "ILP32", "LP64"):
        raise InputError(start, f"data_model is {data_model}; known are ILP32 and LP64")
    folder = os.path.dirname(path)
    properties = tuple(os.path.join(folder, name) for name in _property_files(start, content))
    verdicts = (item.get("expected_verdict") for item in content.get("properties") or [])
    expected = tuple(verdict if isinstance(verdict, bool) else None for verdict in verdicts)
    return Definition(os.path.join(folder, inputs[0]), properties, data_model, expected)


def choose_property(definition: Definition) -> tuple[str | None, Property]:
    """The property a task is about, with its file if there is one: the first listed that is decided, reachability
    before others."""
    known = []
    refused = None
    for path in definition.properties:
        try:
            known.append((path if os.path.exists(path) else None, property_of_file(path)))
        except UnsupportedError as error:
            refused = refused or error
    if known:
        return min(known, key=lambda each: each[1].name != "unreach-call")
    raise refused or UnsupportedError(Position(definition.input, 0), "a task definition without a property")


def expected_verdict(definition: Definition, property: str) -> bool | None:
    """Whether the property of that name is said to hold; None where nothing is said."""
    for path, expected in zip(definition.properties, definition.expected, strict=True):
        with suppress(UnsupportedError):
            if property_of_file(path).name == property:
                return expected
    return None


def named_files(path: str) -> tuple[str, ...]:
    """What a definition names, as far as it can be read: the program, what belongs to it, and the property files."""
    try:
        definition = read_definition(path)
    except (InputError, UnsupportedError):
        return ()
    return (*files_of(definition.input), *definition.properties)


def read(request: Request) -> Problem:
    """The problem that a task definition names; what was asked for on the command line comes first."""
    definition = read_definition(request.path, request.text)
    format = recognise(definition.input)
    asked = request.options.get("property")
    chosen = choose_property(definition)[1] if asked is None else read_property(asked)
    options = {"undefined-functions": "pure", **request.options}
    options.setdefault("data-model", definition.data_model or UNSAID_MODEL)
    # The programs of the benchmarks mean plain objects: their verdicts are those.
    options.setdefault("volatile", "plain")
    check_options(definition.input, format, {name: options[name] for name in options if name in format.options})
    if format.name != "c":
        raise UnsupportedError(Position(request.path, 1, 1), f"{definition.input} in a task definition")
    inner = Request(definition.input, options, deep=request.deep, checkpoints=request.checkpoints)
    return problem(inner, chosen, (request.path, definition.input, *definition.properties))


def _load(path: str, text: str) -> Any:
    import yaml

    if text.count("[") + text.count("{") > _DEEPEST:  # the time that the library takes grows with the square
        raise InputError(Position(path, 1, 1), "nested too deeply")
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        position = Position(path, mark.line + 1, mark.column + 1) if mark else Position(path, 1, 1)
        raise InputError(position, error.problem or "not YAML") from None
    except yaml.YAMLError as error:
        raise InputError(Position(path, 1, 1), " ".join(str(error).split())) from None
    except RecursionError:
        raise InputError(Position(path, 1, 1), "nested too deeply") from None


def _strings(start: Position, content: dict[str, Any], key: str) -> Sequence[str]:
    value = content.get(key)
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in values):
        raise InputError(start, f"{key} is not a file name or a list of file names")
    return [str(item) for item in values]


def _property_files(start: Position, content: dict[str, Any]) -> Sequence[str]:
    listed = content.get("properties") or []
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise InputError(start, "properties is not a list of mappings")
    files = [item.get("property_file") for item in listed]
    if not all(isinstance(file, str) for file in files):
        raise InputError(start, "a property without a property_file")
    return [str(file) for file in files]
