"""Structured text as a tree: statements and expressions (IEC 61131-3, tables 71 to 74; SCL where it differs).

``PlcParser`` reads what stands inside bodies; ``declarations.UnitParser`` adds everything around them. A semicolon
after ``END_IF`` and the like may be missing, as many tools allow; ``ELSEIF`` is ``ELSIF``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.lexer import PlcToken, tokens
from argosy.frontends.plc.literals import literal
from argosy.frontends.plc.syntax import (
    PlcAddress,
    PlcAnnotation,
    PlcArgument,
    PlcAssignment,
    PlcBinary,
    PlcBit,
    PlcCall,
    PlcCallStatement,
    PlcCase,
    PlcEnumLiteral,
    PlcExpression,
    PlcFor,
    PlcIf,
    PlcIndex,
    PlcJump,
    PlcLabelled,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcRepeat,
    PlcStatement,
    PlcUnary,
    PlcWhile,
)

_DEEPEST = 150

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

_ENDS = frozenset(
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


class PlcParser:
    """A cursor over tokens. ``c_operators``: ``!``, ``&&``, ``||``, ``==`` and ``->`` are operators too, as requirement
    files write them."""

    def __init__(self, path: str, found: Sequence[PlcToken], *, c_operators: bool = False) -> None:
        self._path = path
        self._tokens = found
        self._at = 0
        self._depth = 0
        self._c_operators = c_operators

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

    # ---- statements ---------------------------------------------------------------------------------------

    def statements(self, stop: Callable[[], bool] | None = None) -> tuple[PlcStatement, ...]:
        found: list[PlcStatement] = []
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnsupportedError(self.token.position, "statements that are nested so deeply")
        while True:
            while self.take(";"):
                pass
            if self.is_at_end or self.is_word(*_ENDS) or (stop is not None and stop()):
                self._depth -= 1
                return tuple(found)
            found.append(self._statement())

    def _statement(self) -> PlcStatement:
        token = self.token
        if token.kind == "annotation":
            return self._annotation()
        if token.kind == "name":
            parse = self._compound(token.key)
            if parse is not None:
                self.advance()
                statement = parse(token.position)
                self.take(";")
                return statement
            if token.key in ("EXIT", "CONTINUE", "RETURN") and self.ahead().kind in (";", "end", "name"):
                self.advance()
                self._semicolon()
                return PlcJump(token.key, token.position)
            if token.key == "GOTO":
                self.advance()
                label = self.name().text
                self._semicolon()
                return PlcJump("GOTO", token.position, label)
            if self.ahead().kind == ":":
                self.advance()
                self.advance()
                return PlcLabelled(token.text, token.position)
        return self._simple()

    def _compound(self, key: str) -> Callable[[Position], PlcStatement] | None:
        match key:
            case "IF":
                return self._if
            case "CASE":
                return self._case
            case "FOR":
                return self._for
            case "WHILE":
                return self._while
            case "REPEAT":
                return self._repeat
        return None

    def _semicolon(self) -> None:
        if not self.is_at_end and not self.is_word(*_ENDS):
            self.expect(";")

    def _simple(self) -> PlcStatement:
        """An assignment or a call."""
        position = self.token.position
        target = self.postfix()
        if self.token.kind == "?=":
            raise UnsupportedError(position, "an assignment attempt (?=)")
        if self.take(":="):
            value = self.expression()
            if self.token.kind == ":=":
                raise UnsupportedError(self.token.position, "several assignments in one statement")
            self._semicolon()
            return PlcAssignment(target, value, position)
        if isinstance(target, PlcCall):
            self._semicolon()
            return PlcCallStatement(target, position)
        self.fail("':=' or a call")

    def _annotation(self) -> PlcAnnotation:
        token = self.advance()
        word, _, rest = token.text.partition(" ")
        kind = word.upper()
        shift = token.text.index(rest) if rest else 0
        where = Position(self._path, token.position.line, token.position.column + 3 + shift)
        inner = PlcParser(self._path, tokens(self._path, rest, start=where))
        expression = inner.expression()
        # What was read, without the name behind it.
        end = inner.token.position.column - where.column
        text = rest[:end].strip() if not inner.is_at_end else rest.strip()
        name = ""
        if inner.take(":"):
            name = inner.name().text
        inner.take(";")
        if not inner.is_at_end:
            inner.fail("the end of the annotation")
        return PlcAnnotation(kind, expression, name, text, token.position)

    def _if(self, position: Position) -> PlcIf:
        branches: list[tuple[PlcExpression | None, tuple[PlcStatement, ...]]] = []
        condition = self.expression()
        self.expect_word("THEN")
        branches.append((condition, self.statements()))
        while self.take_word("ELSIF", "ELSEIF"):
            condition = self.expression()
            self.expect_word("THEN")
            branches.append((condition, self.statements()))
        if self.take_word("ELSE"):
            branches.append((None, self.statements()))
        self.expect_word("END_IF")
        return PlcIf(tuple(branches), position)

    def _case(self, position: Position) -> PlcCase:
        selector = self.expression()
        self.expect_word("OF")
        branches = []
        self.take(";")
        while not self.is_word("ELSE", "END_CASE"):
            labels = [self._label()]
            while self.take(","):
                labels.append(self._label())
            self.expect(":")
            branches.append((tuple(labels), self.statements(self._is_case_label)))
        otherwise: tuple[PlcStatement, ...] = ()
        if self.take_word("ELSE"):
            self.take(":")
            otherwise = self.statements()
        self.expect_word("END_CASE")
        return PlcCase(selector, tuple(branches), otherwise, position)

    def _label(self) -> tuple[PlcExpression, PlcExpression | None]:
        low = self._binary(6)
        return low, self._binary(6) if self.take("..") else None

    def _is_case_label(self) -> bool:
        """Whether labels of a branch begin here: constants and ranges of them, with commas, up to a colon."""
        if self.token.kind == "name" and self.ahead().kind == ":" and self._is_goto_target():
            return False
        by = self._behind_constant(0)
        while by is not None and self.ahead(by).kind in ("..", ","):
            by = self._behind_constant(by + 1)
        return by is not None and self.ahead(by).kind == ":"

    def _behind_constant(self, by: int) -> int | None:
        """How many tokens ahead a constant that begins so many ahead has ended; None where none begins."""
        if self.ahead(by).kind in ("-", "+"):
            by += 1
        if self.ahead(by).kind == "typed":
            by += 2 if self.ahead(by + 1).kind in ("-", "+") else 1
        token = self.ahead(by)
        if token.kind not in ("integer", "based", "name", "string", "duration") or token.key in _ENDS:
            return None
        by += 1
        while self.ahead(by).kind == "." and self.ahead(by + 1).kind == "name":
            by += 2
        return by

    def _is_goto_target(self) -> bool:
        key = self.token.key
        return any(
            a.kind == "name" and a.key == "GOTO" and b.key == key
            for a, b in zip(self._tokens, self._tokens[1:], strict=False)
        )

    def _for(self, position: Position) -> PlcFor:
        variable = self.postfix()
        self.expect(":=")
        first = self.expression()
        self.expect_word("TO")
        last = self.expression()
        step = self.expression() if self.take_word("BY") else None
        self.expect_word("DO")
        body = self.statements()
        self.expect_word("END_FOR")
        return PlcFor(variable, first, last, step, body, position)

    def _while(self, position: Position) -> PlcWhile:
        condition = self.expression()
        self.expect_word("DO")
        body = self.statements()
        self.expect_word("END_WHILE")
        return PlcWhile(condition, body, position)

    def _repeat(self, position: Position) -> PlcRepeat:
        body = self.statements()
        self.expect_word("UNTIL")
        until = self.expression()
        self.take(";")
        self.expect_word("END_REPEAT")
        return PlcRepeat(body, until, position)

    # ---- expressions --------------------------------------------------------------------------------------

    def expression(self) -> PlcExpression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnsupportedError(self.token.position, "an expression that is nested so deeply")
        found = self._binary(0)
        self._depth -= 1
        return found

    def _binary(self, level: int) -> PlcExpression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while True:
            token = self.token
            key = token.key if token.kind == "name" else token.kind
            operator = _LEVELS[level].get(key)
            if operator is None or (key in ("->", "==", "!=", "&&", "||") and not self._c_operators):
                return left
            self.advance()
            # An implication is read from the right, all others from the left.
            right = self._binary(level) if operator == "->" else self._binary(level + 1)
            left = PlcBinary(operator, left, right, token.position)

    def _unary(self) -> PlcExpression:
        token = self.token
        if token.kind in ("-", "+"):
            self.advance()
            operand = self._unary()
            if token.kind == "+":
                return operand
            if isinstance(operand, PlcLiteral) and operand.kind in ("integer", "real") and not operand.type:
                return PlcLiteral(operand.kind, -operand.value, token.position)
            return PlcUnary("-", operand, token.position)
        if self.take_word("NOT") or (self._c_operators and self.take("!")):
            # NOT binds weaker than a comparison in no dialect: NOT a = b is (NOT a) = b.
            return PlcUnary("NOT", self._unary(), token.position)
        return self.postfix()

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
                base = PlcCall(base, self._arguments(), base.position)
            elif token.kind == "^":
                raise UnsupportedError(token.position, "references (^)")
            else:
                return base

    def _member(self, base: PlcExpression, position: Position) -> PlcExpression:
        if self.token.kind == "integer":
            return PlcBit(base, int(self.advance().text), position)
        if self.take("%"):
            word = self.name()
            if not re.fullmatch(r"X[0-9]+", word.key):
                raise UnsupportedError(word.position, f"the part %{word.text} of a bit string (bits, %X0, are read)")
            return PlcBit(base, int(word.key[1:]), position)
        return PlcMember(base, self.name().text, position)

    def _arguments(self) -> tuple[PlcArgument, ...]:
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
                if token.key not in _ENDS:
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
        value = -read.value if negative else read.value
        if type.key == "BOOL" and value in (0, 1):
            return PlcLiteral("bool", bool(value), type.position, type.key)
        return PlcLiteral(read.kind, value, type.position, type.key)
