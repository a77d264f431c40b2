"""Regions: boolean combinations of predicates as reduced ordered BDDs (oxidd).

A ``Regions`` gives each predicate a BDD variable, in the order in which predicates turn up. Regions are canonical:
two of them are equal iff they are the same combination, so they serve as keys; implication, union, intersection and
conversion to terms are BDD operations, no solver is asked. Law: ``to_term`` is the combination the region stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oxidd.bdd import BDDFunction, BDDManager

from argosy.logic.terms import Term, Terms

Region = BDDFunction

# Nodes and cache entries; oxidd allocates what is used.
_NODES = 1 << 24
_CACHE = 1 << 16


class Regions:
    """All regions of one run. ``true`` and ``false`` are regions."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._manager = BDDManager(_NODES, _CACHE, 1)
        self._variables: dict[Term, BDDFunction] = {}
        self._predicates: list[Term] = []
        self.true: Region = self._manager.true()
        self.false: Region = self._manager.false()
        self._terms_of: dict[Region, Term] = {self.true: terms.true, self.false: terms.false}
        self._support: dict[Region, tuple[Term, ...]] = {}

    def literal(self, predicate: Term, positive: bool = True) -> Region:
        variable = self._variables.get(predicate)
        if variable is None:
            self._manager.add_vars(1)
            variable = self._manager.var(len(self._predicates))
            self._variables[predicate] = variable
            self._predicates.append(predicate)
        return variable if positive else ~variable

    def from_cube(self, literals: Mapping[Term, bool]) -> Region:
        """The conjunction of the literals."""
        region = self.true
        for predicate, positive in literals.items():
            region = region & self.literal(predicate, positive)
        return region

    def union(self, a: Region, b: Region) -> Region:
        return a | b

    def intersection(self, a: Region, b: Region) -> Region:
        return a & b

    def complement(self, a: Region) -> Region:
        return ~a

    def implies(self, a: Region, b: Region) -> bool:
        return a == b or not (a & ~b).satisfiable()

    def exists(self, a: Region, predicates: Iterable[Term]) -> Region:
        """``a`` with the given predicates forgotten."""
        return a.exists(self.from_cube(dict.fromkeys(predicates, True)))

    def support(self, region: Region) -> tuple[Term, ...]:
        """The predicates that the region depends on."""
        known = self._support.get(region)
        if known is None:
            found: dict[Term, None] = {}
            seen = {region}
            stack = [region]
            while stack:
                top = stack.pop()
                index = top.node_var()
                if index is None:
                    continue
                found[self._predicates[index]] = None
                for part in top.cofactors() or ():
                    if part not in seen:
                        seen.add(part)
                        stack.append(part)
            known = self._support[region] = tuple(sorted(found, key=lambda p: p.id))
        return known

    def to_term(self, region: Region) -> Term:
        """The region as a formula over its predicates; shared parts are shared terms."""
        terms, done = self._terms, self._terms_of
        stack = [region]
        while stack:
            top = stack[-1]
            if top in done:
                stack.pop()
                continue
            parts = top.cofactors()
            assert parts is not None
            missing = [part for part in parts if part not in done]
            if missing:
                stack.extend(missing)
                continue
            index = top.node_var()
            assert index is not None
            predicate, high, low = self._predicates[index], done[parts[0]], done[parts[1]]
            negation = terms.not_(predicate)
            if low is terms.false:
                done[top] = terms.and_(predicate, high)
            elif high is terms.false:
                done[top] = terms.and_(negation, low)
            elif high is terms.true:
                done[top] = terms.or_(predicate, low)
            elif low is terms.true:
                done[top] = terms.or_(negation, high)
            else:
                done[top] = terms.and_(terms.or_(negation, high), terms.or_(predicate, low))
            stack.pop()
        return done[region]
