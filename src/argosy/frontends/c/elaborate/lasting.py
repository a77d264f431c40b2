"""Which values may change while later effects of the same expression happen."""

from __future__ import annotations

from argosy.frontends.c.elaborate.effects import Effects
from argosy.frontends.c.symbols import RESULT, Object, Unit
from argosy.frontends.c.typed import (
    AddressOf,
    BinaryOperation,
    Cast,
    Contents,
    ElementPlace,
    Expression,
    MemberPlace,
    ObjectPlace,
    Place,
    TargetPlace,
    parts,
)
from argosy.frontends.c.types import Array, StructureType


def may_change(unit: Unit, value: Expression | Place, effects: Effects) -> bool:
    """Whether the effects may change what a value reads."""
    return any(isinstance(part, Contents) and _changes(unit, part.place, effects) for part in parts(value))


def _changes(unit: Unit, place: Place, effects: Effects) -> bool:
    symbol = root(place)
    if symbol is None:
        return True
    if symbol.name == RESULT:
        # The result of a call is overwritten by the next call of the function.
        return effects.shared
    if symbol.temporary:
        return False
    if symbol.name in effects.names:
        return True
    # The address of an array, or of one in a structure, is taken without a word.
    may_be_reached = symbol.lasting or symbol.name in unit.addressed_names or symbol.address_taken
    return effects.shared and (may_be_reached or isinstance(symbol.type, Array | StructureType))


def root(place: Place) -> Object | None:
    """The object that a place lies in; None behind a pointer."""
    while True:
        match place:
            case ObjectPlace():
                return place.object
            case ElementPlace():
                place = place.array
            case MemberPlace():
                place = place.record
            case TargetPlace():
                pointer = place.pointer
                while isinstance(pointer, Cast | BinaryOperation):
                    pointer = pointer.operand if isinstance(pointer, Cast) else pointer.left
                if not isinstance(pointer, AddressOf):
                    return None
                place = pointer.place


def is_direct(place: Place) -> bool:
    """Whether the place is one and the same part of an object, whatever happens."""
    while not isinstance(place, ObjectPlace):
        if isinstance(place, TargetPlace):
            return False
        if isinstance(place, ElementPlace):
            if any(isinstance(part, Contents) for part in parts(place.index)):
                return False
            place = place.array
        else:
            place = place.record
    return True
