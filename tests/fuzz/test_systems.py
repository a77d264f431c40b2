"""Random transition systems in every run; many with ``python -m tests.fuzz.systems``."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.systems import disagreements


@pytest.mark.parametrize(
    ("strategy", "count", "least"), [("auto", 200, 200), ("bmc", 9, 5), ("explicit", 16, 15), ("lbe", 10, 8)]
)
def test_no_disagreement_with_exhaustive_search(
    strategy: str, count: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits are of processor time: a busy machine changes nothing."""
    if strategy != "auto":
        monkeypatch.setattr("tests.fuzz.systems.SECONDS", 0.3)
    counts: Counter[str] = Counter()
    assert list(disagreements(10_000, count, strategy, counts)) == []
    assert counts["unsafe"] and (strategy == "bmc" or counts["safe"])
    assert counts["safe"] + counts["unsafe"] >= least
    assert strategy != "auto" or not counts["unknown"]
