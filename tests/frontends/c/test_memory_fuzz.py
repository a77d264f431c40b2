"""Random programs show as automata, step by step, what they show when compilers have compiled them."""

from __future__ import annotations

import pytest

from tests.fuzz.compiled import available
from tests.fuzz.stepwise import GENERATORS, MODELS, ONLY, campaign

COUNT = 16
# What is refused says nothing: most programs must be modelled.
REFUSED_AT_MOST = {"memory": 0.5, "blocks": 0.7, "arithmetic": 0.05, "floats": 0.05, "records": 0.4}


@pytest.mark.parametrize("chunk", range(3))
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
@pytest.mark.parametrize("generator", GENERATORS)
def test_the_model_computes_what_the_program_computes(generator: str, data_model: str, chunk: int) -> None:
    if not available("LP64") or not available(data_model):
        pytest.skip(f"gcc cannot build for {data_model}")
    if data_model not in ONLY.get(generator, MODELS):
        pytest.skip("compiled for another model")
    if generator == "blocks" and chunk:
        pytest.skip("one is enough: memory is the same, in blocks")
    if chunk > 1 and generator != "floats":
        pytest.skip("two are enough")
    start = 700_000 + chunk * COUNT + (1_000 if data_model == "ILP32" else 0)
    done = campaign(generator, range(start, start + COUNT), (data_model,), careful=True)
    wrong = [f"seed {d.seed}: {d.finding.kind} {d.finding.detail}\n{d.program.text}" for d in done.disagreements]
    assert not wrong, "\n".join(wrong)
    assert len(done.discarded) <= COUNT * 0.1, "\n".join(done.complaints)
    assert done.kinds["refused"] <= COUNT * REFUSED_AT_MOST[generator]
