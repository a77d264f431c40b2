"""Addresses as numbers that nobody looks at: ``(T *)((unsigned long)p + 8)`` moves one and makes a pointer of it again.

Such a number is as good as the pointer, since the program sees pointers only, and to add to it is to add to a pointer
to characters. What holds one on its way is a local variable of an unsigned type of the width of addresses. Law: the
value of a conversion that is ``carried`` flows to conversions to pointers and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.frontends.c.symbols import Object
from argosy.frontends.c.typed import (
    AddressOf,
    Assigning,
    BinaryOperation,
    Cast,
    Comma,
    Contents,
    Evaluation,
    Expression,
    ObjectPlace,
    Place,
    Selection,
    ShortCircuit,
    Statement,
    TypedFunction,
    operands,
    parts,
    roots,
)
from argosy.frontends.c.types import Integer, Pointer, Type

_MOVES = ("+", "-")
# Where a value goes: to a variable, into a pointer (True), or to somebody who looks at it (False).
_Sink = Object | bool


def carried(function: TypedFunction, width: int) -> frozenset[int]:
    """The conversions of addresses to numbers at which nobody looks, and the operations that move such numbers, by
    their ids; of an operation the address is the left operand, or else its right one, whose id is there too."""
    uses = _Uses(function, width)
    looked = {part for part, sink in uses.parts if sink is not True and sink not in uses.carriers}
    return frozenset(part for part, _ in uses.parts if part not in looked)


class _Uses:
    """Where conversions and variables of a function go."""

    def __init__(self, function: TypedFunction, width: int) -> None:
        self._width = width
        self.parts: list[tuple[int, _Sink]] = []
        self._variables: list[tuple[Object, _Sink]] = []
        self._moved = self._moved_variables(function)
        for statement in function.statements:
            self._statement(statement)
        looked = {variable for variable, sink in self._variables if sink is False}
        self.carriers = self._moved - looked
        changed = True
        while changed:
            lost = {v for v, sink in self._variables if sink is not True and sink not in self.carriers}
            changed = not self.carriers.isdisjoint(lost)
            self.carriers -= lost

    def _fits(self, type_: Type) -> bool:
        return isinstance(type_, Integer) and not type_.signed and type_.width == self._width

    def _is_conversion(self, part: Expression | Place) -> bool:
        return isinstance(part, Cast) and isinstance(part.operand.type, Pointer) and self._fits(part.type)

    def _moved_variables(self, function: TypedFunction) -> set[Object]:
        """Variables that may hold an address as a number."""
        assigned = [s for s in function.statements if isinstance(s, Assigning) and isinstance(s.place, ObjectPlace)]
        found: set[Object] = set()
        changed = True
        while changed:
            new = {
                statement.place.object
                for statement in assigned
                if isinstance(statement.place, ObjectPlace)
                and self._fits(statement.place.type)
                and not statement.place.object.lasting
                and "volatile" not in statement.place.qualifiers
                and self._is_address(statement.value, found)
            }
            changed = not new <= found
            found |= new
        return found

    def _is_address(self, value: Expression, moved: set[Object]) -> bool:
        """Whether an address may be part of a value."""
        return any(
            self._is_conversion(part) or (isinstance(part, ObjectPlace) and part.object in moved)
            for part in parts(value)
        )

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assigning(place=ObjectPlace() as place) if place.object in self._moved:
                self._visit(statement.value, place.object)
            case Evaluation():
                self._visit(statement.value, True)
            case _:
                for root in _seen(statement):
                    self._visit(root, False)

    def _visit(self, part: Expression | Place, sink: _Sink) -> None:
        if isinstance(part, ShortCircuit) or (isinstance(part, BinaryOperation) and part.op not in _MOVES):
            # Most of all conditions, whose parts are looked at.
            self._visit(part.left, False)
            self._visit(part.right, False)
            return
        match part:
            case Cast() if self._is_conversion(part):
                self.parts.append((id(part), sink))
                self._visit(part.operand, False)
            case Cast() if self._fits(part.operand.type) and isinstance(part.type, Pointer):
                self._visit(part.operand, True)
            case Cast() if self._fits(part.operand.type) and self._fits(part.type):
                self._visit(part.operand, sink)
            case BinaryOperation(op="+" | "-") if self._fits(part.type):
                self._move(part, sink)
            case Selection():
                self._visit(part.condition, False)
                self._visit(part.yes, sink)
                self._visit(part.no, sink)
            case Comma():
                self._visit(part.first, False)
                self._visit(part.second, sink)
            case Contents(place=ObjectPlace() as place):
                self._variables.append((place.object, sink))
            case AddressOf() | ObjectPlace():
                for inner in parts(part):
                    if isinstance(inner, ObjectPlace):
                        self._variables.append((inner.object, False))
                for below in operands(part):
                    self._visit(below, False)
            case _:
                for below in operands(part):
                    self._visit(below, False)

    def _move(self, part: BinaryOperation, sink: _Sink) -> None:
        left, right = (self._is_address(each, self._moved) for each in (part.left, part.right))
        if left and not right:
            self.parts.append((id(part), sink))
        elif right and not left and part.op == "+":
            self.parts.extend(((id(part), sink), (id(part.right), sink)))
        self._visit(part.left, sink if not right else False)
        self._visit(part.right, sink if not left and part.op == "+" else False)


def _seen(statement: Statement) -> Iterator[Expression | Place]:
    """What a statement evaluates, but the variable that it assigns to."""
    for root in roots(statement):
        if not (isinstance(statement, Assigning) and root is statement.place and isinstance(root, ObjectPlace)):
            yield root
