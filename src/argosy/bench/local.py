"""Runs on this machine, several at a time, each with a warden of its own.

One thread waits for all wardens. When it ends, for whatever reason, their connections are closed and they kill what
they watch.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Generator, Iterable

from argosy.basics.processes import MEGABYTE
from argosy.basics.records import dataclass
from argosy.bench.limits import RunOrder
from argosy.bench.records import Run
from argosy.bench.study import Finished, Started
from argosy.bench.wardens import Wardens, read_outcome

_TICK = 0.2


@dataclass(slots=True)
class _Active:
    run: Run
    connection: socket.socket
    begun: float
    content: bytes = b""

    def finish(self) -> Finished:
        self.connection.close()
        return Finished.since(self.begun, self.run, read_outcome(self.content))


class Local:
    """``jobs`` runs at a time. ``warm``: runs of this version of Argosy are forks of a process that has it loaded."""

    with_input = False

    def __init__(self, jobs: int = 1, warm: bool = False) -> None:
        self._jobs = jobs
        self._warm = warm

    def execute(self, orders: Iterable[tuple[Run, RunOrder]]) -> Generator[Started | Finished | None, None, None]:
        waiting = iter(orders)
        active: dict[socket.socket, _Active] = {}
        with Wardens(self._warm) as wardens, selectors.DefaultSelector() as selector:
            try:
                while True:
                    while len(active) < self._jobs and (pair := next(waiting, None)) is not None:
                        begun = time.monotonic()
                        connection = wardens.start(pair[1])
                        active[connection] = _Active(pair[0], connection, begun)
                        selector.register(connection, selectors.EVENT_READ)
                        yield Started(pair[0])
                    if not active:
                        return
                    for key, _ in selector.select(_TICK):
                        connection = key.fileobj  # type: ignore[assignment]
                        piece = connection.recv(MEGABYTE)
                        active[connection].content += piece
                        if not piece:
                            selector.unregister(connection)
                            yield active.pop(connection).finish()
                    yield None
            finally:
                for connection in active:
                    connection.close()
