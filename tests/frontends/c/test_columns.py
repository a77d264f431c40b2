"""Columns of the file as it was given, after the preprocessor."""

from __future__ import annotations

from argosy.frontends.c.columns import moves_lines, restore_columns
from argosy.frontends.c.lexer import lex


def restored(original: str, preprocessed: str) -> list[tuple[str, int, int]]:
    tokens = lex(preprocessed, "p.c").tokens
    restore_columns(tokens, original, "p.c")
    return [(token.value, token.lineno, token.column) for token in tokens]


def test_blanks_and_comments_do_not_move_tokens() -> None:
    original = "int /* a\nb */  x  =  3 ; // the end\n"
    assert restored(original, "int\n x = 3 ;\n") == [
        ("int", 1, 1), ("x", 2, 7), ("=", 2, 10), ("3", 2, 13), (";", 2, 15)
    ]  # fmt: skip


def test_what_a_macro_gives_stands_where_the_macro_does() -> None:
    original = "#define TWICE(x) (x) + (x)\nint y = TWICE(f) + f;\n"
    found = restored(original, "\nint y = (f) + (f) + f;\n")
    assert found[0] == ("int", 2, 1) and found[-1] == (";", 2, 21)
    assert found[-2] == ("f", 2, 20)
    assert all(8 <= column <= 20 for value, _, column in found[3:-1])


def test_lines_that_are_joined_keep_their_columns() -> None:
    assert restored("  a \\\n   = b;\n", "  a\n = b;\n") == [("a", 1, 3), ("=", 2, 4), ("b", 2, 6), (";", 2, 7)]


def test_markers_move_lines() -> None:
    assert moves_lines("int x;\n # line 3\n") and moves_lines('# 3 "f.c"\n')
    assert not moves_lines("#define line 3\n#include <x.h>\n") and not moves_lines('char *s = "#line";\n')
