"""Formulas as people read them."""

from __future__ import annotations

import pytest

from argosy.report.infix import infix


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("true", "true"),
        ("(and (bvslt #xffffffff held) (not (bvslt #x00000000 held)))", "held > -1 && held <= 0"),
        ("(and (not (bvult |main::y| |main::x|)) (not (bvult |main::x| |main::y|)))", "main::x == main::y"),
        ("(not (bvult #b0 ((_ extract 0 0) |main::x|)))", "extract(main::x, 0, 0) <= 0"),
        ("(or (and a b) (and c (or d e)))", "(a && b) || (c && (d || e))"),
        ("(not (= (bvadd x #xffffffff) (bvmul #x00000002 y)))", "x - 1 != 2 * y"),
        ("(bvult x #xffffffff)", "x < 4294967295"),
        ("(bvslt x #xffffffff)", "x < -1"),
        ("(<= (+ x (* (- 2) y)) 5)", "x - 2 * y <= 5"),
        ("(not p)", "!p"),
        ("(not (and p q))", "!(p && q)"),
        ("(= (select a 3) 4)", "select(a, 3) == 4"),
        ("(let ((?1 (and a b))) (or ?1 c))", "(let ((?1 (and a b))) (or ?1 c))"),
    ],
)
def test_infix(text: str, shown: str) -> None:
    assert infix(text) == shown
