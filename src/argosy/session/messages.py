"""What the processes of a run say to each other: lines of JSON, each a dataclass below with its name.

The parent sends an ``Errand``. The child, in which the analysis runs, answers with ``Phase`` and ``Known`` as often as
it likes, and then with ``Answered``, ``Unreadable`` or ``Misused``. The warden that watches the child says ``Look`` now
and then, and at last ``Ending``. Results and tasks travel in their own JSON and are read only where they are needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from argosy.basics.errors import InputError
from argosy.basics.position import Position

RUN = "argosy.session.run:run"
"""What the child calls, where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Errand:
    """``run`` names the function ``module:function`` that the child calls with the task; ``started`` is when the clock
    began to run (``time.monotonic``), ``wall_s`` and ``memory_mb`` are what ends the child. ``given`` is the descriptor
    of the standard input of whoever asked, where the input is read from there."""

    task: str
    run: str
    started: float
    wall_s: float | None = None
    memory_mb: float | None = None
    given: int | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """What the analysis does at the moment, and what it has counted."""

    phase: str
    counts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Known:
    """The result that counts if the analysis has to be killed."""

    result: str


@dataclass(frozen=True, slots=True)
class Answered:
    result: str
    cpu_s: float
    peak_memory_mb: float


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An ``InputError``: its position, field by field, and what is wrong there."""

    position: Sequence[str | int]
    what: str

    @classmethod
    def of(cls, error: InputError) -> Unreadable:
        return cls(tuple(asdict(error.position).values()), error.what)

    def error(self) -> InputError:
        return InputError(Position(*self.position), self.what)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Misused:
    """A ``UsageError``."""

    what: str


@dataclass(frozen=True, slots=True)
class File:
    """The text of an output, for the parent to write."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """What a run uses at the moment; ``limit`` is the limit that it has passed, and that now ends it."""

    memory_mb: float
    cpu_s: float
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """``limit`` is the limit that ended the run, or None. ``exit_code`` is negative for a signal, as in
    ``subprocess``; ``memory_mb`` is the peak."""

    exit_code: int
    limit: str | None
    wall_s: float
    cpu_s: float
    memory_mb: float


Message = Errand | Phase | Known | File | Answered | Unreadable | Misused | Look | Ending

_KINDS: Mapping[str, type[Message]] = {
    kind.__name__: kind for kind in (Errand, Phase, Known, File, Answered, Unreadable, Misused, Look, Ending)
}


def encode(message: Message) -> bytes:
    """A line. What cannot be written in UTF-8 (a name that the file system has in another code) is escaped."""
    return json.dumps([type(message).__name__, asdict(message)]).encode() + b"\n"


def decode(line: bytes) -> Message:
    kind, fields = json.loads(line)
    return _KINDS[kind](**fields)


def send(descriptor: int, message: Message) -> None:
    content = encode(message)
    while content:
        content = content[os.write(descriptor, content) :]


class Lines:
    """Messages out of what comes in, in pieces of any size."""

    def __init__(self) -> None:
        self._unread = b""

    def feed(self, content: bytes) -> Iterator[Message]:
        *lines, self._unread = (self._unread + content).split(b"\n")
        return map(decode, lines)
