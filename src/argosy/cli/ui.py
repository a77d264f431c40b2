"""``argosy ui``: a workbench in the browser, on this machine; see ``argosy.ui``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from argosy.basics.errors import UsageError
from argosy.basics.records import replace
from argosy.cli.ending import UNKNOWN, complain
from argosy.cli.lsp import task_for
from argosy.session.task import MOST_JOBS, Task

NEEDED = ("starlette", "uvicorn")
MEMORY_LIMIT = 4_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("where", metavar="FOLDER|FILE", nargs="?", default=".", help="what to open (this folder)")
    parser.add_argument("--port", metavar="N", type=int, default=0, help="the port (the one of last time, or any)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="runs at the same time (1)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    parser.add_argument("--execute", action="store_true", help="counterexamples of C programs may be compiled and run")


def run(options: argparse.Namespace, started: float) -> int:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        complain(f"argosy ui needs {' and '.join(missing)}: pip install 'argosy[ui]'")
        return UNKNOWN
    if not 0 <= options.port < 65536:
        raise UsageError("--port is a number from 1 to 65535")
    if not 1 <= options.jobs <= MOST_JOBS:
        raise UsageError(f"--jobs must be a number from 1 to {MOST_JOBS}, not {options.jobs}")
    folder, focus = _opened(options.where)
    from argosy.ui.folder import Folder
    from argosy.ui.server import Workbench
    from argosy.ui.serving import serve
    from argosy.ui.store import KeptRuns

    # Names in results and reports are relative to the folder.
    os.chdir(folder)
    store = KeptRuns(os.getcwd())
    workbench = Workbench(Folder(os.getcwd()), store, _task, focus=focus, jobs=options.jobs, execute=options.execute)
    serve(workbench, options.port, lambda address: _say(address, not options.no_browser))
    return 0


def _opened(where: str) -> tuple[str, str]:
    """The folder, and the file in it that was named."""
    if os.path.isdir(where):
        return os.path.realpath(where), ""
    if os.path.isfile(where):
        return os.path.dirname(os.path.abspath(where)), os.path.basename(where)
    raise UsageError(f"{where}: no such folder or file")


def _task(name: str, chosen: Mapping[str, Any]) -> Task:
    """As ``argosy verify`` in the folder of the file would, with limits and with everything that can be shown."""
    # Settings of a project may not decide that something is executed: the folder may be anybody's.
    choices: dict[str, Any] = {"execute": False, **chosen}
    if isinstance(choices.get("require"), str):
        choices["require"] = [choices["require"]]
    if not choices.get("strategy"):
        choices.pop("strategy", None)
    path = f"./{name}" if name.startswith("-") else name
    task = task_for(path, {**choices, "output": OUTPUT, "watched": True})
    # One process, unless a project says otherwise: only there can be seen what a run learns.
    return replace(task, memory_limit=task.memory_limit or MEMORY_LIMIT, jobs=task.jobs or 1)


OUTPUT = "run"
"""Files of a run are named below it; the workbench puts them where they belong."""


def _say(address: str, open_it: bool) -> None:
    print(f"The workbench is at {address} (Ctrl-C ends it)", flush=True)
    if open_it:
        import webbrowser

        webbrowser.open(address)
