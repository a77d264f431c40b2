"""Guards and invariants against the formulas they come from."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import NOWHERE
from argosy.frontends.uppaal.constraints import guards, invariant
from argosy.models.network import Clock, Network, NetworkVariable, TimedLocation, TimedProcess
from argosy.models.network_expressions import TRUE, Binary, ClockAtom, Constant, Constraint, NetworkPlace, Read
from argosy.models.network_queries import And, ClockTest, Goal, Holds, Not, Or, StateFormula, goal_count, goals
from argosy.models.network_semantics import NetworkState, Semantics
from tests.frontends.uppaal.reading import network

NETWORK = Network(
    "n",
    (TimedProcess(0, "P", "P", (TimedLocation(0, "A"),), (), 0),),
    (NetworkVariable("i", 0, 2, 0), NetworkVariable("j", 0, 2, 0)),
    clocks=(Clock("0"), Clock("x"), Clock("y")),
)

_atoms = st.builds(
    lambda left, right, relation, bound: ClockTest(
        ClockAtom(NetworkPlace(left), NetworkPlace(right), relation, Constant(bound))
    ),
    st.integers(1, 2),
    st.just(0) | st.integers(1, 2),
    st.sampled_from(["<", "<=", "==", ">=", ">"]),
    st.integers(-2, 3),
)
_tests = st.builds(
    lambda slot, relation, value: Holds(Binary(relation, Read(NetworkPlace(slot)), Constant(value))),
    st.integers(0, 1),
    st.sampled_from(["<", "==", ">="]),
    st.integers(0, 2),
)
_formulas: st.SearchStrategy[StateFormula] = st.recursive(
    _atoms | _tests,
    lambda inner: (
        inner.map(Not)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: And(tuple(parts)))
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: Or(tuple(parts)))
    ),
    max_leaves=6,
)
_states = st.builds(
    lambda i, j, x, y: NetworkState((0,), (i, j), (Fraction(0), Fraction(x, 2), Fraction(y, 2))),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 8),
    st.integers(0, 8),
)


def meets(state: NetworkState, constraint: Constraint) -> bool:
    semantics = Semantics(NETWORK)
    return semantics.value(state, constraint.condition) != 0 and all(
        semantics.value(state, atom.condition) == 0 or semantics.satisfies(state, ClockTest(plain(atom)))
        for atom in constraint.atoms
    )


def plain(atom: ClockAtom) -> ClockAtom:
    return ClockAtom(atom.left, atom.right, atom.relation, atom.bound)


def reaches(state: NetworkState, goal: Goal) -> bool:
    return meets(state, Constraint(goal.condition, goal.atoms))


@settings(max_examples=300, deadline=None)
@given(_formulas, _states)
def test_guards_hold_where_the_formula_does(formula: StateFormula, state: NetworkState) -> None:
    expected = Semantics(NETWORK).satisfies(state, formula)
    assert any(meets(state, constraint) for constraint in guards(formula, NOWHERE)) is expected


@settings(max_examples=300, deadline=None)
@given(_formulas, _states)
def test_goals_hold_where_the_formula_does(formula: StateFormula, state: NetworkState) -> None:
    expected = Semantics(NETWORK).satisfies(state, formula)
    found = goals(formula)
    assert any(reaches(state, goal) for goal in found) is expected
    assert any(reaches(state, goal) for goal in goals(Not(formula))) is not expected
    assert len(found) <= goal_count(formula)


def constraints(guard: str) -> list[str]:
    model = network(
        f"clock x, y[2]; int i, k; process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; }}; }} system P;"
    )
    return [show(edge.guard) for edge in model.processes[0].edges]


def show(constraint: Constraint) -> str:
    def clock(place: NetworkPlace) -> str:
        name = ["0", "x", "y0", "y1"][place.base]
        return name + "".join("[...]" for _ in place.subscripts)

    def value(expression: object) -> str:
        return str(expression.value) if isinstance(expression, Constant) else "e"

    atoms = [
        f"{clock(a.left)}-{clock(a.right)}{a.relation}{value(a.bound)}" + ("" if a.condition == TRUE else "|c")
        for a in constraint.atoms
    ]
    return " ".join(([] if constraint.condition == TRUE else ["c"]) + atoms)


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("x < 5", ["x-0<5"]),
        ("5 < x", ["x-0>5"]),
        ("x - y[0] <= 3", ["x-y0<=3"]),
        ("x <= y[0] + 3", ["x-y0<=3"]),
        ("x + 2 >= y[0] + 3", ["x-y0>=1"]),
        ("3 >= x - y[1]", ["x-y1<=3"]),
        ("0 - 3 < x - 5", ["x-0>2"]),
        ("x == y[i]", ["x-y0[...]==0"]),
        ("x < 2 * i", ["x-0<e"]),
        ("1 <= x && x <= 2 && i > 0", ["c x-0>=1 x-0<=2"]),
        ("!(x < 5)", ["x-0>=5"]),
        ("x != 5", ["x-0<5", "x-0>5"]),
        ("x < 1 || x > 2", ["x-0<1", "x-0>2"]),
        ("i == 1 imply x <= 5", ["x-0<=5|c"]),
        ("i == 1 || (k == 2 && x <= 5 && x >= 1)", ["c x-0<=5|c x-0>=1|c"]),
        ("forall (n : int[0,1]) y[n] > n", ["y0-0>0 y1-0>1"]),
        ("exists (n : int[0,1]) y[n] > n", ["y0-0>0", "y1-0>1"]),
        ("(i > 0 ? x < 1 : x > 2)", ["c x-0<1", "c x-0>2"]),
        ("true imply x < 1", ["x-0<1"]),
        ("false imply x < 1", [""]),
        ("false && x < 1", []),
        ("x < 3, i == 2", ["c x-0<3"]),
    ],
)
def test_forms_of_guards(guard: str, expected: list[str]) -> None:
    assert constraints(guard) == expected


def test_invariant_under_a_condition() -> None:
    condition = Holds(Read(NetworkPlace(0)))
    atom = ClockTest(ClockAtom(NetworkPlace(1), NetworkPlace(0), "<=", Constant(5)))
    found = invariant(Or((Not(condition), atom)), NOWHERE)
    assert len(found.atoms) == 1
    assert found.atoms[0].condition != TRUE
