"""Progress: counters that travel from the analysis to whoever waits for it.

The analysis calls ``Progress.update`` as often as it likes; a ``Snapshot`` is sent on at most every tenth of a
second, and whenever the phase changes. What was sent last is what a run that had to be killed still knows about
itself. ``LiveLine`` and ``PlainLines`` show snapshots to people.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TextIO

from argosy.basics.errors import UsageError
from argosy.basics.files import write_bytes, write_text
from argosy.basics.records import dataclass, field
from argosy.report.result import Result

INTERVAL = 0.1

Write = Callable[[str, str | bytes], None]
"""What becomes of a file: its path and what belongs there."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known of a run that goes on: its phase, its counters, seconds since the start, megabytes in use."""

    phase: str = "starting"
    counts: Mapping[str, float] = field(default_factory=dict)
    elapsed: float = 0.0
    memory: float = 0.0
    told: Sequence[str] = ()
    """What was learned since the last snapshot, of a run that is watched (``messages.Told``)."""


class Progress:
    """The counters of a run. Counts given once stay until they are given again."""

    def __init__(
        self,
        send: Callable[[str, Mapping[str, float]], None],
        interval: float = INTERVAL,
        clock: Callable[[], float] = time.monotonic,
        keep: Callable[[Result], None] | None = None,
        export: Write | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._send = send
        self._keep = keep
        self._export = export
        self._tell = tell
        self._interval = interval
        self._clock = clock
        self._phase = ""
        self._counts: dict[str, float] = {}
        self._due = float("-inf")

    def is_due(self, phase: str) -> bool:
        """Whether an update would be sent on: what is counted for it alone need not be counted otherwise."""
        return phase != self._phase or self._clock() >= self._due

    def update(self, phase: str, **counts: float) -> None:
        self._counts.update(counts)
        if self.is_due(phase):
            self._phase = phase
            self._due = self._clock() + self._interval
            self._send(phase, self._counts)

    def keep(self, result: Result) -> None:
        """What is known so far, should the run have to be killed (see ``Result.ended``)."""
        if self._keep is not None:
            self._keep(result)

    def tell(self, content: str) -> None:
        """What a watched run has learned."""
        if self._tell is not None:
            self._tell(content)

    def export(self, path: str, content: str | bytes) -> None:
        """A file that was asked for; who started the run writes it."""
        if self._export is not None:
            self._export(path, content)


def write_file(path: str, content: str | bytes) -> None:
    """What becomes of an exported file where nothing else is said."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    if isinstance(content, bytes):
        write_bytes(path, content)
    else:
        write_text(path, content)


class Display(Protocol):
    """Shows snapshots while a run goes on; ``close`` leaves the stream as it was found."""

    def __call__(self, snapshot: Snapshot) -> None: ...
    def close(self) -> None: ...


class Hidden:
    """Shows nothing."""

    def __call__(self, snapshot: Snapshot) -> None:
        pass

    def close(self) -> None:
        pass


class LiveLine:
    """One line of a terminal, written again and again."""

    _WHEEL = "|/-\\"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._turn = 0

    def __call__(self, snapshot: Snapshot) -> None:
        self._turn += 1
        wheel = self._WHEEL[self._turn % len(self._WHEEL)]
        line = f"{wheel} {snapshot.phase}  {describe(snapshot)}"
        self._stream.write(f"\r{line[: self._width() - 1]}\x1b[K")
        self._stream.flush()

    def close(self) -> None:
        if self._turn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80


class PlainLines:
    """A line after two seconds, four, eight, and so on: a long run in a log file stays readable."""

    def __init__(self, stream: TextIO, first: float = 2.0) -> None:
        self._stream = stream
        self._due = first

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.elapsed >= self._due:
            self._due = 2 * max(self._due, snapshot.elapsed / 2)
            self._stream.write(f"{snapshot.phase}: {describe(snapshot)}\n")
            self._stream.flush()

    def close(self) -> None:
        pass


def describe(snapshot: Snapshot) -> str:
    counts = [
        f"{snapshot.counts[name]:,.0f} {name}"
        for name in ("nodes", "refinements", "predicates", "steps", "lemmas")
        if name in snapshot.counts
    ]
    return "  ".join([*counts, f"{snapshot.memory:,.0f} MB", f"{snapshot.elapsed:.1f} s"])
