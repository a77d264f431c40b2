"""A weak topological order of a graph (Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993).

Strongly connected components in topological order, each led by its head and ordered recursively inside. Walking
the order, a loop is finished before what follows it, and a join comes after all branches that lead to it.
Law: every cycle contains a head; an edge that goes backwards in the order goes to the head of a component that
contains its source.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def weak_topological_order(root: N, successors: Callable[[N], Iterable[N]]) -> tuple[list[N], list[N]]:
    """The order of all nodes reachable from ``root``, and the heads."""
    order: list[N] = []
    heads: list[N] = []
    # Each task is a list of nodes to be ordered inside themselves, entered at the first; None is unrestricted.
    tasks: list[tuple[list[N], set[N] | None]] = [([root], None)]
    while tasks:
        roots, inside = tasks.pop()
        if inside is not None and len(roots) == 1 and not inside:
            order.append(roots[0])
            continue
        pending: list[tuple[list[N], set[N] | None]] = []
        for component in reversed(components(roots, successors, inside)):
            head = component[0]
            if len(component) == 1 and head not in successors(head):
                pending.append((component, set()))
                continue
            heads.append(head)
            pending.append(([head], set()))
            rest = component[1:]
            if rest:
                pending.append((_entries(head, rest, successors), set(rest)))
        tasks.extend(reversed(pending))
    return order, heads


def component_ends(
    order: Mapping[N, int], heads: Iterable[N], predecessors: Callable[[N], Iterable[N]]
) -> dict[N, int]:
    """For each head of a weak topological order the last position of its component. The component is what leads to its
    head without passing what comes before it."""
    ends: dict[N, int] = {}
    for head in heads:
        component = {head}
        stack = [head]
        while stack:
            for before in predecessors(stack.pop()):
                if before not in component and order.get(before, -1) > order[head]:
                    component.add(before)
                    stack.append(before)
        ends[head] = max(order[node] for node in component)
    return ends


def _entries(head: N, rest: list[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """``rest`` with the head's successors first: where the loop's body is entered."""
    inside = set(rest)
    first = [n for n in dict.fromkeys(successors(head)) if n in inside]
    known = set(first)
    return first + [n for n in rest if n not in known]


def components(roots: list[N], successors: Callable[[N], Iterable[N]], inside: set[N] | None) -> list[list[N]]:
    """Tarjan's strongly connected components of the subgraph ``inside``, in reverse topological order. The first
    node of a component is the one that the depth-first search entered it by."""
    number: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    on_stack: set[N] = set()
    found: list[list[N]] = []
    for start in roots:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        stack.append(start)
        on_stack.add(start)
        calls = [(start, iter(successors(start)))]
        while calls:
            node, rest = calls[-1]
            for after in rest:
                if inside is not None and after not in inside:
                    continue
                if after not in number:
                    number[after] = low[after] = len(number)
                    stack.append(after)
                    on_stack.add(after)
                    calls.append((after, iter(successors(after))))
                    break
                if after in on_stack:
                    low[node] = min(low[node], number[after])
            else:
                calls.pop()
                if calls:
                    parent = calls[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == number[node]:
                    at = len(stack) - 1
                    while stack[at] != node:
                        at -= 1
                    component = stack[at:]
                    del stack[at:]
                    on_stack.difference_update(component)
                    found.append(component)
    return found
