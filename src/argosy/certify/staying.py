"""Certificates about maximal runs that stay among the states of a formula (``models/network`` says which are maximal).

**That there is one.** The run is replayed in the interpreter; from where it begins to stay, the formula holds in every
state that it passes, also inside delays. If it ends, it ends in a deadlock or may wait for ever, and the formula holds
however long it waits. If it is a lasso, its cycle comes back to the discrete state where it began, and a set of clock
values is given in which it begins and ends; from every valuation of that set the cycle can be taken and leads into the
set again, so that it can be taken for ever. This is shown backwards, step by step, with zones: a zone at the end, what
must have been before the action, before the delay, and so on. Where time has to diverge, every round takes at least one
unit of it.

**That there is none.** The states that the search has stored, with their ranks (``kernel/cpp/eventual.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from argosy.basics.records import dataclass
from argosy.certify.timed_replay import Moment, ReplayError, TimedStep, replay
from argosy.certify.zones import Inductive, NotInductive
from argosy.kernel.certifier import EventualNativeCertifier
from argosy.kernel.dbm import Zone, strict, value, weak
from argosy.kernel.graph import Difference, SymbolicState, ZoneGraph
from argosy.kernel.staying import Micro, MicroStep
from argosy.models.network import Network
from argosy.models.network_expressions import TRUE, Constraint, NetworkPlace
from argosy.models.network_queries import (
    And,
    ClockMeasure,
    ClockTest,
    Deadlock,
    Goal,
    Holds,
    Not,
    Or,
    StateFormula,
    Stay,
)
from argosy.models.network_semantics import Action, NetworkState, Semantics


@dataclass(frozen=True, slots=True)
class RunClaim:
    """``steps`` are those of the run: it stays from after the first ``begins`` of them on, and the cycle is what comes
    after the first ``repeats`` (None: the run ends after the last). ``cycle`` says how the cycle goes through the parts
    of the formula, and ``recurring`` is the set of valuations at its beginning."""

    steps: tuple[TimedStep, ...]
    begins: int
    repeats: int | None = None
    cycle: tuple[MicroStep, ...] = ()
    recurring: tuple[Zone, ...] = ()


def certify_none(
    network: Network, stay: Stay, states: Iterator[bytes], tick: Callable[[], None] | None = None
) -> Inductive | NotInductive:
    certifier = EventualNativeCertifier(network, stay)
    for portion in states:
        if tick is not None:
            tick()
        certifier.add(portion)
    failure = certifier.check(tick)
    if failure is not None:
        return NotInductive(failure)
    return Inductive(certifier.states, certifier.transitions, "native")


def check_run(network: Network, stay: Stay, claim: RunClaim) -> tuple[Moment, ...]:
    """The run, if the claim is true of it; else raises ``ReplayError``."""
    moments = replay(network, claim.steps)
    semantics = Semantics(network)
    places = _places(claim.steps)
    begin = moments[places[claim.begins]].state
    if stay.premise is not None and not semantics.satisfies(begin, stay.premise):
        raise ReplayError(claim.begins, "the premise does not hold where the run begins to stay")
    if stay.premise is None and claim.begins != 0:
        raise ReplayError(claim.begins, "the run does not stay from its beginning")
    for number in range(claim.begins, len(claim.steps)):
        state, step = moments[places[number]].state, claim.steps[number]
        if not _throughout(semantics, state, stay.kept, step.delay):
            raise ReplayError(number, "the formula does not hold while time passes")
    last = moments[-1].state
    if not semantics.satisfies(last, stay.kept):
        raise ReplayError(len(claim.steps), "the formula does not hold in the last state")
    if claim.repeats is None:
        _check_end(semantics, last, stay, len(claim.steps))
    else:
        _check_cycle(network, stay, claim, moments[places[claim.repeats]].state, last)
    return moments


def check_pumped(
    network: Network, claim: RunClaim, suffix: Sequence[MicroStep], goal: Goal, climbing: ClockMeasure
) -> tuple[Moment, ...]:
    """The run, if it shows that ``climbing`` grows beyond every number where ``goal`` is met: its cycle can be taken
    for ever and takes a unit of time at least, from wherever it begins ``suffix`` leads into the goal, the left clock
    is reset in neither, and the right one is none, or is reset in each round. Else raises ``ReplayError``."""
    stay = Stay(Holds(TRUE), None, diverging=True)
    moments = check_run(network, stay, claim)
    if claim.repeats is None:
        raise ReplayError(len(claim.steps), "nothing is repeated")
    first = moments[_places(claim.steps)[claim.repeats]].state
    start = SymbolicState(first.locations, first.values, claim.recurring[0])
    backwards = _Backwards(network, stay)
    before = backwards.leading(start, suffix, goal)
    for zone in claim.recurring:
        left = [zone]
        for each in before:
            left = [piece for part in left for piece in part.subtracted(each)]
        if left:
            raise ReplayError(claim.repeats, "the end is not reached from wherever the cycle begins")
    whole = (*claim.cycle, *suffix)
    grows, less = (backwards.fixed(start, whole, place) for place in (climbing.left, climbing.right))
    if grows in (None, 0) or less is None or grows in backwards.resets(start, whole):
        raise ReplayError(claim.repeats, "the clock is reset on the way")
    if less != 0 and less not in backwards.resets(start, claim.cycle):
        raise ReplayError(claim.repeats, "the clock that is taken away is not reset on the way")
    return moments


def moment_of(claim: RunClaim, step: int) -> int:
    """Which moment of the replayed run is the beginning of a step."""
    return _places(claim.steps)[step]


def _places(steps: Sequence[TimedStep]) -> list[int]:
    """At which moment of the replayed run each step begins, and the last one ends."""
    places = [0]
    for step in steps:
        places.append(places[-1] + bool(step.delay) + bool(step.edges))
    return places


# ---- in the interpreter ---------------------------------------------------------------------------------------------


def _throughout(semantics: Semantics, state: NetworkState, formula: StateFormula, delay: Fraction | None) -> bool:
    """Does the formula hold after every delay from 0 to ``delay`` (None: any at all)? Its truth changes only where a
    clock comes to a bound, so that these moments and one between each two of them are enough."""
    critical = {Fraction(0)} if delay is None else {Fraction(0), delay}
    critical |= {at for at in _turning_points(semantics, state, formula) if at > 0 and (delay is None or at < delay)}
    points = sorted(critical)
    points += [(first + second) / 2 for first, second in pairwise(points)]
    if delay is None:
        points.append(max(points) + 1)
    return all(semantics.satisfies(_later(state, point), formula) for point in points)


def _later(state: NetworkState, delay: Fraction) -> NetworkState:
    clocks = (state.clocks[0], *(clock + delay for clock in state.clocks[1:]))
    return NetworkState(state.locations, state.values, clocks)


def _turning_points(semantics: Semantics, state: NetworkState, formula: StateFormula) -> Iterator[Fraction]:
    match formula:
        case ClockTest(atom):
            left, right = semantics.address(state, atom.left), semantics.address(state, atom.right)
            if (left == 0) != (right == 0):
                constant = semantics.value(state, atom.bound)
                yield constant - state.clocks[left] if left else -constant - state.clocks[right]
        case Holds():
            pass
        case Deadlock():
            # In deadlock for ever, from the moment after which nothing is possible any more.
            yield from (window.high for _, window in semantics.windows(state) if window.high is not None)
        case Not(operand):
            yield from _turning_points(semantics, state, operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _turning_points(semantics, state, operand)


def _check_end(semantics: Semantics, state: NetworkState, stay: Stay, number: int) -> None:
    permitted = semantics.delays(state)
    if permitted.high is None:
        if not _throughout(semantics, state, stay.kept, None):
            raise ReplayError(number, "the formula does not hold for ever")
        return
    if stay.diverging:
        raise ReplayError(number, "time does not diverge where the run ends")
    if not semantics.deadlocked(state):
        raise ReplayError(number, "the run does not end in a deadlock, and may not wait for ever")
    end = permitted.high
    if permitted.high_open:
        # What holds up to a moment near the end beyond which nothing changes holds up to the end.
        near = [at for at in _turning_points(semantics, state, stay.kept) if at < permitted.high]
        end = (max([Fraction(0), *near]) + permitted.high) / 2
    if not _throughout(semantics, state, stay.kept, end):
        raise ReplayError(number, "the formula does not hold as long as the run may wait")


# ---- the cycle, backwards -------------------------------------------------------------------------------------------


def _check_cycle(network: Network, stay: Stay, claim: RunClaim, first: NetworkState, last: NetworkState) -> None:
    assert claim.repeats is not None
    number = claim.repeats
    if (first.locations, first.values) != (last.locations, last.values):
        raise ReplayError(number, "the cycle does not come back to where it began")
    taken = [step.edges for step in claim.steps[number:] if step.edges]
    if taken != [step.edges for step in claim.cycle if step.kind is Micro.ACTION] or not (taken or stay.diverging):
        raise ReplayError(number, "the actions of the cycle are not those of the run")
    for state in (first, last):
        if not any(zone.contains(state.clocks) for zone in claim.recurring):
            raise ReplayError(number, "the cycle does not begin and end in the set of clock values that is given")
    before = _Backwards(network, stay).around(SymbolicState(first.locations, first.values, claim.recurring[0]), claim)
    for zone in claim.recurring:
        left = [zone]
        for each in before:
            left = [piece for part in left for piece in part.subtracted(each)]
        if left:
            raise ReplayError(
                number, "from some of the clock values that are given the cycle does not lead back to them"
            )


@dataclass(frozen=True, slots=True)
class _Leg:
    """A stay in one discrete state and one part, and the step that ends it."""

    state: NetworkState
    part: int
    opens: bool
    """Whether the stay begins just after its first moment."""
    step: MicroStep


class _Backwards(ZoneGraph):
    """Zones of all clocks, and of one more that measures the cycle."""

    def __init__(self, network: Network, stay: Stay) -> None:
        super().__init__(network)
        self._parts = stay.parts
        self._diverging = stay.diverging
        self._meter = len(network.clocks)

    def around(self, start: SymbolicState, claim: RunClaim) -> list[Zone]:
        """From where the cycle leads into the set."""
        legs, end = self._legs(start, claim.cycle)
        zones = [self._widened(zone) for zone in claim.recurring]
        if self._diverging:
            zones = [late for zone in zones if (late := zone.constrained(0, self._meter, weak(-1))) is not None]
        zones = self._cut(zones, [*self._kept_by(end), *self._bounds(end, claim.cycle[-1].part)])
        for leg in reversed(legs):
            zones = self._wait(self._undo(zones, leg), leg)
        zones = self._cut(zones, [(self._meter, 0, weak(0))])
        return [zone.projected(range(1, self._meter)) for zone in zones]

    def leading(self, start: SymbolicState, steps: Sequence[MicroStep], goal: Goal) -> list[Zone]:
        """From where the steps lead into the goal."""
        legs, end = self._legs(start, steps)
        met = [*self._kept_by(end), *self._required(end, Constraint(goal.condition, goal.atoms))]
        zones = self._cut([Zone.universe(self._meter + 1)], met)
        for leg in reversed(legs):
            zones = self._wait(self._undo(zones, leg), leg)
        return [zone.projected(range(1, self._meter)) for zone in self._cut(zones, [(self._meter, 0, weak(0))])]

    def fixed(self, start: SymbolicState, steps: Sequence[MicroStep], place: NetworkPlace) -> int | None:
        """The clock that the place is all the way; None where it is several."""
        legs, end = self._legs(start, steps)
        clocks = {self.address(state, place) for state in (end, *(leg.state for leg in legs))}
        return clocks.pop() if len(clocks) == 1 else None

    def resets(self, start: SymbolicState, steps: Sequence[MicroStep]) -> set[int]:
        """The clocks that are reset by the steps."""
        found: set[int] = set()
        for leg in self._legs(start, steps)[0]:
            if leg.step.kind is Micro.ACTION:
                found |= dict(self._update(leg.state, self.action(leg.step.edges, leg.state))[1]).keys()
        return found

    def _legs(self, start: SymbolicState, cycle: Sequence[MicroStep]) -> tuple[list[_Leg], NetworkState]:
        state, part, opens = self._discrete(start), cycle[-1].part, False
        legs = []
        for step in cycle:
            if step.kind is Micro.ARM:
                raise ReplayError(0, "a run begins to stay once only")
            if step.kind is Micro.TICK and step.part != part:
                raise ReplayError(0, "the parts of the cycle do not fit together")
            legs.append(_Leg(state, part, opens, step))
            opens = step.kind is Micro.CROSS_BEFORE
            if step.kind is Micro.ACTION:
                state, _ = self._update(state, self.action(step.edges, state))
            part = step.part
        return legs, state

    def _undo(self, zones: list[Zone], leg: _Leg) -> list[Zone]:
        """The valuations at the moment of the step that ends the leg; ``zones`` are those right after it."""
        here = [*self._kept_by(leg.state), *self._bounds(leg.state, leg.part)]
        match leg.step.kind:
            case Micro.ACTION:
                action = self.action(leg.step.edges, leg.state)
                after, resets = self._update(leg.state, action)
                if action not in self._candidates(leg.state):
                    raise ReplayError(0, "an action of the cycle is none")
                zones = self._cut(zones, [*self._kept_by(after), *self._bounds(after, leg.step.part)])
                for clock, constant in dict(resets).items():
                    at = self._cut(zones, [(clock, 0, weak(constant)), (0, clock, weak(-constant))])
                    zones = [zone.freed(clock) for zone in at]
                for edge in action.edges:
                    zones = self._cut(zones, self._required(leg.state, edge.guard))
                return self._cut(self._undisturbed(zones, leg.state, action), here)
            case Micro.CROSS_BEFORE:
                entered = [_right_after(bound) for bound in self._bounds(leg.state, leg.step.part)]
                return self._cut(zones, [*entered, *here])
            case Micro.CROSS_AFTER:
                left = [_right_before(bound) for bound in self._bounds(leg.state, leg.part)]
                inside = [*self._kept_by(leg.state), *self._bounds(leg.state, leg.step.part)]
                return self._cut(zones, [*left, *inside])
            case _:
                return self._cut(zones, here)

    def _wait(self, zones: list[Zone], leg: _Leg) -> list[Zone]:
        """The valuations at the first moment of the leg."""
        if self.may_delay(leg.state):
            zones = [zone.past() for zone in zones]
        bounds = self._bounds(leg.state, leg.part)
        entry = [_right_after(bound) for bound in bounds] if leg.opens else bounds
        return self._cut(zones, [*self._kept_by(leg.state), *entry])

    def _undisturbed(self, zones: list[Zone], state: NetworkState, action: Action) -> list[Zone]:
        """Without where an action of higher priority is possible."""
        if not self.network.has_priorities:
            return zones
        whole = SymbolicState(state.locations, state.values, Zone.universe(self._meter))
        for other in self._candidates(state):
            blocks = self.possible(whole, other) if self.priority(other) > self.priority(action) else None
            if blocks is not None:
                wide = self._widened(blocks)
                zones = [piece for zone in zones for piece in zone.subtracted(wide)]
        return zones

    def _kept_by(self, state: NetworkState) -> list[Difference]:
        found = self._invariants_of(state.locations, state.values)
        if found is None:
            raise ReplayError(0, "an invariant does not hold on the cycle")
        return found

    def _bounds(self, state: NetworkState, part: int) -> list[Difference]:
        goal = self._parts[part]
        return self._required(state, Constraint(goal.condition, goal.atoms))

    def _required(self, state: NetworkState, constraint: Constraint) -> list[Difference]:
        found = self._differences(state.locations, state.values, constraint)
        if found is None:
            raise ReplayError(0, "a condition does not hold on the cycle")
        return found

    @staticmethod
    def _widened(zone: Zone) -> Zone:
        """With one more clock, of which nothing is known."""
        n = zone.dimension
        whole: Zone | None = Zone.universe(n + 1)
        for i in range(n):
            for j in range(n):
                if i != j and whole is not None:
                    whole = whole.constrained(i, j, zone[i, j])
        assert whole is not None
        return whole

    @staticmethod
    def _cut(zones: list[Zone], bounds: Sequence[Difference]) -> list[Zone]:
        found = []
        for zone in zones:
            part: Zone | None = zone
            for bound in bounds:
                part = None if part is None else part.constrained(*bound)
            if part is not None:
                found.append(part)
        return found


def _right_after(difference: Difference) -> Difference:
    """At a moment after which the bound holds: a lower bound may just be reached, an upper one not yet."""
    left, right, bound = difference
    if left and not right:
        return left, right, strict(value(bound))
    return (left, right, weak(value(bound))) if right and not left else difference


def _right_before(difference: Difference) -> Difference:
    """At a moment up to which the bound holds: an upper bound may just be reached, a lower one lies behind."""
    left, right, bound = difference
    if left and not right:
        return left, right, weak(value(bound))
    return (left, right, strict(value(bound))) if right and not left else difference
