"""Bad input: the file, the line and the column, as an InputError (exit code 2) or an UnsupportedError (exit code 5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.plc.requirement_files import read_requirements
from tests.frontends.plc.running import program

WRONG = [
    ("PROGRAM p\nVAR x : INTT; END_VAR\nEND_PROGRAM", 2, 9, "no type is called INTT"),
    ("PROGRAM p\nVAR x : INT; END_VAR\ny := 1;\nEND_PROGRAM", 3, 1, "no variable is called y"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nx := 70000;\nEND_PROGRAM", 3, 1, "70000 is not a value of INT"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nx := TRUE;\nEND_PROGRAM", 3, 1, "BOOL cannot be given to INT"),
    ("PROGRAM p\nVAR x : INT; b : REAL; END_VAR\nx := b;\nEND_PROGRAM", 3, 1, "write REAL_TO_INT"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nIF x THEN x := 1; END_IF\nEND_PROGRAM", 3, 4, "a condition is of type BOOL"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nIF x = 1 THEN x := 2;\nEND_PROGRAM", 4, 1, "expected END_IF"),
    ("PROGRAM p\nVAR x INT; END_VAR\nEND_PROGRAM", 2, 7, "expected ':'"),
    ("PROGRAM p\nx := ;\nEND_PROGRAM", 2, 6, "expected an expression"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nx := 1 / 0;\nEND_PROGRAM", 3, 8, "a division by zero"),
    ("PROGRAM p\nVAR a : ARRAY[1..3] OF INT; END_VAR\na[4] := 1;\nEND_PROGRAM", 3, 2, "outside of 1..3"),
    ("PROGRAM p\nVAR a : ARRAY[3..1] OF INT; END_VAR\nEND_PROGRAM", 2, 9, "has no elements"),
    ("PROGRAM p\nVAR t : TON; END_VAR\nt(INN := TRUE);\nEND_PROGRAM", 3, 3, "TON has no parameter INN"),
    ("PROGRAM p\nVAR t : TON; x : BOOL; END_VAR\nx := t.QQ;\nEND_PROGRAM", 3, 7, "TON has no field QQ"),
    ("PROGRAM p\nEXIT;\nEND_PROGRAM", 2, 1, "EXIT outside of a loop"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nx := nothing(1);\nEND_PROGRAM", 3, 6, "no function is called nothing"),
    ("PROGRAM p\nVAR x, x : INT; END_VAR\nEND_PROGRAM", 2, 8, "x is declared twice"),
    ("PROGRAM p\n(* no end\nEND_PROGRAM", 2, 1, "a comment that does not end"),
    ("PROGRAM p\nVAR s : STRING; END_VAR\ns := 'a;\nEND_PROGRAM", 3, 6, "a string that does not end"),
    ("PROGRAM p\nVAR CONSTANT c : INT := 1; END_VAR\nc := 2;\nEND_PROGRAM", 3, 1, "a constant cannot be assigned"),
    (
        "FUNCTION f : INT\nVAR_INPUT x : INT; END_VAR\nf := f(x - 1);\nEND_FUNCTION\n"
        "PROGRAM p\nVAR y : INT; END_VAR\ny := f(1);\nEND_PROGRAM",
        3,
        6,
        "f calls itself",
    ),
    (
        "TYPE t : STRUCT x : t; END_STRUCT; END_TYPE\nPROGRAM p\nVAR v : t; END_VAR\nEND_PROGRAM",
        1,
        21,
        "contains itself",
    ),
    ("FUNCTION_BLOCK b\nVAR c : b; END_VAR\nEND_FUNCTION_BLOCK", 2, 9, "contains itself"),
    ("PROGRAM p\nVAR e : (a, a); END_VAR\nEND_PROGRAM", 2, 9, "the same name twice"),
    ("PROGRAM p\nVAR x : INT; END_VAR\nFOR x := 1 TO 5 BY 0 DO ; END_FOR\nEND_PROGRAM", 3, 1, "the step 0"),
    ("PROGRAM p\nVAR_EXTERNAL g : INT; END_VAR\nEND_PROGRAM", 2, 14, "no global variable is called g"),
    ("PROGRAM p\nGOTO there;\nEND_PROGRAM", 1, 9, "has no label THERE"),
]

REFUSED = [
    ("PROGRAM p\nVAR r : REF_TO INT; END_VAR\nEND_PROGRAM", 2, 9, "references"),
    ("CLASS c\nEND_CLASS\nPROGRAM p\nVAR x : c; END_VAR\nEND_PROGRAM", 1, 1, "a class"),
    ("PROGRAM p\nVAR d : DATE; END_VAR\nd := D#2020-01-01;\nEND_PROGRAM", 3, 6, "dates"),
    ("PROGRAM p\nVAR t : TIME; END_VAR\nt := T#1us;\nEND_PROGRAM", 3, 6, "finer than a millisecond"),
    ("PROGRAM p\n{IF defined (x)}\n{END_IF}\nEND_PROGRAM", 2, 1, "which decides what is compiled"),
    ("FUNCTION_BLOCK b EXTENDS c\nEND_FUNCTION_BLOCK", 1, 18, "object orientation"),
    (
        "CONFIGURATION c\nRESOURCE r ON PLC\nTASK a(INTERVAL := T#1s);\nTASK b(INTERVAL := T#1s);\nEND_RESOURCE\n"
        "END_CONFIGURATION",
        4,
        1,
        "several tasks",
    ),
    ("PROGRAM p\nVAR a AT %IX0.1 : BOOL; b AT %IB0 : BYTE; END_VAR\nEND_PROGRAM", 2, 25, "overlap"),
]


@pytest.mark.parametrize(("text", "line", "column", "what"), WRONG)
def test_wrong(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(InputError) as raised:
        program(text)
    found = raised.value
    assert what in found.what
    assert (found.position.file, found.position.line, found.position.column) == ("p.st", line, column)


@pytest.mark.parametrize(("text", "line", "column", "what"), REFUSED)
def test_refused(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(UnsupportedError) as raised:
        program(text)
    found = raised.value
    assert what in found.what
    assert (found.position.file, found.position.line, found.position.column) == ("p.st", line, column)


def test_which_unit_runs_has_to_be_said() -> None:
    text = "FUNCTION_BLOCK a\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK b\nEND_FUNCTION_BLOCK"
    with pytest.raises(InputError, match="which of a, b runs"):
        program(text)
    assert program(text, entry="B").name == "b"
    with pytest.raises(InputError, match="no unit is called c"):
        program(text, entry="c")


@pytest.mark.parametrize("text", ["", "5ms..", "soon", "9ms..1ms", "-1ms"])
def test_times_of_cycles(text: str) -> None:
    with pytest.raises(InputError, match="is no time"):
        program("PROGRAM p\nEND_PROGRAM", cycle_time=text or " ")


XML = '<project xmlns="http://www.plcopen.org/xml/tc6_0201"><types><pous>{}</pous></types></project>'
POU = '<pou name="p" pouType="program"><interface/><body>{}</body></pou>'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<project><a></project>", "not well-formed XML"),
        ("<nta/>", "not a 'project' of PLCopen"),
        (XML.format('<pou name="p" pouType="thing"/>'), "of the kind 'thing'"),
        (XML.format(POU.format('<LD><coil localId="1"><variable>x</variable></coil></LD>')), "nothing is connected"),
        (
            XML.format(
                POU.format(
                    '<LD><coil localId="1"><connectionPointIn><connection refLocalId="7"/></connectionPointIn>'
                    "<variable>x</variable></coil></LD>"
                )
            ),
            "no element has the localId 7",
        ),
        (XML.format(POU.format("<ST><p>x := ;</p></ST>")), "expected an expression"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><project>&b;</project>', "entity"),
    ],
)
def test_wrong_xml(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        program(text, "p.xml")


@pytest.mark.parametrize("name, text", [("r.json", '[{"a": %s}]'), ("r.yaml", "- a: %s\n")])
def test_numbers_of_thousands_of_digits_in_requirements(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text % ("7" * 5000))
    with pytest.raises(InputError, match=r"too many digits|not YAML"):
        read_requirements(str(path))


def test_lists_and_unknown_bodies_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match="instruction list"):
        program(XML.format(POU.format("<IL/>")), "p.xml")
    with pytest.raises(UnsupportedError, match="a body without"):
        program(XML.format(POU.format("<CFC/>")), "p.xml")
    with pytest.raises(UnsupportedError, match="several paragraphs"):
        program(XML.format(POU.format("<ST><p>x := 1;</p><p>y := 1;</p></ST>")), "p.xml")
