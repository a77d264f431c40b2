"""Claims about all indices: true ones certify, mutants do not, and the text of the certificate says ``forall``."""

from __future__ import annotations

import pytest

from argosy.certify import invariant
from argosy.certify.certificate import certificate_text
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.logic.smtlib import parse_term
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT, array
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Reading, Variable
from tests.certify.smt import answers


class Program:
    """Variables a (an array), i, n, m and x; edges as texts; location 1 is the loop head, 2 the error."""

    def __init__(self, *edges: tuple[int, int, str, str]) -> None:
        self.terms = Terms()
        self.names: dict[str, Term] = {name: self.terms.var(name, INT) for name in "inmxk"}
        self.names["a"] = self.terms.var("a", array(INT, INT))
        at = [Location(n) for n in range(1 + max(max(source, target) for source, target, _, _ in edges))]
        made = []
        for source, target, variable, text in edges:
            term = self.term(text)
            operation = Assign(self.names[variable], term) if variable else Assume(term)
            made.append(Edge(at[source], at[target], operation))
        variables = tuple(Variable(term, name) for name, term in self.names.items() if name != "k")
        self.cfa = Cfa(self.terms, at[0], at[2], tuple(at), tuple(made), variables)

    def term(self, text: str) -> Term:
        return parse_term(self.terms, text, self.names)

    def certify(self, claim: str, bound: str = "k") -> Certified | NotCertified:
        solvers = Solvers(self.terms, Counters())
        claims = {self.cfa.locations[1]: (self.term(claim),)}
        names = tuple(self.names[name] for name in bound)
        return certify_safe(self.cfa, claims, solvers, Reading.UNDEFINED, second_opinion=True, bound=names)


def fill() -> Program:
    return Program(
        (0, 1, "i", "0"),
        (1, 3, "", "(< i n)"),
        (3, 4, "a", "(store a i 0)"),
        (4, 1, "i", "(+ i 1)"),
        (1, 2, "", "(and (>= i n) (<= 0 x) (< x n) (not (= (select a x) 0)))"),
    )


def find() -> Program:
    """``a[m] = n; for (i = 0; a[i] != n; i++);`` does not get beyond m."""
    return Program(
        (0, 3, "i", "0"),
        (3, 4, "", "(<= 0 m)"),
        (4, 1, "a", "(store a m n)"),
        (1, 5, "", "(not (= (select a i) n))"),
        (5, 1, "i", "(+ i 1)"),
        (1, 2, "", "(and (= (select a i) n) (> i m))"),
    )


FILLED = "(=> (and (<= 0 k) (< k i)) (= (select a k) 0))"
FOUND = "(and (<= i m) (=> (= k m) (= (select a k) n)))"


def test_a_claim_about_all_indices_certifies() -> None:
    certified = fill().certify(FILLED)
    assert isinstance(certified, Certified) and certified.kind == "invariant"


@pytest.mark.parametrize(
    "mutant",
    [
        "(=> (and (<= 0 k) (<= k i)) (= (select a k) 0))",
        "(=> (< k i) (= (select a k) 0))",
        "(=> (and (<= 0 k) (< k i)) (= (select a k) 1))",
        "(=> (and (<= 0 k) (< k n)) (= (select a k) 0))",
        "(=> (and (<= 1 k) (< k i)) (= (select a k) 0))",
        "(=> (and (<= 0 k) (< (+ k 1) i)) (= (select a k) 0))",
        "(= (select a k) (select a k))",
    ],
)
def test_mutants_of_it_do_not(mutant: str) -> None:
    assert isinstance(fill().certify(mutant), NotCertified)


def test_a_claim_is_used_at_the_indices_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(find().certify(FOUND), Certified)
    assert isinstance(find().certify(FOUND.replace("(<= i m)", "(< i m)")), NotCertified)
    monkeypatch.setattr(invariant, "instances", lambda *_: [])
    assert isinstance(find().certify(FOUND), NotCertified)


def test_a_bound_variable_is_none_of_the_model() -> None:
    assert isinstance(fill().certify(FILLED.replace("k", "x"), "x"), NotCertified)
    unbound = fill().certify(FILLED, "")
    assert isinstance(unbound, NotCertified) and "k" in unbound.reason


def test_the_certificate_says_it_of_all_indices_and_another_parser_confirms_it() -> None:
    for program, claim in ((fill(), FILLED), (find(), FOUND)):
        certified = program.certify(claim)
        assert isinstance(certified, Certified) and certified.proof is not None
        text = certificate_text(certified.proof)
        assert "(forall ((" in text and "holds for all k" in text and "(set-logic ALL)" in text
        said = answers(text)
        assert said and set(said) == {"unsat"}
