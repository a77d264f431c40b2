"""Statements with what C and GNU C have besides: jumps, variable arrays, types of expressions."""

from __future__ import annotations

from collections.abc import Callable

from .types import (
    BYTE,
    CHAR,
    HALF,
    INT,
    SCALARS,
    SHORT,
    UNSIGNED,
    WIDE,
    Arr,
    Bits,
    Scalar,
    Struct,
    bytewise,
    declared,
)  # fmt: skip
from .widths import Widths

GENERIC = (
    "_Bool: 1u, char: 2u, signed char: 3u, unsigned char: 4u, short: 5u, unsigned short: 6u, int: 7u, unsigned: 8u, "
    "long: 9u, unsigned long: 10u, long long: 11u, unsigned long long: 12u, default: 13u"
)


class Constructs(Widths):
    def construct(self) -> None:
        ways: list[Callable[[], None]] = [
            self.jump, self.jump, self.jump, self.cast, self.cast, self.type_of,
            self.statement_expression, self.generic, self.enumeration, self.fallthrough, self.compound, self.compound,
            self.shadow, self.anonymous, self.lasting, self.volatile, self.members, self.converted, self.elided,
            self.input_, self.input_, self.nested_type, self.strings, self.pointer_to_row,
        ]  # fmt: skip
        if self.rare:
            ways += [self.variable_array, self.variable_array, self.offset, self.offset]
        if self.widths:
            ways += [self.view, self.view, self.view, self.bytes_, self.bytes_, self.bytes_]
        self.rng.choice(ways)()

    # ---- control -------------------------------------------------------------------------------------------

    def jump(self) -> None:
        label, n = self.name("L"), self.name("n")
        kind = self.rng.randrange(6)
        calls, self.calls_left = self.calls_left, 0
        self.open("")
        if kind == 0:  # backwards
            self.emit(f"unsigned {n} = 0;")
            self.emit(f"{label}:;")
            self.open("")
            self.statement(0)
            self.close()
            self.emit(f"if (++{n} < {self.rng.randint(2, 4)}) goto {label};")
            self.mix(n)
        elif kind == 1:  # over a declaration
            self.emit(f"if ({self.condition(1)}) goto {label};")
            self.emit(f"{self.scalar().name} {n} = {self.expression(1)};")
            self.mix(f"(unsigned){n}")
            self.emit(f"{label}: {n} = {self.expression(1)};")
            self.mix(f"(unsigned){n}")
        elif kind == 2:  # out of loops
            self.open(f"for (unsigned {n} = 0; {n} < 3; {n}++)")
            self.open(f"for (unsigned i{n} = 0; i{n} < 3; i{n}++)")
            self.mix(f"{n} * 3u + i{n}")
            self.emit(f"if ({self.condition(1)}) goto {label};")
            self.statement(0)
            self.close()
            self.close()
            self.emit(f"{label}:;")
        elif kind == 3:  # into a block
            self.emit(f"if ({self.condition(1)}) goto {label};")
            self.open(f"if ({self.condition(1)})")
            self.emit(f"unsigned {n} = 5;")
            self.mix(n)
            self.emit(f"{label}: {n} = {self.expression(1)};")
            self.mix(n)
            self.close()
        elif kind == 4:  # into a loop
            self.emit(f"unsigned {n} = {self.rng.randrange(3)};")
            self.emit(f"if ({self.condition(1)}) goto {label};")
            self.open(f"for ({n} = 0; {n} < 3; {n}++)")
            self.mix(n)
            self.emit(f"{label}:;")
            self.mix(self.expression(1))
            self.close()
        else:  # the object of a block that is entered again
            self.emit(f"unsigned {n} = 0;")
            self.emit(f"{label}:;")
            self.emit(f"unsigned y{n} = {n} * 2u;")
            self.mix(f"y{n}")
            self.emit(f"y{n} = {self.expression(1)};")
            self.emit(f"if ({n}++ < 2) goto {label};")
        self.close()
        self.calls_left = calls

    def fallthrough(self) -> None:
        """Labels in any order and any place, the default among them."""
        labels = [f"case {n}:" for n in self.rng.sample(range(-2, 7), 3)]
        if self.chance(30):
            labels.append("case 10 ... 12:")
        labels.append("default:")
        self.rng.shuffle(labels)
        value = self.rng.choice(
            ("(int)({} % 9u) - 2", "(signed char){}", "(unsigned char){}", "(long long){}", "{} % 13u")
        )
        calls, self.calls_left = self.calls_left, 0
        self.open(f"switch ({value.format(self.expression(1))})")
        for label in labels:
            self.emit(f"{label};")
            self.mix(self.expression(1))
            if self.chance(20):
                self.open("if (r & 1)")
                self.emit(f"case {20 + len(self.lines)}:;")
                self.mix("3u")
                self.close()
            if self.chance(50):
                self.emit("break;")
        self.close()
        self.calls_left = calls

    # ---- types ---------------------------------------------------------------------------------------------

    def variable_array(self) -> None:
        n, w = self.name("n"), self.name("w")
        type_ = self.scalar()
        kind = self.rng.randrange(4)
        self.open("")
        self.emit(f"unsigned {n} = {self.expression(1)} % 4u + 1u;")
        if kind == 0:
            self.mix(f"(unsigned)sizeof({type_.name}[{n}++]) + {n}")
        elif kind == 1:
            self.emit(f"{type_.name} {w}[2][{n}];")
            self.emit(f"for (unsigned i = 0; i < 2; i++) for (unsigned j = 0; j < {n}; j++) {w}[i][j] = i * 7u + j;")
            self.mix(f"(unsigned){w}[1][{self.expression(1)} % {n}] + (unsigned)sizeof({w}[0]) + (unsigned)sizeof {w}")
        else:
            self.emit(f"{type_.name} {w}[{n}];")
            self.emit(f"for (unsigned i = 0; i < {n}; i++) {w}[i] = {self.expression(1)} + i;")
            self.emit(f"{n} += 3u;")
            self.mix(f"(unsigned){w}[0] * 3u + (unsigned)sizeof {w}")
        self.close()

    def type_of(self) -> None:
        found = self.find(lambda t: not isinstance(t, Bits))
        if found is None or found.guards:
            return self.assign()
        w = self.name("w")
        self.open("")
        if isinstance(found.type, Scalar):
            other = self.expression(1)
            kind = self.rng.randrange(3)
            if kind == 0:
                self.emit(f"__typeof__({found.text}) {w} = {other};")
            elif kind == 1:
                self.emit(f"__typeof__({found.text} + (char)1) {w} = {found.text};")
            else:
                self.emit(f"__typeof__(&{found.text}) p{w} = &{found.text};")
                self.emit(f"__typeof__(*p{w}) {w} = *p{w};")
            self.mix(f"(unsigned){w} + (unsigned)sizeof {w}")
        elif isinstance(found.type, Arr) and bytewise(found.type) and not found.const:
            self.emit(f"__typeof__({found.text}) {w};")
            self.emit(f"memcpy({w}, {found.text}, sizeof {w});")
            self.mix(f"(unsigned)sizeof {w} + (unsigned)*(unsigned char *){w}")
        else:
            self.mix(f"(unsigned)sizeof(__typeof__({found.text}))")
        self.close()
        return None

    def generic(self) -> None:
        a = self.find(lambda t: isinstance(t, Scalar))
        b = self.find(lambda t: isinstance(t, Scalar))
        if a is None or b is None or a.guards or b.guards:
            return self.assign()
        assert isinstance(a.type, Scalar)
        forms = [
            f"_Generic({a.text}, {GENERIC})",
            f"_Generic({a.text} + {b.text}, {GENERIC})",
            f"_Generic({a.text} << 1, {GENERIC})",
            f"_Generic(-{a.text}, {GENERIC})",
            f"_Generic(1 ? {a.text} : {b.text}, {GENERIC})",
            f"_Generic(&{a.text}, const {a.type.name} *: 2u, {a.type.name} *: 1u, default: 3u)",
            f"_Generic({a.text} < {b.text}, {GENERIC})",
            f"_Generic(({a.text}, {b.text}), {GENERIC})",
        ]
        if a.const:
            del forms[5]
        return self.mix(f"{self.rng.choice(forms)} * {self.number()}")

    def enumeration(self) -> None:
        e, w = self.name("E"), self.name("w")
        first = self.rng.choice(("0", "-3", "5", "'a'", "1 << 4", "0x7fffffff - 4"))
        last = self.rng.choice(
            (f"{e}b + 2", f"-{e}b", f"{e}b * 2 > 4 ? 3 : 9", f"sizeof({self.scalar().name})", "0x90000000u")
        )
        self.open("")
        self.emit(f"enum {e} {{ {e}a = {first}, {e}b, {e}c = {last} }};")
        self.emit(f"enum {e} {w} = {self.rng.choice((f'{e}a', f'{e}b', f'{e}c'))};")
        self.mix(f"(unsigned){w} + (unsigned)sizeof {w} + ({w} < {e}c ? 2u : 5u)")
        self.mix(f"(unsigned){e}b * 3u + (unsigned)(((long long){w} - {e}c) < 0) + _Generic({e}a, {GENERIC})")
        self.close()

    def nested_type(self) -> None:
        """A tag and a type name that hide those outside."""
        struct = self.rng.choice(self.structs)
        t, w = self.name("T"), self.name("w")
        self.open("")
        # What is computed may need the tag outside.
        given = [self.name("w") for _ in range(1 if struct.union else 2)]
        for each in given:
            self.emit(f"unsigned {each} = {self.expression(1)};")
        self.emit(f"{struct.tag} {{ unsigned short z; unsigned char y[3]; }};")
        self.emit(f"typedef {struct.tag} {t};")
        rest = "" if struct.union else f", {{ 1, {given[1]} }}"
        self.emit(f"{t} {w} = {{ {given[0]}{rest} }};")
        self.mix(f"(unsigned){w}.z + (unsigned)sizeof({t}) * 3u + (unsigned)sizeof({struct.tag})")
        self.close()

    def members(self) -> None:
        """Where members are."""
        struct = self.rng.choice(self.structs)
        names = [name for name, member in struct.members if not isinstance(member, Bits)]
        if not names:
            return self.assign()
        name = self.rng.choice(names)
        forms = (
            f"(unsigned)_Alignof({struct.tag})",
            f"(unsigned)sizeof((({struct.tag} *)0)->{name})",
        )
        return self.mix(f"{self.rng.choice(forms)} * {self.number()}")

    def offset(self) -> None:
        struct = self.rng.choice(self.structs)
        names = [name for name, member in struct.members if not isinstance(member, Bits)]
        if not names:
            return self.assign()
        return self.mix(f"(unsigned)__builtin_offsetof({struct.tag}, {self.rng.choice(names)})")

    def anonymous(self) -> None:
        w = self.name("w")
        self.open("")
        self.open("struct")
        self.emit(f"{self.scalar().name} a;")
        self.emit("union { unsigned b; unsigned char c[4]; struct { short d, e; }; };")
        self.close(f"}} {w} = {{ {self.rng.randrange(99)}, {{ {self.rng.randrange(1 << 31)}u }} }};")
        target = self.rng.choice((f"{w}.c[{self.expression(1)} % 4u]", f"{w}.d", f"{w}.b", f"{w}.a"))
        self.emit(f"{target} {self.rng.choice(('=', '^=', '+='))} {self.expression(1)};")
        self.mix(f"{w}.b + (unsigned){w}.e * 5u + (unsigned){w}.c[{self.expression(0)} % 4u] + (unsigned)sizeof {w}")
        self.close()

    # ---- expressions ---------------------------------------------------------------------------------------

    def statement_expression(self) -> None:
        w = self.name("w")
        then = self.rng.choice((f"{w} ^= {w} >> 3;", f"if ({w} & 1) {w} += 7u;", ""))
        inner = f"unsigned {w} = {self.expression(1)}; {then}"
        self.mix(f"({{ {inner} {w} * 3u; }})" if self.chance(50) else f"(({{ {inner} {w}; }}) ^ {self.number()})")

    def compound(self) -> None:
        """An assignment of two types, with small values where signed arithmetic could overflow."""
        rng = self.rng
        a, b = self.scalar(), self.scalar()
        w = self.name("w")
        op = rng.choice(("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
        small = f"({self.expression(1)} & 0x7fu)"
        start = small if a.signed else self.expression(1)
        value = f"({b.name}){small}"
        if op in ("/=", "%="):
            value = f"({b.name})({small} | 1u)"
        elif op in ("<<=", ">>="):
            value = f"({b.name})({self.expression(1)} & 7u)"
        self.open("")
        self.emit(f"{a.name} {w} = {start}{' - 60' if a.signed and op != '<<=' else ''};")
        if self.chance(50):
            self.emit(f"{w} {op} {value};")
            self.mix(f"(unsigned){w}")
        else:
            self.mix(f"(unsigned)({w} {op} {value})")
            self.mix(f"(unsigned)({w}{rng.choice(('++', '--'))} > 3)")
        self.mix(f"(unsigned)({w} {rng.choice(('<', '>=', '=='))} ({b.name}){rng.randint(-5, 300)})")
        self.close()

    def converted(self) -> None:
        rng = self.rng
        a, b, c = (rng.choice(SCALARS) for _ in range(3))
        value = f"({a.name})({b.name})({c.name}){self.expression(1)}"
        kind = rng.randrange(4)
        if kind == 0:
            self.mix(f"(unsigned)({value} {rng.choice(('<', '>', '==', '<='))} {rng.randint(-3, 3)})")
        elif kind == 1:
            self.mix(f"(unsigned)(({value}) >> {rng.randrange(8)})")
        elif kind == 2:
            self.mix(f"(unsigned)!!({value}) + (unsigned)!({value}) * 2u")
        else:
            pointer = self.find(lambda t: isinstance(t, Scalar | Struct))
            self.mix(f"(unsigned)({value})" + (f" + (_Bool)&{pointer.text}" if pointer and not pointer.guards else ""))

    def elided(self) -> None:
        self.mix(f"({self.expression(1)} & {self.rng.randint(1, 255)}u ?: {self.expression(1)})")

    def shadow(self) -> None:
        """A name that hides another; the one outside can be meant in the declaration before."""
        pool = [v for v in self.visible() if isinstance(v.type, Scalar) and not v.below and not v.name.startswith("i")]
        if not pool or any(v.name in name for v in pool for name, _ in self.counters):
            return self.assign()
        var = self.rng.choice(pool)
        w, type_ = self.name("w"), self.rng.choice((UNSIGNED, CHAR, SHORT, BYTE))
        self.open("")
        self.emit(f"unsigned {w} = (unsigned){var.name};")
        self.emit(f"{type_.name} {var.name} = {w} + 3u;")
        self.emit(f"{var.name} *= 3;" if type_ == UNSIGNED else f"{var.name} ^= 3;")
        if var.level == 0 and self.chance(50) and not var.name.startswith("v"):
            self.open("")
            self.mix(f"(unsigned){var.name} + (unsigned)sizeof {var.name}")
            self.close()
        self.mix(f"(unsigned){var.name} + {w}")
        self.close()
        return None

    def lasting(self) -> None:
        """An object of this block that lives as long as the program."""
        if self.pure:
            return self.assign()
        w, type_ = self.name("w"), self.rng.choice((UNSIGNED, BYTE, HALF, WIDE))
        self.open("")
        self.emit(f"static {type_.name} {w} = {self.rng.randrange(200)}, y{w}[3] = {{ 1, [2] = 5 }};")
        self.emit(f"{w} += y{w}[{self.expression(1)} % 3u]++;")
        self.mix(f"(unsigned){w}")
        self.close()
        return None

    def volatile(self) -> None:
        w, type_ = self.name("w"), self.scalar()
        self.open("")
        self.emit(f"volatile {type_.name} {w} = {self.expression(1)};")
        self.mix(f"(unsigned){w}")
        self.emit(f"{w} = (unsigned){w} + 3u;")
        self.mix(f"(unsigned){w}")
        self.close()

    def input_(self) -> None:
        kinds = ("bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong")
        kind = self.rng.choice(kinds)
        found = self.find(lambda t: isinstance(t, Scalar), write=True)
        if self.pure:
            return self.assign()
        if found is not None and found.plain and not found.guards and self.chance(60):
            return self.emit(f"{found.text} = __VERIFIER_nondet_{kind}();")
        return self.emit(f"r = r * 31u + (unsigned)__VERIFIER_nondet_{kind}();")

    def pointer_to_row(self) -> None:
        """Arrays whose elements are pointers, and a pointer to all of it."""
        a, b = (self.find(lambda t: t in (INT, UNSIGNED), write=True) for _ in range(2))
        if a is None or b is None or a.guards or b.guards or a.type != b.type:
            return self.assign()
        assert isinstance(a.type, Scalar)
        w, name = self.name("w"), a.type.name
        self.open("")
        self.emit(f"{name} *{w}[2] = {{ &{a.text}, &{b.text} }}, *(*p{w})[2] = &{w}, **y{w} = {w};")
        at = f"{self.expression(1)} & 1"
        target = self.rng.choice((f"*(*p{w})[{at}]", f"*{w}[{at}]", f"**(y{w} + ({at}))", f"*y{w}[{at}]"))
        self.emit(f"{target} {self.rng.choice(('=', '^='))} {self.expression(1)};")
        self.mix(f"(unsigned)*{w}[0] + (unsigned)**y{w} * 3u + (unsigned)({w}[0] == {w}[1])")
        self.close()
        return None


def tagged(struct: Struct) -> list[str]:
    """The definition of a structure or union, line by line."""
    return [f"{struct.tag} {{", *(f"  {declared(member, name)};" for name, member in struct.members), "};"]
