"""What an object that lasts is initialised with, where that names objects that are ``const``: their values.

C wants constants there (6.7.9, 4). Compilers take ``const`` objects that have an initialiser for constants as well (gcc
since 8, clang in part): scalars, members, elements, characters of a text. Law: nothing is read when a program starts,
so that what is left of an initialiser reads nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.records import replace
from argosy.frontends.c.elaborate.folding import number, truth
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object
from argosy.frontends.c.tokens import as_written
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import (
    AddressOf,
    BinaryOperation,
    Cast,
    Comma,
    Contents,
    ElementPlace,
    Expression,
    InitialPart,
    MemberPlace,
    ObjectPlace,
    Place,
    Selection,
    ShortCircuit,
    TargetPlace,
    UnaryOperation,
    is_constant,
)
from argosy.frontends.c.types import StructureType, Type

# The way to a part of an object: the names of members, the numbers of elements.
_Way = tuple[str | int, ...]


class SettledValues:
    """``initial`` says what an object starts with by its initialiser, where names mean what they mean there."""

    def __init__(self, whole: Elaborated, initial: Callable[[Object, Node], list[InitialPart]]) -> None:
        self._whole = whole
        self._initial = initial
        self._known: dict[Object, list[InitialPart]] = {}
        self._under_way: set[Object] = set()

    def value(self, value: Expression) -> Expression:
        """The same value, for which nothing is read; InputError where there is none."""
        if is_constant(value):
            return value
        model = self._whole.unit.model
        match value:
            case Contents():
                return self._held(value)
            case AddressOf():
                return replace(value, place=self._place(value.place))
            case UnaryOperation() | Cast():
                return replace(value, operand=self.value(value.operand))
            case BinaryOperation():
                return replace(value, left=self.value(value.left), right=self.value(value.right))
            case Comma():
                return replace(value, first=self.value(value.first), second=self.value(value.second))
            case ShortCircuit():
                left = self.value(value.left)
                known = truth(model, left)
                if known is not None and known == (value.op == "||"):
                    return self._whole.arithmetic.integer(int(known), value.original)
                return replace(value, left=left, right=self.value(value.right))
            case Selection():
                condition = self.value(value.condition)
                known = truth(model, condition)
                if known is not None:
                    return self.value(value.yes if known else value.no)
                return replace(value, condition=condition, yes=self.value(value.yes), no=self.value(value.no))
        return value

    def _place(self, place: Place) -> Place:
        match place:
            case ElementPlace():
                return replace(place, array=self._place(place.array), index=self.value(place.index))
            case MemberPlace():
                return replace(place, record=self._place(place.record))
            case TargetPlace():
                return replace(place, pointer=self.value(place.pointer))
        return place

    def _held(self, value: Contents) -> Expression:
        """What a part of an object that nobody writes holds from the start."""
        if isinstance(value.type, StructureType):
            return value  # as a whole it is refused where it is stored
        found = self._way(self._place(value.place))
        if found is None or not found[0].constant or "volatile" in value.place.qualifiers:
            raise self._complaint(value)
        symbol, way = found
        given: Expression = self._whole.arithmetic.integer(0, value.original)
        for part in self._parts(symbol, value):
            own = self._way(part.place)
            if own is not None and own[1] == way:
                given = part.value
            elif own is not None and own[1] == way[: len(own[1])]:
                raise self._complaint(value)
        return self._whole.arithmetic.converted(given, value.type)

    def _way(self, place: Place) -> tuple[Object, _Way] | None:
        """The object and the way to a part of it; None of what lies behind a pointer, in a union or in bits."""
        match place:
            case ObjectPlace():
                return place.object, ()
            case ElementPlace():
                inner, index = self._way(place.array), number(self._whole.unit.model, place.index)
                return None if inner is None or index is None else (inner[0], (*inner[1], index))
            case MemberPlace() if not place.is_bit_field and not _is_union(place.record.type):
                inner = self._way(place.record)
                return None if inner is None else (inner[0], (*inner[1], place.name))
        return None

    def _parts(self, symbol: Object, value: Contents) -> list[InitialPart]:
        given = symbol.initialiser
        own = next((parts for each, parts in self._whole.unit.static_objects if each is symbol), None)
        if own is not None:
            return own
        automatic = symbol.function and not symbol.lasting
        # The names in there may mean something else by now.
        named = automatic and any(isinstance(node, c.ID) for node in walk(given))
        if given is None or named or symbol in self._under_way:
            raise self._complaint(value)
        known = self._known.get(symbol)
        if known is None:
            self._under_way.add(symbol)
            with self._whole.unit.scopes.outermost(symbol.unit_file):
                known = self._known[symbol] = self._initial(symbol, given)
            self._under_way.discard(symbol)
        return known

    def _complaint(self, value: Contents) -> InputError:
        return InputError(value.original.position, f"{as_written(value.original.text)} is not constant")


def _is_union(type_: Type) -> bool:
    return isinstance(type_, StructureType) and type_.kind == "union"
