"""The clauses under ``examples/horn``: what they promise, certified."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy

FILES = sorted((Path(__file__).parents[3] / "examples" / "horn").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    result = argosy.verify(path, in_process=True, time_limit=30)
    assert (f"Expected verdict: {result.verdict.upper()}" in first, result.certified) == (True, True), result.reason
    assert bool(result.counterexample) == (result.verdict == "unsafe")
