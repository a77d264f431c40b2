"""Argosy as BenchExec sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("benchexec", reason="BenchExec is not installed")

from argosy.bench.toolinfo import Tool


def status(*lines: str, code: int = 0) -> str:
    run = SimpleNamespace(output=list(lines), exit_code=SimpleNamespace(value=code))
    return Tool().determine_result(run)


def test_statuses_are_those_of_the_competitions() -> None:
    assert status("p.c: unreach-call, strategy auto (stage lbe)", "Verdict: SAFE") == "true"
    assert status("p.c: unreach-call, strategy auto", "Verdict: UNSAFE", code=10) == "false(unreach-call)"
    assert status("p.c: no-overflow, strategy auto", "Verdict: UNSAFE", code=10) == "false(no-overflow)"
    assert status("Verdict: UNKNOWN (time limit)", code=5) == "TIMEOUT"
    assert status("Verdict: UNKNOWN (memory limit)", code=5) == "OUT OF MEMORY"
    assert status("Verdict: UNKNOWN (unsupported: x)", code=5) == "unknown"
    assert status("nothing", code=6) == "ERROR"
    assert status("\x1b[2mp.c: no-overflow, strategy auto\x1b[0m", "\x1b[1;31mVerdict: UNSAFE\x1b[0m", code=10) == (
        "false(no-overflow)"
    )


def test_benchexec_accepts_the_module(tmp_path: Path) -> None:
    output = tmp_path / "out.txt"
    output.write_text("p.c: unreach-call, strategy auto\n\nVerdict: UNSAFE\n")
    command = [sys.executable, "-m", "benchexec.test_tool_info", "argosy.bench.toolinfo", "--no-container"]
    told = ["--tool-directory", str(Path(sys.prefix)), "--tool-output", str(output)]
    ran = subprocess.run([*command, *told], capture_output=True, text=True, timeout=60, check=False)
    said = ran.stdout + ran.stderr
    assert ran.returncode == 0 and "false(unreach-call)" in said, said
    assert "'--no-config', '--property', 'PROPERTY.PRP'" in said
