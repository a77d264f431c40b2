"""Where the loops that a reduced model still has are counted on the model as read.

A reduction leaves out loops that do not matter; a certificate that counts how often loops go round must leave them out
as well. So the loops are read off the edges that the reduced model stands for, and each is counted at a location that
every round passes, and nothing but rounds: where a loop that was left out begins at the head (it is the first statement
of a body), the head is not such a location, and a later one is.

Law: every cycle of kept edges that can be reached passes one of the locations. That loops which were left out pass none
of them is attempted, not promised: nothing but the number of rounds depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.order import components

Successors = Callable[[Location], Iterable[Location]]

# So many places are compared, from the head on.
_PLACES = 24


def counting_locations(cfa: Cfa, kept: Collection[Edge], impossible: Collection[Edge] = ()) -> frozenset[Location]:
    """Locations that every cycle of ``kept`` edges passes, one for each loop. No execution takes ``impossible`` edges:
    what goes round by way of them is no loop that was left out."""

    def after(location: Location) -> list[Location]:
        return [edge.target for edge in cfa.leaving[location] if edge in kept]

    found: set[Location] = set()
    waiting = [set(cfa.order)]
    while waiting:
        for loop in _loops(waiting.pop(), after):
            head = min(loop, key=cfa.order.__getitem__)
            places = _on_all_rounds(head, loop, after)[:_PLACES]
            at = _untangled(cfa, places, set(cfa.order) - found, kept, impossible)
            found.add(at)
            waiting.append(loop - {at})
    return frozenset(found)


def _on_all_rounds(head: Location, loop: set[Location], after: Successors) -> list[Location]:
    """The locations of a loop that every way from its head back to the head passes, the head first."""
    way = _round(head, loop, after)
    return [place for place in way if place is head or not _round(head, loop - {place}, after)]


def _round(head: Location, loop: set[Location], after: Successors) -> list[Location]:
    """A shortest way from the head back to it."""
    came_from: dict[Location, Location] = {}
    waiting = [head]
    for location in waiting:
        for target in after(location):
            if target is head:
                way = [location]
                while way[-1] is not head:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if target in loop and target not in came_from:
                came_from[target] = location
                waiting.append(target)
    return []


def _untangled(
    cfa: Cfa, places: list[Location], inside: set[Location], kept: Collection[Edge], impossible: Collection[Edge]
) -> Location:
    """The first place that no cycle passes but rounds of the loop: those come back to its head by a kept edge, whatever
    was left out on the way."""
    head = places[0]

    def after(location: Location) -> list[Location]:
        going = (edge for edge in cfa.leaving[location] if edge not in impossible)
        return [edge.target for edge in going if edge.target is not head or edge not in kept]

    others: set[Location] = set().union(*_loops(inside, after))
    return next((place for place in places if place not in others), head)


def _loops(inside: set[Location], after: Successors) -> list[set[Location]]:
    """The cyclic strongly connected components of a part of the graph."""
    ordered = sorted(inside, key=lambda location: location.index)
    found = components(ordered, after, inside)
    return [set(some) for some in found if len(some) > 1 or some[0] in after(some[0])]
