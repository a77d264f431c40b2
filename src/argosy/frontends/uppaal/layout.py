"""Storage while a network is built: slots, clocks and channels are handed out one after the other.

How many slots the state vector has is known only at the end, so scratch slots are numbered from ``SCRATCH`` upwards
until ``relocate`` moves them behind the state vector.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.meanings import Known, Storage
from argosy.frontends.uppaal.types import (
    ArrayType,
    BooleanType,
    ChannelType,
    ClockType,
    Extent,
    IntegerType,
    NumberType,
    RecordType,
    ScalarType,
    Type,
    Value,
    VoidType,
    extent,
)
from argosy.models.network import REFERENCE_CLOCK, Channel, Clock, NetworkVariable
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import Expression, NetworkFunction

SCRATCH = 1 << 40
_SLOT_LIMIT = 1_000_000


class Layout:
    def __init__(self) -> None:
        self.variables: list[NetworkVariable] = []
        self.scratch: list[NetworkVariable] = []
        self.clocks: list[Clock] = [REFERENCE_CLOCK]
        self.channels: list[Channel] = []
        self.functions: list[NetworkFunction] = []
        self.expansions = 0
        self._scalars = 0
        self._constants: dict[Known, Storage] = {}

    def scalar_set(self, size: int) -> ScalarType:
        self._scalars += 1
        return ScalarType(self._scalars, size)

    def allocate(
        self,
        type_: Type,
        name: str,
        initial: Value,
        position: Position,
        *,
        meta: bool = False,
        scratch: bool = False,
        constant: bool = False,
    ) -> Storage:
        """Room for a value; ``initial`` matches the type (see ``default``)."""
        size = extent(type_)
        if size.integers + size.clocks + size.channels > _SLOT_LIMIT:
            raise UnsupportedError(position, f"{name} takes more than {_SLOT_LIMIT} elements")
        slots = self.scratch if scratch else self.variables
        base = Extent(len(slots) + scratch * SCRATCH, len(self.clocks), len(self.channels))
        for inner, full_name, value in _leaves(type_, name, initial):
            match inner:
                case ClockType():
                    self.clocks.append(Clock(full_name, position, value))
                case ChannelType(urgent, broadcast):
                    self.channels.append(Channel(full_name, urgent, broadcast, position=position))
                case IntegerType(low, high) | BooleanType(low, high) if not constant:
                    truth = isinstance(inner, BooleanType)
                    slots.append(NetworkVariable(full_name, low, high, value, meta, truth, position))
                case ScalarType() if not constant:
                    slots.append(NetworkVariable(full_name, 0, inner.high, value, meta, False, position))
                case _:
                    truth = isinstance(inner, BooleanType)
                    slots.append(NetworkVariable(full_name, value, value, value, False, truth, position))
        return Storage(type_, base, constant=constant)

    def materialise(self, known: Known, position: Position) -> Storage:
        """A constant array or record as storage, for reading it at a computed index."""
        if known not in self._constants:
            storage = self.allocate(known.type, known.name, known.value, position, constant=True)
            self._constants[known] = storage
        return self._constants[known]

    def slot(self, index: int) -> NetworkVariable:
        return self.scratch[index - SCRATCH] if index >= SCRATCH else self.variables[index]

    def evaluate(self, expression: Expression, position: Position) -> int:
        """The value of an expression that must not depend on the state."""
        try:
            return Evaluator(self.functions, self.slot, _ConstantMemory(self, position)).value(expression)
        except ModelError as error:
            raise InputError(error.position if error.position.line else position, error.what) from error


class _ConstantMemory:
    """Scratch slots, and those slots of the state vector that hold constants."""

    def __init__(self, layout: Layout, position: Position) -> None:
        self._layout = layout
        self._position = position
        self._scratch: dict[int, int] = {}

    def __getitem__(self, slot: int) -> int:
        if slot >= SCRATCH:
            return self._scratch.get(slot, self._layout.slot(slot).initial)
        variable = self._layout.slot(slot)
        if variable.low != variable.high:
            raise InputError(self._position, f"must be computable before the run, but depends on {variable.name}")
        return variable.initial

    def __setitem__(self, slot: int, value: int) -> None:
        if slot < SCRATCH:
            raise InputError(self._position, "must be computable before the run, but changes the state")
        self._scratch[slot] = value


def _leaves(type_: Type, name: str, value: Value) -> Iterator[tuple[Type, str, int]]:
    match type_:
        case ArrayType(index, element):
            values = value if isinstance(value, tuple) else (0,) * type_.size
            for number, inner in zip(range(index.low, index.high + 1), values, strict=True):
                yield from _leaves(element, f"{name}[{number}]", inner)
        case RecordType(fields):
            values = value if isinstance(value, tuple) else (0,) * len(fields)
            for (field, inner_type), inner in zip(fields, values, strict=True):
                yield from _leaves(inner_type, f"{name}.{field}", inner)
        case _:
            yield type_, name, value if isinstance(value, int) else 0


def default(type_: Type, position: Position) -> Value:
    """What a variable holds without an initialiser: 0, or the smallest value where the range lies above 0."""
    match type_:
        case IntegerType(low, high):
            if high < 0:
                raise InputError(position, f"the range {low} .. {high} needs an initialiser")
            return max(0, low)
        case ArrayType():
            return (default(type_.element, position),) * type_.size
        case RecordType(fields):
            return tuple(default(inner, position) for _, inner in fields)
        case BooleanType() | ScalarType() | ClockType() | ChannelType() | VoidType():
            return 0


def in_range(value: int, type_: NumberType, name: str, position: Position) -> int:
    if not type_.low <= value <= type_.high:
        raise InputError(position, f"the value {value} is outside the range {type_.low} .. {type_.high} of {name}")
    return value
