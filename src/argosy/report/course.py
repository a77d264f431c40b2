"""How a run went, for a page: time by phase, what each refinement learned in C's words, the graph it ended with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from argosy.backends.course import AbstractNode, Course
from argosy.logic.terms import Term
from argosy.models.cfa import Location
from argosy.report.frame import Node
from argosy.report.graphs import Arc, Graph, Text, Vertex, short
from argosy.report.headline import short as short_variable
from argosy.report.infix import infix
from argosy.report.layers import draw
from argosy.report.pictures import picture

LONGEST = 400
"""Characters of a predicate that are shown."""

OTHER = "reading, starting and the rest"


def phases(course: Course, whole: float) -> list[Node]:
    """Phases of one name together, in the order in which they began."""
    found: dict[str, list[float]] = {}
    for phase in course.phases:
        counts = found.setdefault(phase.name, [0.0, 0, 0])
        for place, count in enumerate((phase.seconds, phase.nodes, phase.refinements)):
            counts[place] += count
    shown = [
        {"name": name, "seconds": round(seconds, 3), "nodes": int(nodes), "refinements": int(refinements)}
        for name, (seconds, nodes, refinements) in found.items()
    ]
    rest = round(whole - sum(seconds for seconds, _, _ in found.values()), 3)
    return [*shown, {"name": OTHER, "seconds": rest, "nodes": 0, "refinements": 0}] if rest > 0 and shown else shown


def lessons(course: Course) -> list[Node]:
    """Each refinement with what it added and where: what is the same at several places stands once."""
    return [
        {"phase": lesson.phase, "number": lesson.number, "learned": _learned(lesson.terms.items())}
        for lesson in course.lessons
    ]


def _learned(terms: Iterable[tuple[Location, Sequence[Term]]]) -> list[Node]:
    places: dict[Term, list[Location]] = defaultdict(list)
    for location, found in terms:
        for term in found:
            places[term].append(location)
    return [
        {"text": _written(term), "tracks": term.is_var, "lines": _lines(locations), "locations": len(locations)}
        for term, locations in places.items()
    ]


def _lines(locations: Sequence[Location]) -> list[int]:
    return sorted({location.position.physical[1] for location in locations if location.position.line})


def _written(term: Term) -> str:
    text = short_variable(term.name) if term.is_var else infix(str(term), short_variable)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def reached_picture(course: Course) -> Node | None:
    """The graph as a picture, or how large it was; None where there was none."""
    if course.size == 0:
        return None
    if not course.graph:
        return {"size": course.size}
    return {"size": course.size, **picture(draw(_graph(course.graph)))}


def _graph(nodes: Sequence[AbstractNode]) -> Graph:
    arcs = [
        Arc(parent, place, (Text("operation", short(text)),) if text else ())
        for place, node in enumerate(nodes)
        for parent, text in node.parents
    ]
    covering = (
        Arc(place, node.coverer, (Text("cover", "covered"),))
        for place, node in enumerate(nodes)
        if node.coverer is not None
    )
    return Graph("abstract reachability graph", tuple(map(_vertex, nodes)), (*arcs, *covering))


def _vertex(node: AbstractNode) -> Vertex:
    at = node.location
    where = (
        " error"
        if node.target
        else ""
        if at is None
        else f" line {at.position.line}"
        if at.position.line
        else f" {at.label or f'L{at.index}'}"
    )
    lines = [Text("name", f"{node.number}:{where}")]
    if node.formula is not None and not node.formula.is_const:
        lines.append(Text("invariant", short(infix(str(node.formula), short_variable))))
    flags = (
        ("initial", not node.parents),
        ("error", node.target),
        ("covered", node.coverer is not None),
        ("passed", node.passed),
    )
    return Vertex(tuple(lines), tuple(mark for mark, applies in flags if applies))
