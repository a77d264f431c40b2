"""The examples of docs/extending.md run, and what they print is certified."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import argosy
from argosy.basics.errors import InputError

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "extending"

BRANCHES = """
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int mode = 2, steps = 0;
    while (__VERIFIER_nondet_int() && steps < 5) { mode = mode * 2 - 2; steps = steps + 1; }
    if (mode != %d) reach_error();
    return 0;
}
"""


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=[(2, "safe"), (3, "unsafe")])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    value, verdict = request.param
    path = tmp_path / "program.c"
    path.write_text(BRANCHES % value)
    return str(path), verdict


def test_a_new_domain(program: tuple[str, str]) -> None:
    """Constant propagation proves what does not depend on the path, and never claims more."""
    path, verdict = program
    result = argosy.verify(path, strategy=example("constants").constant_propagation)
    if verdict == "safe":
        assert result.verdict == "safe" and result.certified
    else:
        assert result.verdict == "unknown" and "not refined" in (result.reason or "")


@pytest.mark.parametrize(
    ("module", "builder"), [("random_order", "explicit_in_random_order"), ("eager_refiner", "eager_explicit")]
)
def test_a_new_order_and_a_new_refiner(module: str, builder: str, program: tuple[str, str]) -> None:
    path, verdict = program
    result = argosy.verify(path, strategy=getattr(example(module), builder))
    assert result.verdict == verdict and result.certified


@pytest.mark.parametrize(("limit", "verdict"), [("7", "safe"), ("4", "unsafe")])
def test_a_new_format(tmp_path: Path, limit: str, verdict: str) -> None:
    path = tmp_path / "model.counters"
    path.write_text(f"x = 0\n(< x 5): x = (+ x 1)\nnever (= x {limit})\n")
    result = argosy.verify(str(path), format=example("counters").COUNTERS, time_limit=60)
    assert (result.verdict, result.certified, result.format) == (verdict, True, "counters")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "counters.py", path], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == f"Verdict: {verdict.upper()}\n"


def test_a_new_format_says_where_a_text_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "model.counters"
    path.write_text("x = 0\nnever (= y 3)\n")
    with pytest.raises(InputError, match=r"model.counters:2:1: "):
        argosy.verify(str(path), format=example("counters").COUNTERS)


@pytest.mark.parametrize("name", ["constants", "random_order", "eager_refiner"])
def test_the_files_run(name: str, program: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", program[0]], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.startswith("Verdict: ")


def test_the_documentation_names_every_example() -> None:
    text = (ROOT / "docs" / "extending.md").read_text()
    assert all(f"examples/extending/{path.name}" in text for path in EXAMPLES.glob("*.py"))
