"""Zone graphs of projections as pattern databases: what goes beyond [Directed].

The paper's database holds sets of predicates, found by regression under a cartesian abstraction. Here a database is
the zone graph of a projection, explored forwards by the same kernel, with the distance to the nearest goal at each of
its zones: no predicate has to be found, clocks stay exact, and only what is reachable in the projection is kept.

What is left out is chosen by influence. First what has none on the query; then *inputs*, whose values come from
nowhere but themselves (a search can change them when it wants to, so they say little about a distance), and copies of
them; then what is farthest from the query. A clock goes with the last process that tests it. A short beginning of
this order whose projection has at most ``states`` zones gives the first database. Others add single items that were
left out, and their maximum is taken, which is admissible (``projection`` states why; a step of the network is at most
one of a projection). Of a query that can be met in many ways each gets databases of its own, and the least counts; only
if there are too many is one estimate made for all of them, as otherwise most states of a projection would be goals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.directed.conditions import Dependencies, Items, StateItem, Target, targets
from argosy.directed.influence import Influence
from argosy.directed.projection import Projection, everything
from argosy.kernel import _zones
from argosy.kernel.bounds import Unsupported
from argosy.kernel.heuristics import Combined, KernelHeuristic, Native
from argosy.kernel.tables import Compiled, compile_network
from argosy.models.network import Network
from argosy.models.network_queries import Goal

STATES = 100_000
DATABASES = 8
TARGETS = 4
FAILURES = 3
"""Attempts in vain after which nothing more is tried."""


@dataclass(frozen=True, slots=True)
class ZoneDatabase:
    """``initial`` is the estimate of the initial state, ``mean`` that of all states that reach a goal."""

    kept: Items
    native: _zones.ZoneDatabase
    compiled: Compiled

    @property
    def states(self) -> int:
        return self.native.states

    @property
    def initial(self) -> float:
        return self.native.initial

    @property
    def mean(self) -> float:
        return self.native.mean[0]


class ZoneDatabases:
    """Builds databases for one network and query, within limits."""

    def __init__(
        self, network: Network, goals: Iterable[Goal], states: int = STATES, budget: Budget = UNLIMITED
    ) -> None:
        self.network = network
        self.targets: tuple[Target, ...] = targets(goals)
        self.explored = 0
        """States of all projections that were explored, those that came to nothing included."""
        self.parts: list[ZoneDatabase] = []
        self._states = states
        self._budget = budget
        self._dependencies = Dependencies(network)
        self._influence = Influence(self._dependencies)

    def heuristic(self, count: int = DATABASES) -> KernelHeuristic | None:
        """The maximum of databases for each target, the least over the targets; None if nothing fits."""
        self.parts = []
        alternatives: list[KernelHeuristic] = []
        for target in self.targets[:TARGETS]:
            found = self.databases((target,), count) if not self.parts else self._alike((target,))
            if found:
                self.parts += found
                alternatives.append(combined(found))
            if self._budget.is_over:
                break
        if len(alternatives) <= 1:
            return alternatives[0] if alternatives else None
        return Combined(tuple(alternatives), tuple((k,) for k in range(len(alternatives))))

    def databases(self, wanted: Sequence[Target], count: int = DATABASES) -> list[ZoneDatabase]:
        """The best that fits of those along the order, and others with more of what it leaves out."""
        first, left_out = self._along(wanted)
        if first is None or first.mean == 0:
            return []
        found = [first]
        distance = self._distances(wanted)
        vain = 0
        for item in sorted((item for item in left_out if item in distance), key=lambda item: (distance[item], item)):
            if len(found) >= count or vain == FAILURES or self._budget.is_over:
                break
            larger = self.database(self._with_clocks(first.kept | {item}, wanted), wanted)
            vain += 1
            if larger is not None and larger.mean != first.mean:
                found.append(larger)
                vain = 0
        return found

    def _alike(self, wanted: Sequence[Target]) -> list[ZoneDatabase]:
        """One for another target that keeps as much as the first one did."""
        order, _ = self.order(wanted)
        size = sum(item.kind != "clock" for item in self.parts[0].kept)
        found = self.database(self._with_clocks(frozenset(order[-size:]), wanted), wanted)
        return [] if found is None or found.mean == 0 else [found]

    def database(self, kept: Items, wanted: Sequence[Target]) -> ZoneDatabase | None:
        """The zone graph of one projection; None where it has too many states or is in error."""
        projection = Projection(self._dependencies, kept)
        try:
            compiled = compile_network(projection.network(), projection.goals(wanted))
        except Unsupported:
            return None
        native = _zones.ZoneDatabase(compiled.model)
        fits = native.build(self._states)
        self.explored += native.states
        return ZoneDatabase(projection.kept, native, compiled) if fits else None

    def order(self, wanted: Sequence[Target]) -> tuple[list[StateItem], list[int]]:
        """What to leave out, the first first (clocks follow their processes); and where in this order to try first:
        with everything that has influence, and without inputs."""
        distance = self._distances(wanted)
        far = len(distance) + 1
        # What the query is about matters, wherever it comes from.
        inputs = {item: place for place, item in enumerate(self._influence.inputs()) if distance.get(item)}

        def rank(item: StateItem) -> tuple[bool, bool, int, StateItem]:
            near = inputs[item] if item in inputs else -distance.get(item, far)
            return item in distance, item not in inputs, near, item

        order = sorted((item for item in everything(self.network) if item.kind != "clock"), key=rank)
        strange = sum(item not in distance for item in order)
        return order, [strange, strange + sum(item in distance and item in inputs for item in order)]

    def _distances(self, wanted: Sequence[Target]) -> dict[StateItem, int]:
        start: set[StateItem] = set()
        for target in wanted:
            start |= self._influence.of_target(target)
        return self._influence.distances(start)

    def _along(self, wanted: Sequence[Target]) -> tuple[ZoneDatabase | None, list[StateItem]]:
        """A projection that fits, as large as can be found soon, and what it leaves out. Where not all but the inputs
        can be kept, what is kept grows from the query outwards; it may be smaller with more kept, so a failure or two
        do not end that."""
        order, cuts = self.order(wanted)
        for cut in dict.fromkeys(cuts):
            found = self.database(self._with_clocks(frozenset(order[cut:]), wanted), wanted)
            if found is not None:
                return found, order[:cut]
        best: tuple[ZoneDatabase | None, list[StateItem]] = (None, [])
        failures = 0
        for cut in range(len(order) - 1, cuts[-1], -1):
            found = self.database(self._with_clocks(frozenset(order[cut:]), wanted), wanted)
            if found is None:
                failures += 1
            elif best[0] is None or (found.initial, found.mean) > (best[0].initial, best[0].mean):
                best = found, order[:cut]
            if failures == FAILURES or self._budget.is_over:
                break
        return best

    def _with_clocks(self, kept: Items, wanted: Sequence[Target]) -> Items:
        """Those that a kept process or the query tests."""
        tested: set[StateItem] = set().union(*(self._influence.of_target(target) for target in wanted))
        for item in kept:
            if item.kind == "process":
                tested |= self._influence.direct[item]
        return kept | {item for item in tested if item.kind == "clock"}


def combined(databases: Sequence[ZoneDatabase]) -> KernelHeuristic:
    """The maximum of databases."""
    return Combined(tuple(Native(database.native, database.compiled) for database in databases), sums=False)
