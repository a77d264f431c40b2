"""How much memory and processor time everything that a process started takes at the moment.

Address-space limits are of no use here: solvers map far more than they touch. So the resident memory of all of
them is added up, as the kernel reports it. Pages that processes share after a fork would count twice; where that
could matter, above the limit, the proportional size is asked for, which takes the kernel longer.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from argosy.basics.records import dataclass

MEGABYTE = 1024 * 1024

# A process that was killed is gone after a while; one that a dying process had just started is seen in the next round.
_ROUNDS, _PAUSE = 100, 0.002


@dataclass(frozen=True, slots=True)
class Usage:
    """Resident megabytes, and processor seconds of living processes and of those they have waited for."""

    memory_mb: float = 0.0
    cpu_s: float = 0.0


class Process(NamedTuple):
    """One line of the process table. ``alive`` is false for one that has ended and was not waited for."""

    pid: int
    parent: int
    group: int
    alive: bool
    memory_mb: float
    cpu_s: float


def descendants(run: int, limit_mb: float | None = None) -> tuple[list[int], Usage]:
    """The living processes that this one started, or those that these started, or that are in its group or in that of
    its child ``run``; and what all of them use. Above ``limit_mb`` pages that are shared count once."""
    table, groups, known = list(_TABLE()), (os.getpgrp(), run), {os.getpid()}
    members: list[Process] = []
    while found := [p for p in table if p.pid not in known and (p.parent in known or p.group in groups)]:
        known.update(process.pid for process in found)
        members += found
    return [process.pid for process in members if process.alive], _added(members, limit_mb)


def _added(members: Sequence[Process], limit_mb: float | None) -> Usage:
    memory = sum(process.memory_mb for process in members)
    if limit_mb is not None and memory > limit_mb and len(members) > 1:
        memory = sum(_proportional(process.pid, process.memory_mb) for process in members)
    return Usage(memory, sum(process.cpu_s for process in members))


def _from_proc() -> Iterator[Process]:
    page = os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    tick = os.sysconf("SC_CLK_TCK")
    for pid, fields in _stats():
        yield Process(
            pid,
            int(fields[_PARENT]),
            int(fields[_GROUP]),
            fields[_STATE] not in b"ZX",
            int(fields[_RESIDENT]) * page,
            sum(map(int, fields[_TICKS])) / tick,
        )


# Places in /proc/PID/stat (see proc(5)), counted from the field after the command's name.
_STATE = 0
_PARENT = 1
_GROUP = 2
_TICKS = slice(11, 15)
_RESIDENT = 21


def _stats() -> Iterator[tuple[int, list[bytes]]]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    yield int(name), file.read().rpartition(b")")[2].split()
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # gone since it was listed, or not ours


def _proportional(pid: int, resident: float) -> float:
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            lines = (line.split() for line in file)
            return sum(int(line[1]) for line in lines if line[0] in (b"Pss:", b"SwapPss:")) / 1024
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return resident


def _from_ps() -> Iterator[Process]:
    import subprocess

    columns = ["ps", "-A", "-o", "pid=,ppid=,pgid=,rss=,time=,stat="]
    with subprocess.Popen(columns, stdout=subprocess.PIPE, text=True) as ps:
        lines = ps.communicate()[0].splitlines()
    for line in lines:
        pid, parent, group, resident, taken, state = line.split()[:6]
        if int(pid) != ps.pid:
            yield Process(
                int(pid), int(parent), int(group), not state.startswith("Z"), int(resident) / 1024, _seconds(taken)
            )


def _seconds(taken: str) -> float:
    """``ps`` writes [[days-]hours:]minutes:seconds."""
    days, _, rest = taken.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds + 86400 * int(days or 0)


_TABLE: Callable[[], Iterator[Process]] = _from_proc if os.path.exists("/proc/self/stat") else _from_ps


def peak_memory_mb() -> float:
    """The largest resident size this process has had. (``ru_maxrss`` would do, but it remembers what the process
    that started this one had.)"""
    try:
        with open("/proc/self/status", "rb") as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith(b"VmHWM:")), 0.0)
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


def processor_limit() -> int | None:
    """The seconds of processor time that this process may use (``ulimit -t``), if that is limited."""
    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return None if soft == resource.RLIM_INFINITY else soft


def processor_seconds(*whose: int) -> float:
    """Of this process (``resource.RUSAGE_SELF``), of those that it has waited for (``RUSAGE_CHILDREN``), or both."""
    usages = map(resource.getrusage, whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def trees(roots: Sequence[int], limit_mb: float | None = None) -> dict[int, tuple[list[int], Usage]]:
    """For each of the processes: the living ones among it and those that it started, and what these use. Above
    ``limit_mb``, for all together, pages that are shared count once."""
    table = list(_TABLE())
    found: dict[int, list[Process]] = {}
    for root in roots:
        known, members = {root}, [process for process in table if process.pid == root]
        while more := [p for p in table if p.parent in known and p.pid not in known]:
            known.update(process.pid for process in more)
            members += more
        found[root] = members
    everything = [process for members in found.values() for process in members]
    apart = limit_mb is not None and sum(process.memory_mb for process in everything) > limit_mb
    return {
        root: ([process.pid for process in members if process.alive], _added(members, 0.0 if apart else None))
        for root, members in found.items()
    }


def kill(members: Sequence[int]) -> None:
    """End processes. They are stopped first, so that none starts another while its neighbours are killed."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def end_trees(roots: Sequence[int]) -> None:
    """End children, all at once, and what they started and still has a parent below them. They are not waited for."""
    for _ in range(_ROUNDS):
        members = [pid for below, _ in trees(roots).values() for pid in below]
        kill(members)
        if not members:
            return
        time.sleep(_PAUSE)
