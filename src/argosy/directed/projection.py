"""A network with some of its processes, variables and clocks left out: what is left does at least what it did.

A process that is left out keeps its edges, as loops on a single location without invariant; so whoever synchronises
with it, or reads what it writes, finds it always ready. Conditions about what is left out are dropped; a variable that
is assigned such a value may get any value of its range. What is left out keeps its number but never changes.

Law: a run of the network, restricted to what is kept and without the steps that change nothing there, is a run of the
projection. So committed locations, urgent channels and broadcasts are weakened where a dropped condition would make
them stricter, and priorities go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from argosy.basics.records import replace
from argosy.directed.conditions import (
    Dependencies,
    EdgeEffect,
    Items,
    StateItem,
    Target,
    conjoined,
    conjuncts,
)
from argosy.models.network import Channel, Network, Synchronisation, TimedEdge, TimedLocation, TimedProcess
from argosy.models.network_expressions import (
    UNCONSTRAINED,
    Assignment,
    Binary,
    Constant,
    Constraint,
    Evaluate,
    Expression,
    NetworkPlace,
    Statement,
)
from argosy.models.network_queries import Goal

WIDEST_CHOICE = 8
"""A variable with more values than this is left out rather than given any of them."""

MOST_COPIES = 32
"""An edge is not copied more often than this to choose values; the variables are left out instead."""


def everything(network: Network) -> Items:
    """All that a state of the network consists of."""
    return frozenset(
        [StateItem("process", process.index) for process in network.processes]
        + [StateItem("variable", slot) for slot, v in enumerate(network.variables) if v.low != v.high]
        + [StateItem("clock", clock) for clock in range(1, len(network.clocks))]
    )


class Projection:
    """``kept`` is the part of what was asked for that can be kept: what depends on something left out in a way that
    cannot be chosen freely goes as well."""

    def __init__(self, dependencies: Dependencies, kept: Items) -> None:
        self._dependencies = dependencies
        self._source = dependencies.network
        constant = {StateItem("variable", s) for s, v in enumerate(self._source.variables) if v.low == v.high}
        self._constant = frozenset(constant)
        self._effects = {
            (edge.process, edge.index): list(dependencies.effects(edge.updates))
            for process in self._source.processes
            for edge in process.edges
        }
        self.kept = self._settled(kept)
        self._loose = self._loose_channels()
        dropped = [p for p in self._source.processes if StateItem("process", p.index) not in self.kept]
        self._keeps_committed = not any(location.committed for p in dropped for location in p.locations)

    # ---- what can be kept ---------------------------------------------------------------------------------

    def _settled(self, kept: Items) -> Items:
        while True:
            lost = self._entangled(kept)
            if not lost:
                return kept
            kept = kept - lost

    def _entangled(self, kept: Items) -> Items:
        lost: set[StateItem] = set()
        for effects in self._effects.values():
            copies = 1
            for effect in effects:
                written = effect.writes & kept
                if not written or (written == effect.writes and self._knows(effect.reads, kept)):
                    continue
                if effect.assigns is None:
                    lost |= written
                    continue
                variable = self._source.variables[effect.assigns[0]]
                values = variable.high - variable.low + 1
                copies *= values
                if values > WIDEST_CHOICE or copies > MOST_COPIES:
                    lost |= written
                    copies //= values
        return frozenset(lost)

    def _knows(self, items: Items, kept: Items) -> bool:
        return items <= kept | self._constant

    def _loose_channels(self) -> frozenset[int]:
        """Channels on which someone may be ready in the projection who is not in the network."""
        loose: set[int] = set()
        for process in self._source.processes:
            dropped = StateItem("process", process.index) not in self.kept
            for edge in process.edges:
                if edge.synchronisation is None:
                    continue
                place = edge.synchronisation.channel
                if dropped or place.subscripts or self.weakened(edge.guard) != edge.guard:
                    loose |= set(self._dependencies.ranges.addresses(place))
        return frozenset(loose)

    # ---- the projected network ----------------------------------------------------------------------------

    def network(self) -> Network:
        processes = [self._process(process) for process in self._source.processes]
        felt = self._felt_channels(processes)
        return replace(
            self._source,
            processes=tuple(self._without_stuttering(process, felt) for process in processes),
            channels=tuple(self._channel(number, channel) for number, channel in enumerate(self._source.channels)),
            default_priority=0,
        )

    def goals(self, targets: Iterable[Target]) -> tuple[Goal, ...]:
        found: dict[Goal, None] = {}
        for target in targets:
            conditions = [c for c in target.conditions if self._knows(self._dependencies.reads(c), self.kept)]
            atoms = [a for a in target.atoms if self._knows(self._dependencies.reads_of_atom(a), self.kept)]
            found[Goal(conjoined(conditions), tuple(atoms))] = None
        return tuple(found)

    def weakened(self, constraint: Constraint) -> Constraint:
        """Without what is said about things left out."""
        conditions = conjuncts(constraint.condition)
        known = [c for c in conditions if self._knows(self._dependencies.reads(c), self.kept)]
        atoms = tuple(a for a in constraint.atoms if self._knows(self._dependencies.reads_of_atom(a), self.kept))
        if len(known) == len(conditions) and len(atoms) == len(constraint.atoms):
            return constraint
        return Constraint(conjoined(known), atoms)

    def _channel(self, number: int, channel: Channel) -> Channel:
        return replace(channel, urgent=channel.urgent and number not in self._loose, priority=0)

    def _process(self, process: TimedProcess) -> TimedProcess:
        kept = StateItem("process", process.index) in self.kept
        locations: tuple[TimedLocation, ...] = (TimedLocation(0, "anywhere"),)
        if kept:
            locations = tuple(
                replace(
                    location,
                    invariant=self.weakened(location.invariant),
                    committed=location.committed and self._keeps_committed,
                    urgent=location.urgent or location.committed,
                )
                for location in process.locations
            )
        found: dict[tuple[object, ...], TimedEdge] = {}
        for edge in process.edges:
            for copy in self._copies(edge, kept):
                stutters = copy.source == copy.target and copy.synchronisation is None and not copy.updates
                if not stutters:
                    key = (copy.source, copy.target, copy.guard, copy.synchronisation, copy.updates)
                    found.setdefault(key, copy)
        edges = tuple(replace(edge, index=index) for index, edge in enumerate(found.values()))
        initial = process.initial if kept else 0
        return replace(process, locations=locations, edges=edges, initial=initial, priority=0)

    def _felt_channels(self, processes: Iterable[TimedProcess]) -> set[int]:
        """Those on which a synchronisation changes something that is kept."""
        felt: set[int] = set()
        for process in processes:
            for edge in process.edges:
                if edge.synchronisation is not None and (edge.updates or edge.source != edge.target):
                    felt |= set(self._dependencies.ranges.addresses(edge.synchronisation.channel))
        return felt

    def _without_stuttering(self, process: TimedProcess, felt: set[int]) -> TimedProcess:
        def is_felt(edge: TimedEdge) -> bool:
            wanted = edge.synchronisation
            return wanted is None or not felt.isdisjoint(self._dependencies.ranges.addresses(wanted.channel))

        edges = [edge for edge in process.edges if is_felt(edge)]
        return replace(process, edges=tuple(replace(edge, index=index) for index, edge in enumerate(edges)))

    def _copies(self, edge: TimedEdge, kept: bool) -> Iterator[TimedEdge]:
        source, target = (edge.source, edge.target) if kept else (0, 0)
        guard = self.weakened(edge.guard)
        for synchronisation in self._synchronisations(edge.synchronisation):
            for updates in self._updates(self._effects[edge.process, edge.index]):
                yield replace(
                    edge, source=source, target=target, guard=guard, synchronisation=synchronisation, updates=updates
                )
            if synchronisation is not None and not synchronisation.sends:
                channel = synchronisation.channel.base
                if self._source.channels[channel].broadcast and (guard != edge.guard or not kept):
                    # In the network it may not be able to take part.
                    yield replace(
                        edge,
                        source=source,
                        target=source,
                        guard=UNCONSTRAINED,
                        synchronisation=synchronisation,
                        updates=(),
                        idle=True,
                    )

    def _synchronisations(self, wanted: Synchronisation | None) -> list[Synchronisation | None]:
        if wanted is None or not wanted.channel.subscripts:
            return [wanted]
        indices = [self._dependencies.reads(subscript.index) for subscript in wanted.channel.subscripts]
        if all(self._knows(items, self.kept) for items in indices):
            return [wanted]
        addresses = self._dependencies.ranges.addresses(wanted.channel)
        return [replace(wanted, channel=NetworkPlace(address)) for address in addresses]

    def _updates(self, effects: Sequence[EdgeEffect]) -> Iterator[tuple[Statement, ...]]:
        options: list[list[Statement]] = []
        for effect in effects:
            written = effect.writes & self.kept
            if not written:
                continue
            if self._knows(effect.reads, self.kept):
                options.append([self._clamped(effect)])
                continue
            assert effect.assigns is not None
            slot = effect.assigns[0]
            variable = self._source.variables[slot]
            values = range(variable.low, variable.high + 1)
            options.append([Evaluate(Assignment(NetworkPlace(slot), Constant(value))) for value in values])
        for choice in product(*options):
            yield tuple(choice)

    def _clamped(self, effect: EdgeEffect) -> Statement:
        """A guard that kept a value in its range may be gone."""
        if effect.assigns is None:
            return effect.statement
        slot, value = effect.assigns
        variable = self._source.variables[slot]
        low, high = self._dependencies.ranges.of(value)
        within: Expression = value
        if high > variable.high:
            within = Binary("<?", within, Constant(variable.high))
        if low < variable.low:
            within = Binary(">?", within, Constant(variable.low))
        return effect.statement if within is value else Evaluate(Assignment(NetworkPlace(slot), within))
