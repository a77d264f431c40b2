"""What is worth trying where a limit ended a run, in one line."""

from __future__ import annotations

from dataclasses import replace

from argosy.basics.budget import MEMORY_LIMIT, TIME_LIMIT
from argosy.report.result import UNKNOWN, Result
from argosy.session.task import Task

SEVERAL = "--strategy auto tries several strategies in turn"

ADVICE = {
    (
        "program",
        TIME_LIMIT,
    ): "--strategy bmc looks for errors only, --strategy kinduction and --domain prod for proofs, "
    "and a longer --time-limit gives each part of auto more",
    ("program", MEMORY_LIMIT): "--domain expl with --search dfs keeps fewer formulas, --strategy bmc no abstraction",
    ("network", TIME_LIMIT): "--search random-dfs with another --seed, or --heuristic zones, may find a run sooner; "
    "--search largest proves soonest that there is none",
    ("network", MEMORY_LIMIT): "--search dfs or --heuristic zones may find a run with fewer stored states",
}


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
    help = ADVICE[kind, limit] if task.strategy_name == "auto" else SEVERAL
    return replace(result, advice="; ".join([*so_far, f"worth trying: {help}"]))
