"""What the tests of harnesses and witnesses share: decided programs and compiled ones."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from argosy.report.exporters import Decided, exported
from argosy.session.run import decide
from argosy.session.task import Task
from tests.test_examples import EXAMPLES, promised

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="needs gcc")

UNSAFE = [path for path in EXAMPLES if promised(path) == "unsafe"]
SAFE = [path for path in EXAMPLES if promised(path) == "safe"]
SANITIZED = ("-g", "-fsanitize=undefined", "-fno-sanitize-recover=undefined")


@cache
def decided(path: Path, **choices: str) -> Decided:
    return decide(Task.of(str(path), time_limit=60, **choices))


def written(found: Decided, option: str, name: str) -> str:
    """The text of the one file that an option gives."""
    [(_, text)] = exported(found, {option: name})
    assert isinstance(text, str)
    return text


def built(folder: Path, *sources: Path, flags: tuple[str, ...] = SANITIZED) -> Path:
    target = folder / "program"
    made = subprocess.run(
        [str(GCC), *flags, *map(str, sources), "-o", str(target)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return target


def exit_code(program: Path) -> int:
    return subprocess.run([str(program)], capture_output=True, timeout=20, check=False).returncode
