"""A run of a network as a message-sequence picture: a line per process, time downwards, arrows for synchronisations.

A step is a row: the boxes on the lines name the locations that are entered, an arrow goes from the sender to each
receiver, what changed stands at the right. A delay is a gap between rows. Plain SVG, coloured by the page around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

LONGEST = 400
"""More steps than this lose their middle."""

_LONGEST_TEXT = 80
_LETTER = 7.2
_ROW, _GAP, _BOX = 50, 22, 22
_AXIS, _MARGIN = 76, 26


def sequence(steps: Sequence[Mapping[str, Any]], number: int = 0) -> str:
    """The picture of steps as ``report.runs`` makes them, one of several in a page by its ``number``; processes that
    never move have no line. Rows know their step."""
    return _Picture(steps, number).svg()


def resting(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """The processes that never move."""
    moving = {edge["process"] for step in steps for edge in step["edges"]}
    return [process for process in _locations(steps) if process not in moving]


def _locations(steps: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The processes with the locations that they start in."""
    start = steps[0]["values"].items()
    return {name.removesuffix(".location"): value for name, value in start if isinstance(value, str)}


class _Picture:
    def __init__(self, steps: Sequence[Mapping[str, Any]], number: int) -> None:
        self._steps = steps
        self._tip = f"tip{number}"
        out = set(resting(steps))
        self._initial = {process: name for process, name in _locations(steps).items() if process not in out}
        self._places = self._columns()
        self._parts: list[str] = []
        self._y = 0.0

    def _columns(self) -> dict[str, float]:
        """Where the lines stand: boxes do not touch, and the name of a channel fits between neighbours."""
        widest = {process: max(_width(process), _width(name)) for process, name in self._initial.items()}
        between: dict[tuple[str, str], float] = {}
        order = list(self._initial)
        for step in self._steps:
            for edge in step["edges"]:
                widest[edge["process"]] = max(widest[edge["process"]], _width(edge["target"]))
            for sender, receiver, channel in _messages(step):
                ends = sorted((sender, receiver), key=order.index)
                if order.index(ends[1]) == order.index(ends[0]) + 1:
                    pair = (ends[0], ends[1])
                    between[pair] = max(between.get(pair, 0), _width(channel))
        places: dict[str, float] = {}
        x = float(_AXIS)
        previous = None
        for process in order:
            half = widest[process] / 2
            if previous is not None:
                x += max(36.0, between.get((previous, process), 0) + 16)
            places[process] = x + half
            x += 2 * half
            previous = process
        self._right = x + _MARGIN
        return places

    def svg(self) -> str:
        changes = max((_width(_changes(step)) for step in self._shown() if step is not None), default=0)
        width = self._width = self._right + changes + _MARGIN
        heads = list(self._heads())
        for number, step in enumerate(self._shown()):
            if step is None:
                self._left_out(len(self._steps) - LONGEST)
            elif number:
                behind = number > LONGEST // 2 and len(self._steps) > LONGEST + 1
                self._row(step, number + len(self._steps) - LONGEST - 1 if behind else number)
        bottom = self._y
        lines = (
            f'<line class="line" x1="{x:.0f}" y1="60" x2="{x:.0f}" y2="{bottom:.0f}"/>' for x in self._places.values()
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {bottom + 12:.0f}" '
            f'width="{width:.0f}" height="{bottom + 12:.0f}" role="img" aria-label="message sequence of the run">'
            f'<defs><marker id="{self._tip}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" '
            'orient="auto-start-reverse"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>'
            + "".join([*lines, *heads, *self._parts])
            + "</svg>\n"
        )

    def _shown(self) -> Iterator[Mapping[str, Any] | None]:
        """The steps, None for those that are left out."""
        if len(self._steps) <= LONGEST + 1:
            yield from self._steps
            return
        yield from self._steps[: LONGEST // 2]
        yield None
        yield from self._steps[-(LONGEST // 2) :]

    def _heads(self) -> Iterator[str]:
        start = self._steps[0]
        for process, x in self._places.items():
            yield f'<text class="process strong middle" x="{x:.0f}" y="18">{escape(process)}</text>'
        yield f'<g data-step="0">{self._band(47)}{_title(start)}{_text("faint", 8, 52, "0")}'
        for process, x in self._places.items():
            yield _box(self._initial[process], x, 47)
        yield "</g>"
        self._y = 47 + _BOX / 2

    def _row(self, step: Mapping[str, Any], number: int) -> None:
        if step["delay"] != "0":
            self._parts.append(_text("delay faint", 8, self._y + _GAP / 2 + 1, f"+ {step['delay']}"))
            self._parts.append(
                f'<line class="gap" x1="{_AXIS - 12}" y1="{self._y + _GAP / 2 - 3:.0f}" '
                f'x2="{self._right:.0f}" y2="{self._y + _GAP / 2 - 3:.0f}"/>'
            )
            self._y += _GAP
        middle = self._y + _ROW - _BOX
        row = [
            f'<g data-step="{number}">{self._band(middle)}{_title(step)}',
            _text("faint", 8, middle + 4, step["time"]),
        ]
        for sender, receiver, channel in _messages(step):
            row.append(self._arrow(sender, receiver, channel, middle, step))
        row += [_box(edge["target"], self._places[edge["process"]], middle) for edge in step["edges"]]
        if changed := _changes(step):
            row.append(_text("faint", self._right, middle + 4, changed))
        self._parts += [*row, "</g>"]
        self._y += _ROW

    def _band(self, middle: float) -> str:
        """What shows which step is looked at."""
        place = f'x="2" y="{middle - _ROW / 2 + 2:.0f}" width="{self._width - 4:.0f}" height="{_ROW - 4}"'
        return f'<rect class="band" {place} rx="6"/>'

    def _arrow(self, sender: str, receiver: str, channel: str, y: float, step: Mapping[str, Any]) -> str:
        """From box to box; over the boxes of other receivers that stand between them."""
        entered = {edge["process"]: edge["target"] for edge in step["edges"]}
        low, high = sorted((self._places[sender], self._places[receiver]))
        direction = 1 if low == self._places[sender] else -1
        if any(low < self._places[process] < high for process in entered):
            start, end, top = self._places[sender], self._places[receiver], y - _BOX / 2
            over = f"{start:.0f} {top - 16:.0f} {end:.0f} {top - 16:.0f}"
            way = f"M{start:.0f} {top:.0f} C{over} {end:.0f} {top:.0f}"
            line = f'<path class="message" d="{way}" marker-end="url(#{self._tip})"/>'
            near = end - direction * _width(channel) / 2
            return (
                line + f'<text class="channel faint middle" x="{near:.0f}" y="{top - 3:.0f}">{escape(channel)}</text>'
            )
        start = self._places[sender] + direction * _width(entered[sender]) / 2
        end = self._places[receiver] - direction * _width(entered[receiver]) / 2
        ends = f'x1="{start:.0f}" y1="{y:.0f}" x2="{end:.0f}" y2="{y:.0f}"'
        line = f'<line class="message" {ends} marker-end="url(#{self._tip})"/>'
        # Beside the receiver: the arrows of a broadcast start at the same place.
        near = end - direction * (_width(channel) / 2 + 6)
        return line + _text("channel faint middle", near, y - 5, channel)

    def _left_out(self, count: int) -> None:
        text = f"... {count} steps left out ..."
        self._parts.append(_text("faint", _AXIS, self._y + _ROW / 2, text))
        self._y += _ROW


def _messages(step: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Sender, receiver and channel of each message of a step."""
    edges = step["edges"]
    for receiver in edges[1:]:
        yield edges[0]["process"], receiver["process"], edges[0]["synchronisation"].removesuffix("!")


def _changes(step: Mapping[str, Any]) -> str:
    """Locations stand on the lines; a broadcast that nobody receives is said here."""
    changed = [f"{name} = {value}" for name, value in step["values"].items() if not isinstance(value, str)]
    alone = [edge["synchronisation"] for edge in step["edges"] if edge["synchronisation"]]
    text = ", ".join([*(alone if len(step["edges"]) == 1 else ()), *changed])
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 4]} ..."


def _title(step: Mapping[str, Any]) -> str:
    """Shown under the pointer."""
    lines = [step["operation"], *step["zone"], *(f"{name} = {value}" for name, value in step["clocks"].items())]
    return f"<title>{escape(chr(10).join(lines))}</title>"


def _box(name: str, x: float, y: float) -> str:
    width = _width(name)
    place = f'x="{x - width / 2:.0f}" y="{y - _BOX / 2:.0f}" width="{width:.0f}" height="{_BOX}"'
    return f'<rect class="box bus" {place} rx="8"/>{_text("middle", x, y + 4, name)}'


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>' if text else ""


def _width(text: str) -> float:
    return len(text) * _LETTER + 14
