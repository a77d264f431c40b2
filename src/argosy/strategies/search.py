"""Search orders by name ([Theta], sections 3.1.2 and 4.1.3).

An order minimises ``w_D * depth + w_E * distance``, where the distance is that of the location to the error location in
the automaton. Negative weights of the depth prefer the newest among equals, others the oldest. ``topological`` finishes
a loop before what follows it, ``scc`` also before its head is entered again (Bourdoncle's recursive strategy).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from argosy.domains.blocks import AbstractionPoint
from argosy.engine.frontier import BestFirst, Fifo, Lifo
from argosy.engine.protocols import Frontier
from argosy.engine.reached import Node
from argosy.models.cfa import Cfa, Location
from argosy.native.orders import CostOrder
from argosy.options.values import Search, SearchOrder, Weights, weights


def weighted(cfa: Cfa, pair: Weights) -> Callable[[int, Location], float]:
    """The cost of a depth and a location. What cannot reach the error comes last."""
    of_depth, of_distance = pair.of_depth, pair.of_distance
    distance = cfa.error_distance

    def cost(depth: int, location: Location) -> float:
        if not of_distance:
            return of_depth * depth
        return of_depth * depth + of_distance * distance[location] if location in distance else inf

    return cost


def explicit_order(search: Search, cfa: Cfa) -> Frontier:
    """An order over states that have a location."""
    match search:
        case SearchOrder.BFS:
            return Fifo()
        case SearchOrder.DFS:
            return Lifo()
        case SearchOrder.TOPOLOGICAL:
            return BestFirst(lambda node: cfa.order[node.state.location])
        case SearchOrder.SCC:
            return BestFirst(component_key(cfa))
    pair = weights(search)
    assert pair is not None
    cost = weighted(cfa, pair)
    return BestFirst(lambda node: cost(node.depth, node.state.location), newest=pair.of_depth < 0)


def cost_order(search: Search, cfa: Cfa) -> CostOrder:
    """The same order for the native kernel."""
    order, ends, distance = cfa.order, cfa.loop_ends, cfa.error_distance
    match search:
        case SearchOrder.BFS:
            return CostOrder()
        case SearchOrder.DFS:
            return CostOrder(newest=True)
        case SearchOrder.TOPOLOGICAL:
            return CostOrder(lambda _, location: order[location])
        case SearchOrder.SCC:
            return CostOrder(
                lambda edge, at: (
                    2 * ends[at] + 1 if edge is not None and order[edge.source] >= order[at] else 2 * order[at]
                )
            )
    pair = weights(search)
    assert pair is not None
    far = pair.of_distance
    of_last = (lambda _, at: far * distance[at] if at in distance else inf) if far else None
    return CostOrder(of_last, pair.of_depth, pair.of_depth < 0)


def component_key(cfa: Cfa) -> Callable[[Node], tuple[int, int]]:
    """The position in the weak topological order; a head that is entered from inside its loop comes last in it."""
    order, ends = cfa.order, cfa.loop_ends

    def key(node: Node) -> tuple[int, int]:
        location = node.state.location
        if node.derivation is not None and order[node.derivation[1].source] >= order[location]:
            return (ends[location], 1)
        return (order[location], 0)

    return key


def block_order(search: Search, cfa: Cfa) -> Frontier:
    """An order over blocks."""
    return BestFirst(search_key(search, cfa))


def search_key(search: Search, cfa: Cfa) -> Callable[[Node], Any]:
    """A block is finished before the next one is begun, in weak topological order, so that branches meet before a join
    is expanded and nothing is built on a block to which paths are still added. Blocks begin with the oldest (bfs), the
    newest (dfs), in weak topological order as well, or by weights."""
    order, choose = cfa.order, _block_key(search, cfa)

    def key(node: Node) -> Any:
        if node.state.is_abstraction:
            return (1, *choose(node))
        return (0, node.state.rounds, order[node.state.location])

    return key


def _block_key(search: Search, cfa: Cfa) -> Callable[[Node], tuple[Any, ...]]:
    order = cfa.order
    depths: dict[AbstractionPoint, int] = {}

    def topological(node: Node) -> tuple[Any, ...]:
        return (order[node.state.location],)

    def breadth_first(node: Node) -> tuple[Any, ...]:
        return (node.state.abstraction.serial,)

    def depth_first(node: Node) -> tuple[Any, ...]:
        return (-node.state.abstraction.serial,)

    def depth(point: AbstractionPoint) -> int:
        """The number of blocks before a point; those of its ancestors were asked for earlier."""
        known = depths.get(point)
        if known is None:
            known = depths[point] = 0 if point.before is None else depth(point.before) + 1
        return known

    match search:
        case SearchOrder.TOPOLOGICAL:
            return topological
        case SearchOrder.BFS:
            return breadth_first
        case SearchOrder.DFS:
            return depth_first
        case SearchOrder.SCC:
            return component_key(cfa)
    pair = weights(search)
    assert pair is not None
    cost, sign = weighted(cfa, pair), -1 if pair.of_depth < 0 else 1

    def by_weights(node: Node) -> tuple[Any, ...]:
        point = node.state.abstraction
        return (cost(depth(point), point.location), sign * point.serial)

    return by_weights
