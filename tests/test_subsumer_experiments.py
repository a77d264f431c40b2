"""The tables of [Subsumer]: one model is measured; what is printed of given figures."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import collection  # noqa: E402
import subsumer  # noqa: E402
import subsumer_table1  # noqa: E402
import subsumer_table2  # noqa: E402

sys.path.remove(str(ROOT / "experiments"))


def test_a_model_is_measured_and_what_is_measured_is_kept(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    command = [sys.executable, str(ROOT / "experiments" / "subsumer_table1.py"), "--models", "bakery2"]
    command += ["--columns", "append,first", "--limit", "60", "--csv", str(results)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert ran.returncode == 0, ran.stderr
    assert "(bakery2)" in ran.stdout and "first against append: 0 of 0 models are decided by both" in ran.stdout
    runs = {run.column: run for run in subsumer._read(results) if run.table == "1"}
    assert runs["append"].verdict == runs["first"].verdict == "safe"
    assert 0 < runs["first"].states <= runs["append"].states
    again = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert again.stdout == ran.stdout


def run(model: str, column: str, seconds: float, queries: int, states: int, verdict: str = "safe") -> subsumer.Run:
    return subsumer.Run("1", model, column, 60.0, verdict, "", seconds, queries, 0, states, states, 0, 0)


def test_reductions_are_of_models_that_both_decide(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [run("a", "append", 4.0, 100, 20), run("a", "first", 2.0, 60, 15)]
    runs += [run("b", "append", 1.0, 100, 20), run("b", "first", 1.0, 80, 20)]
    runs += [run("c", "append", 9.0, 9, 9, "unknown"), run("c", "first", 1.0, 1, 1)]
    subsumer.present("title", runs, ["append", "first"], True, "the paper")
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "first against append: 2 of 3 models are decided by both" in lines
    assert "reduction of queries mean 30.0 % median 30.0 %" in lines
    assert "reduction of states mean 12.5 % median 12.5 %" in lines
    assert "speed-up mean 1.50 median 1.50" in lines
    assert lines[-1] == "the paper"


def test_small_models_do_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [run("a", "append", 0.4, 100, 20), run("a", "first", 0.1, 10, 2)]
    runs += [run("b", "append", 2.0, 100, 20), run("b", "first", 1.0, 80, 20)]
    subsumer.present("title", runs, ["append", "first"], True, "the paper", [run("a", "keep", 0.9, 1, 1), *runs[2:3]])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "(a) append 0.40 100 0 20 1 0" in lines
    assert "first against append: 1 of 1 models are decided by both" in lines
    assert "reduction of queries mean 20.0 % median 20.0 %" in lines


def test_the_limit_is_one_of_processor_seconds(tmp_path: Path) -> None:
    options = argparse.Namespace(csv=None, limit=1.0, options="")
    assert not subsumer.measure("1", subsumer.MODELS / "bakery4.armc", "first", options).done


def test_all_figures_of_the_paper_are_there() -> None:
    assert "median          33.3     42.1    35.5      1.54" in subsumer_table1.PAPER
    assert len([line for line in subsumer_table2.PAPER.splitlines() if line.count(" / ") == 2]) == 13


def test_the_models_are_the_safe_ones() -> None:
    options = argparse.Namespace(files=None, programs=False, models="*", bench=Path())
    names = {path.stem for path in subsumer.inputs(options)}
    assert "bakery3" in names and not any(name.endswith("_bug") for name in names)
    assert len(subsumer.PROGRAMS) == len(set(subsumer.PROGRAMS)) == 20


@pytest.mark.skipif(not (collection.BESIDE / "c").is_dir(), reason="the benchmarks are not here")
def test_all_programs_are_found_and_are_what_they_were() -> None:
    assert collection.checked(collection.BESIDE / collection.PROGRAMS, collection.PROGRAMS, subsumer.PROGRAMS)
    assert {f"{collection.PROGRAMS}/{name}" for name in subsumer.PROGRAMS} <= set(collection._known())
