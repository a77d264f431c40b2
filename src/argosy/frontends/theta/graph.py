"""An automaton in the making: locations, edges, variables, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.position import Position
from argosy.frontends.theta.operations import Operations
from argosy.frontends.theta.types import ThetaType
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Operation, Variable
from argosy.models.program import Program


class ThetaGraph:
    def __init__(self, operations: Operations) -> None:
        self._operations = operations
        self._text = operations.text
        self._terms = operations.terms
        self._locations: list[Location] = []
        self._edges: list[Edge] = []
        self._variables: dict[str, Variable] = {}

    # ---- variables ----------------------------------------------------------------------------------------

    def declare(self, name: str, type_: ThetaType, offset: int, scope: str = "") -> Term:
        """A new variable; where another one has its name, it is told apart by a number."""
        unique, number = name, 1
        while unique in self._variables:
            number += 1
            unique = f"{name}.{number}"
        term = self._terms.var(unique, type_.sort)
        signed = False if type_.is_bits else None
        self._variables[unique] = Variable(term, name, scope, signed, self._text.position(offset))
        return term

    # ---- locations and edges ------------------------------------------------------------------------------

    def location(self, offset: int, label: str = "", function: str = "") -> Location:
        index = len(self._locations)
        location = Location(index, function, self._text.position(offset), label, index)
        self._locations.append(location)
        return location

    def edge(self, source: Location, target: Location, operation: Operation, offset: int, text: str) -> None:
        self._edges.append(Edge(source, target, operation, self._text.position(offset), text))

    def violation(self, source: Location, error: Location, operation: Operation, position: Position, text: str) -> None:
        """An edge to the error, for a property that may stand in another file."""
        self._edges.append(Edge(source, error, operation, position, text))

    def skip(self, source: Location, target: Location, offset: int, text: str = "") -> None:
        self.edge(source, target, Assume(self._terms.true), offset, text)

    def step(self, source: Location, operation: Operation, offset: int, text: str) -> Location:
        """An edge to a new location."""
        target = self.location(offset, function=source.function)
        self.edge(source, target, operation, offset, text)
        return target

    def assign(self, source: Location, variable: Term, value: Term, offset: int, text: str) -> Location:
        return self.step(source, Assign(variable, value), offset, text)

    def assume(self, source: Location, condition: Term, offset: int, text: str) -> Location:
        return source if condition is self._terms.true else self.step(source, Assume(condition), offset, text)

    def choose(self, source: Location, variable: Term, type_: ThetaType, offset: int, text: str) -> Location:
        """Any value of the type."""
        at = self.step(source, Havoc(variable), offset, text)
        return self.assume(at, self._operations.bounds(variable, type_), offset, f"{text} within {type_.name}")

    # ---- the whole ----------------------------------------------------------------------------------------

    def program(self, initial: Location, error: Location, notes: Iterable[str], *, cyclic: bool = False) -> Program:
        """What leaves the error is left out: whoever gets there has reached it."""
        operations = self._operations
        cfa = Cfa(
            self._terms,
            initial,
            error,
            tuple(self._locations),
            tuple(edge for edge in self._edges if edge.source is not error),
            (*self._variables.values(), *operations.unmodelled()),
            dict(operations.opaque),
            self._text.file,
        )
        return Program(cfa, self._text.file, cfa, notes=dict.fromkeys(notes, ""), cyclic=cyclic)
