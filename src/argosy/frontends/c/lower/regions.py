"""Accesses to blocks: where blocks lie, which element of which variable an address leads to, what leaves an object.

Law: an access that stays in the language and leads into a block of its pointer's set (``points_to``) is at a cell of a
family that may hold it; where pointers to the block were never taken for something else (``punning``), at no other
place. Hence reading such a block is one ``select`` under the claim that the address is one of these, and writing one
``store``. Families of blocks of many objects that one access may be at share a variable: addresses keep them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from argosy.basics.errors import UnsupportedError
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.blocks import INDEX_BITS, SMALLEST_SLOT, Family, MemoryBlock, power_above, zero_of
from argosy.frontends.c.lower.points_to import Objects
from argosy.frontends.c.memory import LAST_ADDRESS, Access, Index, same_kind, unseated
from argosy.frontends.c.symbols import Object, SameObject, SizeOfBlock, Unit
from argosy.frontends.c.types import Scalar, Type
from argosy.frontends.c.unsupported import Construct
from argosy.logic.sorts import array, bits
from argosy.logic.terms import Term

# A block of variable size, and all that one call of ``malloc`` makes, have no more than these, in bits.
LARGEST_BLOCK = {32: 28, 64: 40}
LARGEST_SLOT = {32: 22, 64: 36}


@dataclass(frozen=True, slots=True)
class BlockSpot:
    """Where an access may be: at ``index`` in a ``variable``, if the condition holds; from there on as many ``bytes``,
    where it is one of those."""

    object: Object
    variable: Term
    condition: Term
    index: Term | None
    bytes: int = 0


class BlockRegions:
    """``reached`` says which objects an address may lead into, ``is_clean`` whether one is accessed as what it is;
    ``resolve`` gives terms without what stands for something."""

    def __init__(
        self,
        unit: Unit,
        reached: Callable[[Term], Objects],
        is_clean: Callable[[Object], bool],
        resolve: Callable[[Term], Term],
    ) -> None:
        self._unit = unit
        self._terms = unit.terms
        self._reached = reached
        self._is_clean = is_clean
        self._resolve = resolve
        self._leaders: dict[Term, Term] = {}
        self._unseated: dict[Type, frozenset[Scalar]] = {}
        self.bytes_of: dict[Term, Term] = {}
        self.constants: dict[Term, Term] = {}

    # ---- where blocks lie ---------------------------------------------------------------------------------

    def lay_out(self, accesses: Iterable[Access]) -> None:
        """Give every block a place that has none yet, when all are known."""
        unit, width = self._unit, self._unit.model.pointer_width
        blocks = [symbol.block for symbol in unit.blocks if symbol.block is not None]
        blocks = [block for block in blocks if block.origin not in self.constants]
        largest = LARGEST_BLOCK[width]
        open_ = sum(1 for block in blocks if block.is_many or not self._is_constant(block))
        while width == 32 and open_ << largest > LAST_ADDRESS - unit.next_large - self._fixed_bytes(blocks):
            largest -= 1
        living = [o.block for o in unit.blocks if o.block is not None and o.block.slots is not None]
        sizes = [block.size.payload for block in living if block.size is not None]
        unit.any_slot = power_above(max(max(sizes, default=0) + 1, SMALLEST_SLOT))
        for block in living:
            block.slot = unit.any_slot
        places: dict[object, int] = {}
        for block in blocks:
            if self._is_constant(block) and not block.is_many:
                assert block.size is not None
                if block.size.payload > 1 << self._numbered(block):
                    symbol = unit.origins[block.origin]
                    why = f"{symbol.name}, of 2^32 elements or more: {Construct.REQUEST.value}"
                    raise UnsupportedError(symbol.position, why)
                block.room = power_above(max(block.size.payload + 1 + 2 * unit.guard, 1 << 16))
                # What is large lies side by side: nobody needs to see a slot in its address, unless memory is watched.
                if unit.watched:
                    block.base = unit.place_block(block.room, block.room) + unit.guard
                else:
                    block.base = unit.place_block(block.size.payload + 1 + 2 * unit.guard, 16) + unit.guard
            else:
                block.room = 1 << (largest if block.is_many else min(largest, self._numbered(block)))
                block.slot = min(block.slot or 1 << LARGEST_SLOT[width], block.room)
                of_type = None if block.slots is None else (block.families, block.size)
                shared = None if of_type is None else places.get(of_type)
                # Blocks of one type are those of one part of the address space, whatever call they come from.
                block.base = shared or unit.place_block(block.room, block.room) + (0 if block.is_many else unit.guard)
                if of_type is not None:
                    places[of_type] = block.base
            self.constants[block.origin] = self._terms.bv(block.base, width)
            if block.room_term is not None:
                self.constants[block.room_term] = self._terms.bv(block.room - 2 * unit.guard, width)
            if block.slot_term is not None:
                self.constants[block.slot_term] = self._terms.bv(block.slot, width)
            if block.slots is not None:
                self.constants[block.slots] = self._terms.bv(block.room - block.slot, width)
        for symbol in unit.blocks:
            if self._block(symbol) in blocks and self._becomes_bytes(symbol):
                self._make_bytes(symbol)
        for access in accesses:
            found = [(self._block(symbol), f) for symbol, f in self._possible(access) if self._block(symbol).is_many]
            for zeroed in (False, True):
                alike = [block.parts[family] for block, family in found if block.zeroed is zeroed]
                in_bytes = [self._block(o) for o in self._of_bytes(access) if self._block(o).is_many]
                both = [block.bytes for block in in_bytes if block.zeroed is zeroed and block.bytes is not None]
                for group in (alike, both):
                    for other in group[1:]:
                        self._unite(group[0], other)

    def _fixed_bytes(self, blocks: Iterable[MemoryBlock]) -> int:
        sizes = (b.size for b in blocks if self._is_constant(b) and not b.is_many)
        numbers = [int(size.payload) + 32 + 2 * self._unit.guard for size in sizes if size is not None]
        if self._unit.watched:
            numbers = [2 * power_above(max(number + 2 * self._unit.guard, 1 << 16)) for number in numbers]
        return sum(numbers) + (1 << 29)

    @staticmethod
    def _is_constant(block: MemoryBlock) -> bool:
        return block.size is not None and block.size.op == "const"

    @staticmethod
    def _block(symbol: Object) -> MemoryBlock:
        assert symbol.block is not None
        return symbol.block

    def _unite(self, a: Term, b: Term) -> None:
        a, b = self.variable(a), self.variable(b)
        if a is not b and a.sort is b.sort:
            self._leaders[b] = a

    def variable(self, proto: Term) -> Term:
        """The variable that a family shares with others."""
        proto = self.bytes_of.get(proto, proto)
        while proto in self._leaders:
            proto = self._leaders[proto]
        return proto

    # ---- what an access may be at -------------------------------------------------------------------------

    def blocks(self, access: Access) -> list[Object]:
        """The blocks that an access may lead into."""
        if not self._unit.blocks:
            return []
        objects = self._reached(access.address)
        return [o for o in self._unit.blocks if (o.address_taken if objects is None else o in objects)]

    def _possible(self, access: Access) -> Iterator[tuple[Object, Family]]:
        for symbol in self.blocks(access):
            for family in self._block(symbol).families if self._block(symbol).bytes is None else ():
                if family.may_hold(access):
                    self._unit.see(family.type, access.type)
                    yield symbol, family

    def spots(self, access: Access) -> list[BlockSpot]:
        """The elements that an access may be at; conditions exclude each other."""
        if access.direct is not None:
            return self._direct(access)
        address = self._resolve(access.address) if self._unit.blocks else access.address
        found: list[BlockSpot] = []
        for symbol, family in self._possible(access):
            block = self._block(symbol)
            place = self._at_address(block, family, address)
            if place is not None:
                found.append(BlockSpot(symbol, self.variable(block.parts[family]), *place))
        for symbol in self._of_bytes(access):
            spot = self._bytes_at(symbol, access, address)
            if spot is not None:
                found.append(spot)
        return self._together(found)

    def _numbered(self, block: MemoryBlock) -> int:
        """How many bits the size of an object may have, so that ``INDEX_BITS`` number its elements: two of them must
        not have one index."""
        strides = [f.dimensions[0].stride for f in block.families if f.dimensions and f.dimensions[0].stride]
        in_bytes = not strides or self._becomes_bytes(self._unit.origins[block.origin])
        return INDEX_BITS + (0 if in_bytes else min(strides).bit_length() - 1)

    # ---- bytes --------------------------------------------------------------------------------------------

    def _of_bytes(self, access: Access) -> list[Object]:
        return [o for o in self.blocks(access) if self._block(o).bytes is not None and access.type.sort.is_bits]

    def _becomes_bytes(self, symbol: Object) -> bool:
        """Whether a block is accessed at more than one width."""
        block = self._block(symbol)
        if block.lasting or len(block.families) > 1 or block.size is None or self._is_clean(symbol):
            return False
        return all(d.stride for d in block.families[0].dimensions) and block.families[0].type.sort.is_bits

    def _make_bytes(self, symbol: Object) -> None:
        unit, block = self._unit, self._block(symbol)
        index = bits(unit.model.pointer_width if block.is_many else INDEX_BITS)
        char = unit.model["unsigned char"]
        block.bytes = unit.array_variable(
            symbol.function, f"{symbol.name} bytes", array(index, char.sort), symbol.position, char
        )
        unit.objects[block.bytes] = symbol
        for part in block.parts.values():
            self.bytes_of[part] = block.bytes
        if block.zeroed:
            unit.statics.append((symbol, block.bytes, zero_of(self._terms, block.bytes.sort), ""))

    def _bytes_at(self, symbol: Object, access: Access, address: Term) -> BlockSpot | None:
        self._unit.see(self._unit.model["unsigned char"], access.type)
        block, own = self._block(symbol), max(8, access.type.sort.width) // 8
        assert block.bytes is not None
        inside, offset, size = self._in_object(block, address)
        if size is None:
            return None
        condition = self._terms.and_(inside, self._fits(offset, size, 0, own))
        index = address if block.is_many else self._resized(offset)
        return BlockSpot(symbol, self.variable(block.bytes), condition, index, own)

    def _direct_bytes(self, symbol: Object, access: Access) -> BlockSpot:
        self._unit.see(self._unit.model["unsigned char"], access.type)
        block, terms = self._block(symbol), self._terms
        assert access.direct is not None and block.bytes is not None
        offset, indices = access.direct
        index = terms.bv(offset, INDEX_BITS)
        for each in indices:
            by = terms.bit("bvmul", self._resized(self._resolve(each.term)), terms.bv(each.size, INDEX_BITS))
            index = terms.bit("bvadd", index, by)
        return BlockSpot(symbol, block.bytes, terms.true, index, max(8, access.type.sort.width) // 8)

    def read(self, spot: BlockSpot, width: int) -> Term:
        """What is there."""
        terms = self._terms
        if spot.index is None:
            return spot.variable
        if not spot.bytes:
            return terms.select(spot.variable, spot.index)
        whole = terms.select(spot.variable, spot.index)
        for number in range(1, spot.bytes):
            at = terms.bit("bvadd", spot.index, terms.bv(number, spot.index.sort.width))
            whole = terms.concat(terms.select(spot.variable, at), whole)
        return terms.extract(whole, width - 1, 0)

    def written(self, spot: BlockSpot, value: Term) -> Term:
        """The variable with a value there."""
        terms = self._terms
        if spot.index is None:
            return value
        if not spot.bytes:
            return terms.store(spot.variable, spot.index, value)
        whole = spot.variable
        wide = terms.zero_extend(value, 8 * spot.bytes - value.sort.width)
        for number in range(spot.bytes):
            at = terms.bit("bvadd", spot.index, terms.bv(number, spot.index.sort.width))
            whole = terms.store(whole, at, terms.extract(wide, 8 * number + 7, 8 * number))
        return whole

    def as_bytes(self, part: Term, value: Term) -> tuple[Term, Term] | None:
        """What a whole block becomes as bytes that is assigned as its part: one byte everywhere, or what is not
        modelled; None where it has no bytes."""
        variable, terms = self.bytes_of.get(part), self._terms
        if variable is None:
            return None
        assert variable.sort.element is not None
        if value in self._unit.opaque:
            return variable, self._unit.opaque_term(variable.sort, self._unit.opaque[value], False)
        element = value.args[0] if value.op == "const-array" else value
        assert element.op == "const", "a block is filled with one byte"
        byte = terms.bv(element.payload & 0xFF, 8)
        return variable, terms.const_array(variable.sort, byte)

    # ---- elements -----------------------------------------------------------------------------------------

    def _together(self, spots: list[BlockSpot]) -> list[BlockSpot]:
        """Spots in one variable at one index become one."""
        kept: dict[tuple[Term, Term | None, bool], BlockSpot] = {}
        for spot in spots:
            key = spot.variable, spot.index, spot.object.constant
            known = kept.get(key)
            if known is None:
                kept[key] = spot
            else:
                either = self._terms.or_(known.condition, spot.condition)
                kept[key] = replace(known, condition=either)
        return list(kept.values())

    def _direct(self, access: Access) -> list[BlockSpot]:
        assert access.direct is not None
        symbol = self._unit.origins[access.address]
        block, (offset, indices) = self._block(symbol), access.direct
        if block.bytes is not None:
            return [self._direct_bytes(symbol, access)] if access.type.sort.is_bits else []
        for family in block.families:
            if same_kind(family.type, access.type):
                self._unit.see(family.type, access.type)
                found = self._matched(family, offset, list(indices))
                if found is not None:
                    index = self._joined(found)
                    return [BlockSpot(symbol, block.parts[family], self._terms.true, index)]
        return []

    def _matched(self, family: Family, offset: int, indices: list[Index]) -> list[Term] | None:
        """The subscripts of a family that a constant offset and subscripts come to; None if it is not at one."""
        terms, rest, found = self._terms, offset - family.offset, list[Term]()
        for dimension in family.dimensions:
            by, rest = divmod(rest, dimension.stride) if dimension.stride else (0, rest)
            if by < 0 or (dimension.length and by >= dimension.length):
                return None
            constant = terms.bv(by, INDEX_BITS)
            if indices and indices[0].size == dimension.stride:
                moved = self._resized(self._resolve(indices.pop(0).term))
                found.append(moved if by == 0 else terms.bit("bvadd", moved, constant))
            else:
                found.append(constant)
        return found if rest == 0 and not indices else None

    def _resized(self, index: Term) -> Term:
        """An index that is known to be in its range."""
        own = index.sort.width
        if own >= INDEX_BITS:
            return self._terms.extract(index, INDEX_BITS - 1, 0)
        return self._terms.sign_extend(index, INDEX_BITS - own)

    def _joined(self, indices: list[Term]) -> Term | None:
        joined: Term | None = None
        for index in indices:
            joined = index if joined is None else self._terms.concat(joined, index)
        return joined

    def _at_address(self, block: MemoryBlock, family: Family, address: Term) -> tuple[Term, Term | None] | None:
        """Under which condition an address is one of a family's cells, and the index then."""
        terms, width = self._terms, address.sort.width
        if any(dimension.stride == 0 for dimension in family.dimensions):
            return None
        inside, rest, size = self._in_object(block, address)
        if size is None:
            return None
        rest = terms.bit("bvsub", rest, terms.bv(family.offset, width))
        conditions = [inside]
        own = self._unit.model.size(family.type) or 1
        if not family.dimensions:
            conditions.append(terms.eq(rest, terms.bv(0, width)))
            if size.op != "const" or size.payload < family.offset + own:
                conditions.append(terms.bit("bvule", terms.bv(family.offset + own, width), size))
        indices: list[Term] = []
        for number, dimension in enumerate(family.dimensions):
            if number == 0:
                conditions.append(self._fits(rest, size, family.offset, own))
                whole = dimension.stride * dimension.length
                if dimension.length and (size.op != "const" or size.payload > family.offset + whole):
                    conditions.append(terms.bit("bvult", rest, terms.bv(whole, width)))
            elif dimension.length * dimension.stride != family.dimensions[number - 1].stride:
                conditions.append(terms.bit("bvult", rest, terms.bv(dimension.length * dimension.stride, width)))
            quotient, rest = self._divided(rest, dimension.stride)
            indices.append(self._resized(quotient))
        if family.dimensions and family.dimensions[-1].stride > 1:
            conditions.append(terms.eq(rest, terms.bv(0, width)))
        return terms.conjunction(conditions), address if block.is_many else self._joined(indices)

    def _in_object(self, block: MemoryBlock, address: Term) -> tuple[Term, Term, Term | None]:
        """Whether an address is in the part of the address space that belongs to a block, the offset in the object, and
        the size of that."""
        terms, width = self._terms, address.sort.width
        if not block.is_many:
            return terms.true, terms.bit("bvsub", address, terms.bv(block.base, width)), self._size(block)
        low = block.room.bit_length() - 1
        base = terms.bv(block.base, width)
        inside = terms.eq(terms.extract(address, width - 1, low), terms.extract(base, width - 1, low))
        slot = block.slot.bit_length() - 1
        offset = terms.zero_extend(terms.extract(address, slot - 1, 0), width - slot)
        if block.sizes is None:
            return inside, offset, self._size(block)
        start = terms.concat(terms.extract(address, width - 1, slot), terms.bv(0, slot))
        return inside, offset, terms.select(block.sizes, start)

    def _size(self, block: MemoryBlock) -> Term | None:
        return None if block.size is None else self._resolve(block.size)

    def _fits(self, rest: Term, size: Term, offset: int, own: int) -> Term:
        """Whether a cell ``rest`` bytes behind a family's first is in the object."""
        terms, width = self._terms, rest.sort.width
        if size.op == "const":
            last = size.payload - offset - own
            return terms.false if last < 0 else terms.bit("bvule", rest, terms.bv(last, width))
        room = terms.bit("bvsub", size, rest)
        return terms.and_(terms.bit("bvult", rest, size), terms.bit("bvule", terms.bv(offset + own, width), room))

    def _divided(self, number: Term, by: int) -> tuple[Term, Term]:
        terms, width = self._terms, number.sort.width
        if by & (by - 1):
            divisor = terms.bv(by, width)
            return terms.bit("bvudiv", number, divisor), terms.bit("bvurem", number, divisor)
        low = by.bit_length() - 1
        if low == 0:
            return number, terms.bv(0, width)
        quotient = terms.zero_extend(terms.extract(number, width - 1, low), low)
        return quotient, terms.zero_extend(terms.extract(number, low - 1, 0), width - low)

    # ---- what stays in the language -----------------------------------------------------------------------

    def is_exact(self, access: Access) -> bool:
        """Whether an access that stays in the language is at one of its cells."""
        objects = self._reached(access.address)
        if objects is None:
            return False
        return all(self._holds(symbol, access) for symbol in objects)

    def _holds(self, symbol: Object, access: Access) -> bool:
        if access.direct is not None:
            return bool(self._direct(access))
        if symbol.block is not None and symbol.block.bytes is not None:
            return access.type.sort.is_bits
        if not self._is_clean(symbol) or self._sees_parts(symbol, access):
            return False
        # Each offset for itself: members of a union that have no cells of their own may lie between those of others.
        places = [replace(access, offsets=frozenset((offset,))) for offset in access.offsets] or [access]
        if symbol.block is None:
            cells = self._unit.cells(symbol.type)
            return all(any(place.may_be_at(cell) for cell in cells) for place in places)
        strides = (d.stride for f in symbol.block.families for d in f.dimensions)
        return all(strides) and all(any(f.may_hold(place) for f in symbol.block.families) for place in places)

    def _sees_parts(self, symbol: Object, access: Access) -> bool:
        """Whether an access may be at a part of something else: characters may be parts of anything (6.5, 7), and so
        may be members of unions whose cells are those of another member."""
        if access.record is not None:
            return False
        if access.type.sort.width == 8 and any(
            not same_kind(scalar, access.type) for scalar in self._unit.scalars(symbol.type)
        ):
            return True
        found = self._unseated.get(symbol.type)
        if found is None:
            found = self._unseated[symbol.type] = frozenset(unseated(self._unit.model, symbol.type))
        return any(same_kind(scalar, access.type) for scalar in found)

    def claim(self, access: Access) -> Term:
        """That an access to a block is at one of the cells that it may be at, or where that is not known, at least in
        one of the objects; true where there is no block."""
        objects, terms = self._reached(access.address), self._terms
        if access.direct is not None or objects is None or not any(symbol.block for symbol in objects):
            return terms.true
        address = self._resolve(access.address)
        conditions: list[Term] = [spot.condition for spot in self.spots(access)]
        for symbol in objects:
            held = self._holds(symbol, access)
            if symbol.block is not None and not held:
                inside, offset, size = self._in_object(symbol.block, address)
                if size is None:
                    return terms.true
                conditions.append(terms.and_(inside, terms.bit("bvult", offset, size)))
            elif symbol.block is None:
                conditions.append(self._in_cells(symbol, access, address, held))
        return terms.disjunction(conditions)

    def _in_cells(self, symbol: Object, access: Access, address: Term, held: bool) -> Term:
        unit, terms, width = self._unit, self._terms, address.sort.width
        base, size = unit.address(symbol), unit.model.size(symbol.type)
        cells = [cell for cell in unit.cells(symbol.type) if access.may_be_at(cell)]
        if held and len(cells) <= 8:
            return terms.disjunction(terms.eq(address, terms.bv(base + cell.offset, width)) for cell in cells)
        if size is None:
            return terms.true
        return terms.bit("bvult", terms.bit("bvsub", address, terms.bv(base, width)), terms.bv(size, width))

    def same(self, claim: SameObject) -> Term:
        """That two addresses are in one object, or close to it."""
        terms, resolve = self._terms, self._resolve
        conditions = [resolve(claim.otherwise)]
        if not self._unit.blocks:
            return conditions[0]
        first, second = resolve(claim.first), resolve(claim.second)
        width = first.sort.width
        objects = self._reached(claim.first)
        for symbol in self._unit.blocks:
            if not (symbol.address_taken if objects is None else symbol in objects):
                continue
            block = self._block(symbol)
            base = terms.bv(block.base, width)
            if block.is_many:
                low, slot = block.room.bit_length() - 1, block.slot.bit_length() - 1
                inside = terms.eq(terms.extract(first, width - 1, low), terms.extract(base, width - 1, low))
                same = terms.eq(terms.extract(first, width - 1, slot), terms.extract(second, width - 1, slot))
            else:
                size = self._size(block)
                if size is None:
                    continue
                # What misses the block by little leads into no other one.
                start, room = terms.bv(block.base - self._unit.guard, width), terms.bv(2 * self._unit.guard, width)
                near = terms.bit("bvadd", size, room)
                inside = terms.bit("bvule", terms.bit("bvsub", first, start), near)
                same = terms.bit("bvule", terms.bit("bvsub", second, start), near)
            if claim.amount is not None:
                amount, most = resolve(claim.amount), block.room // claim.size + 1
                same = terms.conjunction(
                    (
                        same,
                        terms.bit("bvsle", terms.bv(-most, width), amount),
                        terms.bit("bvsle", amount, terms.bv(most, width)),
                    )
                )
            conditions.append(terms.implies(inside, same))
        return terms.conjunction(conditions)

    def _place(self, symbol: Object) -> int:
        return self._unit.address(symbol) if symbol.block is None else symbol.block.base

    def size_at(self, claim: SizeOfBlock) -> Term:
        """The size of the object that starts at an address, as ``realloc`` wants to know it: that there is one was
        demanded before."""
        terms, unit, address = self._terms, self._unit, self._resolve(claim.address)
        sort = unit.model.size_type.sort
        objects = self._reached(claim.address)
        found = terms.const(0, sort)
        for symbol in () if objects is None else sorted(objects, key=self._place):
            if symbol.block is not None:
                inside, offset, size = self._in_object(symbol.block, address)
                here = terms.and_(inside, terms.eq(offset, terms.const(0, offset.sort)))
            else:
                here, size = terms.eq(address, terms.const(unit.address(symbol), address.sort)), unit.bytes_of(symbol)
            if size is None:
                objects = None
                break
            found = terms.ite(here, size, found)
        return found if objects is not None else unit.opaque_term(sort, claim.refusal, False)
