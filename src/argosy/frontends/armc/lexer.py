"""The tokens of the Prolog subset in which ARMC's clauses are written, each with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.frontends.texts import WholeText

# Longer numbers are refused here: sums and products of them still have to be printed somewhere.
MOST_DIGITS = 1000

_TOKEN = re.compile(
    r"(?P<blank>\s+|%[^\n]*|/\*.*?\*/)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?)?)"
    r"|(?P<variable>[A-Z_][A-Za-z0-9_]*)"
    r"|(?P<atom>[a-z][A-Za-z0-9_]*|;|!)"
    r"|(?P<quoted>'(?:[^'\\\n]|''|\\[^\n])*')"
    r"|(?P<end>\.(?=\s|%|\Z))"
    r"|(?P<symbol>[-+*/\\^<>=~:.?@#&$]+)"
    r"|(?P<mark>[()\[\],|{}])",
    re.DOTALL,
)
_ESCAPE = re.compile(r"''|\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is "number", "variable", "atom", "quoted" (an atom that is never an operator), "end" (of a clause),
    "eof", or the text of a mark. ``tight``: an opening parenthesis follows at once, as it does a functor."""

    kind: str
    text: str
    offset: int
    tight: bool = False


class Source(WholeText):
    """A text of clauses."""

    def tokens(self) -> Iterator[Token]:
        """The tokens, closed by one of kind "eof"."""
        text = self.text
        offset = 0
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if text.startswith("/*", offset) and (match is None or match.lastgroup != "blank"):
                raise self.error(offset, "comment not closed")
            if match is None:
                what = "quote not closed" if text[offset] == "'" else f"unknown symbol {text[offset]!r}"
                raise self.error(offset, what)
            kind, word, end = str(match.lastgroup), match.group(), match.end()
            if kind != "blank":
                yield self._token(kind, word, offset, text.startswith("(", end))
            offset = end
        yield Token("eof", "end of file", offset)

    def _token(self, kind: str, word: str, offset: int, tight: bool) -> Token:
        if kind == "mark":
            return Token(word, word, offset)
        if kind == "quoted":
            return Token("quoted", _ESCAPE.sub(_unescaped, word[1:-1]), offset, tight)
        if kind == "symbol":
            return Token("atom", word, offset, tight)
        if kind == "number" and len(word) > MOST_DIGITS:
            raise self.error(offset, f"a number of more than {MOST_DIGITS} digits")
        return Token(kind, word, offset, tight)


def number(source: Source, token: Token) -> int | Fraction:
    """The exact value: ``0.1`` is a tenth."""
    if token.text.isdigit():
        return int(token.text)
    if len(token.text.lower().partition("e")[2]) > 4:
        raise source.error(token.offset, "a number with too large an exponent")
    value = Fraction(token.text)
    return value.numerator if value.denominator == 1 else value


def _unescaped(match: re.Match[str]) -> str:
    if match[0] == "''":
        return "'"
    return _ESCAPED.get(match[1], match[1])
