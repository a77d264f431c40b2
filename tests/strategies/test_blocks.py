"""Block operators: where blocks end."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from argosy.domains.paths import PathFormula
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa
from argosy.options.values import parse_blocks
from argosy.strategies.blocks import EXPENSIVE, SHORTEST, Adaptive, block_operator
from tests.models.automata import Sketch


def diamond_in_a_loop() -> Cfa:
    """0 -> 1; the loop 1 -> (2 | 3) -> 4 -> 1; 1 -> 5."""
    sketch = Sketch(6, x=bits(2))
    for start, end in ((0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (1, 5)):
        sketch.assume(start, end, sketch.is_(sketch.x, end % 4))
    return sketch.cfa()


def path(length: int) -> PathFormula:
    return PathFormula(Sketch(1).terms.true, {}, length)


@pytest.mark.parametrize(
    ("name", "length", "ends"),
    [
        ("sbe", 1, [0, 1, 2, 3, 4, 5]),
        ("lbe", 1, [1]),
        ("k=3", 2, []),
        ("k=3", 3, [0, 1, 2, 3, 4, 5]),
        ("lbe+k=3", 2, [1]),
        ("lbe+k=3", 3, [0, 1, 2, 3, 4, 5]),
        ("structure+k=3", 2, []),
        ("structure+k=3", 3, [1, 4]),
    ],
)
def test_where_blocks_end(name: str, length: int, ends: list[int]) -> None:
    cfa = diamond_in_a_loop()
    block = block_operator(cfa, parse_blocks(name))
    assert [location.index for location in cfa.locations if block(location, path(length))] == ends


@pytest.mark.parametrize("name", ["", "k=0", "k=-1", "k=x", "lbe+", "structure", "sbe+k=3", "k=3 "])
def test_names_that_do_not_exist(name: str) -> None:
    with pytest.raises(ValueError, match="no such block operator"):
        parse_blocks(name)


def test_adaptive_blocks_shrink_when_abstractions_become_expensive() -> None:
    cfa = diamond_in_a_loop()
    counters = SimpleNamespace(computed=0, last_checks=0, last_length=0)
    block = Adaptive(cfa, SimpleNamespace(counters=counters))  # type: ignore[arg-type]
    head, join, inner = cfa.locations[1], cfa.locations[4], cfa.locations[2]
    assert block(head, path(1)) and not block(join, path(1000))
    counters.computed, counters.last_checks, counters.last_length = 1, EXPENSIVE + 1, 100
    assert block(join, path(50)) and not block(join, path(49)) and not block(inner, path(50))
    counters.computed, counters.last_length = 2, 60
    assert block(join, path(25)) and not block(join, path(24))
    for computed in range(3, 9):
        counters.computed = computed
        block(head, path(1))
    assert block.limit == SHORTEST
