"""What clauses mean, in all the shapes they are written in; both dialects of SMT-LIB, and Prolog's syntax."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.horn import clausify

from .reading import prolog, script, verdict

COUNTER = """(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
"""

# Each is satisfiable exactly if its name does not begin with "no".
SHAPES = {
    "implication to a constraint": "(assert (forall ((x Int)) (=> (p x) (<= x 5))))",
    "no: implication": "(assert (forall ((x Int)) (=> (p x) (<= x 4))))",
    "disjunction": "(assert (forall ((x Int)) (or (not (p x)) (<= x 5))))",
    "no: disjunction": "(assert (forall ((x Int)) (or (< x 5) (not (p x)))))",
    "no: not exists": "(assert (not (exists ((x Int)) (and (p x) (= x 5)))))",
    "not exists": "(assert (not (exists ((x Int)) (and (p x) (= x 6)))))",
    "exists in a body": "(assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (* 2 y)))) (<= x 10))))",
    "no: exists in a body": "(assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (* 2 y)))) (<= x 9))))",
    "no: nested quantifiers": "(assert (forall ((x Int)) (forall ((y Int)) (=> (p x) (=> (= y x) (< y 5))))))",
    "no: a conjunction on the right": "(assert (forall ((x Int)) (=> (p x) (and (>= x 0) (< x 5)))))",
    "a conjunction on the right": "(assert (forall ((x Int)) (=> (p x) (and (>= x 0) (< x 6)))))",
    "no: let": "(assert (forall ((x Int)) (let ((a (p x)) (b (< x 5))) (=> a b))))",
    "no: annotation": "(assert (! (forall ((x Int)) (! (=> (p x) (< x 5)) :pattern ((p x)))) :named c))",
    "no: a function": "(define-fun f ((x Int)) Bool (and (p x) (> x 4)))\n(assert (forall ((x Int)) (not (f x))))",
    "no: a shadowed name": "(assert (forall ((x Int)) (=> (p x) (forall ((x Int)) (=> (p x) (< x 5))))))",
    "no: if-then-else": "(assert (forall ((x Int)) (ite (> x 4) (not (p x)) true)))",
    "a fact that is false": "(assert (=> false (p 9)))\n(assert (forall ((x Int)) (=> (p x) (<= x 5))))",
    "no: a clause without predicates": "(assert (< 2 1))",
    "no: an exit": "(assert (forall ((x Int)) (=> (p x) (< x 5))))\n(check-sat)\n(exit)\n(garbage",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(tmp_path: Path, shape: str) -> None:
    if shape.endswith("exit"):
        with pytest.raises(InputError):
            script(COUNTER + SHAPES[shape])
        return
    expected = "unsafe" if shape.startswith("no:") else "safe"
    assert verdict(tmp_path, f"(set-logic HORN)\n{COUNTER}{SHAPES[shape]}\n(check-sat)\n") == expected


def test_predicates_without_arguments_are_predicates(tmp_path: Path) -> None:
    """Forgetting that ``q`` must be derived first refutes what is satisfiable."""
    text = "(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> q p))(assert (=> p false))"
    assert verdict(tmp_path, text) == "safe"
    assert verdict(tmp_path, text + "(assert q)") == "unsafe"
    both = "(declare-fun p () Bool)(declare-fun q () Bool)(assert p)(assert (=> (and p q) false))"
    assert verdict(tmp_path, both) == "safe"
    assert verdict(tmp_path, "p :- q. false :- p.", ".horn") == "safe"
    assert verdict(tmp_path, "q. p :- q. false :- p.", ".horn") == "unsafe"


def test_the_dialect_of_z3(tmp_path: Path) -> None:
    text = """(declare-rel p (Int)) (declare-rel bad ()) (declare-var x Int) (declare-var y Int)
    (rule (p 0)) (rule (=> (and (p x) (< x 3) (= y (+ x 1))) (p y)) step)
    """
    assert verdict(tmp_path, text + "(rule (=> (and (p x) (> x 3)) bad))(query bad)") == "safe"
    assert (
        verdict(tmp_path, text + "(rule (=> (and (p x) (> x 2)) bad))(query bad :print-certificate true)") == "unsafe"
    )
    assert verdict(tmp_path, text + "(query p)") == "unsafe"
    assert verdict(tmp_path, text + "(query (and (p x) (= x 4)))") == "safe"


def test_several_queries_have_answers_of_their_own(tmp_path: Path) -> None:
    from .reading import verify

    text = f"{COUNTER}(assert (forall ((x Int)) (=> (p x) (<= x 5))))\n(assert (forall ((x Int)) (=> (p x) (< x 2))))"
    result = verify(tmp_path, text, each=True)
    assert [answer["verdict"] for answer in result.answers] == ["safe", "unsafe"]
    assert [answer["line"] for answer in result.answers] == [4, 5]


SORTS = {
    "(declare-fun p (Bool) Bool)(assert (p true))(assert (forall ((b Bool)) (=> (p b) b)))": "safe",
    "(declare-fun p (Bool) Bool)(assert (p true))(assert (forall ((b Bool)) (=> (p b) (not b))))": "unsafe",
    "(declare-fun p ((_ BitVec 3)) Bool)(assert (p #b000))(assert (forall ((v (_ BitVec 3))) "
    "(=> (p v) (p (bvadd v #b010)))))(assert (not (p #b101)))": "safe",
    "(declare-fun p ((_ BitVec 3)) Bool)(assert (p #b000))(assert (forall ((v (_ BitVec 3))) "
    "(=> (p v) (p (bvadd v #b011)))))(assert (not (p #b101)))": "unsafe",
    "(declare-fun p (Real) Bool)(assert (p 1))(assert (forall ((x Real)) (=> (p x) (p (/ x 2)))))"
    "(assert (forall ((x Real)) (=> (p x) (> x 0.1))))": "unsafe",
    "(declare-fun p ((Array Int Int) Int) Bool)(assert (forall ((a (Array Int Int))) (p a 0)))"
    "(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 2)) (p (store a i 7) (+ i 1)))))"
    "(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= i 2)) (= (select a 1) 7))))": "safe",
    "(declare-fun p (Int (_ BitVec 2)) Bool)(assert (p 6 #b00))(assert (forall ((x Int) (v (_ BitVec 2))) "
    "(=> (p x v) (p x ((_ int2bv 2) x)))))(assert (forall ((x Int) (v (_ BitVec 2))) (=> (p x v) (< (bv2nat v) 2))))": (
        "unsafe"
    ),
}


@pytest.mark.parametrize("text", SORTS)
def test_sorts(tmp_path: Path, text: str) -> None:
    assert verdict(tmp_path, text) == SORTS[text]


# ---- several predicates in a body -----------------------------------------------------------------------------

LOOPS = "p(X) :- X = 0. p(Y) :- p(X), X < 3, Y = X + 1. q(X) :- X = 10. q(Y) :- q(X), X > 7, Y = X - 1. "


def test_clauses_that_need_two_predicates(tmp_path: Path) -> None:
    """Each predicate has a loop of its own, so that no resolution gets rid of one of them."""
    assert not prolog(LOOPS + "false :- p(X), q(Y), X = Y.").is_recursive
    assert verdict(tmp_path, LOOPS + "false :- p(X), q(Y), X + 4 = Y.", ".horn") == "unsafe"
    assert verdict(tmp_path, LOOPS + "false :- p(X), q(Y), X + 3 = Y.", ".horn") == "safe"
    assert verdict(tmp_path, LOOPS + "r(X,Y,Z) :- p(X), q(Y), p(Z). false :- r(X,Y,Z), X + Z = Y.", ".horn") == "safe"
    assert verdict(tmp_path, LOOPS + "false :- p(X), p(Y), X = Y + 3.", ".horn") == "unsafe"
    assert verdict(tmp_path, LOOPS + "false :- p(X), p(Y), X = Y + 4.", ".horn") == "safe"


MC91 = """m(N, R) :- N > 100, R = N - 10.
m(N, R) :- N =< 100, M = N + 11, m(M, S), m(S, R).
"""
FIB = "f(N, R) :- N < 2, R = 1. f(N, R) :- N >= 2, A = N - 1, B = N - 2, f(A, X), f(B, Y), R = X + Y. "


def test_clauses_that_need_themselves_twice(tmp_path: Path) -> None:
    assert prolog(MC91).is_recursive
    assert verdict(tmp_path, MC91 + "false :- m(N, R), N =< 101, \\+(R = 91).", ".horn") == "safe"
    assert verdict(tmp_path, FIB + "false :- f(N, R), R < 1.", ".horn") == "safe"
    assert verdict(tmp_path, FIB + "false :- f(N, R), N = 3, R = 3.", ".horn") == "unsafe"
    assert verdict(tmp_path, FIB + "false :- f(N, R), N = 4, R = 5.", ".horn", strategy="bmc") == "unsafe"


def test_prolog(tmp_path: Path) -> None:
    """Names are what their places make of them, and predicates have names with numbers of arguments."""
    text = "% a comment\np(x, y) :- x = 1, y = 2.\np(x) :- p(x, y), (x = y ; x + 1 = y). /* more */\n"
    assert verdict(tmp_path, text + "false :- p(Z), \\+(Z = 1).", ".horn") == "safe"
    assert verdict(tmp_path, text + "false :- p(x), x =\\= 2.", ".horn") == "unsafe"
    assert {str(p) for p in prolog(text).predicates} == {"p/2", "p/1"}
    assert verdict(tmp_path, "p(X) :- X = -7. false :- p(X), X / 2 = -4, X mod 2 = 1, X - 1 - 1 = -9.", ".horn") == (
        "unsafe"
    )
    assert verdict(tmp_path, "p(X, X). false :- p(1, Y), Y > 1.", ".horn") == "safe"


# ---- what is not read -----------------------------------------------------------------------------------------

WRONG = {
    "(assert": (1, 1),
    "(declare-fun p (Int) Bool)\n (assert (p 1 2))": (2, 10),
    "(declare-fun p (Int) Bool)\n (assert (q 1))": (2, 11),
    "(declare-fun p (Int) Bool)(declare-fun p () Bool)": (1, 27),
    "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (or (p x) (p (+ x 1)))))": (2, 1),
    "(declare-fun p (Integer) Bool)": (1, 17),
    "(declare-fun p ((_ BitVec 1000000000000)) Bool)": (1, 17),
    "(assert (= ((_ zero_extend 99999999999) #b1) #b1))": (1, 12),
    "(assert 1)": (1, 9),
    "assert": (1, 1),
    "(assert (let ((x 1) (x 2)) true))": (1, 21),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as wrong:
        script(text)
    assert (wrong.value.position.line, wrong.value.position.column) == WRONG[text], str(wrong.value)


NOT_MODELLED = {
    "(set-logic QF_LIA)": "logic",
    "(declare-datatypes ((t 0)) (((c))))": "declare-datatypes",
    "(declare-fun n () Int)": "no predicate",
    "(declare-fun f (Int) Int)": "no predicate",
    "(declare-fun p (String) Bool)": "String",
    "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (forall ((y Int)) (p y)) (p x))))": "forall",
    "(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y Int)) (p x (div x y))))": "zero",
    "(declare-fun p (Int) Bool)(assert (p (div 1 0)))": "zero",
    "(declare-fun p (Int) Bool)(check-sat)(assert (p 1))": "after check-sat",
    "(push 1)": "push",
    "(declare-fun p ((_ BitVec 4)) Bool)(assert (forall ((x (_ BitVec 4))) (=> (p x) (= (bv2int x) 1))))": "bv2int",
    "(define-funs-rec ((f ((x Int)) Int)) (x))": "define-funs-rec",
}


@pytest.mark.parametrize("text", NOT_MODELLED)
def test_what_is_not_modelled_is_refused_by_name(text: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        script(text)
    assert NOT_MODELLED[text] in refused.value.what and refused.value.position.line == 1


PROLOG_WRONG = {
    "p(X) :- q(X)": (1, 1),
    "p(X) :- q(X.": (1, 9),
    "p(X).\np(X) :- X = .": (2, 13),
    "p(X) :- X = 1 2.": (1, 15),
    "p(X) :- .": (1, 1),
    "p(p(X)) :- X = 1.": (1, 1),
    "X = 1 :- p(X).": (1, 1),
    "p(X)) :- X = 1.": (1, 5),
    "p(X) :- X & 1.": (1, 11),
    "": (1, 1),
}


@pytest.mark.parametrize("text", PROLOG_WRONG)
def test_what_is_wrong_in_prolog_is_said_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as wrong:
        prolog(text)
    assert (wrong.value.position.line, wrong.value.position.column) == PROLOG_WRONG[text], str(wrong.value)


DEEP = 5_000


def test_depth_is_no_obstacle() -> None:
    sum_ = "(+ 1 " * DEEP + "x" + ")" * DEEP
    assert len(script(f"(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p {sum_})))").clauses) == 1
    nots = "(not " * (2 * DEEP) + "(p 1)" + ")" * (2 * DEEP)
    assert len(script(f"(declare-fun p (Int) Bool)(assert {nots})").clauses) == 1
    ors = "(or false " * DEEP + "(p 1)" + ")" * DEEP
    assert len(script(f"(declare-fun p (Int) Bool)(assert {ors})").clauses) == 1
    binders = "(forall ((x Int)) " * DEEP + "(p x)" + ")" * DEEP
    assert len(script(f"(declare-fun p (Int) Bool)(assert {binders})").clauses) == 1
    assert len(prolog(f"p(X) :- {'(' * DEEP}X{'+1)' * DEEP} = 2.").clauses) == 1
    assert len(prolog("p(X) :- " + "\\+(" * DEEP + "X = 1" + ")" * DEEP + ".").clauses) == 1


def test_sorts_that_are_too_deep() -> None:
    with pytest.raises(InputError):
        script(f"(declare-fun p ({'(Array Int ' * DEEP}Int{')' * DEEP}) Bool)")


def test_functions_that_double_are_expanded_once() -> None:
    """A hundred functions, each of which uses the one before it twice."""
    steps = "".join(f"(define-fun f{i} ((x Int)) Int (+ (f{i - 1} x) (f{i - 1} x)))\n" for i in range(1, 101))
    text = f"(declare-fun p (Int) Bool)(define-fun f0 ((x Int)) Int x)\n{steps}(assert (forall ((x Int)) (p (f100 x))))"
    assert len(script(text).clauses) == 1


def test_conjunctions_that_multiply_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clausify, "MOST_CLAUSES", 500)
    parts = " ".join(f"(and (not (p {2 * i})) (not (p {2 * i + 1})))" for i in range(40))
    with pytest.raises(UnsupportedError):
        script(f"(declare-fun p (Int) Bool)(assert (or {parts}))")
