"""Lvalues: a variable, and a way into it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .scope import Lvalue, Scope, Var
from .types import Arr, Bits, Fun, Ptr, Scalar, Struct, Type


class Lvalues(Scope):
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
            if want(type_) and (isinstance(type_, Scalar | Bits | Fun) or self.chance(70)):
                if (write and at.const) or (var.fixed and write and derefs == 0):
                    return None
                return at
            match type_:
                case Scalar() | Bits() | Fun():
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
