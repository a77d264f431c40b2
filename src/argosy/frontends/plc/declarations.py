"""Structured text as a tree: program organisation units and configurations (IEC 61131-3, sections 6.6 to 6.8)."""

from __future__ import annotations

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcDeclaration,
    PlcExpression,
    PlcLiteral,
    PlcNamedType,
    PlcSource,
    PlcStructType,
    PlcType,
    PlcTypeDeclaration,
    PlcUnit,
)
from argosy.frontends.plc.type_parser import SECTIONS, TypeParser

_KINDS = {
    "PROGRAM": "PROGRAM",
    "FUNCTION_BLOCK": "FUNCTION_BLOCK",
    "FUNCTION": "FUNCTION",
    "ORGANIZATION_BLOCK": "PROGRAM",
}
# What object orientation and charts begin with: read over, refused where a program needs it.
_REFUSED = {
    "CLASS": "a class",
    "INTERFACE": "an interface",
    "NAMESPACE": "a namespace",
    "METHOD": "a method",
    "ACTION": "an action",
}
_ATTRIBUTES = frozenset({"TITLE", "AUTHOR", "VERSION", "FAMILY", "NAME", "KNOW_HOW_PROTECT"})


def parse(path: str, text: str, *, quoted_names: bool = False) -> PlcSource:
    """The tree of a text. Raises InputError where it is none of structured text."""
    return UnitParser(path, tokens(path, text, quoted_names=quoted_names), quoted_names=quoted_names).source()


class UnitParser(TypeParser):
    """Everything around statements."""

    def source(self) -> PlcSource:
        units: list[PlcUnit] = []
        types: list[PlcTypeDeclaration] = []
        variables: list[PlcDeclaration] = []
        refused: dict[str, tuple[str, Position]] = {}
        programs: list[tuple[str, str, Position]] = []
        interval = ""
        while not self.is_at_end:
            token = self.token
            word = token.key if token.kind == "name" else ""
            if self.take(";"):
                continue
            if word in _KINDS:
                units.append(self._unit(_KINDS[word]))
            elif word == "TYPE":
                types.extend(self.types())
            elif word == "VAR_GLOBAL":
                variables.extend(self.section())
            elif word == "DATA_BLOCK":
                variables.append(self._data_block())
            elif word == "CONFIGURATION":
                interval = self._configuration(variables, programs)
            elif word in _REFUSED:
                self._skip_refused(refused)
            else:
                self.fail("PROGRAM, FUNCTION_BLOCK, FUNCTION, TYPE or VAR_GLOBAL")
        return PlcSource(self._path, tuple(units), tuple(types), tuple(variables), refused, tuple(programs), interval)

    # ---- units --------------------------------------------------------------------------------------------

    def _unit(self, kind: str) -> PlcUnit:
        opening = self.advance()
        while self.is_word("PUBLIC", "PRIVATE", "INTERNAL", "FINAL", "ABSTRACT"):
            self.advance()
        name = self.name()
        result: PlcType | None = None
        if self.is_word("EXTENDS", "IMPLEMENTS"):
            raise UnsupportedError(self.token.position, f"{self.token.text} (object orientation)")
        if self.take(":"):
            result = self.type()
            if isinstance(result, PlcNamedType) and result.name.upper() == "VOID":
                result = None
            self.take(";")
        declarations: list[PlcDeclaration] = []
        while True:
            if self.is_word(*_ATTRIBUTES) and self.ahead().kind in (":", "=", ":="):
                self._skip_attribute()
            elif self.is_word(*SECTIONS, "CONST", "LABEL"):
                declarations.extend(self.section())
            elif self.take(";"):
                pass
            else:
                break
        self.take_word("BEGIN")
        if self.is_word("METHOD", "ACTION", "PROPERTY"):
            raise UnsupportedError(self.token.position, f"{self.token.text} (object orientation)")
        body = self.statements()
        self.expect_word(f"END_{opening.key}")
        self.take(";")
        return PlcUnit(kind, name.text, tuple(declarations), body, name.position, result)

    def _skip_attribute(self) -> None:
        line = self.token.position.line
        while self.token.position.line == line and not self.is_at_end:
            self.advance()

    def _skip_refused(self, refused: dict[str, tuple[str, Position]]) -> None:
        opening = self.advance()
        while self.is_word("FINAL", "ABSTRACT", "PUBLIC"):
            self.advance()
        name = self.name()
        refused[name.key] = (f"{_REFUSED[opening.key]} ({opening.text} {name.text})", opening.position)
        while not self.is_word(f"END_{opening.key}"):
            if self.is_at_end:
                self.fail(f"END_{opening.key}")
            self.advance()
        self.advance()

    def _data_block(self) -> PlcDeclaration:
        """A data block is a global variable: an instance of a function block, or a structure."""
        self.advance()
        name = self.name()
        while self.is_word(*_ATTRIBUTES):
            self._skip_attribute()
        if self.is_word("STRUCT"):
            type = self.type()
            self.take(";")
        elif self.is_word("VAR"):
            type = PlcStructType(tuple(self.section()), name.position)
        else:
            type = self.type()
        self.take(";")
        initial: list[tuple[str, int, PlcExpression]] = []
        if self.take_word("BEGIN"):
            while not self.is_word("END_DATA_BLOCK"):
                field = self.name().text
                self.expect(":=")
                initial.append((field, 1, self.expression()))
                self.expect(";")
        self.expect_word("END_DATA_BLOCK")
        value = PlcAggregate(tuple(initial), name.position) if initial else None
        return PlcDeclaration(name.text, type, "VAR_GLOBAL", name.position, value)

    def _configuration(self, variables: list[PlcDeclaration], programs: list[tuple[str, str, Position]]) -> str:
        """Global variables, which programs run, and the interval of the one task. More than one program is refused
        later."""
        self.advance()
        self.name()
        interval, tasks = "", 0
        while not self.take_word("END_CONFIGURATION"):
            token = self.token
            if self.is_word("VAR_GLOBAL"):
                variables.extend(self.section())
            elif self.take_word("RESOURCE"):
                self.name()
                if self.take_word("ON"):
                    self.name()
            elif self.take_word("TASK"):
                tasks += 1
                if tasks > 1:
                    raise UnsupportedError(token.position, "several tasks")
                interval = self._task()
            elif self.take_word("PROGRAM"):
                instance = self.name()
                if self.take_word("WITH"):
                    self.name()
                self.expect(":")
                programs.append((instance.text, self.name().text, instance.position))
                if self.token.kind == "(":
                    raise UnsupportedError(self.token.position, "a program that is connected in its configuration")
                self.expect(";")
            elif self.is_word("VAR_CONFIG", "VAR_ACCESS"):
                raise UnsupportedError(token.position, token.text)
            elif not self.take_word("END_RESOURCE") and not self.take(";"):
                self.fail("END_CONFIGURATION")
        return interval

    def _task(self) -> str:
        """``t(INTERVAL := T#20ms, PRIORITY := 1);``"""
        self.name()
        interval = ""
        self.expect("(")
        for argument in self.arguments():
            match argument.name.upper(), argument.value:
                case "INTERVAL", PlcLiteral("duration", value):
                    interval = f"{value}ns"
                case "PRIORITY", _:
                    pass
                case _:
                    raise UnsupportedError(argument.position, f"a task with {argument.name or 'such a value'}")
        self.expect(";")
        return interval
