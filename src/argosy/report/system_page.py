"""The page of a transition system: every bad state with its answer, its run as a waveform, its proof as a formula.

Nothing in it is drawn by a script. Law: whatever stands in the result, no part of it is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from argosy.backends.contract import Answer
from argosy.report.cycles import CycledRun, runs_of
from argosy.report.exporters import Decided, File
from argosy.report.pages import still
from argosy.report.vcd import wires_of
from argosy.report.waveform import waveform

# A proof of more characters is for ``--certificate``.
LONGEST = 20_000

WORDS = {"safe": "It is never reached.", "unsafe": "It is reached."}

_STYLE = """
main { display: grid; gap: 10px; } section { display: grid; gap: 8px; margin-top: 22px; min-width: 0; }
h1 code, h2 code { font-size: inherit; } code, pre, svg text { font-family: ui-monospace, Menlo, Consolas, monospace; }
.answer { font-weight: 600; } .safe { color: var(--good); } .unsafe { color: var(--bad); }
.unknown { color: var(--open); } .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px;
  padding: 8px; background: var(--surface); }
pre { white-space: pre-wrap; word-break: break-word; font-size: 12px; margin: 0; }
svg.waveform text { font-size: 12px; fill: var(--text); } svg .name { text-anchor: end; }
svg .cycle, svg .value { text-anchor: middle; } svg.waveform .cycle { fill: var(--faint); }
svg.waveform .inputs { fill: var(--faint); } svg .tick { stroke: var(--line); }
svg .level { fill: none; stroke: var(--accent); stroke-width: 1.5; }
svg.waveform .level { fill: none; } svg .level.bad { stroke: var(--bad); } svg.waveform .name.bad { fill: var(--bad); }
svg .word { fill: var(--sunken); stroke: var(--accent); }
"""


def page(decided: Decided, path: str) -> Iterator[File]:
    result = decided.result
    body = "\n".join(("<main>", *_body(decided), "</main>"))
    yield path, still(f"{result.input}: {result.verdict}", _STYLE, body)


def _body(decided: Decided) -> Iterator[str]:
    result = decided.result
    yield f"<h1><code>{escape(result.input)}</code></h1>"
    yield f'<p class="answer {result.verdict}">{escape(result.verdict_line)}</p>'
    counts = result.statistics
    yield f'<p class="faint">{counts["wall_s"]:.2f} s, {counts["peak_memory_mb"]:,.0f} MB</p>'
    for line in result.ledger:
        yield f"<p>{escape(line)}</p>"
    runs = {run.number: run for run in runs_of(decided)}
    for number, answer in enumerate(decided.answers, 1):
        yield f"<section><h2>{number}. <code>{escape(answer.subject.text)}</code></h2>"
        yield from _answer(answer, result.answers[number - 1]["invariant"])
        if number in runs:
            yield from _run(decided, runs[number])
        yield "</section>"


def _answer(answer: Answer, invariant: object) -> Iterator[str]:
    words = {"safe": "It is never reached.", "unsafe": "It is reached."}.get(
        answer.verdict, f"UNKNOWN ({answer.reason})"
    )
    yield f'<p class="answer {answer.verdict}">{escape(words)}</p>'
    if answer.certificate is not None:
        yield f'<p class="faint">Certified: {escape(answer.certificate)}.</p>'
    for entry in invariant if isinstance(invariant, list | tuple) else ():
        text = entry["formula"]
        if len(text) > LONGEST:
            text = f"{text[:LONGEST]} ... ({len(text):,} characters; --certificate FILE writes all of it)"
        yield "<details><summary>What holds in every step</summary>"
        yield f'<div class="scroll"><pre>{escape(text)}</pre></div></details>'


def _run(decided: Decided, run: CycledRun) -> Iterator[str]:
    count = len(run.cycles)
    yield f"<p>{count:,} cycle{'' if count == 1 else 's'}; the bad state is in the last.</p>"
    drawn = waveform(run.answer.subject.text, wires_of(decided.problem.model, run), run.cycles)
    yield f'<div class="scroll">{drawn.svg}</div>'
    if drawn.left_out:
        yield f'<p class="faint">Not drawn: {escape(" and ".join(drawn.left_out))} (--vcd FILE has everything).</p>'
