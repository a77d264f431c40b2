"""Programs that attack the C front end: each file says what is true of it in its first line.

    // expect: unsafe-or-unknown  models: LP64 ILP32  truth: argued  ledger: left to right

``expect``   the answers that are allowed: safe, unsafe, unknown, unreadable, joined by ``-or-``; where unknown is
             allowed a refusal to read the file is, too.
``models``   the data models it is asked under (LP64).
``truth``    run (the default): the program is deterministic, and compilers say whether it reaches the error;
             argued: C, or the contract, leaves more than one execution, and a comment says what follows.
``ledger``   an expression; an answer that is not in ``expect`` is allowed where a line of the ledger matches it.
``options``  of ``argosy.verify``.
``property`` the formula of a property file.

Law: Argosy never says the opposite of the truth. What it says wrong today stands in ``known_wrong.txt``, which
``python -m tests.frontends.c.attack`` writes anew.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import argosy
from argosy.basics.errors import InputError, UsageError
from tests.fuzz.worker import CRASHES

FOLDER = Path(__file__).parent
KNOWN = FOLDER / "known_wrong.txt"
RUNTIME = FOLDER / "runtime.c"
ANSWERS = frozenset(("safe", "unsafe", "unknown", "unreadable"))
KEYS = frozenset(("expect", "models", "truth", "ledger", "options", "property"))
ERROR = 107
TIME_LIMIT = 10.0

MATHEMATICS = ("-Wl,--no-as-needed", "-lm")
# -m32 without a C library: the runtime has what the programs call.
COMPILERS: Mapping[str, Sequence[Sequence[str]]] = {
    "LP64": (("gcc", "-O0", *MATHEMATICS), ("clang", "-O2", "-fno-strict-aliasing", *MATHEMATICS)),
    "ILP32": (("gcc", "-O0", "-m32", "-DFREESTANDING", "-ffreestanding", "-nostdlib", "-static", "-no-pie"),),
}


@dataclass(frozen=True, slots=True)
class Attack:
    """One program under one data model."""

    path: Path
    model: str
    expect: frozenset[str]
    argued: bool
    ledger: str | None
    options: Mapping[str, str]
    asked: str | None

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(FOLDER)} {self.model}"

    @property
    def runs(self) -> bool:
        return not self.argued and "unreadable" not in self.expect


@dataclass(frozen=True, slots=True)
class Answer:
    """``verdict`` is one of ``ANSWERS``, or crash, or usage where an option does not exist."""

    verdict: str
    reason: str = ""
    ledger: tuple[str, ...] = ()

    def allowed(self, attack: Attack) -> bool:
        refused = self.verdict == "unreadable" and "unknown" in attack.expect
        if refused or self.verdict in attack.expect:
            return True
        noted = attack.ledger is not None and any(re.search(attack.ledger, line) for line in self.ledger)
        return noted and self.verdict in ANSWERS

    def __str__(self) -> str:
        return " ".join(filter(None, (self.verdict, self.reason, *self.ledger)))


def attacks() -> Iterator[Attack]:
    for path in sorted(FOLDER.glob("*/*.c")):
        yield from _read(path)


def _read(path: Path) -> Iterator[Attack]:
    head = path.read_text(encoding="utf-8").partition("\n")[0]
    if not head.startswith("// expect: "):
        raise ValueError(f"{path}: the first line does not say what is expected")
    fields = dict(part.split(": ", 1) for part in re.split(r"  +", head.removeprefix("// ").strip()))
    expect = frozenset(fields["expect"].split("-or-"))
    if not fields.keys() <= KEYS or not expect <= ANSWERS or fields.get("truth", "run") not in ("run", "argued"):
        raise ValueError(f"{path}: {head}")
    options = dict(option.split("=", 1) for option in fields.get("options", "").split())
    for model in fields.get("models", "LP64").split():
        yield Attack(
            path, model, expect, fields.get("truth") == "argued", fields.get("ledger"), options, fields.get("property")
        )


def known_wrong() -> dict[str, str]:
    """What is wrong today, by the name of the attack: the answer given."""
    if not KNOWN.exists():
        return {}
    rows = (line.split() for line in KNOWN.read_text().splitlines() if line and not line.startswith("#"))
    return {f"{path} {model}": answer for path, model, answer in rows}


def answer(attack: Attack) -> Answer:
    with tempfile.TemporaryDirectory() as directory:
        options: dict[str, Any] = dict(attack.options)
        if attack.asked is not None:
            file = Path(directory) / "asked.prp"
            file.write_text(f"CHECK( init(main()), LTL({attack.asked}) )\n")
            options["property"] = str(file)
        try:
            result = argosy.verify(
                attack.path, data_model=attack.model, time_limit=TIME_LIMIT, in_process=True, **options
            )
        except UsageError as error:
            return Answer("usage", str(error))
        except InputError as error:
            return Answer("unreadable", str(error))
        except CRASHES as error:
            return Answer("crash", f"{type(error).__name__}: {error}")
    return Answer(result.verdict, result.reason or "", tuple(result.ledger))


@functools.cache
def compilers(model: str) -> tuple[tuple[str, ...], ...]:
    """The compilers that are here and can build for the data model."""
    with tempfile.TemporaryDirectory() as directory:
        empty = Path(directory) / "empty.c"
        empty.write_text("int main(void) { return 0; }\n")
        return tuple(
            tuple(command)
            for command in COMPILERS[model]
            if shutil.which(command[0]) and _status(command, empty, Path(directory)) == 0
        )


def executed(attack: Attack, command: Sequence[str]) -> str:
    """``safe`` or ``unsafe``, as the compiled program says."""
    return "unsafe" if ended(command, attack.path) == ERROR else "safe"


def ended(command: Sequence[str], path: Path) -> int:
    """The status that the compiled program ends with."""
    with tempfile.TemporaryDirectory() as directory:
        status = _status(command, path, Path(directory))
    if status is None:
        raise ValueError(f"{path}: {command[0]} does not compile it")
    return status


def _status(command: Sequence[str], source: Path, directory: Path) -> int | None:
    """How the program ended; None where it does not compile."""
    executable = directory / "program"
    build = [*command, "-std=gnu11", "-w", "-fno-stack-protector", "-o", str(executable), str(source), str(RUNTIME)]
    if subprocess.run(build, capture_output=True, timeout=60, check=False).returncode:
        return None
    run = subprocess.run([str(executable)], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    return run.returncode
