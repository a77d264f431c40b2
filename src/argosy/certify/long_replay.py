"""UNSAFE, certified, where the error is many rounds away: a path with ``Rounds`` in it is walked by the interpreter.

Of rounds that repeat, the first two and the last one are walked step by step. Those in between are executed one by one
as well, all of them, as the straight-line code that the round's edges add up to (``certify.repetition``): hundreds of
millions in seconds. That code has to agree with the interpreter on the first two rounds and on the last one.

What is not modelled has no value here that means anything. A variable is *loose* while its value depends on such a
thing: with the values of all others put in, the term that it was assigned still mentions one. Law: no condition on the
way mentions anything loose once the values of all others are put in, and none in a round that repeats reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import TIME_LIMIT, UNLIMITED, Budget
from argosy.basics.records import replace
from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter, zero
from argosy.certify.repetition import LoopRound, NotStraight, Repetition
from argosy.certify.replay import Choice, Refuted, Replayed, ReplayedStep, number_of
from argosy.certify.symbolic import SymbolicPath
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, read, written
from argosy.models.rounds import Chosen, Part, Rounds

WALKED = 2
"""So many rounds are walked before the code takes over, and one after it."""


class Broken(Exception):
    """Why a walk does not go on."""


def round_of(cfa: Cfa, edges: Sequence[Edge], reading: Reading) -> LoopRound | None:
    """What the edges, one after the other, demand and do; None where they cannot be taken or leave a value open."""
    execution = SymbolicPath(cfa, reading)
    for index, edge in enumerate(edges):
        if not execution.take(index, edge):
            return None
    if execution.chosen:
        return None
    updates = tuple((v, value) for v, value in execution.store.items() if value is not v)
    return LoopRound(tuple(execution.conditions), updates)


def replay_long(
    cfa: Cfa,
    path: Sequence[Part],
    reading: Reading,
    chosen: Chosen,
    *,
    budget: Budget = UNLIMITED,
) -> Replayed | Refuted:
    """Walk ``path`` with the values ``chosen``."""
    walk = _Walk(cfa, reading, chosen, budget)
    try:
        for number, part in enumerate(path):
            if isinstance(part, Rounds):
                walk.rounds(part)
            else:
                walk.take(part, number)
    except Broken as broken:
        return Refuted(str(broken))
    if walk.state.location is not cfa.error:
        return Refuted("the replay does not end in the error location")
    declared = cfa.variable_of
    start = {v.name: number_of(declared[v], value) for v, value in chosen.start.items()}
    return Replayed(tuple(walk.steps), tuple(walk.choices), start)


class _Walk:
    def __init__(self, cfa: Cfa, reading: Reading, chosen: Chosen, budget: Budget) -> None:
        self._cfa = cfa
        self._reading = reading
        self._chosen = chosen
        self._budget = budget
        self._interpreter = Interpreter(cfa, reading)
        self._declared = cfa.variable_of
        self._edges = frozenset(cfa.edges)
        self.state = self._interpreter.start(chosen.start)
        self.steps: list[ReplayedStep] = []
        self.choices: list[Choice] = []
        self._loose: set[Term] = set(cfa.opaque)

    def take(self, edge: Edge, part: int | None = None) -> None:
        if edge not in self._edges:
            raise Broken(f"step {len(self.steps)} is not an edge of the model: {edge}")
        if edge.source is not self.state.location:
            raise Broken(f"step {len(self.steps)} does not start where the path is: {edge}")
        self._follow_loose(edge)

        def choose(at: Edge, variable: Term) -> Value:
            value = (
                zero(variable.sort)
                if part is None
                else self._chosen.on_the_way.get((part, variable), zero(variable.sort))
            )
            number = number_of(self._declared[variable], value)
            self.choices.append(Choice(len(self.steps), at, variable.name, number))
            return value

        after = self._interpreter.step(edge, self.state, choose)
        if isinstance(after, Blocked):
            raise Broken(f"the replay stops at step {len(self.steps)}: {after.reason}")
        changed = {v: self._interpreter.value(after, v) for v in written(edge.operation)}
        values = {v.name: number_of(self._declared[v], value) for v, value in changed.items()}
        self.steps.append(ReplayedStep(edge, edge.position, edge.text, values))
        self.state = after

    def _follow_loose(self, edge: Edge) -> None:
        """Which variables are loose after an edge."""
        operation, checks = edge.operation, [c.condition for c in edge.checks if self._reading.excludes(c)]
        conditions = [*checks, *((operation.condition,) if isinstance(operation, Assume) else ())]
        if any(self._is_loose(condition) for condition in conditions):
            raise Broken(f"step {len(self.steps)} depends on what is not modelled: {edge}")
        if isinstance(operation, Assign) and self._is_loose(operation.value):
            self._loose.add(operation.variable)
        elif isinstance(operation, Assign | Havoc):
            self._loose.difference_update(written(operation) - self._cfa.opaque.keys())
        elif not isinstance(operation, Assume) and not self._loose.isdisjoint(read(operation)):
            raise Broken(f"step {len(self.steps)} depends on what is not modelled: {edge}")

    def _is_loose(self, term: Term) -> bool:
        inside = variables(term)
        if self._loose.isdisjoint(inside):
            return False
        terms = self._cfa.terms
        known = {v: terms.const(self._interpreter.value(self.state, v), v.sort) for v in inside - self._loose}
        return not self._loose.isdisjoint(variables(substitute(terms, term, known)))

    def rounds(self, part: Rounds) -> None:
        read_there = (
            *(read(e.operation) for e in part.edges),
            *(variables(c.condition) for e in part.edges for c in e.checks),
        )
        if not self._loose.isdisjoint(frozenset().union(*read_there)):
            raise Broken("rounds that depend on what is not modelled")
        between = part.times - WALKED - 1
        if between <= 0:
            for _ in range(part.times):
                self._round(part)
            return
        repetition = self._compiled(part)
        for walked in range(WALKED):
            expected = self._after(repetition, 1)
            self._round(part)
            if self.state != expected:
                raise Broken(f"round {walked + 1} of a loop is not what its code computes")
        self.state = self._after(repetition, between)
        expected = self._after(repetition, 1)
        first = len(self.steps)
        self._round(part)
        if self.state != expected:
            raise Broken("the last round of a loop is not what its code computes")
        self.steps[first] = replace(self.steps[first], rounds=between)

    def _round(self, part: Rounds) -> None:
        for edge in part.edges:
            self.take(edge)

    def _compiled(self, part: Rounds) -> Repetition:
        if part.edges[0].source is not self.state.location or part.edges[-1].target is not self.state.location:
            raise Broken("rounds that do not begin where they end")
        found = round_of(self._cfa, part.edges, self._reading)
        if found is None:
            raise Broken("rounds that leave something open")
        try:
            return Repetition(found)
        except NotStraight as reason:
            raise Broken(str(reason)) from reason

    def _after(self, repetition: Repetition, times: int) -> ConcreteState:
        """The state after so many rounds of the code."""
        values = self._interpreter.valuation(self.state)
        done, after = repetition.run(values, times, lambda: self._budget.is_over)
        if done < times:
            raise Broken(TIME_LIMIT if self._budget.is_over else f"a loop ends after {done:,} rounds")
        values.update(after)
        ordered = tuple(values[variable.term] for variable in self._cfa.variables)
        return ConcreteState(self.state.location, ordered)
