"""Properties as values: what a file states, how it is written again, what is refused in which words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.models.kinds import Errors, Undefined
from argosy.problem.property import NAMED, Property, by_file_name, named, read

IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True)
SPACES = st.sampled_from(["", " ", "\n", "\t "])


@given(st.sampled_from(["call", "label"]), IDENTIFIERS, IDENTIFIERS)
def test_what_is_written_is_read_again(kind: str, name: str, entry: str) -> None:
    formula = f"G ! call({name}())" if kind == "call" else f"G ! label({name})"
    errors = Errors(calls=frozenset({name})) if kind == "call" else Errors(labels=frozenset({name}))
    property = Property("unreach-call", formula, errors, entry)
    assert read("p.prp", property.text) == property


@given(SPACES, SPACES, SPACES)
def test_white_space_means_nothing(a: str, b: str, c: str) -> None:
    text = f"CHECK({a}init(main()){b},LTL(G{c}!{a}overflow{b}){c})"
    assert read("p.prp", text) == NAMED["no-overflow"]


@pytest.mark.parametrize("name", NAMED)
def test_named_properties(name: str) -> None:
    property = named(name, Position("p.c", 0))
    assert by_file_name(f"../properties/{name}.prp") == property
    assert [property.status(v) for v in ("safe", "unsafe", "unknown")] == ["true", f"false({name})", "unknown"]
    assert read("p.prp", property.text).name == name


def test_a_name_lets_the_program_choose_and_a_file_does_not() -> None:
    assert NAMED["unreach-call"].errors is None
    assert read("p.prp", NAMED["unreach-call"].text).errors == Errors(calls=frozenset({"reach_error"}))
    assert NAMED["no-overflow"].errors == Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CHECK( init(main()), LTL(F end) )", "termination"),
        ("CHECK( init(main()), LTL(G ! data-race) )", "data races"),
        ("CHECK( init(main()), LTL(G (x > 3)) )", "the formula G(x>3)"),
        (
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(F end) )\n",
            "several properties in one file: valid-free and termination",
        ),
        ("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", "test generation"),
    ],
)
def test_what_is_refused_is_named_in_words(text: str, words: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        read("p.prp", text)
    assert words in str(refusal.value) and str(refusal.value).startswith("p.prp:1:1: ")


@pytest.mark.parametrize("text", ["", "LTL(G ! overflow)", "CHECK( init(main()), LTL(G ! overflow) ) and more"])
def test_what_is_no_property(text: str) -> None:
    with pytest.raises(InputError):
        read("p.prp", text)


@pytest.mark.parametrize("name", ["no-data-race", "termination", "nonsense"])
def test_names_that_are_not_decided(name: str) -> None:
    with pytest.raises(UnsupportedError, match="property"):
        by_file_name(f"{name}.prp")


def test_parts_of_memory_safety() -> None:
    whole = NAMED["valid-memsafety"]
    assert read("p.prp", whole.text) == whole
    assert whole.errors is not None and whole.errors.about_memory
    assert whole.status("unsafe", Undefined.FREED) == "false(valid-deref)"
    assert whole.status("unsafe", Undefined.FREE) == "false(valid-free)"
    assert whole.status("unsafe", Undefined.LEAK) == "false(valid-memtrack)"
    assert whole.status("safe") == "true"
    two = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )"
    assert read("p.prp", two).text == two
    assert not read("p.prp", two).errors.selects(Undefined.LEAK)  # type: ignore[union-attr]
    for part in ("valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup"):
        assert NAMED[part].status("unsafe") == f"false({part})"
    for scalar in ("unreach-call", "no-overflow", "defined-arithmetic"):
        assert not (NAMED[scalar].errors or Errors()).watched
