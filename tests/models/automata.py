"""Small automata, drawn by hand or by Hypothesis, and their states by exhaustive search.

Nothing here knows the reductions: a step is defined by evaluating the operation on every state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Check,
    Edge,
    Havoc,
    Location,
    Operation,
    Reading,
    Refusal,
    Relation,
    Undefined,
    Variable,
)

States = set[tuple[Value, ...]]


class Sketch:
    """An automaton in the making: numbered locations, variables by name."""

    def __init__(self, size: int, **sorts: Sort) -> None:
        self.terms = Terms()
        self.variables = {name: self.terms.var(name, sort) for name, sort in sorts.items()}
        self.locations = [Location(i, position=Position("model.c", i + 1)) for i in range(size)]
        self.edges: list[Edge] = []
        self.opaque: dict[Term, Refusal] = {}

    def __getattr__(self, name: str) -> Term:
        return self.variables[name]

    def step(self, start: int, end: int, operation: Operation, *checks: Check) -> Edge:
        edge = Edge(self.locations[start], self.locations[end], operation, checks=checks)
        self.edges.append(edge)
        return edge

    def skip(self, start: int, end: int) -> Edge:
        return self.step(start, end, Assume(self.terms.true))

    def assume(self, start: int, end: int, condition: Term, *checks: Check) -> Edge:
        return self.step(start, end, Assume(condition), *checks)

    def assign(self, start: int, end: int, variable: Term, value: Term, *checks: Check) -> Edge:
        return self.step(start, end, Assign(variable, value), *checks)

    def branch(self, start: int, condition: Term, then: int, otherwise: int) -> None:
        self.assume(start, then, condition)
        self.assume(start, otherwise, self.terms.not_(condition))

    def number(self, value: int, like: Term) -> Term:
        return self.terms.const(value, like.sort)

    def is_(self, variable: Term, value: int) -> Term:
        return self.terms.eq(variable, self.number(value, variable))

    def plus(self, variable: Term, value: int) -> Term:
        return self.terms.bit("bvadd", variable, self.number(value, variable))

    def below(self, variable: Term, value: int) -> Term:
        return self.terms.bit("bvult", variable, self.number(value, variable))

    def cfa(self, initial: int = 0, error: int = -1) -> Cfa:
        return Cfa(
            self.terms,
            self.locations[initial],
            self.locations[error],
            tuple(self.locations),
            tuple(self.edges),
            tuple(Variable(term, name) for name, term in self.variables.items()),
            self.opaque,
        )


def check(condition: Term, kind: Undefined) -> Check:
    return Check(condition, kind, Position("model.c", 1))


def values(sort: Sort) -> Sequence[Value]:
    return (False, True) if sort is BOOL else range(1 << sort.width)


def everything(variables: Sequence[Term]) -> Iterator[tuple[Value, ...]]:
    return product(*(values(v.sort) for v in variables))


class Steps:
    """The steps of edges on tuples of values, each computed once."""

    def __init__(self, cfa: Cfa, variables: Sequence[Term], reading: Reading) -> None:
        self._cfa = cfa
        self._variables = variables
        self._reading = reading
        self._known: dict[tuple[Edge, tuple[Value, ...]], tuple[tuple[Value, ...], ...]] = {}

    def after(self, edge: Edge, state: tuple[Value, ...]) -> tuple[tuple[Value, ...], ...]:
        key = (edge, state)
        if key not in self._known:
            self._known[key] = tuple(self._compute(edge, state))
        return self._known[key]

    def _compute(self, edge: Edge, state: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        old = dict(zip(self._variables, state, strict=True))
        if not evaluate(edge.guard(self._cfa.terms, self._reading), old):
            return
        changes: Iterable[Mapping[Term, Value]]
        match edge.operation:
            case Assume(condition):
                changes = [{}] if evaluate(condition, old) else []
            case Assign(variable, value):
                changes = [{variable: evaluate(value, old)}]
            case Havoc(variable):
                changes = [{variable: value} for value in values(variable.sort)]
            case Relation(formula, primed):
                choices = product(*(values(v.sort) for v, _ in primed))
                changes = [
                    {v: value for (v, _), value in zip(primed, choice, strict=True)}
                    for choice in choices
                    if evaluate(formula, {**old, **dict(zip((n for _, n in primed), choice, strict=True))})
                ]
        for change in changes:
            yield tuple({**old, **change}[v] for v in self._variables)


def closure(steps: Steps, cfa: Cfa, seeds: Mapping[Location, States]) -> dict[Location, States]:
    """All states reachable from ``seeds``, searching no further than the error."""
    found = {location: set(seeds.get(location, ())) for location in cfa.locations}
    stack = [(location, state) for location, states in found.items() for state in states]
    while stack:
        location, state = stack.pop()
        if location is cfa.error:
            continue
        for edge in cfa.leaving[location]:
            for after in steps.after(edge, state):
                if after not in found[edge.target]:
                    found[edge.target].add(after)
                    stack.append((edge.target, after))
    return found


def reachable(cfa: Cfa, variables: Sequence[Term], reading: Reading) -> dict[Location, States]:
    return closure(Steps(cfa, variables, reading), cfa, {cfa.initial: set(everything(variables))})


def has_error(cfa: Cfa, over: Cfa, reading: Reading) -> bool:
    """Whether ``cfa`` reaches its error from some values of the variables of ``over``."""
    return bool(reachable(cfa, [v.term for v in over.variables], reading)[cfa.error])


def shape(cfa: Cfa) -> set[tuple[int, int]]:
    return {(edge.source.index, edge.target.index) for edge in cfa.edges}


class _Drawing:
    """Draws the parts of a random automaton over ``a, b: bits(2..3)`` and ``p: Bool``."""

    def __init__(self, draw: st.DrawFn, sketch: Sketch) -> None:
        self.draw = draw
        self.sketch = sketch
        self.words = [v for v in sketch.variables.values() if v.sort.is_bits]
        self.variables = list(sketch.variables.values())
        self.relational = not self.below(4)

    def below(self, count: int) -> int:
        return self.draw(st.integers(0, count - 1))

    def pick(self, options: Sequence[Term]) -> Term:
        return options[self.below(len(options))]

    def word(self, sort: Sort, depth: int = 1) -> Term:
        t = self.sketch.terms
        kind = self.below(6)
        if kind < 3 or depth == 0:
            return t.const(self.below(1 << sort.width), sort) if kind < 2 else self.cast(self.pick(self.words), sort)
        if kind == 5:
            return t.ite(self.truth(depth - 1), self.word(sort, depth - 1), self.word(sort, depth - 1))
        operator = ("bvadd", "bvsub", "bvand", "bvudiv")[self.below(4)]
        return t.bit(operator, self.cast(self.pick(self.words), sort), self.word(sort, depth - 1))

    def cast(self, term: Term, sort: Sort) -> Term:
        t = self.sketch.terms
        if term.sort.width > sort.width:
            return t.extract(term, sort.width - 1, 0)
        return t.zero_extend(term, sort.width - term.sort.width)

    def truth(self, depth: int = 1) -> Term:
        t = self.sketch.terms
        word = self.pick(self.words)
        match self.below(7):
            case 0:
                return self.pick([v for v in self.variables if v.sort is BOOL])
            case 1 | 2:
                return t.eq(word, t.const(self.below(3), word.sort))
            case 3:
                return t.bit("bvult", word, self.word(word.sort, depth))
            case 4:
                return t.not_(self.truth(depth))
            case 5 if depth:
                return t.and_(self.truth(depth - 1), self.truth(depth - 1))
        return t.eq(word, self.word(word.sort, depth))

    def value(self, sort: Sort) -> Term:
        if sort is BOOL:
            return self.sketch.terms.boolean(bool(self.below(2))) if self.below(2) else self.truth()
        return self.word(sort)

    def checks(self) -> tuple[Check, ...]:
        if self.below(4):
            return ()
        return (check(self.truth(), list(Undefined)[self.below(3)]),)

    def relation(self) -> Relation:
        t = self.sketch.terms
        count = 1 + self.below(2)
        first = self.below(len(self.variables))
        changed = [self.variables[(first + i) % len(self.variables)] for i in range(count)]
        primed = tuple((v, t.var(f"{v.name}'", v.sort)) for v in changed)
        parts = []
        for variable, new in primed:
            if self.below(4):
                parts.append(t.eq(new, variable if not self.below(4) else self.value(variable.sort)))
        if self.below(2):
            parts.append(self.truth())
        if not self.below(3):
            one = primed[self.below(len(primed))][1]
            parts.append(one if one.sort is BOOL else t.bit("bvult", one, self.word(one.sort)))
        return Relation(t.conjunction(parts), primed)

    def operation(self) -> Operation:
        variable = self.pick(self.variables)
        match 6 if self.relational else self.below(8):
            case 0 | 1 | 2 | 3:
                return Assign(variable, self.value(variable.sort))
            case 4:
                return Havoc(variable)
            case 5:
                return Assume(self.truth())
            case 6:
                return self.relation()
        return Assume(self.sketch.terms.true)


@st.composite
def automata(draw: st.DrawFn, *, acyclic: bool = False, checks: bool = True) -> Cfa:
    """An automaton that initialises some variables, wanders about, and ends at a guarded error, its last location."""
    size = draw(st.integers(5, 10))
    sketch = Sketch(size, a=bits(3), b=bits(2), p=BOOL)
    drawing = _Drawing(draw, sketch)
    last = size - 2

    def onward(start: int) -> int:
        if acyclic or drawing.below(3):
            return min(last, start + 1 + min(drawing.below(3), drawing.below(3)))
        return drawing.below(size) if not drawing.below(3) else drawing.below(last)

    initialised = drawing.below(3)
    for start in range(last):
        kind = drawing.below(5)
        undefined = drawing.checks() if checks else ()
        if start < initialised:
            variable = drawing.pick(drawing.variables)
            value = sketch.terms.const(drawing.below(2), variable.sort)
            sketch.assign(start, start + 1, variable, value)
        elif kind < 2:
            sketch.step(start, start + 1, drawing.operation(), *undefined)
        elif kind < 4:
            condition = drawing.truth()
            sketch.assume(start, start + 1, condition, *undefined)
            sketch.assume(start, onward(start), sketch.terms.not_(condition))
        else:
            for _ in range(1 + drawing.below(3)):
                sketch.step(start, onward(start), drawing.operation(), *undefined)
    condition = drawing.truth()
    sketch.assume(last, size - 1, condition)
    if not acyclic and drawing.below(2):
        sketch.assume(last, drawing.below(last), sketch.terms.not_(condition))
    return sketch.cfa()
