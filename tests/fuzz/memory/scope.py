"""What a random program is about, and what is in scope where it is written."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from .types import (
    BYTE,
    CHAR,
    HALF,
    INT,
    LONG_LONG,
    OPERATION,
    SCALARS,
    SHORT,
    UNSIGNED,
    WIDE,
    Arr,
    Bits,
    Ptr,
    Scalar,
    Struct,
    Type,
    leaves,
)


@dataclass(frozen=True)
class Var:
    """``level`` is how deep in blocks it lives: 0 as long as the program. ``below`` bounds the elements of a table."""

    name: str
    type: Type
    level: int
    const: bool = False
    fixed: bool = False
    below: int = 0


@dataclass(frozen=True)
class Lvalue:
    """``guards`` must hold for it to exist. ``leads`` is the level of what pointers in there may lead to, ``takes``
    that of what may be stored there. ``plain`` means that evaluating it reads nothing."""

    text: str
    type: Type
    guards: tuple[str, ...]
    level: int
    leads: int
    takes: int
    const: bool
    plain: bool
    through: bool = False


@dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple[Type, ...]
    result: Type | None
    pure: bool


FEATURES = (
    "designated elements", "overrides", "texts", "literals in memory", "copies by index", "pointers in operations",
    "structures by choice", "unions", "bit fields", "widths", "rare", "constructs",
)  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """``avoid`` names features that a campaign leaves out, while they are known to be wrong."""

    functions: int = 4
    globals: int = 6
    statements: int = 9
    heap: bool = False
    avoid: frozenset[str] = frozenset()


class Scope:
    def __init__(self, seed: int, profile: Profile) -> None:
        self.rng = random.Random(seed)
        self.profile = profile
        self.lines: list[str] = []
        self.indent = 0
        self.structs: list[Struct] = []
        self.scopes: list[list[Var]] = [[]]
        self.counters: list[tuple[str, int]] = []
        self.functions: list[Function] = []
        self.operations: list[str] = []
        self.exported: list[str] = ["main", "r", "seen", "mark", "size"]
        self.numbers: Counter[str] = Counter()
        self.pointed_to = False
        self.late: list[str] = []
        self.late_at = 0
        self.pure = False
        self.constant = False
        self.calls_left = 0
        self.marks_left = 12
        self.recursions: list[str] = []
        self.bit_fields = not self.avoids("bit fields") and self.chance(8)
        self.rare = not self.avoids("rare") and self.chance(5)
        self.widths = not self.avoids("widths") and self.chance(12)
        self.unions = not self.avoids("unions") and self.chance(50)

    # ---- small things ------------------------------------------------------------------------------------

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def avoids(self, feature: str) -> bool:
        return feature in self.profile.avoid

    def name(self, prefix: str) -> str:
        self.numbers[prefix] += 1
        return f"{prefix}{self.numbers[prefix] - 1}"

    def emit(self, line: str) -> None:
        self.lines.append("  " * self.indent + line)

    def open(self, line: str) -> None:
        self.emit(f"{line} {{".lstrip())
        self.indent += 1
        self.scopes.append([])

    def close(self, line: str = "}") -> None:
        self.scopes.pop()
        self.indent -= 1
        self.emit(line)

    @property
    def level(self) -> int:
        return len(self.scopes) - 1

    def add(self, var: Var) -> Var:
        self.scopes[0 if var.level == 0 and self.level == 0 else -1].append(var)
        return var

    def visible(self) -> list[Var]:
        found: dict[str, Var] = {}
        for scope in self.scopes:
            for var in scope:
                found[var.name] = var
        return list(found.values())

    # ---- types -------------------------------------------------------------------------------------------

    def scalar(self) -> Scalar:
        return self.rng.choice(SCALARS)

    def array(self, element: Type | None = None) -> Arr:
        element = element or self.scalar()
        if leaves(element) == 1 and self.chance(30):
            return Arr(Arr(element, self.rng.randint(2, 4)), self.rng.randint(2, 3))
        return Arr(element, self.rng.randint(2, 6 if leaves(element) == 1 else 3))

    def struct(self) -> Struct:
        """A structure; its pointers lead to globals or are null."""
        made = Struct(self.name("S"))
        members: list[Type] = [self.scalar()]
        for _ in range(self.rng.randint(1, 4)):
            kind = self.rng.randrange(8)
            if self.bit_fields and self.chance(40):
                members.append(self.bits())
            elif kind < 3:
                members.append(self.scalar())
            elif kind < 5:
                members.append(self.array() if self.chance(20) else Arr(self.scalar(), self.rng.randint(2, 4)))
            elif kind == 5 and self.structs:
                inner = self.rng.choice(self.structs)
                members.append(Arr(inner, 2) if self.chance(25) else inner)
            elif kind == 6:
                members.append(Ptr(made if self.chance(40) else self.scalar(), nullable=True))
            else:
                members.append(replace(OPERATION, nullable=True))
        self.rng.shuffle(members)
        made.members.extend(zip("abcdefgh", members, strict=False))
        return made if leaves(made) <= 16 else self.struct()

    def bits(self) -> Bits:
        signed = self.chance(50)
        base = self.rng.choice(("signed", "int") if signed else ("unsigned", "unsigned", "_Bool"))
        return Bits(base, 1 if base == "_Bool" else self.rng.randint(1 + signed, 31), signed)

    def union(self) -> tuple[Struct, Struct]:
        """A union, and the structure that is one of its members."""
        inner = Struct(self.name("S"))
        if self.chance(50):
            parts: tuple[Type, ...] = self.rng.choice(((SHORT, BYTE, CHAR), (HALF, HALF), (BYTE, CHAR, HALF)))
            others: list[Type] = [UNSIGNED, INT, Arr(SHORT, 2), Arr(HALF, 2), Arr(BYTE, 4), Arr(CHAR, 4), inner]
        else:
            parts = self.rng.choice(
                ((INT, UNSIGNED), (UNSIGNED, SHORT, BYTE, CHAR), (HALF, SHORT, INT), (INT, Arr(BYTE, 4)))
            )
            others = [
                WIDE,
                LONG_LONG,
                Arr(UNSIGNED, 2),
                Arr(INT, 2),
                Arr(HALF, 4),
                Arr(BYTE, 8),
                Arr(Arr(SHORT, 2), 2),
                inner,
            ]
        inner.members.extend(zip("abcdefgh", parts, strict=False))
        made = Struct(self.name("U"), union=True)
        members = self.rng.sample(others, self.rng.randint(2, 4))
        made.members.extend(zip("klmnopqr", members, strict=False))
        return inner, made

    # ---- what the other parts add ------------------------------------------------------------------------

    def expression(self, depth: int = 2) -> str:
        raise NotImplementedError

    def object_type(self) -> Type:
        kind = self.rng.randrange(10)
        if kind < 2:
            return self.scalar()
        if kind < 6:
            return self.array()
        struct = self.rng.choice(self.structs)
        return self.array(struct) if kind > 7 and leaves(struct) <= 10 else struct
