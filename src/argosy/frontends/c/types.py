"""The types of C: integers of the two data models, promotions and conversions, sizes (C11 6.2.5, 6.3.1, 6.5.3.4).

``char`` is signed, ``_Bool`` has one bit of value and one byte of storage, structures are laid out as in the
System V ABI for i386 (ILP32) and x86-64 (LP64).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast

from argosy.basics.records import dataclass, field
from argosy.frontends.c.unsupported import Obstacle
from argosy.logic.floating import DOUBLE, SINGLE, FloatFormat
from argosy.logic.sorts import Sort, bits

UNQUALIFIED: frozenset[str] = frozenset()

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer type; ``rank`` orders the conversions of 6.3.1.1. ``_Bool`` is the one of width 1. ``narrow`` is the
    type of a bit field all of whose values fit into ``int``. ``enumerators`` are those of an enumeration, which is the
    same type as the integer that it is compatible with."""

    name: str
    width: int
    signed: bool
    rank: int
    narrow: bool = field(default=False, compare=False)
    enumerators: tuple[tuple[str, int], ...] = field(default=(), compare=False)

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
    """``length`` is None where it is not known (incomplete, or of variable length)."""

    element: Type
    length: int | None

    def __str__(self) -> str:
        return f"{self.element} [{'' if self.length is None else self.length}]"


@dataclass(slots=True, eq=False)
class StructureType:
    """A structure or union; ``members`` is None until the type is complete. An ``obstacle`` is what decides its layout
    in ways that are not known: a bit field (which the ``bit_fields`` are by name), an attribute. ``widths`` are those
    of the bit fields among the members, in their order; ``qualifiers`` are those of its members, by name."""

    kind: str
    tag: str
    members: list[tuple[str, Type]] | None = None
    obstacle: Obstacle | None = None
    bit_fields: dict[str, Obstacle] = field(default_factory=dict)
    widths: list[int | None] = field(default_factory=list)
    qualifiers: dict[str, frozenset[str]] = field(default_factory=dict)
    laid_out: dict[object, tuple[object, object]] = field(default_factory=dict, repr=False)

    @property
    def exact_layout(self) -> bool:
        return self.obstacle is None

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

    def is_bit_field(self, name: str) -> bool:
        """Whether a member is one, looked up through anonymous members as well."""
        if name in self.bit_fields:
            return True
        inner = (type_ for own, type_ in self.members or () if not own and isinstance(type_, StructureType))
        return any(type_.member(name) is not None and type_.is_bit_field(name) for type_ in inner)

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
                return True
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
            return a.widths == b.widths and same_members(a.members, b.members, assumed | {(id(a), id(b))})
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
        return self.int_ if type_.rank < self.int_.rank or type_.narrow else type_

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
        members = self.members(type_)
        if members is None:
            return None
        layouts = [self.layout(member) or (0, 1) for _, member, _ in members]
        alignment = max((alignment for _, alignment in layouts), default=1)
        end = max((start + size for (_, _, start), (size, _) in zip(members, layouts, strict=True)), default=0)
        return _aligned(end, alignment), alignment

    def members(self, type_: StructureType) -> tuple[tuple[str, Type, int], ...] | None:
        """Names, types and offsets of the members, or None where they are not known."""
        return self._once(type_, DataModel._members)

    def _members(self, type_: StructureType) -> tuple[tuple[str, Type, int], ...] | None:
        if type_.members is None or not type_.exact_layout:
            return None
        found: list[tuple[str, Type, int]] = []
        end = 0
        for name, member in type_.members:
            inner = self.layout(member)
            if inner is None:
                return None
            start = 0 if type_.kind == "union" else _aligned(end, inner[1])
            found.append((name, member, start))
            end = start + inner[0]
        return tuple(found)

    def offset(self, type_: StructureType, name: str) -> int | None:
        """Where a member is, looked up through anonymous members as well; None where that is not known."""
        for own, member, start in self.members(type_) or ():
            if own == name:
                return start
            inner = self.offset(member, name) if not own and isinstance(member, StructureType) else None
            if inner is not None:
                return start + inner
        return None


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


@cache
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
