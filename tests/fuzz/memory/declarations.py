"""Declarations of variables."""

from __future__ import annotations

from collections.abc import Iterator

from .scope import Var
from .types import BYTE, CHAR, INT, OPERATION, UNSIGNED, Arr, Fun, Ptr, Scalar, Struct, Type, declared
from .values import Values


class Declarations(Values):
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
        if self.chance(40):
            # Nobody else has its address yet.
            self.emit(f"{name} = realloc({name}, {self.rng.randint(1, 3)} * sizeof *{name});")
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
