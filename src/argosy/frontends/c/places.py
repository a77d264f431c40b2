"""Places: what lvalues designate, reading and writing them, assignment and increment (C11 6.3.2.1, 6.5.2.4, 6.5.16).

A cell of an object is a variable. Behind an index that is not constant, reading chooses between the cells and writing
writes each of them or leaves it. What is read through a pointer is a variable that stands for the cells to which
the pointer may lead, a write is a ``Store``: which cells these are is known when everything is read (``pointers``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c import literals
from argosy.frontends.c.declarations import decayed
from argosy.frontends.c.effects import Effects
from argosy.frontends.c.graph import Store, WildWrite
from argosy.frontends.c.memory import IN_A_ROW, Access, Index, MemoryCell, obstacle
from argosy.frontends.c.operators import Place, Value, with_bits
from argosy.frontends.c.punning import matters
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, complain, note_constant, position_of
from argosy.frontends.c.types import Array, Float, Function, Integer, Pointer, Scalar, StructureType, Type, Void
from argosy.frontends.c.unsupported import Construct, Obstacle
from argosy.frontends.c.whole import InitialiserItem, Whole
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Refusal, Undefined

INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
FIXED_UNKNOWN = "__BLAST_NONDET"


class Places:
    def __init__(self, expressions: Whole) -> None:
        self._expressions = expressions
        self._unit = expressions.unit
        self._graph = expressions.graph
        self._terms = expressions.terms
        self._operators = expressions.operators

    # ---- what is designated -------------------------------------------------------------------------------

    def of_object(self, symbol: Object) -> Place:
        what = f"variable {symbol.name} of type {symbol.type}"
        return Place(symbol.type, what, symbol, qualifiers=symbol.qualifiers)

    def _fixed_unknown(self, node: Node) -> Object:
        symbol = Object(node.name, self._unit.model.int_, position_of(node), lasting=True, defined=False)
        self._unit.scopes.bind_global(node.name, symbol)
        return symbol

    def place(self, node: Node) -> Place:
        """What an lvalue designates; its parts are evaluated on the way."""
        match node:
            case c.ID():
                symbol = self._unit.scopes.find(node.name)
                if symbol is None and node.name == FIXED_UNKNOWN:
                    symbol = self._fixed_unknown(node)
                if isinstance(symbol, Object):
                    return self.of_object(symbol)
                if symbol is None:
                    raise complain(node, f"{node.name} is not declared")
            case c.UnaryOp(op="*", expr=c.UnaryOp(op="&")):
                return self.place(node.expr.expr)
            case c.UnaryOp(op="*"):
                return self._target(self._expressions.value(node.expr), node, f"dereference {render(node)}")
            case c.ArrayRef():
                return self._element(node)
            case c.StructRef():
                return self._member(node)
            case c.CompoundLiteral():
                return self._literal(node)
            case c.Constant() if node.value.endswith('"'):
                return self.of_object(self._text(node))
        value = self._expressions.value(node)
        return value.place or Place(value.type, f"{render(node)}, a {value.type}")

    def _text(self, node: Node) -> Object:
        """The array that a string literal is: one for all that say the same."""
        known = self._unit.texts.get(node.value)
        if known is None:
            type_ = literals.string_type(node, self._unit.model)
            known = Object(f"text{len(self._unit.texts) + 1}", type_, position_of(node), lasting=True, constant=True)
            known.initialiser = node
            self._unit.texts[node.value] = known
        return known

    def _target(self, pointer: Value, node: Node, what: str) -> Place:
        """Where a pointer leads."""
        if not isinstance(pointer.type, Pointer):
            raise complain(node, f"{render(node.expr if isinstance(node, c.UnaryOp) else node.name)} is not a pointer")
        type_, qualifiers, term = pointer.type.target, pointer.type.qualifiers, pointer.term
        if term is None:
            return Place(type_, what, through_pointer=True, because=pointer.refusal, qualifiers=qualifiers)
        known = self._unit.object_at(term.payload) if term.op == "const" else None
        if known is not None:
            return Place(type_, what, known[0], offset=known[1], qualifiers=qualifiers)
        record = type_ if isinstance(type_, StructureType) else None
        return Place(type_, what, address=term, record=record, through_pointer=True, qualifiers=qualifiers)

    def _assignable(self, node: Node) -> Place:
        place = self.place(node)
        if place.object is not None and place.object.constant:
            note_constant(self._unit, position_of(node))
            self._operators.never(Undefined.POINTER, position_of(node))
        is_lvalue = place.object is not None or isinstance(
            node, c.UnaryOp | c.ArrayRef | c.StructRef | c.CompoundLiteral
        )
        if not is_lvalue or isinstance(place.type, Array | Function | Void):
            raise complain(node, f"{render(node)} cannot be assigned to")
        return place

    def _element(self, node: Node) -> Place:
        base, index = node.name, node.subscript
        if isinstance(self._expressions.typing.undecayed(base), Integer):
            base, index = index, base
        type_ = self._expressions.typing.undecayed(base)
        what = f"array element {render(node)}"
        index_effects = self._expressions.effects.of(index)
        if isinstance(type_, Pointer):
            pointer = self._expressions.value(base)
            if index_effects is not None:
                pointer = self._expressions.protect(pointer, index_effects, base)
            moved = self._operators.binary("+", pointer, self._expressions.value(index), position_of(node))
            return self._target(moved, node, what)
        if not isinstance(type_, Array):
            raise complain(node, f"{render(base)} is neither an array nor a pointer")
        inner = self.place(base)
        if index_effects is not None:
            inner = self._protected(inner, index_effects, base)
        value = self._operators.promote(self._expressions.value(index), position_of(node))
        if not isinstance(value.type, Integer):
            raise complain(node, f"{render(index)} is no index")
        return self._at_index(inner, type_, value, position_of(node), what)

    def _at_index(self, array: Place, type_: Array, index: Value, position: Position, what: str) -> Place:
        size = self._unit.model.size(type_.element)
        modelled = array.object is not None or array.address is not None
        if index.term is None or size is None or not modelled:
            because = array.because or index.refusal or self._why_no_cells(array, type_, position)
            return self._unmodelled_part(array, type_.element, what, because)
        if array.object is None and (type_.length or 0) <= 1:
            # An array at the end of a structure that goes on behind it, as before C99.
            start = Value(self._address_term(array), self._unit.model.pointer(type_.element))
            moved = self._operators.binary("+", start, index, position)
            return Place(type_.element, what, address=moved.term, through_pointer=True, qualifiers=array.qualifiers)
        if type_.length is None:
            return self._unmodelled_part(array, type_.element, what, self._why_no_cells(array, type_, position))
        self._operators.in_range(index.term, 0, type_.length - 1, Undefined.BOUNDS, position)
        if index.term.op == "const":
            moved_by = min(index.term.payload, type_.length) * size
            return replace(array, type=type_.element, what=what, offset=array.offset + moved_by)
        further = Index(index.term, type_.length, size)
        return replace(array, type=type_.element, what=what, indices=(*array.indices, further))

    def _unmodelled_part(self, whole: Place, type_: Type, what: str, because: Obstacle | Refusal | None) -> Place:
        own, through = whole.qualifiers, whole.through_pointer
        return Place(type_, what, through_pointer=through, because=because, qualifiers=own)

    def _member(self, node: Node) -> Place:
        if node.type == "->":
            inner = self._target(self._expressions.value(node.name), node, f"dereference {render(node.name)}")
        else:
            inner = self.place(node.name)
        record = inner.type
        member = record.member(node.field.name) if isinstance(record, StructureType) else None
        if member is None or not isinstance(record, StructureType):
            raise complain(node, f"no member {node.field.name} in {record}")
        what = f"member {render(node)}"
        qualifiers = inner.qualifiers | record.qualifiers_of(node.field.name)
        offset = self._unit.model.offset(record, node.field.name)
        if offset is None:
            because = inner.because or record.bit_fields.get(node.field.name)
            because = because or self._why_no_cells(inner, record, position_of(node))
            return replace(self._unmodelled_part(inner, member, what, because), keeps=False, qualifiers=qualifiers)
        offset += inner.offset
        return replace(inner, type=member, what=what, offset=offset, keeps=record.exact_layout, qualifiers=qualifiers)

    def _protected(self, place: Place, effects: Effects, node: Node) -> Place:
        """The place as it is now, whatever the effects, which come later, change."""
        protect, model = self._expressions.protect, self._unit.model
        indices = []
        for index in place.indices:
            kept = protect(Value(index.term, self._index_type(index.term)), effects, node)
            indices.append(replace(index, term=kept.term or index.term))
        address = place.address
        if address is not None:
            address = protect(Value(address, model.pointer(place.type)), effects, node).term
        return replace(place, indices=tuple(indices), address=address)

    def _index_type(self, term: Term) -> Integer:
        names = ("int", "long long", "__int128")
        return next(type_ for type_ in map(self._unit.model.__getitem__, names) if type_.width >= term.sort.width)

    # ---- what is not modelled -----------------------------------------------------------------------------

    def _refusal(self, place: Place, position: Position, how: str) -> Refusal:
        """Why a place cannot be read or written, where that turns out to be so."""
        because = place.because
        if isinstance(because, Refusal):
            return because
        if because is None and place.object is not None and not isinstance(place.type, Float):
            because = self._why_no_cells(place, place.object.type, position)
        if because is None:
            subject = f"write to {place.what}" if how == "writes" else place.what
            if how == "takes the address of":
                subject = f"address of {place.what}"
            construct = Construct.OTHER_TYPE if place.address is None else Construct.POINTER
            construct = Construct.FLOAT if isinstance(place.type, Float) else construct
            because = Obstacle(position, subject, construct)
        return because.refusal(position, f"{how} {place.what}")

    def _why_no_cells(self, place: Place, type_: Type, position: Position) -> Obstacle | None:
        """The obstacle in an object, or in what lies behind a pointer."""
        symbol = place.object
        if symbol is None:
            return obstacle(self._unit.model, type_, place.what, position)
        return obstacle(self._unit.model, symbol.type, symbol.name, symbol.position)

    # ---- addresses ----------------------------------------------------------------------------------------

    def _address_term(self, place: Place) -> Term | None:
        """The address as a term; pointers may lead to the object from now on."""
        width = self._unit.model.pointer_width
        if place.object is not None:
            term = self._terms.bv(self._unit.take_address(place.object) + place.offset, width)
        elif place.address is not None:
            term = self._terms.bit("bvadd", place.address, self._terms.bv(place.offset, width))
        else:
            return None
        for index in place.indices:
            by = self._terms.bit("bvmul", self._resized(index.term, width), self._terms.bv(index.size, width))
            term = self._terms.bit("bvadd", term, by)
        return term

    def _resized(self, index: Term, width: int) -> Term:
        """An index that is known to be in its range."""
        own = index.sort.width
        if own >= width:
            return self._terms.extract(index, width - 1, 0)
        return self._terms.zero_extend(index, width - own)

    def _address_of(self, place: Place, type_: Pointer, position: Position) -> Value:
        term = self._address_term(place)
        if term is None:
            return Value(None, type_, self._refusal(place, position, "takes the address of"))
        return Value(term, type_)

    def address(self, node: Node) -> Value:
        model = self._unit.model
        match node:
            case c.ID():
                if isinstance(self._unit.scopes.find(node.name), FunctionName):
                    return self._expressions.value(node)
            case c.UnaryOp(op="*"):
                return self._expressions.value(node.expr)
            case c.ArrayRef():
                return self._expressions.operation("+", node.name, node.subscript, position_of(node))
        place = self.place(node)
        return self._address_of(place, model.pointer(place.type, place.qualifiers), position_of(node))

    # ---- reading ------------------------------------------------------------------------------------------

    def value(self, node: Node) -> Value:
        """What the lvalue holds."""
        return self.read(self.place(node), node)

    def read(self, place: Place, node: Node) -> Value:
        return self.read_at(place, position_of(node))

    def read_at(self, place: Place, position: Position) -> Value:
        type_ = place.type
        if "volatile" in place.qualifiers and not self._unit.volatile_is_arbitrary:
            self._unit.note("volatile objects are read as ordinary ones")
        match type_:
            case Array():
                return self._address_of(place, self._unit.model.pointer(type_.element, place.qualifiers), position)
            case StructureType():
                return Value(None, type_, self._refusal(place, position, "reads"), place)
            case Integer() | Pointer() if "volatile" in place.qualifiers and self._unit.volatile_is_arbitrary:
                return self._arbitrary(place, type_, position)
            case Function() if place.address is not None:
                return Value(place.address, self._unit.model.pointer(type_))
            case Integer() | Pointer() if place.object is not None:
                spots = self._spots(place)
                if spots:
                    chosen = self._chosen([term for _, term in spots], place.indices)
                    self._note_recast(chosen, place)
                    return Value(chosen, type_)
                around = self._around(place)
                if around is not None:
                    cell, low, own = around
                    if isinstance(own, Pointer) and isinstance(type_, Integer) and self._operators.is_exposed(cell):
                        return self._operators.unknown(type_, position, "an address as a number", Construct.ADDRESS)
                    return Value(self._terms.extract(cell, low + type_.sort.width - 1, low), type_)
            case Integer() | Pointer() if place.address is not None:
                access = self._access(place)
                self._operators.not_null(access.address, position)
                return Value(self._unit.load(access, self._refusal(place, position, "reads")), type_)
        return Value(None, decayed(self._unit, type_), self._refusal(place, position, "reads"))

    def _arbitrary(self, place: Place, type_: Integer | Pointer, position: Position) -> Value:
        """Any value, anew at each read: what is volatile may change by itself (6.7.3, 7)."""
        self._unit.note("every read of a volatile object gives any value")
        if place.address is not None:
            self._operators.not_null(place.address, position)
        term = self._unit.variable(self._expressions.function, "temp", type_, position)
        self._graph.choose_aside(term, position, f"{term.name} = ?", f"volatile {place.what}")
        return Value(term, type_)

    def _note_recast(self, term: Term, place: Place) -> None:
        """A pointer in a union may have been written as one to something else."""
        if not isinstance(place.type, Pointer) or place.object is None:
            return
        for cell in self._unit.cells(place.object.type):
            if cell.in_union and isinstance(cell.type, Pointer) and matters(cell.type.target, place.type.target):
                self._unit.recasts[term, cell.type.target, place.type.target] = None

    def _spots(self, place: Place) -> list[tuple[Term, Term]]:
        """The cells of an object that a place may be, each with its condition; none if one of them is not modelled."""
        assert place.object is not None
        if not self._unit.cells(place.object.type):
            return []
        spots = []
        for numbers in product(*(range(index.length) for index in place.indices)):
            offset = place.offset + sum(n * index.size for n, index in zip(numbers, place.indices, strict=True))
            term = self._unit.part(place.object, offset, place.type)
            if term is None:
                return []
            chosen = (
                self._terms.eq(index.term, self._terms.const(n, index.term.sort))
                for n, index in zip(numbers, place.indices, strict=True)
            )
            spots.append((self._terms.conjunction(chosen), term))
        return spots

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

    def _around(self, place: Place) -> tuple[Term, int, Scalar] | None:
        """The cell that a place is a part of, the bit at which it starts there (the first byte is the lowest), and the
        type of the cell."""
        type_ = place.type
        if not place.is_direct or not isinstance(type_, Integer | Pointer) or type_.sort.width == 1:
            return None
        assert place.object is not None
        for cell in self._unit.cells(place.object.type):
            low = 8 * (place.offset - cell.offset)
            if low >= 0 and low + type_.sort.width <= cell.type.sort.width:
                return self._unit.part_of_cell(place.object, cell), low, cell.type
        return None

    def _access(self, place: Place) -> Access:
        assert isinstance(place.type, Integer | Pointer)
        address = self._address_term(place)
        assert address is not None
        if place.record is None:
            return Access(address, place.type)
        behind = product(*(range(0, index.length * index.size, index.size) for index in place.indices))
        offsets = frozenset(place.offset + sum(by) for by in behind)
        return Access(address, place.type, place.record, offsets)

    # ---- writing ------------------------------------------------------------------------------------------

    def write(self, place: Place, value: Value, position: Position, text: str) -> None:
        """Assign a value that is already converted."""
        if isinstance(place.type, StructureType):
            self._copy(place, value, position, text)
        elif place.object is not None:
            self._write_cells(place, value, position, text)
        elif place.address is not None and isinstance(place.type, Integer | Pointer):
            access = self._access(place)
            self._operators.not_null(access.address, position)
            refusal = self._refusal(place, position, "writes")
            self._graph.emit(Store(access, self._operators.term(value, position), refusal), position, text)
        elif place.through_pointer:
            self._graph.emit(WildWrite(self._refusal(place, position, "writes"), False), position, text)
        else:
            self._graph.flush(position, text)

    def write_at(self, pointer: Value, value: Value, node: Node, text: str) -> None:
        """Assign to what a pointer leads to."""
        self.write(self._target(pointer, node, f"what {text} is given"), value, position_of(node), text)

    def _write_cells(self, place: Place, value: Value, position: Position, text: str) -> None:
        spots = self._spots(place) if isinstance(place.type, Integer | Pointer) else []
        around = self._around(place) if not spots else None
        if around is not None:
            cell, low, own = around
            if isinstance(place.type, Pointer) and isinstance(own, Integer):
                value = self._operators.convert(value, self._unit.model.size_type, position)
            self._write_part(cell, low, self._operators.term(value, position), position, text)
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
        for condition, cell in self._spots(self._fixed(place, written, position)):
            self._graph.emit(Assign(cell, self._terms.ite(condition, term, cell)), position, text)

    def _write_part(self, cell: Term, low: int, new: Term, position: Position, text: str) -> None:
        """Some of the bits of a cell."""
        self._graph.emit(Assign(cell, with_bits(self._terms, cell, low, new)), position, text)

    def _fixed(self, place: Place, written: set[Term] | None, position: Position) -> Place:
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
        assert isinstance(type_, Integer | Pointer)
        saved = self._unit.variable(self._expressions.function, "temp", type_, position)
        self._graph.emit(Assign(saved, term), position, f"{saved.name} = ...")
        return saved

    def _clobber(self, place: Place, position: Position, text: str) -> None:
        """A write to a part of an object that is not modelled as such: what it may touch is lost."""
        assert place.object is not None
        size = self._unit.model.size(place.type)
        spread = sum((index.length - 1) * index.size for index in place.indices)
        refusal = self._refusal(place, position, "writes")
        self._graph.flush(position, text)
        for cell in self._unit.cells(place.object.type):
            behind = size is not None and cell.offset >= place.offset + spread + size
            before = cell.offset + (self._unit.model.size(cell.type) or 0) <= place.offset
            if not behind and not before:
                term = self._unit.part_of_cell(place.object, cell)
                opaque = self._unit.opaque_term(term.sort, refusal, self._unit.variables[term].signed)
                self._graph.emit(Assign(term, opaque), position, text)

    def _parts(self, place: Place) -> Iterator[tuple[MemoryCell, Place]]:
        for cell in self._unit.cells(place.type):
            yield cell, replace(place, type=cell.type, offset=place.offset + cell.offset, what=place.what + cell.path)

    def scalars(self, place: Place, position: Position) -> Iterator[Value]:
        """What the cells of a structure hold."""
        for _, part in self._parts(place) if place.object is not None or place.address is not None else ():
            yield self.read_at(part, position)

    def _copy(self, place: Place, value: Value, position: Position, text: str) -> None:
        """Assign a structure, cell by cell. Source and target are one or have nothing in common (6.5.16.1, 3)."""
        parts = list(self._parts(place)) if place.object is not None or place.address is not None else []
        if not parts:
            if place.object is not None:
                self._clobber(place, position, text)
            elif place.through_pointer:
                self._graph.emit(WildWrite(self._refusal(place, position, "writes"), False), position, text)
            self._graph.flush(position, text)
            return
        origin = value.place if value.place is not None and value.type is place.type else None
        written = set(self._unit.all_parts(place.object)) if place.object is not None else None
        parts = list(self._parts(self._fixed(place, written, position)))
        sources = {} if origin is None else dict(self._parts(self._fixed(origin, written, position)))
        for cell, part in parts:
            source = sources.get(cell)
            own = Value(None, cell.type, value.refusal) if source is None else self.read_at(source, position)
            self.write(part, own, position, text)

    def store(self, place: Place, node: Node, position: Position, text: str) -> None:
        """Evaluate ``node`` and assign it; an arbitrary value goes directly where it is stored."""
        if isinstance(node, c.InitList) or isinstance(place.type, Array):
            self._store_parts(place, node, position, text)
            return
        spots = self._spots(place) if place.object is not None and isinstance(place.type, Integer | Pointer) else []
        if len(spots) != 1 or not self._expressions.calls.choose_into(spots[0][1], node, position, text):
            value = self._operators.convert(self._expressions.value(node), place.type, position)
            self.write(place, value, position, text)

    def _store_parts(self, place: Place, node: Node, position: Position, text: str) -> None:
        """An initialiser in braces, or a text."""
        if isinstance(place.type, Integer | Pointer):
            value = self._operators.convert(self._expressions.braced(node), place.type, position)
            self.write(place, value, position, text)
            return
        items = list(self._expressions.initialisers.items(place.type, node))
        given = {
            item.offset + cell.offset
            for item in items
            if item.offset is not None
            for cell in self._unit.cells(item.type)
            if isinstance(item.type, StructureType) or item.type in self._scalars_at(place, item.offset)
        }
        name = place.object.name if place.object is not None else place.what
        self._note_rest_of_unions(place, items, position)
        paths = {}
        for cell, part in self._parts(place):
            paths[cell.offset] = name + cell.path
            if cell.offset not in given:
                self.write(part, self._operators.number(0, cell.type), position, f"{name}{cell.path} = 0")
        for item in items:
            if item.offset is None or not (isinstance(item.type, Integer | Pointer) or self._unit.cells(item.type)):
                if not isinstance(item.value, int):
                    self._expressions.discard(item.value)
                continue
            part = replace(place, type=item.type, offset=place.offset + item.offset)
            own = paths.get(item.offset)
            if isinstance(item.value, int):
                assert isinstance(item.type, Integer)
                own = f"{own} = {item.value}" if own is not None else text
                self.write(part, self._operators.number(item.value, item.type), position, own)
            else:
                self.store(part, item.value, position, f"{own} = {render(item.value)}" if own is not None else text)

    def _note_rest_of_unions(self, place: Place, items: Sequence[InitialiserItem], position: Position) -> None:
        """What an initialiser leaves out of a union has no value by the standard (6.2.6.1, 7); compilers clear it."""
        size = self._unit.model.size
        for cell in self._unit.cells(place.type):
            end = cell.offset + (size(cell.type) or 0)
            inside = [item for item in items if item.offset is not None and cell.offset <= item.offset < end]
            covered = sum(size(item.type) or 0 for item in inside)
            if cell.in_union and inside and covered < end - cell.offset:
                self._unit.note(f"{position}: bytes of a union that its initialiser does not name are zero")

    def _scalars_at(self, place: Place, offset: int) -> list[Type]:
        """The type of a cell, as it may be written."""
        return [cell.type for cell in self._unit.cells(place.type) if cell.offset == offset]

    def _literal(self, node: Node) -> Place:
        """An object without a name (6.5.2.5)."""
        position = position_of(node)
        declarations = self._expressions.declarations
        type_ = declarations.completed(declarations.type(node.type), node)
        own = declarations.qualifiers(node.type)
        place = self.of_object(Object("literal", type_, position, self._expressions.function, qualifiers=own))
        self._store_parts(place, node.init, position, f"literal = {render(node.init)}")
        return place

    # ---- assignment ---------------------------------------------------------------------------------------

    def assignment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.lvalue)
        right_effects = self._expressions.effects.of(node.rvalue)
        if right_effects is not None:
            place = self._protected(place, right_effects, node.lvalue)
        if node.op == "=" and place.is_direct:
            self.store(place, node.rvalue, position, render(node))
            return self.read(place, node.lvalue) if wanted else Value(None, place.type)
        if node.op == "=":
            value = self._expressions.value(node.rvalue)
        else:
            value = self.read(place, node.lvalue)
            if right_effects is not None:
                value = self._expressions.protect(value, right_effects, node.lvalue)
            value = self._operators.binary(node.op[:-1], value, self._expressions.value(node.rvalue), position)
        return self._assigned(place, self._operators.convert(value, place.type, position), node, wanted)

    def _assigned(self, place: Place, value: Value, node: Node, wanted: bool) -> Value:
        direct = place.is_direct and len(self._spots(place)) == 1 if not isinstance(place.type, StructureType) else True
        if wanted and not direct:
            value = self._expressions.save(value, node)
        self.write(place, value, position_of(node), render(node))
        if direct and wanted:
            return self.read(place, node)
        if place.keeps:
            return value
        return Value(None, place.type, self._refusal(place, position_of(node), "reads"))

    def increment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.expr)
        old = self.read(place, node.expr)
        op = INCREMENTS[node.op]
        postfix = wanted and node.op[0] == "p"
        step = self._step_of(place.type)
        if postfix and step is None:
            old = self._expressions.save(old, node.expr)
        one = self._operators.number(1, self._unit.model.int_)
        new = self._operators.convert(self._operators.binary(op, old, one, position), place.type, position)
        new = self._assigned(place, new, node, wanted)
        if not postfix:
            return new
        if step is None or new.term is None:
            return old
        # Modulo two to the width, the old value is the new one with the step undone.
        undo = "bvsub" if op == "+" else "bvadd"
        return Value(self._terms.bit(undo, new.term, self._terms.const(step, new.term.sort)), place.type)

    def _step_of(self, type_: Type) -> int | None:
        """By how much ``++`` changes the bits of a value, where that can be undone."""
        if isinstance(type_, Integer) and not type_.is_bool:
            return 1
        return self._unit.model.size(type_.target) if isinstance(type_, Pointer) else None
