"""Values and types of expressions: constants, promotions, conversions, wrap-around, operators."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from argosy.models.cfa import Reading

from .running import final, run, value_of

_MAX, _MIN = 2**31 - 1, -(2**31)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        # Division goes towards zero, the remainder has the sign of the dividend.
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 / -2", -3),
        ("7 % -2", 1),
        ("-7U / 2", (2**32 - 7) // 2),
        # Promotions and usual conversions.
        ("-1 < 1U", 0),
        ("-1 < (unsigned char)1", 1),
        ("(unsigned char)255 + 1", 256),
        ("(unsigned char)(255 + 1)", 0),
        ("(signed char)200", -56),
        ("(char)255", -1),
        ("~(unsigned char)0", -1),
        ("(unsigned char)~(unsigned char)0x5a >> 4", 0xA),
        ("(~(unsigned char)0x5a) >> 4", -6),
        ("-1 >> 1", -1),
        ("-1U >> 1", _MAX),
        ("1LL << 40", 2**40),
        ("(short)0x18000", -(2**15)),
        ("(unsigned short)-1 == 65535", 1),
        ("(_Bool)256", 1),
        ("(_Bool)2 + (_Bool)3", 2),
        ("!5 + !0", 1),
        ("5 && 0 || 2", 1),
        ("3 > 2 > 1", 0),
        ("1 ? -1 : 1U", 2**32 - 1),
        ("(1, 2, 3)", 3),
        # Constants take the first type that fits.
        ("sizeof 2147483647 == sizeof(int)", 1),
        ("sizeof 2147483648", 8),
        ("sizeof 0x80000000", 4),
        ("0x80000000 > 0", 1),
        ("0xffffffff + 1", 0),
        ("4294967295 + 1", 2**32),
        ("sizeof 0xffffffffff", 8),
        ("017 + 0b11", 18),
        ("2147483647u + 1u", 2**31),
        ("-2147483647 - 1", _MIN),
        ("'a' + '\\n' + '\\x41' + '\\101'", 97 + 10 + 65 + 65),
        ("'\\xff'", -1),
        ("'\\0'", 0),
        ("'ab'", 97 * 256 + 98),
        ("sizeof 'a'", 4),
        ("L'a'", 97),
        # Sizes.
        ("sizeof(char) + sizeof(short) + sizeof(int) + sizeof(long long) + sizeof(_Bool)", 16),
        ('sizeof "abc" + sizeof("a" "b")', 7),
        ("sizeof(int[10])", 40),
        ("sizeof(struct { char a; int b; char c; })", 12),
        ("sizeof(struct { char a; double b; })", 12),
        ("sizeof(union { char a[5]; short b; })", 6),
        ("sizeof(sizeof 1 - 10)", 4),
        ("sizeof(1 ? (char)1 : (short)2)", 4),
        ("sizeof((char)1)", 1),
        ("sizeof(+(char)1)", 4),
        ("_Alignof(short)", 2),
        ("_Generic(1u, int: 1, unsigned int: 2, default: 3)", 2),
        ("_Generic('a', char: 1, default: 3)", 3),
        ("__builtin_expect(7, 1)", 7),
        ("5 ?: 9", 5),
        ("0 ?: 9", 9),
        ("sizeof(__typeof__(1LL))", 8),
    ],
)
def test_value(expression: str, value: int) -> None:
    assert value_of(expression) == value


@pytest.mark.parametrize(
    ("expression", "narrow", "wide"),
    [
        ("sizeof(long)", 4, 8),
        ("sizeof(void *)", 4, 8),
        ("sizeof(long double)", 12, 16),
        ("sizeof(struct { char a; long long b; })", 12, 16),
        ("-1 < 1UL", 0, 0),
        ("-1L < 1U", 0, 1),
        ("(long)4294967295U", -1, 2**32 - 1),
        ("sizeof 2147483648", 8, 8),
        ("sizeof 2147483648L", 8, 8),
        ("1UL << 31 << 1", 0, 2**32),
    ],
)
def test_data_models(expression: str, narrow: int, wide: int) -> None:
    assert value_of(expression) == narrow
    assert value_of(expression, data_model="LP64") == wide


def test_enumerations_and_typedefs() -> None:
    before = "enum colour { RED, GREEN = 5, BLUE }; typedef unsigned char byte; typedef byte octet;"
    assert value_of("RED + GREEN + BLUE", before) == 11
    assert value_of("(enum colour)-1 > 0", before) == 1  # no negative enumerator: the type is unsigned
    assert value_of("(octet)257", before) == 1
    assert value_of("sizeof(enum colour)", before) == 4
    assert value_of("(enum sign)-1 > 0", "enum sign { MINUS = -1, PLUS = 1 };") == 0


def test_conversion_on_assignment_wraps() -> None:
    outcome = final("c = 300; s = 70000; u = -1; b = 0.0 == 0.0 ? 4 : 4; i = 4294967295u;",
                    "unsigned char c; short s; unsigned u; _Bool b; int i;")  # fmt: skip
    assert [outcome[n] for n in "csubi"] == [44, 70000 - 65536, 2**32 - 1, 1, -1]


def test_increments_of_narrow_types_promote_and_wrap() -> None:
    outcome = final("c = 127; c++; u = 0; u--; b = 1; b++; d = 0; --d;", "signed char c; unsigned char u; _Bool b, d;")
    assert outcome.undefined is None
    assert [outcome[n] for n in "cubd"] == [-128, 255, 1, 1]


def test_unsigned_wraps_in_both_readings() -> None:
    for reading in Reading:
        outcome = run("unsigned x = 4294967295u, y; int main(void) { y = x + 2; x = x * x; }", reading=reading)
        assert (outcome.undefined, outcome["x"], outcome["y"]) == (None, 1, 1)


# ---- against a compiler -------------------------------------------------------------------------------------------

_TYPES = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
    "long long", "unsigned long long", "_Bool",
)  # fmt: skip
_VALUES = (0, 1, -1, 2, 7, 127, 128, 255, 256, 32767, 65535, _MAX, _MIN, 2**32 - 1, 2**63 - 1, -(2**63), 12345678901)


def _expression(random_: random.Random, depth: int) -> str:
    if depth == 0 or random_.random() < 0.1:
        return random_.choice(
            [f"v{random_.randrange(8)}", str(random_.choice([0, 1, 2, 3, 100, 255])), "'c'", "7u", "5l"]
        )
    inner = _expression(random_, depth - 1)
    other = _expression(random_, depth - 1)
    match random_.randrange(9):
        case 0 | 1 | 2:
            return f"({inner} {random_.choice(['+', '-', '*', '&', '|', '^'])} {other})"
        case 3:
            return f"({inner} {random_.choice(['<', '<=', '>', '>=', '==', '!=', '&&', '||'])} {other})"
        case 4:
            # A divisor from 1 to 100: neither zero nor minus one.
            return f"({inner} {random_.choice(['/', '%'])} (1 + ({other} & 0) + {random_.randrange(100)}))"
        case 5:
            return f"({inner} {random_.choice(['<<', '>>'])} ({other} & 7))"
        case 6:
            return f"{random_.choice(['-', '~', '!', '+'])}({inner})"
        case 7:
            return f"({random_.choice(_TYPES)})({inner})"
    return f"({inner} ? {other} : {_expression(random_, depth - 1)})"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_random_expressions_agree_with_gcc(tmp_path: Path) -> None:
    random_ = random.Random(20)
    types = [_TYPES[(i * 5 + 3) % len(_TYPES)] for i in range(8)]
    initial = [f"{random_.choice(_VALUES)}ll" for _ in types]
    declared = "".join(f"{t} v{i} = ({t}){k};\n" for i, (t, k) in enumerate(zip(types, initial, strict=True)))
    declared = declared.replace("-9223372036854775808ll", "(-9223372036854775807ll - 1)")
    expressions = [_expression(random_, 4) for _ in range(250)]
    names = [f"r{i}" for i in range(len(expressions))]
    results = "".join(f"long long {name};\n" for name in names)
    body = "".join(f"  {n} = {e};\n" for n, e in zip(names, expressions, strict=True))
    printing = "".join(f'  printf("%lld\\n", {n});\n' for n in names)
    source = tmp_path / "program.c"
    compiled = (
        f"int printf(const char *, ...);\n{declared}{results}int main(void) {{\n{body}{printing}  return 0;\n}}\n"
    )
    source.write_text(compiled)
    subprocess.run(["gcc", "-fwrapv", "-w", "-m64", str(source), "-o", str(tmp_path / "program")], check=True)
    printed = subprocess.run([str(tmp_path / "program")], check=True, capture_output=True, text=True).stdout.split()
    outcome = run(f"{declared}{results}int main(void) {{\n{body}}}", reading=Reading.WRAP, data_model="LP64")
    assert outcome.undefined is None
    differing = [
        (e, int(p), outcome.values[n])
        for e, n, p in zip(expressions, names, printed, strict=True)
        if outcome.values[n] != int(p)
    ]
    assert not differing
