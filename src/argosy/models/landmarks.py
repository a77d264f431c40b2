"""Where the parts of a program stand in the file as it was given: what evidence for other tools refers to.

Positions here are physical, with columns from 1: a ``#line`` marker does not move them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.models.sources import Outside


@dataclass(frozen=True, slots=True)
class VisibleCell:
    """What a variable of the model is called at a place of the source; ``pointer``: it is no number. ``settled`` is
    false where reading it may not give what the model has: a volatile object, a member of a union."""

    text: str
    pointer: bool
    settled: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class LoopSite:
    """A loop: the keyword ``word`` and where it stands. ``visible`` gives, by the names of the model, the variables
    that are in scope before the loop begins."""

    word: str
    position: Position
    function: str
    visible: Callable[[], Mapping[str, VisibleCell]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StatementSite:
    """A statement: where it starts and where the next one of the same block does, if there is one."""

    start: Position
    function: str
    next: Position | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """By the position of an expression (as edges and marks have it) the statement that it is part of, and by that of a
    call its closing parenthesis."""

    statements: Mapping[Position, StatementSite]
    closings: Mapping[Position, Position]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """``loops`` are named by their place in the list (``Location.loops``). Unless the text is ``in_place``, lines are
    those that markers in it say."""

    loops: tuple[LoopSite, ...]
    outline: Callable[[], Outline]
    outside: Callable[[], Outside]
    in_place: bool = True


def physical(position: Position) -> Position:
    file, line = position.physical
    return Position(file, line, position.column)
