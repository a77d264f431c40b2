"""Reader of UPPAAL's XML format (DTD "flat system" 1.0 to 1.6).

The document is untrusted: the DTD is never fetched, entity declarations and references to unknown entities are
refused, so nothing is expanded and nothing outside the file is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.textual import SystemParser

_DEPTH_LIMIT = 32
_IGNORED_LABELS = frozenset({"", "comments", "testcode", "testcodeEnter", "testcodeExit"})


@dataclass
class _Element:
    name: str
    attributes: dict[str, str]
    position: Position
    children: list[_Element] = field(default_factory=list)
    texts: list[tuple[str, int, int]] = field(default_factory=list)

    def all(self, name: str) -> Iterator[_Element]:
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> _Element | None:
        return next(self.all(name), None)

    def source(self) -> PlacedText:
        chunks: list[tuple[int, int, int]] = []
        offset = 0
        for text, line, column in self.texts:
            chunks.append((offset, line, column))
            offset += len(text)
        if not chunks:
            chunks.append((0, self.position.line, self.position.column))
        return PlacedText(self.position.file, "".join(text for text, _, _ in self.texts), tuple(chunks))


class _Tree:
    """Expat's handlers: builds the tree of elements, refuses what could expand or fetch anything."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._parser = expat.ParserCreate()
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.buffer_text = False
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._parser.ExternalEntityRefHandler = self._external
        self._parser.SkippedEntityHandler = self._skipped
        self._stack = [_Element("", {}, Position(file, 1, 1))]

    def read(self, data: bytes) -> _Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            place = Position(self._file, error.lineno, error.offset + 1)
            raise InputError(place, f"not well-formed XML: {expat.ErrorString(error.code)}") from error
        except (LookupError, ValueError) as error:
            raise InputError(Position(self._file, 1, 1), f"the encoding cannot be read: {error}") from error
        return self._stack[0].children[0]

    def _position(self) -> Position:
        return Position(self._file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._stack) > _DEPTH_LIMIT:
            raise InputError(self._position(), "elements nested too deeply")
        element = _Element(name, attributes, self._position())
        self._stack[-1].children.append(element)
        self._stack.append(element)

    def _end(self, name: str) -> None:
        self._stack.pop()

    def _text(self, text: str) -> None:
        place = self._position()
        self._stack[-1].texts.append((text, place.line, place.column))

    def _entity(self, name: str, *_: object) -> None:
        raise InputError(self._position(), f"the document declares the entity {name!r}: entities are not expanded")

    def _external(self, *_: object) -> int:
        raise InputError(self._position(), "the document refers to an external entity")

    def _skipped(self, name: str, *_: object) -> None:
        raise InputError(self._position(), f"unknown entity {name!r}")


def read_xml(file: str, data: bytes) -> s.Document:
    root = _Tree(file).read(data)
    if root.name != "nta":
        raise InputError(root.position, f"the root element is {root.name!r}, not 'nta'")
    declarations: list[s.Declaration] = []
    old = False
    if (declaration := root.first("declaration")) is not None:
        parser = SystemParser(declaration.source())
        declarations += parser.declarations()
        parser.finish()
        old = parser.old
    declarations += [_template(element, old) for element in root.all("template")]
    if (instantiation := root.first("instantiation")) is not None:
        declarations += _declarations(instantiation)
    system = root.first("system")
    if system is None:
        raise InputError(root.position, "no system section: there is no automaton to verify")
    more, line, queries = SystemParser(system.source()).system_section()
    formulas = [f for q in root.all("queries") for query in q.all("query") for f in query.all("formula")]
    sources = (*queries, *(_whole(f.source()) for f in formulas))
    scenarios = frozenset(_name(element) for element in root.all("lsc"))
    return s.Document(file, (*declarations, *more), line, sources, scenarios)


def _whole(source: PlacedText) -> PlacedText:
    return source.part(0, len(source.text))


def _declarations(element: _Element) -> tuple[s.Declaration, ...]:
    parser = SystemParser(element.source())
    found = parser.declarations()
    parser.finish()
    return found


def _name(element: _Element) -> str:
    name = element.first("name")
    text = "".join(text for text, _, _ in name.texts).strip() if name is not None else ""
    if not text:
        raise InputError(element.position, f"the {element.name} has no name")
    return text


def _template(element: _Element, old: bool) -> s.TemplateDeclaration:
    parameters: tuple[s.ParameterDeclaration, ...] = ()
    if (parameter := element.first("parameter")) is not None:
        parser = SystemParser(parameter.source(), old=old)
        parameters = parser.parameters()
        parser.finish()
    declaration = element.first("declaration")
    declarations = () if declaration is None else _declarations(declaration)
    refusal: s.Refused | None = None
    if (branchpoint := element.first("branchpoint")) is not None:
        refusal = s.Refused("probabilistic branches", position=branchpoint.position)
    names: dict[str, str] = {}
    locations: list[s.LocationSyntax] = []
    for child in element.all("location"):
        location = _location(child)
        identity = child.attributes.get("id", "")
        if not identity or identity in names:
            raise InputError(child.position, f"the id {identity!r} of a location is missing or used twice")
        names[identity] = location.name
        locations.append(location)
    edges = []
    for child in element.all("transition"):
        if refusal is None:
            edge, probability = _edge(child, names)
            edges.append(edge)
            refusal = refusal or probability
    init = element.first("init")
    initial = None if init is None else names.get(init.attributes.get("ref", ""))
    if init is not None and initial is None:
        raise InputError(init.position, "the initial location is unknown")
    return s.TemplateDeclaration(
        _name(element),
        parameters,
        declarations,
        tuple(locations),
        initial,
        tuple(edges),
        refusal,
        position=element.position,
    )


def _location(element: _Element) -> s.LocationSyntax:
    name = element.first("name")
    text = "".join(text for text, _, _ in name.texts).strip() if name is not None else ""
    invariant: s.Expression | None = None
    shown = ""
    for label in element.all("label"):
        kind, source = label.attributes.get("kind", ""), _whole(label.source())
        if not source.text:
            continue
        if kind == "invariant":
            parser = SystemParser(source)
            if parser.token.kind == "end":
                continue
            if invariant is not None:
                raise InputError(label.position, "a location has one invariant at most")
            invariant = parser.conjunction()
            parser.finish()
            shown = " ".join(source.text.split())
        elif kind == "exponentialrate":
            raise UnsupportedError(label.position, "exponential rate (probabilities)")
        elif kind not in _IGNORED_LABELS:
            raise InputError(label.position, f"unknown label {kind!r} of a location")
    return s.LocationSyntax(
        text or element.attributes.get("id", ""),
        invariant,
        element.first("urgent") is not None,
        element.first("committed") is not None,
        shown,
        position=element.position,
    )


def _edge(element: _Element, names: dict[str, str]) -> tuple[s.EdgeSyntax, s.Refused | None]:
    ends = []
    for end in ("source", "target"):
        child = element.first(end)
        reference = "" if child is None else child.attributes.get("ref", "")
        if reference not in names:
            raise InputError((child or element).position, f"the {end} of the transition is unknown")
        ends.append(names[reference])
    texts = {"select": "", "guard": "", "synchronisation": "", "assignment": ""}
    selects: tuple[s.Select, ...] = ()
    guard: s.Expression | None = None
    synchronisation: s.SynchronisationSyntax | None = None
    updates: tuple[s.Expression, ...] = ()
    refusal: s.Refused | None = None
    for label in element.all("label"):
        kind, source = label.attributes.get("kind", ""), _whole(label.source())
        parser = SystemParser(source) if kind in texts else None
        if parser is None:
            if kind == "probability":
                refusal = s.Refused("probabilities", position=label.position)
            elif kind not in _IGNORED_LABELS:
                raise InputError(label.position, f"unknown label {kind!r} of a transition")
            continue
        if parser.token.kind == "end":
            continue
        if texts[kind]:
            raise InputError(label.position, f"a transition has one label {kind!r} at most")
        texts[kind] = " ".join(source.text.split())
        match kind:
            case "select":
                selects = parser.selects()
            case "guard":
                guard = parser.conjunction()
            case "synchronisation":
                synchronisation = parser.synchronisation()
            case "assignment":
                updates = parser.expressions()
        parser.finish()
    four = (texts["select"], texts["guard"], texts["synchronisation"], texts["assignment"])
    edge = s.EdgeSyntax(ends[0], ends[1], selects, guard, synchronisation, updates, four, position=element.position)
    return edge, refusal
