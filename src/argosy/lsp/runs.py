"""Runs for an editor: in a process of their own, waited for in a thread, stopped by whoever asked.

Law: the server is never kept waiting; a run that is cancelled has no process left within a second.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.lsp.findings import Remark, SideNote, Spot, Weight, notes_of, refusal, remarks_of, unreadable
from argosy.report.result import Result
from argosy.session.progress import Snapshot
from argosy.session.starting import Start, fresh
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import Task

Findings = tuple[str, list[Remark], list[SideNote]]
"""What a run ended with in a word, and what it says where."""


class _Cancelled(Exception):
    """Raised inside ``supervise``, which then ends everything that it started."""


async def findings(
    make: Callable[[], Task], path: str, tell: Callable[[Snapshot], None], start: Start = fresh
) -> Findings:
    """Decide the task in a thread; ``tell`` hears how far it is, in the loop of the caller. Cancelling ends the run."""
    loop = asyncio.get_running_loop()
    cancelled = threading.Event()

    def watch(snapshot: Snapshot) -> None:
        if cancelled.is_set():
            raise _Cancelled
        loop.call_soon_threadsafe(tell, snapshot)

    try:
        return await loop.run_in_executor(None, lambda: _findings(make, path, watch, start))
    finally:
        cancelled.set()


def _findings(make: Callable[[], Task], path: str, watch: Callable[[Snapshot], None], start: Start) -> Findings:
    try:
        result = supervise(make(), watch, start=start)
    except _Cancelled:
        return "cancelled", [], []
    except UsageError as error:
        return "wrong settings", [Remark(Spot(path, 0), Weight.ERROR, str(error), "settings")], []
    except InputError as error:
        return "cannot be read", [unreadable(error)], []
    except UnsupportedError as error:
        text = f"no verdict: unsupported: {error}"
        return "UNKNOWN", [refusal(Result.unknown(text, input=path), text, Weight.WARNING)], []
    except Fault as fault:
        text = f"internal error of Argosy: {fault.what}; please report it, with the file {fault.path}"
        return "internal error", [Remark(Spot(path, 0), Weight.ERROR, text, "fault")], []
    return result.verdict.upper(), list(remarks_of(result)), list(notes_of(result))
