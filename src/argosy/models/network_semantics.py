"""The concrete semantics of a network with exact rational time: the page in ``network`` as a program.

The reference against which zones are tested, and what replays a trace before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from argosy.basics.records import dataclass
from argosy.models.network import Network, TimedEdge
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import (
    UNCONSTRAINED,
    ClockAtom,
    ClockRelation,
    Constraint,
    Expression,
    NetworkPlace,
)
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, Not, Or, StateFormula


@dataclass(frozen=True, slots=True)
class NetworkState:
    """``clocks[0]`` is the reference clock. ``values`` includes the meta variables, which do not tell states apart."""

    locations: tuple[int, ...]
    values: tuple[int, ...]
    clocks: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """Who takes part: the internal edge, or the sender and then the receivers in the order of the processes."""

    edges: tuple[TimedEdge, ...]
    channel: int | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """Delays: a convex set of non-negative rationals. ``high`` None is unbounded."""

    low: Fraction = Fraction(0)
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False

    @property
    def empty(self) -> bool:
        if self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def __contains__(self, delay: Fraction) -> bool:
        above = delay > self.low or (delay == self.low and not self.low_open)
        below = self.high is None or delay < self.high or (delay == self.high and not self.high_open)
        return above and below

    def meet(self, other: Interval) -> Interval:
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        if self.high is None or other.high is None:
            high, high_open = (other.high, other.high_open) if self.high is None else (self.high, self.high_open)
        else:
            high, closed = min((self.high, not self.high_open), (other.high, not other.high_open))
            high_open = not closed
        return Interval(low, low_open, high, high_open)


ALWAYS = Interval()
NEVER = Interval(Fraction(1), False, Fraction(0), False)
NOW = Interval(Fraction(0), False, Fraction(0), False)


class ImpossibleStep(Exception):
    """A delay or an action that the semantics does not permit; the text says which rule forbids it."""


def compare(difference: Fraction, relation: ClockRelation, bound: int) -> bool:
    match relation:
        case "<":
            return difference < bound
        case "<=":
            return difference <= bound
        case "==":
            return difference == bound
        case ">=":
            return difference >= bound
        case ">":
            return difference > bound


class Semantics:
    def __init__(self, network: Network) -> None:
        self.network = network
        self._rated = bool(network.rated)
        self._leaving: list[list[list[TimedEdge]]] = []
        for process in network.processes:
            leaving: list[list[TimedEdge]] = [[] for _ in process.locations]
            for edge in process.edges:
                leaving[edge.source].append(edge)
            self._leaving.append(leaving)

    def initial(self) -> NetworkState:
        state = NetworkState(
            tuple(process.initial for process in self.network.processes),
            tuple(variable.initial for variable in self.network.variables),
            tuple(Fraction(clock.initial) for clock in self.network.clocks),
        )
        for process in self.network.processes:
            location = process.locations[process.initial]
            if Fraction(0) not in self._window(state, location.invariant):
                raise ModelError(
                    location.position, f"the initial state violates the invariant of {process.name}.{location.name}"
                )
        return state

    def value(self, state: NetworkState, expression: Expression) -> int:
        return self._evaluator(state).value(expression)

    def address(self, state: NetworkState, place: NetworkPlace) -> int:
        """Which clock, channel or slot a place is in ``state``."""
        return self._evaluator(state).address(place)

    def _evaluator(self, state: NetworkState) -> Evaluator:
        memory = [*state.values, *(variable.initial for variable in self.network.scratch)]
        return Evaluator(self.network.functions, self.network.slot, memory, state.locations)

    def satisfies(self, state: NetworkState, formula: StateFormula) -> bool:
        match formula:
            case Holds(expression):
                return self.value(state, expression) != 0
            case ClockTest(atom):
                return Fraction(0) in self._atom_window(state, atom)
            case Deadlock():
                return self.deadlocked(state)
            case Not(operand):
                return not self.satisfies(state, operand)
            case And(operands):
                return all(self.satisfies(state, operand) for operand in operands)
            case Or(operands):
                return any(self.satisfies(state, operand) for operand in operands)

    # Delay

    def may_delay(self, state: NetworkState) -> bool:
        """Whether the discrete part lets time pass: no urgent or committed location, no urgent synchronisation."""
        for process, location in zip(self.network.processes, state.locations, strict=True):
            if process.locations[location].urgent or process.locations[location].committed:
                return False
        senders, receivers = self._ready(state)[1:]
        for channel, edge in senders:
            kind = self.network.channels[channel]
            if kind.urgent and (
                kind.broadcast or any(c == channel and e.process != edge.process for c, e in receivers)
            ):
                return False
        return True

    def delays(self, state: NetworkState) -> Interval:
        """The delays that are permitted from ``state``; 0 is among them."""
        if not self.may_delay(state):
            return NOW
        self.rates(state)
        return self._invariants(state)

    def delay(self, state: NetworkState, amount: Fraction) -> NetworkState:
        if amount < 0:
            raise ImpossibleStep(f"negative delay {amount}")
        if amount == 0:
            return state
        if not self.may_delay(state):
            raise ImpossibleStep("time may not pass: an urgent or committed location, or an urgent synchronisation")
        if amount not in self._invariants(state):
            raise ImpossibleStep(f"an invariant does not hold after a delay of {amount}")
        rates = self.rates(state)
        moved = [
            value + (amount * rates[clock] if clock in rates else amount) for clock, value in enumerate(state.clocks)
        ]
        return NetworkState(state.locations, state.values, (state.clocks[0], *moved[1:]))

    def rates(self, state: NetworkState) -> dict[int, int]:
        """How fast the clocks run that have a rate in the current locations."""
        found: dict[int, int] = {}
        if not self._rated:
            return found
        for process, location in zip(self.network.processes, state.locations, strict=True):
            for rate in process.locations[location].rates:
                found[rate.clock] = self.value(state, rate.value)
                if found[rate.clock] < 0:
                    raise ModelError(rate.position, "negative rate of a clock")
        return found

    # Actions

    def enabled(self, state: NetworkState) -> tuple[Action, ...]:
        """The actions possible in ``state`` without delay, in a fixed order."""
        possible = [action for action in self._candidates(state) if self._now(state, action)]
        if not self.network.has_priorities or not possible:
            return tuple(possible)
        highest = max(self.priority(action) for action in possible)
        return tuple(action for action in possible if self.priority(action) == highest)

    def fire(self, state: NetworkState, action: Action) -> NetworkState:
        if action not in self.enabled(state):
            raise ImpossibleStep(self._why_not(state, action))
        return self._after(state, action)

    def action(self, edges: Sequence[TimedEdge], state: NetworkState) -> Action:
        """The action that ``edges`` make together in ``state``: the channel is evaluated there."""
        synchronisation = edges[0].synchronisation
        if synchronisation is None:
            return Action(tuple(edges))
        receivers = sorted(edges[1:], key=lambda edge: edge.process)
        return Action((edges[0], *receivers), self._evaluator(state).address(synchronisation.channel))

    def priority(self, action: Action) -> tuple[int, int]:
        channel = (
            self.network.default_priority if action.channel is None else self.network.channels[action.channel].priority
        )
        return channel, max(self.network.processes[edge.process].priority for edge in action.edges)

    def windows(self, state: NetworkState) -> Iterator[tuple[Action, Interval]]:
        """Actions and the permitted delays after which each is possible; priorities are left aside."""
        permitted = self.delays(state)
        for action in self._candidates(state):
            window = permitted
            for edge in action.edges:
                window = window.meet(self._window(state, edge.guard))
            if window.empty:
                continue
            after, resets = self._update(state, action)
            # The delay is before the action: clocks run as fast as they do there.
            fresh = dict(resets)
            rates = self.rates(state)
            for process, location in zip(self.network.processes, after.locations, strict=True):
                invariant = process.locations[location].invariant
                window = window.meet(self._window(after, invariant, fresh, rates))
            if not window.empty:
                yield action, window

    def deadlocked(self, state: NetworkState) -> bool:
        return next(self.windows(state), None) is None

    def _ready(
        self, state: NetworkState
    ) -> tuple[list[TimedEdge], list[tuple[int, TimedEdge]], list[tuple[int, TimedEdge]]]:
        """Edges whose integer condition holds: internal ones, senders and receivers with their channels."""
        internal: list[TimedEdge] = []
        senders: list[tuple[int, TimedEdge]] = []
        receivers: list[tuple[int, TimedEdge]] = []
        evaluator = self._evaluator(state)
        for leaving, location in zip(self._leaving, state.locations, strict=True):
            for edge in leaving[location]:
                if evaluator.value(edge.guard.condition) == 0:
                    continue
                if edge.synchronisation is None:
                    internal.append(edge)
                else:
                    channel = evaluator.address(edge.synchronisation.channel)
                    (senders if edge.synchronisation.sends else receivers).append((channel, edge))
        return internal, senders, receivers

    def _candidates(self, state: NetworkState) -> list[Action]:
        """Actions as far as the discrete part decides: integer conditions, synchronisation, committed locations."""
        internal, senders, receivers = self._ready(state)
        found = [Action((edge,)) for edge in internal]
        for channel, sender in senders:
            partners: dict[int, list[TimedEdge]] = {}
            for other, receiver in receivers:
                if other == channel and receiver.process != sender.process:
                    partners.setdefault(receiver.process, []).append(receiver)
            if self.network.channels[channel].broadcast:
                groups = [partners[process] for process in sorted(partners)]
                found += [Action((sender, *choice), channel) for choice in product(*groups)]
            else:
                found += [Action((sender, edge), channel) for group in partners.values() for edge in group]
        if not any(self._committed(process, location) for process, location in enumerate(state.locations)):
            return found
        return [action for action in found if any(self._committed(e.process, e.source) for e in action.edges)]

    def _committed(self, process: int, location: int) -> bool:
        return self.network.processes[process].locations[location].committed

    def _now(self, state: NetworkState, action: Action) -> bool:
        if not all(Fraction(0) in self._window(state, edge.guard) for edge in action.edges):
            return False
        return Fraction(0) in self._invariants(self._after(state, action))

    def _update(self, state: NetworkState, action: Action) -> tuple[NetworkState, list[tuple[int, int]]]:
        memory = [*state.values, *(variable.initial for variable in self.network.scratch)]
        evaluator = Evaluator(self.network.functions, self.network.slot, memory, state.locations)
        locations = list(state.locations)
        for edge in action.edges:
            evaluator.execute(edge.updates)
            locations[edge.process] = edge.target
        values = tuple(memory[: len(state.values)])
        return NetworkState(tuple(locations), values, state.clocks), evaluator.resets

    def _after(self, state: NetworkState, action: Action) -> NetworkState:
        after, resets = self._update(state, action)
        clocks = list(after.clocks)
        for clock, value in resets:
            clocks[clock] = Fraction(value)
        return NetworkState(after.locations, after.values, tuple(clocks))

    def _invariants(self, state: NetworkState) -> Interval:
        window = ALWAYS
        for process, location in zip(self.network.processes, state.locations, strict=True):
            window = window.meet(self._window(state, process.locations[location].invariant))
        return window

    def _window(
        self,
        state: NetworkState,
        constraint: Constraint,
        fresh: dict[int, int] | None = None,
        rates: dict[int, int] | None = None,
    ) -> Interval:
        """The delays after which the constraint holds; clocks in ``fresh`` are set to a value after the delay, and run
        at other ``rates`` during it than those of the state."""
        if constraint == UNCONSTRAINED:
            return ALWAYS
        if self.value(state, constraint.condition) == 0:
            return NEVER
        window = ALWAYS
        for atom in constraint.atoms:
            window = window.meet(self._atom_window(state, atom, fresh, rates))
        return window

    def _atom_window(
        self,
        state: NetworkState,
        atom: ClockAtom,
        fresh: dict[int, int] | None = None,
        rates: dict[int, int] | None = None,
    ) -> Interval:
        evaluator = self._evaluator(state)
        if evaluator.value(atom.condition) == 0:
            return ALWAYS
        known = self.rates(state) if rates is None else rates
        left, left_rate = self._moving(state, evaluator, atom.left, fresh, known)
        right, right_rate = self._moving(state, evaluator, atom.right, fresh, known)
        bound = evaluator.value(atom.bound)
        difference, rate = left - right, left_rate - right_rate
        if rate == 0:
            return ALWAYS if compare(difference, atom.relation, bound) else NEVER
        limit = (bound - difference) / rate
        upper = (atom.relation in ("<", "<=")) == (rate > 0)
        window = ALWAYS
        if atom.relation == "==" or upper:
            window = window.meet(Interval(high=limit, high_open=atom.relation in ("<", ">")))
        if atom.relation == "==" or not upper:
            window = window.meet(Interval(low=limit, low_open=atom.relation in ("<", ">")))
        return window

    def _moving(
        self,
        state: NetworkState,
        evaluator: Evaluator,
        place: NetworkPlace,
        fresh: dict[int, int] | None,
        rates: dict[int, int],
    ) -> tuple[Fraction, int]:
        """A clock's value and its rate under delay: the reference clock and fresh clocks stand still."""
        clock = evaluator.address(place)
        if clock == 0:
            return Fraction(0), 0
        if fresh is not None and clock in fresh:
            return Fraction(fresh[clock]), 0
        return state.clocks[clock], rates.get(clock, 1)

    def _why_not(self, state: NetworkState, action: Action) -> str:
        for edge in action.edges:
            process = self.network.processes[edge.process]
            if state.locations[edge.process] != edge.source:
                return f"{process.name} is not in {process.locations[edge.source].name}"
            if Fraction(0) not in self._window(state, edge.guard):
                return f"the guard of an edge of {process.name} does not hold: {edge.text.guard}"
        if action not in self._candidates(state):
            return (
                "these edges do not make an action here (synchronisation, broadcast receivers or committed locations)"
            )
        if not self._now(state, action):
            return "a target invariant does not hold"
        return "an action with higher priority is possible"
