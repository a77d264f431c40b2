"""The parent's side of a run: the deadline, the memory limit, Ctrl-C, and a result in every case.

The analysis runs in a process of its own (``child``), below a warden (``watch``) that keeps the limits and sees to it
that nothing survives, not even when this process is killed. This module starts the warden, reads what the analysis and
the warden say, and makes a result of it.

Laws: ``supervise`` returns a result, or raises ``InputError`` or ``Fault``, within a second of the time limit, of
passing the memory limit and of Ctrl-C; and when it has returned no process that it started is running.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

from argosy.basics.budget import INTERRUPTED, MEMORY_LIMIT, TIME_LIMIT
from argosy.basics.errors import UsageError
from argosy.basics.files import nameless, write_fault
from argosy.basics.processes import MEGABYTE
from argosy.basics.records import replace
from argosy.basics.version import VERSION
from argosy.frontends.files import STANDARD_INPUT
from argosy.report.result import UNKNOWN, Result
from argosy.session.messages import (
    Ending,
    Errand,
    FilePart,
    Incoming,
    Kept,
    Look,
    Message,
    Misused,
    Phase,
    Reply,
    Told,
    Unreadable,
    encode,
)
from argosy.session.progress import Snapshot, Write, write_file
from argosy.session.starting import Ends, Start, fresh
from argosy.session.task import Task
from argosy.session.watch import GRACE, MEMORY, TIME, end_of, interruptions

KILLED = "killed from outside, perhaps because the machine ran out of memory"

_PATIENCE = 0.5
_REASONS = {TIME: TIME_LIMIT, MEMORY: MEMORY_LIMIT}


class Fault(Exception):
    """The analysis crashed. ``path`` is the file that holds what a bug report needs."""

    def __init__(self, what: str, path: str) -> None:
        super().__init__(f"{what}; details are in {path}")
        self.what = what
        self.path = path


def supervise(
    task: Task,
    on_progress: Callable[[Snapshot], None] | None = None,
    *,
    started: float | None = None,
    run: str | None = None,
    write: Write = write_file,
    start: Start = fresh,
) -> Result:
    """Decide ``task`` in a child process. ``started`` is when the time limit began to run (``time.monotonic``);
    ``run`` names another function ``module:function`` for the child to call; ``write`` is given each file that it
    exports, its path and its content; ``start`` says where the warden comes from."""
    started = time.monotonic() if started is None else started
    with nameless() as log, interruptions() as interrupted:
        supervision = _Supervision(task, started, log, run or task.run, write, start)
        try:
            return supervision.wait(interrupted, on_progress)
        finally:
            supervision.stop()


class _Supervision:
    """One run, its warden, and what is known of it."""

    def __init__(self, task: Task, started: float, log: IO[bytes], run: str, write: Write, start: Start) -> None:
        self._task = task
        self._started = started
        self._log = log
        self._write = write
        self._phase = "starting"
        self._counts: dict[str, float] = {}
        self._known: Result | None = None
        self._files: dict[str, list[str]] = {}
        self._told: list[str] = []
        self._peak = self._cpu = 0.0
        self._said, self._seen = Incoming(), Incoming()
        self._connection, theirs = socket.socketpair()
        self._messages, writer = os.pipe()
        given = os.dup(0) if task.input == STANDARD_INPUT else None
        try:
            self._warden = start(Ends(theirs.fileno(), writer, log.fileno(), given))
        finally:
            theirs.close()
            os.close(writer)
            if given is not None:
                os.close(given)
        os.set_blocking(self._messages, False)
        wall = None if task.time_limit is None else task.time_limit + GRACE
        with suppress(BrokenPipeError):  # a warden that died at once is noticed below
            self._connection.sendall(encode(Errand(task.to_json(), run, started, wall, task.memory_limit, given)))

    def wait(self, interrupted: int, on_progress: Callable[[Snapshot], None] | None) -> Result:
        with selectors.DefaultSelector() as selector:
            for source in (interrupted, self._messages, self._connection):
                selector.register(source, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if interrupted in ready:
                    return self._unknown(INTERRUPTED)
                # What was said before the end is read before the end is believed.
                seen = list(self._hear()) if self._connection in ready else []
                result = self._listen(to_the_end=any(not isinstance(each, Look) or each.limit for each in seen))
                if result is not None:
                    if on_progress is not None and self._told:
                        self._show(on_progress, self._peak)
                    return result
                for message in seen:
                    match message:
                        case Look(memory, cpu, limit):
                            self._cpu, self._peak = max(self._cpu, cpu), max(self._peak, memory)
                            if limit is not None:
                                return self._unknown(_REASONS[limit])
                            if on_progress is not None:
                                self._show(on_progress, memory)
                        case Ending(exit_code):
                            return self._died(exit_code)

    def _show(self, on_progress: Callable[[Snapshot], None], memory: float) -> None:
        told, self._told = self._told, []
        on_progress(Snapshot(self._phase, dict(self._counts), time.monotonic() - self._started, memory, told))

    def stop(self) -> None:
        """The warden ends what it watches when it hears nothing any more. Freeing much memory takes a while; nobody
        needs to wait for that."""
        with suppress(OSError):
            self._connection.settimeout(_PATIENCE)
            self._connection.shutdown(socket.SHUT_WR)
            while self._connection.recv(MEGABYTE):
                pass
        self._warden.kill()
        self._warden.wait()
        os.close(self._messages)
        self._connection.close()

    def _hear(self) -> Iterator[Message]:
        """What the warden has said; the end of a warden that said nothing is the end of the run."""
        try:
            content = self._connection.recv(MEGABYTE)
        except ConnectionResetError:
            content = b""
        return self._seen.feed(content) if content else iter([Ending(self._warden.wait(), None, 0.0, 0.0, 0.0)])

    def _listen(self, to_the_end: bool) -> Result | None:
        """A piece, or the rest, of what the analysis has said; a result is the last thing that it says."""
        with suppress(BlockingIOError):
            while content := os.read(self._messages, MEGABYTE):
                for message in self._said.feed(content):
                    match message:
                        case Phase(phase, counts):
                            self._phase, self._counts = phase, dict(counts)
                        case Told(learned):
                            self._told.append(learned)
                        case Kept(result):
                            self._known = Result.from_json(result)
                        case Reply(result, cpu, peak):
                            self._cpu, self._peak = max(self._cpu, cpu), max(self._peak, peak)
                            return self._with_usage(Result.from_json(result))
                        case FilePart(path, text, last, binary):
                            self._files.setdefault(path, []).append(text)
                            if last:
                                whole = "".join(self._files.pop(path))
                                self._write(path, whole.encode("latin-1") if binary else whole)
                        case Unreadable():
                            raise message.error()
                        case Misused(what):
                            raise UsageError(what)
                if not to_the_end:
                    break
        return None

    def _with_usage(self, result: Result) -> Result:
        if result.verdict == UNKNOWN:
            result = replace(result, phase=self._phase)
        return result.with_statistics(
            wall_s=round(time.monotonic() - self._started, 3),
            cpu_s=round(self._cpu, 3),
            peak_memory_mb=round(self._peak, 1),
        )

    def _unknown(self, reason: str) -> Result:
        if self._known is not None:
            return self._with_usage(self._known.with_statistics(**self._counts).ended(reason))
        return self._with_usage(self._task.unknown(reason, self._counts))

    def _died(self, status: int) -> Result:
        """The child, or what watches it, has ended without a result."""
        if status == -signal.SIGKILL:
            return self._unknown(KILLED)
        if status < 0:
            raise self._fault(f"the analysis crashed with {_signal_name(-status)}")
        raise self._fault(f"the analysis ended with exit code {status} and no result")

    def _fault(self, what: str) -> Fault:
        import platform

        log = end_of(self._log, MEGABYTE)
        exception = log.rstrip().rpartition("\n")[2]
        if "Traceback (most recent call last)" in log and exception:
            what = exception
        facts = {
            "argosy": VERSION,
            "python": f"{platform.python_version()} on {platform.platform()}",
            "fault": what,
            "task": self._task.to_json(),
            "phase": self._phase,
            "counters": json.dumps(self._counts),
            "memory": f"{self._peak:.0f} MB",
        }
        return Fault(what, write_fault("".join(f"{name}: {fact}\n" for name, fact in facts.items()) + f"\n{log}"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
