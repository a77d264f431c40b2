"""Whole runs on random programs: no verdict contradicts what running the program shows.

More on demand: ``make fuzz``, or ``python -m tests.fuzz --help``.
"""

from __future__ import annotations

from collections import Counter

import pytest

from argosy.strategies import STRATEGIES

from .compare import disagreements, pipeline
from .corpus import cases
from .statements import TINY
from .truth import available

pytestmark = pytest.mark.skipif(not available("LP64"), reason="needs gcc for Linux on x86-64")

CHUNKS, PER_CHUNK = 21, 15
TIME_LIMIT = 3.0
UNKNOWN_AT_MOST = 0.2


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_verdict_contradicts_the_executions(chunk: int) -> None:
    start = 100_000 + chunk * (PER_CHUNK + 1)
    counts: Counter[str] = Counter()
    for case in list(cases(range(start, start + PER_CHUNK + 1), TINY))[:PER_CHUNK]:
        strategy = sorted(STRATEGIES)[case.program.seed % len(STRATEGIES)]
        wrong, outcomes = disagreements(case, strategy, pipeline(strategy, TIME_LIMIT))
        assert not wrong, "\n".join(map(str, wrong))
        counts.update(outcome.verdict for outcome in outcomes.values())
    assert counts["safe"] and counts["unsafe"]
    assert counts["unknown"] <= UNKNOWN_AT_MOST * counts.total(), counts
