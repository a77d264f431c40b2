"""Drawings as SVG: one picture of all graphs of a model, below each other, that needs nothing outside its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from argosy.report.graphs import Graph, Text
from argosy.report.layers import LINE, Drawing
from argosy.report.placed import drawn

_TITLE, _GAP = 30.0, 26.0

STYLE = """
svg.model { --ink: #1d2733; --faint: #667788; --paper: #fff; --line: #55708c; --box: #eaf1fb; --edge: #3a6ea5;
  --green: #1b7f4b; --violet: #7a3e9d; --blue: #1f5fb0; --red: #b3261e; --amber: #8a6100; background: var(--paper); }
@media (prefers-color-scheme: dark) { svg.model { --ink: #e3e8ee; --faint: #93a1b1; --paper: #14181d; --line: #7f93a8;
  --box: #1f2d3f; --edge: #7fb0e8; --green: #5fcf97; --violet: #d0a0ea; --blue: #8fbcff; --red: #ff8a80;
  --amber: #e3b341; } }
svg.model text { font: 11.5px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); }
svg.model .title { font-weight: 600; font-size: 14px; } svg.model .arc { fill: none; stroke: var(--line); }
svg.model .tip { fill: var(--line); } svg.model .box { fill: var(--box); stroke: var(--edge); }
svg.model .initial { stroke-width: 2.5; } svg.model .error { stroke: var(--red); stroke-width: 2.5; }
svg.model .committed { stroke-dasharray: 2 2; } svg.model .urgent { stroke-dasharray: 6 3; }
svg.model .name { font-weight: 600; } svg.model .position { fill: var(--faint); }
svg.model .invariant { fill: var(--violet); } svg.model .guard { fill: var(--green); }
svg.model .select { fill: var(--amber); } svg.model .synchronisation { fill: var(--red); }
svg.model .update { fill: var(--blue); }
"""


def svg(graphs: Sequence[Graph]) -> str:
    """The picture of a model."""
    drawings = [drawn(graph) for graph in graphs]
    width = max((drawing.width for drawing in drawings), default=0.0) + 2 * _GAP
    parts: list[str] = []
    y = _GAP
    for drawing in drawings:
        parts.append(f'<text class="title" x="{_GAP:.0f}" y="{y + 8:.0f}">{escape(drawing.graph.title)}</text>')
        y += _TITLE
        parts.append(f'<g transform="translate({_GAP:.0f} {y:.0f})">')
        parts += _marks(drawing)
        parts.append("</g>")
        y += drawing.height + _GAP
    return (
        f'<svg class="model" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {y:.0f}" width="{width:.0f}" '
        f'height="{y:.0f}"><style>{STYLE}</style><defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" '
        'markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _marks(drawing: Drawing) -> Iterator[str]:
    for route in drawing.routes:
        yield f'<path class="arc" d="{_curve(route.points, drawing.straight)}" marker-end="url(#arrow)"/>'
    for loop in drawing.loops:
        x, y = loop.x, loop.y
        yield (
            f'<path class="arc" d="M{x:.1f} {y - 4:.1f} C{x + 26:.1f} {y - 14:.1f} {x + 26:.1f} {y + 14:.1f} '
            f'{x:.1f} {y + 4:.1f}" marker-end="url(#arrow)"/>'
        )
        yield from _lines(loop.arc.lines, x + 26, y, "start")
    for route in drawing.routes:
        if route.label is not None:
            yield from _lines(route.arc.lines, *route.label, "start")
    for vertex, (x, y, width, height) in zip(drawing.graph.vertices, drawing.boxes, strict=True):
        kinds = " ".join(("box", *vertex.marks))
        yield (
            f'<rect class="{kinds}" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="9"><title>{escape(", ".join(vertex.marks))}</title></rect>'
        )
        yield from _lines(vertex.lines, x, y, "middle")


def _lines(lines: Iterable[Text], x: float, y: float, anchor: str) -> Iterator[str]:
    """Text around the height ``y``."""
    every = tuple(lines)
    top = y - (len(every) - 1) * LINE / 2 + 4
    for number, line in enumerate(every):
        yield (
            f'<text class="{line.kind}" x="{x:.1f}" y="{top + number * LINE:.1f}" text-anchor="{anchor}">'
            f"{escape(line.text)}</text>"
        )


def _curve(points: Sequence[tuple[float, float]], straight: bool) -> str:
    """Through all points, upright at each of them or straight on."""
    if straight:
        return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    (x, y), *rest = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for right, down in rest:
        middle = (y + down) / 2
        parts.append(f"C{x:.1f} {middle:.1f} {right:.1f} {middle:.1f} {right:.1f} {down:.1f}")
        x, y = right, down
    return " ".join(parts)
