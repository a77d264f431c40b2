"""Memory as the library sees it: ``malloc`` and its relatives, ``memset``, ``memcpy`` (C11 7.22.3, 7.24).

Each call of ``malloc`` in the text makes up to ``INSTANCES`` objects, one where it is executed once, counted by a
variable; the type is that of a ``sizeof`` in its argument, or characters. Whether it is called more often is for the
analysis to find out: beyond, the error may be reached, by an arbitrary value. Memory is never short, and not used again
after ``free``.

What cannot be said in these terms (sizes that are not constant, blocks without a type) is left to the caller, which
takes the function for one that is not modelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c.effects import walk
from argosy.frontends.c.memory import MOST_CELLS
from argosy.frontends.c.operators import Place, Value
from argosy.frontends.c.punning import matters
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, position_of
from argosy.frontends.c.types import BOOL, VOID, Array, Integer, Pointer, StructureType, Type
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.frontends.c.whole import Whole
from argosy.models.cfa import Assign

INSTANCES = 4

ALLOCATORS = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "kmalloc", "kzalloc", "__builtin_malloc"))
_ZEROED = frozenset(("calloc", "kzalloc"))
_FILLERS = frozenset(("memset", "__builtin_memset"))
_COPIERS = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"))


class Heap:
    def __init__(self, expressions: Whole) -> None:
        self._expressions = expressions
        self._unit = expressions.unit
        self._graph = expressions.graph
        self._terms = expressions.terms
        self._operators = expressions.operators

    def call(self, name: str, node: Node, values: Sequence[Value]) -> Value | None:
        """The result of a library function; None where it is not modelled."""
        numbers = [self._number(value) for value in values]
        if name in ALLOCATORS and numbers:
            size = numbers[0]
            if name == "calloc":
                size = None if len(numbers) < 2 or size is None or numbers[1] is None else size * numbers[1]
            return None if size is None else self._allocate(name, node, size)
        if len(values) != 3 or numbers[2] is None:
            return None
        # What is written may be what the pointers were read from.
        values = [self._expressions.save(value, node) for value in values]
        if name in _FILLERS and numbers[1] is not None:
            return self._fill(node, values[0], numbers[1], numbers[2])
        if name in _COPIERS:
            return self._copy(node, values[0], values[1], numbers[2], name.endswith("memmove"))
        return None

    def _number(self, value: Value) -> int | None:
        constant = value.term is not None and value.term.op == "const" and isinstance(value.type, Integer)
        return value.term.payload if constant and value.term is not None else None

    # ---- allocation ---------------------------------------------------------------------------------------

    def _type(self, node: Node, size: int) -> Type | None:
        """What is allocated, by what the size is a multiple of."""
        type_: Type = self._unit.model["char"]
        for operator in walk(node.args):
            if isinstance(operator, c.UnaryOp) and operator.op == "sizeof":
                operand = operator.expr
                named = isinstance(operand, c.Typename)
                typing = self._expressions.typing
                type_ = self._expressions.declarations.type(operand) if named else typing.undecayed(operand)
        own = self._unit.model.size(type_)
        if not own or size % own or size == 0:
            return None
        return type_ if size == own else Array(type_, size // own)

    def _allocate(self, name: str, node: Node, size: int) -> Value | None:
        type_ = self._type(node, size)
        if type_ is None or not self._unit.cells(type_):
            return None
        unit, terms, graph, position = self._unit, self._terms, self._graph, position_of(node)
        label = f"{name}@{position.line}"
        function = self._expressions.function
        counter = Object(f"{label} calls", unit.model["unsigned int"], position, function, lasting=True)
        (count,) = unit.all_parts(counter)
        unit.statics.append((counter, count, terms.const(0, count.sort), ""))
        unit.note(f"{name} does not fail")
        instances = INSTANCES if self._expressions.repeats() else 1
        objects = [Object(label, type_, position, function, lasting=True) for _ in range(instances)]
        made, beyond = graph.point(), graph.point()
        graph.flush(position, render(node))
        graph.branch(terms.bit("bvult", count, terms.const(instances, count.sort)), position, "", made, beyond)
        graph.resume(beyond)
        subject = f"more than {instances} objects from {render(node)}"
        beyond_them = refusal(position, subject, Construct.INSTANCES, bound=True, arbitrary=True)
        unknown = unit.opaque_term(BOOL.sort, beyond_them, False)
        graph.detour(terms.eq(unknown, terms.bv(1, 1)), position, render(node))
        graph.stop()
        graph.resume(made)
        pointer = unit.model.pointer(VOID)
        address = terms.const(unit.take_address(objects[-1]), pointer.sort)
        for number, symbol in reversed(list(enumerate(objects[:-1]))):
            own = terms.const(unit.take_address(symbol), pointer.sort)
            address = terms.ite(terms.eq(count, terms.const(number, count.sort)), own, address)
        result = unit.variable(function, "temp", pointer, position)
        graph.emit(Assign(result, address), position, f"{result.name} = {render(node)}")
        for number, symbol in enumerate(objects if name in _ZEROED else ()):
            for term in unit.all_parts(symbol):
                here = terms.eq(count, terms.const(number, count.sort))
                new = terms.ite(here, terms.const(0, term.sort), term)
                graph.emit(Assign(term, new), position, f"{result.name} = {render(node)}")
        graph.emit(Assign(count, terms.bit("bvadd", count, terms.const(1, count.sort))), position, "")
        return Value(result, pointer)

    # ---- blocks -------------------------------------------------------------------------------------------

    def _parts(self, pointer: Value, type_: Type, size: int, what: str) -> list[Place] | None:
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
        return list(self._places(pointer, type_, size // own, own, what))

    def _places(self, pointer: Value, type_: Type, count: int, own: int, what: str) -> Iterator[Place]:
        unit, term = self._unit, pointer.term
        assert term is not None
        known = unit.object_at(term.payload) if term.op == "const" else None
        for number in range(count):
            if known is not None:
                base = Place(type_, what, known[0], offset=known[1] + number * own)
            else:
                address = self._terms.bit("bvadd", term, self._terms.const(number * own, term.sort))
                record = type_ if isinstance(type_, StructureType) else None
                base = Place(type_, what, address=address, record=record, through_pointer=True)
            if isinstance(pointer.type, Pointer):
                base = replace(base, qualifiers=pointer.type.qualifiers)
            for cell in unit.cells(type_):
                yield replace(base, type=cell.type, offset=base.offset + cell.offset)

    def _pointed_to(self, value: Value) -> Type:
        return value.type.target if isinstance(value.type, Pointer) else VOID

    def _fill(self, node: Node, pointer: Value, byte: int, size: int) -> Value | None:
        what = render(node.args.exprs[0])
        parts = self._parts(pointer, self._pointed_to(pointer), size, what)
        if parts is None:
            return None
        position = position_of(node)
        for part in parts:
            assert isinstance(part.type, Integer | Pointer)
            value = int.from_bytes(bytes([byte & 0xFF]) * -(-part.type.sort.width // 8), "little")
            self._write(part, self._operators.number(value, part.type), position, render(node))
        return pointer

    def _copy(self, node: Node, target: Value, source: Value, size: int, may_overlap: bool) -> Value | None:
        what = render(node.args.exprs[0])
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
        position = position_of(node)
        for part, origin in zip(to, from_, strict=True):
            self._write(part, self._expressions.places.read_at(origin, position), position, render(node))
        return target

    def _write(self, part: Place, value: Value, position: Position, text: str) -> None:
        self._expressions.places.write(part, value, position, text)
