"""What a run may use: processor time, memory, and whether somebody interrupted it. A leaf.

There is one word for time in Argosy: a ``Budget`` says how much is ``left``, gives a ``share`` of that to a part of the
work, and raises ``OutOfBudget`` from ``check`` when there is nothing left. It counts processor seconds, those of worker
processes included (``ProcessorClock.charge``), so that a busy machine does not change what is tried and in which order;
the limit on the wall clock is kept from outside, by ``session.supervisor``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from math import inf, sqrt

from argosy.basics.records import dataclass, field, replace

TIME_LIMIT = "time limit"
MEMORY_LIMIT = "memory limit"
INTERRUPTED = "interrupted"

# How the reason begins where the program itself is at fault.
INTERNAL_ERROR = "internal error"

# The reason of what waits for its turn, in a result that is kept while the run goes on.
PENDING = "not answered yet"

# How much longer than its processor time a share may take on the wall, before those that wait have their turn.
WAITING = 2.0

# How many seconds on the wall a processor second is taken for at most, and from which processor time on that is known.
SLOWEST = 10.0
_KNOWN = 0.1


class OutOfBudget(Exception):
    """Time or another budget is used up; the message says which."""


class ProcessorClock:
    """Processor seconds of this process, and those that workers say they took for it. ``on_the_wall`` says how long
    processor seconds take there, at the pace since this process began: solvers keep no other limits."""

    def __init__(
        self, own: Callable[[], float] = time.process_time, wall: Callable[[], float] = time.monotonic
    ) -> None:
        self._own, self._wall = own, wall
        self._charged = 0.0
        self.begin()

    def __call__(self) -> float:
        return self._own() + self._charged

    def begin(self) -> None:
        """A process begins, at its own pace."""
        self._begun = self(), self._wall()

    def on_the_wall(self, seconds: float) -> float:
        """At least as long; no longer than ``SLOWEST`` times as long."""
        used, passed = self() - self._begun[0], self._wall() - self._begun[1]
        return seconds * (max(1.0, min(SLOWEST, passed / used)) if used >= _KNOWN else 1.0)

    def charge(self, seconds: float) -> None:
        """A worker took so long."""
        self._charged += max(0.0, seconds)


CLOCK = ProcessorClock()
"""The clock of this process: there is one processor time, whoever asks."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=CLOCK.begin)


@dataclass(frozen=True, slots=True)
class Budget:
    """``end`` is when it ends on ``clock``, and ``wall_end`` when somebody outside will stop waiting (on the clock of
    the wall: solver calls are not begun that cannot end before). Shares are of the processor time; on the wall they may
    take ``WAITING`` times as long, so that a machine which is half busy changes nothing, and on one that is busier the
    first share does not take all. A small share may wait longer: nobody misses what it takes.

    Laws: ``left`` never grows, and a share never ends after the whole."""

    end: float = inf
    memory_mb: int | None = None
    clock: Callable[[], float] = field(default=CLOCK, compare=False)
    wall_end: float = inf

    @classmethod
    def of(cls, seconds: float | None, memory_mb: int | None = None, clock: Callable[[], float] = CLOCK) -> Budget:
        """So many seconds from now; None is any number."""
        if seconds is None:
            return cls(inf, memory_mb, clock)
        return cls(clock() + seconds, memory_mb, clock, time.monotonic() + seconds)

    @property
    def is_limited(self) -> bool:
        return self.end != inf

    @property
    def left(self) -> float:
        """Seconds; infinity where there is no limit."""
        if self.end == inf:
            return inf
        return max(0.0, min(self.end - self.clock(), self.wall_end - time.monotonic()))

    @property
    def seconds(self) -> float | None:
        """What is left on the wall, as those want it who keep no other limit, and for whom None is none: a solver that
        waits for a processor is not cut off before one that has it."""
        if self.end == inf:
            return None
        processor = max(0.0, self.end - self.clock())
        if isinstance(self.clock, ProcessorClock):
            processor = self.clock.on_the_wall(processor)
        return max(0.0, min(processor, self.wall_end - time.monotonic()))

    @property
    def is_over(self) -> bool:
        return self.end != inf and (self.clock() >= self.end or time.monotonic() >= self.wall_end)

    def check(self) -> None:
        if self.is_over:
            raise OutOfBudget(TIME_LIMIT)

    def share(self, part: float, of_unlimited: float = inf) -> Budget:
        """``part`` of the processor time that is left; where there is no limit, ``part`` of ``of_unlimited``."""
        whole = max(0.0, self.end - self.clock()) if self.is_limited else of_unlimited
        given = self.at_most(part * whole)
        if self.wall_end == inf:
            return given
        now = time.monotonic()
        waiting = max(WAITING * part, sqrt(part))
        return replace(given, wall_end=min(self.wall_end, now + waiting * (self.wall_end - now)))

    def at_most(self, seconds: float) -> Budget:
        return replace(self, end=min(self.end, self.clock() + seconds))


UNLIMITED = Budget()
