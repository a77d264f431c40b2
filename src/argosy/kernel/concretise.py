"""From a sequence of actions to a run with exact time stamps.

The time at which an action takes place is an unknown; every clock at every moment is the difference of two of them,
plus the constant of its last reset. So guards, invariants and the goal are difference constraints over the unknowns,
and a run is a solution: the shortest distances of a graph (Bellman and Ford). They give the earliest time for every
action at once (``rated`` is for clocks with rates). A strict bound is ``<= c - epsilon``; distances count epsilons,
and a number is chosen for it last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.kernel.dbm import INFINITY, Zone, value, weak
from argosy.kernel.graph import SymbolicState, ZoneGraph, ZoneStep
from argosy.kernel.rated import delays
from argosy.models.limit_numbers import LimitNumber
from argosy.models.network import Clock, Network, TimedEdge
from argosy.models.network_expressions import TRUE
from argosy.models.network_queries import ClockMeasure, Goal, Height


class InfeasibleTrace(Exception):
    """The actions are no run of the network: a fault of whoever found them."""


class BeyondZones(InfeasibleTrace):
    """Nobody's fault: the least zone around what is reached leads somewhere that is not reached."""


@dataclass(frozen=True, slots=True)
class TimedAction:
    """Wait for ``delay``, then take the edges together; the last one of a run may have none.

    ``zone`` is what all runs with the actions before this one reach, delays included: where this one waits."""

    delay: Fraction
    edges: tuple[TimedEdge, ...]
    zone: Zone


def concretise(network: Network, trace: Sequence[tuple[TimedEdge, ...]], goal: Goal | None) -> tuple[TimedAction, ...]:
    """A run with these actions, as early as possible, that ends where the goal is met.

    With ``goal`` None the last action is only required to be enabled: it is the one that ends in a model error.
    """
    graph = ZoneGraph(network)
    paths = list(_paths(graph, trace, goal))
    if not paths:
        raise InfeasibleTrace(f"no run takes the {len(trace)} actions of the trace")
    path = paths[0]
    actions = [*trace, ()] if goal is not None else list(trace)
    if network.rated and path.moments:
        waited = delays(graph, path.states, path.resets, trace, goal)
        if waited is None:
            raise BeyondZones("zones contain more than what clocks with rates reach, and no run takes these actions")
        zones = [state.zone for state in path.states]
        return tuple(TimedAction(*parts) for parts in zip(waited, actions, zones, strict=True))
    solved = [(earliest(_constraints(graph, each), len(each.moments)), each) for each in paths]
    times, path = min(solved, key=lambda pair: pair[0][-1:])
    return _timed(times, actions, path)


def _timed(times: Sequence[Fraction], actions: Sequence[tuple[TimedEdge, ...]], path: _Path) -> tuple[TimedAction, ...]:
    delays = [later - earlier for earlier, later in zip([Fraction(0), *times], times, strict=False)]
    zones = [state.zone for state in path.states[: len(actions)]]
    return tuple(TimedAction(*parts) for parts in zip(delays, actions, zones, strict=True))


@dataclass(frozen=True, slots=True)
class ExtremeRun:
    """A run that comes as high as any with its actions: to ``height`` (None: beyond every number), in the limit.
    ``delays`` are those before its actions (and, the last one, before its end) in the limit; ``actions`` are a real run
    that is close to it."""

    height: Height | None
    delays: tuple[LimitNumber, ...]
    actions: tuple[TimedAction, ...]


def highest(network: Network, trace: Sequence[tuple[TimedEdge, ...]], goal: Goal, climbing: ClockMeasure) -> ExtremeRun:
    """The run with these actions, and with an end in the goal, that makes a difference of clocks largest."""
    graph = ZoneGraph(network)
    path = _found(graph, trace, goal)
    left, right = (graph.clock(path.states[-1], place) for place in (climbing.left, climbing.right))
    bound = path.moments[-1][left, right] if left != right else weak(0)
    count, now = len(path.moments), len(path.moments)
    leaving = _weights(_constraints(graph, path), count)
    constants = [abs(weight[1]) for each in leaving for weight in each.values()]
    since = _running(path, network.clocks)
    (first, shift), (second, other) = (since[left] if left else (now, 0)), (since[right] if right else (now, 0))
    height: Height | None = None if bound == INFINITY else (value(bound), bool(bound & 1))
    if first != second:
        # The height itself, or as close below it as the strict bounds on the way permit, or omega.
        least: Weight = (-1, 0, 0)
        if height is not None:
            least = (0, shift - other - height[0], 0 if height[1] else count + 2)
        leaving[first][second] = min(least, leaving[first].get(second, least))
    times = [LimitNumber(*(Fraction(-part) for part in each)) for each in _distances(leaving, count)]
    delays = [later - earlier for earlier, later in zip([LimitNumber.of(0), *times], times, strict=False)]
    most = max(abs(each.small) for each in times)
    omega = 2 * max(abs(each.finite) for each in times) + max(constants, default=0) + 2
    epsilon = 1 / (4 * most + 2 * count + 4)
    real = [each.at(omega, epsilon) for each in times]
    return ExtremeRun(height, tuple(delays), _timed(real, [*trace, ()], path))


def _found(graph: ZoneGraph, trace: Sequence[tuple[TimedEdge, ...]], goal: Goal | None) -> _Path:
    path = next(_paths(graph, trace, goal), None)
    if path is None:
        raise InfeasibleTrace(f"no run takes the {len(trace)} actions of the trace")
    return path


@dataclass(frozen=True, slots=True)
class _Path:
    """``states[k]`` and the part of it, ``moments[k]``, in which the k-th action (at the end: the goal) happens."""

    states: tuple[SymbolicState, ...]
    moments: tuple[Zone, ...]
    resets: tuple[tuple[tuple[int, int], ...], ...]


MOST_WAYS = 64
"""So many ways to read one trace are looked at, once there is one."""


def _paths(graph: ZoneGraph, trace: Sequence[tuple[TimedEdge, ...]], goal: Goal | None) -> Iterator[_Path]:
    """Follows the actions through the exact zone graph. With priorities a step may end in several zones, of which
    some lead nowhere: they are tried in turn. A goal that asks for deadlocks is met in several parts of a zone, and an
    earlier one may come later here."""
    if goal is None and not trace:
        yield _Path((graph.start(),), (), ())
        return
    found = tried = 0
    last = len(trace) if goal is not None else len(trace) - 1
    chosen: list[ZoneStep] = []
    options: list[Iterator[ZoneStep]] = []
    state = graph.start()
    while True:
        if len(chosen) == last:
            ends = graph.met(state, goal) if goal is not None else graph.enabled_in(state, trace[last])
            states = (graph.start(), *(step.target for step in chosen))
            for end in ends:
                moments = (*(step.possible for step in chosen), end)
                yield _Path(states, moments, tuple(step.resets for step in chosen))
                found += 1
        else:
            options.append(graph.steps(state, trace[len(chosen)]))
        if found:
            tried += 1
            if found >= MOST_WAYS or tried > MOST_WAYS * (last + 1):
                return
        while options and (step := next(options[-1], None)) is None:
            options.pop()
            if chosen:
                chosen.pop()
        if not options:
            return
        del chosen[len(options) - 1 :]
        assert step is not None
        chosen.append(step)
        state = step.target


def follow(graph: ZoneGraph, trace: Sequence[tuple[TimedEdge, ...]]) -> tuple[SymbolicState, ...]:
    """The states after each of the actions, the initial one first."""
    return _found(graph, trace, Goal(TRUE)).states


Bound = tuple[int, int, int]
"""``time[first] - time[second]`` keeps an encoded bound; time 0 is the start, time k + 1 that of moment k."""


def _constraints(graph: ZoneGraph, path: _Path) -> Iterator[Bound]:
    since = [(0, clock.initial) for clock in graph.network.clocks]
    for k, moment in enumerate(path.moments):
        now = k + 1
        yield k, now, weak(0)
        if not graph.lets_time_pass(path.states[k]):
            yield now, k, weak(0)
        n = moment.dimension
        for i in range(n):
            for j in range(n):
                if i == j or moment[i, j] == INFINITY:
                    continue
                # A clock is now - (time of its last reset) + (its value then); the reference clock is now - now.
                (first, shift), (second, other) = (since[i] if i else (now, 0)), (since[j] if j else (now, 0))
                if first != second:
                    yield second, first, moment[i, j] + 2 * (other - shift)
        if k < len(path.resets):
            for clock, constant in path.resets[k]:
                since[clock] = (now, constant)


def _running(path: _Path, clocks: Sequence[Clock]) -> list[tuple[int, int]]:
    """At the end of the path: the moment since which each clock runs, and its value then."""
    since = [(0, clock.initial) for clock in clocks]
    for k, resets in enumerate(path.resets):
        for clock, constant in resets:
            since[clock] = (k + 1, constant)
    return since


Weight = tuple[int, int, int]
"""Multiples of omega, a constant, multiples of epsilon (minus the number of strict bounds): compared in this order."""


def earliest(constraints: Iterator[Bound], count: int) -> list[Fraction]:
    """The least solution."""
    distances = _distances(_weights(constraints, count), count)
    epsilon = Fraction(1, 1 + max((-strict for _, _, strict in distances), default=0))
    return [-constant - strict * epsilon for _, constant, strict in distances]


def _weights(constraints: Iterator[Bound], count: int) -> list[dict[int, Weight]]:
    """A graph over the moments: the strongest bound between each two."""
    leaving: list[dict[int, Weight]] = [{} for _ in range(count + 1)]
    for first, second, bound in constraints:
        weight = (0, value(bound), -(1 - bound & 1))
        leaving[first][second] = min(weight, leaving[first].get(second, weight))
    return leaving


def _distances(leaving: Sequence[dict[int, Weight]], count: int) -> list[Weight]:
    """Shortest distances from the start to the moments 1 to ``count``. Times are negated, so that the least time is the
    largest value that keeps all bounds."""
    distance: list[Weight | None] = [None] * (count + 1)
    distance[0] = (0, 0, 0)
    hops = [0] * (count + 1)
    queue, queued = deque([0]), {0}
    while queue:
        at = queue.popleft()
        queued.discard(at)
        base = distance[at]
        assert base is not None
        for to, (infinite, constant, strict) in leaving[at].items():
            candidate = (base[0] + infinite, base[1] + constant, base[2] + strict)
            known_distance = distance[to]
            if known_distance is None or candidate < known_distance:
                distance[to] = candidate
                hops[to] = hops[at] + 1
                if hops[to] > count + 1:
                    raise InfeasibleTrace("the time stamps of the trace contradict each other")
                if to not in queued:
                    queue.append(to)
                    queued.add(to)
    return [each for each in distance[1:] if each is not None]
