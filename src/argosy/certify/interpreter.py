"""A concrete interpreter of control-flow automata: one state, one edge, one next state.

A counterexample counts only when this interpreter walked it (CONTRACT.md, certified verdicts). A state is a location
and a value for every variable; bit-vectors are unsigned Python integers, as in ``logic.semantics``. What the model
leaves open (a havoc, the new values of a relation) is asked from ``choose``; everything else is computed.

Law: ``step`` is defined by the operation, the checks and the reading alone; no solver, no analysis takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product

from argosy.basics.records import dataclass
from argosy.logic.compile import compile_update
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Check, Edge, Havoc, Location, Operation, Reading, Relation
from argosy.models.effects import effect_of

Choose = Callable[[Edge, Term], Value]


@dataclass(frozen=True, slots=True)
class ConcreteState:
    """``values`` stand in the order of the automaton's variables."""

    location: Location
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """The edge cannot be taken; ``check`` is set when the execution would leave the language there."""

    reason: str
    check: Check | None = None


class Interpreter:
    """Steps of one automaton under one reading of what C leaves undefined."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self.cfa = cfa
        self.reading = reading
        self.slots: Mapping[Term, int] = {v.term: i for i, v in enumerate(cfa.variables)}
        self._compiled: dict[Edge, _Step] = {}

    def start(self, valuation: Mapping[Term, Value]) -> ConcreteState:
        """The initial location with the given values; a variable that is not named is zero. Raises ValueError for a
        value that is not of its variable's sort."""
        given = ((v.term, valuation[v.term] if v.term in valuation else zero(v.term.sort)) for v in self.cfa.variables)
        return ConcreteState(self.cfa.initial, tuple(_of_sort(value, variable) for variable, value in given))

    def value(self, state: ConcreteState, variable: Term) -> Value:
        return state.values[self.slots[variable]]

    def valuation(self, state: ConcreteState) -> dict[Term, Value]:
        return {v.term: value for v, value in zip(self.cfa.variables, state.values, strict=True)}

    def step(self, edge: Edge, state: ConcreteState, choose: Choose) -> ConcreteState | Blocked:
        """Take ``edge``. Raises ValueError when the edge does not leave the state's location or a chosen value is
        not of its variable's sort."""
        if edge.source is not state.location:
            raise ValueError(f"{edge} does not leave {state.location}")
        step = self._compiled.get(edge)
        if step is None:
            step = self._compiled[edge] = _Step(self.cfa.terms, edge, self.slots, self.reading)
        values = state.values
        if step.open:
            chosen = tuple(_of_sort(choose(edge, variable), variable) for variable, _ in step.open)
            after = step.update(values + chosen) if step.related else step.update(values)
            if not isinstance(after, int):
                changed = list(after[: len(values)])
                for (_, slot), value in zip(step.open, chosen, strict=True):
                    changed[slot] = value
                return ConcreteState(edge.target, tuple(changed))
        else:
            after = step.update(values)
            if not isinstance(after, int):
                return ConcreteState(edge.target, after)
        if after < len(step.checks):
            check = step.checks[after]
            return Blocked(f"{check.position}: {check.kind.value}", check)
        return Blocked(f"{edge.position}: {edge.text or 'the condition'} does not hold")


class _Step:
    """An edge, compiled: ``update`` gives the next values or the index of the first violated guard."""

    __slots__ = ("checks", "open", "related", "update")

    def __init__(self, terms: Terms, edge: Edge, slots: Mapping[Term, int], reading: Reading) -> None:
        self.checks = tuple(c for c in edge.checks if reading.excludes(c))
        self.open = tuple((v, slots[v]) for v in left_open(terms, edge.operation))
        self.related = isinstance(edge.operation, Relation)
        guards = [c.condition for c in self.checks]
        assignments: list[tuple[int, Term]] = []
        layout = dict(slots)
        match edge.operation:
            case Assume(condition):
                guards.append(condition)
            case Assign(variable, value):
                assignments.append((slots[variable], value))
            case Havoc():
                pass
            case Relation():
                effect = effect_of(terms, edge.operation)
                new_of = dict(effect.primed)
                # The chosen values stand behind the old ones.
                layout.update((new_of[variable], len(slots) + i) for i, (variable, _) in enumerate(self.open))
                assignments += ((slots[variable], value) for variable, value in effect.definitions)
                guards.append(terms.conjunction((*effect.guards, *effect.ties)))
        self.update = compile_update(guards, assignments, layout, len(layout))


def left_open(terms: Terms, operation: Operation) -> tuple[Term, ...]:
    """The variables whose new values an operation does not compute."""
    match operation:
        case Havoc(variable):
            return (variable,)
        case Relation():
            effect = effect_of(terms, operation)
            computed = {variable for variable, _ in effect.definitions}
            return tuple(variable for variable, _ in effect.primed if variable not in computed)
    return ()


def zero(sort: Sort) -> Value:
    match sort.kind:
        case "bool":
            return False
        case "real":
            return Fraction(0)
        case "array":
            assert sort.element is not None
            return ArrayValue(zero(sort.element))
    return 0


def _of_sort(value: Value, variable: Term) -> Value:
    sort = variable.sort
    if sort.is_bits and not (isinstance(value, int) and 0 <= value < 1 << sort.width):
        raise ValueError(f"{value} is not a value of {variable.name}: {sort}")
    if sort.is_numeric and not isinstance(value, int if sort.kind == "int" else int | Fraction):
        raise ValueError(f"{value} is not a value of {variable.name}: {sort}")
    return value


def reachable_states(
    cfa: Cfa,
    reading: Reading,
    values: Callable[[Edge, Term], Iterable[Value]],
    initial: Iterable[Mapping[Term, Value]] = ({},),
    limit: int = 1_000_000,
) -> Iterator[ConcreteState]:
    """Every state that some execution reaches when each open value ranges over ``values``, breadth-first. Raises
    ValueError after ``limit`` states."""
    interpreter = Interpreter(cfa, reading)
    states = dict.fromkeys(interpreter.start(valuation) for valuation in initial)
    waiting = list(states)
    yield from waiting
    for state in waiting:
        for edge in cfa.leaving[state.location]:
            for after in successors(interpreter, edge, state, values):
                if isinstance(after, ConcreteState) and after not in states:
                    if len(states) >= limit:
                        raise ValueError(f"more than {limit} states")
                    states[after] = None
                    waiting.append(after)
                    yield after


def successors(
    interpreter: Interpreter, edge: Edge, state: ConcreteState, values: Callable[[Edge, Term], Iterable[Value]]
) -> Iterator[ConcreteState | Blocked]:
    """The outcome of ``edge`` for every combination of the open values."""
    open_ = left_open(interpreter.cfa.terms, edge.operation)
    for chosen in product(*(tuple(values(edge, variable)) for variable in open_)):
        choices = dict(zip(open_, chosen, strict=True))
        yield interpreter.step(edge, state, partial(_listed, choices))


def _listed(choices: Mapping[Term, Value], _: Edge, variable: Term) -> Value:
    return choices[variable]
