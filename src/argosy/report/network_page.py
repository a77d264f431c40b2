"""The page of a network: every query with its answer, and its run as a picture and as a table.

Nothing in it is drawn by a script. Law: whatever stands in the result, no part of it is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from argosy.report.exporters import Decided, File
from argosy.report.pages import still
from argosy.report.result import Result, satisfied
from argosy.report.sequence import LONGEST, sequence

_STYLE = """
main { display: grid; gap: 10px; } section { display: grid; gap: 8px; margin-top: 22px; min-width: 0; }
h1 code, h2 code { font-size: inherit; } code, svg text, td { font-family: ui-monospace, Menlo, Consolas, monospace; }
.answer { font-weight: 600; } .safe { color: var(--good); } .unsafe { color: var(--bad); }
.unknown { color: var(--open); } .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px;
  padding: 8px; background: var(--surface); }
table { border-collapse: collapse; font-size: 13px; } th { text-align: left; color: var(--faint); font-weight: 500; }
th, td { padding: 2px 14px 2px 0; vertical-align: top; border-bottom: 1px solid var(--line); }
summary { cursor: pointer; margin-bottom: 6px; }
svg.sequence text { font-size: 12px; fill: var(--text); }
svg .process, svg .location, svg .channel { text-anchor: middle; } svg.sequence .process { font-weight: 600; }
svg .life { stroke: var(--strong-line); stroke-width: 1.5; } svg .box { fill: var(--sunken); stroke: var(--accent); }
svg .message { fill: none; stroke: var(--accent); stroke-width: 1.5; } svg .tip { fill: var(--accent); }
svg .gap { stroke: var(--line); stroke-dasharray: 3 4; }
svg.sequence .delay, svg.sequence .change, svg.sequence .channel { fill: var(--faint); }
svg .row:hover .box { stroke-width: 2.5; }
"""


# Colours follow the formula: a satisfied E<> is no error.
COLOURS = {True: "safe", False: "unsafe", None: "unknown"}


def page(decided: Decided, path: str) -> Iterator[File]:
    yield path, network_page(decided.result)


def network_page(result: Result) -> str:
    """The page of a result that has queries."""
    body = "\n".join(("<main>", *_body(result), "</main>"))
    return still(f"{result.input}: {result.verdict}", _STYLE, body)


def _body(result: Result) -> Iterator[str]:
    yield f"<h1><code>{escape(result.input)}</code></h1>"
    yield f'<p class="answer {COLOURS[satisfied(result)]}">{escape(result.verdict_line)}</p>'
    counts = result.statistics
    figures = (
        f"{counts['nodes']:,} stored states, {counts['explored_states']:,} visited states, "
        f"{counts['wall_s']:.2f} s, {counts['peak_memory_mb']:,.0f} MB"
    )
    yield f'<p class="faint">{figures}</p>'
    for line in result.ledger:
        yield f"<p>{escape(line)}</p>"
    for number, answer in enumerate(result.answers, 1):
        yield from _answer(number, answer)


def _answer(number: int, answer: Mapping[str, Any]) -> Iterator[str]:
    yield f"<section><h2>{number}. <code>{escape(answer['text'])}</code></h2>"
    words = answer["words"] or f"UNKNOWN ({answer['reason']})"
    yield f'<p class="answer {COLOURS[answer["satisfied"]]}">{escape(words)}</p>'
    if answer["certified"]:
        how = "replay of the run" if answer["certificate"] == "replay" else "inductive zones"
        yield f'<p class="faint">Certified by {how}.</p>'
    steps = answer["counterexample"]
    if steps:
        count = f"{len(steps) - 1:,} step{'' if len(steps) == 2 else 's'}"
        yield f"<p>{count}, time {escape(steps[-1]['time'])}</p>"
        yield f'<div class="scroll">{sequence(steps)}</div>'
        yield from _table(steps)
    yield "</section>"


def _table(steps: list[Mapping[str, Any]]) -> Iterator[str]:
    yield "<details><summary>All steps, with zones and clocks</summary><div class='scroll'><table>"
    yield "<tr><th>time<th>delay<th>action<th>changes<th>zone<th>clocks</tr>"
    middle = len(steps) - LONGEST
    for number, step in enumerate(steps):
        if middle > 1 and LONGEST // 2 <= number < len(steps) - LONGEST // 2:
            if number == LONGEST // 2:
                yield f'<tr><td colspan="6" class="faint">... {middle} steps left out ...</td></tr>'
            continue
        changes = (f"{name} = {value}" for name, value in step["values"].items())
        clocks = (f"{name} = {value}" for name, value in step["clocks"].items())
        cells = (step["time"], step["delay"], step["operation"])
        texts = [*cells, ", ".join(changes), ", ".join(step["zone"]), ", ".join(clocks)]
        yield "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in texts) + "</tr>"
    yield "</table></div></details>"
