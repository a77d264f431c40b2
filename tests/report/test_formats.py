"""Results as code scanning, CI servers and code review read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import argosy
from argosy.basics.budget import INTERRUPTED
from argosy.cli.main import main
from argosy.report.formats import RESULT_FORMATS
from argosy.report.headline import depths, headline, inputs
from argosy.report.result import Result
from argosy.report.sarif import MOST_STEPS

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int check(int value) {
  if (value == 7) { reach_error(); }
  return value;
}
int main(void) {
  int unset, x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  return check(x + (y & 0) + (unset & 0));
}
"""


@pytest.fixture(scope="module")
def unsafe(tmp_path_factory: pytest.TempPathFactory) -> Result:
    path = tmp_path_factory.mktemp("formats") / "a,b: 100%.c"
    path.write_text(PROGRAM)
    return argosy.verify(str(path), in_process=True, time_limit=60)


SILENT = Result.unknown("time limit", input="slow.c")
PROVED = Result("safe", input="fine.c")


def sarif(*results: Result) -> Any:
    return json.loads(RESULT_FORMATS["sarif"].text(results))["runs"][0]


def test_the_headline_says_what_happened_where_and_after_which_inputs(unsafe: Result) -> None:
    assert headline(unsafe.answers[0]) == f"reach_error is called: {unsafe.input}:4 in check, after 2 inputs"
    assert next(list(step["values"].values()) for step in inputs(unsafe.counterexample)) == [7]
    assert headline({"counterexample": [], "violation": None}) is None


RECURSIVE = """extern void reach_error(void);
int down(int n) { if (n == 0) { reach_error(); } return down(n - 1); }
int main(void) { int two = 2; return down(two); }
"""


def test_a_call_of_oneself_is_as_deep_as_any_other(tmp_path: Path) -> None:
    path = tmp_path / "down.c"
    path.write_text(RECURSIVE)
    steps = argosy.verify(str(path), in_process=True, time_limit=60).counterexample
    conditions = [step for step in steps if step["operation"] in ("[n == 0]", "[!(n == 0)]")]
    assert depths(conditions) == [1, 2, 3]
    assert {step["depth"] for step in steps if step["function"] == "main"} == {0}


def test_sarif_has_the_violation_at_its_place_with_the_values_of_each_step(unsafe: Result) -> None:
    run = sarif(unsafe, PROVED)
    (found,) = run["results"]
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"] == "unreach-call"
    place = found["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 4 and place["region"]["startColumn"] >= 1
    assert place["artifactLocation"]["uri"].endswith("a%2Cb%3A%20100%25.c")
    assert not place["artifactLocation"]["uri"].startswith(("/", "file:"))
    steps = found["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["executionOrder"] for step in steps] == list(range(1, len(steps) + 1))
    chosen = next(step for step in steps if "x = 7" in step["location"]["message"]["text"])
    assert chosen["importance"] == "essential" and chosen["state"]["main::x"]["text"] == "7"
    assert {step["nestingLevel"] for step in steps} == {0, 1}


def test_a_fingerprint_survives_lines_that_move(tmp_path: Path, unsafe: Result) -> None:
    def fingerprint(text: str, line: int) -> str:
        path = tmp_path / "p.c"
        path.write_text(text)
        from argosy.report import sarif as module

        module._lines.cache_clear()
        answer = {**unsafe.answers[0], "violation": {**unsafe.answers[0]["violation"], "file": str(path), "line": line}}
        (found,) = sarif(replace(unsafe, answers=[answer]))["results"]
        return str(found["partialFingerprints"]["primaryLocationLineHash"])

    first = fingerprint(PROGRAM, 4)
    assert fingerprint("\n\n" + PROGRAM, 6) == first
    assert fingerprint(PROGRAM, 5) != first
    assert fingerprint(PROGRAM.splitlines()[3] + "\n" + PROGRAM, 5) != first


def test_of_a_long_flow_the_steps_that_matter_are_kept(unsafe: Result) -> None:
    plain = {**unsafe.counterexample[0], "choice": None, "kind": "assign", "values": {}}
    chosen = {**plain, "choice": "input()", "kind": "choice"}
    steps = [plain] * 3000 + [chosen] + [plain] * 3000
    (found,) = sarif(replace(unsafe, answers=[{**unsafe.answers[0], "counterexample": steps}]))["results"]
    kept = [step["executionOrder"] for step in found["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert len(kept) == MOST_STEPS and kept == sorted(kept) and {1, 3001, 6001} <= set(kept)


def test_what_has_no_verdict_is_a_notification() -> None:
    run = sarif(SILENT)
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert not run["results"] and "time limit" in told["message"]["text"]
    assert not sarif(PROVED)["invocations"][0]["toolExecutionNotifications"]


def test_annotations_cannot_be_broken_by_names(unsafe: Result) -> None:
    error, warning = RESULT_FORMATS["github"].text([unsafe, PROVED, SILENT]).splitlines()
    assert error.startswith("::error file=") and ",line=4,col=" in error
    assert "a%2Cb%3A 100%25.c" in error.split("::")[1] and "%0Ax = 7" in error
    assert warning == "::warning file=slow.c,title=argosy%3A unreach-call::no verdict: time limit"


def test_each_answer_is_a_test_case(unsafe: Result) -> None:
    hostile = replace(SILENT, reason="a <b> & \x00")
    root = ElementTree.fromstring(RESULT_FORMATS["junit"].text([unsafe, PROVED, hostile]))
    suites = root.findall("testsuite")
    assert [(s.get("tests"), s.get("failures"), s.get("errors")) for s in suites] == [
        ("1", "1", "0"),
        ("1", "0", "0"),
        ("1", "0", "1"),
    ]
    failure = suites[0].find("testcase/failure")
    assert failure is not None and "x = 7" in (failure.text or "")
    error = suites[2].find("testcase/error")
    assert error is not None and error.get("message") == "a <b> & \ufffd"


def test_several_results_are_one_document(unsafe: Result) -> None:
    assert [each["verdict"] for each in json.loads(RESULT_FORMATS["json"].text([unsafe, SILENT]))] == [
        "unsafe",
        "unknown",
    ]


@pytest.mark.parametrize(
    ("programs", "arguments", "verdict", "code"),
    [
        (("safe", "unsafe"), (), "Verdict: UNSAFE", 10),
        (("safe", "safe"), (), "Verdict: SAFE", 0),
        (("safe", "refused"), (), "Verdict: UNKNOWN (1 of 2 without a verdict)", 5),
        (("safe", "refused"), ("--fail-on", "unsafe"), "Verdict: UNKNOWN (1 of 2 without a verdict)", 0),
        (("safe", "missing"), (), "Verdict: UNKNOWN (1 of 2 without a verdict)", 2),
    ],
)
def test_a_summary_has_a_line_for_each_input_and_the_worst_verdict(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    programs: Sequence[str],
    arguments: Sequence[str],
    verdict: str,
    code: int,
) -> None:
    texts = {
        "safe": "int main(void) { return 0; }",
        "unsafe": "void reach_error(void); int main(void) { reach_error(); }",
        "refused": "void reach_error(void); _Complex double z; int main(void) { if (z != 0) reach_error(); }",
    }
    paths = []
    for number, name in enumerate(programs):
        path = tmp_path / f"{number}_{name}.c"
        if name in texts:
            path.write_text(texts[name])
        paths.append(str(path))
    assert main(["verify", "--summary", *paths, *arguments]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == verdict
    assert [line.split()[1] for line in lines[:-1]] == paths


def test_ctrl_c_ends_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def interrupted(options: Any, path: str, started: float) -> tuple[Result, int]:
        asked.append(path)
        return Result.unknown(INTERRUPTED, input=path), 5

    monkeypatch.setattr("argosy.cli.verify._decide", interrupted)
    assert main(["verify", "--summary", "a.c", "b.c"]) == 5
    assert asked == ["a.c"] and capsys.readouterr().out.splitlines()[-1].startswith("Verdict: UNKNOWN")


def test_several_inputs_need_a_summary_and_have_no_single_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "a.c", "b.xta"]) == 1
    assert "one too many: b.xta (several inputs are the files of one C program" in capsys.readouterr().err
    assert main(["verify", "a.c", "b.c", "--summary", "--certificate", "x"]) == 1
    assert "for one input" in capsys.readouterr().err


def test_standard_output_holds_the_document_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }")
    for name in ("json", "sarif"):
        assert main(["verify", str(path), "--output-format", name]) == 0
        json.loads(capsys.readouterr().out)
    assert main(["verify", str(path), "--sarif", str(tmp_path / "out.sarif")]) == 0
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    assert capsys.readouterr().out.splitlines()[-1] == "Verdict: SAFE"


def test_a_query_that_is_satisfied_is_no_error() -> None:
    """Its states are reached, so the verdict is UNSAFE; whoever asked for them has what was hoped for."""
    asked = {"kind": "query", "text": "E<> P.goal", "property": None, "file": "m.q", "line": 1, "column": 1}
    answer: dict[str, Any] = {**asked, "verdict": "unsafe", "counterexample": [], "violation": None}

    def said(satisfied: bool, words: str) -> tuple[str, str]:
        result = Result("unsafe", input="m.xta", answers=[{**answer, "satisfied": satisfied, "words": words}])
        return sarif(result)["results"][0]["level"], RESULT_FORMATS["github"].text([result]).partition(" ")[0]

    assert said(True, "Formula is satisfied.") == ("note", "::notice")
    assert said(False, "Formula is NOT satisfied.") == ("error", "::error")
