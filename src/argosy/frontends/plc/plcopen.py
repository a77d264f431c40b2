"""PLCopen XML (TC6, namespaces tc6_0200 and tc6_0201): interfaces and types; bodies in structured text, or as diagrams.

Programs become the same tree that structured text has, so that everything behind it is one. ``diagrams`` reads ladder
and function block diagrams, ``charts`` sequential function charts. Instruction lists are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.elements import XmlElement, read_elements
from argosy.frontends.plc.charts import NOTES, Chart
from argosy.frontends.plc.declarations import UnitParser
from argosy.frontends.plc.diagrams import Diagram
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.power import parsed
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
from argosy.frontends.plc.tags import every, first, local, name_of

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
    if local(root) != "project":
        raise InputError(root.position, f"the root element is {root.name!r}, not a 'project' of PLCopen")
    return _Project(path, dialect).source(root)


class _Project:
    def __init__(self, path: str, dialect: PlcDialect) -> None:
        self._path = path
        self._dialect = dialect

    def source(self, root: XmlElement) -> PlcSource:
        units = tuple(self._unit(pou) for pou in every(root, "pou"))
        types = tuple(self._data_type(each) for each in every(root, "dataType"))
        variables = [declared for each in every(root, "globalVars") for declared in self._variables(each, "VAR_GLOBAL")]
        tasks = list(every(root, "task"))
        programs = [
            (each.attributes.get("name", ""), each.attributes.get("typeName", ""), each.position)
            for each in every(root, "pouInstance", inside=True)
        ]
        if len(tasks) > 1:
            raise UnsupportedError(tasks[1].position, "several tasks")
        if tasks and tasks[0].attributes.get("single"):
            raise UnsupportedError(tasks[0].position, "a task that an event starts")
        known = {unit.key for unit in units}
        for _, type, position in programs:
            if type.upper() not in known:
                raise InputError(position, f"no unit is called {type}")
        interval = tasks[0].attributes.get("interval", "") if tasks else ""
        return PlcSource(self._path, units, types, tuple(variables), {}, tuple(programs), interval)

    # ---- units --------------------------------------------------------------------------------------------

    def _unit(self, pou: XmlElement) -> PlcUnit:
        name = name_of(pou)
        kind = _KINDS.get(pou.attributes.get("pouType", ""))
        if kind is None:
            raise InputError(pou.position, f"{name} is of the kind {pou.attributes.get('pouType')!r}")
        interface = pou.first("interface") or first(pou, "interface")
        declarations: list[PlcDeclaration] = []
        result: PlcType | None = None
        for child in interface.children if interface is not None else ():
            section = _SECTIONS.get(local(child))
            if section is not None:
                declarations.extend(self._variables(child, section))
            elif local(child) == "returnType":
                result = self._type(child)
            elif local(child) not in ("documentation", "addData"):
                raise UnsupportedError(child.position, f"{local(child)} in an interface")
        body = first(pou, "body")
        chart = first(body, "SFC") if body is not None else None
        if chart is not None:
            return self._chart(kind, pou, chart, declarations)
        extra, statements = self._body(body, declarations) if body is not None else ([], ())
        return PlcUnit(kind, name, (*declarations, *extra), statements, pou.position, result)

    def _chart(self, kind: str, pou: XmlElement, body: XmlElement, declarations: list[PlcDeclaration]) -> PlcUnit:
        if kind == "FUNCTION":
            raise InputError(body.position, "a function has no memory, and no chart therefore")
        pool = list(declarations)

        def run_of(holder: XmlElement) -> tuple[list[PlcDeclaration], tuple[PlcStatement, ...]]:
            extra, statements = self._body(holder, pool)
            pool.extend(extra)
            return extra, statements

        chart = Chart(self._path, pou, body, declarations, self._condition, run_of, self._dialect.final_scan)
        statements = chart.statements()
        notes = (*NOTES, self._dialect.notes()["charts"])
        return PlcUnit(kind, name_of(pou), (*declarations, *chart.declared), statements, pou.position, notes=notes)

    def _body(
        self, body: XmlElement, declarations: list[PlcDeclaration]
    ) -> tuple[list[PlcDeclaration], tuple[PlcStatement, ...]]:
        for child in body.children:
            match local(child):
                case "ST":
                    return [], self._structured_text(child)
                case "LD" | "FBD":
                    diagram = Diagram(self._path, child, declarations)
                    statements = diagram.statements()
                    return diagram.declared, statements
                case "SFC":
                    raise UnsupportedError(child.position, "a sequential function chart (SFC) inside of another body")
                case "IL":
                    raise UnsupportedError(child.position, "an instruction list (IL)")
        raise UnsupportedError(body.position, "a body without structured text or a diagram")

    def _structured_text(self, element: XmlElement) -> tuple[PlcStatement, ...]:
        parser = self._text(element)
        statements = parser.statements()
        if not parser.is_at_end:
            parser.fail("a statement")
        return statements

    def _condition(self, holder: XmlElement) -> PlcExpression:
        """``a AND b``, as some tools write it ``:= a AND b;`` or ``name := a AND b;``."""
        text = first(holder, "ST")
        if text is None:
            raise UnsupportedError(holder.position, "a condition of a transition that is not structured text")
        parser = self._text(text)
        if parser.token.kind == "name" and parser.ahead().kind == ":=":
            parser.advance()
        parser.take(":=")
        found = parser.expression()
        parser.take(";")
        if not parser.is_at_end:
            parser.fail("the end of the condition")
        return found

    def _text(self, element: XmlElement) -> UnitParser:
        """A cursor over structured text, which stands in one paragraph."""
        inner = next(iter(element.children), element)
        if len(element.children) > 1 or (inner is not element and inner.children):
            raise UnsupportedError(element.position, "structured text in several paragraphs")
        line, column = inner.texts[0][1:] if inner.texts else (inner.position.line, inner.position.column)
        start = Position(self._path, line, column)
        quoted = self._dialect.quoted_names
        found = tokens(self._path, inner.text, quoted_names=quoted, start=start)
        return UnitParser(self._path, found, quoted_names=quoted)

    # ---- variables and types ------------------------------------------------------------------------------

    def _variables(self, section: XmlElement, name: str) -> Iterator[PlcDeclaration]:
        flags = ("constant", "retain", "persistent")
        qualifiers = {flag.upper() for flag in flags if section.attributes.get(flag) == "true"}
        for each in section.children:
            if local(each) != "variable":
                continue
            type = first(each, "type")
            if type is None:
                raise InputError(each.position, f"the variable {name_of(each)} has no type")
            initial = first(each, "initialValue")
            yield PlcDeclaration(
                name_of(each),
                self._type(type),
                name,
                each.position,
                None if initial is None else self._value(initial),
                each.attributes.get("address", ""),
                frozenset(qualifiers),
            )

    def _data_type(self, element: XmlElement) -> PlcTypeDeclaration:
        base = first(element, "baseType")
        if base is None:
            raise InputError(element.position, "a data type without a base type")
        initial = first(element, "initialValue")
        value = None if initial is None else self._value(initial)
        return PlcTypeDeclaration(name_of(element), self._type(base), element.position, value)

    def _type(self, holder: XmlElement) -> PlcType:
        inner = next(iter(holder.children), None)
        if inner is None:
            raise InputError(holder.position, "a type is needed here")
        at = inner.position
        match local(inner):
            case "derived":
                return PlcNamedType(name_of(inner), at)
            case "string" | "wstring":
                length = inner.attributes.get("length")
                size = PlcLiteral("integer", int(length), at) if length and length.isdigit() else None
                return PlcNamedType(local(inner).upper(), at, size)
            case "array":
                bounds = []
                for dimension in (child for child in inner.children if local(child) == "dimension"):
                    bounds.append(tuple(self._expression(dimension, key) for key in ("lower", "upper")))
                base = first(inner, "baseType")
                if base is None or not bounds:
                    raise InputError(at, "an array has dimensions and a base type")
                return PlcArrayType(tuple((low, high) for low, high in bounds), self._type(base), at)
            case "struct":
                return PlcStructType(tuple(self._variables(inner, "VAR")), at)
            case "enum":
                values = list(every(inner, "value"))
                names = tuple((name_of(each), self._optional(each, "value")) for each in values)
                return PlcEnumType(names, at)
            case "subrangeSigned" | "subrangeUnsigned":
                range, base = first(inner, "range"), first(inner, "baseType")
                if range is None or base is None or not base.children:
                    raise InputError(at, "a subrange has a range and a base type")
                low, high = (self._expression(range, key) for key in ("lower", "upper"))
                return PlcSubrangeType(local(base.children[0]).upper(), low, high, at)
            case "pointer":
                raise UnsupportedError(at, "references (pointer)")
        return PlcNamedType(local(inner).upper(), at)

    def _expression(self, element: XmlElement, key: str) -> PlcExpression:
        found = self._optional(element, key)
        if found is None:
            raise InputError(element.position, f"the {local(element)} has no {key}")
        return found

    def _optional(self, element: XmlElement, key: str) -> PlcExpression | None:
        text = element.attributes.get(key)
        return None if text is None else parsed(self._path, text, element.position)

    def _value(self, holder: XmlElement) -> PlcExpression:
        inner = next(iter(holder.children), None)
        if inner is None:
            raise InputError(holder.position, "a value is needed here")
        elements: list[tuple[str, int, PlcExpression]] = []
        match local(inner):
            case "simpleValue":
                return self._expression(inner, "value")
            case "arrayValue" | "structValue":
                for each in inner.children:
                    times = each.attributes.get("repetitionValue", "1")
                    member = each.attributes.get("member", "")
                    elements.append((member, int(times) if times.isdigit() else 1, self._value(each)))
                return PlcAggregate(tuple(elements), inner.position)
        raise InputError(inner.position, f"no value: {inner.name}")
