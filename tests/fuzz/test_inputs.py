"""Some mutants of real files in every run; ``python -m tests.fuzz.inputs`` for many. Limits are not measured here."""

from __future__ import annotations

from pathlib import Path

import pytest

from .inputs import FORMATS, PLACES, campaign, lay_out, mutants, run_here, seeds

COUNTS = {
    "c": 60,
    "xml": 80,
    "xta": 80,
    "armc": 60,
    "smt2": 60,
    "horn": 60,
    "vmt": 40,
    "aag": 60,
    "aig": 60,
    "btor2": 60,
    "cfa": 40,
    "sts": 40,
    "xsts": 40,
    "yml": 60,
    "csv": 100,
    "prp": 40,
    "precision": 30,
    "st": 80,
    "scl": 40,
    "plcopen": 60,
    "patterns": 40,
    "patterns-yaml": 30,
    "trace": 40,
}
EXAMPLES = PLACES[:1]


@pytest.mark.parametrize("format", FORMATS)
def test_every_mutant_is_answered(format: str) -> None:
    done = campaign(format, range(1, 1 + COUNTS[format]), jobs=1, places=EXAMPLES)
    assert sum(done.codes.values()) == COUNTS[format]
    assert not done.faults, "\n".join(f"{reason}: {content!r}" for reason, content in done.faults.items())


def test_a_seed_gives_one_mutant() -> None:
    first, second = (list(mutants("c", range(20), EXAMPLES)) for _ in range(2))
    assert first == second and len(set(first)) == 20


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_mutated_is_read_without_mutations(tmp_path: Path, format: str) -> None:
    """Otherwise mutants say nothing about what comes after the first error."""
    _, own = FORMATS[format]
    for content in own or seeds(format, EXAMPLES)[:2]:
        assert run_here(lay_out(tmp_path, format, content)).code in (0, 5, 10), content
