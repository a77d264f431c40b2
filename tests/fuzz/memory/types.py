"""The types of random programs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scalar:
    name: str
    bits: int
    signed: bool


@dataclass(frozen=True)
class Bits:
    """A bit field: it has no address and no size."""

    base: str
    bits: int
    signed: bool


@dataclass(frozen=True, eq=False)
class Struct:
    """A structure, or a ``union`` whose members all have the same size and no padding: whichever was stored last, every
    other can be read."""

    name: str
    members: list[tuple[str, Type]] = field(default_factory=list)
    union: bool = False

    @property
    def tag(self) -> str:
        return f"{'union' if self.union else 'struct'} {self.name}"


@dataclass(frozen=True)
class Arr:
    element: Type
    length: int


@dataclass(frozen=True)
class Ptr:
    target: Type
    nullable: bool = False
    const: bool = False


@dataclass(frozen=True)
class Fun:
    """A pointer to a function, as a type; its result is ``unsigned``."""

    parameters: tuple[Type, ...]
    nullable: bool = False


Type = Scalar | Bits | Struct | Arr | Ptr | Fun

UNSIGNED = Scalar("unsigned", 32, False)
INT = Scalar("int", 32, True)
CHAR = Scalar("char", 8, True)
BYTE = Scalar("unsigned char", 8, False)
SHORT = Scalar("short", 16, True)
HALF = Scalar("unsigned short", 16, False)
BOOL = Scalar("_Bool", 1, False)
LONG_LONG = Scalar("long long", 64, True)
WIDE = Scalar("unsigned long long", 64, False)
SCALARS = (
    CHAR, CHAR, BYTE, Scalar("signed char", 8, True), SHORT, HALF, INT, INT, INT, UNSIGNED, UNSIGNED,
    Scalar("long", 64, True), Scalar("unsigned long", 64, False), LONG_LONG, WIDE, BOOL,
)  # fmt: skip
OPERATION = Fun((UNSIGNED, UNSIGNED))


def declared(type_: Type, name: str) -> str:
    """The declaration of a name."""
    match type_:
        case Scalar():
            return f"{type_.name} {name}".rstrip()
        case Bits():
            return f"{type_.base} {name} : {type_.bits}"
        case Struct():
            return f"{type_.tag} {name}".rstrip()
        case Arr():
            return declared(
                type_.element, f"({name})[{type_.length}]" if name[:1] == "*" else f"{name}[{type_.length}]"
            )
        case Ptr():
            return ("const " if type_.const else "") + declared(type_.target, f"*{name}")
        case Fun():
            return f"unsigned (*{name})({', '.join(declared(p, '') for p in type_.parameters)})"


def leaves(type_: Type) -> int:
    match type_:
        case Arr():
            return type_.length * leaves(type_.element)
        case Struct():
            members = type_.members[:1] if type_.union else type_.members
            return sum(leaves(member) for _, member in members)
    return 1


def holds(type_: Type, kinds: tuple[type, ...]) -> bool:
    """Whether something of these kinds is in there."""
    match type_:
        case Arr():
            return holds(type_.element, kinds)
        case Struct():
            return any(holds(member, kinds) for _, member in type_.members)
    return isinstance(type_, kinds)


def bytewise(type_: Type) -> bool:
    """Whether every byte of an object of this type is part of an integer that may have any value."""
    match type_:
        case Arr():
            return bytewise(type_.element)
        case Struct():
            return type_.union
    return isinstance(type_, Scalar) and type_ != BOOL
