"""Ladder and function block diagrams as statements (IEC 61131-3, chapters 8.2 and 8.3).

Power flows from left to right: what arrives at a connection is the disjunction of what is connected to it, a contact
lets it through where its variable holds. What a diagram does, coils, outputs and blocks, happens from top to bottom
(by ``executionOrderId`` where the file has one); a block is called before its first output is looked at. A contact or
coil with an edge has a trigger of its own.

The compact form that some tools write, ``<rung>`` elements with contacts and coils in their order, is read too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.basics.errors import InputError, UnsupportedError
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

_IGNORED = frozenset({"comment", "rightPowerRail", "error", "vendorElement", "documentation", "addData"})
_SINKS = frozenset({"coil", "outVariable", "inOutVariable", "block"})
_REFUSED = {
    "jump": "a jump",
    "return": "a return",
    "label": "a label",
    "connector": "a connector",
    "continuation": "a continuation",
    "step": "a step",
    "transition": "a transition",
    "actionBlock": "an action",
}


def local(element: XmlElement) -> str:
    return element.name.rpartition(":")[2]


def _first(element: XmlElement, name: str) -> XmlElement | None:
    return next((child for child in element.children if local(child) == name), None)


class Diagram:
    """One body. ``declared`` are the triggers and instances that it needs besides."""

    def __init__(self, path: str, body: XmlElement, declarations: Sequence[PlcDeclaration]) -> None:
        self._path = path
        self._body = body
        self._types = {
            each.name.upper(): each.type.name.upper() for each in declarations if isinstance(each.type, PlcNamedType)
        }
        self._known = {each.name.upper() for each in declarations}
        self.declared: list[PlcDeclaration] = []
        self._elements: dict[str, XmlElement] = {}
        self._done: set[str] = set()
        self._active: set[str] = set()
        self._triggers: dict[str, PlcExpression] = {}
        self._found: list[PlcStatement] = []

    def statements(self) -> tuple[PlcStatement, ...]:
        for element in self._body.children:
            kind = local(element)
            if kind in _REFUSED:
                raise UnsupportedError(element.position, f"{_REFUSED[kind]} in a diagram")
            if kind == "rung":
                self._rung(element)
            elif "localId" in element.attributes:
                id = element.attributes["localId"]
                if id in self._elements:
                    raise InputError(element.position, f"two elements have the localId {id}")
                self._elements[id] = element
            elif kind not in _IGNORED:
                raise InputError(element.position, f"{element.name} without a localId")
        for element in sorted((e for e in self._elements.values() if local(e) in _SINKS), key=self._order):
            self._sink(element)
        return tuple(self._found)

    def _order(self, element: XmlElement) -> tuple[int, float, float]:
        order = element.attributes.get("executionOrderId", "")
        position = _first(element, "position")
        place = position.attributes if position is not None else {}
        try:
            y, x = float(place.get("y", 0)), float(place.get("x", 0))
        except ValueError:
            raise InputError(element.position, "a position that is no number") from None
        return (int(order) if order.isdigit() else 0, y, x)

    # ---- what arrives at a connection ---------------------------------------------------------------------

    def _incoming(self, element: XmlElement) -> PlcExpression | None:
        """The disjunction of what is connected; None where nothing is."""
        point = element if local(element) == "connectionPointIn" else _first(element, "connectionPointIn")
        found: PlcExpression | None = None
        for connection in (c for c in point.children if local(c) == "connection") if point is not None else ():
            id = connection.attributes.get("refLocalId", "")
            source = self._elements.get(id)
            if source is None:
                raise InputError(connection.position, f"no element has the localId {id}")
            value = self._value(source, connection.attributes.get("formalParameter", ""), connection.position)
            found = value if found is None else PlcBinary("OR", found, value, connection.position)
        return found

    def _value(self, element: XmlElement, output: str, at: Position) -> PlcExpression:
        """What leaves an element."""
        match local(element):
            case "leftPowerRail":
                return PlcLiteral("bool", True, element.position)
            case "contact":
                before = self._power(element)
                condition = self._contact(element, _text_of(element, "variable"))
                return _and(before, condition, element.position)
            case "coil":
                # Power goes on behind a coil as it arrived.
                return self._power(element)
            case "inVariable" | "inOutVariable":
                value = self._expression(_text_of(element, "expression"), element.position)
                negated = element.attributes.get("negated") == "true"
                return PlcUnary("NOT", value, element.position) if negated else value
            case "block":
                return self._output(element, output, at)
        raise InputError(at, f"nothing comes out of a {local(element)}")

    def _power(self, element: XmlElement) -> PlcExpression:
        found = self._incoming(element)
        if found is None:
            raise InputError(element.position, f"nothing is connected to this {local(element)}")
        return found

    def _contact(self, element: XmlElement, name: str) -> PlcExpression:
        at = element.position
        value = self._expression(name, at)
        negated = element.attributes.get("negated") in ("true", "negated")
        edge = element.attributes.get("edge", "none")
        if edge in ("rising", "falling"):
            value = self._trigger(element, "R_TRIG" if edge == "rising" else "F_TRIG", value)
        return PlcUnary("NOT", value, at) if negated else value

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
        parser = UnitParser(self._path, tokens(self._path, text, start=at))
        found = parser.expression()
        if not parser.is_at_end:
            parser.fail("the end of the expression")
        return found

    # ---- what a diagram does ------------------------------------------------------------------------------

    def _sink(self, element: XmlElement) -> None:
        at = element.position
        match local(element):
            case "coil":
                self._coil(element, self._power(element), _text_of(element, "variable"))
            case "outVariable" | "inOutVariable":
                value = self._incoming(element)
                if value is None:
                    if local(element) == "inOutVariable":
                        return
                    raise InputError(at, "nothing is connected to this outVariable")
                if element.attributes.get("negated") == "true":
                    value = PlcUnary("NOT", value, at)
                self._assign(_text_of(element, "expression"), value, at, self._enabled(element))
            case "block" if "instanceName" in element.attributes:
                self._call(element)

    def _enabled(self, element: XmlElement) -> PlcExpression | None:
        """The EN of the function whose result goes to an output, if it has one."""
        point = _first(element, "connectionPointIn")
        for connection in point.children if point is not None else ():
            source = self._elements.get(connection.attributes.get("refLocalId", ""))
            if source is not None and local(source) == "block" and "instanceName" not in source.attributes:
                pin = next(
                    (p for p in _pins(source, "inputVariables") if p.attributes["formalParameter"] == "EN"), None
                )
                if pin is not None:
                    return self._incoming(pin)
        return None

    def _assign(self, name: str, value: PlcExpression, at: Position, condition: PlcExpression | None = None) -> None:
        assignment = PlcAssignment(self._expression(name, at), value, at)
        self._found.append(assignment if condition is None else PlcIf(((condition, (assignment,)),), at))

    def _coil(self, element: XmlElement, power: PlcExpression, name: str) -> None:
        at = element.position
        storage = element.attributes.get("storage", "none")
        edge = element.attributes.get("edge", "none")
        if element.attributes.get("negated") in ("true", "negated"):
            power = PlcUnary("NOT", power, at)
        if edge in ("rising", "falling"):
            power = self._trigger(element, "R_TRIG" if edge == "rising" else "F_TRIG", power)
        if storage in ("set", "reset"):
            self._assign(name, PlcLiteral("bool", storage == "set", at), at, power)
        else:
            self._assign(name, power, at)

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
                if pin.attributes.get("negated") == "true":
                    value = PlcUnary("NOT", value, pin.position)
                arguments.append(PlcArgument(pin.attributes["formalParameter"], value, pin.position))
        name = self._instance(element)
        self._active.discard(id)
        self._done.add(id)
        self._found.append(PlcCallStatement(PlcCall(self._expression(name, at), tuple(arguments), at), at))

    def _instance(self, element: XmlElement) -> str:
        name, type = element.attributes["instanceName"], element.attributes.get("typeName", "")
        if name.upper() not in self._known and name.isidentifier():
            self._known.add(name.upper())
            self.declared.append(PlcDeclaration(name, PlcNamedType(type, element.position), "VAR", element.position))
        return name

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
            if pin.attributes.get("negated") == "true":
                value = PlcUnary("NOT", value, pin.position)
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
        if type.upper() == "NOT":
            return PlcUnary("NOT", arguments[0].value, at)
        return PlcCall(PlcName(type, element.position), tuple(arguments), element.position)

    # ---- the compact form ---------------------------------------------------------------------------------

    def _rung(self, rung: XmlElement) -> None:
        power: PlcExpression | None = None
        for element in rung.children:
            at = element.position
            match local(element):
                case "contact":
                    name = element.attributes.get("variable", "")
                    condition = self._contact(element, name)
                    power = condition if power is None else _and(power, condition, at)
                case "coil":
                    flow = power if power is not None else PlcLiteral("bool", True, at)
                    self._coil(element, flow, element.attributes.get("variable", ""))
                case "block":
                    self._compact_block(element, power)
                case _:
                    raise UnsupportedError(at, f"a {element.name} in a rung")

    def _compact_block(self, element: XmlElement, power: PlcExpression | None) -> None:
        """``<variable formalParameter="IN">name</variable>``: inputs are given, outputs are assigned. A number that
        stands for a time is one of milliseconds."""
        at = element.position
        type = element.attributes.get("typeName", "")
        if "instanceName" not in element.attributes:
            raise UnsupportedError(at, f"the function {type} in a rung")
        name = PlcName(self._instance(element), at)
        arguments = []
        outputs = []
        for pin in (child for child in element.children if local(child) == "variable"):
            formal, text = pin.attributes.get("formalParameter", ""), pin.text.strip()
            timed = formal.upper() in ("PT", "ET") and self._types.get(text.upper(), "TIME") not in ("TIME", "LTIME")
            if formal.upper() in ("Q", "ET", "CV", "QU", "QD", "Q1"):
                value: PlcExpression = PlcMember(name, formal, pin.position)
                if timed:
                    value = _converted("TIME", self._types[text.upper()], value, pin.position)
                outputs.append((text, value, pin.position))
            else:
                value = self._expression(text, pin.position)
                if timed:
                    value = _converted(self._types[text.upper()], "TIME", value, pin.position)
                if power is not None and formal.upper() == "IN":
                    value = _and(power, value, pin.position)
                arguments.append(PlcArgument(formal, value, pin.position))
        self._found.append(PlcCallStatement(PlcCall(name, tuple(arguments), at), at))
        for text, value, position in outputs:
            self._assign(text, value, position)


def _pins(element: XmlElement, section: str) -> Iterator[XmlElement]:
    holder = _first(element, section)
    for pin in holder.children if holder is not None else ():
        if local(pin) == "variable":
            if "formalParameter" not in pin.attributes:
                raise InputError(pin.position, "a pin without its formalParameter")
            yield pin


def _text_of(element: XmlElement, name: str) -> str:
    found = _first(element, name)
    if found is None or not found.text.strip():
        raise InputError(element.position, f"this {local(element)} has no {name}")
    return found.text.strip()


def _and(left: PlcExpression, right: PlcExpression, at: Position) -> PlcExpression:
    return right if isinstance(left, PlcLiteral) and left.value is True else PlcBinary("AND", left, right, at)


def _converted(source: str, target: str, value: PlcExpression, at: Position) -> PlcExpression:
    return PlcCall(PlcName(f"{source}_TO_{target}", at), (PlcArgument("", value, at),), at)
