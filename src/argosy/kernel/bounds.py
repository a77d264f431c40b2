"""Static guard analysis: up to which constants each clock matters in each location.

Behrmann, Bouyer, Fleury, Larsen, "Static Guard Analysis in Timed Automata Verification" (2003), with lower and upper
bounds kept apart (2006). A constraint ``x > c`` on an edge or in an invariant contributes c to the lower bound of x in
its location, ``x < c`` to the upper bound; a bound flows backwards over every edge that does not surely reset x. A
clock without a bound in any current location is not active: no future behaviour depends on it.

Clock differences (diagonal constraints) flow the same way. Where one may still be tested, its clocks get equal lower
and upper bounds and zones are split by it before they are extrapolated (Bengtsson and Yi 2003).

Law: a valuation simulates every one that differs from it only beyond these bounds and agrees with it on the live
clock differences. So the bounds decide termination and speed, and a wrong one would lose behaviour; the certificates
do not rely on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.kernel.dbm import NO_BOUND, strict, weak
from argosy.kernel.ranges import Ranges, walk
from argosy.models.network import Network, TimedEdge, TimedProcess
from argosy.models.network_expressions import (
    AtLocation,
    Binary,
    ClockAtom,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkPlace,
    Reset,
    Return,
    Statement,
    While,
)
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily, moved, neighbours

LARGEST_PATH = 1 << 27
"""Sums of constants stay below this, so that no bound of the kernel overflows."""
WIDEST_DIFFERENCE = 64
"""A clock difference is compared with at most so many values; zones are split by each of them."""

Diagonal = tuple[int, int, int]
"""``x_left - x_right`` against an encoded bound, as in ``dbm``."""


class Unsupported(Exception):
    """The network says something that the zone search cannot treat exactly."""

    def __init__(self, position: Position, what: str) -> None:
        super().__init__(position, what)
        self.position = position
        self.what = what

    def __str__(self) -> str:
        return f"{self.position}: {self.what}" if self.position.line else self.what


@dataclass(slots=True)
class Facts:
    """What one location may still ask about the clocks."""

    lower: dict[int, int] = field(default_factory=dict)
    upper: dict[int, int] = field(default_factory=dict)
    diagonals: set[Diagonal] = field(default_factory=set)

    def absorb(self, other: Facts, without: frozenset[int] = frozenset()) -> bool:
        """Add what is known of a successor, except about clocks that are reset on the way. True: something is new."""
        changed = False
        for mine, its in ((self.lower, other.lower), (self.upper, other.upper)):
            for clock, constant in its.items():
                if clock not in without and mine.get(clock, NO_BOUND) < constant:
                    mine[clock] = constant
                    changed = True
        fresh = {d for d in other.diagonals if d[0] not in without and d[1] not in without} - self.diagonals
        self.diagonals |= fresh
        return changed or bool(fresh)

    def raise_lower(self, clock: int, constant: int) -> None:
        self.lower[clock] = max(self.lower.get(clock, NO_BOUND), constant, 0)

    def raise_upper(self, clock: int, constant: int) -> None:
        self.upper[clock] = max(self.upper.get(clock, NO_BOUND), constant, 0)

    @property
    def rows(self) -> list[tuple[int, int, int]]:
        """Clock, lower and upper bound."""
        clocks = sorted(self.lower.keys() | self.upper.keys())
        return [(c, self.lower.get(c, NO_BOUND), self.upper.get(c, NO_BOUND)) for c in clocks]


@dataclass(frozen=True, slots=True)
class Bounds:
    """``locations[p][l]`` for each location, ``goals`` for what goals ask wherever the processes are.

    ``coarse`` are the clocks whose lower and upper bounds must be taken together, ``largest`` bounds every constant
    that a zone can meet.
    """

    locations: tuple[tuple[Facts, ...], ...]
    goals: Facts
    coarse: tuple[int, ...]
    largest: int

    def of(self, locations: Sequence[int]) -> Facts:
        """The facts of a location vector, ``coarse`` included."""
        facts = Facts()
        facts.absorb(self.goals)
        for own, location in zip(self.locations, locations, strict=True):
            facts.absorb(own[location])
        for clock in self.coarse:
            larger = max(facts.lower.get(clock, NO_BOUND), facts.upper.get(clock, NO_BOUND))
            if larger != NO_BOUND:
                facts.lower[clock] = facts.upper[clock] = larger
        return facts


def analyse(
    network: Network,
    goals: Iterable[Goal],
    ranges: Ranges,
    bisimilar: bool = False,
    families: Iterable[AlikeFamily] = (),
) -> Bounds:
    """``bisimilar``: lower and upper bounds of all clocks are taken together. Valuations that agree up to the larger
    one are then bisimilar, with the same delays; a simulation keeps neither deadlocks nor time that stops.
    ``families``: what a goal asks of one member it asks of all."""
    return _Analysis(network, ranges).run(tuple(goals), bisimilar, tuple(families))


def _locations(condition: Expression) -> Iterator[AtLocation]:
    """The locations without which a condition does not hold."""
    match condition:
        case AtLocation():
            yield condition
        case Binary("&&", left, right):
            yield from _locations(left)
            yield from _locations(right)
        case _:
            pass


class _Analysis:
    def __init__(self, network: Network, ranges: Ranges) -> None:
        self._network = network
        self._ranges = ranges
        self._largest_reset = 0
        self._largest = 0
        self._differences: set[int] = set()
        self._fastest = max((ranges.of(rate.value)[1] for rate in network.rated), default=1)
        for clock in network.clocks:
            self._check(clock.position, clock.initial)
            self._largest_reset = max(self._largest_reset, clock.initial)
        statements = [s for p in network.processes for e in p.edges for s in walk(e.updates)]
        statements += [s for f in network.functions for s in walk(f.body)]
        for statement in statements:
            if isinstance(statement, Reset):
                high = ranges.of(statement.value)[1]
                self._check(statement.position, high)
                self._largest_reset = max(self._largest_reset, high)

    def run(self, goals: tuple[Goal, ...], bisimilar: bool, families: tuple[AlikeFamily, ...]) -> Bounds:
        facts = Facts()
        locations = tuple(tuple(Facts() for _ in process.locations) for process in self._network.processes)
        for goal in goals:
            place = self._place(goal)
            self._collect(facts if place is None else locations[place.process][place.location], goal.atoms)
        _close(facts, locations, families)
        for process in self._network.processes:
            self._process(process, locations[process.index])
        everything = bisimilar or any(goal.deadlock is not None for goal in goals) or self._network.has_priorities
        coarse = range(1, len(self._network.clocks)) if everything else sorted(self._differences)
        return Bounds(locations, facts, tuple(coarse), max(self._largest, self._largest_reset))

    def _place(self, goal: Goal) -> AtLocation | None:
        """A location that the goal asks for, best of a process that resets its clocks: elsewhere its clocks do not
        matter. A deadlock is asked for in states of any kind."""
        clocks = {c for atom in goal.atoms for side in (atom.left, atom.right) for c in self._ranges.addresses(side)}
        places = [] if goal.deadlock is not None else list(_locations(goal.condition))
        for place in places:
            edges = self._network.processes[place.process].edges
            if any(clocks & self._surely_reset(edge) for edge in edges):
                return place
        return places[0] if places else None

    def _process(self, process: TimedProcess, facts: tuple[Facts, ...]) -> None:
        for location in process.locations:
            self._collect(facts[location.index], location.invariant.atoms)
        for edge in process.edges:
            self._collect(facts[edge.source], edge.guard.atoms)
        resets = [self._surely_reset(edge) for edge in process.edges]
        changed = True
        while changed:
            changed = False
            for edge, without in zip(process.edges, resets, strict=True):
                changed |= facts[edge.source].absorb(facts[edge.target], without)

    def _collect(self, facts: Facts, atoms: Iterable[ClockAtom]) -> None:
        for atom in atoms:
            low, high = self._ranges.of(atom.bound)
            self._check(atom.position, max(abs(low), abs(high)))
            below = atom.relation in ("<", "<=", "==")
            above = atom.relation in (">", ">=", "==")
            for left, right in product(self._ranges.addresses(atom.left), self._ranges.addresses(atom.right)):
                if left == right:
                    continue
                if left and right:
                    self._difference(facts, atom, left, right, low, high)
                    continue
                if (below and left) or (above and right):
                    facts.raise_upper(left or right, high if left else -low)
                if (above and left) or (below and right):
                    facts.raise_lower(left or right, high if left else -low)

    def _difference(self, facts: Facts, atom: ClockAtom, left: int, right: int, low: int, high: int) -> None:
        if high - low >= WIDEST_DIFFERENCE:
            raise Unsupported(
                atom.position, f"a clock difference is compared with more than {WIDEST_DIFFERENCE} different values"
            )
        self._differences |= {left, right}
        # If one of the clocks is reset to r, the difference becomes a constraint on the other with c + r.
        constant = max(abs(low), abs(high)) + self._largest_reset
        self._check(atom.position, constant)
        for clock in (left, right):
            facts.raise_lower(clock, constant)
            facts.raise_upper(clock, constant)
        for value in range(low, high + 1):
            if atom.relation in ("<", ">=", "=="):
                facts.diagonals.add((left, right, strict(value)))
            if atom.relation in ("<=", ">", "=="):
                facts.diagonals.add((left, right, weak(value)))

    def _check(self, position: Position, constant: int) -> None:
        self._largest = max(self._largest, constant)
        # Bounds are sums along paths through the matrix, so every row may add the largest constant once.
        # Where clocks have rates, a difference grows by the longest delay times the rate.
        if (len(self._network.clocks) + 2) * constant * max(self._fastest, 1) > LARGEST_PATH:
            raise Unsupported(position, f"the constant {constant} is too large for a clock")

    def _surely_reset(self, edge: TimedEdge) -> frozenset[int]:
        return self._resets(edge.updates)[0]

    def _resets(self, statements: Iterable[Statement]) -> tuple[frozenset[int], bool]:
        """The clocks that are reset whatever happens, and whether the statements may return early."""
        found: set[int] = set()
        for statement in statements:
            returns = False
            match statement:
                case Reset(clock):
                    found |= self._single(clock)
                case Evaluate(FunctionCall(function)):
                    found |= self._resets(self._network.functions[function].body)[0]
                case If(_, then, otherwise):
                    first, first_returns = self._resets(then)
                    second, second_returns = self._resets(otherwise)
                    found |= first & second
                    returns = first_returns or second_returns
                case While(_, body, test_first):
                    inside, returns = self._resets(body)
                    if not test_first:
                        found |= inside
                case Return():
                    returns = True
                case _:
                    pass
            if returns:
                return frozenset(found), True
        return frozenset(found), False

    def _single(self, place: NetworkPlace) -> set[int]:
        addresses = self._ranges.addresses(place)
        return set(addresses) if len(addresses) == 1 else set()


def _images(family: AlikeFamily) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
    """Where clocks and processes go when neighbours are exchanged."""
    for member in range(family.size - 1):
        exchange = neighbours(family, member)
        yield moved(family.clocks, exchange), moved(family.processes, exchange)


def _image(facts: Facts, clocks: dict[int, int]) -> Facts:
    lower, upper = ({clocks.get(c, c): k for c, k in side.items()} for side in (facts.lower, facts.upper))
    return Facts(lower, upper, {(clocks.get(i, i), clocks.get(j, j), bound) for i, j, bound in facts.diagonals})


def _close(facts: Facts, locations: tuple[tuple[Facts, ...], ...], families: tuple[AlikeFamily, ...]) -> None:
    """Adds the images of all facts, and their images."""
    moves = [both for family in families for both in _images(family)]
    changed = bool(moves)
    while changed:
        changed = False
        for clocks, processes in moves:
            changed |= facts.absorb(_image(facts, clocks))
            for process, own in enumerate(locations):
                there = locations[processes.get(process, process)]
                for location, its in enumerate(own[: len(there)]):
                    changed |= there[location].absorb(_image(its, clocks))


def symmetric_bounds(bounds: Bounds, family: AlikeFamily) -> bool:
    """Whether clocks matter up to the same constants when members are exchanged."""
    for clocks, processes in _images(family):
        if _image(bounds.goals, clocks) != bounds.goals or {clocks.get(c, c) for c in bounds.coarse} != {
            *bounds.coarse
        }:
            return False
        for process, locations in enumerate(bounds.locations):
            if tuple(_image(facts, clocks) for facts in locations) != bounds.locations[processes.get(process, process)]:
                return False
    return True
