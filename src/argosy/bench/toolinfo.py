"""Argosy for BenchExec: the module to name in a benchmark definition, ``<benchmark tool="argosy.bench.toolinfo">``.

Nothing of Argosy imports it, and it imports nothing of Argosy: BenchExec loads it by its full name, in its own process.
The status is what the scores of competitions are computed from: ``true``, ``false(unreach-call)``, ``unknown``.
"""

from __future__ import annotations

import re
from typing import Any

import benchexec.result as result
from benchexec.tools.template import BaseTool2

# The properties whose violation has a status of its own.
_SUBJECTS = ("unreach-call", "no-overflow", "valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup")


class Tool(BaseTool2):  # type: ignore[misc]
    """Argosy, a configurable model checker with certified verdicts."""

    def executable(self, tool_locator: Any) -> str:
        found: str = tool_locator.find_executable("argosy", subdir="bin")
        return found

    def name(self) -> str:
        return "Argosy"

    def version(self, executable: str) -> str:
        said: str = self._version_from_tool(executable)
        return said.removeprefix("argosy ").strip()

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        limits = []
        if rlimits.cputime:
            # Whoever is killed says nothing: end by oneself shortly before.
            limits += ["--time-limit", str(max(rlimits.cputime - 2, 1))]
        if rlimits.memory:
            limits += ["--memory-limit", str(rlimits.memory // 1_000_000 * 9 // 10)]
        asked = ["--property", task.property_file] if task.property_file else []
        said = task.options if isinstance(task.options, dict) else {}
        # Definitions of C programs that do not say it mean ILP32, whatever the machine.
        model = said.get("data_model", "ILP32" if said.get("language") == "C" else None)
        machine = ["--data-model", model] if model in ("ILP32", "LP64") else []
        # The convention of the benchmarks: what has no body changes nothing, volatile objects are as others.
        reading = ["--undefined-functions", "pure", "--volatile", "plain"]
        return [
            executable,
            "verify",
            "--no-config",
            *asked,
            *machine,
            *reading,
            *limits,
            *options,
            task.single_input_file,
        ]

    def determine_result(self, run: Any) -> str:
        # Where FORCE_COLOR is set, the verdict has a colour.
        output = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in run.output]
        last = next((line for line in reversed(output) if line.startswith("Verdict: ")), None)
        if last is None:
            return "ERROR" if run.exit_code.value else str(result.RESULT_UNKNOWN)
        if last.startswith("Verdict: SAFE"):
            return str(result.RESULT_TRUE_PROP)
        if last.startswith("Verdict: UNSAFE"):
            return self._violated(output)
        reason = re.search(r"\((.*)\)", last)
        words = reason[1] if reason else ""
        if "time limit" in words:
            return "TIMEOUT"
        return "OUT OF MEMORY" if "memory" in words else str(result.RESULT_UNKNOWN)

    def _violated(self, output: Any) -> str:
        heading = next((line for line in output if ": " in line and "strategy" in line), "")
        asked = next(filter(None, (re.match(r"  violates ([\w-]+)$", line.rstrip()) for line in output)), None)
        asked = asked or re.search(r": ([\w-]+), strategy", heading)
        known = asked is not None and asked[1] in _SUBJECTS
        return f"{result.RESULT_FALSE_PROP}({asked[1]})" if asked and known else str(result.RESULT_FALSE_PROP)
