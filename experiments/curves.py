"""Curves with a logarithmic axis as SVG: panels side by side, the same axes, one legend. No library is needed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, GAP, LEGEND = 380, 360, 64, 64, 34, 96


@dataclass(frozen=True, slots=True)
class Point:
    """``y`` is None where nothing was measured before the limit of the panel."""

    x: int
    y: float | None


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    curves: Mapping[str, Sequence[Point]]
    limit: float
    unit: str = "s"


@dataclass(frozen=True, slots=True)
class Axes:
    """Where values are, inside a panel."""

    first: int
    last: int
    low: int
    high: int

    def x(self, value: int) -> float:
        return WIDTH * (value - self.first + 0.5) / (self.last - self.first + 1)

    def y(self, value: float) -> float:
        return HEIGHT * (self.high - math.log10(value)) / (self.high - self.low)


def draw(title: str, panels: Sequence[Panel], x_label: str, y_label: str) -> str:
    """The picture. ValueError where there is nothing to draw."""
    points = [point for panel in panels for curve in panel.curves.values() for point in curve]
    if not points:
        raise ValueError("there is nothing to draw")
    seconds = [y for panel in panels for c in panel.curves.values() for p in c if (y := p.y or panel.limit)]
    axes = Axes(
        min(p.x for p in points),
        max(p.x for p in points),
        math.floor(math.log10(min(seconds))),
        math.ceil(math.log10(max(seconds))),
    )
    fullest_first = sorted(panels, key=lambda panel: -len(panel.curves))
    names = list(dict.fromkeys(name for panel in fullest_first for name in panel.curves))
    colours = dict(zip(names, shades(len(names)), strict=True))
    width = LEFT + len(panels) * (WIDTH + GAP) + LEGEND
    height = TOP + HEIGHT + 58
    middle = TOP + HEIGHT / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(LEFT, 24, title, size=15),
        f'<g transform="translate(18 {middle}) rotate(-90)">{_text(0, 0, y_label, "middle")}</g>',
    ]
    for number, panel in enumerate(panels):
        left = LEFT + number * (WIDTH + GAP)
        parts.append(f'<g transform="translate({left} {TOP})">')
        parts += _frame(panel, axes, x_label, numbered=number == 0)
        for name, curve in panel.curves.items():
            parts += _curve(curve, axes, panel.limit, colours[name])
        parts.append("</g>")
    parts += _legend(colours, LEFT + len(panels) * (WIDTH + GAP), TOP)
    return "\n".join([*parts, "</svg>", ""])


def shades(count: int) -> list[str]:
    """Colours from warm to cold, dark enough for a white ground; neighbours differ in brightness as well."""
    return [
        f"hsl({round(260 * i / max(1, count - 1))} {75 if i % 2 else 90}% {48 if i % 2 else 36}%)" for i in range(count)
    ]


def _frame(panel: Panel, axes: Axes, x_label: str, numbered: bool) -> Iterator[str]:
    yield _text(WIDTH / 2, -12, panel.title, "middle")
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#444"/>'
    for exponent in range(axes.low, axes.high + 1):
        y = axes.y(10.0**exponent)
        yield f'<line x1="0" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ccc"/>'
        if numbered:
            yield _text(-8, y + 4, f"{10.0**exponent:g}", "end")
    limit = axes.y(panel.limit)
    if limit >= 0:
        yield f'<line x1="0" x2="{WIDTH}" y1="{limit:.1f}" y2="{limit:.1f}" stroke="#444" stroke-dasharray="2 3"/>'
        yield _text(4, limit - 4, f"limit {panel.limit:g} {panel.unit}", size=10)
    for x in range(axes.first, axes.last + 1):
        yield _text(axes.x(x), HEIGHT + 18, str(x), "middle")
    yield _text(WIDTH / 2, HEIGHT + 40, x_label, "middle")


def _curve(curve: Sequence[Point], axes: Axes, limit: float, colour: str) -> Iterator[str]:
    """A filled dot is a measurement, an empty one a run that came to no end; the line stops at the first of those."""
    line: list[str] = []
    stopped = False
    for point in curve:
        x, y = axes.x(point.x), axes.y(limit if point.y is None else point.y)
        if not stopped:
            line.append(f"{x:.1f},{y:.1f}")
        stopped = stopped or point.y is None
        fill = "white" if point.y is None else colour
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{fill}" stroke="{colour}"/>'
    yield f'<polyline points="{" ".join(line)}" fill="none" stroke="{colour}" stroke-width="1.6"/>'


def _legend(colours: Mapping[str, str], left: float, top: float) -> Iterator[str]:
    for row, (name, colour) in enumerate(colours.items()):
        y = top + 10 + row * 19
        yield f'<line x1="{left}" x2="{left + 22}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2.4"/>'
        yield _text(left + 30, y + 4, name)


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
