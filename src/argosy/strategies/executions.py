"""Concrete executions, one after the other: a state is a location with a value for every variable.

An execution is a chain of *legs* of up to some thousand edges. Where it goes round the same cycle of edges again and
again, and what it chooses goes on evenly from round to round, the cycle is executed natively while its conditions hold
(``certify.repetition``), and stands in the path once, with how often it was taken (``models.rounds``). What the program
leaves open is zero in the first execution; in the next two it goes up or down by one whenever the same edge chooses; in
later ones it is drawn, mostly from small numbers and the constants of the program: for an edge once and for all, with
steps up or down, or anew each time; in every other of these mostly by a coin.

Where the automaton *guesses* a set to reach its error (blocks of memory that nobody points to), the largest one is
computed: from all of them, those are left out that break a condition, until none does.

Law: every state is reached by the concrete execution that its path stands for. The executions are some of all, so the
chain ends in a state that is a target as well, and says that it knows no error: nothing is ever proved here.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from argosy.basics.records import dataclass, field
from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter, left_open, zero
from argosy.certify.long_replay import OpenRound, round_of
from argosy.certify.repetition import NotStraight, Repetition
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, evaluate, postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Reading, Relation, read
from argosy.models.liveness import live_variables
from argosy.models.rounds import Part, Progression, Rounds

# Edges of a leg, and legs in a row in which nothing repeats before an execution is given up: of one that has chosen
# something, and of the only one that there is.
LEG = 2_000
LEGS = 3
# Steps with large arrays are slow: after so many edges the clock is looked at.
WATCHED = 50
MANY_LEGS = 50

# Executions come in passes: the first three of a pass are not drawn, and each may repeat so many cycles, in the next
# pass many more. An execution without choices, the only one, may go on.
PASS = 10
FOLDS = 30
MORE_FOLDS = 16

# By how much choices go up or down from one time to the next; how many of the edges draw anew each time.
_STEPS = (1, -1)
_ANEW = 0.3

# How often a value is a coin's, in every other of the executions that are drawn.
_TOSSED = 0.6

# By how much what is not modelled is changed to see whether a step depends on it.
_OTHERS = (1, 0x5A5A_5A5B)

# A cycle that was taken so often in a row is tried natively, and kept where it goes on for so long; cycles of up to
# PERIODS rounds of a loop are looked for, each of at most LONGEST edges.
SEEN = 3
WORTHWHILE = 16
PERIODS = 4
LONGEST = 2_000

MOST_ROUNDS = 1 << 40

# So many where something is chosen in each: a harness has a list of all of it.
MOST_CHOSEN = 1 << 20


class ExecutionState(NamedTuple):
    """``run`` numbers the executions, ``leg`` the legs since something repeated, ``folds`` the cycles that were
    repeated; ``drawn`` counts the choices of each edge, by its number; ``start`` are the values that an execution began
    with. ``location`` is None when all executions, ``run`` of them, have ended without an error."""

    location: Location | None
    values: tuple[Value, ...]
    run: int
    leg: int = 0
    drawn: tuple[tuple[int, int], ...] = ()
    start: tuple[tuple[Term, Value], ...] = ()
    folds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """A part of an execution's path, and what was chosen on it: by the number of the part, and the variable."""

    path: tuple[Part, ...]
    chosen: tuple[tuple[int, Term, Value], ...] = ()


class ExecutionAnalysis:
    """``runs`` executions of one automaton. Precisions have no meaning here."""

    def __init__(self, cfa: Cfa, reading: Reading, runs: int, seed: int, is_over: Callable[[], bool]) -> None:
        self.cfa = cfa
        self.runs = runs
        self._interpreter = Interpreter(cfa, reading)
        self._reading = reading
        self._seed = seed
        self.is_over = is_over
        self._heads = frozenset(cfa.loop_heads)
        self._errors_first = {
            at: sorted(edges, key=lambda edge: edge.target is not cfa.error) for at, edges in cfa.leaving.items()
        }
        self._constants = _constants(cfa)
        # What is read before it is written may be anything at the start.
        self.opens = sorted(live_variables(cfa)[cfa.initial], key=lambda v: v.id)
        self._cycles: dict[tuple[Edge, ...], OpenRound | None] = {}
        self._compiled: dict[tuple[tuple[Edge, ...], tuple[Value, ...]], Repetition | None] = {}
        self._short: set[tuple[Edge, ...]] = set()
        self.number_of = {edge: number for number, edge in enumerate(cfa.edges)}
        self._not_modelled: dict[Edge, list[tuple[int, Sort]]] = {}
        self._guesses: dict[Location, list[Edge]] = {}
        for edge in cfa.edges:
            if self._is_guess(edge):
                self._guesses.setdefault(edge.source, []).append(edge)

    def _is_guess(self, edge: Edge) -> bool:
        """Whether an edge chooses bits, and nothing comes afterwards but conditions and the error."""
        open_, after = left_open(self.cfa.terms, edge.operation), self.cfa.leaving[edge.target]
        if not open_ or any(not v.sort.is_bits or v.sort.width > 1 for v in open_) or not after or edge.checks:
            return False
        if isinstance(edge.operation, Relation) and edge.operation.formula is not self.cfa.terms.true:
            return False
        return all(each.target is self.cfa.error and isinstance(each.operation, Assume) for each in after)

    def initial(self, precision: object) -> Iterable[ExecutionState]:
        yield self._start(0)

    def _start(self, run: int) -> ExecutionState:
        if run >= self.runs:
            return ExecutionState(None, (), run)
        start = {} if run == 0 else {v: self.value(v.sort, run, -1 - n, 0) for n, v in enumerate(self.opens)}
        state = self._interpreter.start(start)
        return ExecutionState(state.location, state.values, run, start=tuple(start.items()))

    def successors(self, state: ExecutionState, precision: object) -> Iterator[tuple[Leg, ExecutionState]]:
        if state.location is None:
            return
        walk = _Walk(self, state)
        ended = walk.go()
        after = walk.state
        if after.location is self.cfa.error:
            yield walk.leg(), ExecutionState(after.location, after.values, state.run, state.leg + 1)
            return
        leg = walk.leg()
        repeats = sum(isinstance(part, Rounds) for part in leg.path)
        folds = state.folds + repeats
        # Where nothing was open, there is one execution.
        several = bool(walk.drawn or self.opens)
        if ended or state.leg >= (LEGS if several else MANY_LEGS) or (several and folds >= _folds(state.run)):
            yield Leg(()), self._start(state.run + 1) if several else ExecutionState(None, (), 1)
            return
        number = 0 if repeats else state.leg + 1
        drawn = tuple(walk.drawn.items())
        yield leg, ExecutionState(after.location, after.values, state.run, number, drawn, state.start, folds)

    def adjust(self, state: ExecutionState, precision: object) -> ExecutionState:
        return state

    def merges(self, state: ExecutionState) -> bool:
        return False

    def merge(self, new: ExecutionState, old: ExecutionState) -> ExecutionState:
        return old

    def covers(self, old: ExecutionState, new: ExecutionState) -> bool:
        return old == new

    def partition(self, state: ExecutionState) -> Hashable:
        return state.run, state.leg

    def shelters(self, state: ExecutionState) -> Iterable[Hashable]:
        return ()

    def is_target(self, state: ExecutionState) -> bool:
        return state.location is None or state.location is self.cfa.error

    # ---- for a walk -----------------------------------------------------------------------------------------

    def step(self, state: ConcreteState, choose: Callable[[Edge, Term], Value]) -> tuple[Edge, ConcreteState] | None:
        """An edge that can be taken, into the error if one can; none that depends on what is not modelled."""
        guesses = self._guesses.get(state.location, ())
        for edge in self._errors_first[state.location]:
            if edge in guesses:
                continue
            after = self._interpreter.step(edge, state, choose)
            if not isinstance(after, Blocked) and self._is_modelled(edge, state, after):
                return edge, after
        return None

    def _is_modelled(self, edge: Edge, state: ConcreteState, after: ConcreteState) -> bool:
        """Whether a step is the same when what is not modelled is something else, as far as some other values show."""
        slots = self._not_modelled.get(edge)
        if slots is None:
            reads = read(edge.operation).union(*(variables(check.condition) for check in edge.checks))
            opaque = reads & self.cfa.opaque.keys()
            slots = self._not_modelled[edge] = [(self._interpreter.slots[v], v.sort) for v in opaque]
        for other in _OTHERS if slots else ():
            values = list(state.values)
            for slot, sort in slots:
                values[slot] = _another(values[slot], sort, other)
            moved = self._interpreter.step(edge, ConcreteState(state.location, tuple(values)), lambda *_: 0)
            if isinstance(moved, Blocked):
                return False
            kept = (i for i, v in enumerate(self.cfa.variables) if v.term not in self.cfa.opaque)
            if any(moved.values[i] != after.values[i] for i in kept):
                return False
        return True

    def guessed(self, state: ConcreteState) -> tuple[Edge, Mapping[Term, Value], Edge] | None:
        """A guess from here that leads to the error: the edge, what it chooses, and the edge behind it."""
        opaque = self.cfa.opaque.keys()
        for edge in self._guesses.get(state.location, ()):
            for last in self.cfa.leaving[edge.target]:
                if opaque.isdisjoint(read(last.operation)) and isinstance(last.operation, Assume):
                    open_ = left_open(self.cfa.terms, edge.operation)
                    found = self._largest(open_, conjuncts(last.operation.condition), state)
                    if found is not None:
                        return edge, found, last
        return None

    def _largest(
        self, open_: Sequence[Term], conditions: Sequence[Term], state: ConcreteState
    ) -> Mapping[Term, Value] | None:
        values = self._interpreter.valuation(state)
        values.update(dict.fromkeys(open_, 1))
        while broken := [each for each in conditions if not evaluate(each, values)]:
            for each in broken:
                mended = (v for v in open_ if values[v] and v in variables(each) and evaluate(each, {**values, v: 0}))
                found = next(mended, None)
                if found is None:
                    return None
                values[found] = 0
        return {v: values[v] for v in open_}

    def is_head(self, location: Location) -> bool:
        return location in self._heads

    def value(self, sort: Sort, run: int, edge: int, drawn: int) -> Value:
        """What is drawn by an edge that has drawn so often before; the same for the same numbers."""
        plain = run % PASS
        if plain == 0 or not (sort.is_bits or sort.kind in ("bool", "int")):
            return zero(sort)
        if plain <= len(_STEPS):
            value = _STEPS[plain - 1] * (drawn + 1)
            return value % (1 << sort.width) if sort.is_bits else bool(value) if sort.kind == "bool" else value
        source = random.Random((self._seed * 1_000_003 + run) * 1_000_003 + edge)
        way = source.random()
        anew = random.Random(((self._seed * 1_000_003 + run) * 1_000_003 + edge) * 1_000_003 + drawn)
        if plain % 2 and sort.kind != "bool" and anew.random() < _TOSSED:
            return anew.choice((0, 1))
        if way < _ANEW:
            source = anew
        if sort.kind == "bool":
            return source.random() < 0.5
        kind = source.random()
        if kind < 0.5:
            value = source.choice((0, 1, 1, 2, 3, 5, 10, -1))
        elif kind < 0.8 and self._constants:
            value = source.choice(self._constants) + source.choice((-1, 0, 0, 0, 1))
        else:
            value = source.getrandbits(sort.width if sort.is_bits else 16)
        if way >= _ANEW:
            value += drawn * source.choice((0, 0, *_STEPS))
        return value % (1 << sort.width) if sort.is_bits else value

    def repetition(self, edges: tuple[Edge, ...], chosen: tuple[Progression, ...]) -> Repetition | None:
        if edges not in self._cycles:
            opaque = self.cfa.opaque.keys()
            modelled = all(opaque.isdisjoint(read(edge.operation)) for edge in edges)
            self._cycles[edges] = round_of(self.cfa, edges, self._reading) if modelled else None
        cycle = self._cycles[edges]
        steps = tuple(each.step for each in chosen)
        if (edges, steps) not in self._compiled:
            try:
                self._compiled[edges, steps] = None if cycle is None else cycle.compiled(chosen)
            except NotStraight:
                self._compiled[edges, steps] = None
        return self._compiled[edges, steps]

    def repeated(
        self,
        repetition: Repetition,
        edges: tuple[Edge, ...],
        chosen: tuple[Progression, ...],
        state: ConcreteState,
    ) -> tuple[int, ConcreteState] | None:
        """How often the cycle is taken now, and the state after that; None where that is hardly ever."""
        cycle = self._cycles[edges]
        assert cycle is not None
        values = self._interpreter.valuation(state)
        started = {**values, **cycle.values(chosen, 0)}
        rounds, after = repetition.run(started, MOST_CHOSEN if chosen else MOST_ROUNDS, self.is_over)
        if rounds < WORTHWHILE:
            self._short.add(edges)
            return None
        ordered = tuple(after.get(v.term, values[v.term]) for v in self.cfa.variables)
        return rounds, ConcreteState(state.location, ordered)

    def is_worth_a_try(self, edges: tuple[Edge, ...]) -> bool:
        return edges not in self._short


@dataclass(slots=True)
class _Walk:
    """One leg on its way."""

    analysis: ExecutionAnalysis
    origin: ExecutionState
    state: ConcreteState = field(init=False)
    drawn: dict[int, int] = field(init=False)
    folds_left: int = field(init=False)
    path: list[Part] = field(default_factory=list)
    chosen: list[tuple[int, Term, Value]] = field(default_factory=list)
    visits: dict[Location, list[int]] = field(default_factory=dict)
    rounds: dict[Location, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.origin.location is not None
        self.state = ConcreteState(self.origin.location, self.origin.values)
        self.drawn = dict(self.origin.drawn)
        self.folds_left = _folds(self.origin.run) - self.origin.folds

    def leg(self) -> Leg:
        return Leg(tuple(self.path), tuple(self.chosen))

    def go(self) -> bool:
        """To the error, to the end of the leg, or as far as it goes; whether it can go no further."""
        analysis = self.analysis
        for number in range(LEG):
            if number % WATCHED == WATCHED - 1 and analysis.is_over():
                return False
            if self.folds_left <= 0 and (self.drawn or analysis.opens):
                return False
            if analysis.is_head(self.state.location):
                self._at_head()
            if self._is_looked_at() and self._guess():
                return True
            after = analysis.step(self.state, self._choose)
            if after is None:
                return True
            edge, self.state = after
            self.path.append(edge)
            if self.state.location is analysis.cfa.error:
                return True
        return False

    def _is_looked_at(self) -> bool:
        """Whether what may be guessed here is: not in every round of a loop."""
        if not self.analysis.is_head(self.state.location):
            return True
        count = self.rounds[self.state.location] = self.rounds.get(self.state.location, 0) + 1
        return count & (count - 1) == 0

    def _guess(self) -> bool:
        found = self.analysis.guessed(self.state)
        if found is None:
            return False
        guess, values, last = found
        self.chosen.extend((len(self.path), variable, value) for variable, value in values.items())
        self.path.extend((guess, last))
        self.state = ConcreteState(last.target, self.state.values)
        return True

    def _choose(self, edge: Edge, variable: Term) -> Value:
        number = self.analysis.number_of[edge]
        drawn = self.drawn.get(number, 0)
        self.drawn[number] = drawn + 1
        value = self.analysis.value(variable.sort, self.origin.run, number, drawn)
        while self.chosen and self.chosen[-1][0] == len(self.path) and self.chosen[-1][1] is variable:
            # Another edge was tried before this one, and could not be taken.
            self.chosen.pop()
        self.chosen.append((len(self.path), variable, value))
        return value

    def _at_head(self) -> None:
        visits = self.visits.setdefault(self.state.location, [])
        visits.append(len(self.path))
        if len(visits) % SEEN and len(visits) > 4 * PERIODS:
            return
        for period in range(1, PERIODS + 1):
            if len(visits) <= SEEN * period:
                return
            ends = visits[-1 - SEEN * period :: period]
            first, *others = (tuple(self.path[a:b]) for a, b in pairwise(ends))
            edges = tuple(part for part in first if isinstance(part, Edge))
            if not 0 < len(edges) == len(first) <= LONGEST or any(other != first for other in others):
                continue
            if self.analysis.is_worth_a_try(edges):
                chosen = self._progressions(ends)
                if chosen is not None and self._repeat(edges, chosen):
                    return

    def _progressions(self, ends: Sequence[int]) -> tuple[Progression, ...] | None:
        """How what was chosen goes on from round to round, in the round that comes now; None where it does not."""
        rounds: list[list[tuple[int, Term, Value]]] = [[] for _ in ends[1:]]
        for at, variable, value in self.chosen[self._first_choice(ends[0]) :]:
            for number, (start, end) in enumerate(pairwise(ends)):
                if start <= at < end:
                    rounds[number].append((at - start, variable, value))
        found = []
        for some in zip(*rounds, strict=False):
            (place, variable, _), values = some[0], [value for _, _, value in some]
            modulus = 1 << variable.sort.width if variable.sort.is_bits else None
            if any((p, v) != (place, variable) for p, v, _ in some):
                return None
            if modulus is None:
                if any(value != values[0] for value in values):
                    return None
                found.append(Progression(place, variable, values[0]))
                continue
            steps = {(b - a) % modulus for a, b in pairwise(values)}
            if len(steps) > 1:
                return None
            step = steps.pop()
            found.append(Progression(place, variable, (values[-1] + step) % modulus, step))
        return tuple(found) if all(len(some) == len(found) for some in rounds) else None

    def _first_choice(self, place: int) -> int:
        return bisect_left(self.chosen, place, key=lambda choice: choice[0])

    def _repeat(self, edges: tuple[Edge, ...], chosen: tuple[Progression, ...]) -> bool:
        repetition = self.analysis.repetition(edges, chosen)
        if repetition is None:
            return False
        found = self.analysis.repeated(repetition, edges, chosen, self.state)
        if found is None:
            return False
        times, self.state = found
        self.path.append(Rounds(edges, times, chosen))
        self.folds_left -= 1
        for each in chosen:
            number = self.analysis.number_of[edges[each.place]]
            self.drawn[number] = self.drawn.get(number, 0) + times
        self.visits.clear()
        return True


def _folds(run: int) -> int:
    more: int = MORE_FOLDS ** min(run // PASS, 8)
    return FOLDS * more


def _another(value: Value, sort: Sort, by: int) -> Value:
    """Another value of a sort."""
    if sort.kind == "bool":
        return not value
    if isinstance(value, int):
        return (value + by) % (1 << sort.width) if sort.is_bits else value + by
    return ArrayValue(by % (1 << sort.element.width) if sort.element is not None and sort.element.is_bits else by)


def _constants(cfa: Cfa) -> list[int]:
    """The numbers that a program speaks of."""
    found: set[int] = set()
    for edge in cfa.edges:
        found.update(
            term.payload
            for term in postorder(*_terms_of(edge))
            if term.op == "const" and isinstance(term.payload, int) and not isinstance(term.payload, bool)
        )
    return sorted(found)


def _terms_of(edge: Edge) -> Iterator[Term]:
    match edge.operation:
        case Assume(condition):
            yield condition
        case Assign(_, value):
            yield value
        case Relation(formula, _):
            yield formula
