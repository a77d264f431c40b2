"""The portfolio of one task on a Ray cluster: its strategies are dealt out to lanes, each a run of its own on whichever
machine has a processor free. The first answer wins, and the others are ended.

An answer is certified by the lane that gives it, on its machine; so which one is first makes no difference to a
verdict. A lane has the limits of the task: what is left of its time, and its memory for itself. Where a machine is lost
Ray gives its lane to another one; what cannot be carried out at all loses its strategies and nothing else. Lanes
do not tell each other what they learn, unlike those on one machine (``backends.beside``).

Files travel with the orders (``bench.cluster``) and are called otherwise where they arrive; whatever comes back speaks
of them by the names that they have here.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from argosy.backends.beside import ways
from argosy.basics.budget import INTERRUPTED, TIME_LIMIT
from argosy.basics.errors import InputError, UsageError
from argosy.basics.files import write_fault
from argosy.basics.position import Position
from argosy.basics.records import asdict, dataclass, replace
from argosy.bench.cluster import Came, Cluster
from argosy.bench.limits import PYTHON, SCRATCH, RunOrder
from argosy.frontends.files import STANDARD_INPUT
from argosy.frontends.registry import files_of
from argosy.report.result import UNKNOWN, Result
from argosy.session.progress import Snapshot, Write, write_file
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import Task
from argosy.session.watch import GRACE, interruptions

_TASK, _ANSWER = "task.json", "answer.json"
_CALL = "from argosy.bench.portfolio import lane; lane()"

# Above the limits of the run itself, which end it with a reason.
_LATER_S, _MORE_MB = 2.0, 100

# Options of formats that name files, one or several, and one that names folders, whose files are not known.
_FILES = ("link", "library", "requirements", "property")
_FOLDERS = "include"


def decide(
    task: Task,
    address: str,
    jobs: int | None = None,
    on_progress: Callable[[Snapshot], None] | None = None,
    *,
    started: float | None = None,
    write: Write = write_file,
) -> Result:
    """Decide a task on the cluster there, by so many lanes, or as many as it has processors. Raises what ``supervise``
    raises."""
    started = time.monotonic() if started is None else started
    luggage = _Luggage.of(task)
    count = ways(task.check().kind, task.strategy, task.options)
    cluster = Cluster(address, jobs, task.memory_limit)
    count = min(count, cluster.jobs)
    race = _Race(task, luggage, count, started)
    with interruptions() as interrupted, closing(cluster.outcomes(race.orders())) as events:
        for event in events:
            if isinstance(event, Came):
                race.take(event)
            if race.is_over:
                break
            if select.select([interrupted], [], [], 0)[0]:
                return race.unknown(INTERRUPTED)
            if task.time_limit is not None and race.elapsed > task.time_limit + GRACE:
                return race.unknown(TIME_LIMIT)
            if on_progress is not None:
                on_progress(Snapshot(f"{race.running} of {count} lanes on the cluster", {}, race.elapsed))
    return race.result(write)


@dataclass(frozen=True, slots=True)
class _Luggage:
    """A task as it is where it arrives, the files that it needs, and what the folder is called here."""

    task: Task
    files: Mapping[str, str]
    there: str
    here: str

    @classmethod
    def of(cls, task: Task) -> _Luggage:
        if task.input == STANDARD_INPUT:
            raise UsageError("--cluster: the standard input does not travel; give a file")
        if _FOLDERS in task.reading:
            raise UsageError(f"--cluster: folders do not travel (--{_FOLDERS}); preprocess the program first")
        named = [task.input, *(path for name in _FILES for path in task.reading.get(name, "").split("\n"))]
        needed = [found for path in named if path for found in files_of(path)]
        places = {os.path.abspath(path): path for path in needed}
        root = os.path.commonpath([os.path.dirname(place) for place in places]) if places else os.getcwd()
        there = f"sent-{secrets.token_hex(8)}/"
        here = root if os.path.isabs(task.input) else os.path.relpath(root)

        def moved(path: str) -> str:
            return there + os.path.relpath(os.path.abspath(path), root) if os.path.abspath(path) in places else path

        reading = {
            name: "\n".join(map(moved, value.split("\n"))) if name in _FILES else value
            for name, value in task.reading.items()
        }
        exports = {name: _written(name, path) for name, path in task.exports.items()}
        moved_task = replace(task, input=moved(task.input), reading=reading, exports=exports, jobs=1)
        files = {moved(path): _text(path) for path in needed}
        return cls(moved_task, files, there, "" if here == os.curdir else os.path.join(here, ""))

    def back(self, text: str) -> str:
        """What was said there, as it is said here."""
        return text.replace(self.there, json.dumps(self.here)[1:-1])

    def written(self, path: str, exports: Mapping[str, str]) -> str:
        """Where a file belongs that was written there; some exporters write several into a folder."""
        for name, own in exports.items():
            there = _written(name, own)
            if path == there or path.startswith(f"{there}/"):
                return own + path.removeprefix(there)
        raise ValueError(path)


def _written(name: str, path: str) -> str:
    return f"written/{name}/{os.path.basename(os.path.normpath(path))}"


class _Race:
    """The lanes of a task, and what has come of them."""

    def __init__(self, task: Task, luggage: _Luggage, count: int, started: float) -> None:
        self._task = task
        self._luggage = luggage
        self._count = count
        self._started = started
        self.running = count
        self.is_over = False
        self._best: tuple[Result, Mapping[str, Any]] | None = None
        self._failures: list[str] = []
        self._fault: tuple[str, str] | None = None

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def orders(self) -> Iterator[tuple[int, RunOrder]]:
        task = self._luggage.task
        for number in range(self._count):
            limit = None if task.time_limit is None else max(task.time_limit - self.elapsed, 0.1)
            lane = (number, self._count) if self._count > 1 else None
            own = replace(task, time_limit=limit, lane=lane)
            yield (
                number,
                RunOrder(
                    (PYTHON, "-P", "-c", _CALL, f"{SCRATCH}/{_TASK}"),
                    wall_limit=None if limit is None else limit + GRACE + _LATER_S,
                    memory_limit=None if task.memory_limit is None else task.memory_limit + _MORE_MB,
                    files={**self._luggage.files, _TASK: own.to_json()},
                    wanted=(_ANSWER,),
                ),
            )

    def take(self, came: Came[int]) -> None:
        """What a lane has come to. What cannot be read is so for all of them."""
        self.running -= 1
        outcome = came.outcome
        if outcome is None or _ANSWER not in outcome.files:
            why = came.lost or (outcome.limit if outcome is not None else None) or "it was killed"
            self._failures.append(f"a part of the run was lost: {why}")
            return
        said = json.loads(self._luggage.back(outcome.files[_ANSWER]))
        match said:
            case {"unreadable": [*position, what]}:
                raise InputError(Position(*position), what)
            case {"misused": what}:
                raise UsageError(what)
            case {"fault": what, "details": details}:
                self._fault = what, details
            case {"result": result}:
                self._compare(Result.from_json(json.dumps(result)), said)

    def _compare(self, result: Result, said: Mapping[str, Any]) -> None:
        """A verdict ends the race; otherwise the lane that answered most says what is known."""
        if result.verdict == UNKNOWN:
            self._failures.append(result.reason or "")
        if self._best is None or result.verdict != UNKNOWN or _answered(result) > _answered(self._best[0]):
            self._best = result, said
        self.is_over = result.verdict != UNKNOWN

    def unknown(self, reason: str) -> Result:
        if self._best is None:
            result = self._task.unknown(reason)
        else:
            result = replace(self._best[0], reason=reason, input=self._task.input)
        return result.with_statistics(wall_s=round(self.elapsed, 3))

    def result(self, write: Write) -> Result:
        reasons = "; ".join(dict.fromkeys(part for each in self._failures for part in each.split("; ")))
        if self._fault is not None and not self.is_over:
            raise Fault(self._fault[0], write_fault(self._fault[1]))
        if self._best is None:
            return self.unknown(reasons)
        result, said = self._best
        if result.verdict == UNKNOWN:
            result = replace(result, reason=reasons)
        for path, content in said["files"].items():
            text: str = content["text"]
            write(
                self._luggage.written(path, self._task.exports), text.encode("latin-1") if content["binary"] else text
            )
        lanes = {"jobs": str(self._count)} if self._count > 1 else {}
        named = {**result.strategy, **lanes, "machine": said["machine"]}
        return replace(result, strategy=named).with_statistics(wall_s=round(self.elapsed, 3))


def _answered(result: Result) -> int:
    return sum(answer["verdict"] != UNKNOWN for answer in result.answers)


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="surrogateescape")


# ---- there ----------------------------------------------------------------------------------------------------------


def lane() -> None:
    """What runs on a machine of the cluster: the task in the file that is named, and its answer in one beside it."""
    path = Path(sys.argv[1])
    os.chdir(path.parent)
    Path(_ANSWER).write_text(json.dumps({"machine": socket.gethostname(), **_answer(path)}), encoding="utf-8")


def _answer(path: Path) -> Mapping[str, Any]:
    files: dict[str, Mapping[str, Any]] = {}

    def keep(name: str, content: str | bytes) -> None:
        binary = isinstance(content, bytes)
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        files[name] = {"text": text, "binary": binary}

    try:
        result = supervise(Task.from_json(path.read_text(encoding="utf-8")), write=keep)
    except InputError as error:
        position: Sequence[Any] = tuple(asdict(error.position).values())
        return {"unreadable": [*position, error.what]}
    except UsageError as error:
        return {"misused": str(error)}
    except Fault as fault:
        return {"fault": fault.what, "details": Path(fault.path).read_text(encoding="utf-8", errors="replace")}
    return {"result": json.loads(result.to_json()), "files": files}
