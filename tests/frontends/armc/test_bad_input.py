"""Files that are no models: exit code 2 and one line with file, line and column; refusals are exit code 5."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.cli.main import main
from argosy.frontends.armc import read
from argosy.logic.terms import Terms

EXAMPLE = (Path(__file__).parents[3] / "examples" / "armc" / "peterson.armc").read_text(encoding="utf-8")
STEP = "r(p(pc(a), data(X)), p(pc(b), data(Xp)), [], [], 1).\n"
HEAD = "start(pc(a)). error(pc(b)).\n"


@pytest.mark.parametrize(
    ("content", "place", "what"),
    [
        (EXAMPLE[: len(EXAMPLE) // 2].encode(), ":", "does not end"),
        (b"\x7fELF\x01\x02\0\0", ":1:1", "not a text file"),
        (bytes(range(128, 256)), ":1:1", "unknown symbol"),
        (b"  \n", ":1:1", "the file is empty"),
        (b"% nothing but a comment\n", ":2:1", "there is no transition r/5"),
        (f"{HEAD}{STEP}forall(x, y).".encode(), ":3:1", "unknown clause forall/2"),
        (f"{HEAD}r(p(pc(a), data(X)), p(pc(b), data(Y)), [], []).".encode(), ":2:1", "r has 5 arguments, not 4"),
        (f"{HEAD}r(p(pc(a), data(X)), p(pc(b), data(Y)), [1/X > 1], [], 1).".encode(), ":2:43", "not linear"),
        (f"start(pc(nowhere)). error(pc(b)).\n{STEP}".encode(), ":1:10", "no transition mentions the location nowhere"),
        (
            STEP.replace("b", "error").encode() + b"start(pc(a)). error(pc(eror)).",
            ":2:24",
            "no transition mentions the error location eror; is error meant?",
        ),
        (f"{HEAD}{'(' * 20_000}".encode(), ":2:20001", "the clause of line 2 does not end"),
        (f"{HEAD}{STEP}start({'9' * 100_000}).".encode(), ":3:7", "a number of more than 1000 digits"),
    ],
)
def test_unreadable(content: bytes, place: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.armc"
    path.write_bytes(content)
    assert main(["verify", str(path), "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("Verdict: UNKNOWN (cannot be read: ")
    [line] = err.splitlines()
    assert line.startswith(f"argosy: {path}{place}") and what in line and len(line) < 600


def test_not_modelled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.pl"
    path.write_text(f"{HEAD}{STEP}r(p(pc(a), data(X)), p(pc(b), data(Y)), [], [], 1) :- X > 1.")
    assert main(["verify", str(path), "--quiet"]) == 5
    assert "unsupported: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ["--arithmetic", "bits"],
        ["--signed-overflow", "wrap"],
        ["--data-model", "LP64"],
        ["--property", "no-overflow"],
        ["--query", "E<> p"],
        ["--numbers", "reals"],
    ],
)
def test_options_of_programs_are_wrong_usage(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "model.armc"
    path.write_text(HEAD + STEP)
    assert main(["verify", str(path), "--quiet", *options]) == 1


def test_numbers_are_for_clauses(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0; }")
    assert main(["verify", str(path), "--quiet", "--numbers", "rational"]) == 1


def test_damaged_files_are_read_or_refused() -> None:
    """Whatever happens to a file, there is a model or one of the two errors."""
    randomness = random.Random(5)
    outcomes = set()
    for _ in range(300):
        text = EXAMPLE
        for _ in range(randomness.randint(1, 3)):
            at, length = randomness.randrange(len(text)), randomness.randint(0, 3)
            text = text[:at] + "".join(randomness.choices("()[],.'_Xa1 %=<>\\;\n", k=length)) + text[at + length :]
        try:
            read("m.armc", text, terms=Terms())
            outcomes.add("read")
        except (InputError, UnsupportedError) as error:
            assert error.position.line >= 1
            outcomes.add(type(error).__name__)
    assert {"read", "InputError"} <= outcomes
