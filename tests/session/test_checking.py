"""``argosy check``: right witnesses are confirmed and certified, wrong ones are rejected by name."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.report.result import Result
from argosy.session.checking import run
from argosy.session.progress import Progress
from argosy.session.task import Task
from tests.report.evidence import SAFE, UNSAFE, decided, written

PROGRAM = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int v) { return v + v; }
int main(void) {
    int i = 0, s = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    while (i < n) {
        s = s + 2;
        i = i + 1;
    }
    if (LIMIT)
        reach_error();
    return 0;
}
"""


def program(folder: Path, limit: str) -> Path:
    path = folder / "prog.c"
    path.write_text(PROGRAM.replace("LIMIT", limit))
    return path


def entry(kind: str, content: list[Any], path: Path, **task: Any) -> str:
    said = {"input_files": [str(path)], "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )", **task}
    metadata = {"format_version": "2.0", "task": {"data_model": "ILP32", **said}}
    return json.dumps([{"entry_type": kind, "metadata": metadata, "content": content}])


def loop(value: str, line: int = 9, column: int | None = 5, type_: str = "loop_invariant") -> dict[str, Any]:
    location = {"line": line} if column is None else {"line": line, "column": column}
    return {"invariant": {"type": type_, "location": location, "value": value, "format": "c_expression"}}


def waypoint(type_: str, line: int, column: int, value: str | None = None, action: str = "follow") -> dict[str, Any]:
    constraint = {} if value is None else {"constraint": {"value": value}}
    return {"waypoint": {"type": type_, "action": action, "location": {"line": line, "column": column}, **constraint}}


def segments(*all_: Any) -> list[Any]:
    return [{"segment": each if isinstance(each, list) else [each]} for each in all_]


def checked(path: Path, text: str, name: str = "w.yml", **choices: Any) -> Result:
    witness = path.parent / name
    witness.write_text(text)
    task = Task.of(str(path), time_limit=60, witness=str(witness), **choices)
    return run(task, Progress(lambda phase, counts: None))


def status(result: Result) -> str:
    return str(result.answers[0]["witness"]["status"])


# ---- invariants -----------------------------------------------------------------------------------------------------


def test_a_proof_is_taken_as_it_is(tmp_path: Path) -> None:
    path = program(tmp_path, "s != 2 * n")
    proof = loop("0 <= i && i <= n && n <= 100 && (long long) s == 2LL * i")
    result = checked(path, entry("invariant_set", [proof], path))
    assert (result.verdict, result.certified, status(result)) == ("safe", True, "confirmed")
    assert result.strategy["name"] == "witness" and result.assumes == ()


def test_invariants_that_hold_and_prove_nothing_are_confirmed_by_an_analysis(tmp_path: Path) -> None:
    path = program(tmp_path, "s != 2 * n")
    content = [loop("i >= 0"), loop("n <= 100 && i == i", 14, 9, "location_invariant")]
    with pytest.raises(UnsupportedError, match="no statement stands at 14:10"):
        checked(path, entry("invariant_set", [loop("1", 14, 10, "location_invariant")], path))
    result = checked(path, entry("invariant_set", content, path))
    assert (result.verdict, result.certified, status(result)) == ("safe", True, "confirmed")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([loop("i < n")], "line 9, column 5 does not hold: i < n"),
        ([loop("i >= 0"), loop("s <= 100", column=None)], "line 9 does not hold: s <= 100"),
        ([loop("n > 0", 7, 5, "location_invariant")], "line 7, column 5 does not hold: n > 0"),
        ([loop("100 / i >= 0")], "line 9, column 5 does not hold: 100 / i >= 0"),
    ],
)
def test_a_wrong_invariant_is_named(content: list[Any], place: str, tmp_path: Path) -> None:
    path = program(tmp_path, "s != 2 * n")
    result = checked(path, entry("invariant_set", content, path))
    assert (result.verdict, status(result)) == ("unknown", "rejected")
    assert result.reason is not None and place in result.reason and "w.yml:1:" in result.reason


def test_a_proof_of_what_is_wrong_is_rejected_and_the_error_shown(tmp_path: Path) -> None:
    path = program(tmp_path, "s == 14")
    result = checked(path, entry("invariant_set", [loop("s >= 0")], path))
    assert (result.verdict, result.certified, status(result)) == ("unsafe", True, "rejected")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("unknown > 0", "unknown"),
        ("i = 3", "has an effect"),
        ("twice(i) == 0", "has an effect"),
        ("i >", "not an expression"),
        ("1); (2", "not an expression"),
    ],
)
def test_what_is_no_condition_there_is_refused(value: str, error: str, tmp_path: Path) -> None:
    path = program(tmp_path, "s != 2 * n")
    with pytest.raises(InputError, match=error) as caught:
        checked(path, entry("invariant_set", [loop(value)], path))
    assert "w.yml" in str(caught.value)


def test_a_place_without_a_loop_and_another_file_are_refused(tmp_path: Path) -> None:
    path = program(tmp_path, "s != 2 * n")
    with pytest.raises(UnsupportedError, match="no loop stands at 9:6"):
        checked(path, entry("invariant_set", [loop("1", column=6)], path))
    with pytest.raises(UnsupportedError, match="another file"):
        checked(path, entry("invariant_set", [], path, input_file_hashes={"prog.c": "00" * 32}))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert checked(path, entry("invariant_set", [], path, input_file_hashes={"x": digest})).verdict == "safe"


# ---- violations -----------------------------------------------------------------------------------------------------

TARGET = waypoint("target", 14, 9)


@pytest.mark.parametrize(
    ("content", "follows"),
    [
        (segments(TARGET), True),
        (segments(waypoint("function_return", 6, 35, "\\result == 7"), TARGET), True),
        (segments(waypoint("function_return", 6, 35, "\\result == 8"), TARGET), False),
        (segments(waypoint("assumption", 7, 5, "n == 7"), waypoint("branching", 13, 5, "true"), TARGET), True),
        (segments(waypoint("branching", 7, 5, "true"), TARGET), False),
        (segments(*[waypoint("branching", 9, 5, "true")] * 7, waypoint("branching", 9, 5, "false"), TARGET), True),
        (segments(*[waypoint("branching", 9, 5, "true")] * 8, TARGET), False),
        (segments([waypoint("assumption", 9, 5, "n > 6", "avoid"), TARGET]), False),
        (segments([waypoint("assumption", 9, 5, "n > 7", "avoid"), TARGET]), True),
        (segments(waypoint("target", 8, 9)), False),
    ],
)
def test_an_execution_has_to_follow(content: list[Any], follows: bool, tmp_path: Path) -> None:
    path = program(tmp_path, "s == 14")
    result = checked(path, entry("violation_sequence", content, path))
    expected = ("unsafe", True, "confirmed") if follows else ("unknown", False, "rejected")
    assert (result.verdict, result.certified, status(result)) == expected, result.reason
    if not follows:
        assert result.reason is not None and "no execution that follows it" in result.reason


def test_calls_at_one_place_are_counted(tmp_path: Path) -> None:
    """The second value is not that of the first call, though both calls stand at one place and have one value."""
    path = tmp_path / "prog.c"
    path.write_text(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {\n"
        "  int s = 0;\n  for (int i = 0; i < 3; i++)\n    s = s + (__VERIFIER_nondet_int() & 7);\n"
        "  if (s == 15)\n    reach_error();\n}\n"
    )
    call = [waypoint("function_return", 5, 36, f"\\result == {value}") for value in (5, 4)]
    end = waypoint("target", 7, 5)
    assert status(checked(path, entry("violation_sequence", segments(*[call[0]] * 3, end), path))) == "confirmed"
    assert status(checked(path, entry("violation_sequence", segments(*[call[0]] * 4, end), path))) == "rejected"
    assert status(checked(path, entry("violation_sequence", segments(*[call[1]] * 3, end), path))) == "rejected"


def test_an_entered_function_is_a_waypoint(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nvoid f(void) {}\n"
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x)\n    f();\n  reach_error();\n}\n"
    )
    end = waypoint("target", 7, 3)
    result = checked(path, entry("violation_sequence", segments(waypoint("function_enter", 6, 7), end), path))
    assert status(result) == "confirmed"
    inputs = [step["values"] for step in result.counterexample if step["choice"]]
    assert inputs and inputs[0]["main::x"] != 0


# ---- what is written is confirmed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["w.yml", "w.graphml"])
@pytest.mark.parametrize("path", [SAFE[3], SAFE[-1], *UNSAFE[2:5]], ids=lambda path: path.stem)
def test_own_witnesses_are_confirmed(path: Path, name: str, tmp_path: Path) -> None:
    witness = tmp_path / name
    witness.write_text(written(decided(path), "witness", name))
    result = run(Task.of(str(path), time_limit=60, witness=str(witness)), Progress(lambda phase, counts: None))
    assert (result.verdict, status(result)) == (decided(path).result.verdict, "confirmed"), result.reason
