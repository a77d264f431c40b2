"""What names stand for: objects, functions, type names, enumeration constants; scopes; the state of one reading.

Variables are named after the source: ``x`` for a global one, ``f::x`` for one of function f, ``f::x#2`` for the
second of that name in f. A local variable is one variable for all calls: where a function calls itself, its values are
saved before and restored afterwards (``inline``); ``f::x~3`` holds that of the third call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast

from argosy.basics.errors import InputError
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.frontends.c.blocks import Family, MemoryBlock, families, index_sort
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.memory import (
    LARGE_OBJECTS,
    LAST_ADDRESS,
    MOST_CELLS,
    SLOT,
    SMALL_OBJECTS,
    Access,
    MemoryCell,
    cells,
    same_kind,
)
from argosy.frontends.c.notation import PlaceNames, notation
from argosy.frontends.c.source import Node
from argosy.frontends.c.tokens import Lexed, position, uncopied
from argosy.frontends.c.tree import walk
from argosy.frontends.c.types import (
    UNQUALIFIED,
    Array,
    BinaryFloat,
    DataModel,
    Integer,
    Pointer,
    Scalar,
    StructureType,
    Type,
    signedness,
)
from argosy.frontends.c.watching import GUARD, LARGE_SLOT, Allocation, Demand
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import Refusal, Variable
from argosy.models.kinds import Undefined

RESULT = "return"


@dataclass(slots=True, eq=False)
class Object:
    """A variable of the program. ``parts`` are those of its cells, by offset, that are used: the variables of the
    model. ``lasting`` objects live through all calls; ``defined`` is false for one that is only declared ``extern``;
    a ``constant`` one is never written; one that is ``linked`` is known to other files by its name; a ``temporary`` one
    is not in the text; ``qualifiers`` are those of its type. One that has a ``block`` has no cells. ``unit_file`` is
    the number of the file in which it is initialised."""

    name: str
    type: Type
    position: Position
    function: str = ""
    lasting: bool = False
    defined: bool = True
    constant: bool = False
    linked: bool = False
    qualifiers: frozenset[str] = UNQUALIFIED
    parts: dict[int, Term] = field(default_factory=dict)
    initialiser: Node | None = None
    address: int | None = None
    address_taken: bool = False
    temporary: bool = False
    block: MemoryBlock | None = None
    unit_file: int = 0
    # Of an array of variable length whose size is asked for: the lengths that it has where it begins.
    lengths: tuple[Any, ...] = ()
    # What attributes, ``_Alignas`` and the name of its type say, where something is aligned: 0 is not known.
    alignment: int | None = None
    # Of a ``constexpr`` one its value, where that is an integer.
    number: int | None = None


@dataclass(slots=True, eq=False)
class FunctionName:
    """``type`` is a Function; ``definition`` is the FuncDef node, if there is one, in the file of that number."""

    name: str
    type: Type
    position: Position
    definition: Node = None
    address: int | None = None
    unit_file: int = 0


@dataclass(frozen=True, slots=True)
class TypeName:
    """``constant``: what has the type is never written. ``alignment`` is what the name adds to the type, if it does."""

    type: Type
    qualifiers: frozenset[str] = UNQUALIFIED
    constant: bool = False
    alignment: int | None = None
    # Of a ``constexpr`` one its value, where that is an integer.
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Enumerator:
    value: int
    type: Integer


Symbol = Object | FunctionName | TypeName | Enumerator


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop of the text and the local names that are in scope before it begins."""

    word: str
    position: Position
    function: str
    names: Mapping[str, Symbol]


@dataclass(frozen=True, slots=True)
class BlockScope:
    names: dict[str, Symbol] = field(default_factory=dict)
    tags: dict[str, Type] = field(default_factory=dict)


class Scopes:
    """The scopes that are open, innermost last; tags of structures and enumerations have a space of their own. Each of
    several files has an outermost scope; objects and functions that live as long as the program are ``linked`` by their
    names."""

    def __init__(self) -> None:
        self._names: list[dict[str, Symbol]] = [{}]
        self._tags: list[dict[str, Type]] = [{}]
        self._files: list[tuple[dict[str, Symbol], dict[str, Type]]] = [(self._names[0], self._tags[0])]
        self._linked: dict[str, Symbol] = {}
        self.file = 0

    def enter(self, file: int) -> None:
        """The file of this number is read from here on."""
        while len(self._files) <= file:
            self._files.append(({}, {}))
        self.file = file
        self._names[0], self._tags[0] = self._files[file]

    @contextmanager
    def inside(self, file: int) -> Iterator[None]:
        before = self.file
        self.enter(file)
        try:
            yield
        finally:
            self.enter(before)

    @contextmanager
    def outermost(self, file: int) -> Iterator[None]:
        """Names mean what they mean outside of functions."""
        names, tags = self._names[1:], self._tags[1:]
        del self._names[1:], self._tags[1:]
        try:
            with self.inside(file):
                yield
        finally:
            self._names[1:], self._tags[1:] = names, tags

    @contextmanager
    def block(self, scope: BlockScope | None = None) -> Iterator[BlockScope]:
        """A scope inside the others, a new one or one that was open before."""
        opened = scope or BlockScope()
        self._names.append(opened.names)
        self._tags.append(opened.tags)
        try:
            yield opened
        finally:
            self._names.pop()
            self._tags.pop()

    @property
    def at_file_level(self) -> bool:
        return len(self._names) == 1

    def find(self, name: str) -> Symbol | None:
        for names in reversed(self._names):
            if name in names:
                return names[name]
        return None

    def local_names(self) -> dict[str, Symbol]:
        """What each name stands for that a scope inside the file's declares."""
        found: dict[str, Symbol] = {}
        for names in self._names[1:]:
            found.update(names)
        return found

    def find_here(self, name: str) -> Symbol | None:
        return self._names[-1].get(name)

    def find_global(self, name: str) -> Symbol | None:
        return self._linked.get(name)

    def is_new_here(self, name: str) -> bool:
        """Whether another file has a name that this one has not declared yet."""
        return name in self._linked and name not in self._names[0]

    def bind(self, name: str, symbol: Symbol) -> None:
        self._names[-1][name] = symbol

    def bind_global(self, name: str, symbol: Symbol) -> None:
        self._names[0][name] = symbol
        self._linked[name] = symbol

    def globals(self) -> Iterable[Symbol]:
        return self._linked.values()

    def find_tag(self, tag: str) -> Type | None:
        for tags in reversed(self._tags):
            if tag in tags:
                return tags[tag]
        return None

    def find_tag_here(self, tag: str) -> Type | None:
        return self._tags[-1].get(tag)

    def bind_tag(self, tag: str, type_: Type) -> None:
        self._tags[-1][tag] = type_


@dataclass(frozen=True, slots=True)
class SameObject:
    """Both addresses are in one object, or miss it by little. ``otherwise`` is what that means for objects
    that have cells; ``amount`` is by how many elements of ``size`` bytes the second one is further, if so."""

    first: Term
    second: Term
    otherwise: Term
    amount: Term | None = None
    size: int = 1

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.first, self.second, self.otherwise


@dataclass(frozen=True, slots=True)
class SizeOfBlock:
    """How many bytes the object has that starts at an address; ``refusal`` says what is not known where nobody knows
    which one that is."""

    address: Term
    refusal: Refusal

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.address,)


Claim = Access | SameObject | SizeOfBlock


@dataclass
class Unit:
    """The state of one reading of a translation unit. ``ledger`` has, for each assumption, the function without a body
    that it is about, if any. ``exact_casts`` is cleared for a second reading, when a program both takes addresses
    (which are made up) and looks at pointers as numbers; so is ``one_nan`` when the bits of floats are looked at, and
    the program ``shows_bits`` of what is no number. Every read of a volatile object gives any value where
    ``volatile_is_arbitrary``. ``statics`` are the local variables that are
    initialised once: object, variable, value, text. ``cycles`` has, by the text, with which others a function calls
    itself. ``addressed`` are the objects that pointers may lead to, ``exposed`` the pointers that were looked at as
    numbers, ``recasts`` those that were taken for pointers to another type, ``loads`` the variables that stand for what
    is read through pointers until all of those are known. ``reach`` is what functions without a body may change.
    ``groups`` says of which definition of a tag each of several files speaks, ``records`` are the structures of those.
    ``model_files`` are the numbers of those that model the C library.
    ``points`` are places that a witness speaks of (``checkpoints.Placed``). An array of more than ``most_cells`` is a
    block; so is what ``malloc`` makes in any number, where that is ``unbounded`` or, where lifetimes are kept account
    of, in ``any_number``: ``allocated`` has a bit for each such block then, at its address, and ``chosen_slots`` are
    the variables that say where the next one begins, in a slot of ``any_slot`` bytes. ``origins`` are the variables
    that stand for the addresses of ``blocks``, and ``claims`` those that stand for conditions on addresses, until all
    blocks are known: an access is to a cell, or two pointers lead into one object. ``watched`` are the kinds of
    violations of memory that matter; only then are there ``demands`` on addresses, and lifetimes of ``allocations``;
    ``bases`` are
    the pointers that arithmetic starts from. ``copy_of`` is the function that a call in the text calls, a copy of its
    own or not (``elaborate.copies``); of copies, ``given`` is what parameters are, and ``taken_for`` says to what the
    pointer leads that one returns, ``argument_lists`` which arguments behind ``...`` they know
    (``elaborate.variadic``); ``next_argument`` is the first number that no such argument has. Copies share their static
    variables and their loops, which ``local_statics`` and ``loop_numbers`` know by their nodes. While something is
    looked at for its type only, nothing ``evaluates`` it. Calls of the library that depend on types are written out
    where one ``spells_out``, by nodes that are ``made_up``; where it ``stores_counts``, some text has the conversion
    ``%n``.
    Where ``all_orders`` are asked for, ``open_orders`` are the nodes whose parts have effects that meet, and
    ``explored_orders`` those of them whose parts are evaluated in each order (``elaborate.orders``)."""

    path: str
    terms: Terms
    model: DataModel
    lexed: Lexed
    exact_casts: bool = True
    one_nan: bool = True
    reach: ForeignReach = ForeignReach.PURE
    volatile_is_arbitrary: bool = True
    watched: frozenset[Undefined] = frozenset()
    most_cells: int = MOST_CELLS
    unbounded: bool = False
    is_bounded: bool = False
    any_number: bool = False
    allocated: Term | None = None
    chosen_slots: set[Term] = field(default_factory=set)
    any_slot: int = 0
    scopes: Scopes = field(default_factory=Scopes)
    variables: dict[Term, Variable] = field(default_factory=dict)
    objects: dict[Term, Object] = field(default_factory=dict)
    opaque: dict[Term, Refusal] = field(default_factory=dict)
    unknown_constants: dict[str, Term] = field(default_factory=dict)
    ledger: dict[str, str] = field(default_factory=dict)
    external: set[str] = field(default_factory=set)
    texts: dict[tuple[str, frozenset[str]], Object] = field(default_factory=dict)
    definitions: dict[str, FunctionName] = field(default_factory=dict)
    signatures: dict[str, Any] = field(default_factory=dict)
    model_files: frozenset[int] = frozenset()
    groups: Mapping[tuple[int, str, str], int] = field(default_factory=dict)
    records: dict[object, StructureType] = field(default_factory=dict)
    statics: list[tuple[Object, Term, Term, str]] = field(default_factory=list)
    loops: list[OpenLoop] = field(default_factory=list)
    points: Mapping[int, Sequence[tuple[Any, Node]]] = field(default_factory=dict)
    static_objects: list[tuple[Object, list[Any]]] = field(default_factory=list)
    addressed: dict[Object, None] = field(default_factory=dict)
    exposed: list[Term] = field(default_factory=list)
    recasts: dict[tuple[Term, Type, Type], None] = field(default_factory=dict)
    loads: dict[Term, tuple[Access, Refusal]] = field(default_factory=dict)
    demands: dict[Term, Demand] = field(default_factory=dict)
    allocations: dict[Object, Allocation] = field(default_factory=dict)
    bases: dict[Term, Term] = field(default_factory=dict)
    blocks: list[Object] = field(default_factory=list)
    origins: dict[Term, Object] = field(default_factory=dict)
    claims: dict[Term, Claim] = field(default_factory=dict)
    cycles: dict[str, frozenset[str]] = field(default_factory=dict)
    addressed_names: frozenset[str] = frozenset()
    named_as_values: frozenset[str] = frozenset()
    stores_counts: bool = False
    copy_of: Callable[[FunctionName, Node, str, Sequence[Any]], FunctionName] = lambda callee, *_: callee
    given: dict[Object, Any] = field(default_factory=dict)
    taken_for: dict[str, Type] = field(default_factory=dict)
    argument_lists: dict[str, Any] = field(default_factory=dict)
    next_argument: int = 1
    loop_numbers: dict[int, int] = field(default_factory=dict)
    local_statics: dict[int, Object] = field(default_factory=dict)
    spells_out: bool = False
    evaluates: bool = True
    all_orders: bool = False
    open_orders: frozenset[int] = frozenset()
    explored_orders: set[int] = field(default_factory=set)
    made_up: dict[int, Node] = field(default_factory=dict)
    pointers_as_numbers: bool = False
    shows_bits: bool = False
    callable_by_pointer: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    next_slot: int = SMALL_OBJECTS
    next_large: int = LARGE_OBJECTS
    next_function: int = LAST_ADDRESS
    _nodes: dict[int, list[Node]] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _cells: dict[tuple[Type, object], tuple[MemoryCell, ...]] = field(default_factory=dict)
    _fitting: dict[tuple[Type, object], tuple[int, ...]] = field(default_factory=dict)
    _at: dict[int, Object] = field(default_factory=dict)
    _functions_at: dict[int, FunctionName] = field(default_factory=dict)
    _known_loads: dict[tuple[Access, Refusal], Term] = field(default_factory=dict)
    _known_demands: dict[Demand, Term] = field(default_factory=dict)
    _ghosts: dict[Object, int] = field(default_factory=dict)
    _known_claims: dict[Claim, Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.guard = GUARD
        self.places = PlaceNames(self.model, self.guard)
        if self.watched:
            self.next_large = -(-LARGE_OBJECTS // LARGE_SLOT) * LARGE_SLOT

    def nodes(self, definition: Node) -> list[Node]:
        """The nodes of the tree of a function, walked once."""
        known = self._nodes.get(id(definition))
        if known is None:
            known = self._nodes[id(definition)] = list(walk(definition))
        return known

    # ---- variables ----------------------------------------------------------------------------------------

    def variable(self, function: str, name: str, type_: Scalar, position: Position) -> Term:
        """A new variable, with a name that no other has."""
        full = f"{uncopied(function)}::{name}" if function else name
        count = self._names[full] = self._names.get(full, 0) + 1
        term = self.terms.var(full if count == 1 else f"{full}#{count}", type_.sort)
        signed = signedness(type_)
        self.variables[term] = Variable(term, name, function, signed, position, notation(type_, self.places.name))
        return term

    def cells(self, type_: Type) -> tuple[MemoryCell, ...]:
        key = type_, _enumerators(type_)
        known = self._cells.get(key)
        if known is None:
            known = cells(self.model, type_, self.most_cells)
            if not isinstance(type_, StructureType) or type_.members is not None:
                self._cells[key] = known
        return known

    def fitting(self, type_: Type, access: Access) -> tuple[int, ...]:
        """Which of the cells of an object of a type an access may be at, by their numbers."""
        return self._numbers(type_, (access.type, access.record, access.offsets), access.may_be_at)

    def overlapping(self, type_: Type, written: Scalar) -> tuple[int, ...]:
        """Which of the cells of an object of a type a write of another one may change: also parts of unions."""
        return self._numbers(type_, written, lambda cell: cell.in_union or same_kind(cell.type, written))

    def _numbers(self, type_: Type, key: object, fits: Callable[[MemoryCell], bool]) -> tuple[int, ...]:
        known = self._fitting.get((type_, key))
        if known is None:
            known = tuple(i for i, cell in enumerate(self.cells(type_)) if fits(cell))
            if not isinstance(type_, StructureType) or type_.members is not None:
                self._fitting[type_, key] = known
        return known

    def scalars(self, type_: Type) -> list[Type]:
        """The types of what an object of a type is made of, in cells or in a block."""
        return [each.type for each in self.cells(type_) or families(self.model, type_)]

    def part(self, symbol: Object, offset: int, type_: Type) -> Term | None:
        """The variable of the cell at an offset, as seen by a value of some type; None where there is none."""
        for cell in self.cells(symbol.type):
            if cell.offset == offset and same_kind(cell.type, type_):
                self.see(cell.type, type_)
                return self.part_of_cell(symbol, cell)
        return None

    def see(self, own: Type, seen: Type) -> None:
        """What holds values of one type is accessed as another: of a float, the bits of a NaN may be looked at."""
        if own != seen and (isinstance(own, BinaryFloat) or isinstance(seen, BinaryFloat)):
            self.shows_bits = True

    def part_of_cell(self, symbol: Object, cell: MemoryCell) -> Term:
        term = symbol.parts.get(cell.offset)
        if term is None:
            term = self.variable(symbol.function, symbol.name + cell.path, cell.type, symbol.position)
            symbol.parts[cell.offset] = term
            self.objects[term] = symbol
        return term

    def all_parts(self, symbol: Object) -> list[Term]:
        """The variables of an object."""
        if symbol.block is not None:
            return list(symbol.block.parts.values())
        return [self.part_of_cell(symbol, cell) for cell in self.cells(symbol.type)]

    # ---- blocks -------------------------------------------------------------------------------------------

    def lay_out(self, symbol: Object, size: Term | None = None, used: Term | None = None) -> MemoryBlock | None:
        """The block of an object whose cells are too many, or that has its ``size`` from elsewhere; None where it has
        cells, or not even families."""
        if symbol.block is not None:
            return symbol.block
        if used is not None and self.watched and not self.any_number:
            # Lifetimes are those of one object at a time.
            return None
        found = () if size is None and self.cells(symbol.type) else families(self.model, symbol.type)
        if not found:
            return None
        whole = self.model.size(symbol.type)
        pointer = self.model.pointer(symbol.type)
        if size is None and whole is not None:
            size = self.terms.const(whole, pointer.sort)
        origin = self.terms.var(f"origin#{len(self.blocks) + 1}", pointer.sort)
        self.variables[origin] = Variable(origin, f"&{symbol.name}", symbol.function, False, symbol.position)
        block = symbol.block = MemoryBlock(origin, found, size, used=used, lasting=symbol.lasting)
        for family in found:
            block.parts[family] = symbol.parts[family.offset] = self._variable_of(symbol, family, used is not None)
        self.blocks.append(symbol)
        self.origins[origin] = symbol
        self.note("addresses of objects and functions are distinct, not null, and unlike any constant")
        return block

    def _variable_of(self, symbol: Object, family: Family, is_many: bool) -> Term:
        index = index_sort(family, is_many, self.model.pointer_width)
        sort = family.type.sort if index is None else family.sort(index)
        name = symbol.name + (family.path or "[]" if index is not None else family.path)
        term = self.array_variable(symbol.function, name, sort, symbol.position, family.type)
        self.objects[term] = symbol
        return term

    def array_variable(self, function: str, name: str, sort: Sort, position: Position, type_: Scalar) -> Term:
        full = f"{function}::{name}" if function else name
        count = self._names[full] = self._names.get(full, 0) + 1
        term = self.terms.var(full if count == 1 else f"{full}#{count}", sort)
        signed = signedness(type_)
        said = notation(type_, self.places.name) if sort.is_bits else None
        self.variables[term] = Variable(term, name, function, signed, position, said)
        return term

    def place_block(self, size: int, alignment: int) -> int:
        """The address of a block, apart from everything else."""
        start = -(-self.next_large // alignment) * alignment
        self.next_large = start + -(-size // 16) * 16
        if self.next_large > LAST_ADDRESS and self.model.pointer_width == 32:
            raise InputError(Position(self.path, 1, 1), "there are too many objects for the address space")
        return start

    def constant_of_block(self, name: str) -> Term:
        """What stands for a number that is known when all blocks are laid out."""
        return self.terms.var(f"{name}#{len(self.blocks) + 1}", self.model.size_type.sort)

    def claim(self, what: Claim) -> Term:
        """A condition on addresses, or the size of what lies there, that is known when all blocks are."""
        term = self._known_claims.get(what)
        if term is None:
            sort = self.model.size_type.sort if isinstance(what, SizeOfBlock) else BOOL
            term = self.terms.var(f"claim#{len(self.claims) + 1}", sort)
            self.claims[term] = what
            self._known_claims[what] = term
        return term

    def opaque_term(self, sort: Sort, refusal: Refusal, signed: bool | None) -> Term:
        term = self.terms.var(f"opaque#{len(self.opaque) + 1}", sort)
        self.opaque[term] = refusal
        self.variables[term] = Variable(term, term.name, "", signed, refusal.position)
        return term

    def unknown_constant(self, name: str, type_: Scalar, position: Position) -> Term:
        """A number that nobody knows, and that is the same in the whole execution."""
        term = self.unknown_constants.get(name)
        if term is None:
            term = self.unknown_constants[name] = self.variable("", name, type_, position)
        return term

    def is_pointer(self, term: Term) -> bool:
        """Whether a variable is a pointer in the text, or a part of an object that is one."""
        symbol = self.objects.get(term)
        if symbol is None:
            return False
        types = {cell.offset: cell.type for cell in self.cells(symbol.type)}
        return any(isinstance(types.get(offset), Pointer) for offset, own in symbol.parts.items() if own is term)

    def holds_pointers(self, array: Term) -> bool:
        """Whether an array-valued variable has pointers for its elements."""
        symbol = self.objects.get(array)
        parts = {} if symbol is None or symbol.block is None else symbol.block.parts
        return any(isinstance(family.type, Pointer) for family, own in parts.items() if own is array)

    def is_reached_by_pointers(self, term: Term) -> bool:
        symbol = self.objects.get(term)
        return symbol is not None and symbol.address_taken

    def reads(self, term: Term) -> set[Term]:
        """The variables that a term reads, those behind its loads included."""
        found: set[Term] = set()
        work = [term]
        while work:
            new = variables(work.pop()) - found
            found |= new
            work.extend(term for load in new if load in self.loads for term in self.loads[load][0].terms)
            work.extend(term for claim in new if claim in self.claims for term in self.claims[claim].terms)
            work.extend(self.demands[each].address for each in new if each in self.demands)
        return found

    def demand(self, demand: Demand) -> Term:
        """A condition on an address: a variable that stands for it until all objects are known."""
        term = self._known_demands.get(demand)
        if term is None:
            term = self._known_demands[demand] = self.terms.var(f"demand#{len(self.demands) + 1}", BOOL)
            self.demands[term] = demand
        return term

    def load(self, access: Access, refusal: Refusal) -> Term:
        """What is read through a pointer: a variable that stands for it until all objects are known."""
        term = self._known_loads.get((access, refusal))
        if term is None:
            term = self.terms.var(f"load#{len(self.loads) + 1}", access.type.sort)
            self.loads[term] = (access, refusal)
            self._known_loads[access, refusal] = term
        return term

    # ---- addresses ----------------------------------------------------------------------------------------

    def take_address(self, symbol: Object) -> int:
        """The address of an object, which pointers may lead to from now on."""
        self.mark_addressed(symbol)
        return self.address(symbol)

    def mark_addressed(self, symbol: Object) -> None:
        symbol.address_taken = True
        self.addressed[symbol] = None

    def may_be_missing(self, symbol: Object | FunctionName) -> bool:
        """Whether it is weak, and nobody here defines it."""
        local = isinstance(symbol, Object) and not symbol.linked
        return symbol.name in self.lexed.weak and not local and not self.is_defined(symbol.name)

    def is_defined(self, name: str) -> bool:
        """Whether a function or an object of this name outside of functions is defined here."""
        known = self.scopes.find_global(name)
        return name in self.definitions or (isinstance(known, Object) and known.defined)

    def address(self, symbol: Object | FunctionName) -> int:
        if isinstance(symbol, Object) and symbol.block is not None:
            assert symbol.block.base, "the block is laid out"
            return symbol.block.base
        if symbol.address is None:
            start = self.new_address(self.model.size(symbol.type), isinstance(symbol, FunctionName))
            symbol.address = start + self.guard if isinstance(symbol, Object) else start
            if isinstance(symbol, Object):
                self._at[start] = symbol
                self.places.objects[symbol.address] = symbol.name, symbol.type, self.text_of(symbol)
            else:
                self._functions_at[symbol.address] = symbol
                self.places.functions[symbol.address] = symbol.name
        return symbol.address

    def new_address(self, size: int | None, apart: bool = False) -> int:
        """``apart``: of what is never part of an object."""
        self.note("addresses of objects and functions are distinct, not null, and unlike any constant")
        if apart and self.watched:
            address = self.next_function
            self.next_function += 16
        elif apart or size is None or size + 2 * self.guard >= SLOT:
            address = self.next_large
            room, unit = 2 * self.guard + max(size or SLOT, 1), LARGE_SLOT if self.watched else 16
            self.next_large += -(-room // unit) * unit
        else:
            address = self.next_slot
            self.next_slot += SLOT
        if self.next_slot > LARGE_OBJECTS or (self.next_large > LAST_ADDRESS and self.model.pointer_width == 32):
            raise InputError(Position(self.path, 1, 1), "there are too many objects for the address space")
        return address

    def object_at(self, address: int) -> tuple[Object, int] | None:
        """The object in whose slot an address lies, and the offset in it."""
        symbol = self._at.get(address - (address - SMALL_OBJECTS) % SLOT)
        if symbol is None and self.watched:
            symbol = self._at.get(address - address % LARGE_SLOT)
        return None if symbol is None or symbol.address is None else (symbol, address - symbol.address)

    @property
    def first_address(self) -> int:
        """No object lies below."""
        return SMALL_OBJECTS

    def slot(self, symbol: Object) -> int:
        """How many bits of an address are those of a place in the slot that the object has for itself."""
        if symbol.block is not None:
            return symbol.block.room.bit_length() - 1
        return (LARGE_SLOT if self.address(symbol) >= LARGE_OBJECTS else SLOT).bit_length() - 1

    def bytes_of(self, symbol: Object) -> Term | None:
        """The size of an object; None where it is not known."""
        if symbol.block is not None:
            return symbol.block.size
        size = self.model.size(symbol.type)
        return None if size is None else self.terms.bv(size, self.model.pointer_width)

    def ghost(self, symbol: Object) -> int:
        """The address that pointers to an object have when it has ended: nothing lies there, and offsets stay."""
        known = self._ghosts.get(symbol)
        if known is None:
            size = self.model.size(symbol.type) if symbol.block is None else 1
            small = 1 if size is None or size + 2 * self.guard >= SLOT else size
            known = self._ghosts[symbol] = self.new_address(small) + self.guard
            self.places.ended[known - self.guard] = symbol.name
        return known

    def function_at(self, address: int) -> FunctionName | None:
        return self._functions_at.get(address)

    @property
    def takes_addresses(self) -> bool:
        if self.watched:
            return bool(self._at or self._functions_at)
        return bool(self.blocks) or (self.next_slot, self.next_large) != (SMALL_OBJECTS, LARGE_OBJECTS)

    @property
    def looks_at_addresses(self) -> bool:
        """Whether the made-up addresses are taken for numbers that mean something."""
        return self.exact_casts and self.pointers_as_numbers and self.takes_addresses

    def is_made_up(self, address: int) -> bool:
        small = SMALL_OBJECTS <= address <= self.next_slot
        return small or LARGE_OBJECTS <= address <= self.next_large or LAST_ADDRESS <= address < self.next_function

    def text_of(self, symbol: Object) -> str | None:
        """The string literal that an object is, as it is written."""
        said = getattr(symbol.initialiser, "value", None)
        return said if isinstance(said, str) and symbol is self.texts.get((said, symbol.qualifiers)) else None

    # ---- what is not evaluated ----------------------------------------------------------------------------

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Inside, expressions are looked at for their types: what they declare and assume does not count."""
        ledger, statics, evaluates = dict(self.ledger), len(self.static_objects), self.evaluates
        self.evaluates = False
        try:
            yield
        finally:
            self.ledger, self.evaluates = ledger, evaluates
            del self.static_objects[statics:]

    def items(self, braces: Node) -> list[Node]:
        """What stands in the braces around a scalar: in empty ones it is 0 (C23 6.7.10)."""
        if not braces.exprs:
            zero = c_ast.Constant("int", "0", braces.coord)
            self.made_up[id(zero)] = zero
            return [zero]
        return list(braces.exprs)

    # ---- messages -----------------------------------------------------------------------------------------

    def note(self, assumption: str, about: str = "") -> None:
        self.ledger[assumption] = about


def _enumerators(type_: Type) -> object:
    """By which an enumeration differs from the integers that it is compatible with."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_.enumerators if isinstance(type_, Integer) else ()


def note_constant(unit: Unit, position: Position) -> None:
    unit.note(f"line {position.line}: a write to a const object or to a string literal ends the execution")


def position_of(node: Node) -> Position:
    coordinate = getattr(node, "coord", None)
    if coordinate is None:
        return NOWHERE
    return position(coordinate.file, coordinate.line, coordinate.column or 0)


def complain(node: Node, what: str) -> InputError:
    return InputError(position_of(node), what)
