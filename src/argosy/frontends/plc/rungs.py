"""The compact form of ladder diagrams that some tools write: ``<rung>`` elements with contacts, coils and blocks in
their order."""

from __future__ import annotations

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.elements import XmlElement
from argosy.frontends.plc.power import PowerFlow, in_series
from argosy.frontends.plc.syntax import (
    PlcArgument,
    PlcCall,
    PlcCallStatement,
    PlcExpression,
    PlcLiteral,
    PlcMember,
    PlcName,
)
from argosy.frontends.plc.tags import local


class Rungs(PowerFlow):
    """Diagrams with rungs."""

    def _rung(self, rung: XmlElement) -> None:
        power: PlcExpression | None = None
        for element in rung.children:
            at = element.position
            match local(element):
                case "contact":
                    name = element.attributes.get("variable", "")
                    condition = self._contact(element, name)
                    power = condition if power is None else in_series(power, condition, at)
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
                    value = in_series(power, value, pin.position)
                arguments.append(PlcArgument(formal, value, pin.position))
        self._found.append(PlcCallStatement(PlcCall(name, tuple(arguments), at), at))
        for text, value, position in outputs:
            self._assign(text, value, position)


def _converted(source: str, target: str, value: PlcExpression, at: Position) -> PlcExpression:
    return PlcCall(PlcName(f"{source}_TO_{target}", at), (PlcArgument("", value, at),), at)
