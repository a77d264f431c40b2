"""Values as C writes them: characters, truth values, enumerators, and addresses by the objects that lie there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from argosy.basics.records import dataclass
from argosy.frontends.c.memory import LARGE_OBJECTS, SLOT, SMALL_OBJECTS
from argosy.frontends.c.types import (
    Array,
    BinaryFloat,
    DataModel,
    FieldRange,
    Pointer,
    Scalar,
    StructureType,
    Type,
    Void,
)
from argosy.logic.floating import decimal
from argosy.models.cfa import Notation

PlaceName = Callable[[int, Type], str | None]
"""What C calls the place at an address that a pointer to a type has."""


def notation(type_: Scalar, place_name: PlaceName) -> Notation | None:
    """How the values of a type are written, where that is not as numbers."""
    if isinstance(type_, Pointer):
        return PointerNotation(type_.target, place_name)
    if isinstance(type_, BinaryFloat):
        return FloatNotation(type_)
    if type_.is_bool:
        return TruthNotation()
    if type_.fields:
        return FieldsNotation(type_.fields)
    if type_.enumerators:
        return EnumeratorNotation(type_.enumerators)
    # Signed and unsigned char are as often numbers.
    return CharacterNotation() if type_.name == "char" else None


@dataclass(frozen=True, slots=True)
class FloatNotation:
    """The shortest decimal number that is rounded to these bits."""

    type: BinaryFloat

    def text(self, value: int) -> str | None:
        return decimal(self.type.format, value)


@dataclass(frozen=True, slots=True)
class TruthNotation:
    def text(self, value: int) -> str | None:
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class CharacterNotation:
    """Those that can be seen; the others are numbers."""

    def text(self, value: int) -> str | None:
        if not 32 <= value < 127:
            return None
        return f"'\\{chr(value)}'" if chr(value) in "'\\" else f"'{chr(value)}'"


@dataclass(frozen=True, slots=True)
class EnumeratorNotation:
    """The first enumerator of a value; a value without one is a number."""

    enumerators: tuple[tuple[str, int], ...]

    def text(self, value: int) -> str | None:
        return next((name for name, own in self.enumerators if own == value), None)


@dataclass(frozen=True, slots=True)
class FieldsNotation:
    """Of what several bit fields lie in: each with its value."""

    fields: tuple[FieldRange, ...]

    def text(self, value: int) -> str | None:
        if len(self.fields) == 1:
            return str(self._of(self.fields[0], value))
        return f"{{{', '.join(f'.{field.name} = {self._of(field, value)}' for field in self.fields)}}}"

    @staticmethod
    def _of(field: FieldRange, value: int) -> int:
        own = (value >> field.low) & ((1 << field.width) - 1)
        return own - (1 << field.width) if field.signed and own >> (field.width - 1) else own


@dataclass(frozen=True, slots=True)
class PointerNotation:
    target: Type
    place_name: PlaceName

    def text(self, value: int) -> str | None:
        return "NULL" if value == 0 else self.place_name(value, self.target) or hex(value)


@dataclass(frozen=True, slots=True)
class AddressNotation:
    """An address in words."""

    names: PlaceNames

    def text(self, value: int) -> str | None:
        return self.names.described(value)

    def lifetime(self, value: int) -> str | None:
        return self.names.lifetime(value)

    def object(self, value: int) -> tuple[int, str, int] | None:
        return self.names.object(value)

    def holder(self, variable: str) -> int | None:
        return self.names.holders.get(variable)


class PlaceNames:
    """What lies at the addresses that were made up: name, type and, of a string literal, the text of an object; names
    of functions. It outlives the reading of a program, and so knows nothing of its text."""

    def __init__(self, model: DataModel, guard: int = 0) -> None:
        """``guard`` is how far from the start of its slot each object lies."""
        self._model = model
        self._guard = guard
        self.ended: dict[int, str] = {}
        self.objects: dict[int, tuple[str, Type, str | None]] = {}
        self.functions: dict[int, str] = {}
        self.words: dict[int, str] = {}
        self.lifetimes: dict[int, str] = {}
        self.holders: dict[str, int] = {}

    def name(self, address: int, target: Type) -> str | None:
        """What C calls the place at an address that a pointer to ``target`` has; None where nothing is known there."""
        if address in self.functions:
            return f"&{self.functions[address]}"
        start = self._start(address)
        if start is None:
            ended = self.ended.get(address - (address - SMALL_OBJECTS) % SLOT)
            return None if ended is None else f"&{ended} (ended)"
        (name, type_, literal), offset = self.objects[start], address - start
        if literal is not None:
            return literal if offset == 0 else f"{literal} + {offset}"
        path = designator(self._model, type_, offset, target)
        return f"(char *)&{name} + {offset}" if path is None else f"&{name}{path}"

    @property
    def addresses(self) -> AddressNotation:
        return AddressNotation(self)

    def object(self, address: int) -> tuple[int, str, int] | None:
        """Where the object begins that an address leads into, what it is, and the offset; None where nothing lies."""
        start = self._start(address)
        if start is None:
            slot = address - (address - SMALL_OBJECTS) % SLOT
            ended = self.ended.get(slot)
            return None if ended is None else (slot, f"{ended}, which has ended", address - slot - self._guard)
        name, type_, literal = self.objects[start]
        size = self._model.size(type_)
        known = "" if size is None else f" ({size} byte{'s' if size != 1 else ''})"
        return start, f"{self.words.get(start) or literal or name}{known}", address - start

    def described(self, address: int) -> str:
        """What lies at an address: an object and an offset."""
        found = self.object(address)
        if found is None:
            return "the null pointer" if address == 0 else f"address {address:#x}, where nothing lies"
        return f"offset {found[2]} of {found[1]}"

    def lifetime(self, address: int) -> str | None:
        """The variable that says whether the block at an address is allocated."""
        start = self._start(address)
        return None if start is None else self.lifetimes.get(start)

    def _start(self, address: int) -> int | None:
        """Where the object begins that an address lies in, or right behind."""
        slot = address - (address - SMALL_OBJECTS) % SLOT + self._guard
        if slot in self.objects:
            return slot
        large = (start for start in self.objects if start >= LARGE_OBJECTS)
        near = self._guard
        return next(
            (at for at in large if -near <= address - at <= (self._model.size(self.objects[at][1]) or 0) + near), None
        )


def designator(model: DataModel, type_: Type, offset: int, target: Type) -> str | None:
    """What stands behind the name of an object for the part of it at an offset: of several that begin there, the one
    that a pointer to ``target`` points to. The element behind the last one of an array has a name, too (C11 6.5.6, 8).
    None where no part begins there."""
    found = list(_parts(model, type_, offset, ""))
    if not found:
        return None
    if isinstance(target, Void):
        return found[0][1]
    return next((path for part, path in found if part == target), found[-1][1])


def _parts(model: DataModel, type_: Type, offset: int, path: str) -> Iterator[tuple[Type, str]]:
    """The parts that begin at an offset, from the outside to the inside."""
    if offset == 0:
        yield type_, path
    match type_:
        case Array(element, length):
            size = model.size(element)
            if size and length is not None and 0 <= offset <= size * length:
                index, rest = divmod(offset, size)
                if index < length:
                    yield from _parts(model, element, rest, f"{path}[{index}]")
                else:
                    yield element, f"{path}[{index}]"
        case StructureType():
            for name, member, start in model.members(type_) or ():
                if start <= offset < start + max(model.size(member) or 0, 1):
                    inside = f"{path}.{name}" if name else path
                    yield from _parts(model, member, offset - start, inside)
