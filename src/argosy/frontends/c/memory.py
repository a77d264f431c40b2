"""Memory: objects are made of cells, and addresses lead to them (C11 6.2.6, 6.5.3.2, 6.7.2.1).

A cell is a scalar at an offset in an object; each cell of a modelled object is a variable of its own. A union has the
cells of its largest member, if possible a pointer or else an integer; the other members are parts of those. Bit fields
and extended floating numbers have no cell, nor have arrays of more than ``MOST_CELLS``: their values are not modelled.

Addresses are made up. Every object of less than ``SLOT`` bytes has a slot of that size for itself and lies away from
its ends, so that arithmetic which leaves an object by far is seen in the upper half of the address, and what misses it
by little is the address of nothing else; what is larger, and functions, lie apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.c.types import Array, BinaryFloat, DataModel, Integer, Pointer, Scalar, StructureType, Type
from argosy.frontends.c.unsupported import MOST_CELLS as MOST_CELLS
from argosy.frontends.c.unsupported import MOST_IN_OBJECT, Construct, Obstacle
from argosy.logic.terms import Term

# Where there are more cells to choose from, halves are excluded first.
IN_A_ROW = 8

SLOT = 1 << 16
SMALL_OBJECTS = 0x0804_0000  # never null, and rarely a constant of a program
LARGE_OBJECTS = 0x4804_0000
LAST_ADDRESS = 0xF000_0000


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """``path`` is what stands behind the name of the object, as in ``[2].next``. ``around`` are the structures that
    the cell lies in, each with its offset in there."""

    offset: int
    type: Scalar
    path: str
    around: tuple[tuple[StructureType, int], ...] = ()

    @property
    def in_union(self) -> bool:
        """Whether other members are parts of it."""
        return any(record.kind == "union" for record, _ in self.around)


def cells(model: DataModel, type_: Type, most: int = MOST_CELLS) -> tuple[MemoryCell, ...]:
    """The cells of an object of this type, by their offsets; none where an array in there has more than ``most``."""
    return tuple(_cells(model, type_, 0, "", ())) if _count(model, type_, most) <= MOST_IN_OBJECT else ()


def _count(model: DataModel, type_: Type, most: int = MOST_CELLS) -> int:
    match type_:
        case Integer() | Pointer() | BinaryFloat():
            return 1
        case Array(element, length):
            count = _count(model, element, most) * (length or 0)
            return count if count <= most else MOST_IN_OBJECT + 1
        case StructureType():
            return sum(_count(model, member, most) for _, member, _ in union_members(model, type_))
    return 0


def union_members(model: DataModel, type_: StructureType) -> tuple[tuple[str, Type, int], ...]:
    """The members that have cells of their own: of a union one of the largest."""
    members = model.members(type_) or ()
    if type_.kind == "struct" or not members:
        return members
    largest = max(model.size(member) or 0 for _, member, _ in members)
    whole = [m for m in members if model.size(m[1]) == largest]
    pointers = [m for m in whole if isinstance(m[1], Pointer)]
    scalars = [m for m in whole if isinstance(m[1], Integer)]
    floats = [m for m in whole if isinstance(m[1], BinaryFloat)]
    arrays = [m for m in whole if isinstance(m[1], Array) and isinstance(m[1].element, Integer)]
    return ((pointers or scalars or floats or (arrays if _has_bit_fields(model, whole) else whole) or whole)[0],)


def unseated(model: DataModel, type_: Type) -> Iterator[Scalar]:
    """The types of what lies in members of unions where no cell of its kind does: the cells are those of another
    member."""
    match type_:
        case Array(element):
            yield from unseated(model, element)
        case StructureType():
            own = union_members(model, type_)
            for _, member, _ in own:
                yield from unseated(model, member)
            if type_.kind == "union":
                cells = (cell for _, member, start in own for cell in _cells(model, member, start, "", ()))
                seats = {cell.offset: cell.type for cell in cells}
                for offset, scalar in _laid_out(model, type_, 0):
                    if offset not in seats or not same_kind(seats[offset], scalar):
                        yield scalar


def _laid_out(model: DataModel, type_: Type, offset: int) -> Iterator[tuple[int, Scalar]]:
    """All scalars of a type with their offsets, those of every member of a union."""
    match type_:
        case Integer() | Pointer() | BinaryFloat():
            yield offset, type_
        case Array(element, length):
            size = model.size(element) or 0
            for index in range(length or 0):
                yield from _laid_out(model, element, offset + index * size)
        case StructureType():
            for _, member, start in model.members(type_) or ():
                yield from _laid_out(model, member, offset + start)


def _has_bit_fields(model: DataModel, members: Sequence[tuple[str, Type, int]]) -> bool:
    """Whether one of some members is a structure with storages, whose bytes are those of whole integers beside it."""
    inside = (model.members(type_) or () for _, type_, _ in members if isinstance(type_, StructureType))
    return any(isinstance(part, Integer) and part.fields for each in inside for _, part, _ in each)


def _cells(
    model: DataModel, type_: Type, offset: int, path: str, around: tuple[tuple[StructureType, int], ...]
) -> Iterator[MemoryCell]:
    match type_:
        case Integer() | Pointer() | BinaryFloat():
            yield MemoryCell(offset, type_, path, tuple((record, offset - base) for record, base in around))
        case Array(element, length):
            size = model.size(element)
            for index in range(length or 0) if size is not None else ():
                yield from _cells(model, element, offset + index * (size or 0), f"{path}[{index}]", around)
        case StructureType():
            inside = (*around, (type_.base or type_, offset))
            for name, member, start in union_members(model, type_):
                yield from _cells(model, member, offset + start, f"{path}.{name}" if name else path, inside)


def obstacle(model: DataModel, type_: Type, name: str, position: Position) -> Obstacle | None:
    """Why an object of this type has no cells, or not all of them: the first reason there is."""
    match type_:
        case Array(element, length):
            if length is None:
                return Obstacle(position, f"array '{name}'", Construct.LENGTH)
            inner = obstacle(model, element, name, position)
            count = _count(model, element) * length
            if inner is None and count > MOST_CELLS:
                in_all = f", {count} in all" if count > length else ""
                return Obstacle(position, f"array '{name}' of {length} elements{in_all}", Construct.LARGE_ARRAY)
            return inner
        case StructureType(members=None):
            return Obstacle(position, f"'{name}' of type {type_}", Construct.INCOMPLETE)
        case StructureType() if type_.obstacle is not None:
            return type_.obstacle
        case StructureType():
            inside = (obstacle(model, member, own or name, position) for own, member in type_.members or ())
            found = next(filter(None, inside), None)
            if found is None and _count(model, type_) > MOST_IN_OBJECT:
                return Obstacle(position, f"'{name}' of type {type_}", Construct.LARGE_OBJECT)
            return found
    return None


def same_kind(a: Type, b: Type) -> bool:
    """Whether a cell of one type may be accessed as the other (6.5, 7): signed and unsigned, pointers to anything. A
    float is its bits, which some programs read as an integer."""
    if isinstance(a, Integer | BinaryFloat) and isinstance(b, Integer | BinaryFloat):
        return a.sort is b.sort
    return isinstance(a, Pointer) and isinstance(b, Pointer)


@dataclass(frozen=True, slots=True)
class Index:
    """A subscript that is not constant: elements ``0 <= term < length`` of ``size`` bytes. In an array of variable
    length neither is known."""

    term: Term
    length: int
    size: int


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write at an address. ``offsets`` are those in a structure of type ``record`` that it may be at; where
    there is none it may be at any cell of its type. What is ``direct`` is a part of a named object: the constant part
    of its offset, and the subscripts, as in the text."""

    address: Term
    type: Scalar
    record: StructureType | None = None
    offsets: frozenset[int] = frozenset()
    direct: tuple[int, tuple[Index, ...]] | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        """What is evaluated to know where it is."""
        return (self.address, *(index.term for index in self.direct[1])) if self.direct is not None else (self.address,)

    def may_be_at(self, cell: MemoryCell) -> bool:
        if not same_kind(cell.type, self.type):
            return False
        if self.record is None:
            return True
        return any(record is self.record and offset in self.offsets for record, offset in cell.around)
