"""What is worth trying where a limit ended a run, in one line."""

from __future__ import annotations

from argosy.backends.registry import KINDS
from argosy.basics.budget import MEMORY_LIMIT, TIME_LIMIT
from argosy.basics.records import replace
from argosy.report.result import UNKNOWN, Result
from argosy.session.task import Task

SEVERAL = "--strategy auto tries several strategies in turn"


def advised(task: Task, kind: str, result: Result) -> Result:
    """The result with what was decided before the limit and what may help; one that is complete stays as it is."""
    limit = next((each for each in (TIME_LIMIT, MEMORY_LIMIT) if each in (result.reason or "")), None)
    if result.verdict != UNKNOWN or limit is None or result.advice is not None:
        return result
    decided = sum(answer["verdict"] != UNKNOWN for answer in result.answers)
    so_far = [f"{decided} of {len(result.answers)} decided so far"] if len(result.answers) > 1 else []
    depth = max((answer.get("depth") or 0 for answer in result.answers), default=0)
    if depth and len(result.answers) == 1:
        so_far.append(f"no error before loops begin round {depth + 1}")
    help = KINDS[kind].advice[limit] if task.strategy_name == "auto" else SEVERAL
    return replace(result, advice="; ".join([*so_far, f"worth trying: {help}"]))
