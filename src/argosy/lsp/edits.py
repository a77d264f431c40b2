"""Where a line of a text is after it was edited."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class LineEdit:
    """The lines from ``first`` to ``last``, counted from 1, were touched, and are ``more`` lines now than they were.
    Where whole lines were put before ``first``, none was touched, and ``last`` is the line before it."""

    first: int
    last: int
    more: int


def line_after(line: int, edits: Sequence[LineEdit]) -> int | None:
    """The line's number after the edits; None for one that was swallowed."""
    for edit in edits:
        if line > edit.last:
            line += edit.more
        elif line > edit.last + edit.more:
            return None
    return line
