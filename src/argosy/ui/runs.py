"""The runs of a workbench: a queue, one supervised process for each run, what is known of them while they go on.

Laws: a run has limits, whoever asks; one that is stopped has no process left within a second; a run that crashes is a
record with a line that says so.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.report.frame import COLOURS
from argosy.report.result import UNKNOWN, Result, satisfied
from argosy.session.progress import Snapshot
from argosy.session.starting import Start, fresh
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import LARGEST, Task
from argosy.ui.folder import Folder, OutsideFolder
from argosy.ui.store import FILE, KeptRuns, Record

ENDED = "the workbench was closed while it ran"
OPEN = ("queued", "running")
MOST_LEARNED = 400

MakeTask = Callable[[str, Mapping[str, Any]], Task]
"""How a file of the folder is verified, with what was chosen for it: raises UsageError and InputError."""


class StoppedByHand(Exception):
    """Raised inside ``supervise``, which then ends everything that it started."""


class Runs:
    """``changed`` is called, from any thread, whenever a page would show something else."""

    def __init__(
        self,
        folder: Folder,
        store: KeptRuns,
        make_task: MakeTask,
        changed: Callable[[], None],
        jobs: int = 1,
        start: Start = fresh,
    ) -> None:
        self._folder, self._store, self._make_task, self._changed = folder, store, make_task, changed
        self._start_warden = start
        self._lock = threading.RLock()
        self._records: dict[str, Record] = {record["id"]: record for record in store.records()}
        self._live: dict[str, Record] = {}
        self._stops: dict[str, threading.Event] = {}
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="run")
        for record in list(self._records.values()):
            if record["status"] == "running":
                self._keep({**record, "status": "failed", "message": ENDED})
            elif record["status"] == "queued":
                self._start(record)

    # ---- what is known ----------------------------------------------------------------------------------------------

    def records(self, file: str | None = None) -> list[Record]:
        """The newest first."""
        with self._lock:
            return [each for each in reversed(self._records.values()) if file is None or each["file"] == file]

    def record(self, run: str) -> Record:
        with self._lock:
            return {**self._records[run], "live": self._live.get(run)}

    def live(self) -> list[Record]:
        """What waits and what runs, in the order in which it was asked."""
        with self._lock:
            return [
                {**brief(each), "live": self._live.get(each["id"])}
                for each in self._records.values()
                if each["status"] in OPEN
            ]

    def verdicts(self, file: str) -> dict[str, Record]:
        """The last answer to each question about a file, by the question; ``""`` is the last run of any."""
        found: dict[str, Record] = {}
        for record in self.records(file):
            if record["status"] != "done":
                continue
            shown = {name: record[name] for name in ("id", "verdict", "colour", "reason", "certified", "began")}
            stale = self._folder.is_stale(file, record["hashes"])
            found.setdefault("", {**shown, "stale": stale})
            found.setdefault(record["question"], {**shown, "stale": stale})
            for number, answer in enumerate(record["answers"], 1):
                found.setdefault(answer["text"], {**shown, **answer, "stale": stale, "number": number})
        return found

    # ---- asking -----------------------------------------------------------------------------------------------------

    def ask(self, file: str, question: str, choices: Mapping[str, Any]) -> Record:
        """Queue a question. Raises OutsideFolder, UsageError, InputError, UnsupportedError."""
        record: Record = {
            "id": self._store.new(),
            "file": file,
            "question": question,
            "choices": dict(choices),
            "status": "queued",
            "asked": time.time(),
            "hashes": self._folder.hashes(file),
            "answers": [],
            "learned": [],
            "curve": [],
            "exports": [],
        }
        task = self._task(record)
        record |= {"strategy": task.strategy_name, "limits": [task.time_limit, task.memory_limit]}
        self._keep(record)
        self._start(record)
        return record

    def _task(self, record: Record) -> Task:
        self._folder.path(record["file"])
        task = self._make_task(record["file"], record["choices"])
        for name, limit in (("time-limit", task.time_limit), ("memory-limit", task.memory_limit)):
            if limit is None or not 0 < limit <= LARGEST:
                raise UsageError(f"--{name}: every run of a workbench has one")
        return task

    def _start(self, record: Record) -> None:
        self._stops[record["id"]] = threading.Event()
        future = self._pool.submit(self._run, record["id"])
        future.add_done_callback(lambda done: self._finished(record["id"], done))

    def stop(self, run: str) -> None:
        with self._lock:
            if self._records[run]["status"] == "queued":
                self._keep({**self._records[run], "status": "stopped", "message": "stopped before it began"})
        self._stops.get(run, threading.Event()).set()

    def forget(self, run: str) -> None:
        with self._lock:
            if self._records[run]["status"] in OPEN:
                raise UsageError("it is still going on: stop it first")
            del self._records[run]
        self._store.forget(run)
        self._changed()

    def close(self) -> None:
        """End whatever runs; what waits is asked when the workbench is opened again."""
        for event in self._stops.values():
            event.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    # ---- running ----------------------------------------------------------------------------------------------------

    def _run(self, run: str) -> None:
        with self._lock:
            record = self._records[run]
            if record["status"] != "queued" or self._stops[run].is_set():
                return
            record = {**record, "status": "running", "began": time.time()}
            self._keep(record)
        try:
            record = self._decided(record)
        except StoppedByHand:
            record |= {"status": "stopped", "message": "stopped"}
        except InputError as error:
            record |= {"status": "failed", "message": f"cannot be read: {error}", "line": error.position.line}
        except UnsupportedError as error:
            record |= {"status": "failed", "message": f"unsupported: {error}", "line": error.position.line}
        except (UsageError, OutsideFolder) as error:
            record |= {"status": "failed", "message": str(error)}
        except Fault as fault:
            message = f"internal error of Argosy: {fault.what}; please report it, with the file {fault.path}"
            record |= {"status": "failed", "message": message}
        with self._lock:
            live = self._live.pop(run, None) or {}
        known = {"learned": live.get("learned", []), "curve": live.get("curve", [])}
        self._keep({**record, **known, "ended": time.time()})

    def _decided(self, record: Record) -> Record:
        run, stop = record["id"], self._stops[record["id"]]
        record = {**record, "hashes": self._folder.hashes(record["file"])}

        def watch(snapshot: Snapshot) -> None:
            if stop.is_set():
                raise StoppedByHand
            self._seen(run, snapshot)

        exports: list[str] = []

        def write(path: str, content: str | bytes) -> None:
            name = os.path.basename(path)
            if FILE.fullmatch(name):
                with open(os.path.join(self._store.folder(run), name), "wb") as file:
                    file.write(content.encode() if isinstance(content, str) else content)
                exports.append(name)

        result = supervise(self._task(record), watch, write=write, start=self._start_warden)
        write("result.json", result.to_json())
        return {**record, **said(result), "status": "done", "exports": sorted(dict.fromkeys(exports))}

    def _seen(self, run: str, snapshot: Snapshot) -> None:
        with self._lock:
            before = self._live.get(run) or {"learned": [], "reached": None, "curve": []}
            learned, reached = before["learned"], before["reached"]
            for text in snapshot.told:
                told = json.loads(text)
                learned = [*learned, *told["lessons"]][:MOST_LEARNED]
                reached = told["reached"] or reached
            curve = before["curve"]
            if not curve or snapshot.elapsed >= curve[-1][0] * 1.03 + 0.05:
                curve = [*curve, [round(snapshot.elapsed, 2), snapshot.counts.get("nodes", 0), round(snapshot.memory)]]
            self._live[run] = {
                "phase": snapshot.phase,
                "counts": dict(snapshot.counts),
                "elapsed": round(snapshot.elapsed, 2),
                "memory": round(snapshot.memory, 1),
                "learned": learned,
                "reached": reached,
                "curve": curve,
            }
        self._changed()

    def _finished(self, run: str, done: Future[None]) -> None:
        """What nobody thought of is a line in the page, too."""
        if not done.cancelled() and (error := done.exception()) is not None:
            with self._lock:
                self._live.pop(run, None)
                if run in self._records:
                    message = f"internal error of Argosy: {type(error).__name__}: {error}"
                    self._keep({**self._records[run], "status": "failed", "message": message})

    def _keep(self, record: Record) -> None:
        with self._lock:
            self._records[record["id"]] = record
            self._store.save(record)
        self._changed()


def said(result: Result) -> Record:
    """What is shown of a result without opening it."""
    return {
        "verdict": result.verdict,
        "verdict_line": result.verdict_line,
        "colour": COLOURS[satisfied(result)],
        "reason": result.reason,
        "certified": result.certified,
        "property": result.property,
        "kind": result.kind,
        "statistics": dict(result.statistics),
        "strategy": result.strategy.get("name", ""),
        "stage": result.strategy.get("stage"),
        "remarks": list(result.remarks()),
        "answers": [
            {
                "text": answer["text"],
                "line": answer["line"],
                "verdict": answer["verdict"],
                "colour": _colour(answer),
                "reason": answer["reason"],
                "words": answer["words"],
                "certified": answer["certified"],
                "steps": len(answer["counterexample"]),
            }
            for answer in result.answers
        ],
    }


def _colour(answer: Mapping[str, Any]) -> str:
    if answer["satisfied"] is not None or answer["verdict"] == UNKNOWN:
        return COLOURS[answer["satisfied"]]
    return str(answer["verdict"])


_HEAVY = ("hashes", "learned", "curve")


def brief(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in _HEAVY}


def is_word(text: object, longest: int = 2_000) -> bool:
    return isinstance(text, str) and len(text) <= longest and not re.search(r"[\0-\x08\x0b-\x1f]", text)
