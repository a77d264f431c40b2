"""Argosy: a configurable model checker with certified verdicts.

    import argosy
    result = argosy.verify("prog.c", domain="expl", time_limit=60)
    result.verdict, result.certified, result.statistics

``verify`` decides one task and returns what ``argosy verify --json`` prints. The analysis runs in a child process,
so that its limits hold inside a solver call too; a ``Strategy`` object of one's own cannot leave this process and is
run in it. Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import os

from argosy.basics.version import VERSION

TYPE_CHECKING = False  # not from typing, whose import is most of the time in which Ctrl-C is a traceback
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from argosy.report.result import Result
    from argosy.session.progress import Snapshot
    from argosy.session.task import Task

__version__ = VERSION

__all__ = ["Result", "Task", "__version__", "verify"]


def verify(
    path: str | os.PathLike[str],
    strategy: Any = "auto",
    *,
    format: Any = "",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    certify: bool = True,
    certify_with: str | None = None,
    each: bool = False,
    only: str | None = None,
    shorten: bool = True,
    strict: bool = False,
    execute: bool = False,
    witness: str | None = None,
    jobs: int | None = 1,
    in_process: bool = False,
    on_progress: Callable[[Snapshot], None] | None = None,
    **options: object,
) -> Result:
    """Decide one verification task. ``strategy`` is a name or a function that builds a ``Strategy``; ``options``
    are those of the input's format (``property="no-overflow"``, ``data_model="LP64"``, ``query="E<> P.goal"``,
    ``numbers="rational"``; ``argosy formats`` lists them) and override single choices of a named strategy
    (``domain="expl"``, ``max_enum=10``). ``format`` names how to read the input, whatever its suffix, or is a
    ``frontends.registry.Format`` of one's own.

    ``query`` is for networks of timed automata: what to ask instead of what the model's ``.q`` file or the model itself
    asks; several are separated by newlines. ``Result.answers`` has an entry for each property, query or, with
    ``each=True``, assertion; ``only`` says which of several is asked. ``strict=True``: where there is nothing to check,
    the verdict is unknown. ``certify_with`` names a solver that has to confirm the text of the certificate of a SAFE.
    ``shorten=False``: a counterexample is shown as it was found. ``execute=True`` compiles a C program with its
    counterexample and runs it; ``witness`` is a file to be held against the program, as ``argosy check`` does. ``jobs``
    processes work side by side, and the first certified answer is the answer (None: as many as there are free
    processors).

    In the process itself (``in_process=True``, and always with a strategy or format of one's own) a time limit is kept
    only between two solver calls, and a memory limit and several jobs are refused.

    Raises ``UsageError`` (a ``ValueError``) for an option that does not exist, ``InputError`` for an input that
    cannot be read, ``Fault`` where the analysis crashed, and ``KeyboardInterrupt`` where Ctrl-C stopped it.
    """
    from argosy.basics.errors import UnsupportedError
    from argosy.session.task import Task

    try:
        task = Task.of(
            os.fspath(path),
            format=format,
            strategy=strategy,
            time_limit=time_limit,
            memory_limit=memory_limit,
            seed=seed,
            certify=certify,
            certify_with=certify_with,
            each=each,
            only=only,
            shorten=shorten,
            strict=strict,
            execute=execute,
            witness=witness,
            jobs=jobs,
            **options,
        )
    except UnsupportedError as refusal:
        return Task(os.fspath(path)).unknown(f"unsupported: {refusal}")
    if in_process or task.stays_here:
        from argosy.session.child import in_this_process

        return in_this_process(task, on_progress)
    from argosy.basics.budget import INTERRUPTED
    from argosy.session.supervisor import supervise

    result = supervise(task, on_progress)
    if result.reason == INTERRUPTED:
        raise KeyboardInterrupt
    return result


def __getattr__(name: str) -> Any:
    if name == "Result":
        from argosy.report.result import Result

        return Result
    if name == "Task":
        from argosy.session.task import Task

        return Task
    raise AttributeError(f"module 'argosy' has no attribute {name!r}")
