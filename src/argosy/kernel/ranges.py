"""Which values can occur: intervals of expressions and of variables, flow-insensitive.

Two uses. The state vector is packed by these ranges (a variable that is never written takes no room), and the bounds
of clock constraints whose constants are computed come from them. Law: every value that an execution without model
error stores or computes lies in its interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from argosy.models import network_expressions as e
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily

Interval = tuple[int, int]

FULL: Interval = (e.INTEGER_LOW, e.INTEGER_HIGH)
TRUTH: Interval = (0, 1)
ROUNDS_BEFORE_WIDENING = 12


def hull(first: Interval | None, second: Interval) -> Interval:
    return second if first is None else (min(first[0], second[0]), max(first[1], second[1]))


def meet(first: Interval, second: Interval) -> Interval | None:
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else None


class Ranges:
    """The least intervals that are closed under all updates, or the declared ones where that takes too long."""

    def __init__(self, network: Network, goals: Iterable[Goal] = (), families: Iterable[AlikeFamily] = ()) -> None:
        """``families``: closed under exchanges of their members as well, which no run does."""
        slots = (*network.variables, *network.scratch)
        self._network = network
        self._declared: list[Interval] = [(s.low, s.high) for s in slots]
        self._slots: list[Interval] = [(s.initial, s.initial) for s in slots]
        self._results: list[Interval | None] = [None] * len(network.functions)
        self._changed = True
        self._widen = False
        asked, alike = tuple(goals), tuple(families)
        rounds = 0
        while self._changed:
            self._changed = False
            self._widen = rounds >= ROUNDS_BEFORE_WIDENING
            rounds += 1
            for index, function in enumerate(network.functions):
                self._run(function.body, index)
                self._return(index, (0, 0))
            for process in network.processes:
                for location in process.locations:
                    self._test(location.invariant.condition, location.invariant.atoms)
                    for rate in location.rates:
                        self.of(rate.value)
                for edge in process.edges:
                    self._test(edge.guard.condition, edge.guard.atoms)
                    if edge.synchronisation is not None:
                        self.addresses(edge.synchronisation.channel)
                    self._run(edge.updates, None)
            for goal in asked:
                self._test(goal.condition, goal.atoms)
            for family in alike:
                self._exchange(family)

    def _exchange(self, family: AlikeFamily) -> None:
        for slot, names in family.values:
            low, high = self._slots[slot]
            if any(low <= name <= high for name in names):
                self._store(slot, (min(names), max(names)))
        for column in family.slots:
            for slot in column:
                for other in column:
                    self._store(slot, self._slots[other])

    def slot(self, index: int) -> Interval:
        return self._slots[index]

    @property
    def variables(self) -> list[Interval]:
        return self._slots[: len(self._network.variables)]

    def of(self, expression: e.Expression) -> Interval:
        """An interval with every value of the expression; values of assignments inside it are recorded."""
        match expression:
            case e.Constant(value):
                return value, value
            case e.Read(place):
                found: Interval | None = None
                for slot in self.addresses(place):
                    found = hull(found, self._slots[slot])
                return FULL if found is None else found
            case e.Unary("-", operand):
                low, high = self.of(operand)
                return _clip((-high, -low))
            case e.Unary(_, operand):
                low, high = self.of(operand)
                return (1, 1) if low == high == 0 else (0, 0) if low > 0 or high < 0 else TRUTH
            case e.Binary(operator, left, right):
                return operate(operator, self.of(left), self.of(right))
            case e.Conditional(condition, then, otherwise):
                self.of(condition)
                return hull(self.of(then), self.of(otherwise))
            case e.Assignment(target, value):
                stored = self.of(value)
                for slot in self.addresses(target):
                    self._store(slot, stored)
                return stored
            case e.FunctionCall(function, arguments):
                return self._call(function, arguments)
            case e.AtLocation():
                return TRUTH

    def addresses(self, place: e.NetworkPlace) -> list[int]:
        """The slots, clocks or channels that a place can name."""
        offsets: list[range] = []
        for subscript in place.subscripts:
            index = meet(self.of(subscript.index), (subscript.low, subscript.low + subscript.size - 1))
            if index is None:
                return []
            low, high = index[0] - subscript.low, index[1] - subscript.low
            offsets.append(range(low * subscript.stride, high * subscript.stride + 1, subscript.stride))
        return [place.base + sum(parts) for parts in product(*offsets)]

    def _test(self, condition: e.Expression, atoms: Iterable[e.ClockAtom]) -> None:
        self.of(condition)
        for atom in atoms:
            self.of(atom.condition)
            self.of(atom.bound)
            self.addresses(atom.left)
            self.addresses(atom.right)

    def _call(self, index: int, arguments: Iterable[e.Expression | e.ArrayRun]) -> Interval:
        function = self._network.functions[index]
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            if isinstance(argument, e.ArrayRun):
                for start in self.addresses(argument.place):
                    for offset in range(parameter.size):
                        self._store(parameter.slot + offset, self._slots[start + offset])
            else:
                self._store(parameter.slot, self.of(argument))
        # What has no result yet is being computed in a later round; the declared range holds meanwhile.
        return self._results[index] or hull((0, 0), (function.low, function.high))

    def _run(self, statements: Iterable[e.Statement], function: int | None) -> None:
        for statement in walk(statements):
            match statement:
                case e.Evaluate(expression) | e.If(expression) | e.While(expression):
                    self.of(expression)
                case e.Reset(clock, value):
                    self.addresses(clock)
                    self.of(value)
                case e.Copy(target, source, size):
                    for to, origin in product(self.addresses(target), self.addresses(source)):
                        for offset in range(size):
                            self._store(to + offset, self._slots[origin + offset])
                case e.Return(value):
                    if value is not None and function is not None:
                        its = self._network.functions[function]
                        given = meet(self.of(value), (its.low, its.high))
                        if given is not None:
                            self._return(function, given)

    def _return(self, index: int, value: Interval) -> None:
        """A function that ends without return gives 0, whatever its range."""
        grown = hull(self._results[index], value)
        if grown != self._results[index]:
            function = self._network.functions[index]
            self._results[index] = hull((0, 0), (function.low, function.high)) if self._widen else grown
            self._changed = True

    def _store(self, slot: int, value: Interval) -> None:
        stored = meet(value, self._declared[slot])
        if stored is None:
            return
        grown = hull(self._slots[slot], stored)
        if grown != self._slots[slot]:
            self._slots[slot] = hull(self._slots[slot], self._declared[slot]) if self._widen else grown
            self._changed = True


def walk(statements: Iterable[e.Statement]) -> Iterator[e.Statement]:
    """Every statement, those inside branches and loops included."""
    for statement in statements:
        yield statement
        match statement:
            case e.If(_, then, otherwise):
                yield from walk(then)
                yield from walk(otherwise)
            case e.While(_, body):
                yield from walk(body)


def operate(operator: str, left: Interval, right: Interval) -> Interval:
    """An interval with every value of a binary operation; what overflows is an error and has no value."""
    match operator:
        case "+":
            return _clip((left[0] + right[0], left[1] + right[1]))
        case "-":
            return _clip((left[0] - right[1], left[1] - right[0]))
        case "*":
            corners = [a * b for a in left for b in right]
            return _clip((min(corners), max(corners)))
        case "/":
            # The magnitude never grows, and both signs can only occur where an operand has both.
            largest = max(map(abs, left))
            positive = (left[0] >= 0 and right[0] > 0) or (left[1] <= 0 and right[1] < 0)
            if positive and right[0] > 0:
                return left[0] // right[1], left[1] // right[0]
            return _clip((0 if positive else -largest, largest))
        case "%":
            largest = min(max(map(abs, left)), max(max(map(abs, right)) - 1, 0))
            return (0 if left[0] >= 0 else -largest), (0 if left[1] <= 0 else largest)
        case "&" if left[0] >= 0 and right[0] >= 0:
            return 0, min(left[1], right[1])
        case "|" | "^" if left[0] >= 0 and right[0] >= 0:
            return 0, (1 << max(left[1], right[1]).bit_length()) - 1
        case ">>":
            return min(left[0], 0), max(left[1], 0)
        case "<?":
            return min(left[0], right[0]), min(left[1], right[1])
        case ">?":
            return max(left[0], right[0]), max(left[1], right[1])
        case "&" | "|" | "^" | "<<":
            return FULL
        case _:
            return TRUTH


def _clip(interval: Interval) -> Interval:
    return meet(interval, FULL) or FULL
