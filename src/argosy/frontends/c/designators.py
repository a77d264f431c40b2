"""Older and wider ways of GNU C to say which part an initialiser is for, on tokens: ``[1 ... 3] = x``, ``[1] x``,
``name: x``; and ``a[*]`` in a prototype, which says no more than ``a[]`` (C11 6.7.6.2, 4)."""

from __future__ import annotations

from itertools import pairwise

from pycparser.c_lexer import Token

from argosy.frontends.c.tokens import position_of_token
from argosy.frontends.c.unsupported import Construct, error

_OPENING = {"LBRACE": "RBRACE", "LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}
_CLOSING = frozenset(_OPENING.values())
_BEHIND = frozenset(("EQUALS", "LBRACKET", "PERIOD"))
_CHANGES = frozenset(("PLUSPLUS", "MINUSMINUS", "EQUALS"))
_NAMING = frozenset(("PERIOD", "LBRACKET"))
_MOST = 4096


def designated(tokens: list[Token]) -> list[Token]:
    """The tokens with designators as the standard has them."""
    return _Designators(tokens).run() if _may_have_some(tokens) else tokens


def _may_have_some(tokens: list[Token]) -> bool:
    kinds = [token.type for token in tokens]
    for before, own, behind in zip(kinds, kinds[1:], kinds[2:], strict=False):
        if own == "LBRACKET" and before in ("LBRACE", "COMMA"):
            return True
        if own == "TIMES" and before == "LBRACKET" and behind == "RBRACKET":
            return True
        if own == "ID" and behind == "COLON" and before in ("LBRACE", "COMMA"):
            return True
    return False


class _Designators:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._out: list[Token] = []
        # For each bracket that is open: whether it is one of an initialiser.
        self._open: list[bool] = []

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
                if any(each.type == "ELLIPSIS" for each in self._tokens[at:end]):
                    return self._range(at, end)
                if self._type(end + 1) not in _BEHIND:
                    out += [*self._tokens[at : end + 1], _like(token, "EQUALS", "=")]
                    return end + 1
        if token.type == "LBRACKET" and self._type(at + 1) == "TIMES" and self._type(at + 2) == "RBRACKET":
            out += [token, self._tokens[at + 2]]
            return at + 3
        if token.type in _OPENING:
            self._open.append(token.type == "LBRACE" and (before == "EQUALS" or inside))
        elif token.type in _CLOSING and self._open:
            self._open.pop()
        out.append(token)
        return at + 1

    def _range(self, at: int, end: int) -> int:
        """One designator for each of the elements."""
        token, inner = self._tokens[at], self._tokens[at + 1 : end]
        middle = next(n for n, each in enumerate(inner) if each.type == "ELLIPSIS")
        low, high = _number(inner[:middle]), _number(inner[middle + 1 :])
        behind = self._value_end(end + 1)
        value = self._tokens[end + 1 : behind]
        first = _outer_equals(value)
        start = 0 if first is None else first + 1
        within = _Designators(value[start:])
        within._open.append(True)
        value = [*value[:start], *within.run()]
        calls = any(a.type == "ID" and b.type == "LPAREN" for a, b in pairwise(value))
        if low is None or high is None or not low <= high < low + _MOST or _changes(value[start:]) or calls:
            raise error(position_of_token(token), "a range of elements in an initialiser", Construct.STATIC)
        for number in range(low, high + 1):
            index = _like(inner[0], "INT_CONST_DEC", str(number))
            equals = [] if first is not None else [_like(token, "EQUALS", "=")]
            copied = (_like(each, each.type, each.value) for each in value)
            self._out += [token, index, _like(token, "RBRACKET", "]"), *equals, *copied]
            if number < high:
                self._out.append(_like(token, "COMMA", ","))
        return behind

    def _type(self, at: int) -> str:
        return str(self._tokens[at].type) if at < len(self._tokens) else ""

    def _closing(self, at: int) -> int:
        depth = 0
        for index in range(at, len(self._tokens)):
            depth += (self._type(index) in _OPENING) - (self._type(index) in _CLOSING)
            if not depth:
                return index
        return len(self._tokens) - 1

    def _value_end(self, at: int) -> int:
        depth = 0
        for index in range(at, len(self._tokens)):
            kind = self._type(index)
            if not depth and (kind == "COMMA" or kind in _CLOSING):
                return index
            depth += (kind in _OPENING) - (kind in _CLOSING)
        return len(self._tokens)


def _like(token: Token, kind: str, value: str) -> Token:
    return Token(kind, value, token.lineno, token.column, token.filename)


def _outer_equals(value: list[Token]) -> int | None:
    depth = 0
    for index, token in enumerate(value):
        depth += (token.type in _OPENING) - (token.type in _CLOSING)
        if token.type == "EQUALS" and not depth:
            return index
    return None


def _changes(value: list[Token]) -> bool:
    """Whether there is an effect in a value; what designators name is no assignment."""
    first = ""
    for before, token in pairwise((None, *value)):
        if before is None or before.type in ("LBRACE", "COMMA"):
            first = str(token.type) if token is not None else ""
        if token is not None and token.type in _CHANGES and (token.type != "EQUALS" or first not in _NAMING):
            return True
    return False


def _number(tokens: list[Token]) -> int | None:
    """The value of a sum of products of numerals, with brackets."""
    words = []
    for token in tokens:
        text = str(token.value).rstrip("uUlL") if str(token.type).startswith("INT_CONST") else str(token.value)
        if str(token.type).startswith("INT_CONST"):
            try:
                words.append(str(int(text, 8) if text.startswith("0") and text.isdigit() else int(text, 0)))
            except ValueError:
                return None
        elif token.type in ("PLUS", "MINUS", "TIMES", "LPAREN", "RPAREN"):
            words.append(text)
        else:
            return None
    return _computed(words)


def _computed(words: list[str]) -> int | None:
    """Recursive descent; None of what is no such sum."""
    at = 0

    def sum_() -> int | None:
        nonlocal at
        total = product()
        while total is not None and at < len(words) and words[at] in "+-":
            sign = 1 if words[at] == "+" else -1
            at += 1
            other = product()
            total = None if other is None else total + sign * other
        return total

    def product() -> int | None:
        nonlocal at
        total = operand()
        while total is not None and at < len(words) and words[at] == "*":
            at += 1
            other = operand()
            total = None if other is None else total * other
        return total

    def operand() -> int | None:
        nonlocal at
        if at >= len(words):
            return None
        word = words[at]
        at += 1
        if word == "(":
            found = sum_()
            closed = at < len(words) and words[at] == ")"
            at += 1
            return found if closed else None
        return int(word) if word.isdigit() else None

    found = sum_()
    return found if at == len(words) else None
