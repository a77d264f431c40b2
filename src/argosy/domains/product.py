"""The product of explicit values and cartesian predicates: values as far as they go, relations where they do not.

Paper 002 has the two domains side by side, and a program that needs both (a scheduler that is driven by modes, and
passes on a number that nobody knows) is out of reach of either. Here a state knows values of variables and of
predicates. The values are computed as in ``explicit``, without a solver. A predicate that has nothing to do with an
operation keeps its value; for the others a solver is asked what follows, given everything the state knows that is
connected with them by common variables, and whether the operation is possible at all. The answers are kept, and depend
on little, so that few questions are asked.

A predicate has a slot like a variable, so that covering, claims and pruning are those of ``explicit``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from argosy.domains.explicit import ExplicitAnalysis, ExplicitState, Plan, Values
from argosy.domains.paths import PathFormula, Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Edge, Location, Reading, read, written

# Slots for predicates. More of them mean that values are of little use, and other domains are better with predicates.
ROOM = 60


@dataclass(frozen=True, slots=True)
class Question:
    """What an edge makes of predicates: ``asked`` are those it has to do with, with their slots, of which it does not
    change the ``kept``; the answer depends on the ``relevant`` slots of the state before it."""

    relevant: tuple[int, ...]
    asked: Mapping[Term, int]
    kept: frozenset[Term]


class ProductAnalysis(ExplicitAnalysis):
    """Precisions track variables and predicates."""

    def __init__(self, cfa: Cfa, reading: Reading, paths: Paths, abstraction: PredicateAbstraction) -> None:
        super().__init__(cfa, reading)
        self.abstraction = abstraction
        self._paths = paths
        self._plain = len(self.variables)
        self._unknown: Values = (None,) * (self._plain + ROOM)
        self._questions: dict[Edge, Question | None] = {}
        self._mentioned: dict[Edge, frozenset[Term]] = {}
        self._answers: dict[tuple[Edge, tuple[Term, ...], tuple[int, ...], Values], Mapping[Term, bool] | None] = {}

    @property
    def abstractions(self) -> int:
        return self.abstraction.counters.computed

    def has_room(self, precision: Precision) -> bool:
        """Whether there is a slot for everything."""
        return len(self.variables) + sum(term not in self.slots for term in precision.terms()) <= len(self._unknown)

    def _kept(self, location: Location, precision: Precision) -> frozenset[int]:
        live = self._live[location]
        return frozenset(self._slot(term) for term in precision.at(location) if variables(term) <= live)

    def _slot(self, term: Term) -> int:
        slot = self.slots.get(term)
        if slot is None:
            slot = self.slots[term] = len(self.variables)
            self.variables = (*self.variables, term)
        return slot

    def _plan(self, edge: Edge, precision: Precision) -> Plan:
        plan = super()._plan(edge, precision)
        self._questions[edge] = self._question(edge, self._kept(edge.source, precision), plan.kept)
        return plan

    def _question(self, edge: Edge, before: frozenset[int], after: frozenset[int]) -> Question | None:
        known, tracked = self._predicates(before), self._predicates(after)
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
        relevant = [slot for slot in before if not connected.isdisjoint(variables(self.variables[slot]))]
        kept = frozenset(p for p in asked if p in known and changed.isdisjoint(variables(p)))
        return Question(tuple(sorted(relevant)), asked, kept)

    def _predicates(self, slots: Iterable[int]) -> dict[Term, int]:
        return {self.variables[slot]: slot for slot in sorted(slots) if slot >= self._plain}

    def _mentions(self, edge: Edge) -> frozenset[Term]:
        known = self._mentioned.get(edge)
        if known is None:
            known = read(edge.operation).union(written(edge.operation), variables(self.condition(edge)))
            self._mentioned[edge] = known
        return known

    def successors(self, state: ExplicitState, precision: Precision) -> Iterable[tuple[Edge, ExplicitState]]:
        before = state.values
        for edge, transfer, _, drops in self._planned(state.location, precision):
            after = transfer(before)
            if after is None:
                continue
            question = self._questions[edge]
            if question is not None:
                answer = self._answer(edge, question, before)
                if answer is None:
                    continue
                for predicate, slot in question.asked.items():
                    after[slot] = answer.get(predicate)
            for slot in drops:
                after[slot] = None
            yield edge, ExplicitState(edge.target, tuple(after))

    def _answer(self, edge: Edge, question: Question, before: Values) -> Mapping[Term, bool] | None:
        """The predicates that are decided after the edge, with their values; None if it cannot be taken."""
        known = tuple(before[slot] for slot in question.relevant)
        key = (edge, tuple(question.asked), question.relevant, known)
        if key not in self._answers:
            self._answers[key] = self._computed(edge, question, known)
        return self._answers[key]

    def _computed(self, edge: Edge, question: Question, known: Values) -> Mapping[Term, bool] | None:
        values: dict[int, Value] = dict(zip(question.relevant, known, strict=True))
        step = self._paths.extend(self._paths.empty, edge)
        formula = self.cfa.terms.and_(self._formula(values.items()), step.formula)
        old = {p: value for p in question.kept if (value := values[self.slots[p]]) is not None}
        new = self.abstraction.literals(
            PathFormula(formula, step.indices, 1), [p for p in question.asked if p not in old]
        )
        return None if new is None else {**old, **new}
