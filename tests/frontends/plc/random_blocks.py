"""Random function blocks, written twice: as structured text, and as C by a way of its own.

Nothing of the front end is used here. A block has inputs, outputs, memory, an array, a matrix, a timer that is not
always called, a counter, triggers and a function; arithmetic of all widths, conversions, branches, loops. In C every
operation on whole numbers is done in 64 bits without a sign and cut to its type, real numbers are float and double, and
timers count from the moment at which they started. The bits of a real number are put out; of what is none, all ones.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.frontends.plc.random_values import REALS, STRINGS, WIDTHS, Both, Values, c_number, signed

CYCLES = 8

PRELUDE = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t bitsf(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static float of_bitsf(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }
static double of_bits(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
typedef struct { int running, q, over; int64_t start, et; } timer;
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
static void tp(timer *t, int in, int64_t pt, int64_t now) {
  if (!t->running && !t->over && in) { t->running = 1; t->start = now; t->q = 1; t->et = 0; }
  if (t->running) {
    t->et = now - t->start;
    if (t->et >= pt) { t->running = 0; t->over = 1; t->q = 0; t->et = pt; }
  }
  if (t->over && !in) { t->over = 0; t->et = 0; }
}
typedef struct { int up, down; int16_t cv; } counter;
static void ctud(counter *c, int cu, int cd, int reset, int load, int16_t pv) {
  int rises = cu && !c->up, falls = cd && !c->down;
  c->up = cu; c->down = cd;
  if (reset) c->cv = 0;
  else if (load) c->cv = pv;
  else if (rises && !falls) { if (c->cv < 32767) c->cv++; }
  else if (falls && !rises) { if (c->cv > -32768) c->cv--; }
}
"""


@dataclass
class Block:
    """``inputs`` has for each cycle the values of the inputs, ``passed`` the milliseconds before it."""

    text: str
    c: str
    outputs: list[str]
    inputs: Sequence[Mapping[str, int | float]] = ()
    passed: Sequence[int] = ()


class Generator(Values):
    """Blocks."""

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
                ["assign"] * 5
                + ["entry", "bit"]
                + (["if", "case", "for", "while", "repeat"] if self.depth < 4 else ["array"])
            )
            made: Both = getattr(self, f"_{kind}")()
            return made
        finally:
            self.depth -= 1

    def _assign(self) -> Both:
        type = self.random.choice([*WIDTHS, *REALS, *REALS, "BOOL"])
        name = self.random.choice(self.writable[type])
        made = self.real if type in REALS else self.expression
        value = self.condition() if type == "BOOL" else made(type)
        return f"{name} := {value[0]};", f"s->{name} = {value[1]};"

    def _array(self) -> Both:
        target, value = self.element(), self.expression("INT", 2)
        return f"{target[0]} := {value[0]};", f"{target[1]} = {value[1]};"

    def _entry(self) -> Both:
        target, value = self.cell(), self.expression(self.matrix, 2)
        return f"{target[0]} := {value[0]};", f"{target[1]} = {value[1]};"

    def _bit(self) -> Both:
        type = self.random.choice(STRINGS)
        name, bit = self.random.choice(self.writable[type]), self.random.randrange(WIDTHS[type][1])
        g = self.condition()
        mask = f"((uint64_t)1 << {bit})"
        c = f"s->{name} = {g[1]} ? s->{name} | {mask} : s->{name} & ~{mask};"
        return f"{name}.{bit} := {g[0]};", c

    def _repeat(self) -> Both:
        if "u" in self.loops:
            return self._entry()
        self.loops.append("u")
        inner, g = self.statements(1), self.condition()
        self.loops.pop()
        text = f"u := 0;\nREPEAT\nu := u + 1;\n{inner[0]}UNTIL (u >= 3) OR {g[0]} END_REPEAT;"
        return text, f"s->u = 0;\ndo {{\ns->u = s->u + 1;\n{inner[1]}}} while (!(s->u >= 3 || {g[1]}));"

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
            self.random.choice(["x", "y"]): self.random.choice(list(REALS)),
        }
        outputs = {f"o_{type.lower()}": type for type in [*WIDTHS, *REALS, "BOOL"]}
        memory = {f"m_{type.lower()}": type for type in [*WIDTHS, *REALS, "BOOL"]}
        for name, type in (inputs | outputs | memory).items():
            self.readable.setdefault(type, []).append(name)
        for name, type in (outputs | memory).items():
            self.writable.setdefault(type, []).append(name)
        timers = self.random.choice(["TON", "TOF", "TP"])
        called = self.random.choice(["TRUE", "NOT r"])
        wait = self.random.choice([0, 20, 35])
        body = self.statements(5)
        text = (
            "FUNCTION f : INT VAR_INPUT x, y : INT; END_VAR\n"
            "IF x > y THEN f := x - y; RETURN; END_IF;\nf := f + y - x + 1;\nEND_FUNCTION\n"
            f"FUNCTION_BLOCK b\nVAR_INPUT {_declared(inputs)} END_VAR\nVAR_OUTPUT {_declared(outputs)} END_VAR\n"
            f"VAR {_declared(memory)} a : ARRAY[0..3] OF INT; i0, i1, w, u : INT; t : {timers}; c : CTUD;\n"
            f"z : ARRAY[0..2, 0..1] OF {self.matrix}; up : R_TRIG; down : F_TRIG; END_VAR\n{body[0]}"
            "c(CU := e, CD := o_bool, R := r AND m_bool, LD := r AND NOT m_bool, PV := m_int);\n"
            "o_int := o_int + c.CV;\nIF c.QU XOR c.QD THEN o_sint := o_sint + 1; END_IF;\n"
            "up(CLK := r); down(CLK := r);\nIF up.Q OR down.Q THEN o_usint := o_usint + 1; END_IF;\n"
            f"IF {called} THEN t(IN := e, PT := T#{wait}ms); END_IF;\n"
            "m_bool := m_bool XOR t.Q;\no_dint := o_dint + TIME_TO_DINT(t.ET);\n"
            "END_FUNCTION_BLOCK\n"
        )
        fields = "".join(f"{_c_type(type)} {name}; " for name, type in (inputs | outputs | memory).items())
        c = (
            f"typedef struct {{ {fields} int16_t a[4]; int16_t i0, i1, w, u; timer t; counter c; int before; "
            f"{WIDTHS[self.matrix][0]} z[3][2]; }} b{self.seed};\n"
            f"static int16_t f{self.seed}(int16_t x, int16_t y) {{ if (x > y) return (int16_t)(x - y); "
            f"return (int16_t)(y - x + 1); }}\n"
            f"static void run{self.seed}(b{self.seed} *s, int64_t now) {{\n{body[1]}"
            "ctud(&s->c, s->e, s->o_bool, s->r && s->m_bool, s->r && !s->m_bool, s->m_int);\n"
            "s->o_int = (int16_t)(s->o_int + s->c.cv);\n"
            "if ((s->c.cv >= s->m_int) != (s->c.cv <= 0)) s->o_sint = (int8_t)(s->o_sint + 1);\n"
            "if (s->r + 1 != s->before) s->o_usint = (uint8_t)(s->o_usint + 1);\ns->before = s->r + 1;\n"
            f"if ({'!s->r' if called == 'NOT r' else '1'}) {timers.lower()}(&s->t, s->e, {wait}, now);\n"
            "s->m_bool = s->m_bool ^ s->t.q;\n"
            f"s->o_dint = (int32_t)((uint32_t)s->o_dint + (uint32_t)s->t.et);\n}}\n"
        )
        rows = [{name: self._given(type) for name, type in inputs.items()} for _ in range(CYCLES)]
        passed = [self.random.choice([1, 10, 20]) for _ in range(CYCLES)]
        main, now = f"static void go{self.seed}(void) {{ b{self.seed} v; memset(&v, 0, sizeof v);\n", 0
        for row, gone in zip(rows, passed, strict=True):
            now += gone
            main += "".join(f"v.{name} = {_c_value(value)}; " for name, value in row.items())
            main += f"run{self.seed}(&v, {now});\n"
            for name, type in outputs.items():
                if type in REALS:
                    number = f"bits{'f' if type == 'REAL' else ''}(v.{name})"
                    main += f'printf("%lld ", v.{name} == v.{name} ? (long long){number} : -1LL);'
                    continue
                wide = f"(long long)v.{name}" if signed(type) else f"(unsigned long long)v.{name}"
                main += f'printf("{"%lld" if signed(type) else "%llu"} ", {wide});'
            main += 'printf("\\n");\n'
        return Block(text, c + main + "}\n", list(outputs), rows, passed)

    def _given(self, type: str) -> int | float:
        """What an input is in a cycle."""
        if type == "BOOL":
            return self.random.randrange(2)
        if type not in REALS:
            return self.number(type)
        near = [0.0, -0.0, 1.0, -7.5, 1e-40, math.inf, math.nan, self.random.uniform(-1000, 1000)]
        value = self.random.choice(near)
        return struct.unpack("<f", struct.pack("<f", value))[0] if type == "REAL" else value


def _c_value(value: int | float) -> str:
    if isinstance(value, int):
        return c_number(value)
    return "NAN" if math.isnan(value) else "INFINITY" if math.isinf(value) else value.hex()


def _declared(variables: dict[str, str]) -> str:
    return "".join(f"{name} : {type}; " for name, type in variables.items())


def _c_type(type: str) -> str:
    return "int" if type == "BOOL" else (WIDTHS | REALS)[type][0]
