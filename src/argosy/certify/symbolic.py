"""A path executed symbolically: what it demands of the initial values and of what is chosen on the way.

The store maps each variable to a term over these, so that whatever is determined folds away and a path of tens of
thousands of edges leaves a formula about its choices only.
"""

from __future__ import annotations

from argosy.certify.meanings import determined
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, postorder, substitute
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Reading, Relation
from argosy.models.effects import effect_of


class SymbolicPath:
    """The symbolic execution of one path. A variable that is not in the store still has its initial value."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self.cfa = cfa
        self.terms = cfa.terms
        self.reading = reading
        self.store: dict[Term, Term] = {}
        self.chosen: dict[tuple[int, Term], Term] = {}
        self.known: dict[Term, Term] = {}
        self.conditions: dict[Term, None] = {}

    def take(self, index: int, edge: Edge) -> bool:
        """False when a condition of the path is false whatever is chosen."""
        terms = self.terms
        for check in edge.checks:
            if self.reading.excludes(check) and not self._require(self._now(check.condition)):
                return False
        match edge.operation:
            case Assume(condition):
                return self._require(self._now(condition))
            case Assign(variable, value):
                self.store[variable] = self._now(value)
            case Havoc(variable):
                self.store[variable] = self._choose(index, variable)
            case Relation():
                effect = effect_of(terms, edge.operation)
                memo: dict[Term, Term] = {}
                after = {v: substitute(terms, value, self.store, memo) for v, value in effect.definitions}
                news = {new: self._choose(index, v) for v, new in effect.primed if v not in after}
                formula = terms.conjunction((*effect.guards, *effect.ties))
                if not self._require(substitute(terms, formula, {**self.store, **news})):
                    return False
                # Requiring the formula may have fixed some of the new values.
                after.update((v, self.known.get(news[new], news[new])) for v, new in effect.primed if new in news)
                self.store.update(after)
        return True

    def _now(self, term: Term) -> Term:
        return substitute(self.terms, term, self.store)

    def _choose(self, index: int, variable: Term) -> Term:
        fresh = self.terms.var(f"{variable.name}@{index + 1}", variable.sort)
        self.chosen[index, variable] = fresh
        return fresh

    def _require(self, condition: Term) -> bool:
        for part in conjuncts(condition):
            if part is self.terms.true or part in self.conditions:
                continue
            if part is self.terms.false or self.terms.not_(part) in self.conditions:
                return False
            self.conditions[part] = None
            fixed = determined(self.terms, part)
            if fixed is not None:
                self._learn(*fixed)
        return True

    def _learn(self, variable: Term, constant: Term) -> None:
        """A choice or an initial value turned out to be a constant. Terms that merely contain it are left to the
        solver: looking into each of them would make long paths quadratic."""
        self.known[variable] = constant
        for name, value in self.store.items():
            if value is variable:
                self.store[name] = constant
        if variable in self.cfa.variable_of:
            self.store.setdefault(variable, constant)

    def mentioned(self) -> list[Term]:
        """The initial values and choices that occur in the conditions."""
        return [sub for sub in postorder(*self.conditions) if sub.op == "var"]
