"""Clauses that need several predicates, as an automaton: derivations inside derivations.

A derivation goes on from one predicate of a clause's body, its trunk; the others are derived on the way, in copies of
the automaton whose variables are one level higher, as calls are inlined. Where no predicate needs itself beside its
trunk, this ends, and the automaton has all derivations. Otherwise derivations inside one another are followed up to a
``depth``; beyond it lies whatever may be (a ``Refusal`` that is a bound), so that nothing is proved unless it cannot be
reached.

The other way is from a solution: a clause may take the solution of a predicate for the predicate itself, if the same
automaton shows that the solution holds wherever the predicate does. By induction over the height of derivations, the
automaton reaches no error only if ``false`` is not derivable.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.records import dataclass, replace
from argosy.logic.formulas import Application, Predicate
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assume, Cfa, Edge, Location, Refusal, Variable
from argosy.models.clauses import ClauseAutomaton, ClauseSystem, HornClause, linear_automaton, step

# Copies multiply where derivations inside others need others in turn.
MOST_LOCATIONS = 20_000


class TooMany(Exception):
    """The automaton would have more locations than ``MOST_LOCATIONS``."""


@dataclass(frozen=True, slots=True, eq=False)
class _Context:
    """Where a derivation of ``goal`` (None: of false) begins, at which level, and how often it is inside one of the
    same component already."""

    goal: Predicate | None
    entry: Location
    level: int
    nested: Mapping[int, int]
    at: dict[Predicate, Location]


def automaton_of(system: ClauseSystem, depth: int = 1) -> Cfa:
    """The automaton of the clauses, with derivations inside one another up to ``depth`` where they may go on. Raises
    ``TooMany``."""
    if system.is_linear:
        return linear_automaton(system)[0]
    return _Inlining(system, depth).cfa()


class _Inlining:
    def __init__(self, system: ClauseSystem, depth: int) -> None:
        self._system = system
        self._depth = depth
        self._automaton = ClauseAutomaton(system)
        self._waiting: list[_Context] = []
        self._beyond: Term | None = None
        self._opaque: dict[Term, Refusal] = {}
        self._concluding: dict[Predicate | None, list[HornClause]] = {None: []}
        for clause in system.clauses:
            head = None if clause.head is None else clause.head.predicate
            self._concluding.setdefault(head, []).append(clause)

    def cfa(self) -> Cfa:
        self._context(None, self._automaton.initial, 0, {})
        while self._waiting:
            self._expand(self._waiting.pop())
        return replace(self._automaton.finish(), opaque=self._opaque)

    def _context(self, goal: Predicate | None, entry: Location, level: int, nested: Mapping[int, int]) -> Location:
        """Where the goal has been derived."""
        found = _Context(goal, entry, level, nested, {})
        self._waiting.append(found)
        return self._automaton.error if goal is None else self._at(found, goal)

    def _at(self, context: _Context, predicate: Predicate) -> Location:
        location = context.at.get(predicate)
        if location is None:
            if len(self._automaton.locations) >= MOST_LOCATIONS:
                raise TooMany
            location = context.at[predicate] = self._automaton.location(predicate.name)
        return location

    def _expand(self, context: _Context) -> None:
        """The clauses that the derivation may use, from its goal back along the trunks."""
        known: list[Predicate | None] = [context.goal]
        seen = set(known)
        for conclusion in known:
            for clause in self._concluding.get(conclusion, ()):
                self._clause(context, clause)
                if clause.body:
                    before = clause.body[self._system.trunk(clause)].predicate
                    if before not in seen:
                        seen.add(before)
                        known.append(before)

    def _clause(self, context: _Context, clause: HornClause) -> None:
        automaton, places = self._automaton, self._automaton.places
        target = automaton.error if clause.head is None else self._at(context, clause.head.predicate)
        at = context.entry
        given = []
        if clause.body:
            trunk = clause.body[self._system.trunk(clause)]
            at = self._at(context, trunk.predicate)
            given.append((trunk, places.of(trunk.predicate, context.level)))
            for side in self._system.sides(clause):
                level = context.level + len(given)
                begun = self._inside(context, clause, side, at, level)
                if begun is None:
                    return
                at = begun
                given.append((side, places.of(side.predicate, level)))
        head = None if clause.head is None else (clause.head, places.of(clause.head.predicate, context.level))
        automaton.edge(at, target, step(automaton.terms, places, given, clause.constraint, head), clause)

    def _inside(
        self, context: _Context, clause: HornClause, side: Application, at: Location, level: int
    ) -> Location | None:
        """Where the second predicate has been derived as well; None beyond the depth."""
        component = self._system.component
        nested = dict(context.nested)
        own = component[side.predicate]
        if clause.head is not None and component[clause.head.predicate] == own:
            nested[own] = nested.get(own, 0) + 1
            if nested[own] > self._depth:
                self._cut(clause, at)
                return None
        if len(self._automaton.locations) >= MOST_LOCATIONS:
            raise TooMany
        entry = self._automaton.location(f"derive {side.predicate.name}")
        self._automaton.edge(at, entry, Assume(self._automaton.terms.true), clause)
        return self._context(side.predicate, entry, level, nested)

    def _cut(self, clause: HornClause, at: Location) -> None:
        automaton = self._automaton
        if self._beyond is None:
            what = f"derivations inside one another, more than {self._depth} deep"
            self._beyond = automaton.terms.var("beyond", BOOL)
            automaton.places.declared[self._beyond] = Variable(self._beyond, "beyond")
            self._opaque[self._beyond] = Refusal(clause.position, what, bound=True, arbitrary=True)
        # Without a mark: it stands for what is not modelled.
        automaton.edges.append(Edge(at, automaton.error, Assume(self._beyond), clause.position, clause.text))


# How many clauses deep what stands beside a trunk is looked through.
_MOST_RESOLUTIONS = 200


def shortened(system: ClauseSystem) -> ClauseSystem:
    """The same derivations of false, with less beside the trunks: a predicate that one clause concludes, which needs
    one predicate at most, is replaced by what that clause needs. So solutions are asked for where derivations meet."""
    concluding: dict[Predicate, list[HornClause]] = {}
    for clause in system.clauses:
        if clause.head is not None:
            concluding.setdefault(clause.head.predicate, []).append(clause)
    only = {p: given[0] for p, given in concluding.items() if len(given) == 1 and len(given[0].body) <= 1}
    clauses = []
    for clause in system.clauses:
        trunk = clause.body[system.trunk(clause)] if clause.body else None
        sides = list(system.sides(clause))
        constraint = clause.constraint
        number = 0
        while number < _MOST_RESOLUTIONS:
            at = next((i for i, side in enumerate(sides) if side.predicate in only), None)
            if at is None:
                break
            number += 1
            used = _renamed(system, only[sides[at].predicate], number)
            assert used.head is not None
            pairs = zip(used.head.arguments, sides[at].arguments, strict=True)
            equations = (system.terms.eq(a, b) for a, b in pairs)
            constraint = system.terms.conjunction((constraint, used.constraint, *equations))
            sides[at : at + 1] = used.body
        clauses.append(clause if trunk is None else replace(clause, body=(trunk, *sides), constraint=constraint))
    return replace(system, clauses=tuple(clauses))


def _renamed(system: ClauseSystem, clause: HornClause, number: int) -> HornClause:
    terms = system.terms
    assert clause.head is not None
    applications = (*clause.body, clause.head)
    free = variables(clause.constraint).union(*(variables(a) for each in applications for a in each.arguments))
    new = {v: terms.var(f"{v.name}^{number}", v.sort) for v in free}
    *body, head = (
        Application(each.predicate, tuple(substitute(terms, a, new) for a in each.arguments)) for each in applications
    )
    return replace(clause, body=tuple(body), constraint=substitute(terms, clause.constraint, new), head=head)


def relative_to(system: ClauseSystem, solution: Mapping[Predicate, tuple[tuple[Term, ...], Term]]) -> ClauseSystem:
    """Linear clauses that are satisfiable only if those of ``system`` are: what a clause needs beside its trunk is
    taken from the ``solution``, a formula over variables of its own for each predicate, and that it holds wherever the
    predicate does is a clause more."""
    terms = system.terms
    taken: dict[Predicate, None] = {}

    def instance(application: Application) -> Term:
        parameters, formula = solution[application.predicate]
        return substitute(terms, formula, dict(zip(parameters, application.arguments, strict=True)))

    clauses = []
    for clause in system.clauses:
        if len(clause.body) > 1:
            trunk = clause.body[system.trunk(clause)]
            sides = system.sides(clause)
            taken.update(dict.fromkeys(side.predicate for side in sides))
            constraint = terms.conjunction((clause.constraint, *map(instance, sides)))
            clause = replace(clause, body=(trunk,), constraint=constraint)
        clauses.append(clause)
    for predicate in taken:
        parameters, formula = solution[predicate]
        clauses.append(HornClause((Application(predicate, parameters),), terms.not_(formula), None))
    return replace(system, clauses=tuple(clauses))
