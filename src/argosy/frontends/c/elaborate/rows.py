"""Steps over rows of variable length, which pointers of the types know that ``measured`` makes.

Behind such a pointer lies one row after the other, so that a step of it is a step over so many elements: ``a + i`` is
computed on a pointer to one element (C11 6.5.6, 8 and 9).
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.frontends.c.original import Original
from argosy.frontends.c.typed import AddressOf, BinaryOperation, Cast, Expression, IntegerConstant, TargetPlace
from argosy.frontends.c.types import Array, DataModel, Pointer, Type


def is_open(type_: Type) -> bool:
    return isinstance(type_, Array) and (type_.length is None or is_open(type_.element))


def _dimensions(type_: Type) -> Iterator[Array]:
    while isinstance(type_, Array) and is_open(type_):
        yield type_
        type_ = type_.element


def is_measured(type_: Type) -> bool:
    """Whether it is an array of variable length of which all lengths are known."""
    return is_open(type_) and all(each.count is not None for each in _dimensions(type_))


def elements(model: DataModel, type_: Type, original: Original) -> tuple[Expression, Type]:
    """How many elements a measured array has, and their type: that inside of all dimensions of variable length."""
    wide = model["long long"]
    product: Expression | None = None
    for each in _dimensions(type_):
        type_ = each.element
        assert each.count is not None
        count = Cast(each.count, wide, original)
        product = count if product is None else BinaryOperation("*", product, count, wide, original, exact=True)
    return product or IntegerConstant(1, wide, original), type_


def flat(model: DataModel, pointer: Expression, original: Original) -> Expression:
    """A pointer to a measured array as one to its first element."""
    assert isinstance(pointer.type, Pointer)
    type_, qualifiers = pointer.type.target, pointer.type.qualifiers
    while isinstance(type_, Array) and is_open(type_):
        place = TargetPlace(pointer, type_, qualifiers, original)
        type_ = type_.element
        pointer = AddressOf(place, model.pointer(type_, qualifiers), original)
    return pointer


def moved(model: DataModel, op: str, pointer: Expression, by: Expression, original: Original) -> Expression:
    """``+`` and ``-`` of a pointer to a measured array and an integer, or another such pointer."""
    assert isinstance(pointer.type, Pointer)
    count, _ = elements(model, pointer.type.target, original)
    start = flat(model, pointer, original)
    if isinstance(by.type, Pointer):
        apart = BinaryOperation(op, start, flat(model, by, original), model.difference_type, original)
        return BinaryOperation("/", apart, Cast(count, model.difference_type, original), apart.type, original)
    wide = model["long long"]
    amount = BinaryOperation("*", Cast(by, wide, original), count, wide, original, exact=True)
    return Cast(BinaryOperation(op, start, amount, start.type, original), pointer.type, original)
