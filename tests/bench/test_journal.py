"""What the journal has it keeps, also when whoever wrote it was killed in the middle of a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from argosy.basics.errors import UsageError
from argosy.bench.journal import Journal
from argosy.bench.records import Measurement, Run
from tests.bench.fakes import configuration, task

RUNS = [Run(task(f"t{number}.c"), configuration("lbe"), f"key{number}") for number in range(4)]
FACTS = Measurement("success", "safe", "", True, "invariant", 0, 1.25, 1.5, 99.5, {"nodes": 7})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        for run in RUNS[:3]:
            journal.append(run, FACTS)
    return path


def test_what_was_written_is_read(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.finished == {f"key{number}": FACTS for number in range(3)}


def test_a_line_torn_anywhere_costs_only_itself(path: Path) -> None:
    whole = path.read_bytes()
    start = whole[:-1].rindex(b"\n") + 1
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        with Journal(path) as journal:
            assert list(journal.finished) == ["key0", "key1"]
            journal.append(RUNS[3], FACTS)
        with Journal(path) as journal:
            assert list(journal.finished) == ["key0", "key1", "key3"]
        assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_damaged_line_costs_only_itself(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0" * 40 + b"\n" + b'{"key": "old"}\n' + b"17\n" + lines[2])
    with Journal(path) as journal:
        assert list(journal.finished) == ["key0", "key2"]


def test_a_journal_has_one_writer(path: Path) -> None:
    with Journal(path), pytest.raises(UsageError, match="another bench"):
        Journal(path)
    Journal(path).close()
