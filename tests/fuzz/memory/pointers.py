"""Statements about pointers and arrays."""

from __future__ import annotations

from .scope import Var
from .statements import Statements
from .types import Arr, Fun, Ptr, Scalar, Struct, declared


class Pointers(Statements):
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
            back = f"(({found.type.tag} *){v})"
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
            f"for ({struct.tag} *{q} = &{start.text}; {q} && {n} < {self.rng.randint(2, 4)}; {q} = {q}->{follow})"
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


def json_text(letters: str) -> str:
    return f'"{letters}"'
