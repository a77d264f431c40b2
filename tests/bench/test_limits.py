"""Hard limits: whatever a command does, it is ended in time, with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from argosy.bench.limits import Outcome, RunOrder
from argosy.bench.wardens import Wardens, read_outcome, run
from argosy.session.watch import MEMORY, TIME

PYTHON = sys.executable


@pytest.fixture(scope="module")
def wardens() -> Iterator[Wardens]:
    with Wardens() as started:
        yield started


def outcome(wardens: Wardens, order: RunOrder) -> Outcome:
    with wardens.start(order) as connection, connection.makefile("rb") as file:
        found = read_outcome(file.read())
    assert found is not None
    return found


def alive(marker: str) -> list[str]:
    listing = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if marker in line and "ps -A" not in line]


def until_gone(marker: str) -> bool:
    deadline = time.monotonic() + 60
    while alive(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(marker)


def test_what_a_command_says_and_leaves(wardens: Wardens) -> None:
    order = RunOrder(
        [
            "sh",
            "-c",
            'echo said; echo complained >&2; cat "$1" > "$0"; exit 3',
            "{scratch}/out.txt",
            "{scratch}/in.txt",
        ],
        files={"in.txt": "sent along\n"},
        wanted=("out.*",),
    )
    found = outcome(wardens, order)
    assert (found.exit_code, found.limit) == (3, None)
    assert (found.output, found.errors, found.files) == ("said\n", "complained\n", {"out.txt": "sent along\n"})


def test_a_command_that_does_not_exist(wardens: Wardens) -> None:
    found = outcome(wardens, RunOrder(["no-such-command-here"]))
    assert found.exit_code == 127 and "no-such-command-here" in found.errors


def test_a_crash_is_a_signal(wardens: Wardens) -> None:
    assert outcome(wardens, RunOrder(["sh", "-c", "kill -SEGV $$"])).exit_code == -signal.SIGSEGV


def test_wall_clock_limit(wardens: Wardens) -> None:
    found = outcome(wardens, RunOrder(["sleep", "60"], wall_limit=0.3))
    assert found.limit == TIME and 0.3 <= found.wall_s < 30 and found.cpu_s < 0.2


def test_processor_time_limit_adds_up_all_processes(wardens: Wardens) -> None:
    busy = f"'{PYTHON}' -c 'while True: pass' & '{PYTHON}' -c 'while True: pass' & wait"
    found = outcome(wardens, RunOrder(["sh", "-c", busy], cpu_limit=0.8, wall_limit=60))
    assert found.limit == TIME and 0.8 <= found.cpu_s < 2.5


def test_a_command_is_told_its_processor_time_and_not_killed_by_it(wardens: Wardens) -> None:
    """The kernel would give the signal to each process for itself; the warden adds up."""
    told = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU)[0])"
    assert outcome(wardens, RunOrder([PYTHON, "-c", told], cpu_limit=6.5)).output == "7\n"
    handler = "import signal; print(signal.getsignal(signal.SIGXCPU) is signal.SIG_IGN)"
    assert outcome(wardens, RunOrder([PYTHON, "-c", handler], cpu_limit=6.5)).output == "True\n"


def test_processor_time_that_was_used_before_the_end_counts(wardens: Wardens) -> None:
    spend = f"'{PYTHON}' -c 'import time\nwhile time.process_time() < 0.3: pass'"
    found = outcome(wardens, RunOrder(["sh", "-c", f"{spend}; exit 0"], cpu_limit=60))
    assert found.limit is None and 0.3 <= found.cpu_s < 1
    late = outcome(wardens, RunOrder(["sh", "-c", f"{spend}; exit 0"], cpu_limit=0.29))
    assert late.limit == TIME


def test_memory_limit(wardens: Wardens) -> None:
    greedy = "import time; x = bytearray(200_000_000); time.sleep(60)"
    found = outcome(wardens, RunOrder([PYTHON, "-c", greedy], memory_limit=100, wall_limit=60))
    assert found.limit == MEMORY and found.memory_mb > 100 and found.wall_s < 50


def test_memory_is_added_up_and_its_peak_kept(wardens: Wardens) -> None:
    eat = "import time; x = bytearray(60_000_000); time.sleep(4)"
    both = f"'{PYTHON}' -c '{eat}' & '{PYTHON}' -c '{eat}' & wait"
    found = outcome(wardens, RunOrder(["sh", "-c", both], memory_limit=1000, wall_limit=60))
    assert found.limit is None and 120 < found.memory_mb < 400


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are only given to wardens on Linux")
def test_a_new_session_or_lost_parents_do_not_help(wardens: Wardens) -> None:
    escape = "setsid sh -c 'sleep 4321.25 & exit' & sh -c 'setsid sleep 4321.25 &' & sleep 4321.25"
    found = outcome(wardens, RunOrder(["sh", "-c", escape], wall_limit=1.5))
    assert found.limit == TIME
    assert not alive("4321.25")
    outcome(wardens, RunOrder(["sh", "-c", "setsid sleep 4321.25 & sleep 0.1; exit 0"]))
    assert not alive("4321.25"), "what a command left behind when it ended by itself"


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are only given to wardens on Linux")
def test_those_that_ignore_signals_are_killed(wardens: Wardens) -> None:
    stubborn = "trap '' TERM INT HUP; while :; do sleep 4321.5; done"
    assert outcome(wardens, RunOrder(["sh", "-c", stubborn], wall_limit=0.2)).limit == TIME
    assert not alive("4321.5")


def test_a_friendly_signal_comes_first(wardens: Wardens) -> None:
    polite = "trap 'echo so far 17; exit 5' TERM; while :; do sleep 0.05; done"
    found = outcome(wardens, RunOrder(["sh", "-c", polite], wall_limit=2))
    assert (found.limit, found.exit_code, found.output) == (TIME, 5, "so far 17\n")


def test_closing_the_connection_ends_the_run(wardens: Wardens) -> None:
    with wardens.start(RunOrder(["sleep", "4321.75"])):
        deadline = time.monotonic() + 60
        while not alive("4321.75") and time.monotonic() < deadline:
            time.sleep(0.02)
    assert until_gone("4321.75")


def test_the_end_of_who_asked_ends_the_run() -> None:
    asks = (
        "from argosy.bench.wardens import run, RunOrder; run(RunOrder(['sh', '-c', 'sleep 4321.875 & sleep 4321.875']))"
    )
    who = subprocess.Popen([PYTHON, "-c", asks])
    deadline = time.monotonic() + 20
    while len(alive("sleep 4321.875")) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(who.pid, signal.SIGKILL)
    who.wait()
    assert until_gone("4321.875")


def test_one_order_by_itself() -> None:
    found = run(RunOrder(["sh", "-c", "echo once"]))
    assert found is not None and found.output == "once\n"
