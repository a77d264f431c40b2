"""VMT: what annotations mean, what is refused, and systems that are written and read again."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.vmt.reader import read_vmt
from argosy.logic.terms import Terms
from argosy.report.conversions import conversion_for
from argosy.session.run import read
from argosy.session.task import Task

HEAD = """(declare-fun x () Int) (declare-fun |x'| () Int)
(declare-fun stop () Bool)
(define-fun .x () Int (! x :next |x'|))
(define-fun start () Bool (! (= x 0) :init true))
(define-fun step () Bool (! (= |x'| (ite (or stop (> x 4)) x (+ x 1))) :trans true))
"""


def answers(directory: Path, text: str, suffix: str = ".vmt", strategy: str = "auto") -> list[str]:
    path = directory / f"system{suffix}"
    path.write_text(text, encoding="utf-8")
    result = argosy.verify(path, strategy, in_process=True, time_limit=30)
    assert result.certified, result.reason
    return [answer["verdict"] for answer in result.answers]


def test_several_properties_with_numbers(tmp_path: Path) -> None:
    text = HEAD + (
        "(define-fun a () Bool (! (<= x 5) :invar-property 1))\n"
        "(define-fun b () Bool (! (< x 5) :invar-property 0))\n(assert true)\n"
    )
    path = tmp_path / "system.vmt"
    path.write_text(text, encoding="utf-8")
    result = argosy.verify(path, in_process=True, time_limit=30)
    assert [(a["text"], a["verdict"]) for a in result.answers] == [("b", "unsafe"), ("a", "safe")]
    assert result.certified


def test_an_input_in_the_first_state_and_in_a_property(tmp_path: Path) -> None:
    """What has no next value is free in every step, the first one included."""
    text = HEAD.replace("(= x 0)", "(and stop (= x 0))")
    assert answers(tmp_path, text + "(define-fun p () Bool (! (or stop (> x 0)) :invar-property 0))") == ["unsafe"]
    never = "(define-fun p () Bool (! (or stop (>= x 0)) :invar-property 0))"
    assert answers(tmp_path, text + never) == ["safe"]


def test_a_bad_first_state_counts(tmp_path: Path) -> None:
    assert answers(tmp_path, HEAD + "(define-fun p () Bool (! (> x 0) :invar-property 0))") == ["unsafe"]


def test_nothing_is_read_after_the_end() -> None:
    asked = HEAD + "(define-fun p () Bool (! (< x 9) :invar-property 0))\n(exit)\n"
    system = read_vmt("m.vmt", asked + "(define-fun q () Bool (! (> x 9) :invar-property 1)) (nonsense)", Terms())
    assert [bad.name for bad in system.bad] == ["p"]


def test_a_relation_that_blocks(tmp_path: Path) -> None:
    text = HEAD.replace("(= |x'| (ite (or stop (> x 4)) x (+ x 1)))", "(and (< x 3) (> |x'| x) (<= |x'| (+ x 2)))")
    assert answers(tmp_path, text + "(define-fun p () Bool (! (< x 5) :invar-property 0))") == ["safe"]
    assert answers(tmp_path, text + "(define-fun p () Bool (! (< x 4) :invar-property 0))") == ["unsafe"]


@pytest.mark.parametrize("right", ["safe", "unsafe"])
def test_written_and_read_again(tmp_path: Path, right: str) -> None:
    bound = 5 if right == "safe" else 4
    path = tmp_path / "given.vmt"
    path.write_text(HEAD + f"(define-fun p () Bool (! (<= x {bound}) :invar-property 0))", encoding="utf-8")
    text = conversion_for("out.vmt").write(read(Task.of(str(path)), deep=True), {})
    assert isinstance(text, str)
    assert answers(tmp_path, text) == [right]


@pytest.mark.parametrize("reset", ["", " 1", " 2"])
def test_a_circuit_as_vmt_has_the_same_verdict(tmp_path: Path, reset: str) -> None:
    """A latch that starts as 0, as 1 and as anything, toggles; under the constraint that its input is what it is."""
    circuit = f"aag 2 1 1 0 0 1 1\n2\n4 5{reset.replace('2', '4')}\n4\n2\n"
    path = tmp_path / "toggle.aag"
    path.write_text(circuit, encoding="utf-8")
    text = conversion_for("out.vmt").write(read(Task.of(str(path)), deep=True), {})
    assert isinstance(text, str)
    assert answers(tmp_path, text) == answers(tmp_path, circuit, ".aag")


WRONG = {
    "": (1, 1),
    "(declare-fun x () Int)": (1, 1),
    "(declare-fun x () Int)\n(define-fun s () Int (! x :next y))": (2, 27),
    "(declare-fun x () Int)(declare-fun y () Bool)(define-fun s () Int (! x :next y))": (1, 72),
    HEAD + "(define-fun b () Bool (! true :init true))": (6, 31),
    HEAD + "(define-fun b () Bool (! true :invar-property x))": (6, 31),
    HEAD + "(define-fun b () Int (! x :invar-property 1))": (6, 25),
    HEAD + "(define-fun b () Bool (! (> |x'| 1) :invar-property 1))": (6, 26),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as wrong:
        read_vmt("test.vmt", text, Terms())
    assert (wrong.value.position.line, wrong.value.position.column) == WRONG[text], str(wrong.value)


REFUSED = {
    HEAD + "(define-fun l () Bool (! (> x 1) :live-property 0))": "live-property",
    HEAD + "(assert (> x 0))": "assertion",
    HEAD + "(define-fun b () Bool (not (! true :invar-property 1)))": "inside a term",
    HEAD + "(declare-fun f (Int) Int)": "declare-fun",
    HEAD + "(define-fun b () Bool (! (exists ((y Int)) (= x y)) :invar-property 1))": "quantifier",
    HEAD + "(define-fun b () Bool (! (= x (div 1 x)) :invar-property 1))": "zero",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_modelled_is_refused_by_name(text: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        read_vmt("test.vmt", text, Terms())
    assert REFUSED[text] in refused.value.what and refused.value.position.line == 6
