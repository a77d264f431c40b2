"""Acceleration: beside a loop, edges that take many of its rounds at once, and the way back from them.

Kroening, Lewis, Weissenbacher (CAV 2013): an *accelerator* of a cycle is one more edge with the closed form of any
number of its rounds (``models.closed_forms``); a shallow path through it is a deep one of the program. Cycles are the
simple ones through a loop head, alone or, where one cannot follow itself, a few of them in turn.

Law: what the automaton with the shortcuts reaches at its own locations, the one without them reaches. So an invariant
of one is one of the other, and is certified on the model as read; a counterexample is written with ``Rounds`` in the
place of shortcuts, and replayed there round by round (``certify.long_replay``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Generic, TypeVar

from argosy.basics.records import dataclass, replace
from argosy.certify.interpreter import left_open
from argosy.certify.symbolic import SymbolicPath
from argosy.engine.protocols import Feasible, Refined, Refiner, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.semantics import Value
from argosy.logic.solver import Satisfiability, Solver, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.sorts import INT, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute
from argosy.models.cfa import Cfa, Edge, Location, Reading, Relation, Variable, read, written
from argosy.models.closed_forms import COUNT_WIDTH, ClosedForm, NoClosedForm, closed_form
from argosy.models.rounds import Chosen, Part, Progression, Rounds

P = TypeVar("P")

# A loop with more ways round than that, or longer ones, is none of those that are understood.
MOST_CYCLES = 24
LONGEST = 400
MOST_HEADS = 24
# So many edges are looked at for the ways round one loop.
LOOKS = 20_000

# Cycles that cannot follow themselves take turns with others, up to so many of them, of so few.
PERIODS = 4
FEW = 4

# Seconds for the question whether a shortcut can be taken at all, and whether with fewer rounds.
_SECONDS = 0.5
_SECONDS_FOR_FEWER = 2.0

# The least of these that is enough is how often a loop goes round in a counterexample; where something is chosen in
# each round, all of it is a part of the result.
_ROUNDS = (1 << 6, 1 << 12, 1 << 18, 1 << 20, 1 << 24, 1 << 27, (1 << 31) - 1)
_MOST_CHOSEN = 1 << 20


@dataclass(frozen=True, slots=True)
class Shortcut:
    """``count`` rounds of a ``cycle``: an edge that chooses how many and what is chosen in each of them (a variable for
    each place in the cycle and variable there), and one that takes them."""

    cycle: tuple[Edge, ...]
    count: Term
    choices: Mapping[tuple[int, Term], Term]
    choosing: Edge
    taking: Edge


@dataclass(frozen=True)
class Accelerated:
    """An automaton with shortcuts."""

    cfa: Cfa
    shortcuts: tuple[Shortcut, ...]
    arithmetic: SortKind
    reading: Reading

    @cached_property
    def chosen_by(self) -> Mapping[Edge, Shortcut]:
        """The shortcut that begins with an edge."""
        return {shortcut.choosing: shortcut for shortcut in self.shortcuts}

    @cached_property
    def _as_read(self) -> Mapping[str, Term]:
        """The variables of the model as read, by name."""
        found: dict[str, Term] = {}
        for step in self.cfa.edges:
            for edge in step.as_read:
                found.update((v.name, v) for v in (*written(edge.operation), *read(edge.operation)))
        return found

    def expanded(self, path: Sequence[Edge], solvers: Solvers, seconds: float | None = None) -> Feasible | None:
        """An execution of the model as read along a path of this automaton; None where a solver finds none."""
        execution = SymbolicPath(self.cfa, self.reading)
        for index, edge in enumerate(path):
            if not execution.take(index, edge):
                return None
        solver = solvers.create("trace", self.arithmetic, time_limit=seconds)
        for condition in execution.conditions:
            solver.add(condition)
        if not self._solved(solver, path, execution, seconds is None):
            return None
        model = {variable: solver.value(variable) for variable in execution.mentioned()}
        return self._written_out(path, execution, model)

    def _solved(self, solver: Solver, path: Sequence[Edge], execution: SymbolicPath, patient: bool) -> bool:
        """Whether there is a model; it has few rounds, if that is found soon."""
        terms = self.cfa.terms
        counts = []
        for index, edge in enumerate(path):
            shortcut = self.chosen_by.get(edge)
            if shortcut is not None:
                limit = _MOST_CHOSEN if self._chooses(shortcut) else _ROUNDS[-1]
                counts.append((execution.chosen[index, shortcut.count], limit))
        for most in _ROUNDS:
            if solver.check([_at_most(terms, count, min(most, limit)) for count, limit in counts]) is (
                Satisfiability.SAT
            ):
                return True
        return False

    def _chooses(self, shortcut: Shortcut) -> bool:
        edges = (edge for step in shortcut.cycle for edge in step.as_read)
        return any(left_open(self.cfa.terms, edge.operation) for edge in edges)

    def _written_out(self, path: Sequence[Edge], execution: SymbolicPath, model: Mapping[Term, Value]) -> Feasible:
        parts: list[Part] = []
        on_the_way: dict[tuple[int, Term], Value] = {}
        at = [(index, variable) for index, variable in execution.chosen]
        values: dict[int, dict[Term, Value]] = {}
        for index, variable in at:
            fresh = execution.chosen[index, variable]
            if fresh in model:
                values.setdefault(index, {})[variable] = model[fresh]
        index = 0
        while index < len(path):
            edge, own = path[index], values.get(index, {})
            shortcut = self.chosen_by.get(edge)
            if shortcut is not None:
                parts.append(self._rounds(shortcut, own))
                index += 2
                continue
            named = {variable.name: value for variable, value in own.items()}
            for step in edge.as_read:
                for variable in written(step.operation):
                    if variable.name in named:
                        on_the_way[len(parts), variable] = _as(named[variable.name], variable.sort)
                parts.append(step)
            index += 1
        start = {
            self._as_read[v.name]: _as(value, self._as_read[v.name].sort)
            for v, value in model.items()
            if v in self.cfa.variable_of and v.name in self._as_read
        }
        return Feasible(tuple(parts), Chosen(start, on_the_way))

    def _rounds(self, shortcut: Shortcut, own: Mapping[Term, Value]) -> Rounds:
        edges: list[Edge] = []
        chosen: list[Progression] = []
        for place, step in enumerate(shortcut.cycle):
            said = {v.name: own[by] for (at, v), by in shortcut.choices.items() if at == place and by in own}
            for edge in step.as_read:
                chosen += (
                    Progression(len(edges), v, _as(said[v.name], v.sort))
                    for v in written(edge.operation)
                    if v.name in said
                )
                edges.append(edge)
        return Rounds(tuple(edges), int(own[shortcut.count]), tuple(chosen))


def accelerated(cfa: Cfa, reading: Reading, solvers: Solvers, arithmetic: SortKind) -> Accelerated | None:
    """The automaton with a shortcut for each cycle that has a closed form; None where none has."""
    if arithmetic not in ("bits", "int"):
        return None
    found = tuple(_Search(cfa, reading, solvers, arithmetic).shortcuts())
    if not found:
        return None
    edges = [edge for shortcut in found for edge in (shortcut.choosing, shortcut.taking)]
    between = tuple(shortcut.choosing.target for shortcut in found)
    own = dict.fromkeys(v for s in found for v in (s.count, *s.choices.values()))
    variables = tuple(Variable(term, term.name, s.choosing.source.function) for s in found for term in _own(s))
    assert len(variables) == len(own)
    grown = replace(
        cfa,
        locations=(*cfa.locations, *between),
        edges=(*cfa.edges, *edges),
        variables=(*cfa.variables, *variables),
    )
    return Accelerated(grown, found, arithmetic, reading)


def is_accelerable(cfa: Cfa, reading: Reading) -> bool:
    """Whether a loop has a closed form, be it one that can never be taken."""
    return next(_Search(cfa, reading, None, "bits").shortcuts(), None) is not None


def _own(shortcut: Shortcut) -> tuple[Term, ...]:
    return (shortcut.count, *shortcut.choices.values())


class _Search:
    """Without ``solvers`` nobody asks whether a shortcut can be taken."""

    def __init__(self, cfa: Cfa, reading: Reading, solvers: Solvers | None, arithmetic: SortKind) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._reading = reading
        self._solvers = solvers
        self._arithmetic = arithmetic
        self._number = 0
        self._index = max(location.index for location in cfa.locations) + 1

    def shortcuts(self) -> Iterator[Shortcut]:
        for head in sorted(self._cfa.loop_heads, key=lambda at: self._cfa.order[at])[:MOST_HEADS]:
            cycles = cycles_through(self._cfa, head)
            restless: list[tuple[Edge, ...]] = []
            for cycle in cycles:
                shortcut = self._shortcut(head, cycle)
                if shortcut is None:
                    restless.append(cycle)
                else:
                    yield shortcut
            if (restless and 1 < len(cycles) <= FEW) or len(cycles) == 1:
                yield from self._in_turn(head, cycles, restless)

    def _in_turn(
        self, head: Location, cycles: Sequence[tuple[Edge, ...]], restless: Sequence[tuple[Edge, ...]]
    ) -> Iterator[Shortcut]:
        known: list[tuple[int, ...]] = []
        for period in range(2, PERIODS + 1):
            for turns in product(range(len(cycles)), repeat=period):
                rotations = [turns[i:] + turns[:i] for i in range(period)]
                if turns != min(rotations) or not any(cycles[turn] in restless for turn in turns):
                    continue
                if any(turns == shorter * (period // len(shorter)) for shorter in known):
                    continue
                shortcut = self._shortcut(head, tuple(edge for turn in turns for edge in cycles[turn]))
                if shortcut is not None:
                    known.append(turns)
                    yield shortcut

    def _shortcut(self, head: Location, cycle: tuple[Edge, ...]) -> Shortcut | None:
        if len(cycle) > LONGEST:
            return None
        from argosy.certify.long_replay import round_of

        found = round_of(self._cfa, cycle, self._reading)
        if found is None:
            return None
        count = self._terms.var(f"rounds#{self._number}", INT if self._arithmetic == "int" else bits(COUNT_WIDTH))
        choices = {at: self._terms.var(f"{count.name}:{v.name}", v.sort) for at, v in found.opens.items()}
        renamed = {fresh: choices[at] for at, fresh in found.opens.items()}
        try:
            form = closed_form(
                self._terms,
                [substitute(self._terms, condition, renamed) for condition in found.cycle.conditions],
                [(v, substitute(self._terms, value, renamed)) for v, value in found.cycle.updates],
                count,
            )
        except NoClosedForm:
            return None
        if not form.updates or not self._is_possible(form):
            return None
        self._number += 1
        return self._built(head, cycle, count, choices, form)

    def _is_possible(self, form: ClosedForm) -> bool:
        if self._solvers is None:
            return True
        solver = self._solvers.create("trace", self._arithmetic, time_limit=_SECONDS)
        try:
            solver.add(form.condition)
            return solver.check() is not Satisfiability.UNSAT
        except SolverError:
            return False

    def _built(
        self,
        head: Location,
        cycle: tuple[Edge, ...],
        count: Term,
        choices: Mapping[tuple[int, Term], Term],
        form: ClosedForm,
    ) -> Shortcut:
        between = Location(self._index, head.function, head.position, depth=head.depth)
        self._index += 1
        terms, shown = self._terms, cycle[0]
        primed = tuple((v, terms.var(f"{v.name}'", v.sort)) for v in (count, *choices.values()))
        choosing = Edge(head, between, Relation(terms.true, primed), shown.position, f"choose {count.name}")
        primes = tuple((v, terms.var(f"{v.name}'", v.sort)) for v, _ in form.updates)
        news = (terms.eq(new, value) for (_, new), (_, value) in zip(primes, form.updates, strict=True))
        taken = Relation(terms.and_(form.condition, *news), primes)
        taking = Edge(between, head, taken, shown.position, f"{count.name} rounds at once")
        return Shortcut(cycle, count, choices, choosing, taking)


def cycles_through(cfa: Cfa, head: Location) -> list[tuple[Edge, ...]]:
    """The simple cycles of a loop through its head; none where there are too many of them."""
    first, last, order = cfa.order[head], cfa.loop_ends[head], cfa.order
    found: list[tuple[Edge, ...]] = []
    looks = 0
    path: list[Edge] = []
    visited = {head}
    stack: list[Iterator[Edge]] = [iter(cfa.leaving[head])]
    while stack:
        edge = next(stack[-1], None)
        looks += 1
        if looks > LOOKS:
            return []
        if edge is None:
            stack.pop()
            if path:
                visited.discard(path.pop().target)
        elif edge.target is head:
            found.append((*path, edge))
            if len(found) > MOST_CYCLES:
                return []
        elif edge.target not in visited and first <= order.get(edge.target, -1) <= last:
            path.append(edge)
            visited.add(edge.target)
            stack.append(iter(cfa.leaving[edge.target]))
    return found


def _at_most(terms: Terms, count: Term, most: int) -> Term:
    bound = terms.const(most, count.sort)
    return terms.le(count, bound) if count.sort is INT else terms.bit("bvule", count, bound)


def _as(value: Value, sort: Sort) -> Value:
    """A value of the analysis as one of the model as read."""
    return int(value) % (1 << sort.width) if sort.is_bits and isinstance(value, int) else value


class Expanding(Generic[P]):
    """The refiner of an automaton with shortcuts: a counterexample that takes one is written out in rounds."""

    def __init__(self, refiner: Refiner[P], model: Accelerated, solvers: Solvers, seconds: float | None) -> None:
        self._refiner = refiner
        self._model = model
        self._solvers = solvers
        self._seconds = seconds

    def refine(self, reached: Reached, targets: Sequence[Node], precision: P) -> Feasible | Refined[P] | Stuck:
        found = self._refiner.refine(reached, targets, precision)
        if not isinstance(found, Feasible) or self._model.chosen_by.keys().isdisjoint(found.trace):
            return found
        try:
            written_out = self._model.expanded(found.trace, self._solvers, self._seconds)
        except SolverError as error:
            return Stuck(str(error))
        return written_out or Stuck("no execution was found for a path that takes many rounds at once")
