"""Closed forms of rounds agree with iteration, bit by bit, and mistakes in them are noticed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from argosy.logic.sorts import bits
from argosy.logic.terms import Terms
from argosy.models import closed_forms
from argosy.models.closed_forms import COUNT_WIDTH, NoClosedForm, closed_form
from tests.models.random_rounds import RandomRound, compared, disagreement

SEEDS = range(90)

# ``y`` gets what ``t`` was: what is set is looked at by a copy.
COPIES = (12235,)


@pytest.mark.parametrize("first", [0, 30, 60])
def test_random_rounds_agree_with_iteration(first: int) -> None:
    found = [0, 0]
    assert [wrong for seed in range(first, first + 30) if (wrong := compared(seed, found))] == []
    assert found[0] > 300


@pytest.mark.parametrize("seed", COPIES)
def test_rounds_that_were_wrong_once(seed: int) -> None:
    assert compared(seed, [0, 0]) is None


def _only_last(self: Any, op: str, left: Any, right: Any, wanted: bool) -> Any:
    atom = self._terms.app(op, (self._at(left, self._last), self._at(right, self._last)))
    return self._terms.and_(left.demand, right.demand, atom if wanted else self._terms.not_(atom))


def _only_first(self: Any, op: str, left: Any, right: Any, wanted: bool) -> Any:
    atom = self._terms.app(op, (left.base, right.base))
    return self._terms.and_(left.demand, right.demand, atom if wanted else self._terms.not_(atom))


MUTANTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "guards in the last round only": ("_compared", _only_last),
    "guards in the first round only": ("_compared", _only_first),
    "wrap-around on the way": ("_goes_straight", lambda self, course, as_signed: self._terms.true),
    "one round less": ("_less_one", lambda self, count: self._terms.bit("bvsub", count, self._terms.bv(2, 32))),
    "the last round is the one after it": ("_less_one", lambda self, count: count),
    "squares that forget the half": ("_triangle", lambda self, round, width: self._sized(round, width)),
    "nobody reads what is set": ("_is_read", lambda self, variable: False),
    "every remainder stays": ("_divides", lambda self, number, course: True),
    "at least no round": ("_several", lambda self: self._terms.true),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mistakes_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, wrong = MUTANTS[name]
    monkeypatch.setattr(closed_forms._Rounds, attribute, wrong)
    assert any(compared(seed, [0, 0]) for seed in (*SEEDS, *COPIES))


def _counted(step: int, bound_below: bool, *, checked: bool) -> RandomRound:
    """x goes by a step while it is on one side of a bound; ``checked``: signed overflow is undefined."""
    terms = Terms()
    x, y, s, t = (terms.var(name, bits(4)) for name in "xyst")
    conditions = [terms.bit("bvslt", x, s) if bound_below else terms.bit("bvslt", s, x)]
    if checked:
        wide = terms.bit("bvadd", terms.sign_extend(x, 1), terms.bv(step, 5))
        conditions += (terms.bit("bvsle", terms.bv(-8, 5), wide), terms.bit("bvsle", wide, terms.bv(7, 5)))
    updates = ((x, terms.bit("bvadd", x, terms.bv(step, 4))), (y, terms.bit("bvadd", y, x)))
    return RandomRound(terms, (x, y, s, t), tuple(conditions), updates, terms.var("count", bits(COUNT_WIDTH)))


@pytest.mark.parametrize(("step", "bound_below"), [(1, True), (3, True), (-1, False), (-2, False), (1, False)])
def test_rounds_that_do_not_wrap_are_all_taken(step: int, bound_below: bool) -> None:
    """Where overflow is undefined, the closed form is exact: it can be taken wherever the rounds can."""
    round = _counted(step, bound_below, checked=True)
    found = [0, 0]
    form = closed_form(round.terms, round.conditions, round.updates, round.count)
    states = [(x, y, s, 0) for x, y, s in product(range(16), (0, 5), range(16))]
    assert disagreement(round, form, states, found) is None
    assert found[0] > 50 and found[1] == 0


def test_what_wraps_is_left_to_the_loop() -> None:
    """An unsigned number that wraps while its bound is met: neither taken wrongly nor forgotten before it wraps."""
    terms = Terms()
    x, y, s, t = (terms.var(name, bits(4)) for name in "xyst")
    updates = ((x, terms.bit("bvadd", x, terms.bv(5, 4))),)
    round = RandomRound(terms, (x, y, s, t), (terms.bit("bvult", x, s),), updates, terms.var("count", bits(32)))
    form = closed_form(terms, round.conditions, round.updates, round.count)
    found = [0, 0]
    assert disagreement(round, form, [(x, 0, s, 0) for x, s in product(range(16), repeat=2)], found) is None
    assert found[0] and found[1]


@pytest.mark.parametrize("op", ["bvmul", "bvxor", "bvshl", "bvlshr"])
def test_no_closed_form_is_guessed(op: str) -> None:
    terms = Terms()
    x, count = terms.var("x", bits(8)), terms.var("count", bits(COUNT_WIDTH))
    with pytest.raises(NoClosedForm):
        closed_form(terms, (), ((x, terms.bit(op, x, terms.bv(3, 8))),), count)
