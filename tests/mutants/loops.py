"""Detectors for mistakes in the loop and its graph: toy counters against brute force, graphs drawn by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from argosy.basics.budget import OutOfBudget
from argosy.engine import engine
from argosy.engine.frontier import BestFirst, Fifo, Lifo
from argosy.engine.outcome import Safe, Unsafe
from argosy.engine.protocols import Strategy
from argosy.engine.reached import Node, Reached
from argosy.refiners.pruning import FullPruning
from tests.engine import test_reached
from tests.engine.counters import Counter, Tracker
from tests.engine.test_engine import (
    Validating,
    closed,
    execute,
    reachable,
    test_an_expansion_is_finished_before_a_target_is_returned,
    test_what_a_pruning_uncovers_is_explored_again,
)

STEPS = 2000


class Patient(Validating):
    """A mutant may go round for ever."""

    def __init__(self) -> None:
        self.steps = 0

    def expanded(self, node: Node, reached: Reached) -> None:
        super().expanded(node, reached)
        self._step()

    def refined(self, reached: Reached, precision: Any) -> None:
        super().refined(reached, precision)
        self._step()

    def _step(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise OutOfBudget("too many steps")


def random_counter(seed: int) -> Counter:
    random = Random(seed)
    size = random.randint(2, 4)
    names = ["start", "p", "q", "r", "error"]
    edges = {}
    for source in names[:-1]:
        drawn = []
        for index in range(random.randint(1, 3)):
            step = {v: random.randrange(size) for v in random.sample(range(size), random.randint(1, size))}
            target = random.choices(names, (1, 3, 3, 3, 1))[0]
            drawn.append((f"{source}{index}", target, step))
        edges[source] = tuple(drawn)
    start = frozenset(random.sample(range(size), random.randint(1, size)))
    return Counter(edges, frozenset(range(size)), start)


def loop_agrees_with_brute_force() -> None:
    orders = (Fifo, Lifo, lambda: BestFirst(lambda node: node.state[0]))
    for seed in range(1500):
        counter = random_counter(seed)
        agrees(counter, Strategy(counter, orders[seed % 3], Tracker(counter), frozenset(), seed % 2))


def agrees(counter: Counter, strategy: Strategy[Any, Any, Any]) -> None:
    outcome = engine.check(strategy, Patient())
    if isinstance(outcome, Safe):
        assert not reachable(counter)
        assert closed(counter, outcome.reached)
    else:
        assert isinstance(outcome, Unsafe), outcome
        assert reachable(counter) and execute(counter, outcome.trace)


class Merging(Counter):
    """The counter with every location but the first and the error merged by union: the collecting semantics."""

    def merges(self, state: tuple[str, frozenset[int]]) -> bool:
        return state[0] not in ("start", self.error)

    def merge(self, new: tuple[str, frozenset[int]], old: tuple[str, frozenset[int]]) -> tuple[str, frozenset[int]]:
        return old if new[1] <= old[1] else (old[0], old[1] | new[1])


def merging_agrees_with_brute_force() -> None:
    """On graphs without cycles but loops of one edge: what merges is inside one block."""
    order = ("start", "p", "q", "r", "error")
    everything = frozenset(order)
    for seed in range(1500):
        drawn = random_counter(seed)
        edges = {
            source: tuple(e for e in out if e[1] != "start" and order.index(e[1]) >= order.index(source))
            for source, out in drawn.edges.items()
        }
        counter = Merging(edges, drawn.values, drawn.start)
        reached = Reached(counter.partition)
        targets = engine.explore(counter, reached, (Fifo, Lifo)[seed % 2](), everything, 0, Patient())
        reached.validate()
        assert bool(targets) == reachable(counter)
        assert targets or closed(counter, reached)


def full_pruning_agrees_with_brute_force() -> None:
    for seed in range(300):
        counter = random_counter(seed)
        agrees(counter, Strategy(counter, Fifo, FullPruning(Tracker(counter)), frozenset()))


def graphs_drawn_by_hand() -> None:
    for name, test in vars(test_reached).items():
        if name.startswith("test_"):
            test()
    test_an_expansion_is_finished_before_a_target_is_returned()
    test_what_a_pruning_uncovers_is_explored_again()
    a_covered_node_below_another_branch_is_explored_again()
    two_prunings_in_a_row_are_both_made_good()
    a_successor_lost_during_an_expansion_is_added_again()
    a_merged_node_without_successors_is_expanded_again()


def a_covered_node_below_another_branch_is_explored_again() -> None:
    """One way to r is real, one is not; r is covered on the real way by r on the other, and the refinement prunes
    that one from above: only reopening finds the error. Which of the two is covered depends on the order."""
    for real, order in ((0, Fifo), (1, Fifo), (0, Lifo), (1, Lifo)):
        counter = Counter(
            {
                "start": (("left", "p", {0: 0}), ("right", "q", {1: 1})),
                "p": (("down", "r", {0: 0}),),
                "q": (("over", "r", {1: 1}),),
                "r": (("bad", "error", {real: real}),),
            },
            frozenset({0, 1}),
            frozenset({0, 1}),
        )
        outcome = engine.check(Strategy(counter, order, Tracker(counter), frozenset()), Patient())
        assert isinstance(outcome, Unsafe)
        assert outcome.trace == (("left", "down", "bad"), ("right", "over", "bad"))[real]


def a_covered_node_that_is_merged_is_covered_no_more() -> None:
    reached = Reached(lambda state: state[0])
    start = reached.add(("start", 0), None)
    one, other = (reached.add(("p", value), (start, f"to {value}")) for value in (1, 2))
    reached.cover(other, one)
    reached.absorb(other, ("p", 3), start, "to 3")
    assert other.coverer is None and other not in one.covered
    reached.validate()


def two_prunings_in_a_row_are_both_made_good() -> None:
    """The start waits, for the successor that the first refinement took away, when the second takes another."""
    counter = Counter(
        {
            "start": (("left", "q", {1: 1}), ("right", "r", {0: 0, 1: 0})),
            "q": (("join", "r", {0: 1}),),
            "r": (("bad", "error", {1: 1}), ("on", "s", {0: 0})),
            "s": (("bad", "error", {0: 0}),),
        },
        frozenset({0, 1}),
        frozenset({0, 1}),
    )
    outcome = engine.check(
        Strategy(counter, lambda: BestFirst(lambda node: node.state[0]), Tracker(counter), frozenset()), Patient()
    )
    assert isinstance(outcome, Unsafe) and outcome.trace == ("right", "on", "bad")


def a_successor_lost_during_an_expansion_is_added_again() -> None:
    """p adds to r, which stands below q; then p adds to q, which takes r away."""
    counter = Merging(
        {
            "start": (("first", "q", {0: 0}), ("second", "p", {0: 0})),
            "p": (("through", "r", {0: 1}), ("down", "q", {0: 1})),
            "q": (("on", "r", {0: 0, 1: 0}),),
            "r": (("bad", "error", {1: 1}),),
        },
        frozenset({0, 1}),
        frozenset({0}),
    )
    reached = Reached(counter.partition)
    assert engine.explore(counter, reached, Fifo(), frozenset(["start", "p", "q", "r", "error"]), 0, Patient())


def a_merged_node_without_successors_is_expanded_again() -> None:
    reached = Reached(lambda state: None)
    root = reached.add("root")
    leaf, other = reached.add("leaf", (root, "a")), reached.add("other", (root, "b"))
    root.expanded = leaf.expanded = other.expanded = True
    reached.absorb(leaf, "more", other, "c")
    assert not leaf.expanded and leaf.awaits("anything")
    reached.validate()


def removed_nodes_are_never_popped() -> None:
    for seed in range(50):
        random = Random(seed)
        frontier = (Fifo(), Lifo(), BestFirst(lambda node: node.state), BestFirst(lambda node: 0, newest=True))[
            seed % 4
        ]
        waiting: set[Node] = set()
        for index in range(60):
            move = random.random()
            if move < 0.5:
                node = Node(index, random.randrange(5), None, None)
                frontier.push(node)
                waiting.add(node)
            elif move < 0.7 and waiting:
                node = random.choice(sorted(waiting, key=lambda n: n.id))
                frontier.remove(node)
                waiting.discard(node)
            elif move < 0.8 and waiting:
                # Removed and pushed again, as pruning does.
                node = random.choice(sorted(waiting, key=lambda n: n.id))
                frontier.remove(node)
                frontier.push(node)
            elif waiting:
                assert frontier
                popped = frontier.pop()
                assert popped in waiting
                waiting.discard(popped)
            assert bool(frontier) == bool(waiting)
