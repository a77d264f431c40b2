"""Plain text means what the term means, whatever it looks like."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from argosy.certify.plain import (
    FALSE,
    TRUE,
    Assert,
    Comment,
    Define,
    Instance,
    Joined,
    Names,
    Printer,
    Statement,
    both,
    either,
    equal,
    implied,
    negated,
)
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, variables
from tests.certify.smt import answers
from tests.logic.expressions import Expression, Valuation, assignment, expressions, valuations


def printed(statements: list[Statement], names: Names) -> str:
    printer = Printer(names)
    return "\n".join(line for statement in statements for line in printer.lines(statement))


@settings(max_examples=150, deadline=None)
@given(expressions(depth=4), valuations())
def test_the_text_of_a_term_has_its_value(expression: Expression, valuation: Valuation) -> None:
    terms, names = Terms(), Names()
    term = expression.term(terms)
    given = assignment(terms, valuation)
    try:
        value = evaluate(term, given)
    except ZeroDivisionError:
        return
    read = {variable: names.new(variable.name, variable.sort) for variable in variables(term)}
    fixed: list[Statement] = [Define(n, Instance(terms.const(given[v], v.sort), {})) for v, n in read.items()]
    same = equal(Instance(term, read), Instance(terms.const(value, term.sort), {}))
    assert answers(printed([*fixed, Assert(negated(same))], names) + "(check-sat)") == ["unsat"]
    assert answers(printed([*fixed, Assert(same)], names) + "(check-sat)") == ["sat"]


def deep(terms: Terms, x: Term, levels: int, *, shared: bool) -> Term:
    for number in range(levels):
        other = x if shared else terms.bv(number % 256, 8)
        x = terms.bit("bvmul" if number % 2 else "bvxor", terms.bit("bvadd", x, terms.bv(1, 8)), other)
    return x


@pytest.mark.parametrize("shared", [True, False])
def test_text_is_linear_in_the_graph_and_does_not_nest_deeply(shared: bool) -> None:
    terms, names = Terms(), Names()
    x = terms.var("x", bits(8))
    term = deep(terms, x, 3000, shared=shared)
    one, other = (Instance(term, {x: names.new(name, x.sort)}) for name in "xy")
    text = printed([Assert(equal(one, other))], names)
    assert len(text) < 1_000_000
    assert max(nesting(line) for line in text.splitlines()) < 60


def nesting(line: str) -> int:
    depth = most = 0
    for character in line:
        depth += {"(": 1, ")": -1}.get(character, 0)
        most = max(most, depth)
    return most


def test_no_rewriting() -> None:
    """A variable read as another one: what the constructors of terms would make of it is not looked at."""
    terms, names = Terms(), Names()
    x, y = terms.var("x", bits(8)), terms.var("y", bits(8))
    before = len(terms)
    one = names.new("same", bits(8))
    equality = terms.eq(x, y)
    built = len(terms)
    text = printed([Assert(Instance(equality, {x: one, y: one}))], names)
    assert text == "(assert (= same!1 same!1))" and built == before + 1 == len(terms)


def test_connectives() -> None:
    names = Names()
    p, q = names.new("p"), names.new("q")
    assert both(TRUE, p) == p == either(FALSE, p) and both() == TRUE and either() == FALSE
    statements: list[Statement] = [Comment("two\nlines"), Assert(implied(both(p, q), either(negated(p), equal(p, q))))]
    assert printed(statements, names) == "; two lines\n(assert (=> (and p!1 q!2) (or (not p!1) (= p!1 q!2))))"
    assert printed([Assert(Joined("and", (TRUE, FALSE)))], names) == "(assert (and true false))"


@pytest.mark.parametrize("name", ["a b", "and", "a|b", "a\\b", "", "0", "x'", "main::x", "=", "λ"])
def test_any_name_is_a_symbol(name: str) -> None:
    names = Names()
    one, other = names.new(name), names.new(name)
    truth = Terms().true
    text = printed([Define(one, Instance(truth, {})), Define(other, negated(one)), Assert(other)], names)
    assert answers(text + "(check-sat)") == ["unsat"] and one.sort is BOOL
