"""Random C programs about integers: promotions, conversions and constants of all types, types of expressions.

Signed overflow wraps around, so that any operands will do; what stays undefined is kept out by masks: amounts of shifts
are in range, divisors are neither zero nor minus one. A statement has at most one side effect but the accumulation.
"""

from __future__ import annotations

from random import Random

from .compiled import SHOWN, Program

TYPES = (
    "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
    "unsigned long", "long long", "unsigned long long",
)  # fmt: skip
INPUTS = (
    "bool", "char", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong",
)  # fmt: skip
GENERIC = ", ".join(f"{name}: {number}" for number, name in enumerate(TYPES, 1))
NUMBERS = (
    "0", "1", "2", "7", "127", "128", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648",
    "4294967295", "4294967296", "9223372036854775807", "0x7f", "0x80", "0xff", "0x8000", "0xffff", "0x7fffffff",
    "0x80000000", "0xffffffff", "0x100000000", "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff",
    "0377", "017777777777", "020000000000", "037777777777",
)  # fmt: skip
SUFFIXES = ("", "", "", "", "u", "U", "l", "L", "ul", "LU", "ll", "LL", "ull", "LLu")
CHARACTERS = ("'a'", "'0'", "'\\n'", "'\\0'", "'\\377'", "'\\x80'", "'\\\\'", "'\\''")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class _Generator:
    def __init__(self, seed: int) -> None:
        self.random = Random(f"arithmetic {seed}")
        self.lines: list[str] = []
        self.variables: list[str] = []
        self.enumerators: list[str] = []
        self.functions: list[tuple[str, int]] = []
        self.exported = ["main", "r", "seen", "mark", "take", "k"]
        self.constant = False

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def type(self) -> str:
        return self.random.choice(TYPES)

    # ---- expressions -------------------------------------------------------------------------------------

    def literal(self) -> str:
        if self.enumerators and self.chance(10):
            return self.random.choice(self.enumerators)
        if self.chance(8):
            return self.random.choice(CHARACTERS)
        number = f"{self.random.choice(NUMBERS)}{self.random.choice(SUFFIXES)}"
        return f"(-{number})" if self.chance(20) else number

    def leaf(self) -> str:
        return self.literal() if self.constant or not self.variables or self.chance(30) else self.variable()

    def variable(self) -> str:
        return self.random.choice(self.variables)

    def expression(self, depth: int = 3) -> str:
        if depth <= 0 or self.chance(10):
            return self.leaf()
        inner = depth - 1
        kind = self.random.randrange(20)
        if kind < 5:
            return f"({self.expression(inner)} {self.random.choice('+-*')} {self.expression(inner)})"
        if kind < 8:
            return f"({self.expression(inner)} {self.random.choice('&|^')} {self.expression(inner)})"
        if kind < 10:
            return self.shift(inner)
        if kind == 10:
            return f"({self.expression(inner)} {self.random.choice('/%')} {self.divisor(inner)})"
        if kind == 11:
            return f"({self.random.choice('-~!+')}{self.expression(inner)})"
        if kind < 14:
            return f"(({self.type()}){self.expression(inner)})"
        if kind == 14:
            return f"({self.expression(inner)} {self.random.choice(COMPARISONS)} {self.expression(inner)})"
        if kind == 15:
            return f"({self.expression(inner)} {self.random.choice(('&&', '||'))} {self.expression(inner)})"
        if kind == 16:
            return f"({self.expression(inner)} ? {self.expression(inner)} : {self.expression(inner)})"
        if kind == 17:
            return self.of_type(inner)
        if kind == 18 and not self.constant:
            return f"({self.expression(inner)}, {self.expression(inner)})"
        if kind == 19 and self.functions and not self.constant:
            name, count = self.random.choice(self.functions)
            return f"{name}({', '.join(self.expression(inner - 1) for _ in range(count))})"
        return self.leaf()

    def shift(self, depth: int) -> str:
        operator = self.random.choice(("<<", ">>"))
        if self.chance(30):
            wide = self.random.choice(("(long long)", "(unsigned long long)"))
            return f"({wide}{self.expression(depth)} {operator} ({self.expression(depth)} & 63))"
        amount = str(self.random.randrange(32)) if self.chance(30) else f"({self.expression(depth)} & 31)"
        return f"({self.expression(depth)} {operator} {amount})"

    def divisor(self, depth: int) -> str:
        if self.chance(40):
            return self.random.choice(("3", "-3", "7u", "10l", "-2ll", "255", "(short)-7", "'a'", "0x80000001u"))
        return f"(({self.type_but_bool()})({self.expression(depth)} & 15) | 1)"

    def type_but_bool(self) -> str:
        return self.random.choice(TYPES[1:])

    def of_type(self, depth: int) -> str:
        """What depends on types alone."""
        operand = self.expression(depth)
        return self.random.choice(
            (
                f"sizeof({operand})",
                f"sizeof({self.type()})",
                f"_Alignof({self.type()})",
                f"_Generic({operand}, {GENERIC})",
                f"(int)sizeof(__typeof__({operand}))",
                f"((__typeof__({operand})){self.leaf()})",
            )
        )

    # ---- statements --------------------------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        kind = self.random.randrange(16)
        target = self.variable()
        if kind < 4:
            self.emit(f"take({self.expression()});")
        elif kind < 6:
            self.emit(f"{target} = {self.expression()};")
        elif kind < 8:
            self.emit(f"take({target} {self.random.choice('+-*&|^')}= {self.expression(2)});")
        elif kind == 8:
            operator = self.random.choice(("<<=", ">>="))
            self.emit(f"{target} {operator} ({self.expression(2)} & {self.random.choice((7, 15, 31))});")
        elif kind == 9:
            self.emit(f"{target} {self.random.choice('/%')}= {self.divisor(2)};")
        elif kind == 10:
            form = self.random.choice(("{}++", "++{}", "{}--", "--{}"))
            self.emit(f"take({form.format(target)});")
        elif kind == 11:
            self.effect()
        elif kind == 12 and depth > 0:
            self.emit(f"if ({self.expression()}) {{")
            self.statement(depth - 1)
            self.emit("} else {")
            self.statement(depth - 1)
            self.emit("}")
        elif kind == 13 and depth > 0:
            self.switch(depth)
        elif kind == 14 and depth > 0:
            self.loop(depth)
        else:
            self.local()

    def effect(self) -> None:
        """One side effect, on a variable that nothing else of the expression reads."""
        a, b = self.expression(2), self.expression(2)
        self.emit(
            self.random.choice(
                (
                    f"take((k++ && {a}) + {b});",
                    f"take({a} ? k-- : ++k);",
                    f"take(((k = {a}), {b}));",
                    f"take({a} || (k += 3));",
                    f"take(sizeof(k++) + {a});",
                    f"take({self.variable()} = k = {a});",
                    f"take(({{ {self.type()} s = {a}; s += {b}; s; }}));",
                    f"take(_Generic(k++, {GENERIC}));",
                )
            )
        )
        self.emit("take(k);")

    def local(self) -> None:
        name = f"v{len(self.lines)}"
        value = self.expression()
        form = self.random.randrange(4)
        self.emit("{")
        if form == 0:
            self.emit(f"__typeof__({value}) {name} = {self.expression(2)};")
        elif form == 1:
            before, self.constant = self.constant, True
            self.emit(f"static {self.type()} {name} = {self.expression(2)};")
            self.constant = before
        elif form == 2:
            before, self.constant = self.constant, True
            self.emit(f"enum {{ e{name} = ({self.expression(2)}) & 0x7f, f{name} }};")
            self.emit(f"char a{name}[e{name} + 1];")
            self.constant = before
            self.emit(f"{self.type()} {name} = f{name} + sizeof a{name};")
        else:
            self.emit(f"{self.random.choice(('', 'const ', 'volatile '))}{self.type()} {name} = {value};")
        self.emit(f"take({name} {self.random.choice('+-*&|^')} {self.expression(1)});")
        self.emit(f"take(_Generic(+{name}, {GENERIC}) * 3 + _Generic({name}, {GENERIC}));")
        self.emit("}")

    def switch(self, depth: int) -> None:
        before, self.constant = self.constant, True
        labels = [f"case {self.random.randrange(6)}:", "default:", "case -1:"]
        labels.append(f"case (({self.expression(1)}) & 63) + 10:")
        self.constant = before
        self.random.shuffle(labels)
        mask = self.random.choice((" & 7", " % 4", "", "| 2", " & 63"))
        self.emit(f"switch (({self.type()})({self.expression(2)}{mask})) {{")
        for label in labels:
            self.emit(f"{label}")
            self.emit(f"take({self.expression(1)});")
            if self.chance(50):
                self.emit("break;")
        self.emit("}")

    def loop(self, depth: int) -> None:
        name = f"i{len(self.lines)}"
        heads = (
            f"for (unsigned char {name} = 254; {name} != 2; {name}++) {{",
            f"for (signed char {name} = 126; {name} > 0; {name}++) {{",
            f"for (unsigned {name} = 3; {name}-- > 0;) {{",
            f"for (long long {name} = -2; {name} < 2u; {name}++) {{",
            f"for (short {name} = 3; {name} >= 0; --{name}) {{",
        )
        self.emit(self.random.choice(heads))
        self.variables.append(name)
        self.emit(f"take({self.expression(2)});")
        self.variables.pop()
        self.emit("}")

    # ---- all of it ---------------------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def function(self) -> None:
        name, count = f"f{len(self.functions)}", self.random.randint(1, 2)
        outer, self.variables = self.variables, ["a", "b"][:count]
        parameters = ", ".join(f"{self.type()} {p}" for p in self.variables)
        functions, self.functions = self.functions, []
        self.emit(f"static {self.type()} {name}({parameters}) {{")
        if self.chance(40):
            self.emit(f"if ({self.expression(1)}) return {self.expression(2)};")
        self.emit(f"return {self.expression(3)};")
        self.emit("}")
        self.variables, self.functions = outer, [*functions, (name, count)]
        self.exported.append(name)

    def program(self) -> Program:
        for type_, name in zip(TYPES, INPUTS, strict=True):
            if type_ != "signed char":
                self.emit(f"extern {type_} __VERIFIER_nondet_{name}(void);")
        self.emit("unsigned r, seen;")
        self.emit(f"{self.type()} k = 1;")
        self.constant = True
        if self.chance(60):
            self.emit(f"enum en {{ E0 = {self.random.choice(('0', '-5', '3', '100'))}, E1, E2 = E1 * 2, E3 = 'x' }};")
            self.exported += ["en", "E0", "E1", "E2", "E3"]
            self.enumerators += ["E0", "E1", "E2", "E3"]
        for number in range(self.random.randint(4, 8)):
            name = f"g{number}"
            self.emit(f"{self.random.choice(('', '', 'static '))}{self.type()} {name} = {self.expression(2)};")
            self.variables.append(name)
            self.exported.append(name)
        self.constant = False
        self.emit("static void take(unsigned long long v) { r = r * 31u + (unsigned)v + (unsigned)(v >> 32) * 7u; }")
        self.emit("static void mark(void) {")
        self.emit("unsigned long long s = r;")
        for name in [*self.variables, "k"]:
            self.emit(f"s = s * 33u + {name};")
        self.emit("unsigned h = s ^ s >> 32;")
        self.emit(SHOWN)
        self.emit("}")
        for _ in range(self.random.randint(0, 3)):
            self.function()
        self.emit("int main(void) {")
        for name in self.random.sample(self.variables, min(3, len(self.variables))):
            self.emit(f"{name} = __VERIFIER_nondet_{self.random.choice(INPUTS)}();")
        for _ in range(self.random.randint(5, 11)):
            self.statement(2)
            if self.chance(60):
                self.emit("mark();")
        self.emit("mark();")
        self.emit("return 0;")
        self.emit("}")
        return Program("\n".join(self.lines) + "\n", tuple(self.exported), wraps=True)


def generate(seed: int) -> Program:
    return _Generator(seed).program()
