"""What there is before the program starts: values of objects that live as long as it, arguments of the entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass
from argosy.frontends.c.blocks import INDEX_BITS, MemoryBlock, index_at, stored, zero_of
from argosy.frontends.c.elaborate.lvalues import FIXED_UNKNOWN
from argosy.frontends.c.elaborate.program import Elaboration, ordered
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.lower.bodies import is_bit_field, offset_in
from argosy.frontends.c.lower.graph import EXIT, Call, FlowGraph, Template, finish
from argosy.frontends.c.lower.inline import START
from argosy.frontends.c.lower.leaving import leave
from argosy.frontends.c.lower.operators import with_bits, with_field
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.memory import SLOT, MemoryCell
from argosy.frontends.c.symbols import Object
from argosy.frontends.c.tokens import as_written
from argosy.frontends.c.typed import (
    AddressOf,
    ElementPlace,
    FunctionAddress,
    InitialPart,
    MemberPlace,
    Place,
    parts,
)
from argosy.frontends.c.types import (
    Array,
    FieldRange,
    Float,
    Function,
    Integer,
    Pointer,
    Scalar,
    StructureType,
    Type,
    Void,
    compatible,
)
from argosy.frontends.c.unsupported import Construct, error, refusal
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Havoc, Marked
from argosy.models.sources import SourceKind, ValueSource

# Pointers in what the arguments of the entry function lead to lead to objects too; those in there lead anywhere.
DEPTH = 2


@dataclass(frozen=True, slots=True)
class GivenPointers:
    """Where the pointers that the entry function is given lead: to ``count`` objects of their type, or, where they may
    be ``null``, nowhere; where they are ``shared``, several may lead to the same ones."""

    null: bool = True
    shared: bool = True
    count: int = 1


ANYWHERE = GivenPointers()


class Beginning:
    """The template that comes before the entry function."""

    def __init__(self, program: Elaboration, entry: str, given: GivenPointers = ANYWHERE) -> None:
        self._program = program
        self._unit = program.unit
        self._terms = program.unit.terms
        self._entry = entry
        self._graph = FlowGraph(program.unit.terms)
        self._values = TermValues(program.unit, self._graph, "")
        self._statics = 0
        self._given = given
        # By the variable of a pointer: the choice of where it leads, and its value.
        self._leads: dict[Term, tuple[Term, Term]] = {}
        self._made: list[tuple[Type, Term]] = []
        if entry != "main":
            for parameter in program.shape(entry).parameters:
                self._lead(parameter, f"{parameter.name}", DEPTH)

    @property
    def constructors(self) -> list[str]:
        """The functions that run before ``main``."""
        unit = self._unit
        found = ordered(unit, unit.lexed.constructors) if self._entry == "main" else []
        for name in (*found, *unit.leaving):
            if self._program.shape(name).parameters:
                raise error(unit.definitions[name].position, f"{name} with arguments", Construct.ATTRIBUTE)
        return found

    # ---- arguments ----------------------------------------------------------------------------------------

    def _lead(self, symbol: Object, name: str, depth: int) -> None:
        """Make objects for the pointers in an object that is given from outside."""
        for cell in self._unit.cells(symbol.type) if depth else ():
            if isinstance(cell.type, Pointer) and not cell.in_union and self._is_whole(cell.type.target):
                self._lead_from(self._unit.part_of_cell(symbol, cell), cell.type, name + cell.path, depth)

    def _is_whole(self, type_: Type) -> bool:
        size = None if isinstance(type_, Void | Function) else self._unit.model.size(type_)
        return bool(size) and bool(self._unit.scalars(type_))

    def _lead_from(self, pointer: Term, type_: Pointer, name: str, depth: int) -> None:
        unit, terms, given = self._unit, self._terms, self._given
        position, target = unit.variables[pointer].position, type_.target
        whole: Type = target if given.count == 1 else Array(target, given.count)
        symbol = Object(f"(*{name})", whole, position, lasting=True, defined=False, linked=True)
        symbol.constant = False
        unit.scopes.bind_global(symbol.name, symbol)
        block = unit.lay_out(symbol)
        unit.mark_addressed(symbol)
        own = block.origin if block is not None else terms.const(unit.take_address(symbol), pointer.sort)
        others = [at for type_of, at in self._made if given.shared and compatible(type_of, target)]
        places = [own, *others, *((terms.const(0, pointer.sort),) if given.null else ())]
        self._made.append((target, own))
        number = unit.model["unsigned int"]
        choice = unit.variable("", f"where {name} leads", number, position)
        value = places[-1]
        for index, place in reversed(list(enumerate(places[:-1]))):
            value = terms.ite(terms.eq(choice, terms.const(index, choice.sort)), place, value)
        self._leads[pointer] = choice, value
        many = f"{given.count} objects of type {target}" if given.count > 1 else f"an object of type {target}"
        rest = (", or is null" if given.null else "") + (", which others may lead to as well" if others else "")
        unit.note(f"{name}, which {self._entry} is given, leads to {many}{rest}")
        self._lead(symbol, symbol.name, depth - 1)

    def _choose(self, pointer: Term) -> bool:
        """Let a pointer lead somewhere; whether that is known."""
        known = self._leads.get(pointer)
        if known is None:
            return False
        choice, value = known
        variable = self._unit.variables[pointer]
        source = ValueSource(SourceKind.EXTERN, f"where {variable.name} leads")
        self._graph.emit(Havoc(choice), variable.position, f"{variable.name} = ?", source)
        self._graph.emit(Assign(pointer, value), variable.position, f"{variable.name} = ?")
        return True

    # ---- initial values -----------------------------------------------------------------------------------

    def take_statics(self) -> None:
        """The local variables that are initialised once, of the functions that were read since the last time."""
        unit = self._unit
        for symbol, given in unit.static_objects[self._statics :]:
            if unit.model.size(symbol.type) is not None:
                unit.lay_out(symbol)
            for term, value, text in self._initial_values(symbol, given):
                unit.statics.append((symbol, term, value, text))
        self._statics = len(unit.static_objects)

    def variables(self) -> Iterator[tuple[Term, Term | None]]:
        """The variables that the program starts with, each with its value, None where that is arbitrary. Memory from
        ``malloc`` has no value yet: who follows a pointer that lies there leaves the language."""
        unit = self._unit
        for parameter in self._program.shape(self._entry).parameters:
            yield from ((term, self._value(term)) for term in unit.all_parts(parameter))
        yield from ((term, value) for _, term, value, _ in unit.statics)
        for symbol in unit.scopes.globals():
            if not isinstance(symbol, Object) or not (symbol.address_taken or symbol.parts or self._leads_on(symbol)):
                continue
            if symbol.defined:
                yield from ((term, value) for term, value, _ in self._global_values(symbol))
            else:
                yield from ((term, self._value(term)) for term in unit.all_parts(symbol))

    def _value(self, term: Term) -> Term | None:
        known = self._leads.get(term)
        return None if known is None else known[1]

    def _leads_on(self, symbol: Object) -> bool:
        """Whether functions without a body find addresses in an object that nothing here reads."""
        unit = self._unit
        if unit.reach is not ForeignReach.REACHABLE or not symbol.linked or symbol.initialiser is None:
            return False
        inside = (part for given in self._program.initial(symbol) for part in parts(given.value))
        return any(isinstance(part, AddressOf | FunctionAddress) for part in inside)

    def _global_values(self, symbol: Object) -> Iterator[tuple[Term, Term, str]]:
        modelled = symbol.block is not None or self._unit.cells(symbol.type)
        given = self._program.initial(symbol) if modelled else []
        return self._initial_values(symbol, given)

    def _initial_values(self, symbol: Object, given: Sequence[InitialPart]) -> Iterator[tuple[Term, Term, str]]:
        """The values that an object has before the program starts: variable, value, text."""
        unit, terms = self._unit, self._terms
        if symbol.block is not None:
            yield from self._initial_block(symbol, symbol.block, given)
            return
        cells = unit.cells(symbol.type)
        found: dict[int, tuple[Term, str]] = {}
        for part in given if cells else ():
            if isinstance(part.place.type, StructureType):
                raise error(symbol.position, f"{symbol.name} is initialised by a structure", Construct.STATIC)
            offset = offset_in(unit.model, part.place, _whole(part.place))
            field = self._bits(part.place)
            type_ = part.place.type if field is None else field[0]
            cell = None if offset is None else self._cell_around(symbol, offset, type_)
            if cell is None or offset is None:
                continue
            term = self._initial_term(symbol, part, cell)
            unit.see(cell.type, part.place.type)
            if not unit.loads.keys().isdisjoint(variables(term)):
                raise InputError(part.value.original.position, f"the initialiser of {symbol.name} is not constant")
            text = part.value.original.text
            if field is not None:
                before, texts = found.get(cell.offset, (terms.const(0, cell.type.sort), ""))
                own = terms.extract(term, field[1].width - 1, 0)
                term = with_field(terms, before, 8 * (offset - cell.offset) + field[1].low, own)
                text = f"{texts}, {text}" if texts else text
            elif term.sort is not cell.type.sort:
                before, texts = found.get(cell.offset, (terms.const(0, cell.type.sort), ""))
                term = with_bits(terms, before, 8 * (offset - cell.offset), term)
                text = f"{texts}, {text}" if texts else text
            found[cell.offset] = term, text
        for cell in cells:
            term = unit.part_of_cell(symbol, cell)
            value, text = found.get(cell.offset, (terms.const(0, term.sort), "0"))
            yield term, value, f"{symbol.name}{cell.path} = {text}"

    def _initial_block(
        self, symbol: Object, block: MemoryBlock, given: Sequence[InitialPart]
    ) -> Iterator[tuple[Term, Term, str]]:
        """Zero, with what the initialiser says stored over it."""
        unit, terms = self._unit, self._terms
        values = {family: zero_of(terms, term.sort) for family, term in block.parts.items()}
        for part in given:
            offset = offset_in(unit.model, part.place, _whole(part.place))
            type_, field = part.place.type, self._bits(part.place)
            if offset is None or isinstance(type_, StructureType):
                raise error(symbol.position, f"{symbol.name} is initialised by a structure", Construct.STATIC)
            for family in block.families:
                at = index_at(family, offset)
                if at is not None and (type_ if field is None else field[0]) == family.type:
                    cell = MemoryCell(offset, family.type, family.path)
                    value = self._initial_term(symbol, part, cell)
                    if not unit.loads.keys().isdisjoint(variables(value)):
                        position = part.value.original.position
                        raise InputError(position, f"the initialiser of {symbol.name} is not constant")
                    if field is not None:
                        own = terms.extract(value, field[1].width - 1, 0)
                        value = with_field(terms, self._given_already(values[family], at), field[1].low, own)
                    values[family] = stored(terms, values[family], at, value)
                    break
            else:
                if not isinstance(type_, Float):
                    said = f"{symbol.name} is initialised by a part of another type"
                    raise error(symbol.position, said, Construct.STATIC)
        for family, term in block.parts.items():
            text = f"{symbol.name}{family.path} = {{...}}" if given else f"{symbol.name}{family.path} = 0"
            yield term, values[family], text

    def _bits(self, place: Place) -> tuple[Integer, FieldRange] | None:
        """Storage and bits of a bit field."""
        if not is_bit_field(place):
            return None
        assert isinstance(place, MemberPlace) and isinstance(place.record.type, StructureType)
        return self._unit.model.bit_range(place.record.type, place.name)

    def _given_already(self, whole: Term, at: tuple[int, ...]) -> Term:
        """What other bit fields have put into their storage in a block."""
        number = 0
        for index in at:
            number = (number << INDEX_BITS) | index
        return self._terms.select(whole, self._terms.bv(number, INDEX_BITS * len(at))) if at else whole

    def _cell_around(self, symbol: Object, offset: int, type_: Type) -> MemoryCell | None:
        """The cell that a part lies in that an initialiser names; None where there is none."""
        size = self._unit.model.size(type_)
        for cell in self._unit.cells(symbol.type) if size else ():
            start, end = cell.offset, cell.offset + (self._unit.model.size(cell.type) or 0)
            if size is None or offset >= end or offset + size <= start:
                continue
            if offset == start and isinstance(type_, Scalar) and type_.sort is cell.type.sort:
                return cell
            if offset < start or offset + size > end or cell.type.sort.width == 1:
                said = f"{symbol.name} is initialised by a part of another type"
                raise error(symbol.position, said, Construct.STATIC)
            return cell
        return None

    def _initial_term(self, symbol: Object, part: InitialPart, cell: MemoryCell) -> Term:
        if not isinstance(part.place.type, Scalar):
            why = refusal(symbol.position, f"the initialiser of {symbol.name}", Construct.FLOAT)
            return self._unit.opaque_term(cell.type.sort, why, False)
        waiting = len(self._graph.pending)
        value = self._values.value(part.value)
        if isinstance(part.place.type, Pointer) and isinstance(cell.type, Integer):
            value = self._values.operators.convert(value, self._unit.model.size_type, symbol.position)
        del self._graph.pending[waiting:]
        return self._values.operators.term(value, symbol.position)

    # ---- the start ----------------------------------------------------------------------------------------

    def template(self, mentioned: Set[Term]) -> Template:
        """Initial values of what is mentioned, then the call of the entry function."""
        unit, graph = self._unit, self._graph
        objects = (symbol for symbol in unit.scopes.globals() if isinstance(symbol, Object))
        for symbol in (*objects, *unit.texts.values()):
            if not mentioned.isdisjoint(symbol.parts.values()):
                self._initialise(symbol, mentioned)
        for symbol, term, value, text in unit.statics:
            if term in mentioned:
                graph.emit(Assign(term, value), symbol.position, text)
        self._arguments()
        for name in self.constructors:
            unit.note(f"{as_written(name)} runs before main; of several, in the order of their numbers and of the text")
            position, text = unit.definitions[name].position, f"{as_written(name)}()"
            graph.mark(position, text, (Marked.CALL, as_written(name)))
            graph.emit(Call(name), position, text)
        entry = unit.definitions[self._entry]
        graph.mark(entry.position, f"{self._entry}()", (Marked.CALL, as_written(self._entry)))
        graph.emit(Call(self._entry), entry.position, f"{self._entry}()")
        if self._entry == "main":
            leave(unit, graph, entry.position)
        if unit.watched:
            graph.mark(entry.position, f"{self._entry} ends", (Marked.END, self._entry))
        graph.jump(EXIT)
        return finish(graph, START, entry.position)

    def _initialise(self, symbol: Object, mentioned: Set[Term]) -> None:
        unit, graph = self._unit, self._graph
        if symbol.name == FIXED_UNKNOWN and symbol.initialiser is None:
            unit.note(f"{symbol.name} is one fixed unknown value")
            return
        if not symbol.defined:
            made_up = symbol.name.startswith("(")
            if not made_up and (symbol.block is not None or unit.cells(symbol.type)):
                unit.note(f"{symbol.position}: extern {symbol.name} is not defined here: arbitrary value")
            for term in unit.all_parts(symbol):
                if term in mentioned and not self._choose(term):
                    name = unit.variables[term].name
                    source = ValueSource(SourceKind.EXTERN, name if made_up else f"extern {name}")
                    graph.emit(Havoc(term), symbol.position, f"{name} = ?", source)
            return
        for term, value, text in self._global_values(symbol):
            if term in mentioned:
                graph.emit(Assign(term, value), symbol.position, text)

    def _arguments(self) -> None:
        """The entry function's parameters are arbitrary; the number of arguments is not negative, and the array of them
        is there (5.1.2.2.1)."""
        unit, terms = self._unit, self._terms
        parameters = self._program.shape(self._entry).parameters
        for parameter in parameters:
            unit.note(f"parameter {parameter.name} of {self._entry} is arbitrary")
            for part in unit.all_parts(parameter):
                self._choose(part)
        if self._entry == "main" and len(parameters) > 1:
            count = parameters[0]
            term = unit.part(count, 0, count.type)
            if term is not None and isinstance(count.type, Integer) and count.type.signed:
                condition = terms.bit("bvsle", terms.const(0, term.sort), term)
                self._graph.emit(Assume(condition), count.position, f"[0 <= {count.name}]")
            for array in (each for each in parameters[1:] if isinstance(each.type, Pointer)):
                for term in unit.all_parts(array):
                    condition = terms.bit("bvule", terms.const(SLOT, term.sort), term)
                    self._graph.emit(Assume(condition), array.position, f"[{array.name} leads somewhere]")


def _whole(place: Place) -> Place:
    """The object that a part is of."""
    while isinstance(place, ElementPlace | MemberPlace):
        place = place.array if isinstance(place, ElementPlace) else place.record
    return place
