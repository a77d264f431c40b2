"""Wardens on demand. Starting an interpreter for each run would cost more than some runs: one small process is started
once, and forks a warden for each order, in a few milliseconds. It has no threads and no solvers, so that a fork of it
is safe whatever the program is that asks.

Each warden is connected with whoever asked by a socket of their own. Closing it ends the run; the kernel closes it when
that process is killed.
"""

from __future__ import annotations

import os
import signal
import socket
from types import TracebackType

from argosy.bench.limits import Outcome, RunOrder, watch
from argosy.session.watch import start_interpreter


class Wardens:
    """Usable in a ``with`` statement; ``warm`` ones can run Argosy itself (``limits.WARM``). Law: when it is left, no
    process of any run is running, provided that the sockets were closed before."""

    def __init__(self, warm: bool = False) -> None:
        call = "serve_warm" if warm else "serve"
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = start_interpreter(f"argosy.bench.wardens:{call}", theirs.fileno())

    def start(self, order: RunOrder) -> socket.socket:
        """A run begins. The outcome, one line, and then the end can be read from the socket."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"!"], [theirs.fileno()])
        ours.sendall(order.to_json().encode() + b"\n")
        return ours

    def close(self) -> None:
        self._control.close()
        self._process.wait()

    def __enter__(self) -> Wardens:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_outcome(content: bytes) -> Outcome | None:
    """None where the warden was killed."""
    return Outcome.from_json(content.decode()) if content.endswith(b"\n") else None


def run(order: RunOrder) -> Outcome | None:
    """One order, and its outcome."""
    with Wardens() as wardens, wardens.start(order) as connection, connection.makefile("rb") as file:
        return read_outcome(file.read())


def serve_warm() -> None:
    """The same with everything loaded that a run of Argosy may need."""
    from argosy.session.warm import load_everything

    load_everything()
    serve()


def serve() -> None:
    """The process that forks wardens, until nobody can ask it any more. It waits for those that are still at work:
    they end what they watch."""
    control = socket.socket(fileno=0)
    children: set[int] = set()
    while True:
        word, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        children = {pid for pid in children if os.waitpid(pid, os.WNOHANG)[0] == 0}
        if not word:
            break
        child = os.fork()
        if child == 0:
            _become_warden(descriptors[0])
        children.add(child)
        os.close(descriptors[0])
    for pid in children:
        os.waitpid(pid, 0)
    os._exit(0)


def _become_warden(connection: int) -> None:
    os.dup2(connection, 0)
    os.dup2(connection, 1)
    os.close(connection)
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch()
    os._exit(0)
