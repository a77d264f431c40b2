"""Every model under ``examples`` gets, certified, the verdict that its first line promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import argosy

ROOT = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted((ROOT / "c").glob("*.c"))
THETA = sorted(path for path in (ROOT / "theta").iterdir() if path.suffix in (".cfa", ".sts", ".xsts"))


def promised(path: Path) -> str:
    match = re.match(r"(?:/\*|//) Expected verdict: (SAFE|UNSAFE)\n", path.read_text())
    assert match, f"{path.name} does not begin with its verdict"
    return match[1].lower()


@pytest.mark.parametrize("model", ["ILP32", "LP64"])
@pytest.mark.parametrize("path", sorted((ROOT / "memory").glob("*.c")), ids=lambda path: path.stem)
def test_memory(path: Path, model: str) -> None:
    """Each construct in a version that is safe and in one that is not."""
    match = re.search(r"^ \* Property: (\S+)$", path.read_text(), re.MULTILINE)
    assert match and promised(path) == ("unsafe" if path.stem.endswith("_bug") else "safe")
    result = argosy.verify(path, property=match[1], data_model=model, time_limit=60)
    assert (result.verdict, result.certified) == (promised(path), True), result.reason


def test_there_are_examples_of_both_kinds() -> None:
    verdicts = [promised(path) for path in EXAMPLES]
    assert len(verdicts) >= 12 and min(verdicts.count("safe"), verdicts.count("unsafe")) >= 4


@pytest.mark.parametrize("path", [*EXAMPLES, *THETA], ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    result = argosy.verify(path, time_limit=30)
    assert (result.verdict, result.certified) == (promised(path), True), result.reason
    assert bool(result.counterexample) == (result.verdict == "unsafe")


def test_the_project_of_the_tutorial() -> None:
    """Floats, bit fields, a state machine and a parser of a buffer: what a user brings, with its commands."""
    path = ROOT / "tutorial" / "pump" / "compile_commands.json"
    result = argosy.verify(path, time_limit=100)
    assert (result.verdict, result.certified) == ("safe", True), result.reason
    assert any("pump.c" in line and "frame.c" in line for line in result.ledger)


def test_absolute_value_depends_on_what_overflow_means() -> None:
    path = next(path for path in EXAMPLES if path.stem == "absolute")
    assert argosy.verify(path, time_limit=30).assumes == ("no-signed-overflow",)
    assert argosy.verify(path, time_limit=30, signed_overflow="wrap").verdict == "unsafe"
