"""What a witness says, whatever its format."""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.basics.records import dataclass

FOLLOW, AVOID = "follow", "avoid"
TARGET = "target"
AFTER = "after"
"""The type of a waypoint that format 1.0 has instead of assumptions: the constraint holds behind a statement."""


@dataclass(frozen=True, slots=True)
class WitnessInvariant:
    """``value`` holds whenever control is at a place: at the keyword of a ``loop``, or at the start of a statement.
    ``position`` is where the witness says so; a ``column`` 0 is not known."""

    position: Position
    loop: bool
    line: int
    column: int
    value: str


@dataclass(frozen=True, slots=True)
class Waypoint:
    """``type`` is one of those of format 2.0, or ``AFTER``; ``value`` is the constraint, "" where there is none. The
    target may be at line 0: anywhere."""

    position: Position
    type: str
    action: str
    line: int
    column: int
    value: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """Either ``invariants``, or ``segments`` of a violation: each some waypoints to avoid and then one to follow, the
    last one the target. What the witness says of its task is empty where it says nothing."""

    path: str
    violation: bool
    invariants: tuple[WitnessInvariant, ...] = ()
    segments: tuple[tuple[Waypoint, ...], ...] = ()
    specification: str = ""
    data_model: str = ""
    digests: tuple[str, ...] = ()
