"""Terms in groups that share no variables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import connected, variables

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
