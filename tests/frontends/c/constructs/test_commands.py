"""What the command line offers for C, item by item, as it is typed: each choice in a run that it makes safe, and in one
that it does not."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import pytest

import argosy
from argosy.cli.main import main

FOLDER = Path(__file__).parent
needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")

DOOR = """#include <assert.h>
#include "door.h"
#if defined TRACE
#error traced
#endif
static int state = SHUT;
int main(void) { state = opened(state); assert(state == (DEBUG ? OPEN : SHUT)); return 0; }
int check_door(struct door *d, struct door *e) {
    d->state = OPEN;
    e->state = SHUT;
    assert(d->state == OPEN);
    return 0;
}
"""
HEADER = "enum { SHUT, OPEN };\nstruct door { int state; };\nint opened(int);\n"
MOTOR = """#include "door.h"
static int state = 7;
int opened(int from) { return from == SHUT && state == 7 ? OPEN : from; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "door.h").write_text(HEADER)
    (tmp_path / "door.c").write_text(DOOR)
    (tmp_path / "motor.c").write_text(MOTOR)
    return tmp_path


def status(*words: object) -> int:
    return main(["verify", *map(str, words), "--time-limit", "30", "--no-config"])


@needs_compiler
def test_several_files_with_folders_and_macros(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = project / "door.c", project / "motor.c", "-I", project / "include"
    assert status(*files, "-D", "DEBUG=1", "-D", "TRACE", "-U", "TRACE") == 0
    assert status(*files, "-D", "DEBUG=0") == 10
    assert status(*files, "-D", "DEBUG=1", "-D", "TRACE") == 2
    assert f"{project / 'door.c'}:4:2: #error traced" in capsys.readouterr().err


@needs_compiler
def test_pointers_of_an_entry_are_distinct_or_not(project: Path) -> None:
    files = project / "door.c", project / "motor.c", "-I", project / "include", "-D", "DEBUG=1"
    assert status(*files, "--entry", "check_door", "--entry-pointers", "valid") == 0
    assert status(*files, "--entry", "check_door", "--entry-pointers", "shared") == 10


def test_types_that_do_not_fit_are_refused_with_both_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    first.write_text("extern int level(short);\nint main(void) { return level(1); }\n")
    second.write_text("\nlong level(short s) { return s; }\n")
    assert status(first, second) == 2
    said = capsys.readouterr().err
    assert f"{second}:2:6: " in said and f"at {first}:1:12" in said


@needs_compiler
def test_a_compilation_database(project: Path) -> None:
    def written(debug: int) -> Path:
        command = f"cc -Iinclude -DDEBUG={debug} -m64 -O2 -c"
        entries = [{"directory": ".", "file": f, "command": f"{command} {f}"} for f in ("door.c", "motor.c")]
        path = project / "compile_commands.json"
        path.write_text(json.dumps(entries))
        return path

    assert status(written(1)) == 0
    assert status(written(0)) == 10


@pytest.mark.parametrize(
    "name", ["library/strings.c", "library/sorted_records.c", "language/logger.c", "parsing/offsets.c"]
)
def test_without_a_compiler(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for defined, expected in (("", "safe"), ("UNSAFE", "unsafe")):
        result = argosy.verify(FOLDER / name, define=defined, in_process=True, time_limit=60)
        assert (result.verdict, result.certified) == (expected, True), result.reason


def test_the_data_model_is_that_of_the_machine_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wide.c"
    path.write_text(
        "#include <assert.h>\nint main(void) { assert(sizeof(long) == sizeof(void *) && sizeof(long) == 8); }\n"
    )
    own = "LP64" if struct.calcsize("P") == 8 else "ILP32"
    assert status(path) == (0 if own == "LP64" else 10)
    assert f", {own}, " in capsys.readouterr().out
    assert status(path, "--data-model", "ILP32") == 10
    assert ", ILP32, " in capsys.readouterr().out


def test_a_library_of_ones_own(tmp_path: Path) -> None:
    program, mine = tmp_path / "meter.c", tmp_path / "mine.c"
    program.write_text(
        "void reach_error(void); int read_meter(void);\n"
        "int main(void) { int first = read_meter(); if (read_meter() < first) reach_error(); return 0; }\n"
    )
    mine.write_text("static int reading; int read_meter(void) { return reading < 1000 ? reading++ : reading; }\n")
    assert status(program, "--library", mine) == 0
    assert status(program) == 10


@pytest.mark.parametrize(
    ("body", "option", "safe", "unsafe"),
    [
        ("volatile int v = 1; if (v != 1) reach_error();", "--volatile", "plain", "arbitrary"),
        ("int x = next() - next(); if (x != -1) reach_error();", "--evaluation-order", "left", "all"),
    ],
)
def test_choices_of_meaning(body: str, option: str, safe: str, unsafe: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"void reach_error(void); int n; int next(void) {{ return n++; }}\nint main(void) {{ {body} }}\n")
    assert status(path, option, safe) == 0
    assert status(path, option, unsafe) == 10


@pytest.mark.parametrize("strategy", ["explicit", "bmc", "kinduction", "lbe"])
def test_no_verdict_depends_on_the_strategy(strategy: str) -> None:
    for name in ("language/packed_frames.c", "floats/conversions.c", "parsing/initialisers.c"):
        for defined, expected in (("", "safe"), ("UNSAFE", "unsafe")):
            result = argosy.verify(FOLDER / name, strategy, define=defined, in_process=True, time_limit=60)
            assert (result.verdict, result.certified) == (expected, True), (name, result.reason)


def test_the_input_of_a_counterexample_is_a_number_that_does_it() -> None:
    """Read back from what is printed, and computed by the machine."""
    path = FOLDER / "floats" / "input_that_matters.c"
    steps = argosy.verify(path, define="UNSAFE", in_process=True, time_limit=60).counterexample
    (chosen,) = [step for step in steps if step["choice"]]
    single = struct.Struct("<f")

    def rounded(number: float) -> float:
        value: float = single.unpack(single.pack(number))[0]
        return value

    x, tenth = rounded(float(chosen["shown"]["main::x"].removesuffix("f"))), rounded(0.1)
    assert single.pack(x) == struct.pack("<I", chosen["values"]["main::x"])
    assert 1 <= x < 2 and rounded(rounded(x + tenth) - tenth) != x
