"""Memory as the library sees it: ``malloc`` and its relatives, ``memset``, ``memcpy`` (C11 7.22.3, 7.24).

Each call of ``malloc`` in the text makes up to ``INSTANCES`` objects, one where it is executed once, counted by a
variable; the type is that of a ``sizeof`` in its argument, or characters. Whether it is called more often is for the
analysis to find out: beyond, the error may be reached, by an arbitrary value. Memory is never short, and not used again
after ``free``.

What cannot be said in these terms (sizes that are not constant, blocks without a type) is left to the caller, which
takes the function for one that is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.lower.graph import FlowGraph
from argosy.frontends.c.lower.operators import Value, Whereabouts
from argosy.frontends.c.lower.punning import matters
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.memory import MOST_CELLS
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.typed import Calling, Expression, PointerCalling, SizeOf, TargetPlace, parts
from argosy.frontends.c.types import BOOL, VOID, Array, Integer, Pointer, Scalar, StructureType, Type
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.models.cfa import Assign

INSTANCES = 4

ALLOCATORS = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "kmalloc", "kzalloc", "__builtin_malloc"))
ZEROED = frozenset(("calloc", "kzalloc"))
FILLERS = frozenset(("memset", "__builtin_memset"))
COPIERS = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"))


class LibraryMemory:
    def __init__(
        self, unit: Unit, graph: FlowGraph, values: TermValues, function: str, repeats: Callable[[], bool]
    ) -> None:
        self._unit = unit
        self._graph = graph
        self._terms = unit.terms
        self._places = values.places
        self._operators = values.operators
        self._function = function
        self._repeats = repeats

    def call(self, name: str, call: Calling | PointerCalling, values: Sequence[Value]) -> Value | None:
        """The result of a library function; None where it is not modelled."""
        numbers = [self._number(value) for value in values]
        if name in ALLOCATORS and numbers:
            size = numbers[0]
            if name == "calloc":
                size = None if len(numbers) < 2 or size is None or numbers[1] is None else size * numbers[1]
            return None if size is None else self._allocate(name, call, size)
        if len(values) != 3 or numbers[2] is None:
            return None
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
        """What is allocated, by what the size is a multiple of."""
        type_: Type = self._unit.model["char"]
        for argument in call.arguments:
            for part in parts(argument):
                if isinstance(part, SizeOf) and part.operator == "sizeof":
                    type_ = part.of
        own = self._unit.model.size(type_)
        if not own or size % own or size == 0:
            return None
        return type_ if size == own else Array(type_, size // own)

    def _allocate(self, name: str, call: Calling | PointerCalling, size: int) -> Value | None:
        type_ = self._type(call, size)
        if type_ is None or not self._unit.cells(type_):
            return None
        unit, terms, graph = self._unit, self._terms, self._graph
        position, text = call.original.position, call.original.text
        label = f"{name}@{position.line}"
        function = self._function
        counter = Object(f"{label} calls", unit.model["unsigned int"], position, function, lasting=True)
        (count,) = unit.all_parts(counter)
        unit.statics.append((counter, count, terms.const(0, count.sort), ""))
        unit.note(f"{name} does not fail")
        instances = INSTANCES if self._repeats() else 1
        objects = [Object(label, type_, position, function, lasting=True) for _ in range(instances)]
        made, beyond = graph.point(), graph.point()
        graph.flush(position, text)
        graph.branch(terms.bit("bvult", count, terms.const(instances, count.sort)), position, "", made, beyond)
        graph.resume(beyond)
        subject = f"more than {instances} objects from {text}"
        beyond_them = refusal(position, subject, Construct.INSTANCES, bound=True, arbitrary=True)
        unknown = unit.opaque_term(BOOL.sort, beyond_them, False)
        graph.detour(terms.eq(unknown, terms.bv(1, 1)), position, text)
        graph.stop()
        graph.resume(made)
        pointer = unit.model.pointer(VOID)
        address = terms.const(unit.take_address(objects[-1]), pointer.sort)
        for number, symbol in reversed(list(enumerate(objects[:-1]))):
            own = terms.const(unit.take_address(symbol), pointer.sort)
            address = terms.ite(terms.eq(count, terms.const(number, count.sort)), own, address)
        result = unit.variable(function, "temp", pointer, position)
        graph.emit(Assign(result, address), position, f"{result.name} = {text}")
        for number, symbol in enumerate(objects if name in ZEROED else ()):
            for term in unit.all_parts(symbol):
                here = terms.eq(count, terms.const(number, count.sort))
                new = terms.ite(here, terms.const(0, term.sort), term)
                graph.emit(Assign(term, new), position, f"{result.name} = {text}")
        graph.emit(Assign(count, terms.bit("bvadd", count, terms.const(1, count.sort))), position, "")
        return Value(result, pointer)

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
        return list(self._each_place(pointer, type_, size // own, own, what))

    def _each_place(self, pointer: Value, type_: Type, count: int, own: int, what: Expression) -> Iterator[Whereabouts]:
        unit, term = self._unit, pointer.term
        assert term is not None
        known = unit.object_at(term.payload) if term.op == "const" else None
        place = TargetPlace(what, type_, frozenset(), what.original)
        for number in range(count):
            if known is not None:
                base = Whereabouts(type_, place, object=known[0], offset=known[1] + number * own)
            else:
                address = self._terms.bit("bvadd", term, self._terms.const(number * own, term.sort))
                record = type_ if isinstance(type_, StructureType) else None
                base = Whereabouts(type_, place, address=address, record=record, through_pointer=True)
            if isinstance(pointer.type, Pointer):
                base = replace(base, qualifiers=pointer.type.qualifiers)
            for cell in unit.cells(type_):
                yield replace(base, type=cell.type, offset=base.offset + cell.offset)

    def _pointed_to(self, value: Value) -> Type:
        return value.type.target if isinstance(value.type, Pointer) else VOID

    def _fill(self, call: Calling | PointerCalling, pointer: Value, byte: int, size: int) -> Value | None:
        what = call.arguments[0]
        found = self._parts(pointer, self._pointed_to(pointer), size, what)
        if found is None:
            return None
        position, text = call.original.position, call.original.text
        for part in found:
            assert isinstance(part.type, Scalar)
            value = int.from_bytes(bytes([byte & 0xFF]) * -(-part.type.sort.width // 8), "little")
            self._write(part, self._operators.number(value, part.type), position, text)
        return pointer

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
        to, from_ = (self._parts(value, type_, size, what) for value in (target, source))
        if to is None or from_ is None:
            return None
        if may_overlap and not (to[0].object is not None and from_[0].object not in (None, to[0].object)):
            return None
        position, text = call.original.position, call.original.text
        for part, origin in zip(to, from_, strict=True):
            self._write(part, self._places.read(origin, position), position, text)
        return target

    def _write(self, part: Whereabouts, value: Value, position: Position, text: str) -> None:
        self._places.write(part, value, position, text)
