"""One lane of several (``backends.beside``): a forked process in which a backend runs, and its handle outside.

What it says comes through a pipe: how far it is, what is answered so far, and at last its answers. A lane has all that
was read before the fork; what it finds is sent by ``logic.transport``. Its clock goes on where that of its parent was.
"""

from __future__ import annotations

import os
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NoReturn

from argosy.backends.contract import UNKNOWN, Answer, Backend, Plan
from argosy.backends.course import Course
from argosy.backends.exchange import Learned
from argosy.basics.budget import CLOCK
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.basics.processes import MEGABYTE, end_trees
from argosy.basics.records import dataclass, replace
from argosy.logic.transport import Shared, pack, unpack
from argosy.problem.problem import Problem, Subject

_LENGTH = 8
_INTERVAL = 0.1
_PATIENCE = 0.1
_PAUSE = 0.002


@dataclass(frozen=True, slots=True)
class LanePhase:
    """What a lane does at the moment, and what it has counted."""

    phase: str
    counts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """Answers that were not sent yet, of all that is asked; ``final``: these are all answers."""

    answers: Sequence[Answer]
    asked: Sequence[Subject]
    final: bool = False


@dataclass(frozen=True, slots=True)
class LaneFailure:
    """Why a lane has no answers. ``refused_at`` is where something is not supported; ``fault``: the program's own."""

    what: str
    refused_at: Position | None = None
    fault: bool = False


Said = LanePhase | Found | LaneFailure | Learned


class LaneProcess:
    """The process of a lane, seen from outside. ``others`` are descriptors that it has no use for."""

    def __init__(
        self,
        number: int,
        backend: Backend,
        problem: Problem,
        plan: Plan,
        shared: Shared,
        others: Sequence[int] = (),
    ) -> None:
        self.number = number
        self.asked = problem, plan
        self.has_finished = False
        self.is_closed = False
        self._shared = shared
        self._unread = bytearray()
        used = CLOCK()
        self.reader, writer = os.pipe()
        self._told, hearing = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.pid = os.fork()
        if self.pid == 0:
            for each in (self.reader, *others):
                os.close(each)
            self._told.close()
            _run(backend, problem, plan, writer, shared, used, hearing)
        os.close(writer)
        hearing.close()
        self._told.setblocking(False)

    def said(self) -> Iterator[Said]:
        """What has come through the pipe, which can be read."""
        content = os.read(self.reader, MEGABYTE)
        self.is_closed = not content
        self._unread += content
        while len(self._unread) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._unread[:_LENGTH], "big")
            if len(self._unread) < end:
                break
            message: Said = unpack(bytes(self._unread[_LENGTH:end]), self._shared)
            del self._unread[:end]
            self.has_finished |= isinstance(message, LaneFailure) or (isinstance(message, Found) and message.final)
            yield message

    def tell(self, learned: Learned) -> None:
        """What another lane has learned. Where there is no room for it, it is lost."""
        with suppress(OSError):
            self._told.send(pack(learned, self._shared))

    def close(self) -> None:
        os.close(self.reader)
        self._told.close()

    def wait(self) -> int:
        """Its exit code, negative for a signal, after it has closed its pipe."""
        self.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def end(lanes: Sequence[LaneProcess]) -> None:
    """Kill them with all that they started. Freeing much memory takes a while, and nobody needs to wait for that."""
    end_trees([lane.pid for lane in lanes])
    deadline = time.monotonic() + _PATIENCE
    for lane in lanes:
        lane.close()
        while os.waitpid(lane.pid, os.WNOHANG)[0] == 0 and time.monotonic() < deadline:
            time.sleep(_PAUSE)


# ---- inside ---------------------------------------------------------------------------------------------------------


def _run(
    backend: Backend,
    problem: Problem,
    plan: Plan,
    writer: int,
    shared: Shared,
    used: float,
    hearing: socket.socket,
) -> NoReturn:
    try:
        CLOCK.charge(used - CLOCK())
        telling = _Saying(writer, shared)
        exchange = _Exchanging(telling, hearing, shared)
        try:
            answers = tuple(backend(problem, replace(plan, listener=telling, jobs=1, exchange=exchange)))
            telling.say(Found(answers, tuple(answer.subject for answer in answers), final=True))
        except UnsupportedError as refusal:
            telling.say(LaneFailure(refusal.what, refusal.position))
        except MemoryError:
            telling.say(LaneFailure("out of memory"))
        # Tearing down a solver's memory object by object can take seconds and is of no use to anybody.
        os._exit(0)
    finally:
        if sys.exception() is not None:
            traceback.print_exc()
        os._exit(1)


class _Exchanging:
    """The exchange of a lane, by way of its parent."""

    def __init__(self, telling: _Saying, hearing: socket.socket, shared: Shared) -> None:
        self._telling = telling
        self._hearing = hearing
        self._shared = shared
        hearing.setblocking(False)

    def tell(self, learned: Learned) -> None:
        self._telling.say(learned)

    def heard(self) -> Iterator[Learned]:
        while True:
            try:
                content = self._hearing.recv(MEGABYTE)
            except OSError:
                return
            if not content:
                return
            yield unpack(content, self._shared)


class _Saying:
    """The listener of a lane: what it hears goes through the pipe. An answer that was given is not sent again."""

    def __init__(self, writer: int, shared: Shared) -> None:
        self._writer = writer
        self._shared = shared
        self._phase = ""
        self._due = 0.0
        self._sent: set[int] = set()
        self._kept: list[Answer] = []  # so that no other object has the identity of one of them

    def is_due(self, phase: str) -> bool:
        return phase != self._phase or time.monotonic() >= self._due

    def update(self, phase: str, **counts: float) -> None:
        if self.is_due(phase):
            self._phase, self._due = phase, time.monotonic() + _INTERVAL
            self.say(LanePhase(phase, counts))

    def keep(self, answers: Sequence[Answer]) -> None:
        new = [answer for answer in answers if answer.verdict != UNKNOWN and id(answer) not in self._sent]
        if new:
            self._kept.extend(new)
            self._sent.update(map(id, new))
            self.say(Found(tuple(new), tuple(answer.subject for answer in answers)))

    def look(self, glance: Callable[[], Course]) -> None:
        pass

    def say(self, message: Said) -> None:
        content = pack(message, self._shared)
        content = len(content).to_bytes(_LENGTH, "big") + content
        while content:
            content = content[os.write(self._writer, content) :]
