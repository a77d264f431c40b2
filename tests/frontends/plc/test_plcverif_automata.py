"""PLCverif's automata for Theta say what our reading of the text says.

The texts that PLCverif translated did not come with the automata: these were written by hand from the automata, step
for step, so both sides say the same by construction only if the front end reads them as PLCverif did: what is sampled
and when, what a temporary variable starts with, how arguments are passed, where GOTO goes, when an assertion is
asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.backends.contract import Answer, Execution
from argosy.report.controller_cycles import controller_cycles
from argosy.session.run import decide
from argosy.session.task import Task

AUTOMATA = Path(__file__).resolve().parents[4] / "shared" / "bench" / "models" / "theta-plc"

TEXTS = {
    "ArrayAssignment": """FUNCTION_BLOCK f VAR a, b : ARRAY[1..2] OF INT; END_VAR
BEGIN
  b[1] := a[1];
  b := a;
  //#ASSERT a[1] = b[1] : equal;
END_FUNCTION_BLOCK""",
    "BasicCode": """FUNCTION foo : BOOL VAR_INPUT in : BOOL; in2 : INT; END_VAR VAR_TEMP temp : BOOL; END_VAR
BEGIN
  IF in2 > 0 THEN temp := NOT in; ELSE temp := in; END_IF;
  foo := temp;
END_FUNCTION
ORGANIZATION_BLOCK OB1 VAR_TEMP result : BOOL; END_VAR
BEGIN
  result := foo(in := IX0.0, in2 := 5);
  //#ASSERT NOT result OR NOT IX0.0 : negated;
END_ORGANIZATION_BLOCK""",
    "CPC_FB_WS": """FUNCTION_BLOCK CPC_FB_WS VAR_INPUT AuPosR : WORD; END_VAR VAR_OUTPUT PosSt : WORD; END_VAR
BEGIN
  PosSt := AuPosR;
  //#ASSERT TRUE : nothing;
END_FUNCTION_BLOCK""",
    "SclGotoStatement": """FUNCTION_BLOCK f
BEGIN
  again: MX0.0 := TRUE;
  further: MX0.1 := TRUE;
  MX0.2 := TRUE;
  IF IX0.3 THEN GOTO further; ELSIF IX0.4 THEN GOTO again; END_IF;
  //#ASSERT TRUE : nothing;
END_FUNCTION_BLOCK""",
    "SimpleCounterexample": """FUNCTION_BLOCK f VAR_INPUT in1, in2 : BOOL; END_VAR VAR_OUTPUT out : INT; END_VAR
BEGIN
  IF in1 AND NOT in2 THEN out := out + 1; END_IF;
  //#ASSERT out < 3 : small;
END_FUNCTION_BLOCK""",
}

pytestmark = pytest.mark.skipif(not AUTOMATA.is_dir(), reason="the benchmarks are not on this machine")


def of_text(name: str, folder: Path) -> Answer:
    path = folder / f"{name}.scl"
    path.write_text(TEXTS[name])
    answers: list[Answer] = list(decide(Task.of(str(path), time_limit=60)).answers)
    [answer] = answers
    return answer


@pytest.mark.parametrize("name", TEXTS)
def test_both_have_the_same_verdict(name: str, tmp_path: Path) -> None:
    automaton = decide(Task.of(str(AUTOMATA / f"{name}.scl-noreduction.theta"), time_limit=60)).result
    answer = of_text(name, tmp_path)
    assert answer.verdict == automaton.verdict != "unknown"
    assert answer.certificate is not None and automaton.certified


def test_both_count_the_same_cycles(tmp_path: Path) -> None:
    name = "SimpleCounterexample"
    [found] = decide(Task.of(str(AUTOMATA / f"{name}.scl-noreduction.theta"), time_limit=60)).answers
    assert isinstance(found.evidence, Execution)
    restarts = sum("instance_in1" in step.values for step in found.evidence.replayed.steps) - 1
    answer = of_text(name, tmp_path)
    assert isinstance(answer.evidence, Execution)
    assert len(controller_cycles(answer.subject.asked, answer.evidence)) == restarts == 3
