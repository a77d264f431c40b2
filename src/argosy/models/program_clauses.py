"""A control-flow automaton as linear Horn clauses: a predicate for each location over the variables that are live
there, a clause for each edge, and the error as ``false``.

Law: ``false`` is derivable iff the automaton reaches its error, where what a front end could not model is any value
each time it is read.

Of an automaton with symbolic cells (``models.cells``) what is derived holds for every choice of the cells. So where an
edge reads an element, the predicate of its source is a premise once more, of the index that is read and of the value:
the clauses of cell morphing (Monniaux and Gonnord, SAS 2016), which are not linear. Law: if the given automaton reaches
its error, ``false`` is derivable (take, for each choice of the cells, the derivation of the execution with that choice).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from argosy.basics.records import dataclass, replace
from argosy.logic.formulas import Application, Predicate
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute
from argosy.models.cells import Cells
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Relation
from argosy.models.clauses import ClauseSystem, HornClause
from argosy.models.liveness import live_variables


@dataclass(frozen=True, slots=True)
class ProgramClauses:
    """``places`` says of each location which predicate it is, over which variables."""

    system: ClauseSystem
    places: Mapping[Location, tuple[Predicate, tuple[Term, ...]]]


def clauses_of_program(cfa: Cfa, reading: Reading, cells: Cells | None = None) -> ProgramClauses:
    """``cells`` are those of ``cfa``, which may have been read as numbers since."""
    live = live_variables(cfa)
    if cells is not None:
        live = _carried(cfa, live)
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
    for number, edge in enumerate(cfa.edges):
        if edge.source in places and (edge.target in places or edge.target is cfa.error):
            clause = _clause(cfa, edge, reading, places)
            if cells is not None and number in cells.reads:
                clause = replace(clause, body=(*clause.body, *_instances(cfa, clause.body[0], cells, number)))
            clauses.append(clause)
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


def _carried(cfa: Cfa, live: Mapping[Location, frozenset[Term]]) -> Mapping[Location, frozenset[Term]]:
    """The live variables, and those that were live since the last loop head: what is derived of two indices is derived
    of one state, and values that nobody reads any more may be what connects the two."""
    carried = dict(live)
    for location in sorted(cfa.order, key=cfa.order.__getitem__):
        if location not in cfa.loop_heads:
            before = (carried[edge.source] for edge in cfa.entering[location] if edge.source in cfa.order)
            carried[location] = live[location].union(*before)
    return carried


# So many premises are enough for the reads of an edge; each makes a clause harder to solve.
_MOST_PREMISES = 6


def _instances(cfa: Cfa, source: Application, cells: Cells, number: int) -> list[Application]:
    """The predicate of the source for other cells: for one of them, or for two, what the edge reads."""
    terms = cfa.terms
    named = {variable.term.name: variable.term for variable in cfa.variables}
    found: list[Application] = []
    for form, some in cells.cells.items():
        reads = [read for read in cells.reads[number] if read.form == form]
        # For each cell: itself, or one of the reads.
        for choice in product((None, *reads), repeat=len(some)):
            if all(read is None for read in choice) or len(found) == _MOST_PREMISES:
                continue
            instead: dict[str, Term] = {}
            for cell, read in zip(some, choice, strict=True):
                if read is not None:
                    instead.update((old.name, _as_in(cfa, new)) for old, new in zip(cell.index, read.index, strict=True))
                    for array, element in cell.elements.items():
                        value = read.values.get(array)
                        other = terms.var(f"{element.name}?{len(found)}", named[element.name].sort)
                        instead[element.name] = other if value is None else _as_in(cfa, value)
            arguments = tuple(instead.get(argument.name, argument) for argument in source.arguments)
            if arguments != source.arguments:
                found.append(Application(source.predicate, arguments))
    return found


def _as_in(cfa: Cfa, new: Term) -> Term:
    """The new value of a variable of the automaton with cells as the one of the automaton on numbers."""
    old = {variable.term.name: variable.term for variable in cfa.variables}[new.name.removesuffix("'")]
    return cfa.terms.var(new.name, old.sort)


def _with_any(cfa: Cfa, clause: HornClause) -> HornClause:
    """What is not modelled is a variable of the clause alone, which it is: no predicate is about it."""
    unknown = {term: cfa.terms.var(f"{term.name}'", term.sort) for term in cfa.opaque}
    head = clause.head
    if head is not None:
        arguments = tuple(substitute(cfa.terms, argument, unknown) for argument in head.arguments)
        head = Application(head.predicate, arguments)
    return HornClause(clause.body, substitute(cfa.terms, clause.constraint, unknown), head, clause.position)
