"""One command under hard limits: what a warden (``session.watch``) is asked to run, and what came of it."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import IO, NoReturn

from argosy.basics import processors
from argosy.basics.naming import named
from argosy.basics.records import asdict, dataclass, field
from argosy.session.messages import Ending
from argosy.session.watch import Allowance, Warden, end_of

SCRATCH = "{scratch}"
PYTHON = "{python}"
WARM = "{warm}"

_LONGEST_TEXT = 100_000
_COURTESY = 0.5


@dataclass(frozen=True, slots=True)
class RunOrder:
    """What a warden is asked to run. A word of ``command`` that is ``{python}`` is the interpreter wherever the warden
    is; a first word ``{warm}`` is this version of Argosy, without an interpreter of its own (``session.warm``);
    one that begins with ``{scratch}/`` is a file in a folder that exists while the run does; ``files`` are
    written there beforehand, and those that match ``wanted`` are part of the outcome. Limits are in seconds and
    megabytes; None is no limit."""

    command: Sequence[str]
    cpu_limit: float | None = None
    wall_limit: float | None = None
    memory_limit: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    wanted: Sequence[str] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> RunOrder:
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Outcome(Ending):
    """``output`` and ``errors`` are the ends of what was written there."""

    output: str = ""
    errors: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Outcome:
        return cls(**json.loads(text))


def watch() -> None:
    """A warden: takes an order from its standard input, a line, writes the outcome to its standard output, a line, and
    ends. When its input is closed before, it kills the run and writes nothing."""
    order = RunOrder.from_json(sys.stdin.buffer.readline().decode())
    outcome = _carry_out(order)
    if outcome is not None:
        with suppress(BrokenPipeError), open(1, "wb", closefd=False) as out:
            out.write(outcome.to_json().encode() + b"\n")


def _carry_out(order: RunOrder) -> Outcome | None:
    """None where nobody waits for the outcome any more."""
    with tempfile.TemporaryDirectory(prefix="argosy-bench-") as scratch:
        for name, content in order.files.items():
            Path(scratch, name).parent.mkdir(parents=True, exist_ok=True)
            Path(scratch, name).write_text(content, encoding="utf-8", errors="surrogateescape")
        with open(f"{scratch}/.output", "w+b") as output, open(f"{scratch}/.errors", "w+b") as errors:
            allowance = Allowance(order.cpu_limit, order.wall_limit, order.memory_limit, _COURTESY)
            ending = Warden(allowance).run(lambda: _execute(order, scratch, output, errors))
            if ending is None:
                return None
            files = _contents(Path(scratch), order.wanted)
            return Outcome(
                **asdict(ending),
                output=end_of(output, _LONGEST_TEXT).replace(f"{scratch}/", ""),
                errors=end_of(errors, _LONGEST_TEXT).replace(f"{scratch}/", ""),
                files={name: text.replace(f"{scratch}/", "") for name, text in files.items()},
            )


def _execute(order: RunOrder, scratch: str, output: IO[bytes], errors: IO[bytes]) -> None:
    """Become the command, in a session of its own: what it does to its group does not reach the warden."""
    os.setsid()
    with open(os.devnull, "rb") as nothing:
        for descriptor, stream in enumerate((nothing, output, errors)):
            os.dup2(stream.fileno(), descriptor)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what is ignored stays so
        signal.signal(number, signal.SIG_DFL)
    if order.cpu_limit is not None:
        # So that the command can plan with it (``processes.processor_limit``). It is kept by the warden, over all
        # processes, and not by the signal, which each process would get for itself.
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        wanted = ceil(order.cpu_limit)
        resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    words = [sys.executable if word == PYTHON else word for word in order.command]
    words = [scratch + word.removeprefix(SCRATCH) if word.startswith(SCRATCH + "/") else word for word in words]
    os.environ["TMPDIR"] = scratch
    # What is measured does not depend on what else the machine does; who wants more processes says so.
    os.environ.setdefault(processors.VARIABLE, "1")
    if words[0] == WARM:
        _call(words[1:])
    try:
        # What a killed run leaves behind is left in the scratch folder.
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{order.command[0]}: {error.strerror}".encode())
        os._exit(127)


def _call(arguments: Sequence[str]) -> NoReturn:
    """What the command itself would do, in this process."""
    sys.argv = ["argosy", *arguments]
    code: int = named("argosy.__main__:main")()
    os._exit(code)


def _contents(folder: Path, patterns: Sequence[str]) -> dict[str, str]:
    paths = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    return {path.name: path.read_text(encoding="utf-8", errors="replace") for path in paths}
