"""What a result says where, and where that is after edits."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.lsp.edits import LineEdit, line_after
from argosy.lsp.findings import MOST_STEPS, MOST_VALUES, Spot, Weight, notes_of, remarks_of, unreadable
from argosy.report.result import Result


def step(line: int, values: dict[str, int], **more: object) -> dict[str, object]:
    where = {"file": "p.c", "line": line, "column": 3, "physical": {"file": "p.i", "line": line + 100}}
    return {"operation": f"line {line}", "values": values, "choice": None, **where, **more}


def unsafe(*steps: dict[str, object]) -> Result:
    violation = {"what": "x fails", **{name: steps[-1][name] for name in ("file", "line", "column", "physical")}}
    answer: dict[str, object] = {
        "verdict": "unsafe",
        "property": "unreach-call",
        "text": "x",
        "satisfied": None,
        "invariant": [],
    }
    return Result("unsafe", input="p.i", answers=[{**answer, "counterexample": steps, "violation": violation}])


def test_a_violation_stands_where_the_text_that_was_read_has_it() -> None:
    (remark,) = remarks_of(unsafe(step(1, {"main::x": 3}, matters=False), step(2, {})))
    assert (remark.spot, remark.weight) == (Spot("p.i", 102, 3), Weight.ERROR)
    assert remark.trace == [(Spot("p.i", 102, 3), "line 2")], "what does not matter is left out"


def test_a_trace_has_a_limit_and_keeps_both_ends() -> None:
    (remark,) = remarks_of(unsafe(*(step(line, {}) for line in range(1, 1000))))
    assert len(remark.trace) == MOST_STEPS
    assert remark.trace[0][1] == "line 1" and remark.trace[-1][1] == "line 999"


def test_values_of_a_line_in_the_order_of_its_visits() -> None:
    (note,) = notes_of(unsafe(*(step(4, {"main::i": visit}) for visit in range(9))))
    assert note.text == "i = 0, 1, 2, …, 8" and note.text.count(",") == MOST_VALUES - 1
    assert note.whole == "i = " + ", ".join(map(str, range(9)))


def test_no_verdict_stands_at_the_place_that_its_reason_names() -> None:
    (remark,) = remarks_of(Result.unknown("unsupported: a/p.c:7:5: jumps", input="a/p.c"))
    assert (remark.spot, remark.weight) == (Spot("a/p.c", 7, 5), Weight.WARNING)
    (remark,) = remarks_of(Result.unknown("time limit", input="a/p.c"))
    assert remark.spot == Spot("a/p.c", 0)
    assert unreadable(InputError(Position("p.c", 3, 2), "no")).spot == Spot("p.c", 3, 2)


def test_a_proof_says_what_it_assumes() -> None:
    place = {"file": "p.c", "line": 5, "column": 2, "physical": {"file": "p.c", "line": 5}}
    assumption = {"kind": "no-signed-overflow", "words": "no signed overflow", "check_with": "no-overflow"}
    (remark,) = remarks_of(Result("safe", input="p.c", assumptions=[{**assumption, "positions": [place]}]))
    assert (remark.spot, remark.weight) == (Spot("p.c", 5, 2), Weight.INFORMATION)
    assert remark.text == "SAFE, assuming no signed overflow here (check it with --property no-overflow)"


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (LineEdit(4, 3, 2), [1, 2, 3, 6, 7, 8]),  # two whole lines before line 4
        (LineEdit(4, 4, 1), [1, 2, 3, 4, 6, 7]),  # a line break within line 4
        (LineEdit(4, 4, -1), [1, 2, 3, None, 4, 5]),  # the whole of line 4 is taken out
        (LineEdit(3, 5, -2), [1, 2, 3, None, None, 4]),  # from within line 3 into line 5
        (LineEdit(2, 2, 0), [1, 2, 3, 4, 5, 6]),
    ],
)
def test_lines_move_with_edits(edit: LineEdit, after: list[int | None]) -> None:
    assert [line_after(line, [edit]) for line in range(1, 7)] == after
