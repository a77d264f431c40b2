"""What is not read is said with its place: mistakes, and what is not modelled."""

from __future__ import annotations

import pytest

from argosy.basics.errors import UnsupportedError

from .reading import automaton, complaint

SYSTEM = "specification S {{ property p : {{ var x : int {} }} models G(x = 0) }}"
CHART = "var x : integer = 0\ntrans {{ {} }} init {{ }} env {{ }}\nprop {{ true }}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m:1:1: no main process"),
        ("main process p { }", "m:1:16: the process p has no initial location: init loc NAME"),
        (
            "main process p { init loc A",
            "expected a location, a variable or an edge, found the end of the file",
        ),
        ("main process p { init loc A init loc B }", "m:1:29: there is more than one init location"),
        ("main process p { init loc A loc A }", "m:1:33: there are two locations A"),
        ("main process p { init loc A A -> B }", "m:1:34: there is no location B"),
        ("main process p { init loc A } main process q { init loc A }", "m:1:44: there is more than one main process"),
        ("main process p { init loc A } process p { init loc A }", "m:1:39: there are two processes p"),
        ("/* main", "m:1:1: comment not closed"),
        ("main process p # {}", "m:1:16: unknown symbol '#'"),
        (automaton("z := 1"), "z is not declared"),
        (automaton("x := true"), "expected a value of type int, not bool"),
        (automaton("assume x"), "expected a value of type bool, not int"),
        (automaton("assume b + 1 = 2"), "+ is not defined on bool and int"),
        (automaton("assume x = b"), "= is not defined on int and bool"),
        (automaton("assume x = 1 = b"), "= does not chain: write parentheses"),
        (automaton("assume x = not b"), "not in an operand needs parentheses"),
        (automaton("x := 1 + if b then 1 else 2"), "if in an operand needs parentheses"),
        (automaton("x := if b then 1 else true"), "the branches have different types: int and bool"),
        (automaton("x := x'"), "no next state is spoken of here"),
        (automaton("x := 1 % 0"), "the denominator is 0"),
        (automaton("x := 4'd16"), "4'd16 does not fit into 4 bits"),
        (automaton("x := 0'd0"), "0'd0 does not fit into 0 bits"),
        (automaton("assume 4'd1 bvult 5'd1"), "bvult is not defined on bv[4] and bv[5]"),
        (automaton("assume 4'd1 < 4'd2"), "< is not defined on bv[4] and bv[4]"),
        (automaton("assume 4'd1[5:0] = 4'd1"), "no bits [5:0] in bv[4]"),
        (automaton("assume x[0] = 1"), "a value of type int has no elements"),
        (automaton("x := [default <- 1][0]"), "an array without elements says what its indices are"),
        (automaton("x := " + "(" * 1000 + "1" + ")" * 1000), "nested too deeply"),
        (automaton("x := " + "1" * 2000), "a number of more than 1000 digits"),
        (automaton("x := 1", "var x : " + "[int] -> " * 300 + "int"), "nested too deeply"),
        (automaton("x := 1", "var x : int var x : int"), "x is declared twice"),
        (automaton("x := 1", "var x : bv[0]"), "at least 1 bits are needed"),
    ],
)
def test_automata(text: str, message: str) -> None:
    assert message in complaint("cfa", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(process (var x Int))", "m:1:1: the syntax of Theta's automata with parentheses (Lisp)"),
        (automaton("return x"), "the statement return"),
        (automaton("assume forall (i : int) i = i"), "the quantifier forall"),
        (automaton("assume b or exists (i : int) i = i"), "the quantifier exists"),
        (automaton("x := x(1)"), "the application of a function"),
        (automaton("x := (y : int) -> y"), "a function literal"),
        (automaton("x := 1", "var x : (int) -> int"), "a function type"),
        (automaton("x := 1", "var x : bv[99999999999999999999]"), "more than 65536 bits"),
        (automaton("f := fpsqrt f", "var f : fp[5:11]"), "the operator fpsqrt on floating-point numbers"),
        (automaton("f := f fprem f", "var f : fp[5:11]"), "the operator fprem on floating-point numbers"),
        (automaton("f := f fpmax f", "var f : fp[5:11]"), "the operator fpmax on floating-point numbers"),
        (automaton("b := fptobv[8's] f", "var f : fp[5:11] var b : bv[8]"), "the operator fptobv"),
    ],
)
def test_automata_that_are_not_modelled(text: str, message: str) -> None:
    assert message in complaint("cfa", text, UnsupportedError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("specification S { }", "m:1:20: there is no property"),
        ("specification S {", "m:1:18: expected const, var, system or property, found the end of the file"),
        ("specification S { property p : { var x : int", "m:1:32: { not closed"),
        (SYSTEM.format("initial x' = 0"), "no next state is spoken of here"),
        (SYSTEM.format("transition y' = 0"), "y is not declared"),
        (SYSTEM.format("var x : int"), "x is declared twice"),
        (SYSTEM.format("x := 1"), "expected var, const, invariant, initial, transition or }, found x"),
        ("specification S { property p : q models G(true) }", "there is no system q"),
        ("specification S { system q := q property p : q models G(true) }", "the system q is defined by itself"),
        (
            "specification S { system q(n : int) := { } property p : q models G(true) }",
            "q has 1 parameters, not 0",
        ),
    ],
)
def test_systems(text: str, message: str) -> None:
    assert message in complaint("sts", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(system (var x Int))", "m:1:1: the syntax of Theta's systems with parentheses (Lisp)"),
        (SYSTEM.format("transition x'' = 0"), "a value two steps ahead"),
        (SYSTEM.format("transition x' = 1 / x"), "division by a value that may be 0"),
        (SYSTEM.format("var y : int := 3"), "a variable with a value: write initial and what is meant"),
        ("specification S(n : int) { }", "a specification with parameters"),
        (SYSTEM.format("var a : [int, int] -> int"), "an array with several indices"),
    ],
)
def test_systems_that_are_not_modelled(text: str, message: str) -> None:
    assert message in complaint("sts", text, UnsupportedError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m:1:1: expected trans { ... }, found the end of the file"),
        ("trans { } init { }", "expected env { ... }"),
        ("trans { } trans { } init { } env { }", "m:1:11: there is a second trans"),
        (CHART.format("x := 1"), "m:2:16: expected ;, found }"),
        (CHART.format("y := 1;"), "m:2:9: y is not declared"),
        (CHART.format("x := A;"), "A is not declared"),
        (CHART.format("local var x : integer;"), "x is declared twice"),
        (CHART.format("{ local var t : integer = 1; } x := t;"), "t is not declared"),
        (CHART.format("for i from 0 to 2 do x := i; x := i;"), "i is not declared"),
        (CHART.format("{ " * 500 + " }" * 500), "statements nested too deeply"),
        ("trans { } or init { } env { }", "m:1:14: expected a statement, found init"),
        ("type T : { A, A } " + CHART.format(""), "the type T has a literal twice"),
        ("type T : { A } type T : { B } " + CHART.format(""), "there are two types T"),
        ("type T : { A } var A : integer = 0 " + CHART.format(""), "A is a literal of T"),
        ("type T : { A } type U : { A } " + CHART.format("assume A == A;"), "A is a literal of T and U: write TYPE.A"),
        ("type T : { A } type U : { B } var t : T = B " + CHART.format(""), "expected a value of type T, not U"),
        ("var y : real = 0 " + CHART.format(""), "expected a type, found real"),
        (CHART.format("").replace("prop { true }", "prop { true } prop { true }"), "expected the end of the file"),
    ],
)
def test_statecharts(text: str, message: str) -> None:
    assert message in complaint("xsts", text)
