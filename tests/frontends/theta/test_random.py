"""Random models against all their states: some in every run, many with ``python -m tests.frontends.theta.models``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .models import LANGUAGES, disagreement, drawn

COUNT = 35


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answers_are_those_of_the_enumeration(tmp_path: Path, language: str) -> None:
    found = [disagreement(language, seed, tmp_path) for seed in range(1, 1 + COUNT)]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_verdicts_are_drawn(language: str) -> None:
    unsafe = sum(drawn(language, seed)[1] for seed in range(1, 1 + COUNT))
    assert COUNT // 5 <= unsafe <= COUNT - COUNT // 5
