"""One command under hard limits: processor time, wall-clock time and memory, counted over everything it starts.

Each run has a warden, a small process of its own (``watch``; ``wardens`` starts them). On Linux it is the one to which
orphans are given, so no process that the command starts can leave it, neither by a new session nor by losing its
parents; the processor time of all that have ended is what the kernel reports to the warden as their heir. Where the
system has no such thing (macOS), the command's own process group is killed beside its known descendants. The warden
also ends the run when its input ends, that is when whoever asked for the run was killed.

Laws: when an ``Outcome`` is there, no process of the run is running any more. A run that ended by itself although it
had used more than its processor time counts as stopped by that limit.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from argosy.basics.processes import MEGABYTE, descendants

TIME = "time"
MEMORY = "memory"
SCRATCH = "{scratch}"
PYTHON = "{python}"

_LOOK = 0.1
_LONGEST_LOOK = 0.5
_LONGEST_TEXT = 100_000
_PATIENCE = 10.0
_COURTESY = 0.5

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Order:
    """What a warden is asked to run. A word of ``command`` that is ``{python}`` is the interpreter wherever the warden
    is; one that begins with ``{scratch}/`` is a file in a folder that exists while the run does; ``files`` are
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
    def from_json(cls, text: str) -> Order:
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Outcome:
    """``limit`` is the limit that ended the run, or None. ``exit_code`` is negative for a signal, as in
    ``subprocess``; ``output`` and ``errors`` are the ends of what was written there."""

    exit_code: int
    limit: str | None
    wall_s: float
    cpu_s: float
    memory_mb: float
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
    order = Order.from_json(sys.stdin.buffer.readline().decode())
    prctl = _prctl()
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    outcome = _Warden(order, prctl).run()
    if outcome is not None:
        with suppress(BrokenPipeError), open(1, "wb", closefd=False) as out:
            out.write(outcome.to_json().encode() + b"\n")


class _Warden:
    def __init__(self, order: Order, prctl: Callable[[int, int], object]) -> None:
        self._order = order
        self._prctl = prctl
        self._peak = 0.0
        self._status: int | None = None
        self._child = 0
        # Held, because a forgotten Popen waits for its process, and the status would be lost.
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> Outcome | None:
        """None where nobody waits for the outcome any more."""
        order = self._order
        with tempfile.TemporaryDirectory(prefix="argosy-bench-") as scratch, _wakeups() as wakeup:
            for name, content in order.files.items():
                Path(scratch, name).write_text(content, encoding="utf-8", errors="surrogateescape")
            with open(f"{scratch}/.output", "w+b") as output, open(f"{scratch}/.errors", "w+b") as errors:
                started = time.monotonic()
                self._start(scratch, output, errors)
                try:
                    limit = self._wait(started, wakeup)
                    wall = time.monotonic() - started
                    orphaned = limit is None and self._status is None
                    if limit == TIME:
                        self._ask(wakeup)
                finally:
                    self._kill_all()
                if orphaned:
                    return None
                spent = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = spent.ru_utime + spent.ru_stime
                if limit is None and order.cpu_limit is not None and cpu > order.cpu_limit:
                    limit = TIME
                scale = 1024 if sys.platform != "darwin" else MEGABYTE
                said = {"output": _end_of(output, _LONGEST_TEXT), "errors": _end_of(errors, _LONGEST_TEXT)}
                files = _contents(Path(scratch), order.wanted)
                return Outcome(
                    -signal.SIGKILL if self._status is None else self._status,
                    limit,
                    round(wall, 3),
                    round(cpu, 3),
                    round(max(self._peak, spent.ru_maxrss / scale), 1),
                    **{name: text.replace(f"{scratch}/", "") for name, text in said.items()},
                    files={name: text.replace(f"{scratch}/", "") for name, text in files.items()},
                )

    def _start(self, scratch: str, output: IO[bytes], errors: IO[bytes]) -> None:
        places = {PYTHON: sys.executable}
        words = [places.get(word, word) for word in self._order.command]
        try:
            self._process = subprocess.Popen(
                [scratch + word.removeprefix(SCRATCH) if word.startswith(SCRATCH + "/") else word for word in words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                # What a killed run leaves behind is left in the scratch folder.
                env={**os.environ, "TMPDIR": scratch},
                start_new_session=True,
                # Not even the end of the warden lets the run go on.
                preexec_fn=lambda: self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL),
            )
        except OSError as error:
            errors.write(f"{self._order.command[0]}: {error.strerror}".encode())
            self._status = 127
        else:
            self._child = self._process.pid

    def _wait(self, started: float, wakeup: int) -> str | None:
        """Until the command has ended, somebody closed our input, or a limit is passed, which is then named."""
        order = self._order
        look = 0.0
        while self._status is None:
            now = time.monotonic()
            if order.wall_limit is not None and now - started > order.wall_limit:
                return TIME
            if now >= look:
                _, use = descendants(os.getpid(), order.memory_limit)
                self._peak = max(self._peak, use.memory_mb)
                if order.memory_limit is not None and use.memory_mb > order.memory_limit:
                    return MEMORY
                ended = resource.getrusage(resource.RUSAGE_CHILDREN)
                if order.cpu_limit is not None and use.cpu_s + ended.ru_utime + ended.ru_stime > order.cpu_limit:
                    return TIME
                # A look takes the longer the more processes the machine has; it gets a fiftieth of the time, so that
                # it does not change what it measures.
                look = now + min(max(_LOOK, 50 * (time.monotonic() - now)), _LONGEST_LOOK)
            ready, _, _ = select.select([0, wakeup], [], [], max(0.0, look - time.monotonic()))
            if wakeup in ready:
                os.read(wakeup, 4096)
            if 0 in ready:
                return None
            self._reap()
        return None

    def _ask(self, wakeup: int) -> None:
        """A command that ends at a friendly signal can still say how far it came."""
        deadline = time.monotonic() + _COURTESY
        with suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGTERM)
        while self._status is None and time.monotonic() < deadline:
            if select.select([wakeup], [], [], max(0.0, deadline - time.monotonic()))[0]:
                os.read(wakeup, 4096)
            self._reap()

    def _reap(self) -> None:
        """Wait for all that have ended, heirs included: only then does their processor time count as ours."""
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self._child:
                    self._status = os.waitstatus_to_exitcode(status)

    def _kill_all(self) -> None:
        status = self._status
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            if self._child and sys.platform != "linux":
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._child, signal.SIGKILL)
            members, _ = descendants(os.getpid())
            # Stopped first, so that none starts another while its neighbours are killed.
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in members:
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            self._reap()
            if not members:
                break
            time.sleep(0.002)
        self._status = status


def _prctl() -> Callable[[int, int], object]:
    """The system call of that name; elsewhere than on Linux nothing."""
    library: Any = ctypes.CDLL(None)
    found: Callable[[int, int], object] | None = getattr(library, "prctl", None)
    return found or (lambda option, value: None)


class _wakeups:
    """A descriptor that becomes readable when a child has ended."""

    def __enter__(self) -> int:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        return self._reader

    def __exit__(self, *exception: object) -> None:
        signal.set_wakeup_fd(-1)
        os.close(self._reader)
        os.close(self._writer)


def _end_of(file: IO[bytes], size: int) -> str:
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - size))
    return file.read().decode(errors="replace")


def _contents(folder: Path, patterns: Sequence[str]) -> dict[str, str]:
    paths = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    return {path.name: path.read_text(encoding="utf-8", errors="replace") for path in paths}
