"""A program that answers like ``argosy verify`` without verifying: what it says stands in the input."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from argosy.bench.matrix import Configuration
from argosy.bench.records import Measurement, RunRecord
from argosy.bench.tasks import BenchTask

# Each start is a line of the log: the input and the strategy.
SCRIPT = r"""#!/bin/sh
input=$2
shift 2
while [ $# -gt 0 ]; do
    case "$1" in
        --json) json=$2; shift;;
        --strategy) strategy=$2; shift;;
    esac
    shift
done
echo "$input $strategy" >> LOG
. "$(dirname "$input")/$(basename "$input")"
printf '{"verdict": "%s", "reason": %s, "certified": true, "certificate": "replay", "statistics": %s}' \
    "$verdict" "${reason:-null}" '{"refinements": 3, "predicates": 2, "nodes": 17, "solver_checks": 5}' > "$json"
exit "${code:-0}"
"""


class Fake:
    """The program, its inputs and its log, all in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "started.log"
        self._script = folder / "fake-argosy"
        self._script.write_text(SCRIPT.replace("LOG", shlex.quote(str(self._log))))
        self._script.chmod(0o755)

    @property
    def command(self) -> str:
        return shlex.quote(str(self._script))

    def task(self, name: str, body: str = "verdict=safe", expected: str | None = None) -> Path:
        """``body`` is a piece of shell."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        said = f"# Expected verdict: {expected.upper()}\n" if expected else ""
        path.write_text(f"{said}{body}\n")
        return path

    def started(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []


def bench_command(fake: Fake, *arguments: object) -> list[str]:
    return [sys.executable, "-m", "argosy", "bench", *map(str, arguments), "--argosy", fake.command]


def configuration(label: str, **parameters: str) -> Configuration:
    return Configuration(label, "lbe", {}, {"strategy": "lbe", **parameters})


def task(name: str, expected: str | None = "safe", category: str = "loops") -> BenchTask:
    return BenchTask(name, category, name, "unreach-call", None, expected)


def record(
    of: BenchTask,
    by: Configuration,
    result: str = "safe",
    cpu_s: float = 1.0,
    memory_mb: float = 100.0,
    termination: str | None = None,
    statistics: Mapping[str, float] | None = None,
) -> RunRecord:
    ended = termination or ("success" if result else "time")
    reason = "" if result else f"{ended} limit"
    counts = statistics or {"refinements": 1, "predicates": 2, "nodes": 3, "solver_checks": 4}
    return RunRecord(of, by, Measurement(ended, result, reason, bool(result), "", 0, cpu_s, cpu_s, memory_mb, counts))
