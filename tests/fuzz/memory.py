"""Random C programs about memory, run by gcc and as the automaton that the front end makes of them.

Laws of the generator: a program is deterministic, ends, and does nothing that C leaves undefined or unspecified.
Indices are reduced to their ranges, pointers lead to objects that live at least as long as they do, pointers that may
be null are asked first, everything is initialised, arithmetic is unsigned or small, and expressions have no side
effects but where their order is defined. All that a program computes goes to the global ``r``, and so does every
global at the end.

Every block of a program starts at the end of a line and ends at the start of one: that is what ``reduced`` cuts along.

    python -m tests.fuzz.memory --count 500 --seed 1
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter
from argosy.frontends.c.load import load
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Check, Edge, Reading

# ---- types -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scalar:
    name: str
    bits: int
    signed: bool


@dataclass(frozen=True, eq=False)
class Struct:
    name: str
    members: list[tuple[str, Type]] = field(default_factory=list)


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


Type = Scalar | Struct | Arr | Ptr | Fun

UNSIGNED = Scalar("unsigned", 32, False)
INT = Scalar("int", 32, True)
CHAR = Scalar("char", 8, True)
BYTE = Scalar("unsigned char", 8, False)
BOOL = Scalar("_Bool", 1, False)
SCALARS = (
    CHAR, CHAR, BYTE, Scalar("signed char", 8, True), Scalar("short", 16, True), Scalar("unsigned short", 16, False),
    INT, INT, INT, UNSIGNED, UNSIGNED, Scalar("long", 64, True), Scalar("unsigned long", 64, False),
    Scalar("long long", 64, True), Scalar("unsigned long long", 64, False), BOOL,
)  # fmt: skip
OPERATION = Fun((UNSIGNED, UNSIGNED))


def declared(type_: Type, name: str) -> str:
    """The declaration of a name."""
    match type_:
        case Scalar():
            return f"{type_.name} {name}".rstrip()
        case Struct():
            return f"struct {type_.name} {name}".rstrip()
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
            return sum(leaves(member) for _, member in type_.members)
    return 1


# ---- what programs are about ---------------------------------------------------------------------------------


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
    "structures by choice",
)  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """``avoid`` names features that a campaign leaves out, while they are known to be wrong."""

    functions: int = 4
    globals: int = 6
    statements: int = 9
    heap: bool = False
    avoid: frozenset[str] = frozenset()


class Generator:
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
        self.exported: list[str] = ["main", "r"]
        self.numbers: Counter[str] = Counter()
        self.pointed_to = False
        self.late: list[str] = []
        self.late_at = 0
        self.pure = False
        self.constant = False
        self.calls_left = 0

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
            if kind < 3:
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

    def object_type(self) -> Type:
        kind = self.rng.randrange(10)
        if kind < 2:
            return self.scalar()
        if kind < 6:
            return self.array()
        struct = self.rng.choice(self.structs)
        return self.array(struct) if kind > 7 and leaves(struct) <= 10 else struct

    # ---- lvalues -----------------------------------------------------------------------------------------

    def index(self, length: int, depth: int = 1) -> tuple[str, bool]:
        """An index in range, and whether it is a constant or a counter."""
        rng = self.rng
        bounded = [name for name, bound in self.counters if bound <= length]
        kind = rng.randrange(12)
        if self.constant or depth <= 0 or kind < 2:
            return str(rng.randrange(length)), True
        if kind < 5 and bounded:
            name = rng.choice(bounded)
            return (name, True) if self.chance(75) else (f"{length - 1} - {name}", True)
        if kind == 5 and self.counters:
            return (
                f"((int){rng.choice(self.counters)[0]} + {rng.randrange(3)}) % {length}",
                True,
            )  # 64 bits need a library
        if kind == 6:
            cast = rng.choice(("short", "signed char", "long long", "unsigned char", "unsigned long", "_Bool"))
            if cast == "_Bool":
                return f"(_Bool){self.expression(depth - 1)}", False
            return f"({cast})({self.expression(depth - 1)} % {length}u)", False
        tables = [v for v in self.visible() if 0 < v.below <= length]
        if kind < 9 and tables:
            table = rng.choice(tables)
            assert isinstance(table.type, Arr)
            return f"{table.name}[{self.index(table.type.length, depth - 1)[0]}]", False
        if kind < 10:
            found = self.find(lambda t: isinstance(t, Scalar) and t.bits <= 32, depth=0)
            if found is not None and not found.guards:
                return f"{found.text} & {(1 << (length.bit_length() - 1)) - 1}", False
        return f"{self.expression(depth - 1)} % {length}u", False

    def find(
        self, want: Callable[[Type], bool], write: bool = False, most: int = 99, depth: int = 1, tries: int = 14
    ) -> Lvalue | None:
        """Some lvalue of a type that is wanted, which lives on level ``most`` or longer."""
        pool = self.visible()
        if not pool:
            return None
        inner = [v for v in pool if v.level > 0]
        for _ in range(tries):
            var = self.rng.choice(inner if inner and self.chance(55) else pool)
            if write and (var.const or (self.pure and var.level == 0)):
                continue
            found = self.descend(var, want, write, depth)
            if found is not None and found.level <= most:
                return found
        return None

    def descend(self, var: Var, want: Callable[[Type], bool], write: bool, depth: int) -> Lvalue | None:
        takes = var.level
        at = Lvalue(var.name, var.type, (), var.level, var.level, takes, var.const, True)
        derefs = 0
        if var.fixed and write and want(var.type) and not isinstance(var.type, Arr | Struct | Ptr):
            return None
        while True:
            type_ = at.type
            if want(type_) and (isinstance(type_, Scalar | Fun) or self.chance(70)):
                if (write and at.const) or (var.fixed and write and derefs == 0):
                    return None
                return at
            match type_:
                case Scalar() | Fun():
                    return None
                case Arr():
                    text, plain = self.index(type_.length, depth)
                    at = replace(at, text=self.subscript(at.text, text), type=type_.element, plain=at.plain and plain)
                case Struct():
                    name, member = self.rng.choice(type_.members)
                    at = replace(at, text=f"{at.text}.{name}", type=member, leads=0, takes=0)
                case Ptr():
                    derefs += 1
                    if derefs > 2 or (self.pure and write) or self.constant:
                        return None
                    guards = (*at.guards, at.text) if type_.nullable else at.guards
                    at = replace(
                        at, guards=guards, level=at.leads, takes=0, const=type_.const, plain=False, through=True
                    )
                    target = type_.target
                    if isinstance(target, Struct) and not (want(target) and self.chance(50)):
                        name, member = self.rng.choice(target.members)
                        text = f"{at.text}->{name}" if self.chance(75) else f"(*{at.text}).{name}"
                        at = replace(at, text=text, type=member, leads=0)
                    else:
                        text = f"(*{at.text})" if self.chance(80) else f"{at.text}[0]"
                        at = replace(at, text=text, type=target)

    def subscript(self, array: str, index: str) -> str:
        kind = self.rng.randrange(20)
        if kind == 0:
            return f"({index})[{array}]"
        if kind == 1:
            return f"(*({array} + ({index})))"
        return f"{array}[{index}]"

    # ---- expressions: pure, of type unsigned ---------------------------------------------------------------

    def number(self) -> str:
        rng = self.rng
        return f"{rng.choice((0, 1, 2, 3, 5, 7, 11, 31, 100, 255, rng.randrange(1000), rng.randrange(1 << 32)))}u"

    def guarded(self, lvalue: Lvalue, value: str) -> str:
        if not lvalue.guards:
            return value
        return f"({' && '.join(lvalue.guards)} ? {value} : {self.number()})"

    def read(self, depth: int) -> str:
        """What some scalar holds."""
        found = self.find(lambda t: isinstance(t, Scalar), depth=depth)
        if found is None:
            return self.number()
        return self.guarded(found, f"(unsigned){found.text}")

    def expression(self, depth: int = 2) -> str:
        rng = self.rng
        if depth <= 0:
            return rng.choice((self.number, lambda: self.read(0), self.counter))()
        kind = rng.randrange(32)
        if kind < 9:
            return self.read(depth)
        if kind < 14:
            return f"({self.expression(depth - 1)} {rng.choice('+-*^&|')} {self.expression(depth - 1)})"
        if kind < 16:
            return f"({self.expression(depth - 1)} {rng.choice(('>>', '<<'))} {rng.randrange(1, 9)})"
        if kind == 16:
            return f"({self.expression(depth - 1)} {rng.choice('/%')} {rng.randrange(1, 40)}u)"
        if kind < 19:
            return self.comparison(depth)
        if kind == 19:
            return f"({self.condition(depth - 1)} ? {self.expression(depth - 1)} : {self.expression(depth - 1)})"
        if kind == 20:
            return f"(unsigned)(({self.condition(depth)}) != 0)"
        if kind == 21:
            return rng.choice((f"~{self.expression(depth - 1)}", f"(unsigned)!{self.expression(depth - 1)}"))
        if kind < 24:
            return self.size()
        if kind < 27:
            return self.pure_call(depth - 1)
        if kind == 27:
            return self.from_literal(depth - 1)
        if kind == 28 and not self.avoids("texts"):
            text = "".join(rng.choice("abcxyz019 ") for _ in range(rng.randint(1, 5)))
            return f'(unsigned)"{text}"[{self.index(len(text) + 1, depth - 1)[0]}]'
        if kind == 29:
            small = self.find(lambda t: isinstance(t, Scalar) and t.bits <= 32, depth=depth - 1)
            if small is not None:
                return f"({self.expression(depth - 1)} {rng.choice('+-*^&|')} {self.guarded(small, small.text)})"
        if kind == 30:
            wide = self.find(lambda t: isinstance(t, Scalar), depth=depth - 1)
            if wide is not None:
                return f"(unsigned){self.guarded(wide, f'({wide.text} >> {rng.randrange(3)})')}"
        return self.counter()

    def counter(self) -> str:
        return f"(unsigned){self.rng.choice(self.counters)[0]}" if self.counters else self.number()

    def comparison(self, depth: int) -> str:
        rng = self.rng
        op = rng.choice(("<", ">", "<=", ">=", "==", "!="))
        a = self.find(lambda t: isinstance(t, Scalar), depth=depth - 1)
        b = self.find(lambda t: isinstance(t, Scalar), depth=depth - 1)
        if a is None or b is None or a.guards or b.guards:
            return f"(unsigned)({self.expression(depth - 1)} {op} {self.expression(depth - 1)})"
        if self.chance(40):
            return f"(unsigned)({a.text} {op} {rng.randint(-9, 99)})"
        return f"(unsigned)({a.text} {op} {b.text})"

    def condition(self, depth: int) -> str:
        """Something that is true or not."""
        rng = self.rng
        kind = rng.randrange(8)
        if kind < 3:
            found = self.find(lambda t: isinstance(t, Scalar), depth=depth)
            if found is not None:
                return " && ".join((*found.guards, f"{found.text} {rng.choice(('>', '<', '!='))} {rng.randrange(50)}"))
        if kind == 3:
            pointer = self.find(lambda t: isinstance(t, Ptr), depth=depth)
            if pointer is not None and not pointer.guards:
                assert isinstance(pointer.type, Ptr)
                other = self.address(pointer.type.target, 99, const=pointer.type.const)
                if other is not None:
                    return f"{pointer.text} {rng.choice(('==', '!='))} {other}"
        if kind == 4:
            a, b = self.expression(depth - 1), self.expression(depth - 1)
            return f"{a} & 1 {rng.choice(('&&', '||'))} {b} & {rng.randint(1, 7)}"
        if kind == 5:
            nullable = self.find(lambda t: isinstance(t, Ptr | Fun) and t.nullable, depth=depth)
            if nullable is not None and not nullable.guards:
                return rng.choice(("!{}", "{} != 0", "{}", "{} == (void *)0")).format(nullable.text)
        return f"{self.expression(depth)} & {rng.randint(1, 7)}"

    def size(self) -> str:
        found = self.find(lambda t: True, depth=0)
        if found is None or found.guards or self.chance(30):
            struct = self.rng.choice(self.structs)
            return f"(unsigned)sizeof(struct {struct.name})"
        if isinstance(found.type, Arr) and self.chance(50):
            return f"(unsigned)(sizeof({found.text}) / sizeof({found.text}[0]))"
        return f"(unsigned)sizeof({found.text})" if self.chance(50) else f"(unsigned)sizeof {found.text}"

    def operation(self) -> str | None:
        """A pointer to a pure function, or its name."""
        if not self.operations:
            return None
        if self.pointed_to and self.avoids("pointers in operations"):
            return self.rng.choice(self.operations)
        found = self.find(lambda t: isinstance(t, Fun) and t.parameters == OPERATION.parameters and not t.nullable)
        if found is not None and not found.guards and self.chance(70):
            return found.text if self.chance(60) else f"(*{found.text})"
        return self.rng.choice(self.operations)

    def pure_call(self, depth: int) -> str:
        rng = self.rng
        a, b = self.expression(depth), self.expression(depth)
        if self.chance(35) and not (self.pointed_to and self.avoids("pointers in operations")):
            nullable = self.find(lambda t: isinstance(t, Fun) and t.parameters == OPERATION.parameters)
            if nullable is not None:
                guards = (*nullable.guards, nullable.text) if nullable.type.nullable else nullable.guards  # type: ignore[union-attr]
                return self.guarded(replace(nullable, guards=guards), f"{nullable.text}({a}, {b})")
        others = [f for f in self.functions if f.pure and f.name not in self.operations]
        if others and self.chance(45):
            function = rng.choice(others)
            call = self.call(function, depth)
            if isinstance(function.result, Struct):
                scalars = [name for name, type_ in function.result.members if isinstance(type_, Scalar)]
                return f"(unsigned){call}.{rng.choice(scalars)}" if scalars else self.number()
            if isinstance(function.result, Ptr):
                return f"(unsigned)*{call}"
            return call
        name = self.operation()
        return f"{name}({a}, {b})" if name is not None else a

    def call(self, function: Function, depth: int = 1) -> str:
        return f"{function.name}({', '.join(self.argument(p, depth) for p in function.parameters)})"

    def argument(self, type_: Type, depth: int, most: int = 99) -> str:
        """A value of some type, with no side effects. An array stands for a pointer to so many elements at least."""
        rng = self.rng
        match type_:
            case Scalar():
                return self.expression(depth)
            case Struct():
                found = self.find(lambda t: t is type_)
                if found is not None and not found.guards and self.chance(80):
                    return found.text
                return f"(struct {type_.name}){self.initialiser(type_, depth)}"
            case Arr():
                wanted = self.find(lambda t: isinstance(t, Arr) and t.element == type_.element, write=True)
                if wanted is not None and not wanted.guards and wanted.type.length >= type_.length:  # type: ignore[union-attr]
                    spare = wanted.type.length - type_.length  # type: ignore[union-attr]
                    return rng.choice(
                        (wanted.text, f"&{wanted.text}[{rng.randint(0, spare)}]", f"{wanted.text} + {spare}")
                    )
                return f"({declared(type_, '')}){self.initialiser(type_, 0, True)}"
            case Ptr():
                if type_.nullable and self.chance(25):
                    return "0"
                found_address = self.address(type_.target, most, const=type_.const)
                if found_address is None and type_.nullable and most == 0:
                    return "0"
                if found_address is None and self.avoids("literals in memory") and not isinstance(type_.target, Ptr):
                    return self.named(type_.target)
                return found_address or f"&({declared(type_.target, '')}){self.initialiser(type_.target, depth, True)}"
            case Fun():
                if type_.nullable and self.chance(25):
                    return "0"
                if type_.parameters == OPERATION.parameters and self.operations:
                    found = self.find(lambda t: t == replace(OPERATION, nullable=False))
                    if found is not None and not found.guards and not self.constant and self.chance(50):
                        return found.text
                    return rng.choice(("", "", "&")) + rng.choice(self.operations)
                return "0"

    def named(self, type_: Type) -> str:
        """The address of a global made for this."""
        name = self.name("made")
        self.exported.append(name)
        self.late.append(f"{declared(type_, name)}{' = 5' if isinstance(type_, Scalar) else ''};")
        return f"&{name}"

    def address(self, target: Type, most: int, const: bool = False) -> str | None:
        """The address of an object of this type."""
        for _ in range(3):
            if self.chance(30) and not self.constant:
                pointer = self.find(lambda t: isinstance(t, Ptr) and t.target == target and not t.nullable)
                if pointer is not None and not pointer.guards and pointer.leads <= most and pointer.type.const <= const:  # type: ignore[union-attr]
                    return pointer.text
            found = self.find(lambda t: t == target, write=not const, most=most)
            if found is not None and not found.guards:
                if (self.constant and found.through) or (isinstance(target, Arr) and found.text[:1] == "a"):
                    continue  # a parameter is no array
                return f"&{found.text}"
        return None

    def from_literal(self, depth: int) -> str:
        struct = self.rng.choice(self.structs)
        scalars = [name for name, type_ in struct.members if isinstance(type_, Scalar)]
        if scalars and (self.avoids("literals in memory") or self.chance(50)):
            return f"(unsigned)((struct {struct.name}){self.initialiser(struct, depth)}).{self.rng.choice(scalars)}"
        if self.avoids("literals in memory"):
            return self.number()
        element, length = self.scalar(), self.rng.randint(2, 4)
        values = ", ".join(self.leaf(element, 0) for _ in range(length))
        return f"(unsigned)(({element.name}[]){{{values}}})[{self.index(length, depth)[0]}]"

    # ---- initialisers --------------------------------------------------------------------------------------

    def leaf(self, type_: Type, depth: int) -> str:
        rng = self.rng
        if isinstance(type_, Scalar):
            if not self.constant and self.chance(30):
                return self.expression(depth)
            if type_.bits == 8 and self.chance(30):
                return repr(rng.choice("abcXYZ019"))
            if type_.bits == 64 and self.chance(30):
                return f"{rng.randrange(1 << 62)}ll"
            return str(rng.choice((0, 1, 2, 3, rng.randint(-100, 127), rng.randint(-30000, 30000))))
        return self.argument(type_, 0, most=0)

    def initialiser(self, type_: Type, depth: int, braced: bool = False) -> str:
        rng = self.rng
        match type_:
            case Arr(Scalar(_, 8, _), length) if self.chance(45):
                text = "".join(rng.choice("abcxyz019") for _ in range(rng.randrange(length + 1)))
                return f'{{"{text}"}}' if braced or self.chance(20) else f'"{text}"'
            case Arr(Fun() | Ptr() as element, length) if not element.nullable:
                return f"{{{', '.join(self.leaf(element, depth) for _ in range(length))}}}"
            case Arr() | Struct():
                kind = rng.randrange(10)
                if kind < 3:
                    items = self.flat(type_, depth)
                    return f"{{{', '.join(items[: rng.randint(1, len(items))] if self.chance(40) else items)}}}"
                if kind < 6:
                    return f"{{{', '.join(self.designated(type_, depth))}}}"
                parts = self.parts(type_)
                parts = parts[: rng.randint(1, len(parts))] if self.chance(30) else parts
                return f"{{{', '.join(self.initialiser(part, depth) for _, part in parts)}{rng.choice(('', '', ','))}}}"
        return f"{{{self.leaf(type_, depth)}}}" if braced or self.chance(5) else self.leaf(type_, depth)

    def parts(self, type_: Arr | Struct) -> list[tuple[str, Type]]:
        if isinstance(type_, Struct):
            return [(f".{name}", member) for name, member in type_.members]
        return [(f"[{i}]", type_.element) for i in range(type_.length)]

    def flat(self, type_: Type, depth: int, inside: bool = False) -> list[str]:
        """Items with braces left out, some of them: not those of the first part of something without braces, which
        would be those of the whole."""
        if not isinstance(type_, Arr | Struct):
            return [self.leaf(type_, depth)]
        items: list[str] = []
        for _, part in self.parts(type_):
            braced = self.chance(25) and (items or not inside)
            items.extend([self.initialiser(part, depth)] if braced else self.flat(part, depth, True))
        return items

    def designated(self, type_: Arr | Struct, depth: int) -> list[str]:
        """Designators of one step in any order, with items that go on from there, or of several steps."""
        if isinstance(type_, Arr) and self.avoids("designated elements"):
            return self.flat(type_, depth)
        parts = self.parts(type_)
        items = []
        used: set[int] = set()
        for _ in range(self.rng.randint(1, len(parts))):
            at = self.rng.randrange(len(parts))
            if self.avoids("overrides") and not used.isdisjoint((at, at + 1)):
                continue
            used.update((at, at + 1))
            name, part = parts[at]
            steps = 1
            while isinstance(part, Arr | Struct) and self.chance(40) and not isinstance(part, Scalar):
                if isinstance(part, Arr) and self.avoids("designated elements"):
                    break
                more, part = self.rng.choice(self.parts(part))
                name, steps = name + more, steps + 1
            items.append(f"{name} = {self.initialiser(part, 0)}")
            if steps == 1 and at + 1 < len(parts) and self.chance(30):
                items.append(self.initialiser(parts[at + 1][1], 0))
        return items

    # ---- declarations --------------------------------------------------------------------------------------

    def declare(self, type_: Type, prefix: str, storage: str = "", fixed: bool = False) -> Var:
        """A variable with an initialiser."""
        lasting = self.level == 0 or storage.startswith("static")
        before, self.constant = self.constant, self.constant or lasting
        name = self.name(prefix)
        pointers = isinstance(type_, Ptr | Fun) or (isinstance(type_, Arr) and isinstance(type_.element, Ptr | Fun))
        needed = pointers or not lasting or "const" in storage
        text = declared(type_, name)
        if needed or self.chance(75):
            whole = self.whole(type_) if not lasting and self.chance(25) else None
            value = whole or self.initialiser(type_, 1, isinstance(type_, Arr | Struct))
            if isinstance(type_, Ptr | Fun) and not whole:
                value = self.argument(type_, 1, 0 if lasting else self.level)
            text = f"{text} = {value}"
        self.constant = before
        self.emit(f"{storage} {text};".lstrip())
        if self.level == 0:
            self.exported.append(name)
        return self.add(Var(name, type_, 0 if lasting else self.level, "const" in storage, fixed))

    def whole(self, type_: Type) -> str | None:
        """A structure as it is elsewhere."""
        if not isinstance(type_, Struct):
            return None
        made = [f for f in self.functions if f.pure and f.result is type_]
        if made and self.chance(50):
            return self.call(self.rng.choice(made))
        a, b = (self.find(lambda t: t is type_) for _ in range(2))
        if a is None or b is None or a.guards or b.guards:
            return None
        return (
            a.text
            if self.chance(70) or self.avoids("structures by choice")
            else f"{self.expression(1)} & 1 ? {a.text} : {b.text}"
        )

    def table(self) -> None:
        """A constant table whose elements are indices."""
        length, below = self.rng.randint(3, 6), self.rng.randint(2, 4)
        name = self.name("t")
        values = ", ".join(str(self.rng.randrange(below)) for _ in range(length))
        type_ = Arr(self.rng.choice((BYTE, INT, UNSIGNED, CHAR)), length)
        self.emit(f"{self.rng.choice(('const', 'static const'))} {declared(type_, name)} = {{{values}}};")
        self.exported.append(name)
        self.add(Var(name, type_, 0, const=True, below=below))

    def local(self) -> None:
        kind = self.rng.randrange(10)
        if kind < 5:
            storage = ""
            if self.chance(15) and not self.pure:
                storage = "static"
            self.declare(self.object_type(), "v", storage)
        elif kind < 9:
            target = self.pointed()
            if isinstance(target, Ptr) and self.avoids("literals in memory"):
                target = INT
            if self.profile.heap and self.chance(40) and not self.pure:
                self.allocate(target)
            else:
                self.declare(
                    Ptr(target, nullable=self.chance(20), const=self.chance(10) and not isinstance(target, Ptr)), "p"
                )
        elif self.operations:
            self.declare(Arr(OPERATION, 2) if self.chance(40) else OPERATION, "f")

    def allocate(self, target: Type) -> None:
        """An object that is never freed."""
        name = self.name("p")
        self.emit(f"{declared(Ptr(target), name)} = malloc(sizeof({declared(target, '')}));")
        for text in self.cells(f"(*{name})", target):
            self.emit(f"{text[0]} = {self.leaf(text[1], 0)};")
        self.add(Var(name, Ptr(target), 0))

    def cells(self, text: str, type_: Type) -> Iterator[tuple[str, Type]]:
        if isinstance(type_, Arr | Struct):
            for path, part in self.parts(type_):
                yield from self.cells(text + path, part)
        else:
            yield text, type_

    def pointed(self) -> Type:
        """A type of something that exists."""
        found = self.find(lambda t: isinstance(t, Scalar | Struct | Ptr | Arr), write=True)
        if found is None or (isinstance(found.type, Ptr) and (found.type.nullable or found.type.const)):
            return INT
        return found.type

    # ---- statements ----------------------------------------------------------------------------------------

    def mix(self, value: str) -> None:
        target = "acc" if self.pure else "r"
        kind = self.rng.randrange(4)
        if kind < 2:
            self.emit(f"{target} = {target} * 31u + {value};")
        else:
            self.emit(f"{target} {'+^'[kind - 2]}= {value};")

    def within(self, guards: Sequence[str], line: str) -> None:
        if guards:
            self.open(f"if ({' && '.join(guards)})")
            self.emit(line)
            self.close()
        else:
            self.emit(line)

    def statement(self, depth: int) -> None:
        choices: list[tuple[int, Callable[[], None]]] = [
            (10, lambda: self.mix(self.expression(2))),
            (14, self.assign),
            (7, self.step),
            (5, self.repoint),
            (6, self.copy),
            (4, self.alias),
            (4, self.walk),
            (3, self.backwards),
            (3, self.distance),
            (3, self.fill),
            (3, self.sequenced),
            (3, self.rows),
            (3, self.through_void),
            (3, self.text),
            (2, self.swap),
            (3, self.choice),
            (2, self.chain),
        ]
        if not self.pure:
            choices.append((9, self.impure_call))
        if depth > 0:
            choices += [
                (9, lambda: self.loop(depth)),
                (6, lambda: self.branch(depth)),
                (4, lambda: self.switch(depth)),
            ]
        self.rng.choices([c for _, c in choices], [w for w, _ in choices])[0]()

    def body(self, count: int, depth: int) -> None:
        for _ in range(self.rng.randint(0, 2)):
            self.local()
        for _ in range(count):
            self.statement(depth)

    def assign(self) -> None:
        found = self.find(lambda t: isinstance(t, Scalar), write=True, depth=2)
        if found is None:
            return self.mix(self.expression(2))
        assert isinstance(found.type, Scalar)
        wide = found.type.bits == 64 and found.type.signed
        op = self.rng.choice(("=", "=", "+=", "-=", "^=", "|=", "&=", "*=", ">>=", "<<="))
        if op in (">>=", "<<="):
            op = ">>=" if found.type.signed else op
            value = str(self.rng.randrange(1, 5))
        elif wide and op == "*=":
            op, value = "=", f"(long long)({self.expression(1)} * {self.rng.randrange(1 << 40)}ull)"
        else:
            value = self.expression(2)
        self.within(found.guards, f"{found.text} {op} {value};")
        if self.chance(15) and op == "=":
            other = self.find(lambda t: isinstance(t, Scalar), write=True, depth=0)
            if other is not None and other.plain and found.plain and not (other.guards or found.guards):
                self.emit(f"{other.text} = {found.text} = {self.expression(1)};")

    def step(self) -> None:
        found = self.find(lambda t: isinstance(t, Scalar), write=True, depth=1)
        if found is None:
            return
        kind = self.rng.randrange(6)
        texts = (f"{found.text}++", f"++{found.text}", f"{found.text}--", f"--{found.text}")
        text = self.rng.choice(texts)
        target = "acc" if self.pure else "r"
        if kind < 2:
            self.within(found.guards, f"{text};")
        elif kind < 5:
            self.within(found.guards, f"{target} = {target} * 31u + (unsigned)({text});")
        else:
            self.open(f"if ({' && '.join((*found.guards, text))})")
            self.mix(self.expression(1))
            self.close()

    def repoint(self) -> None:
        """A pointer to something else."""
        found = self.find(lambda t: isinstance(t, Ptr | Fun), write=True)
        if found is None or (found.through and isinstance(found.type, Ptr) and found.takes):
            return self.assign()
        value = self.argument(found.type, 1, found.takes)
        if "){" in value and isinstance(found.type, Ptr):
            return self.assign()
        if isinstance(found.type, Ptr) and self.chance(25):
            other = self.address(found.type.target, found.takes, const=found.type.const)
            value = f"{self.expression(1)} & 1 ? {value} : {other}" if other is not None else value
        self.within(found.guards, f"{found.text} = {value};")

    def copy(self) -> None:
        """Structures are assigned."""
        struct = self.rng.choice(self.structs)
        target = self.find(lambda t: t is struct, write=True)
        if target is None or (self.avoids("copies by index") and not target.plain):
            return self.assign()
        made = [f for f in self.functions if f.pure and f.result is struct]
        value = self.call(self.rng.choice(made)) if made and self.chance(40) else self.argument(struct, 1)
        self.within(target.guards, f"{target.text} = {value};")

    def alias(self) -> None:
        """Two pointers, perhaps to the same cell."""
        array = self.find(lambda t: isinstance(t, Arr) and isinstance(t.element, Scalar), write=True)
        if array is None or array.guards:
            return self.assign()
        assert isinstance(array.type, Arr)
        element = array.type.element
        p, q = self.name("q"), self.name("q")
        self.open("")
        self.emit(f"{declared(Ptr(element), p)} = &{array.text}[{self.index(array.type.length)[0]}];")
        self.emit(f"{declared(Ptr(element), q)} = {array.text} + {self.rng.randrange(array.type.length)};")
        self.add(Var(p, Ptr(element), self.level))
        self.add(Var(q, Ptr(element), self.level))
        self.emit(f"*{p} = {self.expression(1)};")
        self.emit(f"*{q} {self.rng.choice(('^=', '+=', '='))} {self.expression(1)};")
        self.mix(f"(unsigned)*{p} * 3u + (unsigned)*{q} + (unsigned)({p} {self.rng.choice(('==', '<', '>='))} {q})")
        self.mix(f"(unsigned)({p} - {q})")
        self.close()

    def scalars_in_a_row(self, write: bool) -> Lvalue | None:
        found = self.find(lambda t: isinstance(t, Arr) and isinstance(t.element, Scalar), write=write)
        return None if found is None or found.guards else found

    def walk(self) -> None:
        """A pointer walks over an array; the array may be of structures."""
        array = self.find(lambda t: isinstance(t, Arr) and not isinstance(t.element, Arr), write=not self.pure)
        if array is None or array.guards or self.pure:
            return self.assign()
        assert isinstance(array.type, Arr)
        q, end = self.name("q"), f"{array.text} + {array.type.length}"
        if self.chance(40):
            end = f"&{array.text}[{array.type.length}]"
        pointer = Ptr(array.type.element)
        self.open("")
        self.emit(f"{declared(pointer, q)} = {array.text}, *e{q} = {end};")
        if isinstance(pointer.target, Fun):
            self.lines.pop()
            self.close()
            return None
        kind = self.rng.randrange(3)
        if kind == 0:
            self.open(f"while ({q} < e{q})" if self.chance(50) else f"while ({q} != e{q})")
        elif kind == 1:
            self.open(f"for (; {q} < e{q}; {q}++)")
        else:
            self.open("do")
        self.add(Var(q, pointer, self.level - 1, fixed=True))
        inside = self.find(lambda t: isinstance(t, Scalar)) if isinstance(pointer.target, Struct) else None
        if isinstance(pointer.target, Scalar):
            self.emit(self.rng.choice((f"*{q} += {self.expression(1)};", f"++*{q};", f"(*{q})--;", "")))
        elif isinstance(pointer.target, Struct):
            fields = [name for name, type_ in pointer.target.members if isinstance(type_, Scalar)]
            self.emit(f"{q}->{self.rng.choice(fields)} += {self.expression(1)};" if fields else "")
        if inside is not None:
            self.mix(self.guarded(inside, f"(unsigned){inside.text}"))
        self.mix(f"(unsigned)(e{q} - {q})")
        self.statement(0)
        scalar = isinstance(pointer.target, Scalar)
        if kind != 1:
            self.emit(f"r = r * 7u + (unsigned)*{q}++;" if scalar else f"{q} += 1;")
        if kind == 2:
            self.close(f"}} while ({q} < e{q});")
        else:
            self.close()
        self.close()
        return None

    def backwards(self) -> None:
        array = self.scalars_in_a_row(True)
        if array is None or self.pure:
            return self.step()
        assert isinstance(array.type, Arr)
        q, length = self.name("q"), array.type.length
        self.open("")
        self.emit(f"{declared(Ptr(array.type.element), q)} = {array.text} + {length};")
        self.open(f"while ({q} > {array.text})" if array.plain else f"for (int z{q} = 0; z{q} < {length}; z{q}++)")
        self.emit(self.rng.choice((f"*--{q} ^= {self.expression(1)};", f"r = r * 5u + (unsigned)*--{q};", f"{q}--;")))
        self.emit(f"r += (unsigned){q}[0];")
        self.close()
        self.emit(f"r ^= (unsigned){q}[{length - 1}] + (unsigned)*({q} + {self.rng.randrange(length)});")
        self.close()
        return None

    def distance(self) -> None:
        array = self.find(lambda t: isinstance(t, Arr))
        if array is None or array.guards:
            return self.step()
        assert isinstance(array.type, Arr)
        a, b = self.index(array.type.length)[0], self.index(array.type.length)[0]
        left, right = f"&{array.text}[{a}]", f"({array.text} + ({b}))"
        op = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        self.mix(self.rng.choice((f"(unsigned)({left} {op} {right})", f"(unsigned)({left} - {right})")))
        return None

    def fill(self) -> None:
        """Elements one after the other, with the step in the index."""
        array = self.scalars_in_a_row(True)
        if array is None or not array.plain:
            return self.step()
        assert isinstance(array.type, Arr)
        n = self.name("n")
        length = array.type.length
        self.open("")
        self.emit(f"{self.rng.choice(('int', 'unsigned', 'unsigned char', 'long long'))} {n} = 0;")
        self.open(f"while ({n} < {length})")
        self.emit(f"{array.text}[{n}++] {self.rng.choice(('=', '+=', '^='))} {self.expression(1)};")
        if self.chance(40) and length % 2 == 0:
            self.emit(f"{array.text}[{n}++]{self.rng.choice(('++', '--', ' = 7'))};")
        self.close()
        self.mix(f"(unsigned){array.text}[--{n}] + {self.rng.randrange(9)}u")
        self.close()
        return None

    def sequenced(self) -> None:
        """Side effects whose order is defined."""
        found = self.find(lambda t: isinstance(t, Scalar), write=True)
        array = self.scalars_in_a_row(True)
        if found is None or found.guards or array is None:
            return self.step()
        assert isinstance(array.type, Arr)
        element = self.subscript(array.text, self.index(array.type.length)[0])
        kind = self.rng.randrange(5)
        if kind == 0:
            self.mix(f"({found.text} = {self.expression(1)}, (unsigned){element} + {self.expression(1)})")
        elif kind == 1:
            self.mix(f"(unsigned)({found.text}++ {self.rng.choice(('&&', '||'))} --{element})")
        elif kind == 2:
            self.mix(f"({self.condition(1)} ? (unsigned){found.text}++ : (unsigned)({element} += 3))")
        elif kind == 3:
            self.emit(f"{found.text}++, {element}++, {found.text} ^= 5;")
        else:
            value = f"({element} = {self.expression(1)})"
            self.mix(f"(unsigned){value}" if self.chance(50) else f"(unsigned)({value} > 3) * {self.number()}")
        return None

    def rows(self) -> None:
        """Rows of a matrix, by pointers."""
        matrix = self.find(lambda t: isinstance(t, Arr) and isinstance(t.element, Arr), write=True)
        if matrix is None or matrix.guards:
            return self.assign()
        assert isinstance(matrix.type, Arr) and isinstance(matrix.type.element, Arr)
        row, element = matrix.type.element, matrix.type.element.element
        q, at = self.name("q"), self.index(matrix.type.length)[0]
        self.open("")
        if self.chance(50):
            self.emit(f"{declared(element, f'*{q}')} = {matrix.text}[{at}];")
            cell = f"{q}[{self.index(row.length)[0]}]"
        else:
            self.emit(
                f"{declared(row, f'*{q}')} = {self.rng.choice((f'&{matrix.text}[{at}]', f'{matrix.text} + ({at})'))};"
            )
            cell = self.rng.choice((f"(*{q})[{self.index(row.length)[0]}]", f"{q}[0][{self.index(row.length)[0]}]"))
        if isinstance(element, Scalar):
            if not self.pure or matrix.level > 0:
                self.emit(f"{cell} {self.rng.choice(('=', '^=', '+='))} {self.expression(1)};")
            self.mix(f"(unsigned){cell}")
        self.close()
        return None

    def through_void(self) -> None:
        found = self.find(lambda t: isinstance(t, Scalar | Struct), write=True)
        if found is None or found.guards:
            return self.assign()
        v = self.name("w")
        self.open("")
        self.emit(f"void *{v} = &{found.text};")
        if isinstance(found.type, Struct):
            back = f"((struct {found.type.name} *){v})"
            scalars = [name for name, type_ in found.type.members if isinstance(type_, Scalar)]
            cell = f"{back}->{self.rng.choice(scalars)}" if scalars else None
        else:
            assert isinstance(found.type, Scalar)
            name = found.type.name
            other = {"int": "unsigned", "unsigned": "int", "short": "unsigned short", "char": "unsigned char"}
            cell = f"*({other.get(name, name) if self.chance(30) else name} *){v}"
        if cell is not None:
            self.emit(f"{cell} {self.rng.choice(('=', '^=', '-='))} {self.expression(1)};")
            self.mix(f"(unsigned){cell}")
        self.close()
        return None

    def text(self) -> None:
        q = self.name("s")
        letters = "".join(self.rng.choice("abcxyz019") for _ in range(self.rng.randrange(5)))
        self.open("")
        self.emit(
            f'const char *{q} = "{letters}";'
            if self.chance(50) and not self.avoids("texts")
            else f'char a{q}[] = "{letters}", *{q} = a{q};'
        )
        acc = "acc" if self.pure else "r"
        self.open(f"while (*{q})")
        self.emit(f"{acc} = {acc} * 3u + (unsigned)*{q}++;")
        self.close()
        self.mix(f"(unsigned)sizeof({json_text(letters)})")
        self.close()

    def swap(self) -> None:
        a = self.find(lambda t: isinstance(t, Scalar | Struct), write=True)
        b = None if a is None else self.find(lambda t: t == a.type, write=True)
        if a is None or b is None or a.guards or b.guards or not (a.plain and b.plain):
            return self.copy()
        old = self.name("o")
        self.open("")
        self.emit(f"{declared(a.type, old)} = {a.text};")
        self.emit(f"{a.text} = {b.text};")
        self.emit(f"{b.text} = {old};")
        self.close()
        return None

    def choice(self) -> None:
        """A write to one of two."""
        a = self.find(lambda t: isinstance(t, Scalar), write=True)
        b = None if a is None else self.find(lambda t: t == a.type, write=True)
        if a is None or b is None or a.guards or b.guards:
            return self.assign()
        target = f"*({self.condition(1)} ? &{a.text} : &{b.text})"
        pickers = [f for f in self.functions if isinstance(f.result, Ptr) and f.result.target == a.type]
        if pickers and self.chance(60):
            target = f"*{self.rng.choice(pickers).name}(&{a.text}, &{b.text}, {self.expression(0)})"
        self.emit(f"{target} {self.rng.choice(('=', '+=', '^='))} {self.expression(1)};")
        return None

    def chain(self) -> None:
        """Along pointers to the next structure, for a while."""
        linked = [s for s in self.structs if any(isinstance(m, Ptr) and m.target is s for _, m in s.members)]
        struct = self.rng.choice(linked) if linked else None
        start = self.find(lambda t: t is struct, write=True) if struct is not None else None
        if struct is None or start is None or start.guards:
            return self.assign()
        follow = next(name for name, m in struct.members if isinstance(m, Ptr) and m.target is struct)
        scalars = [name for name, type_ in struct.members if isinstance(type_, Scalar)]
        q, n = self.name("q"), self.name("n")
        self.open("")
        self.emit(f"int {n} = 0;")
        self.open(
            f"for (struct {struct.name} *{q} = &{start.text}; "
            f"{q} && {n} < {self.rng.randint(2, 4)}; {q} = {q}->{follow})"
        )
        self.emit(f"{n}++;")
        if scalars:
            cell = f"{q}->{self.rng.choice(scalars)}"
            self.mix(f"(unsigned){cell}")
            if not self.pure:
                self.emit(f"{cell} += {self.expression(1)};")
        self.close()
        self.close()
        return None

    def impure_call(self) -> None:
        functions = [f for f in self.functions if not f.pure]
        if not functions or self.calls_left <= 0:
            return self.assign()
        self.calls_left -= 1
        function = self.rng.choice(functions)
        call = self.call(function)
        kind = self.rng.randrange(6)
        if function.result is None or kind == 0:
            self.emit(f"{call};")
        elif isinstance(function.result, Struct):
            target = self.find(lambda t: t is function.result, write=True)
            if target is not None and target.plain and not target.guards:
                self.emit(f"{target.text} = {call};")
            else:
                self.open("")
                name = self.name("v")
                self.emit(f"{declared(function.result, name)} = {call};")
                self.add(Var(name, function.result, self.level))
                self.mix(self.expression(1))
                self.close()
        elif kind < 3:
            target = self.find(lambda t: isinstance(t, Scalar), write=True, depth=0)
            plain = target is not None and target.plain and not target.guards
            self.emit(f"{target.text if plain and target is not None else 'r'} = {call};")
        elif kind == 3:
            self.open(f"if ({call} & 1)")
            self.mix(self.expression(1))
            self.close()
        else:
            self.open("")
            name = self.name("x")
            self.emit(f"unsigned {name} = {call} {self.rng.choice('+^*')} {self.number()};")
            self.mix(name)
            self.close()
        return None

    def loop(self, depth: int) -> None:
        bound = self.rng.randint(2, 5 if depth > 1 else 4)
        i = self.name("i")
        kind = self.rng.choice(("int", "int", "unsigned", "unsigned char", "short", "long long"))
        form = self.rng.randrange(4)
        before = self.calls_left
        self.calls_left = min(self.calls_left, 1) if depth > 1 else 0
        own = self.calls_left
        if form < 2:
            self.open(f"for ({kind} {i} = 0; {i} < {bound}; {i}++)")
        elif form == 2:
            self.open("")
            self.emit(f"{kind} {i} = {bound};")
            self.open(f"while ({i}-- > 0)")
        else:
            self.open("")
            self.emit(f"{kind} {i} = 0;")
            self.open("do")
        self.counters.append((i, bound))
        self.body(self.rng.randint(1, 3), depth - 1)
        if self.chance(15):
            self.open(f"if ({self.condition(1)})")
            self.emit(self.rng.choice(("break;", "continue;")))
            self.close()
        self.counters.pop()
        if form == 3:
            self.close(f"}} while (++{i} < {bound});")
            self.close()
        else:
            self.close()
            if form == 2:
                self.close()
        self.calls_left = before - (own - self.calls_left)

    def branch(self, depth: int) -> None:
        self.open(f"if ({self.condition(2)})")
        self.body(self.rng.randint(1, 2), depth - 1)
        if self.chance(50):
            self.close("}")
            self.open("else")
            self.body(1, depth - 1)
        self.close()

    def switch(self, depth: int) -> None:
        found = self.find(lambda t: isinstance(t, Scalar), depth=1)
        value = self.expression(1) if found is None or found.guards else found.text
        masked = f"{value} & 3" if found is None or found.guards or self.chance(70) else value
        self.open(f"switch ({masked})")
        for label in self.rng.sample(range(4), self.rng.randint(1, 3)):
            self.open(f"case {label}:")
            self.body(1, depth - 1)
            if self.chance(70):
                self.emit("break;")
            self.close()
        if self.chance(60):
            self.open("default:")
            self.statement(0)
            self.close()
        self.close()

    # ---- functions -----------------------------------------------------------------------------------------

    def function(self, pure: bool, parameters: tuple[Type, ...], result: Type | None) -> Function:
        name = self.name("op" if parameters == OPERATION.parameters and pure and result == UNSIGNED else "fn")
        shown, vars_ = [], []
        for position, type_ in enumerate(parameters):
            own = f"a{position}"
            const = "const " if isinstance(type_, Arr) and pure else ""
            text = declared(type_, own)
            if isinstance(type_, Arr) and self.chance(50):
                text = declared(type_.element, f"*{own}") if self.chance(50) else declared(type_.element, f"{own}[]")
            shown.append(const + text)
            vars_.append(Var(own, type_, 1, const=bool(const), fixed=isinstance(type_, Arr)))
        storage = self.rng.choice(("static ", ""))
        kind = "void" if result is None else declared(result, "")
        self.open(f"{storage}{kind} {name}({', '.join(shown) or 'void'})".replace("  ", " "))
        self.exported.append(name)
        before, self.pure = self.pure, pure
        self.calls_left = 0 if pure else 1
        for var in vars_:
            # The size of an array that is a parameter is that of a pointer: lengths are known here only.
            self.add(var)
        if pure:
            self.emit(f"unsigned acc = {self.rng.randrange(9)}u;")
        self.body(self.rng.randint(1, 3), 1)
        match result:
            case None:
                pass
            case Struct():
                found = self.find(lambda t: t is result)
                made = found.text if found is not None and not found.guards else None
                self.emit(f"return {made or f'(struct {result.name}){self.initialiser(result, 1)}'};")
            case _:
                self.emit(
                    f"return {self.rng.choice(('acc + ', '') if pure else ('', '', 'r ^ '))}{self.expression(2)};"
                )
        self.close()
        self.pure = before
        made_function = Function(name, parameters, result, pure)
        if name.startswith("op"):
            self.operations.append(name)
        else:
            self.functions.append(made_function)
        return made_function

    def picker(self) -> None:
        """Which of two."""
        type_ = self.rng.choice((INT, INT, UNSIGNED, CHAR, Scalar("short", 16, True)))
        name = self.name("pick")
        self.exported.append(name)
        self.open(f"{type_.name} *{name}({type_.name} *a, {type_.name} *b, unsigned c)")
        if self.chance(50):
            self.emit("return c & 1 ? a : b;")
        else:
            self.open("if (*a > *b)")
            self.emit("return a;")
            self.close()
            self.emit("return b;")
        self.close()
        pointer = Ptr(type_)
        self.functions.append(Function(name, (pointer, pointer, UNSIGNED), pointer, True))

    def applier(self) -> None:
        """A function that is given a function."""
        name = self.name("apply")
        self.exported.append(name)
        call = self.rng.choice(("f", "(*f)"))
        self.open(
            f"unsigned {name}({self.rng.choice(('unsigned (*f)', 'unsigned f'))}(unsigned, unsigned), unsigned a)"
        )
        self.emit(f"return {call}(a, {self.number()}) {self.rng.choice('+^*')} {self.number()};")
        self.close()
        self.functions.append(Function(name, (OPERATION, UNSIGNED), UNSIGNED, True))

    def parameter(self, pure: bool) -> Type:
        kind = self.rng.randrange(10)
        if kind < 3:
            return self.scalar()
        if kind < 5:
            return self.rng.choice(self.structs)
        if kind < 7:
            arrays = [v.type for v in self.visible() if isinstance(v.type, Arr) and isinstance(v.type.element, Scalar)]
            found = self.rng.choice(arrays) if arrays else Arr(INT, 3)
            return Arr(found.element, self.rng.randint(2, found.length))
        targets: list[Type] = [*self.structs, self.scalar(), INT]
        return Ptr(self.rng.choice(targets), nullable=self.chance(20), const=pure)

    def operation_function(self) -> None:
        self.pointed_to = True
        self.function(True, OPERATION.parameters, UNSIGNED)
        self.pointed_to = False

    # ---- all of it -----------------------------------------------------------------------------------------

    def program(self) -> Program:
        rng = self.rng
        if self.profile.heap:
            self.emit("void *malloc(unsigned long);")
        self.emit("unsigned int r;")
        for _ in range(rng.randint(1, 3)):
            struct = self.struct()
            self.open(f"struct {struct.name}")
            for name, member in struct.members:
                self.emit(f"{declared(member, name)};")
            self.close("};")
            self.structs.append(struct)
            self.exported.append(struct.name)
        if self.chance(60):
            self.table()
        self.late_at = len(self.lines)
        for _ in range(rng.randint(1, 2)):
            self.declare(rng.choice(SCALARS), "g")
        for _ in range(rng.randint(0, 3)):
            self.operation_function()
        for _ in range(rng.randint(2, self.profile.globals)):
            kind = rng.randrange(8)
            if kind < 6:
                self.declare(self.object_type(), "g", rng.choice(("", "", "static", "const")))
            elif kind == 6 and self.operations:
                self.declare(Arr(OPERATION, rng.randint(2, 3)), "h", rng.choice(("", "static")))
            else:
                self.declare(Ptr(self.pointed(), nullable=self.chance(30)), "gp")
        if self.chance(50):
            self.picker()
        if self.operations and self.chance(50):
            self.applier()
        for _ in range(rng.randint(1, self.profile.functions)):
            pure = self.chance(40)
            parameters = tuple(self.parameter(pure) for _ in range(rng.randint(0, 3)))
            result = rng.choice(
                (UNSIGNED, UNSIGNED, UNSIGNED, rng.choice(self.structs), None if not pure else UNSIGNED)
            )
            self.function(pure, parameters, result)
        self.open("int main(void)")
        for _ in range(rng.randint(1, 3)):
            self.local()
        self.calls_left = 4
        for _ in range(rng.randint(4, self.profile.statements)):
            if self.chance(15):
                self.local()
            self.statement(2)
        self.constant = True
        for var in self.scopes[0] + self.scopes[-1]:
            if not var.const:
                for text, type_ in self.cells(var.name, var.type):
                    if isinstance(type_, Scalar):
                        self.emit(f"r = r * 33u + (unsigned){text};")
        self.emit("return 0;")
        self.close()
        self.lines[self.late_at : self.late_at] = self.late
        return Program("\n".join(self.lines) + "\n", tuple(self.exported))


def json_text(letters: str) -> str:
    return f'"{letters}"'


@dataclass(frozen=True)
class Program:
    """``exported`` are the names that would clash where several programs stand in one file."""

    text: str
    exported: tuple[str, ...]


def generate(seed: int, profile: Profile | None = None) -> Program:
    return Generator(seed, profile or Profile()).program()


# ---- gcc ---------------------------------------------------------------------------------------------------

_SANITIZED = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
_STRICT = (
    "-Werror=return-type", "-Werror=uninitialized", "-Werror=int-conversion", "-Werror=incompatible-pointer-types",
    "-Werror=pointer-to-int-cast", "-Werror=int-to-pointer-cast",
)  # fmt: skip
_HOSTED = """
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
static void run(int index, int (*program)(void), unsigned *result) {
  fflush(stdout);
  if (fork() == 0) { alarm(5); program(); printf("%d %u\\n", index, *result); fflush(stdout); _exit(0); }
  wait(0);
}
"""
# No 32-bit C library is needed.
_FREE = """
void *memcpy(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int value, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) ((char *)to)[i] = (char)value;
  return to;
}
static char heap[1 << 20];
static unsigned long used;
void *malloc(unsigned long size) { used += (size + 15) / 16 * 16; return heap + used - (size + 15) / 16 * 16; }
static void put(char c) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(4), "b"(1), "c"(&c), "d"(1) : "memory");
}
static void number(unsigned n) { if (n > 9) number(n / 10); put('0' + n % 10); }
static void run(int index, int (*program)(void), unsigned *result) {
  program(); number(index); put(' '); number(*result); put('\\n');
}
"""


@functools.cache
def available(data_model: str) -> bool:
    """Whether gcc can build and run programs for the data model here."""
    if shutil.which("gcc") is None or platform.machine() != "x86_64" or platform.system() != "Linux":
        return False
    return results([Program("unsigned r;\nint main(void) { r = 7; return 0; }\n", ("main", "r"))], data_model) == [7]


def results(programs: Sequence[Program], data_model: str) -> list[int | None]:
    """``r`` at the end of each program; None where a sanitizer complains or the program does not end. The sanitizers
    are there for LP64 only: ask for that first."""
    free = data_model == "ILP32"
    calls = "".join(f"  run({i}, main_{i}, &r_{i});\n" for i in range(len(programs)))
    entry = f"int main(void) {{\n{calls}  return 0;\n}}\n"
    flags: tuple[str, ...] = _SANITIZED
    if free:
        leave = '__asm__ volatile("int $0x80" :: "a"(1), "b"(0)); for (;;);'
        entry = f"__attribute__((force_align_arg_pointer)) void _start(void) {{\n{calls}  {leave}\n}}\n"
        flags = ("-m32", "-ffreestanding", "-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-stack-protector")
    with tempfile.TemporaryDirectory() as directory:
        source, executable = Path(directory) / "programs.c", Path(directory) / "programs"
        source.write_text("".join((_FREE if free else _HOSTED, *map(_renamed, programs, range(len(programs))), entry)))
        command = ["gcc", "-std=gnu11", "-O0", *_STRICT, *flags, "-o", str(executable), str(source)]
        built = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if built.returncode != 0:
            if len(programs) > 1:
                return [result for program in programs for result in results([program], data_model)]
            complaints.append(built.stderr)
            return [None]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        ran = subprocess.run([str(executable)], capture_output=True, text=True, timeout=300, env=environment)
    if ran.stderr:
        complaints.append(ran.stderr)
    found = {int(index): int(result) for index, result in map(str.split, ran.stdout.splitlines())}
    return [found.get(i) for i in range(len(programs))]


complaints: list[str] = []


def _renamed(program: Program, index: int) -> str:
    defined = "".join(f"#define {name} {name}_{index}\n" for name in program.exported)
    undefined = "".join(f"#undef {name}\n" for name in program.exported)
    return f'{defined}#line 1 "program {index}"\n{program.text}{undefined}'


# ---- the front end ------------------------------------------------------------------------------------------

STEPS = 60_000
_PATTERN = 0x5A5B_A5A7_5A5B_A5A7_5A5B_A5A7_5A5B_A5A7


@dataclass(frozen=True)
class Finding:
    """``kind``: wrong, undefined, opaque, stops (before the end), crash; empty when the two agree."""

    kind: str
    detail: str


def compare(text: str, expected: int, data_model: str) -> Finding:
    """The execution of the front end's automaton against what the program computes. Values that are not modelled
    are a pattern first: if the execution is wrong then but not with zeros, it depends on them."""
    try:
        first = _execute(text, data_model, _PATTERN)
        if first == ("", expected):
            return Finding("", "")
        second = _execute(text, data_model, 0)
    except Exception as error:  # noqa: BLE001 - whatever the front end raises is a finding
        frames = traceback.extract_tb(error.__traceback__)
        where = next(
            (f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames) if "frontends" in f.filename), ""
        )
        return Finding("crash", f"{type(error).__name__}: {error} ({where})")
    if first != second:
        return Finding("opaque", f"{first} or {second}, not {expected}")
    how, value = first
    return Finding(how.split(":")[0] or "wrong", f"{how} r = {value}, not {expected}")


def _execute(text: str, data_model: str, unknown: int) -> tuple[str, int]:
    """How the one execution ends where it is not at the end, and ``r``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        cfa = load(str(path), terms=Terms(), data_model=data_model).cfa
    interpreter = Interpreter(cfa, Reading.UNDEFINED)
    state = interpreter.start({t: unknown % (1 << t.sort.width) for t in cfa.opaque if t in interpreter.slots})

    def choose(_: Edge, variable: Term) -> int:
        return unknown % (1 << variable.sort.width)

    check: Check | None = None
    for _ in range(STEPS):
        if state.location is cfa.error:
            return "error", 0
        after: list[ConcreteState] = []
        check = None
        for edge in cfa.leaving[state.location]:
            outcome = interpreter.step(edge, state, choose)
            if isinstance(outcome, ConcreteState):
                after.append(outcome)
            elif isinstance(outcome, Blocked) and outcome.check is not None:
                check = outcome.check
        if not after:
            break
        if len(after) > 1:
            raise AssertionError(f"two edges are enabled at {state.location}")
        state = after[0]
    else:
        return "endless", 0
    r = next(v.term for v in cfa.variables if v.term.name == "r")
    value = interpreter.value(state, r)
    assert isinstance(value, int)
    if check is not None:
        return f"undefined: {check.position.line if check.position else ''} {check.kind.value}", value
    return ("stops" if cfa.leaving[state.location] else ""), value


# ---- campaigns ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Disagreement:
    seed: int
    data_model: str
    finding: Finding
    program: Program


@dataclass
class Campaign:
    ran: int = 0
    discarded: list[int] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)


def campaign(
    seeds: Sequence[int],
    models: Sequence[str] = ("LP64", "ILP32"),
    profile: Profile | None = None,
    report: Callable[[Disagreement], None] = lambda _: None,
    batch: int = 25,
) -> Campaign:
    done = Campaign()
    for start in range(0, len(seeds), batch):
        chunk = [(seed, generate(seed, profile)) for seed in seeds[start : start + batch]]
        truths = results([program for _, program in chunk], "LP64")
        done.discarded += [seed for (seed, _), truth in zip(chunk, truths, strict=True) if truth is None]
        kept = [(*case, truth) for case, truth in zip(chunk, truths, strict=True) if truth is not None]
        for model in models:
            own = [t for _, _, t in kept] if model == "LP64" else results([p for _, p, _ in kept], model)
            for (seed, program, _), truth in zip(kept, own, strict=True):
                if truth is None:
                    done.discarded.append(seed)
                    continue
                done.ran += 1
                finding = compare(program.text, truth, model)
                if finding.kind:
                    disagreement = Disagreement(seed, model, finding, program)
                    done.disagreements.append(disagreement)
                    report(disagreement)
    return done


# ---- reduction ---------------------------------------------------------------------------------------------


def _block(lines: Sequence[str], start: int) -> int:
    """The end of what starts on a line: the line itself, or a block."""
    depth = 0
    for at in range(start, len(lines)):
        line = lines[at].strip()
        depth += line.endswith("{") - line.startswith("}")
        if depth <= 0:
            return at + 1
    return len(lines)


def _smaller(lines: Sequence[str]) -> Iterator[list[str]]:
    """Texts with something left out, larger parts first."""
    spans = [(start, _block(lines, start)) for start in range(len(lines)) if not lines[start].strip().startswith("}")]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        yield [*lines[:start], *lines[end:]]
    for start, end in spans:
        if end - start > 2:
            yield [*lines[:start], *lines[start + 1 : end - 1], *lines[end:]]
    for at, line in enumerate(lines):
        for start, end in _groups(line):
            for new in ("0", "1", line[start + 1 : end - 1]):
                if len(new) < end - start:
                    yield [*lines[:at], line[:start] + new + line[end:], *lines[at + 1 :]]
        for match in re.finditer(r", [^,(){}]+| [-+*^&|]=? \d+u?|\(unsigned\)|\b\d\d+(?=u?\b)", line):
            new = "7" if match[0][0].isdigit() else ""
            yield [*lines[:at], line[: match.start()] + new + line[match.end() :], *lines[at + 1 :]]


def _groups(line: str) -> Iterator[tuple[int, int]]:
    stack = []
    for at, char in enumerate(line):
        if char in "({[":
            stack.append(at)
        elif char in ")}]" and stack:
            start = stack.pop()
            if char == ")":
                yield start, at + 1


def reduced(found: Disagreement, seconds: float = 60) -> tuple[str, Finding]:
    """A smaller program on which the front end is wrong in the same way, as far as the time goes."""
    lines, finding = found.program.text.splitlines(), found.finding
    key = _key(finding)
    limit = time.monotonic() + seconds
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in _smaller(lines):
            if time.monotonic() > limit:
                return "\n".join(lines), finding
            program = Program("\n".join(smaller) + "\n", found.program.exported)
            quick = compare(program.text, -1, found.data_model)
            if quick.kind == "crash" and key[0] != "crash":
                continue
            if key[0] == "crash" and _key(quick) != key:
                continue
            truth = results([program], "LP64")[0]
            if truth is not None and found.data_model != "LP64":
                truth = results([program], found.data_model)[0]
            own = compare(program.text, truth, found.data_model) if truth is not None else None
            if own is not None and _key(own) == key:
                lines, finding, shrunk = smaller, own, True
                break
    return "\n".join(lines), finding


def _key(finding: Finding) -> tuple[str, str]:
    detail = ""
    if finding.kind == "crash":
        detail = finding.detail.split(":")[0] + finding.detail[finding.detail.rfind("(") :]
    if finding.kind == "undefined":
        detail = re.sub(r"\d+", "", finding.detail.split(" r = ")[0])
    return finding.kind, detail


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.memory")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", choices=("LP64", "ILP32"), action="append")
    parser.add_argument("--reduce", type=float, default=60, metavar="SECONDS", help="for each disagreement")
    parser.add_argument("--heap", action="store_true", help="with malloc")
    parser.add_argument("--avoid", choices=FEATURES, action="append", default=[])
    parser.add_argument("--show", action="store_true", help="print the first program and end")
    options = parser.parse_args()
    profile = Profile(heap=options.heap, avoid=frozenset(options.avoid))
    if options.show:
        print(generate(options.seed, profile).text)
        return 0
    models = options.model or [m for m in ("LP64", "ILP32") if available(m)]

    def report(found: Disagreement) -> None:
        text, finding = (found.program.text, found.finding)
        if options.reduce:
            text, finding = reduced(found, options.reduce)
        print(f"==== seed {found.seed} {found.data_model}: {found.finding.kind} {found.finding.detail}", flush=True)
        print(f"---- reduced: {finding.detail}\n{text}\n", flush=True)

    done = campaign(range(options.seed, options.seed + options.count), models, profile, report)
    for complaint in complaints if len(done.discarded) else ():
        print(complaint[:1500], file=sys.stderr)
    print(f"{done.ran} runs, {len(done.discarded)} discarded {done.discarded}, {len(done.disagreements)} disagreements")
    return 1 if done.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
