"""Where members of structures lie, and bit fields: attributes, pragmas, promotion, truncation, several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.load import load
from argosy.frontends.c.preprocessor import SourceFile
from argosy.logic.terms import Terms

from ...fuzz import records
from ...fuzz.compiled import available
from .running import execute, final, read


def _value(body: str, before: str, data_model: str = "ILP32") -> int:
    program = read(f"int r;\n{before}\nint main(void) {{ {body} return 0; }}", data_model=data_model)
    assert all(refusal.arbitrary for refusal in program.cfa.opaque.values())
    return execute(program.cfa)["r"]


@pytest.mark.parametrize(
    ("before", "size"),
    [
        ("struct s { char c; int n; } __attribute__((packed));", 5),
        ("struct __attribute__((packed)) s { char c; int n; };", 5),
        ("struct s { char c; int n __attribute__((packed)); short h; };", 8),
        ("struct s { char c; __attribute__((packed)) int n, m; };", 9),
        ("struct s { char c; int n; } __attribute__((aligned(16)));", 16),
        ("enum { MANY = 32 }; struct s { char c; } __attribute__((__aligned__(MANY)));", 32),
        ("struct s { char c; } __attribute__((aligned(sizeof(struct { long long l; }))));", 8),
        ("struct s { char c; } __attribute__((aligned));", 16),
        ("struct s { char c; _Alignas(8) char d; };", 16),
        ("struct s { char c, d __attribute__((aligned(4))), e; };", 8),
        ("typedef char wide __attribute__((aligned(4))); struct s { char c; wide d; };", 8),
        ("typedef struct { char c; } t __attribute__((packed, aligned(8))); struct s { char c; t d; };", 16),
        ("#pragma pack(push, 2)\nstruct s { char c; int n; };\n#pragma pack(pop)\nstruct u { char c; int n; };", 6),
        ("#pragma pack(1)\n#pragma pack()\nstruct s { char c; int n; };", 8),
        ("#pragma pack(push, a, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)\nstruct s { char c; int n; };", 8),
        ("#pragma pack(push, 16)\nstruct s { char c; int n; };", 8),
        ("#define BOTH struct t { char c; int n; }; struct s { char c; int n; } __attribute__((packed));\nBOTH", 5),
        ("struct s { int a : 3, b : 30; };", 8),
        ("struct s { int a : 3, : 0, b : 3; };", 8),
        ("struct s { char a : 3; int : 20; };", 3),
        ("struct s { int : 20; };", 3),
        ("struct s { short a : 9, b : 9; } __attribute__((packed));", 3),
        ("union s { unsigned a : 3; unsigned b : 17; };", 4),
        ("struct s { };", 0),
    ],
)
def test_sizes(before: str, size: int) -> None:
    kind = "union" if before.startswith("union") else "struct"
    assert _value(f"r = sizeof({kind} s);", before) == size


def test_two_structures_of_one_macro_do_not_share_their_attributes() -> None:
    before = "#define BOTH struct t { char c; int n; }; struct s { char c; int n; } __attribute__((packed));\nBOTH"
    assert _value("r = 10 * sizeof(struct t) + sizeof(struct s);", before) == 85


FIELDS = "struct s { unsigned a : 3; int b : 5; unsigned c : 24; long long d : 40; _Bool e : 1; } s, t, v[2], *p = &s;"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("s.a = 13; r = s.a;", 5),
        ("s.b = 31; r = s.b;", -1),
        ("s.b = -17; r = s.b;", 15),
        ("r = s.a = 15;", 7),
        ("r = (int)s.a++ + 10 * ++s.a;", 20),
        ("s.a = 0; r = s.a--; r = s.a;", 7),
        ("r = s.a - 1 < 0;", 1),
        ("r = (unsigned)s.a - 1 < 0;", 0),
        ("r = sizeof(s.a + 0);", 4),
        ("s.e = 8; r = s.e;", 1),
        ("s.a = 7; s.b = 0; s.c = 1; r = s.a + 10 * s.b + 100 * s.c;", 107),
        ("s.d = -5; r = (long long)s.d == -5;", 1),
        ("s.a = 6; t = s; s.a = 1; r = t.a;", 6),
        ("p->b = 5; p->a = 3; r = s.b * 10 + s.a;", 53),
        ("int i = 1; v[i].a = 4; v[i - 1].a = 2; r = v[1].a * 10 + v[0].a;", 42),
        ("struct s x = { 1, .d = 7, .b = -2 }; r = x.a + x.b * 10 + (int)(long long)x.d * 100 + x.c;", 681),
        ("s.b += 12; s.b += 12; r = s.b;", -8),
        ("switch (s.a = 9) { case 1: r = 1; break; default: r = 2; }", 1),
    ],
)
def test_bit_fields(body: str, value: int) -> None:
    for model in ("ILP32", "LP64"):
        assert _value(body, FIELDS, model) == value


def test_bit_fields_that_share_bytes_with_others() -> None:
    union = "union { struct { unsigned low : 4, high : 4, rest : 24; } f; unsigned whole; unsigned char b[4]; } u;"
    assert _value("u.whole = 0x12345678; r = u.f.low * 256 + u.f.high * 16;", union) == 8 * 256 + 7 * 16
    assert _value("u.whole = -1; u.f.high = 0; r = u.b[0];", union) == 15
    assert _value("u.f.low = 3; u.f.rest = 1; r = u.whole & 0xffffff0f;", union) == 259


def test_bit_fields_before_the_program_starts() -> None:
    before = "struct s { unsigned a : 3; int b : 5; } g = { 9, -2 }, many[400] = { [300] = { 2, 7 } };"
    assert _value("r = g.a + 10 * g.b + 100 * many[300].a + 1000 * many[300].b + many[299].a;", before) == 7181
    assert _value("static struct s l = { .b = 3 }; int i = 300; many[i].b = -1; r = l.b + many[i].a;", before) == 5


def test_an_address_or_a_size_of_a_bit_field_is_an_error() -> None:
    for body in ("int *p = &s.b;", "r = sizeof(s.b);", "r = sizeof s.c;"):
        with pytest.raises(InputError, match="a bit field has no"):
            read(f"int r; {FIELDS} int main(void) {{ {body} }}")
    for member in ("int a : 33;", "int a : -1;", "int a : 0;", "_Bool a : 2;"):
        with pytest.raises(InputError, match="bits, of type"):
            read(f"struct s {{ {member} }}; int main(void) {{ return 0; }}")


def test_arithmetic_in_which_compilers_differ_is_refused() -> None:
    for body in ("r = s.d + 1 > 0;", "r = s.d << 1 > 0;", "r = -s.d > 0;", "r = s.d == -1;", "s.d++;"):
        with pytest.raises(UnsupportedError, match="wider than int"):
            read(f"int r; {FIELDS} int main(void) {{ {body} }}")
    assert final("s.d = 5; r = (s.d > 4) + (s.d + 1ll == 6) + !s.d;", f"int r; {FIELDS}")["r"] == 2


def test_a_volatile_bit_field_has_any_value_of_its_width() -> None:
    program = read("struct { volatile unsigned a : 3; } s; int r; int main(void) { r = s.a > 7; return 0; }")
    assert execute(program.cfa, [-1] * 8)["r"] == 0
    program = read("struct { volatile unsigned a : 3; } s; int r; int main(void) { r = s.a == 7; return 0; }")
    assert execute(program.cfa, [-1] * 8)["r"] == 1


def test_files_that_lay_out_a_structure_differently_have_two_types(tmp_path: Path) -> None:
    first = "struct s { char c; int n; } __attribute__((packed)); int f(void) { return sizeof(struct s); }"
    second = "struct s { char c; int n; }; int f(void); int r; int main(void) { r = 10 * f() + sizeof(struct s); }"
    (tmp_path / "a.c").write_text(first)
    (tmp_path / "b.c").write_text(second)
    program = load(str(tmp_path / "a.c"), terms=Terms(), others=[SourceFile(str(tmp_path / "b.c"))])
    assert execute(program.cfa)["r"] == 58


@pytest.mark.parametrize("name", ["LP64", "ILP32"])
def test_random_layouts_are_those_of_gcc(name: str) -> None:
    if not available(name):
        pytest.skip(f"no gcc for {name}")
    assert records.layouts(7, 12, name) is None
