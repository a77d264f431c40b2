"""A verification task: the input, how it is read, and how it is to be decided.

``Task.of`` is the one place where what a user typed, on the command line or in Python, is checked and completed against
the tables of formats, kinds and strategies: a choice that does not exist is a ``UsageError`` that names those that do.
Nothing of the input is opened here; that happens under supervision.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from argosy.backends.registry import KINDS, Kind
from argosy.basics.choices import choose, did_you_mean
from argosy.basics.errors import UsageError
from argosy.basics.records import asdict, dataclass, field, fields
from argosy.frontends.registry import OPTIONS, Format, check_options, recognise
from argosy.logic.text_worker import SOLVERS as RECHECKERS
from argosy.options.declared import as_text
from argosy.problem.property import LATER_NAMES, NAMED, SUFFIX
from argosy.report.exporters import check_exports, exporter_of
from argosy.report.result import Result
from argosy.session.messages import CHECK, RUN

# Some eleven days, or a terabyte: what solvers count in milliseconds has to fit 32 bits.
LARGEST = 1_000_000

MOST_JOBS = 64

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Task:
    """``format`` names how the input is read ("": by its suffix), or is a ``Format`` of one's own; ``reading`` are
    options of that format. ``strategy`` is a name, or an object that builds a strategy; ``options`` override single
    choices of a named strategy. ``time_limit`` is in seconds, ``memory_limit`` in megabytes, ``jobs`` in processes that
    work at the same time (None: as many as there are free processors, where the strategy is left open). ``exports`` are
    the names of exporters, each with the path that it is to write. ``execute``: a counterexample is compiled and run.
    ``only`` is the text, or the name before its colon, of the one thing that is asked where there are several.
    ``watched``: somebody looks at what it learns while it goes on.
    ``lane``: of so many runs that share the strategy (``backends.contract.Lane``), this one; its number and how many.
    ``witness`` is the file that ``session.checking`` holds against the input."""

    input: str
    format: Any = ""
    reading: Mapping[str, str] = field(default_factory=dict)
    strategy: Any = AUTO
    options: Mapping[str, str] = field(default_factory=dict)
    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    certify: bool = True
    certify_with: str | None = None
    each: bool = False
    shorten: bool = True
    strict: bool = False
    only: str | None = None
    execute: bool = False
    witness: str | None = None
    verbose: int = 0
    exports: Mapping[str, str] = field(default_factory=dict)
    jobs: int | None = 1
    watched: bool = False
    lane: Sequence[int] | None = None

    @classmethod
    def of(cls, input: str, **choices: Any) -> Task:
        """A checked task. A choice that is no field of a task is an option of a format or of a strategy, by its name
        with ``_`` for ``-``; None stands for one that was not made, but for ``jobs``, which it leaves open."""
        known = {each.name for each in fields(cls)}
        own: dict[str, Any] = {
            name: value for name, value in choices.items() if name in known and (value is not None or name == "jobs")
        }
        reading, options = dict(own.pop("reading", {})), dict(own.pop("options", {}))
        for name, value in choices.items():
            if name not in known and value is not None:
                option = name.replace("_", "-")
                if option in OPTIONS:
                    reading[option] = "\n".join(value) if isinstance(value, list | tuple) else str(value)
                else:
                    options[option] = as_text(value)
        task = cls(input, reading=reading, options=options, **own)
        task.check()
        return task

    @property
    def stays_here(self) -> bool:
        """Whether it holds objects that cannot leave this process."""
        return not (isinstance(self.strategy, str) and isinstance(self.format, str))

    @property
    def run(self) -> str:
        """The function ``module:function`` that decides it."""
        return RUN if self.witness is None else CHECK

    @property
    def strategy_name(self) -> str:
        if isinstance(self.strategy, str):
            return self.strategy
        return str(getattr(self.strategy, "__name__", type(self.strategy).__name__))

    def check(self) -> Format:
        """The format of the input. Raises UsageError, and InputError or UnsupportedError for an input that no front end
        reads."""
        for name, limit in (("time-limit", self.time_limit), ("memory-limit", self.memory_limit)):
            check_positive(name, limit)
        if self.jobs is not None and not 1 <= self.jobs <= MOST_JOBS:
            raise UsageError(f"--jobs must be a number from 1 to {MOST_JOBS}, not {str(self.jobs)[:40]}")
        if not 0 <= self.seed < 2**31:
            raise UsageError(f"--seed must be a number from 0 to {2**31 - 1}, not {str(self.seed)[:40]}")
        for name in self.reading:
            if name not in OPTIONS:
                raise UsageError(f"no such option: {name}{did_you_mean(name, list(OPTIONS))}")
        for name, value in self.reading.items():
            OPTIONS[name].check(value)
        format = recognise(self.input, self.format)
        check_options(self.input, format, self.reading)
        self._check_property(format)
        kind = KINDS[format.kind]
        check_exports(self.exports, kind.name, format.name, kind.title)
        if self.execute:
            check_exports({"harness": ""}, kind.name, format.name, kind.title)
        if self.certify_with is not None:
            choose("--certify-with", self.certify_with, tuple(RECHECKERS))
            if exporter_of("certificate", kind.name) is None or not self.certify:
                raise UsageError("--certify-with needs a certificate as text: not for networks, nor with --no-certify")
        self._check_strategy(kind)
        return format

    def _check_property(self, format: Format) -> None:
        asked, suffix = self.reading.get("property"), format.property_files
        if asked is not None and suffix and not asked.lower().endswith(suffix):
            named = NAMED if suffix == SUFFIX else {}
            if asked not in named and (not named or asked not in LATER_NAMES):
                choose("--property", asked, (*named, f"FILE{suffix}"))

    def _check_strategy(self, kind: Kind) -> None:
        from argosy.strategies import configure

        if not isinstance(self.strategy, str):
            if not kind.own_strategies:
                raise UsageError(f"a strategy of one's own is for programs, and {self.input} is one of {kind.title}")
            if self.options:
                listed = ", ".join(self.options)
                raise UsageError(f"{listed}: options of named strategies, not of a strategy of one's own")
            return
        configure(self.strategy, self.options, kind.name)

    def unknown(self, reason: str, statistics: Mapping[str, float] | None = None) -> Result:
        """The result where there is no verdict."""
        return Result.unknown(
            reason,
            input=self.input,
            property=self.reading.get("property") or self.reading.get("query") or "unreach-call",
            strategy={"name": self.strategy_name, **self.options},
            statistics=statistics or {},
            format=self.format if isinstance(self.format, str) else self.format.name,
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Task:
        return cls(**json.loads(text))


def check_positive(option: str, value: float | None) -> None:
    """A number that an option was given, if it was."""
    if value is not None and not 0 < value <= LARGEST:
        raise UsageError(f"--{option} must be a positive number, at most {LARGEST}, not {str(value)[:40]}")
