"""Pointers that are taken for pointers to something else, and the objects that are written as another type by them.

C leaves such accesses undefined (C11 6.5, 7); compilers have options that define them, and programs rely on these. The
law here: what lies in an object is not taken for unchanged because a write has another type than its cells. So objects
to which a pointer of another type may lead are *punned*: a write through a pointer that hits no cell of its own type in
them may change every cell there, not only those of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from argosy.frontends.c.memory import same_kind
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.types import Array, Function, Integer, Pointer, StructureType, Type, Void
from argosy.logic.terms import Term


def _is_bytes(type_: Type) -> bool:
    """What may lead anywhere: ``void`` and characters, which parts of every cell are written as."""
    return isinstance(type_, Void) or (isinstance(type_, Integer) and type_.width == 8)


def _element(type_: Type) -> Type:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def agree(unit: Unit, a: Type, b: Type, seen: frozenset[tuple[int, int]] = frozenset()) -> bool:
    """Whether an object of one type may be accessed as one of the other from its start on: one is a part of the other,
    or both have cells of the same kinds in the same places; so does what pointers in there lead to."""
    a, b = _element(a), _element(b)
    if a is b or a == b or (id(a), id(b)) in seen:
        return True
    if isinstance(a, Function) or isinstance(b, Function):
        return isinstance(a, Function) and isinstance(b, Function)
    if not isinstance(a, StructureType) and not isinstance(b, StructureType):
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            bytes_there = _is_bytes(a.target) or _is_bytes(b.target)
            return bytes_there or agree(unit, a.target, b.target, seen | {(id(a), id(b))})
        return same_kind(a, b)
    sides = [{cell.offset: cell.type for cell in unit.cells(type_)} for type_ in (a, b)]
    if not all(sides):
        # What has no cells is written as a whole, unless it lies in a block.
        return not any(unit.scalars(type_) for type_, side in zip((a, b), sides, strict=True) if not side)
    end = min(unit.model.size(type_) or 0 for type_ in (a, b))
    offsets = {offset for side in sides for offset in side if offset < end}
    within = seen | {(id(a), id(b))}
    return all(
        offset in sides[0] and offset in sides[1] and agree(unit, sides[0][offset], sides[1][offset], within)
        for offset in offsets
    )


def matters(source: Type, target: Type) -> bool:
    """Whether a pointer to one type that is taken for one to the other may lead to what is of neither."""
    return source != target and not _is_bytes(target) and not isinstance(target, Function)


def punned(unit: Unit, reached: Callable[[Term], Set[Object] | None]) -> Iterator[Object]:
    """The objects that a pointer of another type may lead to, by where the pointers lead that were converted. One of
    which that is not known leads to something of its type, before it is converted."""
    for pointer, source, target in unit.recasts:
        where = reached(pointer)
        if _is_bytes(source):
            yield from (symbol for symbol in where or () if not holds_only(unit, symbol, target))
        elif not agree(unit, source, target):
            kinds = unit.scalars(source)
            yield from where if where is not None else (o for o in unit.addressed if _has(unit, o, kinds))


def _has(unit: Unit, symbol: Object, kinds: Sequence[Type]) -> bool:
    return any(same_kind(own, kind) for own in unit.scalars(symbol.type) for kind in kinds)


def holds_only(unit: Unit, symbol: Object, type_: Type) -> bool:
    """Whether an object is one of the type, or an array of them."""
    own, wanted = _element(symbol.type), _element(type_)
    if own is wanted or own == wanted or isinstance(wanted, Void):
        return True
    if isinstance(wanted, StructureType):
        return isinstance(own, StructureType) and agree(unit, own, wanted)
    return all(same_kind(scalar, wanted) for scalar in unit.scalars(symbol.type))
