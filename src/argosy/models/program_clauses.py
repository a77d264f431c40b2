"""A control-flow automaton as Horn clauses: a predicate for each location over the variables that are live there, a
clause for each edge, and the error as ``false``. Where functions meet in contracts (``models.contracts``), pre- and
postconditions are predicates as well: what has to hold is the head of a clause, what may be taken from a callee stands
beside the location in its body. Without contracts the clauses are linear.

Law: ``false`` is derivable iff the automaton reaches its error (with contracts: whatever these are), where what a front
end could not model is any value each time it is read.

Of an automaton with symbolic cells (``models.cells``) what is derived holds for every choice of the cells. So where an
edge reads an element, the predicate of its source is a premise once more, of the index that is read and of the value:
the clauses of cell morphing (Monniaux and Gonnord, SAS 2016), which are not linear. Law: if the given automaton reaches
its error, ``false`` is derivable (take, for each choice of the cells, the derivation from the execution with it).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from argosy.basics.records import dataclass, field, replace
from argosy.logic.formulas import Application, Predicate
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute
from argosy.models.cells import Cells
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Relation, read
from argosy.models.clauses import ClauseSystem, HornClause
from argosy.models.contracts import Procedures
from argosy.models.liveness import live_variables


@dataclass(frozen=True, slots=True)
class ProgramClauses:
    """``places`` says of each location which predicate it is, over which variables; ``conditions`` of each function and
    whether it ends or begins."""

    system: ClauseSystem
    places: Mapping[Location, tuple[Predicate, tuple[Term, ...]]]
    conditions: Mapping[tuple[str, bool], tuple[Predicate, tuple[Term, ...]]] = field(default_factory=dict)


def clauses_of_procedures(procedures: Procedures, reading: Reading) -> ProgramClauses:
    conditions: dict[tuple[str, bool], tuple[Predicate, tuple[Term, ...]]] = {}
    for name in procedures.signatures:
        for ends, word in ((False, "requires"), (True, "ensures")):
            about = procedures.formals(name, ends)
            conditions[name, ends] = Predicate(f"{word}_{name}", tuple(v.sort for v in about)), about
    applications = {
        hole: Application(conditions[what.function, what.ends][0], what.arguments)
        for hole, what in procedures.holes.items()
    }
    found = _clauses(procedures.cfa, reading, applications, tuple(predicate for predicate, _ in conditions.values()))
    return replace(found, conditions=conditions)


def clauses_of_program(cfa: Cfa, reading: Reading, cells: Cells | None = None) -> ProgramClauses:
    """``cells`` are those of ``cfa``, which may have been read as numbers since."""
    return _clauses(cfa, reading, {}, (), cells)


def _clauses(
    cfa: Cfa,
    reading: Reading,
    holes: Mapping[Term, Application],
    more: tuple[Predicate, ...],
    cells: Cells | None = None,
) -> ProgramClauses:
    live = live_variables(_shaped(cfa, holes))
    if cells is not None:
        live = _carried(cfa, live)
    distance = cfa.error_distance
    known = {variable.term for variable in cfa.variables}
    places: dict[Location, tuple[Predicate, tuple[Term, ...]]] = {}
    for location in sorted(cfa.order, key=cfa.order.__getitem__):
        # What cannot lead to the error is derived in vain.
        if location is not cfa.error and location in distance:
            about = tuple(sorted((live[location] & known) - cfa.opaque.keys(), key=lambda v: v.id))
            name = f"L{location.index}" if not location.label else f"L{location.index}_{location.label}"
            places[location] = Predicate(name, tuple(v.sort for v in about)), about
    clauses = []
    if cfa.initial in places:
        predicate, about = places[cfa.initial]
        clauses.append(HornClause((), cfa.terms.true, Application(predicate, about), cfa.initial.position))
    for number, edge in enumerate(cfa.edges):
        if edge.source in places and (edge.target in places or edge.target is cfa.error):
            clause = _clause(cfa, edge, reading, places, holes)
            if cells is not None and number in cells.reads:
                clause = replace(clause, body=(*clause.body, *_instances(cfa, clause.body[0], cells, number)))
            clauses.append(clause)
    predicates = (*(p for p, _ in places.values()), *more)
    return ProgramClauses(ClauseSystem(cfa.terms, predicates, tuple(clauses), cfa.name), places)


def _shaped(cfa: Cfa, holes: Mapping[Term, Application]) -> Cfa:
    """An automaton whose edges read what the arguments of their holes are."""
    if not holes:
        return cfa
    terms = cfa.terms
    shapes = {
        hole: terms.conjunction(terms.eq(v, terms.var(f"any {v.name}", v.sort)) for v in application.arguments)
        for hole, application in holes.items()
    }
    edges = []
    for edge in cfa.edges:
        match edge.operation:
            case Assume(condition):
                edge = replace(edge, operation=Assume(substitute(terms, condition, shapes)))
            case Relation(formula, primed):
                edge = replace(edge, operation=Relation(substitute(terms, formula, shapes), primed))
        edges.append(edge)
    return replace(cfa, edges=tuple(edges))


def _clause(
    cfa: Cfa,
    edge: Edge,
    reading: Reading,
    places: Mapping[Location, tuple[Predicate, tuple[Term, ...]]],
    holes: Mapping[Term, Application],
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
    body = [Application(predicate, about)]
    head = None
    if edge.target is not cfa.error:
        target, then = places[edge.target]
        head = Application(target, tuple(after.get(variable, variable) for variable in then))
    for hole in sorted(holes.keys() & read(edge.operation), key=lambda h: h.id):
        if edge.target is cfa.error:
            # The error is entered where the condition does not hold: so it has to.
            head, taken = holes[hole], terms.false
        else:
            body.append(holes[hole])
            taken = terms.true
        condition = substitute(terms, condition, {hole: taken})
    clause = HornClause(tuple(body), condition, head, edge.position)
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
            for cell, element_read in zip(some, choice, strict=True):
                if element_read is not None:
                    instead.update(
                        (old.name, _as_in(cfa, new)) for old, new in zip(cell.index, element_read.index, strict=True)
                    )
                    for array, element in cell.elements.items():
                        value = element_read.values.get(array)
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
