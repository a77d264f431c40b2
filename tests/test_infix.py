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
        ("(= (select a 3) 4)", "a[3] == 4"),
        ("(= (select (store a 1 2) (+ i 1)) 4)", "store(a, 1, 2)[i + 1] == 4"),
        ("(forall ((k (_ BitVec 32)) (j Int)) (or p (bvult (bvsub k #x00000005) n)))", "for all k, j: p || k - 5 < n"),
        ("(bvsub a (bvsub b c))", "a - (b - c)"),
        ("(let ((?1 (and a b))) (or ?1 c))", "(a && b) || c"),
        ("(let ((?1 (bvslt x #x00))) (let ((?2 (not ?1))) (or ?2 (and ?1 y))))", "x >= 0 || (x < 0 && y)"),
        ("(bvslt ((_ sign_extend 1) x) (bvadd ((_ zero_extend 1) y) #b111111111))", "x < y - 1"),
        ("(and (bvslt #xff k) (bvslt #xfe k) (not (bvslt #x06 k)) (not (bvslt #x07 k)))", "k > -1 && k <= 6"),
        ("(and (not (bvult #x06 k)) (bvult k #x06) (not (bvult k #x02)) (bvult #x01 k))", "k < 6 && k >= 2"),
        ("(and (bvslt k #x06) (bvult k #x05) (bvult j #x05))", "k < 6 && k < 5 && j < 5"),
    ],
)
def test_infix(text: str, shown: str) -> None:
    assert infix(text) == shown


def test_what_is_too_long_stays_as_it_is() -> None:
    text = "x"
    for number in range(40):
        text = f"(let ((?{number} {text})) (and ?{number} (not ?{number})))"
    assert infix(text) == text
