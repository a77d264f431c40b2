"""What the loop says. An outcome is a claim about the model it was given; ``certify`` makes a verdict of it."""

from __future__ import annotations

from typing import Any

from argosy.basics.records import dataclass
from argosy.engine.reached import Reached


@dataclass(frozen=True, slots=True)
class Safe:
    """No target is reachable: ``reached`` is closed under successors up to covering."""

    reached: Reached
    precision: Any


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A target is reached by ``trace``, a sequence of actions."""

    trace: tuple[Any, ...]
    model: Any = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Neither; ``reason`` says why, and what was reached so far can be looked at."""

    reason: str
    reached: Reached
    precision: Any


Outcome = Safe | Unsafe | Unknown
