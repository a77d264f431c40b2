"""A waveform as a picture: a row for each signal, a column for each cycle, the failing property on top.

Bits are drawn as levels, words as boxes with their value (hexadecimal, where a word has more than four bits). Where
there are too many signals, those that never change are left out first; of many cycles the last ones are drawn. What is
left out is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from argosy.basics.records import dataclass
from argosy.logic.semantics import Value
from argosy.logic.sorts import Sort
from argosy.report.vcd import Wire

SIGNALS = 120
CYCLES = 80

_ROW, _CYCLE, _NAME = 26, 64, 240


@dataclass(frozen=True, slots=True)
class Waveform:
    """``svg`` is markup; ``left_out`` says in words what it does not show."""

    svg: str
    left_out: tuple[str, ...]


def waveform(property: str, wires: Sequence[Wire], cycles: Sequence[Mapping[str, Value]]) -> Waveform:
    shown = list(range(max(0, len(cycles) - CYCLES), len(cycles)))
    rows = [(wire, [wire.value(cycles[k]) for k in shown]) for wire in wires]
    left_out = []
    if len(shown) < len(cycles):
        left_out.append(f"{len(cycles) - len(shown):,} cycles before these")
    if len(rows) > SIGNALS:
        rows.sort(key=lambda row: all(value == row[1][0] for value in row[1]))
        left_out.append(f"{len(rows) - SIGNALS:,} signals of the cone")
        rows = rows[:SIGNALS]
    width, height = _NAME + _CYCLE * len(shown) + 10, _ROW * (len(rows) + 2) + 10
    parts = [f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}">']
    for place, number in enumerate(shown):
        x = _NAME + place * _CYCLE
        parts.append(f'<text class="faint middle" x="{x + _CYCLE / 2}" y="16">{number}</text>')
        parts.append(f'<line class="rule" x1="{x}" x2="{x}" y1="{_ROW}" y2="{height - 6}"/>')
    failing = [number == len(cycles) - 1 for number in shown]
    parts += _levels(property, failing, 1, "bad")
    for place, (wire, values) in enumerate(rows, 2):
        if wire.sort.kind == "bool" or (wire.sort.is_bits and wire.sort.width == 1):
            parts += _levels(_named(wire), [bool(value) for value in values], place, wire.scope)
        else:
            parts += _boxes(wire, values, place)
    return Waveform("".join((*parts, "</svg>")), tuple(left_out))


def _named(wire: Wire) -> str:
    return wire.name if wire.element is None else f"{wire.name}[{wire.element}]"


def _label(name: str, row: int, kind: str) -> str:
    short = name if len(name) <= 32 else f"{name[:14]}...{name[-15:]}"
    y = row * _ROW + 18
    return f'<text class="end {kind}" x="{_NAME - 10}" y="{y}"><title>{escape(name)}</title>{escape(short)}</text>'


def _levels(name: str, values: Sequence[bool], row: int, kind: str) -> Iterator[str]:
    yield _label(name, row, kind)
    high, low = row * _ROW + 6, row * _ROW + 22
    points = []
    for place, value in enumerate(values):
        y = high if value else low
        points.append(f"{_NAME + place * _CYCLE},{y} {_NAME + (place + 1) * _CYCLE},{y}")
    yield f'<polyline class="wave {kind}" points="{" ".join(points)}"/>'


def _boxes(wire: Wire, values: Sequence[Value], row: int) -> Iterator[str]:
    yield _label(_named(wire), row, wire.scope)
    top, begun = row * _ROW + 6, 0
    for place in range(1, len(values) + 1):
        if place < len(values) and values[place] == values[begun]:
            continue
        x, width = _NAME + begun * _CYCLE, (place - begun) * _CYCLE
        text = number_text(wire.sort, values[begun])
        short = text if len(text) <= width // 8 else f"{text[: max(1, width // 8 - 2)]}.."
        yield f'<rect class="bus" x="{x + 1}" y="{top}" width="{width - 2}" height="16"/>'
        middle = x + width / 2
        yield f'<text class="middle" x="{middle}" y="{top + 12}"><title>{escape(text)}</title>{escape(short)}</text>'
        begun = place


def number_text(sort: Sort, value: Value) -> str:
    return f"0x{value:x}" if sort.is_bits and sort.width > 4 else str(value)
