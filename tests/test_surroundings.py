"""Whatever surrounds a run, its end is clean: outputs that are closed or full, pipes, limits beyond reason, Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

UNSAFE = 10
PROGRAM = "extern void reach_error(void); int main(void) { reach_error(); return 0; }\n"
# Stands in for a shell, which closes a descriptor with >&-.
CLOSING = "import os, sys; [os.close(int(n)) for n in sys.argv[1].split(',')]; os.execv(sys.executable, sys.argv[2:])"
FULL = "/dev/full"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def argosy(*arguments: str | Path, closed: str = "", **streams: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "argosy", *map(str, arguments)]
    if closed:
        command = [sys.executable, "-c", CLOSING, closed, *command]
    outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True, timeout=60, check=False, **outputs)  # type: ignore[call-overload]
    assert "Traceback" not in (done.stdout or "") + (done.stderr or "")
    return done  # type: ignore[no-any-return]


@pytest.mark.parametrize("closed", ["0", "1", "2", "1,2", "0,1,2"])
@pytest.mark.parametrize("more", [["--quiet"], []], ids=["quiet", "report"])
def test_a_verdict_survives_streams_that_are_closed(program: Path, closed: str, more: list[str]) -> None:
    before = program.read_bytes()
    done = argosy("verify", program, *more, closed=closed)
    assert done.returncode == UNSAFE
    if "1" not in closed:
        assert done.stdout.splitlines()[-1] == "Verdict: UNSAFE"
    assert program.read_bytes() == before


@pytest.mark.skipif(not os.path.exists(FULL), reason="no device that is full")
@pytest.mark.parametrize("more", [["--quiet"], [], ["--json", "-"]], ids=["quiet", "report", "json"])
def test_a_verdict_survives_output_that_is_full(program: Path, more: list[str]) -> None:
    with open(FULL, "w") as full:
        done = argosy("verify", program, *more, stdout=full.fileno())
        assert done.returncode == UNSAFE
        assert done.stderr.splitlines()[-1] == "argosy: cannot write to standard output: No space left on device"
        silent = argosy("verify", program, *more, stderr=full.fileno())
    assert silent.returncode == UNSAFE and "UNSAFE" in silent.stdout.upper()


@pytest.mark.skipif(not os.path.exists(FULL), reason="no device that is full")
def test_other_commands_say_that_their_output_is_lost() -> None:
    with open(FULL, "w") as full:
        done = argosy("strategies", stdout=full.fileno())
    assert done.returncode == 1 and "No space left" in done.stderr


def test_a_reader_that_goes_away_does_not_change_the_verdict(program: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = argosy("verify", program, "--quiet", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (UNSAFE, "")


@pytest.mark.parametrize(
    "option",
    [
        ("--time-limit", "inf"),
        ("--time-limit", "1e400"),
        ("--time-limit", "1e308"),
        ("--time-limit", "nan"),
        ("--memory-limit", "9" * 400),
        ("--memory-limit", "9" * 5000),
        ("--seed", "9" * 30),
        ("--seed", "-1"),
        ("--domain", "expl", "--max-enum", "9" * 5000),
        ("--search", f"1,{'9' * 5000}"),
    ],
    ids=lambda option: f"{option[-2]} {option[-1][:6]}",
)
@pytest.mark.parametrize("command", ["verify", "bench"])
def test_numbers_beyond_reason_are_wrong_usage(program: Path, command: str, option: tuple[str, ...]) -> None:
    if command == "bench" and option[0] == "--seed":
        pytest.skip("the bench has no such option")
    out = ("--out", program.parent / "out") if command == "bench" else ()
    done = argosy(command, program, *option, *out)
    assert done.returncode == 1 and option[-2].strip("-") in done.stderr


@pytest.mark.parametrize("suffix", [".c", ".yml", ".xml", ".armc"])
def test_limits_hold_while_a_pipe_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    done = argosy("verify", path, "--quiet", "--time-limit", "1")
    assert done.stdout == "Verdict: UNKNOWN (time limit)\n"


@pytest.mark.parametrize("name", ["pipe.csv", "pipe.yml", "pipe.c", "pipe.set"])
def test_the_bench_does_not_wait_for_pipes(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    done = argosy("bench", tmp_path / name, "--out", tmp_path / "out")
    assert done.returncode == 2 and "neither a file nor a folder" in done.stderr


def test_little_is_loaded_before_ctrl_c_is_answered() -> None:
    """Until then it is a traceback of the interpreter's."""
    script = "import sys; before = set(sys.modules); import argosy.__main__; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    loaded = done.stdout.split()
    ours = {"argosy", "argosy.__main__", "argosy.basics", "argosy.basics.version"}
    assert "typing" not in loaded and {n for n in loaded if n.startswith("argosy")} == ours
