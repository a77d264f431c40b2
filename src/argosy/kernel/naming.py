"""Which variables of a network hold names: values that are only assigned, compared for equality, and used to select.

All else (arithmetic, order, a truth value, a bound of a clock) is done with numbers. Variables between which values
move, or that are compared with each other, are of one class, and so are the elements of an array that is indexed by
what is computed; a class is one of names unless something of it is a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from argosy.models.network import Network
from argosy.models.network_expressions import (
    ArrayRun,
    Assignment,
    AtLocation,
    Binary,
    ClockAtom,
    Conditional,
    Constant,
    Constraint,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkPlace,
    Read,
    Reset,
    Return,
    Statement,
    Unary,
    While,
)
from argosy.models.network_queries import Goal

NUMBER = -1


class Sorts:
    """Classes are numbered by one of their variables; functions come after all variables."""

    def __init__(self, network: Network, goals: Iterable[Goal]) -> None:
        self._network = network
        self._slots = len(network.variables) + len(network.scratch)
        self._parent = {NUMBER: NUMBER}
        for function in range(len(network.functions)):
            self._block(network.functions[function].body, self._slots + function)
        for process in network.processes:
            for location in process.locations:
                self._constraint(location.invariant)
                for rate in location.rates:
                    self._number(rate.value)
            for edge in process.edges:
                self._constraint(edge.guard)
                if edge.synchronisation is not None:
                    self._subscripts(edge.synchronisation.channel)
                self._block(edge.updates, None)
        for goal in goals:
            self._constraint(Constraint(goal.condition, goal.atoms))

    def holds_names(self, slot: int) -> bool:
        return self.of_slot(slot) is not None

    def of_slot(self, slot: int) -> int | None:
        found = self._find(slot)
        return None if found == self._find(NUMBER) else found

    def of_place(self, place: NetworkPlace) -> int | None:
        return self.of_slot(place.base)

    def of(self, expression: Expression) -> int | None:
        """The class of names that the value is one of; None: a number, or a constant."""
        match expression:
            case Read(place) | Assignment(place, _):
                return self.of_slot(place.base)
            case Conditional(_, then, otherwise):
                found = self.of(then)
                return self.of(otherwise) if found is None else found
            case FunctionCall(function, _):
                return self.of_slot(self._slots + function)
        return None

    def slots_of(self, names: int) -> list[int]:
        return [slot for slot in range(self._slots) if self.of_slot(slot) == names]

    def _find(self, key: int) -> int:
        path = []
        while self._parent.setdefault(key, key) != key:
            path.append(key)
            key = self._parent[key]
        for passed in path:
            self._parent[passed] = key
        return key

    def _unite(self, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return right if left is None else left
        first, second = self._find(left), self._find(right)
        self._parent[max(first, second)] = min(first, second)
        return min(first, second)

    def _number(self, expression: Expression) -> None:
        self._unite(self._visit(expression), NUMBER)

    def _constraint(self, constraint: Constraint) -> None:
        self._number(constraint.condition)
        for atom in constraint.atoms:
            self._atom(atom)

    def _atom(self, atom: ClockAtom) -> None:
        self._number(atom.bound)
        self._number(atom.condition)
        self._subscripts(atom.left)
        self._subscripts(atom.right)

    def _subscripts(self, place: NetworkPlace) -> None:
        for subscript in place.subscripts:
            self._visit(subscript.index)

    def _place(self, place: NetworkPlace) -> int:
        """All that the place can be is of one class."""
        self._subscripts(place)
        addresses = [place.base]
        for subscript in place.subscripts:
            addresses = [a + k * subscript.stride for a in addresses for k in range(subscript.size)]
        for address in addresses:
            self._unite(place.base, address)
        return self._find(place.base)

    def _block(self, statements: Sequence[Statement], result: int | None) -> None:
        for statement in statements:
            match statement:
                case Evaluate(expression):
                    self._visit(expression)
                case Copy(target, source, size):
                    self._place(target)
                    self._place(source)
                    for offset in range(size):
                        self._unite(target.base + offset, source.base + offset)
                case Reset(clock, value):
                    self._subscripts(clock)
                    self._number(value)
                case If(condition, then, otherwise):
                    self._number(condition)
                    self._block(then, result)
                    self._block(otherwise, result)
                case While(condition, body):
                    self._number(condition)
                    self._block(body, result)
                case Return(value):
                    if value is not None:
                        self._unite(self._visit(value), result)

    def _visit(self, expression: Expression) -> int | None:
        """The class of the value; None: a constant."""
        match expression:
            case Constant():
                return None
            case Read(place):
                return self._place(place)
            case Assignment(target, value):
                return self._unite(self._place(target), self._visit(value))
            case Conditional(condition, then, otherwise):
                self._number(condition)
                return self._unite(self._visit(then), self._visit(otherwise))
            case Binary("==" | "!=", left, right):
                self._unite(self._visit(left), self._visit(right))
            case Binary(_, left, right):
                self._number(left)
                self._number(right)
            case Unary(_, operand):
                self._number(operand)
            case FunctionCall(function, arguments):
                parameters = self._network.functions[function].parameters
                for argument, parameter in zip(arguments, parameters, strict=True):
                    if isinstance(argument, ArrayRun):
                        self._place(argument.place)
                        for offset in range(argument.size):
                            self._unite(argument.place.base + offset, parameter.slot + offset)
                    else:
                        self._unite(self._visit(argument), parameter.slot)
                return self._slots + function
            case AtLocation():
                pass
        return NUMBER
