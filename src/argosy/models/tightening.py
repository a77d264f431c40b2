"""The same executions in fewer steps, for analyses that claim nothing about states.

A reduction (``models.reduce``) makes a variable arbitrary where its value does not matter, so that claims about states
carry over. Who only asks which executions there are needs not even that: a value that is not live is not written at
all, and loops that did nothing else vanish.

Law: along the trails, the executions that reach the error are the same, up to values that nothing reads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from argosy.basics.records import replace
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Havoc, Location, Operation, Relation
from argosy.models.contraction import contract_edges
from argosy.models.liveness import live_variables


def tightened(cfa: Cfa) -> tuple[Cfa, Mapping[Location, Location]]:
    """The tightened automaton, and for each location of ``cfa`` that is left the one that represents it."""
    live = live_variables(cfa)
    edges = []
    for edge in cfa.edges:
        operation = _live_part(cfa.terms, edge.operation, live[edge.target])
        changed = operation is not edge.operation
        edges.append(replace(edge, operation=operation, trail=edge.as_read) if changed else edge)
    fixed = (cfa.initial, cfa.error)
    left, representative = contract_edges(cfa.terms, fixed, edges, cuts=())
    stay = set(representative.values())
    locations = tuple(location for location in cfa.locations if location in stay)
    return replace(cfa, locations=locations, edges=tuple(left)), representative


def _live_part(terms: Terms, operation: Operation, live: Collection[Term]) -> Operation:
    match operation:
        case Assign(variable, _) | Havoc(variable) if variable not in live:
            return Assume(terms.true)
        case Relation(formula, primed) if formula is terms.true and not all(variable in live for variable, _ in primed):
            kept = tuple((variable, new) for variable, new in primed if variable in live)
            return Relation(formula, kept) if kept else Assume(formula)
    return operation
