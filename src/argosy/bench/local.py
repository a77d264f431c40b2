"""Runs on this machine, several at a time, each with a warden of its own.

One thread waits for all wardens. When it ends, for whatever reason, their inputs are closed and they kill what they
watch; when the process is killed the kernel closes them.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass

from argosy.bench.limits import Order, Outcome, start
from argosy.bench.records import Run
from argosy.bench.study import Finished, Started
from argosy.processes import MEGABYTE

_TICK = 0.2


@dataclass(slots=True)
class _Active:
    run: Run
    warden: subprocess.Popen[bytes]
    begun: float
    content: bytes = b""

    def finish(self) -> Finished:
        outcome = Outcome.from_json(self.content.decode()) if self.content.endswith(b"\n") else None
        self.close()
        elapsed = time.monotonic() - self.begun
        return Finished(self.run, outcome, max(0.0, elapsed - (outcome.wall_s if outcome is not None else elapsed)))

    def close(self) -> None:
        assert self.warden.stdin is not None and self.warden.stdout is not None
        self.warden.stdin.close()
        self.warden.wait()
        self.warden.stdout.close()


class Local:
    """``jobs`` runs at a time."""

    with_input = False

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs

    def execute(self, orders: Iterable[tuple[Run, Order]]) -> Generator[Started | Finished | None, None, None]:
        waiting = iter(orders)
        active: dict[int, _Active] = {}
        with selectors.DefaultSelector() as selector:
            try:
                while True:
                    while len(active) < self._jobs and (pair := next(waiting, None)) is not None:
                        begun = time.monotonic()
                        entry = _Active(pair[0], start(pair[1]), begun)
                        assert entry.warden.stdout is not None
                        active[entry.warden.stdout.fileno()] = entry
                        selector.register(entry.warden.stdout, selectors.EVENT_READ)
                        yield Started(entry.run)
                    if not active:
                        return
                    for key, _ in selector.select(_TICK):
                        piece = os.read(key.fd, MEGABYTE)
                        active[key.fd].content += piece
                        if not piece:
                            selector.unregister(key.fd)
                            yield active.pop(key.fd).finish()
                    yield None
            finally:
                for entry in active.values():
                    assert entry.warden.stdin is not None
                    entry.warden.stdin.close()
                for entry in active.values():
                    entry.close()
