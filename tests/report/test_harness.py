"""A harness makes the counterexample run: compiled with the program it ends with 107, and only with these values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from argosy.frontends.c.library import CHOICES
from argosy.report.harness import literal
from argosy.session.execution import executed
from argosy.session.run import decide
from argosy.session.task import Task
from tests.report.evidence import UNSAFE, built, decided, exit_code, needs_gcc, written

VALUE = re.compile(r"^    (.*), /\* line [0-9]+: .* \*/\n", re.MULTILINE)


def harness_of(path: Path, folder: Path, **choices: str) -> Path:
    target = folder / "harness.c"
    target.write_text(written(decide(Task.of(str(path), time_limit=60, **choices)), "harness", "harness.c"))
    return target


def program(folder: Path, text: str) -> Path:
    path = folder / "prog.c"
    path.write_text(text)
    return path


@needs_gcc
@pytest.mark.parametrize("path", UNSAFE, ids=lambda path: path.stem)
def test_examples_run_into_their_error_with_these_values_only(path: Path, tmp_path: Path) -> None:
    text = written(decided(path), "harness", "harness.c")
    harness = tmp_path / "harness.c"
    harness.write_text(text)
    assert exit_code(built(tmp_path, path, harness)) == 107
    values = list(VALUE.finditer(text))
    if not values:
        return
    last = values[-1]
    harness.write_text(text[: last.start()] + text[last.end() :])
    assert exit_code(built(tmp_path, path, harness)) == 77
    endings = set()
    for other in ("0", "1", "7", "-1", "2147483647"):
        harness.write_text(text[: last.start(1)] + other + text[last.end(1) :])
        endings.add(exit_code(built(tmp_path, path, harness)))
        if endings - {107}:
            return
    pytest.fail(f"the value {last[1]} does not matter")


@needs_gcc
@pytest.mark.parametrize(
    ("text", "choices"),
    [
        pytest.param(
            "extern int ask(int); extern int limit; void reach_error(void);\n"
            "int main(void) { ask(0); ask(1); if (ask(2) == 41 && limit == 7) reach_error(); return 0; }",
            {"undefined_functions": "pure"},
            id="results that nobody uses are counted; objects of other files have values",
        ),
        pytest.param(
            "extern struct s { char c; long long n; } given; void reach_error(void);\n"
            "int main(int argc, char **argv) { if (argc == 5 && given.n == -3 && given.c == 'x') reach_error(); }",
            {"data_model": "LP64"},
            id="parameters of main; members",
        ),
        pytest.param(
            "void reach_error(void);\nint run(short a, unsigned b) { if (a < -2 && b > 9u) reach_error(); return 0; }",
            {"entry": "run"},
            id="another entry",
        ),
        pytest.param(
            "#include <stdio.h>\nvoid reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
            'int main(void) { fprintf(stdout, "%d", 1); if (__VERIFIER_nondet_int() == 6) reach_error(); }',
            {},
            id="objects of the library are its own",
        ),
        pytest.param(
            "#include <assert.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\n"
            "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); assert(c != 200); }",
            {},
            id="a failing assertion",
        ),
        pytest.param(
            "extern int __VERIFIER_nondet_int(void);\n"
            "int main(void) { int x = __VERIFIER_nondet_int(); return x > 0 ? x + 5 : 0; }",
            {"property": "no-overflow"},
            id="an overflow that the sanitizer reports",
        ),
        pytest.param(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); void reach_error(void);\n"
            "int twice(int (*f)(void)) { return f() - f(); }\n"
            "int main(void) { int x = twice(__VERIFIER_nondet_int); __VERIFIER_assume(x > 3); "
            "if (x == 9) reach_error(); }",
            {},
            id="values through a pointer; assumptions",
        ),
    ],
)
def test_what_comes_from_outside_is_given(text: str, choices: dict[str, str], tmp_path: Path) -> None:
    path = program(tmp_path, text)
    assert exit_code(built(tmp_path, path, harness_of(path, tmp_path, **choices))) == 107


@needs_gcc
def test_values_of_every_type_are_given(tmp_path: Path) -> None:
    types = {ending: plain for ending, plain in CHOICES.items() if plain is not None and "128" not in plain}
    declared = "".join(f"extern {plain} __VERIFIER_nondet_{ending}(void);\n" for ending, plain in types.items())
    wanted = [
        f"__VERIFIER_nondet_{ending}() == {1 if plain == '_Bool' else 100 + number}{'.3' * (plain == 'double')}"
        for number, (ending, plain) in enumerate(types.items())
    ]
    wanted += ["__builtin_isnan(__VERIFIER_nondet_double())", "1 / __VERIFIER_nondet_float() == -__builtin_inff()"]
    body = f"if ({' && '.join(wanted)} && !__VERIFIER_nondet_pointer()) reach_error();"
    pointer = "extern void *__VERIFIER_nondet_pointer(void); void reach_error(void);\n"
    path = program(tmp_path, f"{declared}{pointer}int main(void) {{ {body} return 0; }}\n")
    assert exit_code(built(tmp_path, path, harness_of(path, tmp_path))) == 107


@needs_gcc
def test_an_error_function_of_the_program_itself_is_observed(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        "extern int __VERIFIER_nondet_int(void);\nint seen;\nvoid reach_error(void) { seen = 1; }\n"
        "int main(void) { if (__VERIFIER_nondet_int() == 12) reach_error(); return 0; }",
    )
    harness = harness_of(path, tmp_path)
    assert exit_code(built(tmp_path, path, harness)) == 0
    instrumented = ("-finstrument-functions", "-DARGOSY_INSTRUMENTED")
    assert all(flag in harness.read_text().partition("*/")[0] for flag in instrumented)
    assert exit_code(built(tmp_path, path, harness, flags=instrumented)) == 107


# ---- --execute ------------------------------------------------------------------------------------------------------


@needs_gcc
def test_execution_confirms_what_happens(tmp_path: Path) -> None:
    run = executed(decided(UNSAFE[-1])).result.answers[0]["execution"]
    assert (run["confirmed"], run["outcome"], run["exit_code"]) == (True, "reached", 107)
    path = program(
        tmp_path,
        "extern int __VERIFIER_nondet_int(void);\n"
        "int main(void) { int x = __VERIFIER_nondet_int(); return x < 0 ? -x : x; }",
    )
    run = executed(decide(Task.of(str(path), property="no-overflow", time_limit=60))).result.answers[0]["execution"]
    assert run["confirmed"] and "line 2" in run["outcome"]
    # What is read through a pointer is decided where the object is that it leads to.
    path = program(
        tmp_path,
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
        "struct d { int s, n; }; static struct d d;\n"
        "static void check(const struct d *p) { if (p->s == 3 && p->n > 1) reach_error(); }\n"
        "int main(void) { for (int i = 0; i < 2; i++) { d.s = __VERIFIER_nondet_int(); d.n++; check(&d); } return 0; }",
    )
    run = executed(decide(Task.of(str(path), data_model="LP64", time_limit=60))).result.answers[0]["execution"]
    assert run["confirmed"] and not run["notes"], run


@needs_gcc
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(void) { int x; if (x != 5) reach_error(); }", "the value of uninitialised x"),
        ("volatile int v; int main(void) { if (v != 5) reach_error(); }", "the value of volatile v"),
        (
            "extern void fill(int *); int main(void) { int x = 1; fill(&x); if (x != 1) reach_error(); }",
            "what fill(&x) leaves in an object",
        ),
        ("extern int *where(void); int main(void) { if (where()) reach_error(); }", "an address that where() gives"),
    ],
)
def test_nothing_is_confirmed_that_nobody_outside_decides(text: str, reason: str, tmp_path: Path) -> None:
    path = program(tmp_path, f"void reach_error(void);\n{text}")
    run = executed(decide(Task.of(str(path), time_limit=60))).result.answers[0]["execution"]
    assert not run["confirmed"] and any(reason in note for note in run["notes"]), run


@needs_gcc
def test_what_is_not_reached_is_said(tmp_path: Path) -> None:
    """The program was changed after it was decided: what runs is another one."""
    path = program(
        tmp_path,
        "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n"
        "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
    )
    found = decide(Task.of(str(path), time_limit=60))
    path.write_text(path.read_text().replace("== 3", "== 4"))
    run = executed(found).result.answers[0]["execution"]
    assert (run["confirmed"], run["exit_code"]) == (False, 0) and run["outcome"].startswith("not reached")
    path.write_text("this is not C")
    assert executed(found).result.answers[0]["execution"]["outcome"].startswith("not compiled")


@pytest.mark.parametrize(
    ("value", "type_", "said"),
    [
        (-(2**31), "int", "(-2147483647ll - 1)"),
        (2**32 - 1, "unsigned int", "4294967295ull"),
        (-(2**63), "long long", "(-9223372036854775807ll - 1)"),
        (2**64 - 1, "unsigned long long", "18446744073709551615ull"),
        (0, "void *", "0"),
        (-1, "signed char", "-1"),
    ],
)
def test_numbers_are_constants_of_their_type(value: int, type_: str, said: str) -> None:
    assert literal(value, type_) == said
