"""Runs that misbehave, each in one way; ``test_supervisor`` has them watched in place of the analysis."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.report.result import Result
from argosy.session.progress import Progress
from argosy.session.task import Task

if TYPE_CHECKING:
    from typing_extensions import Buffer

_COUNTS = {"nodes": 17, "refinements": 3, "predicates": 5}


def answer(task: Task, progress: Progress) -> Result:
    print("what a solver prints must not be mistaken for a message")
    return Result("safe", certified=True, certificate="invariant", input=task.input, statistics=_COUNTS)


def sleep_in_c(task: Task, progress: Progress) -> Result:
    """A call that Python cannot interrupt: it holds the interpreter's lock and ignores signals' handlers."""
    progress.update("exploring", **_COUNTS)
    ctypes.PyDLL(None).sleep(60)
    return answer(task, progress)


def tell_time_left(task: Task, progress: Progress) -> Result:
    assert task.time_limit is not None
    return task.unknown("nothing tried", {"explored_states": task.time_limit})


LARGE = (
    "a line with a letter of several bytes, \u20ac, and with what stands for a byte that is no text, \udc80\n" * 50_000
)


def export(task: Task, progress: Progress) -> Result:
    for name, text in (("large", LARGE), ("empty", ""), ("bytes", bytes(range(256)))):
        progress.export(f"{task.input}/{name}", text)
    return answer(task, progress)


def export_a_part(task: Task, progress: Progress) -> Result:
    """The end comes in the middle of a file."""
    write = os.write
    written: list[int] = []

    def write_thrice(descriptor: int, content: Buffer, /) -> int:
        written.append(write(descriptor, content))
        return written[-1] if len(written) < 3 else os._exit(3)

    os.write = write_thrice
    return export(task, progress)


def compute(task: Task, progress: Progress) -> Result:
    while True:
        progress.update("exploring", **_COUNTS)


def allocate(task: Task, progress: Progress) -> Result:
    progress.update("exploring", **_COUNTS)
    blocks = []
    while True:
        blocks.append(b"x" * 20_000_000)
        time.sleep(0.02)


def allocate_in_workers(task: Task, progress: Progress) -> Result:
    """Each of three workers stays below the limit; together they do not."""
    code = "import time; block = b'x' * 80_000_000; time.sleep(60)"
    for _ in range(3):
        subprocess.Popen([sys.executable, "-c", code])
    time.sleep(60)
    return answer(task, progress)


def share_memory(task: Task, progress: Progress) -> Result:
    """A fork shares what its parent has: resident sizes add up to twice what is in use."""
    block = b"x" * 120_000_000
    if os.fork() == 0:
        time.sleep(60)
    time.sleep(1)
    assert block
    return answer(task, progress)


def segfault(task: Task, progress: Progress) -> Result:
    ctypes.string_at(0)
    return answer(task, progress)


def segfault_with_worker(task: Task, progress: Progress) -> Result:
    """The worker keeps the pipe for messages open."""
    if os.fork() == 0:
        time.sleep(60)
    return segfault(task, progress)


def abort(task: Task, progress: Progress) -> Result:
    os.abort()


def leave(task: Task, progress: Progress) -> Result:
    os._exit(0)


def die_of_memory(task: Task, progress: Progress) -> Result:
    """What the kernel does when the machine has no memory left."""
    os.kill(os.getpid(), 9)
    return answer(task, progress)


def run_out_of_memory(task: Task, progress: Progress) -> Result:
    raise MemoryError


def raise_(task: Task, progress: Progress) -> Result:
    raise RuntimeError("the moon is in the wrong quarter")


def refuse(task: Task, progress: Progress) -> Result:
    raise UnsupportedError(Position("prog.c", 12, 3), "floats")


def misread(task: Task, progress: Progress) -> Result:
    raise InputError(Position("prog.c", 12, 3), "';' expected")


def leave_workers_behind(task: Task, progress: Progress) -> Result:
    """Writes the process ids of itself, a worker, and that worker's worker into the input."""
    code = "import subprocess, sys; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); p.wait()"
    worker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    Path(task.input).write_text(f"{os.getpid()} {worker.pid} {worker.stdout.readline()}")
    progress.update("exploring", **_COUNTS)
    if task.seed == 0:
        ctypes.PyDLL(None).sleep(60)
    return answer(task, progress)


def repeat_input(task: Task, progress: Progress) -> Result:
    return task.unknown(sys.stdin.read())


def end_the_warden(task: Task, progress: Progress) -> Result:
    """What watches is killed, and a worker would go on."""
    worker = subprocess.Popen(["sleep", "60"])
    Path(task.input).write_text(f"{os.getpid()} {worker.pid}\n")
    os.kill(os.getppid(), 9)
    time.sleep(60)
    return answer(task, progress)


def escape(task: Task, progress: Progress) -> Result:
    """A worker in a session of its own, without parents."""
    subprocess.run(["sh", "-c", """setsid sh -c 'echo $$ > "$0"; exec sleep 60' "$0" &""", task.input], check=True)
    while not (os.path.exists(task.input) and Path(task.input).read_text()):
        time.sleep(0.01)
    return answer(task, progress)
