"""``argosy convert``: what it writes is verified like the model it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_clauses_are_converted_and_read_back(tmp_path: Path) -> None:
    output = tmp_path / "out.armc"
    assert main(["convert", str(EXAMPLES / "armc" / "gas_leak_bug.armc"), str(output)]) == 0
    text = output.read_text(encoding="utf-8")
    assert text.startswith("% Converted from gas_leak_bug.armc.\n") and "numbers(rational).\n" in text
    result = argosy.verify(output, "cartesian", in_process=True)
    assert (result.verdict, result.certified) == ("unsafe", True)


@pytest.mark.parametrize(("name", "verdict"), [("two_counters", "safe"), ("lock_bug", "unsafe")])
def test_a_program_becomes_a_model_over_integers(name: str, verdict: str, tmp_path: Path) -> None:
    output = tmp_path / f"{name}.pl"
    assert main(["convert", str(EXAMPLES / "c" / f"{name}.c"), str(output), "--arithmetic", "int"]) == 0
    assert "Integers that do not wrap" in output.read_text(encoding="utf-8")
    result = argosy.verify(output, "lbe", in_process=True)
    assert (result.verdict, result.certified) == (verdict, True)


def test_what_cannot_be_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = EXAMPLES / "c" / "two_counters.c", tmp_path / "out.armc"
    assert main(["convert", str(program), str(output)]) == 5
    assert "machine arithmetic as clauses" in capsys.readouterr().err
    parity = tmp_path / "parity.c"
    parity.write_text(
        "void reach_error(void); int f(void); int main(void) { int x = f(); if (x % 3 == 1) reach_error(); }"
    )
    assert main(["convert", str(parity), str(output), "--arithmetic", "int"]) == 5
    assert "no clauses can say it: " in capsys.readouterr().err
    assert main(["convert", str(EXAMPLES / "ta" / "train_gate.xta"), str(output)]) == 5
    assert not output.exists()
    assert main(["convert", str(program), str(tmp_path / "out.txt")]) == 1
    assert main(["convert", str(tmp_path / "missing.armc"), str(output)]) == 2
    assert main(["convert", str(EXAMPLES / "armc" / "lift.armc"), str(tmp_path / "no" / "out.armc")]) == 1


def test_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(EXAMPLES / "armc" / "lift.armc"), "-"]) == 0
    assert "start(pc(init)).\n" in capsys.readouterr().out
