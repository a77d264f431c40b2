"""Names and types: what a type expression denotes, and the values of constant initialisers."""

from __future__ import annotations

from abc import ABC, abstractmethod

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.layout import Layout, default, in_range
from argosy.frontends.uppaal.meanings import IntegerMeaning, Known, Meaning, NamedType, NameScope, describe
from argosy.frontends.uppaal.types import (
    ArrayType,
    BooleanType,
    ChannelType,
    ClockType,
    IntegerType,
    NumberType,
    RecordType,
    ScalarType,
    Type,
    Value,
    VoidType,
    similar,
)

_DOMAIN_LIMIT = 65536


class TypeResolver(ABC):
    def __init__(self, layout: Layout, scope: NameScope) -> None:
        self.layout = layout
        self.scope = scope

    @abstractmethod
    def constant(self, expression: s.Expression) -> int: ...

    @abstractmethod
    def meaning(self, expression: s.Expression) -> Meaning: ...

    def named(self, name: str, position: Position) -> Meaning:
        meaning = self.scope.lookup(name)
        if meaning is None:
            raise InputError(position, f"unknown identifier {name!r}")
        return meaning

    def type(self, expression: s.TypeExpression) -> Type:
        position = expression.position
        if "hybrid" in expression.prefixes:
            raise UnsupportedError(position, "hybrid clock")
        type_ = self._base(expression)
        if expression.prefixes & {"urgent", "broadcast"}:
            type_ = self._channels(type_, expression)
        if isinstance(type_, ClockType | ChannelType | VoidType) and expression.prefixes & {"const", "meta"}:
            raise InputError(position, f"a {type_} cannot be const or meta")
        return type_

    def _base(self, expression: s.TypeExpression) -> Type:
        position = expression.position
        match expression.base:
            case "int":
                if not expression.bounds:
                    return IntegerType()
                low, high = (self.constant(bound) for bound in expression.bounds)
                if low > high:
                    raise InputError(position, f"the range {low} .. {high} is empty")
                return IntegerType(low, high)
            case "bool":
                return BooleanType()
            case "clock":
                return ClockType()
            case "chan":
                return ChannelType()
            case "void":
                return VoidType()
            case "scalar":
                size = self.constant(expression.bounds[0])
                if size < 1:
                    raise InputError(position, f"a scalar set of size {size} is empty")
                return self.layout.scalar_set(size)
            case "struct":
                fields: dict[str, Type] = {}
                for declaration in expression.fields:
                    for declarator in declaration.declarators:
                        if declarator.name in fields:
                            raise InputError(declarator.position, f"field {declarator.name!r} is declared twice")
                        fields[declarator.name] = self.declared(declaration.type, declarator)
                return RecordType(tuple(fields.items()))
            case "double":
                raise UnsupportedError(position, "floating-point numbers")
        meaning = self.scope.lookup(expression.name)
        if isinstance(meaning, NamedType):
            return meaning.type
        if expression.name == "string":
            raise UnsupportedError(position, "strings")
        raise InputError(position, f"unknown type {expression.name!r}")

    def _channels(self, type_: Type, expression: s.TypeExpression) -> Type:
        if isinstance(type_, ArrayType):
            return ArrayType(type_.index, self._channels(type_.element, expression))
        if not isinstance(type_, ChannelType):
            raise InputError(expression.position, "only channels can be urgent or broadcast")
        prefixes = expression.prefixes
        return ChannelType(type_.urgent or "urgent" in prefixes, type_.broadcast or "broadcast" in prefixes)

    def declared(self, expression: s.TypeExpression, declarator: s.Declarator) -> Type:
        """The type of a declared name: its dimensions are around the type that is written before it."""
        type_ = self.type(expression)
        for dimension in reversed(declarator.dimensions):
            type_ = ArrayType(self._index_type(dimension), type_)
        return type_

    def _index_type(self, dimension: s.Expression | s.TypeExpression) -> IntegerType | ScalarType:
        type_: Type | None = None
        if isinstance(dimension, s.TypeExpression):
            type_ = self.type(dimension)
        elif isinstance(dimension, s.NameSyntax):
            meaning = self.named(dimension.name, dimension.position)
            type_ = meaning.type if isinstance(meaning, NamedType) else None
        if isinstance(type_, IntegerType | ScalarType):
            return type_
        if type_ is not None or isinstance(dimension, s.TypeExpression):
            raise InputError(dimension.position, f"an array cannot be indexed by {type_}")
        size = self.constant(dimension)
        if size < 1:
            raise InputError(dimension.position, f"an array cannot have {size} elements")
        return IntegerType(0, size - 1)

    def domain(self, expression: s.TypeExpression) -> NumberType:
        """A type whose values can be enumerated: of a quantifier, selection, iteration or free parameter."""
        type_ = self.type(expression)
        if not isinstance(type_, IntegerType | BooleanType | ScalarType):
            raise InputError(expression.position, f"a bounded integer or scalar set expected, found {type_}")
        if type_.high - type_.low >= _DOMAIN_LIMIT - 1:
            raise InputError(expression.position, f"the values of {type_} are too many to enumerate: give a range")
        return type_

    def initial(self, type_: Type, initialiser: s.Expression | None, name: str, position: Position) -> Value:
        """The value of a variable or constant before the run."""
        if initialiser is None:
            return default(type_, position)
        if isinstance(initialiser, s.Braces):
            items = arrange(type_, initialiser)
            return tuple(self.initial(inner, item, f"{name}{part}", item.position) for inner, part, item in items)
        if isinstance(type_, ArrayType | RecordType):
            meaning = self.meaning(initialiser)
            if isinstance(meaning, Known) and similar(type_, meaning.type):
                return meaning.value
            raise InputError(
                initialiser.position, f"an initialiser of type {type_} expected, found {describe(meaning)}"
            )
        value = self.constant(initialiser)
        match type_:
            case ScalarType():
                meaning = self.meaning(initialiser)
                if not (isinstance(meaning, IntegerMeaning) and meaning.type == type_):
                    raise InputError(initialiser.position, "a scalar has no constants")
                return value
            case BooleanType():
                return int(value != 0)
            case IntegerType():
                return in_range(value, type_, name, initialiser.position)
            case ClockType() if value >= 0:
                return value
            case ClockType():
                raise InputError(initialiser.position, f"{name} begins at the negative value {value}")
        raise InputError(initialiser.position, f"a {type_} has no initialiser")


def arrange(type_: Type, braces: s.Braces) -> list[tuple[Type, str, s.Expression]]:
    """The items of an initialiser in the order of elements or fields, each with its type and the part it is for."""
    if isinstance(type_, ArrayType):
        if len(braces.items) != type_.size:
            raise InputError(braces.position, f"{type_.size} elements expected, found {len(braces.items)}")
        found = []
        for number, (field, item) in enumerate(braces.items):
            if field:
                raise InputError(item.position, "an element of an array has no name")
            found.append((type_.element, f"[{number + type_.index.low}]", item))
        return found
    if not isinstance(type_, RecordType):
        raise InputError(braces.position, f"a value of type {type_} is not written in braces")
    names = [name for name, _ in type_.fields]
    chosen: dict[int, s.Expression] = {}
    at = 0
    for field, item in braces.items:
        if field and field not in names:
            raise InputError(item.position, f"the record has no field {field!r}")
        at = names.index(field) if field else at
        if at >= len(names) or at in chosen:
            raise InputError(item.position, "too many values for the record" if at >= len(names) else "a field twice")
        chosen[at] = item
        at += 1
    if len(chosen) < len(names):
        raise InputError(braces.position, f"{len(names)} fields expected, found {len(chosen)}")
    return [(type_.fields[i][1], f".{names[i]}", chosen[i]) for i in range(len(names))]
