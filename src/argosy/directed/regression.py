"""Regression of a part under a cartesian abstraction ([Directed], 2): one step back, exactly, and then to predicates.

An abstract state describes a moment at which an action is taken, or the goal met; of a part that is not the whole
network also the moments before that, as others may act before time passes. Going back over an action: the moments
before any delay in its target, where no time passes in urgent and committed locations; then what the action does
undone; then its guard, and the invariants of where it starts. ``backwards`` repeats it from the goal on.

Law (Proposition 1): if an action of the network leads from one state to another that meets a formula, the first meets
what one of the actions makes of it here, or what stays of it where the part has no share in the action.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from argosy.directed.abstraction import Abstract, Formula, Predicates, member, values_of
from argosy.directed.parts import NONE, Assigned, Condition, ConditionReader, NetworkPart, PartAction, PartGoal, copied
from argosy.kernel.dbm import Zone, weak
from argosy.models.network_expressions import (
    AtLocation,
    Binary,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    Read,
    Unary,
)

Locations = tuple[int | None, ...]
"""Of the part's processes, in their order; None is any."""


class Regression:
    """Of one part under a set of predicates."""

    def __init__(self, part: NetworkPart, reader: ConditionReader, predicates: Predicates) -> None:
        self._part = part
        self._reader = reader
        self.predicates = predicates
        self._place = {process: k for k, process in enumerate(part.processes)}
        self._entering: dict[tuple[int, int], list[int]] = {}
        for number, action in enumerate(part.actions):
            process, _, target = action.moves[0]
            self._entering.setdefault((process, target), []).append(number)
        self._leading: dict[Locations, list[tuple[int, tuple[Locations, Locations]]]] = {}
        self._invariants: dict[Locations, Condition] = {}
        self._unset: dict[tuple[Zone, tuple[tuple[int, int | None], ...]], Zone | None] = {}
        self._delayed: dict[tuple[Zone, Locations], Zone | None] = {}

    def starts(self, goal: PartGoal) -> Iterator[Abstract]:
        for formula in self.exact_starts(goal):
            yield self.predicates.abstract(formula)

    def exact_starts(self, goal: PartGoal) -> Iterator[Formula]:
        condition, allowed = goal
        for choice in product(*(locations for _, locations in allowed)):
            chosen = dict(zip((process for process, _ in allowed), choice, strict=True))
            locations = tuple(chosen.get(process) for process in self._part.processes)
            zone = self.predicates.universe
            formula = self._met(Formula(locations, (), (), zone), condition & self._invariant(locations))
            if formula is not None and (waited := self._waited(formula)) is not None:
                yield waited

    def predecessors(self, state: Abstract) -> Iterator[tuple[int, Abstract]]:
        """Every action, by its number in the part, with the abstract state before it."""
        formula = self.predicates.formula(state)
        if formula is None:
            return
        for number, before in self.regress(formula):
            yield number, self.predicates.abstract(before)

    def regress(self, formula: Formula) -> Iterator[tuple[int, Formula]]:
        """Every action with the exact formula before it."""
        for number, places in self._candidates(formula.locations):
            before = self._before(formula, self._part.actions[number], places)
            if before is not None:
                yield number, before

    def before(self, formula: Formula, action: PartAction) -> Formula | None:
        """The states from which the action, and then a delay, leads into the formula."""
        places = self._places(formula.locations, action)
        return None if places is None else self._before(formula, action, places)

    def _candidates(self, locations: Locations) -> list[tuple[int, tuple[Locations, Locations]]]:
        """The actions that may lead into the locations, with where they do."""
        found = self._leading.get(locations)
        if found is None:
            found = self._leading[locations] = []
            for process, location in zip(self._part.processes, locations, strict=True):
                everywhere = range(len(self._part.network.processes[process].locations))
                for target in everywhere if location is None else (location,):
                    for number in self._entering.get((process, target), ()):
                        places = self._places(locations, self._part.actions[number])
                        if places is not None:
                            found.append((number, places))
        return found

    def _places(self, locations: Locations, action: PartAction) -> tuple[Locations, Locations] | None:
        """Where the action leads to and comes from, if it may lead into the locations."""
        after, sources = list(locations), list(locations)
        for process, source, target in action.moves:
            place = self._place[process]
            if after[place] not in (None, target):
                return None
            after[place], sources[place] = target, source
        return (tuple(after), tuple(sources)) if self._may_happen(sources, action) else None

    def _before(self, formula: Formula, action: PartAction, places: tuple[Locations, Locations]) -> Formula | None:
        entered, leaving = places
        zone = self._entry(formula.zone, entered)
        if zone is None:
            return None
        invariant = self._invariant(entered)
        met = self._met(
            Formula(entered, formula.masks, formula.relations, zone), Condition(invariant.masks, invariant.relations)
        )
        if met is None:
            return None
        undone = self._undone(met, action)
        if undone is None:
            return None
        taken = self._met(
            Formula(leaving, undone.masks, undone.relations, undone.zone), action.guard & self._invariant(leaving)
        )
        return None if taken is None else self._waited(taken)

    def may_begin(self, state: Abstract) -> bool:
        """Whether the part may begin in the abstract state."""
        formula = self.predicates.formula(state)
        return formula is not None and self.begins(formula)

    def begins(self, formula: Formula) -> bool:
        """Whether the initial state of the part, or one that it becomes as time passes, is in the formula."""
        network = self._part.network
        for process, location in zip(self._part.processes, formula.locations, strict=True):
            if location not in (None, network.processes[process].initial):
                return False
        values = {slot: network.variables[slot].initial for slot in self._part.slots}
        for slot, mask in formula.masks:
            if not mask >> (network.variables[slot].initial - network.variables[slot].low) & 1:
                return False
        if not all(self._reader.value(relation, values) for relation in formula.relations):
            return False
        zone = Zone.zero(len(self._part.clocks) + 1).delayed()
        return formula.zone.intersected(zone) is not None

    # ---- parts of a step ----------------------------------------------------------------------------------

    def _may_happen(self, sources: list[int | None], action: PartAction) -> bool:
        """While a process is committed, someone who is has to move; a partner outside may be the one."""
        committed = self._part.committed
        if action.opens or not committed:
            return True
        places = zip(self._part.processes, sources, strict=True)
        here = [process for process, source in places if source is not None and (process, source) in committed]
        return not here or any((process, source) in committed for process, source, _ in action.moves)

    def _invariant(self, locations: Locations) -> Condition:
        made = self._invariants.get(locations)
        if made is None:
            made = NONE
            for process, location in zip(self._part.processes, locations, strict=True):
                if location is not None and (own := self._part.invariants.get((process, location))) is not None:
                    made &= own
            self._invariants[locations] = made
        return made

    def _entry(self, zone: Zone, locations: Locations) -> Zone | None:
        """From where a delay in the locations leads into the zone."""
        key = zone, locations
        if key not in self._delayed:
            bounds = self._invariant(locations).bounds
            inside = self.predicates.bounded(zone, bounds)
            still = any(
                location is not None and (process, location) in self._part.still
                for process, location in zip(self._part.processes, locations, strict=True)
            )
            if inside is not None and not still:
                inside = self.predicates.bounded(inside.past(), bounds)
            self._delayed[key] = inside
        return self._delayed[key]

    def _waited(self, formula: Formula) -> Formula | None:
        """With the moments before, where time may stand still because of others now, and pass later."""
        if len(self._part.processes) == len(self._part.network.processes):
            return formula
        zone = self._entry(formula.zone, formula.locations)
        return None if zone is None else Formula(formula.locations, formula.masks, formula.relations, zone)

    def _undone(self, formula: Formula, action: PartAction) -> Formula | None:
        masks = dict(formula.masks)
        relations = list(formula.relations)
        for assigned in reversed(action.updates):
            if not self._unassign(assigned, masks, relations):
                return None
        zone = self._before_resets(formula.zone, action.resets)
        if zone is None:
            return None
        return Formula(formula.locations, tuple(sorted(masks.items())), tuple(relations), zone)

    def _before_resets(self, zone: Zone, resets: tuple[tuple[int, int | None], ...]) -> Zone | None:
        if not resets:
            return zone
        key = zone, resets
        if key not in self._unset:
            known = {0, *self._part.clocks}
            left: Zone | None = zone
            for clock, value in reversed(resets):
                if clock not in known or left is None:
                    continue
                row = self.predicates.row(clock)
                if value is not None:
                    left = left.constrained(row, 0, weak(value))
                    left = None if left is None else left.constrained(0, row, weak(-value))
                left = None if left is None else left.freed(row)
            self._unset[key] = left
        return self._unset[key]

    def _unassign(self, assigned: Assigned, masks: dict[int, int], relations: list[Expression]) -> bool:
        slot, value = assigned.slot, assigned.value
        mask = masks.pop(slot, None)
        concerned = [r for r in relations if slot in self.predicates.slots_of(r)]
        if value is None or (concerned and not _simple(value)):
            relations[:] = [r for r in relations if r not in concerned]
        elif concerned:
            relations[:] = [_substituted(r, slot, value) for r in relations]
        if mask is None or value is None:
            return True
        low = self._part.network.variables[slot].low
        if isinstance(value, Constant):
            offset = value.value - low
            return offset >= 0 and bool(mask >> offset & 1)
        source = copied(assigned)
        slots = self.predicates.slots_of(value)
        if any(map(self._reader.is_wide, slots)):
            return True
        if source is not None:
            shift = self._part.network.variables[source].low - low
            moved = (mask >> shift if shift >= 0 else mask << -shift) & self._reader.full(source)
            return self._restrict(masks, source, moved)
        if not slots:
            return True
        if len(slots) == 1:
            only = next(iter(slots))
            return self._restrict(masks, only, self._reader.preimage(value, only, low, mask))
        allowed = values_of(mask, low)
        relations.append(_substituted(member(slot, allowed), slot, value))
        return True

    def _restrict(self, masks: dict[int, int], slot: int, mask: int) -> bool:
        left = masks.get(slot, self._reader.full(slot)) & mask
        masks[slot] = left
        return left != 0

    def _met(self, formula: Formula, condition: Condition) -> Formula | None:
        """The formula and the condition; None if nothing is left."""
        masks = dict(formula.masks)
        for slot, mask in condition.masks:
            if slot < 0 or not self._restrict(masks, slot, mask):
                return None
        zone = self.predicates.bounded(formula.zone, condition.bounds)
        if zone is None:
            return None
        relations = tuple(dict.fromkeys((*formula.relations, *condition.relations)))
        if relations and not self._tightened(masks, relations):
            return None
        return Formula(formula.locations, tuple(sorted(masks.items())), relations, zone)

    def _tightened(self, masks: dict[int, int], relations: tuple[Expression, ...]) -> bool:
        """Takes from the sets of values what no solution of a relation has; False if there is none."""
        for relation in relations:
            slots = sorted(self.predicates.slots_of(relation))
            left = dict.fromkeys(slots, 0)
            for values in self.predicates.valuations(slots, masks):
                if values is None:
                    break
                if self._reader.value(relation, values):
                    for slot, value in values.items():
                        left[slot] |= 1 << (value - self._part.network.variables[slot].low)
            else:
                if not all(left.values()):
                    return False
                masks.update(left)
        return True


def _simple(value: Expression) -> bool:
    return not isinstance(value, FunctionCall)


def _substituted(expression: Expression, slot: int, value: Expression) -> Expression:
    match expression:
        case Read(place) if not place.subscripts and place.base == slot:
            return value
        case Unary(operator, operand, position):
            return Unary(operator, _substituted(operand, slot, value), position)
        case Binary(operator, left, right, position):
            return Binary(operator, _substituted(left, slot, value), _substituted(right, slot, value), position)
        case Conditional(condition, then, otherwise):
            return Conditional(
                _substituted(condition, slot, value),
                _substituted(then, slot, value),
                _substituted(otherwise, slot, value),
            )
        case Constant() | AtLocation() | _:
            return expression
