"""Three-valued evaluation: what is decided holds under every completion of the state."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.logic.partial import Other, compile_partial, reason
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, postorder, variables
from argosy.models.cfa import Assume, Cfa
from tests.logic.expressions import Expression, expressions
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
    sketch = Sketch(1, x=bits(4))
    slots = {sketch.x: 0}
    assert compile_partial(sketch.is_(sketch.x, 3), slots)([Other(3)]) is False
    assert compile_partial(sketch.is_(sketch.x, 4), slots)([Other(3)]) is None
    assert compile_partial(sketch.plus(sketch.x, 1), slots)([Other(3)]) is None
    assert compile_partial(sketch.x, slots)([Other(3)]) == Other(3)


def test_a_choice_needs_its_condition_and_what_that_chooses() -> None:
    sketch = Sketch(1, p=BOOL, x=bits(4), y=bits(4))
    terms, p, x, y = sketch.terms, sketch.p, sketch.x, sketch.y
    slots = {p: 0, x: 1, y: 2}
    choice = terms.bit("bvadd", terms.ite(p, x, y), terms.bv(1, 4))
    evaluate_ = compile_partial(choice, slots)
    assert evaluate_([True, 3, None]) == 4
    assert evaluate_([False, 3, None]) is None
    assert evaluate_([None, 3, 3]) == 4
    assert evaluate_([None, 3, 2]) is None
    assert evaluate_([True, Other(3), None]) is None
    assert compile_partial(terms.ite(p, x, y), slots)([True, Other(3), None]) == Other(3)
    assert reason(choice, [True, 3, 5], slots) == {p, x}
    assert reason(choice, [None, 3, 3], slots) == {x, y}


@given(expression=expressions(depth=4), data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_decided_term_has_that_value_under_every_completion(expression: Expression, data: st.DataObject) -> None:
    terms = Terms()
    term = expression.term(terms)
    names = sorted(variables(term), key=lambda v: v.id)
    if any(v.sort.kind not in ("bool", "bits") for sub in postorder(term) for v in [sub]):
        return
    slots = {v: i for i, v in enumerate(names)}
    complete = [data.draw(_value(v)) for v in names]
    partial = [value if data.draw(st.booleans()) else None for value in complete]
    decided = compile_partial(term, slots)(partial)
    if decided is None:
        return
    for _ in range(3):
        full = [data.draw(_value(v)) if known is None else known for v, known in zip(names, partial, strict=True)]
        assert evaluate(term, dict(zip(names, full, strict=True))) == decided
    needed = reason(term, partial, slots)
    weaker = [known if v in needed else None for v, known in zip(names, partial, strict=True)]
    assert compile_partial(term, slots)(weaker) == decided


def _value(variable: Term) -> st.SearchStrategy[Any]:
    return st.booleans() if variable.sort is BOOL else st.integers(0, (1 << variable.sort.width) - 1)
