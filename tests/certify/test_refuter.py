"""Two solvers must agree, and what they said is remembered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from argosy.basics.budget import UNLIMITED
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.certify.refuter import Disagreement, Refuter
from argosy.logic.solver import Counters, Satisfiability, Solver
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Reading
from tests.certify.automata import Builder


class Saying:
    """A solver that gives one answer to everything."""

    def __init__(self, name: str, answer: Satisfiability) -> None:
        self.name = name
        self.answer = answer

    def push(self) -> None: ...
    def pop(self) -> None: ...
    def add(self, term: Term) -> None: ...
    def check(self, assumptions: Sequence[Term] = ()) -> Satisfiability:
        return self.answer

    def core(self) -> list[Term]:
        return []


class Two(Solvers):
    """The first solver is real; the second says what it is told to say."""

    second = Satisfiability.UNSAT

    def create(self, work: str, *args: object, **options: object) -> Solver:
        if work == "second-opinion":
            return Saying("second", self.second)  # type: ignore[return-value]
        return super().create(work, *args, **options)  # type: ignore[arg-type]


def refuter(terms: Terms, second: Satisfiability) -> Refuter:
    solvers = Two(terms, Counters())
    solvers.second = second
    return Refuter(terms, solvers, "bits", UNLIMITED, second_opinion=True)


def contradiction(terms: Terms) -> Term:
    x = terms.var("x", bits(8))
    return terms.and_(terms.bit("bvult", x, terms.bv(3, 8)), terms.bit("bvult", terms.bv(5, 8), x))


def test_a_second_solver_that_agrees_is_named() -> None:
    terms = Terms()
    both = refuter(terms, Satisfiability.UNSAT)
    assert both.refute([contradiction(terms)]) is Satisfiability.UNSAT
    assert both.agreeing == ("bitwuzla", "second")


def test_a_second_solver_that_knows_nothing_is_not_named() -> None:
    terms = Terms()
    one = refuter(terms, Satisfiability.UNKNOWN)
    assert one.refute([contradiction(terms)]) is Satisfiability.UNSAT
    assert one.agreeing == ("bitwuzla",)


def test_solvers_that_disagree_prove_nothing() -> None:
    terms = Terms()
    with pytest.raises(Disagreement, match="bitwuzla and second"):
        refuter(terms, Satisfiability.SAT).refute([contradiction(terms)])


def test_disagreement_is_no_certificate() -> None:
    b = Builder(3, 2)
    t = b.terms
    x = b.variable("x")
    b.edge(0, 1, Assign(x, t.bit("bvand", x, t.bv(7, 32))))
    b.edge(1, 2, Assume(t.bit("bvult", t.bv(7, 32), x)))
    cfa = b.build()
    solvers = Two(t, Counters())
    solvers.second = Satisfiability.SAT
    result = certify_safe(cfa, {}, solvers, Reading.WRAP, second_opinion=True)
    assert isinstance(result, NotCertified) and "disagree" in result.reason and not result.refuted
    solvers.second = Satisfiability.UNSAT
    assert isinstance(certify_safe(cfa, {}, solvers, Reading.WRAP, second_opinion=True), Certified)


def test_the_core_names_what_was_needed() -> None:
    terms = Terms()
    x = terms.var("x", bits(8))
    p, q = terms.var("p", BOOL), terms.var("q", BOOL)
    parts = [
        terms.implies(p, terms.bit("bvult", x, terms.bv(3, 8))),
        terms.implies(q, terms.bit("bvult", x, terms.bv(9, 8))),
        terms.bit("bvult", terms.bv(5, 8), x),
    ]
    one = Refuter(terms, Solvers(terms, Counters()), "bits", UNLIMITED, second_opinion=False)
    assert one.refute(parts) is Satisfiability.SAT
    assert one.refute(parts, [p, q]) is Satisfiability.UNSAT and list(one.core) == [p]


def test_an_answer_is_asked_for_once() -> None:
    terms = Terms()
    counters = Counters()
    one = Refuter(terms, Solvers(terms, counters), "bits", UNLIMITED, second_opinion=False)
    for _ in range(5):
        assert one.refute([contradiction(terms)]) is Satisfiability.UNSAT
        one.renew()
    assert one.refute([terms.false]) is Satisfiability.UNSAT
    assert counters.checks == one.queries == 1


@pytest.mark.parametrize("reachable", [None, 3, 150])
def test_a_long_disjunction_is_asked_about_in_pieces(reachable: int | None) -> None:
    """As of an invariant of many clauses: x is below 7, and none of 200 alternatives allows that, but perhaps one. Each
    alternative needs a literal of its own."""
    terms = Terms()
    x = terms.var("x", bits(16))
    literals = [terms.var(f"b{number}", BOOL) for number in range(200)]
    values = [2 if number == reachable else 100 + number for number in range(200)]
    clauses = [
        terms.not_(
            terms.and_(
                terms.eq(x, terms.bv(value, 16)), terms.or_(terms.not_(literal), terms.bit("bvult", x, terms.bv(7, 16)))
            )
        )
        for value, literal in zip(values, literals, strict=True)
    ]
    solvers = Solvers(terms, Counters())
    asked = Refuter(terms, solvers, "bits", UNLIMITED, second_opinion=False)
    broken = terms.not_(terms.conjunction(clauses))
    expected = Satisfiability.UNSAT if reachable is None else Satisfiability.SAT
    assert asked.refute([broken], literals) is expected
    assert (solvers.counters.checks == 1) == (reachable == 3), "the first piece has it, or there are more"
    if reachable is None:
        assert set(asked.core) == set(literals), "every piece needs its own"
        assert Refuter(terms, solvers, "bits", UNLIMITED, second_opinion=False).refute([broken]) is Satisfiability.SAT


def test_products_are_collected() -> None:
    """What circuits of multipliers would have to be searched for; and what is no contradiction is none."""
    terms = Terms()
    s, i = terms.var("s", bits(64)), terms.var("i", bits(64))

    def claim(s: Term, i: Term) -> Term:
        square = terms.bit("bvmul", i, terms.bit("bvsub", i, terms.bv(1, 64)))
        return terms.eq(terms.bit("bvadd", s, s), square)

    one = Refuter(terms, Solvers(terms, Counters()), "bits", UNLIMITED, second_opinion=True)
    later = claim(terms.bit("bvadd", s, i), terms.bit("bvadd", i, terms.bv(1, 64)))
    assert one.refute([claim(s, i), terms.not_(later)]) is Satisfiability.UNSAT
    small = [terms.bit("bvult", each, terms.bv(9, 64)) for each in (s, i)]
    assert one.refute([claim(s, i), later, *small]) is Satisfiability.SAT
    wrong = claim(terms.bit("bvadd", s, terms.bv(1, 64)), i)
    assert one.refute([claim(s, i), terms.not_(wrong), *small]) is Satisfiability.SAT


@pytest.mark.parametrize("is_lost", [False, True])
def test_terms_are_collected_where_a_solver_divides_for_long(is_lost: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of three numbers is counted up, by remainders of a fourth: their sum is. A solver that has no answer in time
    is not needed."""
    terms = Terms()
    i, j, k, all_ = (terms.var(name, bits(32)) for name in "ijkn")

    def counted(condition: Term, number: Term) -> Term:
        return terms.ite(condition, terms.bit("bvadd", number, terms.bv(1, 32)), number)

    by_five, by_seven = (terms.eq(terms.bit("bvurem", all_, terms.bv(n, 32)), terms.bv(0, 32)) for n in (5, 7))
    others = terms.and_(terms.not_(by_five), terms.not_(by_seven))
    after = [
        counted(by_seven, i),
        counted(terms.and_(terms.not_(by_seven), by_five), j),
        counted(terms.false if is_lost else others, k),
    ]

    def total(numbers: Sequence[Term]) -> Term:
        return terms.bit("bvadd", terms.bit("bvadd", numbers[0], numbers[1]), numbers[2])

    solvers = Solvers(terms, Counters())
    monkeypatch.setattr(solvers, "create", lambda *_, **__: Saying("none", Satisfiability.UNKNOWN))
    one = Refuter(terms, solvers, "bits", UNLIMITED, second_opinion=False)
    before = terms.eq(all_, total((i, j, k)))
    later = terms.eq(terms.bit("bvadd", all_, terms.bv(1, 32)), total(after))
    answer = one.refute([before, terms.not_(later)])
    assert answer is (Satisfiability.UNKNOWN if is_lost else Satisfiability.UNSAT)
