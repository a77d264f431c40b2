"""Search orders: nothing is lost, nothing comes twice, and what comes next is what the order says."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.engine.protocols import Frontier
from argosy.engine.reached import Node
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa
from argosy.options.values import Search, Weights, parse_search, weights
from argosy.strategies.search import block_order, explicit_order
from tests.models.automata import Sketch

NAMES = ["bfs", "dfs", "err", "dfs-err", "err-dfs", "topological", "2,3", "-1,0", "0,-2"]


def ring() -> Cfa:
    """0 -> 1 -> 2 -> 3 -> 0 with the error behind 3, and 4, from which it cannot be reached."""
    sketch = Sketch(6, x=bits(1))
    for start, end in ((0, 1), (1, 2), (2, 3), (3, 0), (3, 5), (2, 4)):
        sketch.skip(start, end)
    return sketch.cfa()


CFA = ring()


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    """Nodes of a tree, parents first."""
    nodes: list[Node] = []
    for i in range(draw(st.integers(1, 15))):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))] if nodes else None
        location = CFA.locations[draw(st.integers(0, 4))]
        before = parent.state.abstraction if parent else None
        point = Point(location, before, i)
        state = SimpleNamespace(location=location, abstraction=point, is_abstraction=True)
        nodes.append(Node(i, state, None, (parent, None) if parent else None))
    return nodes


class Point:
    """An abstraction point, as far as an order looks at it."""

    def __init__(self, location: Any, before: Any, serial: int) -> None:
        self.location, self.before, self.serial = location, before, serial


@pytest.mark.parametrize("order", [explicit_order, block_order])
@pytest.mark.parametrize("name", NAMES)
@given(nodes=trees(), data=st.data())
@settings(max_examples=15, deadline=None)
def test_every_waiting_node_comes_once(
    order: Callable[[Search, Cfa], Frontier], name: str, nodes: list[Node], data: st.DataObject
) -> None:
    frontier = order(parse_search(name), CFA)
    waiting: list[Node] = []
    for node in nodes:
        frontier.push(node)
        waiting.append(node)
        match data.draw(st.integers(0, 4)):
            case 0:
                popped = frontier.pop()
                assert popped in waiting
                waiting.remove(popped)
            case 1:
                gone = data.draw(st.sampled_from(nodes))
                frontier.remove(gone)
                waiting = [other for other in waiting if other is not gone]
            case 2 if waiting:
                frontier.push(waiting[0])
        assert bool(frontier) == bool(waiting)
    while frontier:
        waiting.remove(frontier.pop())
    assert not waiting


@pytest.mark.parametrize("order", [explicit_order, block_order])
@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (2, 1), (1, 0), (-1, 0), (3, -2), (-1, 5)])
@given(nodes=trees())
@settings(max_examples=15, deadline=None)
def test_weights(order: Callable[[Search, Cfa], Frontier], pair: tuple[int, int], nodes: list[Node]) -> None:
    """In the order of w_D * depth + w_E * distance; what cannot reach the error comes last if the distance counts."""
    frontier = order(Weights(*pair), CFA)
    for node in nodes:
        frontier.push(node)
    costs = []
    while frontier:
        node = frontier.pop()
        distance = CFA.error_distance.get(node.state.location)
        known = 0 if not pair[1] else float("inf") if distance is None else pair[1] * distance
        costs.append(pair[0] * node.depth + known)
    assert costs == sorted(costs)


@given(nodes=trees())
def test_weights_of_the_depth_alone_are_breadth_first_and_depth_first(nodes: list[Node]) -> None:
    """On whole levels: fifo and lifo look at nothing but the time, which agrees where levels come one by one."""
    levels = sorted(nodes, key=lambda node: node.depth)
    for name, pair in (("bfs", "1,0"), ("dfs", "-1,0")):
        one, other = explicit_order(parse_search(name), CFA), explicit_order(parse_search(pair), CFA)
        for node in levels:
            one.push(node)
            other.push(node)
        while one:
            assert one.pop() is other.pop()


def test_names_stand_for_the_weights_of_the_paper() -> None:
    """Section 4.1.3, written (w_D, w_E)."""
    found = [weights(parse_search(name)) for name in ("err", "dfs-err", "err-dfs", "7,-3")]
    assert found == [Weights(0, 1), Weights(1, 2), Weights(2, 1), Weights(7, -3)]
