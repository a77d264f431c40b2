"""Clauses from text, decided in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import argosy
from argosy.frontends.horn.prolog import read_prolog
from argosy.frontends.horn.script import read_script
from argosy.logic.terms import Terms
from argosy.models.clauses import ClauseSystem


def script(text: str) -> ClauseSystem:
    return read_script("test.smt2", text, Terms())


def prolog(text: str) -> ClauseSystem:
    return read_prolog("test.horn", text, Terms())


def verify(directory: Path, text: str, suffix: str = ".smt2", **options: Any) -> argosy.Result:
    path = directory / f"clauses{suffix}"
    path.write_text(text, encoding="utf-8")
    return argosy.verify(path, in_process=True, **options)


def verdict(directory: Path, text: str, suffix: str = ".smt2", **options: Any) -> str:
    """What is said, which must be certified."""
    result = verify(directory, text, suffix, **options)
    assert result.certified or result.verdict == "unknown", result.reason
    return result.verdict
