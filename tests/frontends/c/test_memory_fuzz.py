"""Objects in memory: random programs compute as automata what they compute when gcc compiles them."""

from __future__ import annotations

import pytest

from tests.fuzz.memory import Profile, available, campaign

COUNT = 8

# A call through a pointer may lead to each function of its type whose address is taken. If these call through pointers
# as well the front end sees recursion, of which it models one call where a function takes the address of a variable.
PROFILE = Profile(avoid=frozenset({"pointers in operations"}))


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_the_model_computes_what_the_program_computes(data_model: str, chunk: int) -> None:
    if not available("LP64") or not available(data_model):
        pytest.skip(f"gcc cannot build for {data_model}")
    start = 700_000 + chunk * COUNT + (1_000 if data_model == "ILP32" else 0)
    done = campaign(range(start, start + COUNT), (data_model,), PROFILE)
    assert done.ran > COUNT * 0.8
    wrong = [f"seed {d.seed}: {d.finding.kind} {d.finding.detail}\n{d.program.text}" for d in done.disagreements]
    assert not wrong, "\n".join(wrong)
