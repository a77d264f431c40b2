"""Projects: a compilation database (``compile_commands.json``, as CMake, Meson and Bear write it) says of each file how
it is compiled. Those files are read that the entry function needs, directly or not, each with its own options.

Of a command line those options are taken that change what the text means; what would change what a type or an operator
means, and is not modelled, is refused. The rest (warnings, optimisation, the output) leaves the meaning alone.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.format import problem
from argosy.frontends.c.preprocessor import SourceFile, Switches
from argosy.frontends.files import read_text
from argosy.frontends.properties import read_property
from argosy.frontends.registry import Request
from argosy.problem.problem import Problem
from argosy.problem.property import NAMED

NAME = "compile_commands.json"

_PATHS = ("-isystem", "-iquote", "-idirafter", "-include", "-I")
_TEXTS = ("-D", "-U")
_ALONE = ("-nostdinc", "-undef", "-ansi", "-fgnu89-inline")
_REFUSED = (
    *("-funsigned-char", "-fno-signed-char", "-funsigned-bitfields", "-fno-signed-bitfields", "-fshort-enums"),
    *("-fshort-wchar", "-fshort-double", "-fpack-struct", "-malign-double", "-mlong-double", "-mx32", "-m16"),
    *("-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fassociative-math", "-freciprocal-math"),
    *("-ffinite-math-only", "-fno-signed-zeros", "-fsingle-precision-constant", "-mfpmath=387"),
)
_C = (".c", ".i")


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """A file with its switches; ``widths`` is the data model that its command asks for, if it does."""

    file: SourceFile
    data_model: str | None
    wraps: bool


def read(request: Request) -> Problem:
    asked = request.options.get("property")
    chosen = NAMED["unreach-call"] if asked is None else read_property(asked)
    found = database(request.path, request.text)
    options = dict(request.options)
    for option, said in (
        ("data-model", {each.data_model for each in found}),
        ("signed-overflow", {"wrap" if each.wraps else None for each in found}),
    ):
        if len(said) > 1:
            raise UnsupportedError(Position(request.path, 1, 1), f"files that are compiled with different {option}s")
        value = next(iter(said))
        if value is not None:
            options.setdefault(option, value)
    inputs = (request.path, *(each.file.path for each in found))
    if asked is not None and asked not in NAMED:
        inputs += (asked,)
    return problem(replace(request, options=options), chosen, inputs, [each.file for each in found])


def database(path: str, text: str | None = None) -> list[CompiledFile]:
    """What a compilation database says of files in C. Raises InputError where it is none."""
    start = Position(path, 1, 1)
    try:
        entries = json.loads(read_text(path) if text is None else text)
    except json.JSONDecodeError as error:
        raise InputError(Position(path, error.lineno, error.colno), f"no JSON: {error.msg}") from None
    except ValueError:
        raise InputError(start, "a number has too many digits") from None
    except RecursionError:
        raise InputError(start, "nested too deeply") from None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(start, "a compilation database is a list of objects")
    found: dict[str, CompiledFile] = {}
    for entry in entries:
        made = _compiled(entry, path, start)
        if made is None:
            continue
        known = found.setdefault(made.file.path, made)
        if known != made:
            raise UnsupportedError(start, f"{made.file.path} is compiled in two ways")
    if not found:
        raise InputError(start, "names no file in C")
    return list(found.values())


def files(path: str) -> tuple[str, ...]:
    """What a verdict on a project may depend on."""
    try:
        return tuple(each.file.path for each in database(path))
    except (InputError, UnsupportedError):
        return ()


def _compiled(entry: dict[str, Any], path: str, start: Position) -> CompiledFile | None:
    base, file = entry.get("directory", ""), entry.get("file")
    words = entry.get("arguments")
    if words is None and isinstance(entry.get("command"), str):
        try:
            words = shlex.split(entry["command"])
        except ValueError as error:
            raise InputError(start, f"the command of {file}: {error}") from None
    if (
        not isinstance(base, str)
        or not isinstance(file, str)
        or not isinstance(words, list)
        or not all(isinstance(word, str) for word in words)
    ):
        raise InputError(start, "an entry has a directory, a file, and a command or arguments")
    if not file.lower().endswith(_C):
        return None
    folder = os.path.join(os.path.dirname(os.path.abspath(path)), base)
    switches, model, wraps = _switches(words[1:], folder, file, start)
    own = SourceFile(_shown(os.path.normpath(os.path.join(folder, file)), path), switches)
    return CompiledFile(own, model, wraps)


def _shown(file: str, path: str) -> str:
    """As the user would name it: from where the database is, where it lies there."""
    home = os.path.dirname(os.path.abspath(path))
    inside = os.path.relpath(file, home)
    return file if inside.startswith(os.pardir) else os.path.join(os.path.dirname(path), inside)


def _switches(words: Sequence[str], folder: str, file: str, start: Position) -> tuple[Switches, str | None, bool]:
    taken: list[str] = []
    model, wraps, waiting = None, False, list(words)
    while waiting:
        word = waiting.pop(0)
        if word.startswith(_REFUSED):
            raise UnsupportedError(start, f"{file} is compiled with {word}")
        option = next((each for each in (*_PATHS, *_TEXTS) if word.startswith(each)), None)
        if option is not None:
            value = word[len(option) :] or (waiting.pop(0) if waiting else "")
            taken.append(option + (os.path.normpath(os.path.join(folder, value)) if option in _PATHS else value))
        elif word in _ALONE or word.startswith("-std="):
            taken.append(word)
        elif word in ("-m32", "-m64"):
            model = "ILP32" if word == "-m32" else "LP64"
        elif word in ("-fwrapv", "-fno-wrapv", "-fno-strict-overflow", "-fstrict-overflow"):
            wraps = word in ("-fwrapv", "-fno-strict-overflow")
        elif word in ("-o", "-MF", "-MT", "-MQ", "-x", "-arch") and waiting:
            waiting.pop(0)
    return Switches(tuple(taken)), model, wraps
