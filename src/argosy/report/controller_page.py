"""The page of a controller: every requirement with its answer, and each violation as a timing diagram.

Nothing in it is drawn by a script. Law: whatever stands in the result, no part of it is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from argosy.report.controller_cycles import SECTIONS
from argosy.report.exporters import Decided, File
from argosy.report.frame import COLOURS, certified_by, framed
from argosy.report.result import Result

_LEFT, _STEP, _ROW, _HIGH, _TOP = 220, 96, 26, 16, 44
MOST_CYCLES = 200
"""Cycles that are drawn; of more the last ones."""


def page(decided: Decided, path: str) -> Iterator[File]:
    yield path, cycles_page(decided.result)


def cycles_page(result: Result) -> str:
    answers = [
        {"text": a["text"], "line": a["line"], "colour": COLOURS[a["satisfied"]], "said": _said(a), "steps": []}
        for a in result.answers
    ]
    return framed(("still",), result, {"answers": answers}, "\n".join(_body(result)))


def _said(answer: Mapping[str, Any]) -> str:
    return str(answer["words"] or f"UNKNOWN ({answer['reason']})")


def _body(result: Result) -> Iterator[str]:
    for number, answer in enumerate(result.answers, 1):
        title = f"{number}. <code>{escape(answer['text'])}</code>"
        yield f'<section class="card" id="answer-{number}"><header><h2>{title}</h2></header>'
        yield f'<p class="answer {COLOURS[answer["satisfied"]]}">{escape(_said(answer))}</p>'
        yield f'<p class="note">{escape(certified_by(answer["certificate"]))}</p>'
        cycles = answer.get("cycles") or []
        if cycles:
            drawn = timing_diagram(cycles[-MOST_CYCLES:], _said(answer))
            yield f'<div class="picture" tabindex="0" role="region" aria-label="timing diagram">{drawn}</div>'
            table = f'<div class="scroll">{_table(cycles)}</div>'
            yield f"<details><summary>As a table</summary>{table}</details>"
        yield "</section>"


def _table(cycles: Sequence[Mapping[str, Any]]) -> str:
    """All values: variables below each other, cycles side by side; what changed is bold."""
    drawn = cycles[-MOST_CYCLES:]
    marks = [""] * (len(drawn) - 1) + [" last"]

    def row(name: str, values: Sequence[str], kinds: Sequence[str]) -> str:
        cells = zip(values, kinds, marks, strict=True)
        inner = "".join(f'<td class="{kind}{mark}">{escape(value)}</td>' for value, kind, mark in cells)
        return f"<tr><th>{escape(name)}</th>{inner}</tr>"

    plain = [""] * len(drawn)
    found = [row("cycle", [str(each["cycle"]) for each in drawn], plain)]
    found.append(row("time", [each["time"] for each in drawn], plain))
    for title in SECTIONS.values():
        if drawn[0][title]:
            found.append(f'<tr><th class="faint" colspan="{len(drawn) + 1}">{title}</th></tr>')
        for name in drawn[0][title]:
            kinds = ["new" if name in each["changed"] else "same" for each in drawn]
            found.append(row(name, [str(each[title][name]) for each in drawn], kinds))
    return f'<table class="cycles">{"".join(found)}</table>'


def timing_diagram(cycles: Sequence[Mapping[str, Any]], words: str = "") -> str:
    """Signals below each other, cycles from left to right; the last cycle, in which it happens, is marked."""
    parts: list[str] = []
    y = _TOP
    for title in SECTIONS.values():
        names = [name for name in cycles[0][title] if title != "memory" or _changes(cycles, name)]
        if names:
            parts.append(f'<text class="faint strong" x="8" y="{y + _HIGH}">{title}</text>')
            y += _ROW
        for name in names:
            values = [str(each[title][name]) for each in cycles]
            parts.append(f'<text x="16" y="{y + _HIGH - 3}">{escape(_short(name, 27))}</text>')
            parts += _wave(values, y) if set(values) <= {"TRUE", "FALSE"} else _bus(values, y)
            y += _ROW
    width = _LEFT + _STEP * len(cycles) + 20
    last = _LEFT + _STEP * (len(cycles) - 1)
    rules = [f'<rect class="last" x="{last}" y="4" width="{_STEP}" height="{y}"/>']
    for number, each in enumerate(cycles):
        x = _LEFT + _STEP * number
        rules.append(f'<line class="rule" x1="{x}" y1="4" x2="{x}" y2="{y}"/>')
        rules.append(f'<text x="{x + 6}" y="18">{each["cycle"]}</text>')
        rules.append(f'<text class="faint" x="{x + 6}" y="34">{escape(each["time"])}</text>')
    rules.append(f'<text class="strong" x="{last + 6}" y="{y + 14}">{escape(_short(words, 40))}</text>')
    y, width = y + 14, max(width, last + 6 + 8 * min(len(words), 40))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 10}" width="{width}" '
        f'height="{y + 10}">' + "\n".join((*rules, *parts)) + "</svg>"
    )


def _changes(cycles: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any(name in each["changed"] for each in cycles)


def _wave(values: Sequence[str], y: int) -> Iterator[str]:
    """A truth value: high or low, with an edge where it changes."""
    levels = [y if value == "TRUE" else y + _HIGH for value in values]
    points = []
    for number, level in enumerate(levels):
        x = _LEFT + _STEP * number
        if level == y:
            yield f'<rect class="high" x="{x}" y="{y}" width="{_STEP}" height="{_HIGH}"/>'
        points += [f"{x},{level}", f"{x + _STEP},{level}"]
    yield f'<polyline class="wave" points="{" ".join(points)}"/>'


def _bus(values: Sequence[str], y: int) -> Iterator[str]:
    """Any other value: a box for as long as it stays, with the value in it."""
    start = 0
    for number in range(1, len(values) + 1):
        if number < len(values) and values[number] == values[start]:
            continue
        x, width = _LEFT + _STEP * start, _STEP * (number - start)
        yield f'<rect class="bus" x="{x + 1}" y="{y}" width="{width - 2}" height="{_HIGH}" rx="3"/>'
        yield f'<text x="{x + 6}" y="{y + _HIGH - 4}">{escape(_short(values[start], max(width // 8 - 1, 4)))}</text>'
        start = number


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 2]}.."
