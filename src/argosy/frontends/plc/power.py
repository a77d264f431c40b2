"""What ladder diagrams are made of: contacts that let power through, coils that take it (IEC 61131-3, chapter 8.2).

A contact or coil with an edge has a trigger of its own, which is called once in a cycle, where it is needed first.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.position import Position
from argosy.frontends.elements import XmlElement
from argosy.frontends.plc.declarations import UnitParser
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.syntax import (
    PlcArgument,
    PlcAssignment,
    PlcBinary,
    PlcCall,
    PlcCallStatement,
    PlcDeclaration,
    PlcExpression,
    PlcIf,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcNamedType,
    PlcStatement,
    PlcUnary,
)


class PowerFlow:
    """Statements on their way. ``declared`` are the triggers and instances that they need besides."""

    def __init__(self, path: str, declarations: Sequence[PlcDeclaration]) -> None:
        self._path = path
        self._types = {
            each.name.upper(): each.type.name.upper() for each in declarations if isinstance(each.type, PlcNamedType)
        }
        self._known = {each.name.upper() for each in declarations}
        self.declared: list[PlcDeclaration] = []
        self._triggers: dict[str, PlcExpression] = {}
        self._found: list[PlcStatement] = []

    def _contact(self, element: XmlElement, name: str) -> PlcExpression:
        return self._altered(element, self._expression(name, element.position))

    def _altered(self, element: XmlElement, value: PlcExpression) -> PlcExpression:
        """A value behind the marks of a contact, a pin or a variable: an edge, a negation."""
        value = self._edge(element, value)
        negated = element.attributes.get("negated") in ("true", "negated")
        return PlcUnary("NOT", value, element.position) if negated else value

    def _edge(self, element: XmlElement, value: PlcExpression) -> PlcExpression:
        edge = element.attributes.get("edge", "none")
        if edge not in ("rising", "falling"):
            return value
        return self._trigger(element, "R_TRIG" if edge == "rising" else "F_TRIG", value)

    def _trigger(self, element: XmlElement, kind: str, value: PlcExpression) -> PlcExpression:
        """A trigger that is called once in a cycle, where it is needed first."""
        at = element.position
        key = element.attributes.get("localId", f"{at.line}:{at.column}")
        if key not in self._triggers:
            name = self._fresh(f"edge_{key}".replace(":", "_"), kind, at)
            call = PlcCall(PlcName(name, at), (PlcArgument("CLK", value, at),), at)
            self._found.append(PlcCallStatement(call, at))
            self._triggers[key] = PlcMember(PlcName(name, at), "Q", at)
        return self._triggers[key]

    def _fresh(self, name: str, type: str, at: Position) -> str:
        while name.upper() in self._known:
            name += "_"
        self._known.add(name.upper())
        self.declared.append(PlcDeclaration(name, PlcNamedType(type, at), "VAR", at))
        return name

    def _expression(self, text: str, at: Position) -> PlcExpression:
        return parsed(self._path, text, at)

    def _assign(self, name: str, value: PlcExpression, at: Position, condition: PlcExpression | None = None) -> None:
        assignment = PlcAssignment(self._expression(name, at), value, at)
        self._found.append(assignment if condition is None else PlcIf(((condition, (assignment,)),), at))

    def _coil(self, element: XmlElement, power: PlcExpression, name: str) -> None:
        at = element.position
        storage = element.attributes.get("storage", "none")
        if element.attributes.get("negated") in ("true", "negated"):
            power = PlcUnary("NOT", power, at)
        power = self._edge(element, power)
        if storage in ("set", "reset"):
            self._assign(name, PlcLiteral("bool", storage == "set", at), at, power)
        else:
            self._assign(name, power, at)

    def _instance(self, element: XmlElement) -> str:
        name, type = element.attributes["instanceName"], element.attributes.get("typeName", "")
        if name.upper() not in self._known and name.isidentifier():
            self._known.add(name.upper())
            self.declared.append(PlcDeclaration(name, PlcNamedType(type, element.position), "VAR", element.position))
        return name


def in_series(left: PlcExpression, right: PlcExpression, at: Position) -> PlcExpression:
    return right if isinstance(left, PlcLiteral) and left.value is True else PlcBinary("AND", left, right, at)


def parsed(path: str, text: str, position: Position) -> PlcExpression:
    """An expression that stands in an attribute or element."""
    parser = UnitParser(path, tokens(path, text, start=position))
    found = parser.expression()
    if not parser.is_at_end:
        parser.fail("the end of the expression")
    return found
