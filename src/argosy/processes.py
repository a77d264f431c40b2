"""How much memory and processor time a process group takes at the moment.

Address-space limits are of no use here: solvers map far more than they touch. So the resident memory of the whole
group is added up, as the kernel reports it. Pages that processes share after a fork would count twice; where that
could matter, above the limit, the proportional size is asked for, which takes the kernel longer.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """Resident megabytes, and processor seconds of living processes and of those they have waited for."""

    memory_mb: float = 0.0
    cpu_s: float = 0.0


def usage(group: int, limit_mb: float | None = None) -> Usage:
    """What the process group uses. Above ``limit_mb`` pages that are shared count once."""
    return _SYSTEM(group, limit_mb)


def _from_proc(group: int, limit_mb: float | None) -> Usage:
    page = os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    tick = os.sysconf("SC_CLK_TCK")
    members = {pid: fields for pid, fields in _stats() if int(fields[_GROUP]) == group}
    memory = sum(int(fields[_RESIDENT]) for fields in members.values()) * page
    cpu = sum(int(ticks) for fields in members.values() for ticks in fields[_TICKS]) / tick
    if limit_mb is not None and memory > limit_mb and len(members) > 1:
        memory = sum(_proportional(pid, int(fields[_RESIDENT]) * page) for pid, fields in members.items())
    return Usage(memory, cpu)


# Places in /proc/PID/stat (see proc(5)), counted from the field after the command's name.
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


def _from_ps(group: int, limit_mb: float | None) -> Usage:
    listing = subprocess.run(["ps", "-A", "-o", "pgid=,rss=,time="], capture_output=True, text=True, check=False)
    memory = cpu = 0.0
    for line in listing.stdout.splitlines():
        pgid, resident, time = line.split()[:3]
        if int(pgid) == group:
            memory += int(resident) / 1024
            cpu += _seconds(time)
    return Usage(memory, cpu)


def _seconds(time: str) -> float:
    """``ps`` writes [[days-]hours:]minutes:seconds."""
    days, _, rest = time.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds + 86400 * int(days or 0)


_SYSTEM: Callable[[int, float | None], Usage] = _from_proc if os.path.exists("/proc/self/stat") else _from_ps


def peak_memory_mb() -> float:
    """The largest resident size this process has had. (``ru_maxrss`` would do, but it remembers what the process
    that started this one had.)"""
    try:
        with open("/proc/self/status", "rb") as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith(b"VmHWM:")), 0.0)
    except FileNotFoundError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
