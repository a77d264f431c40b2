"""Every system under ``examples/systems`` gets, certified, the verdicts that its comment promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import argosy

EXAMPLES = sorted((Path(__file__).parent.parent / "examples" / "systems").iterdir())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example(path: Path) -> None:
    promised = set(re.findall(r"\b(SAFE|UNSAFE):", path.read_text()))
    result = argosy.verify(path, time_limit=60)
    assert result.certified and {answer["verdict"].upper() for answer in result.answers} >= promised
    assert all(answer["certified"] for answer in result.answers)
    assert ("UNSAFE" in promised) == (result.verdict == "unsafe")
