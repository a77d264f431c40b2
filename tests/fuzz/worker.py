"""Whole runs of the pipeline in a process that is kept: starting one per run would cost more than most runs take.

A run that does not keep its time limit (inside a solver call it cannot) is killed with its process, and counts as
UNKNOWN like any other time limit.
"""

from __future__ import annotations

import atexit
import contextlib
import tempfile
import traceback
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from argosy.basics.errors import InputError
from argosy.logic.solver import SolverError

# What a bug of Argosy raises. Anything else (an interrupt, a fault of this harness) is not caught.
CRASHES = (
    ArithmeticError, AssertionError, AttributeError, InputError, LookupError, NameError, OSError, RuntimeError,
    SolverError, TypeError, ValueError,
)  # fmt: skip

GRACE = 1.0
# Solvers do not give back all their memory.
RUNS_PER_PROCESS = 200
START = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """``verdict`` is safe, unsafe, unknown or crash."""

    verdict: str
    reason: str = ""

    def contradicts(self, truth: str) -> bool:
        return self.verdict == "crash" or (self.verdict != "unknown" and self.verdict != truth)


@dataclass(frozen=True, slots=True)
class Run:
    """One verification: what ``argosy.verify`` is called with."""

    text: str
    strategy: str
    choices: dict[str, Any] = field(default_factory=dict)

    def outcome(self) -> Outcome:
        from argosy import verify

        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "program.c"
            path.write_text(self.text)
            try:
                result = verify(path, self.strategy, in_process=True, **self.choices)
            except CRASHES as error:
                return Outcome("crash", "".join(traceback.format_exception(error, limit=-6)))
        return Outcome(result.verdict, result.reason or "")


def _serve(connection: Connection) -> None:
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        connection.send(Outcome("unknown", "ready"))
        while True:
            run: Run = connection.recv()
            connection.send(run.outcome())


class Worker:
    """Runs one verification after another; the process is started when it is needed, and after it was killed."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._runs = 0
        atexit.register(self.stop)

    def __call__(self, run: Run, time_limit: float) -> Outcome:
        self._runs += 1
        if self._runs % RUNS_PER_PROCESS == 0:
            self.stop()
        connection = self._started()
        connection.send(run)
        if not connection.poll(time_limit + GRACE):
            self.stop()
            return Outcome("unknown", "time limit, and killed")
        try:
            answer: Outcome = connection.recv()
        except EOFError:
            status = self._process.exitcode if self._process is not None else None
            self.stop()
            return Outcome("crash", f"the process ended with {status}")
        return answer

    def _started(self) -> Connection:
        if self._connection is None:
            context = get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other,), daemon=True)
            self._process.start()
            other.close()
            if not self._connection.poll(START):
                raise TimeoutError("the worker does not start")
            self._connection.recv()
        return self._connection

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None
