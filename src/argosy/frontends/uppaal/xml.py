"""Reader of UPPAAL's XML format (DTD "flat system" 1.0 to 1.6).

``frontends.elements`` reads the elements; here they get their meaning.
"""

from __future__ import annotations

from math import isfinite

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.elements import XmlElement, read_elements
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.textual import SystemParser

_IGNORED_LABELS = frozenset({"", "comments", "testcode", "testcodeEnter", "testcodeExit"})


def read_xml(file: str, data: bytes) -> s.Document:
    root = read_elements(file, data)
    if root.name != "nta":
        raise InputError(root.position, f"the root element is {root.name!r}, not 'nta'")
    declarations: list[s.Declaration] = []
    old = False
    if (declaration := root.first("declaration")) is not None:
        parser = SystemParser(_source(declaration))
        declarations += parser.declarations()
        parser.finish()
        old = parser.old
    declarations += [_template(element, old) for element in root.all("template")]
    if (instantiation := root.first("instantiation")) is not None:
        declarations += _declarations(instantiation)
    system = root.first("system")
    if system is None:
        raise InputError(root.position, "no system section: there is no automaton to verify")
    more, line, queries = SystemParser(_source(system)).system_section()
    formulas = [f for q in root.all("queries") for query in q.all("query") for f in query.all("formula")]
    sources = (*queries, *(_whole(_source(f)) for f in formulas))
    scenarios = frozenset(_name(element) for element in root.all("lsc"))
    return s.Document(file, (*declarations, *more), line, sources, scenarios)


def _source(element: XmlElement) -> PlacedText:
    """The text of an element, whose pieces know where they stand."""
    chunks: list[tuple[int, int, int]] = []
    offset = 0
    for text, line, column in element.texts:
        chunks.append((offset, line, column))
        offset += len(text)
    if not chunks:
        chunks.append((0, element.position.line, element.position.column))
    return PlacedText(element.position.file, element.text, tuple(chunks))


def _whole(source: PlacedText) -> PlacedText:
    return source.part(0, len(source.text))


def _declarations(element: XmlElement) -> tuple[s.Declaration, ...]:
    parser = SystemParser(_source(element))
    found = parser.declarations()
    parser.finish()
    return found


def _name(element: XmlElement) -> str:
    name = element.first("name")
    text = "".join(text for text, _, _ in name.texts).strip() if name is not None else ""
    if not text:
        raise InputError(element.position, f"the {element.name} has no name")
    return text


def _template(element: XmlElement, old: bool) -> s.TemplateDeclaration:
    parameters: tuple[s.ParameterDeclaration, ...] = ()
    if (parameter := element.first("parameter")) is not None:
        parser = SystemParser(_source(parameter), old=old)
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


def _location(element: XmlElement) -> s.LocationSyntax:
    name = element.first("name")
    text = "".join(text for text, _, _ in name.texts).strip() if name is not None else ""
    invariant: s.Expression | None = None
    shown = ""
    for label in element.all("label"):
        kind, source = label.attributes.get("kind", ""), _whole(_source(label))
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
        _at(element),
        position=element.position,
    )


def _at(element: XmlElement) -> tuple[float, float] | None:
    """Where something is drawn; nothing else depends on it, and so a place that is no place is none."""
    try:
        x, y = (float(element.attributes[name]) for name in ("x", "y"))
    except (KeyError, ValueError):
        return None
    return (x, y) if isfinite(x) and isfinite(y) else None


def _edge(element: XmlElement, names: dict[str, str]) -> tuple[s.EdgeSyntax, s.Refused | None]:
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
        kind, source = label.attributes.get("kind", ""), _whole(_source(label))
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
    nails = tuple(at for nail in element.all("nail") if (at := _at(nail)) is not None)
    labels = (selects, guard, synchronisation, updates, four, nails)
    edge = s.EdgeSyntax(ends[0], ends[1], *labels, position=element.position)
    return edge, refusal
