"""The types of C: integers of the two data models, promotions and conversions, sizes (C11 6.2.5, 6.3.1, 6.5.3.4).

``char`` is signed, ``_Bool`` has one bit of value and one byte of storage, structures are laid out as in the
System V ABI for i386 (ILP32) and x86-64 (LP64).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from argosy.basics.records import dataclass, field, replace
from argosy.frontends.c.layout import FieldStorage, MemberSize, Placement, RecordLayout, lay_out
from argosy.frontends.c.tokens import ARGUMENT_LIST
from argosy.frontends.c.unsupported import Obstacle
from argosy.logic.floating import DOUBLE, SINGLE, FloatFormat
from argosy.logic.sorts import Sort, bits

UNQUALIFIED: frozenset[str] = frozenset()
CONSTANT = frozenset(("const",))

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class FieldRange:
    """The bits of a bit field in its storage, from the lowest one on."""

    name: str
    low: int
    width: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer type; ``rank`` orders the conversions of 6.3.1.1. ``_Bool`` is the one of width 1. A bit field that is
    no wider than ``int`` has a type that ``promotes_to`` one by its width (6.3.1.1, 2); one that is wider but not as
    wide as its type is ``wide``, and so is the value of one that compilers promote differently. ``enumerators`` are
    those of an enumeration, which is the same type as the integer that it is compatible with; ``fields`` are those of
    the storage of bit fields, which no expression has for its type."""

    name: str
    width: int
    signed: bool
    rank: int
    promotes_to: str = field(default="", compare=False)
    enumerators: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    wide: bool = field(default=False, compare=False)
    fields: tuple[FieldRange, ...] = field(default=(), compare=False)

    @property
    def is_bool(self) -> bool:
        return self.width == 1

    @property
    def sort(self) -> Sort:
        return bits(self.width)

    @property
    def minimum(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        return (1 << (self.width - self.signed)) - 1

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Float:
    """A floating type; ``size`` and ``alignment`` are in bytes. Only those of ``BinaryFloat`` have values here."""

    name: str
    size: int
    alignment: int

    def __str__(self) -> str:
        return self.name


# Before the type of both parts; and what is wider than a double, whatever its size.
COMPLEX = "_Complex "
WIDEST = frozenset(("long double", "_Float128"))
# Types without values here that one declaration names, by their sizes: those of half a word and of software.
EXTENDED_FLOATS = {
    "_Float16": 2,
    "__bf16": 2,
    "__fp16": 2,
    "_Float128": 16,
    "__float128": 16,
    "_Decimal32": 4,
    "_Decimal64": 8,
    "_Decimal128": 16,
}


@dataclass(frozen=True, slots=True)
class BinaryFloat(Float):
    """``float`` or ``double``, as IEEE 754 has them."""

    @property
    def format(self) -> FloatFormat:
        return SINGLE if self.size == 4 else DOUBLE

    @property
    def sort(self) -> Sort:
        return self.format.sort


@dataclass(frozen=True, slots=True)
class Vector(Float):
    """A vector of GNU C (``vector_size``), whose name is its C text. It has a size and no value here."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """``qualifiers`` are those of the target (of its elements, where it is an array): ``const``, ``volatile``."""

    target: Type
    width: int
    qualifiers: frozenset[str] = UNQUALIFIED

    @property
    def sort(self) -> Sort:
        return bits(self.width)

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True)
class Array:
    """``length`` is None where it is not known (incomplete, or of variable length). Then ``count`` may be what it is
    evaluated to, for pointers to such arrays (``elaborate.measured``), which are of one type all the same."""

    element: Type
    length: int | None
    count: Any = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.element} [{'' if self.length is None else self.length}]"


@dataclass(slots=True, eq=False)
class StructureType:
    """A structure or union; ``members`` is None until the type is complete. An ``obstacle`` is what decides its layout
    in ways that are not known. ``placements`` say of each member what decides where it lies; so do, of all of them,
    ``packed``, ``pack`` (the pragma) and ``aligned``. ``qualifiers`` are those of its members, by name. One
    that has more elements in its last member than the text says is what its ``base`` is (``DataModel.extended``)."""

    kind: str
    tag: str
    members: list[tuple[str, Type]] | None = None
    obstacle: Obstacle | None = None
    placements: tuple[Placement, ...] = ()
    packed: bool = False
    pack: int | None = None
    aligned: int = 1
    qualifiers: dict[str, frozenset[str]] = field(default_factory=dict)
    base: StructureType | None = None
    laid_out: dict[object, tuple[object, object]] = field(default_factory=dict, repr=False)

    @property
    def exact_layout(self) -> bool:
        return self.obstacle is None

    @property
    def placed(self) -> tuple[Placement, ...]:
        """What is said of each member; of a type that no text has, nothing."""
        return self.placements or (Placement(),) * len(self.members or ())

    def __str__(self) -> str:
        return f"{self.kind} {self.tag}".rstrip()

    def member(self, name: str) -> Type | None:
        """The type of a member, looked up through anonymous members as well (6.7.2.1, 13)."""
        for own, type_ in self.members or ():
            if own == name:
                return type_
            if not own and isinstance(type_, StructureType):
                inner = type_.member(name)
                if inner is not None:
                    return inner
        return None

    @property
    def open_end(self) -> Array | None:
        """The array at the end that there may be more of than the text says: a flexible member (6.7.2.1, 18), which has
        the length 0 here, or one of the length 1, as it was written before C99."""
        last = self.members[-1][1] if self.members and self.kind == "struct" else None
        return last if isinstance(last, Array) and last.length in (0, 1) else None

    def is_bit_field(self, name: str) -> bool:
        """Whether a member is one, looked up through anonymous members as well."""
        for (own, type_), said in zip(self.members or (), self.placed, strict=True):
            if own == name:
                return said.width is not None
            if not own and isinstance(type_, StructureType) and type_.member(name) is not None:
                return type_.is_bit_field(name)
        return False

    @property
    def said_of_layout(self) -> tuple[object, ...]:
        """All that decides where the members lie, but for their types."""
        return self.placed, self.packed, self.pack, self.aligned

    def qualifiers_of(self, name: str) -> frozenset[str]:
        """Those of a member, looked up through anonymous members as well."""
        for own, type_ in self.members or ():
            if own == name:
                return self.qualifiers.get(name, UNQUALIFIED)
            if not own and isinstance(type_, StructureType) and type_.member(name) is not None:
                return self.qualifiers.get("", UNQUALIFIED) | type_.qualifiers_of(name)
        return UNQUALIFIED


@dataclass(frozen=True, slots=True)
class Function:
    """``parameters`` is None for a declaration without a prototype."""

    result: Type
    parameters: tuple[Type, ...] | None
    variadic: bool = False

    def __str__(self) -> str:
        inside = "" if self.parameters is None else ", ".join(map(str, self.parameters)) or "void"
        return f"{self.result} ({inside})"


Type = Void | Integer | Float | Pointer | Array | StructureType | Function
Scalar = Integer | Pointer | BinaryFloat


def compatible(a: Type, b: Type, assumed: frozenset[tuple[int, int]] = frozenset()) -> bool:
    """Whether declarations with these types may be of one thing (6.2.7). Structures that lead to themselves are what
    they are assumed to be."""
    match a, b:
        case Pointer(), Pointer():
            return a.qualifiers == b.qualifiers and compatible(a.target, b.target, assumed)
        case Array(), Array():
            return (a.length is None or b.length is None or a.length == b.length) and compatible(
                a.element, b.element, assumed
            )
        case Function(), Function():
            if not compatible(a.result, b.result, assumed):
                return False
            if a.parameters is None or b.parameters is None:
                # Whoever calls without a prototype passes a double (6.5.2.2, 6).
                known = (*(a.parameters or ()), *(b.parameters or ()))
                return not any(isinstance(each, BinaryFloat) and each.name == "float" for each in known)
            pairs = list(zip(a.parameters, b.parameters, strict=False))
            return ((len(a.parameters), a.variadic) == (len(b.parameters), b.variadic)) and all(
                compatible(x, y, assumed) for x, y in pairs
            )
        case StructureType(), StructureType():
            if a is b or (id(a), id(b)) in assumed:
                return True
            if (a.kind, a.tag) != (b.kind, b.tag):
                return False
            if a.members is None or b.members is None:
                return True
            return a.said_of_layout == b.said_of_layout and same_members(
                a.members, b.members, assumed | {(id(a), id(b))}
            )
    return a == b


def same_members(
    a: Sequence[tuple[str, Type]], b: Sequence[tuple[str, Type]], assumed: frozenset[tuple[int, int]] = frozenset()
) -> bool:
    return [name for name, _ in a] == [name for name, _ in b] and all(
        compatible(x, y, assumed) for (_, x), (_, y) in zip(a, b, strict=True)
    )


def signedness(type_: Scalar) -> bool | None:
    """How the bits of a variable are read as a number: those of floats are none."""
    if isinstance(type_, BinaryFloat):
        return None
    return type_.signed if isinstance(type_, Integer) else False


VOID = Void()
BOOL = Integer("_Bool", 1, False, 0)
_RANKS = ("char", "short", "int", "long", "long long", "__int128")


@dataclass(frozen=True)
class DataModel:
    """One choice of widths. ``integers`` maps the plain name of an integer type to the type."""

    name: str
    pointer_width: int
    integers: Mapping[str, Integer] = field(repr=False)
    floats: Mapping[str, Float] = field(repr=False)
    largest_alignment: int = 8

    def __getitem__(self, name: str) -> Integer:
        return self.integers[name]

    @property
    def int_(self) -> Integer:
        return self.integers["int"]

    @property
    def size_type(self) -> Integer:
        return self.integers["unsigned int" if self.pointer_width == 32 else "unsigned long"]

    @property
    def difference_type(self) -> Integer:
        return self.integers["int" if self.pointer_width == 32 else "long"]

    def pointer(self, target: Type, qualifiers: frozenset[str] = UNQUALIFIED) -> Pointer:
        return Pointer(target, self.pointer_width, qualifiers)

    def promote(self, type_: Integer) -> Integer:
        """The integer promotions (6.3.1.1, 2): everything below ``int`` fits into ``int``."""
        if type_.promotes_to:
            return self.integers[type_.promotes_to]
        return self.int_ if type_.rank < self.int_.rank else type_

    def common(self, a: Integer, b: Integer) -> Integer:
        """The usual arithmetic conversions (6.3.1.8) on integers."""
        a, b = self.promote(a), self.promote(b)
        if a.signed == b.signed:
            return a if a.rank >= b.rank else b
        positive, other = (b, a) if a.signed else (a, b)
        if positive.rank >= other.rank:
            return positive
        if other.width > positive.width:
            return other
        return self.integers[f"unsigned {other.name}"]

    def constant_type(self, value: int, suffix: str, decimal: bool) -> Integer | None:
        """The first type of the ladder in 6.4.4.1 that holds the value."""
        unsigned = "u" in suffix
        first = suffix.count("l")
        for name in ("int", "long", "long long")[first:]:
            if not unsigned and value <= self.integers[name].maximum:
                return self.integers[name]
            if (unsigned or not decimal) and value <= self.integers[f"unsigned {name}"].maximum:
                return self.integers[f"unsigned {name}"]
        widest = self.integers["unsigned long long"]
        if value > widest.maximum:
            return None
        return self["__int128"] if decimal and not unsigned and self.pointer_width == 64 else widest

    def enumeration(self, values: list[int], packed: bool = False) -> Integer | None:
        """The type of an enumeration: the compilers' choice is the first of these that holds all values."""
        lowest, highest = min(values, default=0), max(values, default=0)
        smaller = ("signed char", "short") if lowest < 0 else ("unsigned char", "unsigned short")
        sign = "" if lowest < 0 else "unsigned "
        for name in (*(smaller if packed else ()), *(sign + plain for plain in ("int", "long", "long long"))):
            if self[name].minimum <= lowest and highest <= self[name].maximum:
                return self[name]
        return None

    def preferred_alignment(self, type_: Type) -> int | None:
        """What ``__alignof__`` says: on i386 the wide scalars like more than they need in a structure."""
        if isinstance(type_, Array):
            return self.preferred_alignment(type_.element)
        layout = self.layout(type_)
        if isinstance(type_, Integer | Float) and layout is not None and layout[0] == 8:
            return 8
        return None if layout is None else layout[1]

    def size(self, type_: Type) -> int | None:
        """Bytes, or None where it is not known."""
        layout = self.layout(type_)
        return None if layout is None else layout[0]

    def layout(self, type_: Type) -> tuple[int, int] | None:
        """Size and alignment in bytes, or None where they are not known."""
        match type_:
            case Integer():
                size = max(8, type_.width) // 8
                return size, min(size, self.largest_alignment if type_.width <= 64 else 16)
            case Float():
                return type_.size, type_.alignment
            case Pointer():
                return type_.width // 8, type_.width // 8
            case Array():
                inner = self.layout(type_.element)
                return None if inner is None or type_.length is None else (inner[0] * type_.length, inner[1])
            case StructureType():
                return self._once(type_, DataModel._record_layout)
            case Void() | Function():
                return 1, 1  # as the compilers have it in pointer arithmetic

    def _once(self, type_: StructureType, what: Callable[[DataModel, StructureType], T]) -> T:
        """What is known of a structure is computed once, when it is complete, and so is everything in it."""
        known = type_.laid_out.get((self.name, what))
        if known is not None and known[0] is type_.members:
            return cast(T, known[1])
        found = what(self, type_)
        if found is not None:
            type_.laid_out[self.name, what] = type_.members, found
        return found

    def _record_layout(self, type_: StructureType) -> tuple[int, int] | None:
        found = self.record_layout(type_)
        return None if found is None else (found.size, found.alignment)

    def record_layout(self, type_: StructureType) -> RecordLayout | None:
        """Where the members lie, or None where that is not known."""
        return self._once(type_, DataModel._laid_out)

    def _laid_out(self, type_: StructureType) -> RecordLayout | None:
        if type_.members is None or not type_.exact_layout:
            return None
        parts: list[MemberSize] = []
        for (name, member), said in zip(type_.members, type_.placed, strict=True):
            inner = self.layout(member)
            if inner is None or (self.pointer_width == 64 and has_list(member)):
                return None
            parts.append(MemberSize(*inner, bool(name), said))
        return lay_out(parts, type_.kind == "union", type_.packed, type_.pack, type_.aligned)

    def starts(self, type_: StructureType) -> tuple[int, ...] | None:
        """The offset of each member that is in the text, of a bit field that of its storage; None where they are not
        known."""
        found = self.record_layout(type_)
        if found is None:
            return None
        pairs = zip(found.starts, found.storages, strict=True)
        return tuple(start // 8 if storage is None else storage.offset for start, storage in pairs)

    def members(self, type_: StructureType) -> tuple[tuple[str, Type, int], ...] | None:
        """Names, types and offsets of what the type is made of: members, and in place of bit fields their storages;
        None where they are not known."""
        return self._once(type_, DataModel._members)

    def _members(self, type_: StructureType) -> tuple[tuple[str, Type, int], ...] | None:
        layout = self.record_layout(type_)
        if layout is None:
            return None
        found: list[tuple[str, Type, int]] = []
        for index, (name, member) in enumerate(type_.members or ()):
            storage = layout.storages[index]
            if storage is not None:
                made, own = self._storage(type_, layout, index, storage), storage.offset
                if not found or found[-1] != (*made, own) or type_.kind == "union":
                    found.append((*made, own))
            elif type_.placed[index].width is None:
                found.append((name, member, layout.starts[index] // 8))
        return tuple(found)

    def _storage(
        self, type_: StructureType, layout: RecordLayout, index: int, storage: FieldStorage
    ) -> tuple[str, Integer]:
        """Name and type of a storage, which no text has."""
        alike = [index]
        if type_.kind != "union":
            alike = [each for each, own in enumerate(layout.storages) if own == storage]
        names = [(type_.members or [])[each][0] for each in alike]
        fields = tuple(self._range(type_, layout, each) for each in alike)
        between = ".." if len(names) > 2 else ","
        name = names[0] if len(names) == 1 else f"({names[0]}{between}{names[-1]})"
        return name, Integer(f"bit fields of {storage.size} bytes", 8 * storage.size, False, 0, fields=fields)

    def _range(self, type_: StructureType, layout: RecordLayout, index: int) -> FieldRange:
        name, member = (type_.members or [])[index]
        storage, width = layout.storages[index], type_.placed[index].width
        assert storage is not None and width is not None and isinstance(member, Integer)
        return FieldRange(name, layout.starts[index] - 8 * storage.offset, width, member.signed)

    def bit_range(self, type_: StructureType, name: str) -> tuple[Integer, FieldRange] | None:
        """Storage and bits of a bit field, looked up through anonymous members as well; None where there is none."""
        layout = self.record_layout(type_)
        for index, (own, member) in enumerate(type_.members or ()):
            if own == name:
                storage = None if layout is None else layout.storages[index]
                if layout is None or storage is None:
                    return None
                return self._storage(type_, layout, index, storage)[1], self._range(type_, layout, index)
            if not own and isinstance(member, StructureType) and member.member(name) is not None:
                return self.bit_range(member, name)
        return None

    def extended(self, type_: StructureType, size: int | None) -> StructureType | None:
        """The type of an object that is allocated with so many bytes for a structure with an open end; its last member
        has the length 0 where that is not known."""
        last = type_.open_end
        start = None if last is None else self.offset(type_, (type_.members or [])[-1][0])
        own = None if last is None else self.size(last.element)
        if last is None or start is None or not own or (size is not None and size < start):
            return None
        length = 0 if size is None else (size - start) // own
        members = [*(type_.members or [])[:-1], ((type_.members or [])[-1][0], Array(last.element, length))]
        return replace(type_, members=members, base=type_.base or type_, laid_out={})

    def offset(self, type_: StructureType, name: str) -> int | None:
        """Where a member is, of a bit field its storage, looked up through anonymous members as well; None where that
        is not known."""
        starts = self.starts(type_)
        for index, (own, member) in enumerate(type_.members or () if starts is not None else ()):
            assert starts is not None
            if own == name:
                return starts[index]
            inner = self.offset(member, name) if not own and isinstance(member, StructureType) else None
            if inner is not None:
                return starts[index] + inner
        return None


@cache
def is_list(type_: Type) -> bool:
    """Whether a type is ``va_list``, which is taken for a pointer."""
    return isinstance(type_, Pointer) and isinstance(type_.target, StructureType) and type_.target.tag == ARGUMENT_LIST


def has_list(type_: Type) -> bool:
    """Whether a type is ``va_list`` or an array of such: it has another size than the pointer that stands for it."""
    while isinstance(type_, Array):
        type_ = type_.element
    return is_list(type_)


def data_model(name: str) -> DataModel:
    """ILP32 or LP64. Raises ValueError for any other name."""
    if name not in ("ILP32", "LP64"):
        raise ValueError(f"no such data model: {name}")
    wide = name == "LP64"
    widths = {"char": 8, "short": 16, "int": 32, "long": 64 if wide else 32, "long long": 64, "__int128": 128}
    integers = {"_Bool": BOOL, "signed char": Integer("signed char", 8, True, 1)}
    for rank, plain in enumerate(_RANKS, 1):
        integers[plain] = Integer(plain, widths[plain], True, rank)
        integers[f"unsigned {plain}"] = Integer(f"unsigned {plain}", widths[plain], False, rank)
    extended = (16, 16) if wide else (12, 4)
    floats = {
        "float": BinaryFloat("float", 4, 4),
        "double": BinaryFloat("double", 8, 8 if wide else 4),
        "long double": Float("long double", *extended),
    }
    return DataModel(name, 64 if wide else 32, integers, floats, 8 if wide else 4)
