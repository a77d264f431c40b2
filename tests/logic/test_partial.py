"""Three-valued evaluation: what is decided holds under every completion of the state."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.partial import Other, compile_partial, reason
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assume, Cfa
from tests.models.automata import Sketch, automata, values


def completions(term_sorts: list[Term], partial: list[Any]) -> list[tuple[Any, ...]]:
    choices = []
    for variable, known in zip(term_sorts, partial, strict=True):
        possible = values(variable.sort)
        if known is None:
            choices.append(list(possible))
        elif isinstance(known, Other):
            choices.append([v for v in possible if v != known.excluded])
        else:
            choices.append([known])
    return list(product(*choices))


@given(cfa=automata(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_decided_condition_has_that_value_under_every_completion(cfa: Cfa, data: st.DataObject) -> None:
    variables = [v.term for v in cfa.variables]
    slots = {v: i for i, v in enumerate(variables)}
    partial = []
    for variable in variables:
        some = st.sampled_from(list(values(variable.sort)))
        others = st.nothing() if variable.sort is BOOL else some.map(Other)
        partial.append(data.draw(st.none() | some | others))
    for edge in cfa.edges:
        if isinstance(edge.operation, Assume):
            condition = edge.operation.condition
            decided = compile_partial(condition, slots)(partial)
            if decided is None:
                continue
            for full in completions(variables, partial):
                assert evaluate(condition, dict(zip(variables, full, strict=True))) == decided
            needed = reason(condition, partial, slots)
            weaker = [known if v in needed else None for v, known in zip(variables, partial, strict=True)]
            assert compile_partial(condition, slots)(weaker) == decided


def test_connectives_are_decided_by_one_part() -> None:
    sketch = Sketch(1, p=BOOL, q=BOOL)
    terms, p, q = sketch.terms, sketch.p, sketch.q
    slots = {p: 0, q: 1}
    assert compile_partial(terms.and_(p, q), slots)([False, None]) is False
    assert compile_partial(terms.or_(p, q), slots)([None, True]) is True
    assert compile_partial(terms.and_(p, q), slots)([True, None]) is None


def test_any_value_but_one_decides_equality_with_that_value_only() -> None:
    from argosy.logic.sorts import bits

    sketch = Sketch(1, x=bits(4))
    slots = {sketch.x: 0}
    assert compile_partial(sketch.is_(sketch.x, 3), slots)([Other(3)]) is False
    assert compile_partial(sketch.is_(sketch.x, 4), slots)([Other(3)]) is None
    assert compile_partial(sketch.plus(sketch.x, 1), slots)([Other(3)]) is None
    assert compile_partial(sketch.x, slots)([Other(3)]) == Other(3)
