"""Which items of a network influence which ([Directed], 3.3: the transitive "may affect" relation, by syntax).

A location is influenced by whatever the guards, invariants and partners of its process are about; a variable or clock
by the processes that write it, by what their guards and the written values are about. ``flows`` is the part of this
that says where values come from: what a value is computed of, and for constants the variables that are tested before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from argosy.directed.conditions import NOTHING, Dependencies, Items, StateItem, Target, conjuncts
from argosy.models.network import TimedEdge
from argosy.models.network_expressions import Constraint

Graph = Mapping[StateItem, Items]


class Influence:
    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        network = dependencies.network
        self.partners = self._partners()
        direct: dict[StateItem, set[StateItem]] = {}
        flows: dict[StateItem, set[StateItem]] = {}
        for process in network.processes:
            own = direct.setdefault(StateItem("process", process.index), set())
            own |= {StateItem("process", partner) for partner in self.partners[process.index]}
            for location in process.locations:
                own |= self.mentioned(location.invariant)
            for edge in process.edges:
                tested = self.mentioned(edge.guard)
                own |= tested
                for effect in dependencies.effects(edge.updates):
                    for written in effect.writes:
                        direct.setdefault(written, set()).update(
                            effect.reads, tested, {StateItem("process", process.index)}
                        )
                        sources = effect.reads or tested
                        flows.setdefault(written, set()).update(item for item in sources if item.kind == "variable")
        self.direct: Graph = {item: frozenset(its) for item, its in direct.items()}
        self.flows: Graph = {item: frozenset(its) for item, its in flows.items()}

    def mentioned(self, constraint: Constraint) -> Items:
        reads = [self._dependencies.reads(part) for part in conjuncts(constraint.condition)]
        return NOTHING.union(*reads, *(self._dependencies.reads_of_atom(atom) for atom in constraint.atoms))

    def of_target(self, target: Target) -> Items:
        reads = [self._dependencies.reads(condition) for condition in target.conditions]
        return NOTHING.union(*reads, *(self._dependencies.reads_of_atom(atom) for atom in target.atoms))

    def distances(self, start: Iterable[StateItem]) -> dict[StateItem, int]:
        """How many steps of influence lie between an item and the nearest of ``start``."""
        found = dict.fromkeys(start, 0)
        queue = deque(found)
        while queue:
            item = queue.popleft()
            for other in sorted(self.direct.get(item, NOTHING)):
                if other not in found:
                    found[other] = found[item] + 1
                    queue.append(other)
        return found

    def inputs(self) -> list[StateItem]:
        """Variables whose values come from nowhere but themselves and other inputs: those nothing controls first."""
        peeled: dict[StateItem, None] = {}
        while True:
            fresh = [
                item
                for item, sources in sorted(self.flows.items())
                if item.kind == "variable" and item not in peeled and sources <= peeled.keys() | {item}
            ]
            # A variable that is only ever set to constants, whatever is the case, is no input but a mode.
            fresh = [item for item in fresh if self.flows[item]]
            if not fresh:
                return list(peeled)
            peeled.update(dict.fromkeys(fresh))

    def _partners(self) -> list[set[int]]:
        senders: dict[int, set[int]] = {}
        receivers: dict[int, set[int]] = {}
        for edge, channels in self._synchronising():
            assert edge.synchronisation is not None
            for channel in channels:
                (senders if edge.synchronisation.sends else receivers).setdefault(channel, set()).add(edge.process)
        found: list[set[int]] = [set() for _ in self._dependencies.network.processes]
        for channel, sending in senders.items():
            for sender in sending:
                for receiver in receivers.get(channel, set()) - {sender}:
                    found[sender].add(receiver)
                    found[receiver].add(sender)
        return found

    def _synchronising(self) -> Iterator[tuple[TimedEdge, list[int]]]:
        for process in self._dependencies.network.processes:
            for edge in process.edges:
                if edge.synchronisation is not None:
                    yield edge, self._dependencies.ranges.addresses(edge.synchronisation.channel)
