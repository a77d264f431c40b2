"""What is known of a run: the variables of [Theta], Table 2, and ours.

A ``Measurement`` holds facts only, as the journal keeps them. Whether a verdict is right is judged anew whenever they
are read: an expected verdict that was put right afterwards counts.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from typing import Any

from argosy.basics.records import asdict, dataclass, field
from argosy.bench.limits import Outcome
from argosy.bench.matrix import Configuration
from argosy.bench.tasks import BenchTask
from argosy.report.result import EXIT_CODES, UNKNOWN
from argosy.session.watch import MEMORY, TIME

SUCCESS = "success"
EXCEPTION = "exception"
TERMINATIONS = (SUCCESS, TIME, MEMORY, EXCEPTION, UNKNOWN)

RESULT_FILE = "result.json"
FAULT_FILES = "argosy-fault-*.txt"

# What argosy says when it kept a limit by itself.
_LIMITS = {"time limit": TIME, "memory limit": MEMORY, "out of memory": MEMORY}

CORRECT = "correct"
WRONG = "wrong"
UNCHECKED = "unchecked"
UNSOLVED = "unsolved"


@dataclass(frozen=True, slots=True)
class Measurement:
    """``termination`` is one of ``TERMINATIONS``: a verdict, a limit, a crash (the paper's four), or no verdict for
    another reason, which ``reason`` has. ``result`` is safe, unsafe, or empty. ``memory_mb`` is the peak. ``part`` is
    what a violation violates where the property has parts, as in ``valid-deref``."""

    termination: str
    result: str = ""
    reason: str = ""
    certified: bool = False
    certificate: str = ""
    exit_code: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_mb: float = 0.0
    statistics: Mapping[str, float] = field(default_factory=dict)
    part: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Run:
    """A cell of the matrix. ``key`` is a digest of everything that the measurement depends on."""

    task: BenchTask
    configuration: Configuration
    key: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run that was measured, and what to think of it."""

    task: BenchTask
    configuration: Configuration
    measurement: Measurement

    @property
    def outcome(self) -> str:
        """``unchecked`` is a verdict that nobody expected or contradicts."""
        if not self.measurement.result:
            return UNSOLVED
        if self.task.expected is None:
            return UNCHECKED
        return CORRECT if self.measurement.result == self.task.expected else WRONG

    @property
    def success(self) -> bool:
        """The paper's *Succ*: a verdict that is right, as far as one knows, within the limits."""
        return self.outcome in (CORRECT, UNCHECKED)


def measurement(outcome: Outcome | None) -> Measurement:
    """What the end of a process means; None is a run whose warden was killed."""
    if outcome is None:
        return Measurement(EXCEPTION, reason="killed from outside, together with what watched it")
    said = _said(outcome)
    termination, result, reason = _judge(outcome, said)
    statistics = said.get("statistics", {})
    return Measurement(
        termination,
        result,
        reason,
        bool(result and said.get("certified")),
        (said.get("certificate") or "") if result else "",
        outcome.exit_code,
        outcome.cpu_s,
        outcome.wall_s,
        max(outcome.memory_mb, statistics.get("peak_memory_mb", 0.0)),
        {key: value for key, value in statistics.items() if key not in ("wall_s", "cpu_s", "peak_memory_mb")},
        _part(said) if result else "",
    )


def _part(said: Mapping[str, Any]) -> str:
    """Of the first answer that names what it violates."""
    statuses = (str(answer.get("status") or "") for answer in said.get("answers", ()))
    return next((s[len("false(") : -1] for s in statuses if s.startswith("false(")), "")


def _said(outcome: Outcome) -> dict[str, Any]:
    try:
        said = json.loads(outcome.files.get(RESULT_FILE, ""))
    except json.JSONDecodeError:
        return {}
    return said if isinstance(said, dict) else {}


def _judge(outcome: Outcome, said: Mapping[str, Any]) -> tuple[str, str, str]:
    """Termination, result and reason."""
    if outcome.limit is not None:
        return outcome.limit, "", f"{outcome.limit} limit"
    verdict = said.get("verdict")
    reason = str(said.get("reason") or "")
    if outcome.exit_code != EXIT_CODES.get(str(verdict)):
        return EXCEPTION, "", reason or _last_words(outcome)
    if verdict == UNKNOWN:
        return _LIMITS.get(reason, UNKNOWN), "", reason
    return SUCCESS, str(verdict), ""


def _last_words(outcome: Outcome) -> str:
    if outcome.exit_code < 0:
        return f"killed by {signal.Signals(-outcome.exit_code).name}"
    lines = [line for line in outcome.errors.splitlines() if line.strip()]
    return f"exit code {outcome.exit_code}" + (f": {lines[-1].strip()}"[:300] if lines else "")
