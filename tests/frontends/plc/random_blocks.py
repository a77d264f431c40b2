"""Random function blocks, written twice: as structured text, and as C by a way of its own.

Nothing of the front end is used here. A block has inputs, outputs, memory, an array, a timer and a function; arithmetic
of all widths, conversions, branches, loops. In C every operation is done in 64 bits without a sign and cut to its type;
timers count from the moment at which they were started.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

WIDTHS = {
    "SINT": ("int8_t", 8),
    "INT": ("int16_t", 16),
    "DINT": ("int32_t", 32),
    "LINT": ("int64_t", 64),
    "USINT": ("uint8_t", 8),
    "UINT": ("uint16_t", 16),
    "UDINT": ("uint32_t", 32),
    "ULINT": ("uint64_t", 64),
    "BYTE": ("uint8_t", 8),
    "WORD": ("uint16_t", 16),
    "DWORD": ("uint32_t", 32),
    "LWORD": ("uint64_t", 64),
}
INTEGERS = tuple(name for name in WIDTHS if name.endswith("INT"))
STRINGS = ("BYTE", "WORD", "DWORD", "LWORD")
CYCLES = 8
Both = tuple[str, str]

PRELUDE = """#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct { int running, q; int64_t start, et; } timer;
static void ton(timer *t, int in, int64_t pt, int64_t now) {
  if (!in) { t->q = 0; t->et = 0; t->running = 0; return; }
  if (t->q) return;
  if (!t->running) { t->running = 1; t->start = now; }
  int64_t gone = now - t->start;
  if (gone >= pt) { t->q = 1; t->et = pt; t->running = 0; } else t->et = gone;
}
static void tof(timer *t, int in, int64_t pt, int64_t now) {
  if (in) { t->q = 1; t->et = 0; t->running = 0; return; }
  if (!t->q) return;
  if (!t->running) { t->running = 1; t->start = now; }
  int64_t gone = now - t->start;
  if (gone >= pt) { t->q = 0; t->et = pt; t->running = 0; } else t->et = gone;
}
"""


def signed(type: str) -> bool:
    return type in INTEGERS and not type.startswith("U")


@dataclass
class Block:
    """``inputs`` has for each cycle the values of the inputs, ``passed`` the milliseconds before it."""

    text: str
    c: str
    outputs: list[str]
    inputs: list[dict[str, int]] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.readable: dict[str, list[str]] = {}
        self.writable: dict[str, list[str]] = {}
        self.loops: list[str] = []
        self.depth = 0

    # ---- expressions: (structured text, C) ----------------------------------------------------------------

    def number(self, type: str) -> int:
        width = WIDTHS[type][1]
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed(type) else (0, (1 << width) - 1)
        near = [0, 1, 2, 3, 7, low, high, high - 1, self.random.randint(low, high)]
        return self.random.choice([value for value in near if low <= value <= high])

    def literal(self, type: str) -> Both:
        value = self.number(type)
        suffix = "LL" if signed(type) else "ULL"
        c = f"(-{-value - 1}LL-1)" if value < 0 else f"{value}{suffix}"
        return f"{type}#{value}" if value >= 0 else f"{type}#-{-value}", f"(({WIDTHS[type][0]}){c})"

    def leaf(self, type: str) -> Both:
        names = self.readable.get(type, [])
        if names and self.random.random() < 0.75:
            name = self.random.choice(names)
            return name, f"s->{name}"
        if type == "INT" and self.random.random() < 0.5:
            return self.element()
        return self.literal(type)

    def element(self) -> Both:
        if self.loops and self.random.random() < 0.7:
            name = self.random.choice(self.loops)
            return f"a[{name}]", f"s->a[s->{name}]"
        index = self.random.randrange(4)
        return f"a[{index}]", f"s->a[{index}]"

    def cut(self, type: str, c: str) -> str:
        return f"(({WIDTHS[type][0]})({c}))"

    def expression(self, type: str, depth: int = 3) -> Both:
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf(type)
        kinds = ["convert", "sel", "minmax", "limit"]
        kinds += ["arith"] * 4 + ["div"] * 2 + ["call"] if type in INTEGERS else ["bitwise"] * 3 + ["shift"] * 3
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        match self.random.choice(kinds):
            case "arith":
                op = self.random.choice("+-*")
                return f"({a[0]} {op} {b[0]})", self.cut(type, f"(uint64_t){a[1]} {op} (uint64_t){b[1]}")
            case "div":
                by = self.random.choice([2, 3, 7, 10, 100])
                op, c = self.random.choice([("/", "/"), ("MOD", "%")])
                return f"({a[0]} {op} {by})", self.cut(type, f"{a[1]} {c} (({WIDTHS[type][0]}){by})")
            case "bitwise":
                op, c = self.random.choice([("AND", "&"), ("OR", "|"), ("XOR", "^")])
                return f"({a[0]} {op} {b[0]})", self.cut(type, f"{a[1]} {c} {b[1]}")
            case "shift":
                width = WIDTHS[type][1]
                by = self.random.randrange(1, width)
                name = self.random.choice(["SHL", "SHR", "ROL", "ROR"])
                u = f"(uint64_t){a[1]}"
                c = {
                    "SHL": f"{u} << {by}",
                    "SHR": f"{u} >> {by}",
                    "ROL": f"{u} << {by} | {u} >> {width - by}",
                    "ROR": f"{u} >> {by} | {u} << {width - by}",
                }[name]
                return f"{name}({a[0]}, {by})", self.cut(type, c)
            case "sel":
                g = self.condition(depth - 1)
                return f"SEL({g[0]}, {a[0]}, {b[0]})", f"({g[1]} ? {b[1]} : {a[1]})"
            case "minmax":
                name, c = self.random.choice([("MIN", "<"), ("MAX", ">")])
                return f"{name}({a[0]}, {b[0]})", f"({a[1]} {c} {b[1]} ? {a[1]} : {b[1]})"
            case "limit":
                low, high = sorted((self.number(type), self.number(type)))
                kept = f"({a[1]} < ({WIDTHS[type][0]}){c_number(low)} ? ({WIDTHS[type][0]}){c_number(low)} : {a[1]})"
                top = f"(({WIDTHS[type][0]}){c_number(high)})"
                return f"LIMIT({type}#{low}, {a[0]}, {type}#{high})", f"({kept} > {top} ? {top} : {kept})"
            case "call" if type == "INT":
                return f"f(x := {a[0]}, y := {b[0]})", f"f{self.seed}({a[1]}, {b[1]})"
        source = self.random.choice([each for each in WIDTHS if each != type])
        inner = self.expression(source, depth - 1)
        return f"{source}_TO_{type}({inner[0]})", self.cut(type, inner[1])

    def condition(self, depth: int = 2) -> Both:
        if depth <= 0 or self.random.random() < 0.3:
            name = self.random.choice(self.readable["BOOL"])
            return name, f"s->{name}"
        match self.random.randrange(4):
            case 0:
                a, b = self.condition(depth - 1), self.condition(depth - 1)
                op, c = self.random.choice([("AND", "&"), ("OR", "|"), ("XOR", "^")])
                return f"({a[0]} {op} {b[0]})", f"({a[1]} {c} {b[1]})"
            case 1:
                a = self.condition(depth - 1)
                return f"(NOT {a[0]})", f"(!{a[1]})"
        type = self.random.choice(list(WIDTHS))
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        op, c = self.random.choice([("<", "<"), ("<=", "<="), (">", ">"), (">=", ">="), ("=", "=="), ("<>", "!=")])
        return f"({a[0]} {op} {b[0]})", f"({a[1]} {c} {b[1]})"

    # ---- statements ---------------------------------------------------------------------------------------

    def statements(self, count: int) -> Both:
        text, c = "", ""
        for _ in range(count):
            one = self.statement()
            text, c = text + one[0] + "\n", c + one[1] + "\n"
        return text, c

    def statement(self) -> Both:
        self.depth += 1
        try:
            kind = self.random.choice(
                ["assign"] * 5 + (["if", "case", "for", "while"] if self.depth < 4 else ["array"])
            )
            made: Both = getattr(self, f"_{kind}")()
            return made
        finally:
            self.depth -= 1

    def _assign(self) -> Both:
        type = self.random.choice([*WIDTHS, "BOOL"])
        name = self.random.choice(self.writable[type])
        value = self.condition() if type == "BOOL" else self.expression(type)
        return f"{name} := {value[0]};", f"s->{name} = {value[1]};"

    def _array(self) -> Both:
        target, value = self.element(), self.expression("INT", 2)
        return f"{target[0]} := {value[0]};", f"{target[1]} = {value[1]};"

    def _if(self) -> Both:
        g, h = self.condition(), self.condition()
        one, two, three = self.statements(2), self.statements(1), self.statements(1)
        text = f"IF {g[0]} THEN\n{one[0]}ELSIF {h[0]} THEN\n{two[0]}ELSE\n{three[0]}END_IF;"
        return text, f"if ({g[1]}) {{\n{one[1]}}} else if ({h[1]}) {{\n{two[1]}}} else {{\n{three[1]}}}"

    def _case(self) -> Both:
        selector = self.expression("INT", 2)
        one, two, three = self.statements(1), self.statements(1), self.statements(1)
        text = f"CASE {selector[0]} OF\n0, 5: {one[0]}1..4: {two[0]}ELSE\n{three[0]}END_CASE;"
        c = f"{{ int16_t k = {selector[1]}; if (k == 0 || k == 5) {{ {one[1]} }} "
        return text, c + f"else if (k >= 1 && k <= 4) {{ {two[1]} }} else {{ {three[1]} }} }}"

    def _for(self) -> Both:
        free = [name for name in ("i0", "i1") if name not in self.loops]
        if not free:
            return self._array()
        name = free[0]
        first, last, step = self.random.choice([(0, 3, 1), (3, 0, -1), (0, 3, 2), (1, 2, 1)])
        self.loops.append(name)
        inner, array = self.statements(1), self._array()
        leave = self.random.random() < 0.3
        g = self.condition() if leave else ("", "")
        self.loops.pop()
        text = f"FOR {name} := {first} TO {last} BY {step} DO\n{array[0]}\n{inner[0]}"
        going = f"s->{name} {'<=' if step > 0 else '>='} {last}"
        c = f"for (s->{name} = {first}; {going}; s->{name} += {step}) {{\n{array[1]}\n{inner[1]}"
        if leave:
            word = self.random.choice(["EXIT", "CONTINUE"])
            text += f"IF {g[0]} THEN {word}; END_IF;\n"
            c += f"if ({g[1]}) {{ {'break' if word == 'EXIT' else 'continue'}; }}\n"
        return text + "END_FOR;", c + "}"

    def _while(self) -> Both:
        """A loop whose bound is not known: it does not go on for more than six rounds."""
        if "w" in self.loops:
            return self._assign()
        self.loops.append("w")
        g, inner = self.condition(), self.statements(1)
        self.loops.pop()
        text = f"w := 0;\nWHILE (w < 3) AND {g[0]} DO\nw := w + 1;\n{inner[0]}END_WHILE;"
        return text, f"s->w = 0;\nwhile (s->w < 3 && {g[1]}) {{\ns->w = s->w + 1;\n{inner[1]}}}"

    def block(self) -> Block:
        inputs = {f"in{k}": type for k, type in enumerate(self.random.sample(list(WIDTHS), 3))} | {
            "e": "BOOL",
            "r": "BOOL",
        }
        outputs = {f"o_{type.lower()}": type for type in [*WIDTHS, "BOOL"]}
        memory = {f"m_{type.lower()}": type for type in [*WIDTHS, "BOOL"]}
        for name, type in (inputs | outputs | memory).items():
            self.readable.setdefault(type, []).append(name)
        for name, type in (outputs | memory).items():
            self.writable.setdefault(type, []).append(name)
        timers = self.random.choice(["TON", "TOF"])
        wait = self.random.choice([0, 20, 35])
        body = self.statements(5)
        text = (
            "FUNCTION f : INT VAR_INPUT x, y : INT; END_VAR\n"
            "IF x > y THEN f := x - y; RETURN; END_IF;\nf := f + y - x + 1;\nEND_FUNCTION\n"
            f"FUNCTION_BLOCK b\nVAR_INPUT {_declared(inputs)} END_VAR\nVAR_OUTPUT {_declared(outputs)} END_VAR\n"
            f"VAR {_declared(memory)} a : ARRAY[0..3] OF INT; i0, i1, w : INT; t : {timers}; END_VAR\n{body[0]}"
            f"t(IN := e, PT := T#{wait}ms);\nm_bool := m_bool XOR t.Q;\no_dint := o_dint + TIME_TO_DINT(t.ET);\n"
            "END_FUNCTION_BLOCK\n"
        )
        fields = "".join(f"{_c_type(type)} {name}; " for name, type in (inputs | outputs | memory).items())
        c = (
            f"typedef struct {{ {fields} int16_t a[4]; int16_t i0, i1, w; timer t; }} b{self.seed};\n"
            f"static int16_t f{self.seed}(int16_t x, int16_t y) {{ if (x > y) return (int16_t)(x - y); "
            f"return (int16_t)(y - x + 1); }}\n"
            f"static void run{self.seed}(b{self.seed} *s, int64_t now) {{\n{body[1]}"
            f"{timers.lower()}(&s->t, s->e, {wait}, now);\ns->m_bool = s->m_bool ^ s->t.q;\n"
            f"s->o_dint = (int32_t)((uint32_t)s->o_dint + (uint32_t)s->t.et);\n}}\n"
        )
        rows = [
            {name: self.random.randrange(2) if type == "BOOL" else self.number(type) for name, type in inputs.items()}
            for _ in range(CYCLES)
        ]
        passed = [self.random.choice([1, 10, 20]) for _ in range(CYCLES)]
        main, now = f"static void go{self.seed}(void) {{ b{self.seed} v; memset(&v, 0, sizeof v);\n", 0
        for row, gone in zip(rows, passed, strict=True):
            now += gone
            main += "".join(f"v.{name} = {c_number(value)}; " for name, value in row.items())
            main += f"run{self.seed}(&v, {now});\n"
            for name, type in outputs.items():
                wide = f"(long long)v.{name}" if signed(type) else f"(unsigned long long)v.{name}"
                main += f'printf("{"%lld" if signed(type) else "%llu"} ", {wide});'
            main += 'printf("\\n");\n'
        return Block(text, c + main + "}\n", list(outputs), rows, passed)


def c_number(value: int) -> str:
    return f"(-{-value - 1}LL-1)" if value < 0 else f"{value}{'ULL' if value >= 1 << 63 else 'LL'}"


def _declared(variables: dict[str, str]) -> str:
    return "".join(f"{name} : {type}; " for name, type in variables.items())


def _c_type(type: str) -> str:
    return "int" if type == "BOOL" else WIDTHS[type][0]
