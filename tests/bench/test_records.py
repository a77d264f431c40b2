"""What the end of a run means: verdict, limit, crash, or no verdict; right or wrong."""

from __future__ import annotations

import json

import pytest

from argosy.bench.limits import Outcome
from argosy.bench.records import RESULT_FILE, measurement
from argosy.session.watch import MEMORY, TIME
from tests.bench.fakes import configuration, record, task


def ended(code: int, said: dict[str, object] | None = None, limit: str | None = None, errors: str = "") -> Outcome:
    files = {} if said is None else {RESULT_FILE: json.dumps(said)}
    return Outcome(code, limit, 2.0, 1.5, 80.0, "", errors, files)


def unknown(reason: str) -> dict[str, object]:
    return {"verdict": "unknown", "reason": reason}


@pytest.mark.parametrize(
    ("outcome", "termination", "result", "reason"),
    [
        (ended(0, {"verdict": "safe"}), "success", "safe", ""),
        (ended(10, {"verdict": "unsafe"}), "success", "unsafe", ""),
        (ended(5, unknown("time limit")), "time", "", "time limit"),
        (ended(5, unknown("memory limit")), "memory", "", "memory limit"),
        (ended(5, unknown("out of memory")), "memory", "", "out of memory"),
        (ended(5, unknown("not certified: line 3")), "unknown", "", "not certified: line 3"),
        (ended(2, unknown("cannot be read: p.c:3:1: x")), "exception", "", "cannot be read: p.c:3:1: x"),
        (ended(6, unknown("internal error, see x")), "exception", "", "internal error, see x"),
        (ended(1, None, None, "argosy: no such option\nTry --help.\n"), "exception", "", "exit code 1: Try --help."),
        (ended(-11), "exception", "", "killed by SIGSEGV"),
        (ended(0), "exception", "", "exit code 0"),
        (ended(10, {"verdict": "safe"}), "exception", "", "exit code 10"),
        (ended(0, {"verdict": "safe"}, TIME), "time", "", "time limit"),
        (ended(-9, None, MEMORY), "memory", "", "memory limit"),
        (Outcome(0, None, 1, 1, 1, files={RESULT_FILE: '{"verd'}), "exception", "", "exit code 0"),
        (None, "exception", "", "killed from outside, together with what watched it"),
    ],
)
def test_how_a_run_ended(outcome: Outcome | None, termination: str, result: str, reason: str) -> None:
    found = measurement(outcome)
    assert (found.termination, found.result, found.reason) == (termination, result, reason)


def test_figures_of_a_run() -> None:
    statistics = {"nodes": 4, "cpu_s": 9, "wall_s": 9, "peak_memory_mb": 120, "certify_s": 0.1}
    said = {"verdict": "safe", "certified": True, "certificate": "invariant", "statistics": statistics}
    found = measurement(ended(0, said))
    assert (found.certified, found.certificate) == (True, "invariant")
    assert (found.cpu_s, found.wall_s, found.memory_mb) == (1.5, 2.0, 120)
    assert found.statistics == {"nodes": 4, "certify_s": 0.1}
    late = measurement(ended(0, said, TIME))
    assert (late.result, late.certified, late.statistics["nodes"]) == ("", False, 4)


@pytest.mark.parametrize(
    ("expected", "result", "outcome", "success"),
    [
        ("safe", "safe", "correct", True),
        ("unsafe", "unsafe", "correct", True),
        ("safe", "unsafe", "wrong", False),
        ("unsafe", "safe", "wrong", False),
        (None, "safe", "unchecked", True),
        ("safe", "", "unsolved", False),
        (None, "", "unsolved", False),
    ],
)
def test_right_or_wrong(expected: str | None, result: str, outcome: str, success: bool) -> None:
    judged = record(task("t.c", expected), configuration("lbe"), result)
    assert (judged.outcome, judged.success) == (outcome, success)
