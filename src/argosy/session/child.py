"""The processes below ``supervisor``: a warden, and the analysis that it forks and watches.

The warden's standard input is a socket: the errand comes from there, and what is seen of the analysis goes back to it.
What the analysis says itself goes out where standard output was; whatever a solver prints goes to the log that is kept
for a bug report. An exception that nobody caught ends there too, as a traceback: the parent hears of a process that
ended without a result.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.garbage import keep_what_is_there, look_seldom
from argosy.basics.naming import named
from argosy.basics.processes import peak_memory_mb, processor_limit, processor_seconds
from argosy.basics.records import replace
from argosy.report.result import UNKNOWN, Result
from argosy.session.messages import Errand, Kept, Look, Misused, Phase, Reply, Told, Unreadable, decode, parts, send
from argosy.session.progress import Progress, Snapshot, Write, write_file
from argosy.session.task import Task
from argosy.session.watch import GRACE, INPUT, Allowance, Warden

if TYPE_CHECKING:
    Run = Callable[[Task, Progress], Result]

# The kernel keeps 128 MB free below the stack of every process; solvers recurse over deep terms.
_STACK = 120 * 1024 * 1024


def serve() -> None:
    """The process that ``supervisor`` starts: reads the errand, forks the analysis, and watches it (``watch``)."""
    with open(INPUT, "rb", closefd=False) as file:
        errand = decode(file.readline())
    assert isinstance(errand, Errand)
    os.set_blocking(INPUT, False)

    def tell(look: Look) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # limits are kept also where nobody listens
            send(INPUT, look)

    processor = processor_limit()
    allowance = Allowance(None if processor is None else processor + GRACE, errand.wall_s, errand.memory_mb)
    ending = Warden(allowance, errand.started, tell).run(lambda: _analyse(errand))
    if ending is not None:
        os.set_blocking(INPUT, True)
        with suppress(BrokenPipeError):
            send(INPUT, ending)
    os._exit(0)


def _analyse(errand: Errand) -> None:
    messages = os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY) if errand.given is None else errand.given, INPUT)
    _prepare()
    look_seldom()
    keep_what_is_there()
    task = Task.from_json(errand.task)
    if task.time_limit is not None:
        task = replace(task, time_limit=max(errand.started + task.time_limit - time.monotonic(), 0.001))
    progress = Progress(
        lambda phase, counts: send(messages, Phase(phase, counts)),
        keep=lambda result: send(messages, Kept(result.to_json())),
        export=lambda path, text: send(messages, *parts(path, text)),
        tell=lambda content: send(messages, Told(content)),
    )
    try:
        result = answer(task, progress, named(errand.run))
    except InputError as error:
        send(messages, Unreadable.of(error))
    except UsageError as error:
        send(messages, Misused(str(error)))
    else:
        send(messages, Reply(result.to_json(), processor_seconds(), peak_memory_mb()))
    # Tearing down a solver's memory object by object can take seconds and is of no use to anybody.
    os._exit(0)


def answer(task: Task, progress: Progress, run: Run) -> Result:
    """The result of a run, with a refusal and the end of the memory as results."""
    try:
        return run(task, progress)
    except UnsupportedError as error:
        return task.unknown(f"unsupported: {error}")
    except MemoryError:
        return task.unknown("out of memory")


def in_this_process(
    task: Task, on_progress: Callable[[Snapshot], None] | None = None, write: Write = write_file
) -> Result:
    """Run the analysis here: for a strategy that exists in this process only, and for debuggers."""
    if task.memory_limit is not None or (task.jobs or 1) > 1:
        raise UsageError("a memory limit and several jobs need the analysis in a process of its own")
    wall, cpu = time.monotonic(), processor_seconds()

    last = "starting"

    def send(phase: str, counts: Mapping[str, float]) -> None:
        nonlocal last
        last = phase
        if on_progress is not None:
            on_progress(Snapshot(phase, dict(counts), time.monotonic() - wall, peak_memory_mb()))

    result = answer(task, Progress(send, export=write), named(task.run))
    if result.verdict == UNKNOWN:
        result = replace(result, phase=last)
    return result.with_statistics(
        wall_s=round(time.monotonic() - wall, 3),
        cpu_s=round(processor_seconds() - cpu, 3),
        peak_memory_mb=round(peak_memory_mb(), 1),
    )


def _prepare() -> None:
    # Ctrl-C is for the parent to hear, and the limit of processor time for the warden to keep.
    for number in (signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < _STACK:
        wanted = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
