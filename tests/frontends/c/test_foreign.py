"""What functions without a body may change, by ``--undefined-functions``, and which functions write input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.frontends.c.library import ForeignReach
from argosy.models.cfa import Havoc
from argosy.models.program import Program

from .running import read, run

HEAD = "void set(int *); void go(void); void *malloc(unsigned); int g; static int own; extern const int fixed;\n"
TASK = """\
format_version: '2.0'
input_files: p.c
properties:
  - property_file: unreach-call.prp
"""


def _chosen(program: Program) -> list[str]:
    """The variables that get any value, in the order of their names."""
    chosen = (e.operation.variable.name for e in program.cfa.edges if isinstance(e.operation, Havoc))
    return sorted({name for name in chosen if "::" not in name or "temp" not in name})


@pytest.mark.parametrize(
    ("reach", "expected"),
    [
        (ForeignReach.PURE, []),
        (ForeignReach.ARGUMENTS, ["main::x"]),
        (ForeignReach.REACHABLE, ["g", "main::x"]),
    ],
)
def test_what_a_call_changes(reach: ForeignReach, expected: list[str]) -> None:
    body = "int main(void) { int x = 0, y = 0; g = 1; own = 2; set(&x); return x + y + g + own; }"
    assert _chosen(read(HEAD + body, undefined_functions=reach)) == expected


def test_an_object_behind_a_pointer_is_changed_where_the_pointer_leads_there() -> None:
    body = "int main(void) { int x = 1, y = 2, c = {0}; int *p = c ? &x : &y; set(p); r = x; s = y; }"
    outcome = run("int r, s;" + HEAD + body, [7, 8, 9, 10], undefined_functions=ForeignReach.ARGUMENTS)
    assert outcome["s"] in (7, 8, 9, 10) and outcome["s"] != 2


@pytest.mark.parametrize(
    "body",
    [
        "const int x = 1; set((int *)&x); if (x != 1) reach_error();",
        "typedef const int number; static number x = 1; set((int *)&x); if (x != 1) reach_error();",
        "static const int x[2] = {1, 2}; set((int *)x); if (x[1] != 2) reach_error();",
        "int x = 1; go(); if (x != 1) reach_error();",
        "own = 1; go(); if (own != 1) reach_error();",
        "int before = fixed; go(); if (before != fixed) reach_error();",
    ],
)
def test_what_no_function_may_change_stays(body: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, body) == "safe"


@pytest.mark.parametrize(
    "body",
    [
        "int x = 1; int *p = &x; set(p); if (x == 2) reach_error();",
        "int x[3] = {0}; set(x + 2); if (x[0] == 2) reach_error();",
        "g = 1; go(); if (g == 2) reach_error();",
        "int *x = malloc(sizeof(int)); *x = 1; set(x); if (*x == 2) reach_error();",
    ],
)
def test_what_a_function_reaches_is_arbitrary_afterwards(body: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, body) == "unsafe"
    assert _verdict(tmp_path, body, undefined_functions="pure") == "safe"


def test_what_only_may_be_reached_is_no_counterexample(tmp_path: Path) -> None:
    """The address leaves after the call: the analysis does not know the order, and says so."""
    assert _verdict(tmp_path, "int x = 1; go(); if (x == 2) reach_error(); set(&x);") == "unknown"


def _verdict(folder: Path, body: str, **options: Any) -> str:
    path = folder / "p.c"
    path.write_text(f"extern void reach_error(void);\n{HEAD}int main(void) {{ {body} return 0; }}\n")
    verdict: str = argosy.verify(path, in_process=True, time_limit=20, **options).verdict
    return verdict


def test_task_definitions_take_them_for_pure(tmp_path: Path) -> None:
    assert _verdict(tmp_path, "g = 1; go(); if (g == 2) reach_error();") == "unsafe"
    task = tmp_path / "p.yml"
    task.write_text(TASK)
    assert argosy.verify(task, in_process=True, time_limit=20).verdict == "safe"
    asked = argosy.verify(task, in_process=True, time_limit=20, undefined_functions="reachable")
    assert asked.verdict == "unsafe"


@pytest.mark.parametrize(
    ("reach", "line"),
    [
        (ForeignReach.PURE, "undefined function set: no side effects"),
        (ForeignReach.ARGUMENTS, "undefined function set: may change what its arguments lead to"),
        (ForeignReach.REACHABLE, "undefined function set: may change whatever it can reach"),
    ],
)
def test_the_ledger_says_which(reach: ForeignReach, line: str) -> None:
    program = read(HEAD + "int main(void) { int x; set(&x); return x; }", undefined_functions=reach)
    assert line in program.ledger


def test_functions_of_the_library_write_what_they_are_given_whatever_was_asked() -> None:
    body = "int r; int s; struct { int a, b; } v; int main(void) { v.a = v.b = 1; %s r = v.a; s = v.b; }"
    for call, inputs in (('scanf("%d", &v.a);', [1, 5]), ('printf("x%n", &v.a);', [5])):
        outcome = run(body % call, inputs, undefined_functions=ForeignReach.PURE)
        assert (outcome["r"], outcome["s"]) == (5, 1)
    assert run(body % 'printf("%d", v.a);', [5], undefined_functions=ForeignReach.PURE)["r"] == 1
    outcome = run(body % "v.b = 2; time(0);", undefined_functions=ForeignReach.PURE)
    assert outcome.undefined is None and (outcome["r"], outcome["s"]) == (1, 2)
