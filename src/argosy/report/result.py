"""The result of a run: exactly what ``--json`` prints, and what ``argosy.verify`` returns.

Plain data: it travels from the process of the analysis to its parent, and is read back from files. ``docs/json.md``
describes every field, ``result.schema.json`` beside this file is its JSON Schema.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.basics.budget import PENDING
from argosy.basics.records import asdict, dataclass, field, replace

SCHEMA = 2

SAFE = "safe"
UNSAFE = "unsafe"
UNKNOWN = "unknown"

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

_TUPLES = ("invariant", "counterexample", "ledger", "assumes", "assumptions", "absent", "inputs", "answers", "queries")


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with what supports it.

    Law: ``reason`` is None exactly when the verdict is not unknown; ``certified`` is false for unknown. Every key
    of ``STATISTICS`` is present. ``answers`` has one entry for each property, assertion or query; ``invariant``,
    ``counterexample`` and ``assumes`` are those of the answer that decided. ``queries`` is what schema 1 said of each
    query about a network, and empty for programs. ``data_model`` is how wide the types of a C
    program are. ``nothing`` says, if so, why there was nothing to check;
    ``phase`` is what the analysis did last, where there is no verdict."""

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
    kind: str = "program"
    format: str = ""
    data_model: str | None = None
    inputs: Sequence[str] = ()
    assumptions: Sequence[Mapping[str, Any]] = ()
    absent: Sequence[str] = ()
    nothing: str | None = None
    advice: str | None = None
    phase: str | None = None
    answers: Sequence[Mapping[str, Any]] = ()
    queries: Sequence[Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        if self.verdict not in EXIT_CODES:
            raise ValueError(f"no such verdict: {self.verdict}")
        if (self.reason is None) != (self.verdict != UNKNOWN):
            raise ValueError("a reason belongs to an unknown verdict, and to no other")
        if self.certified and self.verdict == UNKNOWN:
            raise ValueError("an unknown verdict has no certificate")
        object.__setattr__(self, "statistics", {**STATISTICS, **self.statistics})
        for name in _TUPLES:
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @classmethod
    def unknown(cls, reason: str, **said: Any) -> Result:
        """What is said when there is no verdict; the reason is one line."""
        return cls(UNKNOWN, reason=" ".join(reason.split()), **said)

    def with_statistics(self, **counts: float) -> Result:
        return replace(self, statistics={**self.statistics, **counts})

    def ended(self, reason: str) -> Result:
        """A result that was kept while the run went on, when the run has ended for a reason: what is pending stays
        without an answer."""

        def told(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
            return [{**entry, "reason": reason} if entry["reason"] == PENDING else entry for entry in entries]

        answers, queries = told(self.answers), told(self.queries)
        if self.verdict != UNKNOWN:
            return replace(self, answers=answers, queries=queries)
        reasons = dict.fromkeys(answer["reason"] for answer in answers if answer["verdict"] == UNKNOWN)
        return replace(self, reason="; ".join(reasons), answers=answers, queries=queries)

    @builtins.property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @builtins.property
    def exit_code_by_formula(self) -> int:
        """0 where all formulas are satisfied, 10 where one is not, 5 otherwise."""
        return EXIT_CODES[{True: SAFE, False: UNSAFE, None: UNKNOWN}[satisfied(self)]]

    @builtins.property
    def verdict_line(self) -> str:
        line = f"Verdict: {self.verdict.upper()}"
        return line if self.reason is None else f"{line} ({self.reason})"

    def remarks(self) -> Iterator[str]:
        """What has to be known next to the verdict, a line each."""
        if self.nothing is not None:
            yield self.nothing
        if "machine" in self.strategy:
            done = f"{self.verdict.upper()} was found and certified" if self.certified else "this was said"
            yield f"{done} on {self.strategy['machine']}, a machine of the cluster"
        if self.absent:
            yield f"functions without a body here: {', '.join(self.absent)}"
        if self.verdict == SAFE and self.assumptions:
            yield "assuming " + "; ".join(assumed(each) for each in self.assumptions)
        if self.advice is not None:
            yield self.advice

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


def satisfied(result: Result) -> bool | None:
    """Whether what was asked holds, all of it. The states of an ``E<>`` that is satisfied are reached, and that is no
    error; elsewhere SAFE is what one hopes for."""
    each = [
        answer["satisfied"] if answer["satisfied"] is not None else {SAFE: True, UNSAFE: False}.get(answer["verdict"])
        for answer in result.answers
    ] or [{SAFE: True, UNSAFE: False}.get(result.verdict)]
    return False if False in each else None if None in each else True


def together(results: Sequence[Result]) -> Result:
    """What several results say as one: UNSAFE if any is, else UNKNOWN if any is, else SAFE."""
    verdicts = [result.verdict for result in results]
    open_ = verdicts.count(UNKNOWN)
    if UNSAFE in verdicts or not open_:
        return Result(UNSAFE if UNSAFE in verdicts else SAFE)
    return Result.unknown(f"{open_} of {len(results)} without a verdict")


LISTED = 8


def assumed(assumption: Mapping[str, Any]) -> str:
    """``no signed overflow at lines 8, 12 (check it with --property no-overflow)``."""
    places = list(dict.fromkeys(str(place["line"]) for place in assumption["positions"] if place["line"]))
    more = f" and {len(places) - LISTED} more" if len(places) > LISTED else ""
    where = f" at line{'' if len(places) == 1 else 's'} {', '.join(places[:LISTED])}{more}" if places else ""
    how = f" (check it with --property {assumption['check_with']})" if assumption["check_with"] else ""
    return f"{assumption['words']}{where}{how}"
