"""What names and expressions stand for once they are resolved, and the scopes that hold them."""

from __future__ import annotations

from collections.abc import Mapping

import argosy.frontends.uppaal.syntax as s
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.uppaal.types import (
    ArrayType,
    ClockType,
    Extent,
    NumberType,
    RecordType,
    ScalarType,
    Type,
    Value,
    extent,
)
from argosy.models.network_expressions import FALSE, Constant, Expression, NetworkPlace, Subscript
from argosy.models.network_queries import StateFormula


@dataclass(frozen=True, slots=True)
class IntegerMeaning:
    """A number (or truth value, or scalar)."""

    expression: Expression
    type: NumberType


@dataclass(frozen=True, slots=True)
class Selector:
    """A subscript before it is known whether a slot, a clock or a channel is meant."""

    index: Expression
    low: int
    size: int
    stride: Extent
    position: Position


@dataclass(frozen=True, slots=True)
class Storage:
    """Something that is stored: a variable, clock or channel, or an array or record of them."""

    type: Type
    base: Extent
    selectors: tuple[Selector, ...] = ()
    constant: bool = False

    def element(self, index: Expression, position: Position) -> Storage:
        assert isinstance(self.type, ArrayType)
        stride = extent(self.type.element)
        low, size = self.type.index.low, self.type.size
        if isinstance(index, Constant) and 0 <= index.value - low < size:
            base = self.base + stride * (index.value - low)
            return Storage(self.type.element, base, self.selectors, self.constant)
        selector = Selector(index, low, size, stride, position)
        return Storage(self.type.element, self.base, (*self.selectors, selector), self.constant)

    def member(self, name: str) -> Storage | None:
        assert isinstance(self.type, RecordType)
        base = self.base
        for field_name, type_ in self.type.fields:
            if field_name == name:
                return Storage(type_, base, self.selectors, self.constant)
            base += extent(type_)
        return None

    @property
    def integers(self) -> NetworkPlace:
        return NetworkPlace(
            self.base.integers,
            tuple(Subscript(x.index, x.low, x.size, x.stride.integers, x.position) for x in self.selectors),
        )

    @property
    def clocks(self) -> NetworkPlace:
        return NetworkPlace(
            self.base.clocks,
            tuple(Subscript(x.index, x.low, x.size, x.stride.clocks, x.position) for x in self.selectors),
        )

    @property
    def channels(self) -> NetworkPlace:
        return NetworkPlace(
            self.base.channels,
            tuple(Subscript(x.index, x.low, x.size, x.stride.channels, x.position) for x in self.selectors),
        )


@dataclass(frozen=True, slots=True)
class Known:
    """A constant array or record."""

    type: ArrayType | RecordType
    value: tuple[Value, ...]
    name: str


@dataclass(frozen=True, slots=True)
class ClockSum:
    """``plus`` clocks minus ``minus`` clocks plus an integer."""

    plus: tuple[NetworkPlace, ...] = ()
    minus: tuple[NetworkPlace, ...] = ()
    offset: Expression = FALSE


@dataclass(frozen=True, slots=True)
class FormulaMeaning:
    """A condition in which clocks or ``deadlock`` occur."""

    formula: StateFormula


@dataclass(frozen=True, slots=True)
class Returned:
    """The record that a call leaves in its result slots."""

    call: Expression
    storage: Storage


@dataclass(frozen=True, slots=True)
class EffectMeaning:
    """A call of a function that returns nothing."""

    call: Expression


@dataclass(frozen=True, slots=True)
class NamedType:
    type: Type


@dataclass(eq=False, slots=True)
class FunctionMeaning:
    """``versions``: one per way in which the reference parameters are bound, with its index in the network."""

    declaration: s.FunctionDeclaration
    scope: NameScope
    name: str
    versions: dict[object, FunctionVersion] = field(default_factory=dict)
    active: bool = False


@dataclass(frozen=True, slots=True)
class FunctionVersion:
    index: int
    effects: bool
    result: Type
    storage: Storage | None


@dataclass(frozen=True, slots=True)
class TemplateMeaning:
    declaration: s.TemplateDeclaration


@dataclass(frozen=True, slots=True)
class InstantiationMeaning:
    declaration: s.Instantiation


@dataclass(frozen=True, slots=True)
class LocationMeaning:
    process: int
    location: int


@dataclass(frozen=True, slots=True)
class ProcessMeaning:
    name: str
    scope: NameScope
    locations: Mapping[str, LocationMeaning]


@dataclass(frozen=True, slots=True)
class ProcessSet:
    """The processes that one name of the system line stands for, by the values of its free parameters."""

    name: str
    parameters: tuple[NumberType, ...]
    members: Mapping[tuple[int, ...], ProcessMeaning]


Meaning = (
    IntegerMeaning
    | Storage
    | Known
    | ClockSum
    | FormulaMeaning
    | Returned
    | EffectMeaning
    | NamedType
    | FunctionMeaning
    | TemplateMeaning
    | InstantiationMeaning
    | ProcessMeaning
    | ProcessSet
)


class NameScope:
    """Names of one block; an inner scope hides the names of the outer ones."""

    def __init__(self, outer: NameScope | None = None) -> None:
        self._outer = outer
        self._names: dict[str, Meaning] = {}

    def lookup(self, name: str) -> Meaning | None:
        scope: NameScope | None = self
        while scope is not None:
            if name in scope._names:
                return scope._names[name]
            scope = scope._outer
        return None

    def own(self, name: str) -> Meaning | None:
        return self._names.get(name)

    def bind(self, name: str, meaning: Meaning) -> None:
        self._names[name] = meaning


def describe(meaning: Meaning) -> str:
    match meaning:
        case IntegerMeaning(_, ScalarType()):
            return "a scalar"
        case IntegerMeaning():
            return "an integer"
        case Storage(type_) | Known(type_) | Returned(_, Storage(type_)):
            return f"a value of type {type_}"
        case ClockSum():
            return "a clock expression"
        case FormulaMeaning():
            return "a clock constraint"
        case EffectMeaning():
            return "a call that returns nothing"
        case NamedType():
            return "a type"
        case FunctionMeaning():
            return "a function"
        case TemplateMeaning() | InstantiationMeaning():
            return "a template"
        case ProcessMeaning() | ProcessSet():
            return "a process"


def is_clock(meaning: Meaning) -> bool:
    return isinstance(meaning, ClockSum) or (isinstance(meaning, Storage) and isinstance(meaning.type, ClockType))


def is_aggregate(meaning: Meaning) -> bool:
    return isinstance(meaning, Known) or (
        isinstance(meaning, Storage) and isinstance(meaning.type, ArrayType | RecordType)
    )


def slots(storage: Storage) -> list[NetworkPlace]:
    """The places of all integers in an array or record, in order."""
    place = storage.integers
    return [NetworkPlace(place.base + offset, place.subscripts) for offset in range(extent(storage.type).integers)]
