"""The portfolio of one task on a cluster. Here the machine of the cluster is this one, without Ray: orders are carried
out as they are there (``cluster.execute``), one after the other; ``test_cluster`` has a real one."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UsageError
from argosy.bench import portfolio
from argosy.bench.cluster import Began, Came, execute
from argosy.bench.limits import Outcome, RunOrder
from argosy.bench.portfolio import decide
from argosy.report.result import Result
from argosy.session.supervisor import Fault
from argosy.session.task import Task

PROGRAM = (
    "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
    '#include "limit.h"\nint main(void) { int x = __VERIFIER_nondet_int(); if (x == LIMIT) reach_error(); return 0; }\n'
)


class Machine:
    """A cluster with one machine, on which the lanes of ``lost`` are lost; ``done`` are those that came to an end."""

    def __init__(self, lost: Iterable[int] = ()) -> None:
        self.lost = set(lost)
        self.done: list[int] = []
        self.jobs = 3
        self.closed = False

    def __call__(self, address: str, jobs: int | None, memory_mb: int | None) -> Machine:
        self.jobs = jobs or self.jobs
        return self

    def outcomes(self, orders: Iterable[tuple[int, RunOrder]]) -> Generator[Began[int] | Came[int] | None, None, None]:
        try:
            for number, order in list(orders):
                yield Began(number)
                yield None
                if number in self.lost:
                    yield Came(number, 0.0, lost="the machine is gone")
                    continue
                self.done.append(number)
                text = execute(order.to_json())
                yield Came(number, 0.0, None if text is None else Outcome.from_json(text))
        finally:
            self.closed = True


def run(machine: Machine, monkeypatch: pytest.MonkeyPatch, path: Path, **choices: object) -> Result:
    monkeypatch.setattr(portfolio, "Cluster", machine)
    return decide(Task.of(str(path), time_limit=60, **choices), "anywhere")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "limit.h").write_text("#define LIMIT 12345\n")
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def test_the_first_answer_wins_and_says_where(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lane 0 is lost, and loses only its work; lane 1 answers, and lane 2 is not waited for."""
    machine, witness = Machine(lost=[0]), program.parent / "out" / "run.yml"
    witness.parent.mkdir()
    result = run(machine, monkeypatch, program, exports={"witness": str(witness)})
    assert (result.verdict, result.certified, machine.done, machine.closed) == ("unsafe", True, [1], True)
    assert result.strategy["machine"] == socket.gethostname() and result.strategy["jobs"] == "3"
    assert result.input == str(program) and any(socket.gethostname() in line for line in result.remarks())
    said = result.to_json() + witness.read_text()
    assert str(program) in witness.read_text() and "sent-" not in said and "written/" not in said


def test_what_nobody_can_carry_out_is_unknown(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(Machine(lost=[0, 1, 2]), monkeypatch, program)
    assert result.verdict == "unknown" and "the machine is gone" in (result.reason or "")
    assert result.input == str(program)


def test_limits_are_those_of_the_task(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[RunOrder] = []

    class Looking(Machine):
        def outcomes(
            self, orders_: Iterable[tuple[int, RunOrder]]
        ) -> Generator[Began[int] | Came[int] | None, None, None]:
            orders.extend(order for _, order in orders_)
            yield Came(0, 0.0, lost="not tried")

    run(Looking(), monkeypatch, program, memory_limit=700)
    tasks = [Task.from_json(order.files["task.json"]) for order in orders]
    assert [tuple(task.lane or ()) for task in tasks] == [(0, 3), (1, 3), (2, 3)]
    assert all(task.memory_limit == 700 and task.jobs == 1 and 59 < (task.time_limit or 0) <= 60 for task in tasks)
    assert all(order.memory_limit == 800 and 60 < (order.wall_limit or 0) < 65 for order in orders)
    assert {name.rpartition("/")[2] for name in orders[0].files} == {"program.c", "limit.h", "task.json"}


def test_what_cannot_be_read_is_said_with_its_name_here(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program.write_text("int main( {\n")
    with pytest.raises(InputError, match="syntax error") as raised:
        run(Machine(), monkeypatch, program)
    assert raised.value.position.file == str(program)
    for choices, message in (({"include": ["headers"]}, "folders do not travel"),):
        with pytest.raises(UsageError, match=message):
            run(Machine(), monkeypatch, program, **choices)


def test_a_fault_there_is_one_here_unless_somebody_answers(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = json.dumps({"machine": "m", "fault": "KeyError: 1", "details": "what happened"})

    class Crashing(Machine):
        def outcomes(
            self, orders: Iterable[tuple[int, RunOrder]]
        ) -> Generator[Began[int] | Came[int] | None, None, None]:
            yield Came(0, 0.0, Outcome(0, None, 1.0, 1.0, 1.0, files={"answer.json": crashed}))

    with pytest.raises(Fault, match="KeyError: 1") as raised:
        run(Crashing(), monkeypatch, program)
    assert Path(raised.value.path).read_text() == "what happened"
    Path(raised.value.path).unlink()
