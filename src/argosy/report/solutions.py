"""``--model FILE``: a solution of clauses that are satisfiable, as ``define-fun``s that a solver can check.

The proof claims formulas at the loop heads of the clauses' automaton; what holds elsewhere follows from them, edge by
edge. Where a formula would need quantifiers, or the proof is of another form, Z3's Spacer is asked for a solution. What
is written was checked clause by clause (``certify.solutions``); where no solution is found nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from argosy.backends.clauses import solved
from argosy.backends.contract import SAFE, Invariant
from argosy.basics.budget import Budget
from argosy.certify.solutions import is_solution
from argosy.logic.formulas import Predicate
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.spacer import Derivable, Unanswered
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Relation
from argosy.models.clause_script import Solution, definitions
from argosy.models.clauses import ArgumentPlaces, ClauseSystem, without_locals
from argosy.report.exporters import Decided, File

# For the solver that is asked where the proof itself has no solution.
SECONDS = 60.0


def solutions(decided: Decided, path: str) -> Iterator[File]:
    system: ClauseSystem = decided.problem.model
    if any(answer.verdict != SAFE for answer in decided.answers):
        return
    solvers = Solvers(system.terms, Counters())
    budget = Budget.of(SECONDS)
    for answer in decided.answers:
        found = from_proof(system, answer.evidence) if isinstance(answer.evidence, Invariant) else None
        if found is not None and is_solution(system, found, solvers, budget):
            yield path, definitions(system, found)
            return
    try:
        found = solved(system, system.predicates, budget)
    except (Derivable, Unanswered):
        return
    if is_solution(system, found, solvers, budget):
        yield path, definitions(system, found)


def from_proof(system: ClauseSystem, proof: Invariant) -> Solution | None:
    """What the proof says of each predicate; None where its automaton is another than that of linear clauses."""
    cfa = proof.cfa
    if proof.bound:
        return None
    at = dict(zip(system.predicates, cfa.locations[2:], strict=False))
    if len(cfa.locations) != len(system.predicates) + 2 or any(p.name != at[p].label for p in at):
        return None
    places = ArgumentPlaces(system.terms)
    own = {at[predicate]: places.of(predicate) for predicate in system.predicates}
    holds = _everywhere(cfa, {head: system.terms.disjunction(f) for head, f in proof.claims.items()}, own)
    found: dict[Predicate, tuple[tuple[Term, ...], Term]] = {}
    for predicate, location in at.items():
        found[predicate] = own[location], holds.get(location, system.terms.false)
    return found


def _everywhere(
    cfa: Cfa, claims: Mapping[Location, Term], own: Mapping[Location, tuple[Term, ...]]
) -> dict[Location, Term]:
    """What holds at each location, over its own variables and others that are existentially quantified."""
    terms = cfa.terms
    holds: dict[Location, Term] = {cfa.initial: terms.true}
    for location in sorted(cfa.order, key=cfa.order.__getitem__):
        if location in (cfa.initial, cfa.error):
            continue
        if location in cfa.loop_heads:
            claim = claims.get(location, terms.true)
            keep = set(own[location])
            # A variable that the location is not about has any value there.
            holds[location] = claim if variables(claim) <= keep else without_locals(terms, claim, keep)
            continue
        entering = (edge for edge in cfa.entering[location] if edge.source in holds)
        holds[location] = terms.disjunction(_after(cfa, edge, holds[edge.source], own[location]) for edge in entering)
    return holds


def _after(cfa: Cfa, edge: Edge, before: Term, about: tuple[Term, ...]) -> Term:
    terms = cfa.terms
    condition = terms.true
    new: dict[Term, Term] = {}
    match edge.operation:
        case Assume(asked):
            condition = asked
        case Assign(variable, value):
            new[variable] = value
        case Havoc(variable):
            new[variable] = terms.var(f"{variable.name}'", variable.sort)
        case Relation(formula, primed):
            condition = formula
            new.update(primed)
    number = cfa.edges.index(edge)
    old = {v.term: terms.var(f"{v.term.name}~{number}", v.term.sort) for v in cfa.variables}
    kept = (terms.eq(v, substitute(terms, new.get(v, v), old)) for v in about)
    whole = terms.conjunction((substitute(terms, terms.and_(before, condition), old), *kept))
    others = {v: terms.var(f"{v.name}~{number}", v.sort) for v in variables(whole) - set(about)}
    return without_locals(terms, substitute(terms, whole, others), about)
