"""XSTS: the order of init, env and trans, statements, enumerations, where the property comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.backends.contract import Plan
from argosy.backends.stages import stages_of
from argosy.basics.errors import InputError, UsageError
from argosy.frontends.registry import BY_NAME, Request
from argosy.models.features import Features

from .reading import LIMIT, complaint, verdict

EMPTY = "init { } env { }"


def chart(trans: str, prop: str, declared: str = "var x : integer = 0 var y : integer = 0", rest: str = EMPTY) -> str:
    return f"{declared}\ntrans {{ {trans} }} {rest}\nprop {{ {prop} }}\n"


@pytest.mark.parametrize(
    ("prop", "expected"),
    [
        ("x != 0", "unsafe"),  # before init
        ("x != 1", "unsafe"),  # after init
        ("x != 2", "unsafe"),  # after env
        ("x != 3", "unsafe"),  # after trans
        ("x != 9", "safe"),  # within a block, not between two
        ("x != 4 && x != 5", "unsafe"),  # after the second env
        ("x <= 3", "unsafe"),
        ("! (x == 3 && n == 0)", "safe"),  # trans needs env before it
    ],
)
def test_env_and_trans_alternate_after_init(tmp_path: Path, prop: str, expected: str) -> None:
    text = (
        "var x : integer = 0 var n : integer = 0\n"
        "trans { assume x == 2 || x == 4; x := 9; x := 3; }\n"
        "init { x := 1; }\n"
        "env { assume n < 2; n := n + 1; choice { assume x == 1; x := 2; } or { assume x == 3; x := 4; } }\n"
        f"prop {{ {prop} }}\n"
    )
    assert verdict(tmp_path, "xsts", text) == expected


@pytest.mark.parametrize(
    ("trans", "prop", "expected"),
    [
        # All assumptions of a branch must hold, the nested and the later ones included.
        ("choice { x := 1; assume false; } or { x := 2; }", "x != 1", "safe"),
        ("choice { x := 1; choice { assume false; } or { assume x == 2; } } or { x := 2; }", "x != 1", "safe"),
        ("choice { x := 1; } or { x := 2; } assume x == 2;", "x != 1", "safe"),
        ("choice { x := 1; }", "x != 1", "unsafe"),
        # Without a branch that can be taken there is no step at all.
        ("y := 1; choice { assume false; }", "y != 1", "safe"),
        ("if (x == 0) x := 5; else x := 7;", "x == 0 || x == 5 || x == 7", "safe"),
        ("if (x == 0) x := 5;", "x != 5", "unsafe"),
        ("if (x == 1) assume false; x := 5;", "x != 5", "unsafe"),
        # The upper bound of a loop is not included, and both bounds count as they were.
        ("x := 0; for i from 1 to 4 do x := x + i;", "x == 0 || x == 6", "safe"),
        ("x := 0; y := 3; for i from 0 to y do { y := y - 1; x := x + 1; }", "x == 0 || x == 3 && y == 0", "safe"),
        ("x := 0; for i from 0 to 3 do { x := x + 1; i := 7; }", "x == 0 || x == 3", "safe"),
        ("x := 0; for i from 3 to 0 do x := 1;", "x == 0", "safe"),
        ("x := 0; for i from 0 to 100 do x := x + 1;", "x == 0 || x == 100", "safe"),
        ("{ local var t : integer = x; x := t + 1; } x := x - 1;", "x == 0", "safe"),
        ("local var t : integer; x := t;", "x != 5", "unsafe"),
        ("havoc x; assume x > 3;", "x == 0 || x > 3", "safe"),
        ("x := -5 % 3; y := -5 rem 3;", "x == 0 || x == 1 && y == 1", "safe"),
        ("x := if y == 0 then 4 else 5;", "x != 4", "unsafe"),
        ("assume !(x == 1) && (x == 0 => y == 0) && (true xor false); x := 0;", "x == 0", "safe"),
    ],
)
def test_statements(tmp_path: Path, trans: str, prop: str, expected: str) -> None:
    assert verdict(tmp_path, "xsts", chart(trans, prop)) == expected


MODES = "type Mode : { OFF, ON, BROKEN } type Other : { OFF, LOW }\nvar m : Mode = OFF ctrl var o : Other = LOW "


@pytest.mark.parametrize(
    ("trans", "prop", "expected"),
    [
        ("m := ON; o := OFF;", "m != BROKEN", "safe"),
        ("m := ON;", "m != Mode.ON", "unsafe"),
        ("m := ON;", "OFF == m", "unsafe"),
        ("havoc m;", "m == OFF || m == ON || m == BROKEN", "safe"),
        ("havoc m;", "m != BROKEN", "unsafe"),
        ("assume o == OFF; m := ON;", "m == OFF", "safe"),
        ("local var t : Mode; m := t;", "m == OFF || m == ON || m == BROKEN", "safe"),
        ("m := if o == LOW then ON else OFF;", "m != ON", "unsafe"),
    ],
)
def test_literals_belong_to_the_type_they_meet(tmp_path: Path, trans: str, prop: str, expected: str) -> None:
    assert verdict(tmp_path, "xsts", chart(trans, prop, MODES)) == expected


def test_a_variable_without_a_value_is_any_of_its_type(tmp_path: Path) -> None:
    declared = "type Mode : { OFF, ON } var m : Mode var x : integer "
    assert verdict(tmp_path, "xsts", chart("", "m == OFF || m == ON", declared)) == "safe"
    assert verdict(tmp_path, "xsts", chart("", "m == OFF", declared)) == "unsafe"
    assert verdict(tmp_path, "xsts", chart("", "x != 12", declared)) == "unsafe"


def test_arrays(tmp_path: Path) -> None:
    declared = (
        "type C : { R, G } var a : [integer] -> integer = [0 <- 7, default <- 1] var c : [integer] -> C var x : C = R "
    )
    assert verdict(tmp_path, "xsts", chart("a[2] := a[0] + 1;", "a[2] == 1 || a[2] == 8", declared)) == "safe"
    assert verdict(tmp_path, "xsts", chart("a := a[2 <- 5];", "a[2] != 5", declared)) == "unsafe"
    assert verdict(tmp_path, "xsts", chart("x := c[3];", "x == R || x == G", declared)) == "safe"
    assert verdict(tmp_path, "xsts", chart("x := c[3];", "x == R", declared)) == "unsafe"


def test_alternatives_of_a_set_and_declarations_in_terms_of_others(tmp_path: Path) -> None:
    sets = "trans { x := x; } or { x := x + 1; y := y + 1; } init { } env { } or { }"
    text = f"var x : integer var y : integer = x + 1\n{sets}\n"
    assert verdict(tmp_path, "xsts", f"{text}prop {{ y == x + 1 }}") == "safe"
    assert verdict(tmp_path, "xsts", f"{text}prop {{ y != 4 }}") == "unsafe"


def test_whole_rounds_are_looked_at_early(tmp_path: Path) -> None:
    """K-induction has a turn after values and predicates, before both together, and executions have none: what a round
    does depends on what is chosen in it. Programs have a short look at each first."""
    assert BY_NAME["xsts"].load(Request("m", text=chart("x := x + 1;", "x < 7"))).model.cyclic
    names = [stage.name for stage in stages_of(Plan(), "int", Features(cyclic=True))]
    usual = [stage.name for stage in stages_of(Plan(), "int", Features())]
    looks = ["explicit", "kinduction", "lbe", "bmc"]
    assert usual[:7] == [*looks, "explicit", "lbe", "execution"]
    assert names == [*usual[4:6], "kinduction", *usual[7:]]


# ---- where the property is -----------------------------------------------------------------------------------

MODEL = "var x : integer = 0\ntrans { x := x + 1; } init { } env { }\n"


def write(folder: Path, **properties: str) -> Path:
    for name, condition in properties.items():
        (folder / f"{name}.prop").write_text(f"prop {{ {condition} }}\n")
    path = folder / "model.xsts"
    path.write_text(MODEL)
    return path


def test_the_property_may_stand_beside_the_model(tmp_path: Path) -> None:
    path = write(tmp_path, any_name="x >= 0")
    result = argosy.verify(path, time_limit=LIMIT, in_process=True)
    assert result.verdict == "safe" and result.answers[0]["text"] == "G (x >= 0)"


def test_the_one_with_the_name_of_the_model_comes_first(tmp_path: Path) -> None:
    path = write(tmp_path, a="x >= 0", model="x < 2", z="x >= 0")
    assert argosy.verify(path, time_limit=LIMIT, in_process=True).verdict == "unsafe"


def test_of_several_one_is_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, a="x >= 0", z="x < 2")
    with pytest.raises(InputError, match=r"which property.*a\.prop, z\.prop"):
        argosy.verify(path, time_limit=LIMIT, in_process=True)
    chosen = argosy.verify(path, time_limit=LIMIT, in_process=True, property=str(tmp_path / "z.prop"))
    assert chosen.verdict == "unsafe"


def test_the_model_itself_comes_before_a_file_with_another_name(tmp_path: Path) -> None:
    path = write(tmp_path, other="x >= 0")
    path.write_text(f"{MODEL}prop {{ x < 2 }}")
    assert argosy.verify(path, time_limit=LIMIT, in_process=True).verdict == "unsafe"
    given = argosy.verify(path, time_limit=LIMIT, in_process=True, property=str(tmp_path / "other.prop"))
    assert given.verdict == "safe"


def test_a_property_is_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, a="x >= 0")
    with pytest.raises(UsageError, match=r"FILE\.prop"):
        argosy.verify(path, property="unreach-call")


def test_mistakes_in_a_property_have_its_place(tmp_path: Path) -> None:
    path = write(tmp_path, model="y >= 0")
    with pytest.raises(InputError, match=r"model\.prop:1:8: y is not declared"):
        argosy.verify(path, in_process=True)


def test_without_a_property_there_is_no_question() -> None:
    assert complaint("xsts", MODEL).endswith("no property: give --property FILE.prop, or a .prop file beside the model")
