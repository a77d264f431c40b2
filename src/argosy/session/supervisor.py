"""The parent's side of a run: the deadline, the memory limit, Ctrl-C, and a result in every case.

A solver call in flight cannot be interrupted, native memory exhaustion cannot be caught, and a crash takes its
process along. So the analysis runs in a process group of its own (``child``), and this module watches it from
outside. A fresh interpreter is started rather than a fork of this one: it costs some 20 ms, and is right also in a
program that has threads or solvers of its own. The group is led by a guard, a shell that waits for the end of a
pipe which only this process holds, and then kills the group: nothing survives a parent that was killed itself.

Laws: ``supervise`` returns a result, or raises ``InputError`` or ``Fault``, within a second of the time limit, of
passing the memory limit and of Ctrl-C; and when it has returned no process that it started is running.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import platform
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from argosy.basics.errors import UsageError
from argosy.basics.processes import MEGABYTE, usage
from argosy.basics.version import VERSION
from argosy.report.result import Result
from argosy.session.progress import Snapshot
from argosy.session.task import Task

TIME_LIMIT = "time limit"
MEMORY_LIMIT = "memory limit"
INTERRUPTED = "interrupted"
KILLED = "killed from outside, perhaps because the machine ran out of memory"

# The analysis is told the deadline and stops by itself where it can; only then is it killed.
GRACE = 0.3

_LOOK = 0.05
_LONGEST_LOOK = 0.4


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
    run: str = "argosy.session.run:run",
    write: Callable[[str, str], None] | None = None,
) -> Result:
    """Decide ``task`` in a child process. ``started`` is when the time limit began to run (``time.monotonic``);
    ``run`` names the function ``module:function`` that the child calls."""
    started = time.monotonic() if started is None else started
    with tempfile.TemporaryFile() as log, _interruptions() as interruptions:
        watch = _Watch(task, started, log, run)
        try:
            return watch.wait(interruptions, on_progress, write)
        finally:
            watch.stop()


class _Watch:
    """One child and what is known of it."""

    def __init__(self, task: Task, started: float, log: IO[bytes], run: str) -> None:
        self._task = task
        self._started = started
        self._log = log
        self._phase = "starting"
        self._counts: dict[str, float] = {}
        self._known: Result | None = None
        self._memory = self._peak = self._cpu = 0.0
        self._unread = b""
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", "read line; kill -9 0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", "from argosy.session.child import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            process_group=self._guard.pid,
        )
        assert self._child.stdin is not None and self._child.stdout is not None
        self._messages = self._child.stdout.fileno()
        deadline = None if task.time_limit is None else started + task.time_limit
        self._deadline = float("inf") if deadline is None else deadline + GRACE
        order = {"task": task.to_json(), "deadline": deadline, "run": run}
        with suppress(BrokenPipeError), self._child.stdin as stdin:  # a child that died at once is noticed below
            stdin.write(json.dumps(order).encode())

    def wait(
        self,
        interruptions: int,
        on_progress: Callable[[Snapshot], None] | None,
        write: Callable[[str, str], None] | None = None,
    ) -> Result:
        look = 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(self._messages, selectors.EVENT_READ)
            selector.register(interruptions, selectors.EVENT_READ)
            while True:
                now = time.monotonic()
                if now >= self._deadline:
                    return self._unknown(TIME_LIMIT)
                if now >= look:
                    if self._exceeds_memory():
                        return self._unknown(MEMORY_LIMIT)
                    if on_progress is not None:
                        on_progress(Snapshot(self._phase, dict(self._counts), now - self._started, self._memory))
                    # A look takes the longer the more processes there are; it gets a twentieth of the time.
                    look = now + min(max(_LOOK, 20 * (time.monotonic() - now)), _LONGEST_LOOK)
                # Asked before the pipe is read, for what was sent before the end; and asked at all, because a worker
                # of the analysis may hold the pipe open when the analysis itself has died.
                ended = self._child.poll() is not None
                timeout = 0.0 if ended else max(0.0, min(look, self._deadline) - time.monotonic())
                ready = {key.fd for key, _ in selector.select(timeout)}
                if interruptions in ready:
                    return self._unknown(INTERRUPTED)
                if self._messages in ready:
                    content = os.read(self._messages, MEGABYTE)
                    if not content:
                        return self._died()
                    result = self._read(content, write)
                    if result is not None:
                        return result
                elif ended:
                    return self._died()

    def stop(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the second is how macOS says that all are dead
            os.killpg(self._guard.pid, signal.SIGKILL)
        for process in (self._child, self._guard):
            with suppress(subprocess.TimeoutExpired):  # freeing much memory takes a while; nobody needs to wait for it
                process.wait(timeout=0.5)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def _exceeds_memory(self) -> bool:
        limit = self._task.memory_limit
        now = usage(self._guard.pid, limit)
        self._memory = now.memory_mb
        self._peak = max(self._peak, now.memory_mb)
        self._cpu = max(self._cpu, now.cpu_s)
        return limit is not None and now.memory_mb > limit

    def _read(self, content: bytes, write: Callable[[str, str], None] | None) -> Result | None:
        *lines, self._unread = (self._unread + content).split(b"\n")
        for line in lines:
            match json.loads(line):
                case {"phase": phase, "counts": counts}:
                    self._phase = phase
                    self._counts = counts
                case {"file": path, "text": text}:
                    if write is not None:
                        write(path, text)
                case {"misused": what}:
                    raise UsageError(what)
                case {"known": result}:
                    self._known = Result.from_json(result)
                case {"result": result, "cpu_s": cpu, "peak_memory_mb": peak}:
                    self._cpu = max(self._cpu, cpu)
                    self._peak = max(self._peak, peak)
                    return self._with_usage(Result.from_json(result))
                case {"unreadable": error}:
                    raise pickle.loads(base64.b64decode(error))
        return None

    def _with_usage(self, result: Result) -> Result:
        return result.with_statistics(
            wall_s=round(time.monotonic() - self._started, 3),
            cpu_s=round(self._cpu, 3),
            peak_memory_mb=round(self._peak, 1),
        )

    def _unknown(self, reason: str) -> Result:
        if self._known is not None:
            return self._with_usage(self._known.with_statistics(**self._counts).ended(reason))
        return self._with_usage(self._task.unknown(reason, self._counts))

    def _died(self) -> Result:
        """The child has ended, or is about to, without a result."""
        try:
            status = self._child.wait(timeout=1)
        except subprocess.TimeoutExpired:
            raise self._fault("the analysis closed its pipe and goes on") from None
        if status == -signal.SIGKILL:
            return self._unknown(KILLED)
        if status < 0:
            raise self._fault(f"the analysis crashed with {_signal_name(-status)}")
        raise self._fault(f"the analysis ended with exit code {status} and no result")

    def _fault(self, what: str) -> Fault:
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - MEGABYTE))
        log = self._log.read().decode(errors="replace")
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
        descriptor, path = tempfile.mkstemp(prefix="argosy-fault-", suffix=".txt")
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{name}: {fact}\n" for name, fact in facts.items())
            file.write(f"\n{log}")
        return Fault(what, path)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def _interruptions() -> Iterator[int]:
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
