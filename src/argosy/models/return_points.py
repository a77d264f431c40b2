"""Return points: variables that say which call a function goes back to that is there once for several calls
(``frontends.c.lower.sharing``).

Law: a body that is entered by several calls makes cycles in the automaton that no execution goes round, into it by one
call and out of it behind an earlier one. What is said of the loops of a model is not said of these.
"""

from __future__ import annotations

from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, read, written
from argosy.models.flow import Numbering, backward
from argosy.models.order import weak_topological_order


def return_points(cfa: Cfa) -> list[Term]:
    return [variable.term for variable in cfa.variables if variable.is_return_point]


def passing_return_points(cfa: Cfa) -> list[Term]:
    """Those that nobody asks whether their body is active: none is ever 0."""
    reset = {
        edge.operation.variable
        for edge in cfa.edges
        if isinstance(edge.operation, Assign) and edge.operation.value.is_const and edge.operation.value.payload == 0
    }
    return [variable for variable in return_points(cfa) if variable not in reset]


def live_return_points(cfa: Cfa) -> dict[Location, list[Term]]:
    """Where each of them may be read before it is written."""
    points = return_points(cfa)
    if not points:
        return {}
    own, numbering = frozenset(points), Numbering(points)
    reads = {edge: numbering.bits(read(edge.operation) & own) for edge in cfa.edges}
    writes = {edge: numbering.bits(own.intersection(written(edge.operation))) for edge in cfa.edges}
    edges = [edge for edge in cfa.edges if edge.source in cfa.order]
    live = backward(edges, cfa.order, lambda edge, after: after & ~writes[edge] | reads[edge])
    return {location: numbering.members(mask) for location, mask in live.items() if mask}


def calls_and_returns(cfa: Cfa) -> tuple[dict[Edge, tuple[Location, ...]], frozenset[Edge]]:
    """The edges that enter shared bodies, each with the locations behind the call, and those that leave the bodies."""
    points = frozenset(return_points(cfa))
    if not points:
        return {}, frozenset()
    back: dict[tuple[Term, Term], list[Edge]] = {}
    for edge in cfa.edges:
        match edge.operation:
            case Assume(Term(op="=", args=(one, other))) if one in points or other in points:
                back.setdefault((one, other) if one in points else (other, one), []).append(edge)
    calls = {}
    for edge in cfa.edges:
        match edge.operation:
            case Assign(variable, value) if (variable, value) in back:
                calls[edge] = tuple(return_.target for return_ in back[variable, value])
    return calls, frozenset(edge for edges in back.values() for edge in edges)


def has_loops(cfa: Cfa) -> bool:
    """Whether executions may go round anything: calls are steps from where they begin to where they come back."""
    if not cfa.loop_heads:
        return False
    calls, returns = calls_and_returns(cfa)
    if not calls:
        return True
    after = {
        location: [
            target
            for edge in cfa.leaving[location]
            if edge not in returns
            for target in (edge.target, *calls.get(edge, ()))
        ]
        for location in cfa.locations
    }
    return bool(weak_topological_order(cfa.initial, after.__getitem__)[1])
