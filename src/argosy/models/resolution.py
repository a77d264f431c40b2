"""Fewer predicates, the same derivations: clauses that meet in one predicate become one (resolution, Robinson 1965).

Solvers of Horn clauses do so themselves, and then have no formula, or a wrong one, for what they took away. Here what a
proof is made of is kept.

Law: ``false`` is derivable from the result iff it is from the given clauses, and what holds of the predicates that are
left is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count

from argosy.basics.records import replace
from argosy.logic.formulas import Application, Predicate
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, substitute, variables
from argosy.models.clauses import ClauseSystem, HornClause

# Clauses with a larger constraint are not put together: what is shared in a term is written out in the end.
_LARGEST = 2_000


def resolved(system: ClauseSystem, kept: Collection[Predicate]) -> ClauseSystem:
    """The clauses without those predicates, other than the ``kept`` ones, that one clause concludes or one clause needs
    (as far as none of them needs itself)."""
    return _Resolution(system, frozenset(kept)).done()


class _Resolution:
    def __init__(self, system: ClauseSystem, kept: frozenset[Predicate]) -> None:
        self._system = system
        self._terms = system.terms
        self._kept = kept
        self._clauses: dict[int, HornClause] = dict(enumerate(system.clauses))
        self._next = count(len(system.clauses))
        self._fresh = count()
        self._heads: dict[Predicate, set[int]] = {predicate: set() for predicate in system.predicates}
        self._uses: dict[Predicate, set[int]] = {predicate: set() for predicate in system.predicates}
        for number in self._clauses:
            self._enter(number)

    def _enter(self, number: int) -> None:
        clause = self._clauses[number]
        if clause.head is not None:
            self._heads[clause.head.predicate].add(number)
        for application in clause.body:
            self._uses[application.predicate].add(number)

    def _leave(self, number: int) -> None:
        clause = self._clauses.pop(number)
        if clause.head is not None:
            self._heads[clause.head.predicate].discard(number)
        for application in clause.body:
            self._uses[application.predicate].discard(number)

    def done(self) -> ClauseSystem:
        gone: set[Predicate] = set()
        waiting = [predicate for predicate in self._system.predicates if predicate not in self._kept]
        grew = True
        while grew:
            grew = False
            for predicate in waiting:
                if predicate not in gone and self._may_go(predicate):
                    self._remove(predicate)
                    gone.add(predicate)
                    grew = True
        left = tuple(predicate for predicate in self._system.predicates if predicate not in gone)
        clauses = tuple(self._clauses[number] for number in sorted(self._clauses))
        return replace(self._system, predicates=left, clauses=clauses)

    def _may_go(self, predicate: Predicate) -> bool:
        heads, uses = self._heads[predicate], self._uses[predicate]
        if (len(heads) > 1 and len(uses) > 1) or heads & uses:
            return False
        once = all(sum(a.predicate is predicate for a in self._clauses[number].body) == 1 for number in uses)
        small = all(self._size(number) <= _LARGEST for number in heads | uses)
        plain = all(self._plain(self._clauses[number], predicate) for number in uses)
        return once and small and plain

    def _size(self, number: int) -> int:
        clause = self._clauses[number]
        arguments = () if clause.head is None else clause.head.arguments
        return sum(1 for term in (clause.constraint, *arguments) for _ in postorder(term))

    def _plain(self, clause: HornClause, predicate: Predicate) -> bool:
        """Different variables as arguments: nothing has to be solved to put other terms in their places."""
        [arguments] = [a.arguments for a in clause.body if a.predicate is predicate]
        return all(argument.is_var for argument in arguments) and len(set(arguments)) == len(arguments)

    def _remove(self, predicate: Predicate) -> None:
        heads, uses = sorted(self._heads[predicate]), sorted(self._uses[predicate])
        for use in uses:
            for head in heads:
                number = next(self._next)
                self._clauses[number] = self._together(self._clauses[head], self._clauses[use], predicate)
                self._enter(number)
        for number in (*heads, *uses):
            self._leave(number)

    def _together(self, before: HornClause, after: HornClause, predicate: Predicate) -> HornClause:
        before = self._renamed(before)
        assert before.head is not None
        [use] = [application for application in after.body if application.predicate is predicate]
        meaning = dict(zip(use.arguments, before.head.arguments, strict=True))
        others = [application for application in after.body if application is not use]
        return HornClause(
            (*before.body, *(self._instance(each, meaning) for each in others)),
            self._terms.and_(before.constraint, substitute(self._terms, after.constraint, meaning)),
            None if after.head is None else self._instance(after.head, meaning),
            after.position,
        )

    def _instance(self, application: Application, meaning: Mapping[Term, Term]) -> Application:
        arguments = (substitute(self._terms, argument, meaning) for argument in application.arguments)
        return Application(application.predicate, tuple(arguments))

    def _renamed(self, clause: HornClause) -> HornClause:
        """With variables that no other clause has."""
        assert clause.head is not None
        free = variables(clause.constraint)
        for application in (*clause.body, clause.head):
            free = free.union(*map(variables, application.arguments))
        number = next(self._fresh)
        new = {v: self._terms.var(f"r{number}!{i}", v.sort) for i, v in enumerate(sorted(free, key=lambda v: v.id))}
        return HornClause(
            tuple(self._instance(each, new) for each in clause.body),
            substitute(self._terms, clause.constraint, new),
            self._instance(clause.head, new),
            clause.position,
        )
