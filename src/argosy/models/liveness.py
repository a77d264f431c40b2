"""Live variables: which values can still be read (a backward analysis over the edges of an automaton)."""

from __future__ import annotations

from collections.abc import Mapping

from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Edge, Location, read, written


def live_variables(cfa: Cfa) -> Mapping[Location, frozenset[Term]]:
    """For each location the variables that some path from there reads before it writes them."""
    live: dict[Location, frozenset[Term]] = dict.fromkeys(cfa.locations, frozenset())
    effects = {edge: (_reads(edge), frozenset(written(edge.operation))) for edge in cfa.edges}
    position = cfa.order
    waiting = sorted(position, key=lambda location: -position[location])
    queued = set(waiting)
    at = 0
    while at < len(waiting):
        location = waiting[at]
        at += 1
        queued.discard(location)
        now = frozenset().union(*(effects[e][0] | (live[e.target] - effects[e][1]) for e in cfa.leaving[location]))
        if now != live[location]:
            live[location] = now
            for edge in cfa.entering[location]:
                if edge.source not in queued and edge.source in position:
                    queued.add(edge.source)
                    waiting.append(edge.source)
    return live


def _reads(edge: Edge) -> frozenset[Term]:
    return read(edge.operation).union(*(variables(check.condition) for check in edge.checks))
