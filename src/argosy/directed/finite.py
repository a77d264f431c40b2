"""A network without its clocks, as components with finitely many values and actions between them.

What the baselines of [Directed] look at: the locations of the processes and the variables with few values. An action
says for each component which values it needs and what becomes of it. What cannot be said so (relations between
variables, functions, many values) is left out of conditions; an unknown effect may give any value.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from argosy.basics.records import dataclass
from argosy.directed.abstraction import values_of
from argosy.directed.conditions import Dependencies, targets
from argosy.directed.parts import ConditionReader, NetworkPart, PartAction, PartGoal, part_of, target_in
from argosy.directed.splitting import Interactions
from argosy.kernel.heuristics import Component
from argosy.models.network import Network
from argosy.models.network_expressions import Expression
from argosy.models.network_queries import Goal

WIDEST = 64
"""A variable with more values than this is no component."""

MOST_CHOICES = 64

Choice = tuple[tuple[int, int], ...]
"""Values (offsets) of some components."""


@dataclass(frozen=True, slots=True)
class Written:
    """What becomes of a component: for choices of values of others, the offset it gets; ``unknown`` is any."""

    component: int
    outcomes: tuple[tuple[Choice, int], ...]
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class FiniteAction:
    """``needs``: for components the offsets of which one must be the case, as bit masks."""

    needs: tuple[tuple[int, int], ...]
    writes: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class FiniteNetwork:
    components: tuple[Component, ...]
    actions: tuple[FiniteAction, ...]
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each target: components and the masks of their offsets."""
    initial: tuple[int, ...]
    """The offset of each component at first."""


def finite(network: Network, goals: Iterable[Goal]) -> FiniteNetwork:
    """Raises ``parts.TooLarge`` where there are too many actions."""
    dependencies = Dependencies(network)
    reader = ConditionReader(dependencies)
    interactions = Interactions(dependencies)
    part = part_of(reader, interactions, range(len(network.processes)))
    asked = [target_in(part, reader, interactions, target) for target in targets(goals)]
    return _Finite(part, reader).network(asked)


class _Finite:
    def __init__(self, part: NetworkPart, reader: ConditionReader) -> None:
        self._part = part
        self._reader = reader
        network = part.network
        components = [Component(p.index, None, 0, len(p.locations)) for p in network.processes]
        self._of_process = {p.index: k for k, p in enumerate(network.processes)}
        self._of_slot: dict[int, int] = {}
        for slot in part.slots:
            variable = network.variables[slot]
            if variable.low < variable.high < variable.low + WIDEST:
                self._of_slot[slot] = len(components)
                components.append(Component(None, slot, variable.low, variable.high - variable.low + 1))
        self._components = components

    def network(self, asked: Iterable[PartGoal | None]) -> FiniteNetwork:
        goals = []
        for target in asked:
            masks: dict[int, int] = {}
            if target is not None:
                condition, allowed = target
                for process, locations in allowed:
                    masks[self._of_process[process]] = sum(1 << location for location in locations)
                for slot, mask in condition.masks:
                    if slot in self._of_slot:
                        masks[self._of_slot[slot]] = mask
            goals.append(tuple(sorted(masks.items())))
        actions = tuple(map(self._action, self._part.actions))
        return FiniteNetwork(
            tuple(self._components), actions, tuple(goals), tuple(map(self._initial, self._components))
        )

    def _initial(self, component: Component) -> int:
        if component.process is not None:
            return self._part.network.processes[component.process].initial
        assert component.slot is not None
        return self._part.network.variables[component.slot].initial - component.low

    def _action(self, action: PartAction) -> FiniteAction:
        needs = {self._of_process[process]: 1 << source for process, source, _ in action.moves}
        for slot, mask in action.guard.masks:
            if slot in self._of_slot:
                needs[self._of_slot[slot]] = mask
        writes = [
            Written(self._of_process[process], (((), target),))
            for process, source, target in action.moves
            if source != target
        ]
        values: dict[int, Expression | None] = {}
        for assigned in action.updates:
            if assigned.slot in self._of_slot:
                # A value computed from what the action wrote before is not followed.
                follows = assigned.value is None or any(s in values for s in self._slots(assigned.value))
                values[assigned.slot] = None if follows else assigned.value
        writes += [self._written(slot, value, needs) for slot, value in values.items()]
        return FiniteAction(tuple(sorted(needs.items())), tuple(writes))

    def _slots(self, expression: Expression) -> list[int]:
        return sorted(item.index for item in self._reader.dependencies.reads(expression))

    def _written(self, slot: int, value: Expression | None, needs: dict[int, int]) -> Written:
        component = self._of_slot[slot]
        if value is None or any(s not in self._of_slot for s in self._slots(value)):
            return Written(component, (), True)
        slots = self._slots(value)
        choices = []
        for source in slots:
            its = self._components[self._of_slot[source]]
            full = (1 << its.count) - 1
            choices.append(values_of(needs.get(self._of_slot[source], full), its.low))
        if prod(map(len, choices)) > MOST_CHOICES:
            return Written(component, (), True)
        outcomes = []
        own = self._components[component]
        for combination in product(*choices):
            result = self._reader.value(value, dict(zip(slots, combination, strict=True)))
            if result is not None and own.low <= result < own.low + own.count:
                given = tuple(
                    (self._of_slot[s], v - self._components[self._of_slot[s]].low)
                    for s, v in zip(slots, combination, strict=True)
                )
                outcomes.append((given, result - own.low))
        return Written(component, tuple(outcomes))
