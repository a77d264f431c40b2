"""The cartesian predicate abstraction of a part ([Directed], 2): literals of a formula, and formulas of literals.

A formula is a conjunction: locations of some processes, a set of values for each variable, relations between
variables, a zone. An abstract state is the set of literals that a formula entails, each predicate or its negation or
neither. Entailment is exact: about one variable by its set of values, about several by all their values that are left
(up to a bound beyond which the answer is "not entailed"), about clocks by the difference-bound matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from argosy.basics.records import dataclass
from argosy.directed.parts import Condition, ConditionReader, Difference, NetworkPart
from argosy.kernel.dbm import Zone, complement
from argosy.models.network_expressions import (
    AtLocation,
    Binary,
    ClockAtom,
    Constant,
    Constraint,
    Expression,
    NetworkPlace,
    Read,
    Unary,
)

ENUMERATED = 4096
"""Relations between variables are decided by enumeration up to so many combinations of values."""


@dataclass(frozen=True, slots=True)
class Formula:
    """``locations``: of the part's processes in their order, None where any. A variable not in ``masks`` may have any
    value. ``zone`` is over the part's clocks, in their order."""

    locations: tuple[int | None, ...]
    masks: tuple[tuple[int, int], ...]
    relations: tuple[Expression, ...]
    zone: Zone


@dataclass(frozen=True, slots=True)
class Abstract:
    """Locations as in a formula; for variables, relations and clocks the literals, as bits: even ones are predicates,
    odd ones their negations."""

    locations: tuple[int | None, ...]
    masks: tuple[tuple[int, int], ...]
    """The values that the literals about each variable leave."""
    related: int
    timed: int


class Predicates:
    """The predicates of a part: sets of values for single variables, relations, bounds on clock differences."""

    def __init__(self, part: NetworkPart, reader: ConditionReader, conditions: Iterable[Condition]) -> None:
        self.part = part
        self.given = tuple(dict.fromkeys(conditions))
        """Where they come from; what is said twice, or by a negation, is one predicate."""
        self._reader = reader
        values: dict[int, dict[int, None]] = {}
        relations: dict[Expression, None] = {}
        bounds: dict[Difference, None] = {}
        for condition in self.given:
            for slot, mask in condition.masks:
                full = reader.full(slot) if slot >= 0 else 0
                if mask not in (0, full) and full & ~mask not in values.setdefault(slot, {}):
                    values[slot][mask] = None
            relations.update(dict.fromkeys(condition.relations))
            for left, right, bound in condition.bounds:
                if (right, left, complement(bound)) not in bounds:
                    bounds[left, right, bound] = None
        self.values = {slot: tuple(masks) for slot, masks in sorted(values.items()) if masks}
        self.relations = tuple(relations)
        self.bounds = tuple(bounds)
        self._row = {0: 0, **{clock: k + 1 for k, clock in enumerate(part.clocks)}}
        self._hulls: dict[tuple[int, int], int] = {}
        self._timed: dict[Zone, int] = {}
        self._zones: dict[int, Zone | None] = {}
        self._bounded: dict[tuple[Zone, tuple[Difference, ...]], Zone | None] = {}
        self.constraints: list[Constraint] = []
        self._number_of: dict[Constraint, int] = {}
        self._numbered: dict[tuple[str, int, int], tuple[int, ...]] = {}

    def __len__(self) -> int:
        return sum(map(len, self.values.values())) + len(self.relations) + len(self.bounds)

    @property
    def universe(self) -> Zone:
        return Zone.universe(len(self.part.clocks) + 1)

    def bounded(self, zone: Zone, bounds: tuple[Difference, ...]) -> Zone | None:
        if not bounds:
            return zone
        key = zone, bounds
        if key not in self._bounded:
            left: Zone | None = zone
            for first, second, bound in bounds:
                if left is not None:
                    left = left.constrained(self._row[first], self._row[second], bound)
            self._bounded[key] = left
        return self._bounded[key]

    def row(self, clock: int) -> int:
        return self._row.get(clock, 0)

    # ---- from formulas to literals ------------------------------------------------------------------------

    def abstract(self, formula: Formula) -> Abstract:
        masks = []
        for slot, mask in formula.masks:
            hull = self.hull(slot, mask)
            if hull is not None:
                masks.append((slot, hull))
        return Abstract(
            formula.locations,
            tuple(masks),
            self._related(formula) if self.relations else 0,
            self._of_zone(formula.zone),
        )

    def hull(self, slot: int, mask: int) -> int | None:
        """The values that the literals entailed by a set of values leave; None if there are no literals."""
        if slot not in self.values:
            return None
        known = self._hulls.get((slot, mask))
        if known is None:
            full = known = self._reader.full(slot)
            for predicate in self.values[slot]:
                if mask & ~predicate == 0:
                    known &= predicate
                elif mask & predicate == 0:
                    known &= full & ~predicate
            self._hulls[slot, mask] = known
        return None if known == self._reader.full(slot) else known

    def _of_zone(self, zone: Zone) -> int:
        known = self._timed.get(zone)
        if known is None:
            known = 0
            for index, (left, right, bound) in enumerate(self.bounds):
                i, j = self._row[left], self._row[right]
                if zone[i, j] <= bound:
                    known |= 1 << 2 * index
                elif zone[j, i] <= complement(bound):
                    known |= 2 << 2 * index
            self._timed[zone] = known
        return known

    def _related(self, formula: Formula) -> int:
        bits = 0
        masks = dict(formula.masks)
        for index, relation in enumerate(self.relations):
            answers = self.answers(relation, masks, formula.relations)
            if answers == {True}:
                bits |= 1 << 2 * index
            elif answers == {False}:
                bits |= 2 << 2 * index
        return bits

    def answers(self, relation: Expression, masks: Mapping[int, int], constraints: Sequence[Expression]) -> set[bool]:
        """The values of a relation in what the masks and the constraints about its variables leave."""
        slots = self.slots_of(relation)
        near = [c for c in constraints if self.slots_of(c) & slots]
        slots = slots.union(*(self.slots_of(c) for c in near))
        found: set[bool] = set()
        for values in self.valuations(sorted(slots), masks):
            if values is None:
                return {True, False}
            if all(self._reader.value(c, values) for c in near):
                found.add(bool(self._reader.value(relation, values)))
        return found

    def slots_of(self, expression: Expression) -> frozenset[int]:
        return frozenset(item.index for item in self._reader.dependencies.reads(expression))

    def valuations(self, slots: Sequence[int], masks: Mapping[int, int]) -> Iterable[dict[int, int] | None]:
        """All combinations of the values that are left; None where there are too many."""
        left = [masks.get(slot, self._reader.full(slot)) for slot in slots]
        if prod(mask.bit_count() for mask in left) > ENUMERATED:
            yield None
            return
        choices = [values_of(mask, self._low(slot)) for slot, mask in zip(slots, left, strict=True)]
        for combination in product(*choices):
            yield dict(zip(slots, combination, strict=True))

    def _low(self, slot: int) -> int:
        return self.part.network.variables[slot].low

    # ---- and back -----------------------------------------------------------------------------------------

    def formula(self, state: Abstract) -> Formula | None:
        """What the literals say; None if the clock literals contradict each other."""
        if state.timed not in self._zones:
            self._zones[state.timed] = self.bounded(self.universe, tuple(self._bounds_of(state.timed)))
        zone = self._zones[state.timed]
        if zone is None:
            return None
        relations = []
        for index, relation in enumerate(self.relations):
            if state.related >> 2 * index & 1:
                relations.append(relation)
            elif state.related >> 2 * index & 2:
                relations.append(Unary("!", relation))
        return Formula(state.locations, state.masks, tuple(relations), zone)

    def _bounds_of(self, bits: int) -> Iterable[Difference]:
        for index, (left, right, bound) in enumerate(self.bounds):
            if bits >> 2 * index & 1:
                yield left, right, bound
            elif bits >> 2 * index & 2:
                yield right, left, complement(bound)

    def literals(self, state: Abstract) -> Iterable[Constraint]:
        """The literals of a state, as conditions on a network's state."""
        return (self.constraints[number] for number in self.numbered(state))

    def numbered(self, state: Abstract) -> list[int]:
        """The same by their numbers in ``constraints``, which grow as literals are asked for."""
        found: list[int] = []
        for process, location in zip(self.part.processes, state.locations, strict=True):
            if location is not None:
                found += self._numbers(("at", process, location))
        for slot, mask in state.masks:
            found += self._numbers(("value", slot, mask))
        found += self._numbers(("related", state.related, 0))
        found += self._numbers(("timed", state.timed, 0))
        return found

    def _numbers(self, key: tuple[str, int, int]) -> tuple[int, ...]:
        known = self._numbered.get(key)
        if known is None:
            known = tuple(map(self._number, self._constraints(*key)))
            self._numbered[key] = known
        return known

    def _number(self, literal: Constraint) -> int:
        number = self._number_of.setdefault(literal, len(self.constraints))
        if number == len(self.constraints):
            self.constraints.append(literal)
        return number

    def _constraints(self, kind: str, first: int, second: int) -> Iterable[Constraint]:
        match kind:
            case "at":
                yield Constraint(AtLocation(first, second))
            case "value":
                full = self._reader.full(first)
                for predicate in self.values[first]:
                    if second & ~predicate == 0:
                        yield self._membership(first, predicate)
                    elif second & predicate == 0:
                        yield self._membership(first, full & ~predicate)
            case "related":
                for index, relation in enumerate(self.relations):
                    if first >> 2 * index & 1:
                        yield Constraint(relation)
                    elif first >> 2 * index & 2:
                        yield Constraint(Unary("!", relation))
            case _:
                for left, right, bound in self._bounds_of(first):
                    kept = ClockAtom(
                        NetworkPlace(left), NetworkPlace(right), "<=" if bound & 1 else "<", Constant(bound >> 1)
                    )
                    yield Constraint(atoms=(kept,))

    def _membership(self, slot: int, mask: int) -> Constraint:
        return Constraint(member(slot, values_of(mask, self._low(slot))))


def values_of(mask: int, low: int) -> list[int]:
    return [low + offset for offset, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def member(slot: int, values: Sequence[int]) -> Expression:
    """``slot`` has one of the values: as a disjunction of intervals."""
    read = Read(NetworkPlace(slot))
    result: Expression | None = None
    start = previous = values[0]
    for value in (*values[1:], None):
        if value is not None and value == previous + 1:
            previous = value
            continue
        interval: Expression = Binary("==", read, Constant(start))
        if start != previous:
            interval = Binary("&&", Binary(">=", read, Constant(start)), Binary("<=", read, Constant(previous)))
        result = interval if result is None else Binary("||", result, interval)
        if value is not None:
            start = previous = value
    assert result is not None
    return result
