"""What a part of a network looks like after an exchange, as a key: equal keys mean equal behaviour.

The key of a part under an exchange is that of what would have to stand at its image: processes, variables, clocks and
channels are those to which the exchange moves them, and a constant is renamed where it is compared with, stored into
or handed over to variables that hold names. Law: if the part has a value or an effect in a state, a part with that
key has the same one (a name renamed) in the image of the state, and the same model error.

The order of ``&&``, ``||``, ``+`` and of clock atoms is left out where none of the operands can be a model error, and
so is that of neighbouring assignments of constants to different places. Everything else is compared as it is written.
Names may be assigned, compared for equality, handed over, and select elements of arrays whose elements move along;
all else done with one (arithmetic, order, truth value) is ``NotSymmetric``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from argosy.basics.records import dataclass, field
from argosy.certify.network_texts import folded, own_scratch, span, statements_in
from argosy.models.network import Network, TimedEdge, TimedLocation
from argosy.models.network_expressions import (
    INTEGER_HIGH,
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
    Subscript,
    Unary,
    While,
)
from argosy.models.network_queries import Goal

CELLS = 100_000
"""Elements of arrays that are looked at for one place."""

Key = Any
Names = Mapping[int, int]

NUMBERS: Names = {}
"""How the values of a variable are renamed that holds numbers, not names."""


class NotSymmetric(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Moves:
    """Where things go; what is not mentioned stays. ``names`` by slot, scratch memory included."""

    processes: Mapping[int, int] = field(default_factory=dict)
    slots: Mapping[int, int] = field(default_factory=dict)
    clocks: Mapping[int, int] = field(default_factory=dict)
    channels: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, Names] = field(default_factory=dict)


class ImageKeys:
    def __init__(self, network: Network, moves: Moves) -> None:
        self._network = network
        self._moves = moves
        self._variables = len(network.variables)
        self._frame: int | None = None
        self._own: list[frozenset[int]] = own_scratch(network)
        self._functions: dict[int, Key] = {}
        self._results: dict[int, Names] = {}
        self._places: dict[Any, int] = {}

    # ---- parts of a network -------------------------------------------------------------------------------

    def edge(self, edge: TimedEdge) -> Key:
        synchronisation: Key = None
        if edge.synchronisation is not None:
            channel = self.place(edge.synchronisation.channel, self._moves.channels)
            synchronisation = (edge.synchronisation.sends, channel)
        return (
            edge.source,
            edge.target,
            self.constraint(edge.guard),
            synchronisation,
            self.block(edge.updates),
            edge.idle,
        )

    def location(self, location: TimedLocation) -> Key:
        rates = [(self._moves.clocks.get(r.clock, r.clock), self.key(r.value, NUMBERS)) for r in location.rates]
        return location.urgent, location.committed, self.constraint(location.invariant), _sorted(rates)

    def goal(self, goal: Goal) -> Key:
        return self.constraint(Constraint(goal.condition, goal.atoms)), goal.deadlock

    def constraint(self, constraint: Constraint) -> Key:
        atoms = [self._atom(atom) for atom in constraint.atoms]
        if all(self._cannot_fail(atom) for atom in constraint.atoms):
            atoms = _sorted(atoms)
        return self.key(constraint.condition, NUMBERS), tuple(atoms)

    def _atom(self, atom: ClockAtom) -> Key:
        left, right = (self.place(side, self._moves.clocks) for side in (atom.left, atom.right))
        return left, right, atom.relation, self.key(atom.bound, NUMBERS), self.key(atom.condition, NUMBERS)

    def _cannot_fail(self, atom: ClockAtom) -> bool:
        parts = [atom.bound, atom.condition]
        sides = all(self._stays_inside(s) for side in (atom.left, atom.right) for s in side.subscripts)
        return sides and all(self.interval(part) is not None for part in parts)

    # ---- statements ---------------------------------------------------------------------------------------

    def block(self, statements: Sequence[Statement]) -> Key:
        """Neighbours that store constants into different places can change places."""
        found: list[Key] = []
        run: dict[tuple[str, int], Key] = {}

        def end() -> None:
            found.extend(_sorted(run.values()))
            run.clear()

        for statement in statements:
            target = self._constant_store(statement)
            if target is None or target in run:
                end()
            if target is None:
                found.append(self._statement(statement))
            else:
                run[target] = self._statement(statement)
        end()
        return tuple(found)

    def _constant_store(self, statement: Statement) -> tuple[str, int] | None:
        match statement:
            case Evaluate(Assignment(NetworkPlace(base, ()), Constant(value))):
                slot = self._network.slot(base)
                return ("slot", base) if slot.low <= value <= slot.high else None
            case Reset(NetworkPlace(base, ()), Constant(value)) if value >= 0:
                return "clock", base
        return None

    def _statement(self, statement: Statement) -> Key:
        match statement:
            case Evaluate(expression):
                return "evaluate", self.key(expression, self._names(expression) or NUMBERS)
            case Copy(target, source, size):
                self._run_stays_together(target, size)
                self._run_stays_together(source, size)
                for offset in range(size):
                    _same(self._held(target, offset), self._held(source, offset))
                return "copy", self._slot(target), self._slot(source), size
            case Reset(clock, value):
                return "reset", self.place(clock, self._moves.clocks), self.key(value, NUMBERS)
            case If(condition, then, otherwise):
                return "if", self.key(condition, NUMBERS), self.block(then), self.block(otherwise)
            case While(condition, body, test_first):
                return "while", self.key(condition, NUMBERS), self.block(body), test_first
            case Return(None):
                return ("return",)
            case Return(value):
                assert value is not None
                return "return", self.key(value, self._returned)

    _returned: Names = NUMBERS

    def _function(self, index: int) -> Key:
        if index in self._functions:
            return self._functions[index]
        function = self._network.functions[index]
        outside = self._frame, self._returned
        self._returned = self._result(index)
        own = self._own[index]
        self._frame = min(own, default=0)
        inside = [(self._slot(NetworkPlace(p.slot)), p.size) for p in function.parameters]
        frame = [(s - self._frame, _range(self._network, s)) for s in sorted(own)]
        closed_under(self._returned, function.low, function.high)
        key = "function", tuple(inside), tuple(frame), self.block(function.body), function.low, function.high
        self._frame, self._returned = outside
        self._functions[index] = key
        return key

    def _result(self, index: int) -> Names:
        """What a function gives: names, if any ``return`` does."""
        if index not in self._results:
            found: Names | None = None
            for statement in statements_in(self._network.functions[index].body):
                if isinstance(statement, Return) and statement.value is not None:
                    found = _join(found, self._names(statement.value))
            self._results[index] = found or NUMBERS
        return self._results[index]

    # ---- expressions --------------------------------------------------------------------------------------

    def key(self, expression: Expression, names: Names) -> Key:
        """``names``: what is expected of the value."""
        match expression:
            case Constant(value):
                return "constant", names.get(value, value)
            case Binary("==" | "!=" as operator, left, right):
                _same(names, NUMBERS)
                both = _join(self._names(left), self._names(right)) or NUMBERS
                return operator, self.key(left, both), self.key(right, both)
            case Binary("&&" | "||" | "+" as operator, left, right):
                _same(names, NUMBERS)
                parts = list(_flat(operator, expression))
                intervals = [self.interval(part) for part in parts]
                largest = sum(max(abs(i[0]), abs(i[1])) for i in intervals if i is not None)
                if None in intervals or (operator == "+" and largest > INTEGER_HIGH):
                    return operator, self.key(left, NUMBERS), self.key(right, NUMBERS)
                keys = _sorted(self.key(part, NUMBERS) for part in parts)
                return operator, "in any order", tuple(keys if operator == "+" else dict.fromkeys(keys))
            case Binary(operator, left, right):
                _same(names, NUMBERS)
                return operator, self.key(left, NUMBERS), self.key(right, NUMBERS)
            case Unary(operator, operand):
                _same(names, NUMBERS)
                return "unary", operator, self.key(operand, NUMBERS)
            case Conditional(condition, then, otherwise):
                return "choice", self.key(condition, NUMBERS), self.key(then, names), self.key(otherwise, names)
            case Read(place):
                _same(names, self._held(place))
                return "read", self._slot(place)
            case Assignment(target, value):
                _same(names, self._held(target))
                return "assign", self._slot(target), self.key(value, names)
            case FunctionCall(function, arguments):
                _same(names, self._result(function))
                slots = [p.slot for p in self._network.functions[function].parameters]
                given = [self._argument(a, slot) for a, slot in zip(arguments, slots, strict=True)]
                return "call", self._function(function), tuple(given)
            case AtLocation(process, location):
                _same(names, NUMBERS)
                return "at", self._moves.processes.get(process, process), location

    def _argument(self, argument: Expression | ArrayRun, slot: int) -> Key:
        if not isinstance(argument, ArrayRun):
            return self.key(argument, self._of_slot(slot))
        self._run_stays_together(argument.place, argument.size)
        for offset in range(argument.size):
            _same(self._held(argument.place, offset), self._of_slot(slot + offset))
        return self._slot(argument.place), argument.size

    def _names(self, expression: Expression) -> Names | None:
        """What the value is; None: a constant, which may be either."""
        match expression:
            case Constant():
                return None
            case Read(place):
                return self._held(place)
            case Assignment(target, _):
                return self._held(target)
            case Conditional(_, then, otherwise):
                return _join(self._names(then), self._names(otherwise))
            case FunctionCall(function, _):
                return self._result(function)
        return NUMBERS

    # ---- places -------------------------------------------------------------------------------------------

    def _of_slot(self, slot: int) -> Names:
        return self._moves.names.get(slot, NUMBERS)

    def _held(self, place: NetworkPlace, offset: int = 0) -> Names:
        """What the variables hold that a place can be."""
        found: Names | None = None
        for address in self._addresses(place):
            found = _join(found, self._of_slot(address + offset))
        return found or NUMBERS

    def _run_stays_together(self, place: NetworkPlace, size: int) -> None:
        goes = self._moves.slots
        for address in self._addresses(place):
            first = goes.get(address, address)
            if any(goes.get(address + k, address + k) != first + k for k in range(size)):
                raise NotSymmetric("an array or a record is copied whose parts do not move together")

    def _slot(self, place: NetworkPlace) -> Key:
        if place.base < self._variables:
            return self.place(place, self._moves.slots)
        base, subscripts = self.place(place, NUMBERS)
        own = self._frame is not None and any(base in slots and self._frame in slots for slots in self._own)
        return ("own", base - (self._frame or 0), subscripts) if own else ("scratch", base, subscripts)

    def place(self, place: NetworkPlace, goes: Mapping[int, int]) -> Key:
        """Where the place is after the exchange; every element must be where its renamed subscripts say."""
        base, subscripts = folded(place)
        names = [self._names(s.index) or NUMBERS for s in subscripts]
        dimensions = tuple((s.low, s.size, s.stride, _pairs(n)) for s, n in zip(subscripts, names, strict=True))
        about = (id(goes), base, dimensions)
        if about not in self._places:
            self._places[about] = self._base(base, subscripts, names, goes)
        indices = [self.key(s.index, n) for s, n in zip(subscripts, names, strict=True)]
        shape = [(s.low, s.size, s.stride) for s in subscripts]
        return self._places[about], tuple(zip(indices, shape, strict=True))

    def _base(self, base: int, subscripts: Sequence[Subscript], names: Sequence[Names], goes: Mapping[int, int]) -> int:
        low, high = span(base, subscripts)
        if not any(names) and not any(low <= a <= high for a in goes):
            return base
        for subscript, own in zip(subscripts, names, strict=True):
            inside = range(subscript.low, subscript.low + subscript.size)
            if any((before in inside) != (after in inside) for before, after in own.items()):
                raise NotSymmetric("an array has elements for some of the names only")
        if prod(s.size for s in subscripts) > CELLS:
            raise NotSymmetric("an array is too large to be looked at")
        found: int | None = None
        for chosen in product(*(range(s.low, s.low + s.size) for s in subscripts)):
            before, after = base, 0
            for value, subscript, own in zip(chosen, subscripts, names, strict=True):
                before += (value - subscript.low) * subscript.stride
                after += (own.get(value, value) - subscript.low) * subscript.stride
            start = goes.get(before, before) - after
            if found is not None and found != start:
                raise NotSymmetric("the elements of an array do not move as their subscripts do")
            found = start
        return base if found is None else found

    def _addresses(self, place: NetworkPlace) -> Iterator[int]:
        """All that matter: where none of the variables around holds names or moves, the first stands for all."""
        base, subscripts = folded(place)
        low, high = span(base, subscripts)
        mentioned = (self._moves.names, self._moves.slots)
        if not any(low <= a <= high for which in mentioned for a in which):
            yield base
            return
        if prod(s.size for s in subscripts) > CELLS:
            raise NotSymmetric("an array is too large to be looked at")
        for chosen in product(*(range(s.size) for s in subscripts)):
            yield base + sum(c * s.stride for c, s in zip(chosen, subscripts, strict=True))

    # ---- what cannot be a model error ---------------------------------------------------------------------

    def _stays_inside(self, subscript: Subscript) -> bool:
        index = self.interval(subscript.index)
        return index is not None and subscript.low <= index[0] and index[1] < subscript.low + subscript.size

    def interval(self, expression: Expression) -> tuple[int, int] | None:
        """Between which numbers the value is; None where its evaluation may be a model error or have an effect."""
        match expression:
            case Constant(value):
                return value, value
            case AtLocation():
                return 0, 1
            case Read(place):
                base, subscripts = folded(place)
                if not all(self._stays_inside(s) for s in subscripts):
                    return None
                low, high = span(base, subscripts)
                slots = [self._network.slot(slot) for slot in range(low, high + 1)]
                return min(s.low for s in slots), max(s.high for s in slots)
            case Unary("!", operand):
                return None if self.interval(operand) is None else (0, 1)
            case Binary(operator, left, right):
                first, second = self.interval(left), self.interval(right)
                if first is None or second is None:
                    return None
                if operator in ("==", "!=", "<", "<=", ">=", ">", "&&", "||"):
                    return 0, 1
                if operator not in ("+", "-"):
                    return None
                if operator == "-":
                    second = -second[1], -second[0]
                total = first[0] + second[0], first[1] + second[1]
                return total if max(abs(total[0]), abs(total[1])) <= INTEGER_HIGH else None
            case Conditional(condition, then, otherwise):
                parts = [self.interval(part) for part in (condition, then, otherwise)]
                if parts[0] is None or parts[1] is None or parts[2] is None:
                    return None
                return min(parts[1][0], parts[2][0]), max(parts[1][1], parts[2][1])
        return None


def _flat(operator: str, expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Binary) and expression.operator == operator:
        yield from _flat(operator, expression.left)
        yield from _flat(operator, expression.right)
    else:
        yield expression


def closed_under(names: Names, low: int, high: int) -> None:
    if any((low <= before <= high) != (low <= after <= high) for before, after in names.items()):
        raise NotSymmetric("a range has some of the names only")


def _range(network: Network, slot: int) -> tuple[int, int, int]:
    its = network.slot(slot)
    return its.low, its.high, its.initial


def _pairs(names: Names) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(names.items()))


def _join(left: Names | None, right: Names | None) -> Names | None:
    if left is None or right is None:
        return right if left is None else left
    _same(left, right)
    return left


def _same(left: Names, right: Names) -> None:
    if left != right:
        raise NotSymmetric("a name is used as a number, or as a name of others")


def _sorted(keys: Any) -> list[Key]:
    return sorted(keys, key=repr)
