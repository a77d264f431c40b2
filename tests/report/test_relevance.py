"""Which steps of a counterexample matter for its end."""

from __future__ import annotations

from pathlib import Path

import argosy
from argosy.report.console import Paint, execution

HEAD = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"


def marked(folder: Path, body: str) -> dict[str, bool]:
    path = folder / "p.c"
    path.write_text(f"{HEAD}{body}")
    result = argosy.verify(str(path), in_process=True, time_limit=60)
    assert result.verdict == "unsafe"
    return {step["operation"]: step["matters"] for step in result.counterexample}


def test_what_the_failing_condition_needs_matters_and_nothing_else(tmp_path: Path) -> None:
    steps = marked(
        tmp_path,
        "int main(void) { int a = __VERIFIER_nondet_int(); int b = a + 1; int c = 5; c = c + 2; int d = c * 2;"
        " if (d > 0) { } if (b == 8) reach_error(); return d; }",
    )
    assert steps["a = __VERIFIER_nondet_int()"] and steps["b = a + 1"] and steps["[b == 8]"]
    assert not steps["c = 5"] and not steps["c = c + 2"] and not steps["d = c * 2"]


def test_a_value_that_is_overwritten_does_not_matter(tmp_path: Path) -> None:
    steps = marked(tmp_path, "int main(void) { int x = 3; x = 4; if (x == 4) reach_error(); return 0; }")
    assert not steps["x = 3"] and steps["x = 4"]


def test_a_pointer_needs_only_the_cell_that_it_leads_to(tmp_path: Path) -> None:
    steps = marked(
        tmp_path,
        "int a = 1, b = 2; int main(void) { int *p = __VERIFIER_nondet_int() ? &a : &b; a = 10; b = 20;"
        " if (*p == 20) reach_error(); return 0; }",
    )
    assert steps["b = 20"] and not steps["a = 10"]


def test_what_does_not_matter_is_folded_unless_asked_for() -> None:
    def step(number: int, matters: bool, choice: str | None = None) -> dict[str, object]:
        return {"line": number, "operation": f"s{number}", "values": {}, "matters": matters, "choice": choice}

    flags = [True, False, False, False, True, False, False, True]
    steps = [step(number, flag) for number, flag in enumerate(flags, 1)]
    answer = {"counterexample": steps, "violation": None, "reason": None}
    lines = list(execution(answer, Paint(), 0))[3:]
    shown = [line.split()[-1] if "..." not in line else line.strip() for line in lines]
    assert shown == ["s1", "... 3 steps ...", "s5", "s6", "s7", "s8"]
    assert "of which 3 matter" in list(execution(answer, Paint(), 0))[1]
    assert len(list(execution(answer, Paint(), 1))) == 3 + len(flags)
    chosen = [step(1, True), *(step(n, False, "input()") for n in range(2, 6)), step(6, True)]
    assert "..." not in "".join(execution({**answer, "counterexample": chosen}, Paint(), 0))


def test_signed_numbers_are_read_back_as_the_machine_has_them(tmp_path: Path) -> None:
    steps = marked(
        tmp_path,
        "int main(void) { int x = -5, u = 7; int *p = x < 0 ? &x : &u; u = 9; if (*p == -5) reach_error(); return u; }",
    )
    assert steps["x = -5"] and not steps["u = 9"]


def test_the_branches_that_lead_to_the_error_matter_and_a_loop_beside_them_does_not(tmp_path: Path) -> None:
    steps = marked(
        tmp_path,
        "int a[4]; int main(void) { for (int k = 0; k < 4; k++) a[k] = k; int n = 1;"
        " int mode = __VERIFIER_nondet_int(); if (mode == 7) { if (n == 1) reach_error(); } return a[0]; }",
    )
    assert steps["[mode == 7]"] and steps["mode = __VERIFIER_nondet_int()"] and steps["[n == 1]"] and steps["n = 1"]
    assert not any(steps[text] for text in ("k = 0", "[k < 4]", "k++", "a[k] = k", "[!(k < 4)]"))


def test_a_loop_that_only_the_error_leaves_and_an_assumption_are_branches(tmp_path: Path) -> None:
    steps = marked(
        tmp_path,
        "extern void __VERIFIER_assume(int); int main(void) { int x = __VERIFIER_nondet_int(), y = 0;"
        " __VERIFIER_assume(x > 4); while (1) { y = y + 1; if (y == 3) reach_error(); } }",
    )
    assert steps["[x > 4]"] and steps["y = 0"] and steps["y = y + 1"] and steps["[y == 3]"]
