"""Solutions that are printed: a solver that knows nothing of us finds every clause valid, and no changed one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import z3

import argosy
from argosy.backends.clauses import solved
from argosy.basics.budget import Budget
from argosy.certify.solutions import is_solution
from argosy.logic.smtlib import parse_term
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers

from .reading import script
from .test_reading import FIB, MC91

LOOP = """(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun done () Bool)
(assert (forall ((n Int)) (=> (> n 0) (p 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (p i n) (< i n)) (p (+ i 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (p i n) (>= i n)) (q (- i n)))))
(assert (forall ((d Int)) (=> (and (q d) (not (= d 0))) done)))
(assert (=> done false))
"""
WORDS = """(declare-fun p ((_ BitVec 8) Bool) Bool)
(assert (p #x00 true))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) b) (p (bvadd x #x02) (bvult x #xf0)))))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (p x b) (= ((_ extract 0 0) x) #b0))))
"""


def valid(clauses: str, model: str) -> bool:
    """As anyone could check it: the definitions in place of the declarations, every assertion a consequence."""
    assertions = [line for line in clauses.splitlines() if line.startswith("(assert")]
    for assertion in assertions:
        solver = z3.Solver()
        solver.from_string(model + assertion.replace("(assert", "(assert (not", 1) + ")")
        if solver.check() != z3.unsat:
            return False
    return bool(assertions)


def printed(directory: Path, name: str, text: str, strategy: str) -> str:
    path, model = directory / name, directory / "model.smt2"
    path.write_text(text, encoding="utf-8")
    result = argosy.verify(path, strategy, exports={"model": str(model)}, time_limit=60)
    assert (result.verdict, result.certified) == ("safe", True), result.reason
    return model.read_text(encoding="utf-8")


@pytest.mark.parametrize("strategy", ["auto", "horn", "lbe", "kinduction"])
def test_solutions_are_solutions(tmp_path: Path, strategy: str) -> None:
    assert valid(LOOP, printed(tmp_path, "loop.smt2", LOOP, strategy))


def test_solutions_over_words(tmp_path: Path) -> None:
    assert valid(WORDS, printed(tmp_path, "words.smt2", WORDS, "auto"))


def test_solutions_of_clauses_that_need_themselves_twice(tmp_path: Path) -> None:
    from argosy.frontends.horn.prolog import read_prolog
    from argosy.logic.terms import Terms
    from argosy.models.clause_script import script as written

    for text in (MC91 + "false :- m(N, R), N =< 101, \\+(R = 91).", FIB + "false :- f(N, R), R < 1."):
        model = printed(tmp_path, "twice.horn", text, "auto")
        assert valid(written(read_prolog("", text, Terms())), model)


CHAIN = """(declare-fun p ((_ BitVec 8)) Bool)
(declare-fun q ((_ BitVec 8) Bool) Bool)
(declare-fun r ((_ BitVec 8)) Bool)
(assert (p #x00))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (p x) (= y (bvadd x #x02)) (bvult z #x05)) (q y (bvult y #x80)))))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (q x b) b) (r x))))
(assert (forall ((x (_ BitVec 8))) (=> (r x) (p x))))
(assert (forall ((x (_ BitVec 8))) (=> (p x) (= ((_ extract 0 0) x) #b0))))
"""


def test_solutions_of_what_spacer_puts_in_place_of_its_uses() -> None:
    """Its quantifiers are got rid of; what stands for itself alone under one is decided."""
    system = script(CHAIN)
    found = solved(system, system.predicates, Budget.of(20))
    assert len(found) == 3 and is_solution(system, found, Solvers(system.terms, Counters()), Budget.of(20))


def test_a_changed_solution_is_rejected(tmp_path: Path) -> None:
    model = printed(tmp_path, "loop.smt2", LOOP, "horn")
    changed = re.sub(r"Bool .*\)$", "Bool false)", model, count=1, flags=re.MULTILINE)
    assert changed != model and not valid(LOOP, changed)
    system = script(LOOP)
    solvers = Solvers(system.terms, Counters())
    p, q, done = system.predicates
    x, y = (system.terms.var(name, sort) for name, sort in zip("xy", p.sorts, strict=True))

    def interpreted(formula: str) -> bool:
        said = parse_term(system.terms, formula, {"x": x, "y": y})
        zero = parse_term(system.terms, "(= x 0)", {"x": x})
        solution = {p: ((x, y), said), q: ((x,), zero), done: ((), system.terms.false)}
        return is_solution(system, solution, solvers, Budget.of(20))

    assert interpreted("(and (<= 0 x) (<= x y) (< 0 y))")
    assert interpreted("(and (<= 0 x) (<= x y))")
    assert not interpreted("(<= 0 x)")
    assert not interpreted("(and (<= 0 x) (<= x (+ y 1)))")
    assert not interpreted("false")
