"""``argosy bench`` as users type it: real runs, what is written, what is said, exit codes."""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from argosy.bench.command import add_arguments, study_of
from argosy.bench.study import RunLimits
from argosy.cli import main as cli
from tests.bench.fakes import Fake, bench_command

EXAMPLES = Path(__file__).parents[2] / "examples" / "c"


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "results.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def bench(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "argosy", "bench", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


def test_real_runs(tmp_path: Path) -> None:
    tasks = [EXAMPLES / name for name in ("lock.c", "lock_bug.c", "two_counters.c")]
    limits = ("--time-limit", 3, "--wall-limit", 300)
    ran = bench(*tasks, "--strategies", "lbe,bmc", *limits, "--jobs", 2, "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    assert "virtual best" in ran.stdout and ran.stdout.splitlines()[-1].startswith("solved ")
    found = {(row["model"], row["configuration"]): row for row in rows(tmp_path / "out")}
    assert len(found) == 6
    for name, verdict in (("lock.c", "safe"), ("lock_bug.c", "unsafe"), ("two_counters.c", "safe")):
        row = found[name, "lbe"]
        assert (row["result"], row["outcome"], row["success"], row["termination"]) == (
            verdict,
            "correct",
            "true",
            "success",
        )
        assert row["certified"] == "true" and int(row["nodes"]) > 0 and int(row["solver_checks"]) > 0
        assert (row["strategy"], row["domain"], row["block"]) == ("lbe", "pred-bool", "lbe")
        assert 0 < int(row["time_ms"]) < 3_000 and int(row["memory"]) > 10_000_000
    # Bounded model checking proves nothing about an endless loop, and is ended, with what it knows by then.
    row = found["two_counters.c", "bmc"]
    assert (row["success"], row["result"], row["domain"]) == ("false", "", "")
    assert row["termination"] in ("time", "unknown") and int(row["solver_checks"]) > 0
    assert (tmp_path / "out" / "index.html").stat().st_size > 20_000


def test_limits_reach_the_runs(tmp_path: Path) -> None:
    ran = bench(
        EXAMPLES / "two_counters.c",
        "--strategies",
        "explicit",
        "--time-limit",
        1,
        "--wall-limit",
        300,
        "--out",
        tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    [row] = rows(tmp_path)
    assert row["termination"] == "time" and 1000 <= int(row["time_ms"]) < 2500


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    program = Fake(tmp_path)
    program.task("tasks/right.c", "verdict=safe", "safe")
    program.task("tasks/wrong.c", "if [ $strategy = sbe ]; then verdict=unsafe code=10; else verdict=safe; fi", "safe")
    program.task("tasks/crash.c", "echo 'oh no' >&2; exit 6")
    program.task("tasks/open.c", "if [ $strategy = sbe ]; then verdict=unsafe code=10; else verdict=safe; fi")

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / "tasks"
        command = bench_command(program, *(arguments or [folder]), "--out", tmp_path / "out")
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder)

    return run


def test_a_wrong_verdict_is_said_first_and_is_the_exit_code(
    fake: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    ran = fake(tmp_path / "tasks", "--strategies", "lbe,sbe")
    assert ran.returncode == 10
    lines = ran.stdout.splitlines()
    assert lines[0] == "WRONG: wrong.c is safe, and sbe says unsafe"
    assert lines[1] == "CONTRADICTION: open.c is safe for lbe, unsafe for sbe"
    assert lines[-1] == "solved 5 of 8 runs, wrong 1"
    assert "WRONG: wrong.c" in ran.stderr
    crashed = next(row for row in rows(tmp_path / "out") if row["model"] == "crash.c")
    assert (crashed["termination"], crashed["reason"]) == ("exception", "exit code 6: oh no")


def test_a_contradiction_alone_is_enough(fake: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert fake("open.c", "--strategies", "lbe,sbe").returncode == 10
    assert fake("open.c", "--strategies", "lbe").returncode == 0


def test_quiet_is_quiet(fake: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    ran = fake("right.c", "--quiet")
    assert (ran.stdout, ran.stderr) == ("solved 1 of 1 runs, wrong 0\n", "")


def test_impossible_combinations_are_mentioned(fake: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    ran = fake("right.c", "--strategies", "sbe", "--domain", "expl,pred-bool", "--refinement", "dag")
    assert ran.returncode == 0 and "left out: expl" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 1, "TASKS"),
        (["nowhere"], 2, "nowhere: no such file or folder"),
        (["--strategies", "explicite"], 1, "did you mean explicit?"),
        (["--strategys", "lbe"], 1, "did you mean --strategies?"),
        (["--search", "bsf"], 1, "did you mean bfs?"),
        (["--time-limit", "0"], 1, "--time-limit must be a positive number"),
        (["--jobs", "0"], 1, "--jobs must be a positive number"),
        (["--property", "memsafety"], 1, "did you mean valid-memsafety?"),
        (["--property", "nowhere.prp"], 2, "nowhere.prp: cannot be read"),
        (["--where", "set"], 1, "--where is COLUMN=A,B"),
        (["--where", "category=none"], 1, "no tasks are left by --where"),
        (["--strategies", "zones"], 1, "none of the strategies is for any of the tasks"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tasks = [str(EXAMPLES)] if arguments and arguments[0].startswith("-") else []
    assert cli.main(["bench", *tasks, *arguments, "--out", str(tmp_path)]) == code
    out, err = capsys.readouterr()
    assert message in err and out == ""


def test_where_nothing_can_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["bench", str(EXAMPLES), "--out", str(tmp_path / "file")]) == 1
    assert "--out: cannot write" in capsys.readouterr().err


def test_a_property_of_others_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "valid.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    arguments = ["bench", str(EXAMPLES), "--property", str(tmp_path / "valid.prp"), "--out", str(tmp_path)]
    assert cli.main(arguments) == 5
    assert "unsupported" in capsys.readouterr().err


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["bench", "--help"])
    text = capsys.readouterr().out
    for option in ("--strategies", "--time-limit", "--memory-limit", "--jobs", "--out", "--cluster", "--refinement"):
        assert option in text


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ([], RunLimits(60, 100, 4000)),
        (["--time-limit", "8"], RunLimits(8, 22, 4000)),
        (["--wall-limit", "7"], RunLimits(60, 7)),
    ],
)
def test_a_busy_machine_does_not_end_runs_by_the_clock(tmp_path: Path, words: list[str], limits: RunLimits) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    study, _ = study_of(parser.parse_args([str(Fake(tmp_path).task("t.c")), *words]))
    assert study.limits == limits
