"""Network splitting, worked by hand.

    producer:  idle --full! / n := 1--> idle     (writes n)
    carrier:   here --full?--> there, there --[m == 1] / m := n--> here
    consumer:  wait --[m == 1]--> done
    clock:     a single loop that nobody has to do with

n flows into m, so the producer may affect every condition on m, by way of the carrier's assignment.
"""

from __future__ import annotations

from argosy.directed.conditions import Dependencies, targets
from argosy.directed.parts import ConditionReader, part_of, target_in
from argosy.directed.patterns import Patterns
from argosy.directed.splitting import Interactions, split
from argosy.models.network import Channel, Network, NetworkVariable, TimedEdge
from argosy.models.network_expressions import NetworkPlace
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, at, both, equals, network, put, read, when

PRODUCER, CARRIER, CONSUMER, CLOCK = range(4)


def example() -> Network:
    producer = Draft()
    idle = producer.location("idle")
    producer.edge(idle, idle, sync=(0, "!"), updates=[put(0, 1)])
    carrier = Draft()
    here, there = carrier.location("here"), carrier.location("there")
    carrier.edge(here, there, sync=(0, "?"))
    carrier.edge(there, here, when(equals(1, 1)), updates=[put(1, read(0))])
    consumer = Draft()
    wait, done = consumer.location("wait"), consumer.location("done")
    consumer.edge(wait, done, when(equals(1, 1)))
    clock = Draft()
    clock.edge(clock.location("loop"), 0)
    variables = [NetworkVariable("n", 0, 1, 0), NetworkVariable("m", 0, 1, 0)]
    return network([producer, carrier, consumer, clock], variables, channels=[Channel("full")])


def test_interactions_by_hand() -> None:
    interactions = Interactions(Dependencies(example()))
    # full! and full? affect each other; the producer's n reaches m, which one guard of the carrier is about.
    assert interactions.between(PRODUCER, CARRIER) == 3
    # The carrier writes m, which the consumer tests.
    assert interactions.between(CARRIER, CONSUMER) == 1
    # n reaches m.
    assert interactions.between(PRODUCER, CONSUMER) == 1
    assert all(interactions.between(CLOCK, other) == 0 for other in (PRODUCER, CARRIER, CONSUMER))


def test_parts_by_hand() -> None:
    dependencies = Dependencies(example())
    assert split(dependencies, None) == ((PRODUCER, CARRIER, CONSUMER, CLOCK),)
    assert split(dependencies, 1) == ((PRODUCER,), (CARRIER,), (CONSUMER,), (CLOCK,))
    # The producer and the carrier have most in common; nobody has anything in common with the clock.
    assert split(dependencies, 2) == ((PRODUCER, CARRIER), (CONSUMER,), (CLOCK,))
    assert split(dependencies, 3) == ((PRODUCER, CARRIER, CONSUMER), (CLOCK,))
    # A part that the query says nothing about is of no use.
    assert split(dependencies, 2, frozenset({CONSUMER})) == ((PRODUCER, CONSUMER), (CARRIER,), (CLOCK,))


def test_dropped_conditions_by_hand() -> None:
    dependencies = Dependencies(example())
    interactions = Interactions(dependencies)
    assert interactions.dropped((PRODUCER, CARRIER, CONSUMER)) == []
    dropped = interactions.dropped((CONSUMER,))
    assert [(d.process, d.what) for d in dropped] == [(CONSUMER, equals(1, 1))]
    dropped = interactions.dropped((CARRIER,))
    assert [d.what for d in dropped] == [NetworkPlace(0), equals(1, 1)]
    assert all(isinstance(d.where, TimedEdge) and d.process == CARRIER for d in dropped)
    made = example()
    assert [d.describe(made).split(": ")[1] for d in dropped] == ["the synchronisation on full", "the guard on m"]


def test_a_dropped_synchronisation_is_taken_alone_and_together() -> None:
    dependencies = Dependencies(example())
    interactions, reader = Interactions(dependencies), ConditionReader(dependencies)
    alone = part_of(reader, interactions, (CARRIER,))
    assert [len(action.edges) for action in alone.actions] == [1, 1]
    assert [action.cost for action in part_of(reader, interactions, (CARRIER,), shared=True).actions] == [1, 0.5]
    pair = part_of(reader, interactions, (PRODUCER, CARRIER))
    assert sorted(len(action.edges) for action in pair.actions) == [1, 2]


def test_what_a_target_says_about_a_part() -> None:
    dependencies = Dependencies(example())
    interactions, reader = Interactions(dependencies), ConditionReader(dependencies)
    (target,) = targets([Goal(both(at(CONSUMER, 1), at(CARRIER, 0), equals(1, 1)))])
    consumer = part_of(reader, interactions, (CONSUMER,))
    condition, places = target_in(consumer, reader, interactions, target) or (None, None)
    assert places == ((CONSUMER, (1,)),)
    assert condition is not None and condition.masks == ()
    assert target_in(part_of(reader, interactions, (CLOCK,)), reader, interactions, target) is None


def test_the_sum_counts_a_synchronisation_of_two_parts_twice_unless_costs_are_shared() -> None:
    made = example()
    goal = [Goal(both(at(CARRIER, 1), at(CONSUMER, 1)))]
    for shared, expected in ((False, 2.0), (True, 1.5)):
        patterns = Patterns(made, goal, 1, shared=shared)
        initial = [max(pattern.space.distances.values()) for pattern in patterns.patterns]
        assert sum(initial) == expected
