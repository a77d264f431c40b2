"""UNSAFE, certified, where the error is many rounds away: a path with ``Rounds`` in it is walked by the interpreter.

Of rounds that repeat, the first two and the last one are walked step by step. Those in between are executed one by one
as well, all of them, as the straight-line code that the round's edges add up to (``certify.repetition``): hundreds of
millions in seconds. That code has to agree with the interpreter on the first two rounds and on the last one. What is
chosen in each round is part of the path (``models.rounds``), and of the result.

What is not modelled has no value here that means anything. A variable is *loose* while its value depends on such a
thing: with the values of all others put in, the term that it was assigned still mentions one. Law: no condition on the
way mentions anything loose once the values of all others are put in, and none in a round that repeats reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from argosy.basics.budget import TIME_LIMIT, UNLIMITED, Budget
from argosy.basics.records import dataclass, replace
from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter, zero
from argosy.certify.repetition import LoopRound, NotStraight, Repetition
from argosy.certify.replay import Choice, Refuted, Replayed, ReplayedStep, number_of
from argosy.certify.symbolic import SymbolicPath
from argosy.logic.semantics import Value
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, read, written
from argosy.models.rounds import Chosen, Part, Progression, Rounds

WALKED = 2
"""So many rounds are walked before the code takes over, and one after it."""


class Broken(Exception):
    """Why a walk does not go on."""


@dataclass(frozen=True, slots=True)
class OpenRound:
    """What a cycle demands and does; ``opens`` has the variable that stands for what is chosen, by the place of the
    edge in the cycle and the variable that gets it."""

    terms: Terms
    cycle: LoopRound
    opens: Mapping[tuple[int, Term], Term]

    def compiled(self, chosen: Iterable[Progression]) -> Repetition:
        """With what is chosen from round to round. Raises NotStraight."""
        steps = [(self.opens[each.place, each.variable], each.step) for each in chosen if each.step]
        moves = [(fresh, self._more(fresh, step)) for fresh, step in steps]
        return Repetition(LoopRound(self.cycle.conditions, (*self.cycle.updates, *moves)))

    def _more(self, variable: Term, step: Value) -> Term:
        if not variable.sort.is_bits:
            raise NotStraight(f"values of {variable.sort} do not go on")
        return self.terms.bit("bvadd", variable, self.terms.const(step % (1 << variable.sort.width), variable.sort))

    def values(self, chosen: Iterable[Progression], round: int) -> dict[Term, Value]:
        """What is chosen in a round."""
        found = {fresh: zero(fresh.sort) for fresh in self.opens.values()}
        found.update((self.opens[each.place, each.variable], each.value(round)) for each in chosen)
        return found


def round_of(cfa: Cfa, edges: Sequence[Edge], reading: Reading) -> OpenRound | None:
    """What the edges, one after the other, demand and do; None where they cannot be taken."""
    execution = SymbolicPath(cfa, reading)
    for index, edge in enumerate(edges):
        if not execution.take(index, edge):
            return None
    updates = tuple((v, value) for v, value in execution.store.items() if value is not v)
    return OpenRound(cfa.terms, LoopRound(tuple(execution.conditions), updates), execution.chosen)


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
    on_the_way: dict[int, dict[Term, Value]] = {}
    for (number, variable), value in chosen.on_the_way.items():
        on_the_way.setdefault(number, {})[variable] = value
    try:
        for number, part in enumerate(path):
            if isinstance(part, Rounds):
                walk.rounds(part)
            else:
                walk.take(part, on_the_way.get(number, {}))
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
        self._budget = budget
        self._interpreter = Interpreter(cfa, reading)
        self._declared = cfa.variable_of
        self._edges = frozenset(cfa.edges)
        self.state = self._interpreter.start(chosen.start)
        self.steps: list[ReplayedStep] = []
        self.choices: list[Choice] = []
        self._loose: set[Term] = set(cfa.opaque)

    def take(self, edge: Edge, chosen: Mapping[Term, Value]) -> None:
        if edge not in self._edges:
            raise Broken(f"step {len(self.steps)} is not an edge of the model: {edge}")
        if edge.source is not self.state.location:
            raise Broken(f"step {len(self.steps)} does not start where the path is: {edge}")
        self._follow_loose(edge)

        def choose(at: Edge, variable: Term) -> Value:
            value = chosen.get(variable, zero(variable.sort))
            self.choices.append(self._choice(at, variable, value))
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

    def _choice(self, edge: Edge, variable: Term, value: Value) -> Choice:
        return Choice(len(self.steps), edge, variable.name, number_of(self._declared[variable], value))

    def rounds(self, part: Rounds) -> None:
        read_there = (
            *(read(e.operation) for e in part.edges),
            *(variables(c.condition) for e in part.edges for c in e.checks),
        )
        if not self._loose.isdisjoint(frozenset().union(*read_there)):
            raise Broken("rounds that depend on what is not modelled")
        between = part.times - WALKED - 1
        if between <= 0:
            for number in range(part.times):
                self._round(part, number)
            return
        cycle, repetition = self._compiled(part)
        for walked in range(WALKED):
            expected = self._after(cycle, repetition, part, walked, 1)
            self._round(part, walked)
            if self.state != expected:
                raise Broken(f"round {walked + 1} of a loop is not what its code computes")
        self.state = self._after(cycle, repetition, part, WALKED, between)
        skipped = tuple(self._between(part, cycle))
        self.choices += skipped
        last = part.times - 1
        expected = self._after(cycle, repetition, part, last, 1)
        first = len(self.steps)
        self._round(part, last)
        if self.state != expected:
            raise Broken("the last round of a loop is not what its code computes")
        self.steps[first] = replace(self.steps[first], rounds=between, skipped=skipped)

    def _between(self, part: Rounds, cycle: OpenRound) -> Iterator[Choice]:
        """What was chosen in the rounds that are no steps."""
        said = {(each.place, each.variable): each for each in part.chosen}
        opens = [said.get(key, Progression(*key, zero(key[1].sort))) for key in sorted(cycle.opens, key=lambda k: k[0])]
        for number in range(WALKED, part.times - 1):
            for each in opens:
                yield self._choice(part.edges[each.place], each.variable, each.value(number))

    def _round(self, part: Rounds, number: int) -> None:
        for place, edge in enumerate(part.edges):
            self.take(edge, {each.variable: each.value(number) for each in part.chosen if each.place == place})

    def _compiled(self, part: Rounds) -> tuple[OpenRound, Repetition]:
        if part.edges[0].source is not self.state.location or part.edges[-1].target is not self.state.location:
            raise Broken("rounds that do not begin where they end")
        found = round_of(self._cfa, part.edges, self._reading)
        if found is None:
            raise Broken("rounds that cannot be taken")
        if any((each.place, each.variable) not in found.opens for each in part.chosen):
            raise Broken("rounds that choose what is not open")
        try:
            return found, found.compiled(part.chosen)
        except NotStraight as reason:
            raise Broken(str(reason)) from reason

    def _after(self, cycle: OpenRound, repetition: Repetition, part: Rounds, number: int, times: int) -> ConcreteState:
        """The state after so many rounds of the code, from that with this number on."""
        values = self._interpreter.valuation(self.state)
        started = {**values, **cycle.values(part.chosen, number)}
        done, after = repetition.run(started, times, lambda: self._budget.is_over)
        if done < times:
            raise Broken(TIME_LIMIT if self._budget.is_over else f"a loop ends after {done:,} rounds")
        ordered = tuple(after.get(variable.term, values[variable.term]) for variable in self._cfa.variables)
        return ConcreteState(self.state.location, ordered)
