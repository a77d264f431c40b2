"""What a small run loads, and where its warden comes from. Counted in modules: no clock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import argosy
from argosy.session.starting import Child, Ends, Start, forked, fresh
from argosy.session.supervisor import supervise
from argosy.session.task import Task

PROGRAM = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n"

LOADED = """
import sys
import argosy, argosy.cli.main, argosy.cli.verify, argosy.session.child, argosy.session.supervisor
argosy.cli.main._parse(["verify", sys.argv[1], "--time-limit", "20"])
assert argosy.verify(sys.argv[1], in_process=True).verdict == "safe"
print(*sorted(sys.modules))
"""

# Each takes longer than such a run itself.
HEAVY = {
    "z3",
    "bitwuzla",
    "cvc5",
    "oxidd",
    "logging",
    "concurrent.futures",
    "importlib.metadata",
    "importlib.resources",
}
HEAVY |= {"pathlib", "yaml", "email", "xml", "asyncio", "multiprocessing", "random", "argosy.report.pages"}
HEAVY |= {"shutil", "traceback", "argosy.logic.interpolation", "argosy.models.cells", "argosy.certify.long_replay"}
OTHERS = ("argosy.bench", "argosy.ui", "argosy.lsp", "argosy.directed", "argosy.kernel._zones", "argosy.kernel._pdr")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "small.c"
    path.write_text(PROGRAM)
    return path


def test_a_small_run_loads_no_solver_and_nothing_that_it_does_not_need(program: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, program], capture_output=True, text=True, timeout=120, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & HEAVY
    assert not [name for name in loaded if name.startswith(OTHERS)]


@pytest.mark.parametrize("start", [fresh, forked])
def test_wherever_the_warden_comes_from_the_result_is_the_same(program: Path, start: Start) -> None:
    result = supervise(Task(str(program)), start=start)
    assert (result.verdict, result.certified) == ("safe", True)


def test_a_fork_has_the_limits_of_a_fresh_interpreter(program: Path) -> None:
    program.write_text(
        "void reach_error(void); unsigned long long nondet(void); int main(void) {"
        "unsigned long long a = nondet(), b = nondet(), one = 1;"
        "if (a > 1 && b > 1 && a >> 32 == 0 && b >> 32 == 0 && a * b == 18446743979220271189u * one) reach_error(); }"
    )
    assert supervise(Task(str(program), memory_limit=1), start=forked).reason == "memory limit"


def test_a_killed_fork_is_noticed(program: Path) -> None:
    def killed(ends: Ends) -> Child:
        warden = forked(ends)
        assert isinstance(warden, Child)
        os.kill(warden.pid, signal.SIGKILL)
        return warden

    assert "killed from outside" in str(supervise(Task(str(program)), start=killed).reason)


def test_a_crash_in_a_fork_says_what_it_was(program: Path) -> None:
    from argosy.session.supervisor import Fault

    with pytest.raises(Fault, match="no_such_module"):
        supervise(Task(str(program)), run="no_such_module:run", start=forked)
    assert argosy.verify(program).verdict == "safe"
