"""Programs that run in cycles: inputs are sampled, the program runs to its end, outputs are seen; then again.

The automaton is one like any other; what is known besides is where a cycle begins and how its variables are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argosy.basics.records import dataclass
from argosy.models.cfa import Location
from argosy.models.program import Program


@dataclass(frozen=True, slots=True)
class Column:
    """A variable as a table of cycles has it: ``section`` is input, output, memory or time; ``variable`` names its
    term, ``shown`` says how a value is written, ``signed`` how a word is read; ``initial`` is its value where there is
    no variable."""

    name: str
    section: str
    variable: str
    shown: Callable[[Any], str]
    signed: bool = False
    initial: Any = None


@dataclass(frozen=True, kw_only=True)
class CyclicProgram(Program):
    """``head`` is where every cycle begins."""

    head: Location
    columns: tuple[Column, ...]
    cycle_time: Column | None = None
