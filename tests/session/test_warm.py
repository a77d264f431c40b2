"""Wardens that are forked off a process with everything loaded: the same runs, and nobody else's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from argosy.basics.errors import UsageError
from argosy.basics.processes import trees
from argosy.basics.records import replace
from argosy.session import warm
from argosy.session.starting import SERVER
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import Task

SMALL = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n"
ENDLESS = """extern void reach_error(void);
int main(void) { unsigned x, y; while (x * x * x != y * y + 7u) x += 2; if (x * y == 77u) reach_error(); return 0; }
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    folder = tmp_path_factory.mktemp("served")
    folder.chmod(0o700)
    path = str(folder / "s.sock")
    command = [sys.executable, "-P", "-m", "argosy", "serve", "--socket", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{SERVER}={path}\n"
        yield path, process.pid
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    assert not os.path.exists(path)


@pytest.fixture
def small(tmp_path: Path) -> Task:
    path = tmp_path / "small.c"
    path.write_text(SMALL)
    return Task(str(path))


@pytest.fixture
def endless(tmp_path: Path) -> Task:
    path = tmp_path / "endless.c"
    path.write_text(ENDLESS)
    return Task(str(path), strategy="bmc")


def test_the_result_is_that_of_a_fresh_interpreter(served: tuple[str, int], small: Task) -> None:
    result = supervise(small, start=warm.asking(served[0]))
    assert (result.verdict, result.certified) == ("safe", True)


def test_a_fork_is_a_whole_process(served: tuple[str, int]) -> None:
    if sys.platform == "linux":
        assert len(os.listdir(f"/proc/{served[1]}/task")) == 1


def test_a_command_finds_it_and_works_where_it_was_started(served: tuple[str, int], tmp_path: Path) -> None:
    (tmp_path / "small.c").write_text(SMALL)
    command = [sys.executable, "-P", "-m", "argosy", "verify", "--quiet"]
    environment = {**os.environ, SERVER: served[0]}
    done = subprocess.run([*command, "small.c"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Verdict: SAFE\n", "")
    given = [*command, "--format", "c", "-"]
    done = subprocess.run(given, cwd=tmp_path, env=environment, capture_output=True, text=True, input=SMALL)
    assert (done.returncode, done.stdout) == (0, "Verdict: SAFE\n")


def test_limits_hold_and_nothing_is_left(served: tuple[str, int], endless: Task) -> None:
    assert supervise(replace(endless, time_limit=0.5), start=warm.asking(served[0])).reason == "time limit"
    assert supervise(replace(endless, memory_limit=1), start=warm.asking(served[0])).reason == "memory limit"
    _nothing_runs_below(served[1])


def test_who_leaves_takes_the_run_along(served: tuple[str, int], endless: Task) -> None:
    class Leaves(Exception):
        pass

    def leave(snapshot: object) -> None:
        raise Leaves

    with pytest.raises(Leaves):
        supervise(endless, leave, start=warm.asking(served[0]))
    _nothing_runs_below(served[1])


def test_a_crash_takes_nothing_else_along(served: tuple[str, int], small: Task) -> None:
    with pytest.raises(Fault, match="no_such_module"):
        supervise(small, run="no_such_module:run", start=warm.asking(served[0]))
    assert supervise(small, start=warm.asking(served[0])).verdict == "safe"


def test_others_cannot_enter(served: tuple[str, int], tmp_path: Path) -> None:
    assert os.stat(served[0]).st_mode & 0o077 == 0
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    with pytest.raises(UsageError, match="others than you"):
        warm.served(str(open_to_all / "s.sock"), lambda path: None)
    with pytest.raises(UsageError, match="already"):
        warm.served(served[0], lambda path: None)


def test_nobody_there_is_wrong_usage(tmp_path: Path, small: Task) -> None:
    with pytest.raises(UsageError, match="no server"):
        supervise(small, start=warm.asking(str(tmp_path / "s.sock")))


def test_without_fork_it_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(UsageError, match="fork"):
        warm.served(str(tmp_path / "s.sock"), lambda path: None)


def test_one_of_ones_own_ends_with_its_owner_and_its_death_is_no_loss(small: Task) -> None:
    own = warm.Warm(cold=0)
    assert supervise(small, start=own).verdict == "safe"
    assert own._process is not None
    own._process.kill()
    own._process.wait()
    assert supervise(small, start=own).verdict == "safe"
    own.close()
    assert own._process.returncode is not None


def _nothing_runs_below(pid: int) -> None:
    """The one who asked is answered when its own warden has ended; the server notices a moment later."""
    for _ in range(500):
        members, _ = trees([pid], None)[pid]
        if set(members) <= {pid}:
            return
        time.sleep(0.02)
    raise AssertionError(members)
