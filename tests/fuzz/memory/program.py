"""Functions, and all of a program."""

from __future__ import annotations

from collections.abc import Callable

from ..compiled import SHOWN, Program
from .constructs import Constructs, tagged
from .scope import Function, Profile, Var
from .types import CHAR, INT, OPERATION, SCALARS, UNSIGNED, Arr, Bits, Ptr, Scalar, Struct, Type, declared

# Cells in one statement of the marker.
AT_ONCE = 6
INPUTS = (
    ("_Bool", "bool"), ("char", "char"), ("unsigned char", "uchar"), ("short", "short"), ("unsigned short", "ushort"),
    ("int", "int"), ("unsigned", "uint"), ("long", "long"), ("unsigned long", "ulong"), ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
)  # fmt: skip


class Generator(Constructs):
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
        if not self.avoids("constructs"):
            choices.append((22, self.construct))
        if not self.pure:
            choices.append((9, self.impure_call))
        if depth > 0:
            choices += [
                (9, lambda: self.loop(depth)),
                (6, lambda: self.branch(depth)),
                (4, lambda: self.switch(depth)),
            ]
        self.rng.choices([c for _, c in choices], [w for w, _ in choices])[0]()
        if not self.pure and self.marks_left > 0 and self.chance(25):
            self.marks_left -= 1
            self.emit("mark();")

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
                self.emit(f"return {made or f'({result.tag}){self.initialiser(result, 1)}'};")
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

    def recursive(self) -> None:
        """A function that calls itself, or one that calls it, so often."""
        name, other = self.name("rec"), self.name("rec")
        self.exported += [name, other]
        mutual = self.chance(40)
        callee = other if mutual else name
        if mutual:
            self.emit(f"static unsigned {other}(unsigned n, unsigned a);")
        self.open(f"static unsigned {name}(unsigned n, unsigned a)")
        self.emit(f"if (n == 0) return a {self.rng.choice('+^')} {self.number()};")
        self.emit(f"unsigned b = {callee}(n - 1, a * 3u + {self.number()}) + n;")
        if self.chance(40):
            self.emit(f"b ^= {callee}(n / 2, a);")
        self.emit(f"return b * 5u + {self.rng.choice(('n', 'a', 'a * n'))};")
        self.close()
        if mutual:
            self.open(f"static unsigned {other}(unsigned n, unsigned a)")
            self.emit(f"return n ? {name}(n - 1, a + 7u) ^ n : a;")
            self.close()
        self.recursions.append(name)

    def marker(self) -> None:
        """The function that shows a checksum of all globals."""
        self.open("static void mark(void)")
        self.emit("unsigned h = r;")
        terms = [
            f"(unsigned){text}" + (f" + (unsigned)({text} >> 16 >> 16)" if type_.bits == 64 else "")
            for var in self.scopes[0]
            if not var.const
            for text, type_ in self.cells(var.name, var.type)
            if isinstance(type_, Scalar | Bits)
        ]
        for start in range(0, len(terms), AT_ONCE):
            value = "h"
            for term in terms[start : start + AT_ONCE]:
                value = f"({value}) * 33u + {term}"
            self.emit(f"h = {value};")
        self.emit(SHOWN)
        self.close()

    def preamble(self) -> None:
        self.emit("typedef __typeof__(sizeof(0)) size;")
        self.emit("void *memcpy(void *, const void *, size), *memmove(void *, const void *, size);")
        self.emit("void *memset(void *, int, size);")
        if self.profile.heap:
            self.emit("void *malloc(size), *realloc(void *, size);")
        for type_, name in INPUTS:
            self.emit(f"extern {type_} __VERIFIER_nondet_{name}(void);")
        self.emit("unsigned int r, seen;")
        made: list[Struct] = []
        for _ in range(self.rng.randint(1, 3)):
            made.append(self.struct())
            self.structs.append(made[-1])
            if self.unions and self.chance(50):
                made.extend(self.union())
                self.structs.extend(made[-2:])
        for struct in made:
            for line in tagged(struct):
                self.emit(line)
            self.exported.append(struct.name)

    def file_level(self) -> None:
        rng = self.rng
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

    def program(self) -> Program:
        rng = self.rng
        self.preamble()
        self.file_level()
        self.marker()
        if not self.avoids("constructs") and self.chance(20):
            self.recursive()
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
        for name in self.recursions:
            self.emit(f"r += {name}({rng.randint(1, 4)}, {self.number()});")
        for _ in range(rng.randint(4, self.profile.statements)):
            if self.chance(15):
                self.local()
            self.statement(2)
        self.constant = True
        for var in self.scopes[-1]:
            if not var.const:
                for text, type_ in self.cells(var.name, var.type):
                    if isinstance(type_, Scalar):
                        self.emit(f"r = r * 33u + (unsigned){text};")
        self.emit("mark();")
        self.emit("return 0;")
        self.close()
        self.lines[self.late_at : self.late_at] = self.late
        return Program("\n".join(self.lines) + "\n", tuple(self.exported))


def generate(seed: int, profile: Profile | None = None) -> Program:
    return Generator(seed, profile or Profile()).program()
