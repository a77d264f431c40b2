"""Layered drawing of a graph (Sugiyama, Tagawa, Toda 1981): where everything goes.

Arcs that close a cycle are turned round; every vertex lies below those that lead to it; a label is a vertex of its
own, half way down its arc, so that labels never overlap. Order within a layer: barycentres, kept where they save
crossings. Positions: as close to the mean of the neighbours as the order allows (pooling of adjacent violators, exact
for one layer, some rounds over all).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise

from argosy.basics.records import dataclass, field
from argosy.report.graphs import Arc, Graph, Text

LETTER, LINE = 6.9, 15.0
_SPACE, _HALF_LAYER, _ROUNDS = 18.0, 26.0, 12


@dataclass(slots=True)
class Item:
    """What stands in a layer: a vertex, a label, or the bend of a long arc. ``left`` and ``right`` are how far it
    reaches from its ``x``; a line passes a label at its left edge. ``box`` is the height of a vertex without its
    loops."""

    layer: int
    left: float
    right: float
    height: float
    x: float = 0.0
    y: float = 0.0
    above: list[Item] = field(default_factory=list, repr=False)
    below: list[Item] = field(default_factory=list, repr=False)
    rank: int = 0
    box: float = 0.0


@dataclass(frozen=True, slots=True)
class Route:
    """The way of an arc, from its source to its target, and where its label is (the middle of its left edge)."""

    arc: Arc
    points: tuple[tuple[float, float], ...]
    label: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Loop:
    """An arc from a vertex to itself, drawn at its right side at this height."""

    arc: Arc
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """``boxes``: x and y of the middle, width and height of each vertex. ``straight``: lines from point to point."""

    graph: Graph
    boxes: tuple[tuple[float, float, float, float], ...]
    routes: tuple[Route, ...]
    loops: tuple[Loop, ...]
    width: float
    height: float
    straight: bool = False


def text_size(lines: Sequence[Text]) -> tuple[float, float]:
    return max((len(line.text) for line in lines), default=0) * LETTER, len(lines) * LINE


def draw(graph: Graph) -> Drawing:
    return _Layout(graph).drawing()


class _Layout:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._plain = [arc for arc in graph.arcs if arc.source != arc.target]
        self._loops = [arc for arc in graph.arcs if arc.source == arc.target]
        self._turned = self._closing_arcs()
        self._items = self._vertices()
        self._chains = [self._chain(number) for number in range(len(self._plain))]
        self._layers: list[list[Item]] = [[] for _ in range(1 + max((item.layer for item in self._items), default=0))]
        for item in self._items:
            self._layers[item.layer].append(item)

    def drawing(self) -> Drawing:
        self._order()
        self._place()
        self._level()
        count = len(self._graph.vertices)
        boxes = tuple((item.x, item.y, 2 * item.left, item.box) for item in self._items[:count])
        routes = tuple(self._route(arc, chain) for arc, chain in zip(self._plain, self._chains, strict=True))
        loops = tuple(self._placed_loops())
        width = max((item.x + item.right for item in self._items), default=0.0) + _SPACE
        height = max((item.y + item.height / 2 for item in self._items), default=0.0) + _SPACE
        return Drawing(self._graph, boxes, routes, loops, width, height)

    # Layers

    def _closing_arcs(self) -> frozenset[int]:
        """The arcs that lead back on a depth-first walk; without them there is no cycle."""
        leaving: list[list[tuple[int, int]]] = [[] for _ in self._graph.vertices]
        for number, arc in enumerate(self._plain):
            leaving[arc.source].append((number, arc.target))
        state = [0] * len(self._graph.vertices)
        closing = set()
        for root in range(len(self._graph.vertices)):
            if state[root]:
                continue
            state[root] = 1
            stack = [(root, iter(leaving[root]))]
            while stack:
                vertex, rest = stack[-1]
                step = next(rest, None)
                if step is None:
                    state[vertex] = 2
                    stack.pop()
                elif state[step[1]] == 1:
                    closing.add(step[0])
                elif state[step[1]] == 0:
                    state[step[1]] = 1
                    stack.append((step[1], iter(leaving[step[1]])))
        return frozenset(closing)

    def _ends(self, number: int) -> tuple[int, int]:
        """Upper and lower vertex of an arc."""
        arc = self._plain[number]
        return (arc.target, arc.source) if number in self._turned else (arc.source, arc.target)

    def _vertices(self) -> list[Item]:
        """On even layers, each two below the lowest of its predecessors."""
        count = len(self._graph.vertices)
        below: list[list[int]] = [[] for _ in range(count)]
        open_arcs = [0] * count
        for number in range(len(self._plain)):
            upper, lower = self._ends(number)
            below[upper].append(lower)
            open_arcs[lower] += 1
        layer = [0] * count
        ready = [vertex for vertex in range(count) if open_arcs[vertex] == 0]
        for upper in ready:
            for lower in below[upper]:
                layer[lower] = max(layer[lower], layer[upper] + 2)
                open_arcs[lower] -= 1
                if open_arcs[lower] == 0:
                    ready.append(lower)
        items = []
        for number, vertex in enumerate(self._graph.vertices):
            half = (max(text_size(vertex.lines)[0], 24.0) + 18) / 2
            labels = [text_size(arc.lines) for arc in self._loops if arc.source == number]
            beside = max((width for width, _ in labels), default=0.0) + 34 if labels else 0.0
            height = max(self._height_of(number), sum(max(tall, LINE) + 8 for _, tall in labels))
            items.append(Item(layer[number], half, half + beside, height, box=self._height_of(number)))
        return items

    def _height_of(self, vertex: int) -> float:
        return text_size(self._graph.vertices[vertex].lines)[1] + 10

    def _chain(self, number: int) -> list[Item]:
        """The bends of an arc from its upper to its lower end, one of which is its label."""
        lines = self._plain[number].lines
        upper, lower = (self._items[end] for end in self._ends(number))
        between = range(upper.layer + 1, lower.layer)
        middle = between[len(between) // 2]
        chain = [upper]
        for layer in between:
            bend = Item(layer, 3.0, 3.0, 0.0)
            if layer == middle and lines:
                width, height = text_size(lines)
                bend = Item(layer, 4.0, width + 8, height + 4)
            self._items.append(bend)
            chain.append(bend)
        chain.append(lower)
        for first, second in pairwise(chain):
            first.below.append(second)
            second.above.append(first)
        return chain

    # Order

    def _order(self) -> None:
        for layer in self._layers:
            for rank, item in enumerate(layer):
                item.rank = rank
        best, kept = self._crossings(), [list(layer) for layer in self._layers]
        for turn in range(_ROUNDS):
            if best == 0:
                break
            down = turn % 2 == 0
            for layer in self._layers[1:] if down else self._layers[-2::-1]:
                layer.sort(key=lambda item: _mean([n.rank for n in (item.above if down else item.below)], item.rank))
                for rank, item in enumerate(layer):
                    item.rank = rank
            crossings = self._crossings()
            if crossings < best:
                best, kept = crossings, [list(layer) for layer in self._layers]
        self._layers = kept
        for layer in self._layers:
            for rank, item in enumerate(layer):
                item.rank = rank

    def _crossings(self) -> int:
        count = 0
        for layer in self._layers:
            seen: list[int] = []
            for item in layer:
                ends = sorted(other.rank for other in item.below)
                count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
                for end in ends:
                    insort(seen, end)
        return count

    # Positions

    def _place(self) -> None:
        for layer in self._layers:
            x = 0.0
            for item in layer:
                item.x = x + item.left
                x += item.left + item.right + _SPACE
        for turn in range(2 * _ROUNDS):
            down = turn % 2 == 0
            for layer in self._layers if down else reversed(self._layers):
                wanted = [
                    _mean([n.x for n in ((i.above or i.below) if down else (i.below or i.above))], i.x) for i in layer
                ]
                _spread(layer, wanted)
        leftmost = min((item.x - item.left for item in self._items), default=0.0)
        for item in self._items:
            item.x += _SPACE - leftmost

    def _level(self) -> None:
        y = 0.0
        for number, layer in enumerate(self._layers):
            height = max((item.height for item in layer), default=0.0)
            if number % 2:
                height = max(height + _HALF_LAYER, _HALF_LAYER)
            for item in layer:
                item.y = y + height / 2
            y += height

    # Lines

    def _route(self, arc: Arc, chain: list[Item]) -> Route:
        upper, lower = chain[0], chain[-1]
        start = (_port(upper, chain[1], upper.below), upper.y + upper.box / 2)
        end = (_port(lower, chain[-2], lower.above), lower.y - lower.box / 2)
        # Straight down along a label.
        bends = [
            (bend.x, bend.y + side * bend.height / 2)
            for bend in chain[1:-1]
            for side in ((-1, 1) if bend.height else (0,))
        ]
        points = [start, *bends, end]
        label = next(((bend.x + 5, bend.y) for bend in chain[1:-1] if bend.height), None)
        turned = self._items[arc.source] is lower
        return Route(arc, tuple(reversed(points) if turned else points), label)

    def _placed_loops(self) -> list[Loop]:
        found = []
        for number, item in enumerate(self._items[: len(self._graph.vertices)]):
            own = [arc for arc in self._loops if arc.source == number]
            total = sum(max(text_size(arc.lines)[1], LINE) + 8 for arc in own)
            y = item.y - total / 2
            for arc in own:
                tall = max(text_size(arc.lines)[1], LINE) + 8
                found.append(Loop(arc, item.x + item.left, y + tall / 2))
                y += tall
        return found


def _port(item: Item, toward: Item, side: Sequence[Item]) -> float:
    """Arcs leave a side of a box in the order in which they go on."""
    order = sorted(range(len(side)), key=lambda k: side[k].x)
    place = order.index(next(k for k, other in enumerate(side) if other is toward))
    step = min(16.0, 2 * item.left * 0.7 / max(len(side), 1))
    return item.x + (place - (len(side) - 1) / 2) * step


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(layer: Sequence[Item], wanted: Sequence[float]) -> None:
    """The positions closest to those wanted (least squares) that keep the order and the distances."""
    offsets = [0.0]
    for first, second in pairwise(layer):
        offsets.append(offsets[-1] + first.right + second.left + _SPACE)
    blocks: list[tuple[float, int]] = []
    for place, offset in zip(wanted, offsets, strict=False):
        mean, count = place - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, size = blocks.pop()
            mean, count = (mean * count + before * size) / (count + size), count + size
        blocks.append((mean, count))
    positions = [mean for mean, count in blocks for _ in range(count)]
    for item, position, offset in zip(layer, positions, offsets, strict=False):
        item.x = position + offset
