"""Clock guards on edges that receive a broadcast.

In UPPAAL a process takes part in a broadcast at the moments when one of its receiving edges is enabled, and is left
out at the others. ``Network`` decides by integer conditions alone who takes part, so a location whose receiving edges
have clock guards gets idle edges: loops that receive the same channel exactly when none of the others is enabled.
"""

from __future__ import annotations

from argosy.basics.errors import UnsupportedError
from argosy.frontends.uppaal.folding import unary
from argosy.models.network import Channel, EdgeText, TimedEdge, TimedLocation
from argosy.models.network_expressions import TRUE, ClockAtom, Constraint, NetworkPlace
from argosy.models.network_queries import And, ClockTest, Holds, Not, Or, StateFormula, goal_count, goals

_IDLE_LIMIT = 1_000


def idle_edges(edges: list[TimedEdge], locations: list[TimedLocation], channels: list[Channel]) -> list[TimedEdge]:
    """The idle edges that complete the receiving edges of one process, numbered behind them."""
    receiving: dict[int, dict[NetworkPlace, list[TimedEdge]]] = {}
    for edge in edges:
        synchronisation = edge.synchronisation
        if (
            synchronisation is not None
            and not synchronisation.sends
            and channels[synchronisation.channel.base].broadcast
        ):
            receiving.setdefault(edge.source, {}).setdefault(synchronisation.channel, []).append(edge)
    found: list[TimedEdge] = []
    for source, places in receiving.items():
        for place, group in places.items():
            if any(edge.guard.atoms for edge in group):
                _check(group[0], locations[source], places)
                found += _idle(group, place, len(edges) + len(found))
    return found


def _check(edge: TimedEdge, location: TimedLocation, places: dict[NetworkPlace, list[TimedEdge]]) -> None:
    """An idle edge must not count as leaving a committed location, and must be the answer to one channel only."""
    if location.committed:
        raise UnsupportedError(
            edge.position, "a clock guard on an edge that receives a broadcast in a committed location"
        )
    if any(place.subscripts for place in places):
        raise UnsupportedError(
            edge.position, "a clock guard on an edge that receives a broadcast, with a channel computed at run time"
        )


def _idle(group: list[TimedEdge], place: NetworkPlace, first: int) -> list[TimedEdge]:
    formula = Not(Or(tuple(_formula(edge.guard) for edge in group)))
    pattern = group[0]
    if goal_count(formula) > _IDLE_LIMIT:
        raise UnsupportedError(pattern.position, "too many clock guards on edges that receive one broadcast")
    assert pattern.synchronisation is not None
    text = EdgeText(synchronisation=f"not ready for {pattern.text.synchronisation}")
    return [
        TimedEdge(
            first + number,
            pattern.process,
            pattern.source,
            pattern.source,
            Constraint(goal.condition, goal.atoms),
            pattern.synchronisation,
            (),
            text=text,
            position=pattern.position,
            idle=True,
        )
        for number, goal in enumerate(goals(formula))
    ]


def _formula(constraint: Constraint) -> StateFormula:
    return And((Holds(constraint.condition), *(_atom(atom) for atom in constraint.atoms)))


def _atom(atom: ClockAtom) -> StateFormula:
    if atom.condition == TRUE:
        return ClockTest(atom)
    plain = ClockAtom(atom.left, atom.right, atom.relation, atom.bound, position=atom.position)
    return Or((Holds(unary("!", atom.condition)), ClockTest(plain)))
