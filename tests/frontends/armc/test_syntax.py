"""Terms of the Prolog subset: how operators bind, and where what is wrong stands."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.errors import InputError
from argosy.frontends.armc.lexer import Source
from argosy.frontends.armc.syntax import Compound, LogicVariable, Number, Reader, Syntax, quoted, text


def parse(content: str) -> Syntax:
    [clause] = Reader(Source("m.armc", content)).clauses()
    return clause


def nested(term: Syntax) -> object:
    """Terms as tuples, so that they can be compared."""
    if isinstance(term, LogicVariable):
        return term.name
    if isinstance(term, Number):
        return term.value
    return (term.functor, *map(nested, term.args))


@pytest.mark.parametrize(
    ("content", "meant"),
    [
        ("a.", ("a",)),
        ("f(X, 'b c').", ("f", "X", ("b c",))),
        ("f(1 - 2 - 3).", ("f", ("-", ("-", 1, 2), 3))),
        ("f(1 + 2 * X).", ("f", ("+", 1, ("*", 2, "X")))),
        ("f((1 + 2) * X).", ("f", ("*", ("+", 1, 2), "X"))),
        ("f(-X + 1).", ("f", ("+", ("-", "X"), 1))),
        ("f(-(1) * X).", ("f", ("*", ("-", 1), "X"))),
        ("f(- - 1).", ("f", ("-", ("-", 1)))),
        ("f(X =(Y)).", ("f", ("=", "X", "Y"))),
        ("f([]).", ("f", ("[]",))),
        ("f([A = 1, (B, C)]).", ("f", ("[]", ("=", "A", 1), (",", "B", "C")))),
        ("f((A ; B , C)).", ("f", (";", "A", (",", "B", "C")))),
        (":- multifile r/5, s/0.", (":-", ("multifile", (",", ("/", ("r",), 5), ("/", ("s",), 0))))),
        ("main-0-5.", ("-", ("-", ("main",), 0), 5)),
        ("f(0.25).", ("f", Fraction(1, 4))),
        ("f(1.5e2).", ("f", 150)),
        ("f('it''s', 'a\\\\b', 'c\\'d').", ("f", ("it's",), ("a\\b",), ("c'd",))),
        ("f(_x, _, X_1). % a comment", ("f", "_x", "_", "X_1")),
        ("/* one */ f(/* two\n*/ 1).", ("f", 1)),
    ],
)
def test_terms(content: str, meant: object) -> None:
    assert nested(parse(content)) == meant


@pytest.mark.parametrize(
    ("content", "line", "column", "what"),
    [
        ("f(a)", 1, 5, "the clause of line 1 does not end"),
        ("g.\nf(a", 2, 4, "the clause of line 2 does not end"),
        ("f(a.", 1, 2, "( without its counterpart"),
        ("f(a]).", 1, 4, "] without its counterpart"),
        ("f(a)).", 1, 5, ") without its counterpart"),
        ("f(1 2).", 1, 5, "expected an operator instead of 2"),
        ("f(, 2).", 1, 3, "expected a term instead of ,"),
        ("f(1 +).", 1, 6, "expected a term instead of )"),
        ("f(X = Y = Z).", 1, 9, "= needs parentheses here"),
        ("f(a :- b).", 1, 5, ":- needs parentheses here"),
        ("f([A | B]).", 1, 6, "lists with an open tail are not supported"),
        ('f("text").', 1, 3, "unknown symbol '\"'"),
        ("f(é).", 1, 3, "unknown symbol 'é'"),
        ("f(a). /* b", 1, 7, "comment not closed"),
        ("f('a).\n", 1, 3, "quote not closed"),
        ("f(a) :- .", 1, 9, "expected a term instead of the end of the clause"),
        ("f(X ? Y).", 1, 5, "expected an operator instead of ?"),
        (f"f({'9' * 1001}).", 1, 3, "a number of more than 1000 digits"),
        ("f(1.0e99999).", 1, 3, "a number with too large an exponent"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content: str, line: int, column: int, what: str) -> None:
    with pytest.raises(InputError) as caught:
        list(Reader(Source("m.armc", content)).clauses())
    position = caught.value.position
    assert (position.line, position.column, caught.value.what) == (line, column, what)


def test_nesting_is_limited_by_the_file_only() -> None:
    deep = 50_000
    assert nested(parse(f"{'(' * deep}a{')' * deep}.")) == ("a",)
    term = parse("f(" * deep + "a" + ")" * deep + ".")
    for _ in range(deep):
        assert isinstance(term, Compound)
        term = term.args[0]
    assert nested(term) == ("a",)
    assert text(parse("X" + " + 1" * 2000 + ".")).count("+") == 2000


atoms = st.one_of(st.sampled_from(["a", "main", "l_1"]), st.text(st.characters(codec="ascii", exclude_characters="\r")))
ground = st.recursive(
    st.one_of(st.integers(0, 99).map(lambda n: Number(n, 0)), atoms.map(lambda name: Compound(name, (), 0))),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["f", "it's", "+"]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda pair: Compound(pair[0], tuple(pair[1]), 0)
        ),
        st.tuples(st.sampled_from(["-", "+", "*", ",", ";"]), inner, inner).map(
            lambda three: Compound(three[0], three[1:], 0)
        ),
        st.lists(inner, max_size=3).map(lambda items: Compound("[]", tuple(items), 0)),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(ground)
def test_the_text_of_a_term_reads_back(term: Syntax) -> None:
    assert nested(parse(f"{text(term)} .")) == nested(term)


@settings(deadline=None)
@given(atoms)
def test_quoted_atoms_read_back(name: str) -> None:
    assert nested(parse(f"{quoted(name)} .")) == (name,)
