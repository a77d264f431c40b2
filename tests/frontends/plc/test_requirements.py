"""Requirements: what each pattern says, checked on small programs whose answers are known, and on traces by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from argosy.backends.contract import Answer, Execution
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import NOWHERE
from argosy.frontends.plc.format import program_of
from argosy.frontends.plc.interpreter import Simulation, read_value
from argosy.frontends.registry import Request
from argosy.report.controller_cycles import controller_cycles
from argosy.session.run import decide
from argosy.session.task import Task

# A press makes the light go on two cycles later, if the button is not released before.
LIGHT = """PROGRAM light
VAR_INPUT button, broken : BOOL; END_VAR
VAR_OUTPUT lamp : BOOL; n : INT; END_VAR
IF NOT button THEN n := 0; lamp := FALSE;
ELSIF n < 2 THEN n := n + 1;
ELSE lamp := NOT broken; END_IF
END_PROGRAM
"""


@pytest.fixture
def asked(tmp_path: Path) -> Callable[..., list[Answer]]:
    def ask(text: str, *patterns: dict[str, Any], name: str = "p.st", **choices: Any) -> list[Answer]:
        path = tmp_path / name
        path.write_text(text)
        (tmp_path / "p.json").unlink(missing_ok=True)
        if patterns:
            (tmp_path / "p.json").write_text(json.dumps({"properties": list(patterns)}))
        return list(decide(Task.of(str(path), time_limit=60, **choices)).answers)

    return ask


def verdicts(answers: list[Answer]) -> list[str]:
    assert all(answer.certificate is not None for answer in answers if answer.verdict != "unknown")
    return [answer.verdict for answer in answers]


PATTERNS = [
    ({"kind": "invariant", "expression": "n >= 0 AND n <= 2"}, "safe"),
    ({"kind": "invariant", "expression": "n < 2"}, "unsafe"),
    ({"kind": "forbidden", "expression": "lamp && n < 2"}, "safe"),
    ({"kind": "absence", "expression": "lamp"}, "unsafe"),
    ({"kind": "implication", "if": "lamp", "then": "n = 2 -> button"}, "safe"),
    ({"kind": "implication", "if": "button", "then": "lamp"}, "unsafe"),
    ({"kind": "mutual_exclusion", "variables": ["lamp", "broken"]}, "safe"),
    ({"kind": "mutual_exclusion", "variables": ["lamp", "button"]}, "unsafe"),
    ({"kind": "change-within-cycle", "if": "n = 1 AND button", "then": "n = 2"}, "safe"),
    ({"kind": "change-within-cycle", "if": "n = 2", "then": "lamp"}, "unsafe"),
    ({"kind": "change-between-cycles", "if": "n = 1", "and": "button", "then": "n = 2"}, "safe"),
    ({"kind": "change-between-cycles", "if": "n = 2", "and": "button", "then": "lamp"}, "unsafe"),
    ({"kind": "preceded-by", "if": "lamp", "then": "n = 1"}, "safe"),
    ({"kind": "preceded-by", "if": "lamp", "then": "broken"}, "unsafe"),
    ({"kind": "leads-to", "if": "n = 1", "then": "lamp OR NOT button OR broken", "within": 2}, "safe"),
    ({"kind": "leads-to", "if": "n = 1", "then": "lamp OR NOT button OR broken", "within": 1}, "unsafe"),
    ({"kind": "leads-to", "if": "n = 1", "then": "lamp OR NOT button OR broken", "within": "T#20ms"}, "safe"),
    ({"kind": "leads-to", "if": "n = 1", "then": "lamp OR NOT button OR broken", "within": "T#19ms"}, "unsafe"),
    ({"kind": "reachable", "expression": "lamp AND n = 2"}, "unsafe"),
    ({"kind": "reachable", "expression": "lamp AND n = 1"}, "safe"),
]


def test_every_pattern_has_its_own_certified_answer(asked: Callable[..., list[Answer]], tmp_path: Path) -> None:
    answers = asked(LIGHT, *(pattern for pattern, _ in PATTERNS))
    assert verdicts(answers) == [verdict for _, verdict in PATTERNS]
    reached = [answer.subject.satisfied(answer.verdict) for answer in answers[-2:]]
    assert reached == [True, False]
    check_with_interpreter(tmp_path / "p.st", answers)


def check_with_interpreter(path: Path, answers: list[Answer]) -> None:
    """The runs that were found violate their requirement in the interpreter, in the last cycle and not before; random
    runs violate no requirement that holds."""
    program, _ = program_of(Request(str(path)))
    for number, answer in enumerate(answers):
        if answer.verdict == "unsafe":
            assert isinstance(answer.evidence, Execution)
            simulation, results = Simulation(program), []
            for cycle in controller_cycles(answer.subject.asked, answer.evidence):
                cells = {cell: cycle["inputs"][cell.name] for cell in program.inputs if cell.name in cycle["inputs"]}
                passed = read_value(program.cycle_time, cycle["passed"], NOWHERE)
                given = {cell: read_value(cell, value, NOWHERE) for cell, value in cells.items()}
                results.append(number in simulation.cycle(given, passed).violated)
            assert results[-1] and not any(results[:-1]), answer.subject.text
    chance, simulation = random.Random(1), Simulation(program)
    for _ in range(500):
        result = simulation.cycle({cell: chance.random() < 0.8 for cell in program.inputs})
        assert not [answers[number] for number in result.violated if answers[number].verdict == "safe"]


def test_a_state_that_is_to_be_reached_is_no_violation(tmp_path: Path) -> None:
    (tmp_path / "p.st").write_text(LIGHT)

    def verdict(expression: str) -> str:
        asked = {"properties": [{"kind": "reachable", "expression": expression}]}
        (tmp_path / "p.json").write_text(json.dumps(asked))
        return decide(Task.of(str(tmp_path / "p.st"), time_limit=60)).result.verdict

    assert [verdict("lamp"), verdict("n = 3")] == ["safe", "unsafe"]


def test_a_violation_does_not_hide_another_one(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : BOOL; END_VAR VAR n : INT; END_VAR
    n := n + 1;
    //#ASSERT n < 1 : first;
    //#ASSERT n < 3 : second;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["unsafe", "unsafe"]


def test_repeatability_is_refused_by_name(asked: Callable[..., list[Answer]]) -> None:
    answers = asked(LIGHT, {"kind": "repeatable", "expression": "lamp"}, {"kind": "invariant", "expression": "n >= 0"})
    assert [answer.verdict for answer in answers] == ["unknown", "safe"]
    assert answers[0].reason is not None and "repeatability" in answers[0].reason


def test_plcverif_writes_patterns_with_parameters(tmp_path: Path) -> None:
    (tmp_path / "p.st").write_text(LIGHT)
    inner = {
        "job_req": "pattern",
        "pattern_id": "pattern-implication",
        "pattern_params": {"0": "instance.lamp", "1": "instance.n = 2"},
        "entry_point": "light",
    }
    (tmp_path / "p.json").write_text(json.dumps({"properties_to_be_validated": [{"property": inner}]}))
    [answer] = decide(Task.of(str(tmp_path / "p.st"), time_limit=60)).answers
    assert (answer.verdict, answer.certificate) == ("safe", "invariant")


def test_require_on_the_command_line(asked: Callable[..., list[Answer]]) -> None:
    assert verdicts(asked(LIGHT, require="n <= 2\nn <= 1")) == ["safe", "unsafe"]


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ({"kind": "invariant", "expression": "nothing > 1"}, "no variable is called nothing"),
        ({"kind": "invariant", "expression": "n +"}, "expected an expression"),
        ({"kind": "invariant", "expression": "n"}, "a condition is of type BOOL"),
        ({"kind": "invarriant", "expression": "n = 1"}, "did you mean invariant"),
        ({"kind": "implication", "if": "lamp"}, "implication needs then"),
    ],
)
def test_wrong_requirements(asked: Callable[..., list[Answer]], pattern: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=what):
        asked(LIGHT, pattern)


def test_a_program_without_requirements_is_an_error(asked: Callable[..., list[Answer]]) -> None:
    with pytest.raises(InputError, match="no requirement"):
        asked(LIGHT)


def test_leads_to_needs_a_bound(asked: Callable[..., list[Answer]]) -> None:
    with pytest.raises(UnsupportedError, match="liveness"):
        asked(LIGHT, {"kind": "leads-to", "if": "button", "then": "lamp"})


# ---- semantics ------------------------------------------------------------------------------------------------------


def test_integers_wrap(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : INT; END_VAR VAR x : INT; u : USINT; END_VAR
    x := i + 1; u := INT_TO_USINT(i);
    //#ASSERT x > i : grows;
    //#ASSERT u <= 255 : small;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["unsafe", "safe"]


def test_timers_follow_the_time_of_cycles(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : BOOL; END_VAR VAR t : TON; n : SINT; END_VAR
    t(IN := i, PT := T#20ms);
    IF NOT i THEN n := 0; ELSIF n < 5 THEN n := n + 1; END_IF;
    //#ASSERT NOT t.Q OR n >= 3 : not_early;
    //#ASSERT n < 3 OR t.Q : not_late;
    END_PROGRAM"""
    assert verdicts(asked(text, cycle_time="10ms")) == ["safe", "safe"]
    assert verdicts(asked(text, cycle_time="9ms..10ms")) == ["safe", "unsafe"]
    assert verdicts(asked(text, cycle_time="10ms..20ms")) == ["unsafe", "safe"]


def test_real_numbers_are_computed_and_functions_of_them_may_give_any_value(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT r : REAL; END_VAR VAR x : REAL; hot : BOOL; END_VAR
    hot := r > 100.0;
    x := r * 2.0;
    //#ASSERT NOT hot OR r > 99.5 : compared;
    //#ASSERT NOT (r < 0.0) OR -r > 0.0 : negated;
    //#ASSERT x <> 1.0 : computed;
    x := TAN(r);
    //#ASSERT x > 1.0 OR x <= 1.0 OR x <> x : any_value;
    //#ASSERT x <> 1.0 : not_known;
    END_PROGRAM"""
    answers = asked(text)
    assert [answer.verdict for answer in answers] == ["safe", "safe", "unsafe", "safe", "unknown"]
    assert answers[4].reason is not None and "TAN of REAL" in answers[4].reason
    assert any("any value, wherever it matters: TAN of REAL" in note for note in answers[4].notes)


def test_what_is_not_modelled_matters_only_in_the_cone_of_a_requirement(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT r : REAL; i, j : BOOL; END_VAR VAR x : REAL; hot, cold, other : BOOL; n : INT; END_VAR
    x := TAN(r);
    IF x > 3.0 THEN hot := TRUE; ELSE n := n + 1; END_IF
    IF hot THEN RETURN; END_IF
    other := i;
    END_PROGRAM"""
    free = text.replace("IF hot THEN RETURN; END_IF", "")
    wanted = "NOT i OR other\nNOT other\nNOT hot\nn < 5\nNOT i"
    assert [answer.verdict for answer in asked(free, require=wanted)] == ["safe", "unsafe", *["unknown"] * 2, "unsafe"]
    # Behind a RETURN that depends on it everything does.
    assert [answer.verdict for answer in asked(text, require="NOT j\nNOT other")] == ["unsafe", "unknown"]


def test_real_constants_are_folded(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR CONSTANT half : REAL := 1.0 / 2.0; END_VAR VAR_INPUT r : REAL; END_VAR
    VAR n : INT; hot : BOOL; END_VAR
    n := REAL_TO_INT(half * 9.0);
    hot := r > SQRT(4.0) * half;
    //#ASSERT n = 4 : folded;
    //#ASSERT hot = (r > 1.0) : compared;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["safe", "safe"]


def test_assumptions_are_said(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : INT; END_VAR VAR a : ARRAY[0..3] OF INT; x : INT; END_VAR
    x := 10 / i; a[i] := 1;
    //#ASSERT x <= 10 AND x >= -10 : bounded;
    END_PROGRAM"""
    [answer] = asked(text)
    assert answer.verdict == "safe"
    assert {each.kind for each in answer.assumptions} == {"no-division", "no-bounds"}
    [answer] = asked(text.replace("a[i] := 1;", ""), dialect="siemens")
    assert (answer.verdict, answer.assumptions) == ("safe", ())


def test_operations_can_be_asked_about(asked: Callable[..., list[Answer]]) -> None:
    text = "PROGRAM p VAR_INPUT i : INT; END_VAR VAR x : INT; END_VAR\nIF {} THEN x := 10 / i; END_IF\nEND_PROGRAM"
    given = {"property": "defined-arithmetic"}
    assert verdicts(asked(text.format("i > 3"), **given)) == ["safe"]
    assert verdicts(asked(text.format("i > -3"), **given)) == ["unsafe"]


def test_inputs_of_an_enumeration_are_its_values(asked: Callable[..., list[Answer]]) -> None:
    text = """TYPE m : (off, slow := 4, fast); END_TYPE
    PROGRAM p VAR_INPUT i : m; END_VAR VAR x : INT; END_VAR
    CASE i OF off: x := 0; slow, fast: x := 1; ELSE x := 2; END_CASE
    //#ASSERT x < 2 : known;
    //#ASSERT x < 1 : still;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["safe", "unsafe"]


def test_assume_and_havoc(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : INT; END_VAR VAR s : INT; END_VAR
    //# assume i > 3
    //# havoc s
    //#ASSERT i > 2 : one;
    //#ASSERT s <> 77 : two;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["safe", "unsafe"]


def test_strings_are_told_apart_by_constants(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT i : BOOL; t : STRING; END_VAR VAR s : STRING := 'idle'; END_VAR
    IF i THEN s := 'busy'; END_IF
    //#ASSERT s = 'idle' OR s = 'busy' : two;
    //#ASSERT s = 'idle' : one;
    //#ASSERT LEN(s) > 0 : content;
    END_PROGRAM"""
    assert [answer.verdict for answer in asked(text)] == ["safe", "unsafe", "unknown"]


def test_a_string_is_none_that_is_longer_than_it_may_be(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT t : STRING[2]; END_VAR VAR s : STRING; END_VAR
    s := t;
    //#ASSERT t <> 'abc' AND s <> 'abc' : longer;
    //#ASSERT s <> 'ab' : fits;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["safe", "unsafe"]


def test_a_loop_without_a_known_bound_stays_one(asked: Callable[..., list[Answer]]) -> None:
    text = """PROGRAM p VAR_INPUT n : USINT; END_VAR VAR i, s : INT; END_VAR
    s := 0;
    WHILE i < 10 AND s < n DO s := s + 1; END_WHILE
    //#ASSERT s = n OR n < 0 : counted;
    END_PROGRAM"""
    assert verdicts(asked(text)) == ["safe"]
