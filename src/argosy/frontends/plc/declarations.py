"""Structured text as a tree: types, variables and program organisation units (IEC 61131-3, sections 6.4 to 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.lexer import PlcToken, tokens
from argosy.frontends.plc.parser import PlcParser
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcArrayType,
    PlcDeclaration,
    PlcEnumType,
    PlcExpression,
    PlcLiteral,
    PlcNamedType,
    PlcSource,
    PlcStructType,
    PlcSubrangeType,
    PlcType,
    PlcTypeDeclaration,
    PlcUnit,
)

SECTIONS = (
    "VAR",
    "VAR_INPUT",
    "VAR_OUTPUT",
    "VAR_IN_OUT",
    "VAR_TEMP",
    "VAR_GLOBAL",
    "VAR_EXTERNAL",
    "VAR_STAT",
    "VAR_CONFIG",
    "VAR_ACCESS",
    "VAR_INST",
)
_QUALIFIERS = frozenset(
    {
        "CONSTANT",
        "RETAIN",
        "NON_RETAIN",
        "PERSISTENT",
        "PUBLIC",
        "PRIVATE",
        "PROTECTED",
        "INTERNAL",
        "DB_SPECIFIC",
        "R_EDGE",
        "F_EDGE",
    }
)
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
    return UnitParser(path, tokens(path, text, quoted_names=quoted_names)).source()


class UnitParser(PlcParser):
    """Everything around statements."""

    def source(self) -> PlcSource:
        units: list[PlcUnit] = []
        types: list[PlcTypeDeclaration] = []
        variables: list[PlcDeclaration] = []
        refused: dict[str, tuple[str, Position]] = {}
        programs: list[tuple[str, str, Position]] = []
        while not self.is_at_end:
            token = self.token
            word = token.key if token.kind == "name" else ""
            if self.take(";"):
                continue
            if word in _KINDS:
                units.append(self._unit(_KINDS[word]))
            elif word == "TYPE":
                types.extend(self._types())
            elif word == "VAR_GLOBAL":
                variables.extend(self._section())
            elif word == "DATA_BLOCK":
                variables.append(self._data_block())
            elif word == "CONFIGURATION":
                self._configuration(variables, programs)
            elif word in _REFUSED:
                self._skip_refused(refused)
            else:
                self.fail("PROGRAM, FUNCTION_BLOCK, FUNCTION, TYPE or VAR_GLOBAL")
        return PlcSource(self._path, tuple(units), tuple(types), tuple(variables), refused, tuple(programs))

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
                declarations.extend(self._section())
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
            type = PlcStructType(tuple(self._section()), name.position)
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

    def _configuration(self, variables: list[PlcDeclaration], programs: list[tuple[str, str, Position]]) -> None:
        """Global variables and which programs run. More than one of them, or more than one task, is refused later."""
        self.advance()
        self.name()
        tasks = 0
        while not self.take_word("END_CONFIGURATION"):
            token = self.token
            if self.is_at_end:
                self.fail("END_CONFIGURATION")
            if self.is_word("VAR_GLOBAL"):
                variables.extend(self._section())
            elif self.take_word("TASK"):
                tasks += 1
                if tasks > 1:
                    raise UnsupportedError(token.position, "several tasks")
                self._to_semicolon()
            elif self.take_word("PROGRAM"):
                instance = self.name()
                if self.take_word("WITH"):
                    self.name()
                self.expect(":")
                programs.append((instance.text, self.name().text, instance.position))
                self._to_semicolon()
            else:
                self.advance()

    def _to_semicolon(self) -> None:
        while self.token.kind != ";" and not self.is_at_end:
            self.advance()
        self.take(";")

    # ---- variables ----------------------------------------------------------------------------------------

    def _section(self) -> Iterator[PlcDeclaration]:
        opening = self.advance()
        section = {"VAR_STAT": "VAR", "VAR_INST": "VAR", "CONST": "VAR"}.get(opening.key, opening.key)
        if section in ("VAR_ACCESS", "VAR_CONFIG"):
            raise UnsupportedError(opening.position, opening.text)
        qualifiers = set()
        if opening.key == "CONST":
            qualifiers.add("CONSTANT")
        while self.is_word(*_QUALIFIERS):
            qualifiers.add(self.advance().key)
        end = {"CONST": "END_CONST", "LABEL": "END_LABEL"}.get(opening.key, "END_VAR")
        found: list[PlcDeclaration] = []
        while not self.take_word(end):
            if opening.key == "LABEL":
                self.name()
                if not self.take(","):
                    self.expect(";")
                continue
            if opening.key == "CONST":
                name = self.name()
                self.expect(":=")
                value = self.expression()
                self.expect(";")
                found.append(self._constant(name, value))
                continue
            found.extend(self._variables(section, frozenset(qualifiers)))
        self.take(";")
        yield from found

    def _constant(self, name: PlcToken, value: PlcExpression) -> PlcDeclaration:
        """A constant of SCL has the type of its value."""
        named = "DINT"
        if isinstance(value, PlcLiteral):
            kinds = {"bool": "BOOL", "real": "REAL", "duration": "TIME", "string": "STRING"}
            named = value.type or kinds.get(value.kind, "DINT")
        type = PlcNamedType(named, name.position)
        return PlcDeclaration(name.text, type, "VAR", name.position, value, qualifiers=frozenset({"CONSTANT"}))

    def _variables(self, section: str, qualifiers: frozenset[str]) -> Iterator[PlcDeclaration]:
        """``a, b AT %IX0.0 : INT := 5;``"""
        names = []
        address = ""
        while True:
            token = self.take("address")
            if token is not None:
                names.append(token)
            else:
                names.append(self.name())
                if self.take_word("AT"):
                    address = self.advance().text
            if not self.take(","):
                break
        self.expect(":")
        type = self.type()
        own = qualifiers
        while self.is_word("R_EDGE", "F_EDGE", "RETAIN"):
            own |= {self.advance().key}
        initial = self.initial() if self.take(":=") else None
        if not self.is_word("END_VAR", "END_STRUCT"):
            self.expect(";")
        for name in names:
            yield PlcDeclaration(name.text, type, section, name.position, initial, address, own)

    def initial(self) -> PlcExpression:
        """An initial value: an expression, ``[1, 2, 3(0)]`` or ``(x := 1, y := 2)``."""
        position = self.token.position
        if self.take("["):
            elements = []
            while not self.take("]"):
                elements.append(self._element())
                if not self.take(","):
                    self.expect("]")
                    break
            return PlcAggregate(tuple(elements), position)
        if self.token.kind == "(" and self.ahead().kind == "name" and self.ahead(2).kind == ":=":
            self.advance()
            elements = []
            while True:
                name = self.name().text
                self.expect(":=")
                elements.append((name, 1, self.initial()))
                if self.take(")"):
                    return PlcAggregate(tuple(elements), position)
                self.expect(",")
        return self.expression()

    def _element(self) -> tuple[str, int, PlcExpression]:
        if self.token.kind == "integer" and self.ahead().kind == "(":
            times = int(self.advance().text)
            self.expect("(")
            value = self.initial()
            self.expect(")")
            return "", times, value
        return "", 1, self.initial()

    # ---- types --------------------------------------------------------------------------------------------

    def _types(self) -> Iterator[PlcTypeDeclaration]:
        self.expect_word("TYPE")
        found = []
        while not self.take_word("END_TYPE"):
            name = self.name()
            if self.is_word("EXTENDS"):
                raise UnsupportedError(self.token.position, "EXTENDS (object orientation)")
            self.take(":")
            type = self.type()
            initial = self.initial() if self.take(":=") else None
            self.take(";")
            found.append(PlcTypeDeclaration(name.text, type, name.position, initial))
        self.take(";")
        yield from found

    def type(self) -> PlcType:
        token = self.token
        if token.kind == "(":
            return self._enumeration(token.position)
        if self.take_word("ARRAY"):
            return self._array(token.position)
        if self.take_word("STRUCT"):
            self.take_word("OVERLAP")
            fields: list[PlcDeclaration] = []
            while not self.take_word("END_STRUCT"):
                fields.extend(self._variables("VAR", frozenset()))
            return PlcStructType(tuple(fields), token.position)
        if self.is_word("REF_TO", "POINTER", "REFERENCE"):
            raise UnsupportedError(token.position, f"references ({token.text})")
        name = self.name()
        while self.token.kind == "." and self.ahead().kind == "name":
            self.advance()
            name = self.name()
        if name.key in ("STRING", "WSTRING") and self.token.kind in ("[", "("):
            closing = "]" if self.advance().kind == "[" else ")"
            length = self.expression()
            self.expect(closing)
            return PlcNamedType(name.text, name.position, length)
        if self.token.kind == "(":
            if self.ahead().kind == "name" and self.ahead(2).kind in (",", ":=", ")"):
                return self._enumeration(name.position, name.text)
            self.advance()
            low = self.expression()
            self.expect("..")
            high = self.expression()
            self.expect(")")
            return PlcSubrangeType(name.text, low, high, name.position)
        return PlcNamedType(name.text, name.position)

    def _enumeration(self, position: Position, base: str = "") -> PlcEnumType:
        self.expect("(")
        names: list[tuple[str, PlcExpression | None]] = []
        while True:
            name = self.name()
            names.append((name.text, self.expression() if self.take(":=") else None))
            if self.take(")"):
                break
            self.expect(",")
        if len({name.upper() for name, _ in names}) < len(names):
            raise InputError(position, "an enumeration with the same name twice")
        if self.token.kind == "name" and self.ahead().kind in (";", ":="):
            base = self.advance().text
        return PlcEnumType(tuple(names), position, base)

    def _array(self, position: Position) -> PlcArrayType:
        self.expect("[")
        dimensions = []
        while True:
            if self.take("*"):
                raise UnsupportedError(position, "an array of any length (ARRAY[*])")
            low = self.expression()
            self.expect("..")
            dimensions.append((low, self.expression()))
            if self.take("]"):
                break
            self.expect(",")
        self.expect_word("OF")
        return PlcArrayType(tuple(dimensions), self.type(), position)
