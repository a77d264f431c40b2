"""Places in the model: where they are, reading and writing them.

A cell of an object is a variable. Behind an index that is not constant, reading chooses between the cells and writing
writes each of them or leaves it. What is read through a pointer is a variable that stands for the cells to which
the pointer may lead, a write is a ``Store``: which cells these are is known when everything is read (``pointers``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeVar

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.blocks import dimensions
from argosy.frontends.c.lower.graph import FlowGraph, Pad, Store, WildWrite
from argosy.frontends.c.lower.operators import Operators, Value, Whereabouts, with_bits, with_field
from argosy.frontends.c.lower.punning import matters
from argosy.frontends.c.lower.views import MOST_VIEWS, View, after_writing, view_at
from argosy.frontends.c.memory import IN_A_ROW, Access, Index, MemoryCell, obstacle
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.typed import ElementPlace, Expression, MemberPlace, ObjectPlace, Place, TargetPlace
from argosy.frontends.c.types import (
    Array,
    BinaryFloat,
    Float,
    Function,
    Integer,
    Pointer,
    Scalar,
    StructureType,
    Type,
    Vector,
)
from argosy.frontends.c.unsupported import MOST_IN_OBJECT, Construct, Obstacle
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Refusal, Undefined
from argosy.models.sources import SourceKind, ValueSource

Part = TypeVar("Part")


class CellPlaces:
    """``value`` evaluates the pointers and indices of places."""

    def __init__(
        self, unit: Unit, graph: FlowGraph, operators: Operators, function: str, value: Callable[[Expression], Value]
    ) -> None:
        self._unit = unit
        self._graph = graph
        self._terms = unit.terms
        self._operators = operators
        self._function = function
        self._value = value
        self._held: dict[int, Whereabouts] = {}

    # ---- where places are ---------------------------------------------------------------------------------

    def where(self, place: Place) -> Whereabouts:
        held = self._held.get(id(place)) if self._held else None
        if held is not None:
            return held
        match place:
            case ObjectPlace(symbol):
                if symbol.lasting and symbol.block is None and self._unit.model.size(symbol.type) is not None:
                    self._unit.lay_out(symbol)
                return Whereabouts(symbol.type, place, object=symbol, qualifiers=symbol.qualifiers)
            case ElementPlace():
                return self._element(place)
            case MemberPlace():
                return self._member(place)
            case TargetPlace():
                return self.target(self._value(place.pointer), place)

    def hold(self, place: Place) -> None:
        """Find out where a place is; it stays there."""
        self._held[id(place)] = self.where(place)

    def of_object(self, symbol: Object, place: Place) -> Whereabouts:
        return Whereabouts(symbol.type, place, object=symbol, qualifiers=symbol.qualifiers)

    def target(self, pointer: Value, place: TargetPlace) -> Whereabouts:
        """Where a pointer leads."""
        type_, qualifiers, term = place.type, place.qualifiers, pointer.term
        if term is None:
            return Whereabouts(type_, place, through_pointer=True, because=pointer.refusal, qualifiers=qualifiers)
        known = self._unit.object_at(term.payload) if term.op == "const" else None
        if known is not None:
            return Whereabouts(type_, place, object=known[0], offset=known[1], qualifiers=qualifiers)
        record = type_ if isinstance(type_, StructureType) else None
        return Whereabouts(type_, place, address=term, record=record, through_pointer=True, qualifiers=qualifiers)

    def _element(self, place: ElementPlace) -> Whereabouts:
        array = self.where(place.array)
        type_ = place.array.type
        assert isinstance(type_, Array)
        index, position = self._value(place.index), place.original.position
        size = self._unit.model.size(type_.element)
        modelled = array.object is not None or array.address is not None
        if modelled and index.term is not None and type_.length is None and self._is_in_block(array):
            return self._further(array, place, index.term, size or 0)
        if index.term is None or size is None or not modelled:
            because = array.because or index.refusal or self._why_no_cells(array, type_, position)
            return self._unmodelled_part(array, type_.element, place, because)
        if array.object is None and (type_.length or 0) <= 1:
            # An array at the end of a structure that goes on behind it, as before C99.
            start = Value(self._address_term(array), self._unit.model.pointer(type_.element))
            moved = self._operators.binary("+", start, index, start.type, position)
            own = array.qualifiers
            return Whereabouts(type_.element, place, address=moved.term, through_pointer=True, qualifiers=own)
        if type_.length is None:
            return self._unmodelled_part(array, type_.element, place, self._why_no_cells(array, type_, position))
        self._operators.in_range(index.term, 0, type_.length - 1, Undefined.BOUNDS, position)
        if index.term.op == "const":
            moved_by = min(index.term.payload, type_.length) * size
            return replace(array, type=type_.element, of=place, behind="", offset=array.offset + moved_by)
        further = Index(index.term, type_.length, size)
        return replace(array, type=type_.element, of=place, behind="", indices=(*array.indices, further))

    @staticmethod
    def _is_in_block(place: Whereabouts) -> bool:
        return place.object is not None and place.object.block is not None and bool(place.object.block.lengths)

    def _further(self, array: Whereabouts, place: ElementPlace, index: Term, size: int) -> Whereabouts:
        """An element of an array of variable length."""
        assert array.object is not None and array.object.block is not None
        lengths = array.object.block.lengths
        length = lengths[len(lengths) - dimensions(place.array.type)]
        self._operators.below(index, length, place.original.position)
        further = Index(index, 0, size)
        return replace(array, type=place.type, of=place, behind="", indices=(*array.indices, further))

    def _unmodelled_part(
        self, whole: Whereabouts, type_: Type, place: Place, because: Obstacle | Refusal | None
    ) -> Whereabouts:
        own, through = whole.qualifiers, whole.through_pointer
        return Whereabouts(type_, place, through_pointer=through, because=because, qualifiers=own)

    def _member(self, place: MemberPlace) -> Whereabouts:
        inner = self.where(place.record)
        record = place.record.type
        assert isinstance(record, StructureType)
        offset = self._unit.model.offset(record, place.name)
        if offset is None:
            because = inner.because or self._why_no_cells(inner, record, place.original.position)
            return replace(
                self._unmodelled_part(inner, place.type, place, because), qualifiers=place.qualifiers | inner.qualifiers
            )
        qualifiers = place.qualifiers | inner.qualifiers
        found = replace(
            inner, type=place.type, of=place, behind="", offset=inner.offset + offset, qualifiers=qualifiers
        )
        return replace(found, bits=self._unit.model.bit_range(record, place.name)) if place.is_bit_field else found

    def _index_type(self, term: Term) -> Integer:
        names = ("int", "long long", "__int128")
        return next(type_ for type_ in map(self._unit.model.__getitem__, names) if type_.width >= term.sort.width)

    # ---- what is not modelled -----------------------------------------------------------------------------

    def refusal(self, place: Whereabouts, position: Position, how: str) -> Refusal:
        """Why a place cannot be read or written, where that turns out to be so."""
        because = place.because
        if isinstance(because, Refusal):
            return because
        unmodelled = isinstance(place.type, Float) and not isinstance(place.type, BinaryFloat)
        if because is None and place.object is not None and not unmodelled:
            because = self._why_no_cells(place, place.object.type, position)
        if because is None:
            subject = f"write to {place.what}" if how == "writes" else place.what
            if how == "takes the address of":
                subject = f"address of {place.what}"
            construct = Construct.OTHER_TYPE if place.address is None else Construct.POINTER
            if unmodelled:
                construct = Construct.VECTOR if isinstance(place.type, Vector) else Construct.FLOAT
            because = Obstacle(position, subject, construct)
        return because.refusal(position, f"{how} {place.what}")

    def _why_no_cells(self, place: Whereabouts, type_: Type, position: Position) -> Obstacle | None:
        """The obstacle in an object, or in what lies behind a pointer."""
        symbol = place.object
        if symbol is None:
            return obstacle(self._unit.model, type_, place.what, position)
        return obstacle(self._unit.model, symbol.type, symbol.name, symbol.position)

    # ---- addresses ----------------------------------------------------------------------------------------

    def _address_term(self, place: Whereabouts, *, taken: bool = True) -> Term | None:
        """The address as a term; where it is ``taken``, pointers may lead to the object from now on."""
        width = self._unit.model.pointer_width
        if place.object is not None and place.object.block is not None:
            if any(index.size == 0 for index in place.indices):
                return None
            if taken:
                self._unit.mark_addressed(place.object)
            term = self._terms.bit("bvadd", place.object.block.origin, self._terms.bv(place.offset, width))
        elif place.object is not None:
            term = self._terms.bv(self._unit.take_address(place.object) + place.offset, width)
        elif place.address is not None:
            term = self._terms.bit("bvadd", place.address, self._terms.bv(place.offset, width))
            self._operators.note_base(term, place.address)
        else:
            return None
        for index in place.indices:
            by = self._terms.bit("bvmul", self._resized(index.term, width), self._terms.bv(index.size, width))
            moved = self._terms.bit("bvadd", term, by)
            self._operators.note_base(moved, term)
            term = moved
        return term

    def _resized(self, index: Term, width: int) -> Term:
        """An index that is known to be in its range."""
        own = index.sort.width
        if own >= width:
            return self._terms.extract(index, width - 1, 0)
        return self._terms.zero_extend(index, width - own)

    def address_of(self, place: Whereabouts, type_: Pointer, position: Position) -> Value:
        term = self._address_term(place)
        if term is None:
            return Value(None, type_, self.refusal(place, position, "takes the address of"))
        return Value(term, type_)

    # ---- reading ------------------------------------------------------------------------------------------

    def plain(self, symbol: Object) -> Term | None:
        """The variable of an integer that only the program changes and that has been seen before: nothing else is to be
        found out where it is read as a whole."""
        own = isinstance(symbol.type, Integer) and symbol.block is None and not symbol.qualifiers
        return symbol.parts.get(0) if own and not self._unit.watched else None

    def read(self, place: Whereabouts, position: Position) -> Value:
        type_ = place.type
        if place.bits is not None:
            return self._read_field(place, position)
        if "volatile" in place.qualifiers and not self._unit.volatile_is_arbitrary:
            self._unit.note("volatile objects are read as ordinary ones")
        match type_:
            case StructureType():
                return Value(None, type_, None, place)
            case Integer() | Pointer() | BinaryFloat() if self._changes_by_itself(place):
                return self._arbitrary(place, type_, position)
            case Integer() | Pointer() | BinaryFloat() if place.object is not None and place.object.block is not None:
                self._stays_in_object(place, position)
                access = self._access(place)
                self._operators.claim(access, position)
                return Value(self._unit.load(access, self.refusal(place, position, "reads")), type_)
            case Integer() | Pointer() | BinaryFloat() if place.object is not None:
                self._stays_in_object(place, position)
                spots = self.spots(place)
                if spots:
                    chosen = self._chosen([term for _, term in spots], place.indices)
                    self._note_recast(chosen, place)
                    return Value(chosen, type_)
                around = self._around(place)
                if around is not None:
                    cell, low, own = around
                    if isinstance(own, Pointer) and isinstance(type_, Integer) and self._operators.is_exposed(cell):
                        return self._operators.address_number(type_, position)
                    return Value(self._terms.extract(cell, low + type_.sort.width - 1, low), type_)
                seen = self._seen(place)
                if seen:
                    return Value(self._chosen([view.read(self._terms) for _, view in seen], place.indices), type_)
            case Integer() | Pointer() | BinaryFloat() if place.address is not None:
                access = self._access(place)
                self._followed(place, access.address, False, position)
                self._operators.claim(access, position)
                return Value(self._unit.load(access, self.refusal(place, position, "reads")), type_)
        assert not isinstance(type_, Array | Function)
        self._unmodelled_access(place, False, position)
        return Value(None, type_, self.refusal(place, position, "reads"))

    def _read_field(self, place: Whereabouts, position: Position) -> Value:
        """The bits of a bit field, with its sign."""
        assert place.bits is not None and isinstance(place.type, Integer)
        (storage, field), type_ = place.bits, place.type
        whole = self.read(replace(place, type=storage, bits=None), position)
        if whole.term is None:
            return Value(None, type_, whole.refusal)
        part = self._terms.extract(whole.term, field.low + field.width - 1, field.low)
        extend = self._terms.sign_extend if field.signed else self._terms.zero_extend
        return Value(extend(part, type_.width - field.width), type_)

    def _write_field(self, place: Whereabouts, value: Value, position: Position, text: str) -> None:
        """A bit field gets the lowest bits of a value; the others in its storage stay."""
        assert place.bits is not None
        storage, field = place.bits
        whole = replace(place, type=storage, bits=None)
        term = self._terms.extract(self._operators.term(value, position), field.width - 1, 0)
        if field.width < storage.width:
            # What is written to what is volatile changes nothing else there.
            before = self.read(replace(whole, qualifiers=whole.qualifiers - {"volatile"}), position)
            term = with_field(self._terms, self._operators.term(before, position), field.low, term)
        self.write(whole, Value(term, storage), position, text)

    # ---- whether a place may be accessed ------------------------------------------------------------------

    def _followed(self, place: Whereabouts, address: Term, writes: bool, position: Position) -> None:
        """Require that an address that is followed leads to an object."""
        size = self._unit.model.size(place.type)
        if size is None and self._unit.watched:
            self._operators.unknown_access(position, self.refusal(place, position, "writes" if writes else "reads"))
        else:
            self._operators.may_access(address, size or 0, writes, position, place.what)

    def _unmodelled_access(self, place: Whereabouts, writes: bool, position: Position) -> None:
        """Require the same of a place that holds nothing that is modelled."""
        if not self._unit.watched or isinstance(place.type, StructureType):
            return
        if place.object is not None:
            self._stays_in_object(place, position)
        elif place.address is not None:
            address = self._address_term(place)
            assert address is not None
            self._followed(place, address, writes, position)
        elif place.through_pointer or place.because is not None:
            self._operators.unknown_access(position, self.refusal(place, position, "writes" if writes else "reads"))

    def _stays_in_object(self, place: Whereabouts, position: Position) -> None:
        """Require that a place which a pointer to a known object leads to does not leave it; indices have their own
        ranges."""
        symbol = place.object
        if not self._unit.watched or symbol is None:
            return
        if symbol.block is not None and symbol.block.lengths and all(i.size for i in place.indices):
            # Subscripts of an array of variable length have their ranges.
            return
        size, whole = self._unit.model.size(place.type), self._unit.model.size(symbol.type)
        if size is None or whole is None:
            if isinstance(place.of, TargetPlace | ElementPlace | MemberPlace):
                self._operators.unknown_access(position, self.refusal(place, position, "reads"))
            return
        spread = sum((index.length - 1) * index.size for index in place.indices)
        if place.offset < 0 or place.offset + spread + size > whole:
            self._operators.never(Undefined.BOUNDS, position)

    def _changes_by_itself(self, place: Whereabouts) -> bool:
        return "volatile" in place.qualifiers and self._unit.volatile_is_arbitrary

    def _arbitrary(self, place: Whereabouts, type_: Scalar, position: Position) -> Value:
        """Any value, anew at each read: what is volatile may change by itself (6.7.3, 7)."""
        self._unit.note("every read of a volatile object gives any value")
        if place.address is not None:
            address = self._address_term(place)
            assert address is not None
            self._followed(place, address if self._unit.watched else place.address, False, position)
        elif place.object is not None:
            self._stays_in_object(place, position)
        term = self._unit.variable(self._function, "temp", type_, position)
        source = ValueSource(SourceKind.VOLATILE, f"volatile {place.what}")
        self._graph.choose_aside(term, position, f"{term.name} = ?", source)
        return Value(term, type_)

    def _note_recast(self, term: Term, place: Whereabouts) -> None:
        """A pointer in a union may have been written as one to something else."""
        if not isinstance(place.type, Pointer) or place.object is None:
            return
        for cell in self._unit.cells(place.object.type):
            if cell.in_union and isinstance(cell.type, Pointer) and matters(cell.type.target, place.type.target):
                self._unit.recasts[term, cell.type.target, place.type.target] = None

    def spots(self, place: Whereabouts) -> list[tuple[Term, Term]]:
        """The cells of an object that a place may be, each with its condition; none if one of them is not modelled."""
        symbol, type_ = place.object, place.type
        assert symbol is not None
        if not self._unit.cells(symbol.type):
            return []
        return self._behind(place, lambda offset: self._unit.part(symbol, offset, type_))

    def _seen(self, place: Whereabouts) -> list[tuple[Term, View]]:
        """The same for a place that is made of parts of cells."""
        symbol, type_ = place.object, place.type
        if symbol is None or not isinstance(type_, Scalar) or prod(i.length for i in place.indices) > MOST_VIEWS:
            return []
        return self._behind(place, lambda offset: view_at(self._unit, symbol, offset, type_))

    def _behind(self, place: Whereabouts, at: Callable[[int], Part | None]) -> list[tuple[Term, Part]]:
        """What is at the offsets of a place, each with its condition; nothing if one of them is not there."""
        found: list[tuple[Term, Part]] = []
        for numbers in product(*(range(index.length) for index in place.indices)):
            offset = place.offset + sum(n * index.size for n, index in zip(numbers, place.indices, strict=True))
            there = at(offset)
            if there is None:
                return []
            chosen = (
                self._terms.eq(index.term, self._terms.const(n, index.term.sort))
                for n, index in zip(numbers, place.indices, strict=True)
            )
            found.append((self._terms.conjunction(chosen), there))
        return found

    def _chosen(self, cells: Sequence[Term], indices: Sequence[Index]) -> Term:
        """One of the cells behind indices that are in their ranges; of many by halves."""
        if not indices:
            return cells[0]
        index, terms, span = indices[0], self._terms, len(cells) // indices[0].length

        def between(low: int, high: int) -> Term:
            if high - low == 1:
                return self._chosen(cells[low * span : high * span], indices[1:])
            if high - low > IN_A_ROW:
                half = (low + high) // 2
                condition = terms.bit("bvslt", index.term, terms.const(half, index.term.sort))
                return terms.ite(condition, between(low, half), between(half, high))
            condition = terms.eq(index.term, terms.const(low, index.term.sort))
            return terms.ite(condition, between(low, low + 1), between(low + 1, high))

        return between(0, index.length)

    def _around(self, place: Whereabouts) -> tuple[Term, int, Scalar] | None:
        """The cell that a place is a part of, the bit at which it starts there (the first byte is the lowest), and the
        type of the cell."""
        type_ = place.type
        if not place.is_direct or not isinstance(type_, Scalar) or type_.sort.width == 1:
            return None
        assert place.object is not None
        for cell in self._unit.cells(place.object.type):
            low = 8 * (place.offset - cell.offset)
            if low >= 0 and low + type_.sort.width <= cell.type.sort.width:
                self._unit.see(cell.type, type_)
                return self._unit.part_of_cell(place.object, cell), low, cell.type
        return None

    def _access(self, place: Whereabouts) -> Access:
        assert isinstance(place.type, Scalar)
        if place.object is not None and place.object.block is not None:
            origin = place.object.block.origin
            return Access(origin, place.type, direct=(place.offset, place.indices))
        address = self._address_term(place)
        assert address is not None
        if place.record is None or prod(index.length for index in place.indices) > MOST_IN_OBJECT:
            return Access(address, place.type)
        behind = product(*(range(0, index.length * index.size, index.size) for index in place.indices))
        offsets = frozenset(place.offset + sum(by) for by in behind)
        return Access(address, place.type, place.record, offsets)

    # ---- writing ------------------------------------------------------------------------------------------

    def write(self, place: Whereabouts, value: Value, position: Position, text: str) -> None:
        """Assign a value that is already converted."""
        if place.bits is not None:
            self._write_field(place, value, position, text)
            return
        if isinstance(place.type, StructureType):
            self._copy(place, value, position, text)
        elif place.object is not None and place.object.block is not None and isinstance(place.type, Scalar):
            self._stays_in_object(place, position)
            access = self._access(place)
            self._operators.claim(access, position)
            refusal = self.refusal(place, position, "writes")
            self._graph.emit(Store(access, self._operators.term(value, position), refusal), position, text)
        elif place.object is not None:
            self._write_cells(place, value, position, text)
        elif place.address is not None and isinstance(place.type, Scalar):
            access = self._access(place)
            self._followed(place, access.address, True, position)
            self._operators.claim(access, position)
            refusal = self.refusal(place, position, "writes")
            self._graph.emit(Store(access, self._operators.term(value, position), refusal), position, text)
        elif place.through_pointer:
            self._unmodelled_access(place, True, position)
            self._graph.emit(WildWrite(self.refusal(place, position, "writes"), False), position, text)
        else:
            self._unmodelled_access(place, True, position)
            self._graph.flush(position, text)

    def _write_cells(self, place: Whereabouts, value: Value, position: Position, text: str) -> None:
        self._stays_in_object(place, position)
        spots = self.spots(place) if isinstance(place.type, Scalar) else []
        around = self._around(place) if not spots else None
        if around is not None:
            cell, low, own = around
            if isinstance(place.type, Pointer) and isinstance(own, Integer):
                value = self._operators.convert(value, self._unit.model.size_type, position)
            self._write_part(cell, low, self._operators.term(value, position), position, text)
            return
        seen = [] if spots else self._seen(place)
        if seen:
            self._write_views(place, value, seen, position, text)
            return
        if not spots:
            self._clobber(place, position, text)
            return
        term = self._operators.term(value, position)
        if len(spots) == 1:
            condition, cell = spots[0]
            self._graph.emit(Assign(cell, self._terms.ite(condition, term, cell)), position, text)
            return
        written = {cell for _, cell in spots}
        term = self._kept(term, value.type, written, position)
        for condition, cell in self.spots(self._fixed(place, written, position)):
            self._graph.emit(Assign(cell, self._terms.ite(condition, term, cell)), position, text)

    def _write_views(
        self, place: Whereabouts, value: Value, seen: Sequence[tuple[Term, View]], position: Position, text: str
    ) -> None:
        """What lies across cells, or behind an index in them."""
        written = {piece.cell for _, view in seen for piece in view.pieces}
        term = self._kept(self._operators.term(value, position), value.type, written, position)
        seen = self._seen(self._fixed(place, written, position))
        for cell, new in after_writing(self._terms, seen, term).items():
            self._graph.emit(Assign(cell, new), position, text)

    def _write_part(self, cell: Term, low: int, new: Term, position: Position, text: str) -> None:
        """Some of the bits of a cell."""
        self._graph.emit(Assign(cell, with_bits(self._terms, cell, low, new)), position, text)

    def _fixed(self, place: Whereabouts, written: set[Term] | None, position: Position) -> Whereabouts:
        """A place that stays where it is while cells are written; None stands for any cells."""
        indices = tuple(
            replace(index, term=self._kept(index.term, self._index_type(index.term), written, position))
            for index in place.indices
        )
        pointer = self._unit.model.pointer(place.type)
        address = None if place.address is None else self._kept(place.address, pointer, written, position)
        return replace(place, indices=indices, address=address)

    def _kept(self, term: Term, type_: Type, written: set[Term] | None, position: Position) -> Term:
        """A term that does not change while cells are written."""
        reads = variables(term)
        touched = bool(reads) if written is None else not written.isdisjoint(reads)
        if not touched and self._unit.loads.keys().isdisjoint(reads):
            return term
        assert isinstance(type_, Scalar)
        saved = self._unit.variable(self._function, "temp", type_, position)
        self._graph.emit(Assign(saved, term), position, f"{saved.name} = ...")
        return saved

    def _clobber(self, place: Whereabouts, position: Position, text: str) -> None:
        """A write to a part of an object that is not modelled as such: what it may touch is lost."""
        assert place.object is not None
        size = self._unit.model.size(place.type)
        spread = sum((index.length - 1) * index.size for index in place.indices)
        refusal = self.refusal(place, position, "writes")
        self._graph.flush(position, text)
        if place.object.block is not None:
            for term in self._unit.all_parts(place.object):
                self.lose(term, refusal, position, text)
            return
        for cell in self._unit.cells(place.object.type):
            behind = size is not None and cell.offset >= place.offset + spread + size
            before = cell.offset + (self._unit.model.size(cell.type) or 0) <= place.offset
            if not behind and not before:
                self.lose(self._unit.part_of_cell(place.object, cell), refusal, position, text)

    def lose(self, term: Term, refusal: Refusal, position: Position, text: str) -> None:
        """A cell has a value that is not modelled."""
        opaque = self._unit.opaque_term(term.sort, refusal, self._unit.variables[term].signed)
        self._graph.emit(Assign(term, opaque), position, text)

    def parts(self, place: Whereabouts) -> Iterator[tuple[MemoryCell, Whereabouts]]:
        """The cells of a place."""
        for cell in self._unit.cells(place.type):
            behind = place.behind + cell.path
            yield cell, replace(place, type=cell.type, offset=place.offset + cell.offset, behind=behind)

    def scalars(self, place: Whereabouts, position: Position) -> Iterator[Value]:
        """What the cells of a structure hold."""
        for _, part in self.parts(place) if place.object is not None or place.address is not None else ():
            yield self.read(part, position)

    def _whole(self, place: Whereabouts, writes: bool, position: Position) -> None:
        """Require that a structure which is not modelled cell by cell may be accessed."""
        if self._unit.watched and place.object is None:
            address = self._address_term(place)
            if address is None:
                self._operators.unknown_access(position, self.refusal(place, position, "reads"))
            else:
                self._followed(place, address, writes, position)

    def _copy(self, place: Whereabouts, value: Value, position: Position, text: str) -> None:
        """Assign a structure, cell by cell. Source and target are one or have nothing in common (6.5.16.1, 3)."""
        parts = list(self.parts(place)) if place.object is not None or place.address is not None else []
        if not parts:
            if place.object is not None:
                self._clobber(place, position, text)
            elif place.through_pointer:
                self._whole(place, True, position)
                self._graph.emit(WildWrite(self.refusal(place, position, "writes"), False), position, text)
            if value.place is not None:
                self._whole(value.place, False, position)
            self._graph.flush(position, text)
            return
        origin = value.place if value.place is not None and value.type is place.type else None
        written = set(self._unit.all_parts(place.object)) if place.object is not None else None
        parts = list(self.parts(self._fixed(place, written, position)))
        sources = {} if origin is None else dict(self.parts(self._fixed(origin, written, position)))
        refusal = value.refusal
        if origin is not None and refusal is None and len(sources) < len(parts):
            refusal = self.refusal(origin, position, "reads")
        for cell, part in parts:
            source = sources.get(cell)
            own = Value(None, cell.type, refusal) if source is None else self.read(source, position)
            self.write(part, own, position, text)
        self.pad(place, place.type, position, text)

    def pad(self, place: Whereabouts, type_: Type, position: Position, text: str) -> None:
        """A structure of a type was written to a place: bytes between its members have any values afterwards, which
        is seen where the place is also something else."""
        size, written = self._unit.model.size(type_) or 0, set[int]()
        for cell in self._unit.cells(type_):
            written.update(range(cell.offset, cell.offset + (self._unit.model.size(cell.type) or 0)))
        between = tuple(offset for offset in range(size) if offset not in written)
        if not between:
            return
        of = Obstacle(position, f"bytes between the members of {place.what}", Construct.RESULT)
        refusal = of.refusal(position, "")
        if place.object is not None and place.object.block is None:
            behind = list(product(*(range(0, index.length * index.size, index.size) for index in place.indices)))
            bytes_there = {place.offset + offset + sum(by) for offset in between for by in behind}
            for cell in self._unit.cells(place.object.type):
                end = cell.offset + (self._unit.model.size(cell.type) or 0)
                if not bytes_there.isdisjoint(range(cell.offset, end)):
                    self.lose(self._unit.part_of_cell(place.object, cell), refusal, position, text)
            return
        address = self._address_term(place, taken=False)
        if address is not None:
            self._graph.emit(Pad(address, between, refusal), position, text)
