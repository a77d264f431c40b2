"""From a file to a syntax tree: reading, preprocessing where it is asked for, parsing with pycparser.

A text with directives other than markers and pragmas goes through the system's preprocessor. For the data model that
is not the host's, headers of that model are asked for; where the system has only the host's, the program is read with
them, ``Syntax.notes`` says so, and type names of the program whose width then contradicts the data model are refused.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any

from pycparser.c_parser import CParser, ParseError

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.lexer import SAME_AS_CONDITION, Lexed, TokenSource, lex
from argosy.frontends.files import read_text

Node = Any  # pycparser's nodes carry no types

_PREPROCESSORS = ("cc", "gcc", "clang", "cpp")
_SECONDS = 60
_DIAGNOSTIC = re.compile(r"^(.+?):([0-9]+):(?:([0-9]+):)? *(?:fatal )?error: *(.*)$", re.MULTILINE)
_LOCATED = re.compile(r"^(.*):([0-9]+):([0-9]+): (.*)$", re.DOTALL)


@dataclass
class Syntax:
    tree: Node
    lexed: Lexed
    notes: tuple[str, ...] = ()


def parse(path: str, data_model: str, text: str | None = None) -> Syntax:
    """The syntax tree of the file, or of a text that ``path`` is only the name of. Raises InputError when there is
    none."""
    if text is None:
        text = read_text(path)
    lexed = lex(text, path)
    notes: tuple[str, ...] = ()
    if lexed.directive is not None:
        text, notes = _preprocess(path, data_model, lexed.directive)
        lexed = lex(text, path)
        if lexed.directive is not None:
            raise InputError(lexed.directive, "the preprocessor left a directive")
        if notes:
            lexed.exact_layout = False
            lexed.words_to_check = frozenset(token.value for token in lexed.tokens if token.filename == path)
    if not lexed.tokens:
        raise InputError(Position(path, 1, 1), "the file holds no program")
    return Syntax(_parse(lexed, path), lexed, notes)


def _parse(lexed: Lexed, path: str) -> Node:
    parser = CParser(lexer=TokenSource)
    try:
        return parser.parse(lexed.tokens, path)
    except ParseError as error:
        raise _syntax_error(str(error), parser.clex, path) from None
    except (ValueError, AssertionError, AttributeError, TypeError, KeyError) as error:
        # Some ill-formed declarations meet an assertion of the parser instead of one of its errors.
        raise _syntax_error(str(error), parser.clex, path) from None


def _syntax_error(message: str, source: TokenSource, path: str) -> InputError:
    located = _LOCATED.match(message)
    last = source.last
    if located:
        position = Position(located[1], int(located[2]), int(located[3]))
        complaint = located[4]
        before = re.fullmatch(r"before: (.*)", complaint, re.DOTALL)
        complaint = f"unexpected {before[1]!r}" if before else complaint[:1].lower() + complaint[1:]
    else:
        position = Position(last.filename, last.lineno, last.column) if last else Position(path, 1, 1)
        complaint = "the file ends too early" if "end of input" in message else f"near {last.value!r}" if last else ""
    return InputError(position, f"syntax error: {complaint}")


def is_elvis(node: Node) -> bool:
    """Is this TernaryOp GNU's ``a ?: b``?"""
    return getattr(node.iftrue, "name", None) == SAME_AS_CONDITION


# ---- the system's preprocessor ------------------------------------------------------------------------------------


def _preprocess(path: str, data_model: str, directive: Position) -> tuple[str, tuple[str, ...]]:
    program = next(filter(None, map(shutil.which, _PREPROCESSORS)), None)
    if program is None:
        raise InputError(directive, f"needs a C preprocessor, and none of {', '.join(_PREPROCESSORS)} is installed")
    width = "-m32" if data_model == "ILP32" else "-m64"
    with tempfile.TemporaryDirectory() as folder:
        attempt = _run([program, "-E", width, *_headers(program, folder), path], path)
    if attempt.returncode == 0:
        return attempt.stdout, ()
    plain = _run([program, "-E", path], path)
    if plain.returncode != 0:
        raise _preprocessing_error(plain.stderr, directive)
    return plain.stdout, (f"system headers were read as the host has them, not as {data_model} has them",)


def _headers(program: str, folder: str) -> list[str]:
    """Where a 64-bit system keeps headers that serve both widths: searched last. The one header that exists per
    width lists unimplemented functions and may be empty."""
    os.mkdir(os.path.join(folder, "gnu"))
    for name in ("stubs-32.h", "stubs-64.h"):
        with open(os.path.join(folder, "gnu", name), "w", encoding="ascii"):
            pass
    found = _run([program, "-print-multiarch"], program)
    shared = os.path.join("/usr/include", found.stdout.strip()) if found.returncode == 0 else ""
    return [*(("-idirafter", shared) if shared.rstrip("/") != "/usr/include" else ()), "-idirafter", folder]


def _run(command: list[str], path: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise InputError(Position(path, 0), f"the preprocessor took more than {_SECONDS} s") from None
    except OSError as error:
        raise InputError(Position(path, 0), f"the preprocessor cannot be run: {error.strerror}") from None


def _preprocessing_error(complaints: str, directive: Position) -> InputError:
    found = _DIAGNOSTIC.search(complaints)
    if found:
        return InputError(Position(found[1], int(found[2]), int(found[3] or 0)), found[4])
    lines = complaints.strip().splitlines()
    return InputError(directive, f"the preprocessor failed: {lines[0] if lines else 'no message'}")
