"""Standard functions and conversions, with values worked out by hand from the standard."""

from __future__ import annotations

from typing import Any

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from tests.frontends.plc.running import body, program, run


@pytest.mark.parametrize(
    ("expression", "type", "value"),
    [
        ("REPLACE('abcde', 'xx', 2, 2)", "STRING", "axxde"),
        ("INSERT('ab', 'xx', 1)", "STRING", "axxb"),
        ("DELETE('abcde', 2, 2)", "STRING", "ade"),
        ("LEFT(IN := 'abcde', L := 2)", "STRING", "ab"),
        ("RIGHT('abcde', 2)", "STRING", "de"),
        ("MID('abcde', 2, 3)", "STRING", "cd"),
        ("FIND('abcde', 'cd')", "INT", 3),
        ("FIND('abcde', 'x')", "INT", 0),
        ("'abc' < 'abd'", "BOOL", True),
        ("WORD_BCD_TO_UINT(WORD#16#1234)", "UINT", 1234),
        ("UINT_TO_BCD_WORD(UINT#1234)", "WORD", 0x1234),
        ("USINT_TO_BCD_BYTE(USINT#99)", "BYTE", 0x99),
        ("TO_INT(DINT#70000)", "INT", 70000 - 65536),
        ("REAL_TRUNC_INT(3.6)", "INT", 3),
        ("STRING_TO_INT('-12')", "INT", -12),
        ("INT_TO_STRING(INT#-12)", "STRING", "-12"),
        ("ADD_TIME(T#10ms, T#2ms)", "TIME", 12),
        ("SUB_TIME(T#10ms, T#2ms)", "TIME", 8),
        ("MUL_TIME(T#10ms, 2)", "TIME", 20),
        ("DIVTIME(T#10ms, 3)", "TIME", 3),
        ("FLOOR(-2.5)", "DINT", -3),
        ("CEIL(-2.5)", "DINT", -2),
        ("ROUND(2.5)", "DINT", 2),
        ("SQR(3.0)", "REAL", 9.0),
        ("EXPT(2.0, 3)", "REAL", 8.0),
        ("CHAR#'A'", "CHAR", 65),
        ("MUX(K := 1, IN0 := INT#1, IN1 := 2)", "INT", 2),
        ("SEL(TRUE, T#1s, T#2s)", "TIME", 2000),
        ("NE(INT#3, 4)", "BOOL", True),
        ("MOVE(INT#4)", "INT", 4),
        ("XOR(BYTE#5, BYTE#3)", "BYTE", 6),
        ("NOT(WORD#0)", "WORD", 65535),
        ("SHL(IN := WORD#1, N := 4)", "WORD", 16),
        ("LIMIT(1, INT#5, 3)", "INT", 3),
        ("TIME#-5ms", "TIME", -5),
        ("T#1h_30m", "TIME", 5_400_000),
        ("LT#5us", "LTIME", 5000),
        ("- 3 + 5", "INT", 2),
        ("7 MOD 3 * 2", "INT", 2),
        ("1 < 2 = TRUE", "BOOL", True),
    ],
)
def test_functions(expression: str, type: str, value: Any) -> None:
    assert body(f"x := {expression};", f"x : {type};")["x"] == value


@pytest.mark.parametrize("number", [0, 7, 10, 99, 1234, 9999])
def test_decimal_digits_of_variables(number: int) -> None:
    text = """PROGRAM p VAR_INPUT u : UINT; END_VAR VAR w : WORD; back : UINT; END_VAR
    w := UINT_TO_BCD_WORD(u); back := WORD_BCD_TO_UINT(w); END_PROGRAM"""
    found = run(text, [{"u": number}])[0]
    assert (found["w"], found["back"]) == (int(str(number), 16), number)


@pytest.mark.parametrize(
    ("expression", "error", "what"),
    [
        ("ANY_TO_INT(3)", InputError, "no function is called ANY_TO_INT"),
        ("INT_TO_NOTHING(3)", InputError, "no function is called INT_TO_NOTHING"),
        ("UINT_BCD_TO_WORD(UINT#3)", InputError, "an unsigned number in a bit string"),
        ("INT_TO_WORD()", InputError, "INT_TO_WORD with 0 values"),
        ("LEN(5)", InputError, "LEN of"),
        ("LEFT(5, 1)", InputError, "LEFT of"),
        ("ADD(IN1 := 3, IN2 := 4, OUT => x)", InputError, "ADD has no output OUT"),
        ("1 + ADD(EN := TRUE, IN1 := 3, IN2 := 4)", UnsupportedError, "EN of ADD inside an expression"),
        ("LINT#1 + ULINT#1", InputError, "no type holds LINT and ULINT"),
        ("STRING_TO_REAL('1.5')", UnsupportedError, "the conversion from STRING to REAL"),
        ("D#2024-01-01", UnsupportedError, "dates"),
    ],
)
def test_wrong_functions(expression: str, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        program(f"PROGRAM p VAR x : LINT; END_VAR x := {expression}; END_PROGRAM")


def test_each_choice_of_a_dialect_is_in_the_ledger() -> None:
    text = """PROGRAM p VAR_INPUT a, b : INT; c : BOOL; t : TIME; END_VAR VAR x : INT; u : TIME; f : F_TRIG; END_VAR
    x := a + 1; x := a / b; f(CLK := c); u := t - T#5ms; END_PROGRAM"""
    said = {name: "\n".join(program(text, dialect=name).notes) for name in ("iec", "siemens", "codesys")}
    for name, words in (
        ("iec", ["width of its operands", "stops the controller", "finds an edge", "32 bits with a sign"]),
        ("siemens", ["width of its operands", "division by zero gives 0", "finds no edge", "32 bits with a sign"]),
        ("codesys", ["at least 32 bits", "stops the controller", "finds no edge", "32 bits without a sign"]),
    ):
        for word in words:
            assert word in said[name]


def test_time_has_the_sign_of_the_dialect() -> None:
    text = "PROGRAM p VAR_INPUT t : TIME; END_VAR VAR less : BOOL; END_VAR less := t - T#5ms < T#0ms; END_PROGRAM"
    found = {name: run(text, [{"t": 3}], dialect=name)[0]["less"] for name in ("iec", "siemens", "codesys")}
    assert found == {"iec": True, "siemens": True, "codesys": False}
