"""The server of a workbench: the page, what it asks (``api``), the pages and files that runs have written (``view``).

Only names of tables, of ``Folder`` and of ``KeptRuns`` become paths. Nothing of an input is read in this process but
its text; whatever reads it as a model does so in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.version import VERSION
from argosy.session.task import Task
from argosy.session.warm import Warm
from argosy.strategies import strategies_for
from argosy.ui.folder import Folder, OutsideFolder, files_named
from argosy.ui.guard import REPORT_POLICY, Guard, view_key
from argosy.ui.questions import Question, questions_of
from argosy.ui.runs import MakeTask, Runs, brief, is_word
from argosy.ui.simulations import COMMANDS, SimulationFailed, Simulations
from argosy.ui.store import KeptRuns, Record

ASSETS: Mapping[str, tuple[str, str]] = {
    "style.css": ("argosy.report", "text/css"),
    "frame.css": ("argosy.report", "text/css"),
    "still.css": ("argosy.report", "text/css"),
    "shared.js": ("argosy.report", "text/javascript"),
    "widgets.js": ("argosy.report", "text/javascript"),
    "workbench.css": ("argosy.ui", "text/css"),
    "workbench.js": ("argosy.ui", "text/javascript"),
    "views.js": ("argosy.ui", "text/javascript"),
    "simulation.js": ("argosy.ui", "text/javascript"),
    "icon.svg": ("argosy.ui", "image/svg+xml"),
}

TICK = 0.1
LOOK_AT_FILES = 1.0
RECENT = 12

CHOICES = ("property", "query", "require", "only", "strategy")
"""What a page may choose for a run, beside limits."""


class Workbench:
    """``execute``: counterexamples may be compiled and run."""

    def __init__(
        self,
        folder: Folder,
        store: KeptRuns,
        make_task: MakeTask,
        *,
        focus: str = "",
        jobs: int = 1,
        execute: bool = False,
    ) -> None:
        self.folder, self.store = folder, store
        self._ungated = make_task
        self._focus = focus
        self._execute = execute
        self._version = 0
        self._files: dict[str, Any] = {}
        self._questions: dict[str, tuple[object, Question]] = {}
        self.closing = False
        self.simulations = Simulations(folder, store)
        self._warm = Warm()
        self.runs = Runs(folder, store, self._make_task, self._changed, jobs, self._warm)

    def _make_task(self, name: str, choices: Mapping[str, Any]) -> Task:
        """Whoever chose it, the page, the settings of the folder or a record in it: nothing outside the folder is read,
        and nothing is executed that was not permitted when the workbench was started."""
        task = self._ungated(name, choices)
        if task.execute and not self._execute:
            raise UsageError("nothing is executed: argosy ui --execute permits it")
        for path in files_named(task):
            if not self.folder.holds(path):
                raise OutsideFolder(f"{name} is read with {path}, which is not in this folder")
        return task

    def _changed(self) -> None:
        self._version += 1

    def close(self) -> None:
        self.closing = True
        self.simulations.close()
        self.runs.close()
        self._warm.close()

    def app(self, token: str, port: int) -> Guard:
        self._view_key = view_key(token)
        routes = [
            Route("/", self._page),
            Route("/static/{name}", self._asset),
            Route("/view/{run}/{name}", self._stored),
            Route("/api/events", self._events),
        ]
        routes += [Route(f"/api/{name}", partial(self._read, does)) for name, does in self._reading().items()]
        writing = self._writing().items()
        routes += [Route(f"/api/{name}", partial(self._write, does), methods=["POST"]) for name, does in writing]
        return Guard(Starlette(routes=routes), token, port)

    # ---- the page ---------------------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        return Response(files("argosy.ui").joinpath("workbench.html").read_text("utf-8"), media_type="text/html")

    async def _asset(self, request: Request) -> Response:
        known = ASSETS.get(request.path_params["name"])
        if known is None:
            return said({"error": "no such file"}, 404)
        package, kind = known
        text = files(package).joinpath(request.path_params["name"]).read_text("utf-8")
        return Response(text, media_type=kind)

    async def _stored(self, request: Request) -> Response:
        """A file that a run has written: a report to be looked at, anything else to be kept."""
        try:
            path = self.store.file(request.path_params["run"], request.path_params["name"])
        except KeyError:
            return said({"error": "no such file"}, 404)
        headers = {"content-security-policy": REPORT_POLICY, "cross-origin-resource-policy": "cross-origin"}
        if path.endswith(".html"):
            return FileResponse(path, media_type="text/html", headers=headers)
        return FileResponse(
            path, media_type="application/octet-stream", headers=headers, filename=os.path.basename(path)
        )

    # ---- what the page asks -----------------------------------------------------------------------------------------

    def _reading(self) -> dict[str, Callable[[Mapping[str, str]], Record]]:
        return {
            "folder": self._folder,
            "file": self._file,
            "source": self._source,
            "run": self._run,
            "simulation": self._simulation,
        }

    def _writing(self) -> dict[str, Callable[[Record], Record]]:
        return {
            "ask": self._ask,
            "stop": self._stop,
            "forget": self._forget,
            "simulate": self._simulate,
            "simulation": self._simulated,
        }

    async def _read(self, does: Callable[[Mapping[str, str]], Record], request: Request) -> Response:
        return await self._answered(does, request.query_params)

    async def _write(self, does: Callable[[Record], Record], request: Request) -> Response:
        try:
            asked = json.loads(await request.body())
        except ValueError:
            return said({"error": "no JSON"}, 400)
        if not isinstance(asked, dict):
            return said({"error": "no object"}, 400)
        return await self._answered(does, asked)

    async def _answered(self, does: Callable[[Any], Record], asked: Any) -> Response:
        try:
            return said(await run_in_threadpool(does, asked))
        except OutsideFolder as error:
            return said({"error": f"no file of this folder: {str(error)[:200]}"}, 404)
        except KeyError as error:
            return said({"error": f"there is no {str(error)[:200]}"}, 404)
        except InputError as error:
            return said({"error": str(error), "line": error.position.line}, 400)
        except UnsupportedError as error:
            return said({"error": f"unsupported: {error}", "line": error.position.line}, 400)
        except (UsageError, SimulationFailed, ValueError, TypeError, IndexError) as error:
            return said({"error": str(error)[:2000]}, 400)

    def _folder(self, asked: Mapping[str, str]) -> Record:
        listed: list[Record] = []
        for file in self.folder.files():
            verdicts = self.runs.verdicts(file.name) if self.runs.records(file.name) else {}
            listed.append(
                {
                    "name": file.name,
                    "format": file.format.name,
                    "title": file.format.title,
                    "kind": file.format.kind,
                    "verdict": verdicts.get(""),
                }
            )
        kinds: set[str] = {file["kind"] for file in listed}
        return {
            "folder": os.path.basename(self.folder.root) or self.folder.root,
            "version": VERSION,
            "focus": self._focus,
            "views": self._view_key,
            "files": listed,
            "strategies": {kind: [(n, s.advice) for n, s in strategies_for(kind).items()] for kind in sorted(kinds)},
            "executes": self._execute,
            "recent": [self._recent(record) for record in self.runs.records()[:RECENT]],
        }

    def _recent(self, record: Record) -> Record:
        shown = ("id", "file", "question", "status", "strategy", "asked", "verdict", "colour", "message")
        found = {name: record.get(name) for name in shown}
        return {**found, "stale": self._stale(record), "seconds": record.get("statistics", {}).get("wall_s")}

    def _file(self, asked: Mapping[str, str]) -> Record:
        name = asked["name"]
        path = self.folder.path(name)
        task = self._make_task(name, {})
        format = task.check()
        return {
            "name": name,
            "format": format.name,
            "title": format.title,
            "kind": format.kind,
            "page": format.page,
            "size": os.path.getsize(path),
            "limits": [task.time_limit, task.memory_limit],
            "strategy": task.strategy_name,
            "verdicts": self.runs.verdicts(name),
            "runs": [{**brief(r), "stale": self._stale(r)} for r in self.runs.records(name)],
            "simulations": self.simulations.of(name)[:50],
            "beside": [each for each in self.folder.beside(name) if each != name],
            **self._asked(name),
        }

    def _stale(self, record: Record) -> bool:
        return self.folder.is_stale(record["file"], record["hashes"])

    def _asked(self, name: str) -> Question:
        """What can be asked; read again when the file has changed."""
        hashes = self.folder.hashes(name)
        known = self._questions.get(name)
        if known is None or known[0] != hashes:
            known = self._questions[name] = hashes, questions_of(self._make_task(name, {}), self._warm)
        return known[1]

    def _source(self, asked: Mapping[str, str]) -> Record:
        return {"name": asked["name"], "lines": self.folder.text(asked["name"]).splitlines()}

    def _run(self, asked: Mapping[str, str]) -> Record:
        record = self.runs.record(asked["id"])
        return {**record, "stale": self._stale(record), "files": self.store.files(asked["id"])}

    def _ask(self, asked: Record) -> Record:
        choices: Record = {}
        for name in CHOICES:
            if asked.get(name) is not None:
                if not is_word(asked[name]):
                    raise UsageError(f"{name}: a text")
                choices[name] = asked[name]
        for name in ("time_limit", "memory_limit"):
            if asked.get(name) is not None:
                choices[name] = float(asked[name]) if name == "time_limit" else int(asked[name])
        if asked.get("execute"):
            choices["execute"] = True
        if not is_word(asked["file"]) or not is_word(asked["question"]):
            raise UsageError("a file and a question")
        return brief(self.runs.ask(asked["file"], asked["question"], choices))

    def _stop(self, asked: Record) -> Record:
        self.runs.stop(asked["run"])
        return {}

    def _simulate(self, asked: Record) -> Record:
        run, number = asked.get("run"), int(asked.get("answer") or 1)
        if not is_word(asked["file"]) or not (run is None or is_word(run)) or number < 1:
            raise UsageError("a file, and a run with the number of its answer")
        return {"id": self.simulations.begin(asked["file"], run, number)["id"]}

    def _simulation(self, asked: Mapping[str, str]) -> Record:
        return self.simulations.opened(asked["id"])

    def _simulated(self, asked: Record) -> Record:
        if asked["command"] not in COMMANDS or not is_word(asked["id"]):
            raise UsageError("no such command")
        return self.simulations.does(asked["id"], asked)

    def _forget(self, asked: Record) -> Record:
        self.runs.forget(asked["run"])
        return {}

    # ---- what happens -----------------------------------------------------------------------------------------------

    async def _events(self, request: Request) -> Response:
        return StreamingResponse(self._happening(), media_type="text/event-stream")

    async def _happening(self) -> AsyncIterator[str]:
        """What runs and how far it is, whenever that changes; ``files`` changes when a file of the folder does."""
        seen: object = None
        looked = 0.0
        loop = asyncio.get_running_loop()
        stamps: object = None
        while not self.closing:
            if loop.time() >= looked:
                looked = loop.time() + LOOK_AT_FILES
                stamps = await run_in_threadpool(self._stamps)
            now = (self._version, stamps)
            if now != seen:
                seen = now
                live = list(map(_light, self.runs.live()))
                told = {"live": live, "files": stamps, "version": self._version}
                yield f"data: {json.dumps(told)}\n\n"
            await asyncio.sleep(TICK)

    def _stamps(self) -> str:
        return str(hash(tuple((file.name, file.stamp) for file in self.folder.files())))


def _light(record: Record) -> Record:
    """What a list shows of a run that goes on."""
    live = record["live"]
    if live is None:
        return record
    told = {name: live[name] for name in ("phase", "counts", "elapsed", "memory")}
    return {**record, "live": {**told, "lessons": len(live["learned"])}}


def said(content: Record, status: int = 200) -> Response:
    """JSON in which nothing can end the element that holds it."""
    text = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    return Response(text, status, media_type="application/json")
