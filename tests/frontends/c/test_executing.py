"""Programs as people wrote them: the model's executions are those of the compiled program."""

from __future__ import annotations

from pathlib import Path

import pytest

from .executing import compiled_runs, instrumented, judge
from .printing import available

EXAMPLES = Path(__file__).parents[3] / "examples"
# Files of a project are no programs by themselves.
PROJECTS = {path.parent for path in EXAMPLES.rglob("compile_commands.json")}
PROGRAMS = sorted(p for p in EXAMPLES.rglob("*.c") if p.parent not in PROJECTS and "main(" in p.read_text())

pytestmark = pytest.mark.skipif(not available(), reason="gcc for Linux on x86-64 is needed")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_the_model_of_an_example_shows_what_the_compiled_program_shows(path: Path) -> None:
    found = judge(path)
    assert (found.kind, found.said) == ("same", "")


COUNTER = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int a[3], n;
int main(void) {
  for (n = 0; n < 5; n++) {
    int x = __VERIFIER_nondet_int();
    a[n % 3] CHANGES;
  }
  if (ENDS) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize(
    "changes, ends, kind",
    [("+= x", "n == 5", "same"), ("^= x", "n > 5", "same"), ("+= sizeof(long) + x", "n == 5", "same")],
)
def test_a_program_of_ones_own(tmp_path: Path, changes: str, ends: str, kind: str) -> None:
    path = tmp_path / "program.c"
    path.write_text(COUNTER.replace("CHANGES", changes).replace("ENDS", ends))
    assert judge(path).kind == kind


def test_another_value_of_a_global_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compilers are given another program than the front end."""
    path = tmp_path / "program.c"
    path.write_text(COUNTER.replace("CHANGES", "+= x").replace("ENDS", "n == 5"))

    def other(text: str, compiler: tuple[str, ...], beside: Path) -> object:
        return compiled_runs(text.replace("+= x", "+= x + 1"), compiler, beside)

    monkeypatch.setattr("tests.frontends.c.executing.compiled_runs", other)
    assert judge(path).kind == "different"


def test_another_end_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "program.c"
    path.write_text(COUNTER.replace("CHANGES", "+= x").replace("ENDS", "n == 5"))

    def other(text: str, compiler: tuple[str, ...], beside: Path) -> object:
        return compiled_runs(text.replace("n == 5", "n == 6"), compiler, beside)

    monkeypatch.setattr("tests.frontends.c.executing.compiled_runs", other)
    assert judge(path).kind == "different"


def test_a_program_that_defines_its_choices_is_left_alone(tmp_path: Path) -> None:
    text = "int __VERIFIER_nondet_int(void) { return 3; }\nint main(void) { return __VERIFIER_nondet_int(); }\n"
    assert instrumented(tmp_path / "program.c", text) is None
