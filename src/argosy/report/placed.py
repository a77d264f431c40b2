"""Drawing of a graph whose author has said where everything goes: coordinates and nails of an editor are kept.

Boxes with their text in them need more room than an editor's dots: distances grow until boxes do not overlap and labels
as little as may be. Where none is small enough there is no such drawing, and ``layers`` finds places of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from argosy.report.graphs import Arc, Graph, Text
from argosy.report.layers import LINE, Drawing, Loop, Route, draw, text_size

_FACTORS = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3)
_MARGIN, _APART, _BESIDE = 18.0, 26.0, 30.0

# Of a larger graph labels stand in the middle of their arcs, wherever that is.
_MOST_LABELS = 150

Point = tuple[float, float]
Box = tuple[float, float, float, float]


def drawn(graph: Graph) -> Drawing:
    """As its author has placed it, or in layers."""
    return placed(graph) or draw(graph)


def placed(graph: Graph) -> Drawing | None:
    """The drawing with the least overlap of labels, of equal ones the smallest."""
    spots = [vertex.at for vertex in graph.vertices if vertex.at is not None]
    if len(spots) < 2 or len(spots) < len(graph.vertices):
        return None
    best: tuple[float, list[Box], float, list[Route]] | None = None
    for factor in _FACTORS:
        boxes = [_box(v.lines, (x * factor, y * factor)) for v, (x, y) in zip(graph.vertices, spots, strict=True)]
        if any(_near(a, b) for a, b in combinations(boxes, 2)):
            continue
        routes, overlap = _labelled(list(_routes(graph, boxes, factor)), boxes)
        if best is None or overlap < best[0] - 1:
            best = (overlap, boxes, factor, routes)
        if best[0] < 1:
            break
    return None if best is None else _moved(graph, best[1], best[3], list(_loops(graph, best[1])))


def _box(lines: Sequence[Text], at: Point) -> Box:
    width, height = text_size(lines)
    return (*at, width + 20, height + 12)


def _near(a: Box, b: Box) -> bool:
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 + _APART and abs(a[1] - b[1]) < (a[3] + b[3]) / 2 + _APART


def _routes(graph: Graph, boxes: Sequence[Box], factor: float) -> Iterator[Route]:
    beside = _beside(graph.arcs)
    for number, arc in enumerate(graph.arcs):
        nails = [(x * factor, y * factor) for x, y in arc.nails]
        if arc.source != arc.target or nails:
            yield Route(arc, tuple(_way(boxes[arc.source], nails, boxes[arc.target], beside.get(number, 0.0))), None)


def _loops(graph: Graph, boxes: Sequence[Box]) -> Iterator[Loop]:
    heights: dict[int, float] = defaultdict(float)
    for arc in graph.arcs:
        if arc.source == arc.target and not arc.nails:
            box = boxes[arc.source]
            yield Loop(arc, box[0] + box[2] / 2, box[1] + heights[arc.source])
            heights[arc.source] += max(text_size(arc.lines)[1], LINE) + 8


def _beside(arcs: Sequence[Arc]) -> dict[int, float]:
    """How far arcs without nails between the same two vertices are from the straight line, so that all are seen."""
    between: dict[frozenset[int], list[int]] = defaultdict(list)
    for number, arc in enumerate(arcs):
        if not arc.nails and arc.source != arc.target:
            between[frozenset((arc.source, arc.target))].append(number)
    found = {}
    for numbers in between.values():
        for place, number in enumerate(numbers):
            # Left of where an arc goes is right of where one back goes.
            away = (place - (len(numbers) - 1) / 2) * _BESIDE
            found[number] = away if arcs[number].source < arcs[number].target else -away
    return found


def _way(source: Box, nails: Sequence[Point], target: Box, aside: float) -> Iterator[Point]:
    if not nails and aside:
        (x, y), (right, down) = source[:2], target[:2]
        length = max(1.0, ((right - x) ** 2 + (down - y) ** 2) ** 0.5)
        nails = [((x + right) / 2 - (down - y) / length * aside, (y + down) / 2 + (right - x) / length * aside)]
    yield _border(source, nails[0] if nails else target[:2])
    yield from nails
    yield _border(target, nails[-1] if nails else source[:2])


def _border(box: Box, toward: Point) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    x, y, width, height = box
    across, down = toward[0] - x, toward[1] - y
    scale = max(abs(across) / (width / 2), abs(down) / (height / 2))
    return (x, y) if scale == 0 else (x + across / max(scale, 1.0), y + down / max(scale, 1.0))


def _labelled(routes: Sequence[Route], boxes: Sequence[Box]) -> tuple[list[Route], float]:
    """Each label beside its arc, where it covers least of what is there already, and how much is covered."""
    taken = list(boxes)
    covered = 0.0
    found: list[Route] = []
    for route in routes:
        if not route.arc.lines:
            found.append(route)
            continue
        spots = list(_spots(route)) if len(routes) <= _MOST_LABELS else [next(_spots(route))]
        costs = [sum(_shared(spot, other) for other in taken) for spot in spots]
        cost = min(costs)
        spot = spots[costs.index(cost)]
        covered += cost
        taken.append(spot)
        found.append(Route(route.arc, route.points, (spot[0] - spot[2] / 2, spot[1])))
    return found, covered


def _spots(route: Route) -> Iterator[Box]:
    """Where a label may stand: in the middle of its arc or near it, on any side of the line."""
    width, height = text_size(route.arc.lines)
    for part in (0.5, 0.35, 0.65, 0.2, 0.8):
        x, y, flat = _along(route.points, part)
        sides = [(x, y - height / 2 - 5), (x, y + height / 2 + 5)]
        upright = [(x + width / 2 + 7, y), (x - width / 2 - 7, y)]
        for across, down in (*sides, *upright) if flat else (*upright, *sides):
            yield across, down, width, height


def _along(points: Sequence[Point], part: float) -> tuple[float, float, bool]:
    """The point at a part of the way, and whether the way goes rather across than down there."""
    lengths = [((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in pairwise(points)]
    left = part * sum(lengths)
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if left <= length:
            share = left / length if length else 0.0
            flat = abs(b[0] - a[0]) > abs(b[1] - a[1])
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), flat
        left -= length
    return (*points[-1], False)


def _shared(a: Box, b: Box) -> float:
    """The area that two boxes have in common."""
    across = min(a[0] + a[2] / 2, b[0] + b[2] / 2) - max(a[0] - a[2] / 2, b[0] - b[2] / 2)
    down = min(a[1] + a[3] / 2, b[1] + b[3] / 2) - max(a[1] - a[3] / 2, b[1] - b[3] / 2)
    return max(0.0, across) * max(0.0, down)


def _moved(graph: Graph, boxes: Sequence[Box], routes: Sequence[Route], loops: Sequence[Loop]) -> Drawing:
    """So that everything begins at the left upper corner."""
    spots = [(x + side * width / 2, y + side * height / 2) for x, y, width, height in boxes for side in (-1, 1)]
    spots += [point for route in routes for point in route.points]
    for at, arc in [
        *((route.label, route.arc) for route in routes),
        *(((loop.x + 26, loop.y), loop.arc) for loop in loops),
    ]:
        if at is not None:
            width, height = text_size(arc.lines)
            spots += [(at[0], at[1] - height / 2), (at[0] + width, at[1] + height / 2)]
    left, top = min(x for x, _ in spots) - _MARGIN, min(y for _, y in spots) - _MARGIN

    def shift(point: Point) -> Point:
        return point[0] - left, point[1] - top

    return Drawing(
        graph,
        tuple((*shift((x, y)), width, height) for x, y, width, height in boxes),
        tuple(
            Route(route.arc, tuple(map(shift, route.points)), None if route.label is None else shift(route.label))
            for route in routes
        ),
        tuple(Loop(loop.arc, *shift((loop.x, loop.y))) for loop in loops),
        max(x for x, _ in spots) - left + _MARGIN,
        max(y for _, y in spots) - top + _MARGIN,
        straight=True,
    )
