"""Estimates of the distance to a goal that the native search understands.

All but the last are tables that it reads by itself; a Python function is called for every stored state, which is for
experiments. Law: infinity says that no goal can be reached; such states are explored last, not left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from argosy.basics.records import dataclass
from argosy.kernel import _zones
from argosy.kernel.dbm import strict, weak
from argosy.kernel.graph import SymbolicState, full_zone
from argosy.kernel.tables import Compiled
from argosy.models.network import Network
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import (
    TRUE,
    Assignment,
    AtLocation,
    Binary,
    Conditional,
    Constant,
    Constraint,
    Expression,
    FunctionCall,
    Read,
    Unary,
)

WIDEST_TABLE = 4096
"""Literals about a variable with more values than this are evaluated one by one."""


class KernelHeuristic(Protocol):
    @property
    def literals(self) -> tuple[Constraint, ...]:
        """What has to be compiled with the network; referred to by index."""
        ...

    def build(self, compiled: Compiled) -> _zones.Heuristic: ...


@dataclass(frozen=True, slots=True)
class LocationDistances:
    """``distances[p][l]`` of every process and location, summed up or (``sums`` false) maximised."""

    distances: tuple[tuple[float, ...], ...]
    sums: bool = True

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        if [len(row) for row in self.distances] != [len(p.locations) for p in compiled.network.processes]:
            raise ValueError("one distance is needed for every location of every process")
        return _zones.LocationDistances(self.distances, self.sums)


@dataclass(frozen=True, slots=True)
class DatabasePart:
    """Sets of literals (by index) with their distances; ``otherwise`` where no set is contained in a state."""

    sets: tuple[tuple[tuple[int, ...], float], ...]
    otherwise: float


@dataclass(frozen=True, slots=True)
class LiteralDatabase:
    """A pattern database ([Directed]): the parts' least distances of sets that may hold in a state.

    The value is the least over ``alternatives`` (each some parts; none given: one of all parts) of the sum, or where
    ``sums`` is false the maximum, of its parts' values.
    """

    literals: tuple[Constraint, ...]
    parts: tuple[DatabasePart, ...]
    alternatives: tuple[tuple[int, ...], ...] = ()
    sums: bool = True

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        return self.alternatives or (tuple(range(len(self.parts))),)

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        database = _zones.LiteralDatabase(compiled.model, len(self.literals))
        _LiteralTables(compiled.network, self.literals).fill(database)
        for part in self.parts:
            if any(not 0 <= literal < len(self.literals) for literals, _ in part.sets for literal in literals):
                raise ValueError("a set of the database names a literal that does not exist")
            database.add_part(part.sets, part.otherwise)
        database.set_alternatives(self.choices, self.sums)
        return database


class _LiteralTables:
    """Literals sorted by what decides them: a location, a variable, a bound on clocks, or something larger."""

    def __init__(self, network: Network, literals: Sequence[Constraint]) -> None:
        self._network = network
        self._literals = literals

    def fill(self, database: _zones.LiteralDatabase) -> None:
        by_process: dict[int, list[tuple[int, Expression]]] = {}
        by_slot: dict[int, list[tuple[int, Expression]]] = {}
        for number, literal in enumerate(self._literals):
            bounds = differences(literal)
            components = None if literal.atoms else mentioned(literal.condition)
            if bounds is not None and literal.condition == TRUE and len(bounds) == 1:
                database.add_difference(number, *bounds[0])
            elif components is not None and len(components) == 1:
                kind, index = next(iter(components))
                (by_process if kind == "process" else by_slot).setdefault(index, []).append((number, literal.condition))
            else:
                database.add_other(number, number)
        for process, own in by_process.items():
            count = len(self._network.processes[process].locations)
            database.add_locations(process, [self._true(own, process, k, -1, 0) for k in range(count)])
        for slot, own in by_slot.items():
            variable = self._network.variables[slot]
            if variable.high - variable.low >= WIDEST_TABLE:
                for number, _ in own:
                    database.add_other(number, number)
            else:
                values = range(variable.low, variable.high + 1)
                database.add_variable(slot, variable.low, [self._true(own, -1, 0, slot, v) for v in values])

    def _true(
        self, literals: Sequence[tuple[int, Expression]], process: int, location: int, slot: int, value: int
    ) -> list[int]:
        """Which of the literals hold; one that has no value there may as well."""
        locations = [location if p == process else 0 for p in range(len(self._network.processes))]
        memory = [value if s == slot else 0 for s in range(len(self._network.variables))]
        evaluator = Evaluator(self._network.functions, self._network.slot, memory, locations)
        found = []
        for number, condition in literals:
            try:
                holds = evaluator.value(condition) != 0
            except ModelError:
                holds = True
            if holds:
                found.append(number)
        return found


def mentioned(expression: Expression) -> set[tuple[str, int]] | None:
    """The processes and variables that decide an expression; None where that takes a function or an array."""
    match expression:
        case Constant():
            return set()
        case AtLocation(process, _):
            return {("process", process)}
        case Read(place):
            return None if place.subscripts else {("variable", place.base)}
        case Unary(_, operand):
            return mentioned(operand)
        case Binary(_, left, right):
            parts = [mentioned(left), mentioned(right)]
        case Conditional(condition, then, otherwise):
            parts = [mentioned(condition), mentioned(then), mentioned(otherwise)]
        case Assignment() | FunctionCall():
            return None
    known = [part for part in parts if part is not None]
    return set().union(*known) if len(known) == len(parts) else None


def differences(constraint: Constraint) -> list[tuple[int, int, int]] | None:
    """The bounds that a constraint puts on clocks, if they do not depend on the discrete state."""
    found: list[tuple[int, int, int]] = []
    for atom in constraint.atoms:
        if atom.condition != TRUE or atom.left.subscripts or atom.right.subscripts:
            return None
        if not isinstance(atom.bound, Constant):
            return None
        left, right, constant = atom.left.base, atom.right.base, atom.bound.value
        if atom.relation in ("<", "<=", "=="):
            found.append((left, right, strict(constant) if atom.relation == "<" else weak(constant)))
        if atom.relation in (">", ">=", "=="):
            found.append((right, left, strict(-constant) if atom.relation == ">" else weak(-constant)))
    return found


@dataclass(frozen=True, slots=True)
class Combined:
    """The least over ``alternatives`` (none given: all parts) of the sum or maximum of heuristics."""

    parts: tuple[KernelHeuristic, ...]
    alternatives: tuple[tuple[int, ...], ...] = ()
    sums: bool = True

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return _only_literals(self.parts)

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        choices = self.alternatives or (tuple(range(len(self.parts))),)
        return _zones.Combination([part.build(compiled) for part in self.parts], choices, self.sums)


def _only_literals(parts: Sequence[KernelHeuristic]) -> tuple[Constraint, ...]:
    """Literals are numbered from 0, so one part at most may have some."""
    having = [part.literals for part in parts if part.literals]
    if len(having) > 1:
        raise ValueError("databases of literals are combined inside one LiteralDatabase")
    return having[0] if having else ()


@dataclass(frozen=True, slots=True)
class Component:
    """The location of a process, or a variable, with its values."""

    process: int | None
    slot: int | None
    low: int
    count: int


@dataclass(frozen=True, slots=True)
class Operator:
    """Adds facts where one of each group of facts holds; operators of one ``action`` count once."""

    needs: tuple[tuple[int, ...], ...]
    adds: tuple[int, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The monotone relaxation, solved in every state. Facts are numbered through the components and their values."""

    components: tuple[Component, ...]
    operators: tuple[Operator, ...]
    goals: tuple[tuple[tuple[int, ...], ...], ...]
    counts_plan: bool

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        facts = sum(component.count for component in self.components)
        made = _zones.Relaxation(compiled.model, facts, self.counts_plan)
        first = 0
        for its in self.components:
            if its.process is not None:
                made.add_location(its.process, its.count, first)
            elif its.slot is not None:
                made.add_variable(its.slot, its.low, its.count, first)
            first += its.count
        for operator in self.operators:
            made.add_operator(operator.needs, operator.adds, operator.action)
        for goal in self.goals:
            made.add_goal(goal)
        return made


@dataclass(frozen=True, slots=True)
class JoinedAutomata:
    """Two merged automata made one: ``table[first * count + second]``, where the second has ``count`` locations."""

    count: int
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MergedAutomata:
    """A tree of merged components in postfix order; ``distances`` are those of the locations of its root."""

    steps: tuple[Component | JoinedAutomata, ...]
    distances: tuple[float, ...]

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        made = _zones.MergedAutomata(compiled.model, self.distances)
        for step in self.steps:
            if isinstance(step, JoinedAutomata):
                made.join(step.count, step.table)
            elif step.process is not None:
                made.add_location(step.process, step.count)
            elif step.slot is not None:
                made.add_variable(step.slot, step.low, step.count)
        return made


@dataclass(frozen=True, slots=True)
class Native:
    """A heuristic of the kernel that was built already. ``owner`` is kept alive with it."""

    heuristic: _zones.Heuristic
    owner: object = None

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        return self.heuristic


@dataclass(frozen=True, slots=True)
class FromPython:
    """Any function of the state."""

    function: Callable[[SymbolicState], float]

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        dimension = compiled.model.clocks

        def call(locations: list[int], values: list[int], clocks: list[int], bounds: list[int]) -> float:
            zone = full_zone(dimension, clocks, bounds)
            return self.function(SymbolicState(tuple(locations), tuple(values), zone))

        return _zones.PythonHeuristic(compiled.model, call)
