"""The frame of a report: verdict, what it took, what it rests on, and one answer for each question, on top of whatever
the page of a kind of model shows below. ``frame.js`` fills it, and steps through runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argosy.backends.registry import KINDS
from argosy.report.console import CERTIFICATES
from argosy.report.pages import assemble
from argosy.report.result import Result, satisfied

Node = dict[str, Any]

# Colours follow the formula: a satisfied E<> is no error.
COLOURS = {True: "safe", False: "unsafe", None: "unknown"}


def framed(names: Sequence[str], result: Result, content: Node, body: str = "") -> str:
    """The page of a result, made of these parts. ``content`` has ``answers`` with ``text``, ``line``, ``said``,
    ``colour`` and ``steps``, where there is something to step through; ``body`` is markup."""
    return assemble(
        ("widgets", "frame", *names),
        f"{result.input}: {result.verdict}",
        {**head(result), "answers": [], **content},
        body,
    )


def head(result: Result) -> Node:
    return {
        "input": result.input,
        "verdict": result.verdict_line,
        "colour": COLOURS[satisfied(result)],
        "about": _about(result),
        "figures": _figures(result),
        "remarks": list(result.remarks()),
        "ledger": list(result.ledger),
    }


def certified_by(certificate: str | None) -> str:
    return f"certified by {CERTIFICATES[certificate]}" if certificate else "not certified"


def _about(result: Result) -> str:
    name = result.strategy.get("name", "")
    stage = result.strategy.get("stage")
    strategy = f"strategy {name} ({stage})" if stage else f"strategy {name}"
    return ", ".join(part for part in (result.property, strategy, certified_by(result.certificate)) if part)


def _figures(result: Result) -> list[tuple[str, str]]:
    counts = result.statistics
    shown = [
        (f"{counts.get('wall_s', 0):.2f} s", f"of which {counts.get('certify_s', 0):.2f} s to certify"),
        (f"{counts.get('peak_memory_mb', 0):,.0f} MB", "memory"),
    ]
    nouns = KINDS[result.kind].counts if result.kind in KINDS else ()
    return [*shown, *((f"{counts.get(name, 0):,}", f"{noun}s") for name, noun in nouns)]
