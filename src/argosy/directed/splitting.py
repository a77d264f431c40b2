"""Network splitting ([Directed], 3.3): automata in parts of at most b, with few interactions between parts.

An effect may affect a condition if what it writes, or anything whose value depends on that, occurs in the condition;
a synchronisation affects its counterparts. Parts are merged greedily, the pair with most interactions first, and before
them those of which one has to do with the query: a part that it says nothing about estimates nothing. A condition that
may be affected from outside its part is dropped there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from argosy.basics.records import dataclass
from argosy.directed.conditions import NOTHING, Dependencies, Items, StateItem, conjuncts
from argosy.models.network import Network, TimedEdge, TimedLocation, TimedProcess
from argosy.models.network_expressions import ClockAtom, Constraint, Expression, NetworkPlace


@dataclass(frozen=True, slots=True)
class Dropped:
    """A condition that a part does without: ``what`` of an edge or a location of ``process``. ``about``: the names of
    what it reads, or of the channels."""

    process: int
    where: TimedEdge | TimedLocation
    what: Expression | ClockAtom | NetworkPlace
    about: tuple[str, ...] = ()

    def describe(self, network: Network) -> str:
        process = network.processes[self.process]
        about = ", ".join(self.about)
        if isinstance(self.where, TimedLocation):
            return f"{process.name}.{self.where.name}: the invariant on {about}"
        source, target = (process.locations[place].name for place in (self.where.source, self.where.target))
        kind = "synchronisation" if isinstance(self.what, NetworkPlace) else "guard"
        return f"{process.name}.{source}->{process.name}.{target}: the {kind} on {about}"


@dataclass(frozen=True, slots=True)
class _Condition:
    process: int
    where: TimedEdge | TimedLocation
    what: Expression | ClockAtom | NetworkPlace
    reads: Items
    channels: tuple[tuple[int, bool], ...] = ()
    """Of a synchronisation: the channels, and whether this is the sending side."""


class Interactions:
    """Who may affect what."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        network = dependencies.network
        flows: dict[StateItem, set[StateItem]] = {}
        self._writes: list[set[StateItem]] = [set() for _ in network.processes]
        self._offers: list[set[tuple[int, bool]]] = [set() for _ in network.processes]
        for process in network.processes:
            for edge in process.edges:
                for effect in dependencies.effects(edge.updates):
                    self._writes[process.index] |= effect.writes
                    for item in effect.reads:
                        flows.setdefault(item, set()).update(effect.writes)
                if edge.synchronisation is not None:
                    sends = edge.synchronisation.sends
                    channels = dependencies.ranges.addresses(edge.synchronisation.channel)
                    self._offers[process.index] |= {(channel, sends) for channel in channels}
        self._reach = [self._closure(writes, flows) for writes in self._writes]
        self._conditions = [list(self._of(process)) for process in network.processes]

    @staticmethod
    def _closure(items: set[StateItem], flows: dict[StateItem, set[StateItem]]) -> Items:
        """Everything whose value may depend on that of the items."""
        found = set(items)
        stack = list(items)
        while stack:
            fresh = flows.get(stack.pop(), set()) - found
            found |= fresh
            stack += fresh
        return frozenset(found)

    def affects(self, process: int, condition: _Condition) -> bool:
        if any((channel, not sends) in self._offers[process] for channel, sends in condition.channels):
            return True
        return not self._reach[process].isdisjoint(condition.reads)

    def affected(self, reads: Items, outside: Sequence[int]) -> bool:
        """May someone outside change what is read?"""
        return any(not self._reach[process].isdisjoint(reads) for process in outside)

    def between(self, first: int, second: int) -> int:
        """How many conditions of one process the other may affect."""
        return sum(self.affects(first, c) for c in self._conditions[second]) + sum(
            self.affects(second, c) for c in self._conditions[first]
        )

    def dropped(self, part: Sequence[int]) -> list[Dropped]:
        outside = [p.index for p in self._dependencies.network.processes if p.index not in part]
        return [
            Dropped(c.process, c.where, c.what, self._about(c))
            for process in part
            for c in self._conditions[process]
            if any(self.affects(other, c) for other in outside)
        ]

    def _about(self, condition: _Condition) -> tuple[str, ...]:
        network = self._dependencies.network
        if condition.channels:
            return tuple(network.channels[channel].name for channel, _ in condition.channels)
        return tuple(item.describe(network) for item in sorted(condition.reads))

    def _of(self, process: TimedProcess) -> Iterator[_Condition]:
        for location in process.locations:
            yield from self._constraint(process.index, location, location.invariant)
        for edge in process.edges:
            yield from self._constraint(process.index, edge, edge.guard)
            if edge.synchronisation is not None:
                place = edge.synchronisation.channel
                channels = self._dependencies.ranges.addresses(place)
                ends = tuple((channel, edge.synchronisation.sends) for channel in channels)
                yield _Condition(process.index, edge, place, NOTHING, ends)

    def _constraint(
        self, process: int, where: TimedEdge | TimedLocation, constraint: Constraint
    ) -> Iterator[_Condition]:
        for condition in conjuncts(constraint.condition):
            yield _Condition(process, where, condition, self._dependencies.reads(condition))
        for atom in constraint.atoms:
            yield _Condition(process, where, atom, self._dependencies.reads_of_atom(atom))


def split(
    dependencies: Dependencies, bound: int | None, wanted: frozenset[int] = frozenset()
) -> tuple[tuple[int, ...], ...]:
    """The parts; ``bound`` None puts everything in one. ``wanted``: the processes that the query is about."""
    count = len(dependencies.network.processes)
    if bound is None:
        return (tuple(range(count)),)
    interactions = Interactions(dependencies)
    weight = {pair: interactions.between(*pair) for pair in combinations(range(count), 2)}
    parts: list[tuple[int, ...]] = [(process,) for process in range(count)]
    while True:
        best: tuple[tuple[bool, int], int, int] | None = None
        for i, j in combinations(range(len(parts)), 2):
            if len(parts[i]) + len(parts[j]) > bound:
                continue
            broken = sum(weight[min(a, b), max(a, b)] for a in parts[i] for b in parts[j])
            rank = not wanted.isdisjoint(parts[i] + parts[j]), broken
            if broken and (best is None or rank > best[0]):
                best = rank, i, j
        if best is None:
            return tuple(parts)
        _, i, j = best
        parts[i] = tuple(sorted(parts[i] + parts[j]))
        del parts[j]
