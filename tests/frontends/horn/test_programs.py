"""Programs as Horn clauses, read again: the same verdict; the strategy ``horn`` on programs."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import UnsupportedError
from argosy.report.conversions import conversion_for
from argosy.session.run import read
from argosy.session.task import Task

from .reading import verdict

EXAMPLES = Path(__file__).parents[3] / "examples" / "c"

SUM = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;
int i = 0, s = 0; while (i < n) {{ s = s + 2; i = i + 1; }} if (s {test} 2 * n) reach_error(); return 0; }}
"""


def converted(path: Path, **options: str) -> str:
    text = conversion_for("out.smt2").write(read(Task.of(str(path), **options), deep=True), options)
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize("name", ["absolute", "lock", "lock_bug", "midpoint_bug", "traffic_light"])
def test_a_program_as_clauses_has_the_same_verdict(tmp_path: Path, name: str) -> None:
    path = EXAMPLES / f"{name}.c"
    direct = argosy.verify(path, in_process=True, time_limit=30).verdict
    assert verdict(tmp_path, converted(path), time_limit=30) == direct


@pytest.mark.parametrize(("test", "right"), [("!=", "safe"), ("==", "unsafe")])
def test_the_strategy_horn(tmp_path: Path, test: str, right: str) -> None:
    path = tmp_path / "sum.c"
    path.write_text(SUM.format(test=test), encoding="utf-8")
    result = argosy.verify(path, "horn", in_process=True, arithmetic="int", time_limit=60)
    assert (result.verdict, result.certified) == (right, True), result.reason
    if right == "unsafe":
        assert verdict(tmp_path, converted(path), strategy="bmc", time_limit=60) == right


def test_clauses_are_written_as_they_were_read(tmp_path: Path) -> None:
    path = tmp_path / "given.horn"
    path.write_text("p(X, Y) :- X = 1, Y > X. p(X) :- p(Y, X), X < 3. false :- p(X), X > 2.", encoding="utf-8")
    text = converted(path)
    assert "(declare-fun p (Int Int) Bool)" in text and "(declare-fun p_2 (Int) Bool)" in text
    assert verdict(tmp_path, text) == "safe"


def test_what_is_not_modelled_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "float.c"
    path.write_text(
        "extern void reach_error(void); int main(void) { long double d = 2; if (d * d > 2) reach_error(); return 0; }",
        encoding="utf-8",
    )
    with pytest.raises(UnsupportedError):
        converted(path)
