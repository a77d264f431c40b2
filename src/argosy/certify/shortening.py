"""A counterexample made shorter and rounder before anybody looks at it.

Inputs become zero, many at once, as far as the replay still ends in the error (by halves, as delta debugging does:
Zeller and Hildebrandt 2002, section 3). Unless the path is too large to be a formula, rounds of loops are left out as
long as there is an execution, and what is not zero takes the smallest value that the conditions of the path allow:
constants that stand there are tried by computing, and a few questions go to a solver where other inputs have to change
as well. What is large then is rounded.

Laws: what comes out was replayed like what went in, ends with the same edge, and has no more steps. It is the same for
the same counterexample as long as the time does not run out; where that happens, what was found so far is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from argosy.basics.budget import Budget, OutOfBudget
from argosy.basics.records import dataclass
from argosy.certify.interpreter import Interpreter, zero
from argosy.certify.meanings import sort_kind
from argosy.certify.replay import Replayed, certify_unsafe, replay_choices, replayed_model
from argosy.certify.symbolic import SymbolicPath
from argosy.logic.compile import compile_term
from argosy.logic.semantics import Value, signed
from argosy.logic.solver import Counters, Satisfiability, Solver, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Reading, Relation

SECONDS = 1.5
"""All of it; and the first two of its three parts, each:"""
PART = 0.5
REPLAYS = 60
PATHS = 40
"""Paths that are tried, at most."""
CHECKS = 60
"""Questions about values, at most; and for one input:"""
CHECKS_PER_INPUT = 8
ROUND = 100
"""Up to here the smallest number is what people like best."""
LADDER = (1, 10, 100, 1_000, 100_000)
MOST_INPUTS = 500
LARGEST = 100_000
"""Subterms of all steps together: a larger path does not become a formula."""

K = TypeVar("K", bound=Hashable)

SMALL = (*range(11), 16, 100, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Shortened:
    """``steps`` is how many there were; ``checks`` are those of solvers."""

    replayed: Replayed
    steps: int
    checks: int


def shortened(cfa: Cfa, replayed: Replayed, reading: Reading, budget: Budget, seed: int = 0) -> Shortened:
    """A counterexample that is at least as short and as round, and was replayed."""
    work = _Shortening(cfa, replayed, reading, budget.at_most(SECONDS), seed)
    with suppress(OutOfBudget, SolverError):
        work.run()
    return Shortened(work.best, len(replayed.steps), work.counters.checks)


class _Shortening:
    """``best`` is always a counterexample that was replayed."""

    def __init__(self, cfa: Cfa, replayed: Replayed, reading: Reading, budget: Budget, seed: int) -> None:
        self.cfa, self.terms = cfa, cfa.terms
        self.best = replayed
        self.reading = reading
        self.whole = self.budget = budget
        self.counters = Counters()
        self.solvers = Solvers(cfa.terms, self.counters, seed)
        self.interpreter = Interpreter(cfa, reading)
        self.paths, self.replays = PATHS, REPLAYS

    def run(self) -> None:
        self._within_its_part(self._zero_by_replay)
        if self._size() > LARGEST:
            return
        self._within_its_part(self._leave_out_rounds)
        formula = _PathFormula(self.cfa, self.best, self.reading, self.solvers, self.whole)
        try:
            formula.run()
        finally:
            self._take(formula.replayed())

    def _within_its_part(self, does: Callable[[], None]) -> None:
        self.budget = self.whole.at_most(PART)
        with suppress(OutOfBudget):
            does()

    def _size(self) -> int:
        known: dict[Edge, int] = {}
        for step in self.best.steps:
            if step.edge not in known:
                known[step.edge] = sum(1 for _ in postorder(*_terms_of(step.edge)))
        return sum(known[step.edge] for step in self.best.steps)

    def _take(self, found: object) -> bool:
        if isinstance(found, Replayed) and not found.unmodelled:
            self.best = found
            return True
        return False

    # ---- rounds -------------------------------------------------------------------------------------------

    def _leave_out_rounds(self) -> None:
        """Outer loops are entered before inner ones."""
        heads = self.cfa.loop_heads
        for head in dict.fromkeys(e.source for e in self._path() if e.source in heads):
            size = len(self._visits(head)) - 1
            while size > 0:
                first = 0
                while first + size < len(visits := self._visits(head)):
                    path = self._path()
                    if not self._try(path[: visits[first]] + path[visits[first + size] :]):
                        first += size
                size //= 2

    def _path(self) -> list[Edge]:
        return [step.edge for step in self.best.steps]

    def _visits(self, head: object) -> list[int]:
        return [place for place, step in enumerate(self.best.steps) if step.edge.source is head]

    def _try(self, path: Sequence[Edge]) -> bool:
        self.budget.check()
        if self.paths == 0:
            return False
        self.paths -= 1
        return self._take(
            certify_unsafe(self.cfa, path, self.solvers, self.reading, budget=self.budget, interpreter=self.interpreter)
        )

    # ---- zeros ------------------------------------------------------------------------------------------------

    def _zero_by_replay(self) -> None:
        """A replay does not tell whether something matters that is not modelled: where there is such a thing, this is
        left to the formula."""
        if self.cfa.opaque:
            return
        path = self._path()
        start, chosen = _given(self.cfa, self.best)
        values: dict[tuple[int, Term], Value] = {(-1, term): value for term, value in start.items()} | chosen

        def holds(changed: Mapping[tuple[int, Term], Value]) -> bool:
            self.budget.check()
            if self.replays == 0:
                return False
            self.replays -= 1
            merged = {**values, **changed}
            begin = {term: value for (at, term), value in merged.items() if at < 0}
            return self._take(replay_choices(self.cfa, path, self.reading, begin, merged, self.interpreter))

        into_zero([at for at, value in values.items() if value != zero(at[1].sort)], values, _zero_at, holds)


def _zero_at(at: tuple[int, Term]) -> Value:
    return zero(at[1].sort)


def into_zero(
    left: Sequence[K],
    values: dict[K, Value],
    none: Callable[[K], Value],
    holds: Callable[[Mapping[K, Value]], bool],
) -> None:
    """Let as many of the values be zero as may be: all, or halves, or parts of these."""
    size = len(left)
    while size > 0:
        kept: list[K] = []
        for first in range(0, len(left), size):
            part = left[first : first + size]
            changed = {key: none(key) for key in part}
            if holds(changed):
                values.update(changed)
            else:
                kept += part
        left, size = kept, min(size, len(kept) + 1) // 2


def _terms_of(edge: Edge) -> Iterator[Term]:
    yield from (check.condition for check in edge.checks)
    match edge.operation:
        case Assume(term) | Assign(_, term) | Relation(term, _):
            yield term


def _given(cfa: Cfa, replayed: Replayed) -> tuple[dict[Term, Value], dict[tuple[int, Term], Value]]:
    """The initial values and the choices of an execution as terms have them."""
    by_name = {variable.term.name: variable.term for variable in cfa.variables}

    def of(name: str, value: Value) -> tuple[Term, Value]:
        term = by_name[name]
        return term, value % (1 << term.sort.width) if term.sort.is_bits and isinstance(value, int) else value

    start = dict(of(name, value) for name, value in replayed.initial.items())
    chosen = {}
    for choice in replayed.choices:
        term, value = of(choice.variable, choice.value)
        chosen[choice.step, term] = value
    return start, chosen


class _PathFormula:
    """The conditions of one path about its inputs: the initial values and choices that they mention."""

    def __init__(self, cfa: Cfa, replayed: Replayed, reading: Reading, solvers: Solvers, budget: Budget) -> None:
        self.cfa, self.terms, self.reading = cfa, cfa.terms, reading
        self.solvers, self.budget = solvers, budget
        self.path = [step.edge for step in replayed.steps]
        self.execution = SymbolicPath(cfa, reading)
        for index, edge in enumerate(self.path):
            budget.check()
            self.execution.take(index, edge)
        start, chosen = _given(cfa, replayed)
        origin = {fresh: at[1] for at, fresh in self.execution.chosen.items()}
        now = {fresh: chosen[at] for at, fresh in self.execution.chosen.items() if at in chosen}
        mentioned = set(self.execution.mentioned())
        if len(mentioned) > MOST_INPUTS:
            raise OutOfBudget("too many inputs to look at each of them")
        ordered = [*(v.term for v in cfa.variables), *self.execution.chosen.values()]
        named = [term for term in ordered if term in mentioned]
        self.values = {term: now.get(term, start.get(term, zero(term.sort))) for term in named}
        self.inputs = [
            t for t in named if t.sort.kind in ("bits", "int", "bool") and origin.get(t, t) not in cfa.opaque
        ]
        free = set(self.inputs)
        self.fixed = [term for term in named if term not in free]
        self.signed = {t: t.sort.is_bits and bool(cfa.variable_of[origin.get(t, t)].signed) for t in self.inputs}
        self._about: dict[Term, list[Term]] = {term: [] for term in named}
        for condition in self.execution.conditions:
            for term in variables(condition):
                self._about[term].append(condition)
        self._compiled: dict[Term, Callable[[Mapping[int, Value]], Value]] = {}
        self._solver: Solver | None = None
        self._checks = CHECKS

    def replayed(self) -> object:
        return replayed_model(self.cfa, self.path, self.reading, self.execution, self.values)

    def run(self) -> None:
        into_zero([t for t in self.inputs if self._number(t)], self.values, lambda t: zero(t.sort), self._holds)
        constants = self._constants()
        for place, term in enumerate(self.inputs):
            self._compute(term, constants)
            if self._number(term):
                self._search(place, constants)
                self._round(term, constants)

    def _search(self, place: int, constants: Sequence[int]) -> None:
        """The smallest value of an input: below 1, 10, 100, ... first, then between what is and is not possible."""
        term, impossible = self.inputs[place], -1
        bounds = iter(LADDER)
        for _ in range(CHECKS_PER_INPUT):
            size = abs(self._number(term))
            if size - impossible <= 1:
                return
            bound = min(next(bounds, size), size - 1)
            if bound <= impossible:
                bound = (impossible + size) // 2
            if self._ask(place, bound):
                self._compute(term, constants)
                bounds = iter(())
            else:
                impossible = bound

    def _round(self, term: Term, constants: Sequence[int]) -> None:
        """A large number that nothing in the conditions explains, with as few digits as may be."""
        now = self._number(term)
        if abs(now) <= ROUND or now in constants:
            return
        for digits in range(1, len(str(abs(now)))):
            unit = 10 ** (len(str(abs(now))) - digits)
            for size in (abs(now) // unit * unit, (abs(now) // unit + 1) * unit):
                value = self._value(term, size if now > 0 else -size)
                if self._fits(term, size if now > 0 else -size) and self._holds({term: value}):
                    self.values[term] = value
                    return

    def _fits(self, term: Term, number: int) -> bool:
        if not term.sort.is_bits:
            return True
        half = 1 << (term.sort.width - 1)
        return -half <= number < half if self.signed[term] else 0 <= number < 2 * half

    def _number(self, term: Term) -> int:
        """The value as people see it; a truth value is 0 or 1."""
        value = int(self.values[term])  # type: ignore[arg-type]
        return signed(value, term.sort.width) if self.signed[term] else value

    def _holds(self, changed: Mapping[Term, Value]) -> bool:
        """Whether the conditions hold with some other values."""
        self.budget.check()
        now = {term.id: value for term, value in {**self.values, **changed}.items()}
        about = dict.fromkeys(condition for term in changed for condition in self._about[term])
        return all(self._function(condition)(now) for condition in about)

    def _function(self, condition: Term) -> Callable[[Mapping[int, Value]], Value]:
        if condition not in self._compiled:
            compiled = compile_term(condition, {term: term.id for term in variables(condition)})
            self._compiled[condition] = compiled  # type: ignore[assignment]
        return self._compiled[condition]

    def _constants(self) -> list[int]:
        """What the conditions compare with, and what is next to it."""
        found = set(SMALL) | {-1}
        for sub in postorder(*self.execution.conditions):
            if sub.op == "const" and sub.sort.kind in ("bits", "int") and len(found) < 400:
                value = int(sub.payload)
                for number in {value, signed(value, sub.sort.width) if sub.sort.is_bits else value}:
                    found |= {number - 1, number, number + 1}
        return sorted(found, key=lambda number: (abs(number), number < 0))

    def _compute(self, term: Term, constants: Sequence[int]) -> None:
        """The first of some numbers that the conditions allow where everything else stays."""
        now = self._number(term)
        for number in constants:
            if abs(number) >= abs(now):
                return
            if number >= 0 or self.signed[term] or term.sort.kind == "int":
                value = self._value(term, number)
                if self._holds({term: value}):
                    self.values[term] = value
                    return

    def _value(self, term: Term, number: int) -> Value:
        if term.sort.kind == "bool":
            return bool(number)
        return number % (1 << term.sort.width) if term.sort.is_bits else number

    def _ask(self, place: int, bound: int) -> bool:
        """Is there an execution in which an input is at most so large, those before it stay, and others that are not
        zero may change?"""
        if self._checks == 0:
            return False
        self._checks -= 1
        self.budget.check()
        term, terms = self.inputs[place], self.terms
        if self._solver is None:
            limit = min(0.5, self.budget.left)
            self._solver = self.solvers.create("certify", sort_kind(self.cfa), time_limit=limit)
            for condition in self.execution.conditions:
                self._solver.add(condition)
        later = self.inputs[place + 1 :]
        stay = [*self.fixed, *self.inputs[:place], *(t for t in later if not self._number(t))]
        asked = [terms.eq(t, terms.const(self.values[t], t.sort)) for t in stay]
        if self._solver.check([*asked, *self._within(term, bound)]) is not Satisfiability.SAT:
            return False
        self.values.update({t: self._solver.value(t) for t in self.inputs[place:]})
        return True

    def _within(self, term: Term, bound: int) -> Iterator[Term]:
        terms, sort = self.terms, term.sort
        if bound == 0:
            yield terms.eq(term, terms.const(zero(sort), sort))
        elif sort.kind == "int":
            yield terms.le(terms.integer(-bound), term)
            yield terms.le(term, terms.integer(bound))
        elif self.signed[term]:
            yield terms.bit("bvsle", terms.const(-bound, sort), term)
            yield terms.bit("bvsle", term, terms.const(bound, sort))
        else:
            yield terms.bit("bvule", term, terms.const(bound, sort))
