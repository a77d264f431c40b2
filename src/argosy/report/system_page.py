"""The page of a transition system: every bad state with its answer, its run as a waveform, its proof as a formula.

Nothing in it is drawn by a script. Law: whatever stands in the result, no part of it is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from argosy.backends.contract import Answer
from argosy.report.cycles import CycledRun, runs_of
from argosy.report.exporters import Decided, File
from argosy.report.frame import certified_by, framed
from argosy.report.vcd import wires_of
from argosy.report.waveform import waveform

# A proof of more characters is for ``--certificate``.
LONGEST = 20_000

WORDS = {"safe": "It is never reached.", "unsafe": "It is reached."}


def page(decided: Decided, path: str) -> Iterator[File]:
    result = decided.result
    answers = [
        {"text": a.subject.text, "line": a.subject.position.line, "colour": a.verdict, "said": _said(a), "steps": []}
        for a in decided.answers
    ]
    yield path, framed(("still",), result, {"answers": answers}, "\n".join(_body(decided)))


def _said(answer: Answer) -> str:
    return WORDS.get(answer.verdict, f"UNKNOWN ({answer.reason})")


def _body(decided: Decided) -> Iterator[str]:
    result = decided.result
    runs = {run.number: run for run in runs_of(decided)}
    for number, answer in enumerate(decided.answers, 1):
        title = f"{number}. <code>{escape(answer.subject.text)}</code>"
        yield f'<section class="card" id="answer-{number}"><header><h2>{title}</h2></header>'
        yield from _answer(answer, result.answers[number - 1]["invariant"])
        if number in runs:
            yield from _run(decided, runs[number])
        yield "</section>"


def _answer(answer: Answer, invariant: object) -> Iterator[str]:
    yield f'<p class="answer {answer.verdict}">{escape(_said(answer))}</p>'
    yield f'<p class="note">{escape(certified_by(answer.certificate))}</p>'
    for entry in invariant if isinstance(invariant, list | tuple) else ():
        text = entry["formula"]
        if len(text) > LONGEST:
            text = f"{text[:LONGEST]} ... ({len(text):,} characters; --certificate FILE writes all of it)"
        yield "<details><summary>What holds in every step</summary>"
        yield f'<div class="scroll"><pre>{escape(text)}</pre></div></details>'


def _run(decided: Decided, run: CycledRun) -> Iterator[str]:
    count = len(run.cycles)
    yield f"<p class='note'>{count:,} cycle{'' if count == 1 else 's'}; the bad state is in the last.</p>"
    drawn = waveform(run.answer.subject.text, wires_of(decided.problem.model, run), run.cycles)
    yield f'<div class="picture" tabindex="0" role="region" aria-label="waveform">{drawn.svg}</div>'
    if drawn.left_out:
        yield f'<p class="note">Not drawn: {escape(" and ".join(drawn.left_out))} (--vcd FILE has everything).</p>'
