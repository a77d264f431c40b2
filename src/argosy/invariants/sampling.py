"""Sampling: states of a model at its loop heads, seen by executing it from small and random values.

Executions choose nondeterministic values from small numbers, the constants of the model and the values that other
variables have; where an execution is stuck before it comes to another loop head, the last choice is made again. What
is seen is a sample to guess relations from, as in dynamic invariant detection (Ernst et al., *The Daikon system for
dynamic detection of likely invariants*, 2007).

Law: every sampled state is reachable in the model. The sample depends on the model and the seed only; the clock is a
fuse, and far away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from argosy.basics.budget import UNLIMITED
from argosy.basics.records import dataclass
from argosy.logic.compile import compile_term, compile_update
from argosy.logic.semantics import Value, signed
from argosy.logic.sorts import BOOL, INT, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Reading, Relation, written
from argosy.models.liveness import live_variables

if TYPE_CHECKING:
    import random

State = tuple[Value, ...]

# Larger constants only make loops longer than any execution goes round them.
_LARGEST = 1 << 24
# How often values for one relation, or other values where an execution is stuck, are looked for.
_ATTEMPTS = 12
# States that one execution contributes at a location, so that no choice of values stands for all.
_SHARE = 24
# The smallest numbers that a variable is given in turn.
_SMALL = 13
# Every so many executions one may go far.
_SOMETIMES = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """``steps`` of all executions, of a ``long`` one and of a ``short`` one, number of ``runs``, ``states`` kept at one
    location; ``seconds`` of processor time are the fuse."""

    steps: int = 30_000
    long: int = 2_000
    short: int = 400
    runs: int = 400
    states: int = 480
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Samples:
    """The states seen at each loop head, as values of the variables that are ``live`` there, and the path to the error
    location where an execution came there."""

    live: Mapping[Location, tuple[Term, ...]]
    states: Mapping[Location, tuple[State, ...]]
    path: tuple[Edge, ...] = ()


def sample(cfa: Cfa, reading: Reading, seed: int = 0, limits: Limits | None = None) -> Samples:
    """Execute an automaton over integers, bit-vectors and booleans. ValueError where it has variables of other
    sorts."""
    if not is_sampled(cfa):
        raise ValueError("only models over integers, bit-vectors and booleans are executed")
    import random

    return _Sampling(cfa, reading, random.Random(seed), limits or Limits()).run()


def is_sampled(cfa: Cfa) -> bool:
    """Whether all variables are of sorts that are executed."""
    return all(v.term.sort in (BOOL, INT) or v.term.sort.is_bits for v in cfa.variables)


def operands(edge: Edge) -> tuple[Term, ...]:
    """The terms of an edge's operation."""
    match edge.operation:
        case Assume(condition):
            return (condition,)
        case Assign(_, value):
            return (value,)
        case Relation(formula, _):
            return (formula,)
    return ()


class _Sampling:
    def __init__(self, cfa: Cfa, reading: Reading, chance: random.Random, limits: Limits) -> None:
        self.cfa = cfa
        self.reading = reading
        self.chance = chance
        self.limits = limits
        self.slots = {v.term: i for i, v in enumerate(cfa.variables)}
        self.constants = _constants(cfa) or [0]
        alive = live_variables(cfa)
        self.unset = alive[cfa.initial]
        heads = sorted(cfa.loop_heads, key=lambda head: head.index)
        self.live = {head: tuple(sorted(alive[head], key=lambda v: v.id)) for head in heads}
        self.kept: dict[Location, dict[State, None]] = {head: {} for head in heads}
        self.visits: dict[Location, list[State]] = {head: [] for head in heads}
        self.compiled: dict[Edge, _SampledStep] = {}
        self.turn = [chance.randrange(_SMALL) for _ in self.slots]
        self.taken = 0
        self.choices = 0

    def run(self) -> Samples:
        budget = UNLIMITED.at_most(self.limits.seconds)
        path: list[Edge] = []
        for turn in range(self.limits.runs):
            self.choices = 0
            path = self.execute(self.limits.short if turn % _SOMETIMES else self.limits.long)
            self.keep()
            reached = bool(path) and path[-1].target is self.cfa.error
            if reached or not self.choices or self.taken >= self.limits.steps or budget.is_over:
                break
        found = {head: tuple(states) for head, states in self.kept.items() if states}
        return Samples(self.live, found, tuple(path) if path and path[-1].target is self.cfa.error else ())

    def execute(self, limit: int) -> list[Edge]:
        """One execution: to its end, to the error, or for ``limit`` steps. One that makes no choice may go on, for
        there is no other."""
        location = self.cfa.initial
        state = self.start()
        path: list[Edge] = []
        start = self.taken
        # Where the last choice was made: the location, the state (none at the start) and how far that was.
        choice: tuple[Location, State | None, int] | None = (location, None, 0) if self.unset else None
        attempts = _ATTEMPTS
        while self.taken < self.limits.steps and (not self.choices or self.taken - start < limit):
            visits = self.visits.get(location)
            if visits is not None:
                visits.append(state)
                choice = None
            self.taken += 1
            chosen = self.choices
            for edge, after in self.successors(location, state):
                if self.choices > chosen:
                    choice = location, state, len(path)
                path.append(edge)
                location, state = edge.target, after
                break
            else:
                if choice is None or not attempts:
                    break
                attempts -= 1
                location, earlier, length = choice
                state = self.start() if earlier is None else earlier
                del path[length:]
            if location is self.cfa.error:
                break
        return path

    def start(self) -> State:
        return tuple(self.choose(v.sort, i, ()) if v in self.unset else 0 for v, i in self.slots.items())

    def keep(self) -> None:
        """Keep a part of what an execution saw: the first states, the last ones and some in between."""
        for head, visits in self.visits.items():
            if self.choices and len(visits) > _SHARE:
                half, quarter = _SHARE // 2, _SHARE // 4
                visits = visits[:half] + self.chance.sample(visits[half:-quarter], quarter) + visits[-quarter:]
            kept = self.kept[head]
            slots = [self.slots[v] for v in self.live[head]]
            for state in visits:
                if len(kept) >= self.limits.states:
                    break
                kept[tuple(state[slot] for slot in slots)] = None
            self.visits[head] = []

    def successors(self, location: Location, state: State) -> Iterator[tuple[Edge, State]]:
        edges = self.cfa.leaving[location]
        if len(edges) > 1:
            edges = tuple(self.chance.sample(edges, len(edges)))
        for edge in edges:
            step = self.compiled.get(edge)
            if step is None:
                step = self.compiled[edge] = _SampledStep(self.cfa.terms, edge, self.slots, self.reading)
            try:
                after = step.take(state, self)
            except ZeroDivisionError:
                # The guard against it stands in the same condition, where the order of conjuncts means nothing.
                continue
            if after is not None:
                yield edge, after

    def choose(self, sort: Sort, slot: int, others: State) -> Value:
        """A value for the variable of a slot, where the others have the given values."""
        self.choices += 1
        if sort is BOOL:
            return self.chance.random() < 0.5
        number = self.number(slot, others)
        return number % (1 << sort.width) if sort.is_bits else number

    def number(self, slot: int, others: State) -> int:
        chance = self.chance
        kind = chance.random()
        if kind < 0.4:
            self.turn[slot] = (self.turn[slot] + 1) % _SMALL
            return self.turn[slot]
        if kind < 0.6:
            return chance.randint(-20, 60)
        if kind < 0.8 or not others:
            return chance.choice(self.constants)
        return int(chance.choice(others))


class _SampledStep:
    """An edge, compiled."""

    def __init__(self, terms: Terms, edge: Edge, slots: Mapping[Term, int], reading: Reading) -> None:
        guards = [c.condition for c in edge.checks if reading.excludes(c)]
        assignments: list[tuple[int, Term]] = []
        self.open = [(slots[v], v.sort) for v in written(edge.operation) if not isinstance(edge.operation, Assign)]
        self.given: dict[int, Callable[[State], Value]] = {}
        self.related: Callable[[State], State | int] | None = None
        match edge.operation:
            case Assume(condition):
                guards.append(condition)
            case Assign(variable, value):
                assignments.append((slots[variable], value))
            case Relation(formula, primed):
                # New values stand behind the old ones.
                layout = {**slots, **{new: len(slots) + i for i, (_, new) in enumerate(primed)}}
                self.related = compile_update([formula], [], layout, len(layout))
                for i, (_, new) in enumerate(primed):
                    solved = _solved(terms, formula, new, frozenset(slots))
                    if solved is not None:
                        self.given[i] = compile_term(solved, slots)
        self.update = compile_update(guards, assignments, slots, len(slots))

    def take(self, state: State, sampling: _Sampling) -> State | None:
        after = self.update(state)
        if isinstance(after, int):
            return None
        if not self.open:
            return after
        for _ in range(_ATTEMPTS if self.related is not None and len(self.given) < len(self.open) else 1):
            chosen = tuple(
                self.given[i](state) if i in self.given else sampling.choose(sort, slot, state)
                for i, (slot, sort) in enumerate(self.open)
            )
            if self.related is None or not isinstance(self.related(state + chosen), int):
                changed = list(after)
                for (slot, _), value in zip(self.open, chosen, strict=True):
                    changed[slot] = value
                return tuple(changed)
        return None


def _solved(terms: Terms, formula: Term, new: Term, old: frozenset[Term]) -> Term | None:
    """What ``new`` equals in terms of old values, where a conjunct of the formula says so."""
    for part in conjuncts(formula):
        if part.op == "=" and new.sort.is_bits and new in part.args:
            value = part.args[0] if part.args[1] is new else part.args[1]
            if variables(value) <= old:
                return value
        if part.op != "=" or part.args[0].sort is not INT:
            continue
        coefficients, _ = terms.linear(part.args[0])
        factor = coefficients.get(new)
        if factor in (1, -1):
            rest = terms.sub(part.args[1], terms.sub(part.args[0], terms.mul(terms.integer(factor), new)))
            if variables(rest) <= old:
                return terms.mul(terms.integer(factor), rest)
    return None


def _constants(cfa: Cfa) -> list[int]:
    """The numbers that occur in the model, and their neighbours."""
    found: set[int] = set()
    for edge in cfa.edges:
        for sub in postorder(*operands(edge)):
            if sub.op == "const" and (sub.sort is INT or sub.sort.is_bits):
                number = sub.payload if sub.sort is INT else signed(sub.payload, sub.sort.width)
                if abs(number) <= _LARGEST:
                    found.update((number - 1, number, number + 1))
    return sorted(found)
