"""The process in which the analysis runs, started and watched by ``supervisor``.

Standard input carries the order. Messages go out as lines of JSON where standard output was; whatever a solver
prints goes to the log that is kept for a bug report. An exception that nobody caught ends there too, as a traceback:
the parent sees a process that ended without a result.
"""

from __future__ import annotations

import base64
import faulthandler
import json
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from argosy.basics.errors import UsageError
from argosy.basics.processes import peak_memory_mb
from argosy.report.result import Result
from argosy.session.progress import Progress, Snapshot
from argosy.session.task import Task

if TYPE_CHECKING:
    Run = Callable[[Task, Progress], Result]

RUN = "argosy.session.run:run"

# The kernel keeps 128 MB free below the stack of every process; solvers recurse over deep terms.
_STACK = 120 * 1024 * 1024


def main() -> None:
    order = json.load(sys.stdin.buffer)
    messages = os.dup(1)
    os.dup2(2, 1)
    _prepare()

    def send(**message: Any) -> None:
        content = json.dumps(message).encode() + b"\n"
        while content:
            content = content[os.write(messages, content) :]

    task = Task.from_json(order["task"])
    if order["deadline"] is not None:
        task = replace(task, time_limit=max(order["deadline"] - time.monotonic(), 0.001))
    progress = Progress(
        lambda phase, counts: send(phase=phase, counts=counts),
        keep=lambda result: send(known=result.to_json()),
        export=lambda path, text: send(file=path, text=text),
    )
    from argosy.basics.errors import InputError

    try:
        result = answer(task, progress, _named(order["run"]))
    except InputError as error:
        send(unreadable=base64.b64encode(pickle.dumps(error)).decode())
    except UsageError as error:
        send(misused=str(error))
    else:
        send(result=result.to_json(), cpu_s=_processor_seconds(), peak_memory_mb=peak_memory_mb())
    # Tearing down a solver's memory object by object can take seconds and is of no use to anybody.
    os._exit(0)


def answer(task: Task, progress: Progress, run: Run) -> Result:
    """The result of a run, with a refusal and the end of the memory as results."""
    from argosy.basics.errors import UnsupportedError

    try:
        return run(task, progress)
    except UnsupportedError as error:
        return task.unknown(f"unsupported: {error}")
    except MemoryError:
        return task.unknown("out of memory")


def in_this_process(task: Task, on_progress: Callable[[Snapshot], None] | None = None) -> Result:
    """Run the analysis here: for a strategy that exists in this process only, and for debuggers."""
    if task.memory_limit is not None:
        raise UsageError("a memory limit needs the analysis in a process of its own")
    wall, cpu = time.monotonic(), _processor_seconds()

    def send(phase: str, counts: Mapping[str, float]) -> None:
        if on_progress is not None:
            on_progress(Snapshot(phase, dict(counts), time.monotonic() - wall, peak_memory_mb()))

    result = answer(task, Progress(send), _named(RUN))
    return result.with_statistics(
        wall_s=round(time.monotonic() - wall, 3),
        cpu_s=round(_processor_seconds() - cpu, 3),
        peak_memory_mb=round(peak_memory_mb(), 1),
    )


def _named(run: str) -> Run:
    module, _, function = run.partition(":")
    found: Run = getattr(import_module(module), function)
    return found


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < _STACK:
        wanted = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))


def _processor_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
