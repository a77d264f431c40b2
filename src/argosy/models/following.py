"""The executions of a program that follow a violation sequence: a product of the automaton with the segments.

In a segment some waypoints are not to be passed before one is; the error is reached in the last one, at the target. The
front end has put a branch at the place of each waypoint: passing it is an edge with the mark of its name.

Law: every execution of the product is one of the automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.records import dataclass, replace
from argosy.models.cfa import Assume, Cfa, Edge, Location, Mark, Operation
from argosy.models.kinds import Errors, Marked

LARGEST = 400_000


@dataclass(frozen=True, slots=True)
class FollowedSegment:
    """The names of the waypoints to avoid, and of the one to follow; the last segment has none, its end is the
    error."""

    avoid: frozenset[str]
    follow: str = ""


class TooLong(Exception):
    """The product has too many locations."""


def following(cfa: Cfa, segments: Sequence[FollowedSegment], errors: Errors, is_target: Callable[[Mark], bool]) -> Cfa:
    """A marked automaton in which only what follows the segments reaches what ``errors`` selects."""
    last = len(segments) - 1
    start = (cfa.initial, 0)
    places: dict[tuple[Location, int], Location] = {}
    edges: list[Edge] = []
    error = replace(cfa.error, index=0)

    def place(at: Location, segment: int) -> Location:
        if at is cfa.error:
            return error
        made = places.get((at, segment))
        if made is None:
            if len(places) >= LARGEST:
                raise TooLong
            made = replace(at, index=len(places) + 1)
            places[at, segment] = made
            waiting.append((at, segment))
        return made

    waiting: list[tuple[Location, int]] = []
    initial = place(*start)
    while waiting:
        at, segment = waiting.pop()
        source = places[at, segment]
        for edge in cfa.leaving[at]:
            selected = [mark for mark in edge.marks if errors.selects(mark.kind, mark.name)]
            if (selected or edge.target is cfa.error) and (segment != last or not any(map(is_target, selected))):
                continue
            taken = _passed(cfa, edge, segments[segment])
            if taken is None:
                continue
            operation, moves = taken
            target = place(edge.target, segment + 1 if moves else segment)
            edges.append(replace(edge, source=source, target=target, operation=operation))
    locations = (*places.values(), error)
    return replace(cfa, initial=initial, error=error, locations=locations, edges=tuple(edges))


def _passed(cfa: Cfa, edge: Edge, segment: FollowedSegment) -> tuple[Operation, bool] | None:
    """What taking an edge is in a segment, and whether it ends the segment; None where it is not taken."""
    waypoint = next((mark for mark in edge.marks if mark.kind is Marked.WAYPOINT), None)
    if waypoint is None:
        return edge.operation, False
    name = waypoint.name.removeprefix(MISSED)
    passed = name == waypoint.name
    if name == segment.follow:
        return edge.operation, passed
    if name in segment.avoid:
        return None if passed else (edge.operation, False)
    # Nobody asks for it in this segment: control goes on, one way.
    return (Assume(cfa.terms.true), False) if passed else None


MISSED = "!"
"""Before the name of a waypoint on the edge that does not pass it."""
