"""Which processors are free: told by a table that each test writes itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics import processors
from argosy.basics.processors import Idling, asked
from argosy.session.run import jobs_of
from argosy.session.task import Task

EXAMPLE = Path(__file__).parents[2] / "examples" / "c" / "lock.c"


class Machine:
    """Four processors, three of them ours, whose idle time is written by hand (in hundredths of a second)."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._table = folder / "stat"
        self._quota = folder / "cpu.max"
        self.now = 0.0
        patch.setattr(processors, "_TABLE", str(self._table))
        patch.setattr(processors, "_QUOTA", str(self._quota))
        patch.setattr(processors, "_allowed", lambda: frozenset((0, 1, 3)))
        patch.setattr("os.sysconf", lambda name: 100)
        patch.setattr("time.monotonic", lambda: self.now)
        patch.delenv(processors.VARIABLE, raising=False)

    def at(self, now: float, *idle: int, nice: int = 0) -> None:
        self.now = now
        rows = [f"cpu{number} 7 {nice} 9 {ticks} 0 0 0 0 0 0" for number, ticks in enumerate(idle)]
        self._table.write_text("\n".join(["cpu 1 2 3 4 5 6 7", *rows, "intr 5 6", ""]))

    def may_use(self, text: str) -> None:
        self._quota.write_text(text)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_what_idled_is_free_and_one_is_its_own(machine: Machine) -> None:
    machine.at(10.0, 0, 500, 500, 500)
    look = Idling.now()
    machine.at(12.0, 0, 700, 500, 700)
    assert look.free_since() == 3
    machine.at(12.0, 0, 500, 700, 690)  # the third is not ours
    assert look.free_since() == 2
    machine.at(12.0, 20, 520, 700, 510)
    assert look.free_since() == 1


def test_work_at_low_priority_is_no_obstacle(machine: Machine) -> None:
    machine.at(10.0, 0, 0, 0, 0)
    look = Idling.now()
    machine.at(11.0, 0, 0, 0, 0, nice=66)
    assert look.free_since() == 3


def test_a_quota_and_a_missing_table_are_obeyed(machine: Machine, tmp_path: Path) -> None:
    machine.at(10.0, 0, 0, 0, 0)
    look = Idling.now()
    machine.at(11.0, 100, 100, 100, 100)
    assert look.free_since() == 3
    machine.may_use("150000 100000\n")
    assert look.free_since() == 2
    machine.may_use("50000 100000\n")
    assert look.free_since() == 1
    machine.may_use("max 100000\n")
    assert look.free_since() == 3
    (tmp_path / "stat").unlink()
    assert Idling.now().free == 0.0
    assert look.free_since() == 1


def test_who_asks_gets_what_was_asked_for(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.at(10.0, 0, 0, 0, 0)
    look = Idling.now()
    machine.at(11.0, 0, 100, 0, 0)
    assert jobs_of(Task("x.c"), look) == 1
    assert jobs_of(Task("x.c", jobs=3), look) == 3
    assert jobs_of(Task("x.c", jobs=None), look) == 2
    assert jobs_of(Task.of(str(EXAMPLE), jobs=None), look) == 2, "as the command asks"
    assert jobs_of(Task("x.c", jobs=None, strategy="lbe"), look) == 1
    monkeypatch.setenv(processors.VARIABLE, "5")
    assert jobs_of(Task("x.c", jobs=None), look) == 5
    assert jobs_of(Task("x.c", jobs=2), look) == 2


@pytest.mark.parametrize("given", ["", "0", "-1", "many", "1.5", "²"])
def test_what_cannot_be_meant_is_not_obeyed(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(processors.VARIABLE, given)
    assert asked() is None
