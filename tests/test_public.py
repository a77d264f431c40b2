"""The public surface: what ``import argosy`` offers, and nothing that slipped in."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys

import argosy


def test_names() -> None:
    assert sorted(argosy.__all__) == ["Result", "Task", "__version__", "verify"]
    assert all(hasattr(argosy, name) for name in argosy.__all__)


def test_verify_takes_every_choice_of_a_task() -> None:
    parameters = set(inspect.signature(argosy.verify).parameters)
    choices = {field.name for field in dataclasses.fields(argosy.Task)}
    assert choices - parameters == {"input", "verbose", "reading", "exports", "watched", "lane"}
    assert parameters - choices == {"path", "in_process", "on_progress"}


def test_import_loads_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import argosy; print({m for m in set(sys.modules) - before})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "argosy.cli.main" not in loaded and "z3" not in loaded and "argosy.logic" not in loaded
