"""Where the warden of a run comes from (``watch``): a fresh interpreter, or a fork of the process that asks.

A fresh interpreter is right in every program, also in one that has threads or solvers of its own. A fork has all that
is loaded already and costs next to nothing; it is for the command, which has neither.

Law: a warden leads a group of its own, whatever it was started by. Its standard input is the socket, its standard
output what the analysis says, its standard error the log.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn, Protocol

from argosy.basics.records import dataclass
from argosy.session.watch import start_interpreter

SERVER = "ARGOSY_SERVER"
"""The environment variable that names the socket of ``argosy serve`` (``warm``) for other commands."""

_CALL = "argosy.session.child:serve"
_MOST = 1 << 16


@dataclass(frozen=True, slots=True)
class Ends:
    """The descriptors that a warden gets: the socket, where messages go, the log, and the standard input of whoever
    asked, under a number of its own, where the input is read from there."""

    connection: int
    messages: int
    log: int
    given: int | None = None


class WardenProcess(Protocol):
    """``wait`` gives its exit code, negative for a signal; ``kill`` kills its whole group."""

    def wait(self) -> int: ...
    def kill(self) -> None: ...


Start = Callable[[Ends], WardenProcess]


def fresh(ends: Ends) -> WardenProcess:
    """An interpreter of its own."""
    given = () if ends.given is None else (ends.given,)
    process = start_interpreter(_CALL, ends.connection, stdout=ends.messages, stderr=ends.log, pass_fds=given)
    return Child(process.pid, process.wait)


def forked(ends: Ends) -> WardenProcess:
    """A fork of this process, which has one thread."""
    pid = os.fork()
    if pid == 0:
        become(ends)
    return Child(pid, lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


class Child:
    """A child of this process. ``wait`` is called once."""

    def __init__(self, pid: int, wait: Callable[[], int]) -> None:
        self.pid = pid
        self._wait = wait
        self._status: int | None = None

    def wait(self) -> int:
        if self._status is None:
            self._status = self._wait()
        return self._status

    def kill(self) -> None:
        # Also where it has ended: what it watched may go on.
        with suppress(ProcessLookupError, PermissionError):  # the second is how macOS says that all are dead
            os.killpg(self.pid, signal.SIGKILL)


def become(ends: Ends) -> NoReturn:
    """From here on this process is a warden: nothing of what it was is left but the modules that are loaded."""
    try:
        os.setpgid(0, 0)
        for heard in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            if signal.getsignal(heard) is not signal.SIG_IGN:
                signal.signal(heard, signal.SIG_DFL)
        for number, end in enumerate((ends.connection, ends.messages, ends.log)):
            os.dup2(end, number)
        kept = [2] if ends.given is None else [2, ends.given]
        for first, last in zip(kept, [*kept[1:], _MOST], strict=True):
            os.closerange(first + 1, last)
        sys.stdin, sys.stdout = sys.__stdin__, sys.__stdout__
        sys.stderr = open(2, "w", closefd=False, buffering=1, errors="backslashreplace")  # noqa: SIM115
        from argosy.session.child import serve

        serve()
    finally:
        if sys.exception() is not None:
            import traceback

            traceback.print_exc()
        os._exit(1)
