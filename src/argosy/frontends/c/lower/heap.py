"""Memory as the library sees it: ``malloc`` and its relatives, ``memset``, ``memcpy`` (C11 7.22.3, 7.24).

A call of ``malloc`` in the text makes objects of the type of a ``sizeof`` in its argument, or of characters. Objects of
constant size with few cells have variables for them: up to ``INSTANCES`` objects at first, one where the call is
executed once, counted by a variable. Whether it is called more often is for the analysis to find out: beyond, the error
may be reached, by an arbitrary value, and the program is read again. Then, and where sizes are not constant or large,
what a call makes is a block (``blocks``), of one object or of any number. Memory is never short, and not used again
after ``free``.

What cannot be said in these terms is left to the caller, which takes the function for one that is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.blocks import SMALLEST_SLOT, MemoryBlock, families, power_above, zero_of
from argosy.frontends.c.library import ALLOCATORS, KEPT
from argosy.frontends.c.lower.graph import FlowGraph, Release, Store
from argosy.frontends.c.lower.operators import Value, Whereabouts
from argosy.frontends.c.lower.punning import matters
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.memory import MOST_CELLS, Access
from argosy.frontends.c.symbols import Object, SizeOfBlock, Unit
from argosy.frontends.c.typed import (
    BinaryOperation,
    Calling,
    Cast,
    Contents,
    Expression,
    ObjectPlace,
    PointerCalling,
    SizeOf,
    TargetPlace,
    parts,
)
from argosy.frontends.c.types import BOOL, VOID, Array, Integer, Pointer, Scalar, StructureType, Type
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.frontends.c.watching import Allocation
from argosy.logic.sorts import array, bits
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Havoc

INSTANCES = 4
# Where lifetimes are kept account of there is a bound anyway, when the program is read again.
MORE_INSTANCES = 10

# Blocks with more bytes are not in any number where lifetimes are kept account of.
LARGEST_IN_ANY_NUMBER = 1 << 16

AUTOMATIC = frozenset(("alloca", "__builtin_alloca"))
ZEROED = frozenset(("calloc", "kzalloc"))
FILLERS = frozenset(("memset", "__builtin_memset"))
# What is copied or filled byte by byte has no more of them.
MOST_BYTES = 64
COPIERS = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"))


class LibraryMemory:
    def __init__(
        self,
        unit: Unit,
        graph: FlowGraph,
        values: TermValues,
        function: str,
        repeats: Callable[[], bool],
        loops: Callable[[], bool],
    ) -> None:
        self._unit = unit
        self._graph = graph
        self._terms = unit.terms
        self._places = values.places
        self._operators = values.operators
        self._function = function
        self._repeats = repeats
        # What the pointer leads to that the result of the next call becomes.
        self.wanted: Type | None = None
        self._loops = loops

    def call(self, name: str, call: Calling | PointerCalling, values: Sequence[Value]) -> Value | None:
        """The result of a library function; None where it is not modelled."""
        numbers = [self._number(value) for value in values]
        if name in ALLOCATORS and numbers:
            size = numbers[0]
            if name == "calloc":
                size = None if len(numbers) < 2 or size is None or numbers[1] is None else size * numbers[1]
            known = None if size is None else self._allocate(name, call, size)
            return known if known is not None else self._make_block(name, call, values)
        if name == "realloc" and len(values) == 2:
            return self._reallocate(call, values, numbers[1])
        if name == KEPT:
            return self._kept(call, *values)
        if len(values) != 3 or numbers[2] is None:
            return None
        if name in FILLERS and numbers[1] is not None and self._fill_block(call, values[0], numbers[1], numbers[2]):
            return values[0]
        # What is written may be what the pointers were read from.
        values = [self._saved(value, argument) for value, argument in zip(values, call.arguments, strict=True)]
        if name in FILLERS and numbers[1] is not None:
            return self._fill(call, values[0], numbers[1], numbers[2])
        if name in COPIERS:
            return self._copy(call, values[0], values[1], numbers[2], name.endswith("memmove"))
        return None

    def _saved(self, value: Value, argument: Expression) -> Value:
        """The value as it is now, in a variable that nothing else writes."""
        if value.term is None or value.term.op == "const" or not isinstance(value.type, Scalar):
            return value
        position = argument.original.position
        saved = self._unit.variable(self._function, "temp", value.type, position)
        self._graph.emit(Assign(saved, value.term), position, f"{saved.name} = {argument.original.text}")
        return Value(saved, value.type)

    def _number(self, value: Value) -> int | None:
        constant = value.term is not None and value.term.op == "const" and isinstance(value.type, Integer)
        return value.term.payload if constant and value.term is not None else None

    # ---- allocation ---------------------------------------------------------------------------------------

    def _type(self, call: Calling | PointerCalling, size: int) -> Type | None:
        """What is allocated: what the size is a multiple of, and as that is taken for where it is only a number."""
        model = self._unit.model
        open_ended = self._open_ended(call, size)
        if open_ended is not None:
            return open_ended
        sizes = [part.of for part in self._sizes(call) if part.operator == "sizeof"]
        type_: Type = sizes[-1] if sizes else model["char"]
        wanted = self.wanted
        if isinstance(type_, Scalar) and wanted is not None and self._unit.cells(wanted):
            # Nobody accesses it as anything but what the pointer leads to, whose sizeof may be another's by mistake.
            width = model.size(wanted)
            type_ = type_ if not width or size % width else wanted
        own = model.size(type_)
        if self._unit.watched and own and size % own:
            type_, own = self._unit.model["char"], 1
        if not own or size % own or size == 0:
            return None
        return type_ if size == own else Array(type_, size // own)

    def _open_ended(self, call: Calling | PointerCalling, size: int | None) -> StructureType | None:
        """A structure with more elements in its last member than its type says: memory for more than one of a structure
        with a flexible member, or for the sum of its size and another."""
        model, is_sum = self._unit.model, any(_is_sum(argument) for argument in call.arguments)
        types = [part.of for part in self._sizes(call)]
        for type_ in (*(() if self.wanted is None else (self.wanted,)), *types):
            if isinstance(type_, StructureType) and type_.open_end is not None:
                whole = model.size(type_)
                more = whole is not None and (size is None or size > whole)
                if more and (is_sum or (type_.open_end.length == 0 and size is not None)):
                    found = model.extended(type_, size)
                    exact = found is not None and (size is None or model.size(found) == size)
                    return found if exact or not self._unit.watched else None
        return None

    def _sizes(self, call: Calling | PointerCalling) -> Iterator[SizeOf]:
        """The sizes that the arguments are computed from; of a parameter, those in what it was given."""
        work = list(reversed(call.arguments))
        while work:
            for part in parts(work.pop()):
                if isinstance(part, SizeOf):
                    yield part
                elif isinstance(part, Contents) and isinstance(part.place, ObjectPlace):
                    given = self._unit.given.get(part.place.object)
                    work.extend(() if given is None else (given,))

    def _allocate(self, name: str, call: Calling | PointerCalling, size: int) -> Value | None:
        type_ = self._type(call, size)
        if type_ is None or not self._unit.cells(type_):
            return None
        if self._in_any_number(name) or self._among_many(name, type_):
            return None
        if self._repeats():
            if self._unit.unbounded and not self._unit.watched:
                return None
            self._unit.is_bounded = not self._unit.unbounded
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text = call.original.position, call.original.text
        label = f"{name}@{position.line}"
        function = self._function
        unit.note(f"{name} does not fail")
        several = MORE_INSTANCES if unit.watched and unit.unbounded else INSTANCES
        count, instances = self._counted(name, call, several if self._repeats() else 1)
        objects = [Object(label, type_, position, function, lasting=True) for _ in range(instances)]
        pointer = unit.model.pointer(VOID)
        address = terms.const(unit.take_address(objects[-1]), pointer.sort)
        for number, symbol in reversed(list(enumerate(objects[:-1]))):
            own = terms.const(unit.take_address(symbol), pointer.sort)
            address = terms.ite(terms.eq(count, terms.const(number, count.sort)), own, address)
        result = unit.variable(function, "temp", pointer, position)
        graph.emit(Assign(result, address), position, f"{result.name} = {text}")
        if unit.watched:
            self._begin(objects, count, name in AUTOMATIC, position)
        for number, symbol in enumerate(objects if name in ZEROED else ()):
            for term in unit.all_parts(symbol):
                here = terms.eq(count, terms.const(number, count.sort))
                new = terms.ite(here, terms.const(0, term.sort), term)
                graph.emit(Assign(term, new), position, f"{result.name} = {text}")
        if name == "realloc":
            why = refusal(position, f"what {text} keeps", Construct.RESULT)
            for number, symbol in enumerate(objects):
                for term in unit.all_parts(symbol):
                    here = terms.eq(count, terms.const(number, count.sort))
                    kept = unit.opaque_term(term.sort, why, unit.variables[term].signed)
                    graph.emit(Assign(term, terms.ite(here, kept, term)), position, f"{result.name} = {text}")
        graph.emit(Assign(count, terms.bit("bvadd", count, terms.const(1, count.sort))), position, "")
        return Value(result, pointer)

    def _in_any_number(self, name: str) -> bool:
        """Whether what a call makes are blocks in any number although lifetimes are kept account of."""
        return self._unit.any_number and bool(self._unit.watched) and name not in (*AUTOMATIC, "realloc")

    def _among_many(self, name: str, type_: Type | None) -> bool:
        """Whether a structure that is made once lies among many all the same: what is said of all nodes of a list is
        said of its first one then, which the text makes by itself."""
        once = name not in (*AUTOMATIC, "realloc")
        return self._unit.unbounded and not self._unit.watched and once and isinstance(type_, StructureType)

    def _counted(self, name: str, call: Calling | PointerCalling, instances: int) -> tuple[Term, int]:
        """How often a call was executed before, which goes on where that is less than the number of its objects."""
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text = call.original.position, call.original.text
        number = unit.model["unsigned int"]
        counter = Object(f"{name}@{position.line} calls", number, position, self._function, lasting=True)
        (count,) = unit.all_parts(counter)
        unit.statics.append((counter, count, terms.const(0, count.sort), ""))
        made, beyond = graph.point(), graph.point()
        graph.flush(position, text)
        graph.branch(terms.bit("bvult", count, terms.const(instances, count.sort)), position, "", made, beyond)
        graph.resume(beyond)
        subject = f"more than {instances} objects from {text}"
        why = refusal(position, subject, Construct.INSTANCES, bound=True, arbitrary=True)
        unknown = unit.opaque_term(BOOL.sort, why, False)
        graph.detour(terms.eq(unknown, terms.bv(1, 1)), position, text)
        graph.stop()
        graph.resume(made)
        return count, instances

    def _reallocate(self, call: Calling | PointerCalling, values: Sequence[Value], size: int | None) -> Value | None:
        """Another block (7.22.3.5). What it has of the old one is not modelled: no counterexample is made of it."""
        unit, position, old = self._unit, call.original.position, values[0]
        type_ = None if size is None or (self._repeats() and not unit.watched) else self._type(call, size)
        of_cells = size is not None and type_ is not None and bool(unit.cells(type_))
        if old.term is None or not (of_cells or self._may_move(call)):
            return None
        if unit.watched:
            self._operators.may_free(old.term, position, call.original.text)
            self._graph.emit(Release(old.term), position, call.original.text)
        else:
            unit.note(f"line {position.line}: what realloc gives back is not used afterwards, nor freed again")
        if of_cells and size is not None:
            return self._allocate("realloc", call, size)
        return self._make_block("realloc", call, values[1:])

    def _kept(self, call: Calling | PointerCalling, old: Value, new: Value) -> Value | None:
        """How many elements of the old block are in the new one (7.22.3.5, 2). Where a part of one would be, we do not
        know better than that it is not modelled."""
        unit, terms, position = self._unit, self._terms, call.original.position
        own = unit.model.size(self._pointed_to(old))
        if old.term is None or new.term is None or not own:
            return None
        if unit.watched:
            self._operators.may_free(old.term, position, call.original.text)
        why = refusal(position, "what realloc keeps", Construct.RESULT)
        before, after = (unit.claim(SizeOfBlock(term, why)) for term in (old.term, new.term))
        size = unit.variable(self._function, "temp", unit.model.size_type, position)
        smaller = terms.ite(terms.bit("bvule", before, after), before, after)
        self._graph.emit(Assign(size, smaller), position, "")
        whole = terms.const(own, size.sort)
        if own > 1:
            self._within(terms.eq(terms.bit("bvurem", size, whole), terms.const(0, size.sort)), call, Construct.PART)
        return Value(terms.bit("bvudiv", size, whole), unit.model.size_type)

    def _may_move(self, call: Calling | PointerCalling) -> bool:
        """Whether a block of any size may be given for another: not where pointers are in there, of which nobody would
        know any more where they lead, nor where lifetimes are those of some blocks only."""
        own = families(self._unit.model, self._element_type(call))
        plain = bool(own) and not any(isinstance(family.type, Pointer) for family in own)
        return plain and not (self._unit.watched and self._repeats())

    def _begin(self, objects: Sequence[Object], count: Term | None, automatic: bool, position: Position) -> None:
        """The block of this call is allocated from here on."""
        unit, terms = self._unit, self._terms
        for number, symbol in enumerate(objects):
            allocated = None
            if not automatic:
                bit = Object(f"{symbol.name} is allocated", BOOL, position, self._function, lasting=True)
                (allocated,) = unit.all_parts(bit)
                unit.statics.append((bit, allocated, terms.bv(0, 1), ""))
                here = terms.true if count is None else terms.eq(count, terms.const(number, count.sort))
                self._graph.emit(Assign(allocated, terms.ite(here, terms.bv(1, 1), allocated)), position, "")
            unit.allocations[symbol] = Allocation(position, self._function, count, allocated, automatic)

    def _bytes(self, name: str, call: Calling | PointerCalling, values: Sequence[Value]) -> tuple[Term, Term] | None:
        """How many bytes are asked for, and under which condition that is a number at all."""
        terms, size_type = self._terms, self._unit.model.size_type
        sizes = [
            self._operators.convert(v, size_type, call.original.position).term for v in values[: 1 + (name == "calloc")]
        ]
        if any(size is None for size in sizes):
            return None
        first = sizes[0]
        assert first is not None
        if name != "calloc" or len(sizes) < 2 or sizes[1] is None:
            return (first, terms.true) if name != "calloc" else None
        second, width = sizes[1], size_type.width
        wide = terms.bit("bvmul", terms.zero_extend(first, width), terms.zero_extend(second, width))
        fits = terms.eq(terms.extract(wide, 2 * width - 1, width), terms.bv(0, width))
        return terms.extract(wide, width - 1, 0), fits

    def _element_type(self, call: Calling | PointerCalling) -> Type:
        """What a block is made of: what its size is a multiple of, or characters."""
        sizes = [part.of for part in self._sizes(call)]
        wanted = () if sizes or self.wanted is None else (self.wanted,)
        types = [type_ for type_ in (*wanted, *sizes) if self._unit.model.size(type_) and self._unit.scalars(type_)]
        return types[-1] if types else self._unit.model["char"]

    def _make_block(self, name: str, call: Calling | PointerCalling, values: Sequence[Value]) -> Value | None:
        """Memory of a size that is not constant, or for any number of objects."""
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text, function = call.original.position, call.original.text, self._function
        asked = self._bytes(name, call, values)
        if asked is None:
            return None
        size, fits = asked
        automatic = name in AUTOMATIC and unit.watched
        many = self._loops() if automatic else self._repeats() or self._among_many(name, self.wanted)
        element, label = self._element_type(call), f"{name}@{position.line}"
        whole = unit.model.size(element) or 1
        constant = size.payload if size.op == "const" and fits is terms.true else None
        one = constant is not None and constant == whole
        if constant is not None and not one and constant % whole == 0:
            symbol_type: Type = Array(element, constant // whole)
        else:
            symbol_type = element if one else Array(element, None)
        symbol_type = self._open_ended(call, constant) or symbol_type
        unit.note(f"{name} does not fail")
        if constant is not None and self._in_any_number(name):
            made = self._make_any_number(name, call, symbol_type, size)
            if made is not None:
                return made
        if many and unit.watched:
            return self._make_blocks(name, call, symbol_type, size, fits)
        symbol = Object(label, symbol_type, position, function, lasting=True)
        kept, size_type = size, unit.model.size_type
        if constant is None:
            kept = unit.variable(function, f"{label}.size", size_type, position)
            graph.emit(Assign(kept, size), position, f"{unit.variables[kept].name} = {text}")
        used: Term | None = None
        if many:
            counter = Object(f"{label}.used", size_type, position, function, lasting=True)
            (used,) = unit.all_parts(counter)
            unit.statics.append((counter, used, terms.const(0, used.sort), ""))
        room = unit.constant_of_block("room")
        block = unit.lay_out(symbol, kept, used)
        if block is None:
            return None
        unit.mark_addressed(symbol)
        block.room_term = room
        block.lasting = False
        pointer = unit.model.pointer(VOID)
        address: Term = block.origin
        if used is None:
            limit = terms.true if constant is not None else terms.bit("bvult", kept, room)
        else:
            address = terms.bit("bvadd", block.origin, used)
            slot: Term
            if constant is not None:
                block.slot = power_above(max(constant + 1, SMALLEST_SLOT))
                slot, limit = terms.const(block.slot, used.sort), terms.true
            else:
                slot = block.slot_term = unit.constant_of_block("slot")
                limit = terms.bit("bvult", kept, slot)
                sort = array(pointer.sort, size_type.sort)
                block.sizes = unit.array_variable(function, f"{label}.sizes", sort, position, size_type)
                # As long as the program lives, it is that of no call.
                unit.objects[block.sizes] = counter
                block.size = terms.const(0, size_type.sort)
        if limit is not terms.true and name not in AUTOMATIC:
            self._within(terms.and_(fits, limit), call)
            limit = terms.true
        if used is not None:
            limit = terms.and_(limit, terms.bit("bvult", used, room))
        if limit is not terms.true:
            unit.note(f"{position}: there is room in the address space for all that {name} is asked for here")
            graph.emit(Assume(terms.and_(fits, limit)), position, "")
        result: Term = block.origin
        if used is not None:
            result = unit.variable(function, "temp", pointer, position)
            graph.emit(Assign(result, address), position, f"{result.name} = {text}")
            graph.emit(Assign(used, terms.bit("bvadd", used, slot)), position, "")
            if block.sizes is not None:
                graph.emit(Assign(block.sizes, terms.store(block.sizes, result, kept)), position, "")
        if unit.watched:
            self._begin([symbol], None, name in AUTOMATIC, position)
        if name in ZEROED:
            self._zero(block, symbol, call)
        if name == "realloc":
            why = refusal(position, f"what {text} keeps", Construct.RESULT)
            for term in unit.all_parts(symbol):
                kept_values = unit.opaque_term(term.sort, why, unit.variables[term].signed)
                graph.emit(Assign(term, kept_values), position, text)
        return Value(result, pointer)

    def _make_any_number(self, name: str, call: Calling | PointerCalling, type_: Type, size: Term) -> Value | None:
        """A block of constant size, one of any number, each with a lifetime of its own: at any address of those that
        belong to the call at which no block is allocated, also one that was freed."""
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text, function = call.original.position, call.original.text, self._function
        found = families(unit.model, type_)
        zeroed = name in ZEROED
        if not found or size.payload >= LARGEST_IN_ANY_NUMBER or (zeroed and any(f.dimensions for f in found)):
            return None
        label, pointer = f"{name}@{position.line}", unit.model.pointer(VOID)
        symbol = Object(label, type_, position, function, lasting=True)
        chosen, result = (unit.variable(function, "temp", pointer, position) for _ in range(2))
        unit.chosen_slots.add(chosen)
        block = unit.lay_out(symbol, size, chosen)
        assert block is not None
        unit.mark_addressed(symbol)
        block.lasting, block.slots = False, unit.constant_of_block("slots")
        if unit.allocated is None:
            sort = array(pointer.sort, bits(1))
            unit.allocated = unit.array_variable("", "blocks that are allocated", sort, position, BOOL)
            lives = Object("blocks that are allocated", BOOL, position, lasting=True)
            unit.statics.append((lives, unit.allocated, zero_of(terms, sort), ""))
        allocated = unit.allocated
        unit.note("where memory is allocated there is an address at which no block is")
        graph.emit(Havoc(chosen), position, "")
        address = terms.bit("bvor", block.origin, terms.bit("bvand", chosen, block.slots))
        graph.emit(Assign(result, address), position, f"{result.name} = {text}")
        graph.emit(Assume(terms.eq(terms.select(allocated, result), terms.bv(0, 1))), position, "")
        graph.emit(Assign(allocated, terms.store(allocated, result, terms.bv(1, 1))), position, "")
        unit.allocations[symbol] = Allocation(position, function, None, allocated, False, True)
        for family in found if zeroed else ():
            at = Access(terms.bit("bvadd", result, terms.const(family.offset, pointer.sort)), family.type)
            why = refusal(position, text, Construct.RESULT)
            graph.emit(Store(at, terms.const(0, family.type.sort), why), position, text)
        return Value(result, pointer)

    def _make_blocks(
        self, name: str, call: Calling | PointerCalling, type_: Type, size: Term, fits: Term
    ) -> Value | None:
        """The same where lifetimes are kept account of, which are those of one object at a time: some blocks."""
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text, function = call.original.position, call.original.text, self._function
        label, size_type, pointer = f"{name}@{position.line}", unit.model.size_type, unit.model.pointer(VOID)
        if not families(unit.model, type_):
            return None
        count, made = self._counted(name, call, MORE_INSTANCES if unit.unbounded else INSTANCES)
        unit.is_bounded = unit.is_bounded or not unit.unbounded
        here = [terms.eq(count, terms.const(number, count.sort)) for number in range(made)]
        objects = [Object(label, type_, position, function, lasting=True) for _ in here]
        address, limits = terms.const(0, pointer.sort), [fits]
        for symbol, chosen in reversed(list(zip(objects, here, strict=True))):
            kept = size
            if size.op != "const":
                kept = unit.variable(function, f"{label}.size", size_type, position)
                graph.emit(Assign(kept, terms.ite(chosen, size, kept)), position, "")
            room = unit.constant_of_block("room")
            block = unit.lay_out(symbol, kept)
            assert block is not None
            unit.mark_addressed(symbol)
            block.room_term, block.lasting = room, False
            limits.append(terms.true if size.op == "const" else terms.bit("bvult", size, room))
            address = terms.ite(chosen, block.origin, address)
        limit = terms.conjunction(limits)
        if limit is not terms.true and name not in AUTOMATIC:
            self._within(limit, call)
        elif limit is not terms.true:
            unit.note(f"{position}: there is room in the address space for all that {name} is asked for here")
            graph.emit(Assume(limit), position, "")
        result = unit.variable(function, "temp", pointer, position)
        graph.emit(Assign(result, address), position, f"{result.name} = {text}")
        self._begin(objects, count, name in AUTOMATIC, position)
        for symbol, chosen in zip(objects, here, strict=True) if name in ZEROED else ():
            for term in unit.all_parts(symbol):
                zeroed = terms.ite(chosen, zero_of(terms, term.sort), term)
                graph.emit(Assign(term, zeroed), position, text)
        graph.emit(Assign(count, terms.bit("bvadd", count, terms.const(1, count.sort))), position, "")
        return Value(result, pointer)

    def _within(self, limit: Term, call: Calling | PointerCalling, construct: Construct = Construct.REQUEST) -> None:
        """Go on where there is room. What is asked for may be there on a real machine: nothing is proved by leaving it
        out."""
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text = call.original.position, call.original.text
        made, beyond = graph.point(), graph.point()
        graph.flush(position, text)
        graph.branch(limit, position, "", made, beyond)
        graph.resume(beyond)
        what = f"very many bytes from {text}" if construct is Construct.REQUEST else "a part of an element in realloc"
        why = refusal(position, what, construct, bound=True, arbitrary=True)
        unknown = unit.opaque_term(BOOL.sort, why, False)
        graph.detour(terms.eq(unknown, terms.bv(1, 1)), position, text)
        graph.stop()
        graph.resume(made)

    def _zero(self, block: MemoryBlock, symbol: Object, call: Calling | PointerCalling) -> None:
        position, text = call.original.position, call.original.text
        if not block.is_many:
            for term in self._unit.all_parts(symbol):
                self._graph.emit(Assign(term, zero_of(self._terms, term.sort)), position, text)
            return
        # Addresses are not used again: what was never written is what was there before the program started.
        block.zeroed = True
        for term in self._unit.all_parts(symbol):
            self._unit.statics.append((symbol, term, zero_of(self._terms, term.sort), ""))

    # ---- blocks -------------------------------------------------------------------------------------------

    def _parts(self, pointer: Value, type_: Type, size: int, what: Expression) -> list[Whereabouts] | None:
        """The cells of a block that a pointer leads to, taken as objects of a type; None if they are not its whole."""
        unit = self._unit
        own = unit.model.size(type_)
        if pointer.term is None or not own or size % own or (isinstance(type_, Integer) and type_.is_bool):
            return None
        cells = unit.cells(type_)
        if not cells or len(cells) * (size // own) > MOST_CELLS:
            return None
        if sum(unit.model.size(cell.type) or 0 for cell in cells) < own and not isinstance(type_, StructureType):
            return None
        return list(self._each_place(pointer, type_, size, what))

    def _as_bytes(self, pointer: Value, size: int, what: Expression) -> list[Whereabouts] | None:
        """The same, as bytes; not where nobody says what they are, which may be pointers."""
        known = pointer.term is not None and pointer.term.op == "const"
        if size > MOST_BYTES or not (known or self._unit.cells(self._pointed_to(pointer))):
            return None
        return self._parts(pointer, self._unit.model["unsigned char"], size, what)

    def _each_place(self, pointer: Value, type_: Type, size: int, what: Expression) -> Iterator[Whereabouts]:
        for base in self._wholes(pointer, type_, size, what):
            for cell in self._unit.cells(type_):
                yield replace(base, type=cell.type, offset=base.offset + cell.offset)

    def _wholes(self, pointer: Value, type_: Type, size: int, what: Expression) -> Iterator[Whereabouts]:
        """The objects of a type that lie in so many bytes."""
        unit, term = self._unit, pointer.term
        assert term is not None
        own = unit.model.size(type_) or size
        known = unit.object_at(term.payload) if term.op == "const" else None
        place = TargetPlace(what, type_, frozenset(), what.original)
        for number in range(size // own):
            if known is not None:
                base = Whereabouts(type_, place, object=known[0], offset=known[1] + number * own)
            else:
                address = self._terms.bit("bvadd", term, self._terms.const(number * own, term.sort))
                record = type_ if isinstance(type_, StructureType) else None
                base = Whereabouts(type_, place, address=address, record=record, through_pointer=True)
            if isinstance(pointer.type, Pointer):
                base = replace(base, qualifiers=pointer.type.qualifiers)
            yield base

    def _pointed_to(self, value: Value) -> Type:
        return value.type.target if isinstance(value.type, Pointer) else VOID

    def _fill(self, call: Calling | PointerCalling, pointer: Value, byte: int, size: int) -> Value | None:
        what = call.arguments[0]
        found = self._parts(pointer, self._pointed_to(pointer), size, what)
        found = self._as_bytes(pointer, size, what) if found is None else found
        if found is None:
            return None
        position, text = call.original.position, call.original.text
        for part in found:
            assert isinstance(part.type, Scalar)
            value = int.from_bytes(bytes([byte & 0xFF]) * -(-part.type.sort.width // 8), "little")
            self._write(part, self._operators.number(value, part.type), position, text)
        return pointer

    def _fill_block(self, call: Calling | PointerCalling, pointer: Value, byte: int, size: int) -> bool:
        """A block as a whole; whether it is one."""
        terms = self._terms
        symbol = None if pointer.term is None else self._unit.origins.get(pointer.term)
        block = None if symbol is None else symbol.block
        if symbol is None or block is None or block.is_many or symbol.constant or block.size is None:
            return False
        if block.size.op != "const" or block.size.payload != size or any(f.type.sort.width % 8 for f in block.families):
            return False
        for family, term in block.parts.items():
            width = family.type.sort.width
            element = terms.bv(int.from_bytes(bytes([byte & 0xFF]) * (width // 8), "little"), width)
            filled = element if term.sort.is_bits else terms.const_array(term.sort, element)
            self._graph.emit(Assign(term, filled), call.original.position, call.original.text)
        return True

    def _copy(
        self, call: Calling | PointerCalling, target: Value, source: Value, size: int, may_overlap: bool
    ) -> Value | None:
        what = call.arguments[0]
        type_ = self._pointed_to(target)
        if self._unit.model.size(type_) == 1:
            type_ = self._pointed_to(source)
        for value in (target, source):
            if value.term is not None and matters(self._pointed_to(value), type_):
                self._unit.recasts[value.term, self._pointed_to(value), type_] = None
        position, text = call.original.position, call.original.text
        to, from_ = (self._parts(value, type_, size, what) for value in (target, source))
        if to is None or from_ is None:
            type_ = self._unit.model["unsigned char"]
            to, from_ = (self._as_bytes(value, size, what) for value in (target, source))
        if to is None or from_ is None:
            return None
        if may_overlap and not (to[0].object is not None and from_[0].object not in (None, to[0].object)):
            # All is read before anything is written.
            read = [self._places.read(origin, position) for origin in from_]
            values = [self._saved(value, call.arguments[1]) for value in read]
        else:
            values = []
        for number, (part, origin) in enumerate(zip(to, from_, strict=True)):
            value = values[number] if values else self._places.read(origin, position)
            self._write(part, value, position, text)
        if isinstance(type_, StructureType):
            for place in self._wholes(target, type_, size, what):
                self._places.pad(place, type_, position, text)
        return target

    def _write(self, part: Whereabouts, value: Value, position: Position, text: str) -> None:
        self._places.write(part, value, position, text)


def _is_sum(size: Expression) -> bool:
    while isinstance(size, Cast):
        size = size.operand
    return isinstance(size, BinaryOperation) and size.op in ("+", "-")
