"""Expressions without side effects, of type ``unsigned``."""

from __future__ import annotations

from dataclasses import replace

from .lvalues import Lvalues
from .scope import Function, Lvalue
from .types import OPERATION, Arr, Bits, Fun, Ptr, Scalar, Struct, Type


class Expressions(Lvalues):
    def argument(self, type_: Type, depth: int, most: int = 99) -> str:
        raise NotImplementedError

    def address(self, target: Type, most: int, const: bool = False) -> str | None:
        raise NotImplementedError

    def from_literal(self, depth: int) -> str:
        raise NotImplementedError

    def number(self) -> str:
        rng = self.rng
        return f"{rng.choice((0, 1, 2, 3, 5, 7, 11, 31, 100, 255, rng.randrange(1000), rng.randrange(1 << 32)))}u"

    def guarded(self, lvalue: Lvalue, value: str) -> str:
        if not lvalue.guards:
            return value
        return f"({' && '.join(lvalue.guards)} ? {value} : {self.number()})"

    def read(self, depth: int) -> str:
        """What some scalar holds."""
        found = self.find(lambda t: isinstance(t, Scalar | Bits), depth=depth)
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
        a = self.find(lambda t: isinstance(t, Scalar | Bits), depth=depth - 1)
        b = self.find(lambda t: isinstance(t, Scalar | Bits), depth=depth - 1)
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
        found = self.find(lambda t: not isinstance(t, Bits), depth=0)
        if found is None or found.guards or self.chance(30):
            struct = self.rng.choice(self.structs)
            return f"(unsigned)sizeof({struct.tag})"
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
