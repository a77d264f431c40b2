"""The model as the C front end reads it does exactly what the compiled program does, under both readings."""

from __future__ import annotations

import pytest

from .assertions import with_exact_assertions
from .compare import disagreements, model
from .corpus import cases, without_assertions
from .statements import LARGE, SMALL, Profile
from .truth import available

pytestmark = pytest.mark.skipif(not available("LP64"), reason="needs gcc for Linux on x86-64")

PROFILES = {"small": (SMALL, 45), "large": (LARGE, 12)}


@pytest.mark.parametrize("chunk", range(2))
@pytest.mark.parametrize("profile", PROFILES)
def test_the_model_does_what_the_program_does(profile: str, chunk: int) -> None:
    size: Profile
    size, count = PROFILES[profile]
    start = 500_000 + chunk * count
    drawn = list(cases(range(start, start + count), size, with_exact_assertions))
    assert len(drawn) > count * 0.7
    for case in drawn:
        wrong, outcomes = disagreements(case, "model", model)
        assert not wrong, "\n".join(map(str, wrong))
        assert all(outcome.verdict != "unknown" for outcome in outcomes.values())


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_the_model_overflows_where_the_program_does(data_model: str) -> None:
    if not available(data_model):
        pytest.skip(f"gcc cannot build for {data_model}")
    seen = set()
    for case in without_assertions(range(600_000, 600_060), data_model):
        truth = "unsafe" if case.truths["undefined"].overflows else "safe"
        seen.add(truth)
        assert model(case, "undefined", "no-overflow").verdict == truth, f"{truth}\n{case.source.text}"
    assert len(seen) == 2
