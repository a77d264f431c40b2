"""Compiles expressions and statements of a network to the byte code of ``cpp/machine.hpp``.

A piece of code starts at its address and ends with ``halt``; the value is the top of the stack. ``positions`` tells
where in the source an instruction comes from that can end in a model error.
"""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.position import NOWHERE, Position
from argosy.kernel import _zones
from argosy.models import network_expressions as e
from argosy.models.network import Network

OP: dict[str, int] = _zones.OPCODES

BINARY = {
    "+": OP["add"],
    "-": OP["subtract"],
    "*": OP["multiply"],
    "/": OP["divide"],
    "%": OP["remainder"],
    "&": OP["bit_and"],
    "|": OP["bit_or"],
    "^": OP["bit_xor"],
    "<<": OP["shift_left"],
    ">>": OP["shift_right"],
    "<?": OP["minimum"],
    ">?": OP["maximum"],
    "<": OP["less"],
    "<=": OP["at_most"],
    "==": OP["equal"],
    "!=": OP["differs"],
    ">=": OP["at_least"],
    ">": OP["greater"],
}

EFFECT = {
    "push": 1,
    "load": 1,
    "index": -1,
    "store_at": -1,
    "pop": -1,
    "jump_zero": -1,
    "jump_nonzero": -1,
    "at": 1,
    "copy": -2,
    "reset": -2,
}
"""By how much an instruction grows the stack, where that is not nothing. A call does it by its arguments."""

OPEN = -1
"""A jump target that is not known yet."""


class Assembler:
    def __init__(self, network: Network) -> None:
        self.code: list[int] = []
        self.positions: dict[int, Position] = {}
        self.entries: dict[int, int] = {}
        self._network = network
        self._room: dict[int, int] = {}
        self._depth = 0
        self.stack_size = 0
        for index in range(len(network.functions)):
            self._function(index)

    def _function(self, index: int) -> None:
        """Compiles a function after those that it calls (functions do not recur)."""
        if index in self.entries:
            return
        function = self._network.functions[index]
        for called in _calls(function.body):
            self._function(called)
        outer, self.stack_size = self.stack_size, 0
        self.entries[index] = self._start()
        self._statements(function.body)
        self._emit("leave")
        self._room[index] = self.stack_size + 1
        self.stack_size = max(outer, self._room[index])

    # Pieces

    def condition(self, expression: e.Expression) -> int:
        """The address of code that leaves zero or not; -1 where the expression is true anyway."""
        if isinstance(expression, e.Constant) and expression.value != 0:
            return -1
        start = self._start()
        failing = self._unless(expression)
        self._emit("push", 1)
        self._emit("halt")
        if failing:
            self._patch(failing)
            self._depth = 0
            self._emit("push", 0)
            self._emit("halt")
        return start

    def value(self, expression: e.Expression) -> int:
        """The address of code that leaves the value of an expression."""
        start = self._start()
        self._value(expression)
        self._emit("halt")
        return start

    def address(self, place: e.NetworkPlace) -> int:
        """The address of code that leaves the number that a place names."""
        start = self._start()
        self._place(place)
        self._emit("halt")
        return start

    def update(self, statements: Iterable[e.Statement]) -> int:
        """The address of code that executes statements; -1 where there are none."""
        body = tuple(statements)
        if not body:
            return -1
        start = self._start()
        self._statements(body)
        self._emit("halt")
        return start

    def atom(self, atom: e.ClockAtom) -> int:
        """The address of code that leaves [left right bound 1], or 0 where the atom's condition does not hold."""
        start = self._start()
        failing = [] if atom.condition == e.TRUE else self._unless(atom.condition)
        self._place(atom.left)
        self._place(atom.right)
        self._value(atom.bound)
        self._emit("push", 1)
        self._emit("halt")
        if failing:
            self._patch(failing)
            self._depth = 0
            self._emit("push", 0)
            self._emit("halt")
        return start

    # Expressions

    def _value(self, expression: e.Expression) -> None:
        match expression:
            case e.Constant(value):
                self._emit("push", value)
            case e.Read(e.NetworkPlace(base, ())):
                self._emit("load", base)
            case e.Read(place):
                self._place(place)
                self._emit("load_at")
            case e.Unary(operator, operand, position):
                self._value(operand)
                self._emit("negate" if operator == "-" else "logical_not", position=position)
            case e.Binary("&&" | "||"):
                self._truth(expression)
            case e.Binary(operator, left, right, position):
                self._value(left)
                self._value(right)
                self._emit_code(BINARY[operator], position=position, depth=-1)
            case e.Conditional(condition, then, otherwise):
                failing = self._unless(condition)
                self._value(then)
                done = self._jump("jump")
                self._patch(failing)
                self._depth -= 1
                self._value(otherwise)
                self._patch([done])
            case e.Assignment(e.NetworkPlace(base, ()), value, position):
                self._value(value)
                self._emit("store", base, position=position)
            case e.Assignment(target, value, position):
                self._place(target)
                self._value(value)
                self._emit("store_at", position=position)
            case e.FunctionCall(function, arguments, position):
                self._call(function, arguments, position)
            case e.AtLocation(process, location):
                self._emit("at", process, location)

    def _truth(self, expression: e.Expression) -> None:
        """A condition as a value."""
        failing = self._unless(expression)
        self._emit("push", 1)
        done = self._jump("jump")
        self._patch(failing)
        self._depth -= 1
        self._emit("push", 0)
        self._patch([done])

    def _unless(self, expression: e.Expression) -> list[int]:
        """Code that goes on where the condition holds; the jumps, to be patched, that are taken where it does not."""
        match expression:
            case e.Constant(value) if value != 0:
                return []
            case e.Binary("&&", left, right):
                return [*self._unless(left), *self._unless(right)]
            case e.Binary("||", left, right):
                holding = self._when(left)
                failing = self._unless(right)
                self._patch(holding)
                return failing
            case e.Unary("!", operand):
                return self._when(operand)
            case e.Binary("==", e.Read(e.NetworkPlace(slot, ())), e.Constant(value)):
                return [self._jump("jump_unless", slot, value)]
            case e.Binary("!=", e.Read(e.NetworkPlace(slot, ())), e.Constant(value)):
                return [self._jump("jump_if", slot, value)]
        self._value(expression)
        return [self._jump("jump_zero")]

    def _when(self, expression: e.Expression) -> list[int]:
        """Like ``_unless`` for the negation: goes on where the condition does not hold."""
        match expression:
            case e.Constant(0):
                return []
            case e.Binary("||", left, right):
                return [*self._when(left), *self._when(right)]
            case e.Binary("&&", left, right):
                failing = self._unless(left)
                holding = self._when(right)
                self._patch(failing)
                return holding
            case e.Unary("!", operand):
                return self._unless(operand)
            case e.Binary("==", e.Read(e.NetworkPlace(slot, ())), e.Constant(value)):
                return [self._jump("jump_if", slot, value)]
            case e.Binary("!=", e.Read(e.NetworkPlace(slot, ())), e.Constant(value)):
                return [self._jump("jump_unless", slot, value)]
        self._value(expression)
        return [self._jump("jump_nonzero")]

    def _place(self, place: e.NetworkPlace) -> None:
        self._emit("push", place.base)
        for subscript in place.subscripts:
            self._value(subscript.index)
            self._emit("index", subscript.low, subscript.size, subscript.stride, position=subscript.position)

    def _call(self, index: int, arguments: Iterable[e.Expression | e.ArrayRun], position: Position) -> None:
        function = self._network.functions[index]
        for argument in arguments:
            if isinstance(argument, e.ArrayRun):
                self._place(argument.place)
                self._emit("load_run", argument.size)
                self._grow(argument.size - 1)
            else:
                self._value(argument)
        self._grow(-sum(parameter.size for parameter in function.parameters))
        self.stack_size = max(self.stack_size, self._depth + self._room[index])
        self._emit("call", index, position=position)
        self._grow(1)

    # Statements

    def _statements(self, statements: Iterable[e.Statement]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: e.Statement) -> None:
        match statement:
            case e.Evaluate(e.Assignment(e.NetworkPlace(slot, ()), e.Constant(value))) if self._in_range(slot, value):
                self._emit("set", slot, value)
            case e.Evaluate(expression):
                self._value(expression)
                self._emit("pop")
            case e.Copy(target, source, size, position):
                self._place(target)
                self._place(source)
                self._emit("copy", size, position=position)
            case e.Reset(e.NetworkPlace(clock, ()), e.Constant(value)) if value >= 0:
                self._emit("reset_to", clock, value)
            case e.Reset(clock, value, position):
                self._place(clock)
                self._value(value)
                self._emit("reset", position=position)
            case e.If(condition, then, otherwise):
                failing = self._unless(condition)
                self._statements(then)
                done = [self._jump("jump")] if otherwise else []
                self._patch(failing)
                self._statements(otherwise)
                self._patch(done)
            case e.While(condition, body, test_first, position):
                failing = self._unless(condition) if test_first else []
                start = len(self.code)
                self._emit("round", position=position)
                self._statements(body)
                for jump in self._when(condition):
                    self.code[jump] = start
                self._patch(failing)
            case e.Return(None):
                self._emit("leave")
            case e.Return(value, position):
                assert value is not None
                self._value(value)
                self._emit("give", position=position)
                self._grow(-1)

    def _in_range(self, slot: int, value: int) -> bool:
        variable = self._network.slot(slot)
        return variable.low <= value <= variable.high

    # Instructions

    def _start(self) -> int:
        self._depth = 0
        return len(self.code)

    def _emit(self, name: str, *operands: int, position: Position = NOWHERE) -> None:
        self._emit_code(OP[name], *operands, position=position, depth=EFFECT.get(name, 0))

    def _emit_code(self, opcode: int, *operands: int, position: Position, depth: int) -> None:
        if position is not NOWHERE:
            self.positions[len(self.code)] = position
        self.code += (opcode, *operands)
        self._grow(depth)

    def _grow(self, by: int) -> None:
        self._depth += by
        self.stack_size = max(self.stack_size, self._depth)

    def _jump(self, name: str, *operands: int) -> int:
        """Emits a jump without its target; returns where the target goes."""
        self._emit(name, *operands, OPEN)
        return len(self.code) - 1

    def _patch(self, jumps: Iterable[int]) -> None:
        for jump in jumps:
            self.code[jump] = len(self.code)


def _calls(value: object) -> Iterable[int]:
    """The functions called anywhere inside statements."""
    if isinstance(value, e.FunctionCall):
        yield value.function
    if isinstance(value, tuple):
        for part in value:
            yield from _calls(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _calls(getattr(value, name))
