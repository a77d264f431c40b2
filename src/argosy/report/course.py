"""How a run went, for a page: time by phase, what each refinement learned in C's words, the graph it ended with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from argosy.backends.course import AbstractNode, Course
from argosy.basics.records import dataclass
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


LARGEST_STATES = 3_000_000
"""Characters of states that are turned into C's words; what comes later is not written down."""


def reached_graph(course: Course) -> Node | None:
    """The graphs for ``explorer.js``: a column for each field, with texts by their number; None where there was none.

    ``parents`` are pairs of a node and the text of the step from there, one after the other; ``marks`` are 1 for the
    initial node, 2 for an error, 4 for the way to it, 8 for the end of a block."""
    if course.size == 0:
        return None
    texts: dict[str, int] = {"": 0}
    number = _Numbering(texts)
    states: dict[Term | None, int] = {None: 0}
    left = LARGEST_STATES
    rows = []
    for node in course.graph:
        if node.formula not in states:
            text = str(node.formula)
            left -= len(text)
            shown = "" if left < 0 else infix(text, short_variable)
            states[node.formula] = number(shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 4]} ...")
        at = node.location
        ends = node.formula is not None or node.target or not node.parents
        marks = (not node.parents) + 2 * node.target + 4 * node.passed + 8 * ends
        rows.append(
            (
                node.number,
                0 if at is None else at.position.physical[1],
                number("" if at is None else at.function),
                number("" if at is None or at.position.line else at.label or f"L{at.index}"),
                states[node.formula],
                [each for parent, text in node.parents for each in (parent, number(text))],
                -1 if node.coverer is None else node.coverer,
                marks,
                node.first,
                node.last,
            )
        )
    names = ("number", "line", "function", "label", "state", "parents", "coverer", "marks", "first", "last")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return {"size": course.size, "graphs": course.graphs, "texts": list(texts), **columns}


@dataclass(frozen=True, slots=True)
class _Numbering:
    texts: dict[str, int]

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


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
