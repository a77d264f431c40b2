"""Units, calls, variables and texts of the dialects, with values worked out by hand."""

from __future__ import annotations

import pytest

from argosy.basics.errors import UnsupportedError
from tests.frontends.plc.running import body, program, run


def test_comments_may_be_nested() -> None:
    assert body("(* a (* b *) c *) x := 1; (* ( *) y := 2;", "x, y : INT;")["x"] == 1


def test_several_assignments_and_changes_in_one_statement() -> None:
    found = body("a := b := 3; b += 4; b *= a;", "a, b : INT;")
    assert (found["a"], found["b"]) == (3, 21)


def test_values_of_an_enumeration_behind_a_dot() -> None:
    text = """TYPE e : (one := 1, two) USINT; END_TYPE PROGRAM p VAR s : e := e.two; x : USINT; END_VAR
    CASE s OF e.one: x := 10; e.two: x := 20; END_CASE END_PROGRAM"""
    assert run(text)[0]["x"] == 20


def test_functions_that_return_structures() -> None:
    text = """TYPE t : STRUCT a, b : INT; END_STRUCT; END_TYPE
    FUNCTION f : t VAR_INPUT k : INT; END_VAR f.a := k; f.b := k + 1; END_FUNCTION
    PROGRAM p VAR x, y : t; END_VAR x := f(4); y := f(k := x.b); END_PROGRAM"""
    found = run(text)[0]
    assert (found["x.a"], found["x.b"], found["y.b"]) == (4, 5, 6)


def test_outputs_and_defaults_of_functions() -> None:
    text = """FUNCTION f : INT VAR_INPUT a : INT := 5; b : INT := 2; END_VAR VAR_OUTPUT o : INT; END_VAR
    o := a - b; f := a * b; END_FUNCTION
    PROGRAM p VAR x, y, z : INT; END_VAR x := f(b := 3, o => y); z := f(10, 1); END_PROGRAM"""
    found = run(text)[0]
    assert (found["x"], found["y"], found["z"]) == (15, 2, 10)


def test_nothing_is_assigned_unless_a_function_is_enabled() -> None:
    text = """FUNCTION f : INT VAR_INPUT a : INT; END_VAR f := a; END_FUNCTION
    PROGRAM p VAR_INPUT e : BOOL; END_VAR VAR x : INT := 3; y : INT := 4; ok, fine : BOOL; END_VAR
    x := ADD(EN := e, IN1 := x, IN2 := 10, ENO => ok); y := f(EN := e, a := x, ENO => fine); END_PROGRAM"""
    found = run(text, [{"e": 0}, {"e": 1}, {"e": 0}])
    assert [(each["x"], each["y"], each["ok"], each["fine"]) for each in found] == [
        (3, 4, False, False),
        (13, 13, True, True),
        (13, 13, False, False),
    ]


def test_inputs_of_which_a_block_sees_the_edges() -> None:
    text = """FUNCTION_BLOCK f VAR_INPUT up : BOOL R_EDGE; down : BOOL F_EDGE; END_VAR VAR_OUTPUT n, m : INT; END_VAR
    IF down THEN m := m + 1; END_IF
    IF up THEN n := n + 1; RETURN; END_IF
    END_FUNCTION_BLOCK
    PROGRAM p VAR_INPUT x, given : BOOL; END_VAR VAR i : f; END_VAR
    IF given THEN i(up := x, down := x); ELSE i(); END_IF END_PROGRAM"""
    cycles = [(1, 1), (1, 1), (1, 0), (0, 1), (1, 1), (0, 0)]
    found = run(text, [{"x": x, "given": given} for x, given in cycles], dialect="codesys")
    # An input that is not given keeps its level: no edge in cycles 3 and 6.
    assert [each["i.n"] for each in found] == [1, 1, 1, 1, 2, 2]
    assert [each["i.m"] for each in found] == [0, 0, 0, 1, 1, 1]


def test_instances_in_structures_in_out_and_loops() -> None:
    text = """TYPE t : STRUCT c : CTU; k : INT; END_STRUCT; END_TYPE
    FUNCTION_BLOCK g VAR_IN_OUT c : CTU; END_VAR c(CU := TRUE); END_FUNCTION_BLOCK
    PROGRAM p VAR s : t; i : g; many : ARRAY[0..3] OF CTU; n, sum : INT; END_VAR
    s.c.PV := 1; i(c := s.c);
    FOR n := 0 TO 3 DO many[n](CU := n > 1, PV := 1); sum := sum + many[n].CV; END_FOR END_PROGRAM"""
    found = run(text)[0]
    assert (found["s.c.CV"], found["s.c.Q"], found["sum"]) == (1, True, 2)


def test_arrays_with_all_kinds_of_bounds_and_values() -> None:
    text = """TYPE pt : STRUCT x : INT; y : INT := 9; END_STRUCT; v : ARRAY[1..3] OF INT := [7, 8, 9]; END_TYPE
    PROGRAM p VAR CONSTANT n : INT := 3; END_VAR
    VAR a : ARRAY[0..2] OF pt := [(x := 1), 2((x := 5, y := 6))]; b : v; c : ARRAY[-2..n - 1] OF INT;
        d : ARRAY[0..1, 0..2, 0..3] OF INT; i : INT; END_VAR
    i := -2; c[i] := a[0].y * 100 + a[2].x * 10 + a[1].y; c[2] := b[3]; d[i + 3, 2, 3] := 4; d[0, 0, 0] := d[1][2][3];
    END_PROGRAM"""
    found = run(text)[0]
    assert (found["c[-2]"], found["c[2]"], found["d[0,0,0]"]) == (956, 9, 4)


def test_a_configuration_says_the_interval() -> None:
    text = """CONFIGURATION c VAR_GLOBAL g : INT := 2; END_VAR
    RESOURCE r ON plc TASK t(INTERVAL := T#30ms, PRIORITY := 1); PROGRAM i WITH t : p; END_RESOURCE END_CONFIGURATION
    PROGRAM p VAR_EXTERNAL g : INT; END_VAR VAR t : TON; END_VAR g := g + 1; t(IN := TRUE, PT := T#60ms); END_PROGRAM"""
    found = run(text, [{}, {}, {}])
    assert [(each["g"], each["t.Q"]) for each in found] == [(3, False), (4, False), (5, True)]


@pytest.mark.parametrize(
    ("inner", "what"),
    [
        ("TASK t(SINGLE := x, PRIORITY := 1);", "a task with SINGLE"),
        ("PROGRAM i : p(a := g);", "connected in its configuration"),
        ("VAR_CONFIG r.i.a : INT := 4; END_VAR", "VAR_CONFIG"),
        ("PROGRAM i : p; PROGRAM j : p;", "several programs"),
    ],
)
def test_refused_in_configurations(inner: str, what: str) -> None:
    text = f"CONFIGURATION c RESOURCE r ON plc {inner} END_RESOURCE END_CONFIGURATION PROGRAM p END_PROGRAM"
    with pytest.raises(UnsupportedError, match=what):
        program(text)


SCL = """FUNCTION_BLOCK "fb1"
TITLE = 'x'
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT in1 : Bool; END_VAR
   VAR_OUTPUT out1 { ExternalVisible := 'False'} : Int := 3; END_VAR
   VAR st : Array[0..3] of Int; t1 {InstructionName := 'TON_TIME'} : TON_TIME; END_VAR
   VAR_TEMP tmp : Int; END_VAR
   VAR CONSTANT K : Int := 2; END_VAR
BEGIN
   REGION first part
   #tmp := 5;
   IF #in1 THEN
       #out1 := #tmp + #K;
       #out1 += 1;
   ELSE
       "glob".val := 3;
   END_IF;
   END_REGION
   #t1(IN := #in1, PT := T#10ms);
   FOR #tmp := 0 TO 3 DO #st[#tmp] := #tmp DIV 2; END_FOR;
   #out1.%X1 := TRUE;
END_FUNCTION_BLOCK
DATA_BLOCK "glob"
STRUCT val : Int; END_STRUCT;
BEGIN
 val := 9;
END_DATA_BLOCK
"""


def test_texts_of_siemens() -> None:
    found = run(SCL, [{"in1": 1}, {"in1": 0}], "p.scl")
    assert [(each["out1"], each["glob.val"], each["st[3]"]) for each in found] == [(10, 9, 1), (10, 3, 1)]


def test_goto_backwards() -> None:
    text = """FUNCTION f1 : VOID VAR_INPUT a : INT; END_VAR VAR_OUTPUT o : INT; END_VAR
    LABEL l1, l2; END_LABEL
    BEGIN
     o := a;
     l1: IF o > 10 THEN GOTO l2; END_IF;
     o := o + 3;
     GOTO l1;
     l2: o := o + 100;
    END_FUNCTION
    ORGANIZATION_BLOCK OB1 VAR_TEMP x : INT; END_VAR
    BEGIN
     f1(a := 2, o => x);
    END_ORGANIZATION_BLOCK"""
    assert run(text, [{}], "p.scl")[0]["x"] == 111


def test_addresses() -> None:
    text = """TYPE t : STRUCT a : INT; END_STRUCT; END_TYPE
    PROGRAM p VAR x AT %IW4 : INT; y AT %QX0.0 : BOOL; m AT %MD8 : DINT; s AT %I* : INT; END_VAR
    y := x > 3; m := m + s; END_PROGRAM"""
    found = run(text, [{"x": 4, "s": 7}, {"x": 0}])
    assert [(each["y"], each["m"]) for each in found] == [(True, 7), (False, 14)]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        # What overlaps in each dialect: iec, siemens, codesys.
        ("%MW0 : INT", "%MW1 : INT", (True, False, True)),
        ("%MW2 : INT", "%MB4 : BYTE", (False, True, False)),
        ("%MW2 : INT", "%MB2 : BYTE", (False, False, True)),
        ("%MX1.0 : BOOL", "%MX1.1 : BOOL", (True, True, True)),
        ("%MB1 : BYTE", "%MX1.1 : BOOL", (False, False, False)),
        ("%MB0 : ARRAY[0..3] OF INT", "%MB2 : BYTE", (False, False, False)),
        ("%MW0 : ARRAY[0..3] OF INT", "%MW90 : INT", (True, True, True)),
        ("%IW0 : INT", "%QW0 : INT", (True, True, True)),
        ("%IX1.2.3 : BOOL", "%IX1.2.4 : BOOL", (True, True, True)),
        ("%IX1.2.3 : BOOL", "%IW1.2 : INT", (False, False, False)),
        ("%MW3 : INT", "%MW3 : WORD", (False, False, False)),
    ],
)
def test_addresses_that_share_bits_are_refused(one: str, other: str, apart: tuple[bool, bool, bool]) -> None:
    text = f"PROGRAM p VAR a AT {one}; b AT {other}; END_VAR END_PROGRAM"

    def is_read(dialect: str) -> bool:
        try:
            program(text, dialect=dialect)
        except UnsupportedError as error:
            assert "address" in error.what
            return False
        return True

    assert tuple(map(is_read, ("iec", "siemens", "codesys"))) == apart


def test_programs_that_do_not_run_are_said() -> None:
    text = "PROGRAM p END_PROGRAM PROGRAM other END_PROGRAM"
    assert any("other does not run" in note for note in program(text, entry="p").notes)


def test_retained_variables_start_cold_and_the_ledger_says_so() -> None:
    text = "PROGRAM p VAR RETAIN x : INT := 4; END_VAR x := x + 1; END_PROGRAM"
    assert run(text)[0]["x"] == 5
    assert any("cold start" in note for note in program(text).notes)
