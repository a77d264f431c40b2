"""Cells, the virtual best, curves and the CSV file, compared with what the paper says they are."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argosy.bench.summary import ALL, COLUMNS, VIRTUAL_BEST, StudyCell, StudySummary, harmless, to_csv
from tests.bench.fakes import configuration, record, task

A, B = configuration("a", domain="expl"), configuration("b", domain="pred-bool", split="atoms")
LOOP, LOCK, ODD = task("loop.c"), task("lock.c", "unsafe", "locks"), task("odd.c", None)
RECORDS = [
    record(LOOP, A, "safe", 2.0, 50),
    record(LOOP, B, "safe", 1.0, 300),
    record(LOCK, A, "unsafe", 4.0, 80),
    record(LOCK, B, "safe", 0.1, 10),
    record(ODD, A, "", 60, 500),
    record(ODD, B, "", 9, 4000, "memory"),
]
SUMMARY = StudySummary([LOOP, LOCK, ODD], [A, B], RECORDS)


def test_cells() -> None:
    cells = SUMMARY.heatmap()
    assert list(cells) == ["a", "b", VIRTUAL_BEST] and list(cells["a"]) == ["loops", "locks", ALL]
    assert cells["a"]["loops"] == StudyCell(2, 2, 1, 0, 2.0, 50)
    assert cells["a"][ALL] == StudyCell(3, 3, 2, 0, 6.0, 80)
    assert cells["b"]["locks"] == StudyCell(1, 1, 0, 1, 0.0, 0.0), (
        "a wrong verdict is no success, and its time does not count"
    )
    assert cells["b"][ALL] == StudyCell(3, 3, 1, 1, 1.0, 300)
    assert cells[VIRTUAL_BEST][ALL] == StudyCell(3, 2, 2, 0, 5.0, 300)


def test_curves_are_in_order() -> None:
    assert SUMMARY.cactus() == {"a": [2.0, 4.0], "b": [1.0], VIRTUAL_BEST: [1.0, 4.0]}


def test_wrong_verdicts_and_contradictions() -> None:
    assert [(r.task.name, r.configuration.label) for r in SUMMARY.wrong] == [("lock.c", "b")]
    assert SUMMARY.contradictions() == {}
    torn = [record(ODD, A, "safe"), record(ODD, B, "unsafe")]
    assert StudySummary([ODD], [A, B], torn).contradictions() == {"odd.c": (["a"], ["b"])}


def test_runs_that_waited_for_a_processor() -> None:
    assert SUMMARY.starved(60) == 0
    assert SUMMARY.starved(121) == 1, "60 s on the clock; the one that ran out of memory is another matter"


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(RECORDS))))
    assert len(set(COLUMNS)) == len(COLUMNS)
    table_2 = ("model", "category", "domain", "max_enum", "granularity", "split", "refinement", "search")
    metrics = ("success", "termination", "result", "time_ms", "memory")
    ours = ("iterations", "precision_size", "nodes", "solver_checks")
    assert set(rows[0]) >= {*table_2, *metrics, *ours, "prune", "initial_precision", "block"}
    assert [row["termination"] for row in rows] == ["success"] * 4 + ["time", "memory"]
    assert [row["success"] for row in rows] == ["true", "true", "true", "false", "false", "false"]
    assert [row["outcome"] for row in rows] == ["correct"] * 3 + ["wrong"] + ["unsolved"] * 2
    first = rows[0]
    assert (first["time_ms"], first["memory"], first["domain"], first["split"]) == ("2000", "52428800", "expl", "")
    assert [first[name] for name in ours] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\n"])
def test_no_cell_is_a_formula(start: str) -> None:
    name = f"{start}cmd|' /C calc'!A0"
    [row] = csv.DictReader(io.StringIO(to_csv([record(task(name, category=name), configuration("expl"))]), newline=""))
    assert row["model"] == row["category"] == f"'{name}"


def test_a_name_does_not_end_a_row() -> None:
    [row] = csv.DictReader(io.StringIO(to_csv([record(task("a\r=b\nc"), configuration("expl"))]), newline=""))
    assert row["model"] == "a\\r=b\nc"


def test_numbers_in_cells_stay_numbers() -> None:
    cells = ["-1,2", "-3", "+1.5", "a-b", "", "1*"]
    assert [harmless(cell) for cell in cells] == cells


@given(st.lists(st.tuples(st.booleans(), st.floats(0.01, 60)), min_size=6, max_size=6))
def test_the_virtual_best_is_at_least_as_good_as_any(times: list[tuple[bool, float]]) -> None:
    pairs = [(t, c) for t in (LOOP, LOCK, ODD) for c in (A, B)]
    records = [
        record(t, c, (t.expected or "safe") if solved else "", cpu)
        for (t, c), (solved, cpu) in zip(pairs, times, strict=True)
    ]
    summary = StudySummary([LOOP, LOCK, ODD], [A, B], records)
    by_hand = {
        t.name: min((r.measurement.cpu_s for r in records if r.task is t and r.success), default=None)
        for t in (LOOP, LOCK, ODD)
    }
    best = {r.task.name: r.measurement.cpu_s for r in summary.virtual_best()}
    assert best == {name: cpu for name, cpu in by_hand.items() if cpu is not None}
    cells = summary.heatmap()
    assert all(cells[VIRTUAL_BEST][ALL].solved >= cells[c][ALL].solved for c in ("a", "b"))
