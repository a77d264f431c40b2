"""Limits, Ctrl-C and crashes of an analysis that runs in a child process: the laws of ``supervisor``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

import pytest

from argosy.backends.contract import Plan
from argosy.basics.budget import INTERRUPTED, MEMORY_LIMIT, TIME_LIMIT
from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.position import NOWHERE, Position
from argosy.basics.processes import processor_seconds
from argosy.report.result import Result
from argosy.session.child import in_this_process
from argosy.session.messages import Ending, Incoming, Look, Message, Phase, Unreadable, encode, parts
from argosy.session.progress import Progress, Snapshot
from argosy.session.supervisor import KILLED, Fault, supervise
from argosy.session.task import Task
from tests.supervised_runs import LARGE

ROOT = Path(__file__).parent.parent
COUNTS = {"nodes": 17, "refinements": 3, "predicates": 5}

PROGRAM = """
import sys
from argosy.session.supervisor import supervise
from argosy.session.task import Task
print(supervise(Task(sys.argv[1]), run="tests.supervised_runs:" + sys.argv[2]).verdict_line)
"""


def watch(run: str, task: Task | None = None) -> Result:
    return supervise(task or Task("prog.c"), run=f"tests.supervised_runs:{run}")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    except ProcessLookupError:
        return False
    return state.strip()[:1] not in ("", "Z")


def all_die(pids: list[int], within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


def started(path: Path) -> list[int]:
    end = time.monotonic() + 60
    while not (path.exists() and path.read_text().endswith("\n")) and time.monotonic() < end:
        time.sleep(0.02)
    return [int(pid) for pid in path.read_text().split()]


def counts(result: Result) -> dict[str, float]:
    return {name: result.statistics[name] for name in COUNTS}


def test_result_comes_back_as_it_was_given() -> None:
    begun, used = time.monotonic(), processor_seconds()
    result = watch("answer")
    assert (result.verdict, result.certificate, counts(result)) == ("safe", "invariant", COUNTS)
    assert result.statistics["peak_memory_mb"] > 5 and result.phase is None
    assert 0 < result.statistics["cpu_s"] <= processor_seconds() - used
    assert 0 < result.statistics["wall_s"] <= time.monotonic() - begun


def test_time_limit_inside_a_call_that_cannot_be_interrupted() -> None:
    """The call takes a minute."""
    result = watch("sleep_in_c", Task("prog.c", time_limit=4))
    assert (result.reason, counts(result)) == (TIME_LIMIT, COUNTS)
    assert 4 <= result.statistics["wall_s"] < 40
    assert result.phase == "exploring", "what it did last"


def test_the_analysis_is_told_how_much_time_is_left() -> None:
    result = watch("tell_time_left", Task("prog.c", time_limit=200))
    assert 200 - result.statistics["wall_s"] <= result.statistics["explored_states"] < 200


def test_a_limit_of_processor_time_is_kept() -> None:
    """As a shell sets it: ``ulimit -S -t 2``."""
    asks = (
        "import resource; from tests.test_supervisor import watch; from argosy.session.task import Task\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (2, resource.getrlimit(resource.RLIMIT_CPU)[1]))\n"
        "result = watch('compute', Task('prog.c', time_limit=600))\n"
        "print(result.reason, result.statistics['cpu_s'], sep=',')"
    )
    process = subprocess.run([sys.executable, "-c", asks], capture_output=True, cwd=ROOT, text=True, timeout=120)
    reason, cpu = process.stdout.split(",")
    assert reason == TIME_LIMIT and 2 <= float(cpu) < 10


def test_a_limit_of_processor_time_is_planned_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[Plan] = []

    def decide(problem: object, plan: Plan) -> NoReturn:
        plans.append(plan)
        raise UnsupportedError(NOWHERE, "not today")

    monkeypatch.setattr("argosy.backends.program.decide", decide)
    monkeypatch.setattr("argosy.session.run.processor_limit", lambda: 7)
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    for limit in (600, None, 3):
        assert in_this_process(Task(str(tmp_path / "p.c"), time_limit=limit)).phase == "reading"
    assert [round(plan.budget.share(1.0).left) for plan in plans] == [7, 7, 3]


def test_memory_limit() -> None:
    result = watch("allocate", Task("prog.c", memory_limit=200))
    assert (result.reason, counts(result)) == (MEMORY_LIMIT, COUNTS)
    assert 200 < result.statistics["peak_memory_mb"] < 500


def test_memory_limit_holds_for_all_processes_together() -> None:
    result = watch("allocate_in_workers", Task("prog.c", memory_limit=200, time_limit=50))
    assert result.reason == MEMORY_LIMIT


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="needs proportional sizes")
def test_shared_memory_counts_once() -> None:
    result = watch("share_memory", Task("prog.c", memory_limit=200, time_limit=50))
    assert result.verdict == "safe"


@pytest.mark.parametrize("run", ["segfault", "segfault_with_worker"])
def test_crash_is_a_fault_with_a_file(run: str) -> None:
    with pytest.raises(Fault, match="SIGSEGV") as caught:
        watch(run, Task("prog.c", time_limit=20))
    text = Path(caught.value.path).read_text()
    assert "in segfault" in text and '"input": "prog.c"' in text
    os.unlink(caught.value.path)


@pytest.mark.parametrize(
    ("run", "what"),
    [
        ("raise_", "RuntimeError: the moon is in the wrong quarter"),
        ("abort", "SIGABRT"),
        ("leave", "exit code 0 and no result"),
        ("not_there", "AttributeError"),
    ],
)
def test_every_other_end_without_a_result_is_a_fault(run: str, what: str) -> None:
    with pytest.raises(Fault, match=what) as caught:
        watch(run)
    assert os.path.exists(caught.value.path)
    os.unlink(caught.value.path)


def test_killed_from_outside_is_unknown() -> None:
    assert watch("die_of_memory").reason == KILLED


def test_out_of_memory_is_unknown() -> None:
    assert watch("run_out_of_memory").reason == "out of memory"


def test_refusal_is_unknown_with_file_and_line() -> None:
    assert watch("refuse").verdict_line == "Verdict: UNKNOWN (unsupported: prog.c:12:3: floats)"


def test_input_error_is_raised_where_the_caller_is() -> None:
    with pytest.raises(InputError, match=r"prog\.c:12:3: ';' expected"):
        watch("misread")


@pytest.mark.parametrize(("seed", "limit"), [(0, 5.0), (1, None)])
def test_no_worker_is_left_behind(tmp_path: Path, seed: int, limit: float | None) -> None:
    pids = tmp_path / "pids"
    watch("leave_workers_behind", Task(str(pids), seed=seed, time_limit=limit))
    assert len(started(pids)) == 3
    assert all_die(started(pids))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt(tmp_path: Path, number: signal.Signals) -> None:
    """As a terminal does it: the signal goes to the whole process group in the foreground."""
    pids = tmp_path / "pids"
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(pids), "leave_workers_behind"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        process_group=0,
    )
    workers = started(pids)
    os.killpg(process.pid, number)
    assert process.communicate(timeout=30)[0] == f"Verdict: UNKNOWN ({INTERRUPTED})\n", "the run itself takes a minute"
    assert all_die(workers)


def test_nothing_survives_a_parent_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(pids), "leave_workers_behind"], cwd=ROOT)
    workers = started(pids)
    assert len(workers) == 3 and all(map(alive, workers))
    process.kill()
    process.wait()
    assert all_die(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are only given to wardens on Linux")
def test_a_new_session_and_lost_parents_do_not_help(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert watch("escape", Task(str(pids))).verdict == "safe"
    assert len(started(pids)) == 1 and not any(map(alive, started(pids)))


def test_nothing_survives_a_warden_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert watch("end_the_warden", Task(str(pids))).reason == KILLED
    assert len(started(pids)) == 2 and all_die(started(pids))


@pytest.mark.parametrize(("text", "limit", "reason"), [("from a pipe", None, "from a pipe"), (None, 0.5, TIME_LIMIT)])
def test_standard_input_is_read_under_supervision(text: str | None, limit: float | None, reason: str) -> None:
    """Also where nothing comes."""
    asks = (
        "from argosy.session.supervisor import supervise; from argosy.session.task import Task; "
        f"print(supervise(Task('-', time_limit={limit}), run='tests.supervised_runs:repeat_input').reason)"
    )
    reader, writer = os.pipe()
    os.write(writer, (text or "").encode())
    process = subprocess.Popen([sys.executable, "-c", asks], stdin=reader, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    os.close(reader)
    if text is not None:
        os.close(writer)
    assert process.communicate(timeout=60)[0] == f"{reason}\n"


def test_files_are_handed_to_the_parent_whole(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {}
    supervise(Task("out"), run="tests.supervised_runs:export", write=files.__setitem__)
    assert files == {"out/large": LARGE, "out/empty": "", "out/bytes": bytes(range(256))}
    supervise(Task(str(tmp_path / "new")), run="tests.supervised_runs:export")
    written = (tmp_path / "new" / "large").read_text(encoding="utf-8")
    assert written == LARGE.replace("\udc80", "\\udc80") and (tmp_path / "new" / "empty").read_text() == ""


def test_a_file_that_did_not_come_whole_is_not_written() -> None:
    files: dict[str, str | bytes] = {}
    with pytest.raises(Fault, match="exit code 3") as caught:
        supervise(Task("out"), run="tests.supervised_runs:export_a_part", write=files.__setitem__)
    os.unlink(caught.value.path)
    assert files == {}


def test_a_file_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    with pytest.raises(UsageError, match=r"cannot write .*large"):
        watch("export", Task(str(tmp_path)))


def test_an_error_travels_with_all_of_its_position() -> None:
    error = InputError(Position("a.h", 3, 7, "b.i", 9), "line 1\nand \u20ac")
    [message] = Incoming().feed(encode(Unreadable.of(error)))
    assert isinstance(message, Unreadable)
    assert (str(message.error()), message.error().position.physical) == (str(error), ("b.i", 9))


def test_messages_come_in_pieces() -> None:
    sent: list[Message] = [Phase("exploring", {"nodes": 3}), *parts("p", "x" * 200_000)]
    sent += [Look(1.5, 0.5), Ending(-9, "time", 1, 2, 3)]
    content = b"".join(encode(message) for message in sent)
    for size in (1, 1000, len(content)):
        lines = Incoming()
        pieces = (content[start : start + size] for start in range(0, len(content), size))
        assert [message for piece in pieces for message in lines.feed(piece)] == sent


def test_supervision_works_outside_the_main_thread() -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(watch("answer")))
    thread.start()
    thread.join()
    assert results[0].verdict == "safe"


def test_handlers_of_the_caller_are_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    watch("answer")
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_arrives_while_the_run_goes_on() -> None:
    seen: list[Snapshot] = []

    def show(snapshot: Snapshot) -> None:
        seen.append(snapshot)
        if snapshot.phase == "exploring" and snapshot.memory > 5:
            raise StopIteration

    with pytest.raises(StopIteration):
        supervise(Task("prog.c", time_limit=50), show, run="tests.supervised_runs:sleep_in_c")
    assert seen[-1].counts == COUNTS
    assert [each.elapsed for each in seen] == sorted(each.elapsed for each in seen)


def test_an_error_in_the_display_ends_the_child(tmp_path: Path) -> None:
    pids = tmp_path / "pids"

    def show(snapshot: Snapshot) -> None:
        if snapshot.phase == "exploring":
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        supervise(Task(str(pids)), show, run="tests.supervised_runs:leave_workers_behind")
    assert all_die(started(pids))


def test_overhead_is_small() -> None:
    """Processor time, which a busy machine does not change much: of this process, the warden, and the child's start."""
    costs = []
    for _ in range(5):
        begun = processor_seconds()
        watch("answer")
        costs.append(processor_seconds() - begun)
    assert min(costs) < 0.15


def test_progress_is_sent_at_most_once_per_interval_and_at_every_phase() -> None:
    sent: list[tuple[str, dict[str, float]]] = []
    now = [0.0]
    progress = Progress(lambda phase, counts: sent.append((phase, dict(counts))), 1.0, lambda: now[0])
    progress.update("reading")
    progress.update("exploring", nodes=1)
    progress.update("exploring", nodes=2)
    now[0] = 1.0
    progress.update("exploring", refinements=1)
    assert sent == [("reading", {}), ("exploring", {"nodes": 1}), ("exploring", {"nodes": 2, "refinements": 1})]
