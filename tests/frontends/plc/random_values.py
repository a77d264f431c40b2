"""Random expressions of structured text, each with the same expression in C (see ``random_blocks``)."""

from __future__ import annotations

import random
from collections.abc import Callable

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
REALS = {"REAL": ("float", 32), "LREAL": ("double", 64)}
Both = tuple[str, str]


def signed(type: str) -> bool:
    return type in INTEGERS and not type.startswith("U")


def c_number(value: int) -> str:
    return f"(-{-value - 1}LL-1)" if value < 0 else f"{value}{'ULL' if value >= 1 << 63 else 'LL'}"


class Values:
    """``readable`` and ``writable`` are names of variables by their types, ``loops`` the variables of loops around."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.readable: dict[str, list[str]] = {}
        self.writable: dict[str, list[str]] = {}
        self.loops: list[str] = []
        self.depth = 0
        self.matrix = self.random.choice(list(WIDTHS))

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
        if type == self.matrix and self.random.random() < 0.7:
            return self.cell()
        return self.literal(type)

    def element(self) -> Both:
        if self.loops and self.random.random() < 0.7:
            name = self.random.choice(self.loops)
            return f"a[{name}]", f"s->a[s->{name}]"
        if self.random.random() < 0.3:
            return "a[m_usint MOD 4]", "s->a[s->m_usint % 4]"
        index = self.random.randrange(4)
        return f"a[{index}]", f"s->a[{index}]"

    def cell(self) -> Both:
        """An element of the matrix."""
        index = self.random.choice(["m_uint MOD 3, m_usint MOD 2", "1, m_usint MOD 2", "o_ulint MOD 3, 0", "2, 1"])
        c = "".join(f"[s->{part.replace('MOD', '%')}]" if "MOD" in part else f"[{part}]" for part in index.split(", "))
        return f"z[{index}]", f"s->z{c}"

    def cut(self, type: str, c: str) -> str:
        return f"(({WIDTHS[type][0]})({c}))"

    def expression(self, type: str, depth: int = 3) -> Both:
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf(type)
        kinds = ["convert", "sel", "minmax", "limit", "whole"]
        if type in INTEGERS:
            kinds += ["arith"] * 4 + ["div"] * 2 + ["call", "mixed", "quotient"]
        else:
            kinds += ["bitwise"] * 3 + ["shift"] * 3 + ["moved"]
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        match self.random.choice(kinds):
            case "arith":
                op = self.random.choice("+-*")
                return f"({a[0]} {op} {b[0]})", self.cut(type, f"(uint64_t){a[1]} {op} (uint64_t){b[1]}")
            case "div":
                by = self.random.choice([2, 3, 7, 10, 100])
                op, c = self.random.choice([("/", "/"), ("MOD", "%")])
                return f"({a[0]} {op} {by})", self.cut(type, f"{a[1]} {c} (({WIDTHS[type][0]}){by})")
            case "mixed" if WIDTHS[type][1] > 8:
                # The narrower operand is widened; the operation has the width of the wider one.
                narrow = self.random.choice(
                    [n for n in INTEGERS if WIDTHS[n][1] < WIDTHS[type][1] and signed(n) == signed(type)]
                )
                b = self.expression(narrow, depth - 1)
                op = self.random.choice("+-*")
                return f"({b[0]} {op} {a[0]})", self.cut(type, f"(uint64_t){b[1]} {op} (uint64_t){a[1]}")
            case "quotient":
                op, c = self.random.choice([("/", "/"), ("MOD", "%")])
                divisor = f"({b[1]} > 1 ? {b[1]} : ({WIDTHS[type][0]})1)"
                return f"({a[0]} {op} MAX({b[0]}, 1))", self.cut(type, f"{a[1]} {c} {divisor}")
            case "moved":
                width = WIDTHS[type][1]
                name = self.random.choice(["SHL", "SHR", "ROL", "ROR"])
                places, u = "s->m_usint", f"(uint64_t){a[1]}"
                some = f"{places} % {width}"
                c = {
                    "SHL": f"{places} < {width} ? {u} << {places} : 0",
                    "SHR": f"{places} < {width} ? {u} >> {places} : 0",
                    "ROL": f"{some} ? {u} << {some} | {u} >> ({width} - {some}) : {u}",
                    "ROR": f"{some} ? {u} >> {some} | {u} << ({width} - {some}) : {u}",
                }[name]
                return f"{name}({a[0]}, m_usint)", self.cut(type, c)
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
            case "whole" if type in INTEGERS:
                return self.whole(type, depth - 1)
            case "whole" if type in ("DWORD", "LWORD"):
                return self.pattern(type, depth - 1)
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
        type = self.random.choice([*WIDTHS, *REALS])
        made: Callable[[str, int], Both] = self.real if type in REALS else self.expression
        a, b = made(type, depth - 1), made(type, depth - 1)
        op, c = self.random.choice([("<", "<"), ("<=", "<="), (">", ">"), (">=", ">="), ("=", "=="), ("<>", "!=")])
        return f"({a[0]} {op} {b[0]})", f"({a[1]} {c} {b[1]})"

    # ---- real numbers -------------------------------------------------------------------------------------

    def real_literal(self, type: str) -> Both:
        text = self.random.choice(["0.0", "1.0", "-1.5", "0.1", "3.0e10", "-2.5", "7.0e-9", "16777216.0", "3.0e38"])
        return f"{type}#{text}", f"({text}{'f' if type == 'REAL' else ''})"

    def real(self, type: str, depth: int = 2) -> Both:
        f = "f" if type == "REAL" else ""
        if depth <= 0 or self.random.random() < 0.2:
            if self.random.random() < 0.75:
                name = self.random.choice(self.readable[type])
                return name, f"s->{name}"
            return self.real_literal(type)
        a, b = self.real(type, depth - 1), self.real(type, depth - 1)
        match self.random.choice(["arith"] * 5 + ["sign", "root", "minmax", "limit", "from", "other", "bits", "mixed"]):
            case "arith":
                op = self.random.choice("+-*/")
                return f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
            case "sign":
                return self.random.choice([(f"(-{a[0]})", f"(-{a[1]})"), (f"ABS({a[0]})", f"fabs{f}({a[1]})")])
            case "root":
                return f"SQRT({a[0]})", f"sqrt{f}({a[1]})"
            case "minmax":
                return self.random.choice(
                    [
                        (f"MIN({a[0]}, {b[0]})", f"({b[1]} < {a[1]} ? {b[1]} : {a[1]})"),
                        (f"MAX({a[0]}, {b[0]})", f"({b[1]} < {a[1]} ? {a[1]} : {b[1]})"),
                    ]
                )
            case "limit":
                c = f"({b[1]} < -1 ? -1 : {b[1]} > 1000 ? 1000 : {b[1]})"
                return f"LIMIT(-1.0, {b[0]}, 1000.0)", c
            case "from":
                source = self.random.choice(INTEGERS)
                inner = self.expression(source, depth - 1)
                return f"{source}_TO_{type}({inner[0]})", f"(({REALS[type][0]}){inner[1]})"
            case "mixed":
                inner = self.expression(self.random.choice(["SINT", "INT", "UINT"]), depth - 1)
                op = self.random.choice("+-*/")
                return f"({a[0]} {op} {inner[0]})", f"({a[1]} {op} ({REALS[type][0]}){inner[1]})"
            case "bits":
                source = {"REAL": "DWORD", "LREAL": "LWORD"}[type]
                inner = self.expression(source, depth - 1)
                return f"{source}_TO_{type}({inner[0]})", f"of_bits{f}({inner[1]})"
        source = {"REAL": "LREAL", "LREAL": "REAL"}[type]
        inner = self.real(source, depth - 1)
        return f"{source}_TO_{type}({inner[0]})", f"(({REALS[type][0]}){inner[1]})"

    def whole(self, type: str, depth: int) -> Both:
        """A whole number from a real one that is made to fit: what does not is not compared."""
        source = self.random.choice(list(REALS))
        f = "f" if source == "REAL" else ""
        x = self.real(source, depth)
        low, high = ("-100.0" if signed(type) else "0.0"), "120.0"
        name, function = self.random.choice(
            [(f"{source}_TO_{type}", "rint"), (f"{source}_TRUNC_{type}", "trunc"), ("FLOOR", "floor"), ("CEIL", "ceil")]
        )
        text = f"{name}(SEL({x[0]} = {x[0]}, 0.5, LIMIT({low}, {x[0]}, {high})))"
        if name in ("FLOOR", "CEIL"):
            text = f"DINT_TO_{type}({text})" if type != "DINT" else text
        c = f"{function}{f}({x[1]} == {x[1]} ? ({x[1]} < {low} ? {low} : {x[1]} > {high} ? {high} : {x[1]}) : 0.5)"
        return text, self.cut(type, c)

    def pattern(self, type: str, depth: int) -> Both:
        """The bits of a number."""
        source = {"DWORD": "REAL", "LWORD": "LREAL"}[type]
        x = self.real(source, depth)
        text = f"SEL({x[0]} = {x[0]}, {type}#0, {source}_TO_{type}({x[0]}))"
        return text, self.cut(type, f"{x[1]} == {x[1]} ? bits{'f' if type == 'DWORD' else ''}({x[1]}) : 0")
