"""The zone graph of a network in pure Python: the twin of ``cpp/successors.hpp``.

``models/network`` states the rules; the discrete side of them is taken from ``models/network_semantics``, so that a
state here is a discrete state of the reference semantics with a zone in place of the valuation. Everything is exact
except ``extrapolated``; certificates and concrete traces never use that.

Law: ``exact_successors`` of a state are all states that its valuations reach by one action and then any delay. Where
clocks have rates, they are the least zones around these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from argosy.basics.position import NOWHERE
from argosy.basics.records import dataclass
from argosy.kernel.bounds import Bounds
from argosy.kernel.dbm import NO_BOUND, ZERO, Zone, add, complement, strict, value, weak
from argosy.models.network import Network, TimedEdge
from argosy.models.network_evaluation import ModelError
from argosy.models.network_expressions import ClockAtom, Constraint, Expression, NetworkPlace
from argosy.models.network_queries import Goal
from argosy.models.network_semantics import Action, NetworkState, Semantics

Difference = tuple[int, int, int]
"""``x_left - x_right`` keeps an encoded bound."""


@dataclass(frozen=True, slots=True)
class SymbolicState:
    """A discrete state and the valuations of all clocks that it stands for."""

    locations: tuple[int, ...]
    values: tuple[int, ...]
    zone: Zone

    @property
    def discrete(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.locations, self.values


@dataclass(frozen=True, slots=True)
class ZoneStep:
    """An action from a state: where its guards hold (before its resets), what it resets, and where it leads."""

    action: Action
    possible: Zone
    resets: tuple[tuple[int, int], ...]
    target: SymbolicState


class ZoneGraph(Semantics):
    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self._origin = (Fraction(0),) * len(network.clocks)

    # Exact

    def start(self) -> SymbolicState:
        """The initial state and its delays."""
        locations = tuple(process.initial for process in self.network.processes)
        values = tuple(variable.initial for variable in self.network.variables)
        origin = Zone.zero(len(self.network.clocks))
        for number, clock in enumerate(self.network.clocks):
            origin = origin.reset(number, clock.initial) if clock.initial else origin
        zone = self._entered(locations, values, origin)
        if zone is None:
            raise ModelError(NOWHERE, "the initial state violates an invariant")
        return SymbolicState(locations, values, zone)

    def exact_successors(self, state: SymbolicState) -> Iterator[ZoneStep]:
        """All successors; with priorities one action may be possible in several zones."""
        actions = self._candidates(self._discrete(state))
        if not self.network.has_priorities:
            for action in actions:
                guarded = self._guarded(state, action)
                if guarded is not None:
                    yield from self._step(state, action, guarded)
            return
        possible = [(action, zone) for action in actions if (zone := self.possible(state, action)) is not None]
        for action, zone in possible:
            rest = [zone]
            for other, its_zone in possible:
                if self.priority(other) > self.priority(action):
                    rest = [piece for part in rest for piece in part.subtracted(its_zone)]
            for piece in rest:
                yield from self._step(state, action, piece)

    def possible(self, state: SymbolicState, action: Action) -> Zone | None:
        """From which valuations the action leads to a state; priorities are left aside."""
        zone = self._guarded(state, action)
        if zone is None:
            return None
        after, resets = self._update(self._discrete(state), action)
        fresh = dict(resets)
        invariants = self._invariants_of(after.locations, after.values)
        if invariants is None:
            return None
        return _all(zone, (_before(difference, fresh) for difference in invariants))

    def met(self, state: SymbolicState, goal: Goal) -> list[Zone]:
        """The valuations of the state that meet the goal, as zones."""
        atoms = self._differences(state.locations, state.values, Constraint(goal.condition, goal.atoms))
        zone = None if atoms is None else _all(state.zone, atoms)
        if zone is None:
            return []
        if goal.deadlock is None:
            return [zone]
        delays = self.may_delay(self._discrete(state))
        waited = self._entered(state.locations, state.values, state.zone)
        later = None if waited is None else SymbolicState(state.locations, state.values, waited)
        live = [
            possible.past() if delays else possible
            for action in self._candidates(self._discrete(state))
            if later is not None and (possible := self.possible(later, action)) is not None
        ]
        if not goal.deadlock:
            return [part for moving in live if (part := moving.intersected(zone)) is not None]
        stuck = [zone]
        for moving in live:
            stuck = [piece for part in stuck for piece in part.subtracted(moving)]
        return stuck

    def steps(self, state: SymbolicState, edges: tuple[TimedEdge, ...]) -> Iterator[ZoneStep]:
        """The successors by one action; ``possible`` is exactly where it leads to a state."""
        for step in self.exact_successors(state):
            if step.action.edges == edges:
                leading = self.possible(state, step.action)
                exactly = None if leading is None else leading.intersected(step.possible)
                assert exactly is not None
                yield ZoneStep(step.action, exactly, step.resets, step.target)

    def enabled_in(self, state: SymbolicState, edges: tuple[TimedEdge, ...]) -> list[Zone]:
        """The valuations in which the guards of the edges hold, whatever becomes of the action."""
        action = self.action(edges, self._discrete(state))
        zone = self._guarded(state, action)
        return [] if zone is None else [zone]

    def clock(self, state: SymbolicState, place: NetworkPlace) -> int:
        """Which clock a place is in the state."""
        return self.address(self._discrete(state), place)

    def integer(self, state: SymbolicState, expression: Expression) -> int:
        return self.value(self._discrete(state), expression)

    def lets_time_pass(self, state: SymbolicState) -> bool:
        return self.may_delay(self._discrete(state))

    def invariants_of(self, state: SymbolicState) -> list[Difference]:
        """What invariants ask of the clocks in a state that exists."""
        return self._invariants_of(state.locations, state.values) or []

    def asked_by(self, state: SymbolicState, edges: Iterable[TimedEdge]) -> list[Difference]:
        """What the guards of edges ask of the clocks, where their integer conditions hold."""
        asked = (self._differences(state.locations, state.values, edge.guard) for edge in edges)
        return [difference for each in asked for difference in each or ()]

    def asked(self, state: SymbolicState, goal: Goal) -> list[Difference]:
        return self._differences(state.locations, state.values, Constraint(goal.condition, goal.atoms)) or []

    def rates_of(self, state: SymbolicState) -> list[int]:
        """How fast each clock runs, the reference clock first."""
        rates = self.rates(self._discrete(state))
        return [0, *(rates.get(clock, 1) for clock in range(1, state.zone.dimension))]

    # Abstract

    def split(self, state: SymbolicState, bounds: Bounds) -> list[SymbolicState]:
        """The state cut by the clock differences that may still be tested: each part is on one side of each."""
        pieces = [state.zone]
        for left, right, bound in sorted(bounds.of(state.locations).diagonals):
            sides = ((right, left, complement(bound)), (left, right, bound))
            pieces = [part for zone in pieces for side in sides if (part := zone.constrained(*side)) is not None]
        return [SymbolicState(state.locations, state.values, zone) for zone in pieces]

    def extrapolated(self, state: SymbolicState, bounds: Bounds) -> SymbolicState:
        """A state made by ``split`` with its zone enlarged, but not beyond its sides of the clock differences."""
        facts = bounds.of(state.locations)
        clocks = range(1, state.zone.dimension)
        lower = [0, *(facts.lower.get(clock, NO_BOUND) for clock in clocks)]
        upper = [0, *(facts.upper.get(clock, NO_BOUND) for clock in clocks)]
        larger: Zone | None = state.zone.extrapolated(lower, upper)
        for left, right, bound in facts.diagonals:
            side = (left, right, bound) if state.zone[left, right] <= bound else (right, left, complement(bound))
            larger = None if larger is None else larger.constrained(*side)
        assert larger is not None
        return SymbolicState(state.locations, state.values, larger)

    def abstracted(self, state: SymbolicState, bounds: Bounds) -> list[SymbolicState]:
        """The state as the search stores it: several where clock differences may still be tested."""
        return [self.extrapolated(part, bounds) for part in self.split(state, bounds)]

    # Parts

    def _discrete(self, state: SymbolicState) -> NetworkState:
        return NetworkState(state.locations, state.values, self._origin)

    def _guarded(self, state: SymbolicState, action: Action) -> Zone | None:
        zone: Zone | None = state.zone
        for edge in action.edges:
            atoms = self._differences(state.locations, state.values, edge.guard)
            zone = None if zone is None or atoms is None else _all(zone, atoms)
        return zone

    def _step(self, state: SymbolicState, action: Action, possible: Zone) -> Iterator[ZoneStep]:
        after, resets = self._update(self._discrete(state), action)
        zone = possible
        for clock, constant in resets:
            zone = zone.reset(clock, constant)
        entered = self._entered(after.locations, after.values, zone)
        if entered is not None:
            target = SymbolicState(after.locations, after.values, entered)
            yield ZoneStep(action, possible, tuple(resets), target)

    def _entered(self, locations: tuple[int, ...], values: tuple[int, ...], zone: Zone) -> Zone | None:
        """The part of the zone that keeps the invariants, and what it reaches by delay."""
        invariants = self._invariants_of(locations, values)
        inside = None if invariants is None else _all(zone, invariants)
        state = NetworkState(locations, values, self._origin)
        if inside is None or invariants is None or not self.may_delay(state):
            return inside
        rates = self.rates(state)
        if all(rate == 1 for rate in rates.values()):
            return _all(inside.delayed(), invariants)
        running = [0, *(rates.get(clock, 1) for clock in range(1, zone.dimension))]
        spans = [
            (add(bound, inside[0, left]), running[left])
            for left, right, bound in invariants
            if right == 0 and running[left] > 0
        ]
        longest = min(spans, key=lambda span: (Fraction(value(span[0]), span[1]), span[0] & 1), default=None)
        return _all(inside.elapsed(running, longest), invariants)

    def _invariants_of(self, locations: Sequence[int], values: tuple[int, ...]) -> list[Difference] | None:
        found: list[Difference] = []
        for process, location in zip(self.network.processes, locations, strict=True):
            atoms = self._differences(locations, values, process.locations[location].invariant)
            if atoms is None:
                return None
            found += atoms
        return found

    def _differences(
        self, locations: Sequence[int], values: tuple[int, ...], constraint: Constraint
    ) -> list[Difference] | None:
        """The bounds that a constraint puts on clocks in a discrete state; None where its condition does not hold."""
        state = NetworkState(tuple(locations), values, self._origin)
        if self.value(state, constraint.condition) == 0:
            return None
        return [bound for atom in constraint.atoms for bound in self._bounds_of(state, atom)]

    def _bounds_of(self, state: NetworkState, atom: ClockAtom) -> list[Difference]:
        evaluator = self._evaluator(state)
        if evaluator.value(atom.condition) == 0:
            return []
        left, right = evaluator.address(atom.left), evaluator.address(atom.right)
        constant = evaluator.value(atom.bound)
        found: list[Difference] = []
        if atom.relation in ("<", "<=", "=="):
            found.append((left, right, strict(constant) if atom.relation == "<" else weak(constant)))
        if atom.relation in (">", ">=", "=="):
            found.append((right, left, strict(-constant) if atom.relation == ">" else weak(-constant)))
        return found


def _all(zone: Zone, differences: Iterable[Difference]) -> Zone | None:
    result: Zone | None = zone
    for left, right, bound in differences:
        result = None if result is None else result.constrained(left, right, bound)
    return result


def _before(difference: Difference, resets: dict[int, int]) -> Difference:
    """A bound on the clocks after resets, as one on the clocks before them."""
    left, right, bound = difference
    if left in resets:
        left, bound = 0, add(bound, weak(-resets[left]))
    if right in resets:
        right, bound = 0, add(bound, weak(resets[right]))
    return left, right, bound


def full_zone(dimension: int, clocks: Sequence[int], bounds: Sequence[int]) -> Zone:
    """A zone over some of the clocks, as one over all: nothing is known about the others."""
    rows = list(Zone.universe(dimension).bounds)
    count = len(clocks)
    for i, first in enumerate(clocks):
        for j, second in enumerate(clocks):
            rows[first * dimension + second] = bounds[i * count + j]
    for free in set(range(1, dimension)) - set(clocks):
        for i, first in enumerate(clocks):
            rows[first * dimension + free] = bounds[i * count] if first else ZERO
    return Zone(dimension, tuple(rows))
