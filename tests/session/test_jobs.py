"""Several processes side by side: the same verdicts, nothing survives, a lane that dies loses only its work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from argosy.backends.beside import KILLED, lanes_of
from argosy.backends.contract import Lane, Plan
from argosy.backends.stages import stages_of
from argosy.basics.budget import INTERRUPTED, TIME_LIMIT
from argosy.basics.errors import UsageError
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Terms
from argosy.logic.transport import Shared, pack, unpack
from argosy.models.features import Features
from argosy.problem.problem import Problem, Subject
from argosy.report.result import Result
from argosy.session.child import in_this_process
from argosy.session.run import read
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import Task
from argosy.strategies import STRATEGIES

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

PROGRAM = """
import sys
from argosy.session.supervisor import supervise
from argosy.session.task import Task
print(supervise(Task(sys.argv[1], jobs=2), run="tests.session.lanes:" + sys.argv[2]).verdict_line)
"""


def watch(run: str, path: Path, seed: int = 0, memory_limit: int | None = None) -> Result:
    return supervise(Task(str(path), jobs=2, seed=seed, memory_limit=memory_limit), run=f"tests.session.lanes:{run}")


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return os.path.exists("/proc/self/stat") is False and _answers_to_signals(pid)
    return state not in "ZX"


def _answers_to_signals(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def noted(path: Path, count: int) -> list[int]:
    end = time.monotonic() + 60
    while not (path.exists() and len(path.read_text().split()) >= count) and time.monotonic() < end:
        time.sleep(0.02)
    return [int(pid) for pid in path.read_text().split()]


# ---- verdicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("c/lock.c", "safe"),
        ("c/lock_bug.c", "unsafe"),
        ("systems/fifo.btor2", "safe"),
        ("systems/token_ring.aag", "unsafe"),
        ("theta/tank.sts", "safe"),
        ("horn/stairs.horn", "safe"),
        ("horn/words_bug.smt2", "unsafe"),
        ("ta/fischer.xml", "safe"),
        ("ta/fischer_bug.xml", "unsafe"),
    ],
)
def test_two_jobs_say_what_one_says(path: str, verdict: str) -> None:
    results = [supervise(Task.of(str(EXAMPLES / path), jobs=jobs, time_limit=120)) for jobs in (1, 2)]
    assert [(each.verdict, each.certified) for each in results] == [(verdict, True)] * 2
    assert [each.strategy.get("jobs") for each in results] == [None, "2"]
    assert [len(each.counterexample) > 0 for each in results] == [verdict == "unsafe"] * 2
    assert len(results[0].answers) == len(results[1].answers)


def test_every_requirement_of_a_controller_is_answered(tmp_path: Path) -> None:
    (tmp_path / "lamp.st").write_text(
        "PROGRAM lamp\nVAR_INPUT press : BOOL; END_VAR\nVAR_OUTPUT on : BOOL; END_VAR\nVAR count : INT; END_VAR\n"
        "IF press AND count < 3 THEN count := count + 1; END_IF;\non := count > 2;\n"
        "//#ASSERT count <= 3 : stops;\n//#ASSERT NOT on : dark;\n//#ASSERT count >= 0 : begins;\nEND_PROGRAM\n"
    )
    result = supervise(Task.of(str(tmp_path / "lamp.st"), jobs=2, time_limit=120))
    assert [entry["verdict"] for entry in result.answers] == ["safe", "unsafe", "safe"]
    assert all(entry["certified"] for entry in result.answers)


def test_assertions_are_answered_by_whoever_is_first(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(
        "#include <assert.h>\nextern int any(void);\nint main(void) { int x = any(); int y = 0;\n"
        "while (x > 0 && y < 5) { x--; y++; }\nassert(y <= 5);\nassert(y < 5);\nreturn 0; }\n"
    )
    results = [supervise(Task.of(str(tmp_path / "p.c"), jobs=jobs, each=True, time_limit=120)) for jobs in (1, 2)]
    said = [[(entry["line"], entry["verdict"]) for entry in each.answers] for each in results]
    assert said[0] == said[1] == [(5, "safe"), (6, "unsafe")]


def test_files_are_written_from_what_a_lane_found(tmp_path: Path) -> None:
    path = str(EXAMPLES / "systems" / "fifo.btor2")
    supervise(Task.of(path, jobs=2, exports={"certificate": str(tmp_path / "proof.smt2")}))
    assert ["(check-sat)" in (tmp_path / f"proof-{number}.smt2").read_text() for number in (1, 2)] == [True] * 2
    path = str(EXAMPLES / "systems" / "fifo_overflow.btor2")
    supervise(Task.of(path, jobs=2, exports={"witness": str(tmp_path / "run.wit")}))
    assert (tmp_path / "run.wit").read_text().startswith("sat\n")


# ---- which lane does what -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["program", "system", "clause"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_lanes_have_all_strategies_of_auto_between_them(kind: str, count: int) -> None:
    whole = stages_of(Plan(), "bits", Features(), kind)
    dealt = [stages_of(Plan(lane=Lane(n, count)), "bits", Features(), kind) for n in range(count)]
    names = [{stage.name for stage in some} for some in dealt]
    assert set().union(*names) == {stage.name for stage in whole}
    assert sum(map(len, names)) == len({stage.name for stage in whole})
    assert all(some[-1].share == 1.0 for some in dealt)


def test_where_much_is_asked_each_lane_begins_with_something_else() -> None:
    subjects = tuple(Subject("query", str(number)) for number in range(5))
    problem = Problem("network", "uppaal", "n.xml", None, subjects)
    lanes = lanes_of(problem, Plan(jobs=2))
    assert [some.subjects[0].text for some, _ in lanes] == ["0", "2"]
    assert all(set(some.subjects) == set(subjects) and plan.lane is None for some, plan in lanes)
    alone = lanes_of(Problem("network", "uppaal", "n.xml", None, subjects[:1]), Plan(jobs=9))
    assert [plan.lane for _, plan in alone] == [Lane(number, 4) for number in range(4)]
    assert STRATEGIES["zones"].ways[0] == "zones"
    program = Problem("program", "c", "p.c", None, subjects[:1])
    assert len(lanes_of(program, Plan("lbe", jobs=8))) == 1


# ---- processes ------------------------------------------------------------------------------------------------------


def test_the_others_stop_when_one_has_answered(tmp_path: Path) -> None:
    result = watch("second_answers", tmp_path / "pids")
    assert result.verdict == "safe" and result.statistics["wall_s"] < 50
    assert len(noted(tmp_path / "pids", 2)) == 2 and not any(map(alive, noted(tmp_path / "pids", 2)))


def test_ctrl_c_ends_all_lanes(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    arguments = [sys.executable, "-c", PROGRAM, str(pids), "both_wait"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT, text=True, process_group=0)
    lanes = noted(pids, 4)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30)[0] == f"Verdict: UNKNOWN ({INTERRUPTED})\n"
    assert not any(map(alive, lanes))


def test_a_lane_that_is_killed_is_started_again(tmp_path: Path) -> None:
    assert watch("first_is_killed", tmp_path / "pids").verdict == "safe"
    assert len(noted(tmp_path / "pids", 2)) == 2


def test_a_lane_that_is_killed_twice_is_not(tmp_path: Path) -> None:
    result = watch("first_is_killed", tmp_path / "pids", seed=1)
    assert (result.verdict, result.reason) == ("unknown", f"nothing found; {KILLED}")
    assert len(noted(tmp_path / "pids", 2)) == 2


def test_a_lane_that_crashes_does_not_hide_an_answer(tmp_path: Path) -> None:
    result = watch("first_crashes", tmp_path / "pids")
    assert result.verdict == "safe" and "a part of the run ended with exit code 1" in result.ledger


def test_a_crash_without_an_answer_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        watch("first_crashes", tmp_path / "pids", seed=1)
    assert "the moon is in the wrong quarter" in Path(caught.value.path).read_text()
    os.unlink(caught.value.path)


def test_memory_is_that_of_all_lanes(tmp_path: Path) -> None:
    """The larger one is ended before the limit is passed, and has its turn when the other one is over."""
    result = watch("both_are_large", tmp_path / "pids", memory_limit=240)
    assert result.verdict == "safe" and result.statistics["peak_memory_mb"] < 240
    assert len(noted(tmp_path / "pids", 3)) == 3


def test_answers_of_several_lanes_are_put_together(tmp_path: Path) -> None:
    result = watch("each_knows_one", tmp_path / "pids", seed=2)
    assert [entry["text"] for entry in result.answers] == ["number 0", "number 1"]
    assert result.verdict == "safe" and result.statistics["wall_s"] < 50


def test_assertions_without_any_answer_are_one_question(tmp_path: Path) -> None:
    task = Task(str(tmp_path / "pids"), jobs=2, each=True, seed=1)
    result = supervise(task, run="tests.session.lanes:both_wait")
    assert (result.verdict, result.reason, len(result.answers)) == ("unknown", TIME_LIMIT, 1)


def test_lanes_hear_of_each_other(tmp_path: Path) -> None:
    assert watch("one_tells_the_other", tmp_path / "pids").verdict == "safe"


@pytest.mark.parametrize("moment", range(4))
def test_a_lane_that_is_killed_at_any_moment_costs_no_verdict(moment: int) -> None:
    """One at a time, whenever something is heard of the run; no process is left."""
    path = EXAMPLES / "c" / ("lock.c" if moment % 2 else "lock_bug.c")
    seen: set[int] = set()
    killed: list[int] = []

    def kill(snapshot: object) -> None:
        wardens = [pid for pid in _children(os.getpid()) if pid not in before]
        runs = [run for warden in wardens for run in _children(warden)]
        lanes = [lane for run in runs for lane in _children(run)]
        seen.update([*wardens, *runs, *lanes])
        if len(lanes) > moment % 3 and len(killed) < 2:
            killed.append(lanes[moment % 3])
            os.kill(killed[-1], signal.SIGKILL)

    before = _children(os.getpid())
    result = supervise(Task.of(str(path), jobs=3, time_limit=120), kill)
    assert (result.verdict, result.certified) == ("safe" if moment % 2 else "unsafe", True)
    assert not any(map(alive, seen))


def _children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def test_jobs_need_a_process_of_their_own() -> None:
    with pytest.raises(UsageError, match="several jobs"):
        in_this_process(Task(str(EXAMPLES / "c" / "lock.c"), jobs=2))
    with pytest.raises(UsageError, match="--jobs must be"):
        Task.of(str(EXAMPLES / "c" / "lock.c"), jobs=0)


# ---- what is sent ---------------------------------------------------------------------------------------------------


def test_terms_arrive_in_their_table() -> None:
    here, elsewhere = Terms(), Terms()
    x, y = here.var("x", INT), here.var("y", INT)
    formula = here.and_(here.var("b", BOOL), here.le(x, here.add(y, here.integer(3))))
    shared = Shared.below([here])
    assert unpack(pack({"f": (formula, x)}, shared), shared) == {"f": (formula, x)}
    table, found = unpack(pack((elsewhere, elsewhere.var("z", INT)), shared), shared)
    assert table is not here and table.has(found) and not here.has(found)


def test_a_long_chain_of_terms_is_no_deep_recursion() -> None:
    terms = Terms()
    term = terms.var("x", INT)
    for number in range(20_000):
        term = terms.ite(terms.var(f"b{number}", BOOL), term, terms.integer(number))
    shared = Shared.below([terms])
    assert unpack(pack([term], shared), shared)[0] is term


def test_what_both_sides_have_is_not_copied() -> None:
    problem = read(Task(str(EXAMPLES / "c" / "lock.c")))
    shared = Shared.below(problem)
    cfa = problem.model.cfa
    sent = (problem, cfa.edges[0], {cfa.initial: cfa.variables[0].term})
    arrived = unpack(pack(sent, shared), shared)
    assert arrived[0] is problem and arrived[1] is cfa.edges[0] and list(arrived[2]) == [cfa.initial]
    assert arrived[2][cfa.initial] is cfa.variables[0].term
