"""Text with positions, and its tokens (utap's ``lexer.l`` is the definition).

The text of an XML element is not one piece of its file: escapes such as ``&lt;`` are longer there than here. A
``PlacedText`` therefore knows where each of its chunks starts in the file, so that every token has the line and column
that a person finds in an editor.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass


@dataclass(frozen=True)
class PlacedText:
    """``chunks``: (offset in ``text``, line, column) of each piece that is contiguous in the file, ascending."""

    file: str
    text: str
    chunks: tuple[tuple[int, int, int], ...] = ((0, 1, 1),)

    @cached_property
    def _offsets(self) -> list[int]:
        return [chunk[0] for chunk in self.chunks]

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def position(self, offset: int) -> Position:
        start, line, column = self.chunks[bisect_right(self._offsets, offset) - 1]
        first, last = bisect_left(self._newlines, start), bisect_left(self._newlines, offset)
        if first == last:
            return Position(self.file, line, column + offset - start)
        return Position(self.file, line + last - first, offset - self._newlines[last - 1])

    def part(self, start: int, end: int) -> PlacedText:
        """The piece between two offsets, blanks around it removed."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        end = start + len(text.strip())
        first = self.position(start)
        chunks = [(0, first.line, first.column)]
        chunks += [(offset - start, line, column) for offset, line, column in self.chunks if start < offset < end]
        return PlacedText(self.file, self.text[start:end], tuple(chunks))


@dataclass(frozen=True, slots=True)
class UppaalToken:
    """``kind`` is "name", "number", "floating", "string", "end", or the text itself for keywords and symbols."""

    kind: str
    text: str
    start: int
    end: int
    position: Position


_WORDS = """
const int bool clock chan void scalar struct typedef urgent broadcast meta true false forall exists sum not and or xor
imply for while do if else return break continue switch case default assert deadlock process state commit init trans
select guard sync assign system double
"""
KEYWORDS = frozenset(_WORDS.split())

_SYMBOLS = """
-u-> <<= >>= --> := += -= *= /= %= |= &= ^= <? >? << >> || && <= >= =< => == != ++ -- ->
= + - * / % | & ^ < > ! ? : ; , . { } [ ] ( ) '
"""

_OLD_SYMBOLS = {"=<": "<=", "=>": ">="}

_TOKEN = re.compile(
    r"(?P<blank>\s+|\\[ \t]*\n|//[^\n]*|/\*.*?\*/)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_$#]*)"
    r"|(?P<floating>[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))"
    r"|(?P<number>[0-9]+)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<symbol>" + "|".join(re.escape(symbol) for symbol in _SYMBOLS.split()) + ")",
    re.DOTALL,
)


def tokens(source: PlacedText, *, leads_to: bool = False) -> list[UppaalToken]:
    """The tokens of a source, closed by one of kind "end". ``-->`` is one symbol in queries only (``leads_to``)."""
    found: list[UppaalToken] = []
    offset, text = 0, source.text
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if text.startswith("/*", offset) and (match is None or match.lastgroup != "blank"):
            raise InputError(source.position(offset), "comment not closed")
        if match is None:
            raise InputError(source.position(offset), f"unknown symbol {text[offset]!r}")
        kind, word, end = str(match.lastgroup), match.group(), match.end()
        if word == "-->" and not leads_to:
            word, end = "--", offset + 2
        word = _OLD_SYMBOLS.get(word, word)
        if kind == "symbol" or (kind == "name" and word in KEYWORDS):
            kind = word
        if kind != "blank":
            found.append(UppaalToken(kind, word, offset, end, source.position(offset)))
        offset = end
    found.append(UppaalToken("end", "end of text", offset, offset, source.position(offset)))
    return found
