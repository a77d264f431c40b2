"""Columns after preprocessing: where a token stands in the file as it was given.

The preprocessor keeps lines and not columns: it removes comments, joins blanks and expands macros. The tokens of a line
are aligned with those of the original line; one that came out of a macro stands where the macro does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser.c_lexer import Token

_MOVES = re.compile(r"^[ \t]*#[ \t]*(?:line\b|[0-9])", re.MULTILINE)
_WORDS = r"""(?P<skipped>[ \t\f\v\r]+|//(?:[^\n\\]|\\.)*|/\*.*?(?:\*/|\Z)|\\[ \t]*\r?\n)
      | (?P<newline>\n)
      | (?P<directive>\#(?:[^\n\\]|\\[ \t]*\r?\n|\\)*)
      | (?P<word>(?:L|u8|u|U)?"(?:[^"\\\n]|\\.)*"|(?:L|u8|u|U)?'(?:[^'\\\n]|\\.)*'|[A-Za-z_$\u0080-\U0010ffff][\w$]*
        |\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*|\.\.\.|<<=|>>=|\+\+|--|->|&&|\|\||<<|>>|[<>=!*/%+\-&|^]=|.)
    """

Line = list[tuple[str, int]]


def moves_lines(text: str) -> bool:
    """Whether a marker in the text says that its lines are those of another place."""
    return _MOVES.search(text) is not None


def restore_columns(tokens: Sequence[Token], text: str, path: str) -> None:
    """Give the tokens of a file the columns of its text."""
    original = _by_line(text)
    lines: dict[int, list[Token]] = {}
    for token in tokens:
        if token.filename == path:
            lines.setdefault(token.lineno, []).append(token)
    for number, found in lines.items():
        _align(found, original.get(number, []))


def _by_line(text: str) -> dict[int, Line]:
    found: dict[int, Line] = {}
    line, start, fresh = 1, 0, True
    for match in re.finditer(_WORDS, text, re.VERBOSE | re.DOTALL):
        kind, value = match.lastgroup, match.group()
        if kind == "directive" and not fresh:
            kind = "word"
        if kind == "word":
            # As tokens have them, numbers are without separators.
            plain = value.replace("'", "") if value[0].isdigit() or value[0] == "." else value
            found.setdefault(line, []).append((plain, match.start() - start + 1))
        fresh = kind == "newline" or (fresh and kind == "skipped")
        newlines = value.count("\n")
        if newlines:
            line += newlines
            start = match.start() + value.rindex("\n") + 1
    return found


def _align(tokens: Sequence[Token], original: Line) -> None:
    if not original:
        return
    names = [value for value, _ in original]
    own = [token.value for token in tokens]
    if names == own:
        for token, (_, column) in zip(tokens, original, strict=True):
            token.column = column
        return
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, names, own, autojunk=False)
    found: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        found.update((block.b + offset, block.a + offset) for offset in range(block.size))
    last = -1
    for index, token in enumerate(tokens):
        # What has no counterpart came out of a macro, which is the next word that has none.
        last = found.get(index, last)
        at = last if index in found else min(last + 1, len(original) - 1)
        token.column = original[at][1]
