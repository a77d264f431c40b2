"""The models under ``examples/armc``: what they promise, certified, and that they are what the generator writes."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from typing import Any

import pytest

import argosy

ROOT = Path(__file__).parents[3] / "examples" / "armc"
FILES = sorted(ROOT.glob("*.armc"))
# Those that take a few seconds at most; the others are for measuring.
QUICK = ("bakery2_bug", "ticket2", "gas_leak", "gas_leak_bug", "odometer_lower1", "crossing1")
PROMISED = {"SAFE": "safe", "UNSAFE": "unsafe"}


def promised(path: Path) -> str:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("% Expected verdict: "), f"{path.name} does not begin with its verdict"
    return PROMISED[first.removeprefix("% Expected verdict: ")]


def verify(path: Path, strategy: str, **options: Any) -> argosy.Result:
    return argosy.verify(path, strategy, in_process=True, **options)


def test_the_index_lists_them_all() -> None:
    with open(ROOT / "index.csv", encoding="utf-8", newline="") as file:
        rows = {row["file"]: row["expected"] for row in csv.DictReader(file)}
    assert rows == {path.name: promised(path) for path in FILES}
    assert len(rows) >= 12 and min(list(rows.values()).count(verdict) for verdict in PROMISED.values()) >= 4


def test_they_are_what_the_generator_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    generate.main([str(tmp_path)])
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted([*(path.name for path in FILES), "index.csv"])
    for name in written:
        assert (tmp_path / name).read_text(encoding="utf-8") == (ROOT / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", QUICK)
def test_verdicts_are_certified(name: str) -> None:
    path = ROOT / f"{name}.armc"
    result = verify(path, "cartesian", search="bfs")
    assert (result.verdict, result.certified) == (promised(path), True), result.reason
    assert result.certificate == ("replay" if result.verdict == "unsafe" else "graph")


@pytest.mark.parametrize("strategy", ["auto", "lbe", "sbe", "explicit", "bmc", "kinduction"])
def test_every_strategy_reads_numbers_without_bounds(strategy: str, tmp_path: Path) -> None:
    """Executions beyond any machine word, over integers and over rationals."""
    text = """start(pc(a)). error(pc(c)). implicit_updates.
    r(p(pc(a), data(X, Y)), p(pc(b), data(Xp, Yp)), [], [Xp = 1, Yp = 0], 1).
    r(p(pc(b), data(X, Y)), p(pc(b), data(Xp, Yp)), [Y < 3], [Xp = 10000000000*X, Yp = Y + 1], 2).
    r(p(pc(b), data(X, Y)), p(pc(c), data(Xp, Yp)), [Y >= 3, X %s], [], 3)."""
    safe, unsafe = tmp_path / "safe.armc", tmp_path / "unsafe.armc"
    safe.write_text(text % "=\\= 1000000000000000000000000000000")
    unsafe.write_text(text % "= 1000000000000000000000000000000")
    for numbers in ("int", "rational"):
        result = verify(unsafe, strategy, numbers=numbers)
        assert (result.verdict, result.certificate) == ("unsafe", "replay"), result.reason
        assert result.counterexample[-2]["values"] == {"X": 10**30, "Y": 3}
        result = verify(safe, strategy, numbers=numbers)
        assert result.verdict == "safe" and result.certified, result.reason


def test_integers_and_rationals_differ(tmp_path: Path) -> None:
    path = tmp_path / "half.armc"
    path.write_text(
        "start(pc(a)). error(pc(b)). r(p(pc(a), data(X)), p(pc(b), data(Xp)), [0 < X, X < 1], [Xp = X], 1)."
    )
    assert verify(path, "lbe").verdict == "safe"
    result = verify(path, "lbe", numbers="rational")
    assert result.verdict == "unsafe" and result.certified


def test_initial_predicates_are_the_initial_precision(tmp_path: Path) -> None:
    """With the invariant among the predicates nothing is left to refine."""
    text = """start(pc(a)). error(pc(c)). implicit_updates. preds(p(_, data(X, Y)), [%s]).
    r(p(pc(a), data(X, Y)), p(pc(b), data(Xp, Yp)), [], [Xp = 0, Yp = 0], 1).
    r(p(pc(b), data(X, Y)), p(pc(b), data(Xp, Yp)), [], [Xp = X + 1, Yp = Y + 1], 2).
    r(p(pc(b), data(X, Y)), p(pc(c), data(Xp, Yp)), [X =\\= Y], [], 3)."""
    without, given = tmp_path / "without.armc", tmp_path / "given.armc"
    without.write_text(text % "")
    given.write_text(text % "X = Y")
    assert verify(without, "sbe").statistics["refinements"] >= 1
    result = verify(given, "sbe")
    assert (result.verdict, result.statistics["refinements"]) == ("safe", 0)


def test_a_counterexample_begins_with_the_values_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "start.armc"
    path.write_text(
        "start(pc(a)). error(pc(b)). r(p(pc(a), data(X, Y)), p(pc(b), data(Xp, Yp)), [2*X = 7, Y = Y], [Xp = X], 1)."
    )
    result = verify(path, "lbe", numbers="rational")
    first = result.counterexample[0]
    assert (first["line"], first["operation"], first["values"]) == (1, "start", {"X": "7/2"})


def test_the_start_may_be_the_error(tmp_path: Path) -> None:
    path = tmp_path / "at_once.armc"
    path.write_text("start(pc(a)). error(pc(a)). r(p(pc(a), data(X)), p(pc(b), data(Xp)), [], [], 1).")
    assert verify(path, "lbe").verdict == "unsafe"
