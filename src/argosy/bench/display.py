"""What people see while a study runs: on a terminal a block of lines that is written again, elsewhere a line for each
run. A wrong verdict is said at once and stays; colours only repeat what the words say.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TextIO

from argosy.bench.records import WRONG, Run, RunRecord
from argosy.bench.study import Watcher
from argosy.report.console import Paint

_INTERVAL = 0.2
_BAR = 24


class Tally:
    """How far a study is: solved, wrong, unsolved, remaining, and about how many seconds are left."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.total = self.done = self.solved = self.wrong = 0
        self.remaining = 0
        self._measured: dict[str, tuple[int, float]] = {}
        self._waiting: dict[str, int] = {}
        self.own: list[float] = []

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None:
        self.total = len(done) + len(remaining)
        self.remaining = len(remaining)
        for record in done:
            self._count(record)
        for run in remaining:
            self._waiting[run.configuration.label] = self._waiting.get(run.configuration.label, 0) + 1

    def finished(self, record: RunRecord, own_s: float) -> None:
        self._count(record)
        self.remaining -= 1
        self.own.append(own_s)
        self._waiting[record.configuration.label] -= 1

    def left_s(self) -> float | None:
        """As long as the runs of the same configuration took on the average; None before anything is known."""
        count, seconds = map(sum, zip(*self._measured.values(), strict=True)) if self._measured else (0, 0.0)
        if not count:
            return None
        expected = 0.0
        for label, waiting in self._waiting.items():
            of_label = self._measured.get(label)
            expected += waiting * (of_label[1] / of_label[0] if of_label else seconds / count)
        return expected / min(self._jobs, max(1, self.remaining))

    def _count(self, record: RunRecord) -> None:
        self.done += 1
        self.solved += record.success
        self.wrong += record.outcome == WRONG
        count, seconds = self._measured.get(record.configuration.label, (0, 0.0))
        self._measured[record.configuration.label] = (count + 1, seconds + record.measurement.wall_s)

    def describe(self, paint: Paint) -> str:
        unsolved = self.done - self.solved - self.wrong
        left = self.left_s()
        parts = [
            paint(f"{self.solved} solved", 32),
            paint(f"{self.wrong} wrong", 1, 31) if self.wrong else "0 wrong",
            f"{unsolved} unsolved",
            f"{self.remaining} remaining",
            *([f"about {duration(left)} left"] if left is not None and self.remaining else []),
        ]
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """3 s, 4 min 20 s, 2 h 05 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def complaint(record: RunRecord) -> str:
    return (
        f"WRONG: {record.task.name} is {record.task.expected}, "
        f"and {record.configuration.label} says {record.measurement.result}"
    )


def loss(run: Run, reason: str) -> str:
    return f"not measured: {run.configuration.label}, {run.task.name}: {reason}"


class StudyDisplay(Watcher, Protocol):
    """A watcher that shows what it is told; ``close`` leaves the stream as it was found."""

    def close(self) -> None: ...


class Terminal:
    """A bar, the figures, and a line for each run that goes on."""

    def __init__(self, stream: TextIO, tally: Tally, paint: Paint, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._tally = tally
        self._paint = paint
        self._clock = clock
        self._running: dict[str, tuple[Run, float]] = {}
        self._lines = 0
        self._due = 0.0

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None:
        self._tally.begin(done, remaining)

    def started(self, run: Run) -> None:
        self._running[run.key] = (run, self._clock())

    def finished(self, record: RunRecord, own_s: float) -> None:
        self._tally.finished(record, own_s)
        self._running = {
            key: (run, begun)
            for key, (run, begun) in self._running.items()
            if (run.task, run.configuration.label) != (record.task, record.configuration.label)
        }
        if record.outcome == WRONG:
            self._clear()
            self._stream.write(self._paint(complaint(record), 1, 31) + "\n")
        self.tick()

    def lost(self, run: Run, reason: str) -> None:
        self._running.pop(run.key, None)
        self._clear()
        self._stream.write(f"{loss(run, reason)}\n")

    def tick(self) -> None:
        now = self._clock()
        if now >= self._due:
            self._due = now + _INTERVAL
            self._clear()
            self._draw(now)

    def close(self) -> None:
        self._clear()
        self._stream.flush()

    def _draw(self, now: float) -> None:
        tally = self._tally
        filled = _BAR * tally.done // max(1, tally.total)
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}] {tally.done} of {tally.total}"
        width = self._width() - 1
        figures = tally.describe(Paint())
        # A line that the terminal had to break would be two when it is written again.
        shown = tally.describe(self._paint) if len(figures) <= width else figures[:width]
        running = (
            f"{now - begun:6.1f} s  {run.configuration.label}  {run.task.name}" for run, begun in self._running.values()
        )
        lines = [bar[:width], shown, *(line[:width] for line in running)]
        self._stream.write("\n".join(lines) + "\n")
        self._stream.flush()
        self._lines = len(lines)

    def _clear(self) -> None:
        if self._lines:
            self._stream.write(f"\x1b[{self._lines}A\x1b[J")
            self._lines = 0

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80


class Lines:
    """A line for each finished run, for a log."""

    def __init__(self, stream: TextIO, tally: Tally) -> None:
        self._stream = stream
        self._tally = tally

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None:
        self._tally.begin(done, remaining)
        if done:
            self._say(f"{len(done)} of {len(done) + len(remaining)} runs are finished already")

    def started(self, run: Run) -> None:
        pass

    def finished(self, record: RunRecord, own_s: float) -> None:
        tally = self._tally
        tally.finished(record, own_s)
        measured = record.measurement
        said = measured.result or measured.termination
        self._say(
            f"[{tally.done}/{tally.total}] {record.outcome}: {said} in {measured.cpu_s:.2f} s, "
            f"{record.configuration.label}, {record.task.name}"
        )
        if record.outcome == WRONG:
            self._say(complaint(record))

    def lost(self, run: Run, reason: str) -> None:
        self._say(loss(run, reason))

    def tick(self) -> None:
        pass

    def close(self) -> None:
        self._say(self._tally.describe(Paint()))

    def _say(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()


class Silence:
    """Counts, and says nothing."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None:
        self._tally.begin(done, remaining)

    def started(self, run: Run) -> None:
        pass

    def finished(self, record: RunRecord, own_s: float) -> None:
        self._tally.finished(record, own_s)

    def lost(self, run: Run, reason: str) -> None:
        pass

    def tick(self) -> None:
        pass

    def close(self) -> None:
        pass
