"""Expressions of structured text as a tree (IEC 61131-3, table 71), and the cursor that all parsers here move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.lexer import PlcToken
from argosy.frontends.plc.literals import literal
from argosy.frontends.plc.syntax import (
    PlcAddress,
    PlcArgument,
    PlcBinary,
    PlcBit,
    PlcCall,
    PlcEnumLiteral,
    PlcExpression,
    PlcIndex,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcUnary,
)

DEEPEST = 100
_LONGEST = 200
_NUMBERS = ("integer", "real")

# From the weakest to the strongest.
_LEVELS: tuple[dict[str, str], ...] = (
    {"->": "->"},
    {"OR": "OR", "||": "OR", "OR_ELSE": "OR_ELSE"},
    {"XOR": "XOR"},
    {"AND": "AND", "&": "AND", "&&": "AND", "AND_THEN": "AND_THEN"},
    {"=": "=", "<>": "<>", "==": "=", "!=": "<>"},
    {"<": "<", ">": ">", "<=": "<=", ">=": ">="},
    {"+": "+", "-": "-"},
    {"*": "*", "/": "/", "MOD": "MOD", "DIV": "/"},
    {"**": "**"},
)

_OPERATORS = {key: (level, operator) for level, row in enumerate(_LEVELS) for key, operator in row.items()}

ENDS = frozenset(
    {
        "ELSE",
        "ELSIF",
        "ELSEIF",
        "UNTIL",
        *(
            f"END_{word}"
            for word in ("IF", "CASE", "FOR", "WHILE", "REPEAT", "PROGRAM", "FUNCTION", "METHOD", "ACTION")
        ),
        *(f"END_{word}" for word in ("FUNCTION_BLOCK", "ORGANIZATION_BLOCK", "STEP")),
    }
)


class PlcExpressionParser:
    """A cursor over tokens. ``c_operators``: ``!``, ``&&``, ``||``, ``==`` and ``->`` are operators too, as requirement
    files write them."""

    def __init__(
        self, path: str, found: Sequence[PlcToken], *, c_operators: bool = False, quoted_names: bool = False
    ) -> None:
        self._path = path
        self._tokens = found
        self._at = 0
        self._depth = 0
        self._c_operators = c_operators
        self._quoted_names = quoted_names

    # ---- the cursor ---------------------------------------------------------------------------------------

    @property
    def token(self) -> PlcToken:
        return self._tokens[self._at]

    @property
    def is_at_end(self) -> bool:
        return self.token.kind == "end"

    def advance(self) -> PlcToken:
        token = self.token
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def ahead(self, by: int = 1) -> PlcToken:
        return self._tokens[min(self._at + by, len(self._tokens) - 1)]

    def is_word(self, *words: str) -> bool:
        return self.token.kind == "name" and self.token.key in words

    def take_word(self, *words: str) -> PlcToken | None:
        return self.advance() if self.is_word(*words) else None

    def take(self, kind: str) -> PlcToken | None:
        return self.advance() if self.token.kind == kind else None

    def expect(self, kind: str) -> PlcToken:
        found = self.take(kind)
        if found is None:
            self.fail(f"'{kind}'" if not kind.isalpha() else f"a {kind}")
        return found

    def expect_word(self, *words: str) -> PlcToken:
        found = self.take_word(*words)
        if found is None:
            self.fail(" or ".join(words))
        return found

    def fail(self, wanted: str) -> NoReturn:
        got = "the end of the text" if self.is_at_end else f"'{self.token.text}'"
        raise InputError(self.token.position, f"expected {wanted}, not {got}")

    def name(self) -> PlcToken:
        return self.expect("name")

    # ---- expressions --------------------------------------------------------------------------------------

    def expression(self) -> PlcExpression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnsupportedError(self.token.position, "an expression that is nested so deeply")
        found = self._binary(0)
        self._depth -= 1
        return found

    def _binary(self, least: int) -> PlcExpression:
        """Operators that bind at least so strongly, by climbing (Pratt, *Top down operator precedence*, 1973)."""
        left, chained = self._unary(), 0
        while True:
            token = self.token
            key = token.key if token.kind == "name" else token.kind
            level, operator = _OPERATORS.get(key, (-1, ""))
            if level < least or (key in ("->", "==", "!=", "&&", "||") and not self._c_operators):
                return left
            self.advance()
            chained += 1
            if chained > _LONGEST:
                raise UnsupportedError(token.position, f"more than {_LONGEST} operators in a row")
            # An implication is read from the right, all others from the left.
            left = PlcBinary(operator, left, self._binary(level if operator == "->" else level + 1), token.position)

    def _unary(self) -> PlcExpression:
        """Signs and NOT, from the inside out. NOT binds weaker than a comparison in no dialect: NOT a = b is
        (NOT a) = b."""
        signs = []
        while self.token.kind in ("-", "+") or self.is_word("NOT") or (self._c_operators and self.token.kind == "!"):
            signs.append(self.advance())
            if len(signs) > DEEPEST:
                raise UnsupportedError(self.token.position, "an expression that is nested so deeply")
        found = self.postfix()
        for token in reversed(signs):
            if token.kind not in ("-", "+"):
                found = PlcUnary("NOT", found, token.position)
            elif token.kind == "-" and isinstance(found, PlcLiteral) and found.kind in _NUMBERS and not found.type:
                found = PlcLiteral(found.kind, -found.value, token.position)
            elif token.kind == "-":
                found = PlcUnary("-", found, token.position)
        return found

    def postfix(self) -> PlcExpression:
        base = self._primary()
        while True:
            token = self.token
            if self.take("."):
                base = self._member(base, token.position)
            elif self.take("["):
                indices = [self.expression()]
                while self.take(","):
                    indices.append(self.expression())
                self.expect("]")
                base = PlcIndex(base, tuple(indices), token.position)
            elif token.kind == "(" and isinstance(base, PlcName | PlcMember | PlcIndex):
                self.advance()
                base = PlcCall(base, self.arguments(), base.position)
            elif token.kind == "^":
                raise UnsupportedError(token.position, "references (^)")
            else:
                return base

    def _member(self, base: PlcExpression, position: Position) -> PlcExpression:
        if self.token.kind == "integer":
            return PlcBit(base, literal(self.advance()).value, position)
        if self.take("%"):
            word = self.name()
            if not re.fullmatch(r"X[0-9]+", word.key):
                raise UnsupportedError(word.position, f"the part %{word.text} of a bit string (bits, %X0, are read)")
            return PlcBit(base, int(word.key[1:]), position)
        return PlcMember(base, self.name().text, position)

    def arguments(self) -> tuple[PlcArgument, ...]:
        found: list[PlcArgument] = []
        if self.take(")"):
            return ()
        while True:
            found.append(self._argument())
            if self.take(")"):
                return tuple(found)
            self.expect(",")

    def _argument(self) -> PlcArgument:
        position = self.token.position
        negated = self.is_word("NOT") and self.ahead().kind == "name" and self.ahead(2).kind == "=>"
        if negated:
            self.advance()
        if self.token.kind == "name" and self.ahead().kind in (":=", "=>"):
            name = self.advance().text
            output = self.advance().kind == "=>"
            if output and self.token.kind in (",", ")"):
                # An output that nobody takes.
                return PlcArgument(name, PlcName("", position), position, True, negated)
            return PlcArgument(name, self.expression(), position, output, negated)
        return PlcArgument("", self.expression(), position)

    def _primary(self) -> PlcExpression:
        token = self.token
        match token.kind:
            case "(":
                self.advance()
                inner = self.expression()
                self.expect(")")
                return inner
            case "integer" | "based" | "real" | "duration" | "date" | "string" | "wide":
                self.advance()
                return literal(token)
            case "typed":
                self.advance()
                return self._typed(token)
            case "address":
                self.advance()
                return PlcAddress(token.text, token.position)
            case "name":
                if token.key in ("TRUE", "FALSE"):
                    self.advance()
                    return PlcLiteral("bool", token.key == "TRUE", token.position)
                if token.key in ("THIS", "SUPER", "REF", "ADR", "NULL", "SIZEOF"):
                    raise UnsupportedError(token.position, f"{token.text} (references and classes)")
                if token.key not in ENDS:
                    self.advance()
                    return PlcName(token.text, token.position)
        self.fail("an expression")

    def _typed(self, type: PlcToken) -> PlcExpression:
        token = self.advance()
        negative = token.kind == "-"
        if token.kind in ("-", "+"):
            token = self.advance()
        if token.kind == "name" and token.key not in ("TRUE", "FALSE"):
            return PlcEnumLiteral(type.text, token.text, type.position)
        if token.kind == "name":
            return PlcLiteral("bool", token.key == "TRUE", type.position, type.key)
        if token.kind not in ("integer", "based", "real", "string", "wide"):
            raise InputError(token.position, f"expected a value of the type {type.text}, not '{token.text}'")
        read = literal(token)
        if read.kind == "string" and type.key in ("CHAR", "WCHAR") and len(read.value) == 1:
            return PlcLiteral("integer", ord(read.value), type.position, type.key)
        if read.kind == "string" and negative:
            raise InputError(token.position, "a string with a sign")
        value = -read.value if negative else read.value
        if type.key == "BOOL" and value in (0, 1):
            return PlcLiteral("bool", bool(value), type.position, type.key)
        return PlcLiteral(read.kind, value, type.position, type.key)
