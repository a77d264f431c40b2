"""Task definitions and property files: what a task takes from them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.definition import expected_verdict, read_definition
from argosy.frontends.properties import read_property
from argosy.problem.problem import Problem
from argosy.session.run import read
from argosy.session.task import Task


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    def write(text: str = "int main(void) { return 0; }\n", name: str = "prog.c") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def problem(path: str, **choices: str) -> Problem:
    return read(Task.of(path, **choices))


def asked(path: str, **choices: str) -> str:
    [subject] = problem(path, **choices).subjects
    assert subject.property is not None
    return subject.property.name


def definition(name: str = "prog.c", properties: str = "unreach-call", extra: str = "") -> str:
    listed = "".join(
        f"  - property_file: ../properties/{p}.prp\n    expected_verdict: true\n" for p in properties.split()
    )
    return f"format_version: '1.0'\ninput_files: '{name}'\nproperties:\n{listed}{extra}"


def test_definition_names_program_property_and_data_model(program: Callable[..., str]) -> None:
    source = program()
    path = program(definition(properties="termination unreach-call", extra="options:\n  data_model: LP64\n"), "t.yml")
    found = problem(path)
    assert (found.input, found.format, found.options["data-model"]) == (source, "c", "LP64")
    assert path in found.inputs and source in found.inputs
    assert asked(path) == "unreach-call" and asked(path, property="no-overflow") == "no-overflow"
    assert problem(path, data_model="ILP32").options["data-model"] == "ILP32"


def test_volatile_is_plain_in_definitions_and_arbitrary_in_files(program: Callable[..., str]) -> None:
    source = program("volatile int v;\nint main(void) { return v == 1; }\n")
    path = program(definition(), "t.yml")

    def ledger(path: str, **choices: str) -> str:
        return " ".join(problem(path, **choices).ledger)

    plain, arbitrary = "volatile objects are read as ordinary ones", "every read of a volatile object gives any value"
    assert plain in ledger(path) and arbitrary in ledger(source)
    assert arbitrary in ledger(path, volatile="arbitrary") and plain in ledger(source, volatile="plain")


def test_definition_of_format_2(program: Callable[..., str]) -> None:
    program()
    text = "format_version: '2.0'\ninput_files:\n  - prog.c\nproperties:\n  - property_file: no-overflow.prp\n"
    path = program(text + "options: {language: C, data_model: ILP32}\n", "t.yml")
    assert asked(path) == "no-overflow"


def test_a_property_file_that_exists_is_read(program: Callable[..., str]) -> None:
    program()
    program("CHECK( init(main()), LTL(G ! overflow) )\n", "surprise.prp")
    text = "format_version: '2.0'\ninput_files: prog.c\nproperties:\n  - property_file: surprise.prp\n"
    assert asked(program(text, "t.yml")) == "no-overflow"


def test_a_directory_is_no_property_file(program: Callable[..., str]) -> None:
    program()
    text = "format_version: '1.0'\ninput_files: prog.c\nproperties:\n  - property_file: ../\n"
    with pytest.raises(InputError, match="directory"):
        problem(program(text, "prog.yml"))


def test_expected_verdicts_belong_to_properties(program: Callable[..., str]) -> None:
    program()
    text = definition(properties="termination unreach-call").replace("verdict: true", "verdict: false", 1)
    found = read_definition(program(text, "t.yml"))
    assert expected_verdict(found, "unreach-call") is True
    assert expected_verdict(found, "no-overflow") is None
    silent = read_definition(program(text.replace("expected_verdict: true", "expected_verdict: who knows"), "t.yml"))
    assert expected_verdict(silent, "unreach-call") is None


@pytest.mark.parametrize(
    "text",
    [
        definition("missing.c"),
        definition().replace("1.0", "7.0"),
        definition(extra="options:\n  data_model: P64\n"),
        "format_version: '2.0'\ninput_files: 3\n",
        "format_version: '2.0'\ninput_files: prog.c\nproperties: 4\n",
        "[" * 3_000,
        "x" * 30_000,
    ],
)
def test_malformed_definitions(program: Callable[..., str], text: str) -> None:
    program()
    with pytest.raises(InputError):
        problem(program(text, "t.yml"))


@pytest.mark.parametrize("properties", ["termination", ""])
def test_definition_without_a_property_that_is_known(program: Callable[..., str], properties: str) -> None:
    program()
    with pytest.raises(UnsupportedError):
        problem(program(definition(properties=properties), "t.yml"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", "unreach-call"),
        ("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", "unreach-call"),
        ("CHECK( init(main()), LTL(G ! overflow) )\n", "no-overflow"),
    ],
)
def test_properties(program: Callable[..., str], text: str, name: str) -> None:
    assert read_property(program(text, "p.prp")).name == name


@pytest.mark.parametrize(
    "text",
    [
        "CHECK( init(main()), LTL(F end) )",
        "CHECK(init(main()), LTL(G valid-free))\nCHECK(init(main()), LTL(G ! overflow))",
    ],
)
def test_properties_that_are_refused(program: Callable[..., str], text: str) -> None:
    with pytest.raises(UnsupportedError):
        read_property(program(text, "p.prp"))
