"""The automaton of a program as one graph for each function, although the front end copies a function into each call.

Copies of one location of the source have the same ``origin`` and become one vertex. A call is a vertex of its own in
the graph of its caller, between where the call begins and where it comes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from argosy.basics.records import dataclass
from argosy.models.cfa import Cfa, Edge, Location
from argosy.problem.problem import Problem
from argosy.report.graphs import Arc, Graph, Text, Vertex, short

Key = tuple[str, int, int]
"""A vertex: the function and the origin of a location, or its own index where no text stands behind it. A call has the
key of where it begins, with both functions."""


@dataclass(frozen=True, slots=True)
class FunctionGraph:
    """``vertex`` finds the vertex of a location and ``arc`` the arc of an edge, both as indices into the graph."""

    name: str
    graph: Graph
    vertex: Mapping[Key, int]
    arcs: Mapping[tuple[Key, Key, str], int]

    def arc(self, edge: Edge) -> int | None:
        text = short(edge.text)
        ends = (_key(edge.target), _call(edge), _end(edge.source))
        found = (self.arcs.get((_key(edge.source), end, text)) for end in ends)
        return next((number for number in found if number is not None), None)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The call that a copy of a function belongs to: its caller, the vertex of the call, and the caller's own frame."""

    caller: str
    call: Key
    above: _Frame | None


def of_program(problem: Problem) -> list[Graph]:
    """The functions that are entered."""
    return [each.graph for each in graphs_by_function(problem.model.cfa).values()]


def graphs_by_function(cfa: Cfa) -> dict[str, FunctionGraph]:
    """The functions in the order in which the automaton enters them."""
    vertices: dict[str, dict[Key, Vertex]] = defaultdict(dict)
    arcs: dict[str, dict[tuple[Key, Key, str], None]] = defaultdict(dict)
    frames: dict[Location, _Frame | None] = {cfa.initial: None}
    queue = [cfa.initial]

    def enter(location: Location, frame: _Frame | None) -> None:
        if location not in frames:
            frames[location] = frame
            queue.append(location)

    for location in queue:
        frame, source = frames[location], _key(location)
        vertices[location.function].setdefault(source, _vertex(cfa, location))
        for edge in cfa.leaving[location]:
            target, text = edge.target, short(edge.text)
            if target is cfa.error:
                vertices[location.function].setdefault(_key(target), _vertex(cfa, target))
                arcs[location.function][source, _key(target), text] = None
                continue
            if target.function == location.function:
                arcs[location.function][source, _key(target), text] = None
                enter(target, frame)
            elif frame is not None and target.function == frame.caller:
                vertices[location.function].setdefault(_end(location), Vertex((Text("name", "return"),), ("return",)))
                arcs[location.function][source, _end(location), text] = None
                arcs[frame.caller][frame.call, _key(target), ""] = None
                enter(target, frame.above)
            else:
                call = _call(edge)
                vertices[location.function].setdefault(call, Vertex((Text("name", f"{target.function}()"),), ("call",)))
                arcs[location.function][source, call, text] = None
                enter(target, _Frame(location.function, call, frame))
    return {name: _graph(name, vertices[name], arcs[name]) for name in vertices}


def _key(location: Location) -> Key:
    return (location.function, location.origin, -1 if location.origin >= 0 else location.index)


def _call(edge: Edge) -> Key:
    function, *place = _key(edge.source)
    return (f"{function} > {edge.target.function}", place[0], place[1])


def _end(location: Location) -> Key:
    return (location.function, -1, -1)


def _vertex(cfa: Cfa, location: Location) -> Vertex:
    flags = (
        ("initial", location is cfa.initial),
        ("error", location is cfa.error),
        ("loop", location in cfa.loop_heads),
    )
    line = f"line {location.position.line}" if location.position.line else f"L{location.index}"
    name = "error" if location is cfa.error else location.label or line
    return Vertex((Text("name", name),), tuple(mark for mark, applies in flags if applies))


def _graph(name: str, vertices: Mapping[Key, Vertex], arcs: Iterable[tuple[Key, Key, str]]) -> FunctionGraph:
    place = {key: number for number, key in enumerate(vertices)}
    numbers: dict[tuple[Key, Key, str], int] = {}
    drawn: list[Arc] = []
    for number, (source, target, text) in enumerate(arcs):
        numbers[source, target, text] = number
        lines = (Text("operation", text),) if text else ()
        drawn.append(Arc(place[source], place[target], lines))
    return FunctionGraph(name, Graph(name or "file level", tuple(vertices.values()), tuple(drawn)), place, numbers)
