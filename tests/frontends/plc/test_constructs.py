"""Every construct of structured text, with values worked out by hand from the standard."""

from __future__ import annotations

from typing import Any

import pytest

from argosy.basics.errors import InputError
from argosy.frontends.plc.interpreter import Halted
from tests.frontends.plc.running import body, program, run


@pytest.mark.parametrize(
    ("expression", "type", "value"),
    [
        ("32767 + INT#1", "INT", -32768),
        ("SINT#127 + 1", "SINT", -128),
        ("USINT#0 - 1", "USINT", 255),
        ("UINT#65535 + 2", "UINT", 1),
        ("DINT#2147483647 + 1", "DINT", -2147483648),
        ("LINT#9223372036854775807 + 1", "LINT", -9223372036854775808),
        ("INT#-7 / 2", "INT", -3),
        ("INT#-7 MOD 2", "INT", -1),
        ("INT#7 MOD -2", "INT", 1),
        ("INT#-32768 / -1", "INT", -32768),
        ("-INT#-32768", "INT", -32768),
        ("2 + 3 * 4", "INT", 14),
        ("(2 + 3) * 4", "INT", 20),
        ("2 ** 10", "INT", 1024),
        ("16#FF", "INT", 255),
        ("2#1010_1010", "INT", 170),
        ("8#17", "INT", 15),
        ("1_000", "INT", 1000),
        ("WORD#16#F0F0 AND WORD#16#0FF0", "WORD", 0x00F0),
        ("WORD#16#F0F0 OR WORD#16#0FF0", "WORD", 0xFFF0),
        ("WORD#16#F0F0 XOR WORD#16#0FF0", "WORD", 0xFF00),
        ("NOT BYTE#16#0F", "BYTE", 0xF0),
        ("TRUE AND FALSE OR TRUE", "BOOL", True),
        ("TRUE XOR TRUE", "BOOL", False),
        ("NOT TRUE = FALSE", "BOOL", True),
        ("3 < 4", "BOOL", True),
        ("3 >= 4", "BOOL", False),
        ("3 <> 4", "BOOL", True),
        ("UINT#65535 > INT#-1", "BOOL", True),
        ("T#1s + T#500ms", "TIME", 1500),
        ("T#1m - T#1s", "TIME", 59000),
        ("T#10ms * 3", "TIME", 30),
        ("T#1d2h3m4s5ms", "TIME", 93784005),
        ("T#1.5s", "TIME", 1500),
        ("ABS(INT#-5)", "INT", 5),
        ("MIN(3, INT#2, 5)", "INT", 2),
        ("MAX(3, INT#2, 5)", "INT", 5),
        ("LIMIT(0, INT#-5, 10)", "INT", 0),
        ("LIMIT(MN := 0, IN := INT#15, MX := 10)", "INT", 10),
        ("SEL(FALSE, INT#1, 2)", "INT", 1),
        ("SEL(G := TRUE, IN0 := INT#1, IN1 := 2)", "INT", 2),
        ("MUX(INT#1, INT#10, 20, 30)", "INT", 20),
        ("SHL(BYTE#16#81, 1)", "BYTE", 0x02),
        ("SHR(BYTE#16#81, 1)", "BYTE", 0x40),
        ("SHL(BYTE#16#81, 8)", "BYTE", 0),
        ("ROL(BYTE#16#81, 1)", "BYTE", 0x03),
        ("ROR(BYTE#16#81, 9)", "BYTE", 0xC0),
        ("ADD(INT#1, 2, 3)", "INT", 6),
        ("GT(INT#3, 2, 1)", "BOOL", True),
        ("INT_TO_WORD(-1)", "WORD", 0xFFFF),
        ("WORD_TO_INT(16#8000)", "INT", -32768),
        ("INT_TO_SINT(300)", "SINT", 44),
        ("DINT_TO_INT(DINT#65537)", "INT", 1),
        ("INT_TO_DINT(-1)", "DINT", -1),
        ("UINT_TO_DINT(65535)", "DINT", 65535),
        ("INT_TO_BOOL(2)", "BOOL", True),
        ("BOOL_TO_INT(TRUE)", "INT", 1),
        ("TIME_TO_DINT(T#1s)", "DINT", 1000),
        ("DINT_TO_TIME(DINT#250)", "TIME", 250),
        ("REAL_TO_INT(2.5)", "INT", 2),
        ("REAL_TO_INT(3.5)", "INT", 4),
        ("TRUNC(-2.7)", "DINT", -2),
        ("1.5 + 2", "REAL", 3.5),
        ("SQRT(16.0)", "REAL", 4.0),
        ("LEN('abc')", "INT", 3),
        ("CONCAT('ab', 'c')", "STRING", "abc"),
        ("'ab' = 'ab'", "BOOL", True),
    ],
)
def test_expressions(expression: str, type: str, value: Any) -> None:
    # A variable in between keeps the front end from folding everything away.
    found = body(f"x := {expression};", f"x : {type};")
    assert found["x"] == value


@pytest.mark.parametrize(
    ("operation", "type", "a", "b", "value"),
    [
        ("a + b", "INT", 32767, 1, -32768),
        ("a - b", "USINT", 0, 1, 255),
        ("a * b", "INT", 256, 256, 0),
        ("a / b", "INT", -7, 2, -3),
        ("a MOD b", "DINT", -7, 2, -1),
        ("SHL(a, 3)", "WORD", 0x2001, 0, 0x0008),
        ("ROL(a, 4)", "WORD", 0xF001, 0, 0x001F),
        ("NOT a", "DWORD", 1, 0, 0xFFFFFFFE),
    ],
)
def test_variables_wrap_at_their_widths(operation: str, type: str, a: int, b: int, value: int) -> None:
    text = f"PROGRAM p\nVAR_INPUT a, b : {type}; END_VAR\nVAR x : {type}; END_VAR\nx := {operation};\nEND_PROGRAM"
    assert run(text, [{"a": a, "b": b}])[0]["x"] == value


def test_intermediate_widths_are_those_of_the_dialect() -> None:
    text = "PROGRAM p\nVAR_INPUT a : INT; END_VAR\nVAR x : INT; END_VAR\nx := a * 10 / 10;\nEND_PROGRAM"
    assert run(text, [{"a": 10000}])[0]["x"] == (100000 - 131072) // 10 + 1
    assert run(text, [{"a": 10000}], dialect="codesys")[0]["x"] == 10000


@pytest.mark.parametrize(("x", "value"), [(1, 10), (3, 30), (4, 30), (7, 99), (0, 99)])
def test_case(x: int, value: int) -> None:
    text = """PROGRAM p VAR_INPUT x : INT; END_VAR VAR y : INT; END_VAR
    CASE x OF 1: y := 10; 2, 3..5: y := 30; ELSE y := 99; END_CASE
    END_PROGRAM"""
    assert run(text, [{"x": x}])[0]["y"] == value


def test_if_elsif_else() -> None:
    text = """PROGRAM p VAR_INPUT x : INT; END_VAR VAR y : INT; END_VAR
    IF x < 0 THEN y := -1; ELSIF x = 0 THEN y := 0; ELSEIF x < 10 THEN y := 1; ELSE y := 2; END_IF
    END_PROGRAM"""
    assert [run(text, [{"x": x}])[0]["y"] for x in (-3, 0, 5, 50)] == [-1, 0, 1, 2]


def test_for_reads_its_bounds_once_and_leaves_the_variable_behind() -> None:
    found = body("FOR i := 1 TO n BY 2 DO n := 3; s := s + i; END_FOR", "i, s : INT; n : INT := 7;")
    assert (found["s"], found["i"]) == (1 + 3 + 5 + 7, 9)


def test_for_downwards_and_not_at_all() -> None:
    found = body(
        "FOR i := 3 TO 1 BY -1 DO s := s * 10 + i; END_FOR; FOR j := 5 TO 4 DO s := 0; END_FOR", "i, j, s : INT;"
    )
    assert (found["s"], found["i"], found["j"]) == (321, 0, 5)


def test_a_body_may_change_the_variable_of_its_loop() -> None:
    found = body("FOR i := 1 TO 10 DO i := i + 1; s := s + 1; END_FOR", "i, s : INT;")
    assert found["s"] == 5


def test_exit_and_continue() -> None:
    found = body(
        "FOR i := 1 TO 10 DO IF i = 3 THEN CONTINUE; END_IF; IF i = 6 THEN EXIT; END_IF; s := s + i; END_FOR",
        "i, s : INT;",
    )
    assert (found["s"], found["i"]) == (1 + 2 + 4 + 5, 6)


def test_while_and_repeat() -> None:
    found = body("WHILE x < 10 DO x := x + 3; END_WHILE; REPEAT y := y + 1; UNTIL y >= 1 END_REPEAT;", "x, y : INT;")
    assert (found["x"], found["y"]) == (12, 1)


def test_return_leaves_the_unit() -> None:
    assert body("x := 1; RETURN; x := 2;", "x : INT;")["x"] == 1


def test_goto_of_scl() -> None:
    text = """FUNCTION_BLOCK "f" VAR_INPUT a : BOOL; END_VAR VAR x : INT; END_VAR
    BEGIN
      #x := 1;
      IF #a THEN GOTO skip; END_IF;
      #x := 2;
      skip: #x := #x + 10;
    END_FUNCTION_BLOCK"""
    assert [run(text, [{"a": a}], "p.scl")[0]["x"] for a in (True, False)] == [11, 12]


def test_structures_and_arrays_of_several_dimensions() -> None:
    text = """TYPE point : STRUCT x : INT := 7; y : INT; END_STRUCT; END_TYPE
    PROGRAM p
    VAR a : ARRAY[1..2, 0..2] OF INT := [1, 2, 3]; m : ARRAY[1..2] OF ARRAY[1..2] OF point; q : point := (y := 5);
        i, j, s : INT; END_VAR
    i := 2; j := 1;
    a[i, j] := 40;
    m[1][2].x := 3;
    m[2] := m[1];
    m[2, i].y := q.y;
    s := a[1, 2] + a[i, j] + m[2][2].x;
    END_PROGRAM"""
    found = run(text)[0]
    assert found == run(text.replace(":= [1, 2, 3]", ":= [[1, 2, 3], [0, 40, 0]]"))[0]
    assert (found["a[2,1]"], found["m[2][2].x"], found["m[2][2].y"], found["m[2][1].x"]) == (40, 3, 5, 7)
    assert found["s"] == 3 + 40 + 3


def test_an_element_chosen_by_the_array_itself() -> None:
    found = body("a[a[1]] := 5; b := a[a[0]];", "a : ARRAY[0..3] OF INT := [2, 1, 3, 0]; b : INT;")
    assert [found[f"a[{i}]"] for i in range(4)] == [2, 5, 3, 0]
    assert found["b"] == 3


def test_enumerations_and_subranges() -> None:
    text = """TYPE colour : (red, green := 5, blue); small : INT(2..4); END_TYPE
    PROGRAM p VAR c : colour; d : colour := colour#blue; s : small; e : BOOL; END_VAR
    c := green; e := d = blue; END_PROGRAM"""
    found = run(text)[0]
    assert (found["c"], found["d"], found["s"], found["e"]) == (5, 6, 2, True)


def test_functions_start_anew_and_blocks_remember() -> None:
    text = """FUNCTION twice : INT VAR_INPUT x : INT; END_VAR VAR n : INT; END_VAR
      n := n + 1; twice := 2 * x + n; END_FUNCTION
    FUNCTION_BLOCK counter VAR_INPUT step : INT := 1; END_VAR VAR_OUTPUT n : INT; END_VAR
      n := n + step; END_FUNCTION_BLOCK
    PROGRAM p VAR a, b : counter; x, y, z : INT; END_VAR
      x := twice(3) + twice(x := 10);
      a(step := 5); b(n => y); a(); z := a.n;
    END_PROGRAM"""
    first, second = run(text, [{}, {}])
    assert (first["x"], first["y"], first["z"]) == (7 + 21, 1, 10)
    assert (second["x"], second["y"], second["z"]) == (28, 2, 20)


def test_operands_are_evaluated_from_the_left() -> None:
    text = """VAR_GLOBAL g : INT; END_VAR
    FUNCTION bump : INT VAR_INPUT n : INT; END_VAR VAR i : INT; END_VAR
      WHILE i < n DO i := i + 1; g := g + 1; END_WHILE; bump := g; END_FUNCTION
    PROGRAM p VAR x, y : INT; END_VAR x := g * 100 + bump(3); y := bump(1) * 100 + g; END_PROGRAM"""
    first, second = run(text, [{}, {}])
    assert (first["x"], first["y"]) == (3, 404)
    assert (second["x"], second["y"]) == (407, 808)


def test_nested_instances_and_arrays_of_instances() -> None:
    text = """FUNCTION_BLOCK inner VAR_INPUT d : INT; END_VAR VAR_OUTPUT n : INT; END_VAR n := n + d; END_FUNCTION_BLOCK
    FUNCTION_BLOCK outer VAR_INPUT d : INT; END_VAR VAR_OUTPUT n : INT; END_VAR VAR i : inner; END_VAR
      i(d := d); n := i.n * 10; END_FUNCTION_BLOCK
    PROGRAM p VAR_INPUT k : INT; END_VAR VAR o : ARRAY[1..3] OF outer; x : INT; END_VAR
      o[k](d := k); x := o[2].n; END_PROGRAM"""
    found = run(text, [{"k": 2}, {"k": 3}, {"k": 2}])
    assert [each["x"] for each in found] == [20, 20, 40]
    assert found[-1]["o[3].n"] == 30


def test_in_out_is_the_variable_itself() -> None:
    text = """FUNCTION_BLOCK swap VAR_IN_OUT a, b : INT; END_VAR VAR_TEMP t : INT; END_VAR
      t := a; a := b; b := t; END_FUNCTION_BLOCK
    PROGRAM p VAR s : swap; v : ARRAY[1..2] OF INT := [1, 2]; i : INT := 1; END_VAR
      s(a := v[i], b := v[2]); END_PROGRAM"""
    found = run(text)[0]
    assert (found["v[1]"], found["v[2]"]) == (2, 1)


def test_en_and_eno() -> None:
    text = """FUNCTION_BLOCK f VAR_OUTPUT n : INT; END_VAR n := n + 1; END_FUNCTION_BLOCK
    PROGRAM p VAR_INPUT e : BOOL; END_VAR VAR i : f; done : BOOL; x : INT; END_VAR
      i(EN := e, ENO => done); x := i.n; END_PROGRAM"""
    found = run(text, [{"e": True}, {"e": False}, {"e": True}])
    assert [(each["x"], each["done"]) for each in found] == [(1, True), (1, False), (2, True)]


def test_globals_externals_constants_and_addresses() -> None:
    text = """VAR_GLOBAL g : INT := 3; limit AT %IX0.1 : BOOL; END_VAR VAR_GLOBAL CONSTANT c : INT := 4; END_VAR
    PROGRAM p VAR_EXTERNAL g : INT; END_VAR VAR CONSTANT k : INT := 2 * 3; END_VAR VAR x AT %QW1 : INT; b : BOOL;
    END_VAR g := g + 1; x := g * c + k; b := limit AND %IX0.0; %QX8.0 := b; END_PROGRAM"""
    found = run(text, [{"limit": 1, "%IX0.0": 1}, {"limit": 0}])
    assert [(each["x"], each["b"]) for each in found] == [(22, True), (26, False)]
    assert found[0]["%QX8.0"] is True


def test_temporary_variables_start_anew_in_each_cycle() -> None:
    text = "PROGRAM p VAR_TEMP t : INT; END_VAR VAR n : INT; END_VAR t := t + 1; n := n + t; END_PROGRAM"
    assert [each["n"] for each in run(text, [{}, {}, {}])] == [1, 2, 3]


def test_strings_are_cut_to_their_lengths() -> None:
    found = body("s := 'abcd'; b := s = 'ab';", "s : STRING[2]; b : BOOL;")
    assert (found["s"], found["b"]) == ("ab", True)


def test_bits_of_words() -> None:
    found = body("w.3 := TRUE; w.%X0 := TRUE; w.3 := FALSE; b := w.0; w.15 := b;", "w : WORD; b : BOOL;")
    assert (found["w"], found["b"]) == (0x8001, True)


def test_a_block_that_is_not_called_keeps_its_outputs() -> None:
    text = """PROGRAM p VAR_INPUT c, go : BOOL; END_VAR VAR t : R_TRIG; q : BOOL; END_VAR
      IF go THEN t(CLK := c); END_IF; q := t.Q; END_PROGRAM"""
    found = run(text, [{"c": 1, "go": 1}, {"c": 1, "go": 0}, {"c": 1, "go": 1}])
    assert [each["q"] for each in found] == [True, True, False]


def test_division_by_zero_is_what_the_dialect_says() -> None:
    text = "PROGRAM p VAR_INPUT a : INT; END_VAR VAR x : INT := 9; END_VAR x := 5 / a; END_PROGRAM"
    with pytest.raises(Exception, match="division by zero"):
        run(text, [{"a": 0}])
    assert run(text, [{"a": 0}], dialect="siemens")[0]["x"] == 0


def test_an_index_outside_stops_the_controller() -> None:
    text = "PROGRAM p VAR_INPUT a : INT; END_VAR VAR x : ARRAY[1..3] OF INT; END_VAR x[a] := 5; END_PROGRAM"
    with pytest.raises(Exception, match="outside an object"):
        run(text, [{"a": 4}])
    assert run(text, [{"a": 3}])[0]["x[3]"] == 5


def test_what_the_first_operand_decides_is_not_evaluated() -> None:
    text = """PROGRAM p VAR_INPUT e : BOOL; i : INT; END_VAR VAR x, y : BOOL; END_VAR
    x := e AND_THEN 10 / i > 2; y := NOT e OR_ELSE 10 / i > 2; END_PROGRAM"""
    found = run(text, [{"e": False, "i": 0}, {"e": True, "i": 3}])
    assert [(row["x"], row["y"]) for row in found] == [(False, True), (True, True)]
    with pytest.raises(Halted):
        run(text, [{"e": True, "i": 0}])
    with pytest.raises(Halted):
        run(text.replace("AND_THEN", "AND"), [{"e": False, "i": 0}])


def test_loops_that_may_not_end_are_in_the_ledger() -> None:
    text = """PROGRAM p VAR n : USINT; i : INT; END_VAR
    FOR i := 1 TO 3 DO n := 1; END_FOR
    {}
    END_PROGRAM"""
    for loop, words in (
        ("", ()),
        ("WHILE i > 3 DO i := i - 1; END_WHILE", ("3: where a loop does not end",)),
        ("FOR n := 0 TO 255 DO i := i + 1; END_FOR", ("3: where a loop", "3: USINT wraps around at 255: only EXIT")),
        ("FOR i := 0 TO n DO ; END_FOR", ("3: where a loop",)),
    ):
        notes = "\n".join(program(text.format(loop)).notes)
        assert ("loop" in notes) == bool(words) and all(word in notes for word in words), loop


def test_an_enumeration_takes_its_own_numbers() -> None:
    text = (
        "TYPE m : (off, slow := 4); END_TYPE PROGRAM p VAR_INPUT i : m; END_VAR VAR x : m; END_VAR x := i; END_PROGRAM"
    )
    assert [row["x"] for row in run(text, [{"i": "slow"}, {"i": 0}, {"i": 4}])] == [4, 0, 4]
    with pytest.raises(InputError, match="1 is not a value of m"):
        run(text, [{"i": 1}])
