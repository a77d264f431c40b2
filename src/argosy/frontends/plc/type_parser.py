"""Structured text as a tree: variables and types (IEC 61131-3, sections 6.4 and 6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.lexer import PlcToken
from argosy.frontends.plc.literals import literal
from argosy.frontends.plc.parser import PlcParser
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcArrayType,
    PlcDeclaration,
    PlcEnumType,
    PlcExpression,
    PlcLiteral,
    PlcNamedType,
    PlcStructType,
    PlcSubrangeType,
    PlcType,
    PlcTypeDeclaration,
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


class TypeParser(PlcParser):
    """Declarations of variables and types."""

    def section(self) -> Iterator[PlcDeclaration]:
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
            if own & {"R_EDGE", "F_EDGE"}:
                yield from self._edge(name, own, section)

    def _edge(self, name: PlcToken, qualifiers: frozenset[str], section: str) -> Iterator[PlcDeclaration]:
        """What an input needs of which its unit sees the edges (``calls.CallCode.run``)."""
        if section != "VAR_INPUT":
            raise InputError(name.position, "only inputs have R_EDGE and F_EDGE")
        trigger = "R_TRIG" if "R_EDGE" in qualifiers else "F_TRIG"
        for suffix, type in (("edge", trigger), ("level", "BOOL")):
            named = PlcNamedType(type, name.position)
            made = f"{name.text} {suffix}"
            yield PlcDeclaration(made, named, "VAR", name.position, qualifiers=frozenset({"HIDDEN"}))

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
            times = literal(self.advance()).value
            self.expect("(")
            value = self.initial()
            self.expect(")")
            return "", times, value
        return "", 1, self.initial()

    # ---- types --------------------------------------------------------------------------------------------

    def types(self) -> Iterator[PlcTypeDeclaration]:
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
