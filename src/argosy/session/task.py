"""A verification task: the input, the property, and how it is to be decided.

``Task.of`` is the one place where what a user typed, on the command line or in Python, is checked and completed: a
choice that does not exist is a ``UsageError`` that names those that do, a task definition (``.yml``) is replaced by
the program, property and data model it names, and an input that no front end reads is refused.
"""

from __future__ import annotations

import builtins
import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from argosy.basics.errors import UsageError

PROPERTIES = ("unreach-call", "no-overflow")
DATA_MODELS = ("ILP32", "LP64")
ARITHMETICS = ("auto", "int", "bits")
SIGNED_OVERFLOWS = ("undefined", "wrap")
NUMBERS = ("auto", "int", "rational")

PROGRAMS = (".c", ".i")
DEFINITIONS = (".yml",)
NETWORKS = (".xml", ".xta", ".ta")
CLAUSES = (".armc", ".pl")
INPUTS = (*PROGRAMS, *DEFINITIONS, *NETWORKS, *CLAUSES)
# Suffixes that are known and not read yet.
LATER = {
    ".cfa": "Theta CFA models",
    ".aag": "AIGER models",
    ".aig": "AIGER models",
    ".btor": "BTOR2 models",
    ".btor2": "BTOR2 models",
    ".st": "structured text",
    ".scl": "structured text",
}


@dataclass(frozen=True, slots=True)
class Task:
    """``strategy`` is a name, or (from Python, in the same process) an object that builds a strategy; ``options``
    override single choices of a named strategy. ``time_limit`` is in seconds, ``memory_limit`` in megabytes."""

    input: str
    property: str = "unreach-call"
    data_model: str = "ILP32"
    strategy: Any = "auto"
    options: Mapping[str, str] = field(default_factory=dict)
    arithmetic: str = "auto"
    signed_overflow: str = "undefined"
    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    certify: bool = True
    verbose: int = 0
    query: str | None = None
    numbers: str = "auto"

    @classmethod
    def of(cls, input: str, *, property: str | None = None, data_model: str | None = None, **choices: Any) -> Task:
        """A checked task. What is None is taken from a task definition, or has its default."""
        task = cls(input, property or "unreach-call", data_model or "ILP32", **choices)
        task._check()
        _recognise(input)
        if task.is_network:
            for name, value in (("property", property), ("data-model", data_model)):
                if value is not None:
                    raise UsageError(f"--{name} is for programs; what to ask of a network is said with --query")
            return replace(task, property="queries" if task.query is None else task.query)
        if task.is_clauses and (data_model is not None or (property or "unreach-call") != "unreach-call"):
            name = "data-model" if data_model is not None else "property"
            raise UsageError(f"--{name} is for programs; clauses say themselves what must not be reached")
        if _suffix(input) in DEFINITIONS:
            from argosy.frontends.definition import choose_property, read_definition

            definition = read_definition(input)
            _recognise(definition.input)
            task = replace(
                task,
                input=definition.input,
                property=property or choose_property(definition),
                data_model=data_model or definition.data_model or task.data_model,
            )
        if task.property not in PROPERTIES:
            from argosy.frontends.definition import read_property

            task = replace(task, property=read_property(task.property))
        return task

    @builtins.property
    def is_network(self) -> bool:
        return _suffix(self.input) in NETWORKS

    @builtins.property
    def is_clauses(self) -> bool:
        return _suffix(self.input) in CLAUSES

    @builtins.property
    def strategy_name(self) -> str:
        if isinstance(self.strategy, str):
            return self.strategy
        return str(getattr(self.strategy, "__name__", type(self.strategy).__name__))

    def _check(self) -> None:
        if _suffix(self.property) != ".prp":
            choose("--property", self.property, (*PROPERTIES, "FILE.prp"))
        choose("--data-model", self.data_model, DATA_MODELS)
        choose("--arithmetic", self.arithmetic, ARITHMETICS)
        choose("--signed-overflow", self.signed_overflow, SIGNED_OVERFLOWS)
        choose("--numbers", self.numbers, NUMBERS)
        if self.numbers != "auto" and not self.is_clauses:
            raise UsageError(f"--numbers is for clauses ({', '.join(CLAUSES)}); {self.input} has none")
        if self.is_clauses:
            for name, value, default in self._of_programs():
                if value != default:
                    raise UsageError(f"--{name} is for programs, and {self.input} has no machine arithmetic")
        for name, limit in (("time-limit", self.time_limit), ("memory-limit", self.memory_limit)):
            if limit is not None and not limit > 0:
                raise UsageError(f"--{name} must be a positive number, not {limit}")
        if self.is_network:
            self._check_network()
        elif self.query is not None:
            raise UsageError(f"--query is for networks ({', '.join(NETWORKS)}); {self.input} is none")
        else:
            _check_strategy(self.strategy, self.options)

    def _of_programs(self) -> tuple[tuple[str, str, str], ...]:
        """Choices about machine arithmetic: name, value, default."""
        return ("arithmetic", self.arithmetic, "auto"), ("signed-overflow", self.signed_overflow, "undefined")

    def _check_network(self) -> None:
        from argosy.strategies import StrategyError
        from argosy.strategies.networks import NETWORK_STRATEGIES, configure_network

        for name, value, default in self._of_programs():
            if value != default:
                raise UsageError(f"--{name} is for programs, and {self.input} is a network")
        if not isinstance(self.strategy, str):
            raise UsageError("a strategy of one's own is for programs, and the input is a network")
        choose("--strategy of a network", self.strategy, NETWORK_STRATEGIES)
        try:
            configure_network(self.options, self.strategy)
        except StrategyError as error:
            raise UsageError(str(error)) from None

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Task:
        return cls(**json.loads(text))


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _recognise(path: str) -> None:
    """Refuse what no front end reads, before anything is started."""
    suffix = _suffix(path)
    problem = None
    if not os.path.exists(path):
        problem = "no such file"
    elif os.path.isdir(path):
        problem = "a directory"
    elif suffix not in (*INPUTS, *LATER):
        problem = f"unknown suffix; known are {', '.join(INPUTS)}"
    if problem is None and suffix not in LATER:
        return
    from argosy.basics.errors import InputError, UnsupportedError
    from argosy.basics.position import Position

    raise InputError(Position(path, 0), problem) if problem else UnsupportedError(Position(path, 0), LATER[suffix])


def choose(option: str, value: str, choices: Collection[str]) -> str:
    """``value``, if it is one of the choices; otherwise an error that names them."""
    if value in choices:
        return value
    raise UsageError(f"{option} cannot be {value}{did_you_mean(value, choices)}; it is one of {', '.join(choices)}")


def did_you_mean(value: str, choices: Collection[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(value, choices, 1, 0.5)
    return f" (did you mean {close[0]}?)" if close else ""


def _check_strategy(strategy: Any, options: Mapping[str, str]) -> None:
    from argosy.strategies import OPTIONS, STRATEGIES, StrategyError, configure

    if not isinstance(strategy, str):
        if options:
            raise UsageError(f"{', '.join(options)}: options of named strategies, not of a strategy of one's own")
        return
    choose("--strategy", strategy, STRATEGIES)
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name in known and not known[name].accepts(value):
            choose(f"--{name}", value, re.split(r",\s*", known[name].values))
    try:
        configure(strategy, options)
    except StrategyError as error:
        raise UsageError(str(error)) from None
