"""Subsumer-first: [Subsumer]'s example step by step, and the loop against brute force under every order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.engine import engine
from argosy.engine.frontier import BestFirst, Fifo, Lifo
from argosy.engine.outcome import Safe, Unsafe
from argosy.engine.protocols import Frontier, Silent, Strategy, Subsumption
from argosy.engine.reached import Node, Reached
from argosy.engine.subsumption import SubsumerFirst, Vigilant, derived, reachable
from tests.engine.counters import Counter, State, Tracker
from tests.engine.test_engine import closed, counters, execute
from tests.engine.test_engine import reachable as error_is_reachable

ORDERS: dict[str, Callable[[], Fifo | Lifo | BestFirst]] = {
    "bfs": Fifo,
    "dfs": Lifo,
    "best": lambda: BestFirst(lambda node: node.state[0]),
    "newest": lambda: BestFirst(lambda node: len(node.state[1]), newest=True),
}
FRONTIERS: dict[str, tuple[Callable[[], Frontier], Subsumption]] = {
    "keep": (Fifo, Subsumption.KEEP),
    "append": (Fifo, Subsumption.APPEND),
    "replace": (Fifo, Subsumption.REPLACE),
    **{f"prune-{name}": (order, Subsumption.PRUNE) for name, order in ORDERS.items()},
    **{
        f"first-{name}-{which}": (partial(SubsumerFirst, order(), relation), Subsumption.REPLACE)
        for name, order in ORDERS.items()
        for which, relation in (("reachable", reachable), ("derived", derived))
    },
}


def strategy_of(counter: Counter, order: str, precision: frozenset[str], targets: int = 1) -> Strategy[Any, Any, Any]:
    frontier, subsumption = FRONTIERS[order]
    return Strategy(counter, frontier, Tracker(counter), precision, targets, subsumption)


@pytest.mark.parametrize("order", FRONTIERS)
@given(counter=counters(), stop_after=st.sampled_from([0, 1, 2]))
@settings(max_examples=60, deadline=None)
def test_the_loop_agrees_with_brute_force(order: str, counter: Counter, stop_after: int) -> None:
    """The tree survives refinement here: Tracker prunes from the first node that is new."""
    strategy = strategy_of(counter, order, frozenset(), stop_after)
    observer = Vigilant(counter, Silent()) if strategy.subsumption.replaces else Silent()
    match engine.check(strategy, observer):
        case Safe(reached, _):
            assert not error_is_reachable(counter)
            assert closed(counter, reached)
        case Unsafe(trace, _):
            assert error_is_reachable(counter)
            assert execute(counter, trace)
        case outcome:
            pytest.fail(f"{outcome}")


def antichain(states: Iterable[State]) -> set[State]:
    """The maximal states."""
    every = set(states)
    return {s for s in every if not any(s[0] == t[0] and s[1] < t[1] for t in every)}


@pytest.mark.parametrize("order", FRONTIERS)
@given(counter=counters())
@settings(max_examples=40, deadline=None)
def test_under_a_fixed_precision_every_order_reaches_the_same_maximal_states(order: str, counter: Counter) -> None:
    everything = frozenset(["start", "p", "q", "r", "error"])
    frontier, subsumption = FRONTIERS[order]
    reached = Reached(counter.partition)
    engine.explore(counter, reached, frontier(), everything, 0, Silent(), subsumption)
    expected = {("start", counter.start)}
    stack = list(expected)
    while stack:
        for _, state in counter.successors(stack.pop(), everything):
            if state[1] and state not in expected:
                expected.add(state)
                stack.append(state)
    assert antichain(node.state for node in reached) == antichain(expected)


BOTH = {0: 0, 1: 1}
SECTION_2 = Counter(
    {
        "start": (("left", "p", {0: 0}), ("right", "q", BOTH)),
        "q": (("on", "q'", BOTH),),
        "q'": (("join", "p", BOTH),),
        "p": (("t1", "c", BOTH),),
        "c": (("go", "e", BOTH), ("stay", "f", {0: 0, 1: 0})),
    },
    frozenset({0, 1}),
    frozenset({0, 1}),
)
NAMES = {
    ("start", 2): "root", ("p", 1): "n1", ("c", 1): "n2", ("p", 2): "n3", ("c", 2): "n4",
    ("q", 2): "q", ("q'", 2): "q'", ("e", 1): "e", ("e", 2): "E", ("f", 1): "f",
}  # fmt: skip


class Queues(Silent):
    """The queue after each step."""

    def __init__(self, queue: Callable[[], Iterable[Node]]) -> None:
        self._queue = queue
        self.seen: list[str] = []

    def expanded(self, node: Node, reached: Reached) -> None:
        self.seen.append(" ".join(NAMES[n.state[0], len(n.state[1])] for n in self._queue()))


SECTION_2_QUEUES = [
    # n3 waits behind what lies below n1, which is explored in vain.
    ("keep", ["n1 q", "q n2", "n2 q'", "q' e f", "e f n3", "f n3", "n3", "n4", "E f", "f"]),
    # What lies below n1 is deleted, and f computed a second time.
    ("prune", ["n1 q", "q n2", "n2 q'", "q' e f", "n3", "n4", "E f", "f", ""]),
    # n3 goes before e, the first that waits below n1; n4 replaces n2, E replaces e, and f is there already.
    ("first", ["n1 q", "q n2", "n2 q'", "q' e f", "n3 e f", "n4 e f", "E f", "f", ""]),
]


@pytest.mark.parametrize(("subsumption", "queues"), SECTION_2_QUEUES)
def test_the_example_of_section_2(subsumption: str, queues: list[str]) -> None:
    """Figure 1 after its text: n1 was expanded to n2, that to e and f, when n3 turns up, which subsumes n1. t1 leads
    from n1 to n2 and from n3 to n4; n4 is larger than n2, and has f in common with it."""
    everything = frozenset(SECTION_2.edges) | {"e", "f"}
    frontier: Any = SubsumerFirst(Fifo()) if subsumption == "first" else Fifo()
    queue = frontier.queue if subsumption == "first" else lambda: list(frontier._waiting)
    observer = Queues(queue)
    policy = Subsumption("replace" if subsumption == "first" else subsumption)
    reached = Reached(SECTION_2.partition)
    engine.explore(SECTION_2, reached, frontier, everything, 1, observer, policy)
    assert observer.seen[: len(queues)] == queues
    if policy is not Subsumption.KEEP:
        assert {NAMES[n.state[0], len(n.state[1])] for n in reached} == {"root", "q", "q'", "n3", "n4", "E", "f"}
    edges = {(NAMES[n.state[0], len(n.state[1])], a, NAMES[c.state[0], len(c.state[1])])
             for n in reached for a, c in n.children}  # fmt: skip
    if subsumption == "first":
        assert {("root", "left", "n3"), ("q'", "join", "n3"), ("n3", "t1", "n4"), ("n4", "stay", "f")} <= edges


def test_a_node_may_replace_its_own_ancestors_and_the_walk_ends() -> None:
    """The values grow round the loop: each new node replaces its own parent's parent, and edges go in circles."""
    grow = {i: i + 1 for i in range(5)} | {5: 5}
    loop = Counter(
        {"start": (("in", "p", {0: 0}),), "p": (("a", "q", {i: i for i in range(6)}),), "q": (("b", "p", grow),)},
        frozenset(range(6)),
        frozenset({0}),
    )

    class Accumulating(Counter):
        def successors(self, state: State, precision: frozenset[str]) -> Iterable[tuple[str, State]]:
            for action, (target, values) in super().successors(state, precision):
                yield action, (target, values | state[1])

    counter = Accumulating(loop.edges, loop.values, loop.start)
    for relation in (reachable, derived):
        reached = Reached(counter.partition)
        everything = frozenset(["start", "p", "q"])
        observer = Vigilant(counter, Silent())
        engine.explore(counter, reached, SubsumerFirst(Fifo(), relation), everything, 1, observer, Subsumption.REPLACE)
        assert sorted((n.state[0], len(n.state[1])) for n in reached) == [("p", 6), ("q", 6), ("start", 1)]
        p, q = (next(n for n in reached if n.state[0] == name) for name in "pq")
        assert ("a", q) in p.children and ("b", p) in q.children
        assert p.trace() == ("in", *("a", "b") * 5)


def graph() -> tuple[Reached, dict[str, Node]]:
    """root -> a -> b -> c, root -> d."""
    reached = Reached(lambda state: None)
    nodes = {"root": reached.add("root")}
    for name, parent in (("a", "root"), ("b", "a"), ("c", "b"), ("d", "root")):
        nodes[name] = reached.add(name, (nodes[parent], name))
    for name in ("root", "a", "b"):
        nodes[name].expanded = True
    return reached, nodes


def test_edges_move_and_what_was_replaced_is_gone() -> None:
    reached, nodes = graph()
    reached.replace(nodes["b"], nodes["d"])
    assert nodes["b"] not in reached
    assert ("b", nodes["d"]) in nodes["a"].children and ("c", nodes["c"]) in nodes["d"].children
    assert {action for _, action in nodes["d"].parents} == {"b", "d"}
    reached.validate()


def test_what_was_derived_from_a_replaced_node_is_outdated_with_its_ancestors() -> None:
    """The edge to c comes from d by now; but c stems from a."""
    reached, nodes = graph()
    reached.replace(nodes["b"], nodes["d"])
    pruned = reached.prune([nodes["a"]])
    assert set(pruned.removed) == {nodes["a"], nodes["c"]} and set(pruned.reopened) == {nodes["root"]}
    assert nodes["d"] in reached and not nodes["d"].children
    reached.validate()


def test_a_replaced_node_can_be_a_pivot() -> None:
    reached, nodes = graph()
    reached.replace(nodes["b"], nodes["d"])
    assert reached.prune([nodes["b"]]).removed == (nodes["c"],)
    reached.validate()


def test_pruning_the_replacement_reopens_all_whose_edges_have_moved_to_it() -> None:
    reached, nodes = graph()
    reached.replace(nodes["b"], nodes["d"])
    pruned = reached.prune([nodes["d"]])
    assert set(pruned.reopened) == {nodes["root"], nodes["a"]}
    assert nodes["a"].awaits("b") and nodes["root"].awaits("d") and not nodes["root"].awaits("a")
    reached.validate()


def test_where_the_place_of_an_initial_state_is_lost_everything_starts_again() -> None:
    reached, nodes = graph()
    reached.replace(nodes["root"], nodes["c"])
    assert nodes["c"].children and nodes["a"] in reached
    pruned = reached.prune([nodes["c"]])
    assert len(reached) == 0 and not pruned.reopened


def test_discarding_keeps_the_new_node_though_it_is_derived_from_what_goes() -> None:
    reached, nodes = graph()
    reached.replace(nodes["a"], nodes["c"])
    pruned = reached.discard(nodes["a"], nodes["c"])
    assert pruned.removed == (nodes["b"],)
    assert set(reached) == {nodes["root"], nodes["c"], nodes["d"]}
    assert set(nodes["root"].children) == {("a", nodes["c"]), ("d", nodes["d"])}
    reached.validate()
    assert nodes["c"] in reached.prune([nodes["a"]]).removed


def test_a_subsumer_is_queued_before_the_first_that_waits_below_any_that_it_replaces() -> None:
    reached, nodes = graph()
    frontier = SubsumerFirst(Fifo())
    x, y, z, new, newer = (reached.add(name, (nodes["root"], name)) for name in ("x", "y", "z", "new", "newer"))
    for node in (x, nodes["d"], y, nodes["c"], z):
        frontier.push(node)
    frontier.subsumed(nodes["b"], newer)
    frontier.push(newer)
    assert frontier.queue() == [x, nodes["d"], y, newer, nodes["c"], z]
    frontier.subsumed(nodes["b"], new)
    frontier.subsumed(nodes["d"], new)
    frontier.push(new)
    expected = [x, new, y, newer, nodes["c"], z]
    assert frontier.queue() == expected
    assert [frontier.pop() for _ in expected] == expected
    assert not frontier


def test_a_covered_node_is_dropped_and_its_edge_goes_to_the_coverer() -> None:
    smaller = Counter(
        {"start": (("wide", "p", BOTH), ("on", "q", BOTH)), "q": (("narrow", "p", {0: 0}),)},
        frozenset({0, 1}),
        frozenset({0, 1}),
    )
    reached = Reached(smaller.partition)
    observer, everything = Vigilant(smaller, Silent()), frozenset(["start", "p", "q"])
    engine.explore(smaller, reached, SubsumerFirst(Fifo()), everything, 1, observer, Subsumption.REPLACE)
    p = next(n for n in reached if n.state[0] == "p")
    assert len(reached) == 3 and {action for _, action in p.parents} == {"wide", "narrow"}


def test_an_order_that_has_it_earlier_anyway_is_kept() -> None:
    reached, nodes = graph()
    frontier = SubsumerFirst(Lifo())
    new = reached.add("x", (nodes["root"], "x"))
    for node in (nodes["c"], nodes["d"]):
        frontier.push(node)
    frontier.subsumed(nodes["b"], new)
    frontier.push(new)
    assert frontier.queue() == [new, nodes["d"], nodes["c"]]


class Joining(Counter):
    """Two states at ``m`` become one; a state anywhere covers a smaller one anywhere."""

    def merges(self, state: State) -> bool:
        return state[0] == "m"

    def merge(self, new: State, old: State) -> State:
        return old if new[1] <= old[1] else (old[0], old[1] | new[1])

    def shelters(self, state: State) -> Iterable[str]:
        return ("start", "m", "n", "end")


def test_a_waiting_node_that_a_merge_lets_another_cover_waits_no_longer() -> None:
    steps = (("a", "m", {3: 0}), ("b", "n", {3: 0, 4: 1, 5: 2}), ("c", "m", {4: 1}))
    edges = {"start": steps, "m": (("d", "end", {0: 5, 1: 5}),)}
    joining = Joining(edges, frozenset(range(6)), frozenset({3, 4, 5}))
    reached = Reached(joining.partition)
    everything = frozenset(["start", "m", "n", "end"])

    class Validating(Silent):
        def expanded(self, node: Node, reached: Reached) -> None:
            assert node in reached
            reached.validate()

    engine.explore(joining, reached, Fifo(), everything, 1, Validating(), Subsumption.APPEND)
    assert {node.state[0] for node in reached} == {"start", "n"}


def test_vigilance_notices_a_covered_node() -> None:
    counter = Counter({}, frozenset({0, 1}), frozenset({0}))
    reached = Reached(counter.partition)
    for values in ({0}, {0, 1}):
        reached.add(("start", frozenset(values)))
    with pytest.raises(AssertionError, match="covers"):
        Vigilant(counter, Silent()).check(reached)
