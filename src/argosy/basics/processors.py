"""How many processors nobody uses at the moment.

A run that may use several asks when it starts and again when it has read its input: what the processors that it is
allowed to use have idled in between says how many lanes find one of their own. On a busy machine that is none besides
its own, and several runs side by side do not get in each other's way.
"""

from __future__ import annotations

import os
import time

from argosy.basics.records import dataclass

MOST = 4
"""More processes than this are started only where somebody asks for them."""

VARIABLE = "ARGOSY_JOBS"
"""The environment variable that says how many processes work side by side where no option does."""

_TABLE = "/proc/stat"
_QUOTA = "/sys/fs/cgroup/cpu.max"

# The columns of /proc/stat (see proc(5)) that count time which is there for the taking: what others do at low priority,
# idling, waiting for a disk.
_FREE = (2, 4, 5)


@dataclass(frozen=True, slots=True)
class Idling:
    """A moment, and for how many seconds the processors of this process have been free until then."""

    at: float
    free: float

    @classmethod
    def now(cls) -> Idling:
        return cls(time.monotonic(), _free_seconds(_allowed()))

    def free_since(self) -> int:
        """How many processors a run may use that has used one since this look, its own included."""
        most = min(len(_allowed()), _quota(), MOST)
        if most <= 1:
            return 1
        later = Idling.now()
        passed = later.at - self.at
        if passed <= 0.0:
            return 1
        return max(1, min(most, 1 + round((later.free - self.free) / passed)))


def asked() -> int | None:
    """What the environment says; None where it says nothing, or nothing that can be meant."""
    given = os.environ.get(VARIABLE, "")
    return int(given) if given.isascii() and given.isdigit() and int(given[:9]) > 0 else None


def _allowed() -> frozenset[int]:
    try:
        return frozenset(os.sched_getaffinity(0))
    except AttributeError:
        return frozenset(range(os.cpu_count() or 1))


def _text(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _quota() -> int:
    """How many processors' time the control group gets, rounded up."""
    try:
        allowed, period = _text(_QUOTA).split()
        return max(1, -(-int(allowed) // int(period)))
    except (OSError, ValueError):
        return MOST


def _free_seconds(processors: frozenset[int]) -> float:
    """Where the system does not tell, they are never free."""
    try:
        lines = _text(_TABLE).splitlines()
    except OSError:
        return 0.0
    tick = os.sysconf("SC_CLK_TCK")
    rows = (line.split() for line in lines if line.startswith("cpu"))
    return sum(sum(int(row[c]) for c in _FREE) / tick for row in rows if row[0][3:] in set(map(str, processors)))
