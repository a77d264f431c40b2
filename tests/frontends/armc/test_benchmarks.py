"""Every file of InvGen's and ASE 2017's collections reads (skipped where they are absent)."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.frontends.armc import CannotBeWritten, load, read, write
from argosy.logic.terms import Terms

ROOT = Path(__file__).resolve().parents[4] / "shared" / "bench" / "models" / "armc"
FILES = sorted([*(ROOT / "invgen").rglob("*.pl"), *(ROOT / "ase2017").rglob("*.pl")])
NOT_LINEAR = {"interproc4.pl", "xyle0.pl", "zilu_poly3.pl", "zilu_poly6.pl"}


@pytest.mark.skipif(not FILES, reason="the benchmark collection is absent")
def test_every_file_reads_and_is_written_back() -> None:
    assert len(FILES) == 94
    for path in FILES:
        terms = Terms()
        program = load(str(path), terms=terms)
        assert all(edge.text for edge in program.cfa.edges)
        if path.name in NOT_LINEAR:
            with pytest.raises(CannotBeWritten, match="not linear"):
                write(program.cfa)
            continue
        again = read(str(path), write(program.cfa), terms=terms).cfa
        assert [edge.operation for edge in again.edges] == [edge.operation for edge in program.cfa.edges]
