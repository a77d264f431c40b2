"""Structured text as tokens: IEC 61131-3 (section 6.3) and Siemens' SCL.

Names are case-insensitive: ``key`` is what they are compared by. An annotation (``//#ASSERT e : name;``) is a token
whose text is what stands behind ``//#``; other comments and pragmas are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class PlcToken:
    """``kind`` is one of name, typed (``INT#``), integer, based (``16#FF``), real, duration, date, string, wide,
    address, annotation, end, or the operator itself."""

    kind: str
    text: str
    position: Position

    @property
    def key(self) -> str:
        return self.text.upper()


_TOKEN = re.compile(
    r"""
    (?P<annotation>//\#[ \t]*(?=(?:assert|assume|havoc)\b)[^\n]*)
  | (?P<comment>//[^\n]*|\(\*.*?\*\)|/\*.*?\*/|\{[^}]*\})
  | (?P<duration>(?:LTIME|TIME|LT|T)\#-?(?:[0-9][0-9_]*(?:\.[0-9_]+)?(?:ms|us|ns|d|h|m|s)_?)+)
  | (?P<date>(?:LTOD|TOD|LDT|LDATE_AND_TIME|LTIME_OF_DAY|LDATE|LD|DT|DATE_AND_TIME|TIME_OF_DAY|DATE|D)
        \#[0-9][0-9:.\-]*)
  | (?P<typed>[A-Za-z_][\w$]*\#(?=[\w+\-'"]))
  | (?P<based>(?:2|8|16)\#[0-9A-Fa-f][0-9A-Fa-f_]*)
  | (?P<real>[0-9][0-9_]*\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?|[0-9][0-9_]*[eE][+-]?[0-9]+)
  | (?P<integer>[0-9][0-9_]*)
  | (?P<address>%[IQM][XBWDL]?(?:\*|[0-9]+(?:\.[0-9]+)*)|(?<![\w.\#])[IQM]X?[0-9]+\.[0-9]+(?![\w.]))
  | (?P<name>\#?[^\W\d][\w$]*)
  | (?P<string>'(?:\$.|[^$'\n])*')
  | (?P<wide>"(?:\$.|[^$"\n])*")
  | (?P<operator>:=|\+=|-=|\*=|/=|\?=|=>|->|<=|>=|<>|==|!=|&&|\|\||\*\*|\.\.|[+\-*/&()\[\]=<>.,;:^!%])
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\{\s*(?:IF|ELSIF|ELSE|END_IF|DEFINE|\{)\b|\{\{", re.IGNORECASE)
_MARKS = re.compile(r"\(\*|\*\)")
_SPACE = re.compile(r"[\s\ufeff]*")
_OPENS = (
    ("(*", "a comment that does not end"),
    ("/*", "a comment that does not end"),
    ("{", "a pragma that does not end"),
)
_QUOTES = (("'", "a string that does not end"), ('"', "a string or quoted name that does not end"))


def tokens(path: str, text: str, *, quoted_names: bool = False, start: Position | None = None) -> list[PlcToken]:
    """The tokens of a text that begins at ``start``, the last of them ``end``. SCL has names in double quotes."""
    return list(_scan(path, text, quoted_names, start or Position(path, 1, 1)))


def _scan(path: str, text: str, quoted_names: bool, start: Position) -> Iterator[PlcToken]:
    line, column, counted = start.line, start.column, 0

    def place(offset: int) -> Position:
        nonlocal line, column, counted
        passed = text.count("\n", counted, offset)
        if passed:
            line += passed
            column = offset - text.rindex("\n", counted, offset)
        else:
            column += offset - counted
        counted = offset
        return Position(path, line, column)

    at = _skip(text, 0)
    while at < len(text):
        found = _TOKEN.match(text, at)
        position = place(at)
        if found is None or (text.startswith(("(*", "/*"), at) and found.lastgroup == "operator"):
            for opening, what in (*_OPENS, *_QUOTES):
                if text.startswith(opening, at):
                    raise InputError(position, what)
            raise InputError(position, f"what is {text[at]!r} doing here?")
        kind, spelled = str(found.lastgroup), found.group()
        end = _behind_comments(text, at) if spelled.startswith("(*") else found.end()
        match kind:
            case "comment" if _CONDITIONAL.match(spelled):
                raise UnsupportedError(
                    position, f"the pragma {' '.join(spelled.split())[:40]}, which decides what is compiled"
                )
            case "comment":
                pass
            case "annotation":
                yield PlcToken(kind, spelled[3:].strip(), position)
            case "name":
                yield PlcToken(kind, spelled.removeprefix("#"), position)
            case "typed":
                yield PlcToken(kind, spelled[:-1], position)
            case "wide" if quoted_names:
                yield PlcToken("name", spelled[1:-1], position)
            case "operator":
                yield PlcToken(spelled, spelled, position)
            case _:
                yield PlcToken(kind, spelled, position)
        at = _skip(text, end)
    yield PlcToken("end", "", place(len(text)))


def _behind_comments(text: str, at: int) -> int:
    """Where a comment ends that may have others inside; where they do not add up, at its first end."""
    depth = 0
    for found in _MARKS.finditer(text, at):
        depth += 1 if found.group() == "(*" else -1
        if depth == 0:
            return found.end()
    return text.index("*)", at + 2) + 2


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
