"""Control dependence (Ferrante, Ottenstein, Warren, *The program dependence graph*, 1987, section 3.1).

A node depends on a branch when one way out of the branch leads inevitably to the node and another may miss it. The
postdominators that decide this are computed by the iteration of Cooper, Harvey and Kennedy (*A simple, fast
dominance algorithm*, 2001) on the reversed graph.
"""

from __future__ import annotations

from collections.abc import Sequence


def control_dependence(successors: Sequence[Sequence[int]], sink: int) -> list[list[int]]:
    """For each node the branches that it depends on directly. Every node must reach ``sink``."""
    dominator = _postdominators(successors, sink)
    depends: list[list[int]] = [[] for _ in successors]
    for branch, after in enumerate(successors):
        if len(after) < 2:
            continue
        for node in after:
            while node != dominator[branch]:
                # Of the ways out of one branch, several may lead to the same node: it is listed once.
                if not depends[node] or depends[node][-1] != branch:
                    depends[node].append(branch)
                node = dominator[node]
    return depends


def _postdominators(successors: Sequence[Sequence[int]], sink: int) -> list[int]:
    predecessors: list[list[int]] = [[] for _ in successors]
    for node, after in enumerate(successors):
        for successor in after:
            predecessors[successor].append(node)
    finished = _postorder(predecessors, sink)
    number = [-1] * len(successors)
    for position, node in enumerate(finished):
        number[node] = position
    dominator = [-1] * len(successors)
    dominator[sink] = sink
    changed = True
    while changed:
        changed = False
        for node in reversed(finished):
            if node == sink:
                continue
            nearest = -1
            for successor in successors[node]:
                if dominator[successor] < 0:
                    continue
                if nearest < 0:
                    nearest = successor
                    continue
                while nearest != successor:
                    if number[nearest] < number[successor]:
                        nearest = dominator[nearest]
                    else:
                        successor = dominator[successor]
            if dominator[node] != nearest:
                dominator[node] = nearest
                changed = True
    return dominator


def _postorder(after: Sequence[Sequence[int]], root: int) -> list[int]:
    finished: list[int] = []
    seen = bytearray(len(after))
    seen[root] = 1
    stack = [(root, iter(after[root]))]
    while stack:
        node, rest = stack[-1]
        for following in rest:
            if not seen[following]:
                seen[following] = 1
                stack.append((following, iter(after[following])))
                break
        else:
            stack.pop()
            finished.append(node)
    return finished
