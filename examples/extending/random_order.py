"""A new search order: any waiting node, with equal chances. Seeded, so that a run can be repeated."""

import random
from dataclasses import replace
from typing import Any

from argosy.engine.protocols import Strategy
from argosy.engine.reached import Node
from argosy.strategies import configure
from argosy.strategies.setting import Setting


class RandomOrder:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._waiting: list[Node] = []

    def push(self, node: Node) -> None:
        if node not in self._waiting:
            self._waiting.append(node)

    def pop(self) -> Node:
        chosen = self._random.randrange(len(self._waiting))
        self._waiting[chosen], self._waiting[-1] = self._waiting[-1], self._waiting[chosen]
        return self._waiting.pop()

    def remove(self, node: Node) -> None:
        if node in self._waiting:
            self._waiting.remove(node)

    def subsumed(self, node: Node, by: Node) -> None:
        self.remove(node)

    def __bool__(self) -> bool:
        return bool(self._waiting)


def explicit_in_random_order(setting: Setting[Any]) -> Strategy[Any, Any, Any]:
    """The strategy ``explicit`` with its order exchanged."""
    strategy = configure("explicit").build(setting)
    return replace(strategy, frontier=lambda: RandomOrder(setting.solvers.seed))


if __name__ == "__main__":
    import sys

    import argosy

    result = argosy.verify(sys.argv[1], strategy=explicit_in_random_order, seed=7, time_limit=60)
    print(result.verdict_line)
