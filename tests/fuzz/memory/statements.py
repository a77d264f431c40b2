"""Statements."""

from __future__ import annotations

from collections.abc import Sequence

from .declarations import Declarations
from .scope import Lvalue, Var
from .types import Arr, Bits, Scalar, Struct, declared


class Statements(Declarations):
    def statement(self, depth: int) -> None:
        raise NotImplementedError

    def scalars_in_a_row(self, write: bool) -> Lvalue | None:
        found = self.find(lambda t: isinstance(t, Arr) and isinstance(t.element, Scalar), write=write)
        return None if found is None or found.guards else found

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

    def body(self, count: int, depth: int) -> None:
        for _ in range(self.rng.randint(0, 2)):
            self.local()
        for _ in range(count):
            self.statement(depth)

    def assign(self) -> None:
        found = self.find(lambda t: isinstance(t, Scalar | Bits), write=True, depth=2)
        if found is None:
            return self.mix(self.expression(2))
        assert isinstance(found.type, Scalar | Bits)
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
        found = self.find(lambda t: isinstance(t, Scalar | Bits), write=True, depth=1)
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

    def copy(self) -> None:
        """Structures are assigned."""
        struct = self.rng.choice(self.structs)
        target = self.find(lambda t: t is struct, write=True)
        if target is None or (self.avoids("copies by index") and not target.plain):
            return self.assign()
        made = [f for f in self.functions if f.pure and f.result is struct]
        value = self.call(self.rng.choice(made)) if made and self.chance(40) else self.argument(struct, 1)
        self.within(target.guards, f"{target.text} = {value};")

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
