"""A problem: a model as it was read, and what is asked about it. Front ends make them, backends decide them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.problem.property import Property

REQUIREMENT = "requirement"
"""The kind of a subject that is asked about a model of its own, its ``asked``."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that is asked and answered: a property of a program, one of its assertions or requirements, a query
    about a network.

    ``satisfied_by`` is the verdict under which the text, read as a formula, is true; None where nobody would call it
    satisfied or not. ``asked`` is what the backend works with."""

    kind: str
    text: str
    property: Property | None = None
    position: Position = NOWHERE
    function: str = ""
    satisfied_by: str | None = None
    asked: Any = field(default=None, compare=False)

    def satisfied(self, verdict: str) -> bool | None:
        """Whether the formula holds; None where that is not known, or no question."""
        if self.satisfied_by is None or verdict == "unknown":
            return None
        return verdict == self.satisfied_by


@dataclass(frozen=True)
class Problem:
    """``kind`` names the backend, ``input`` is the file that holds the model (a task definition names another one),
    ``inputs`` are all files that were read, with the property's. ``ledger`` is what reading it assumed; ``nothing``
    says, if so, why there is nothing to check. ``deeper`` reads it again with a larger bound, where there is one.
    ``data_model`` is how wide the types of a C program are."""

    kind: str
    format: str
    input: str
    model: Any
    subjects: tuple[Subject, ...]
    ledger: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    nothing: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    deeper: Callable[[], Problem] | None = None
    data_model: str | None = None
