"""Prints the typed form of programs as C, compiles original and print, and compares what they do.

Choices come from a seed (``printed.c``); what a run says is how it ended and which choices it asked for, and whatever
the program prints. Where C leaves an order open compilers differ: the print, which is left to right, must do what one
of them does. Objects without a value are zero at first, for all.
"""

from __future__ import annotations

import functools
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from argosy.frontends.c.print import print_program

RUNTIME = Path(__file__).with_name("printed.c")
COMPILERS = (("gcc", "-O0"), ("clang", "-O0"))
FLAGS = ("-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-fno-stack-protector", "-ftrivial-auto-var-init=zero")
# Bit fields are narrower than any type that a conversion can name.
CONVERSIONS = re.compile(
    r"warning: (?!.*:[0-9]+’).*\[-W(?:[a-z-]*conversion|incompatible-pointer-types|pointer-sign)\]"
)
WARNINGS = ("-Wconversion", "-Wsign-conversion", "-Wint-conversion", "-Wincompatible-pointer-types", "-Wpointer-sign")
_MACHINE = {"LP64": ("-m64",), "ILP32": ("-m32",)}
SEEDS = (1, 2, 3, 4)


@functools.cache
def available() -> bool:
    return shutil.which("gcc") is not None and platform.machine() == "x86_64" and platform.system() == "Linux"


@functools.cache
def compilers() -> tuple[tuple[str, ...], ...]:
    return tuple(command for command in COMPILERS if shutil.which(command[0]))


@dataclass(frozen=True, slots=True)
class Compilation:
    ok: bool
    said: str


def compiled(command: Sequence[str], sources: Sequence[Path], to: Path, *flags: str) -> Compilation:
    made = subprocess.run(
        [*command, *FLAGS, *flags, "-o", str(to), *map(str, sources)],
        capture_output=True, text=True, errors="replace", timeout=60, check=False,
    )  # fmt: skip
    return Compilation(made.returncode == 0, made.stderr)


def object_file(text: str, model: str, *flags: str) -> Compilation:
    """Whether a text compiles by itself."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "program.c"
        source.write_text(text, encoding="utf-8", errors="surrogateescape")
        return compiled(("gcc", "-O0", *_MACHINE[model]), [source], Path(folder) / "program.o", "-c", *flags)


def conversions(text: str, model: str) -> list[str]:
    """What gcc converts without being told, or an error of the print."""
    made = object_file(text, model, *WARNINGS)
    if not made.ok:
        return [line for line in made.said.splitlines() if "error" in line] or [made.said]
    return [line for line in made.said.splitlines() if CONVERSIONS.search(line)]


class Runs:
    """The runs of a text, one for each seed; None where it cannot be linked."""

    def __init__(self, text: str, command: Sequence[str], seeds: Sequence[int] = SEEDS) -> None:
        self.results: list[str] | None = None
        with tempfile.TemporaryDirectory() as folder:
            source, executable = Path(folder) / "program.c", Path(folder) / "program"
            source.write_text(text, encoding="utf-8", errors="surrogateescape")
            if compiled(command, [source, RUNTIME], executable, "-w", "-lm").ok:
                self.results = [_run(executable, seed) for seed in seeds]


def _run(executable: Path, seed: int) -> str:
    try:
        done = subprocess.run(
            [str(executable)], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False,
            env={"SEED": str(seed)}, cwd=executable.parent,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode == -14:
        return "does not end"
    return f"{done.returncode}: {done.stdout[-2000:]!r}"


def difference(original: str, printed: str, seeds: Sequence[int] = SEEDS) -> str | None:
    """How the print behaves differently from the original, whichever compiler that is given to; '' where the original
    cannot be run."""
    references = [Runs(original, command, seeds).results for command in compilers()]
    known = [results for results in references if results is not None]
    if not known:
        return ""
    found = Runs(printed, COMPILERS[0], seeds).results
    if found is None:
        return "the print cannot be linked"
    for index, result in enumerate(found):
        expected = {results[index] for results in known}
        if result not in expected and "does not end" not in expected | {result}:
            return f"seed {seeds[index]}: {result}, not {' or '.join(sorted(expected))}"
    return None


def form(path: Path, model: str = "LP64", text: str | None = None) -> str:
    """The print of a program."""
    return print_program(str(path), model, text)
