"""Values of any type: arguments, addresses, initialisers."""

from __future__ import annotations

from dataclasses import replace

from .expressions import Expressions
from .types import OPERATION, Arr, Bits, Fun, Ptr, Scalar, Struct, Type, declared


class Values(Expressions):
    def argument(self, type_: Type, depth: int, most: int = 99) -> str:
        """A value of some type, with no side effects. An array stands for a pointer to so many elements at least."""
        rng = self.rng
        match type_:
            case Scalar() | Bits():
                return self.expression(depth)
            case Struct():
                found = self.find(lambda t: t is type_)
                if found is not None and not found.guards and self.chance(80):
                    return found.text
                return f"({type_.tag}){self.initialiser(type_, depth)}"
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
            return f"(unsigned)(({struct.tag}){self.initialiser(struct, depth)}).{self.rng.choice(scalars)}"
        if self.avoids("literals in memory"):
            return self.number()
        element, length = self.scalar(), self.rng.randint(2, 4)
        values = ", ".join(self.leaf(element, 0) for _ in range(length))
        return f"(unsigned)(({element.name}[]){{{values}}})[{self.index(length, depth)[0]}]"

    # ---- initialisers --------------------------------------------------------------------------------------

    def leaf(self, type_: Type, depth: int) -> str:
        rng = self.rng
        if isinstance(type_, Scalar | Bits):
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
        """Of a union only the first member, which is all of it."""
        if isinstance(type_, Struct):
            members = type_.members[:1] if type_.union else type_.members
            return [(f".{name}", member) for name, member in members]
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
        if isinstance(type_, Struct) and type_.union:
            name, part = self.rng.choice(type_.members)
            return [f".{name} = {self.initialiser(part, 0)}"]
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
                if isinstance(part, Struct) and part.union:
                    break  # compilers differ on what is left of another member
                if isinstance(part, Arr) and self.avoids("designated elements"):
                    break
                more, part = self.rng.choice(self.parts(part))
                name, steps = name + more, steps + 1
            items.append(f"{name} = {self.initialiser(part, 0)}")
            if steps == 1 and at + 1 < len(parts) and self.chance(30):
                items.append(self.initialiser(parts[at + 1][1], 0))
        return items
