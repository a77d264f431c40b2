"""The files that a study leaves: ``results.csv``, the page ``index.html``, and BenchExec's XML where it is asked for.

Each is written beside its place and then moved there, so that whoever reads one reads a whole one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from argosy.bench.benchexec import run_sets
from argosy.bench.page import page
from argosy.bench.records import RunRecord
from argosy.bench.study import Study
from argosy.bench.summary import StudySummary, to_csv

RESULTS = "results.csv"
PAGE = "index.html"
BENCHEXEC = "benchexec"


def write(study: Study, records: Sequence[RunRecord], out: Path, *, benchexec: bool = False) -> None:
    summary = StudySummary(study.tasks, study.configurations, records)
    _replace(out / RESULTS, to_csv(records))
    _replace(out / PAGE, page(study, summary))
    if benchexec:
        (out / BENCHEXEC).mkdir(exist_ok=True)
        for name, text in run_sets(study, summary).items():
            _replace(out / BENCHEXEC / name, text)


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8", errors="backslashreplace")
    os.replace(beside, path)
