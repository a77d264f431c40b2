"""Blocks: objects with too many cells, or nobody knows how many, in array-valued variables (C11 6.2.6, 7.22.3).

The cells of a type that differ only in their indices are a *family*: ``a[]`` is that of ``int a[100000]``, ``s[].x``
and ``s[].y`` are those of an array of structures. Each family of a block is one variable of the model, an array in the
sense of McCarthy's theory (*Towards a Mathematical Science of Computation*, 1962); one without an index is a scalar.

* A block that is **one** object at a time has a variable with the indices of the text, one number of bits for each
  dimension, side by side. Nobody has to divide addresses to see which element is meant.
* A block of one family that is accessed as something else besides is one of **bytes**, the first one the lowest.
* A block that is **many** objects, made by one call of ``malloc`` in the text, has variables with addresses for
  indices. The objects lie in slots of one size, one behind the other, in a part of the address space that belongs to
  the call, so that two objects are never one, whatever their number, and that what leaves an object is seen.

Where a block lies is decided when all are known: until then a variable, its ``origin``, stands for its address.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.records import dataclass, field
from argosy.frontends.c.memory import Access, same_kind, union_members
from argosy.frontends.c.types import Array, BinaryFloat, DataModel, Integer, Pointer, Scalar, StructureType, Type
from argosy.logic.sorts import Sort, array, bits
from argosy.logic.terms import Term, Terms

INDEX_BITS = 32

# Objects of different calls are at least so far apart.
SMALLEST_SLOT = 16


@dataclass(frozen=True, slots=True)
class Dimension:
    """``length`` elements of ``stride`` bytes; 0 where that is not constant."""

    stride: int
    length: int


@dataclass(frozen=True, slots=True)
class Family:
    """``path`` is what stands behind the name of the object, without indices, as in ``[].next``. ``around`` are the
    structures that the cells lie in, each with the offset in there and how many dimensions lie outside of it."""

    offset: int
    dimensions: tuple[Dimension, ...]
    type: Scalar
    path: str
    around: tuple[tuple[StructureType, int, int], ...] = ()
    in_union: bool = False

    def may_hold(self, access: Access) -> bool:
        """Whether an access may be at one of the cells."""
        if not same_kind(self.type, access.type):
            return False
        if access.record is None:
            return True
        return any(
            record is access.record and any(self._is_behind(o - offset, outside) for o in access.offsets)
            for record, offset, outside in self.around
        )

    def _is_behind(self, distance: int, outside: int) -> bool:
        inside = self.dimensions[outside:]
        return distance == 0 or (distance > 0 and bool(inside) and distance % (inside[-1].stride or 1) == 0)

    def sort(self, index: Sort) -> Sort:
        return array(index, self.type.sort)


@dataclass(slots=True, eq=False)
class MemoryBlock:
    """``size`` is in bytes, None where it is not known; ``lengths`` are those of an array of variable length. Of
    ``many`` objects ``used`` is the number of bytes that are given away already, in ``slot`` bytes for each, and
    ``sizes`` has the size of each object at its address, where they differ. ``base`` and ``room``, the number of bytes
    that the block may have in all, are known once it is laid out; ``slot_term`` and ``room_term`` stand for them. Where
    the objects of a block of many have lifetimes of their own, ``slots`` stands for the bits of an address that say in
    which slot it lies, and all such blocks have slots of one size. One of ``bytes`` has its variable there; one that is
    ``lasting`` has its values before the program starts."""

    origin: Term
    families: tuple[Family, ...]
    size: Term | None
    lengths: tuple[Term, ...] = ()
    used: Term | None = None
    slot: int = 0
    room: int = 0
    sizes: Term | None = None
    base: int = 0
    zeroed: bool = False
    lasting: bool = False
    bytes: Term | None = None
    slot_term: Term | None = None
    slots: Term | None = None
    room_term: Term | None = None
    parts: dict[Family, Term] = field(default_factory=dict)

    @property
    def is_many(self) -> bool:
        return self.used is not None


def families(model: DataModel, type_: Type) -> tuple[Family, ...]:
    """Those of an object of this type; none where one of its members has no place that is known."""
    return tuple(_families(model, type_, Family(0, (), model.int_, "")))


def _families(model: DataModel, type_: Type, at: Family) -> Iterator[Family]:
    match type_:
        case Integer() | Pointer() | BinaryFloat():
            yield Family(at.offset, at.dimensions, type_, at.path, at.around, at.in_union)
        case Array(element, length):
            dimension = Dimension(model.size(element) or 0, length or 0)
            inside = Family(at.offset, (*at.dimensions, dimension), at.type, f"{at.path}[]", at.around, at.in_union)
            yield from _families(model, element, inside)
        case StructureType():
            around = tuple((record, own, outside) for record, own, outside in at.around)
            for name, member, start in union_members(model, type_):
                within = (
                    *((r, own + start, outside) for r, own, outside in around),
                    (type_.base or type_, start, len(at.dimensions)),
                )
                path = f"{at.path}.{name}" if name else at.path
                in_union = at.in_union or type_.kind == "union"
                inside = Family(at.offset + start, at.dimensions, at.type, path, within, in_union)
                yield from _families(model, member, inside)


def dimensions(type_: Type) -> int:
    """How many subscripts lead from an array to what is none."""
    count = 0
    while isinstance(type_, Array):
        type_, count = type_.element, count + 1
    return count


def zero_of(terms: Terms, sort: Sort) -> Term:
    """What a block is before the program starts, and what ``calloc`` gives."""
    if sort.element is None:
        return terms.const(0, sort)
    return terms.const_array(sort, terms.const(0, sort.element))


def index_at(family: Family, offset: int) -> tuple[int, ...] | None:
    """The indices of the cell at a constant offset; None if none of the family's is there."""
    rest, found = offset - family.offset, list[int]()
    for dimension in family.dimensions:
        by, rest = divmod(rest, dimension.stride or 1)
        if not 0 <= by < (dimension.length or by + 1):
            return None
        found.append(by)
    return tuple(found) if rest == 0 else None


def stored(terms: Terms, whole: Term, indices: tuple[int, ...], value: Term) -> Term:
    """The contents of a block of one object with another value at constant indices."""
    if not indices:
        return value
    number = 0
    for index in indices:
        number = (number << INDEX_BITS) | index
    return terms.store(whole, terms.bv(number, INDEX_BITS * len(indices)), value)


def power_above(number: int) -> int:
    """The least power of two that is at least the number."""
    return 1 << max(0, number - 1).bit_length()


def index_sort(family: Family, is_many: bool, pointer_width: int) -> Sort | None:
    """The sort of the indices of a family's variable; None where there are none."""
    if is_many:
        return bits(pointer_width)
    return bits(INDEX_BITS * len(family.dimensions)) if family.dimensions else None
