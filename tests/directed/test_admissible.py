"""Estimates against true distances on random networks; what A* finds with them; more predicates, larger estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from argosy.directed.abstraction import Predicates
from argosy.directed.conditions import Dependencies, targets
from argosy.directed.distance import graph_distance
from argosy.directed.finite import finite
from argosy.directed.merging import Merging
from argosy.directed.monotone import monotone
from argosy.directed.parts import Condition, ConditionReader, NetworkPart, PartGoal
from argosy.directed.patterns import Patterns, from_syntax
from argosy.directed.projection import Projection, everything
from argosy.directed.refinement import Refinement
from argosy.directed.zone_databases import ZoneDatabases
from argosy.kernel import _zones
from argosy.kernel.graph import SymbolicState
from argosy.kernel.heuristics import Combined, KernelHeuristic, Native
from argosy.kernel.search import GoalReached, Order, ZoneSearch
from argosy.kernel.tables import compile_network
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Goal, goals
from tests.directed.distances import Estimates, TooMany, true_distances
from tests.directed.lookup import Lookup
from tests.kernel.networks import at, both
from tests.kernel.random_networks import Generator

Case = tuple[Network, tuple[Goal, ...], dict[SymbolicState, float]]


def cases(count: int) -> list[Case]:
    """Small random networks and queries with some state from which a goal is not immediate. Networks of several
    processes, which have even numbers, are asked where two of them can be together."""
    found: list[Case] = []
    seed = 0
    while len(found) < count:
        seed += 1 if seed % 10 == 0 else 2 - seed % 2
        made = Generator(seed).case()
        random = Random(seed)
        asked = [goals(made.formulas[0])]
        if len(made.network.processes) > 1:
            pair = random.sample(made.network.processes, 2)
            asked.append((Goal(both(*(at(p.index, random.randrange(len(p.locations))) for p in pair))),))
        for its in asked:
            try:
                distances = true_distances(made.network, its)
            except (TooMany, ModelError):
                continue
            if any(0 < distance < 99 for distance in distances.values()):
                found.append((made.network, its, distances))
    return found


CASES = cases(220)


def syntax(bound: int | None, shared: bool) -> Callable[[Network, Sequence[Goal]], KernelHeuristic]:
    return lambda network, asked: Patterns(network, asked, bound, shared=shared).heuristic(sums=shared)


def refined(network: Network, asked: Sequence[Goal]) -> KernelHeuristic:
    def choose(part: NetworkPart, reader: ConditionReader, goal: PartGoal) -> Predicates:
        return Refinement(part, reader, goal, 2000, every=True).predicates(3)

    return Patterns(network, asked, 2, choose, shared=True).heuristic()


def truncated(network: Network, asked: Sequence[Goal]) -> KernelHeuristic:
    return Patterns(network, asked, 2, shared=True, states=4).heuristic()


def projected(network: Network, asked: Sequence[Goal]) -> KernelHeuristic:
    """The maximum over three projections drawn at random."""
    dependencies = Dependencies(network)
    random = Random(len(everything(network)))
    parts = []
    for _ in range(3):
        kept = frozenset(item for item in sorted(everything(network)) if random.random() < 0.6)
        projection = Projection(dependencies, kept)
        compiled = compile_network(projection.network(), projection.goals(targets(asked)))
        native = _zones.ZoneDatabase(compiled.model)
        if native.build(5000):
            parts.append(Native(native, compiled))
    return Combined(tuple(parts), sums=False)


def databases(network: Network, asked: Sequence[Goal]) -> KernelHeuristic:
    return ZoneDatabases(network, asked, states=200).heuristic() or Combined(())


def merged(network: Network, asked: Sequence[Goal]) -> KernelHeuristic:
    model = finite(network, asked)
    parts = tuple(Merging(model, goal, 6).run() for goal in model.goals)
    return Combined(parts, tuple((k,) for k in range(len(parts))))


ADMISSIBLE: dict[str, Callable[[Network, Sequence[Goal]], KernelHeuristic]] = {
    "syntax, one automaton, shared costs": syntax(1, True),
    "syntax, two automata, shared costs": syntax(2, True),
    "syntax, maximum": syntax(1, False),
    "syntax, everything": syntax(None, True),
    "refined": refined,
    "cut off": truncated,
    "graph, maximum": lambda network, asked: graph_distance(network, asked, sums=False),
    "layers": lambda network, asked: monotone(network, asked, plan=False),
    "merged": merged,
    "projections": projected,
    "zone databases": databases,
}


@pytest.mark.parametrize("name", ADMISSIBLE)
def test_no_estimate_exceeds_the_distance(name: str) -> None:
    informed = 0
    for network, asked, distances in CASES:
        heuristic = ADMISSIBLE[name](network, asked)
        estimates = Estimates(network, asked, heuristic)
        for state, distance in distances.items():
            estimate = estimates.of(state)
            assert estimate <= distance, (network, asked, state, estimate, distance)
            informed += estimate > 0
    assert informed > 60


@pytest.mark.parametrize("name", ["syntax, two automata, shared costs", "layers", "projections", "zone databases"])
def test_a_star_finds_a_shortest_trace(name: str) -> None:
    for network, asked, _ in CASES[:120]:
        heuristic = ADMISSIBLE[name](network, asked)
        shortest = ZoneSearch(network, asked, Order.BREADTH_FIRST, shortest=True).run()
        found = ZoneSearch(network, asked, Order.A_STAR, heuristic=heuristic).run()
        assert isinstance(shortest, GoalReached) is isinstance(found, GoalReached)
        if isinstance(shortest, GoalReached) and isinstance(found, GoalReached):
            assert len(found.trace) == len(shortest.trace)


def test_more_predicates_give_no_smaller_estimate() -> None:
    """Proposition 2, for chains of random subsets of the predicates of the syntax."""
    random = Random(3)
    grew = 0
    for network, asked, distances in CASES[:60]:
        order: dict[Condition, float] = {}

        def some(share: float, order: dict[Condition, float] = order) -> Callable[..., Predicates]:
            def choose(part: NetworkPart, reader: ConditionReader, goal: PartGoal) -> Predicates:
                conditions = [*part.conditions, goal[0]]
                return Predicates(part, reader, [c for c in conditions if order.setdefault(c, random.random()) < share])

            return choose

        chain = [
            Estimates(network, asked, Patterns(network, asked, 2, some(share), shared=True).heuristic())
            for share in (0.0, 0.5, 1.0)
        ]
        for state in distances:
            values = [estimates.of(state) for estimates in chain]
            assert values == sorted(values)
            grew += values[0] < values[-1]
    assert grew > 0


def test_the_native_lookup_is_that_of_the_oracle() -> None:
    for network, asked, distances in CASES[:60]:
        for sums in (True, False):
            database = Patterns(network, asked, 2, from_syntax).heuristic(sums)
            native = Estimates(network, asked, database)
            oracle = Lookup(network, database)
            for state in list(distances)[:40]:
                assert native.of(state) == oracle.value(state)
