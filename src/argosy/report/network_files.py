"""The files that a result about a network can be written to: the page, and a trace for each query that has a run."""

from __future__ import annotations

import os
from collections.abc import Iterator

from argosy.report.network_page import network_page
from argosy.report.uppaal_trace import trace_xml
from argosy.session.result import Result


def files(
    result: Result, *, report: str | None = None, witness: str | None = None, directory: str | None = None
) -> Iterator[tuple[str, str]]:
    """Paths and what belongs there. ``directory`` gets everything: ``result.json``, ``report.html``, traces."""
    if report is not None:
        yield report, network_page(result)
    if witness is not None:
        yield from _traces(result, witness)
    if directory is not None:
        yield os.path.join(directory, "result.json"), result.to_json(indent=1) + "\n"
        yield os.path.join(directory, "report.html"), network_page(result)
        yield from _traces(result, os.path.join(directory, "trace.xml"))


def _traces(result: Result, path: str) -> Iterator[tuple[str, str]]:
    """One run is written to ``path`` itself; of several, that of query 2 is ``trace-2.xml`` for ``trace.xml``."""
    found = [(number, answer) for number, answer in enumerate(result.queries, 1) if answer["counterexample"]]
    for number, answer in found:
        stem, ending = os.path.splitext(path)
        place = path if len(found) == 1 else f"{stem}-{number}{ending}"
        model = os.path.basename(result.input)
        yield place, trace_xml(answer["counterexample"], model=model, query=answer["query"])
