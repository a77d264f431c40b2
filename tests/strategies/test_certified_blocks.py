"""Verdicts are certified under every block operator, those that pass over loop heads included."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from tests.laws.test_blocks import BLOCKS

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "c"


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(("name", "verdict"), [("lock", "safe"), ("lock_bug", "unsafe")])
def test_certified(block: str, name: str, verdict: str) -> None:
    result = argosy.verify(str(EXAMPLES / f"{name}.c"), strategy="lbe", block=block, in_process=True)
    assert (result.verdict, result.certified) == (verdict, True)
