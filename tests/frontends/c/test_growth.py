"""Reading and reducing are linear in the program: twice the text costs twice the calls, not four times."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.models.reduce import reduce

DECLARED = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
END = "  if (x == 7) reach_error();\n  return 0;\n}\n"


def called_once(n: int) -> str:
    """Functions that are called one after the other."""
    functions = "".join(f"static int f{k}(int x) {{ return x > {k} ? x - 1 : x; }}\n" for k in range(n))
    calls = "".join(f"  x = f{k}(x);\n" for k in range(n))
    return f"{DECLARED}{functions}int main(void) {{\n  int x = 0;\n{calls}{END}"


def in_loops(n: int) -> str:
    """Loops one after the other, with a call in each."""
    loops = "".join(f"  while (__VERIFIER_nondet_int()) x = f{k}(x);\n" for k in range(n))
    functions = "".join(f"static int f{k}(int x) {{ return x + 2; }}\n" for k in range(n))
    return f"{DECLARED}{functions}int main(void) {{\n  int x = 0;\n{loops}{END}"


def variables(n: int) -> str:
    """Each is computed from the one before."""
    steps = "".join(f"  int x{k} = x{k - 1} > {k} ? x{k - 1} + 1 : 0;\n" for k in range(1, n))
    return f"{DECLARED}int main(void) {{\n  int x0 = 0;\n{steps}  int x = x{n - 1};\n{END}"


def _calls(text: str) -> int:
    """How many calls of functions it takes, generators' steps included."""
    count = 0

    def seen(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        reduce(load("program.c", terms=Terms(), text=text).cfa)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return count


@pytest.mark.parametrize("program", [called_once, in_loops, variables])
def test_twice_the_text_costs_twice_the_calls(program: Callable[[int], str]) -> None:
    small, large = 40, 160
    _calls(program(2))
    ratio = _calls(program(large)) / _calls(program(small))
    assert ratio < 1.1 * large / small
