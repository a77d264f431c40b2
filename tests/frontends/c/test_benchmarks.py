"""Programs of the benchmark sets, where they are at hand: each is read or refused, in a time that is bounded.

The sets differ in what they promise. Those of the papers are programs with an error to look for; the survey takes
whatever occurs, programs that are not C for us included.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import read, written
from argosy.models.errors import sites
from argosy.models.program import Program

_ROOT = Path(__file__).parents[4] / "shared" / "bench" / "c"
_PROGRAMS = sorted(path for path in _ROOT.rglob("*") if path.suffix in (".c", ".i"))
# Every category with some of its programs, so that the whole takes a few seconds.
_CHOSEN = _PROGRAMS[::8]
_WITH_ERRORS = ("abe", "theta", "more")
_SECONDS = 30


def _loaded(path: Path) -> Program | None:
    """None for a program that is refused."""
    started = time.process_time()
    try:
        return load(str(path), terms=Terms())
    except (InputError, UnsupportedError) as refused:
        assert refused.what
        assert refused.position.file
        return None
    finally:
        assert time.process_time() - started < _SECONDS


def _set(path: Path) -> str:
    return path.relative_to(_ROOT).parts[0]


@pytest.mark.skipif(not _PROGRAMS, reason="the benchmarks are not here")
@pytest.mark.parametrize("path", _CHOSEN, ids=lambda path: path.name)
def test_benchmarks_are_read_or_refused(path: Path) -> None:
    program = _loaded(path)
    if program is None:
        assert _set(path) not in _WITH_ERRORS
        return
    for cfa in (program.cfa, program.marked):
        known = {variable.term for variable in cfa.variables}
        for edge in cfa.edges:
            assert edge.position.line > 0 or edge.position.file
            assert set(written(edge.operation)) | read(edge.operation) <= known
            assert all(variables(check.condition) <= known for check in edge.checks)
    if _set(path) in _WITH_ERRORS:
        # Programs about termination and overflow have no error to look for.
        assert sites(program.cfa) or path.parent.name.startswith(("termination", "signedintegeroverflow"))
        assert all(edge.text and edge.position.line > 0 for edge in program.cfa.edges)
