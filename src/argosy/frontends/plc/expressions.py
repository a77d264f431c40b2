"""Expressions, typed. Calls, divisions and accesses to arrays become instructions before the one that needs them."""

from __future__ import annotations

from abc import abstractmethod

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.code import (
    PlcChoose,
    PlcConstant,
    PlcOperate,
    PlcStore,
    TypedExpression,
    loaded,
)
from argosy.frontends.plc.conversions import UNTYPED, UNTYPED_REAL
from argosy.frontends.plc.frames import PlcFrame
from argosy.frontends.plc.places import PlaceCode
from argosy.frontends.plc.syntax import (
    PlcAddress,
    PlcAggregate,
    PlcBinary,
    PlcBit,
    PlcCall,
    PlcEnumLiteral,
    PlcExpression,
    PlcIndex,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcUnary,
)
from argosy.frontends.plc.types import (
    BOOLEAN,
    ELEMENTARY,
    PlcScalar,
)
from argosy.models.kinds import Undefined

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "MOD": "mod"}
_LOGIC = {"AND": "and", "OR": "or", "XOR": "xor", "AND_THEN": "and", "OR_ELSE": "or"}
_COMPARISONS = {"=": "eq", "<>": "eq", "<": "lt", ">": "lt", "<=": "le", ">=": "le"}


class ExpressionCode(PlaceCode):
    """Code that knows expressions."""

    def expression(self, syntax: PlcExpression, frame: PlcFrame) -> TypedExpression:
        match syntax:
            case PlcLiteral():
                return self._constant(syntax)
            case PlcEnumLiteral():
                return self._enumerator(syntax)
            case PlcName() | PlcMember() | PlcIndex() | PlcAddress():
                return self.load(self.reference(syntax, frame), syntax.position)
            case PlcBit():
                return self._bit(syntax, frame)
            case PlcUnary():
                return self._unary(syntax, frame)
            case PlcBinary():
                return self._binary(syntax, frame)
            case PlcCall():
                return self.call(syntax, frame)
            case PlcAggregate():
                raise InputError(syntax.position, "a list of values may only stand in a declaration")

    @abstractmethod
    def call(self, syntax: PlcCall, frame: PlcFrame) -> TypedExpression:
        """The value of a call."""

    def condition(self, syntax: PlcExpression, frame: PlcFrame) -> TypedExpression:
        found = self.expression(syntax, frame)
        if found.type.kind != "bool":
            raise InputError(syntax.position, f"a condition is of type BOOL, not {found.type.name}")
        return found

    def constant(self, syntax: PlcExpression, frame: PlcFrame, type: PlcScalar | None = None) -> PlcConstant:
        """The value of an expression that is known now. Raises InputError where it is not."""
        self.pure += 1
        try:
            found = self.expression(syntax, frame)
            if type is not None:
                found = self.convert(found, type, syntax.position)
        finally:
            self.pure -= 1
        if not isinstance(found, PlcConstant):
            raise InputError(syntax.position, "a constant is needed here")
        return found

    def _constant(self, syntax: PlcLiteral) -> PlcConstant:
        match syntax.kind:
            case "bool":
                return PlcConstant(syntax.value, BOOLEAN)
            case "duration":
                return self.duration(syntax.value, syntax.type, syntax.position)
            case "string":
                named = self.scopes.elementary["WSTRING" if syntax.type == "WSTRING" else "STRING"]
                return PlcConstant(syntax.value, named)
            case "date":
                raise UnsupportedError(syntax.position, "dates and times of day")
        untyped = PlcConstant(syntax.value, UNTYPED if syntax.kind == "integer" else UNTYPED_REAL)
        if not syntax.type:
            return untyped
        return self._literal(untyped, self.scopes.named_scalar(syntax.type, syntax.position), syntax.position)

    def duration(self, nanoseconds: int, clock: str, position: Position) -> PlcConstant:
        type = self.scopes.elementary["LTIME" if clock == "LTIME" else "TIME"]
        value = nanoseconds if type.width == 64 else nanoseconds // 1_000_000
        if type.width == 32 and nanoseconds % 1_000_000:
            raise UnsupportedError(position, "a TIME that is finer than a millisecond (LTIME has nanoseconds)")
        if not type.fits(value):
            raise InputError(position, f"a duration that {type.name} does not hold")
        return PlcConstant(value, type)

    def _enumerator(self, syntax: PlcEnumLiteral) -> PlcConstant:
        type = self.scopes.named_scalar(syntax.type, syntax.position)
        for name, number in type.names:
            if name.upper() == syntax.name.upper():
                return PlcConstant(number, type)
        close = did_you_mean(syntax.name, [name for name, _ in type.names])
        raise InputError(syntax.position, f"{syntax.type} has no value {syntax.name}{close}")

    def _bit(self, syntax: PlcBit, frame: PlcFrame) -> TypedExpression:
        base = self.expression(syntax.base, frame)
        if base.type.kind not in ("bits", "integer") or not 0 <= syntax.number < base.type.width:
            raise InputError(syntax.position, f"{base.type.name} has no bit {syntax.number}")
        number = PlcConstant(syntax.number, ELEMENTARY["USINT"])
        return self.truth("bit", base, number, at=syntax.position)

    def _unary(self, syntax: PlcUnary, frame: PlcFrame) -> TypedExpression:
        operand = self.expression(syntax.operand, frame)
        type = operand.type
        if syntax.operator == "NOT":
            if type.kind not in ("bool", "bits", "integer") or type == UNTYPED:
                raise InputError(syntax.position, f"NOT of {type.name}")
            return self.operate("not", operand, type=type, at=syntax.position)
        if type.kind not in ("integer", "real", "time"):
            raise InputError(syntax.position, f"- of {type.name}")
        operand, type = self._promoted(operand, syntax.position)
        return self.operate("neg", operand, type=type, at=syntax.position)

    def _promoted(self, value: TypedExpression, position: Position) -> tuple[TypedExpression, PlcScalar]:
        """With the width that arithmetic has in the dialect."""
        type = value.type
        least = self.scopes.dialect.intermediate
        if type.kind in ("integer", "bits") and type.width < least:
            wide = ELEMENTARY["DINT"]
            return self.operate("convert", value, type=wide, at=position), wide
        return value, type

    def _binary(self, syntax: PlcBinary, frame: PlcFrame) -> TypedExpression:
        operator, at = syntax.operator, syntax.position
        left = self.expression(syntax.left, frame)
        before = len(self.code)
        if operator in ("AND_THEN", "OR_ELSE"):
            self.guards.append(left if operator == "AND_THEN" else self.truth("not", left, at=at))
            right = self.expression(syntax.right, frame)
            self.guards.pop()
        else:
            right = self.expression(syntax.right, frame)
        return self.binary(operator, self._as_before(left, before, at), right, at)

    def _as_before(self, value: TypedExpression, before: int, at: Position) -> TypedExpression:
        """A value as it was when so many instructions had been emitted: operands are evaluated from the left, and a
        call in the right one may write what the left one reads."""
        changed = {each.cell for each in self.code[before:] if isinstance(each, PlcStore | PlcChoose)}
        if changed.isdisjoint(loaded(value)):
            return value
        kept = self.temporary(value, at)
        self.code.insert(before, self.code.pop())
        self.marks.update((label, index + 1) for label, index in self.marks.items() if index > before)
        return kept

    def binary(self, operator: str, left: TypedExpression, right: TypedExpression, at: Position) -> TypedExpression:
        if operator == "->":
            if left.type.kind != "bool" or right.type.kind != "bool":
                raise InputError(at, "-> is between conditions")
            return self.truth("or", self.truth("not", left, at=at), right, at=at)
        if operator == "**":
            return self.power(left, right, at)
        if operator in _COMPARISONS:
            left, right, type = self.meet(left, right, at)
            if operator in (">", ">="):
                left, right = right, left
            found = self.truth(_COMPARISONS[operator], left, right, at=at)
            return self.truth("not", found, at=at) if operator == "<>" else found
        if operator in _LOGIC:
            left, right, type = self.meet(left, right, at)
            if type.kind not in ("bool", "bits", "integer"):
                raise InputError(at, f"{operator} of {type.name}")
            return self.operate(_LOGIC[operator], left, right, type=type, at=at)
        return self._arithmetic(operator, left, right, at)

    def power(self, left: TypedExpression, right: TypedExpression, at: Position) -> TypedExpression:
        match left, right:
            case PlcConstant(base, a), PlcConstant(exponent, b) if a == b == UNTYPED and 0 <= exponent < 128:
                return PlcConstant(base**exponent, UNTYPED)
        real = ELEMENTARY["LREAL" if 64 in (left.type.width, right.type.width) else "REAL"]
        operands = (self._into(each, real, at) for each in (left, right))
        return self.operate("expt", *operands, type=real, at=at)

    def _arithmetic(
        self, operator: str, left: TypedExpression, right: TypedExpression, at: Position
    ) -> TypedExpression:
        a, b = left.type.kind, right.type.kind
        if "time" in (a, b):
            return self._of_time(operator, left, right, at)
        if not (left.type.is_number and right.type.is_number):
            wrong = left.type if not left.type.is_number else right.type
            raise InputError(at, f"{operator} of {wrong.name}")
        left, right, type = self.meet(left, right, at)
        if type in (UNTYPED, UNTYPED_REAL):
            if operator in ("/", "MOD") and isinstance(right, PlcConstant) and right.value == 0:
                raise InputError(at, "a division by zero")
            return self.operate(_ARITHMETIC[operator], left, right, type=type, at=at)
        left, type = self._promoted(left, at)
        right, type = self._promoted(right, at)
        if type.kind != "real":
            self.scopes.note(self.scopes.dialect.notes()["arithmetic"])
        if operator == "MOD" and type.kind == "real":
            raise InputError(at, "MOD of real numbers")
        if operator in ("/", "MOD") and type.kind != "real":
            return self.divide(_ARITHMETIC[operator], left, right, type, at)
        return self.operate(_ARITHMETIC[operator], left, right, type=type, at=at)

    def divide(
        self, operator: str, left: TypedExpression, right: TypedExpression, type: PlcScalar, at: Position
    ) -> TypedExpression:
        if isinstance(right, PlcConstant):
            if right.value == 0:
                raise InputError(at, "a division by zero")
            return self.operate(operator, left, right, type=type, at=at)
        zero = PlcConstant(0, type)
        is_zero = self.truth("eq", right, zero, at=at)
        self.scopes.note(self.scopes.dialect.notes()["division"])
        if self.scopes.dialect.division_by_zero == "zero":
            found = PlcOperate(operator, (left, right), type, at)
            return self.operate("if", is_zero, zero, found, type=type, at=at)
        self.demand(self.truth("not", is_zero, at=at), Undefined.DIVISION, at, "divisor is not 0")
        return PlcOperate(operator, (left, right), type, at)

    def _of_time(self, operator: str, left: TypedExpression, right: TypedExpression, at: Position) -> TypedExpression:
        a, b = left.type, right.type
        self.scopes.note(self.scopes.dialect.notes()["time"])
        if operator in ("+", "-") and a.kind == b.kind:
            left, right, type = self.meet(left, right, at)
            return self.operate(_ARITHMETIC[operator], left, right, type=type, at=at)
        if operator == "*" and b.kind == "time":
            left, right, a, b = right, left, b, a
        if operator in ("*", "/") and a.kind == "time" and b.kind == "integer":
            factor = self._literal_time(right, a, at)
            if operator == "*":
                return self.operate("mul", left, factor, type=a, at=at)
            return self.divide("div", left, factor, a, at)
        raise UnsupportedError(at, f"{a.name} {operator} {b.name}")

    def _literal_time(self, value: TypedExpression, type: PlcScalar, at: Position) -> TypedExpression:
        if isinstance(value, PlcConstant) and value.type == UNTYPED:
            if not type.fits(value.value):
                raise InputError(at, f"{value.value} times {type.name}")
            return PlcConstant(value.value, type)
        return self.operate("convert", value, type=type, at=at)
