"""Many rounds at once: errors far away are found, shown folded, and never believed before they are replayed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.models import closed_forms
from argosy.models.cfa import Reading
from argosy.models.reduce import reduce
from argosy.session.run import decide, read
from argosy.session.task import Task
from argosy.strategies.acceleration import cycles_through, is_accelerable

HEADER = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
"""

COUNTED = """int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  for (int i = 0; i < n; i++) x += 2;
  if (x == %s) reach_error();
}"""

# Each branch is taken many times in a row; a temporary is set in every round.
PHASES = """int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0, t = 0;
  while (x < n) { t = x + 1; if (x < 3000000) x = t; else { x = t + 2; y++; } }
  if (y == 1000000 && x == %s) reach_error();
}"""

IN_TURN = """int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0, flag = 0;
  for (int i = 0; i < n; i++) { if (flag) x++; else y += 3; flag = !flag; }
  if (x == 1500000 && y == %s) reach_error();
}"""

SQUARE = """int main(void) {
  int n = __VERIFIER_nondet_int(); long long sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  if (sum == %s) reach_error();
}"""

# In every round the same is chosen.
CHOSEN = """int main(void) {
  int x = 0, n = 0;
  while (n < 100000) { int by = __VERIFIER_nondet_int(); if (by < 0 || by > 9) return 0; x += by; n++; }
  if (x == %s) reach_error();
}"""


def verdict(tmp_path: Path, text: str, strategy: str, seconds: float = 120, **options: Any) -> str:
    path = tmp_path / "program.c"
    path.write_text(HEADER + text)
    result = argosy.verify(path, strategy=strategy, time_limit=seconds, **options)
    assert result.certified or result.verdict == "unknown"
    return str(result.verdict)


@pytest.mark.parametrize(
    ("program", "reached", "missed"),
    [
        (COUNTED, "20000000", "20000001"),
        (PHASES, "6000000", "6000001"),
        (IN_TURN, "4500000", "4499999"),
        (SQUARE, "499999500000ll", None),
        (CHOSEN, "700000", None),
    ],
    ids=["counted", "phases", "in-turn", "square", "chosen"],
)
def test_errors_far_away_are_found(program: str, reached: str, missed: str | None, tmp_path: Path) -> None:
    assert verdict(tmp_path, program % reached, "accelerated") == "unsafe"
    if missed is not None:
        assert verdict(tmp_path, program % missed, "accelerated", seconds=2) != "unsafe"


@pytest.mark.parametrize(("said", "expected"), [("x == 20000000", "unsafe"), ("x < 0", "safe")])
def test_predicates_have_the_same_shortcuts(said: str, expected: str, tmp_path: Path) -> None:
    text = COUNTED.replace("x == %s", said)
    assert verdict(tmp_path, text, "lbe", acceleration="on", relations="off") == expected


def test_the_default_decides_and_shows_it_folded(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEADER + COUNTED % "200000000")
    files = {"--json": tmp_path / "out.json", "--report": tmp_path / "out.html"}
    flags = [str(word) for pair in files.items() for word in pair]
    command = [sys.executable, "-m", "argosy", "verify", str(path), "--time-limit", "60", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 10, done.stdout + done.stderr
    line = "after 99,999,997 more rounds"
    told = json.loads(files["--json"].read_text())
    assert told["certified"] and told["strategy"]["stage"] == "accelerated"
    assert told["strategy"]["why"].startswith("loops that many rounds")
    [row] = [row for row in told["counterexample"] if "more rounds" in row["operation"]]
    assert row["operation"].startswith(line) and row["line"] == 6
    assert line in done.stdout and line in files["--report"].read_text()


def test_a_wrong_shortcut_makes_no_wrong_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a shortcut says, the loop itself is replayed."""
    monkeypatch.setattr(closed_forms._Rounds, "_compared", lambda self, *_: self._terms.true)
    path = tmp_path / "program.c"
    path.write_text(HEADER + "int main(void) { int x = 0; while (x < 7) x += 2; if (x == 100) reach_error(); }")
    [answer] = decide(Task(str(path), strategy="accelerated", options={})).answers
    assert answer.verdict == "unknown" and "refuted: a loop ends after" in str(answer.reason)


def test_which_loops_are_accelerable(tmp_path: Path) -> None:
    def is_one(body: str) -> bool:
        path = tmp_path / "program.c"
        start = "unsigned x = __VERIFIER_nondet_uint(), y = 1;"
        path.write_text(HEADER + f"int main(void) {{ {start} {body} if (x + y == 7) reach_error(); }}")
        cfa = reduce(read(Task(str(path))).model.cfa, reading=Reading.UNDEFINED).cfa
        assert all(cycle[-1].target is cycle[0].source for at in cfa.loop_heads for cycle in cycles_through(cfa, at))
        return is_accelerable(cfa, Reading.UNDEFINED)

    assert is_one("while (x < 1000) { x++; y += 2; }")
    assert is_one("while (x < 1000) if (y < 50) x++; else x += y;")
    assert is_one("while (x < 1000) { if (x % 3 == 0) y++; else y += 2; x++; }")
    assert not is_one("while (x < 1000) x = 3 * x + 1;")
    assert not is_one("while (x & 1) x >>= 1;")
    assert not is_one("if (x) y++;")
