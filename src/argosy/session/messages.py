"""What the processes of a run say to each other: lines of JSON, each a dataclass below with its name.

The parent sends an ``Errand``. The child, in which the analysis runs, says ``Phase``, ``Told``, ``Kept`` and
``FilePart`` as often as it likes, and then with ``Reply``, ``Unreadable`` or ``Misused``. The warden that watches the
child says ``Look`` now and then, and at last ``Ending``. Results and tasks travel in their own JSON and are read only
where they are needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import asdict, dataclass

RUN = "argosy.session.run:run"
"""What the child calls, where nothing else is asked for."""

CHECK = "argosy.session.checking:run"
"""What it calls where a witness is to be checked."""

_PART = 1 << 16


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
class Told:
    """What a watched run has learned since the last time, and its graph while that is small: JSON for a page."""

    content: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The result that counts if the analysis has to be killed."""

    result: str


@dataclass(frozen=True, slots=True)
class Reply:
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
class FilePart:
    """A piece of a text that the parent is to write to ``path``; the last one makes it whole. Nothing is written of a
    text that did not come whole. A character of a ``binary`` one is a byte."""

    path: str
    text: str
    last: bool
    binary: bool = False


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


Message = Errand | Phase | Told | Kept | FilePart | Reply | Unreadable | Misused | Look | Ending

_KINDS: Mapping[str, type[Message]] = {
    kind.__name__: kind for kind in (Errand, Phase, Told, Kept, FilePart, Reply, Unreadable, Misused, Look, Ending)
}


def encode(message: Message) -> bytes:
    """A line. What cannot be written in UTF-8 (a name that the file system has in another code) is escaped."""
    return json.dumps([type(message).__name__, asdict(message)]).encode() + b"\n"


def decode(line: bytes) -> Message:
    kind, fields = json.loads(line)
    return _KINDS[kind](**fields)


def send(descriptor: int, *messages: Message) -> None:
    for message in messages:
        content = encode(message)
        while content:
            content = content[os.write(descriptor, content) :]


def parts(path: str, content: str | bytes) -> Iterator[FilePart]:
    """A content of any length in pieces, between which the parent can look at its other duties."""
    binary = isinstance(content, bytes)
    text = content.decode("latin-1") if isinstance(content, bytes) else content
    for start in range(0, len(text) or 1, _PART):
        yield FilePart(path, text[start : start + _PART], start + _PART >= len(text), binary)


class Incoming:
    """Messages out of what comes in, in pieces of any size."""

    def __init__(self) -> None:
        self._unread: list[bytes] = []

    def feed(self, content: bytes) -> Iterator[Message]:
        *lines, rest = content.split(b"\n")
        if lines:
            lines[0] = b"".join([*self._unread, lines[0]])
            self._unread.clear()
        self._unread.append(rest)
        return map(decode, lines)
