"""Values of predicates: the cartesian abstraction edge by edge, with as few questions as possible.

A state knows which of the tracked predicates hold. A predicate that has nothing to do with an operation keeps its
value; for the others a solver is asked what follows, given everything the state knows that is connected with them by
common variables, and whether the operation is possible at all. The answers are kept, and depend on little, so that few
questions are asked.

Where something else is known of the variables that are connected (in a ``product``), the question is asked under that.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from argosy.basics.records import dataclass
from argosy.domains.filing import Filing, Values, knows_less
from argosy.domains.paths import PathFormula, Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import Told
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Edge, Location, Reading, read, written
from argosy.models.liveness import live_variables

# Slots for predicates. More of them mean that values are of little use, and other domains are better with predicates.
ROOM = 60


class LiteralState(NamedTuple):
    """``truths`` has a slot for each predicate; None where it is not known."""

    location: Location
    truths: Values


@dataclass(frozen=True, slots=True)
class Question:
    """What an edge makes of predicates: ``asked`` are those it has to do with, with their slots, of which it does not
    change the ``kept``; the answer depends on the ``relevant`` slots of the state before it, and on what else is known
    of the ``connected`` variables."""

    relevant: tuple[int, ...]
    asked: Mapping[Term, int]
    kept: frozenset[Term]
    connected: frozenset[Term]


class Step(NamedTuple):
    """How an edge is taken under a precision: nothing is asked where it concerns no predicate."""

    question: Question | None
    drops: tuple[int, ...]


class LiteralAnalysis:
    """Precisions track predicates; variables are left to others."""

    def __init__(self, cfa: Cfa, reading: Reading, paths: Paths, abstraction: PredicateAbstraction) -> None:
        self.cfa = cfa
        self._reading = reading
        self._paths = paths
        self._abstraction = abstraction
        self._predicates: list[Term] = []
        self._slots: dict[Term, int] = {}
        self._live = live_variables(cfa)
        self._unknown: Values = (None,) * ROOM
        self._precision: Precision | None = None
        self._steps: dict[Location, dict[Edge, Step]] = {}
        self._mentioned: dict[Edge, frozenset[Term]] = {}
        self._answers: dict[tuple[Edge, tuple[Term, ...], tuple[int, ...], Values, Term], Mapping[Term, bool] | None]
        self._answers = {}
        self._filing = Filing()

    @property
    def abstractions(self) -> int:
        return self._abstraction.counters.computed

    def has_room(self, precision: Precision) -> bool:
        """Whether there is a slot for every predicate."""
        new = sum(not term.is_var and term not in self._slots for term in precision.terms())
        return len(self._predicates) + new <= ROOM

    def _tracked(self, location: Location, precision: Precision) -> dict[Term, int]:
        """The predicates over live variables, with their slots, in the order of these."""
        live = self._live[location]
        tracked = [self._slot(p) for p in precision.at(location) if not p.is_var and variables(p) <= live]
        return {self._predicates[slot]: slot for slot in sorted(tracked)}

    def _slot(self, predicate: Term) -> int:
        slot = self._slots.get(predicate)
        if slot is None:
            slot = self._slots[predicate] = len(self._predicates)
            self._predicates.append(predicate)
        return slot

    def _planned(self, location: Location, precision: Precision) -> Mapping[Edge, Step]:
        if precision is not self._precision:
            self._precision, self._steps = precision, {}
        steps = self._steps.get(location)
        if steps is None:
            steps = {edge: self._step(edge, precision) for edge in self.cfa.leaving[location]}
            self._steps[location] = steps
        return steps

    def _step(self, edge: Edge, precision: Precision) -> Step:
        after, before = self._tracked(edge.target, precision), self._tracked(edge.source, precision)
        drops = sorted(slot for predicate, slot in before.items() if predicate not in after)
        return Step(self._question(edge, before, after), tuple(drops))

    def _question(self, edge: Edge, known: Mapping[Term, int], tracked: Mapping[Term, int]) -> Question | None:
        mentioned, changed = self._mentions(edge), frozenset(written(edge.operation))
        if all(mentioned.isdisjoint(variables(p)) for p in (*known, *tracked)):
            return None
        connected = mentioned
        size = 0
        while len(connected) > size:
            size = len(connected)
            connected = connected.union(
                *(own for p in (*known, *tracked) if not connected.isdisjoint(own := variables(p)))
            )
        asked = {p: slot for p, slot in tracked.items() if not connected.isdisjoint(variables(p))}
        relevant = [slot for p, slot in known.items() if not connected.isdisjoint(variables(p))]
        kept = frozenset(p for p in asked if p in known and changed.isdisjoint(variables(p)))
        return Question(tuple(relevant), asked, kept, connected)

    def _mentions(self, edge: Edge) -> frozenset[Term]:
        known = self._mentioned.get(edge)
        if known is None:
            guard = edge.guard(self.cfa.terms, self._reading)
            known = self._mentioned[edge] = read(edge.operation).union(written(edge.operation), variables(guard))
        return known

    def initial(self, precision: Precision) -> Iterable[LiteralState]:
        self._filing.clear()
        yield LiteralState(self.cfa.initial, self._unknown)

    def successors(self, state: LiteralState, precision: Precision) -> Iterable[tuple[Edge, LiteralState]]:
        for edge in self.cfa.leaving[state.location]:
            for after in self.follow(state, edge, precision, lambda connected: self.cfa.terms.true):
                yield edge, after

    def follow(self, state: LiteralState, edge: Edge, precision: Precision, told: Told) -> Iterable[LiteralState]:
        question, drops = self._planned(state.location, precision)[edge]
        if question is None and not drops:
            return (LiteralState(edge.target, state.truths),)
        truths = list(state.truths)
        if question is not None:
            answer = self._answer(edge, question, state.truths, told(question.connected))
            if answer is None:
                return ()
            for predicate, slot in question.asked.items():
                truths[slot] = answer.get(predicate)
        for slot in drops:
            truths[slot] = None
        return (LiteralState(edge.target, tuple(truths)),)

    def _answer(self, edge: Edge, question: Question, before: Values, told: Term) -> Mapping[Term, bool] | None:
        """The predicates that are decided after the edge, with their values; None if it cannot be taken."""
        known = tuple(before[slot] for slot in question.relevant)
        key = (edge, tuple(question.asked), question.relevant, known, told)
        if key not in self._answers:
            self._answers[key] = self._computed(edge, question, known, told)
        return self._answers[key]

    def _computed(self, edge: Edge, question: Question, known: Values, told: Term) -> Mapping[Term, bool] | None:
        values = dict(zip(question.relevant, known, strict=True))
        step = self._paths.extend(self._paths.empty, edge)
        formula = self.cfa.terms.and_(told, self._formula(values.items()), step.formula)
        old = {p: bool(value) for p in question.kept if (value := values[self._slots[p]]) is not None}
        new = self._abstraction.literals(
            PathFormula(formula, step.indices, 1), [p for p in question.asked if p not in old]
        )
        return None if new is None else {**old, **new}

    def adjust(self, state: LiteralState, precision: Precision) -> LiteralState | None:
        return state

    def merges(self, state: LiteralState) -> bool:
        return False

    def merge(self, new: LiteralState, old: LiteralState) -> LiteralState:
        return old

    def covers(self, old: LiteralState, new: LiteralState) -> bool:
        return old.location is new.location and knows_less(old.truths, new.truths)

    def partition(self, state: LiteralState) -> Hashable:
        return self._filing.key(*state)

    def shelters(self, state: LiteralState) -> Iterable[Hashable]:
        return self._filing.shelters(*state)

    def remember_states(self) -> None:
        self._filing.remember()

    def sheltered(self, state: LiteralState) -> Iterable[Hashable]:
        return self._filing.sheltered(*state)

    def is_target(self, state: LiteralState) -> bool:
        return state.location is self.cfa.error

    def claim(self, state: LiteralState) -> tuple[Location, Term]:
        return state.location, self._formula(enumerate(state.truths))

    def _formula(self, known: Iterable[tuple[int, object]]) -> Term:
        terms = self.cfa.terms
        return terms.conjunction(
            self._predicates[slot] if truth else terms.not_(self._predicates[slot])
            for slot, truth in known
            if truth is not None
        )
