"""Subsumer-first finds places in the queue as if it walked over all that lies below, and does not walk that far."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import Any

import pytest

from argosy.engine import engine
from argosy.engine.frontier import Fifo, reopen
from argosy.engine.protocols import Silent, Strategy, Subsumption
from argosy.engine.reached import Node, Reached
from argosy.engine.subsumption import Descent, SubsumerFirst, derived, reachable
from tests.engine.counters import Counter, Tracker
from tests.engine.test_subsumption import ORDERS

RELATIONS = {"reachable": reachable, "derived": derived}


class Walking(SubsumerFirst):
    """Keeps nothing: every place is found by a walk over all that lies below."""

    def _find(self, node: Node) -> Any:
        below = {node: None}
        order = [node]
        for at in order:
            for child in self._relation.below(at):
                if child not in below:
                    below[child] = None
                    order.append(child)
        self.passed += len(order)
        return min((self._waiting[at] for at in below if at in self._waiting), default=None)


class Expanded(Silent):
    def __init__(self) -> None:
        self.nodes: list[int] = []

    def expanded(self, node: Node, reached: Reached) -> None:
        self.nodes.append(node.id)


def random_counter(seed: int) -> Counter:
    draw = random.Random(seed)
    names = ["start", *(f"l{i}" for i in range(draw.randint(3, 11)))]
    values = range(draw.randint(3, 7))
    edges = {}
    for name in names:
        targets = [draw.choice([*names, *["error"] * draw.randint(0, 1)]) for _ in range(draw.randint(1, 3))]
        maps = [{v: draw.choice(values) for v in values if draw.random() < 0.7} for _ in targets]
        edges[name] = tuple((f"{name}{i}", target, maps[i]) for i, target in enumerate(targets))
    return Counter(edges, frozenset(values), frozenset(draw.sample(values, draw.randint(1, 3))))


def same_places(order: str, relation: Descent, fixed: bool, seeds: Iterable[int]) -> None:
    for seed in seeds:
        counter = random_counter(seed)
        precision = frozenset([*counter.edges, "error"]) if fixed else frozenset()
        seen = []
        for kind in (SubsumerFirst, Walking):
            observer = Expanded()
            frontier = partial(kind, ORDERS[order](), relation)
            strategy: Strategy[Any, Any, Any] = Strategy(
                counter, frontier, Tracker(counter), precision, 0 if fixed else 1, Subsumption.REPLACE
            )
            engine.check(strategy, observer)
            seen.append(observer.nodes)
        assert seen[0] == seen[1], f"seed {seed}"


@pytest.mark.parametrize("fixed", [True, False], ids=["fixed", "refined"])
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_what_is_kept_leads_to_the_same_places_as_walking(order: str, relation: str, fixed: bool) -> None:
    same_places(order, RELATIONS[relation], fixed, range(60))


def test_what_is_kept_is_dropped_when_a_node_is_removed() -> None:
    """top -> q -> s -> t -> w, s -> z and u -> w. s waits again for z; when t is gone, nothing leads from q to w."""
    reached = Reached(lambda state: None)
    nodes = {"top": reached.add("top")}
    for name, parent in (("q", "top"), ("s", "q"), ("t", "s"), ("x", "t"), ("z", "s"), ("u", "top"), ("w", "u")):
        nodes[name] = reached.add(name, (nodes[parent], name))
    frontier = SubsumerFirst(Fifo())
    y, wider, new = (reached.add(name, (nodes["top"], name)) for name in ("y", "wider", "new"))
    reached.replace(nodes["x"], nodes["w"])
    for node in ("q", "s", "t", "u"):
        nodes[node].expanded = True
    frontier.push(nodes["w"])
    frontier.push(y)
    reopen(frontier, reached.prune([nodes["z"]]))
    frontier.subsumed(nodes["top"], wider)
    reached.replace(nodes["top"], wider)
    frontier.push(wider)
    assert frontier.queue() == [wider, nodes["w"], y, nodes["s"]] and frontier.pop() is wider
    reopen(frontier, reached.prune([nodes["t"]]))
    assert frontier.queue() == [nodes["w"], y, nodes["s"]]
    frontier.subsumed(nodes["q"], new)
    reached.replace(nodes["q"], new)
    frontier.push(new)
    assert frontier.queue() == [nodes["w"], y, new, nodes["s"]]


def test_what_is_kept_is_dropped_above_a_subsumer() -> None:
    """top -> a -> b -> p -> c -> w -> v. What is kept for a leads past p, in whose place something waits."""
    reached = Reached(lambda state: None)
    nodes = {"top": reached.add("top")}
    for name, parent in (("a", "top"), ("b", "a"), ("p", "b"), ("c", "p"), ("w", "c")):
        nodes[name] = reached.add(name, (nodes[parent], name))
    frontier = SubsumerFirst(Fifo())
    wider, larger, largest, other = (
        reached.add(name, (nodes["top"], name)) for name in ("wider", "larger", "largest", "other")
    )
    frontier.push(nodes["w"])
    frontier.push(other)
    frontier.subsumed(nodes["top"], wider)
    reached.replace(nodes["top"], wider)
    frontier.push(wider)
    assert [frontier.pop(), frontier.pop()] == [wider, nodes["w"]]
    v = reached.add("v", (nodes["w"], "v"))
    frontier.push(v)
    frontier.subsumed(nodes["p"], larger)
    reached.replace(nodes["p"], larger)
    frontier.push(larger)
    assert frontier.queue() == [other, larger, v]
    frontier.subsumed(nodes["a"], largest)
    reached.replace(nodes["a"], largest)
    frontier.push(largest)
    assert frontier.queue() == [other, largest, larger, v]


def test_ways_that_fork_are_both_gone() -> None:
    """top -> a, a -> b -> b', a -> c -> c'. When the first of b' and c' is popped, the other one is first below a."""
    for popped_first in (0, 1):
        reached = Reached(lambda state: None)
        top = reached.add("top")
        a = reached.add("a", (top, "a"))
        b, c = (reached.add(name, (a, name)) for name in "bc")
        tips = [reached.add(f"{node.state}'", (node, "on")) for node in (b, c)]
        first, second = tips[popped_first], tips[1 - popped_first]
        frontier = SubsumerFirst(Fifo())
        wider, larger = (reached.add(name, (top, name)) for name in ("wider", "larger"))
        frontier.push(first)
        frontier.push(second)
        frontier.subsumed(top, wider)
        reached.replace(top, wider)
        frontier.push(wider)
        assert [frontier.pop(), frontier.pop()] == [wider, first]
        last = reached.add("last", (first, "on"))
        frontier.push(last)
        frontier.subsumed(a, larger)
        reached.replace(a, larger)
        frontier.push(larger)
        assert frontier.queue() == [larger, second, last]


Step = tuple[str, str, Callable[[int], int]]


@dataclass(frozen=True)
class Growing:
    """A state is a location and a number, which includes all smaller ones."""

    steps: dict[str, list[Step]]

    def initial(self, precision: None) -> Iterable[tuple[str, int]]:
        yield "start", 1

    def successors(self, state: tuple[str, int], precision: None) -> Iterable[tuple[str, tuple[str, int]]]:
        for action, target, grow in self.steps.get(state[0], ()):
            yield action, (target, grow(state[1]))

    def adjust(self, state: tuple[str, int], precision: None) -> tuple[str, int]:
        return state

    def merges(self, state: tuple[str, int]) -> bool:
        return False

    def merge(self, new: tuple[str, int], old: tuple[str, int]) -> tuple[str, int]:
        return old

    def covers(self, old: tuple[str, int], new: tuple[str, int]) -> bool:
        return new[1] <= old[1]

    def partition(self, state: tuple[str, int]) -> Hashable:
        return state[0]

    def shelters(self, state: tuple[str, int]) -> Iterable[Hashable]:
        return (state[0],)

    def is_target(self, state: tuple[str, int]) -> bool:
        return False


def same(number: int) -> int:
    return number


def chain(name: str, length: int, after: str | None = None) -> dict[str, list[Step]]:
    steps: dict[str, list[Step]] = {f"{name}{i}": [("on", f"{name}{i + 1}", same)] for i in range(length)}
    steps[f"{name}{length}"] = [] if after is None else [("out", after, same)]
    return steps


def replaced_later(n: int, ahead: int) -> Growing:
    """A chain of n nodes is replaced node by node, when its tip is ``ahead`` nodes further."""
    start: list[Step] = [("small", "c0", lambda _: 1), ("large", "d0", lambda _: 2)]
    return Growing({"start": start, **chain("c", n + ahead), **chain("d", n, "c0")})


def growing_loop(n: int) -> Growing:
    """Behind a chain of n nodes, a loop that grows n times; a chain follows it, too."""
    head: list[Step] = [("body", "body", same), ("leave", "e0", lambda _: 1)]
    again: list[Step] = [("again", "head", lambda number: min(number + 1, n))]
    chains = chain("c", n, "head") | chain("e", n)
    return Growing({"start": [("in", "c0", same)], **chains, "head": head, "body": again})


def one_after_another(n: int, behind: dict[str, list[Step]]) -> Growing:
    """On a chain of n nodes, every now and then a way leads to the same place, to a larger state each time. What lies
    behind it is not concerned, and is explored at the same time."""

    def number(k: int) -> Callable[[int], int]:
        return lambda _: k

    steps = chain("d", n)
    for i in range(0, n, isqrt(n)):
        steps[f"d{i}"].append(("in", "p", number(i)))
    start: list[Step] = [("on", "d0", same)]
    return Growing({"start": start, **steps, "p": [("out", "c1", number(1))], **behind})


def tree(n: int) -> dict[str, list[Step]]:
    return {f"c{i}": [(str(j), f"c{2 * i + j}", same) for j in (0, 1)] for i in range(1, n)}


SHAPES: dict[str, Callable[[int], Growing]] = {
    "finished chain": lambda n: replaced_later(n, -2),
    "unfinished chain": lambda n: replaced_later(n, n),
    "growing loop": growing_loop,
    "one after another, chain": lambda n: one_after_another(n, chain("c", n)),
    "one after another, tree": lambda n: one_after_another(n, tree(n)),
}


def passed(growing: Growing, kind: type[SubsumerFirst], relation: Descent = reachable) -> tuple[int, int]:
    """How many nodes were passed to find places, and how many nodes there were."""
    frontier = kind(Fifo(), relation)
    reached = Reached(growing.partition)
    engine.explore(growing, reached, frontier, None, 1, Silent(), Subsumption.REPLACE)
    return frontier.passed, reached.created


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_walks_are_linear_on_the_whole(shape: str, relation: str) -> None:
    for n in (500, 1000):
        nodes_passed, nodes = passed(SHAPES[shape](n), SubsumerFirst, RELATIONS[relation])
        assert nodes_passed <= 3 * nodes


@pytest.mark.parametrize("shape", ["finished chain", "unfinished chain", "one after another, chain"])
def test_walking_over_all_that_lies_below_is_not(shape: str) -> None:
    small, large = (passed(SHAPES[shape](n), Walking)[0] for n in (200, 800))
    assert large > 5 * small
