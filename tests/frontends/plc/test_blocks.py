"""The standard function blocks against the timing diagrams of IEC 61131-3, edge by edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.frontends.plc.running import run


def signals(text: str) -> list[bool]:
    """A signal as a timing diagram draws it."""
    return [each == "#" for each in text if each in "#_"]


def block(name: str, inputs: dict[str, Sequence[Any]], types: dict[str, str], **options: str) -> list[dict[str, Any]]:
    declared = "".join(f"{each} : {types.get(each, 'BOOL')}; " for each in inputs if each != "passed")
    given = ", ".join(f"{each} := {each}" for each in inputs if each != "passed")
    text = f"PROGRAM p VAR_INPUT {declared}END_VAR VAR b : {name}; END_VAR b({given}); END_PROGRAM"
    rows = [dict(zip(inputs, row, strict=True)) for row in zip(*inputs.values(), strict=True)]
    return run(text, rows, **options)


def output(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return [row[f"b.{name}"] for row in rows]


def test_r_trig() -> None:
    rows = block("R_TRIG", {"CLK": signals("_##_#__#")}, {})
    assert output(rows, "Q") == signals("_#__#__#")


@pytest.mark.parametrize(("dialect", "first"), [("iec", "#"), ("siemens", "_"), ("codesys", "_")])
def test_f_trig(dialect: str, first: str) -> None:
    rows = block("F_TRIG", {"CLK": signals("__##_#__")}, {}, dialect=dialect)
    assert output(rows, "Q") == signals(f"{first}___#_#_")


def test_sr_is_set_dominant_and_rs_reset_dominant() -> None:
    rows = block("SR", {"S1": signals("#__#_"), "R": signals("__##_")}, {})
    assert output(rows, "Q1") == signals("##_##")
    rows = block("RS", {"S": signals("#__#_"), "R1": signals("__##_")}, {})
    assert output(rows, "Q1") == signals("##___")


def test_ctu_counts_edges_up_and_resets() -> None:
    rows = block("CTU", {"CU": signals("#_##_#_#_"), "R": signals("_______#_"), "PV": [2] * 9}, {"PV": "INT"})
    assert output(rows, "CV") == [1, 1, 2, 2, 2, 3, 3, 0, 0]
    assert output(rows, "Q") == signals("__#####__")


def test_ctu_stops_at_the_largest_number() -> None:
    text = """PROGRAM p VAR_INPUT c : BOOL; END_VAR VAR b : CTU := (CV := 32766); END_VAR
      b(CU := c, PV := 5); END_PROGRAM"""
    rows = run(text, [{"c": c} for c in (1, 0, 1, 0, 1)])
    assert [row["b.CV"] for row in rows] == [32767] * 5


def test_ctd_loads_and_counts_down() -> None:
    rows = block("CTD", {"CD": signals("_#_#_#_"), "LD": signals("#______"), "PV": [2] * 7}, {"PV": "INT"})
    assert output(rows, "CV") == [2, 1, 1, 0, 0, -1, -1]
    assert output(rows, "Q") == signals("___####")


def test_ctud() -> None:
    rows = block(
        "CTUD",
        {
            "CU": signals("#_#_#_#__"),
            "CD": signals("____#__#_"),
            "R": signals("________#"),
            "LD": signals("_________"),
            "PV": [2] * 9,
        },
        {"PV": "INT"},
    )
    assert output(rows, "CV") == [1, 1, 2, 2, 2, 2, 3, 2, 0]
    assert output(rows, "QU") == signals("__######_")
    assert output(rows, "QD") == signals("________#")


def timer(name: str, drawn: str, milliseconds: int = 30, passed: int = 10) -> tuple[list[Any], list[Any]]:
    given = signals(drawn)
    rows = block(
        name,
        {"IN": given, "PT": [f"T#{milliseconds}ms"] * len(given), "passed": [passed] * len(given)},
        {"PT": "TIME"},
    )
    return output(rows, "Q"), output(rows, "ET")


def test_ton_waits_and_forgets() -> None:
    q, et = timer("TON", "_##_######_#")
    assert q == signals("_______###__")
    assert et == [0, 0, 10, 0, 0, 10, 20, 30, 30, 30, 0, 0]


def test_tof_holds() -> None:
    q, et = timer("TOF", "_#_##______#")
    assert q == signals("_#######___#")
    assert et == [0, 0, 0, 0, 0, 0, 10, 20, 30, 30, 30, 0]


def test_tp_is_a_pulse_of_its_length_whatever_happens() -> None:
    q, et = timer("TP", "_#_#_____######_")
    assert q == signals("_###_____###____")
    assert et == [0, 0, 10, 20, 0, 0, 0, 0, 0, 0, 10, 20, 30, 30, 30, 0]


def test_time_is_exact_for_cycles_of_different_lengths() -> None:
    given = signals("######")
    rows = block("TON", {"IN": given, "PT": ["T#30ms"] * 6, "passed": [1, 7, 15, 7, 1, 99]}, {"PT": "TIME"})
    assert output(rows, "ET") == [0, 7, 22, 29, 30, 30]
    assert output(rows, "Q") == signals("____##")


def test_a_timer_that_is_not_called_goes_on() -> None:
    text = """PROGRAM p VAR_INPUT go : BOOL; END_VAR VAR t : TON; END_VAR
      IF go THEN t(IN := TRUE, PT := T#30ms); END_IF; END_PROGRAM"""
    rows = run(text, [{"go": go, "passed": 10} for go in (1, 0, 0, 0, 1)])
    assert [row["t.Q"] for row in rows] == [False, False, False, False, True]
    assert rows[3]["t.ET"] == 0 and rows[4]["t.ET"] == 30


def test_a_timer_without_time_to_wait() -> None:
    assert timer("TON", "_#_", 0)[0] == signals("_#_")
    assert timer("TP", "_#_", 0)[0] == signals("___")


def test_a_timer_of_the_program_comes_first() -> None:
    text = """FUNCTION_BLOCK TON VAR_INPUT IN : BOOL; END_VAR VAR_OUTPUT Q : BOOL; END_VAR
      Q := NOT IN; END_FUNCTION_BLOCK
    PROGRAM p VAR t : TON; END_VAR t(IN := TRUE); END_PROGRAM"""
    assert run(text)[0]["t.Q"] is False
