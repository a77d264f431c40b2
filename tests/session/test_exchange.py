"""What others say is believed by nobody: it may help, and no lie changes a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from argosy.backends.contract import Plan
from argosy.backends.exchange import MOST, Hearsay, Learned
from argosy.backends.program import decide
from argosy.basics.records import replace
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Location, Reading
from argosy.models.reduce import reduce
from argosy.options.programs import InductionOptions
from argosy.problem.problem import Problem, Subject
from argosy.session.run import read
from argosy.session.task import Task
from argosy.strategies.bounded import bounded, invariants
from argosy.strategies.setting import Setting

EXAMPLES = Path(__file__).parents[2] / "examples" / "c"


class Told:
    """Says the same again and again, and keeps what it is told."""

    def __init__(self, *said: Learned) -> None:
        self.said = said
        self.kept: list[Learned] = []

    def tell(self, learned: Learned) -> None:
        self.kept.append(learned)

    def heard(self) -> Iterable[Learned]:
        return self.said


def lies(problem: Problem) -> Learned:
    """At every location: every number is 17, and so is the depth up to which there is no error."""
    cfa = problem.model.cfa
    terms = cfa.terms
    wrong = tuple(
        terms.eq(variable.term, terms.bv(17, variable.term.sort.width))
        for variable in cfa.variables
        if variable.term.sort.kind == "bits"
    )
    return Learned(dict.fromkeys(cfa.locations, wrong), problem.subjects[0], 17)


@pytest.mark.parametrize("strategy", ["lbe", "bmc", "kinduction", "product", "horn"])
@pytest.mark.parametrize(("name", "verdict"), [("lock.c", "safe"), ("lock_bug.c", "unsafe")])
def test_lies_change_no_verdict(strategy: str, name: str, verdict: str) -> None:
    if (strategy, verdict) == ("bmc", "safe"):
        return  # the loop has no bound
    problem = read(Task(str(EXAMPLES / name)))
    [answer] = decide(problem, Plan(strategy, exchange=Told(lies(problem))))
    assert (answer.verdict, answer.certificate is not None) == (verdict, True)


def test_what_is_tracked_is_told() -> None:
    problem = read(Task(str(EXAMPLES / "lock.c")))
    told = Told()
    decide(problem, Plan("lbe", exchange=told))
    assert any(learned.formulas for learned in told.kept)
    heads = problem.model.cfa.loop_heads
    assert all(location in heads for learned in told.kept for location in learned.formulas)


def test_candidates_are_shown_to_be_inductive_before_they_are_used(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "extern void reach_error(void); extern unsigned any(void);\n"
        "int main(void) { unsigned a = 7, b = 11, c, d = 0;\n"
        "while (c = any()) { d |= (a << 1) ^ b; a ^= c; b ^= c << 1; } if (d > 99) reach_error(); return 0; }\n"
    )
    program = read(Task(str(path))).model
    reading = Reading("undefined")
    cfa = reduce(program.cfa, reading=reading).cfa
    terms = cfa.terms
    [head] = cfa.loop_heads
    a, b = (v.term for v in cfa.variables if v.term.name.endswith(("::a", "::b")))
    right = terms.eq(terms.bit("bvxor", terms.bit("bvshl", a, terms.bv(1, 32)), b), terms.bv(5, 32))
    wrong = terms.eq(a, terms.bv(7, 32))
    setting = Setting(cfa, Solvers(terms, Counters()), reading, "bits", InductionOptions(induction=True))
    found = invariants(replace(setting, candidates={head: (wrong, right)}))
    assert right in conjuncts(found[head]) and wrong not in conjuncts(found[head])
    assert right not in conjuncts(invariants(setting).get(head, terms.true))


def test_a_bound_is_where_unwinding_begins_and_not_where_an_induction_does() -> None:
    program = read(Task(str(EXAMPLES / "lock.c"))).model
    reading = Reading("undefined")
    cfa = reduce(program.cfa, reading=reading).cfa
    for induction, begun in ((False, 9), (True, 1)):
        options = InductionOptions(induction=induction)
        setting = Setting(cfa, Solvers(cfa.terms, Counters()), reading, "bits", options, depth=9)
        assert bounded(setting).precision.heads == begun


def test_things_are_told_once_and_depths_are_those_of_a_subject() -> None:
    terms, place = Terms(), Location(0)
    formulas = [terms.le(terms.var("x", INT), terms.integer(number)) for number in range(MOST + 2)]
    one, two = Subject("query", "p"), Subject("query", "p")
    told = Told(Learned({place: tuple(formulas)}, one, 3), Learned(subject=one, depth=5))
    hearsay = Hearsay(told)
    hearsay.tell({place: formulas[:1]})
    hearsay.tell({place: formulas[:1]})
    hearsay.tell({place: formulas[:2]})
    assert [list(learned.formulas[place]) for learned in told.kept] == [formulas[:1], formulas[1:2]]
    hearsay.listen()
    assert (hearsay.depth(one), hearsay.depth(two)) == (5, 0)
    assert list(hearsay.formulas()[place]) == formulas
