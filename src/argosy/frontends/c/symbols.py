"""What names stand for: objects, functions, type names, enumeration constants; scopes; the state of one reading.

Variables are named after the source: ``x`` for a global one, ``f::x`` for one of function f, ``f::x#2`` for the
second of that name in f. A local variable is one variable for all calls: where a function calls itself, its values are
saved before and restored afterwards (``inline``); ``f::x~3`` holds that of the third call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from argosy.frontends.c.lexer import Lexed
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import DataModel, Integer, Pointer, Type
from argosy.frontends.errors import InputError
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import NOWHERE, Position, Refusal, Variable

RESULT = "return"


@dataclass(slots=True, eq=False)
class Object:
    """A variable of the program. ``term`` is set when its values are modelled: integers and pointers. ``lasting``
    objects live through all calls; ``defined`` is false for one that is only declared ``extern``."""

    name: str
    type: Type
    position: Position
    function: str = ""
    lasting: bool = False
    defined: bool = True
    term: Term | None = None
    initialiser: Node | None = None
    address: int | None = None
    address_taken: bool = False


@dataclass(slots=True, eq=False)
class FunctionName:
    """``type`` is a Function; ``definition`` is the FuncDef node, if there is one."""

    name: str
    type: Type
    position: Position
    definition: Node = None
    address: int | None = None


@dataclass(frozen=True, slots=True)
class TypeName:
    type: Type


@dataclass(frozen=True, slots=True)
class Enumerator:
    value: int
    type: Integer


Symbol = Object | FunctionName | TypeName | Enumerator


class Scopes:
    """The scopes that are open, innermost last; tags of structures and enumerations have a space of their own."""

    def __init__(self) -> None:
        self._names: list[dict[str, Symbol]] = [{}]
        self._tags: list[dict[str, Type]] = [{}]

    @contextmanager
    def block(self) -> Iterator[None]:
        self._names.append({})
        self._tags.append({})
        try:
            yield
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

    def find_here(self, name: str) -> Symbol | None:
        return self._names[-1].get(name)

    def find_global(self, name: str) -> Symbol | None:
        return self._names[0].get(name)

    def bind(self, name: str, symbol: Symbol) -> None:
        self._names[-1][name] = symbol

    def bind_global(self, name: str, symbol: Symbol) -> None:
        self._names[0][name] = symbol

    def globals(self) -> Iterable[Symbol]:
        return self._names[0].values()

    def find_tag(self, tag: str) -> Type | None:
        for tags in reversed(self._tags):
            if tag in tags:
                return tags[tag]
        return None

    def find_tag_here(self, tag: str) -> Type | None:
        return self._tags[-1].get(tag)

    def bind_tag(self, tag: str, type_: Type) -> None:
        self._tags[-1][tag] = type_


ADDRESSES = 0x0804_0000  # where made-up addresses start: never null, and rarely a constant of a program


@dataclass
class Unit:
    """The state of one reading of a translation unit. ``error_is`` says what counts as the error: a call, a label, a
    failing assertion, an overflow. ``exact_casts`` is cleared for a second reading, when a program both takes
    addresses (which are made up) and looks at pointers as numbers. ``statics`` are the local variables that are
    initialised once, with their values. ``cycles`` has, by the text, with which others a function calls itself."""

    path: str
    terms: Terms
    model: DataModel
    lexed: Lexed
    exact_casts: bool = True
    scopes: Scopes = field(default_factory=Scopes)
    variables: dict[Term, Variable] = field(default_factory=dict)
    objects: dict[Term, Object] = field(default_factory=dict)
    opaque: dict[Term, Refusal] = field(default_factory=dict)
    ledger: dict[str, None] = field(default_factory=dict)
    definitions: dict[str, FunctionName] = field(default_factory=dict)
    signatures: dict[str, Any] = field(default_factory=dict)
    statics: list[tuple[Object, Term, str]] = field(default_factory=list)
    cycles: dict[str, frozenset[str]] = field(default_factory=dict)
    error_is: str = "call"
    addressed_names: frozenset[str] = frozenset()
    pointers_as_numbers: bool = False
    next_address: int = ADDRESSES
    _names: dict[str, int] = field(default_factory=dict)

    # ---- variables ----------------------------------------------------------------------------------------

    def variable(self, function: str, name: str, type_: Integer | Pointer, position: Position) -> Term:
        """A new variable, with a name that no other has."""
        full = f"{function}::{name}" if function else name
        count = self._names[full] = self._names.get(full, 0) + 1
        term = self.terms.var(full if count == 1 else f"{full}#{count}", type_.sort)
        signed = type_.signed if isinstance(type_, Integer) else False
        self.variables[term] = Variable(term, name, function, signed, position)
        return term

    def object_term(self, symbol: Object) -> Term | None:
        """The variable of an object; None where its values are not modelled."""
        if symbol.term is None and isinstance(symbol.type, Integer | Pointer):
            symbol.term = self.variable(symbol.function, symbol.name, symbol.type, symbol.position)
            self.objects[symbol.term] = symbol
        return symbol.term

    def opaque_term(self, sort: Sort, refusal: Refusal, signed: bool | None) -> Term:
        term = self.terms.var(f"opaque#{len(self.opaque) + 1}", sort)
        self.opaque[term] = refusal
        self.variables[term] = Variable(term, term.name, "", signed, refusal.position)
        return term

    # ---- addresses ----------------------------------------------------------------------------------------

    def address(self, symbol: Object | FunctionName) -> int:
        if symbol.address is None:
            symbol.address = self.new_address(self.model.size(symbol.type))
        return symbol.address

    def new_address(self, size: int | None) -> int:
        address = self.next_address
        self.next_address += -(-max(size or 4096, 1) // 16) * 16
        self.note("addresses of objects and functions are distinct, not null, and unlike any constant")
        return address

    @property
    def takes_addresses(self) -> bool:
        return self.next_address != ADDRESSES

    def is_made_up(self, address: int) -> bool:
        return ADDRESSES <= address <= self.next_address

    # ---- messages -----------------------------------------------------------------------------------------

    def note(self, assumption: str) -> None:
        self.ledger[assumption] = None


def position_of(node: Node) -> Position:
    coordinate = getattr(node, "coord", None)
    if coordinate is None:
        return NOWHERE
    return Position(coordinate.file, coordinate.line, coordinate.column or 0)


def complain(node: Node, what: str) -> InputError:
    return InputError(position_of(node), what)
