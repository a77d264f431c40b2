"""The automaton of a program as one graph for each function, although the front end copies a function into each call.

Copies of one location of the source have the same ``origin`` and become one vertex. A call is a vertex of its own in
the graph of its caller, between where the call begins and where it comes back; so is one of a body that is shared by
several calls (``models.return_points``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from argosy.basics.records import dataclass
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.return_points import calls_and_returns
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
        text = _text(edge)
        ends = (_key(edge.target), _call(edge), _end(edge.source.function))
        found = (self.arcs.get((_key(edge.source), end, text)) for end in ends)
        return next((number for number in found if number is not None), None)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The call that a copy of a function belongs to: its caller, the vertex of the call, how many calls are active in
    the caller, and the caller's own frame."""

    caller: str
    call: Key
    depth: int
    above: _Frame | None


def of_program(problem: Problem) -> list[Graph]:
    """The functions that are entered."""
    return [each.graph for each in graphs_by_function(problem.model.cfa).values()]


def graphs_by_function(cfa: Cfa) -> dict[str, FunctionGraph]:
    """The functions in the order in which the automaton enters them."""
    return _Parting(cfa).graphs()


class _Parting:
    """One automaton on its way to several graphs. Calls and returns are where the number of active calls changes: one
    step may come back from several, or begin another call right behind one that ends."""

    def __init__(self, cfa: Cfa) -> None:
        self._cfa = cfa
        self._vertices: dict[str, dict[Key, Vertex]] = defaultdict(dict)
        self._arcs: dict[str, dict[tuple[Key, Key, str], None]] = defaultdict(dict)
        self._frames: dict[Location, _Frame | None] = {cfa.initial: None}
        self._queue = [cfa.initial]
        self._shared, self._returns = calls_and_returns(cfa)

    def graphs(self) -> dict[str, FunctionGraph]:
        for location in self._queue:
            self._vertices[location.function].setdefault(_key(location), _vertex(self._cfa, location))
            for edge in self._cfa.leaving[location]:
                self._take(edge, self._frames[location])
        return {name: _graph(name, vertices, self._arcs[name]) for name, vertices in self._vertices.items()}

    def _take(self, edge: Edge, frame: _Frame | None) -> None:
        source, target, text = edge.source, edge.target, _text(edge)
        function, key = source.function, _key(source)
        if target is self._cfa.error:
            self._vertices[function].setdefault(_key(target), _vertex(self._cfa, target))
            self._arcs[function][key, _key(target), text] = None
        elif edge in self._returns:
            self._arcs[function][key, self._end(function), text] = None
        elif edge in self._shared:
            call = _call(edge)
            self._calls(function, call, target)
            self._arcs[function][key, call, text] = None
            self._enter(target, _Frame(function, call, source.depth, frame))
            for behind in self._shared[edge]:
                self._arcs[function][call, _key(behind), ""] = None
                self._enter(behind, frame)
        elif target.depth == source.depth and target.function == function:
            self._arcs[function][key, _key(target), text] = None
            self._enter(target, frame)
        elif target.depth > source.depth or frame is None:
            call = _call(edge)
            self._calls(function, call, target)
            self._arcs[function][key, call, text] = None
            self._enter(target, _Frame(function, call, source.depth, frame))
        else:
            self._arcs[function][key, self._end(function), text] = None
            self._enter(target, self._back(target, frame))

    def _enter(self, location: Location, frame: _Frame | None) -> None:
        if location not in self._frames:
            self._frames[location] = frame
            self._queue.append(location)

    def _calls(self, caller: str, call: Key, target: Location) -> None:
        self._vertices[caller].setdefault(call, Vertex((Text("name", f"{target.function}()"),), ("call",)))

    def _end(self, function: str) -> Key:
        self._vertices[function].setdefault(_end(function), Vertex((Text("name", "return"),), ("return",)))
        return _end(function)

    def _back(self, target: Location, frame: _Frame | None) -> _Frame | None:
        """The frame of a location that control comes back to."""
        while frame is not None:
            if frame.depth == target.depth and frame.caller == target.function:
                self._arcs[frame.caller][frame.call, _key(target), ""] = None
                return frame.above
            if frame.depth < target.depth:
                function, *place = _key(target)
                call = (f"{frame.caller} > {function}", place[0], place[1])
                self._calls(frame.caller, call, target)
                self._arcs[frame.caller][frame.call, call, ""] = None
                return _Frame(frame.caller, call, frame.depth, frame.above)
            self._arcs[frame.caller][frame.call, self._end(frame.caller), ""] = None
            frame = frame.above
        return None


def _text(edge: Edge) -> str:
    """The same for every call: values that a call saves for another one have names with a number (``n~3``)."""
    return short(re.sub(r"~\d+", "~", edge.text))


def _key(location: Location) -> Key:
    return (location.function, location.origin, -1 if location.origin >= 0 else location.index)


def _call(edge: Edge) -> Key:
    function, *place = _key(edge.source)
    return (f"{function} > {edge.target.function}", place[0], place[1])


def _end(function: str) -> Key:
    return (function, -1, -1)


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
