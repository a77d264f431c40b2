"""PLCopen XML (TC6, namespaces tc6_0200 and tc6_0201): interfaces and types; bodies in structured text, or as diagrams.

Programs become the same tree that structured text has, so that everything behind it is one. ``diagrams`` reads ladder
and function block diagrams. Sequential function charts and instruction lists are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.elements import XmlElement, read_elements
from argosy.frontends.plc.declarations import UnitParser
from argosy.frontends.plc.diagrams import Diagram
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcArrayType,
    PlcDeclaration,
    PlcEnumType,
    PlcExpression,
    PlcLiteral,
    PlcNamedType,
    PlcSource,
    PlcStatement,
    PlcStructType,
    PlcSubrangeType,
    PlcType,
    PlcTypeDeclaration,
    PlcUnit,
)

_KINDS = {"program": "PROGRAM", "functionBlock": "FUNCTION_BLOCK", "function": "FUNCTION"}
_SECTIONS = {
    "inputVars": "VAR_INPUT",
    "outputVars": "VAR_OUTPUT",
    "inOutVars": "VAR_IN_OUT",
    "localVars": "VAR",
    "tempVars": "VAR_TEMP",
    "externalVars": "VAR_EXTERNAL",
    "globalVars": "VAR_GLOBAL",
}


def parse_xml(path: str, text: str, dialect: PlcDialect) -> PlcSource:
    root = read_elements(path, text.encode("utf-8", "surrogatepass"))
    if _local(root) != "project":
        raise InputError(root.position, f"the root element is {root.name!r}, not a 'project' of PLCopen")
    return _Project(path, dialect).source(root)


def _local(element: XmlElement) -> str:
    return element.name.rpartition(":")[2]


def _every(element: XmlElement, name: str) -> Iterator[XmlElement]:
    """Descendants of that name, in the order of the text."""
    for child in element.children:
        if _local(child) == name:
            yield child
        else:
            yield from _every(child, name)


def _text(element: XmlElement) -> str:
    return element.text + "".join(_text(child) for child in element.children)


class _Project:
    def __init__(self, path: str, dialect: PlcDialect) -> None:
        self._path = path
        self._dialect = dialect

    def source(self, root: XmlElement) -> PlcSource:
        units = tuple(self._unit(pou) for pou in _every(root, "pou"))
        types = tuple(self._data_type(each) for each in _every(root, "dataType"))
        variables = [
            declared for each in _every(root, "globalVars") for declared in self._variables(each, "VAR_GLOBAL")
        ]
        tasks = list(_every(root, "task"))
        programs = [
            (each.attributes.get("name", ""), each.attributes.get("typeName", ""), each.position)
            for each in _every_deep(root, "pouInstance")
        ]
        if len(tasks) > 1:
            raise UnsupportedError(tasks[1].position, "several tasks")
        known = {unit.key for unit in units}
        for _, type, position in programs:
            if type.upper() not in known:
                raise InputError(position, f"no unit is called {type}")
        interval = tasks[0].attributes.get("interval", "") if tasks else ""
        return PlcSource(self._path, units, types, tuple(variables), {}, tuple(programs), interval)

    # ---- units --------------------------------------------------------------------------------------------

    def _unit(self, pou: XmlElement) -> PlcUnit:
        name = self._name(pou)
        kind = _KINDS.get(pou.attributes.get("pouType", ""))
        if kind is None:
            raise InputError(pou.position, f"{name} is of the kind {pou.attributes.get('pouType')!r}")
        interface = pou.first("interface") or _first(pou, "interface")
        declarations: list[PlcDeclaration] = []
        result: PlcType | None = None
        for child in interface.children if interface is not None else ():
            section = _SECTIONS.get(_local(child))
            if section is not None:
                declarations.extend(self._variables(child, section))
            elif _local(child) == "returnType":
                result = self._type(child)
        body = _first(pou, "body")
        extra, statements = self._body(body, declarations) if body is not None else ([], ())
        return PlcUnit(kind, name, (*declarations, *extra), statements, pou.position, result)

    def _name(self, element: XmlElement) -> str:
        name = element.attributes.get("name")
        if not name:
            raise InputError(element.position, f"the {_local(element)} has no name")
        return name

    def _body(
        self, body: XmlElement, declarations: list[PlcDeclaration]
    ) -> tuple[list[PlcDeclaration], tuple[PlcStatement, ...]]:
        for child in body.children:
            match _local(child):
                case "ST":
                    return [], self._structured_text(child)
                case "LD" | "FBD":
                    diagram = Diagram(self._path, child, declarations)
                    statements = diagram.statements()
                    return diagram.declared, statements
                case "SFC":
                    raise UnsupportedError(child.position, "a sequential function chart (SFC)")
                case "IL":
                    raise UnsupportedError(child.position, "an instruction list (IL)")
        return [], ()

    def _structured_text(self, element: XmlElement) -> tuple[PlcStatement, ...]:
        inner = next(iter(element.children), element)
        line, column = inner.texts[0][1:] if inner.texts else (inner.position.line, inner.position.column)
        text = inner.text
        found = tokens(
            self._path, text, quoted_names=self._dialect.quoted_names, start=Position(self._path, line, column)
        )
        parser = UnitParser(self._path, found)
        statements = parser.statements()
        if not parser.is_at_end:
            parser.fail("a statement")
        return statements

    # ---- variables and types ------------------------------------------------------------------------------

    def _variables(self, section: XmlElement, name: str) -> Iterator[PlcDeclaration]:
        qualifiers = {"CONSTANT"} if section.attributes.get("constant") == "true" else set()
        for each in section.children:
            if _local(each) != "variable":
                continue
            type = _first(each, "type")
            if type is None:
                raise InputError(each.position, f"the variable {self._name(each)} has no type")
            initial = _first(each, "initialValue")
            yield PlcDeclaration(
                self._name(each),
                self._type(type),
                name,
                each.position,
                None if initial is None else self._value(initial),
                each.attributes.get("address", ""),
                frozenset(qualifiers),
            )

    def _data_type(self, element: XmlElement) -> PlcTypeDeclaration:
        base = _first(element, "baseType")
        if base is None:
            raise InputError(element.position, "a data type without a base type")
        initial = _first(element, "initialValue")
        value = None if initial is None else self._value(initial)
        return PlcTypeDeclaration(self._name(element), self._type(base), element.position, value)

    def _type(self, holder: XmlElement) -> PlcType:
        inner = next(iter(holder.children), None)
        if inner is None:
            raise InputError(holder.position, "a type is needed here")
        at = inner.position
        match _local(inner):
            case "derived":
                return PlcNamedType(self._name(inner), at)
            case "string" | "wstring":
                length = inner.attributes.get("length")
                size = PlcLiteral("integer", int(length), at) if length and length.isdigit() else None
                return PlcNamedType(_local(inner).upper(), at, size)
            case "array":
                bounds = []
                for dimension in (child for child in inner.children if _local(child) == "dimension"):
                    bounds.append(tuple(self._expression(dimension, key) for key in ("lower", "upper")))
                base = _first(inner, "baseType")
                if base is None or not bounds:
                    raise InputError(at, "an array has dimensions and a base type")
                return PlcArrayType(tuple((low, high) for low, high in bounds), self._type(base), at)
            case "struct":
                return PlcStructType(tuple(self._variables(inner, "VAR")), at)
            case "enum":
                values = list(_every(inner, "value"))
                names = tuple((self._name(each), self._optional(each, "value")) for each in values)
                return PlcEnumType(names, at)
            case "subrangeSigned" | "subrangeUnsigned":
                range, base = _first(inner, "range"), _first(inner, "baseType")
                if range is None or base is None or not base.children:
                    raise InputError(at, "a subrange has a range and a base type")
                low, high = (self._expression(range, key) for key in ("lower", "upper"))
                return PlcSubrangeType(_local(base.children[0]).upper(), low, high, at)
            case "pointer":
                raise UnsupportedError(at, "references (pointer)")
        return PlcNamedType(_local(inner).upper(), at)

    def _expression(self, element: XmlElement, key: str) -> PlcExpression:
        found = self._optional(element, key)
        if found is None:
            raise InputError(element.position, f"the {_local(element)} has no {key}")
        return found

    def _optional(self, element: XmlElement, key: str) -> PlcExpression | None:
        text = element.attributes.get(key)
        return None if text is None else expression(self._path, text, element.position)

    def _value(self, holder: XmlElement) -> PlcExpression:
        inner = next(iter(holder.children), None)
        if inner is None:
            raise InputError(holder.position, "a value is needed here")
        elements: list[tuple[str, int, PlcExpression]] = []
        match _local(inner):
            case "simpleValue":
                return self._expression(inner, "value")
            case "arrayValue" | "structValue":
                for each in inner.children:
                    times = each.attributes.get("repetitionValue", "1")
                    member = each.attributes.get("member", "")
                    elements.append((member, int(times) if times.isdigit() else 1, self._value(each)))
                return PlcAggregate(tuple(elements), inner.position)
        raise InputError(inner.position, f"no value: {inner.name}")


def expression(path: str, text: str, position: Position) -> PlcExpression:
    """An expression that stands in an attribute or element."""
    parser = UnitParser(path, tokens(path, text, start=position))
    found = parser.expression()
    if not parser.is_at_end:
        parser.fail("the end of the expression")
    return found


def _first(element: XmlElement, name: str) -> XmlElement | None:
    return next((child for child in element.children if _local(child) == name), None)


def _every_deep(element: XmlElement, name: str) -> Iterator[XmlElement]:
    for child in element.children:
        if _local(child) == name:
            yield child
        yield from _every_deep(child, name)
