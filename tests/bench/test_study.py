"""A study loses nothing and repeats nothing, however it ends."""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from argosy.bench import wardens
from argosy.bench.limits import PYTHON, RunOrder
from argosy.bench.local import Local
from argosy.bench.matrix import matrix
from argosy.bench.records import Run, RunRecord
from argosy.bench.study import JOURNAL, WARM_ARGOSY, RunLimits, Study, carry_out
from argosy.bench.tasks import BenchTask, read_tasks
from argosy.strategies import STRATEGIES
from tests.bench.fakes import Fake, bench_command

STRATEGY_NAMES = list(STRATEGIES)[:10]


class Notes:
    """A watcher that remembers."""

    def __init__(self) -> None:
        self.done: list[RunRecord] = []
        self.remaining: list[Run] = []
        self.records: list[RunRecord] = []
        self.own: list[float] = []

    def begin(self, done: object, remaining: object) -> None:
        self.done, self.remaining = list(done), list(remaining)  # type: ignore[call-overload]

    def started(self, run: Run) -> None: ...
    def lost(self, run: Run, reason: str) -> None: ...
    def tick(self) -> None: ...

    def finished(self, record: RunRecord, own_s: float) -> None:
        self.records.append(record)
        self.own.append(own_s)


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "results.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_500_runs_survive_being_killed(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    for number in range(50):
        fake.task(f"tasks/t{number:02}.c", "verdict=safe", "safe")
    out = tmp_path / "out"
    command = bench_command(
        fake, tmp_path / "tasks", "--strategies", ",".join(STRATEGY_NAMES), "--jobs", 2, "--out", out, "--quiet"
    )
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 900
    while len(lines(out / JOURNAL)) < 170 and first.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = [json.loads(line) for line in lines(out / JOURNAL) if line.endswith(b"\n")]
    assert 170 <= len(kept) < 500
    with (out / JOURNAL).open("ab") as file:
        file.write(b'{"key": "torn')
    again = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert (again.returncode, again.stdout) == (0, "solved 500 of 500 runs, wrong 0\n")
    written = [json.loads(line) for line in lines(out / JOURNAL)]
    assert written[: len(kept)] == kept, "nothing lost"
    assert len(written) == len({line["key"] for line in written}) == 500, "nothing twice"
    assert len({(row["model"], row["configuration"]) for row in rows(out)}) == len(rows(out)) == 500
    started = fake.started()
    assert len(started) <= 500 + 2, "only what was running when the bench was killed is run again"
    finished = {f"{tmp_path}/tasks/{line['model']} {line['configuration']}" for line in kept}
    assert all(started.count(run) == 1 for run in finished)


def study(fake: Fake, *names: str, limits: RunLimits | None = None) -> Study:
    tasks = read_tasks([str(fake.folder / "tasks")])
    return Study(
        "test", tasks, matrix(names or ["lbe", "sbe"]).configurations, limits or RunLimits(), program=(fake.command,)
    )


def spent_s() -> float:
    """The processor time of this process and of all that it waited for, so far."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def test_own_time_of_the_bench_is_small(tmp_path: Path) -> None:
    """Processor time, which other programs on the machine do not change much: all that was spent, wardens included,
    without what the runs were measured to take."""
    fake = Fake(tmp_path)
    for number in range(10):
        fake.task(f"tasks/t{number}.c", "sleep 0.2; verdict=safe")
    both, notes = study(fake), Notes()
    begun = spent_s()
    records = carry_out(both, tmp_path / "out", Local(1), notes)
    own = spent_s() - begun - sum(record.measurement.cpu_s for record in records)
    assert len(records) == 20
    assert own / len(records) < 0.1, f"{own / len(records):.3f} s per run"
    assert len(notes.own) == 20 and all(own >= 0 for own in notes.own)


def test_what_changed_is_measured_again(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c")
    fake.task("tasks/b.c")
    out = tmp_path / "out"
    carry_out(study(fake), out, Local(1), Notes())
    assert len(fake.started()) == 4
    carry_out(study(fake), out, Local(1), Notes())
    assert len(fake.started()) == 4
    fake.task("tasks/b.c", "verdict=unsafe code=10")
    records = carry_out(study(fake), out, Local(1), Notes())
    assert len(fake.started()) == 6
    assert [r.measurement.result for r in records] == ["safe", "safe", "unsafe", "unsafe"]
    carry_out(study(fake, limits=RunLimits(memory_mb=900)), out, Local(1), Notes())
    assert len(fake.started()) == 10
    carry_out(study(fake, "lbe", "sbe", "explicit"), out, Local(1), Notes())
    assert len(fake.started()) == 12


def test_an_expected_verdict_put_right_needs_no_new_run(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c")
    fixed = study(fake, "lbe")
    wrong = Study("", [BenchTask("a.c", "", fixed.tasks[0].path, expected="unsafe")], fixed.configurations)
    right = Study("", [BenchTask("a.c", "", fixed.tasks[0].path, expected="safe")], fixed.configurations)
    wrong, right = (Study("", s.tasks, s.configurations, program=(fake.command,)) for s in (wrong, right))
    [record] = carry_out(wrong, tmp_path / "out", Local(1), Notes())
    assert record.outcome == "wrong"
    [record] = carry_out(right, tmp_path / "out", Local(1), Notes())
    assert record.outcome == "correct" and len(fake.started()) == 1


def test_stopping_ends_what_runs_and_does_not_count_it(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c")
    fake.task("tasks/b.c", "sleep 8765.5")
    notes = Notes()
    records = carry_out(study(fake, "lbe"), tmp_path / "out", Local(2), notes, lambda: bool(notes.records))
    assert [record.task.name for record in records] == ["a.c"]
    listing = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True).stdout
    assert "8765.5" not in listing


def test_interrupted_benches_can_go_on(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c")
    fake.task("tasks/b.c", f"test -e '{tmp_path}/go' || sleep 60; verdict=safe")
    out = tmp_path / "out"
    command = bench_command(fake, tmp_path / "tasks", "--strategies", "lbe", "--jobs", 2, "--out", out)
    bench = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(lines(out / JOURNAL)) < 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    bench.send_signal(signal.SIGINT)
    output, _ = bench.communicate(timeout=60)
    assert bench.returncode == 5
    assert output.splitlines()[-1].startswith("solved 1 of 2 runs, wrong 0, 1 not measured")
    assert len(rows(out)) == 1 and (out / "index.html").exists()
    (tmp_path / "go").touch()
    again = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert again.returncode == 0 and "1 of 2 runs are finished already" in again.stderr
    assert len(rows(out)) == 2


def test_orders_carry_limits_and_options(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    task = BenchTask("p.c", "x", str(path), "no-overflow", "LP64", "safe")
    [run] = Study("", [task], matrix(["explicit:search=1,2"]).configurations).runs()
    order = Study("", [task], [run.configuration], RunLimits(7, 9, 500), ("--seed", "3")).order(run)
    command = list(order.command)
    assert command[:5] == [PYTHON, "-P", "-m", "argosy", "verify"] and command[5] == str(path)
    for words in (["--strategy", "explicit"], ["--property", "no-overflow"], ["--data-model", "LP64"], ["--seed", "3"]):
        assert command[command.index(words[0]) + 1] == words[1]
    assert "--search=1,2" in command
    assert command[command.index("--time-limit") + 1] == "9"
    assert (order.cpu_limit, order.memory_limit) == (7, 500) and 9 < (order.wall_limit or 0) <= 12
    # Argosy gives up by itself a little earlier, and can say how far it came.
    assert 400 < int(command[command.index("--memory-limit") + 1]) < 500


def test_inputs_travel(tmp_path: Path) -> None:
    network, queries = tmp_path / "n.xta", tmp_path / "n.q"
    network.write_bytes(b"system \xff;")
    queries.write_text("E<> P.a")
    [run] = Study("", [BenchTask("n", "ta", str(network))], matrix(["auto"]).configurations).runs()
    order = Study("", [run.task], [run.configuration]).order(run, with_input=True)
    assert "{scratch}/n.xta" in order.command and set(order.files) == {"n.xta", "n.q"}
    assert order.files["n.xta"].encode(errors="surrogateescape") == b"system \xff;"
    assert order == type(order)(**{**json.loads(order.to_json()), "command": order.command, "wanted": order.wanted})


def test_files_travel_with_their_folders_and_properties(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )")
    (tmp_path / "top.h").write_text("int x;")
    path = tmp_path / "programs" / "p.c"
    path.write_text('#include "../top.h"\n')
    task = BenchTask("p", "c", str(path), "unreach-call", property_file=str(tmp_path / "p.prp"))
    [run] = Study("", [task], matrix(["lbe"]).configurations).runs()
    one = Study("", [task], [run.configuration])
    order = one.order(run, with_input=True)
    assert set(order.files) == {"programs/p.c", "top.h", "p.prp"}
    command = list(order.command)
    assert "{scratch}/programs/p.c" in command and command[command.index("--property") + 1] == "{scratch}/p.prp"
    outcome = wardens.run(RunOrder(("cat", "{scratch}/programs/../top.h"), files=order.files))
    assert outcome is not None and outcome.output == "int x;"
    assert str(tmp_path / "p.prp") in one.order(run).command


def test_networks_have_configurations_of_their_own(tmp_path: Path) -> None:
    tasks = [BenchTask(name, "", str(tmp_path / name)) for name in ("p.c", "n.xta")]
    runs = Study("", tasks, matrix(["auto", "lbe", "zones"]).configurations).runs()
    pairs = [(run.task.name, run.configuration.label) for run in runs]
    assert pairs == [("p.c", "auto"), ("p.c", "lbe"), ("n.xta", "auto"), ("n.xta", "zones")]


def test_faults_are_kept(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c", 'echo "what happened" > "$TMPDIR/argosy-fault-x.txt"; exit 6')
    [record] = carry_out(study(fake, "lbe"), tmp_path / "out", Local(1), Notes())
    assert record.measurement.termination == "exception" and record.measurement.exit_code == 6
    [kept] = (tmp_path / "out" / "faults").iterdir()
    assert kept.read_text() == "what happened\n"


def test_warm_runs_say_what_others_say(tmp_path: Path) -> None:
    (tmp_path / "right.c").write_text("/* Expected verdict: SAFE */ int main(void) { return 0; }")
    (tmp_path / "wrong.c").write_text(
        "/* Expected verdict: UNSAFE */ void reach_error(void); int main(void) { reach_error(); return 0; }"
    )
    tasks = read_tasks([str(tmp_path)])
    limits = RunLimits(cpu_s=30, wall_s=60, memory_mb=2000)
    study = Study("t", tasks, matrix(["explicit"], {}).configurations, limits, (), WARM_ARGOSY)
    records = carry_out(study, tmp_path / "out", Local(1, warm=True), Notes())
    assert [record.outcome for record in records] == ["correct", "correct"]


def test_two_benches_do_not_write_into_one_folder(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    fake.task("tasks/a.c", "sleep 60")
    command = bench_command(fake, tmp_path / "tasks", "--strategies", "lbe", "--out", tmp_path / "out")
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not fake.started() and time.monotonic() < deadline:
            time.sleep(0.01)
        second = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert second.returncode == 1 and "another bench" in second.stderr
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()


@pytest.mark.parametrize("jobs", [1, 3])
def test_so_many_at_a_time(tmp_path: Path, jobs: int) -> None:
    fake = Fake(tmp_path)
    for number in range(6):
        fake.task(f"tasks/t{number}.c", "sleep 0.05; verdict=safe")
    events = []
    active = set()
    one = study(fake, "lbe")
    for event in Local(jobs).execute((run, one.order(run)) for run in one.runs()):
        match type(event).__name__:
            case "Started":
                active.add(event.run.key)  # type: ignore[union-attr]
            case "Finished":
                active.discard(event.run.key)  # type: ignore[union-attr]
        events.append(len(active))
    assert max(events) == jobs and events[-1] == 0
