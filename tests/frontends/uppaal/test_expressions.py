"""Tokens, positions and precedences."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.uppaal import syntax as s
from argosy.frontends.uppaal.declarations import DeclarationParser
from argosy.frontends.uppaal.lexer import PlacedText, tokens


def parse(text: str) -> s.Expression:
    parser = DeclarationParser(PlacedText("t", text))
    found = parser.expression()
    parser.finish()
    return found


@pytest.mark.parametrize(
    ("short", "explicit"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a << b + c", "a << (b + c)"),
        ("a < b <? c", "a < (b <? c)"),
        ("a <? b << c", "a <? (b << c)"),
        ("a == b < c", "a == (b < c)"),
        ("a & b == c", "a & (b == c)"),
        ("a | b ^ c & d", "a | (b ^ (c & d))"),
        ("a || b && c", "a || (b && c)"),
        ("a && b imply c", "(a && b) imply c"),
        ("a imply b imply c", "(a imply b) imply c"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a = b = c", "a = (b = c)"),
        ("a = b ? c : d", "a = (b ? c : d)"),
        ("!a.b[c]", "!((a.b)[c])"),
        ("-a * b", "(-a) * b"),
        ("!a && b", "(!a) && b"),
        ("forall (i : int[0,3]) a or b", "forall (i : int[0,3]) (a or b)"),
        ("a and b", "a && b"),
        ("not (a and b)", "!(a && b)"),
        ("a := 3", "a = 3"),
        ("f(a)(b)", "(f(a))(b)"),
    ],
)
def test_precedence(short: str, explicit: str) -> None:
    assert parse(short) == parse(explicit)


@pytest.mark.parametrize("text", ["not a == b", "a and b || c", "not a && b", "b = a and c", "a or b ? c : d"])
def test_what_uppaal_4_and_5_read_differently_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="write parentheses"):
        parse(text)


@pytest.mark.parametrize("text", ["not (a == b)", "(a and b) || c", "not a.b", "a and b or c", "a == b and c < d"])
def test_what_both_read_alike_is_accepted(text: str) -> None:
    parse(text)


def test_precedence_inside_a_quantified_type_does_not_leak() -> None:
    parse("forall (i : int[0, (a and b) ? 1 : 2]) not (c and d)")


@pytest.mark.parametrize(
    ("text", "column"),
    [("a +", 4), ("(a", 3), ("a b", 3), ("a[1", 4), ("f(a,)", 5), ("1 + @", 5), ("x /* open", 3), ("4294967296", 1)],
)
def test_syntax_errors_have_their_column(text: str, column: int) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert error.value.position == Position("t", 1, column)


def test_smallest_number() -> None:
    assert parse("-2147483648") == s.NumberSyntax(-(2**31))
    with pytest.raises(InputError, match="32 bits"):
        parse("2147483648")
    assert parse("0" * 9000 + "7") == s.NumberSyntax(7)


def test_a_number_of_thousands_of_digits() -> None:
    with pytest.raises(InputError) as error:
        parse("a + " + "9" * 9000)
    assert error.value.position == Position("t", 1, 5)
    assert error.value.what == f"number {'9' * 20}... (9000 digits) does not fit into 32 bits"


def test_nesting_is_limited() -> None:
    with pytest.raises(InputError, match="too deeply"):
        parse("(" * 5000 + "a" + ")" * 5000)
    parse("(" * 50 + "a" + ")" * 50)
    parse(" && ".join(["a"] * 5000))
    parse(" and ".join(["a"] * 5000))


def test_comments_and_continuations_are_blank() -> None:
    source = PlacedText("t", "a // x\n + /* y\n z */ b \\\n + c")
    assert [t.text for t in tokens(source)][:-1] == ["a", "+", "b", "+", "c"]
    assert tokens(source)[2].position == Position("t", 3, 7)


def test_leads_to_is_a_symbol_of_queries_only() -> None:
    assert [t.kind for t in tokens(PlacedText("t", "a --> b"), leads_to=True)][1] == "-->"
    assert [t.kind for t in tokens(PlacedText("t", "a-->b"))][1:3] == ["--", ">"]


def test_positions_follow_the_chunks() -> None:
    source = PlacedText("t", "ab<c\nd", ((0, 7, 5), (2, 7, 7), (3, 7, 11)))
    assert [source.position(i).column for i in range(5)] == [5, 6, 7, 11, 12]
    assert source.position(5) == Position("t", 8, 1)
    assert source.part(1, 6).position(2).column == 11
