"""Programs of the benchmark sets, where they are at hand: each is read or refused as a whole, in little time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from argosy.frontends.c import load
from argosy.logic.terms import Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import read, written

_ROOT = Path(__file__).parents[4] / "shared" / "bench" / "c"
_PROGRAMS = sorted(path for path in _ROOT.rglob("*") if path.suffix in (".c", ".i"))
# Every category with some of its programs, so that the whole takes a few seconds.
_CHOSEN = _PROGRAMS[::6]


@pytest.mark.skipif(not _PROGRAMS, reason="the benchmarks are not here")
@pytest.mark.parametrize("path", _CHOSEN, ids=lambda path: path.name)
def test_benchmarks_are_read(path: Path) -> None:
    started = time.process_time()
    cfa = load(str(path), terms=Terms()).cfa
    assert time.process_time() - started < 5
    known = {variable.term for variable in cfa.variables}
    for edge in cfa.edges:
        assert edge.position.line > 0
        assert edge.text
        assert set(written(edge.operation)) | read(edge.operation) <= known
        assert all(variables(check.condition) <= known for check in edge.checks)
    assert cfa.entering[cfa.error] or path.parent.name.startswith("termination")
