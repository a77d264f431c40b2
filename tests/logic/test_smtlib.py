"""SMT-LIB text: what is printed is read back as the same term; everything else is read or refused with its place."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from argosy.logic import smtlib_operators, smtlib_printer
from argosy.logic.smtlib import SmtLibError, declarations, parse_sort, parse_term, to_smtlib
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, variables
from tests.logic.expressions import Expression, expressions


def named(term: Term) -> dict[str, Term]:
    return {v.name: v for v in variables(term)}


@settings(max_examples=300, deadline=None)
@given(expressions(depth=4))
def test_round_trip(expression: Expression) -> None:
    terms = Terms()
    term = expression.term(terms)
    assert parse_term(terms, to_smtlib(term), named(term)) is term


def test_a_choice_of_constants_is_compared_the_same_way_however_it_came_about() -> None:
    terms = Terms()
    p = terms.var("p", BOOL)
    for sort in (INT, REAL):
        zero, one = terms.const(0, sort), terms.const(1, sort)
        choice = terms.ite(p, zero, one)
        assert terms.le(terms.neg(choice), zero) is terms.true
        assert terms.lt(terms.neg(choice), zero) is terms.not_(p)
        assert terms.eq(terms.mul(terms.const(2, sort), choice), terms.const(2, sort)) is terms.not_(p)


def test_shared_terms_stay_small_and_come_back() -> None:
    terms = Terms()
    x, clash = terms.var("x", bits(8)), terms.var("?1", bits(8))
    term = terms.bit("bvadd", x, clash)
    for i in range(2000):
        term = terms.bit("bvxor", terms.bit("bvmul", term, term), terms.bv(i % 7 + 1, 8))
    text = to_smtlib(term)
    assert len(text) < 200_000
    assert parse_term(terms, text, named(term)) is term


@pytest.mark.parametrize("name", ["and", "let", "true", "_", "f::x", "x y", "", "bvadd", "x@3", "3x", "+", "#x1", "é"])
def test_names_are_quoted_where_needed(name: str) -> None:
    terms = Terms()
    x, p = terms.var(name, INT), terms.var(name, BOOL)
    term = terms.le(terms.add(x, terms.integer(3)), terms.mul(x, x))
    assert parse_term(terms, to_smtlib(term), {name: x}) is term
    assert parse_term(terms, to_smtlib(p), {name: p}) is p


def test_names_without_a_symbol_are_refused() -> None:
    with pytest.raises(ValueError, match="no symbol"):
        to_smtlib(Terms().var("a|b", BOOL))


def test_declarations() -> None:
    terms = Terms()
    text = declarations([terms.var("f::x", bits(8)), terms.var("a", array(INT, REAL))])
    assert text == "(declare-const |f::x| (_ BitVec 8))\n(declare-const a (Array Int Real))\n"


@pytest.mark.parametrize("sort", [BOOL, INT, REAL, bits(1), bits(64), array(INT, array(bits(3), BOOL))])
def test_sorts(sort: Sort) -> None:
    assert parse_sort(str(sort)) is sort


@pytest.mark.parametrize("text", ["Foo", "(_ BitVec 0)", "(Array Int)", "(_ BitVec x)", "()", "|Int|", ""])
def test_bad_sorts(text: str) -> None:
    with pytest.raises(SmtLibError):
        parse_sort(text)


# text over integers x, y, rationals r, s, booleans p, q; and what it means
ARITHMETIC = [
    ("(=> p q (> x y))", lambda v: not v["p"] or not v["q"] or v["x"] > v["y"]),
    ("(xor p q (= x y))", lambda v: v["p"] ^ v["q"] ^ (v["x"] == v["y"])),
    ("(distinct x y 1)", lambda v: len({v["x"], v["y"], 1}) == 3),
    ("(distinct p q)", lambda v: v["p"] != v["q"]),
    ("(= p q (< x y))", lambda v: v["p"] == v["q"] == (v["x"] < v["y"])),
    ("(< x y 2)", lambda v: v["x"] < v["y"] < 2),
    ("(>= x y (- 1))", lambda v: v["x"] >= v["y"] >= -1),
    ("(<= (- x) (- x y 1))", lambda v: -v["x"] <= v["x"] - v["y"] - 1),
    ("(= (* 2 x y) (+ x y x))", lambda v: 2 * v["x"] * v["y"] == 2 * v["x"] + v["y"]),
    ("(= (abs x) y)", lambda v: abs(v["x"]) == v["y"]),
    ("(= (mod x 3) (div y (- 2)))", lambda v: v["x"] % 3 == -(v["y"] // 2)),
    ("((_ divisible 3) x)", lambda v: v["x"] % 3 == 0),
    ("(ite (= x 1) p (not p))", lambda v: v["p"] == (v["x"] == 1)),
    ("(let ((x y) (y x)) (< x (+ y 1)))", lambda v: v["y"] < v["x"] + 1),
    ("(let ((z (+ x 1))) (let ((z (+ z z))) (= z y)))", lambda v: 2 * (v["x"] + 1) == v["y"]),
    ("(let ((p (= x 1))) (or (let ((p q)) p) p))", lambda v: v["q"] or v["x"] == 1),
    ("(! (> x 1) :named a)", lambda v: v["x"] > 1),
    ("(or false p)", lambda v: v["p"]),
    ("(and true true)", lambda v: True),
    ("(> (+ r 1) (/ x 2))", lambda v: v["r"] + 1 > v["x"] / 2),
    ("(= (/ 1 2) (* 0.25 r))", lambda v: v["r"] == 2),
    ("(is_int (* 0.5 r))", lambda v: v["r"] % 2 == 0),
    ("(= (to_int (* 0.5 r)) x)", lambda v: v["r"] // 2 == v["x"]),
    ("; a comment\n(=\n x ; another\n 1)", lambda v: v["x"] == 1),
]


@pytest.mark.parametrize(("text", "meaning"), ARITHMETIC, ids=[text for text, _ in ARITHMETIC])
def test_operators_that_terms_do_not_keep(text: str, meaning: object) -> None:
    assert callable(meaning)
    terms = Terms()
    sorts = {"x": INT, "y": INT, "r": REAL, "p": BOOL, "q": BOOL}
    named = {name: terms.var(name, sort) for name, sort in sorts.items()}
    term = parse_term(terms, text, named)
    for x, y, r, p, q in product(range(-3, 4), range(-3, 4), range(-2, 3), (False, True), (False, True)):
        values = {"x": x, "y": y, "r": r, "p": p, "q": q}
        assert evaluate(term, {named[name]: value for name, value in values.items()}) == meaning(values), values


def smod(a: int, b: int) -> int:
    """By the definition in the standard, width 3."""
    x, y = (a + 4) % 8 - 4, (b + 4) % 8 - 4
    return a if y == 0 else x % y % 8  # Python's remainder has the sign of the divisor


BITS = [
    ("(bvugt a b)", lambda a, b: a > b),
    ("(bvuge a b)", lambda a, b: a >= b),
    ("(bvsgt a b)", lambda a, b: a ^ 4 > b ^ 4),
    ("(bvsge a b)", lambda a, b: a ^ 4 >= b ^ 4),
    ("(= (bvnand a b) #b101)", lambda a, b: 7 - (a & b) == 5),
    ("(= (bvnor a b) #b001)", lambda a, b: 7 - (a | b) == 1),
    ("(= (bvxnor a b) (_ bv3 3))", lambda a, b: 7 - (a ^ b) == 3),
    ("(= (bvcomp a b) #b1)", lambda a, b: a == b),
    ("(= (bvadd a b a) b)", lambda a, b: 2 * a % 8 == 0),
    ("(= (bvsmod a b) #b010)", lambda a, b: smod(a, b) == 2),
    ("(= (bvsmod a b) #b110)", lambda a, b: smod(a, b) == 6),
    ("(= ((_ bit2bool 1) a) ((_ bit2bool 2) b))", lambda a, b: (a >> 1 & 1) == b >> 2),
    ("(= ((_ rotate_left 1) a) b)", lambda a, b: (a << 1 | a >> 2) % 8 == b),
    ("(= ((_ rotate_right 4) a) b)", lambda a, b: a >> 1 | (a & 1) << 2 == b),
    ("(= ((_ repeat 2) a) (concat b a))", lambda a, b: a == b),
    ("(= ((_ extract 2 1) a) ((_ extract 1 0) b))", lambda a, b: a >> 1 == b % 4),
    ("(= ((_ zero_extend 1) a) ((_ sign_extend 1) b))", lambda a, b: a == b and a < 4),
    ("(= (concat a b a) #b101110101)", lambda a, b: a == 5 and b == 6),
    ("(= (select (store ((as const (Array (_ BitVec 3) (_ BitVec 3))) a) b #b000) #b010) #b001)",
     lambda a, b: b != 2 and a == 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), BITS, ids=[text for text, _ in BITS])
def test_bit_operators_that_terms_do_not_keep(text: str, meaning: object) -> None:
    assert callable(meaning)
    terms = Terms()
    a, b = terms.var("a", bits(3)), terms.var("b", bits(3))
    term = parse_term(terms, text, {"a": a, "b": b})
    for x, y in product(range(8), range(8)):
        assert evaluate(term, {a: x, b: y}) == meaning(x, y), (x, y)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected"),
        ("(and p", 1, 1, "'(' without"),
        ("p)", 1, 2, "text after"),
        (")", 1, 1, "')' without"),
        ("(and p\n  (foo x 1))", 2, 4, "unknown operator foo"),
        ("(< x\n z)", 2, 2, "unknown symbol z"),
        ("(and x p)", 1, 1, "expected Bool"),
        ("(or p (+ x p))", 1, 7, "expected a number"),
        ("(bvadd a x)", 1, 1, "expected a bit-vector"),
        ("(= a #x00)", 1, 1, "sorts differ"),
        ("((_ extract 8 0) a)", 1, 1, "no such bits"),
        ("(not p p)", 1, 1, "2 arguments"),
        ("(exists ((x Int)) p)", 1, 1, "not supported"),
        ("(let ((x 1) (x 2)) p)", 1, 13, "bound twice"),
        ("(let () p)", 1, 1, "not supported"),
        ("(select x 1)", 1, 1, "no index"),
        ("(_ bv3 0)", 1, 1, "at least one bit"),
        ("((as const Int) 1)", 1, 1, "array sort"),
        ("()", 1, 1, "empty list"),
        ("(p)", 1, 1, "arguments"),
        ('"text"', 1, 1, "not a term"),
        ("(< x [)", 1, 6, "unexpected character"),
        ("(|and| p p)", 1, 2, "not an operator"),
        ("(p q)", 1, 2, "unknown operator p"),
    ],
)
def test_errors_say_where(text: str, line: int, column: int, message: str) -> None:
    terms = Terms()
    sorts = {"x": INT, "p": BOOL, "q": BOOL, "a": bits(3)}
    with pytest.raises(SmtLibError, match=message.replace("(", r"\(").replace(")", r"\)")) as caught:
        parse_term(terms, text, {name: terms.var(name, sort) for name, sort in sorts.items()})
    assert (caught.value.line, caught.value.column) == (line, column)


def test_deep_text_does_not_recurse() -> None:
    terms = Terms()
    p = terms.var("p", BOOL)
    assert parse_term(terms, "(not " * 30_001 + "p" + ")" * 30_001, {"p": p}) is terms.not_(p)


def test_the_printer_quotes_the_names_of_all_operators() -> None:
    """It has a list of its own, so that terms, which it prints, do not depend on what builds them."""
    assert smtlib_operators.OPERATORS.keys() == smtlib_printer.OPERATORS
    for word in smtlib_printer.OPERATORS | smtlib_printer.RESERVED:
        assert smtlib_printer.symbol(word) == f"|{word}|"
