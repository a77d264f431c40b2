"""Tokens and positions; the GNU dialect."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.lexer import lex
from argosy.frontends.c.load import load
from argosy.frontends.c.tokens import layout_words
from argosy.logic.terms import Terms
from argosy.models.errors import Errors

from .running import execute, final, read


def _words(text: str) -> list[str]:
    return [token.value for token in lex(text, "f.c").tokens]


def _places(text: str) -> list[tuple[str, str, int, int]]:
    return [(t.value, t.filename, t.lineno, t.column) for t in lex(text, "f.c").tokens]


def test_comments_and_strings() -> None:
    assert _words('a /* " */ b // c "\n "/* no comment */ // \\" " d') == ["a", "b", '"/* no comment */ // \\" "', "d"]
    assert _words("'\"' '\\'' x") == ["'\"'", "'\\''", "x"]
    assert _words("a // continued \\\n still\nb") == ["a", "b"]


def test_positions() -> None:
    assert _places("a\n  b /* x\n y */ c") == [("a", "f.c", 1, 1), ("b", "f.c", 2, 3), ("c", "f.c", 3, 7)]
    assert _places("a \\\n b") == [("a", "f.c", 1, 1), ("b", "f.c", 2, 2)]
    assert _places('a\n# 10 "g.h" 1 3\nb\n#line 20\nc\n#line 7 "h \\"q\\".c"\nd') == [
        ("a", "f.c", 1, 1),
        ("b", "g.h", 10, 1),
        ("c", "g.h", 20, 1),
        ("d", 'h "q".c', 7, 1),
    ]


def test_numbers() -> None:
    kinds = {t.value: t.type for t in lex("0 17 0x1fUL 0b101 1.5e-3f .5 1. 0x1p-3 1e5 10ull 'a'", "f.c").tokens}
    assert kinds["0"] == kinds.get("0") == "INT_CONST_OCT"
    assert kinds["17"] == kinds["10ull"] == "INT_CONST_DEC"
    assert kinds["0x1fUL"] == "INT_CONST_HEX"
    assert kinds["0b101"] == "INT_CONST_BIN"
    assert {kinds[k] for k in ("1.5e-3f", ".5", "1.", "1e5")} == {"FLOAT_CONST"}
    assert kinds["0x1p-3"] == "HEX_FLOAT_CONST"


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('int a;\n char *s = "abc', 2, 12, "string"),
        ("int a = 'x;", 1, 9, "character"),
        ("int a; /* open", 1, 8, "comment"),
        ("int a = 09;", 1, 9, "no number"),
        ("int a = 1lul;", 1, 9, "no number"),
        ("int a @ b;", 1, 7, "no token"),
        ("int a # 3", 1, 7, "inside a line"),
        ("__attribute__((unused) int x;", 1, 14, "does not close"),
    ],
)
def test_what_is_no_token(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        lex(text, "f.c")
    assert (caught.value.position.line, caught.value.position.column) == (line, column)
    assert str(caught.value).startswith(f"f.c:{line}:{column}: ")


def test_directives_ask_for_a_preprocessor() -> None:
    assert lex("int a;\n#include <x.h>\n", "f.c").directive is not None
    assert lex("int a;\n  # define X 1\n", "f.c").directive is not None
    assert lex('# 1 "f.c"\n#pragma once\n#line 3\n/*\n#include <x.h>\n*/ int a;', "f.c").directive is None


def test_attributes_are_kept_by_name() -> None:
    lexed = lex(
        """void a(int x) __attribute__((noreturn)); __attribute__((__noreturn__)) void b(void); _Noreturn void c(void);
        void __attribute__((noreturn)) d(void) { } void e(void), f(void) __attribute__((noreturn));
        [[noreturn]] void g(void); void h(void (*x)(void) __attribute__((noreturn))); void i(void);
        typedef int j __attribute__((__mode__(__DI__))); typedef unsigned int __attribute__((mode(QI))) k;""",
        "f.c",
    )
    assert lexed.noreturn == {"a", "b", "c", "d", "f", "g"}
    modes = {token.value: layout_words(token.filename).mode for token in lexed.tokens}
    assert {name: mode for name, mode in modes.items() if mode} == {"j": "DI", "k": "QI"}


GNU = """
# 1 "gnu.c"
typedef __builtin_va_list va;
typedef int wide __attribute__((__mode__(__DI__)));
extern int printf(__const char *__restrict __format, ...) __attribute__((__nothrow__, __leaf__)) __asm__("" "printf");
static __inline __attribute__((always_inline)) int twice(__volatile__ int x) { return x * 2; }
static __inline__ __signed__ char low(int x) { __extension__ long long y = x; return (__signed char)y; }
struct __attribute__((packed)) s { int a; } __attribute__((aligned(8)));
__extension__ typedef struct { long long int quot; } lldiv_t;
_Static_assert(sizeof(int) == 4, "int");
__thread int t; _Float128 q; __int128 i;
int r, n __attribute__((unused));
#pragma GCC diagnostic push
int main(void) {
  __label__ local;
  register int x __attribute__((unused)) = twice(21);
  if (__builtin_expect(!!(x == 42), 1)) goto local;
  r = 1;
local: __attribute__((unused));
  switch (x) { case 40 ... 45: r += 10; __attribute__((fallthrough)); default: r += 100; }
  r += ({ __typeof__(x) y = x; y; }) + low(256 + 5) + sizeof(wide);
  n = x ? : 3;
  return 0;
}
"""


def test_the_gnu_dialect() -> None:
    program = read(GNU, volatile="plain")
    assert {edge.position.file for edge in program.cfa.edges} == {"gnu.c"}

    outcome = execute(program.cfa)
    assert (outcome["r"], outcome["n"]) == (110 + 42 + 5 + 8, 42)


def test_assembler_names_are_dropped_and_statements_refused() -> None:
    assert final("r = 1;", 'int f(void) __asm__("g"); int r; asm(".globl x");')["r"] == 1
    assert read('int main(void) { __asm__ __volatile__("call main"); return 0; }').cfa.opaque


# ---- where it really stands ---------------------------------------------------------------------------------------

MARKED = """int r;
#line 70 "model.y"
int main(void) {
  r = 1;
# 5 "other.y"
  r = 2;
#line 90
  r = 3;
}
"""


def test_markers_give_both_positions() -> None:
    cfa = read(MARKED, name="p.c", errors=Errors()).cfa
    found = {edge.text: edge.position for edge in cfa.edges}
    places = {text: (p.file, p.line, p.physical_line) for text, p in found.items()}
    assert places["r = 1"] == ("model.y", 71, 4)
    assert places["r = 2"] == ("other.y", 5, 6)
    assert places["r = 3"] == ("other.y", 90, 8)
    assert all(p.physical[0].endswith("p.c") and type(p.file) is str for p in found.values())


def test_without_markers_the_positions_are_one() -> None:
    cfa = read("int r;\nint main(void) {\n  r = 1;\n}\n", errors=Errors()).cfa
    for edge in cfa.edges:
        assert edge.position.physical == (edge.position.file, edge.position.line)


def test_errors_have_both_positions() -> None:
    for text in ("r = ;", "r = 08;", "r = `;", "r = x;"):
        with pytest.raises(InputError) as caught:
            read(MARKED.replace("r = 2;", text), name="p.c")
        assert (caught.value.position.file, caught.value.position.line) == ("other.y", 5), text
        assert caught.value.position.physical_line == 6, text


def test_a_line_number_that_is_none_is_an_error_of_the_input() -> None:
    with pytest.raises(InputError, match="no number of a line"):
        read(f"#line {'9' * 5000}\nint main(void) {{ }}\n")


def test_a_backslash_goes_on_with_the_next_line() -> None:
    tokens = lex('a -\\\n- b; /* \\\n\n */ "c\\ \nd"\n# 20 \\\n"f.c"\ne -\\\n= 1;', "t.c").tokens
    assert [(t.value, t.lineno, t.column) for t in tokens] == [
        ("a", 1, 1),
        ("--", 1, 3),
        ("b", 2, 3),
        (";", 2, 4),
        ('"cd"', 4, 5),
        ("e", 20, 1),
        ("-=", 20, 3),
        ("1", 21, 3),
        (";", 21, 4),
    ]


@pytest.mark.parametrize(("encoding", "size"), [("utf-8", 3), ("latin-1", 2)])
def test_literals_have_the_bytes_of_the_file(tmp_path: Path, encoding: str, size: int) -> None:
    path = tmp_path / "p.c"
    text = 'int r, f;\n/* \u00fc */ int main(void) { char s[] = "\u00e9"; r = sizeof s; f = s[0]; return 0; }\n'
    path.write_bytes(text.encode(encoding))
    outcome = execute(load(str(path), terms=Terms()).cfa)
    assert outcome["r"] == size
    assert outcome["f"] & 0xFF == "\u00e9".encode(encoding)[0]


def test_sections_of_a_kernel_are_no_starts() -> None:
    assert read('__attribute__((__section__(".init.text"))) int start(void) { return 1; } int main(void) { return 0; }')
    with pytest.raises(UnsupportedError, match="attribute section"):
        read('int (*p)(void) __attribute__((section(".init_array"))) = 0; int main(void) { return 0; }')
