"""A study: tasks × configurations under the same limits, measured once each.

``Study.runs`` is the matrix, ``carry_out`` measures what the journal does not have yet. Where a run is executed is an
``Executor``'s business: ``local`` on this machine, ``cluster`` on many.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from argosy.basics.records import dataclass, replace
from argosy.bench.journal import Journal
from argosy.bench.limits import PYTHON, SCRATCH, WARM, Outcome, RunOrder
from argosy.bench.matrix import Configuration
from argosy.bench.records import FAULT_FILES, RESULT_FILE, Run, RunRecord, measurement
from argosy.bench.tasks import BenchTask
from argosy.frontends.registry import kind_of

ARGOSY = (PYTHON, "-P", "-m", "argosy")
WARM_ARGOSY = (WARM,)
JOURNAL = "journal.jsonl"
FAULTS = "faults"

# Argosy keeps its limits itself and can then say how far it came. It is held to them a little later, or, where memory
# is concerned, told a little less.
_GRACE_S = 2.0
_MARGIN_MB = 40


def patience(cpu_s: float) -> float:
    """Seconds on the clock that suffice for so much processor time also on a machine that is busy, where nothing else
    is said."""
    return 1.5 * cpu_s + 10


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Of each run: seconds of processor time over all its processes, seconds on the clock, megabytes."""

    cpu_s: float = 60.0
    wall_s: float = patience(60.0)
    memory_mb: int = 4000


@dataclass(frozen=True, slots=True)
class Study:
    """``options`` are further ones of ``argosy verify``, for all runs; ``program`` is what is run."""

    title: str
    tasks: Sequence[BenchTask]
    configurations: Sequence[Configuration]
    limits: RunLimits = RunLimits()
    options: Sequence[str] = ()
    program: Sequence[str] = ARGOSY

    def runs(self) -> list[Run]:
        """Task by task: a study that is stopped has compared the configurations on the same tasks."""
        return [
            Run(task, configuration, self._key(task, digest, configuration))
            for task in self.tasks
            for digest in [task.digest()]
            for configuration in self.configurations
            if kind_of(task.path) in (None, *configuration.kinds)  # what nobody reads is refused by each
        ]

    def order(self, run: Run, *, with_input: bool = False) -> RunOrder:
        """What a warden is to do. ``with_input`` sends all files along, for a machine that does not have them."""
        limits, task = self.limits, run.task
        paths = {os.path.abspath(path): path for path in task.files()} if with_input else {}
        root = os.path.commonpath(map(os.path.dirname, paths)) if paths else ""
        names = {path: os.path.relpath(place, root) for place, path in paths.items()}

        def there(path: str | None) -> str | None:
            return f"{SCRATCH}/{names[path]}" if path in names else path

        return RunOrder(
            (
                *self.program,
                "verify",
                there(task.path) or "",
                *self._arguments(replace(task, property_file=there(task.property_file)), run.configuration),
                *("--time-limit", f"{limits.wall_s:g}"),
                *("--memory-limit", str(limits.memory_mb - min(_MARGIN_MB, limits.memory_mb // 10))),
                *("--json", f"{SCRATCH}/{RESULT_FILE}", "--quiet", "--no-config"),
            ),
            limits.cpu_s,
            limits.wall_s + _GRACE_S,
            limits.memory_mb,
            {name: _text(path) for path, name in names.items()},
            (RESULT_FILE, FAULT_FILES),
        )

    def _arguments(self, task: BenchTask, configuration: Configuration) -> tuple[str, ...]:
        named = (("--property", task.property_file or task.property), ("--data-model", task.data_model))
        of_task = (word for name, value in named if value is not None for word in (name, value))
        return (*configuration.arguments, *of_task, *self.options)

    def _key(self, task: BenchTask, digest: str, configuration: Configuration) -> str:
        limits = self.limits
        told = (*self.program, *self._arguments(task, configuration))
        parts = [task.name, digest, told, limits.cpu_s, limits.wall_s, limits.memory_mb]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Started:
    run: Run


@dataclass(frozen=True, slots=True)
class Finished:
    """``own_s`` is how long the run took beyond what is measured: the bench's own time."""

    run: Run
    outcome: Outcome | None
    own_s: float = 0.0

    @classmethod
    def since(cls, begun: float, run: Run, outcome: Outcome | None) -> Finished:
        elapsed = time.monotonic() - begun
        return cls(run, outcome, 0.0 if outcome is None else max(0.0, elapsed - outcome.wall_s))


@dataclass(frozen=True, slots=True)
class LostRun:
    """The run could not be executed, which says nothing about it."""

    run: Run
    reason: str


class Executor(Protocol):
    """Executes runs. Yields what happens, and None now and then where nothing does; closing the iterator ends what is
    running. ``orders`` is taken from as places become free."""

    with_input: bool

    def execute(
        self, orders: Iterable[tuple[Run, RunOrder]]
    ) -> Generator[Started | Finished | LostRun | None, None, None]: ...


class Watcher(Protocol):
    """Is told what happens: the live display, a page that is written again."""

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None: ...
    def started(self, run: Run) -> None: ...
    def finished(self, record: RunRecord, own_s: float) -> None: ...
    def lost(self, run: Run, reason: str) -> None: ...
    def tick(self) -> None: ...


def carry_out(
    study: Study, out: Path, executor: Executor, watcher: Watcher, stop: Callable[[], bool] = lambda: False
) -> list[RunRecord]:
    """Measure what is missing in ``out``; ``stop`` is asked now and then, and what runs then is not counted. Returns
    what is measured by then, in the order of the matrix."""
    out.mkdir(parents=True, exist_ok=True)
    runs = study.runs()
    with Journal(out / JOURNAL) as journal:
        known = journal.finished
        missing = [run for run in runs if run.key not in known]
        watcher.begin([RunRecord(r.task, r.configuration, known[r.key]) for r in runs if r.key in known], missing)
        orders = ((run, study.order(run, with_input=executor.with_input)) for run in missing)
        with closing(executor.execute(orders)) as events:
            for event in events:
                match event:
                    case Started(run):
                        watcher.started(run)
                    case Finished(run, outcome, own_s):
                        begun = time.monotonic()
                        measured = measurement(outcome)
                        _keep_faults(out, run, outcome)
                        journal.append(run, measured)
                        record = RunRecord(run.task, run.configuration, measured)
                        watcher.finished(record, own_s + time.monotonic() - begun)
                    case LostRun(run, reason):
                        watcher.lost(run, reason)
                    case None:
                        watcher.tick()
                if stop():
                    break
        return [RunRecord(r.task, r.configuration, known[r.key]) for r in runs if r.key in known]


def _keep_faults(out: Path, run: Run, outcome: Outcome | None) -> None:
    for name, content in (outcome.files if outcome is not None else {}).items():
        if name != RESULT_FILE:
            (out / FAULTS).mkdir(exist_ok=True)
            (out / FAULTS / f"{run.key}-{name}").write_text(content, encoding="utf-8", errors="backslashreplace")


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="surrogateescape")
