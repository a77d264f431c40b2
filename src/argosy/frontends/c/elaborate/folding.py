"""The values of constant expressions (C11 6.6): arithmetic on Python's numbers, modulo the width of the type. Floats
are rounded to theirs; what comes to no finite number, or is of no type that is modelled, is none."""

from __future__ import annotations

from fractions import Fraction

from argosy.frontends.c.literals import FLOAT_SUFFIX
from argosy.frontends.c.typed import (
    AddressOf,
    BinaryOperation,
    Cast,
    Comma,
    Contents,
    ElementPlace,
    Expression,
    FloatConstant,
    IntegerConstant,
    MemberPlace,
    Place,
    Selection,
    ShortCircuit,
    SizeOf,
    TargetPlace,
    UnaryOperation,
)
from argosy.frontends.c.types import BinaryFloat, DataModel, Integer, Pointer, StructureType, Type
from argosy.logic.floating import FloatFormat, exact, is_infinite, read_decimal, rounded


def number(model: DataModel, value: Expression) -> int | None:
    """The number that an expression of integer or pointer type always is; None for any other."""
    type_ = value.type
    if not isinstance(type_, Integer | Pointer):
        return None
    match value:
        case IntegerConstant() | SizeOf():
            return value.value
        case Cast(operand) if isinstance(operand.type, BinaryFloat):
            return _truncated(float_number(model, operand), type_)
        case Cast(operand):
            inner = number(model, operand)
            return None if inner is None else _wrapped(inner, type_)
        case UnaryOperation():
            return _unary(model, value, type_)
        case BinaryOperation():
            return _binary(model, value, type_)
        case ShortCircuit():
            return _short_circuit(model, value)
        case Selection():
            condition = truth(model, value.condition)
            return None if condition is None else number(model, value.yes if condition else value.no)
        case Comma():
            return None if number(model, value.first) is None else number(model, value.second)
        case AddressOf():
            return _address(model, value.place)
        case Contents():
            return None
    return None


def truth(model: DataModel, value: Expression) -> bool | None:
    """Whether an expression always is another number than zero; None where that is not known."""
    found = float_number(model, value) if isinstance(value.type, BinaryFloat) else number(model, value)
    return None if found is None else bool(found)


def float_number(model: DataModel, value: Expression) -> Fraction | None:
    """The same of an expression of type ``float`` or ``double``; both zeros are 0."""
    type_ = value.type
    if not isinstance(type_, BinaryFloat):
        return None
    found: Fraction | int | None = None
    match value:
        case FloatConstant():
            bits = read_decimal(type_.format, FLOAT_SUFFIX.sub("", value.text))
            return None if bits is None or is_infinite(type_.format, bits) else exact(type_.format, bits)
        case Cast(operand) if isinstance(operand.type, BinaryFloat):
            found = float_number(model, operand)
        case Cast(operand):
            found = number(model, operand)
        case UnaryOperation(op="-"):
            inner = float_number(model, value.operand)
            found = None if inner is None else -inner
        case Selection():
            condition = truth(model, value.condition)
            found = None if condition is None else float_number(model, value.yes if condition else value.no)
        case BinaryOperation():
            left, right = float_number(model, value.left), float_number(model, value.right)
            if left is not None and right is not None and (right or value.op != "/"):
                by_operator = {"+": left + right, "-": left - right, "*": left * right, "/": left / (right or 1)}
                found = by_operator.get(value.op)
    return None if found is None else _rounded(type_.format, Fraction(found))


def _rounded(format_: FloatFormat, found: Fraction) -> Fraction | None:
    bits = rounded(format_, found)
    return None if is_infinite(format_, bits) else exact(format_, bits)


def _truncated(value: Fraction | None, type_: Integer | Pointer) -> int | None:
    """Towards zero; what the type does not hold is no constant."""
    if value is None or not isinstance(type_, Integer):
        return None
    if type_.is_bool:
        return int(value != 0)
    whole = int(value)
    return whole if type_.minimum <= whole <= type_.maximum else None


def _wrapped(value: int, type_: Integer | Pointer) -> int:
    if isinstance(type_, Integer) and type_.is_bool:
        return int(value != 0)
    width = type_.sort.width
    value &= (1 << width) - 1
    signed = isinstance(type_, Integer) and type_.signed
    return value - (1 << width) if signed and value >> (width - 1) else value


def _unary(model: DataModel, value: UnaryOperation, type_: Integer | Pointer) -> int | None:
    if value.op == "!":
        known = truth(model, value.operand)
        return None if known is None else int(not known)
    inner = number(model, value.operand)
    return None if inner is None else _wrapped(-inner if value.op == "-" else ~inner, type_)


def _short_circuit(model: DataModel, value: ShortCircuit) -> int | None:
    left = truth(model, value.left)
    if left is None or left == (value.op == "||"):
        return None if left is None else int(left)
    right = truth(model, value.right)
    return None if right is None else int(right)


def _binary(model: DataModel, value: BinaryOperation, type_: Integer | Pointer) -> int | None:
    of = value.left.type
    if isinstance(of, BinaryFloat):
        first, second = float_number(model, value.left), float_number(model, value.right)
        return None if first is None or second is None else int(_compared(value.op, first, second))
    left, right = number(model, value.left), number(model, value.right)
    if left is None or right is None:
        return None
    if isinstance(of, Pointer) and value.op in "+-":
        return _moved(model, of, value, left, right, type_)
    return _applied(value.op, left, right, type_)


def _moved(
    model: DataModel, of: Pointer, value: BinaryOperation, left: int, right: int, type_: Integer | Pointer
) -> int | None:
    size = model.size(of.target)
    if size is None:
        return None
    if not isinstance(value.right.type, Pointer):
        return _wrapped(left + right * size if value.op == "+" else left - right * size, type_)
    return _wrapped((left - right) // size, type_) if size else None


def _applied(op: str, a: int, b: int, type_: Integer | Pointer) -> int | None:
    result: int
    match op:
        case "+" | "-" | "*":
            result = a + b if op == "+" else a - b if op == "-" else a * b
        case "&" | "|" | "^":
            result = a & b if op == "&" else a | b if op == "|" else a ^ b
        case "/" | "%":
            if b == 0:
                return None
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            result = quotient if op == "/" else a - quotient * b
        case "<<" | ">>":
            if not 0 <= b < type_.sort.width:
                return None
            result = a << b if op == "<<" else a >> b
        case _:
            return int(_compared(op, a, b))
    return _wrapped(result, type_)


def _compared(op: str, a: Fraction | int, b: Fraction | int) -> bool:
    return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}[op]


def _address(model: DataModel, place: Place) -> int | None:
    """The address of a place behind a pointer that is a number, as in ``&((struct s *)0)->m``."""
    match place:
        case TargetPlace():
            return number(model, place.pointer)
        case MemberPlace():
            base, offset = _address(model, place.record), _offset(model, place.record.type, place.name)
            return None if base is None or offset is None else base + offset
        case ElementPlace():
            base, index, size = _address(model, place.array), number(model, place.index), model.size(place.type)
            return None if base is None or index is None or size is None else base + index * size
    return None


def _offset(model: DataModel, record: Type, name: str) -> int | None:
    return model.offset(record, name) if isinstance(record, StructureType) else None
