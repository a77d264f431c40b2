"""Random clauses against explicit derivation, and those over integers without bounds against Z3's Spacer."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from .oracle import random_system
from .reading import verdict

LINEAR, OTHERS, INTEGERS = 60, 25, 15


def expected(seed: int, linear: bool) -> tuple[str, str]:
    system = random_system(seed, linear=linear)
    return system.text, "unsafe" if system.derives_false() else "safe"


def test_both_answers_occur() -> None:
    found = [expected(seed, True)[1] for seed in range(LINEAR)]
    assert min(found.count("safe"), found.count("unsafe")) > LINEAR // 5


@pytest.mark.parametrize("linear", [True, False])
def test_random_clauses(tmp_path: Path, linear: bool) -> None:
    for seed in range(LINEAR if linear else OTHERS):
        text, right = expected(seed, linear)
        assert verdict(tmp_path, text) == right, f"seed {seed}\n{text}"


@pytest.mark.parametrize("seed", range(INTEGERS))
def test_integers_without_bounds(tmp_path: Path, seed: int) -> None:
    """Where Spacer knows the answer."""
    text = "\n".join(
        line.replace("(<= (- 1) v0 2) (<= (- 1) v1 2) (<= (- 1) v2 2)", "(< v0 9)")
        for line in random_system(seed, linear=True).text.splitlines()
    )
    spacer = z3.SolverFor("HORN")
    spacer.set("timeout", 5000)
    spacer.from_string(text)
    right = {"sat": "safe", "unsat": "unsafe"}.get(str(spacer.check()))
    found = verdict(tmp_path, text, time_limit=20)
    assert right is None or found in (right, "unknown"), text
