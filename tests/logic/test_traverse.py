"""Terms in groups that share no variables; what becomes of formulas when variables are replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import connected, postorder, substitute, variables

TERMS = Terms()
NAMES = [TERMS.var(f"v{i}", BOOL) for i in range(8)]


@given(st.lists(st.sets(st.sampled_from(NAMES), max_size=3), max_size=10))
def test_groups_share_no_variables_and_do_not_fall_apart(choices: list[set[Term]]) -> None:
    parts = list(dict.fromkeys(TERMS.disjunction(sorted(own, key=lambda v: v.id)) for own in choices))
    groups = connected(parts)
    assert sorted((part for group in groups for part in group), key=lambda part: part.id) == sorted(
        parts, key=lambda part: part.id
    )
    mentioned = [frozenset().union(*map(variables, group)) for group in groups]
    assert all(one.isdisjoint(other) for i, one in enumerate(mentioned) for other in mentioned[:i])
    for group in groups:
        reached, rest = set(variables(group[0])), list(group[1:])
        while near := [part for part in rest if not reached.isdisjoint(variables(part))]:
            reached.update(*map(variables, near))
            rest = [part for part in rest if part not in near]
        assert not rest
    firsts = [min(map(parts.index, group)) for group in groups]
    assert firsts == sorted(firsts)


def joined(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    some = st.lists(parts, min_size=1, max_size=4)
    return some.map(TERMS.conjunction) | some.map(TERMS.disjunction) | parts.map(TERMS.not_)


FORMULAS = st.recursive(st.sampled_from(NAMES), joined, max_leaves=12)


@given(st.lists(FORMULAS, max_size=4), st.dictionaries(st.sampled_from(NAMES), FORMULAS | st.booleans(), max_size=6))
def test_formulas_that_share_their_parts_become_what_each_becomes(
    roots: list[Term], given: dict[Term, Term | bool]
) -> None:
    mapping = {name: TERMS.boolean(to) if isinstance(to, bool) else to for name, to in given.items()}
    images: dict[Term, Term] = {}
    for sub in postorder(*roots):
        args = tuple(images[arg] for arg in sub.args)
        images[sub] = mapping.get(sub, TERMS.app(sub.op, args, sub.payload, sub.sort) if args else sub)
    memo: dict[Term, Term] = {}
    assert [substitute(TERMS, root, mapping, memo) for root in roots] == [images[root] for root in roots]


def test_parts_behind_one_that_decides_are_not_looked_at() -> None:
    first, second, third = NAMES[:3]
    for whole, decides in ((TERMS.and_, TERMS.false), (TERMS.or_, TERMS.true)):
        rest = TERMS.not_(TERMS.eq(second, third))
        memo: dict[Term, Term] = {}
        assert substitute(TERMS, whole(first, rest), {first: decides, second: third}, memo) is decides
        assert rest not in memo
