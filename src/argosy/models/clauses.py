"""Constrained Horn clauses, and linear ones as a control-flow automaton.

A clause says: where the predicates of its body hold of their arguments and its constraint is true, the predicate of its
head holds of its arguments; without a head the body is impossible. The clauses are satisfiable iff ``false`` cannot be
derived. A clause is linear if its body has at most one predicate: then predicates are locations, clauses are edges, and
a derivation of ``false`` is an execution that reaches the error (Gurfinkel, Kahsai, Komuravelli, Navas, CAV 2015).

Arguments are places: the argument number i of every predicate is kept in the same variable, as far as its sort is the
same, so that what a clause passes on unchanged is left alone by its edge.

Law: the automaton of linear clauses reaches its error iff ``false`` is derivable; the predicates without arguments are
locations like others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.logic.formulas import Application, Predicate
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.models.cfa import Assume, Cfa, Edge, Location, Mark, Operation, Relation, Variable
from argosy.models.effects import effect_of, rebuild, solve
from argosy.models.kinds import Marked
from argosy.models.order import components


@dataclass(frozen=True, slots=True)
class HornClause:
    """``body`` and ``constraint`` imply ``head``; no head is false. Its variables belong to it alone."""

    body: tuple[Application, ...]
    constraint: Term
    head: Application | None
    position: Position = NOWHERE

    @property
    def text(self) -> str:
        head = "false" if self.head is None else self.head.predicate.name
        body = ", ".join(each.predicate.name for each in self.body)
        return f"{head} :- {body}" if body else f"{head}."


@dataclass(frozen=True)
class ClauseSystem:
    """Clauses over ``predicates``, as they were read from the file ``path``. ``notes`` is what reading them assumed."""

    terms: Terms
    predicates: tuple[Predicate, ...]
    clauses: tuple[HornClause, ...]
    path: str
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def component(self) -> Mapping[Predicate, int]:
        """Predicates that need each other are in one component; what a predicate needs has no greater number."""
        needs: dict[Predicate, list[Predicate]] = {predicate: [] for predicate in self.predicates}
        for clause in self.clauses:
            if clause.head is not None:
                needs[clause.head.predicate].extend(each.predicate for each in clause.body)
        found = components(list(self.predicates), needs.__getitem__, None)
        return {predicate: number for number, group in enumerate(found) for predicate in group}

    @cached_property
    def is_linear(self) -> bool:
        return all(len(clause.body) <= 1 for clause in self.clauses)

    @cached_property
    def is_recursive(self) -> bool:
        """Does some clause need two predicates each of which needs its head?"""
        return any(self._is_recursive(clause) for clause in self.clauses)

    def _is_recursive(self, clause: HornClause) -> bool:
        return clause.head is not None and len(self._inside(clause)) > 1

    def _inside(self, clause: HornClause) -> list[Application]:
        """What the body needs of the head's own component."""
        assert clause.head is not None
        own = self.component[clause.head.predicate]
        return [each for each in clause.body if self.component[each.predicate] == own]

    def trunk(self, clause: HornClause) -> int:
        """Which predicate of the body the derivation goes on from, where there are several: one that needs the head,
        if there is any."""
        inside = [] if clause.head is None else self._inside(clause)
        return clause.body.index(inside[0]) if inside else 0

    def sides(self, clause: HornClause) -> tuple[Application, ...]:
        """What else the body needs."""
        trunk = self.trunk(clause) if clause.body else 0
        return tuple(each for index, each in enumerate(clause.body) if index != trunk)


class ArgumentPlaces:
    """The variables that arguments are kept in. ``level`` tells those of derivations inside another one apart."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._names: dict[tuple[int, Sort], str] = {}
        self.declared: dict[Term, Variable] = {}

    def of(self, predicate: Predicate, level: int = 0) -> tuple[Term, ...]:
        return tuple(self._variable(i, sort, level) for i, sort in enumerate(predicate.sorts))

    def _variable(self, place: int, sort: Sort, level: int) -> Term:
        name = self._names.get((place, sort))
        if name is None:
            taken = sum(1 for number, _ in self._names if number == place)
            name = self._names[place, sort] = f"x{place}" + ("" if not taken else f"_{chr(ord('a') + taken)}")
        return self._declare(f"{name}.{level}" if level else name, sort)

    def local(self, number: int, sort: Sort) -> Term:
        """For a value that only one clause speaks of."""
        key = (-number, sort)
        if key not in self._names:
            taken = sum(1 for place, _ in self._names if place == -number)
            self._names[key] = f"any{number}" + (f"_{chr(ord('a') + taken)}" if taken else "")
        return self._declare(self._names[key], sort)

    def _declare(self, name: str, sort: Sort) -> Term:
        term = self._terms.var(name, sort)
        if term not in self.declared:
            self.declared[term] = Variable(term, name)
        return term

    def primed(self, variable: Term) -> Term:
        return self._terms.var(f"{variable.name}'", variable.sort)


def step(
    terms: Terms,
    places: ArgumentPlaces,
    given: Sequence[tuple[Application, Sequence[Term]]],
    constraint: Term,
    head: tuple[Application, Sequence[Term]] | None,
) -> Operation:
    """What a clause does where the arguments of its body are in some places and those of its head come into others."""
    meaning: dict[Term, Term] = {}
    parts: list[Term] = list(conjuncts(constraint))
    for application, olds in given:
        for argument, old in zip(application.arguments, olds, strict=True):
            if argument.is_var and argument not in meaning:
                meaning[argument] = old
            else:
                parts.append(terms.eq(argument, old))
    news: list[tuple[Term, Term]] = []
    if head is not None:
        for argument, place in zip(head[0].arguments, head[1], strict=True):
            new = places.primed(place)
            news.append((place, new))
            if argument.is_var and argument not in meaning:
                meaning[argument] = new
            else:
                parts.append(terms.eq(new, argument))
    formula = substitute(terms, terms.conjunction(parts), meaning)
    known = {old for _, olds in given for old in olds} | {new for _, new in news}
    formula = without_locals(terms, formula, known)
    counts: dict[Sort, int] = {}
    renamed: dict[Term, Term] = {}
    for variable in sorted(variables(formula) - known, key=lambda v: v.id):
        number = counts[variable.sort] = counts.get(variable.sort, 0) + 1
        local = places.local(number, variable.sort)
        renamed[variable] = places.primed(local)
        news.append((local, renamed[variable]))
    formula = substitute(terms, formula, renamed)
    if formula is terms.false or not news:
        return Assume(formula)
    return rebuild(terms, effect_of(terms, Relation(formula, tuple(news))))


# Clauses with more conjuncts than this keep their variables: looking for equations takes time that grows faster.
_MOST_CONJUNCTS = 2000


def without_locals(terms: Terms, formula: Term, known: Iterable[Term]) -> Term:
    """An equivalent of the formula, other variables than the ``known`` ones existentially quantified, with fewer of
    those: an equation that determines one is used up."""
    keep = frozenset(known)
    parts = list(conjuncts(formula))
    if len(parts) > _MOST_CONJUNCTS:
        return formula
    found = True
    while found:
        found = False
        for index, part in enumerate(parts):
            for local in sorted(variables(part) - keep, key=lambda v: v.id):
                value = solve(terms, part, local)
                if value is None:
                    continue
                rest = (p if local not in variables(p) else substitute(terms, p, {local: value}) for p in parts)
                kept = terms.conjunction(p for i, p in enumerate(rest) if i != index)
                parts = list(conjuncts(kept))
                found = True
                break
            if found:
                break
    return terms.conjunction(parts)


class ClauseAutomaton:
    """Locations and edges as they come; ``finish`` makes the automaton of them."""

    def __init__(self, system: ClauseSystem) -> None:
        self.system = system
        self.terms = system.terms
        self.places = ArgumentPlaces(system.terms)
        self.locations: list[Location] = []
        self.edges: list[Edge] = []
        self.initial = self.location("start")
        self.error = self.location("false")

    def location(self, label: str, position: Position = NOWHERE) -> Location:
        index = len(self.locations)
        found = Location(index, position=position, label=label, origin=index)
        self.locations.append(found)
        return found

    def edge(self, source: Location, target: Location, operation: Operation, clause: HornClause) -> None:
        text = clause.text
        marks: tuple[Mark, ...] = ()
        if target is self.error:
            marks = (Mark(Marked.ASSERTION, "false", clause.position, text),)
        self.edges.append(Edge(source, target, operation, clause.position, text, marks=marks))

    def finish(self) -> Cfa:
        return Cfa(
            self.terms,
            self.initial,
            self.error,
            tuple(self.locations),
            tuple(self.edges),
            tuple(self.places.declared.values()),
            name=self.system.path,
        )


def linear_automaton(system: ClauseSystem) -> tuple[Cfa, Mapping[Predicate, Location]]:
    """The automaton of linear clauses, and where each predicate is."""
    automaton = ClauseAutomaton(system)
    at = {p: automaton.location(p.name, _position(system, p)) for p in system.predicates}
    for predicate in system.predicates:
        automaton.places.of(predicate)
    for clause in system.clauses:
        given = [(each, automaton.places.of(each.predicate)) for each in clause.body]
        head = None if clause.head is None else (clause.head, automaton.places.of(clause.head.predicate))
        operation = step(system.terms, automaton.places, given, clause.constraint, head)
        source = at[clause.body[0].predicate] if clause.body else automaton.initial
        target = automaton.error if clause.head is None else at[clause.head.predicate]
        automaton.edge(source, target, operation, clause)
    return automaton.finish(), at


def _position(system: ClauseSystem, predicate: Predicate) -> Position:
    return Position(system.path, predicate.line, predicate.column) if predicate.line else NOWHERE
