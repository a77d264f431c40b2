"""The result of a run: exactly what ``--json`` prints, and what ``argosy.verify`` returns."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argosy.session.task import Task

SCHEMA = 1

SAFE = "safe"
UNSAFE = "unsafe"
UNKNOWN = "unknown"

# The reason of a query that waits for its turn, in a result that is kept while the run goes on.
PENDING = "not answered yet"

EXIT_CODES = {SAFE: 0, UNSAFE: 10, UNKNOWN: 5}

STATISTICS: Mapping[str, float] = {
    "wall_s": 0,
    "cpu_s": 0,
    "certify_s": 0,
    "peak_memory_mb": 0,
    "refinements": 0,
    "nodes": 0,
    "abstractions": 0,
    "solver_checks": 0,
    "entailment_queries": 0,
    "cached_entailments": 0,
    "predicates": 0,
    "explored_states": 0,
}


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with what supports it.

    Law: ``reason`` is None exactly when the verdict is not unknown; ``certified`` is false for unknown. Every key
    of ``STATISTICS`` is present. ``queries`` is what is said of each query about a network, and empty for programs.
    """

    verdict: str
    reason: str | None = None
    certified: bool = False
    certificate: str | None = None
    input: str = ""
    property: str = "unreach-call"
    strategy: Mapping[str, str] = field(default_factory=dict)
    statistics: Mapping[str, float] = field(default_factory=dict)
    invariant: Sequence[Mapping[str, Any]] = ()
    counterexample: Sequence[Mapping[str, Any]] = ()
    ledger: Sequence[str] = ()
    assumes: Sequence[str] = ()
    queries: Sequence[Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        if self.verdict not in EXIT_CODES:
            raise ValueError(f"no such verdict: {self.verdict}")
        if (self.reason is None) != (self.verdict != UNKNOWN):
            raise ValueError("a reason belongs to an unknown verdict, and to no other")
        if self.certified and self.verdict == UNKNOWN:
            raise ValueError("an unknown verdict has no certificate")
        object.__setattr__(self, "statistics", {**STATISTICS, **self.statistics})
        for name in ("invariant", "counterexample", "ledger", "assumes", "queries"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @classmethod
    def unknown(cls, task: Task, reason: str, statistics: Mapping[str, float] | None = None) -> Result:
        """What is said when there is no verdict; the reason is one line."""
        strategy = {"name": task.strategy_name, **task.options}
        return cls(
            UNKNOWN,
            reason=" ".join(reason.split()),
            input=task.input,
            property=task.property,
            strategy=strategy,
            statistics=statistics or {},
        )

    def with_statistics(self, **counts: float) -> Result:
        return replace(self, statistics={**self.statistics, **counts})

    def ended(self, reason: str) -> Result:
        """A result that was kept while the run went on, when the run has ended for a reason: what is pending stays
        without an answer."""
        queries = [{**query, "reason": reason} if query["reason"] == PENDING else query for query in self.queries]
        if self.verdict != UNKNOWN:
            return replace(self, queries=queries)
        reasons = dict.fromkeys(query["reason"] for query in queries if query["verdict"] == UNKNOWN)
        return replace(self, reason="; ".join(reasons), queries=queries)

    @builtins.property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @builtins.property
    def verdict_line(self) -> str:
        line = f"Verdict: {self.verdict.upper()}"
        return line if self.reason is None else f"{line} ({self.reason})"

    def to_json(self, indent: int | None = None) -> str:
        content = asdict(self)
        if not self.queries:
            del content["queries"]
        return json.dumps({"schema": SCHEMA, **content}, indent=indent)

    @classmethod
    def from_json(cls, text: str) -> Result:
        content = json.loads(text)
        if content.pop("schema", None) != SCHEMA:
            raise ValueError(f"not a result of schema {SCHEMA}")
        return cls(**content)
