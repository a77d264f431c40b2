"""Maximal runs by regions, on the concrete semantics alone: the truth against which searches for lassos are tested.

A state has one delay: to the next region, which is entered after an integer value of some clock or at the next one.
Where no clock is told apart any more, time may pass for ever."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from argosy.models.network import Network
from argosy.models.network_queries import Stay
from argosy.models.network_semantics import NetworkState, Semantics
from tests.kernel.regions import TooMany, key

Moves = dict[tuple[bool, object], list[tuple[NetworkState, Fraction, object, bool]]]
"""What follows each region, where ticks count and where they do not: the same for all queries about a network."""


class Regions(Semantics):
    """With one more clock, the last one, that measures the time since a tick."""

    def __init__(self, network: Network, stay: Stay, largest: int, limit: int, moves: Moves | None = None) -> None:
        super().__init__(network)
        self.known_moves: Moves = {} if moves is None else moves
        self.stay = stay
        self.largest = largest
        self.limit = limit

    def named(self, state: NetworkState, tick: Fraction) -> object:
        return key(NetworkState(state.locations, state.values, (*state.clocks, tick)), self.largest)

    def next_delay(self, state: NetworkState, tick: Fraction) -> Fraction | None:
        """None: no other region comes."""
        near = [clock for clock in (*state.clocks[1:], tick) if clock <= self.largest]
        if not near:
            return None
        steps = [1 - (clock - floor(clock)) for clock in near]
        return min(steps) / 2 if any(clock.denominator == 1 for clock in near) else min(steps)

    def later(self, state: NetworkState, tick: Fraction) -> tuple[NetworkState, Fraction] | None:
        """The next region, if invariants and urgency permit it."""
        delay = self.next_delay(state, tick)
        if delay is None or delay not in self.delays(state):
            return None
        return self.delay(state, delay), tick + delay

    def waits_for_ever(self, state: NetworkState, tick: Fraction) -> bool:
        return self.next_delay(state, tick) is None and self.delays(state).high is None

    def may_end(self, state: NetworkState) -> bool:
        """Waiting as long as is permitted from here, without leaving the formula: for ever, or after a deadlock."""
        dead = self.deadlocked(state) and not self.stay.diverging
        at: tuple[NetworkState, Fraction] | None = (state, Fraction(self.largest + 1))
        while at is not None:
            if not self.satisfies(at[0], self.stay.kept):
                return False
            if self.waits_for_ever(*at):
                return True
            at = self.later(*at)
        return dead

    def may_come_to_an_end(self, state: NetworkState) -> bool:
        """Waiting here, now or after some time of it: a deadlock may begin while time passes."""
        at: tuple[NetworkState, Fraction] | None = (state, Fraction(self.largest + 1))
        while at is not None and self.satisfies(at[0], self.stay.kept):
            if self.may_end(at[0]):
                return True
            at = self.later(*at)
        return False

    def moves(
        self, state: NetworkState, tick: Fraction, staying: bool
    ) -> Iterator[tuple[NetworkState, Fraction, bool]]:
        """The last says whether the step counts for a cycle."""
        later = self.later(state, tick)
        if later is not None:
            yield *later, False
        for action in self.enabled(state):
            yield self.fire(state, action), tick, not (staying and self.stay.diverging)
        if staying and self.stay.diverging and tick >= 1:
            yield state, Fraction(0), True

    def explore(
        self, starts: list[tuple[NetworkState, Fraction]], staying: bool
    ) -> tuple[dict[object, tuple[NetworkState, Fraction]], dict[object, list[tuple[object, bool]]]]:
        known = {self.named(*start): start for start in starts}
        edges: dict[object, list[tuple[object, bool]]] = {}
        queue = list(known)
        while queue:
            name = queue.pop()
            edges[name] = []
            kind = (staying and self.stay.diverging, name)
            if kind not in self.known_moves:
                self.known_moves[kind] = [
                    (state, tick, self.named(state, tick), counts)
                    for state, tick, counts in self.moves(*known[name], staying)
                ]
            for state, tick, other, counts in self.known_moves[kind]:
                if staying and not self.satisfies(state, self.stay.kept):
                    continue
                edges[name].append((other, counts))
                if other not in known:
                    known[other] = state, tick
                    queue.append(other)
                    if len(known) > self.limit:
                        raise TooMany
        return known, edges


def stays(network: Network, stay: Stay, largest: int, limit: int = 3000, moves: Moves | None = None) -> bool:
    """Is there a maximal run of ``stay``? Model errors are raised. ``moves``: what is known of the network already."""
    regions = Regions(network, stay, largest, limit, moves)
    # Beyond the constants the clock of ticks needs no region of its own.
    far = Fraction(largest + 1)
    starts = [(regions.initial(), far)]
    if stay.premise is not None:
        reached, _ = regions.explore(starts, False)
        starts = [(state, far) for state, _ in reached.values() if regions.satisfies(state, stay.premise)]
    starts = [(state, Fraction(0)) for state, _ in starts if regions.satisfies(state, stay.kept)]
    known, edges = regions.explore(starts, True)
    return any(regions.may_end(state) for state, _ in known.values()) or _cycle(edges)


def first_to_settle(network: Network, stay: Stay, largest: int, until: int, limit: int = 3000) -> int | None:
    """The first deadline (an encoded bound) by which some run has settled; None: none has by time ``until``."""
    regions = Regions(network, stay, largest, limit)
    settling: dict[object, bool] = {}

    def settles(state: NetworkState) -> bool:
        """Does a run that goes on from here come back to these locations and values for ever, or stay there?"""
        name = regions.named(state, Fraction(0))
        if name not in settling:
            known, edges = regions.explore([(state, Fraction(0))], True)
            component = _components(edges)
            recurs = {
                component[at]
                for at in edges
                for target, counts in edges[at]
                if counts and component[at] == component[target]
            }
            here = state.locations, state.values
            settling[name] = regions.may_come_to_an_end(state) or any(
                component[at] in recurs and (known[at][0].locations, known[at][0].values) == here for at in known
            )
        return settling[name]

    # Time is one more clock, told apart up to ``until``.
    wide = max(largest, until)

    def named(state: NetworkState, time: Fraction, staying: bool) -> object:
        return staying, key(NetworkState(state.locations, state.values, (*state.clocks, time)), wide)

    best: int | None = None
    start = regions.initial()
    queue = [(start, Fraction(0), False)]
    seen = {named(*queue[0])}
    while queue:
        state, time, staying = queue.pop()
        following: list[tuple[NetworkState, Fraction, bool]] = []
        if staying and settles(state):
            bound = 2 * floor(time) + (1 if time.denominator == 1 else 2)
            best = bound if best is None else min(best, bound)
        begins = regions.satisfies(state, stay.premise) if stay.premise is not None else state is start
        if not staying and begins:
            following.append((state, time, True))
        if staying or stay.premise is not None:
            near = [clock for clock in (*state.clocks[1:], time) if clock <= wide]
            steps = min(1 - (clock - floor(clock)) for clock in near)
            delay = steps / 2 if any(clock.denominator == 1 for clock in near) else steps
            if delay in regions.delays(state) and time + delay <= until:
                following.append((regions.delay(state, delay), time + delay, staying))
            following += [(regions.fire(state, action), time, staying) for action in regions.enabled(state)]
        for each in following:
            if (each[2] and not regions.satisfies(each[0], stay.kept)) or named(*each) in seen:
                continue
            seen.add(named(*each))
            queue.append(each)
            if len(seen) > limit:
                raise TooMany
    return best


def _cycle(edges: dict[object, list[tuple[object, bool]]]) -> bool:
    """Is there an edge that counts inside a strongly connected component? (From its target back to its source.)"""
    component = _components(edges)
    return any(
        counts and component[source] == component[target] for source in edges for target, counts in edges[source]
    )


def _components(edges: dict[object, list[tuple[object, bool]]]) -> dict[object, int]:
    """Kosaraju and Sharir: what is reached backwards in the reverse order of completion."""
    order: list[object] = []
    seen: set[object] = set()
    for root in edges:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for target, _ in rest:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(edges[target])))
                    break
            else:
                order.append(node)
                stack.pop()
    back: dict[object, list[object]] = {node: [] for node in edges}
    for source, targets in edges.items():
        for target, _ in targets:
            back[target].append(source)
    component: dict[object, int] = {}
    for number, root in enumerate(reversed(order)):
        todo = [root]
        while todo:
            node = todo.pop()
            if node not in component:
                component[node] = number
                todo += back[node]
    return component
