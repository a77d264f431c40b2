"""Older and wider ways of GNU C to say which part an initialiser is for, on tokens: ``[1 ... 3] = x``, ``[1] x``,
``name: x``; and ``a[*]`` in a prototype, which says no more than ``a[]`` (C11 6.7.6.2, 4)."""

from __future__ import annotations

from pycparser.c_lexer import Token

_OPENING = {"LBRACE": "RBRACE", "LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}
_CLOSING = frozenset(_OPENING.values())
# Behind these, brackets before a brace are no type in brackets.
_BEFORE_LISTS = frozenset(("ID", "RPAREN", "RBRACKET", "IF", "WHILE", "FOR", "SWITCH", "TYPEOF", "TYPEOF_UNQUAL"))
_BEHIND = frozenset(("EQUALS", "LBRACKET", "PERIOD"))


def designated(tokens: list[Token]) -> list[Token]:
    """The tokens with designators as the standard has them."""
    return _Designators(tokens).run() if _may_have_some(tokens) else tokens


def _may_have_some(tokens: list[Token]) -> bool:
    kinds = [token.type for token in tokens]
    if "ELLIPSIS" in kinds:
        return True
    for at, own in enumerate(kinds):
        if own == "LBRACKET":
            if kinds[at - 1] in ("LBRACE", "COMMA") or kinds[at + 1 : at + 3] == ["TIMES", "RBRACKET"]:
                return True
        elif own == "COLON" and at > 2 and kinds[at - 1] == "ID":
            before = kinds[at - 2]
            if before == "COMMA" or (before == "LBRACE" and not _begins_statements(kinds, at - 3)):
                return True
    return False


def _begins_statements(kinds: list[str], at: int) -> bool:
    """Whether a brace behind a token of these opens a block, and no list, as far as can be seen at once."""
    depth, index = 0, at
    while index > 0 and kinds[at] == "RPAREN":
        depth += (kinds[index] == "RPAREN") - (kinds[index] == "LPAREN")
        index -= 1
        if not depth:
            return kinds[index] in _BEFORE_LISTS
    return kinds[at] in ("SEMI", "ELSE", "DO")


class _Designators:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._out: list[Token] = []
        # For each bracket that is open: whether it is one of an initialiser.
        self._open: list[bool] = []
        self._brackets: list[str] = []

    def run(self) -> list[Token]:
        at = 0
        while at < len(self._tokens):
            at = self._step(at)
        return self._out

    def _step(self, at: int) -> int:
        token, out = self._tokens[at], self._out
        before = out[-1].type if out else ""
        inside = bool(self._open) and self._open[-1]
        if inside and before in ("LBRACE", "COMMA"):
            if token.type == "ID" and self._type(at + 1) == "COLON":
                out += [_like(token, "PERIOD", "."), token, _like(token, "EQUALS", "=")]
                return at + 2
            if token.type == "LBRACKET":
                end = self._closing(at)
                if self._type(end + 1) not in _BEHIND:
                    out += [*map(_bound, self._tokens[at : end + 1]), _like(token, "EQUALS", "=")]
                    return end + 1
        if token.type == "LBRACKET" and self._type(at + 1) == "TIMES" and self._type(at + 2) == "RBRACKET":
            out += [token, self._tokens[at + 2]]
            return at + 3
        if token.type in _OPENING:
            begins = before == "EQUALS" or inside or (before == "RPAREN" and self._names_a_type())
            self._open.append(token.type == "LBRACE" and begins)
            self._brackets.append(token.type)
        elif token.type in _CLOSING and self._open:
            self._open.pop()
            self._brackets.pop()
        out.append(_bound(token) if self._brackets[-1:] == ["LBRACKET"] else token)
        return at + 1

    def _names_a_type(self) -> bool:
        """Whether the brackets that were read last are those of a compound literal, and no list of parameters or
        condition."""
        depth = 0
        for index in range(len(self._out) - 1, 0, -1):
            depth += (self._out[index].type in _CLOSING) - (self._out[index].type in _OPENING)
            if not depth:
                return self._out[index - 1].type not in _BEFORE_LISTS
        return False

    def _type(self, at: int) -> str:
        return str(self._tokens[at].type) if at < len(self._tokens) else ""

    def _closing(self, at: int) -> int:
        depth = 0
        for index in range(at, len(self._tokens)):
            depth += (self._type(index) in _OPENING) - (self._type(index) in _CLOSING)
            if not depth:
                return index
        return len(self._tokens) - 1


def _bound(token: Token) -> Token:
    """A range of elements is read as one of cases is: a weak binary operator is between its bounds."""
    return _like(token, "LOR", "...") if token.type == "ELLIPSIS" else token


def _like(token: Token, kind: str, value: str) -> Token:
    return Token(kind, value, token.lineno, token.column, token.filename)
