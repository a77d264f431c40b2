"""The instructions of a program as they are emitted: labels, temporary cells, operators that are folded where all is
known."""

from __future__ import annotations

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc import operators
from argosy.frontends.plc.addresses import PlcLocation
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcDemand,
    PlcInstruction,
    PlcLoad,
    PlcOperate,
    PlcStore,
    TypedExpression,
)
from argosy.frontends.plc.scopes import PlcScopes
from argosy.frontends.plc.types import (
    BOOLEAN,
    Cell,
    PlcScalar,
    PlcStorage,
    Value,
)
from argosy.models.kinds import Undefined

MOST = 200_000
"""Instructions, beyond which a program is refused."""


class EmittedCode:
    """Instructions on their way. ``known`` are cells whose value is known for the moment, ``frozen`` those that nobody
    writes; while ``pure`` is not 0, nothing may be emitted: a constant is wanted."""

    scopes: PlcScopes

    def __init__(self) -> None:
        self.code: list[PlcInstruction] = []
        self.marks: dict[int, int] = {}
        self.known: dict[Cell, Value] = {}
        self.frozen: dict[Cell, Value] = {}
        self.addresses: dict[str, PlcStorage] = {}
        self._places: dict[str, tuple[PlcLocation, int]] = {}
        self.guards: list[TypedExpression] = []
        self._labels = 0
        self._temporaries: dict[tuple[str, int], Cell] = {}
        self._free = 0
        self.pure = 0

    # ---- instructions -------------------------------------------------------------------------------------

    def emit(self, instruction: PlcInstruction) -> None:
        if self.pure:
            raise InputError(instruction.position, "a constant is needed here")
        if len(self.code) >= MOST:
            raise UnsupportedError(instruction.position, f"a cycle of more than {MOST} steps, loops unrolled")
        self.code.append(instruction)

    def label(self) -> int:
        self._labels += 1
        return self._labels

    def mark(self, label: int) -> None:
        self.marks[label] = len(self.code)

    def temporary(self, value: TypedExpression, position: Position) -> TypedExpression:
        """The value as it is now."""
        if isinstance(value, PlcConstant):
            return value
        self._free += 1
        cell = self.scopes.cell(f"temporary {self._free}", value.type, "hidden", position)
        self.emit(PlcStore(cell, value, position))
        return PlcLoad(cell)

    def operate(self, operator: str, *operands: TypedExpression, type: PlcScalar, at: Position) -> TypedExpression:
        """An operator, folded where all is known."""
        if operator == "if" and isinstance(operands[0], PlcConstant):
            return operands[1] if operands[0].value else operands[2]
        if operator in ("and", "or") and type.kind == "bool":
            zero = operator == "or"
            for one, other in (operands, operands[::-1]):
                if isinstance(one, PlcConstant):
                    return one if one.value is zero else other
        if all(isinstance(operand, PlcConstant) for operand in operands):
            values = [operand.value for operand in operands if isinstance(operand, PlcConstant)]
            try:
                found = operators.evaluate(operator, [o.type for o in operands], type, values)
            except ZeroDivisionError:
                raise InputError(at, "a division by zero") from None
            return PlcConstant(found, type)
        return PlcOperate(operator, operands, type, at)

    def truth(self, operator: str, *operands: TypedExpression, at: Position) -> TypedExpression:
        return self.operate(operator, *operands, type=BOOLEAN, at=at)

    def demand(self, condition: TypedExpression, kind: Undefined, position: Position, text: str) -> None:
        for guard in reversed(self.guards):
            condition = self.truth("or", self.truth("not", guard, at=position), condition, at=position)
        if isinstance(condition, PlcConstant) and condition.value:
            return
        self.emit(PlcDemand(condition, kind, position, text))
