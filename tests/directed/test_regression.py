"""The regression against forward enumeration, and refinement on an example worked by hand."""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random

from argosy.directed.abstraction import Abstract, Predicates, member, values_of
from argosy.directed.backwards import space
from argosy.directed.conditions import Dependencies, targets
from argosy.directed.parts import Condition, ConditionReader, NetworkPart, PartGoal, part_of, target_in
from argosy.directed.refinement import Refinement
from argosy.directed.splitting import Interactions
from argosy.models.network import Channel, Network, NetworkVariable
from argosy.models.network_evaluation import Evaluator
from argosy.models.network_expressions import Binary, Constant, Expression
from argosy.models.network_queries import Goal
from argosy.models.network_semantics import NetworkState, Semantics
from tests.directed.distances import steps_to
from tests.kernel.networks import Draft, at, atom, both, equals, network, put, read, reset, when


def prepared(made: Network, goal: Goal) -> tuple[NetworkPart, ConditionReader, PartGoal]:
    dependencies = Dependencies(made)
    reader, interactions = ConditionReader(dependencies), Interactions(dependencies)
    part = part_of(reader, interactions, range(len(made.processes)))
    (target,) = targets([goal])
    asked = target_in(part, reader, interactions, target)
    assert asked is not None
    return part, reader, asked


def random_network(seed: int) -> tuple[Network, Goal]:
    """Without clocks: two processes that count, copy, compare and synchronise."""
    random = Random(seed)
    variables = [NetworkVariable("a", 0, 2, 0), NetworkVariable("b", -1, 2, 0), NetworkVariable("c", 0, 1, 1)]

    def guard() -> Expression:
        slot = random.randrange(3)
        if random.random() < 0.2:
            return Binary(random.choice(["<", "==", "<="]), read(0), read(1))
        return Binary(random.choice(["<", "==", ">=", "!="]), read(slot), Constant(random.randrange(3)))

    def value(slot: int) -> Expression | int:
        kind = random.random()
        if kind < 0.5:
            return random.randint(variables[slot].low, variables[slot].high)
        if kind < 0.75:
            return read(2)
        high = variables[slot].high
        return Binary("<?", Binary("+", read(random.choice([slot, 2])), Constant(1)), Constant(high))

    drafts = []
    for _ in range(2):
        draft = Draft()
        for name in "xyz"[: random.choice([2, 3])]:
            draft.location(name)
        for _ in range(random.choice([3, 4, 5])):
            source, target = random.randrange(len(draft.locations)), random.randrange(len(draft.locations))
            sync = (0, random.choice("!?")) if random.random() < 0.4 else None
            slots = random.sample(range(3), random.choice([0, 1, 2]))
            updates = [put(slot, value(slot)) for slot in slots]
            draft.edge(source, target, when(guard()) if random.random() < 0.7 else None, sync, updates)
        drafts.append(draft)
    made = network(drafts, variables, channels=[Channel("s")])
    return made, Goal(both(at(0, 1), guard()))


def every_state(made: Network) -> list[NetworkState]:
    locations = product(*(range(len(p.locations)) for p in made.processes))
    values = list(product(*(range(v.low, v.high + 1) for v in made.variables)))
    return [NetworkState(place, value, (0,)) for place in locations for value in values]  # type: ignore[arg-type]


def concrete_distances(made: Network, goal: Goal) -> dict[NetworkState, float]:
    """Of all states, reachable or not."""
    semantics = Semantics(made)
    entering: dict[NetworkState, list[NetworkState]] = {state: [] for state in every_state(made)}
    for state in entering:
        for action in semantics.enabled(state):
            entering[semantics.fire(state, action)].append(state)
    return steps_to([state for state in entering if semantics.value(state, goal.condition)], entering)


def meets(made: Network, predicates: Predicates, abstract: Abstract, state: NetworkState) -> bool:
    evaluator = Evaluator((), made.slot, list(state.values), state.locations)
    return all(evaluator.value(literal.condition) for literal in predicates.literals(abstract))


def test_with_every_value_as_a_predicate_the_regression_is_exact() -> None:
    compared = 0
    for seed in range(24):
        made, goal = random_network(seed)
        part, reader, asked = prepared(made, goal)
        values = [Condition(((slot, 1 << k),)) for slot in range(3) for k in range(reader.width(slot))]
        related = [Condition(relations=c.relations) for c in [*part.conditions, asked[0]] if c.relations]
        predicates = Predicates(part, reader, values + related)
        found = space(part, reader, predicates, asked)
        truth = concrete_distances(made, goal)
        for state, distance in truth.items():
            estimate = min((d for a, d in found.distances.items() if meets(made, predicates, a, state)), default=inf)
            assert estimate <= distance
            if not related:
                # Sets of values are exact then; a relation ties values together that sets cannot.
                compared += distance not in (0, inf)
                assert estimate == distance, (seed, state)
    assert compared > 100


def test_a_coarse_abstraction_is_closed_under_steps() -> None:
    """Forwards: a state that steps into stored ones is stored itself, one step farther at most."""
    for seed in range(15):
        made, goal = random_network(seed)
        part, reader, asked = prepared(made, goal)
        predicates = Predicates(part, reader, part.conditions[::2])
        found = space(part, reader, predicates, asked)
        semantics = Semantics(made)
        estimate = {
            state: min((d for a, d in found.distances.items() if meets(made, predicates, a, state)), default=inf)
            for state in every_state(made)
        }
        for state, value in estimate.items():
            assert value == 0 or not semantics.value(state, goal.condition)
            for action in semantics.enabled(state):
                assert value <= estimate[semantics.fire(state, action)] + 1


def test_delays_and_resets_by_hand() -> None:
    """x <= 5 while waiting, x reset on the way there; the goal wants x >= 3: one delay, no further action."""
    draft = Draft()
    start = draft.location("start")
    wait = draft.location("wait", when(atom(1, "<=", 5).condition, atom(1, "<=", 5)))
    draft.location("late")
    draft.edge(start, wait, updates=[reset(1)])
    draft.edge(wait, 2, when(atom(1, ">=", 6).condition, atom(1, ">=", 6)))
    made = network([draft], clocks=1)
    part, reader, asked = prepared(made, Goal(at(0, 1), (atom(1, ">=", 3),)))
    predicates = Predicates(part, reader, [*part.conditions, asked[0]])
    found = space(part, reader, predicates, asked)
    assert sorted(found.distances.values()) == [0, 1]
    # The invariant forbids to leave at six.
    part, reader, asked = prepared(made, Goal(at(0, 2)))
    found = space(part, reader, Predicates(part, reader, part.conditions), asked)
    assert sorted(found.distances.values()) == [0]
    # Without predicates about the clock nobody knows.
    found = space(part, reader, Predicates(part, reader, []), asked)
    assert sorted(found.distances.values()) == [0]


def counter() -> tuple[NetworkPart, ConditionReader, PartGoal]:
    draft = Draft()
    here, there = draft.location("here"), draft.location("there")
    draft.edge(here, here, when(Binary("<", read(0), Constant(3))), updates=[put(0, Binary("+", read(0), Constant(1)))])
    draft.edge(here, there, when(equals(0, 3)))
    return prepared(network([draft], [NetworkVariable("n", 0, 3, 0)]), Goal(at(0, 1)))


def test_refinement_finds_the_values_of_a_counter() -> None:
    """Each round excludes the shortest spurious path: 1 step, 2, 3, and then the real one of 4."""
    part, reader, goal = counter()
    refinement = Refinement(part, reader, goal)
    predicates = refinement.predicates(9)
    assert [(its.length, its.feasible) for its in refinement.rounds] == [(1, False), (2, False), (3, False), (4, True)]
    assert len(predicates) == 3
    assert len(Refinement(part, reader, goal).predicates(0)) == 0
    automatic = Refinement(part, reader, goal)
    assert len(automatic.predicates(None)) == 3


def test_refinement_gives_up_when_the_shortest_spurious_path_does_not_grow() -> None:
    """Two ways of one step each, both barred at first: a round that excludes one of them leaves the other."""
    draft = Draft()
    here, there = draft.location("here"), draft.location("there")
    for slot in (0, 1):
        draft.edge(here, here, updates=[put(slot, 1)])
        draft.edge(here, there, when(equals(slot, 1)))
    made = network([draft], [NetworkVariable("n", 0, 1, 0), NetworkVariable("m", 0, 1, 0)])
    part, reader, goal = prepared(made, Goal(at(0, 1)))
    automatic = Refinement(part, reader, goal)
    assert len(automatic.predicates(None)) == 0
    assert [(its.length, its.feasible) for its in automatic.rounds] == [(1, False), (1, False)]
    stubborn = Refinement(part, reader, goal)
    assert len(stubborn.predicates(5)) == 2
    assert [(its.length, its.feasible) for its in stubborn.rounds] == [(1, False), (1, False), (2, True)]
    broad = Refinement(part, reader, goal, every=True)
    assert len(broad.predicates(None)) == 2
    assert [(its.length, its.feasible) for its in broad.rounds] == [(1, False), (2, True)]


def test_a_limit_leaves_what_is_near_and_a_bound_for_the_rest() -> None:
    part, reader, goal = counter()
    values = Predicates(part, reader, [Condition(((0, 1 << value),)) for value in range(4)])
    complete = space(part, reader, values, goal)
    assert complete.complete and max(complete.distances.values()) == 4
    cut = space(part, reader, values, goal, states=3)
    assert not cut.complete
    for state, distance in complete.distances.items():
        assert cut.distances.get(state, distance) == distance
        assert state in cut.distances or cut.otherwise <= distance
    assert cut.otherwise > 1


def test_membership_is_written_as_intervals() -> None:
    assert values_of(0b1011, -1) == [-1, 0, 2]
    expression = member(0, [-1, 0, 2])
    for value in range(-2, 4):
        assert bool(Evaluator((), lambda slot: None, [value]).value(expression)) is (value in (-1, 0, 2))  # type: ignore[arg-type, return-value]
