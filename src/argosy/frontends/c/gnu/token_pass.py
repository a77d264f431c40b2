"""A pass over tokens: what is still to be read, what is written, and between which braces that is.

What stands for something longer is put in its place among the tokens that are still to be read, so that it is read
itself. Law: a pragma stays before the token that it was before.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.gnu.declared_names import DeclaredNames, outer_names, type_names
from argosy.frontends.c.gnu.words import RECORDS
from argosy.frontends.c.tokens import NO_WORDS, LayoutWords, Lexed, annotate, position_of_token


@dataclass(frozen=True, slots=True)
class BraceGroup:
    """``word`` is that of a structure, union or enumeration, which the token ``opening`` is; ``name`` is the token by
    which the parser knows the structure. ``outside`` is what was said of all declarators of the declaration."""

    opening: Token | None
    name: Token | None
    word: str
    outside: LayoutWords


class TokenPass:
    """``raw`` is read from ``at`` on; ``out`` is written, and the declaration under way starts there at ``start``."""

    def __init__(self, raw: list[Token], result: Lexed) -> None:
        self.raw = raw
        self.result = result
        self.out = result.tokens
        self.at = 0
        self.start = 0
        # Words that may be names of types.
        self.types = type_names(raw)
        # How many braces are around, what is in them, by the words before them where they matter, and the last ones
        # that closed.
        self.braces = 0
        self.opened: list[BraceGroup] = []
        self.closed = BraceGroup(None, None, "", NO_WORDS)
        # How many of the pragmas are before what is read.
        self.pragmas_read = 0
        self._made_up = 0

    def number(self) -> int:
        """One that no other made-up name has."""
        self._made_up += 1
        return self._made_up

    # ---- what is read -----------------------------------------------------------------------------------------

    def next_is(self, kind: str) -> bool:
        return self.at + 1 < len(self.raw) and self.raw[self.at + 1].type == kind

    def balanced(self) -> list[Token]:
        """The tokens of a bracketed group that starts here; ``at`` moves behind it."""
        depth = 0
        first = self.at
        for index in range(first, len(self.raw)):
            kind = self.raw[index].type
            if kind in ("LPAREN", "LBRACKET", "LBRACE"):
                depth += 1
            elif kind in ("RPAREN", "RBRACKET", "RBRACE"):
                depth -= 1
                if depth == 0:
                    self.at = index + 1
                    return self.raw[first : index + 1]
        raise InputError(position_of_token(self.raw[first]), "a bracket that does not close")

    def put(self, start: int, end: int, tokens: list[Token]) -> None:
        """Tokens in the place of those that are still to be read, from one number up to another."""
        length = len(self.raw)
        self.raw[start:end] = tokens
        by = len(self.raw) - length
        packs = self.result.packs
        packs[self.pragmas_read :] = [replace(each, before=each.before + by) for each in packs[self.pragmas_read :]]

    # ---- what is written --------------------------------------------------------------------------------------

    def outer_names(self) -> DeclaredNames | None:
        """Of the declaration under way."""
        return outer_names(self.out, self.start)

    def opens_record(self, kind: str) -> bool:
        """Whether the token that comes next, of this kind, opens a structure."""
        words = [token.type for token in self.out[-2:]]
        return kind == "LBRACE" and not RECORDS.isdisjoint(words)

    # ---- braces -----------------------------------------------------------------------------------------------

    @property
    def in_record(self) -> bool:
        """Whether the innermost braces are those of a structure."""
        return bool(self.opened) and self.opened[-1].word in RECORDS

    def open(self, of_record: LayoutWords, outside: LayoutWords) -> None:
        """The brace that comes next: ``of_record`` is said of the structure that it opens, if it is one, ``outside`` of
        all declarators behind it."""
        self.braces += 1
        self.opened.append(self._group(of_record, outside))

    def _group(self, of_record: LayoutWords, outside: LayoutWords) -> BraceGroup:
        words = self.out[-2:]
        word = next((word for word in reversed(words) if word.type in ("ENUM", *RECORDS)), None)
        if word is None or (word is not words[-1] and words[-1].type != "ID"):
            return BraceGroup(None, None, "", outside)
        name = None
        if word.type in RECORDS:
            name = self.raw[self.at] if word is words[-1] else words[-1]
            annotate(name, of_record)
        return BraceGroup(word, name, word.type, outside)

    def close(self) -> None:
        """The brace that comes next closes the innermost ones."""
        self.braces -= 1
        self.closed = self.opened.pop() if self.opened else BraceGroup(None, None, "", NO_WORDS)
