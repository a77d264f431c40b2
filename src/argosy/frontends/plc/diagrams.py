"""Ladder and function block diagrams as statements (IEC 61131-3, chapters 8.2 and 8.3).

Power flows from left to right: what arrives at a connection is the disjunction of what is connected to it, a contact
lets it through where its variable holds. What a diagram does, coils, outputs, blocks, jumps, happens from top to bottom
(by ``executionOrderId`` where the file has one); a block is called before its first output is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.elements import XmlElement
from argosy.frontends.plc.power import in_series
from argosy.frontends.plc.rungs import Rungs
from argosy.frontends.plc.syntax import (
    PlcArgument,
    PlcBinary,
    PlcCall,
    PlcCallStatement,
    PlcDeclaration,
    PlcExpression,
    PlcIf,
    PlcJump,
    PlcLabelled,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcStatement,
    PlcUnary,
)
from argosy.frontends.plc.tags import by_id, children, first, local, place_of, text_of

_IGNORED = frozenset({"comment", "rightPowerRail", "error", "vendorElement", "documentation", "addData"})
_SINKS = frozenset({"coil", "outVariable", "inOutVariable", "block", "jump", "return", "label"})
_SOURCES = frozenset({"leftPowerRail", "contact", "inVariable", "connector", "continuation"})
_LONGEST, _MOST = 150, 20_000
"""Elements that one signal may pass through, and connections that are followed for a whole diagram."""


class Diagram(Rungs):
    """One body. ``apart`` are the elements that somebody else reads."""

    def __init__(
        self,
        path: str,
        body: XmlElement,
        declarations: Sequence[PlcDeclaration],
        apart: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(path, declarations)
        self._done: set[str] = set()
        self._active: set[str] = set()
        self._depth = self._followed = 0
        drawn = []
        for element in body.children:
            kind = local(element)
            if kind in _IGNORED or kind in apart:
                continue
            if kind not in _SINKS | _SOURCES | {"rung"}:
                raise UnsupportedError(element.position, f"a {kind} in a diagram")
            if kind != "rung" and "localId" not in element.attributes:
                raise InputError(element.position, f"{element.name} without a localId")
            drawn.append(element)
        self._rungs = [each for each in drawn if local(each) == "rung"]
        self._elements = by_id([each for each in drawn if local(each) != "rung"])

    def statements(self) -> tuple[PlcStatement, ...]:
        for rung in self._rungs:
            self._rung(rung)
        for element in sorted((e for e in self._elements.values() if local(e) in _SINKS), key=self._order):
            self._sink(element)
        return tuple(self._found)

    def fed(self, condition: XmlElement) -> tuple[PlcExpression, tuple[PlcStatement, ...]]:
        """What arrives at the condition of a transition, and the calls that have to come before."""
        for element in self._elements.values():
            if local(element) in _SINKS - {"block"}:
                raise UnsupportedError(element.position, f"a {local(element)} in a chart")
        self._found = []
        return self._power(condition), tuple(self._found)

    def _order(self, element: XmlElement) -> tuple[int, float, float]:
        order = element.attributes.get("executionOrderId", "")
        x, y = place_of(element)
        return (int(order) if order.isdecimal() else 0, y, x)

    # ---- what arrives at a connection ---------------------------------------------------------------------

    def _incoming(self, element: XmlElement) -> PlcExpression | None:
        """The disjunction of what is connected; None where nothing is."""
        point = element if local(element) == "connectionPointIn" else first(element, "connectionPointIn")
        found: PlcExpression | None = None
        self._depth += 1
        for connection in children(point, "connection"):
            self._followed += 1
            if self._depth > _LONGEST or self._followed > _MOST:
                raise UnsupportedError(connection.position, "connections that go round, or on for so long")
            id = connection.attributes.get("refLocalId", "")
            source = self._elements.get(id)
            if source is None:
                raise InputError(connection.position, f"no element has the localId {id}")
            value = self._value(source, connection.attributes.get("formalParameter", ""), connection.position)
            found = value if found is None else PlcBinary("OR", found, value, connection.position)
        self._depth -= 1
        return found

    def _value(self, element: XmlElement, output: str, at: Position) -> PlcExpression:
        """What leaves an element."""
        match local(element):
            case "leftPowerRail":
                return PlcLiteral("bool", True, element.position)
            case "contact":
                before = self._power(element)
                condition = self._contact(element, text_of(element, "variable"))
                return in_series(before, condition, element.position)
            case "coil" | "connector":
                # Power goes on behind a coil as it arrived.
                return self._power(element)
            case "continuation":
                return self._power(self._connector(element))
            case "inVariable" | "inOutVariable":
                value = self._expression(text_of(element, "expression"), element.position)
                return self._altered(element, value)
            case "block":
                return self._output(element, output, at)
        raise InputError(at, f"nothing comes out of a {local(element)}")

    def _connector(self, element: XmlElement) -> XmlElement:
        name = element.attributes.get("name", "")
        for other in self._elements.values():
            if local(other) == "connector" and other.attributes.get("name", "").upper() == name.upper():
                return other
        raise InputError(element.position, f"no connector is called {name}")

    def _power(self, element: XmlElement) -> PlcExpression:
        found = self._incoming(element)
        if found is None:
            raise InputError(element.position, f"nothing is connected to this {local(element)}")
        return found

    # ---- what a diagram does ------------------------------------------------------------------------------

    def _sink(self, element: XmlElement) -> None:
        at = element.position
        match local(element):
            case "coil":
                self._coil(element, self._power(element), text_of(element, "variable"))
            case "outVariable" | "inOutVariable":
                value = self._incoming(element)
                if value is None:
                    if local(element) == "inOutVariable":
                        return
                    raise InputError(at, "nothing is connected to this outVariable")
                if element.attributes.get("storage", "none") != "none":
                    raise UnsupportedError(at, "a variable that is set or reset by a connection (coils are)")
                value = self._altered(element, value)
                self._assign(text_of(element, "expression"), value, at, self._enabled(element))
            case "block" if "instanceName" in element.attributes:
                self._call(element)
            case "label":
                self._found.append(PlcLabelled(_label(element), at))
            case "jump":
                self._found.append(PlcIf(((self._power(element), (PlcJump("GOTO", at, _label(element)),)),), at))
            case "return":
                self._found.append(PlcIf(((self._power(element), (PlcJump("RETURN", at),)),), at))

    def _enabled(self, element: XmlElement) -> PlcExpression | None:
        """The EN of the function whose result goes to an output, if it has one."""
        for connection in children(first(element, "connectionPointIn"), "connection"):
            source = self._elements.get(connection.attributes.get("refLocalId", ""))
            if source is not None and local(source) == "block" and "instanceName" not in source.attributes:
                pin = next(
                    (p for p in _pins(source, "inputVariables") if p.attributes["formalParameter"] == "EN"), None
                )
                if pin is not None:
                    return self._incoming(pin)
        return None

    def _call(self, element: XmlElement) -> None:
        """A block is called once in a cycle. Where its inputs depend on its outputs, those are of the cycle before."""
        id = element.attributes["localId"]
        if id in self._done or id in self._active:
            return
        self._active.add(id)
        at = element.position
        arguments = []
        for pin in (*_pins(element, "inputVariables"), *_pins(element, "inOutVariables")):
            value = self._incoming(pin)
            if value is not None:
                value = self._altered(pin, value)
                arguments.append(PlcArgument(pin.attributes["formalParameter"], value, pin.position))
        name = self._instance(element)
        self._active.discard(id)
        self._done.add(id)
        self._found.append(PlcCallStatement(PlcCall(self._expression(name, at), tuple(arguments), at), at))

    def _output(self, element: XmlElement, output: str, at: Position) -> PlcExpression:
        if "instanceName" in element.attributes:
            self._call(element)
            name = self._expression(element.attributes["instanceName"], element.position)
            found: PlcExpression = PlcMember(name, output, at)
        else:
            found = self._function(element, output, at)
        pin = next((p for p in _pins(element, "outputVariables") if p.attributes["formalParameter"] == output), None)
        negated = pin is not None and pin.attributes.get("negated") == "true"
        return PlcUnary("NOT", found, at) if negated else found

    def _function(self, element: XmlElement, output: str, at: Position) -> PlcExpression:
        id, type = element.attributes["localId"], element.attributes.get("typeName", "")
        if id in self._active:
            raise UnsupportedError(element.position, "a loop of functions without a block in it")
        self._active.add(id)
        arguments = []
        enable: PlcExpression | None = None
        for pin in _pins(element, "inputVariables"):
            value = self._incoming(pin)
            if value is None:
                raise InputError(pin.position, f"nothing is connected to {pin.attributes['formalParameter']} of {type}")
            value = self._altered(pin, value)
            if pin.attributes["formalParameter"] == "EN":
                enable = value
            else:
                arguments.append(PlcArgument("", value, pin.position))
        self._active.discard(id)
        if output == "ENO":
            return enable if enable is not None else PlcLiteral("bool", True, at)
        outputs = [p.attributes["formalParameter"] for p in _pins(element, "outputVariables")]
        if [name for name in outputs if name != "ENO"][1:]:
            raise UnsupportedError(element.position, f"{type}: a function with several outputs in a diagram")
        operators = {"AND": "AND", "OR": "OR", "XOR": "XOR"}
        if type.upper() in operators and len(arguments) > 1:
            found = arguments[0].value
            for argument in arguments[1:]:
                found = PlcBinary(operators[type.upper()], found, argument.value, at)
            return found
        if type.upper() == "NOT" and len(arguments) == 1:
            return PlcUnary("NOT", arguments[0].value, at)
        return PlcCall(PlcName(type, element.position), tuple(arguments), element.position)


def _pins(element: XmlElement, section: str) -> Iterator[XmlElement]:
    holder = first(element, section)
    for pin in children(holder, "variable"):
        if "formalParameter" not in pin.attributes:
            raise InputError(pin.position, "a pin without its formalParameter")
        if pin.attributes.get("storage", "none") != "none":
            raise UnsupportedError(pin.position, "a pin that sets or resets")
        yield pin


def _label(element: XmlElement) -> str:
    label = element.attributes.get("label")
    if not label:
        raise InputError(element.position, f"this {local(element)} has no label")
    return label
