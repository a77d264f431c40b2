"""What the clauses of a file come out as."""

from __future__ import annotations

import pytest

from argosy.basics.errors import UnsupportedError
from argosy.logic.terms import Terms
from argosy.models.cfa import Assign, Assume, Havoc, Relation
from tests.frontends.armc.reading import HEAD, complaint, model, one_step

TWO = """
% two counters
:- multifile r/5, implicit_updates/0, var2names/2, preds/2, start/1, error/1.
refinement(inter). cube_size(1).
start(pc(main-0)). error(pc(main-err-0)). cutpoint(pc(main-1)).
preds(p(_, data(A, B)), [A >= B]).
preds(p(pc(main-1), data(A, B)), [A = 0, 1 = 1]).
var2names(p(pc(_), data(V1, V2)), [(V1, 'x'), (V2, 'y')]).
r(p(pc(main-0), data(V1, V2)), p(pc(main-1), data(V1p, V2p)), [], [V1p = 0, V2p = 0], 1).
stmtsrc(1, 'x=0; y=0;').
r(p(pc(main-1), data(V1, V2)), p(pc(main-1), data(V1p, V2p)), [V1 < 10], [V1p = V1 + 1, V2p = V2 + 2], 2).
r(p(pc(main-1), data(V1, V2)), p(pc(main-err-0), data(V1p, V2p)), [V2 > 2*V1], [V1p = V1, V2p = V2], 3).
strengthening(p(pc(main-1), data(V1, V2)), [V1 >= 0]).
"""


def test_a_model() -> None:
    terms = Terms()
    program = model(TWO, terms)
    cfa = program.cfa
    x, y = (v.term for v in cfa.variables)
    assert [v.name for v in cfa.variables] == ["x", "y"] == [x.name, y.name]
    assert [location.label for location in cfa.locations] == ["main-0", "main-1", "main-err-0"]
    assert (cfa.initial.label, cfa.error.label) == ("main-0", "main-err-0")
    assert [(e.source.label, e.target.label) for e in cfa.edges] == [
        ("main-0", "main-1"),
        ("main-1", "main-1"),
        ("main-1", "main-err-0"),
    ]
    assert [(e.position.line, e.text) for e in cfa.edges] == [
        (9, "x=0; y=0;"),
        (11, "x =< 9, x' = x + 1, y' = y + 2"),
        (12, "2*x - y =< -1"),
    ]
    guard = cfa.edges[2].operation
    assert guard == Assume(terms.gt(y, terms.mul(terms.integer(2), x)))
    tracked = terms.not_(terms.ge(x, y))  # an atom, of which x >= y is the negation
    assert program.predicates[cfa.locations[0]] == (tracked,)
    assert program.predicates[cfa.locations[1]] == (tracked, terms.eq(x, terms.integer(0)))
    [line] = program.ledger
    assert "strengthening/2 (1)" in line and "cutpoint/1 (1)" in line


def test_operations_are_as_simple_as_they_can_be() -> None:
    skip = one_step("", "Xp = X, Yp = Y")
    assert skip.edges[0].operation == Assume(skip.terms.true)
    step = one_step("", "Xp = X + 1, Yp = Y")
    variable = step.variables[0].term
    assert step.edges[0].operation == Assign(variable, step.terms.add(variable, step.terms.integer(1)))
    assert isinstance(one_step("", "Xp = X").edges[0].operation, Havoc)
    assert isinstance(one_step("", "").edges[0].operation, Relation)


def test_a_new_value_that_is_not_mentioned_is_arbitrary_or_the_old_one() -> None:
    free = one_step("X > 0", "Xp = X").edges[0].operation
    assert isinstance(free, Relation) and [old.name for old, _ in free.primed] == ["y"]
    same = one_step("X > 0", "", facts="implicit_updates. ").edges[0].operation
    assert isinstance(same, Assume)
    some = one_step("", "Yp > X", facts="implicit_updates. ").edges[0].operation
    assert isinstance(some, Relation) and [old.name for old, _ in some.primed] == ["y"]


def test_a_new_value_in_the_guards_is_mentioned_too() -> None:
    operation = one_step("Yp > X", "", facts="implicit_updates. ").edges[0].operation
    assert isinstance(operation, Relation) and [old.name for old, _ in operation.primed] == ["y"]


def test_values_may_be_written_in_their_places() -> None:
    same = one_step("", "Yp = Y", primed="X, Yp")
    assert same.edges[0].operation == Assume(same.terms.true)
    constant = one_step("", "Xp = X", data="X, 3", primed="Xp, 3")
    y = constant.variables[1].term
    three = constant.terms.eq(y, constant.terms.integer(3))
    relation = constant.edges[0].operation
    assert isinstance(relation, Relation) and three in relation.formula.args and relation.primed[0][0] is y
    equal = one_step("", "Xp = X, Yp = X", data="X, X", primed="Xp, Yp", facts="implicit_updates. ")
    relation = equal.edges[0].operation
    both = equal.terms.eq(*(v.term for v in equal.variables))
    assert isinstance(relation, Relation) and both in relation.formula.args
    kept = one_step("", "", data="X, _", primed="_, X", facts="implicit_updates. ").edges[0].operation
    assert isinstance(kept, Assign) and (kept.variable.name, kept.value.name) == ("y", "x")


def test_numbers_of_one_clause_only() -> None:
    cfa = one_step("", "Xp = X + D, D >= 0, D =< 3, Yp = Y")
    assert [v.name for v in cfa.variables] == ["x", "y", "D"]
    relation = cfa.edges[0].operation
    assert isinstance(relation, Relation) and len(relation.primed) == 2
    assert [v.name for v in one_step("", "Xp >= _, Yp = Y").variables] == ["x", "y", "any"]


def test_several_start_and_error_locations() -> None:
    text = """start(pc(a)). start(pc(b)). error(pc(c)). error(pc(d)).
    r(p(pc(a), data(X)), p(pc(c), data(Xp)), [], [], 1). r(p(pc(b), data(X)), p(pc(d), data(Xp)), [], [], 2)."""
    cfa = model(text).cfa
    assert {e.target.label for e in cfa.leaving[cfa.initial]} == {"a", "b"}
    assert {e.source.label for e in cfa.entering[cfa.error]} == {"c", "d"}


def test_locations_are_told_apart_as_terms() -> None:
    text = "start(pc(a-1)). error(pc('a-1')). r(p(pc(a-1), data), p(pc(f(2, [x])), data), [], [], 1)."
    text += " r(p(pc(f( 2,[x] )), data), p(pc('a-1'), data), [], [], 1)."
    assert len(model(text).cfa.locations) == 3


def test_an_error_that_nothing_leads_to_is_in_the_ledger() -> None:
    program = model("start(pc(a)). error(pc(z)). r(p(pc(a), data), p(pc(b), data), [], [], 1).")
    dead = "(dead ends that are not declared as errors: b)"
    assert program.ledger == (f"no transition leads to the error location z {dead}",)
    program = model("start(pc(a)). error(pc(z)). r(p(pc(a), data), p(pc(a), data), [], [], 1).")
    assert "no transition leads to the error location z" in program.ledger[0]


def test_names_that_differ_in_numbers_are_meant_to_differ() -> None:
    program = model("start(pc(a)). error(pc(error12)). r(p(pc(a), data), p(pc(error13), data), [], [], 1).")
    assert "error12" in program.ledger[0] and "error13" in program.ledger[0]
    step = "r(p(pc(a), data), p(pc(error), data), [], [], 1)."
    program = model(f"start(pc(a)). error(pc(errors)). error(pc(error)). {step}")
    assert program.ledger == ("no transition leads to the error location errors",)


def test_names_that_cannot_be_used_or_are_missing() -> None:
    text = HEAD + "var2names(p(_, data(A, B, C, D)), [(A, 'x@1'), (B, 'C'), (D, 'C')])."
    text += " r(p(pc(a), data(A, B, C, D)), p(pc(b), data(_, _, _, _)), [], [], 1)."
    cfa = model(text).cfa
    assert [v.name for v in cfa.variables] == ["x@1", "C", "v3", "C"]
    assert [v.term.name for v in cfa.variables] == ["v1", "C", "v3", "C_"]


R = "r(p(pc(a), data(X)), p(pc(b), data(Xp)), [], [], 1).\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (HEAD, "2:1: there is no transition r/5"),
        (f"start(pc(a)).\n{R}", "3:1: there is no error location: error(pc(NAME))"),
        (f"error(pc(b)).\n{R}", "3:1: there is no start location: start(pc(NAME))"),
        (f"start(pc(z)). error(pc(b)).\n{R}", "1:10: no transition mentions the location z"),
        (f"{HEAD}{R}preds(p(pc(z), data(X)), []).", "3:12: no transition mentions the location z"),
        (f"{HEAD}{R}r(p(pc(a), data(X)), p(pc(b), data(Xp)), [], []).", "3:1: r has 5 arguments, not 4"),
        (f"{HEAD}{R}start.", "3:1: start has 1 argument, not 0"),
        (f"{HEAD}{R}fancy(1).", "3:1: unknown clause fancy/1; known are "),
        (f"{HEAD}{R}Foo.", "3:1: a clause starts with a name"),
        (f"{HEAD}{R}r(q(pc(a), data(X)), p(pc(b), data(Y)), [], [], 1).", "3:3: expected a state"),
        (f"{HEAD}{R}r(p(a, data(X)), p(pc(b), data(Y)), [], [], 1).", "3:5: expected a location"),
        (f"{HEAD}{R}r(p(pc(a(X)), data(X)), p(pc(b), data(Y)), [], [], 1).", "3:10: a location cannot have"),
        (f"{HEAD}{R}r(p(pc(a), date(X)), p(pc(b), data(Y)), [], [], 1).", "3:12: expected data"),
        (f"{HEAD}{R}r(p(pc(a), data(X)), p(pc(b), data(Y)), X > 1, [], 1).", "3:43: expected a list"),
        (f"{HEAD}{R}r(p(pc(a), data(X, Z)), p(pc(b), data(Y)), [], [], 1).", "3:3: a state has 1 values here, not 2"),
        (f"{HEAD}{R}r(p(pc(a), data(X)), p(pc(b), data(Y)), [Z > 1], [], 1).", "3:42: Z is in neither state"),
        (f"{HEAD}{R}r(p(pc(a), data(X+1)), p(pc(b), data(Y)), [], [], 1).", "3:18: expected a variable or a number"),
        (f"{HEAD}{R}preds(p(_, data(X)), [Z > 1]).", "3:23: Z is not in the state"),
        (f"{HEAD}{R}preds(p(_, data(1)), []).", "3:17: expected a variable of its own"),
        (f"{HEAD}{R}var2names(p(_, data(X)), [(Z, 'z')]).", "3:28: Z is not in the state that is named"),
        (f"{HEAD}{R}var2names(p(_, data(X)), [x]).", "3:27: expected a pair"),
        (f"{HEAD}{R}numbers(real).", "3:9: numbers are integer or rational"),
        (f"{HEAD}{R}:- multifile r.", "3:14: multifile declares names with their arity"),
    ],
)
def test_what_is_no_model(text: str, what: str) -> None:
    assert complaint(text).startswith(f"m.armc:{what}")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"{HEAD}{R}:- use_module(library(clpq)).", "a directive other than :- multifile"),
        (f"{HEAD}r(p(pc(a), data(X)), p(pc(b), data(Y)), [], [], 1) :- X > 1.", "a clause with a body is not modelled"),
        (f"{HEAD}{R}atomic(1, 2, 3).", "atomic/3"),
        (f"{HEAD}r(p(_, data(X)), p(pc(b), data(Y)), [], [], 1).", "a transition of every location"),
        (f"{HEAD}r(p(pc(L), data(X)), p(pc(b), data(Y)), [], [], 1).", "a transition of every location"),
    ],
)
def test_what_is_not_modelled_is_refused(text: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match="m.armc:[23]:[0-9]+: " + what.replace("(", "\\(")):
        model(text)
