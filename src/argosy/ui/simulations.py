"""The simulations of a workbench: each is a process, and the choices that repeat it, which are kept in the folder.

Law: a process that takes too long, or crashes, is ended and is a line on the page; what was chosen before is there.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from argosy.session.watch import start_interpreter
from argosy.ui.folder import Folder
from argosy.ui.store import FILE, KeptRuns, Record

SECONDS = 30.0
AT_THE_BEGINNING = 150.0
"""What was chosen is done again: ten thousand steps of a network take a while."""

MOST_PROCESSES = 4
COMMANDS = ("do", "back", "random", "export")


class SimulationFailed(Exception):
    """In words."""


class SimulationProcess:
    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair()
        with theirs:
            self._process = start_interpreter(
                "argosy.ui.simulating:serve", theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        self._reader = self._connection.makefile("rb")
        self.used = time.monotonic()

    def ask(self, asked: Mapping[str, Any]) -> Record:
        """Raises SimulationFailed where there is no answer in time."""
        self.used = time.monotonic()
        patience = AT_THE_BEGINNING if asked["command"] == "begin" else SECONDS
        try:
            self._connection.settimeout(patience)
            self._connection.sendall(json.dumps(asked).encode() + b"\n")
            line = self._reader.readline()
        except TimeoutError:
            raise SimulationFailed(f"it took more than {patience:.0f} s and was ended") from None
        except OSError:
            line = b""
        if not line:
            raise SimulationFailed("the process of the simulation has crashed")
        found: Record = json.loads(line)
        return found

    def end(self) -> None:
        with suppress(OSError):
            self._connection.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Simulations:
    def __init__(self, folder: Folder, store: KeptRuns) -> None:
        self._folder, self._store = folder, store
        self._processes: dict[str, SimulationProcess] = {}
        self._lock = threading.Lock()

    def begin(self, file: str, run: str | None, number: int) -> Record:
        """A new one, from the start or from a counterexample: of a run the answer of this number."""
        self._folder.beside(file)
        answer = None if run is None else self._store.result(run)["answers"][number - 1]
        record: Record = {"id": self._store.new(), "file": file, "choices": [], "run": run, "began": time.time()}
        with self._lock:
            said = self._restart({**record, "hashes": self._folder.hashes(file)}, answer)
        return {**said, "id": record["id"]}

    def _restart(self, record: Record, answer: Any = None) -> Record:
        self._forget(record["id"])
        while len(self._processes) >= MOST_PROCESSES:
            self._forget(min(self._processes, key=lambda each: self._processes[each].used))
        process = self._processes[record["id"]] = SimulationProcess()
        name = record["file"]
        asked = {"command": "begin", "file": f"./{name}" if name.startswith("-") else name}
        said = self._asked(process, record, {**asked, "choices": record["choices"], "answer": answer})
        self._store.save_simulation({**record, "choices": said["choices"]})
        return said

    def _asked(self, process: SimulationProcess, record: Record, asked: Mapping[str, Any]) -> Record:
        try:
            said = process.ask(asked)
        except SimulationFailed:
            self._forget(record["id"])
            raise
        if "failed" in said:
            self._forget(record["id"])
            raise SimulationFailed(said["failed"])
        return said

    def opened(self, number: str) -> Record:
        """All of it, also after the workbench was closed."""
        with self._lock:
            record = self._store.simulation(number)
            self._folder.beside(record["file"])
            stale = self._folder.is_stale(record["file"], record["hashes"])
            said = self._restart(record) if stale else self._shown(record) or self._restart(record)
        return {**said, "id": number, "file": record["file"], "run": record["run"], "stale": stale}

    def _shown(self, record: Record) -> Record | None:
        """By the process that there is; None where there is none that answers."""
        process = self._processes.get(record["id"])
        with suppress(SimulationFailed):
            return None if process is None else self._asked(process, record, {"command": "show"})
        return None

    def does(self, number: str, asked: Mapping[str, Any]) -> Record:
        """One command; what it did is kept."""
        with self._lock:
            record = self._store.simulation(number)
            process = self._processes.get(number)
            if process is None:
                self._restart(record)
                process = self._processes[number]
            said = self._asked(process, record, asked)
            choices = [*record["choices"][: said["kept"]], *said["choices"]]
            if choices != record["choices"]:
                self._store.save_simulation({**record, "choices": choices})
            if "files" in said:
                said["files"] = list(self._written(number, said["files"]))
        return {**said, "id": number}

    def _written(self, number: str, files: Any) -> list[str]:
        folder = self._store.folder(number)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        names = []
        for name, content in files:
            if FILE.fullmatch(name):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
                names.append(name)
        return names

    def of(self, file: str) -> list[Record]:
        """Those that are kept, the newest first."""
        found = [each for each in self._store.simulations() if each.get("file") == file]
        return [
            {"id": each["id"], "began": each["began"], "run": each["run"], "steps": len(each["choices"])}
            for each in reversed(found)
        ]

    def _forget(self, number: str) -> None:
        process = self._processes.pop(number, None)
        if process is not None:
            process.end()

    def close(self) -> None:
        with self._lock:
            for number in list(self._processes):
                self._forget(number)
