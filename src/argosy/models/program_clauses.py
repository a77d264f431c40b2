"""A control-flow automaton as linear Horn clauses: a predicate for each location over the variables that are live
there, a clause for each edge, and the error as ``false``.

Law: ``false`` is derivable iff the automaton reaches its error, where what a front end could not model is any value
each time it is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.records import dataclass
from argosy.logic.formulas import Application, Predicate
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Relation
from argosy.models.clauses import ClauseSystem, HornClause
from argosy.models.liveness import live_variables


@dataclass(frozen=True, slots=True)
class ProgramClauses:
    """``places`` says of each location which predicate it is, over which variables."""

    system: ClauseSystem
    places: Mapping[Location, tuple[Predicate, tuple[Term, ...]]]


def clauses_of_program(cfa: Cfa, reading: Reading) -> ProgramClauses:
    live = live_variables(cfa)
    distance = cfa.error_distance
    places: dict[Location, tuple[Predicate, tuple[Term, ...]]] = {}
    for location in sorted(cfa.order, key=cfa.order.__getitem__):
        # What cannot lead to the error is derived in vain.
        if location is not cfa.error and location in distance:
            about = tuple(sorted(live[location] - cfa.opaque.keys(), key=lambda v: v.id))
            name = f"L{location.index}" if not location.label else f"L{location.index}_{location.label}"
            places[location] = Predicate(name, tuple(v.sort for v in about)), about
    clauses = []
    if cfa.initial in places:
        predicate, about = places[cfa.initial]
        clauses.append(HornClause((), cfa.terms.true, Application(predicate, about), cfa.initial.position))
    for edge in cfa.edges:
        if edge.source in places and (edge.target in places or edge.target is cfa.error):
            clauses.append(_clause(cfa, edge, reading, places))
    system = ClauseSystem(cfa.terms, tuple(p for p, _ in places.values()), tuple(clauses), cfa.name)
    return ProgramClauses(system, places)


def _clause(
    cfa: Cfa, edge: Edge, reading: Reading, places: Mapping[Location, tuple[Predicate, tuple[Term, ...]]]
) -> HornClause:
    terms = cfa.terms
    condition = edge.guard(terms, reading)
    after: dict[Term, Term] = {}
    match edge.operation:
        case Assume(asked):
            condition = terms.and_(condition, asked)
        case Assign(variable, value):
            after[variable] = value
        case Havoc(variable):
            after[variable] = terms.var(f"{variable.name}'", variable.sort)
        case Relation(formula, primed):
            condition = terms.and_(condition, formula)
            after.update(primed)
    predicate, about = places[edge.source]
    head = None
    if edge.target is not cfa.error:
        target, then = places[edge.target]
        head = Application(target, tuple(after.get(variable, variable) for variable in then))
    clause = HornClause((Application(predicate, about),), condition, head, edge.position)
    return clause if not cfa.opaque else _with_any(cfa, clause)


def _with_any(cfa: Cfa, clause: HornClause) -> HornClause:
    """What is not modelled is a variable of the clause alone, which it is: no predicate is about it."""
    unknown = {term: cfa.terms.var(f"{term.name}'", term.sort) for term in cfa.opaque}
    head = clause.head
    if head is not None:
        arguments = tuple(substitute(cfa.terms, argument, unknown) for argument in head.arguments)
        head = Application(head.predicate, arguments)
    return HornClause(clause.body, substitute(cfa.terms, clause.constraint, unknown), head, clause.position)
