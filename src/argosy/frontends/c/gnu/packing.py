"""``#pragma pack``: which value is in force where a structure ends (GCC's manual, 6.62.11), by the stack of values.

Law: where compilers do not agree on which value counts, no layout of the structures behind it is known.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.gnu.words import RECORDS
from argosy.frontends.c.tokens import LayoutWords, annotate
from argosy.frontends.c.unsupported import Construct, Obstacle


class Packing:
    """The value in force, and those that were pushed with a name."""

    def __init__(self, text: TokenPass) -> None:
        self._text = text
        self._value: int | None = None
        self._pushed: list[tuple[str, int | None]] = []
        self._unknown: Obstacle | None = None

    def read(self) -> None:
        """Pragmas before the next token."""
        text = self._text
        packs = text.result.packs
        while text.pragmas_read < len(packs) and packs[text.pragmas_read].before <= text.at:
            pragma = packs[text.pragmas_read]
            text.pragmas_read += 1
            inside = any(each.word in RECORDS for each in text.opened)
            if pragma.unknown or inside:
                # Compilers do not agree on which value counts inside of a structure.
                self._unknown = Obstacle(pragma.position, "#pragma pack", Construct.LAYOUT)
            if pragma.operation == "push":
                self._pushed.append((pragma.name, self._value))
                self._value = self._value if pragma.value is None else pragma.value or None
            elif pragma.operation == "set":
                self._value = pragma.value or None
            else:
                self._pop(pragma.name)

    def _pop(self, name: str) -> None:
        if name and all(own != name for own, _ in self._pushed):
            return
        while self._pushed:
            own, self._value = self._pushed.pop()
            if not name or own == name:
                return

    def say(self, name: Token) -> None:
        """What is in force is so for the structure of this name."""
        annotate(name, LayoutWords(pack=self._value, unknown=self._unknown))
