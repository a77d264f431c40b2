"""Types of the language, and how much storage each takes: integer slots, clocks and channels are counted apart."""

from __future__ import annotations

from typing import TypeGuard

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    integers: int = 0
    clocks: int = 0
    channels: int = 0

    def __add__(self, other: Extent) -> Extent:
        return Extent(self.integers + other.integers, self.clocks + other.clocks, self.channels + other.channels)

    def __mul__(self, count: int) -> Extent:
        return Extent(self.integers * count, self.clocks * count, self.channels * count)


@dataclass(frozen=True, slots=True)
class IntegerType:
    low: int = -32768
    high: int = 32767

    def __str__(self) -> str:
        return f"int[{self.low},{self.high}]"


@dataclass(frozen=True, slots=True)
class BooleanType:
    low: int = 0
    high: int = 1

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """``identity`` tells scalar sets apart: each ``scalar[n]`` in the text is a set of its own."""

    identity: int
    size: int

    @property
    def low(self) -> int:
        return 0

    @property
    def high(self) -> int:
        return self.size - 1

    def __str__(self) -> str:
        return f"scalar[{self.size}]"


@dataclass(frozen=True, slots=True)
class ClockType:
    def __str__(self) -> str:
        return "clock"


@dataclass(frozen=True, slots=True)
class ChannelType:
    urgent: bool = False
    broadcast: bool = False

    def __str__(self) -> str:
        return "urgent " * self.urgent + "broadcast " * self.broadcast + "chan"


@dataclass(frozen=True, slots=True)
class VoidType:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class ArrayType:
    """Indices run over ``index``, an integer range or a scalar set."""

    index: IntegerType | ScalarType
    element: Type

    @property
    def size(self) -> int:
        return self.index.high - self.index.low + 1

    def __str__(self) -> str:
        return f"{self.element}[{self.index}]"


@dataclass(frozen=True, slots=True)
class RecordType:
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return "struct { " + " ".join(f"{type_} {name};" for name, type_ in self.fields) + " }"


NumberType = IntegerType | BooleanType | ScalarType
Type = NumberType | ClockType | ChannelType | VoidType | ArrayType | RecordType

Value = int | tuple["Value", ...]
"""A constant of a type: a number, or the values of elements or fields."""


def extent(type_: Type) -> Extent:
    match type_:
        case IntegerType() | BooleanType() | ScalarType():
            return Extent(integers=1)
        case ClockType():
            return Extent(clocks=1)
        case ChannelType():
            return Extent(channels=1)
        case ArrayType():
            return extent(type_.element) * type_.size
        case RecordType(fields):
            total = Extent()
            for _, inner in fields:
                total += extent(inner)
            return total
        case VoidType():
            return Extent()


def similar(left: Type, right: Type) -> bool:
    """Whether values of one type may stand for the other as a whole; ranges are checked when values are stored."""
    match left, right:
        case ((IntegerType() | BooleanType()), (IntegerType() | BooleanType())):
            return True
        case ArrayType(), ArrayType():
            return left.index == right.index and similar(left.element, right.element)
        case RecordType(), RecordType():
            return [name for name, _ in left.fields] == [name for name, _ in right.fields] and all(
                similar(a, b) for (_, a), (_, b) in zip(left.fields, right.fields, strict=True)
            )
    return left == right


def is_number(type_: Type) -> TypeGuard[NumberType]:
    return isinstance(type_, IntegerType | BooleanType | ScalarType)
