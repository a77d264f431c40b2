"""What the workbench asks of a simulation, whatever it simulates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Protocol

from argosy.report.exporters import File

Row = dict[str, Any]


class Simulator(Protocol):
    """``choices`` repeat the run, as plain data; ``rows`` are what a page shows of it. Law: after ``do`` or a ``draw``
    that is true both have one more, after ``back`` one less; who raises ValueError has changed nothing."""

    choices: list[Any]
    rows: list[Row]

    def about(self) -> Row: ...
    def now(self) -> Row: ...
    def do(self, choice: Any) -> None: ...
    def back(self) -> None: ...
    def draw(self, chance: Random) -> bool: ...
    def load(self, answer: Mapping[str, Any]) -> None: ...
    def export(self) -> Iterator[File]: ...
