"""UBTree against a list of sets."""

from __future__ import annotations

from math import inf
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from argosy.kernel._zones import SubsetTree
from tests.directed.lookup import least_subset

LITERALS = 130

sets = st.frozensets(st.integers(0, LITERALS - 1), max_size=6)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(sets, st.integers(0, 20)), max_size=60),
    st.lists(st.frozensets(st.integers(0, LITERALS - 1), max_size=40), min_size=1, max_size=5),
)
def test_the_least_distance_of_a_subset(
    stored: list[tuple[frozenset[int], int]], questions: list[frozenset[int]]
) -> None:
    tree = SubsetTree()
    rows = [(tuple(literals), float(distance)) for literals, distance in stored]
    for literals, distance in rows:
        tree.insert(literals, distance)
    assert len(tree) == len(rows)
    for present in [*questions, *(literals for literals, _ in stored[:5])]:
        for otherwise in (inf, 3.0):
            expected = min(least_subset(rows, present, otherwise), otherwise)
            assert tree.least_subset(sorted(present), LITERALS, otherwise) == expected


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 17).map(lambda bits: min(2**bits, 100_000)), st.integers(0, 2**32), st.integers(20, 110))
@example(100_000, 1, 30)
@example(100_000, 2, 90)
def test_large_trees(size: int, seed: int, known: int) -> None:
    random = Random(seed)
    rows = [
        (tuple(random.sample(range(LITERALS), random.randint(1, 9))), float(random.randint(0, 60))) for _ in range(size)
    ]
    tree = SubsetTree()
    for literals, distance in rows:
        tree.insert(literals, distance)
    assert len(tree) == size
    # Beginnings are shared, so that large trees have fewer nodes than elements; the root is one more.
    assert tree.nodes - (size < 1000) <= sum(len(literals) for literals, _ in rows) * (1 if size < 1000 else 0.9)
    for present in (frozenset(random.sample(range(LITERALS), known)), frozenset(rows[-1][0])):
        assert tree.least_subset(sorted(present), LITERALS, inf) == least_subset(rows, present, inf)


def test_insertion_goes_on_after_a_question() -> None:
    tree = SubsetTree()
    tree.insert([4, 2], 5)
    assert tree.least_subset([2, 4], 8, inf) == 5
    tree.insert([2], 3)
    assert tree.least_subset([2, 4], 8, inf) == 3
    assert tree.least_subset([4], 8, inf) == inf
    tree.insert([], 9)
    assert tree.least_subset([4], 8, inf) == 9
