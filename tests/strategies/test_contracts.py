"""Recursive programs: ``horn`` says of random ones what executing them says, and shows the contracts of known ones.

``ARGOSY_RECURSIVE=200`` looks at more programs.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import argosy

COUNT = int(os.environ.get("ARGOSY_RECURSIVE", "8"))

HEAD = "extern int nondet(void); extern void reach_error(void);\n"

KNOWN = {
    "ackermann": """int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1);
        return ack(m - 1, ack(m, n - 1)); }
        int main(void) { int m = nondet(), n = nondet(); if (m < 0 || n < 0) return 0;
        if (ack(m, n) <= n) reach_error(); return 0; }""",
    "mccarthy": """int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
        int main(void) { int x = nondet(); int r = f(x); if (r != 91 && x <= 101) reach_error(); return 0; }""",
    "parity": """int odd(unsigned n); int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }
        int odd(unsigned n) { if (n == 0) return 0; return even(n - 1); }
        int main(void) { unsigned n = nondet(); int r = even(n); if (r != 0 && r != 1) reach_error(); return 0; }""",
}


def verify(tmp_path: Path, text: str, strategy: str = "horn") -> Any:
    path = tmp_path / "p.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return argosy.verify(str(path), strategy, in_process=True, time_limit=100)


@pytest.mark.parametrize("name", KNOWN)
def test_recursion_without_a_bound_is_proved_by_contracts(name: str, tmp_path: Path) -> None:
    result = verify(tmp_path, KNOWN[name])
    assert (result.verdict, result.certificate) == ("safe", "contracts")
    said = {contract["function"] for contract in result.answers[0]["contracts"]}
    assert said == {"ackermann": {"ack"}, "mccarthy": {"f"}, "parity": {"even", "odd"}}[name]


def test_an_error_is_shown_by_an_execution_of_the_copies(tmp_path: Path) -> None:
    result = verify(tmp_path, KNOWN["mccarthy"].replace("x <= 101", "x <= 102"))
    assert (result.verdict, result.certificate) == ("unsafe", "replay")


def test_auto_says_why_it_asked_for_contracts(tmp_path: Path) -> None:
    result = verify(tmp_path, KNOWN["parity"], "auto")
    assert (result.verdict, result.certificate) == ("safe", "contracts")
    assert result.strategy["stage"] == "horn" and "recursion" in result.strategy["why"]


class Program:
    """Two functions that call themselves or each other, of small numbers, with a global that they count in."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.base = [(draw.randint(0, 2), draw.choice("ncag")) for _ in range(2)]
        self.steps = [(draw.randint(0, 1), draw.randint(1, 2), draw.choice(("a", "a + 1", "g"))) for _ in range(2)]
        self.ends = [draw.choice(("r", "r + n", "r + a", "r - 1", "a", "r + g", "n")) for _ in range(2)]
        self.counts = [draw.choice((0, 0, 1, 2)) for _ in range(2)]
        self.late = draw.random() < 0.5
        values = sorted({value for n in range(4) for a in range(3) for value in self.outcome(n, a)[:1]})
        bounds = [(">=", max(values) + 1), ("<=", min(values) - 1), ("==", max(values) + 1)]
        self.relation, self.asked = draw.choice([*bounds, ("==", draw.choice(values)), (">=", max(values))])

    def outcome(self, n: int, a: int) -> tuple[int, int]:
        """The result and the global of a call of the first function."""
        return self._call(0, n, a, 0)

    def _call(self, which: int, n: int, a: int, g: int) -> tuple[int, int]:
        constant, kind = self.base[which]
        if n <= 0:
            return {"n": n, "c": constant, "a": a, "g": g}[kind], g
        if not self.late:
            g += self.counts[which]
        other, down, given = self.steps[which]
        r, g = self._call(other, n - down, eval(given, {}, {"a": a, "g": g}), g)
        if self.late:
            g += self.counts[which]
        return eval(self.ends[which], {}, {"r": r, "n": n, "a": a, "g": g}), g

    @property
    def is_safe(self) -> bool:
        reached = (self.outcome(n, a)[0] for n in range(4) for a in range(3))
        return not any(eval(f"{value} {self.relation} {self.asked}") for value in reached)

    @property
    def text(self) -> str:
        lines = ["static int g; int f0(int n, int a); int f1(int n, int a);"]
        for which, (other, down, given) in enumerate(self.steps):
            constant, kind = self.base[which]
            base = {"n": "n", "c": str(constant), "a": "a", "g": "g"}[kind]
            count = f"g += {self.counts[which]};"
            before, after = ("", count) if self.late else (count, "")
            lines.append(f"int f{which}(int n, int a) {{ if (n <= 0) return {base}; {before}")
            lines.append(f"  int r = f{other}(n - {down}, {given}); {after} return {self.ends[which]}; }}")
        lines.append("int main(void) { int n = nondet(), a = nondet(); if (n < 0 || n > 3 || a < 0 || a > 2) return 0;")
        lines.append(f"  int r = f0(n, a); if (r {self.relation} {self.asked}) reach_error(); return 0; }}")
        return "\n".join(lines)


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_recursive_programs_are_decided_as_they_execute(seed: int, tmp_path: Path) -> None:
    program = Program(seed)
    result = verify(tmp_path, program.text)
    assert result.verdict in ("unknown", "safe" if program.is_safe else "unsafe"), program.text
    assert result.verdict != "unknown" or "time" in result.reason or "spacer" in result.reason, result.reason
