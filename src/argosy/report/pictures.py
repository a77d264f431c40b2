"""Drawings as data for a page: ``widgets.js`` makes pictures of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from argosy.report.graphs import Text
from argosy.report.layers import Drawing


def picture(drawing: Drawing) -> dict[str, Any]:
    """Arcs have the numbers that they have in the graph."""
    number = {id(arc): index for index, arc in enumerate(drawing.graph.arcs)}
    return {
        "title": drawing.graph.title,
        "width": round(drawing.width),
        "height": round(drawing.height),
        "straight": drawing.straight,
        "boxes": [
            {"at": [round(each, 1) for each in box], "text": _texts(vertex.lines), "marks": vertex.marks}
            for vertex, box in zip(drawing.graph.vertices, drawing.boxes, strict=True)
        ],
        "routes": [
            {
                "arc": number[id(route.arc)],
                "points": [[round(x, 1), round(y, 1)] for x, y in route.points],
                "label": None if route.label is None else [round(each, 1) for each in route.label],
                "text": _texts(route.arc.lines),
            }
            for route in drawing.routes
        ],
        "loops": [
            {
                "arc": number[id(loop.arc)],
                "at": [round(loop.x, 1), round(loop.y, 1)],
                "text": _texts(loop.arc.lines),
            }
            for loop in drawing.loops
        ],
    }


def _texts(lines: Iterable[Text]) -> list[tuple[str, str]]:
    return [(line.kind, line.text) for line in lines]
