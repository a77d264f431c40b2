"""Graphs to be drawn: what a picture of a model shows, before anybody knows where.

A network has one graph per template (processes that look the same share it), a system one for its automaton; those of a
program are in ``functions``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.models.cfa import Cfa
from argosy.models.derivations import TooMany, automaton_of
from argosy.models.network import Network, TimedEdge, TimedProcess
from argosy.problem.problem import Problem

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Text:
    """A line of a label; ``kind`` says how it is meant and thus coloured: name, invariant, guard, ..."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Vertex:
    """``marks`` are what is special about it: initial, error, urgent, committed, loop. ``at`` is where its author has
    put it, if anywhere."""

    lines: tuple[Text, ...]
    marks: tuple[str, ...] = ()
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Arc:
    """``source`` and ``target`` are indices of vertices; its author leads it over the ``nails``."""

    source: int
    target: int
    lines: tuple[Text, ...] = ()
    nails: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """Drawn downwards from the first vertex."""

    title: str
    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]


def of_network(problem: Problem) -> list[Graph]:
    return graphs_of_network(problem.model)


def of_clauses(problem: Problem) -> list[Graph]:
    """The automaton of the clauses; derivations inside one another are followed for one step."""
    try:
        return [graph_of_program(automaton_of(problem.model))]
    except TooMany:
        raise UnsupportedError(Position(problem.input, 0), "so many copies of clauses in one picture") from None


def of_system(problem: Problem) -> list[Graph]:
    """The automaton of each bad state."""
    model = problem.model
    return [graph_of_program(model.system(number).as_program().cfa) for number in range(len(model.bad_names))]


@dataclass(frozen=True, slots=True)
class TemplateGraph:
    """The graph that ``processes`` have in common: by the index of a location its vertex, by that of an edge its
    arc."""

    graph: Graph
    processes: tuple[TimedProcess, ...]
    vertices: Mapping[int, int]
    arcs: Mapping[int, int]


def graphs_of_network(network: Network) -> list[Graph]:
    """One graph for all processes that look the same; its title names them."""
    return [each.graph for each in template_graphs(network)]


def template_graphs(network: Network) -> list[TemplateGraph]:
    alike: dict[tuple[tuple[Vertex, ...], tuple[Arc, ...]], list[TimedProcess]] = {}
    found: dict[tuple[tuple[Vertex, ...], tuple[Arc, ...]], tuple[dict[int, int], dict[int, int]]] = {}
    for process in network.processes:
        order = _initial_first(process)
        place = {location: number for number, location in enumerate(order)}
        vertices = tuple(_location(process, location) for location in order)
        arcs, numbers = _arcs(process, place)
        key = (vertices, tuple(arcs))
        alike.setdefault(key, []).append(process)
        found.setdefault(key, (place, numbers))
    return [
        TemplateGraph(
            Graph(_shared_title([process.name for process in members], members[0].template), *key),
            tuple(members),
            *found[key],
        )
        for key, members in alike.items()
    ]


def graph_of_program(cfa: Cfa) -> Graph:
    """The automaton as it was read; locations that no path enters are left out."""
    order = sorted(cfa.order, key=cfa.order.__getitem__)
    place = {location: number for number, location in enumerate(order)}
    vertices = []
    for location in order:
        marks = [
            mark
            for mark, applies in (
                ("initial", location is cfa.initial),
                ("error", location is cfa.error),
                ("loop", location in cfa.loop_heads),
            )
            if applies
        ]
        lines = [Text("name", location.label or f"L{location.index}")]
        if location.position.line:
            where = (
                f"{location.function}:{location.position.line}" if location.function else f"{location.position.line}"
            )
            lines.append(Text("position", where))
        vertices.append(Vertex(tuple(lines), tuple(marks)))
    arcs = (
        Arc(place[edge.source], place[edge.target], (Text("operation", short(edge.text or str(edge.operation))),))
        for edge in cfa.edges
        if edge.source in place
    )
    return Graph(cfa.name or "program", tuple(vertices), tuple(arcs))


def _initial_first(process: TimedProcess) -> list[int]:
    return [process.initial, *(location.index for location in process.locations if location.index != process.initial)]


def _location(process: TimedProcess, index: int) -> Vertex:
    location = process.locations[index]
    flags = (("initial", index == process.initial), ("urgent", location.urgent), ("committed", location.committed))
    lines = [Text("name", location.name)]
    if location.text:
        lines.append(Text("invariant", short(location.text)))
    return Vertex(tuple(lines), tuple(mark for mark, applies in flags if applies), location.at)


def _arcs(process: TimedProcess, place: dict[int, int]) -> tuple[list[Arc], dict[int, int]]:
    """One arc for each edge of the source text, and the number of the arc for each edge: those made of one by
    ``select`` and by disjunctions are one again."""
    written: dict[tuple[int, int, int, str, str, str], list[TimedEdge]] = {}
    for edge in process.edges:
        if not edge.idle:
            text = edge.text
            key = (edge.origin, edge.source, edge.target, text.guard, text.synchronisation, text.update)
            written.setdefault(key, []).append(edge)
    arcs: list[Arc] = []
    numbers: dict[int, int] = {}
    for (_, source, target, guard, synchronisation, update), edges in written.items():
        labels = (
            ("select", _selection([edge.text.select for edge in edges])),
            ("guard", guard),
            ("synchronisation", synchronisation),
            ("update", update),
        )
        lines = tuple(Text(kind, short(text)) for kind, text in labels if text)
        numbers.update((edge.index, len(arcs)) for edge in edges)
        arcs.append(Arc(place[source], place[target], lines, edges[0].text.nails))
    return arcs, numbers


def _selection(selects: list[str]) -> str:
    """``i = 2 (i : T)`` is one of the edges of ``i : T``."""
    written = re.search(r"\((.*)\)$", selects[0])
    return selects[0] if written is None else written[1]


def _shared_title(names: list[str], template: str) -> str:
    shown = ", ".join(names) if len(names) <= 4 else f"{names[0]}, {names[1]}, ... {names[-1]} ({len(names)})"
    return shown if names == [template] else f"{template}: {shown}"


def short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def size(graphs: Iterable[Graph]) -> int:
    """Vertices and arcs together."""
    return sum(len(graph.vertices) + len(graph.arcs) for graph in graphs)
