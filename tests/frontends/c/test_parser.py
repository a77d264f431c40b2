"""The short ways through expressions give what pycparser gives: the same tree, the same places, the same complaints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.lexer import lex
from argosy.frontends.c.parser import FAILURES, PlainParser, QuickParser
from argosy.frontends.c.source import parse
from argosy.frontends.c.stack import on_own_stack

PROGRAMS = sorted((Path(__file__).parent / "attack").glob("*/*.c"))


def spelled(node: Any) -> Iterator[str]:
    """A tree with all its places, node by node."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, list):
            stack += ["]", *reversed(part), "["]
        elif hasattr(part, "attr_names"):
            yield f"{type(part).__name__} {part.coord}"
            names = (name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ()))
            stack += [getattr(part, name) for name in names if name not in ("coord", "__weakref__")]
        else:
            yield repr(part)


def test_every_attack_is_read_alike() -> None:
    """Those that pycparser reads; the others are complained about by it."""
    read = 0
    for path in PROGRAMS:
        text = path.read_text()
        try:
            lexed = lex(text, str(path))
            plain = list(spelled(PlainParser().parse(lexed.tokens, str(path))))
        except (*FAILURES, InputError, UnsupportedError):
            continue
        if lexed.directive is None:
            assert list(spelled(QuickParser().of(lex(text, str(path)).tokens))) == plain, path
            read += 1
    assert read > len(PROGRAMS) // 2


OPERANDS = """
    a|T|1|01|0x2f|3u|1.5|'c'|"s"|f()|f(a, (T)b)|m[a][1]|s.m|s.T|p->m|a++|(T)a|(T)(a)|(T)-a|(T){1}|(T){1}.m|sizeof a
    |sizeof(T)|sizeof(T){1}.m|(a)(1)|((a))[2]|({ T a = 1; a; })|({ int T = 1; (T) + 1; })|_Generic(a, T: 1, default: 2)
    |(f)(a)->m|--a|&m[1]
"""
OPERATORS = "+ - * / % << >> < > <= >= == != & | ^ && || = += , <<="


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.booleans()):
        return str(draw(st.sampled_from(OPERANDS.split("|"))))
    kind = draw(st.sampled_from(["binary", "binary", "brackets", "sign", "choice"]))
    inner = expressions(depth=depth - 1)
    if kind == "binary":
        return f"{draw(inner)} {draw(st.sampled_from(OPERATORS.split()))} {draw(inner)}"
    if kind == "choice":
        return f"{draw(inner)} ? {draw(inner)} : {draw(inner)}"
    return f"({draw(inner)})" if kind == "brackets" else f"{draw(st.sampled_from('!~-+*&'))} {draw(inner)}"


@given(expressions())
def test_random_expressions_are_read_alike(text: str) -> None:
    text = f"typedef int T; void g(void) {{ int a; {text}; {{ int T; T; (T) + 1; }} }}"
    try:
        plain = list(spelled(PlainParser().parse(lex(text, "p.c").tokens, "p.c")))
    except FAILURES:
        with pytest.raises(FAILURES):
            QuickParser().of(lex(text, "p.c").tokens)
    else:
        assert list(spelled(QuickParser().of(lex(text, "p.c").tokens))) == plain


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("int main(void) { return (1 + ; }", "1:30", "near ';'"),
        ("int main(void) { return (1 + 2; }", "1:31", "unexpected ';'"),
        ("int main(void) { int s; return s.2; }", "1:33", "unexpected '.2'"),
        ("int main(void) { return f(1", "", "too early"),
        ("typedef int T; int main(void) { return T + 1; }", "1:40", "syntax"),
        ("int x = (", "1:9", "near '('"),
    ],
)
def test_complaints_are_those_of_pycparser(text: str, place: str, said: str) -> None:
    with pytest.raises(InputError) as complaint:
        on_own_stack("p.c", lambda: parse("p.c", "LP64", text))
    with pytest.raises(FAILURES):
        QuickParser().of(lex(text, "p.c").tokens)
    assert str(complaint.value).startswith(f"p.c:{place}")
    assert said.lower() in str(complaint.value).lower()
