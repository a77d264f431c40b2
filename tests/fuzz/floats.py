"""Random C programs about floats: arithmetic, comparisons, conversions from and to all integers, ``math.h``, memory.

Numbers are of all kinds: denormal ones, zeros of both signs, infinities, what is no number. What a NaN looks like is
left open by C, so that no program shows its bits or its sign. Conversions to integers are guarded by comparisons.
"""

from __future__ import annotations

from random import Random

from .arithmetic import INPUTS as INTEGER_INPUTS
from .arithmetic import TYPES as INTEGERS
from .compiled import SHOWN, Program

NUMBERS = (
    "0.0", "1.0", "0.5", "1.5", "2.0", "3.0", "0.1", "0.2", "0.3", "10.0", "1e10", "1e-10", "123456.789", "16777216.0",
    "16777217.0", "2147483648.0", "4294967295.0", "9007199254740993.0", "9223372036854775808.0", "1e30", "1e-30",
    "3.4028235e38", "1.17549435e-38", "1e-45", "5e-324", "1.7976931348623157e308", "2.2250738585072014e-308",
    "0x1p-126", "0x1.fffffep127", "0x1p-149", "0x1.fffffffffffffp1023", "0x1p-1074", "0x.8p1", ".25", "7.", "1e400",
)  # fmt: skip
UNARY = ("fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt")
BINARY = ("fmod", "fdim")
CLASSES = ("__builtin_isnan", "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_isnormal")
ORDERS = ("isless", "islessequal", "isgreater", "isgreaterequal", "islessgreater", "isunordered")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
# The least and the first that is too large, for the types that ``INTEGERS`` names.
RANGES = {
    "char": ("-129.0", "128.0"), "signed char": ("-129.0", "128.0"), "unsigned char": ("-1.0", "256.0"),
    "short": ("-32769.0", "32768.0"), "unsigned short": ("-1.0", "65536.0"),
    "int": ("-2147483649.0", "2147483648.0"), "unsigned": ("-1.0", "4294967296.0"),
    "long": ("-9223372036854775809.0", "9223372036854775808.0"), "unsigned long": ("-1.0", "18446744073709551616.0"),
    "long long": ("-9223372036854775809.0", "9223372036854775808.0"),
    "unsigned long long": ("-1.0", "18446744073709551616.0"),
}  # fmt: skip
HEAD = """
extern double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double), nearbyint(double);
extern double sqrt(double), fmod(double, double), fdim(double, double), copysign(double, double);
extern double modf(double, double *);
extern float fabsf(float), floorf(float), ceilf(float), truncf(float), roundf(float), rintf(float), nearbyintf(float);
extern float sqrtf(float), fmodf(float, float), fdimf(float, float), modff(float, float *), copysignf(float, float);
extern double fmin(double, double), fmax(double, double);
extern float fminf(float, float), fmaxf(float, float);
union fw { float f; unsigned u; unsigned char b[4]; };
union dw { double d; unsigned long long u; struct { unsigned low, high; } p; };
struct pair { float f; double d; int i; };
static unsigned bitsf(float x) { union fw w; if (x != x) return 0x7fc00000u; w.f = x; return w.u; }
static unsigned long long bitsd(double x) { union dw w; if (x != x) return 1ull; w.d = x; return w.u; }
static float madef(unsigned u) { union fw w; w.u = u; return w.f; }
static double maded(unsigned long long u) { union dw w; w.u = u; return w.d; }
"""


class _Generator:
    def __init__(self, seed: int) -> None:
        self.random = Random(f"floats {seed}")
        self.lines: list[str] = []
        self.floats: dict[str, list[str]] = {"float": [], "double": []}
        self.integers: list[str] = []
        self.exported = ["main", "r", "seen", "mark", "takef", "taked", "take", "bitsf", "bitsd", "madef", "maded"]
        self.exported += ["fw", "dw", "pair", "table", "pair0", "fn", "dn"]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, items: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(items)

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def type(self) -> str:
        return self.pick(("float", "double"))

    # ---- expressions -------------------------------------------------------------------------------------

    def literal(self, type_: str) -> str:
        text = self.pick(NUMBERS)
        if self.chance(15):
            exponent = self.random.randint(-45, 39) if type_ == "float" else self.random.randint(-324, 308)
            text = f"{self.random.randint(1, 99)}.{self.random.randint(0, 999)}e{exponent}"
        text = f"{text}{'f' if type_ == 'float' or self.chance(20) else ''}"
        if self.chance(5):
            return "(0.0f / 0.0f)" if self.chance(50) else "(1.0 / 0.0)"
        return f"(-{text})" if self.chance(30) else text

    def number(self, type_: str, depth: int) -> str:
        """An expression of some floating type, which ``type_`` is likely to be."""
        if depth <= 0 or self.chance(15):
            return self.pick(self.floats[type_]) if self.floats[type_] and self.chance(70) else self.literal(type_)

        def inner(other: str = type_) -> str:
            return self.number(other, depth - 1)

        suffix = "f" if type_ == "float" else ""
        match self.random.randrange(16):
            case 0 | 1 | 2 | 3 | 4 | 5:
                return f"({inner()} {self.pick(('+', '-', '*', '/'))} {inner()})"
            case 6:
                return f"(-{inner()})"
            case 7:
                return f"(({type_})({inner(self.type())}))"
            case 8:
                return f"({type_})({self.integer(depth - 1)})"
            case 9:
                return f"{self.pick(UNARY)}{suffix}({inner()})"
            case 10:
                return f"{self.pick(BINARY)}{suffix}({inner()}, {inner()})"
            case 11:
                return f"({self.condition(depth - 1)} ? {inner()} : {inner()})"
            case 12:
                return f"({inner()} + {self.integer(depth - 1)})"
            case 13:
                other = self.literal(type_)
                return f"copysign{suffix}({inner()}, {other if '/' not in other else '-1.0'})"
            case 14:
                return f"{self.pick(('fmin', 'fmax'))}{suffix}({inner()} , {self.pick(('1.5', '-2.0', '1e9'))})"
        return f"({inner(self.type())} {self.pick(('+', '-', '*', '/'))} {inner(self.type())})"

    def condition(self, depth: int) -> str:
        type_ = self.type()
        a, b = self.number(type_, depth - 1), self.number(self.type(), depth - 1)
        match self.random.randrange(6):
            case 0:
                return f"(!{a})"
            case 1:
                return f"({a} && {b})"
            case 2:
                return f"{self.pick(CLASSES)}({a})"
            case 3:
                return f"__builtin_{self.pick(ORDERS)}({a}, {b})"
        return f"({a} {self.pick(COMPARISONS)} {b})"

    def integer(self, depth: int) -> str:
        if depth <= 0 or self.chance(30) or not self.integers:
            return self.pick(self.integers) if self.integers and self.chance(70) else str(self.random.randint(-9, 999))
        if self.chance(40):
            return self.condition(depth - 1)
        return f"({self.pick(INTEGERS)})({self.pick(self.integers)})"

    # ---- statements --------------------------------------------------------------------------------------

    def statement(self) -> None:
        type_ = self.type()
        name, value = self.pick(self.floats[type_]), self.number(type_, 3)
        match self.random.randrange(12):
            case 0 | 1 | 2:
                self.emit(f"{name} = {value};")
            case 3:
                self.emit(f"{name} {self.pick(('+', '-', '*', '/'))}= {value};")
            case 4:
                self.emit(f"{self.pick((f'{name}++', f'--{name}', f'++{name}', f'{name}--'))};")
            case 5 | 6:
                target = self.pick(INTEGERS[1:])
                low, high = RANGES[target]
                self.emit(f"{{ {type_} v = {value}; if (v > {low} && v < {high}) take(({target})v); take((_Bool)v); }}")
            case 7:
                self.emit(f"if ({self.condition(3)}) take(1); else take(2);")
            case 8:
                self.emit(f"{{ struct pair p = {{ {value}, 1.25, {self.integer(2)} }}; p.d = p.f * p.i; pair0 = p; }}")
                self.emit("takef(pair0.f); taked(pair0.d);")
            case 9:
                self.emit(f"table[{self.integer(1)} & 3] = {value}; takef(table[{self.integer(1)} & 3]);")
            case 10:
                suffix, take = ("f", "takef") if type_ == "float" else ("", "taked")
                self.emit(f"{{ {type_} whole; {take}(modf{suffix}({value}, &whole)); {take}(whole); }}")
            case _:
                own = "fw" if type_ == "float" else "dw"
                letter = "f" if type_ == "float" else "d"
                self.emit(f"{{ union {own} w; {type_} v = {value}; if (v == v) {{ w.{letter} = v; ")
                self.emit(f"w.u ^= {self.random.randint(0, 255)}u; {name} = w.{letter}; }} }}")

    def program(self) -> Program:
        for type_, name in zip(INTEGERS, INTEGER_INPUTS, strict=True):
            if type_ != "signed char":
                self.emit(f"extern {type_} __VERIFIER_nondet_{name}(void);")
        self.lines += HEAD.strip().splitlines()
        self.emit("unsigned r, seen; struct pair pair0; float table[4];")
        for number in range(self.random.randint(4, 7)):
            type_, name = self.type(), f"x{number}"
            self.emit(f"{type_} {name} = {self.literal(type_)};")
            self.floats[type_].append(name)
            self.exported.append(name)
        for type_ in self.floats:
            name = f"{type_[0]}n"
            self.emit(f"{type_} {name};")
            self.floats[type_].append(name)
        for number in range(3):
            name = f"i{number}"
            self.emit(f"{self.pick(INTEGERS)} {name} = {self.random.randint(-3, 90)};")
            self.integers.append(name)
            self.exported.append(name)
        self.emit("static void take(unsigned long long v) { r = r * 31u + (unsigned)v + (unsigned)(v >> 32) * 7u; }")
        self.emit("static void takef(float x) { take(bitsf(x)); }")
        self.emit("static void taked(double x) { take(bitsd(x)); }")
        self.emit("static void mark(void) {")
        self.emit("unsigned h = r;")
        for name in self.floats["float"]:
            self.emit(f"h = h * 33u + bitsf({name});")
        for name in self.floats["double"]:
            self.emit(f"h = h * 33u + (unsigned)bitsd({name}) + (unsigned)(bitsd({name}) >> 32) * 5u;")
        self.emit(SHOWN)
        self.emit("}")
        self.emit("int main(void) {")
        self.emit("fn = madef((unsigned)__VERIFIER_nondet_ulonglong());")
        self.emit("unsigned long long given = __VERIFIER_nondet_ulonglong();")
        self.emit("dn = maded(given << (__VERIFIER_nondet_uchar() & 31));")
        for name in self.integers:
            self.emit(f"{name} = __VERIFIER_nondet_{self.pick(INTEGER_INPUTS)}();")
        for _ in range(self.random.randint(6, 12)):
            self.statement()
            if self.chance(60):
                self.emit("mark();")
        self.emit("mark();")
        self.emit("return 0;")
        self.emit("}")
        return Program("\n".join(self.lines) + "\n", tuple(self.exported), wraps=True)


def generate(seed: int) -> Program:
    return _Generator(seed).program()
