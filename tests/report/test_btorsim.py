"""Our witnesses for words, put to the simulator of the BTOR2 tools (``btorsim -c``), where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from argosy.report.exporters import exported
from argosy.session.run import decide
from argosy.session.task import Task
from tests.models.systems import random_system
from tests.report.test_system_files import converted

BTORSIM = shutil.which("btorsim")

FREE = """1 sort bitvec 2
2 state 1 free
3 state 1 start
4 next 1 3 2
5 sort bitvec 1
6 input 5 go
7 constd 1 2
8 eq 5 3 7
9 neq 5 2 3
10 and 5 8 9
11 bad 10
12 constraint 6
"""

pytestmark = pytest.mark.skipif(BTORSIM is None, reason="btorsim, of the BTOR2 tools, is not installed")


def witnesses(path: Path, strategy: str = "pdr") -> list[str]:
    answers = decide(Task.of(str(path), strategy=strategy, time_limit=30))
    return [text for _, text in exported(answers, {"witness": "run.wit"}) if isinstance(text, str)]


def accepted(path: Path, witness: str) -> bool:
    assert BTORSIM is not None
    claimed = path.with_suffix(".wit")
    claimed.write_text(witness)
    return subprocess.run([BTORSIM, "-c", str(path), str(claimed)], capture_output=True).returncode == 0


def test_runs_of_random_systems_are_accepted(tmp_path: Path) -> None:
    path, count = tmp_path / "random.btor2", 0
    for seed in range(30):
        content = converted(random_system(seed), "x.btor2")
        assert isinstance(content, str)
        path.write_text(content)
        for witness in witnesses(path):
            assert accepted(path, witness), seed
            count += 1
    assert count > 10


def test_states_without_next_and_init_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "free.btor2"
    path.write_text(FREE)
    [witness] = witnesses(path)
    assert accepted(path, witness)
    assert not accepted(path, witness.replace("10 start#0", "11 start#0"))
