"""Merged automata: exact where nothing is merged away, and what is joined with what, by hand."""

from __future__ import annotations

from math import inf
from random import Random

from argosy.directed.finite import finite
from argosy.directed.merging import Merging, merging
from argosy.kernel.dbm import Zone
from argosy.kernel.graph import SymbolicState
from argosy.kernel.heuristics import Combined, Component, JoinedAutomata
from argosy.models.network import Channel, Network, NetworkVariable
from argosy.models.network_queries import Goal
from argosy.models.network_semantics import NetworkState, Semantics
from tests.directed.distances import Estimates
from tests.directed.test_regression import concrete_distances
from tests.kernel.networks import Draft, at, both, equals, network, put, read, when


def reachable(made: Network) -> list[NetworkState]:
    semantics = Semantics(made)
    found = {semantics.initial(): None}
    stack = list(found)
    while stack:
        state = stack.pop()
        for action in semantics.enabled(state):
            following = semantics.fire(state, action)
            if following not in found:
                found[following] = None
                stack.append(following)
    return list(found)


def copying(seed: int) -> tuple[Network, Goal]:
    """Two processes that test, set and copy three variables, one at a time."""
    random = Random(seed)
    drafts = []
    for _ in range(2):
        draft = Draft()
        for name in "xyz":
            draft.location(name)
        for source in range(3):
            for target in random.sample(range(3), 2):
                guard = when(equals(random.randrange(3), random.randrange(3))) if random.random() < 0.4 else None
                slot, other = random.sample(range(3), 2)
                update = put(slot, read(other) if random.random() < 0.6 else random.randrange(3))
                draft.edge(source, target, guard, (0, random.choice("!?")) if random.random() < 0.3 else None, [update])
        drafts.append(draft)
    made = network(drafts, [NetworkVariable(name, 0, 2, k) for k, name in enumerate("abc")], channels=[Channel("s")])
    return made, Goal(both(at(0, 2), at(1, 2), equals(0, 1), equals(2, 1)))


def test_with_room_for_the_product_the_distance_is_exact() -> None:
    """Source and target of a copy agree."""
    compared = 0
    for seed in range(30):
        made, goal = copying(seed)
        if any(written.unknown for action in finite(made, [goal]).actions for written in action.writes):
            # A receiver copies what the sender has just written: that is not followed.
            continue
        truth = concrete_distances(made, goal)
        estimates = Estimates(made, [goal], merging(made, [goal], bound=10_000))
        for state in reachable(made):
            estimate = estimates.of(SymbolicState(state.locations, state.values, Zone.zero(1)))
            assert estimate == truth[state], (seed, state)
            compared += truth[state] not in (0, inf)
    assert compared > 100


def machines() -> tuple[Network, Goal]:
    """Two machines with a counter each, which wait for each other's counters at the end."""
    drafts = []
    for own, other in ((0, 1), (1, 0)):
        draft = Draft()
        work, done = draft.location("work"), draft.location("done")
        for value in range(3):
            draft.edge(work, work, when(equals(own, value)), updates=[put(own, value + 1)])
        draft.edge(work, done, when(both(equals(own, 3), equals(other, 3))))
        drafts.append(draft)
    made = network(drafts, [NetworkVariable("first", 0, 3, 0), NetworkVariable("second", 0, 3, 0)])
    return made, Goal(both(at(0, 1), at(1, 1)))


def test_an_automaton_takes_in_its_own_counter_first() -> None:
    made, goal = machines()
    model = finite(made, [goal])
    (target,) = model.goals
    merged = Merging(model, target, 50)
    merged.run()
    (root,) = merged.automata
    leaves = [step for step in root.steps if isinstance(step, Component)]
    joins = [k for k, step in enumerate(root.steps) if isinstance(step, JoinedAutomata)]
    # Postfix: a machine with its counter, the other with its own, and then both.
    assert [(leaf.process, leaf.slot) for leaf in leaves] == [(1, None), (None, 1), (0, None), (None, 0)]
    assert joins == [2, 5, 6]
    assert root.distances[root.initial] == 8


def test_no_more_locations_than_asked_for() -> None:
    made, goal = machines()
    model = finite(made, [goal])
    (target,) = model.goals
    for bound in (2, 4, 9):
        merged = Merging(model, target, bound)
        merged.run()
        assert all(its.size <= bound for its in merged.automata if len(its.steps) > 1)
        estimate = Estimates(made, [goal], merging(made, [goal], bound)).of(SymbolicState((0, 0), (0, 0), Zone.zero(1)))
        assert 0 < estimate <= 8


def test_what_has_nothing_in_common_is_summed() -> None:
    drafts = []
    for own in (0, 1):
        draft = Draft()
        here, there = draft.location("here"), draft.location("there")
        draft.edge(here, here, when(equals(own, 0)), updates=[put(own, 1)])
        draft.edge(here, there, when(equals(own, 1)))
        drafts.append(draft)
    made = network(drafts, [NetworkVariable("first", 0, 1, 0), NetworkVariable("second", 0, 1, 0)])
    goal = Goal(both(at(0, 1), at(1, 1)))
    heuristic = merging(made, [goal])
    assert isinstance(heuristic, Combined) and heuristic.sums
    start = SymbolicState((0, 0), (0, 0), Zone.zero(1))
    assert Estimates(made, [goal], heuristic).of(start) == 4
