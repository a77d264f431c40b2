"""Random C programs, the same for the same seed: scalars, and some memory behind indices and pointers.

Nondeterministic values are restricted to a handful, so that all executions can be enumerated. Where an assertion may
go the program has a point; ``assertions.py`` chooses one from the values seen there.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from .expressions import CType, Name, Routine, choice, spell
from .statements import SMALL, Profile, Statements
from .syntax import Block, Phrase, Program, Statement, line

STYLES = ("reach_error", "verifier_assert", "verifier_error", "label", "assert", "assert_fail")


def generate(seed: int, profile: Profile = SMALL, data_models: tuple[str, ...] = ("LP64",)) -> Program:
    """The program of a seed, for one of the data models."""
    random = Random(f"argosy {seed}")
    return _Generator(random, profile, random.choice(data_models)).program(seed)


class _Generator(Statements):
    def __init__(self, random: Random, profile: Profile, data_model: str) -> None:
        super().__init__(random, profile, data_model)
        self.style = random.choices(STYLES, (6, 4, 1, 2, 1, 1))[0]
        self.exported: list[str] = []
        self.prologue: list[Statement] = []

    # ---- file scope ---------------------------------------------------------------------------------------

    def program(self, seed: int) -> Program:
        statements = self.preamble()
        statements += self.named_types()
        for _ in range(self.random.randint(1, 3)):
            statements.append(self.global_variable())
        if self.chance(0.3):
            statements += self.array()
        if self.chance(0.2):
            statements += self.structure()
        for _ in range(self.random.randint(0, self.profile.functions)):
            statements += self.function()
        statements += self.main()
        return Program(seed, self.data_model, self.style, tuple(statements), tuple(self.exported), dict(self.points))

    def preamble(self) -> list[Statement]:
        def verifier_only(text: str) -> Statement:
            return line(text.replace("{", "{{").replace("}", "}}"), oracle="")

        declared = [verifier_only("extern void abort(void);"), verifier_only("extern void exit(int);")]
        if self.style in ("reach_error", "verifier_assert"):
            fail = (
                "extern void __assert_fail(const char *, const char *, unsigned int, const char *)"
                " __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));"
            )
            declared += self.random.choice(
                (
                    [verifier_only("extern void reach_error(void);")],
                    [verifier_only("void reach_error() {}")],
                    [verifier_only(fail), verifier_only('void reach_error() { __assert_fail("0", "x.c", 3, "f"); }')],
                )
            )
        elif self.style == "verifier_error":
            declared.append(verifier_only("extern void __VERIFIER_error() __attribute__ ((__noreturn__));"))
        elif self.style == "assert":
            declared.append(verifier_only("extern void assert(int);"))
        elif self.style == "assert_fail":
            declared.append(
                verifier_only("extern void __assert_fail(const char *, const char *, unsigned int, const char *);")
            )
        declared += [verifier_only("extern void __VERIFIER_assume(int);")]
        declared.append(verifier_only("void assume_abort_if_not(int cond) { if (!cond) { abort(); } }"))
        if self.style == "verifier_assert":
            declared.append(
                verifier_only("void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }")
            )
        for ctype in self.types:
            if ctype.choice:
                declared.append(verifier_only(f"extern {ctype.name} __VERIFIER_nondet_{ctype.choice}(void);"))
        declared.append(verifier_only("extern int unknown(void);"))
        return declared

    def named_types(self) -> list[Statement]:
        statements = []
        if self.chance(0.4):
            name, base = self.fresh("t"), self.some_type()
            self.exported.append(name)
            statements.append(line(f"typedef {base.name} {name};"))
            self.types += (replace(base, name=name),)
            self.weights.append(2)
        if self.chance(0.4):
            tag = self.fresh("e")
            names = [self.fresh("E") for _ in range(self.random.randint(2, 3))]
            values = [self.random.choice(("", "", " = 5", " = -2", " = 1 << 4", " = 'x'")) for _ in names]
            self.exported += [tag, *names]
            self.scope.enumerators += names
            inside = ", ".join(name + value for name, value in zip(names, values, strict=True))
            statements.append(line(f"enum {tag} {{{{ {inside} }}}};"))
            self.types += (CType(f"enum {tag}", 32, any("-" in value for value in values)),)
            self.weights.append(2)
        self.expressions.types = self.types
        return statements

    def constant_initialiser(self) -> str:
        style = self.random.random()
        if style < 0.75:
            return self.expressions.constant()
        if style < 0.9 and self.scope.enumerators:
            return f"{self.random.choice(self.scope.enumerators)} + 1"
        return self.random.choice(
            ("3 * 5 - 1", "1 ? 4 : 5", "~0", "sizeof(int) * 2", "-7 / 2", "-7 % 4", "1U << 31", "!3")
        )

    def global_variable(self) -> Statement:
        name = Name(self.fresh("g"), self.some_type())
        self.declare(name)
        self.exported.append(name.text)
        storage = "static " if self.chance(0.3) else ""
        value = f" = {self.constant_initialiser()}" if self.chance(0.6) else ""
        text = f"{storage}{name.ctype.name} {name.text}{value};"
        return line(text, oracle=f"KEPT {text}" if value else f"KEPT {text[:-1]} = 0;")

    # ---- memory -------------------------------------------------------------------------------------------

    def kept(self, text: str) -> Statement:
        """A declaration of the file level that the oracle sets back before each run."""
        return line(text, oracle=f"KEPT {text}")

    def index(self, size: int) -> str:
        """A variable with an arbitrary number below ``size``, a power of two; chosen when the program starts."""
        name = self.fresh("i")
        self.exported.append(name)
        byte = next(t for t in self.types if t.choice == "uchar")
        self.prologue.append(line(f"{name} = {{0}} & {size - 1};", choice(byte, range(size))))
        return name

    def array(self) -> list[Statement]:
        size, ctype = self.random.choice((2, 2, 4)), self.some_type()
        base, pointer, index = self.fresh("a"), self.fresh("q"), self.index(size)
        self.exported += [base, pointer]
        values = ", ".join(self.constant_initialiser() for _ in range(self.random.randint(1, size)))
        self.prologue.append(
            line(
                self.random.choice(
                    (
                        f"{pointer} = &{base}[{index}];",
                        f"{pointer} = {base} + {index};",
                        f"if ({index}) {pointer}++;",
                        f"{pointer} = {index} ? &{base}[1] : {base};",
                    )
                )
            )
        )
        elements = tuple(f"{base}[{k}]" for k in range(size))
        spellings = (*elements, f"{base}[{index}]", f"(*({base} + {index}))", f"(*{pointer})", f"{pointer}[0]")
        self.declare(Name(base, ctype, spellings=spellings))
        return [
            self.kept(f"unsigned char {index} = 0;"),
            self.kept(f"{ctype.name} {base}[{size}] = {{{{ {values} }}}};"),
            self.kept(f"{ctype.name} *{pointer} = {base};"),
        ]

    def structure(self) -> list[Statement]:
        """Two of them that lead to each other; which one a pointer leads to is arbitrary."""
        ctype = self.some_type()
        tag, one, other, pointer = self.fresh("t"), self.fresh("s"), self.fresh("s"), self.fresh("p")
        index = self.index(2)
        self.exported += [tag, one, other, pointer]
        self.prologue.append(
            line(
                self.random.choice(
                    (f"{pointer} = {index} ? &{one} : &{other};", f"if ({index}) {pointer} = {pointer}->next;")
                )
            )
        )
        spellings = (
            f"{one}.m", f"{other}.n[1]", f"{pointer}->m", f"{pointer}->n[{index}]", f"{one}.n[{index}]",
            f"{pointer}->next->m", f"(*{pointer}).n[0]", f"{other}.next->n[{index}]",
        )  # fmt: skip
        self.declare(Name(one, ctype, spellings=spellings))
        value = self.constant_initialiser()
        return [
            line(f"struct {tag} {{{{ {ctype.name} m, n[2]; struct {tag} *next; }}}};"),
            self.kept(f"unsigned char {index} = 0;"),
            line(f"extern struct {tag} {other};"),
            self.kept(f"struct {tag} {one} = {{{{ {value}, .next = &{other} }}}};"),
            self.kept(f"struct {tag} {other} = {{{{ .next = &{one}, .n = {{{{ 0, {value} }}}} }}}};"),
            self.kept(f"struct {tag} *{pointer} = &{one};"),
        ]

    def function(self) -> list[Statement]:
        result = None if self.chance(0.2) else self.some_type()
        parameters = tuple(self.some_type() for _ in range(self.random.randint(0, 2)))
        outside = (self.reads, self.writes, self.asserts, self.weight)
        self.reads, self.writes, self.asserts, self.weight = set(), set(), False, 2
        name = self.fresh("f")
        self.exported.append(name)
        self.result = result
        self.expressions.call_budget = 2
        layer: dict[str, Name] = {}
        self.scope.layers.append(layer)
        for ctype in parameters:
            parameter = Name(self.fresh("p"), ctype)
            layer[parameter.text] = parameter
        globals_ = set(self.scope.layers[0].values())
        listed = ", ".join(f"{n.ctype.name} {n.text}" for n in layer.values()) or self.random.choice(("void", ""))
        head = f"{result.name if result else 'void'} {name}({listed})"
        body: list[Statement] = []
        statics: list[Name] = []
        if self.chance(0.25):
            static = Name(self.fresh("s"), self.some_type())
            text = f"static {static.ctype.name} {static.text} = {self.constant_initialiser()};"
            body.append(line(text, oracle=f"KEPT {text}"))
            layer[static.text] = static
            statics.append(static)
        body += self.statements(self.random.randint(1, self.profile.body))
        if self.style != "label" and self.points_left() and self.chance(0.2):
            body.append(self.watch())
        if result is not None:
            body.append(line("return {0};", self.expression()))
        self.scope.layers.pop()
        outer = globals_ | set(statics)
        routine = Routine(
            name, result, parameters, frozenset(self.reads & outer), frozenset(self.writes & outer), self.asserts,
            max(1, self.weight // 4),
        )  # fmt: skip
        self.reads, self.writes, self.asserts, self.weight = outside
        self.scope.routines.append(routine)
        statements = [line(f"{head};")] if self.chance(0.2) else []
        prefix = self.random.choice(("", "", "static ", "static __inline ")) if not statements else ""
        statements.append(Statement((Phrase(f"{prefix}{head} {{{{"), Block(tuple(body)), Phrase("}}"))))
        return statements

    def main(self) -> list[Statement]:
        self.in_main = True
        self.result = next(t for t in self.types if t.name == "int")
        self.expressions.call_budget = self.profile.calls
        self.scope.layers.append({})
        body: list[Statement] = list(self.prologue)
        for _ in range(self.random.randint(1, self.profile.inputs)):
            body.append(self.input_variable())
        for _ in range(self.random.randint(1, 2)):
            body.append(self.declaration())
        body += self.statements(self.random.randint(3, self.profile.statements))
        body.append(self.watch())
        body.append(line("return 0;"))
        if self.style == "label":
            body.append(line("ERROR: return 1;", oracle="ERROR: reach_error(); return 1;"))
        self.scope.layers.pop()
        return [
            Statement((Phrase(f"int main({self.random.choice(('void', ''))}) {{{{"), Block(tuple(body)), Phrase("}}")))
        ]

    # ---- nondeterministic inputs --------------------------------------------------------------------------

    def input_variable(self) -> Statement:
        ctype = self.random.choice([t for t in self.types if t.choice])
        name = Name(self.fresh("x"), ctype)
        self.declare(name)
        how = self.random.random()
        if ctype.width == 1:
            return line(f"{ctype.name} {name.text} = {{0}};", choice(ctype, (0, 1)))
        if how < 0.15 and ctype.width == 8:
            return line(f"{ctype.name} {name.text} = {{0}};", choice(ctype, range(ctype.low, ctype.high + 1)))
        if how < 0.3:
            mask = self.random.choice((1, 3, 5, 6))
            domain = tuple(v for v in range(mask + 1) if v & ~mask == 0)
            return line(f"{ctype.name} {name.text} = {{0}} & {mask};", choice(ctype, domain))
        if how < 0.4:
            size = self.random.randint(2, 4)
            low = 1 - size if ctype.signed else 0
            return line(f"{ctype.name} {name.text} = {{0}} % {size};", choice(ctype, range(low, size)))
        return self.restricted_input(name)

    def restricted_input(self, name: Name) -> Statement:
        """``x = nondet(); assume(low <= x && x <= high);`` in one of its many spellings. The domain has the values
        inside, their neighbours outside and the extremes: what the restriction must keep out is kept out for all."""
        ctype = name.ctype
        extent = self.random.randint(1, 6)
        anchor = self.random.choices(
            (0, -extent // 2, 1, 5, ctype.high - extent, ctype.low, ctype.high // 2, 120, 0x7FFFFFFF - 2),
            (8, 6, 4, 2, 2, 2, 1, 1, 1),
        )[0]
        low = min(max(anchor, ctype.low), ctype.high - extent)
        high = low + extent
        inside = set(range(low, high + 1))
        domain = sorted(
            inside | {v for v in (low - 1, high + 1, ctype.low, ctype.high) if ctype.low <= v <= ctype.high}
        )
        restriction = self._restriction(name, low, high)
        source = self.random.random()
        value = choice(ctype, domain)
        if source < 0.15 and ctype.name == "int":
            value = choice(ctype, domain, call="unknown()")
        if source > 0.8:
            # An uninitialised variable has any value; the oracle must choose it.
            declared = Phrase(
                f"{ctype.name} {name.text};", (), f"{ctype.name} {name.text} = {value.text(True)};", value.domain
            )
        else:
            declared = Phrase(f"{ctype.name} {name.text} = {{0}};", (value,))
        return Statement((declared, restriction))

    def _restriction(self, name: Name, low: int, high: int) -> Phrase:
        x, a, b = name.text, spell(low), spell(high)
        # A bound that the type itself implies is left out half of the time.
        inside = f"{x} >= {a} && {x} <= {b}"
        outside = f"{x} < {a} || {x} > {b}"
        return Phrase(
            self.random.choice(
                (
                    f"__VERIFIER_assume({inside});",
                    f"assume_abort_if_not({inside});",
                    f"assume_abort_if_not(!({outside}));",
                    f"if ({outside}) return 0;",
                    f"if ({outside}) abort();",
                    f"if (!({inside})) {{{{ exit(0); }}}}",
                )
            )
        )
