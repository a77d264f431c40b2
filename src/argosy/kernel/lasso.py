"""From a path and a cycle to a lasso: a run with exact time stamps, and a set of clock values from which its cycle can
be taken again and again.

As in ``concretise``, the moments of the steps are unknowns and all that is required of clocks are bounds on differences
of two of them. For the cycle the clocks it begins with are unknown as well: a clock is the time since some moment
before the cycle. What is left of the bounds when all moments inside are eliminated is the set of valuations from which
the cycle can be taken, and end where it is told; beginning with all valuations and repeating that, the sets shrink to
the largest one from which the cycle leads into the set again (a greatest fixpoint; all of them are unions of regions,
so it is reached). ``certify/staying`` checks it with zones, backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from argosy.basics.records import dataclass
from argosy.kernel import _zones
from argosy.kernel.concretise import Bound, InfeasibleTrace, earliest, follow
from argosy.kernel.dbm import INFINITY, ZERO, Zone, satisfies, strict, value, weak
from argosy.kernel.graph import Difference, SymbolicState, ZoneGraph
from argosy.kernel.staying import Micro, MicroStep
from argosy.models.network import Network, TimedEdge
from argosy.models.network_expressions import TRUE, Constraint
from argosy.models.network_queries import Goal, Holds, Stay
from argosy.models.network_semantics import Action, NetworkState

MOST_CHOICES = 64
"""Ways to read one path: where priorities or several premises leave a choice."""

ROUNDS = 10_000
"""How often a cycle is taken backwards before nobody waits any longer for the fixpoint."""

PUMPED_ROUNDS = 100
"""The same, where it may well be that the cycle cannot be taken for ever."""


@dataclass(frozen=True, slots=True)
class LassoStep:
    """Wait for ``delay``, then do ``micro``."""

    delay: Fraction
    micro: MicroStep


@dataclass(frozen=True, slots=True)
class Lasso:
    """The run (``prefix``, then once around ``cycle``), the valuations at its beginning from which the cycle can be
    taken for ever, and the zone after each action as ``concretise`` has it. Without a cycle the run ends after the
    prefix,
    ``wait`` after its last step."""

    prefix: tuple[LassoStep, ...]
    cycle: tuple[LassoStep, ...]
    recurring: tuple[Zone, ...]
    zones: tuple[Zone, ...]
    wait: Fraction = Fraction(0)


def lasso(
    network: Network,
    stay: Stay,
    prefix: Sequence[MicroStep],
    cycle: Sequence[MicroStep],
    tick: Callable[[], None] = lambda: None,
    rounds: int = ROUNDS,
) -> Lasso:
    """Raises ``InfeasibleTrace`` where there is none, or where none was found."""
    return _Lassos(network, stay, tick, rounds).find(tuple(prefix), tuple(cycle))


def settled(
    network: Network,
    stay: Stay,
    prefix: Sequence[MicroStep],
    cycle: Sequence[MicroStep],
    settles: int,
    tick: Callable[[], None] = lambda: None,
    rounds: int = ROUNDS,
) -> Iterator[tuple[Lasso, Fraction]]:
    """Lassos that settle after the first ``settles`` steps of the prefix, each as early as it can, with the time at
    which it does: first one whose cycle begins there. Ends where no other was found."""
    finder = _Lassos(network, stay, tick, rounds)
    # Waiting inside one discrete state, from part to part, comes after it was entered.
    kinds = [step.kind for step in prefix[:settles]]
    last = max((k for k, kind in enumerate(kinds) if kind in (Micro.ACTION, Micro.ARM)), default=-1)

    def when(found: Lasso) -> Fraction:
        return sum((step.delay for step in found.prefix[: last + 1]), Fraction(0))

    tries = [(prefix[:settles], False), (prefix, False), (prefix, True)] if cycle else [(prefix, False)]
    for path, once_more in tries:
        try:
            first = min(finder.ways(tuple(path), tuple(cycle), once_more=once_more), key=when, default=None)
        except InfeasibleTrace:
            continue
        if first is not None:
            yield first, when(first)


def pumped(
    network: Network,
    prefix: Sequence[tuple[TimedEdge, ...]],
    cycle: Sequence[tuple[TimedEdge, ...]],
    suffix: Sequence[tuple[TimedEdge, ...]],
    goal: Goal,
    tick: Callable[[], None] = lambda: None,
) -> Lasso:
    """A lasso whose cycle takes at least a unit of time, and from whose recurring set the actions of ``suffix`` lead
    into the goal; raises ``InfeasibleTrace`` where there is none, or where none was found."""
    arm, wait = MicroStep(Micro.ARM, 0), MicroStep(Micro.TICK, 0)

    def actions(trace: Sequence[tuple[TimedEdge, ...]]) -> tuple[MicroStep, ...]:
        return tuple(MicroStep(Micro.ACTION, 0, edges) for edges in trace)

    found = _Lassos(network, Stay(Holds(TRUE), None, diverging=True), tick, PUMPED_ROUNDS)
    return found.find((arm, *actions(prefix)), (*actions(cycle), wait), (*actions(suffix), wait), goal)


@dataclass(frozen=True, slots=True)
class _Moment:
    """What must hold of the clocks just before a step (``before``) and just after it, and what it resets."""

    before: tuple[Difference, ...]
    resets: tuple[tuple[int, int], ...]
    after: tuple[Difference, ...]
    waits: bool
    """Whether time may pass before it."""


Reading = tuple[_Moment, ...]
Discrete = tuple[tuple[int, ...], tuple[int, ...]]


class _Lassos(ZoneGraph):
    def __init__(self, network: Network, stay: Stay, tick: Callable[[], None], rounds: int) -> None:
        super().__init__(network)
        self._stay = stay
        self._parts = stay.parts
        self._dead_parts = stay.dead_parts
        self._premises = stay.premises
        self._tick = tick
        self._rounds = rounds

    def find(
        self,
        prefix: tuple[MicroStep, ...],
        cycle: tuple[MicroStep, ...],
        suffix: tuple[MicroStep, ...] = (),
        goal: Goal | None = None,
    ) -> Lasso:
        for found in self.ways(prefix, cycle, suffix, goal):
            return found
        raise InfeasibleTrace(
            "no run leads to where the cycle can be repeated" if cycle else "no run ends where the path does"
        )

    def ways(
        self,
        prefix: tuple[MicroStep, ...],
        cycle: tuple[MicroStep, ...],
        suffix: tuple[MicroStep, ...] = (),
        goal: Goal | None = None,
        *,
        once_more: bool = True,
    ) -> Iterator[Lasso]:
        """For each way to make the choices, the earliest. With a ``goal``: from every recurring valuation the
        ``suffix`` leads into it. ``once_more``: a round of the cycle comes before the one that is repeated."""
        if not cycle:
            yield from self._endings(prefix)
            return
        ends = Micro.TICK if self._stay.diverging else Micro.ACTION
        last = max((place for place, step in enumerate(cycle) if step.kind is ends), default=None)
        if last is None:
            raise InfeasibleTrace("nothing happens on the cycle")
        if once_more or last + 1 < len(cycle):
            prefix, cycle = (*prefix, *cycle[: last + 1]), (*cycle[last + 1 :], *cycle[: last + 1])
        start, part = self._reached_by(prefix)
        readings = self._readings(start, part, cycle)
        sets = self._recurring(readings, start, part, None if goal is None else self._leading(start, suffix, goal))
        origin = self._origin_discrete()
        for before, around, first, second in product(self._readings(origin, -1, prefix), readings, sets, sets):
            self._tick()
            times = self._times((*before, *around), {len(before): first, len(before) + len(around): second})
            if times is not None:
                steps = tuple(map(LassoStep, times, (*prefix, *cycle)))
                zones = self._zones([step.edges for step in (*prefix, *cycle) if step.kind is Micro.ACTION])
                yield Lasso(steps[: len(prefix)], steps[len(prefix) :], tuple(sets), zones)

    def _endings(self, prefix: tuple[MicroStep, ...]) -> Iterator[Lasso]:
        """Runs that end where the formula is left no more."""
        discrete, part = self._reached_by(prefix)
        state = SymbolicState(*discrete, Zone.universe(len(self.network.clocks)))
        ends, dead = self._ends(state, part)
        waits = self.lets_time_pass(state)
        # Where deadlocks matter, the end begins where the path does, and not after some waiting in what may be none.
        stay = _Moment(tuple(self._stays(discrete, part)), (), (), waits and self._dead_parts is None)
        for before, end, stuck in product(self._readings(self._origin_discrete(), -1, prefix), ends, dead):
            self._tick()
            final = _Moment((), (), (), waits)
            times = self._times((*before, stay, final), {len(before) + 1: end, len(before) + 2: stuck})
            if times is not None:
                steps = tuple(map(LassoStep, times, prefix))
                zones = self._zones([step.edges for step in prefix if step.kind is Micro.ACTION])
                yield Lasso(steps, (), (), zones, times[-2] + times[-1])

    def _ends(self, state: SymbolicState, part: int) -> tuple[list[Zone], list[Zone]]:
        """From which valuations of the part whatever is permitted stays inside, and it may go on for ever, or comes to
        a deadlock; and where it is then."""
        here = self._entered(state.locations, state.values, state.zone)
        bounds = self._invariants_of(state.locations, state.values)
        if here is None or bounds is None:
            return [], []
        own = _cut(here, self._stays(state.discrete, part))
        ends = [] if own is None else [own]
        waits = self.lets_time_pass(state)
        for_ever = waits and not any(left and not right for left, right, _ in bounds)
        if not for_ever and self._stay.diverging:
            return [], []
        later = SymbolicState(*state.discrete, here)
        actions = self._candidates(self._plain(state.discrete))
        possible = [zone for action in actions if (zone := self.possible(later, action)) is not None]
        dead = _without([here], [zone.past() if waits else zone for zone in possible])
        outside = self._outside([here], state.discrete, self._parts)
        if self._dead_parts is not None:
            outside = _without(outside, dead) + self._outside(dead, state.discrete, self._dead_parts)
        ends = _without(ends, [piece.past() if waits else piece for piece in outside])
        if for_ever:
            return ends, [here]
        stops = [zone.past() if waits else zone for zone in dead]
        return [common for end in ends for stop in stops if (common := end.intersected(stop)) is not None], dead

    def _outside(self, zones: list[Zone], discrete: Discrete, parts: Sequence[Goal]) -> list[Zone]:
        for goal in parts:
            if self.value(self._plain(discrete), goal.condition) == 0:
                continue
            inside = _cut(Zone.universe(len(self.network.clocks)), self._atoms(discrete, goal))
            zones = zones if inside is None else _without(zones, [inside])
        return zones

    # ---- what a path requires ---------------------------------------------------------------------------------

    def _origin_discrete(self) -> Discrete:
        locations = tuple(process.initial for process in self.network.processes)
        return locations, tuple(variable.initial for variable in self.network.variables)

    def _plain(self, discrete: Discrete) -> NetworkState:
        return NetworkState(*discrete, self._origin)

    def _reached_by(self, steps: Sequence[MicroStep]) -> tuple[Discrete, int]:
        discrete, part = self._origin_discrete(), -1
        for step in steps:
            if step.kind is Micro.ACTION:
                after, _ = self._update(self._plain(discrete), self.action(step.edges, self._plain(discrete)))
                discrete = after.locations, after.values
            part = step.part
        return discrete, part

    def _readings(self, discrete: Discrete, part: int, steps: Sequence[MicroStep]) -> list[Reading]:
        """Each is what the moments of the steps require, for one way to make the choices."""
        moments: list[list[_Moment]] = []
        for step in steps:
            plain = self._plain(discrete)
            waits = self.may_delay(plain)
            invariants = self._invariants_of(*discrete)
            if invariants is None:
                raise InfeasibleTrace("an invariant does not hold")
            inside = self._stays(discrete, part)
            here = [*invariants, *inside]
            options: list[_Moment] = []
            match step.kind:
                case Micro.ACTION:
                    action = self.action(step.edges, plain)
                    after, resets = self._update(plain, action)
                    target = after.locations, after.values
                    entered = self._invariants_of(*target)
                    if entered is None:
                        raise InfeasibleTrace("an invariant does not hold")
                    entered = [*entered, *self._stays(target, step.part)]
                    for guard in self._allowed(discrete, action):
                        options.append(_Moment((*here, *guard), tuple(resets), tuple(entered), waits))
                    discrete = target
                case Micro.ARM:
                    entered = self._stays(discrete, step.part)
                    whole = SymbolicState(*discrete, Zone.universe(len(self.network.clocks)))
                    for goal in self._premises or (Goal(TRUE),):
                        for zone in self.met(whole, goal):
                            holds = (*invariants, *_bounds(zone))
                            options.append(_Moment(holds, (), tuple(entered), waits and bool(self._premises)))
                case Micro.CROSS_BEFORE:
                    entered = [_from_right(d) for d in self._stays(discrete, step.part)]
                    options.append(_Moment(tuple(here), (), tuple(entered), waits))
                case Micro.CROSS_AFTER:
                    leaves = [_from_left(d) for d in inside]
                    entered = self._stays(discrete, step.part)
                    options.append(_Moment((*invariants, *leaves), (), tuple(entered), waits))
                case Micro.TICK:
                    options.append(_Moment(tuple(here), (), (), waits))
            moments.append(options)
            part = step.part
            choices = 1
            for each in moments:
                choices *= len(each)
            if choices > MOST_CHOICES:
                raise InfeasibleTrace("too many ways to read the path")
        return [tuple(choice) for choice in product(*moments)]

    def _stays(self, discrete: Discrete, part: int) -> list[Difference]:
        parts = (*self._parts, *(self._dead_parts or ()))
        return [] if part < 0 else self._atoms(discrete, parts[part])

    def _atoms(self, discrete: Discrete, goal: Goal) -> list[Difference]:
        found = self._differences(*discrete, Constraint(goal.condition, goal.atoms))
        if found is None:
            raise InfeasibleTrace("a condition does not hold")
        return found

    def _allowed(self, discrete: Discrete, action: Action) -> list[list[Difference]]:
        """What the clocks must be for the action to take place; several ways, where priorities forbid some values."""
        guard: list[Difference] = []
        for edge in action.edges:
            atoms = self._differences(*discrete, edge.guard)
            if atoms is None:
                raise InfeasibleTrace("a guard does not hold")
            guard += atoms
        if not self.network.has_priorities:
            return [guard]
        state = SymbolicState(*discrete, Zone.universe(len(self.network.clocks)))
        own = self.possible(state, action)
        pieces = [] if own is None else [own]
        for other in self._candidates(self._plain(discrete)):
            blocks = self.possible(state, other) if self.priority(other) > self.priority(action) else None
            if blocks is not None:
                pieces = [piece for each in pieces for piece in each.subtracted(blocks)]
        return [_bounds(piece) for piece in pieces]

    # ---- solving ----------------------------------------------------------------------------------------------

    def _times(self, reading: Reading, ends: dict[int, Zone]) -> list[Fraction] | None:
        """Delays before the steps, the least ones, from the initial state; after ``k`` steps the clocks are in
        ``ends[k]``."""
        since = [(0, clock.initial) for clock in self.network.clocks]
        bounds = _required(reading, since, 0, range(1, len(reading) + 1), ends)
        if bounds is None:
            return None
        try:
            times = earliest(iter(bounds), len(reading))
        except InfeasibleTrace:
            return None
        return [later - earlier for earlier, later in zip([Fraction(0), *times], times, strict=False)]

    def _leading(self, start: Discrete, steps: tuple[MicroStep, ...], goal: Goal) -> list[Zone]:
        """The valuations from which the steps lead into the goal."""
        end, part = start, 0
        for step in steps:
            if step.kind is Micro.ACTION:
                after, _ = self._update(self._plain(end), self.action(step.edges, self._plain(end)))
                end = after.locations, after.values
        universe = Zone.universe(len(self.network.clocks))
        met = _cut(universe, self._atoms(end, goal))
        found = [] if met is None else [self._from_where(r, universe, met) for r in self._readings(start, part, steps)]
        return [zone for zone in found if zone is not None]

    def _recurring(
        self, readings: list[Reading], discrete: Discrete, part: int, within: list[Zone] | None = None
    ) -> list[Zone]:
        inside = [*(self._invariants_of(*discrete) or ()), *self._stays(discrete, part)]
        whole = _cut(Zone.universe(len(self.network.clocks)), inside)
        if whole is None:
            raise InfeasibleTrace("the cycle begins nowhere")
        limits = [whole]
        if within is not None:
            limits = [common for zone in within if (common := whole.intersected(zone)) is not None]
        sets = limits
        for _ in range(self._rounds):
            self._tick()
            before: list[Zone] = []
            for limit, reading, end in product(limits, readings, sets):
                found = self._from_where(reading, limit, end, self._stay.diverging)
                if found is not None and not any(zone.includes(found) for zone in before):
                    before = [zone for zone in before if not found.includes(zone)] + [found]
            if not before:
                raise InfeasibleTrace("the cycle cannot be repeated for ever")
            if len(before) > MOST_CHOICES:
                raise InfeasibleTrace("too many ways to repeat the cycle")
            left = sets
            for zone in before:
                left = [piece for each in left for piece in each.subtracted(zone)]
            if not left:
                return sets
            sets = before
        raise InfeasibleTrace(f"no set of clock values was found within {self._rounds} rounds of the cycle")

    def _from_where(self, reading: Reading, begin: Zone, end: Zone, takes_time: bool = False) -> Zone | None:
        """The valuations of ``begin`` from which the moments can follow and lead into ``end``; ``takes_time``: a unit
        of it at least."""
        count = len(self.network.clocks)
        # Unknowns: 0 is the beginning, 1 .. count - 1 the moments since which the clocks run, then those of the steps.
        since = [(clock, 0) for clock in range(count)]
        moments = range(count, count + len(reading))
        bounds = _required(reading, since, 0, moments, {0: begin, len(reading): end})
        if bounds is None:
            return None
        size = count + len(reading)
        matrix = [ZERO if row == column else INFINITY for row in range(size) for column in range(size)]
        for clock in range(1, count):
            matrix[clock * size] = ZERO
        if takes_time:
            bounds.append((0, moments[-1], weak(-1)))
        for first, second, bound in bounds:
            matrix[first * size + second] = min(matrix[first * size + second], bound)
        closed = _zones.close(matrix, size)
        if closed is None:
            return None
        return Zone(count, tuple(closed[j * size + i] for i in range(count) for j in range(count)))

    def _zones(self, trace: Sequence[tuple[TimedEdge, ...]]) -> tuple[Zone, ...]:
        states = follow(ZoneGraph(self.network), trace)
        return tuple(state.zone for state in states)


def _required(
    reading: Reading, since: list[tuple[int, int]], begin: int, moments: range, ends: dict[int, Zone]
) -> list[Bound] | None:
    """All bounds on differences of moments; None if one is violated whatever they are. ``since[x]`` is the moment since
    which a clock runs, and its value then."""
    since = list(since)
    bounds: list[Bound] = []

    def require(now: int, differences: Sequence[Difference]) -> bool:
        for left, right, bound in differences:
            (first, shift), (second, other) = (since[left] if left else (now, 0)), (since[right] if right else (now, 0))
            if first == second:
                if not satisfies(shift - other, bound):
                    return False
            elif bound != INFINITY:
                bounds.append((second, first, bound + 2 * (other - shift)))
        return True

    if 0 in ends and not require(begin, _bounds(ends[0])):
        return None
    before = begin
    for number, (moment, now) in enumerate(zip(reading, moments, strict=True), 1):
        bounds.append((before, now, weak(0)))
        if not moment.waits:
            bounds.append((now, before, weak(0)))
        if not require(now, moment.before):
            return None
        for clock, constant in moment.resets:
            since[clock] = (now, constant)
        if not require(now, moment.after):
            return None
        if number in ends and not require(now, _bounds(ends[number])):
            return None
        before = now
    return bounds


def _bounds(zone: Zone) -> list[Difference]:
    n = zone.dimension
    return [(i, j, zone[i, j]) for i in range(n) for j in range(n) if i != j and zone[i, j] != INFINITY]


def _without(zones: list[Zone], others: Sequence[Zone]) -> list[Zone]:
    for other in others:
        zones = [piece for each in zones for piece in each.subtracted(other)]
    return zones


def _cut(zone: Zone, differences: Sequence[Difference]) -> Zone | None:
    result: Zone | None = zone
    for difference in differences:
        result = None if result is None else result.constrained(*difference)
    return result


def _from_right(difference: Difference) -> Difference:
    """The bound at a moment after which it holds at once."""
    left, right, bound = difference
    if left and not right:
        return left, right, strict(value(bound))
    return (left, right, weak(value(bound))) if right and not left else difference


def _from_left(difference: Difference) -> Difference:
    """The bound at a moment before which it holds at once."""
    left, right, bound = difference
    if left and not right:
        return left, right, weak(value(bound))
    return (left, right, strict(value(bound))) if right and not left else difference
