"""The examples of docs/extending.md run, and what they print is certified."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import argosy

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


@pytest.mark.parametrize("name", ["constants", "random_order", "eager_refiner"])
def test_the_files_run(name: str, program: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", program[0]], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.startswith("Verdict: ")


def test_the_documentation_names_every_example() -> None:
    text = (ROOT / "docs" / "extending.md").read_text()
    assert all(f"examples/extending/{path.name}" in text for path in EXAMPLES.glob("*.py"))
