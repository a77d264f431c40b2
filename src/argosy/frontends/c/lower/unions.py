"""What initialisers leave out of unions, and beside bit fields (C11 6.2.6.1, 6 and 7; 6.7.9, 9 and 21).

Law: a union that an initialiser gives a member has the bytes of its values; for an automatic one all others have no
value by the standard, which promises zero only for members that are left out of structures and arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argosy.frontends.c.memory import MemoryCell
from argosy.frontends.c.symbols import Unit
from argosy.frontends.c.typed import ElementPlace, MemberPlace, Place
from argosy.frontends.c.types import Integer, StructureType, Type


def leaves_some_out(unit: Unit, given: Iterable[Place], whole: Place) -> bool:
    """Whether there are bytes without a value in unions of a place of which some parts are given."""
    ways = {way for place in given for way in _unions(place, whole)}
    return any(not _fills(unit, union, name) for union, name in ways)


def leaves_bits_open(unit: Unit, type_: Type) -> bool:
    """Whether there are bits beside the bit fields of a type, which no initialiser of an automatic object names."""
    return not all(_is_full(cell) for cell in unit.cells(type_))


def _unions(place: Place, whole: Place) -> Iterator[tuple[StructureType, str]]:
    """The unions around a part of a place, each with the name of what lies there, or of a part of that if it has no
    name itself."""
    while place is not whole and isinstance(place, ElementPlace | MemberPlace):
        if isinstance(place, ElementPlace):
            place = place.array
            continue
        record: Type | None = place.record.type
        while isinstance(record, StructureType):
            if record.kind == "union":
                yield record, place.name
            known = any(own == place.name for own, _ in record.members or ())
            record = None if known else _around(record, place.name)
        place = place.record


def _around(record: StructureType, name: str) -> Type | None:
    """The member of that name, or the one without a name that has it."""
    for own, type_ in record.members or ():
        if own == name or (not own and isinstance(type_, StructureType) and type_.member(name) is not None):
            return type_
    return None


def _fills(unit: Unit, union: StructureType, name: str) -> bool:
    """Whether all that is in a union lies in the values of one member."""
    member = _around(union, name)
    if member is None or union.is_bit_field(name):
        return False
    values, everything = unit.cells(member), unit.cells(union)
    if not values or not everything:
        return unit.model.size(member) == unit.model.size(union)
    return _bytes(unit, everything) <= _bytes(unit, (cell for cell in values if _is_full(cell)))


def _is_full(cell: MemoryCell) -> bool:
    """Whether no bit of what holds bit fields is outside of all of them."""
    type_ = cell.type
    return not isinstance(type_, Integer) or not type_.fields or sum(f.width for f in type_.fields) == type_.width


def _bytes(unit: Unit, cells: Iterable[MemoryCell]) -> set[int]:
    return {byte for cell in cells for byte in range(cell.offset, cell.offset + (unit.model.size(cell.type) or 0))}
