"""Layered drawings: nothing overlaps, everything is connected, whatever the graph."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as Xml

from hypothesis import given
from hypothesis import strategies as st

from argosy.report.dot import dot
from argosy.report.graphs import Arc, Graph, Text, Vertex
from argosy.report.layers import Drawing, draw, text_size
from argosy.report.svg import svg

texts = st.text("abcdef <&>\"'\\", min_size=1, max_size=20)


@st.composite
def some_graph(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 9))
    vertices = [
        Vertex(
            tuple(Text("name", text) for text in draw(st.lists(texts, min_size=1, max_size=2))),
            tuple(draw(st.lists(st.sampled_from(("initial", "error", "urgent", "committed")), max_size=1))),
        )
        for _ in range(count)
    ]
    ends = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    arcs = [
        Arc(source, target, tuple(Text("guard", text) for text in draw(st.lists(texts, max_size=3))))
        for source, target in draw(st.lists(ends, max_size=16))
    ]
    return Graph("some <graph>", tuple(vertices), tuple(arcs))


Box = tuple[float, float, float, float]


def boxes(drawing: Drawing) -> list[Box]:
    """Everything that must not overlap, by left, top, right and bottom."""
    found = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in drawing.boxes]
    for route in drawing.routes:
        if route.label is not None:
            (x, y), (width, height) = route.label, text_size(route.arc.lines)
            found.append((x, y - height / 2, x + width, y + height / 2))
    for loop in drawing.loops:
        width, height = text_size(loop.arc.lines)
        found.append((loop.x + 1, loop.y - height / 2, loop.x + 26 + width, loop.y + height / 2))
    return found


def apart(first: Box, second: Box) -> bool:
    return first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]


@given(some_graph())
def test_nothing_overlaps(graph: Graph) -> None:
    drawing = draw(graph)
    every = boxes(drawing)
    assert all(apart(first, second) for first, second in combinations(every, 2))
    assert all(left >= 0 and right <= drawing.width and bottom <= drawing.height for left, _, right, bottom in every)


@given(some_graph())
def test_every_arc_goes_from_its_source_to_its_target(graph: Graph) -> None:
    drawing = draw(graph)
    assert len(drawing.routes) + len(drawing.loops) == len(graph.arcs)
    for route in drawing.routes:
        assert (route.label is None) == (not route.arc.lines)
        for (x, y), vertex in ((route.points[0], route.arc.source), (route.points[-1], route.arc.target)):
            middle, height, width, tall = drawing.boxes[vertex]
            assert abs(x - middle) <= width / 2 and abs(abs(y - height) - tall / 2) < 1e-6
    for loop in drawing.loops:
        middle, _, width, _ = drawing.boxes[loop.arc.source]
        assert loop.x == middle + width / 2


def test_a_chain_without_cycles_goes_straight_down() -> None:
    graph = Graph(
        "chain", tuple(Vertex((Text("name", "v"),)) for _ in range(4)), tuple(Arc(k, k + 1) for k in range(3))
    )
    drawing = draw(graph)
    assert len({x for x, _, _, _ in drawing.boxes}) == 1
    assert [y for _, y, _, _ in drawing.boxes] == sorted(y for _, y, _, _ in drawing.boxes)


def test_crossings_are_avoided() -> None:
    """Two chains side by side, given in the opposite order."""
    arcs = (Arc(0, 1), Arc(0, 2), Arc(1, 4), Arc(2, 3))
    drawing = draw(Graph("two", tuple(Vertex((Text("name", "v"),)) for _ in range(5)), arcs))
    assert (drawing.boxes[1][0] < drawing.boxes[2][0]) == (drawing.boxes[4][0] < drawing.boxes[3][0])


@given(some_graph())
def test_pictures_are_well_formed(graph: Graph) -> None:
    root = Xml.fromstring(svg([graph, graph]))
    shapes = [element for element in root.iter() if element.tag.endswith("}rect")]
    assert len(shapes) == 2 * len(graph.vertices)
    words = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    assert words.count("some <graph>") == 2
    assert all(line.text in words for vertex in graph.vertices for line in vertex.lines)
    assert dot([graph]).count("->") >= len(graph.arcs)


def test_large_graphs_take_little_time() -> None:
    """A ladder of a thousand rungs with arcs back to its top."""
    count = 1000
    arcs = [Arc(k, k + 1, (Text("guard", "x > 0"),)) for k in range(count - 1)]
    arcs += [Arc(k, 0) for k in range(100, count, 100)]
    drawing = draw(Graph("ladder", tuple(Vertex((Text("name", str(k)),)) for k in range(count)), tuple(arcs)))
    assert drawing.height > 20 * count
