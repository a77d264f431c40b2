"""What expressions and statements of a network mean, on integers (``network_expressions`` says it in words).

The reference: slow, exact, and the only place where a model error is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass
from argosy.models import network_expressions as e


class ModelError(Exception):
    """The model asks for something that has no value; UPPAAL aborts the verification there."""

    def __init__(self, position: Position, what: str) -> None:
        super().__init__(position, what)
        self.position = position
        self.what = what

    def __str__(self) -> str:
        return f"{self.position}: {self.what}"


class Slot(Protocol):
    """The range of an integer slot, and a name for messages."""

    @property
    def name(self) -> str: ...
    @property
    def low(self) -> int: ...
    @property
    def high(self) -> int: ...


class Memory(Protocol):
    def __getitem__(self, slot: int, /) -> int: ...
    def __setitem__(self, slot: int, value: int, /) -> None: ...


@dataclass(frozen=True, slots=True)
class _Returned:
    value: int


def operate(operator: e.BinaryOperator, left: int, right: int, position: Position = NOWHERE) -> int:
    """A binary operation on values. The logical operators are here too, for operands that are both known."""
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/" | "%":
            if right == 0:
                raise ModelError(position, "division by zero")
            quotient = abs(left) // abs(right)
            if (left < 0) != (right < 0):
                quotient = -quotient
            result = quotient if operator == "/" else left - quotient * right
        case "&":
            result = left & right
        case "|":
            result = left | right
        case "^":
            result = left ^ right
        case "<<" | ">>":
            if right < 0:
                raise ModelError(position, "shift by a negative count")
            # Beyond 64 places the result no longer depends on the count: an overflow, or the sign.
            count = min(right, 64)
            result = left << count if operator == "<<" else left >> count
        case "<?":
            result = min(left, right)
        case ">?":
            result = max(left, right)
        case "<":
            result = int(left < right)
        case "<=":
            result = int(left <= right)
        case "==":
            result = int(left == right)
        case "!=":
            result = int(left != right)
        case ">=":
            result = int(left >= right)
        case ">":
            result = int(left > right)
        case "&&":
            result = int(left != 0 and right != 0)
        case "||":
            result = int(left != 0 or right != 0)
    return _representable(result, position)


def negate(value: int, position: Position = NOWHERE) -> int:
    return _representable(-value, position)


def _representable(value: int, position: Position) -> int:
    if not e.INTEGER_LOW <= value <= e.INTEGER_HIGH:
        raise ModelError(position, f"the value {value} does not fit into 32 bits")
    return value


class Evaluator:
    """Evaluates and executes over one memory, and collects the clock resets of what it executed (last one last)."""

    def __init__(
        self,
        functions: Sequence[e.NetworkFunction],
        slot: Callable[[int], Slot],
        memory: Memory,
        locations: Sequence[int] = (),
    ) -> None:
        self.resets: list[tuple[int, int]] = []
        self._functions = functions
        self._slot = slot
        self._memory = memory
        self._locations = locations
        self._rounds = 0

    def value(self, expression: e.Expression) -> int:
        match expression:
            case e.Constant(value):
                return value
            case e.Read(place):
                return self._memory[self.address(place)]
            case e.Unary("-", operand, position):
                return negate(self.value(operand), position)
            case e.Unary(_, operand):
                return int(self.value(operand) == 0)
            case e.Binary("&&", left, right):
                return int(self.value(left) != 0 and self.value(right) != 0)
            case e.Binary("||", left, right):
                return int(self.value(left) != 0 or self.value(right) != 0)
            case e.Binary(operator, left, right, position):
                return operate(operator, self.value(left), self.value(right), position)
            case e.Conditional(condition, then, otherwise):
                return self.value(then) if self.value(condition) != 0 else self.value(otherwise)
            case e.Assignment(target, value, position):
                address = self.address(target)
                return self._store(address, self.value(value), position)
            case e.FunctionCall(function, arguments, position):
                return self._call(self._functions[function], arguments, position)
            case e.AtLocation(process, location):
                return int(self._locations[process] == location)

    def address(self, place: e.NetworkPlace) -> int:
        """The slot, clock or channel that a place names."""
        address = place.base
        for subscript in place.subscripts:
            index = self.value(subscript.index) - subscript.low
            if not 0 <= index < subscript.size:
                high = subscript.low + subscript.size - 1
                raise ModelError(subscript.position, f"index {index + subscript.low} outside {subscript.low} .. {high}")
            address += index * subscript.stride
        return address

    def execute(self, statements: Iterable[e.Statement]) -> None:
        """A ``Return`` outside a function has nothing to return from and does not occur."""
        self._execute(statements)

    def _execute(self, statements: Iterable[e.Statement]) -> _Returned | None:
        for statement in statements:
            returned = self._step(statement)
            if returned is not None:
                return returned
        return None

    def _step(self, statement: e.Statement) -> _Returned | None:
        match statement:
            case e.Evaluate(expression):
                self.value(expression)
            case e.Copy(target, source, size, position):
                to, origin = self.address(target), self.address(source)
                for offset in range(size):
                    self._store(to + offset, self._memory[origin + offset], position)
            case e.Reset(clock, expression, position):
                address = self.address(clock)
                value = self.value(expression)
                if value < 0:
                    raise ModelError(position, f"a clock is set to the negative value {value}")
                self.resets.append((address, value))
            case e.If(condition, then, otherwise):
                return self._execute(then if self.value(condition) != 0 else otherwise)
            case e.While(condition, body, test_first, position):
                proceed = not test_first or self.value(condition) != 0
                while proceed:
                    self._rounds += 1
                    if self._rounds > e.LOOP_LIMIT:
                        raise ModelError(position, f"loops take more than {e.LOOP_LIMIT} rounds")
                    returned = self._execute(body)
                    if returned is not None:
                        return returned
                    proceed = self.value(condition) != 0
            case e.Return(value):
                return _Returned(0 if value is None else self.value(value))
        return None

    def _store(self, slot: int, value: int, position: Position) -> int:
        variable = self._slot(slot)
        if not variable.low <= value <= variable.high:
            raise ModelError(
                position, f"the value {value} is outside the range {variable.low} .. {variable.high} of {variable.name}"
            )
        self._memory[slot] = value
        return value

    def _call(
        self, function: e.NetworkFunction, arguments: tuple[e.Expression | e.ArrayRun, ...], position: Position
    ) -> int:
        values: list[int] = []
        for argument in arguments:
            if isinstance(argument, e.ArrayRun):
                start = self.address(argument.place)
                values += [self._memory[start + offset] for offset in range(argument.size)]
            else:
                values.append(self.value(argument))
        slots = [p.slot + offset for p in function.parameters for offset in range(p.size)]
        for slot, value in zip(slots, values, strict=True):
            self._store(slot, value, position)
        returned = self._execute(function.body)
        result = 0 if returned is None else returned.value
        if returned is not None and not function.low <= result <= function.high:
            raise ModelError(
                position, f"{function.name} returns {result}, outside its range {function.low} .. {function.high}"
            )
        return result
