"""Settings of a project: options of ``argosy verify`` in ``argosy.toml``, or ``[tool.argosy]`` in ``pyproject.toml``.

The nearest file upwards from the working directory wins, as a whole; what is said on the command line wins over it.
A key is the name of an option; one that there is not is an error, never ignored.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from typing import Any

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import UsageError
from argosy.basics.records import dataclass
from argosy.report.exporters import NAMES

FILES = ("argosy.toml", "pyproject.toml")

# What is said of one run, and not of a project; whatever names a file to write is. A project that somebody else wrote
# must not say which of one's files are overwritten.
_PERSONAL = frozenset(("help", "input", "no-config", "json", "sarif", "only", "save-precision", *NAMES))


@dataclass(frozen=True, slots=True)
class Settings:
    """``values`` by the names of options; ``path`` is the file they stand in, None where there is none."""

    path: str | None
    values: Mapping[str, Any]


def nearest(folder: str) -> Settings:
    """The settings in force in a folder."""
    for path in _candidates(folder):
        values = _read(path)
        if values is not None:
            return Settings(path, values)
    return Settings(None, {})


def _candidates(folder: str) -> Iterator[str]:
    folder = os.path.abspath(folder)
    while True:
        yield from (path for name in FILES if os.path.isfile(path := os.path.join(folder, name)))
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _read(path: str) -> Mapping[str, Any] | None:
    """The settings of a file; None for a ``pyproject.toml`` that has none. Another tool's broken file is no matter of
    ours, one that speaks of us is."""
    try:
        with open(path, "rb") as file:
            text = file.read()
        if os.path.basename(path) != FILES[0] and b"tool.argosy" not in text:
            return None
        import tomllib

        content = tomllib.loads(text.decode())
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    if os.path.basename(path) == FILES[0]:
        return content
    found = content.get("tool", {}).get("argosy")
    return found if isinstance(found, dict) else None


def apply(parser: argparse.ArgumentParser, settings: Settings) -> None:
    """Make the settings the defaults of a parser. Raises UsageError for what is no option, or not a value of one."""
    known = of_a_project(parser)
    defaults = {}
    for name, value in settings.values.items():
        action = known.get(name)
        if action is None:
            raise UsageError(f"{settings.path}: no setting {name!r}{did_you_mean(name, list(known))}")
        defaults[action.dest] = _value(action, name, value, settings)
    parser.set_defaults(**defaults, settings=settings.path if defaults else None)


def of_a_project(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """The options that a project may set, by their names."""
    return {
        option[2:]: action
        for option, action in parser._option_string_actions.items()
        if option.startswith("--") and option[2:] not in _PERSONAL and action.help is not argparse.SUPPRESS
    }


def _value(action: argparse.Action, name: str, value: Any, settings: Settings) -> Any:
    if action.nargs == 0:
        if isinstance(value, bool):
            # A switch like --no-certify stores false.
            return value if action.const is not False else not value
        raise UsageError(f"{settings.path}: {name} is true or false")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{settings.path}: {name} has one value, a text or a number")
    try:
        return action.type(str(value)) if callable(action.type) else str(value)
    except ValueError as error:
        raise UsageError(f"{settings.path}: {name}: {error}") from error
