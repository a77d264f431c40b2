"""Texts that are no programs: one clear error with a place, never a crash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.load import load
from argosy.frontends.c.parser import TokenSource
from argosy.logic.terms import Terms

from .running import read


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ("int main(void) {\n  int x = ;\n}", 2, 11, "syntax error"),
        ("int main(void) { if (1 { } }", 1, 24, "unexpected '{'"),
        ("int main(void) {\n  return 0;\n", 2, 11, "ends too early"),
        ("int main(void) { return x; }", 1, 25, "x is not declared"),
        ("int f(void);\n", 1, 1, "no function main"),
        ("int main;\n", 1, 1, "no function main"),
        ("// nothing\n", 1, 1, "no program"),
        ("int main(void) { struct s x; return x.a; }", 1, 37, "no member a"),
        ("int main(void) { int x; return *x; }", 1, 33, "not a pointer"),
        ("int main(void) { int x; return x(1); }", 1, 32, "not a function"),
        ("int main(void) { struct { int a; } s; return s + 1; }", 1, 46, "needs numbers"),
        ("int main(void) { struct { int a; } s; if (s) return 1; }", 1, 43, "a number is needed"),
        ("void f(void) {} int main(void) { int x = f(); }", 1, 38, "not void"),
        ("int f(void) { return 1; } int f(void) { return 2; } int main(void) { }", 1, 31, "defined twice"),
        ("int x = f(), y; int main(void) { y = x; }", 1, 9, "not constant"),
        ("int main(void) { return 99999999999999999999; }", 1, 25, "fits no integer type"),
        ("int main(void) { int a[2.5]; return a[0]; }", 1, 24, "the length of array a is no integer"),
        ("int main(void) { double d = 3; int a[2][d]; return a[0][0]; }", 1, 41, "the length of array a is no integer"),
        ("int main(void) { unsigned struct s x; }", 0, 0, "syntax error"),
        ("int main(void) { int 3x; }", 1, 22, "no number"),
    ],
)
def test_ill_formed_programs(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        read(text)
    if line:
        assert (caught.value.position.line, caught.value.position.column) == (line, column)


@pytest.mark.parametrize(
    "content", [b"", b"   \n\t", b"int main(void) { }\0", bytes(range(256)), b"\x7fELF\x02\x01\x01\0"]
)
def test_files_that_hold_no_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "program.c"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(str(path), terms=Terms())
    assert str(caught.value).startswith(f"{path}:1:")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.c", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            load(str(path), terms=Terms())


def test_text_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_bytes("/* Müller */ int main(void) { return 0; }".encode("latin-1"))
    assert not load(str(path), terms=Terms()).cfa.edges


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { return " + "(" * 100_000 + "1" + ")" * 100_000 + "; }",
        "int main(void) { int x = 1; return " + "- " * 100_000 + "x; }",
        "int main(void) { " + "{" * 60_000 + "}" * 60_000 + " }",
    ],
)
def test_deep_nesting_is_refused(text: str) -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(InputError, match="nested too deeply"):
        read(text)
    assert sys.getrecursionlimit() == limit


def test_moderate_nesting_is_read() -> None:
    depth = 1500
    read("int main(void) { int x = 0; return " + "(" * depth + "x" + ")" * depth + "; }")
    read("int main(void) { int x = 0; " + "if (x) { " * depth + "}" * depth + " }")
    read("int main(void) { int x = 0; " + "if (x == 1) x = 2; else " * depth + "x = 3; }")
    read("int main(void) { int x = 0; x = " + " + ".join(["x"] * depth) + "; }")


_PIECES = st.sampled_from(
    [
        "int",
        "x",
        ";",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "=",
        "+",
        "-",
        "*",
        "&",
        "!",
        "~",
        "?",
        ":",
        ",",
        ".",
        "->",
        "if",
        "else",
        "while",
        "for",
        "return",
        "goto",
        "switch",
        "case",
        "default",
        "break",
        "1",
        "0",
        "'a'",
        '"s"',
        "main",
        "void",
        "struct",
        "typedef",
        "unsigned",
        "sizeof",
        "==",
        "<=",
        "<<",
        "++",
        "...",
        "asm",
        "__attribute__",
        "#",
        "\\",
        "/",
        "//",
        "/*",
        "@",
        "$",
        "_Bool",
        "f",
        "enum",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_PIECES, max_size=30))
def test_any_sequence_of_words_is_read_or_refused(words: list[str]) -> None:
    text = "int x; void f(int y) { x = y; } int main(void) { f(1); " + " ".join(words) + " }"
    try:
        read(text)
    except (InputError, UnsupportedError) as error:
        assert error.position.file


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.data())
def test_truncated_and_damaged_programs_are_read_or_refused(cut: int, data: st.DataObject) -> None:
    text = """typedef unsigned char byte; enum e { A, B = 3 }; struct s { int a; byte b[4]; };
        extern int __VERIFIER_nondet_int(void); int g = 3; static int f(int x, byte y) { return x / (y + 1); }
        int main(void) { int i; struct s v; for (i = 0; i < 10; i++) { switch (i % 3) { case 0: g += f(i, B); break;
        default: v.a = g ? i : -i; } if (g > 5 && i != A) goto out; } out: return v.b[1] << 2; }"""
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = (
        text[: len(text) - cut]
        if data.draw(st.booleans())
        else text[:at] + data.draw(st.text(max_size=3)) + text[at + 1 :]
    )
    if "#" in damaged:
        return
    try:
        read(damaged)
    except (InputError, UnsupportedError) as error:
        assert error.position.file


@pytest.mark.parametrize("fault", [ValueError, AssertionError, AttributeError, TypeError, KeyError])
def test_a_fault_of_our_own_is_not_the_users(monkeypatch: pytest.MonkeyPatch, fault: type[Exception]) -> None:
    def token(self: TokenSource) -> None:
        raise fault("ours")

    monkeypatch.setattr(TokenSource, "token", token)
    with pytest.raises(fault, match="ours"):
        read("int main(void) {")
