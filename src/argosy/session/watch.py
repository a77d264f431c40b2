"""One run under limits: processor time, time on the clock and memory, counted over everything that it starts.

A run is watched from outside, because a solver call in flight cannot be interrupted, native memory exhaustion cannot be
caught and a crash takes its process along. The one who watches is a *warden*, a small process of its own that forks the
run. On Linux orphans are given to it, so no process that the run starts can leave it, neither by a new session nor by
losing its parents; the processor time of all that have ended is what the kernel reports to the warden as their heir.
Where the system has no such thing (macOS), the groups of the warden and of the run are killed beside its known
descendants.

Whoever asked for the run holds the other end of the warden's standard input, a socket, and ends the run by closing it;
the kernel closes it when that process is killed. ``argosy verify`` has a warden for its analysis (``supervisor``),
``argosy bench`` one for each command (``bench.wardens``).

Laws: when an ``Ending`` is there, no process of the run is running any more. A run that ended by itself although it had
used more than its processor time counts as stopped by that limit.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from argosy.basics.processes import MEGABYTE, descendants, kill, processor_seconds
from argosy.basics.records import dataclass
from argosy.session.messages import Ending, Look

if TYPE_CHECKING:
    import subprocess

TIME = "time"
MEMORY = "memory"

INPUT = 0

# The analysis is told its limits of time and stops by itself where it can; only then is it killed.
GRACE = 0.3

_LOOK = 0.05
_LONGEST_LOOK = 0.5
_PATIENCE = 10.0

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds of processor time, seconds on the clock, megabytes; None is no limit. ``courtesy``: a run that is out of
    time is sent SIGTERM first, and has so many seconds to say how far it came."""

    cpu_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None
    courtesy: float = 0.0


def start_interpreter(call: str, connection: int, **streams: Any) -> subprocess.Popen[bytes]:
    """A fresh interpreter that calls the function ``module:function``, with the socket as its standard input. It costs
    some 20 ms more than a fork, and is right also in a program that has threads or solvers of its own. It leads a group
    of its own: Ctrl-C in a terminal goes to the group of the one who asked, who decides what becomes of the run."""
    import subprocess

    module, _, function = call.partition(":")
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {module} import {function}; {function}()"],
        stdin=connection,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        process_group=0,
        **streams,
    )


class Warden:
    """Watches a run from the process that it is created in, which has nothing else to do and is the leader of a group.
    ``started`` is when the time on the clock began to run; ``tell`` hears of every look."""

    def __init__(
        self, allowance: Allowance, started: float | None = None, tell: Callable[[Look], None] = lambda look: None
    ) -> None:
        self._allowance = allowance
        self._started = time.monotonic() if started is None else started
        self._tell = tell
        self._peak = 0.0
        self._child = 0
        self._status: int | None = None
        self._prctl = _prctl()
        # Whether whatever a run leaves behind becomes ours, so that nothing of it is running when we have no child.
        self._inherits = self._prctl(_PR_SET_CHILD_SUBREAPER, 1) == 0
        # Becomes readable when a child has ended.
        self._wakeup, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def run(self, body: Callable[[], None]) -> Ending | None:
        """Call ``body`` in a process of its own, and wait for its end or for a limit. None where whoever asked has
        closed our standard input."""
        self._start(body)
        try:
            limit = self._wait()
            wall = time.monotonic() - self._started
            orphaned = limit is None and self._status is None
            if limit == TIME and self._allowance.courtesy:
                self._ask()
        finally:
            self._kill_all()
        if orphaned:
            return None
        cpu = processor_seconds(resource.RUSAGE_CHILDREN)
        if limit is None and self._allowance.cpu_s is not None and cpu > self._allowance.cpu_s:
            limit = TIME
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        peak = max(self._peak, largest / (1024 if sys.platform != "darwin" else MEGABYTE))
        status = -signal.SIGKILL if self._status is None else self._status
        return Ending(status, limit, round(wall, 3), round(cpu, 3), round(peak, 1))

    def _start(self, body: Callable[[], None]) -> None:
        self._child = os.fork()
        if self._child == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                # Not even the end of the warden lets the run go on.
                self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                body()
            finally:
                if sys.exception() is not None:
                    import traceback

                    traceback.print_exc()
                os._exit(1)

    def _wait(self) -> str | None:
        """Until the run has ended, somebody closed our input, or a limit is passed, which is then named."""
        allowance = self._allowance
        deadline = float("inf") if allowance.wall_s is None else self._started + allowance.wall_s
        look = time.monotonic() + _LOOK
        while self._status is None:
            now = time.monotonic()
            if now >= look or now > deadline:
                seen = self._look(now > deadline)
                self._tell(seen)
                if seen.limit is not None:
                    return seen.limit
                # A look takes the longer the more processes the machine has; it gets a fiftieth of the time, so that
                # it does not change what it measures.
                look = now + min(max(_LOOK, 50 * (time.monotonic() - now)), _LONGEST_LOOK)
            if self._pause(min(look, deadline), INPUT):
                return None
        return None

    def _pause(self, until: float, *inputs: int) -> bool:
        """Until then, or until a process has ended, or one of the inputs can be read: whether that is so. All that have
        ended are waited for, heirs included: only then does their processor time count as ours."""
        ready, _, _ = select.select([self._wakeup, *inputs], [], [], max(0.0, until - time.monotonic()))
        if self._wakeup in ready:
            os.read(self._wakeup, 4096)
        self._reap()
        return any(each in ready for each in inputs)

    def _look(self, late: bool) -> Look:
        _, use = descendants(self._child, self._allowance.memory_mb)
        cpu = use.cpu_s + processor_seconds(resource.RUSAGE_CHILDREN)
        self._peak = max(self._peak, use.memory_mb)
        limit = TIME if late else None
        if limit is None and self._allowance.memory_mb is not None and use.memory_mb > self._allowance.memory_mb:
            limit = MEMORY
        if limit is None and self._allowance.cpu_s is not None and cpu > self._allowance.cpu_s:
            limit = TIME
        return Look(use.memory_mb, cpu, limit)

    def _ask(self) -> None:
        """A command that ends at a friendly signal can still say how far it came."""
        deadline = time.monotonic() + self._allowance.courtesy
        with suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGTERM)
        while self._status is None and time.monotonic() < deadline:
            self._pause(deadline)

    def _reap(self) -> bool:
        """Whether there still are children."""
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
                if ended[0] == self._child:
                    self._status = os.waitstatus_to_exitcode(ended[1])
        except ChildProcessError:
            return False
        return True

    def _kill_all(self) -> None:
        status = self._status
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            if not self._reap() and self._inherits:
                break
            members, _ = descendants(self._child)
            kill(members)
            if not members:
                # What has ended by now is ours to account for.
                self._reap()
                break
            time.sleep(0.002)
        self._status = status


def _prctl() -> Callable[[int, int], object]:
    """The system call of that name; elsewhere than on Linux nothing."""
    import ctypes

    library: Any = ctypes.CDLL(None)
    found: Callable[[int, int], object] | None = getattr(library, "prctl", None)
    return found or (lambda option, value: None)


def end_of(file: IO[bytes], size: int) -> str:
    """The last ``size`` bytes of what a run wrote there, or all of it."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - size))
    return file.read().decode(errors="replace")


@contextmanager
def interruptions() -> Iterator[int]:
    """A descriptor that becomes readable on Ctrl-C or SIGTERM. Elsewhere than in the main thread, where Python
    allows no handlers, it never does. A signal that the caller ignores stays ignored."""
    reader, writer = os.pipe()
    previous: dict[signal.Signals, Any] = {}

    def note(number: int, frame: object) -> None:
        os.write(writer, b"!")

    try:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    previous[number] = signal.signal(number, note)
        yield reader
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        os.close(reader)
        os.close(writer)
