"""Structured text as a tree: statements (IEC 61131-3, table 72; SCL where it differs).

``PlcParser`` reads what stands inside bodies; ``declarations.UnitParser`` adds everything around them. A semicolon
after ``END_IF`` and the like may be missing, as many tools allow; ``ELSEIF`` is ``ELSIF``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.expression_parser import DEEPEST, ENDS, PlcExpressionParser
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.syntax import (
    PlcAnnotation,
    PlcAssignment,
    PlcBinary,
    PlcCall,
    PlcCallStatement,
    PlcCase,
    PlcExpression,
    PlcFor,
    PlcIf,
    PlcJump,
    PlcLabelled,
    PlcRepeat,
    PlcStatement,
    PlcWhile,
)


class PlcParser(PlcExpressionParser):
    """Statements."""

    def statements(self, stop: Callable[[], bool] | None = None) -> tuple[PlcStatement, ...]:
        found: list[PlcStatement] = []
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnsupportedError(self.token.position, "statements that are nested so deeply")
        while True:
            while self.take(";"):
                pass
            if self.is_at_end or self.is_word(*ENDS) or (stop is not None and stop()):
                self._depth -= 1
                return tuple(found)
            if self._is_region():
                continue
            found.extend(self._statement())

    def _is_region(self) -> bool:
        """``REGION title`` and ``END_REGION`` of SCL say how a text is folded."""
        region = self.is_word("REGION") and self.ahead().kind not in (":=", ".", "[", "(", ":")
        if not region and not self.is_word("END_REGION"):
            return False
        line = self.advance().position.line
        while region and self.token.position.line == line and not self.is_at_end:
            self.advance()
        return True

    def _statement(self) -> Sequence[PlcStatement]:
        """One statement; several assignments may stand in one."""
        found = self._structured()
        return self._simple() if found is None else (found,)

    def _structured(self) -> PlcStatement | None:
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
        return None

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
        if not self.is_at_end and not self.is_word(*ENDS):
            self.expect(";")

    def _simple(self) -> Sequence[PlcStatement]:
        """An assignment or a call. ``a := b := 3`` assigns b first, then a what b has become."""
        position = self.token.position
        target = self.postfix()
        if self.token.kind == "?=":
            raise UnsupportedError(position, "an assignment attempt (?=)")
        if self.token.kind in ("+=", "-=", "*=", "/="):
            token = self.advance()
            changed = PlcBinary(token.kind[0], target, self.expression(), token.position)
            self._semicolon()
            return (PlcAssignment(target, changed, position),)
        if self.take(":="):
            targets = [target]
            value = self.expression()
            while self.take(":="):
                targets.append(value)
                value = self.expression()
            self._semicolon()
            values = [*targets[1:], value]
            pairs = zip(reversed(targets), reversed(values), strict=True)
            return tuple(PlcAssignment(into, given, position) for into, given in pairs)
        if isinstance(target, PlcCall):
            self._semicolon()
            return (PlcCallStatement(target, position),)
        self.fail("':=' or a call")

    def _annotation(self) -> PlcAnnotation:
        token = self.advance()
        word, _, rest = token.text.partition(" ")
        kind = word.upper()
        shift = token.text.index(rest) if rest else 0
        where = Position(self._path, token.position.line, token.position.column + 3 + shift)
        inner = PlcParser(self._path, tokens(self._path, rest, quoted_names=self._quoted_names, start=where))
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
        if token.kind not in ("integer", "based", "name", "string", "duration") or token.key in ENDS:
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
