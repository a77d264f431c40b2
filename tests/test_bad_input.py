"""Inputs that cannot be read, or hardly: the exit code of the contract, one clear line, never a traceback."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from argosy.basics.errors import InputError
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms

UNREADABLE = 2
VERDICT = re.compile(r"Verdict: (SAFE|UNSAFE|UNKNOWN \(.+\))")
EXIT_CODES = {"SAFE": 0, "UNSAFE": 10}

PROGRAM = b"""extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef unsigned char byte;
enum colour { RED, GREEN = 5 };
static byte twice(byte b) { return b * 2; }
int main(void) {
  int x = __VERIFIER_nondet_int() ? 'a' : GREEN;
  for (int i = 0; i < 1; i++) {
    x = twice(x) ? x - 1 : RED;
  }
  if (x == 0x7fffffff) { reach_error(); }
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    out: str
    err: str


def verify(path: Path | str, *options: str, limit: float = 60) -> Run:
    command = [sys.executable, "-m", "argosy", "verify", str(path), "--quiet", *options]
    done = subprocess.run(command, capture_output=True, timeout=limit)
    # Output is decoded here: bytes of the input that are no text must not come out as such.
    return Run(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def check_manners(run: Run) -> str:
    """What holds for every input whatever. The verdict is returned."""
    assert "Traceback" not in run.out + run.err
    assert run.code in (0, 10, 5, UNREADABLE), run
    last = run.out.splitlines()[-1]
    match = VERDICT.fullmatch(last)
    assert match, f"the last line is no verdict: {last!r}"
    if run.code != UNREADABLE:
        assert run.code == EXIT_CODES.get(match[1], 5)
        assert run.err == ""
    return match[1]


def check_unreadable(run: Run, path: Path | str) -> str:
    """Exit code 2 and one line that names the file. The line is returned."""
    verdict = check_manners(run)
    assert run.code == UNREADABLE, run
    assert verdict.startswith("UNKNOWN")
    [line] = run.err.splitlines()
    assert str(path) in line
    assert len(line) < 500 and line.isprintable()
    return line


def written(directory: Path, content: bytes, name: str = "input.c") -> Path:
    path = directory / name
    path.write_bytes(content)
    return path


# ---- files that are no files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".c", ".i", ".yml"])
def test_a_missing_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"missing{suffix}"
    assert "o such file" in check_unreadable(verify(path), path)


@pytest.mark.parametrize("suffix", [".c", ".yml"])
def test_a_directory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"directory{suffix}"
    path.mkdir()
    assert "irectory" in check_unreadable(verify(path), path)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = written(tmp_path, PROGRAM)
    path.chmod(0)
    assert "ermission" in check_unreadable(verify(path), path)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.c")
    run = verify(path)
    check_manners(run)
    assert run.code == UNREADABLE and len(run.err.splitlines()) == 1


def test_a_name_too_long(tmp_path: Path) -> None:
    run = verify(tmp_path / ("x" * 5000 + ".c"))
    check_manners(run)
    assert run.code == UNREADABLE and len(run.err.splitlines()) == 1


# ---- files that are no programs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"   \t\r\n\x0c", b"/* nothing */\n", b"int x;\n", b"int f(void) { return 1; }\n", b"int main;\n",
     b"int main(void);\n"],
    ids=["empty", "newline", "blank", "comment", "variable", "function", "main is a variable", "main is only declared"],
)  # fmt: skip
def test_no_main(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    assert "main" in check_unreadable(verify(path), path)


def test_a_truncated_program(tmp_path: Path) -> None:
    """Wherever the file ends, up to its last brace."""
    whole = verify(written(tmp_path, PROGRAM))
    assert check_manners(whole) in ("SAFE", "UNSAFE")
    draw = random.Random(1)
    for length in sorted(draw.sample(range(PROGRAM.rindex(b"}")), 8)):
        path = written(tmp_path, PROGRAM[:length], f"truncated{length}.c")
        check_unreadable(verify(path), path)


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01\x01" + bytes(200),
        bytes(1000),
        bytes(range(256)) * 20,
        random.Random(1).randbytes(5000),
        PROGRAM.replace(b"int x", b"int \x00 x"),
        PROGRAM.replace(b"int x", b"int \xff\xfe x"),
        PROGRAM.decode().encode("utf-16"),
        b"\x1f\x8b\x08\x00" + random.Random(2).randbytes(300),
    ],
    ids=["executable", "zeros", "all bytes", "noise", "a zero", "no utf-8", "utf-16", "compressed"],
)
@pytest.mark.parametrize("suffix", [".c", ".i"])
def test_binary(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = written(tmp_path, content, f"binary{suffix}")
    check_unreadable(verify(path), path)


def test_bytes_outside_ascii_are_welcome_in_comments_and_after_a_mark(tmp_path: Path) -> None:
    """Old files have comments in Latin-1; some editors put a byte order mark first."""
    for name, content in (("latin.c", b"/* caf\xe9 */\n" + PROGRAM), ("mark.c", b"\xef\xbb\xbf" + PROGRAM)):
        assert check_manners(verify(written(tmp_path, content, name))) in ("SAFE", "UNSAFE")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("int main(void) {\n  int x = ;\n}\n", "2:11"),
        ("int main(void) {\n  x x x;\n}\n", "2"),
        ("int main(void) {\n  return 0\n}\n", "3:1"),
        ("int main(void) { return 0; }}\n", "1:29"),
        ("int main(void) {\n  if (1 { }\n}\n", "2:9"),
        ("int main(void) {\n  return 'a;\n}\n", "2:10"),
        ("int main(void) {\n  return @;\n}\n", "2:10"),
        ("int main(void) {\n  return 0x;\n}\n", "2:10"),
        ("int main(void) {\n  return undeclared;\n}\n", "2:10"),
        ("int main(void) {\n  goto nowhere;\n}\n", "2"),
        ("int main(void) {\n  break;\n}\n", "2"),
        ("int main(void) {\n  continue;\n}\n", "2"),
        ("int main(void) {\n  case 1: ;\n}\n", "2"),
        ("int main(void) {\n  L: ; L: ;\n}\n", "2"),
        ("int main(void) {\n  switch (1) { case 1: case 1: ; }\n}\n", "2"),
        ("int main(void) {\n  1 = 2;\n}\n", "2"),
        ("int main(void) {\n  int x; int x;\n}\n", "2"),
        ("int f(int a) { return a; }\nint main(void) {\n  return f(1, 2);\n}\n", "3"),
        ("int f(void) { return 1; }\nint f(void) { return 2; }\nint main(void) { return 0; }\n", "2"),
        ('# 40 "other.h"\nint main(void) {\n  int x = ;\n}\n', "other.h:41:11"),
        ("#line 7\nint main(void) {\n  int x = ;\n}\n", "8:11"),
        ("/* never closed\nint main(void) { return 0; }\n", "1:1"),
        ('int main(void) {\n  char *s = "never closed;\n}\n', "2:13"),
    ],
)
def test_an_error_is_placed(tmp_path: Path, content: str, place: str) -> None:
    path = written(tmp_path, content.encode(), "wrong.i")
    with pytest.raises(InputError) as caught:
        load(str(path), terms=Terms())
    assert f"{place}:" in str(caught.value)


def test_the_place_of_an_error_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, b"int main(void) {\n  int x = ;\n}\n")
    assert f"{path}:2:11: " in check_unreadable(verify(path), path)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"- just\n- a list\n", b"format_version: '2.0'\n", b"input_files: [unclosed\n",
     b"format_version: '2.0'\ninput_files: missing.c\nproperties: []\n", b"a: &a [*a, *a]\n"],
    ids=["empty", "binary", "list", "no input", "syntax", "missing program", "recursive"],
)  # fmt: skip
def test_a_task_definition_that_defines_no_task(tmp_path: Path, content: bytes) -> None:
    run = verify(written(tmp_path, content, "task.yml"))
    check_manners(run)
    assert run.code == UNREADABLE and len(run.err.splitlines()) == 1


# ---- files that are too much ---------------------------------------------------------------------------------


def in_main(body: str, before: str = "") -> bytes:
    head = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
    return f"{head}{before}int main(void) {{ int x = 1; {body} if (!x) reach_error(); return 0; }}\n".encode()


DEEP = 10_000
HUGE = {
    "parentheses": in_main(f"x = {'(' * DEEP}1{')' * DEEP};"),
    "blocks": in_main("{" * DEEP + "}" * DEEP),
    "ifs": in_main("if (x) " * DEEP + ";"),
    "elses": in_main("if (x == 5) x = 2; else " * DEEP + ";"),
    "loops": in_main("while (x) " * DEEP + ";"),
    "negations": in_main(f"x = {'!' * DEEP}x;"),
    "minuses": in_main(f"x = {'- ' * DEEP}x;"),
    "conditionals": in_main("x = " + "x ? 1 : " * DEEP + "1;"),
    "assignments": in_main("x = " * DEEP + "1;"),
    "casts": in_main("x = " + "(int)" * DEEP + "1;"),
    "calls": in_main("x = " + "f(" * DEEP + "1" + ")" * DEEP + ";", "static int f(int a) { return a; }\n"),
    "stars": in_main("int " + "*" * DEEP + "p = 0; x = p == 0;"),
    "unclosed": b"int main(void) { x = " + b"(" * DEEP,
    "unclosed blocks": b"int main(void) " + b"{" * DEEP,
    "sums": in_main("x = 1" + " + 1" * 750_000 + ";"),
    "ands": in_main("x = x" + " && x" * 100_000 + ";"),
    "line": in_main(";" * 3_000_000),
    "name": in_main(f"int {'y' * 3_000_000} = 1;"),
    "number": in_main(f"x = {'1' * 3_000_000};"),
    "comment": in_main(f"/* {'x' * 3_000_000} */"),
    "string": in_main(f'char *s = "{"x" * 3_000_000}";'),
    "labels": in_main("".join(f"L{i}: " for i in range(DEEP)) + ";"),
    "functions": in_main("", "".join(f"int f{i}(void) {{ return {i}; }}\n" for i in range(DEEP))),
    "chain of calls": in_main(
        "x = f2000();",
        "int f0(void) { return 1; }\n" + "".join(f"int f{i}(void) {{ return f{i - 1}(); }}\n" for i in range(1, 2001)),
    ),
    "exploding calls": in_main(
        "x = f40();",
        "int f0(void) { return 1; }\n"
        + "".join(f"int f{i}(void) {{ return f{i - 1}() + f{i - 1}(); }}\n" for i in range(1, 41)),
    ),
}


@pytest.mark.parametrize("what", HUGE)
def test_too_much_of_something(tmp_path: Path, what: str) -> None:
    """Decided, refused or out of time; the limits hold while reading too."""
    path = written(tmp_path, HUGE[what])
    run = verify(path, "--time-limit", "2", "--memory-limit", "2000", limit=30)
    verdict = check_manners(run)
    # What these programs do is plain, where it is decided at all.
    assert verdict != "UNSAFE" or what in ("conditionals", "minuses", "negations")
    if run.code == UNREADABLE:
        check_unreadable(run, path)
