"""A part of a split network as a transition system over finite domains and clocks, ready to be regressed.

An integer condition about one variable is a set of values (a bit mask over its range); about several, an expression;
what is neither (functions, arrays at computed places, a set that is not found soon) is left out, which only adds
behaviour. Clock conditions are
bounds on differences with constant bounds.

Actions: an edge alone, or the edges of processes of the part that synchronise. A synchronisation that may also take
place with a process outside is there both ways, with the partner and alone. ``cost`` is what an action counts; the
costs of an action of the network, over all parts, add up to 1 at most where ``shared`` is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from argosy.basics.records import dataclass, field
from argosy.directed.conditions import Dependencies, EdgeEffect, StateItem, Target, conjuncts
from argosy.directed.splitting import Interactions
from argosy.directed.values import ANYTHING, Span, satisfying, span
from argosy.kernel.heuristics import differences, mentioned
from argosy.models.network import Network, TimedEdge
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import (
    AtLocation,
    Constant,
    Constraint,
    Expression,
    Read,
    Reset,
    Unary,
)

WIDEST = 70_000
"""A variable with more values than this is left out."""

MOST_ACTIONS = 20_000

Difference = tuple[int, int, int]


class TooLarge(Exception):
    """The part has too many actions, or its abstraction too many states."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold: values of variables, relations between several, bounds on clocks."""

    masks: tuple[tuple[int, int], ...] = ()
    relations: tuple[Expression, ...] = ()
    bounds: tuple[Difference, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        masks = dict(self.masks)
        for slot, mask in other.masks:
            masks[slot] = masks.get(slot, mask) & mask
        relations = dict.fromkeys((*self.relations, *other.relations))
        bounds = dict.fromkeys((*self.bounds, *other.bounds))
        return Condition(tuple(sorted(masks.items())), tuple(relations), tuple(bounds))


NONE = Condition()


@dataclass(frozen=True, slots=True)
class Assigned:
    """``slot := value``; None where the value is not known."""

    slot: int
    value: Expression | None


@dataclass(frozen=True, slots=True)
class PartAction:
    """``moves``: process, source and target of each edge. ``opens``: may happen while another process is committed."""

    edges: tuple[TimedEdge, ...]
    moves: tuple[tuple[int, int, int], ...]
    guard: Condition
    updates: tuple[Assigned, ...]
    resets: tuple[tuple[int, int | None], ...]
    cost: float
    opens: bool


@dataclass
class NetworkPart:
    """Processes of the network with what they may do on their own; see the module."""

    network: Network
    processes: tuple[int, ...]
    slots: tuple[int, ...]
    clocks: tuple[int, ...]
    actions: list[PartAction]
    invariants: Mapping[tuple[int, int], Condition]
    still: frozenset[tuple[int, int]]
    """Locations in which no time passes."""
    committed: frozenset[tuple[int, int]]
    conditions: list[Condition] = field(default_factory=list)
    """Every guard and invariant, one by one: where predicates come from."""


class _Given(dict[int, int]):
    """A memory with the variables that somebody reads; the others cost nothing."""

    def __init__(self, network: Network, values: Mapping[int, int]) -> None:
        super().__init__(values)
        self._network = network

    def __missing__(self, slot: int) -> int:
        return self._network.slot(slot).low


class ConditionReader:
    """Turns conditions of the network into ``Condition``; what has no such form is left out."""

    def __init__(self, dependencies: Dependencies) -> None:
        self.dependencies = dependencies
        self.network = dependencies.network
        self._masks: dict[Expression, int | None] = {}

    def full(self, slot: int) -> int:
        variable = self.network.variables[slot]
        return (1 << (variable.high - variable.low + 1)) - 1

    def width(self, slot: int) -> int:
        variable = self.network.variables[slot]
        return variable.high - variable.low + 1

    def integer(self, expression: Expression) -> Condition:
        items = mentioned(expression)
        if items is None or any(kind == "process" for kind, _ in items):
            return NONE
        slots = sorted(index for _, index in items)
        if any(map(self.is_wide, slots)):
            return NONE
        if len(slots) == 1:
            mask = self.mask(expression, slots[0])
            return NONE if mask is None else Condition(((slots[0], mask),))
        if not slots:
            return NONE if self._value(expression, {}) else Condition(((-1, 0),))
        return Condition(relations=(expression,))

    def clock(self, constraint: Constraint) -> Condition:
        found = differences(constraint)
        return NONE if found is None else Condition(bounds=tuple(found))

    def mask(self, expression: Expression, slot: int) -> int | None:
        """The values of a variable for which an expression over it alone is not zero; None where they are not found
        soon."""
        if expression not in self._masks:
            self._masks[expression] = satisfying(
                self.range(slot),
                lambda values: span(expression, values).truth,
                lambda value: self._value(expression, {slot: value}),
            )
        return self._masks[expression]

    def preimage(self, expression: Expression, slot: int, low: int, mask: int) -> int:
        """The values of a variable for which an expression over it alone is one of a set (offsets to ``low``); all of
        them where they are not found soon."""

        def among(values: Span) -> bool | None:
            image = span(expression, values) if mentioned(expression) is not None else ANYTHING
            first, last = max(image.low - low, 0), min(image.high - low, mask.bit_length() - 1)
            inside = mask >> first & ((1 << (last - first + 1)) - 1) if first <= last else 0
            if inside == 0:
                return False
            return True if image.total and inside.bit_count() == image.high - image.low + 1 else None

        def is_among(value: int) -> bool:
            result = self.value(expression, {slot: value})
            return result is not None and result >= low and bool(mask >> (result - low) & 1)

        found = satisfying(self.range(slot), among, is_among)
        return self.full(slot) if found is None else found

    def is_wide(self, slot: int) -> bool:
        return self.width(slot) > WIDEST

    def range(self, slot: int) -> Span:
        variable = self.network.variables[slot]
        return Span(variable.low, variable.high)

    def value(self, expression: Expression, values: Mapping[int, int]) -> int | None:
        """None where the expression has no value: no run passes there. What is not given has its least value."""
        try:
            return Evaluator(self.network.functions, self.network.slot, _Given(self.network, values)).value(expression)
        except ModelError:
            return None

    def _value(self, expression: Expression, values: Mapping[int, int]) -> bool:
        return bool(self.value(expression, values))


def part_of(
    reader: ConditionReader, interactions: Interactions, processes: Sequence[int], shared: bool = False
) -> NetworkPart:
    return _Builder(reader, interactions, tuple(processes), shared).part()


class _Builder:
    def __init__(
        self, reader: ConditionReader, interactions: Interactions, processes: tuple[int, ...], shared: bool
    ) -> None:
        self._reader = reader
        self._dependencies = reader.dependencies
        self._network = reader.network
        self._interactions = interactions
        self._processes = processes
        self._outside = [p.index for p in self._network.processes if p.index not in processes]
        self._shared = shared
        self._found: list[Condition] = []

    def part(self) -> NetworkPart:
        invariants = {
            (p, location.index): self._constraint(location.invariant)
            for p in self._processes
            for location in self._network.processes[p].locations
        }
        actions = list(self._actions())
        locations = [(p, location) for p in self._processes for location in self._network.processes[p].locations]
        used = NONE
        for condition in (*(action.guard for action in actions), *invariants.values(), *self._found):
            used &= condition
        slots = {slot for slot, _ in used.masks if slot >= 0}
        for relation in used.relations:
            slots |= {item.index for item in self._dependencies.reads(relation)}
        slots |= {a.slot for action in actions for a in action.updates}
        clocks = {c for left, right, _ in used.bounds for c in (left, right) if c}
        return NetworkPart(
            self._network,
            self._processes,
            tuple(sorted(slots)),
            tuple(sorted(clocks)),
            actions,
            {key: condition for key, condition in invariants.items() if condition != NONE},
            frozenset((p, location.index) for p, location in locations if location.urgent or location.committed),
            frozenset((p, location.index) for p, location in locations if location.committed),
            list(dict.fromkeys(self._found)),
        )

    def _constraint(self, constraint: Constraint) -> Condition:
        """Without what may be affected from outside."""
        made = NONE
        for condition in conjuncts(constraint.condition):
            if self._interactions.affected(self._dependencies.reads(condition), self._outside):
                continue
            made &= self._note(self._reader.integer(condition))
        for atom in constraint.atoms:
            if not self._interactions.affected(self._dependencies.reads_of_atom(atom), self._outside):
                made &= self._note(self._reader.clock(Constraint(atoms=(atom,))))
        return made

    def _note(self, condition: Condition) -> Condition:
        if condition != NONE:
            self._found.append(condition)
        return condition

    # ---- actions ------------------------------------------------------------------------------------------

    def _actions(self) -> Iterator[PartAction]:
        for count, (edges, cost, opens) in enumerate(self._joint()):
            if count >= MOST_ACTIONS:
                raise TooLarge(f"a part has more than {MOST_ACTIONS} actions")
            yield self._action(edges, cost, opens)

    def _joint(self) -> Iterator[tuple[tuple[TimedEdge, ...], float, bool]]:
        own = [edge for p in self._processes for edge in self._network.processes[p].edges]
        offers: dict[tuple[int, bool], list[TimedEdge]] = {}
        for edge in own:
            if edge.synchronisation is None:
                yield (edge,), 1.0, False
                continue
            for channel in self._channels(edge):
                offers.setdefault((channel, edge.synchronisation.sends), []).append(edge)
        outside = {
            (channel, edge.synchronisation.sends)
            for p in self._outside
            for edge in self._network.processes[p].edges
            if edge.synchronisation is not None
            for channel in self._channels(edge)
        }
        for channel in sorted({channel for channel, _ in offers}):
            senders, receivers = offers.get((channel, True), []), offers.get((channel, False), [])
            if self._network.channels[channel].broadcast:
                yield from self._broadcast(senders, receivers, (channel, True) in outside)
                continue
            half = 0.5 if self._shared else 1.0
            if (channel, False) in outside:
                yield from (((edge,), half, True) for edge in senders)
            if (channel, True) in outside:
                yield from (((edge,), half, True) for edge in receivers)
            yield from (((s, r), 1.0, False) for s in senders for r in receivers if s.process != r.process)

    def _broadcast(
        self, senders: Sequence[TimedEdge], receivers: Sequence[TimedEdge], sent_outside: bool
    ) -> Iterator[tuple[tuple[TimedEdge, ...], float, bool]]:
        """Any set of receivers: those that have to take part may be told by what was left out."""
        by_process: dict[int, list[TimedEdge | None]] = {}
        for receiver in receivers:
            by_process.setdefault(receiver.process, [None]).append(receiver)
        for sender in senders:
            groups = [group for process, group in by_process.items() if process != sender.process]
            for choice in product(*groups):
                yield (sender, *(edge for edge in choice if edge is not None)), 1.0, True
        if sent_outside:
            for choice in product(*by_process.values()):
                edges = tuple(edge for edge in choice if edge is not None)
                if edges:
                    yield edges, 0.0 if self._shared else 1.0, True

    def _channels(self, edge: TimedEdge) -> list[int]:
        assert edge.synchronisation is not None
        return self._dependencies.ranges.addresses(edge.synchronisation.channel)

    def _action(self, edges: tuple[TimedEdge, ...], cost: float, opens: bool) -> PartAction:
        guard = NONE
        updates: list[Assigned] = []
        resets: list[tuple[int, int | None]] = []
        for edge in edges:
            guard &= self._constraint(edge.guard)
        # Receivers update in the order of the processes.
        for edge in (edges[0], *sorted(edges[1:], key=lambda edge: edge.process)):
            for effect in self._dependencies.effects(edge.updates):
                self._effect(effect, updates, resets)
        moves = tuple((edge.process, edge.source, edge.target) for edge in edges)
        return PartAction(edges, moves, guard, tuple(updates), tuple(resets), cost, opens)

    @staticmethod
    def _effect(effect: EdgeEffect, updates: list[Assigned], resets: list[tuple[int, int | None]]) -> None:
        if effect.assigns is not None:
            updates.append(Assigned(*effect.assigns))
            return
        match effect.statement:
            case Reset(clock, Constant(value)) if not clock.subscripts:
                resets.append((clock.base, value))
            case _:
                for item in sorted(effect.writes):
                    if item.kind == "clock":
                        resets.append((item.index, None))
                    else:
                        updates.append(Assigned(item.index, None))


PartGoal = tuple[Condition, tuple[tuple[int, tuple[int, ...]], ...]]
"""Conditions, and for some processes the locations they may be in."""


def target_in(
    part: NetworkPart, reader: ConditionReader, interactions: Interactions, target: Target
) -> PartGoal | None:
    """What a target says about the part: conditions, and for processes the locations they may be in; None if
    nothing."""
    outside = [p.index for p in part.network.processes if p.index not in part.processes]
    condition = NONE
    allowed: dict[int, tuple[int, ...]] = {}
    for expression in target.conditions:
        reads = reader.dependencies.reads(expression)
        located = [item for item in reads if item.kind == "process"]
        if located:
            process, locations = _located(part.network, expression)
            if process in part.processes:
                allowed[process] = tuple(at for at in allowed.get(process, locations) if at in locations)
        elif not interactions.affected(reads, outside) and _belongs(part, reads):
            condition &= reader.integer(expression)
    for atom in target.atoms:
        reads = reader.dependencies.reads_of_atom(atom)
        if not interactions.affected(reads, outside) and _belongs(part, reads):
            condition &= reader.clock(Constraint(atoms=(atom,)))
    if condition == NONE and not allowed:
        return None
    return condition, tuple(sorted(allowed.items()))


def _belongs(part: NetworkPart, reads: Iterable[StateItem]) -> bool:
    return all(
        (item.kind == "variable" and item.index in part.slots) or (item.kind == "clock" and item.index in part.clocks)
        for item in reads
    )


def _located(network: Network, expression: Expression) -> tuple[int, tuple[int, ...]]:
    """The process that an expression places, and where; (-1, ()) where it is about more than that."""
    match expression:
        case AtLocation(process, location):
            return process, (location,)
        case Unary("!", AtLocation(process, location)):
            others = [its.index for its in network.processes[process].locations if its.index != location]
            return process, tuple(others)
        case _:
            return -1, ()


def copied(assigned: Assigned) -> int | None:
    """The variable whose value is taken over unchanged."""
    match assigned.value:
        case Read(place) if not place.subscripts:
            return place.base
        case _:
            return None
