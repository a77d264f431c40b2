"""Results in BenchExec's XML: what stands in it, and that ``table-generator`` reads it."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argosy.basics.records import replace
from argosy.bench.benchexec import run_sets
from argosy.bench.limits import Outcome
from argosy.bench.output import BENCHEXEC, write
from argosy.bench.records import RESULT_FILE, RunRecord, measurement
from argosy.bench.study import RunLimits, Study
from argosy.bench.summary import StudySummary
from argosy.report.result import EXIT_CODES
from tests.bench.fakes import configuration, record, task

TABLE_GENERATOR = shutil.which("table-generator") or shutil.which(
    "table-generator", path=str(Path(sys.executable).parent)
)
TASKS = [task("a.yml"), task("b.yml", "unsafe"), task("c.yml", None)]
A, B = configuration("expl 1* <x>"), configuration("pred")
RECORDS = [
    record(TASKS[0], A, "safe", 1.25, 64),
    record(TASKS[1], A, "safe", 2.0),
    record(TASKS[2], A, "unsafe", 3.0),
    record(TASKS[0], B, ""),
    record(TASKS[1], B, "", termination="memory"),
    record(TASKS[2], B, "", termination="unknown"),
]
STUDY = Study("RQ1", TASKS, [A, B], RunLimits(20, 30, 900))
SUMMARY = StudySummary(TASKS, [A, B], RECORDS)


def columns(run: ElementTree.Element) -> dict[str, str]:
    return {column.attrib["title"]: column.attrib["value"] for column in run.findall("column")}


def test_what_stands_in_it() -> None:
    first, second = (ElementTree.fromstring(text) for text in run_sets(STUDY, SUMMARY).values())
    assert (first.attrib["name"], first.attrib["timelimit"]) == ("expl 1* <x>", "20s")
    assert first.attrib["memlimit"] == f"{900 * 1024 * 1024}B"
    runs = [columns(run) for run in first.findall("run")]
    assert [(run["status"], run["category"]) for run in runs] == [
        ("true", "correct"),
        ("true", "wrong"),
        ("false(unreach-call)", "missing"),
    ]
    assert (runs[0]["cputime"], runs[0]["memory"], runs[0]["nodes"]) == ("1.25s", f"{64 * 1024 * 1024}B", "3")
    assert [run.get("expectedVerdict") for run in first.findall("run")] == ["true", "false", None]
    statuses = [(columns(run)["status"], columns(run)["category"]) for run in second.findall("run")]
    assert statuses == [("TIMEOUT", "error"), ("OUT OF MEMORY", "error"), ("unknown", "unknown")]


def test_a_violation_names_the_part_of_the_property() -> None:
    said = {"verdict": "unsafe", "answers": [{"status": "false(valid-free)"}], "statistics": {}}
    ended = Outcome(EXIT_CODES["unsafe"], None, 1, 1, 1, files={RESULT_FILE: json.dumps(said)})
    found = RunRecord(replace(TASKS[1], property="valid-memsafety"), A, measurement(ended))
    summary = StudySummary([found.task], [A], [found])
    (text,) = run_sets(Study("RQ1", [found.task], [A], RunLimits(20, 30, 900)), summary).values()
    (run,) = ElementTree.fromstring(text).findall("run")
    assert columns(run)["status"] == "false(valid-free)" and run.attrib["properties"] == "valid-memsafety"


@pytest.mark.skipif(TABLE_GENERATOR is None, reason="BenchExec is not installed (pip install benchexec)")
def test_table_generator_reads_it(tmp_path: Path) -> None:
    assert TABLE_GENERATOR is not None
    write(STUDY, RECORDS, tmp_path, benchexec=True)
    files = sorted((tmp_path / BENCHEXEC).iterdir())
    assert len(files) == 2
    command = [TABLE_GENERATOR, "--outputpath", str(tmp_path / "tables"), "--name", "t", *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    with (tmp_path / "tables" / "t.table.csv").open(newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    data = {row[0].rpartition("/")[2]: row for row in rows if row[0].endswith(".yml")}
    assert set(data) == {"a.yml", "b.yml", "c.yml"}
    assert data["a.yml"][-16:].count("true") == 1 and "TIMEOUT" in data["a.yml"] and "1.25" in data["a.yml"]
    assert "OUT OF MEMORY" in data["b.yml"]
    page = (tmp_path / "tables" / "t.table.html").read_text()
    assert "expl 1*" in page and "correct" in page and "wrong" in page
