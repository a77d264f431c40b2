"""The tokens of Theta's languages, each with its place in the file.

The grammars are ``CfaDsl.g4``, ``StsDsl.g4`` and ``XstsDsl.g4`` of ftsrg/theta. They share everything but their words
and a few symbols: names with dots and dollars are XSTS's, a bit-vector such as ``4'd5`` is an automaton's.
"""

from __future__ import annotations

import re

from argosy.basics.records import dataclass
from argosy.frontends.texts import WholeText

# Longer numbers are refused here: sums and products of them still have to be printed somewhere.
MOST_DIGITS = 1000

_SYMBOLS = ":= /= <= >= == != && || => <- -> ++ = < > + - * / % ! ' ( ) [ ] { } , : ; ."
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n\f]+|//[^\r\n]*|/\*.*?\*/)"
    r"|(?P<bits>[0-9]+'(?:b[01]+|d[+-]?[0-9]+|x[0-9a-fA-F]+))"
    r"|(?P<number>[0-9]+)"
    r"|(?P<name>[A-Za-z_$](?:[A-Za-z0-9_$]|\.(?=[A-Za-z_$]))*)"
    r"|(?P<symbol>" + "|".join(re.escape(symbol) for symbol in _SYMBOLS.split()) + ")",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class ThetaToken:
    """``kind`` is "name", "number", "bits", "end", or the text itself for words and symbols."""

    kind: str
    text: str
    offset: int


class ThetaText(WholeText):
    """A text in one of the languages."""

    def tokens(self, words: frozenset[str]) -> list[ThetaToken]:
        """The tokens, closed by one of kind "end"; ``words`` are the keywords of the language."""
        text = self.text
        found: list[ThetaToken] = []
        offset = 0
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if text.startswith("/*", offset) and (match is None or match.lastgroup != "blank"):
                raise self.error(offset, "comment not closed")
            if match is None:
                raise self.error(offset, f"unknown symbol {text[offset]!r}")
            kind, word = str(match.lastgroup), match.group()
            if kind in ("number", "bits") and len(word) > MOST_DIGITS:
                raise self.error(offset, f"a number of more than {MOST_DIGITS} digits")
            if kind == "symbol" or (kind == "name" and word in words):
                kind = word
            if kind != "blank":
                found.append(ThetaToken(kind, word, offset))
            offset = match.end()
        found.append(ThetaToken("end", "the end of the file", offset))
        return found
