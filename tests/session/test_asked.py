"""What is asked is what is answered: property files to the letter, nothing to check, every assertion, formulas."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.cli import main as cli
from argosy.logic import text_worker
from argosy.session.run import decide
from argosy.session.task import Task

Write = Callable[..., str]

# The label is reached, the call is not.
LABEL = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3) { ERROR: x = 4; }
    if (x == 5 && x == 6) reach_error();
    return 0;
}
"""
# The label is reached, and there is no call.
ONLY_LABEL = "int main(void) { ERROR: return 0; }\n"
CALL = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"
EACH = """
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void) 0 : __assert_fail(#e, "f", 1, "f"))
int main(void) {
    int x = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < 5; i++) s += 2;
    assert(s == 10);
    assert(x != 7);
    assert(x <= 100 || x >= 0);
    assert(s + 1 == 10);
    return 0;
}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "prog.c") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return written


def decided(path: str, **choices: Any) -> argosy.Result:
    return argosy.verify(path, in_process=True, time_limit=60, **choices)


@pytest.mark.parametrize(
    ("program", "formula", "verdict"),
    [
        (LABEL, "G ! label(ERROR)", "unsafe"),
        (LABEL, "G ! call(reach_error())", "safe"),
        (ONLY_LABEL, "G ! call(reach_error())", "safe"),
        (ONLY_LABEL, "G ! label(ERROR)", "unsafe"),
        (ONLY_LABEL, "G ! label(OTHER)", "safe"),
        (CALL, "G ! call(__VERIFIER_error())", "safe"),
        (CALL, "G ! call(reach_error())", "unsafe"),
        ("void f(void) {}\nint main(void) { f(); return 0; }\n", "G ! call(f())", "unsafe"),
    ],
)
def test_a_property_file_is_obeyed_to_the_letter(write: Write, program: str, formula: str, verdict: str) -> None:
    stated = write(f"CHECK( init(main()), LTL({formula}) )\n", "p.prp")
    path = write(program)
    result = decided(path, property=stated)
    assert (result.verdict, result.certified) == (verdict, True)
    assert result.answers[0]["formula"] == formula
    # A task definition says the same.
    task = "format_version: '2.0'\ninput_files: prog.c\nproperties:\n  - property_file: p.prp\n"
    assert decided(write(task, "t.yml")).verdict == verdict


def test_the_entry_function_of_a_property(write: Write) -> None:
    path = write("extern void reach_error(void);\nint main(void) { return 0; }\nvoid other(void) { reach_error(); }\n")
    assert decided(path).verdict == "safe"
    assert decided(path, entry="other").verdict == "unsafe"
    stated = write("CHECK( init(other()), LTL(G ! call(reach_error())) )\n", "p.prp")
    assert decided(path, property=stated).verdict == "unsafe"


def test_a_bare_program_says_what_was_chosen(write: Write) -> None:
    assert "reach_error" in decided(write(CALL)).answers[0]["text"]
    assert "label ERROR" in decided(write(ONLY_LABEL)).answers[0]["text"]
    assert "assertion" in decided(write(EACH)).answers[0]["text"]


@pytest.mark.parametrize(
    "program", ["int main(void) { return 0; }\n", "void f(void);\nint main(void) { f(); return 0; }\n"]
)
def test_nothing_to_check_is_said(write: Write, program: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(program)
    assert cli.main(["verify", path]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "Verdict: SAFE" and any(line.startswith("nothing to check") for line in out[-4:-1])
    result = decided(path)
    assert result.nothing is not None and result.nothing in result.ledger
    assert cli.main(["verify", path, "--strict", "--quiet"]) == 5
    assert capsys.readouterr().out == "Verdict: UNKNOWN (nothing to check)\n"


def test_functions_without_a_body_stand_next_to_the_verdict(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("extern void reach_error(void);\nint get(void);\nint main(void) { if (get() == 3) return 1; "
                 "if (0) reach_error(); return 0; }\n")  # fmt: skip
    assert cli.main(["verify", path]) == 0
    assert "functions without a body here: get" in capsys.readouterr().out.splitlines()[-4:]


def test_every_assertion_has_its_own_answer(write: Write) -> None:
    path = write(EACH)
    result = decided(path, each=True)
    said = {answer["line"]: answer["verdict"] for answer in result.answers}
    assert said == {8: "safe", 9: "unsafe", 10: "safe", 11: "unsafe"}
    assert all(answer["certified"] and answer["kind"] == "assertion" for answer in result.answers)
    assert result.answers[1]["text"] == "assert(x != 7)"
    assert result.verdict == "unsafe" and len(decided(path).answers) == 1
    lines = {
        answer["line"]: answer["counterexample"][-1]["line"] for answer in result.answers if answer["counterexample"]
    }
    assert lines == {9: 9, 11: 11}


def test_evidence_is_objects(write: Write) -> None:
    found = decide(Task.of(write(EACH), each=True))
    safe = next(answer for answer in found.answers if answer.verdict == "safe")
    unsafe = next(answer for answer in found.answers if answer.verdict == "unsafe")
    assert {location.function for location in safe.evidence.claims} <= {"main"}
    assert [step.edge.position.line for step in unsafe.evidence.replayed.steps][-1] == unsafe.subject.position.line


def test_standard_input_with_a_format(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(CALL))
    assert decided("-", format="c").verdict == "unsafe"
    assert cli.main(["verify", "-", "--quiet"]) == 1
    assert "--format" in capsys.readouterr().err


def test_a_format_overrides_the_suffix(write: Write) -> None:
    path = write(CALL, "program.txt")
    assert decided(path, format="c").verdict == "unsafe"
    with pytest.raises(argosy.basics.errors.InputError, match="unknown suffix"):
        decided(path)


def test_wrong_usage_leaves_no_file(write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "result.json"
    assert cli.main(["verify", write(CALL), "--json", str(out), "--domain", "nonsense"]) == 1
    assert not out.exists()
    assert cli.main(["verify", write(CALL), "--json", str(tmp_path / "no" / "where.json")]) == 1


NETWORK = "process P() { clock x; state a, b; init a; trans a -> b { guard x > 2; }; }\nsystem P;\n"


@pytest.mark.parametrize(
    ("query", "verdict", "satisfied", "code"),
    [
        ("E<> P.b", 10, True, 0),
        ("A[] P.a", 10, False, 10),
        ("A[] P.a || P.b", 0, True, 0),
        ("E<> !P.a && !P.b", 0, False, 10),
    ],
)
def test_the_exit_code_of_formulas(write: Write, query: str, verdict: int, satisfied: bool, code: int) -> None:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    path = write(NETWORK, "n.xta")
    assert cli.main(["verify", path, "--query", query, "--quiet"]) == verdict
    assert cli.main(["verify", path, "--query", query, "--quiet", "--exit-by", "formula"]) == code
    [answer] = decided(path, query=query).answers
    assert answer["satisfied"] is satisfied


def test_colours_follow_the_formula(write: Write) -> None:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    from argosy.report.console import Paint
    from argosy.report.network_page import network_page

    result = decided(write(NETWORK, "n.xta"), query="E<> P.b")
    assert result.verdict == "unsafe" and "\x1b[1;32m" in Paint(True).verdict(result)
    page = network_page(result)
    assert '"colour":"safe"' in page and '"colour":"unsafe"' not in page


def test_json_has_every_field_of_schema_1(write: Write) -> None:
    content = json.loads(decided(write(CALL)).to_json())
    assert {"line", "operation", "values"} <= set(content["counterexample"][0])
    step = content["counterexample"][-1]
    assert (step["line"], step["function"]) == (2, "main") and step["file"].endswith("prog.c")


LOOP = """
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
    while (x < n) { x++; y++; }
    if (x != y) reach_error();
    return 0;
}
"""


def test_a_certificate_is_written_and_confirmed_by_another_solver(write: Write, tmp_path: Path) -> None:
    path, proof = write(LOOP), tmp_path / "proof.smt2"
    asked = ["verify", path, "--strategy", "lbe", "--certificate", str(proof), "--certify-with", "cvc5", "--quiet"]
    assert cli.main(asked) == 0
    confirmed = subprocess.run(
        [sys.executable, text_worker.__file__, "bitwuzla"], input=proof.read_text(), capture_output=True, text=True
    )
    answers = confirmed.stdout.split()
    assert answers and set(answers) == {"unsat"}


def test_a_counterexample_has_no_certificate_file(write: Write, tmp_path: Path) -> None:
    proof = tmp_path / "proof.smt2"
    assert cli.main(["verify", write(CALL), "--certificate", str(proof), "--quiet"]) == 10
    assert not proof.exists()


def test_output_has_everything(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert cli.main(["verify", write(LOOP), "--strategy", "lbe", "--output", str(folder), "--quiet"]) == 0
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["certificate.smt2", "report.html", "result.json", "witness.yml"]


def test_assumptions_stand_before_the_verdict(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Only those that the proof does not exclude."""
    text = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 100 / x;
    int z = 100 / 7;
    if (y > 100 && z != 14) reach_error();
    return 0;
}
"""
    assert cli.main(["verify", write(text)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "Verdict: SAFE" and lines[-2].startswith("assuming ") and "line 4" in lines[-2]
    assert "division" in lines[-2] and "5" not in lines[-2]


@pytest.mark.parametrize(
    ("operation", "verdict"),
    [("100 / x", "unsafe"), ("100 % x", "unsafe"), ("1 << x", "unsafe"), ("x + 1", "unsafe"), ("x / -1", "unsafe"),
     ("100 / 7", "safe"), ("x / 2", "safe"), ("1 << (x & 7)", "safe")],
)  # fmt: skip
def test_undefined_arithmetic_is_a_property(write: Write, operation: str, verdict: str) -> None:
    body = f"int x = __VERIFIER_nondet_int(); return {operation};"
    text = f"extern int __VERIFIER_nondet_int(void);\nint main(void) {{ {body} }}\n"
    assert decided(write(text), property="defined-arithmetic").verdict == verdict


def test_each_of_a_model_without_places(tmp_path: Path) -> None:
    """Clauses have one error location, and no assertions: the answer is that of the model."""
    path = tmp_path / "m.armc"
    path.write_text("start(pc(a)). error(pc(b)).\nr(p(pc(a), data(X)), p(pc(b), data(Y)), [X = 1], [], 1).\n")
    assert [answer["verdict"] for answer in decided(str(path), each=True).answers] == ["unsafe"]


DEEP = """
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void) 0 : __assert_fail(#e, "f", 1, "f"))
int depth(int n) { if (n == 0) { assert(n == 0); return 0; } return 1 + depth(n - 1); }
int main(void) {
    int d = depth(40);
    assert(d == 40);
    assert(d != 40);
    return 0;
}
"""


def test_each_beyond_the_first_bound_of_recursion(write: Write) -> None:
    """What lies behind the calls that are copied at first is answered as well."""
    result = decided(write(DEEP), each=True)
    assert {answer["line"]: answer["verdict"] for answer in result.answers} == {4: "safe", 7: "safe", 8: "unsafe"}


def test_files_have_the_figures_of_the_run(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert cli.main(["verify", write(CALL), "--output", str(folder), "--quiet"]) == 10
    figures = json.loads((folder / "result.json").read_text())["statistics"]
    assert figures["cpu_s"] > 0 and figures["peak_memory_mb"] > 1


def test_one_of_several_is_asked_by_its_text_or_name() -> None:
    path = "examples/systems/fifo_overflow.btor2"
    assert [a["text"] for a in argosy.verify(path, only="wrong_level").answers] == ["wrong_level"]
    with pytest.raises(ValueError, match="more_than_eight"):
        argosy.verify(path, only="more_then_eight")
